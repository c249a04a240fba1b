//! Proofs in whole numbers that an army is too small, or that none is large enough: written, read and checked.
//!
//! A certificate is about games in the normal form of `crate::program`: the last hop, from the left, is the only one to
//! touch row n, so that two men are left before it, and there is such a game with as few men as any. It is a tree of cases, a hop
//! made at most so often or more often. In each case at the end of a branch it gives every point of the infinite board
//! a weight. A hop changes the weight of the men on the board by w(to) - w(from) - w(over). Where that is a gain, the
//! case must limit how often the hop is made; where it is a loss, the case may demand some. So what men weigh at the
//! start is no less than what the last two weigh, less the gains and plus the losses. A case is refuted if no army of
//! the size in question weighs as much.
//!
//! Points within a radius of the goal, the window, are given one by one. Any other weighs T * (34/55)^(distance -
//! radius), T not below 0. Hops that touch no point of the window cannot gain: of three points in line, the two of the
//! hop's start are at most one and two steps farther than its end, and 34/55 + (34/55)^2 = 3026/3025. The points of rows
//! up to 0 at a distance d >= n are n + 1 + 3 (d - n), so the sum over all of them is one of geometric series.
//!
//! [`Certificate::check`] uses no floating point and no part of the search that finds certificates.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::lattice::{Hop, Point};
use crate::program::{DECAY, touching};
use crate::tree::{Bounds, Tree, limit};

/// What a certificate says of its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Every game has at least so many men.
    AtLeast(u32),
    /// No finite army gets there.
    Unreachable,
}

/// The weights of all points of the infinite board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// T, the weight that points outside the window have at its radius.
    pub tail: i64,
    /// The weights of the window's points, in the order of [`Frame::points`].
    pub window: Vec<i64>,
}

/// How a case ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Nothing is known yet.
    Open,
    /// It is refuted by the weights of this index.
    Weights(usize),
}

/// A claim and the tree of cases that proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// What is claimed.
    pub claim: Claim,
    /// Row and window.
    pub frame: Frame,
    /// All weights that cases refer to.
    pub weights: Vec<Weights>,
    /// The cases.
    pub cases: Tree<End>,
}

/// The row and the window of a certificate, with what checking needs of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The row to reach.
    pub row: i32,
    /// The radius of the window.
    pub radius: i32,
    /// The window's points below the row, row by row upwards, from left to right.
    pub points: Vec<Point>,
    /// The hops that touch them, in order, each with the places of from, over and to in `Frame::spread`.
    pub hops: Vec<(Hop, [usize; 3])>,
    index: BTreeMap<Point, usize>,
}

impl Frame {
    /// The window round the goal of `row`.
    pub fn new(row: i32, radius: i32) -> Self {
        let points: Vec<Point> = Point::goal(row).within(radius).filter(|point| point.row < row).collect();
        let index = points.iter().enumerate().map(|(index, &point)| (point, index)).collect();
        let mut frame = Self { row, radius, points, hops: Vec::new(), index };
        let placed = |hop: Hop| (hop, hop.points().map(|point| frame.place(point)));
        frame.hops = touching(row, radius).into_iter().map(placed).collect();
        frame
    }

    /// Whether a hop touches the window, and rows below the goal's only.
    pub fn has(&self, hop: Hop) -> bool {
        self.hops.binary_search_by_key(&hop, |&(hop, _)| hop).is_ok()
    }

    /// The index of a point of the window.
    pub fn index(&self, point: Point) -> Option<usize> {
        self.index.get(&point).copied()
    }

    /// Where the weight of a point at most two steps outside the window stands in [`Frame::spread`].
    fn place(&self, point: Point) -> usize {
        let outside = self.points.len() + usize::from(point.distance(Point::goal(self.row)) > self.radius + 1);
        self.index(point).unwrap_or(outside)
    }

    /// The weights of the window's points, of points one step outside and of points two steps outside, all in units of
    /// 1/3025.
    fn spread(weights: &Weights) -> Vec<i128> {
        let (decay, unit) = (i128::from(DECAY.0), i128::from(DECAY.1));
        let outside = [i128::from(weights.tail) * decay * unit, i128::from(weights.tail) * decay * decay];
        weights.window.iter().map(|&weight| i128::from(weight) * unit * unit).chain(outside).collect()
    }

