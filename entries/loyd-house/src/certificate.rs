//! The result of a proof, in a form that a second run can check.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use loyd_kit::Board;
use serde::{Deserialize, Serialize};

use crate::answer::{one_line, replay};
use crate::clock::Deadline;
use crate::direction::Direction;
use crate::dual::Dual;
use crate::ida::{self, Outcome};
use crate::pinwheel;
use crate::position::Packed;
use crate::proof::{Proof, Threshold};
use crate::store;
use crate::table::Table;
use crate::table_set::TableSet;

/// Descriptions of the methods: whole answers, and split ones.
const METHODS: [&str; 2] = [
    "iterative deepening in steps of two with additive pattern databases, looked up as they are and mirrored; an automaton \
     leaves out ways that lead where an earlier one leads",
    "iterative deepening in steps of two with additive pattern databases, looked up as they are and mirrored; an automaton \
     excludes paths that lead where an earlier one leads; answers are split at the visit of the empty spot to the centre \
     that is next to the far end",
];

/// The answer to a board, the bound on all its answers, and everything that is needed to repeat the proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The version of the program.
    pub version: String,
    /// The board, row by row, five symbols each.
    pub board: String,
    /// The lower bound: no answer has fewer moves.
    pub bound: u8,
    /// The shortest answer that was found, as moves in the notation of loyd.
    pub answer: String,
    /// `true` if the answer has as many moves as the bound.
    pub proved_shortest: bool,
    /// The method of the proof, in words.
    pub method: String,
    /// The direction of the search.
    pub direction: Direction,
    /// `true` if answers are split at the centre; see [`crate::split`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub split: bool,
    /// The tables of the heuristic; if answers are split, of the one for the far end.
    pub tables: Vec<Checksum>,
    /// The other tables of all bounds.
    pub dual: Vec<Checksum>,
    /// Number of moves before the goal for which the tables take the empty spot into account.
    pub ending: u8,
    /// Length of the longest paths that the automaton excludes.
    #[serde(rename = "ways")]
    pub path_length: usize,
    /// The bound by the tables alone, raised to the parity of the board's answers.
    pub lowest: u8,
    /// The thresholds that were searched without an answer, each higher than the last by two.
    pub thresholds: Vec<Threshold>,
    /// Milliseconds since the start of the program.
    pub milliseconds: u64,
    /// SHA-256 of the text before it, which [`Certificate::write`] adds; `house-check` compares it.
    #[serde(default, skip_serializing)]
    pub seal: Option<String>,
}

/// The checksum of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checksum {
    /// The letters of its tiles.
    pub tiles: String,
    /// SHA-256 of homes and values.
    pub sha256: String,
}

/// The error of a certificate that cannot be written, read or confirmed.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file that cannot be read or written.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The file is not a certificate.
    #[error("{}: not a certificate: {error}", path.display())]
    Malformed {
        /// The file that is not a certificate.
        path: PathBuf,
        /// The error of the parser.
        error: serde_json::Error,
    },
    /// A statement of the certificate is wrong.
    #[error("{0}")]
    Refuted(String),
}

/// Writes a new file and renames it over the old one, so that one of them is complete after an interruption, even a
/// power failure. A file that is not regular, such as a pipe, is written to.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return fs::write(path, text);
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let mut file = fs::File::create(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&new, path)
}

fn refuted(reason: impl Into<String>) -> CertificateError {
    CertificateError::Refuted(reason.into())
}

impl Certificate {
    /// Makes the certificate of a proof.
    pub fn new(board: &Board, answer: String, proof: &Proof, took: Duration) -> Certificate {
        let Proof { direction, heuristic, near, automaton, thresholds, .. } = proof;
        let checksum = |table: &Table| Checksum { tiles: store::name(table), sha256: table.checksum() };
        let lowest = proof.lowest();
        let split = near.is_some();
        let all = proof.tables();
        let (tables, others) = all.split_at(heuristic.tables().len());
        let bound = thresholds.last().map_or(lowest, |last| last.moves + 2);
        Certificate {
            version: env!("CARGO_PKG_VERSION").into(),
            board: one_line(board),
            bound,
            proved_shortest: answer.len() == usize::from(bound),
            answer,
            method: METHODS[usize::from(split)].into(),
            direction: *direction,
            split,
            tables: tables.iter().map(|table| checksum(table)).collect(),
            dual: others.iter().map(|table| checksum(table)).collect(),
            ending: heuristic.tables().into_iter().map(|table| table.ending()).max().unwrap_or(0),
            path_length: automaton.length(),
            lowest,
            thresholds: thresholds.clone(),
            milliseconds: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            seal: None,
        }
    }

