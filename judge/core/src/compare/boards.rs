//! The boards of several sources: which boards are equal, and the best answer to each.
//!
//! Boards are compared by name, but two boards of one name may differ: a reconstruction and the original, or two files with
//! different text. Each is a variant with its own best answer.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::Source;
use crate::reference::value;
use crate::relative::{self, Direction};
use crate::results::BoardHead;
use crate::score::RunCell;

/// The variants of all boards in a list of sources.
#[derive(Debug)]
pub struct Boards {
    /// The variants, in the order of the sources.
    pub variants: Vec<Variant>,
    /// For each source, the variant of each of its boards, by index.
    pub of_source: Vec<Vec<usize>>,
    /// The direction in which values of answers are better.
    direction: Direction,
    /// True if only answers that solve their board have such a value.
    of_solutions: bool,
    /// True for each source whose boards can be solved.
    pub solving: Vec<bool>,
}

/// A board: the boards of one name in several sources, if nothing shows that they differ. Its relative scores are relative to the
/// better of its best answers. It is serialized with its label and these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Variant {
    /// Its name in the results.
    #[serde(skip)]
    pub name: String,
    /// Its name if it is the only variant of this name; otherwise, the name with the mark of a reconstruction and the sources.
    #[serde(rename = "board")]
    pub label: String,
    /// True if the board is a reconstruction.
    #[serde(skip)]
    pub reconstruction: bool,
    /// The value of the best known answer, its moves or the units of its points; `None` if no result contains one.
    #[serde(rename = "best_known")]
    pub known: Option<u64>,
    /// The fewest moves of any run that solved it, or the best points, including repeats and entries that are not compared.
    #[serde(rename = "best_here")]
    pub best: Option<u64>,
    /// True if it has an answer, but the goal is not recorded.
    #[serde(skip)]
    pub unknown: bool,
    /// Its text without white space at the ends of lines; `None` if no result contains it.
    #[serde(skip)]
    text: Option<String>,
    /// The sources that have it, by index.
    #[serde(skip)]
    sources: Vec<usize>,
}

impl Boards {
    /// Collects the boards of all sources.
    pub fn new(sources: &[Source]) -> Self {
        let scoring = sources.first().map(|source| &source.results.scoring);
        let direction = scoring.map_or(Direction::Down, |scoring| scoring.direction());
        let of_solutions = scoring.is_some_and(|scoring| scoring.cost.is_some());
        let solving = sources.iter().map(|source| source.results.solving()).collect();
        let of_source = vec![Vec::new(); sources.len()];
        let mut boards = Self { variants: Vec::new(), of_source, direction, of_solutions, solving };
        // Boards with a text come first, because one without a text may equal any of them.
        let mut heads: Vec<(usize, usize, &BoardHead)> = Vec::new();
        for (k, source) in sources.iter().enumerate() {
            heads.extend(source.results.boards.iter().enumerate().map(|(column, head)| (k, column, head)));
        }
        let mut places: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut named: HashMap<(&str, bool), Vec<usize>> = HashMap::new();
        for with_text in [true, false] {
            for &(k, column, head) in heads.iter().filter(|(.., head)| head.text.is_some() == with_text) {
                let alike = named.entry((&head.name, head.reconstruction)).or_default();
                places.insert((k, column), boards.add(k, head, alike));
            }
        }
        // Restores the order of the sources.
        let mut order: Vec<Option<usize>> = vec![None; boards.variants.len()];
        let mut next = 0;
        for &variant in places.values() {
            if order[variant].is_none() {
                order[variant] = Some(next);
                next += 1;
            }
        }
        let at = |variant: usize| order[variant].unwrap_or_default();
        for (&(k, _), &variant) in &places {
            boards.of_source[k].push(at(variant));
        }
        let mut sorted: Vec<(usize, Variant)> =
            std::mem::take(&mut boards.variants).into_iter().enumerate().map(|(old, new)| (at(old), new)).collect();
        sorted.sort_by_key(|(place, _)| *place);
        boards.variants = sorted.into_iter().map(|(_, variant)| variant).collect();
        boards.find_best(sources);
        boards.label(sources);
        boards
    }

    /// Computes the relative score of a cell in billionths. `None` if the run is missing or is a judge error, or if the goal of
    /// the board is unknown. `source` is an index into the sources of these boards, and `column` an index into the boards of that
    /// source.
    ///
    /// # Panics
    ///
    /// If the source or column does not exist.
    pub fn score(&self, source: usize, column: usize, cell: &RunCell) -> Option<u64> {
        let variant = &self.variants[self.of_source[source][column]];
        let known = cell.judged() && !(self.of_solutions && variant.unknown);
        known.then(|| relative::answer_score(value(cell), self.reference(variant), self.direction))
    }

