//! What was proved about a board, in a form that a second run can check.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use loyd_kit::Board;
use serde::{Deserialize, Serialize};

use crate::answer::{line, replay};
use crate::automaton::Automaton;
use crate::clock::Deadline;
use crate::direction::Direction;
use crate::dual::Dual;
use crate::grounds::{Grounds, Threshold, lowest};
use crate::guide::Guide;
use crate::ida::{self, Outcome, Pruning};
use crate::pinwheel;
use crate::position::Packed;
use crate::stage::Stage;
use crate::store;
use crate::table::Table;

/// How the bound is proved.
const METHOD: &str = "iterative deepening in steps of two with additive pattern databases, looked up as they are and \
                      mirrored; an automaton leaves out ways that lead where an earlier one leads";

/// The answer to a board, the bound on all its answers, and everything it takes to search for both again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Version of the program.
    pub version: String,
    /// The board, row by row, five symbols each.
    pub board: String,
    /// No answer has fewer moves.
    pub bound: u8,
    /// The shortest answer found.
    pub answer: String,
    /// Whether the two meet.
    pub proved_shortest: bool,
    /// How the bound is proved.
    pub method: String,
    /// From which end it searches.
    pub direction: Direction,
    /// The tables of its guide.
    pub tables: Vec<Checksum>,
    /// The tables of the second bound, where it has one.
    pub dual: Vec<Checksum>,
    /// How far the tables know of the empty spot.
    pub ending: u8,
    /// Length of the ways that the automaton knows.
    pub ways: usize,
    /// What the tables alone say of the board, with the parity of its answers.
    pub lowest: u8,
    /// The thresholds that were searched without an answer, each by two higher than the last.
    pub thresholds: Vec<Threshold>,
    /// Milliseconds from the start of the program.
    pub milliseconds: u64,
}

/// A table and what it held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checksum {
    /// The letters of its tiles.
    pub tiles: String,
    /// SHA-256 of homes and values.
    pub sha256: String,
}

/// Why a certificate could not be written, read or confirmed.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file is no certificate.
    #[error("{}: no certificate: {error}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Why.
        error: serde_json::Error,
    },
    /// Something it says is not so.
    #[error("{0}")]
    Untrue(String),
}

fn untrue(reason: impl Into<String>) -> CertificateError {
    CertificateError::Untrue(reason.into())
}