    /// Writes the certificate as JSON, with a seal.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CertificateError> {
        let io = |error| CertificateError::Io { path: path.to_owned(), error };
        let text = serde_json::to_string_pretty(self).map_err(|error| io(error.into()))?;
        replace(path, &house_check::seal(&text).expect("an object on several lines")).map_err(io)
    }

    /// Reads a certificate.
    ///
    /// # Errors
    /// If the file cannot be read or is not a certificate.
    pub fn read(path: &Path) -> Result<Certificate, CertificateError> {
        let text = fs::read_to_string(path).map_err(|error| CertificateError::Io { path: path.to_owned(), error })?;
        serde_json::from_str(&text).map_err(|error| CertificateError::Malformed { path: path.to_owned(), error })
    }

    /// Checks everything that needs no search: the answer is replayed, and the bound follows from the thresholds.
    ///
    /// # Errors
    /// If a statement is wrong; the error names it.
    pub fn consistent(&self) -> Result<(), CertificateError> {
        let board: Board = self.board.parse().map_err(|error| refuted(format!("invalid board: {error}")))?;
        if replay(&board, &self.answer) != Some(Board::perfection()) {
            return Err(refuted("the answer does not lead to perfection"));
        }
        let searched = (self.lowest..).step_by(2);
        if !self.thresholds.iter().map(|threshold| threshold.moves).eq(searched.take(self.thresholds.len())) {
            return Err(refuted("the thresholds do not rise by two from the bound of the tables"));
        }
        let next = self.thresholds.last().map_or(self.lowest, |last| last.moves + 2);
        if self.bound > next {
            return Err(refuted(format!("the bound is {}, but the thresholds prove only {next}", self.bound)));
        }
        if self.proved_shortest != (self.answer.len() == usize::from(self.bound)) {
            return Err(refuted("`proved_shortest` contradicts the bound and the answer"));
        }
        Ok(())
    }

    /// Rebuilds the tables, compares them, and searches every threshold again; calls `progress` after each step.
    ///
    /// # Errors
    /// If a statement is wrong, or a table cannot be built.
    pub fn check(&self, threads: usize, mut progress: impl FnMut(String)) -> Result<(), CertificateError> {
        self.consistent()?;
        let proof = self.rebuild(threads, &mut progress)?;
        for threshold in &self.thresholds {
            let begun = Instant::now();
            let moves = threshold.moves;
            let found = ida::search(&proof.task(), moves, threads, Deadline::never());
            if found.outcome != Outcome::Nothing {
                return Err(refuted(format!("there is an answer of {moves} moves")));
            }
            if found.nodes != threshold.nodes {
                let (now, then) = (found.nodes, threshold.nodes);
                return Err(refuted(format!("threshold {moves} has {now} nodes, not {then}")));
            }
            progress(format!(
                "no answer of {moves} moves, {} nodes in {} ms",
                found.nodes,
                begun.elapsed().as_millis()
            ));
        }
        Ok(())
    }

    /// The proof before its first threshold, with tables that are built again and whose checksums are compared.
    pub(crate) fn rebuild(&self, threads: usize, progress: &mut impl FnMut(String)) -> Result<Proof, CertificateError> {
        let board: Board = self.board.parse().map_err(|error| refuted(format!("invalid board: {error}")))?;
        let board = Packed::from(&board);
        let unbuilt = |error: io::Error| refuted(format!("cannot build the tables: {error}"));
        let direction = if self.split { self.direction.other() } else { self.direction };
        let moves = direction.geometry(board);
        let other = direction.other().geometry(board);
        let last = self.tables.iter().chain(&self.dual).next_back();
        let sixes = last.is_some_and(|table| table.tiles.len() == 6);
        let rectangle = if sixes { pinwheel::SIX } else { pinwheel::TWO_THREES };
        let heuristic = match direction {
            Direction::Forwards => {
                let names: Vec<&str> = self.tables.iter().map(|table| table.tiles.as_str()).collect();
                let set = TableSet::of(&names).filter(|set| set.ending() == self.ending);
                let set = set.ok_or_else(|| refuted("the tables belong to another version of this program"))?;
                set.heuristic(threads).map_err(unbuilt)?
            }
            Direction::Backwards => {
                let tables = pinwheel::build(&moves, rectangle, threads).map_err(unbuilt)?;
                pinwheel::heuristic(&moves, rectangle, &tables).expect("all tables of the pinwheel")
            }
        };
        let build = |moves, known: &[&Arc<Table>]| pinwheel::tables(moves, rectangle, known, threads).map_err(unbuilt);
        let length = self.path_length.min(11);
        let proof = if self.split {
            let tables = [build(&other, &[])?, build(&moves, &heuristic.tables())?];
            Proof::split(self.direction, board, Arc::new(heuristic), rectangle, tables, length, threads)
        } else {
            let dual = if self.dual.is_empty() { None } else { Some(Dual::new(&moves, build(&other, &[])?)) };
            Proof::new(direction, board, Arc::new(heuristic), dual, length, threads)
        };
        let built = proof.tables();
        let recorded: Vec<&Checksum> = self.tables.iter().chain(&self.dual).collect();
        if built.len() != recorded.len() {
            return Err(refuted(format!("{} tables instead of {}", recorded.len(), built.len())));
        }
        for (table, recorded) in built.into_iter().zip(recorded) {
            if store::name(table) != recorded.tiles || table.checksum() != recorded.sha256 {
                return Err(refuted(format!("the checksum of table {} differs", recorded.tiles)));
            }
            progress(format!("table {} is the same", recorded.tiles));
        }
        if proof.lowest() != self.lowest {
            return Err(refuted("the bound of the tables differs from `lowest`"));
        }
        Ok(proof)
    }
}
