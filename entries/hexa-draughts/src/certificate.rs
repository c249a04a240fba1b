//! Certificates: proofs in integers that an army is too small, or that no army is large enough. Writing, reading and
//! checking.
//!
//! A certificate is about games in the normal form of `crate::program`. In this form only the last hop, from the left,
//! touches row n, so two men are left before it. Some game with the fewest men has this form.
//!
//! A certificate is a tree of cases: a hop is made at most k times, or more often; no man starts on a point, or one
//! does. At each leaf it gives every point of the infinite board a weight. A hop changes the weight of the men on the
//! board by w(to) - w(from) - w(over). If that is a gain, the case must limit the number of times that the hop is
//! made. If it is a loss, the case may require the hop. So the men at the start weigh at least as much as the last
//! two, minus the gains and plus the losses. A case is refuted if no army of the given size has this weight.
//!
//! The points within a radius of the goal, the window, have individual weights. Any other point weighs
//! T * (34/55)^(distance - radius) with T >= 0. Hops that touch no point of the window cannot gain: the first two points
//! of a hop are at most two and one steps farther from the goal than the third, and 34/55 + (34/55)^2 = 3026/3025. Rows
//! up to 0 have n + 1 + 3 (d - n) points at each distance d >= n, so the sum over all points consists of geometric
//! series.
//!
//! Weightings that do not refute a case limit its hops and men, and so do the balances of its points (`crate::tighten`).
//! The limits hold for all its subcases. A case whose limits contradict each other needs no weights.
//!
//! [`Certificate::check`] uses no floating point and no part of the search that finds certificates.
//!
//! A file has these lines:
//!
//! | line | meaning |
//! | --- | --- |
//! | `certificate of hexa-draughts` | |
//! | `row N` | the row to reach |
//! | `claim at-least MEN` or `claim unreachable` | the claim |
//! | `radius R` | the window: all points at most R steps from the goal, which is in column 0 or 1 |
//! | `split R,C>R,C K` | two cases follow: this hop is made at most K times; it is made more often |
//! | `split R,C` | two cases follow: no man starts on this point; one does |
//! | `weights T W …` | a refuted case: T, then the window's points below row N, upwards, from left to right |
//! | `same K` | a case refuted by the K-th `weights` above |
//! | `tighten weights T W …`, `tighten same K` | these weights limit the hops and men of the case that follows, and of its subcases |
//! | `contradiction` | a case whose limits leave nothing |
//! | `open` | a case without a proof yet; `prove` resumes it, `check` refuses it |

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::frame::{Frame, Weights};
use crate::lattice::Point;
use crate::tighten::Case;
use crate::tree::{Bounds, Count, Tree};

/// The claim of a certificate about its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Every game has at least this many men.
    AtLeast(u32),
    /// No finite army reaches the row.
    Unreachable,
}

/// A leaf of the tree of cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The case is not refuted yet.
    Open,
    /// The weights with this index refute the case.
    Weights(usize),
    /// The limits of the case contradict each other.
    Contradiction,
}

/// A claim and the tree of cases that proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The proved claim.
    pub claim: Claim,
    /// The row and the window.
    pub frame: Frame,
    /// All weights that cases refer to.
    pub weights: Vec<Weights>,
    /// The cases, which cover every army.
    pub cases: Tree<End>,
}

/// A check of one case alone.
impl Frame {
    /// Checks that these weights refute the case: all games whose hop counts are within `bounds`.
    ///
    /// # Errors
    /// The reason if they do not.
    pub fn refute(&self, claim: Claim, bounds: &Bounds, weights: &Weights) -> Result<(), String> {
        let case = Case::new(self, bounds);
        match claim {
            Claim::AtLeast(men) => case.refute(self, men.saturating_sub(1), weights),
            Claim::Unreachable => {
                let needed = self.balance(&case.hops, weights)?.needed;
                let spread = Self::spread(weights);
                let starting = self.points.iter().zip(&spread).filter(|(point, weight)| point.row <= 0 && **weight > 0);
                let all = self.outweighs(starting.map(|(_, &weight)| weight).sum(), weights.tail, needed);
                let enough = all.ok_or("the numbers are too large to compare")?;
                (!enough).then_some(()).ok_or_else(|| format!("all men together weigh at least {needed}"))
            }
        }
    }
}