    /// Adds a board to its variant and returns the variant's index. `alike` are the variants with its name and its mark.
    fn add(&mut self, source: usize, head: &BoardHead, alike: &mut Vec<usize>) -> usize {
        let text = head.text.as_deref().map(normalized);
        let same_text = || alike.iter().copied().find(|&at| self.variants[at].text == text);
        let found = match (&text, alike.as_slice()) {
            (None, [only]) => Some(*only),
            // It may have any one of several texts, so it is a separate variant.
            _ => same_text(),
        };
        let at = found.unwrap_or(self.variants.len());
        if at == self.variants.len() {
            alike.push(at);
            self.variants.push(Variant {
                name: head.name.clone(),
                label: head.name.clone(),
                reconstruction: head.reconstruction,
                known: None,
                best: None,
                unknown: false,
                text,
                sources: Vec::new(),
            });
        }
        let direction = self.direction;
        let variant = &mut self.variants[at];
        variant.sources.push(source);
        variant.known = relative::best(variant.known.into_iter(), head.best_value(), direction);
        at
    }

    fn find_best(&mut self, sources: &[Source]) {
        for (source, columns) in sources.iter().zip(&self.of_source.clone()) {
            for row in &source.results.rows {
                let first = row.cells.iter().zip(columns);
                let repeats = row.repeats.iter().zip(columns);
                let repeats = repeats.flat_map(|(cells, column)| cells.iter().map(move |cell| (cell, column)));
                first.chain(repeats).for_each(|(cell, &variant)| self.improve(variant, cell));
            }
        }
    }

    /// Counts a run for the best answer to its board.
    fn improve(&mut self, variant: usize, cell: &RunCell) {
        let variant = &mut self.variants[variant];
        variant.unknown |= cell.may_solve();
        variant.best = relative::best(variant.best.into_iter().chain(value(cell)), None, self.direction);
    }

    /// Returns the value that answers to a board are relative to: the best one here, or the best known if it is better.
    pub fn reference(&self, variant: &Variant) -> Option<u64> {
        relative::best(variant.best.into_iter(), variant.known, self.direction)
    }

    /// Labels variants that share a name.
    fn label(&mut self, sources: &[Source]) {
        let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, variant) in self.variants.iter().enumerate() {
            named.entry(&variant.name).or_default().push(at);
        }
        let several: Vec<usize> = named.into_values().filter(|all| all.len() > 1).flatten().collect();
        for at in several {
            let variant = &mut self.variants[at];
            let mark = if variant.reconstruction { "*" } else { "" };
            let names: Vec<&str> = variant.sources.iter().map(|&k| sources[k].name.as_str()).collect();
            variant.label = format!("{}{mark} ({})", variant.name, names.join(", "));
        }
    }
}

/// Returns the text without white space at the ends of lines and of the file. Games ignore it and editors change it.
pub(super) fn normalized(text: &str) -> String {
    text.trim_end().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Results;

    /// A source of one entry: boards with the name, the mark `*`, a text and moves.
    fn source(name: &str, boards: &[(&str, Option<&str>, u64)]) -> Source {
        let cells = boards.iter().map(|(board, _, moves)| {
            let marked = if board.ends_with('*') { "yes" } else { "no" };
            let board = board.trim_end_matches('*');
            format!("e,{board},{marked},solved,25,25,{moves},1,9\n")
        });
        let csv = "entry,board,reconstruction,verdict,progress,full,moves,tie_break,limit_ms\n".to_owned();
        let csv = csv + &cells.collect::<String>();
        let mut results = Results::read_csv("test", csv.as_bytes()).unwrap();
        for (head, (_, text, _)) in results.boards.iter_mut().zip(boards) {
            head.text = text.map(str::to_owned);
        }
        Source { name: name.into(), results }
    }

    fn boards(sources: &[Source]) -> Boards {
        Boards::new(sources)
    }

    #[test]
    fn boards_of_one_name_that_differ_have_their_own_best() {
        let sources = [
            source("old", &[("A", None, 10), ("B", Some("x\n"), 20), ("C", Some("c"), 30)]),
            source("new", &[("A*", Some("a"), 7), ("B", Some("x "), 18), ("C", Some("d"), 25)]),
        ];
        let boards = boards(&sources);
        let seen: Vec<(&str, Option<u64>)> =
            boards.variants.iter().map(|variant| (variant.label.as_str(), variant.best)).collect();
        let expected = [
            ("A (old)", Some(10)),
            ("B", Some(18)),
            ("C (old)", Some(30)),
            ("A* (new)", Some(7)),
            ("C (new)", Some(25)),
        ];
        assert_eq!(seen, expected);
        assert_eq!(boards.of_source, [[0, 1, 2], [3, 1, 4]]);
        let cell = &sources[0].results.rows[0].cells[1];
        assert_eq!(boards.score(0, 1, cell), Some(900_000_000));
        assert_eq!(boards.score(0, 0, &sources[0].results.rows[0].cells[0]), Some(relative::ONE));
        assert_eq!(boards.score(0, 0, &RunCell::missing()), None);
    }

    #[test]
    fn a_board_without_a_text_is_the_only_one_of_its_name() {
        let one = boards(&[source("table", &[("A", None, 10)]), source("run", &[("A", Some("a"), 8)])]);
        assert_eq!((one.variants.len(), one.variants[0].best), (1, Some(8)));
        // With two texts, it could be either.
        let three = boards(&[
            source("run", &[("A", Some("a"), 8)]),
            source("table", &[("A", None, 10)]),
            source("other", &[("A", Some("b"), 9)]),
        ]);
        assert_eq!(three.of_source, [[0], [1], [2]]);
    }
}