    /// Whether these weights refute the case: all games with the hops made as often as `bounds` tells.
    ///
    /// # Errors
    /// Why they do not.
    pub fn refute(&self, claim: Claim, bounds: &Bounds, weights: &Weights) -> Result<(), String> {
        if weights.tail < 0 {
            return Err("the weight outside the window is below 0".to_owned());
        }
        let last = Hop::last(self.row);
        let spread = Self::spread(weights);
        let mut needed = spread[self.place(last.from)] + spread[self.place(last.over)];
        for &(hop, places) in &self.hops {
            let [from, over, to] = places.map(|place| spread[place]);
            let loss = from + over - to;
            let (least, most) = limit(bounds, hop);
            let count = if loss >= 0 { Some(least) } else { most };
            let count = count.ok_or_else(|| format!("hop {hop} gains weight and may be made without limit"))?;
            needed += loss * i128::from(count);
        }
        let starting = self.points.iter().zip(&spread).filter(|(point, weight)| point.row <= 0 && **weight > 0);
        let mut heavy: Vec<i128> = starting.map(|(_, &weight)| weight).collect();
        match claim {
            Claim::AtLeast(men) => {
                let fewer = men.saturating_sub(1) as usize;
                // A man outside weighs at most what one just outside the window does.
                let outside = spread[self.points.len()];
                heavy.sort_unstable_by(|a, b| b.cmp(a));
                let army = heavy.into_iter().chain([0].into_iter().cycle()).map(|weight| weight.max(outside));
                let weighs: i128 = army.take(fewer).sum();
                let message = || format!("{fewer} men may weigh {weighs}, which is not less than {needed}");
                (weighs < needed).then_some(()).ok_or_else(message)
            }
            Claim::Unreachable => {
                let all = self.outweighs(heavy.into_iter().sum(), weights.tail, needed);
                let enough = all.ok_or("the numbers are too large to be compared")?;
                (!enough).then_some(()).ok_or_else(|| format!("all men together weigh no less than {needed}"))
            }
        }
    }

    /// Whether all men, those inside the window weighing `inside`, weigh `needed` or more; `None` if the numbers are
    /// too large for the comparison.
    fn outweighs(&self, inside: i128, tail: i64, needed: i128) -> Option<bool> {
        let (decay, unit) = (i128::from(DECAY.0), i128::from(DECAY.1));
        let first = self.row.max(self.radius + 1);
        let power = u32::try_from(first - self.radius).ok()?;
        // The sum of (a + 3 j) (34/55)^j over all j >= 0 is (1155 a + 5610) / 441.
        let (rest, gap) = (unit - decay, i128::from(self.row + 1 + 3 * (first - self.row)));
        let series = gap * unit * rest + 3 * decay * unit;
        let outside = i128::from(tail).checked_mul(decay.checked_pow(power)?)?.checked_mul(series)?;
        let missing = needed.checked_sub(inside)?.checked_mul(rest * rest)?.checked_mul(unit.checked_pow(power)?)?;
        Some(outside.checked_mul(unit * unit)? >= missing)
    }
}

impl Certificate {
    /// Whether the certificate proves its claim: the number of cases.
    ///
    /// # Errors
    /// The line that fails, and why.
    pub fn check(&self) -> Result<usize, String> {
        let mut cases = 0;
        let mut line = HEAD;
        self.cases.walk(&mut |case, bounds| {
            line += 1;
            let Tree::Leaf(end) = case else {
                return Ok(());
            };
            cases += 1;
            let refuted = match end {
                End::Open => Err("this case is still open".to_owned()),
                End::Weights(index) => self.frame.refute(self.claim, bounds, &self.weights[*index]),
            };
            refuted.map_err(|why| format!("line {line}: {why}"))
        })?;
        Ok(cases)
    }
}

/// How many lines stand before the cases.
const HEAD: usize = 4;
/// The deepest case that is read, so that no file exhausts the stack.
const DEEPEST: usize = 5000;
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
        self.cases.walk(&mut |case, _| match case {
            Tree::Split { hop, most, .. } => writeln!(f, "split {hop} {most}"),
            Tree::Leaf(End::Open) => writeln!(f, "open"),
            Tree::Leaf(End::Weights(index)) => {
                if let Some(number) = written.get(index) {
                    return writeln!(f, "same {number}");
                }
                written.insert(*index, written.len() + 1);
                let weights = &self.weights[*index];
                write!(f, "weights {}", weights.tail)?;
                weights.window.iter().try_for_each(|weight| write!(f, " {weight}"))?;
                writeln!(f)
            }
        })
    }
}