impl Certificate {
    /// Checks the proof and returns the number of cases.
    ///
    /// # Errors
    /// The first line that fails, with the reason.
    pub fn check(&self) -> Result<usize, String> {
        let mut cases = 0;
        let mut line = HEADER_LINES;
        match self.claim {
            Claim::Unreachable => self.cases.walk(&mut |case, bounds| {
                line += 1;
                let refuted = match case {
                    Tree::Leaf(End::Weights(index)) => self.frame.refute(self.claim, bounds, &self.weights[*index]),
                    Tree::Leaf(End::Open) => Err(OPEN.to_owned()),
                    Tree::Split { .. } => return Ok(()),
                    Tree::Leaf(End::Contradiction) | Tree::Tightened { .. } => {
                        Err("only weights without `tighten` can refute an army of any size".to_owned())
                    }
                };
                cases += 1;
                refuted.map_err(|why| format!("line {line}: {why}"))
            })?,
            Claim::AtLeast(men) => {
                let fewer_men = men.saturating_sub(1);
                // An explicit stack, since cases may be nested too deep for a recursion that keeps their limits.
                let mut waiting = vec![(&self.cases, Case::new(&self.frame, &Bounds::new()), false)];
                while let Some((tree, mut case, mut contradiction)) = waiting.pop() {
                    if let Tree::Tightened { by, case: inner } = tree {
                        for &index in by {
                            line += 1;
                            // After a contradiction the rest of the chain is only read.
                            contradiction = contradiction
                                || case
                                    .tighten(&self.frame, fewer_men, &self.weights[index])
                                    .map_err(|why| format!("line {line}: {why}"))?
                                || case.balance(&self.frame);
                        }
                        waiting.push((inner, case, contradiction));
                        continue;
                    }
                    line += 1;
                    cases += usize::from(matches!(tree, Tree::Leaf(_)));
                    let refuted = match tree {
                        Tree::Split { count, most, fewer, more } => {
                            for (child, least, most) in [(more, most.saturating_add(1), None), (fewer, 0, Some(*most))]
                            {
                                let mut limited = case.clone();
                                let none = contradiction
                                    || limited.limit(&self.frame, *count, least, most)
                                    || limited.balance(&self.frame);
                                waiting.push((child, limited, none));
                            }
                            Ok(())
                        }
                        Tree::Leaf(End::Open) => Err(OPEN.to_owned()),
                        Tree::Leaf(_) if contradiction => Ok(()),
                        Tree::Leaf(End::Weights(index)) => case.refute(&self.frame, fewer_men, &self.weights[*index]),
                        Tree::Leaf(End::Contradiction) | Tree::Tightened { .. } => {
                            Err("the limits of the case leave games".to_owned())
                        }
                    };
                    refuted.map_err(|why| format!("line {line}: {why}"))?;
                }
            }
        }
        Ok(cases)
    }
}

const OPEN: &str = "this case is still open";
/// The number of lines before the cases.
const HEADER_LINES: usize = 4;
/// The depth limit for reading cases, so that no file exhausts the stack.
const MAX_DEPTH: usize = 5000;
const TITLE: &str = "certificate of hexa-draughts";

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        writeln!(f, "row {}", self.frame.row)?;
        match self.claim {
            Claim::AtLeast(men) => writeln!(f, "claim at-least {men}")?,
            Claim::Unreachable => writeln!(f, "claim unreachable")?,
        }
        writeln!(f, "radius {}", self.frame.radius)?;
        let mut written: BTreeMap<usize, usize> = BTreeMap::new();
        let mut numbers = |f: &mut fmt::Formatter<'_>, index: usize| {
            if let Some(number) = written.get(&index) {
                return writeln!(f, "same {number}");
            }
            written.insert(index, written.len() + 1);
            let weights = &self.weights[index];
            write!(f, "weights {}", weights.tail)?;
            weights.window.iter().try_for_each(|weight| write!(f, " {weight}"))?;
            writeln!(f)
        };
        self.cases.walk(&mut |case, _| match case {
            Tree::Split { count, most, .. } => match count {
                Count::Hop(hop) => writeln!(f, "split {hop} {most}"),
                Count::Man(point) => writeln!(f, "split {point}"),
            },
            Tree::Tightened { by, .. } => by.iter().try_for_each(|&index| {
                write!(f, "tighten ")?;
                numbers(f, index)
            }),
            Tree::Leaf(End::Open) => writeln!(f, "open"),
            Tree::Leaf(End::Contradiction) => writeln!(f, "contradiction"),
            Tree::Leaf(End::Weights(index)) => numbers(f, *index),
        })
    }
}

impl FromStr for Certificate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut lines = Lines { lines: text.lines().enumerate(), last: 0 };
        if lines.next()?.join(" ") != TITLE {
            return Err(lines.error(&format!("expected `{TITLE}`")));
        }
        let row = lines.keyed("row", 1..=20)?;
        let claim = match lines.next()?[..] {
            ["claim", "unreachable"] => Claim::Unreachable,
            ["claim", "at-least", men] => Claim::AtLeast(lines.number(men, 1..=10_000)?),
            _ => return Err(lines.error("expected `claim at-least MEN` or `claim unreachable`")),
        };
        let frame = Frame::new(row, lines.keyed("radius", 0..=40)?);
        let mut weights = Vec::new();
        let cases = lines.cases(&frame, &mut weights)?;
        if lines.lines.any(|(_, line)| !line.trim().is_empty()) {
            return Err("unexpected lines after the last case".to_owned());
        }
        Ok(Self { claim, frame, weights, cases })
    }
}

/// A split whose cases are not all read.
struct Unfinished {
    /// Indices of the weightings that were applied before the split.
    by: Vec<usize>,
    count: Count,
    most: u32,
    /// The first case, once it is read.
    fewer: Option<Tree<End>>,
}

/// The lines of a certificate that are not read yet.
struct Lines<'a, I: Iterator<Item = (usize, &'a str)>> {
    lines: I,
    /// The number of the line read last, from 1.
    last: usize,
}

