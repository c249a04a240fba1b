//! The record book: for each board the shortest known answer, the highest proved bound, and the highest reproduced one.
//!
//! Every entry is checked. An answer is replayed by the rules of `loyd_kit`, and has to be shorter than the one in the
//! book. A bound is *proved* as far as `house-check` accepts it, which shares no code with this program. It is *reproduced*
//! if this program repeated the search of the certificate with the same result.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use loyd_kit::Board;
use serde::{Deserialize, Serialize};

use crate::answer::replay;

pub use sources::{Effort, Source};

mod sources;

/// An answer, and possibly a bound, for one board from a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Name of the answer in messages.
    pub name: String,
    /// The board that is answered.
    pub board: Board,
    /// The moves, possibly with white space.
    pub answer: String,
    /// The lower bound on the moves of all answers that `house-check` accepted; `None` if nothing was proved.
    pub proved: Option<usize>,
    /// The lower bound that this program reproduced, at least the proved one; `None` without a certificate.
    pub reproduced: Option<usize>,
    /// The finder: a program or a person.
    pub found_by: String,
    /// The command that found it.
    pub command: String,
}

/// The row of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    board: String,
    moves: usize,
    transports: usize,
    lower_bound: usize,
    reproducible_bound: usize,
    proved_shortest: String,
    found_by: String,
    command: String,
    answer: String,
}

impl Row {
    /// Both bounds, as a fragment.
    fn bounds(&self) -> String {
        format!("bound {} proved, {} reproducible", self.lower_bound, self.reproducible_bound)
    }
}

/// The rows of the book, and the boards in its directory.
#[derive(Clone, Debug)]
pub struct Book {
    rows: Vec<Row>,
    /// The names of the boards in the book's directory.
    names: HashMap<Board, String>,
}

/// The error of a book that cannot be read or written, or of an answer that it refuses.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file that cannot be read or written.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A file has invalid content.
    #[error("{}: {reason}", path.display())]
    Invalid {
        /// The file with invalid content.
        path: PathBuf,
        /// The reason, as a fragment.
        reason: String,
    },
    /// No board file in the book's directory contains this board.
    #[error("unknown board; add its file to the directory of the record book first")]
    UnknownBoard,
    /// The answer does not lead to perfection.
    #[error("refused: the answer does not lead to perfection")]
    Unsolved,
    /// Neither the answer nor the bound is better.
    #[error("refused: {moves} moves and bound {bound} are no better than the record book")]
    NoBetter {
        /// Moves of the answer that was found.
        moves: usize,
        /// Its bound, 0 for none.
        bound: usize,
    },
    /// The bound contradicts a known answer.
    #[error("refused: bound {bound} contradicts a known answer of {moves} moves")]
    Contradiction {
        /// The bound that was found.
        bound: usize,
        /// Moves of the shortest answer known.
        moves: usize,
    },
}

impl Book {
    /// Reads the book and the boards in its directory.
    ///
    /// # Errors
    /// If one of the files cannot be read or has invalid content.
    pub fn read(path: &Path) -> Result<Book, RecordError> {
        let invalid = |path: &Path, reason: String| RecordError::Invalid { path: path.to_owned(), reason };
        let mut reader = csv::Reader::from_path(path).map_err(|error| invalid(path, error.to_string()))?;
        let rows = reader.deserialize().collect::<Result<Vec<Row>, _>>();
        let rows = rows.map_err(|error| invalid(path, error.to_string()))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut names = HashMap::new();
        for file in fs::read_dir(folder).map_err(|error| RecordError::Io { path: folder.to_owned(), error })? {
            let file = file.map_err(|error| RecordError::Io { path: folder.to_owned(), error })?.path();
            if let (Some("txt"), Some(name)) = (file.extension().and_then(|e| e.to_str()), file.file_stem()) {
                let text = fs::read_to_string(&file).map_err(|error| RecordError::Io { path: file.clone(), error })?;
                let board: Board = text.parse().map_err(|error| invalid(&file, format!("invalid board: {error}")))?;
                names.insert(board, name.to_string_lossy().into_owned());
            }
        }
        Ok(Book { rows, names })
    }

    /// Enters a better answer or a higher bound; returns a description of the change, as a fragment.
    ///
    /// # Errors
    /// If the answer does not solve the board, if nothing is better, or if the bound contradicts an answer.
    pub fn enter(&mut self, found: &Found) -> Result<String, RecordError> {
        let name = self.names.get(&found.board).ok_or(RecordError::UnknownBoard)?;
        if replay(&found.board, &found.answer) != Some(Board::perfection()) {
            return Err(RecordError::Unsolved);
        }
        let answer: String = found.answer.split_whitespace().collect();
        let (moves, proved) = (answer.len(), found.proved.unwrap_or(0));
        let bound = found.reproduced.unwrap_or(0).max(proved);
        let row = self.rows.iter().position(|row| row.board == *name);
        let known = row.map(|row| &self.rows[row]);
        let shortest = known.map_or(moves, |row| row.moves.min(moves));
        if bound > shortest {
            return Err(RecordError::Contradiction { bound, moves: shortest });
        }
        let shorter = known.is_none_or(|row| moves < row.moves);
        let higher = known.map_or(bound > 0, |row| proved > row.lower_bound || bound > row.reproducible_bound);
        if !shorter && !higher {
            return Err(RecordError::NoBetter { moves, bound });
        }
        let row = row.unwrap_or_else(|| {
            self.rows.push(Row {
                board: name.clone(),
                moves,
                transports: 0,
                lower_bound: 0,
                reproducible_bound: 0,
                proved_shortest: String::new(),
                found_by: String::new(),
                command: String::new(),
                answer: String::new(),
            });
            self.rows.len() - 1
        });
        let row = &mut self.rows[row];
        let before = format!("{} moves, {}", row.moves, row.bounds());
        if shorter {
            row.moves = moves;
            row.transports = answer.matches('t').count();
            row.found_by.clone_from(&found.found_by);
            row.command.clone_from(&found.command);
            row.answer = answer;
        }
        row.lower_bound = row.lower_bound.max(proved);
        row.reproducible_bound = row.reproducible_bound.max(bound);
        row.proved_shortest = match row.moves {
            moves if moves == row.lower_bound => "yes",
            moves if moves == row.reproducible_bound => "reproducible",
            _ => "no",
        }
        .into();
        Ok(format!("{name}: {} moves, {}; before {before}", row.moves, row.bounds()))
    }

    /// Writes the book.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        let invalid = |error: String| RecordError::Invalid { path: path.to_owned(), reason: error };
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in &self.rows {
            writer.serialize(row).map_err(|error| invalid(error.to_string()))?;
        }
        let text = writer.into_inner().map_err(|error| invalid(error.to_string()))?;
        // A new file is renamed over the old one, so that an interruption leaves one of them complete.
        let new = path.with_extension("csv.new");
        let io = |error| RecordError::Io { path: path.to_owned(), error };
        fs::write(&new, text).and_then(|()| fs::rename(&new, path)).map_err(io)
    }
}