impl FromStr for Certificate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut lines = Lines { lines: text.lines().enumerate(), last: 0 };
        if lines.next()?.join(" ") != TITLE {
            return Err(lines.wrong(&format!("write `{TITLE}`")));
        }
        let row = lines.keyed("row", 1..=20)?;
        let claim = match lines.next()?[..] {
            ["claim", "unreachable"] => Claim::Unreachable,
            ["claim", "at-least", men] => Claim::AtLeast(lines.number(men, 1..=10_000)?),
            _ => return Err(lines.wrong("write `claim at-least MEN` or `claim unreachable`")),
        };
        let frame = Frame::new(row, lines.keyed("radius", 0..=40)?);
        let mut weights = Vec::new();
        let cases = lines.cases(&frame, &mut weights)?;
        if lines.lines.any(|(_, line)| !line.trim().is_empty()) {
            return Err("there are lines behind the last case".to_owned());
        }
        Ok(Self { claim, frame, weights, cases })
    }
}

/// The lines that are still to be read.
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

    fn wrong(&self, what: &str) -> String {
        format!("line {}: {what}", self.last)
    }

    fn number<N: FromStr + PartialOrd + fmt::Debug>(
        &self,
        word: &str,
        range: std::ops::RangeInclusive<N>,
    ) -> Result<N, String> {
        let number = word.parse().ok().filter(|number| range.contains(number));
        number
            .ok_or_else(|| self.wrong(&format!("`{word}` is no number from {:?} to {:?}", range.start(), range.end())))
    }

    fn keyed(&mut self, key: &str, range: std::ops::RangeInclusive<i32>) -> Result<i32, String> {
        match self.next()?[..] {
            [word, number] if word == key => self.number(number, range),
            _ => Err(self.wrong(&format!("write `{key} NUMBER`"))),
        }
    }

    /// Reads one case, with all cases that it is split into.
    fn cases(&mut self, frame: &Frame, weights: &mut Vec<Weights>) -> Result<Tree<End>, String> {
        // Splits that wait for their cases; a tree may be deeper than the stack allows.
        let mut waiting: Vec<(Hop, u32, Option<Tree<End>>)> = Vec::new();
        loop {
            let words = self.next()?;
            let mut done = match words[..] {
                ["split", hop, most] => {
                    let hop = hop.parse().ok().filter(|&hop| frame.has(hop));
                    let hop = hop.ok_or_else(|| self.wrong("this is no hop that touches the window, below the row"))?;
                    waiting.push((hop, self.number(most, 0..=1_000_000)?, None));
                    if waiting.len() > DEEPEST {
                        return Err(self.wrong(&format!("a case is split {DEEPEST} times at most")));
                    }
                    continue;
                }
                ["open"] => Tree::Leaf(End::Open),
                ["same", number] => Tree::Leaf(End::Weights(self.number(number, 1..=weights.len())? - 1)),
                ["weights", ref numbers @ ..] => {
                    let expected = frame.points.len() + 1;
                    if numbers.len() != expected {
                        return Err(self.wrong(&format!("there are {} weights, not {expected}", numbers.len())));
                    }
                    let most = 1_000_000_000_000_i64;
                    let read = numbers.iter().map(|word| self.number(word, -most..=most));
                    let mut window: Vec<i64> = read.collect::<Result<_, _>>()?;
                    let tail = window.remove(0);
                    weights.push(Weights { tail, window });
                    Tree::Leaf(End::Weights(weights.len() - 1))
                }
                _ => return Err(self.wrong("a case is `split HOP COUNT`, `weights …`, `same NUMBER` or `open`")),
            };
            loop {
                match waiting.pop() {
                    None => return Ok(done),
                    Some((hop, most, None)) => {
                        waiting.push((hop, most, Some(done)));
                        break;
                    }
                    Some((hop, most, Some(fewer))) => done = Tree::split(hop, most, fewer, done),
                }
            }
        }
    }
}