impl<'a, I: Iterator<Item = (usize, &'a str)>> Lines<'a, I> {
    fn next(&mut self) -> Result<Vec<&'a str>, String> {
        let (index, line) =
            self.lines.next().ok_or_else(|| format!("the certificate ends after line {}", self.last))?;
        self.last = index + 1;
        Ok(line.split_whitespace().collect())
    }

    fn error(&self, reason: &str) -> String {
        format!("line {}: {reason}", self.last)
    }

    fn number<N: FromStr + PartialOrd + fmt::Debug>(
        &self,
        word: &str,
        range: std::ops::RangeInclusive<N>,
    ) -> Result<N, String> {
        let number = word.parse().ok().filter(|number| range.contains(number));
        let reason = || format!("invalid number `{word}`; expected {:?} to {:?}", range.start(), range.end());
        number.ok_or_else(|| self.error(&reason()))
    }

    fn keyed(&mut self, key: &str, range: std::ops::RangeInclusive<i32>) -> Result<i32, String> {
        match self.next()?[..] {
            [word, number] if word == key => self.number(number, range),
            _ => Err(self.error(&format!("expected `{key} NUMBER`"))),
        }
    }

    /// Reads weights: the words after `weights`, or the number after `same`; returns their index.
    fn weights(&self, words: &[&str], frame: &Frame, weights: &mut Vec<Weights>) -> Result<usize, String> {
        match words {
            ["same", _] if weights.is_empty() => Err(self.error("no `weights` line above this line")),
            ["same", number] => Ok(self.number(number, 1..=weights.len())? - 1),
            ["weights", numbers @ ..] => {
                let expected = frame.points.len() + 1;
                if numbers.len() != expected {
                    return Err(self.error(&format!("{} weights; expected {expected}", numbers.len())));
                }
                let most = 1_000_000_000_000_i64;
                let read = numbers.iter().map(|word| self.number(word, -most..=most));
                let mut window: Vec<i64> = read.collect::<Result<_, _>>()?;
                let tail = window.remove(0);
                weights.push(Weights { tail, window });
                Ok(weights.len() - 1)
            }
            _ => Err(self.error("expected `weights …` or `same NUMBER` after `tighten`")),
        }
    }

    /// Reads the words after `split`: the count, and the largest count of the first case.
    fn split(&self, words: &[&str], frame: &Frame) -> Result<(Count, u32), String> {
        match words {
            [hop, most] => {
                let hop = hop.parse().ok().filter(|&hop| frame.has(hop));
                let hop = hop.ok_or_else(|| self.error("expected a hop below the row that touches the window"))?;
                Ok((Count::Hop(hop), self.number(most, 0..=1_000_000)?))
            }
            [point] => {
                let point = point.parse().ok().filter(|&point: &Point| point.row <= 0 && frame.index(point).is_some());
                let point = point.ok_or_else(|| self.error("expected a point of the window in rows up to 0"))?;
                Ok((Count::Man(point), 0))
            }
            _ => Err(self.error("expected `split HOP COUNT` or `split POINT`")),
        }
    }

    /// Reads one case with all its subcases.
    fn cases(&mut self, frame: &Frame, weights: &mut Vec<Weights>) -> Result<Tree<End>, String> {
        // An explicit stack, since a tree may be too deep for a recursion.
        let mut waiting: Vec<Unfinished> = Vec::new();
        let tightened = |by: Vec<usize>, case: Tree<End>| {
            if by.is_empty() { case } else { Tree::Tightened { by, case: Box::new(case) } }
        };
        // The weights of the `tighten` lines of the present case.
        let mut chain: Vec<usize> = Vec::new();
        loop {
            let words = self.next()?;
            let end = match words[..] {
                ["split", ref words @ ..] => {
                    let (count, most) = self.split(words, frame)?;
                    waiting.push(Unfinished { by: std::mem::take(&mut chain), count, most, fewer: None });
                    if waiting.len() > MAX_DEPTH {
                        return Err(self.error(&format!("more than {MAX_DEPTH} nested cases")));
                    }
                    continue;
                }
                ["tighten", ref words @ ..] => {
                    chain.push(self.weights(words, frame, weights)?);
                    continue;
                }
                ["open"] => End::Open,
                ["contradiction"] => End::Contradiction,
                ["weights" | "same", ..] => End::Weights(self.weights(&words, frame, weights)?),
                _ => {
                    let expected =
                        "expected `split …`, `weights …`, `same NUMBER`, `tighten …`, `contradiction` or `open`";
                    return Err(self.error(expected));
                }
            };
            let mut done = tightened(std::mem::take(&mut chain), Tree::Leaf(end));
            loop {
                match waiting.pop() {
                    None => return Ok(done),
                    Some(split @ Unfinished { fewer: None, .. }) => {
                        waiting.push(Unfinished { fewer: Some(done), ..split });
                        break;
                    }
                    Some(Unfinished { by, count, most, fewer: Some(fewer) }) => {
                        done = tightened(by, Tree::split(count, most, fewer, done));
                    }
                }
            }
        }
    }
}