impl Certificate {
    /// The certificate of a search.
    pub fn new(board: &Board, answer: String, grounds: &Grounds, took: Duration) -> Certificate {
        let Grounds { direction, guide, dual, automaton, thresholds, .. } = grounds;
        let checksum = |table: &Table| Checksum { tiles: store::name(table), sha256: table.checksum() };
        let lowest = lowest(guide, direction.start(Packed::from(board)));
        let bound = thresholds.last().map_or(lowest, |last| last.moves + 2);
        Certificate {
            version: env!("CARGO_PKG_VERSION").into(),
            board: line(board),
            bound,
            proved_shortest: answer.len() == usize::from(bound),
            answer,
            method: METHOD.into(),
            direction: *direction,
            tables: guide.tables().into_iter().map(|table| checksum(table)).collect(),
            dual: dual.iter().flat_map(Dual::tables).map(|table| checksum(table)).collect(),
            ending: guide.tables().into_iter().map(|table| table.ending()).max().unwrap_or(0),
            ways: automaton.ways(),
            lowest,
            thresholds: thresholds.clone(),
            milliseconds: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Writes it as JSON.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn write(&self, path: &Path) -> Result<(), CertificateError> {
        let io = |error| CertificateError::Io { path: path.to_owned(), error };
        let text = serde_json::to_string_pretty(self).map_err(|error| io(error.into()))?;
        fs::write(path, text + "\n").map_err(io)
    }

    /// Reads one.
    ///
    /// # Errors
    /// If the file cannot be read or is no certificate.
    pub fn read(path: &Path) -> Result<Certificate, CertificateError> {
        let text = fs::read_to_string(path).map_err(|error| CertificateError::Io { path: path.to_owned(), error })?;
        serde_json::from_str(&text).map_err(|error| CertificateError::Foreign { path: path.to_owned(), error })
    }

    /// Checks what needs no search: the answer replays, and the bound follows from the thresholds.
    ///
    /// # Errors
    /// Says what is not so.
    pub fn consistent(&self) -> Result<(), CertificateError> {
        let board: Board = self.board.parse().map_err(|error| untrue(format!("its board: {error}")))?;
        if replay(&board, &self.answer) != Some(Board::perfection()) {
            return Err(untrue("its answer does not lead to perfection"));
        }
        let searched = (self.lowest..).step_by(2);
        if !self.thresholds.iter().map(|threshold| threshold.moves).eq(searched.take(self.thresholds.len())) {
            return Err(untrue("its thresholds do not rise by two from what the tables say"));
        }
        let next = self.thresholds.last().map_or(self.lowest, |last| last.moves + 2);
        if self.bound > next {
            return Err(untrue(format!("its bound is {}, its thresholds allow {next}", self.bound)));
        }
        if self.proved_shortest != (self.answer.len() == usize::from(self.bound)) {
            return Err(untrue("it calls its answer proved shortest against its own figures"));
        }
        Ok(())
    }

    /// Builds the tables again, compares them, and searches every threshold again; `tell` hears of each step.
    ///
    /// # Errors
    /// Says what is not so, or why it cannot be found out.
    pub fn check(&self, threads: usize, mut tell: impl FnMut(String)) -> Result<(), CertificateError> {
        self.consistent()?;
        let board: Board = self.board.parse().map_err(|error| untrue(format!("its board: {error}")))?;
        let start = self.direction.start(Packed::from(&board));
        let (guide, dual) = self.tables_again(Packed::from(&board), threads, &mut tell)?;
        if lowest(&guide, start) != self.lowest {
            return Err(untrue("the tables say another bound than it does"));
        }
        if self.thresholds.is_empty() {
            return Ok(());
        }
        let automaton = Automaton::new(guide.board(), self.ways.min(11));
        for threshold in &self.thresholds {
            let begun = Instant::now();
            let moves = threshold.moves;
            let pruning = Pruning { guide: &guide, dual: dual.as_ref(), automaton: &automaton };
            let found = ida::search(pruning, start, moves, threads, Deadline::never());
            if found.outcome != Outcome::Nothing {
                return Err(untrue(format!("there is an answer of {moves} moves")));
            }
            if found.nodes != threshold.nodes {
                let (now, then) = (found.nodes, threshold.nodes);
                return Err(untrue(format!("threshold {moves} has {now} nodes, not {then}")));
            }
            tell(format!("no answer of {moves} moves, {} nodes in {} ms", found.nodes, begun.elapsed().as_millis()));
        }
        Ok(())
    }

    fn tables_again(
        &self,
        board: Packed,
        threads: usize,
        tell: &mut impl FnMut(String),
    ) -> Result<(Guide, Option<Dual>), CertificateError> {
        let unbuilt = |error: io::Error| untrue(format!("cannot build the tables: {error}"));
        let moves = self.direction.geometry(board);
        let other = self.direction.other().geometry(board);
        let last = self.tables.iter().chain(&self.dual).next_back();
        let sixes = last.is_some_and(|table| table.tiles.len() == 6);
        let rectangle = if sixes { pinwheel::SIX } else { pinwheel::TWO_THREES };
        let guide = match self.direction {
            Direction::Forwards => {
                let names: Vec<&str> = self.tables.iter().map(|table| table.tiles.as_str()).collect();
                let stage = Stage::of(&names).filter(|stage| stage.ending() == self.ending);
                let stage = stage.ok_or_else(|| untrue("its tables are of another version of this program"))?;
                stage.guide(threads).map_err(unbuilt)?
            }
            Direction::Backwards => {
                let tables = pinwheel::build(&moves, rectangle, threads).map_err(unbuilt)?;
                pinwheel::guide(&moves, rectangle, &tables).expect("all of its tables")
            }
        };
        let dual = if self.dual.is_empty() {
            None
        } else {
            Some(Dual::new(&moves, pinwheel::tables(&other, rectangle, &[], threads).map_err(unbuilt)?))
        };
        let built: Vec<&Arc<Table>> = guide.tables().into_iter().chain(dual.iter().flat_map(Dual::tables)).collect();
        let kept: Vec<&Checksum> = self.tables.iter().chain(&self.dual).collect();
        if built.len() != kept.len() {
            return Err(untrue(format!("it has {} tables, not {}", kept.len(), built.len())));
        }
        for (table, kept) in built.into_iter().zip(kept) {
            if store::name(table) != kept.tiles || table.checksum() != kept.sha256 {
                return Err(untrue(format!("table {} has another checksum", kept.tiles)));
            }
            tell(format!("table {} is the same", kept.tiles));
        }
        Ok((guide, dual))
    }
}
