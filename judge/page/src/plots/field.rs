//! What all drawings show: who came to what on which board, over all runs of the page. Pure.
//!
//! What solves a board is told by [`judge_core::compare`], as everywhere. Runs of one entry are entrants of their own, named
//! `RUN:ENTRY`, so that then and now stand side by side.

use std::collections::BTreeMap;

use super::ink::SERIES;
use super::text;
use judge_core::compare::{Goals, Source};
use judge_core::results::Headings;
use judge_core::score::Cell;

/// The most entrants that are drawn; more would make a page that nobody can read or mail.
const MOST_ENTRANTS: usize = 60;
/// The most boards that are drawn.
const MOST_BOARDS: usize = 400;

/// Entrants on boards.
#[derive(Debug)]
pub(super) struct Field {
    /// The boards of all runs, each once.
    pub(super) boards: Vec<Board>,
    /// The entrants, run by run in the order of their tables.
    pub(super) entrants: Vec<Entrant>,
    /// What the game calls its figures.
    pub(super) words: Headings,
    /// The runs' time limit in microseconds, where all have the same.
    pub(super) limit_us: Option<u64>,
    /// What whoever looks at any of the drawings should know, as sentences.
    notes: Vec<String>,
}

/// A board.
#[derive(Debug, PartialEq)]
pub(super) struct Board {
    /// Its name.
    pub(super) name: String,
    /// The moves of the shortest answer known before; `None` where none is.
    pub(super) known: Option<u64>,
    /// The fewest moves in which any entrant solved it.
    pub(super) best: Option<u64>,
}

/// An entry in a run.
#[derive(Debug)]
pub(super) struct Entrant {
    /// The run's name.
    pub(super) run: String,
    /// The entry's name.
    pub(super) entry: String,
    /// What tells it from all others in a table.
    pub(super) name: String,
    /// What a drawing calls it.
    pub(super) label: String,
    /// Its colour and shape; `None` for those that stand too low in the table to have one.
    pub(super) series: Option<usize>,
    /// What it came to, board by board.
    pub(super) came: Vec<Came>,
    /// Its time on all boards in microseconds, which a table may tell where it does not tell single times.
    pub(super) total_time_us: Option<u64>,
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Came {
    /// To the goal.
    Solved { moves: u64, time_us: Option<u64> },
    /// Short of it, or to nothing: the three letters of its verdict, or how far a legal answer came, such as `16/25`.
    Short { sign: String, time_us: Option<u64> },
    /// To nothing that the entry answers for: the run is missing, or the judge spoilt it.
    Absent,
}

impl Came {
    /// The moves of a solution.
    pub(super) fn moves(&self) -> Option<u64> {
        match self {
            Self::Solved { moves, .. } => Some(*moves),
            Self::Short { .. } | Self::Absent => None,
        }
    }

    fn of(cell: &Cell, goal: Option<u64>) -> Self {
        let time_us = cell.figures.time_us;
        match (cell.code, cell.figures.moves) {
            _ if !cell.judged() => Self::Absent,
            (_, Some(moves)) if cell.solves(goal) => Self::Solved { moves, time_us },
            (Some(code), _) => Self::Short { sign: code.into(), time_us },
            (None, _) => {
                let of = |figure: Option<u64>| figure.map_or("?".into(), |figure: u64| figure.to_string());
                Self::Short { sign: format!("{}/{}", of(cell.figures.progress), of(goal)), time_us }
            }
        }
    }
}

impl Entrant {
    /// On how many boards the entry came to something, good or bad.
    pub(super) fn judged(&self) -> usize {
        self.came.iter().filter(|came| **came != Came::Absent).count()
    }

    /// How many boards it solved.
    pub(super) fn solved(&self) -> usize {
        self.came.iter().filter(|came| came.moves().is_some()).count()
    }
}

impl Field {
    /// Everything that sources hold; `hidden` is what [`shown`] said of what it left out before.
    pub(super) fn of(sources: &[Source], hidden: Vec<String>) -> Self {
        let goals = Goals::of(sources);
        let mut boards: Vec<Board> = Vec::new();
        let mut columns: BTreeMap<&str, usize> = BTreeMap::new();
        for head in sources.iter().flat_map(|source| &source.results.boards) {
            let column = *columns.entry(&head.name).or_insert(boards.len());
            if column == boards.len() {
                boards.push(Board { name: head.name.clone(), known: None, best: None });
            }
            boards[column].known =
                boards[column].known.into_iter().chain(head.known.as_ref().map(|known| known.moves)).min();
        }
        let mut entrants = Vec::new();
        for (source, run) in sources.iter().zip(0..) {
            for (row, rank) in source.results.rows.iter().zip(0..) {
                let mut came = vec![Came::Absent; boards.len()];
                for (head, cell) in source.results.boards.iter().zip(&row.cells) {
                    let (cell, goal) = goals.of_cell(head, cell);
                    came[columns[head.name.as_str()]] = Came::of(cell, goal);
                }
                let (run_name, entry) = (source.name.clone(), row.entry.name.clone());
                let of_run = |run: &str, entry: &str| {
                    if sources.len() == 1 { entry.to_owned() } else { format!("{run}:{entry}") }
                };
                let name = text::in_table(&of_run(&run_name, &entry));
                let label = of_run(&text::short(&run_name), &text::shown(&entry));
                let total_time_us = row.total.time_us;
                let entrant = Entrant { run: run_name, entry, name, label, series: None, came, total_time_us };
                entrants.push(((rank, run), entrant));
            }
        }
        for (column, board) in boards.iter_mut().enumerate() {
            board.best = entrants.iter().filter_map(|(_, entrant)| entrant.came[column].moves()).min();
        }
        // The best of each run come before the second best of any.
        let mut order: Vec<usize> = (0..entrants.len()).collect();
        order.sort_by_key(|&index| entrants[index].0);
        for (series, &index) in order.iter().take(SERIES).enumerate() {
            entrants[index].1.series = Some(series);
        }
        let mut limits = sources.iter().map(|source| source.results.limit_ms);
        let first = limits.next().flatten();
        Self {
            boards,
            entrants: entrants.into_iter().map(|(_, entrant)| entrant).collect(),
            words: words(sources),
            limit_us: first.filter(|_| limits.all(|limit| limit == first)).map(|ms| ms.saturating_mul(1000)),
            notes: notes(&goals).into_iter().chain(hidden).collect(),
        }
    }

    /// A description with what should be known of every drawing.
    pub(super) fn describe(&self, drawing: String) -> String {
        self.notes.iter().fold(drawing, |text, note| format!("{text} {note}"))
    }

    /// A sentence on those who have neither colour nor shape; empty where everybody has.
    pub(super) fn rest_note(&self) -> String {
        match self.entrants.iter().filter(|entrant| entrant.series.is_none()).count() {
            0 => String::new(),
            rest => format!(
                " The first {SERIES} by rank have a colour and a mark of their own, the other {rest} are thin and grey."
            ),
        }
    }
}

/// The sources as far as drawings show them, and a sentence for each kind of thing that they do not: the first of each
/// table and the first boards.
pub(super) fn shown(sources: &[&Source]) -> (Vec<Source>, Vec<String>) {
    let mut sources: Vec<Source> = sources.iter().map(|source| (*source).clone()).collect();
    let mut notes = Vec::new();
    let most = (MOST_ENTRANTS / sources.len().max(1)).max(1);
    let hidden: usize = sources.iter().map(|source| source.results.rows.len().saturating_sub(most)).sum();
    if hidden > 0 {
        notes.push(format!("{} further down the table not drawn.", text::count(hidden, "entry is", "entries are")));
    }
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for source in &mut sources {
        let results = &mut source.results;
        // They play no part in a drawing, and there is one a run.
        (results.faults, results.remarks) = (Vec::new(), Vec::new());
        results.rows.truncate(most);
        let kept: Vec<bool> = results
            .boards
            .iter()
            .map(|board| {
                let next = names.len();
                *names.entry(board.name.clone()).or_insert(next) < MOST_BOARDS
            })
            .collect();
        let keep = || kept.iter().copied();
        results.boards = std::mem::take(&mut results.boards).into_iter().zip(keep()).filter_map(chosen).collect();
        for row in &mut results.rows {
            row.cells = std::mem::take(&mut row.cells).into_iter().zip(keep()).filter_map(chosen).collect();
        }
    }
    if names.len() > MOST_BOARDS {
        notes.push(format!("The first {MOST_BOARDS} of {} boards are drawn.", names.len()));
    }
    (sources, notes)
}

fn chosen<T>((thing, kept): (T, bool)) -> Option<T> {
    kept.then_some(thing)
}

/// A run that tells its game has that game's words for the figures.
fn words(sources: &[Source]) -> Headings {
    let telling = sources.iter().find(|source| source.results.game.is_some()).or(sources.first());
    let words = telling.map_or_else(|| Headings::of_game(""), |source| source.results.headings.clone());
    // A table's words are those of its file.
    let [progress, moves, tie_break] = [&words.progress, &words.moves, &words.tie_break].map(|word| text::shown(word));
    Headings { progress, moves, tie_break }
}

fn notes(goals: &Goals) -> Vec<String> {
    let guessed: Vec<String> = goals.guessed.keys().cloned().collect();
    let sentence = |boards: String| {
        format!("Nothing tells what solves {boards}: the most progress of any entry counts as solved.")
    };
    (!guessed.is_empty()).then(|| sentence(text::list(&guessed, 5))).into_iter().collect()
}
