//! The results of a contest as a table: rows of cells, totals and places, from a journal or from a CSV file.

mod runs_csv;
mod table_csv;

use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::path::Path;

use serde::Serialize;

use crate::games;
use crate::journal::{self, JournalError, Record, RunKey};
use crate::plan::{Board, DisplayInfo, Known, Plan, RankKey, select};
use crate::ranking;
use crate::score::{Cell, EntryHead, Row, total};
use crate::verdict::Verdict;
use judge_job::Usage;

pub use runs_csv::write as write_runs;
pub use table_csv::write as write_table;

/// A ranked table.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// Title of the contest; `None` where a file does not say.
    pub contest: Option<String>,
    /// Name of the game.
    pub game: Option<String>,
    /// The wall-clock limit of a run in milliseconds.
    pub limit_ms: Option<u64>,
    /// What the figures are called.
    pub headings: Headings,
    /// What decides places.
    pub ranking: Vec<RankKey>,
    /// What held the entries' processes together, each kind once; empty where a file does not say.
    pub isolation: Vec<String>,
    /// The columns.
    pub boards: Vec<BoardHead>,
    /// The rows, in the order of the table.
    pub rows: Vec<Row>,
    /// Every run that did not solve its board and why, in the order of the contest file.
    pub faults: Vec<Fault>,
    /// What else is known of single runs, in the same order; empty where a file tells of no runs.
    pub remarks: Vec<Remark>,
}

/// What a game calls its figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Headings {
    /// Progress, such as `tiles home`.
    pub progress: String,
    /// Moves.
    pub moves: String,
    /// The tie-break, such as `transports`.
    pub tie_break: String,
}

/// The head of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardHead {
    /// Name of the board.
    pub name: String,
    /// Whether it is a reconstruction; every output shows that.
    pub reconstruction: bool,
    /// What the organiser has to say about it.
    pub note: Option<String>,
    /// The board file's text; `None` where the results do not hold it.
    pub text: Option<String>,
    /// The best that is known of it; `None` where the results do not tell.
    pub known: Option<Known>,
}

impl BoardHead {
    /// The head of a board's column, as a contest shows it.
    pub fn of(board: &Board, shown: &DisplayInfo) -> Self {
        let Board { name, text, reconstruction, note } = board.clone();
        let known = shown.known.get(&name).cloned();
        Self { name, reconstruction, note, text: Some(text), known }
    }
}

/// A run that did not solve its board, or that the judge spoilt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Name of the entry.
    pub entry: String,
    /// Name of the board.
    pub board: String,
    /// Why, as a fragment.
    pub reason: String,
    /// Whether it was the judge that failed, so that the run counts for nobody.
    pub by_judge: bool,
    /// The position in which its answer ended, in one line.
    pub final_board: Option<String>,
}

/// What is known of a run beside its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Name of the entry.
    pub entry: String,
    /// Name of the board.
    pub board: String,
    /// Which attempt it was, from 1.
    pub attempt: u32,
    /// What its processes used.
    pub usage: Usage,
    /// Why its time is not to be trusted, as a fragment.
    pub suspect: Option<String>,
    /// What the organiser should know, as fragments.
    pub notes: Vec<String>,
}

/// Why results could not be read, with the file and the line where there is one.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The journal of a results directory.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A CSV file.
    #[error("{file}: {reason}")]
    Csv {
        /// The file's name.
        file: String,
        /// What is wrong and where.
        reason: String,
    },
    /// A selection that fits nothing.
    #[error("{0}")]
    Selection(String),
}

impl Results {
    /// The results of a contest as far as its records go.
    pub fn of_contest(plan: &Plan, records: &[Record]) -> Self {
        let boards = plan.boards.iter().map(|board| BoardHead::of(board, &plan.shown));
        let entries = plan.entries.iter().map(|entry| EntryHead {
            name: entry.name.clone(),
            author: entry.author.clone(),
            competing: entry.competing,
        });
        let results = Self {
            contest: Some(plan.name.clone()),
            game: Some(plan.game.clone()),
            limit_ms: Some(plan.limits.wall_ms),
            headings: Headings::of_game(&plan.game),
            ranking: plan.ranking.clone(),
            isolation: Vec::new(),
            boards: boards.collect(),
            rows: Vec::new(),
            faults: Vec::new(),
            remarks: Vec::new(),
        };
        results.with_runs(entries.collect(), records.iter().map(Run::of).collect())
    }

    /// Reads a results directory, a CSV file of runs, or a CSV file with one row an entry, whichever it is.
    pub fn read(path: &Path) -> Result<Self, ResultsError> {
        if path.is_dir() {
            let contents = journal::read(path)?;
            return Ok(Self::of_contest(&contents.head.plan, &contents.records));
        }
        let fault =
            |error: std::io::Error| ResultsError::Csv { file: path.display().to_string(), reason: error.to_string() };
        let bytes = std::fs::read(path).map_err(fault)?;
        Self::read_csv(&path.display().to_string(), &*bytes)
    }

    /// Reads CSV of either form; `file` is the name for errors.
    pub fn read_csv(file: &str, csv: impl Read) -> Result<Self, ResultsError> {
        let refuse = |reason: String| ResultsError::Csv { file: file.to_owned(), reason };
        let mut reader = csv::Reader::from_reader(csv);
        let headers = reader.headers().map_err(|error| refuse(csv_reason(&error)))?.clone();
        let has = |name: &str| headers.iter().any(|header| header == name);
        // Boards may be called `board` and `verdict`, but no file of runs has a total.
        let mut results = if has("entry") && has("board") && has("verdict") && !has("total_ms") {
            runs_csv::read(&mut reader).map_err(refuse)?
        } else if has("entry") && has("moves") {
            table_csv::read(&mut reader, &headers).map_err(refuse)?
        } else {
            return Err(refuse(
                "is neither a file of runs (columns entry, board, verdict, …) nor a table (columns entry, the boards, \
                 progress, moves, tie-break, total_ms)"
                    .into(),
            ));
        };
        ranking::rank(&mut results.rows, &results.ranking);
        Ok(results)
    }

    /// The same results ranked by other figures.
    pub fn ranked_by(mut self, order: Vec<RankKey>) -> Self {
        self.ranking = order;
        ranking::rank(&mut self.rows, &self.ranking);
        self
    }

    /// The results on some boards and of some entries alone, ranked anew. Totals are those of the cells, so what a
    /// table says only of all boards together becomes unknown.
    pub fn only(mut self, boards: Option<&[String]>, entries: Option<&[String]>) -> Result<Self, ResultsError> {
        if let Some(wanted) = boards {
            let kept =
                select(self.boards.clone(), wanted, |board| &board.name, "board").map_err(ResultsError::Selection)?;
            let all = kept.len() == self.boards.len();
            for row in &mut self.rows {
                let cells = self.boards.iter().zip(&row.cells).filter(|(board, _)| kept.contains(board));
                row.cells = cells.map(|(_, cell)| cell.clone()).collect();
                if !all {
                    row.total = total(row.cells.iter());
                }
            }
            self.faults.retain(|fault| kept.iter().any(|board| board.name == fault.board));
            self.remarks.retain(|remark| kept.iter().any(|board| board.name == remark.board));
            self.boards = kept;
        }
        if let Some(wanted) = entries {
            self.rows = select(self.rows, wanted, |row| &row.entry.name, "entry").map_err(ResultsError::Selection)?;
            self.faults.retain(|fault| wanted.contains(&fault.entry));
            self.remarks.retain(|remark| wanted.contains(&remark.entry));
        }
        ranking::rank(&mut self.rows, &self.ranking);
        Ok(self)
    }

    /// Whether every entry has come to something on every board.
    pub fn complete(&self) -> bool {
        self.rows.iter().all(Row::complete)
    }

    /// Fills the rows from runs and ranks them.
    fn with_runs(mut self, entries: Vec<EntryHead>, runs: Vec<Run>) -> Self {
        let layers: BTreeSet<&String> = runs.iter().filter_map(|run| run.isolation.as_ref()).collect();
        self.isolation = layers.into_iter().cloned().collect();
        let runs: HashMap<(&str, &str), &Run> =
            runs.iter().map(|run| ((run.key.entry.as_str(), run.key.board.as_str()), run)).collect();
        for entry in entries {
            let run_on = |board: &BoardHead| runs.get(&(entry.name.as_str(), board.name.as_str())).copied();
            let runs: Vec<Option<&Run>> = self.boards.iter().map(run_on).collect();
            let cells: Vec<Cell> = runs
                .iter()
                .map(|run| {
                    run.map_or_else(Cell::missing, |run| Cell {
                        suspect: run.suspect.is_some(),
                        ..Cell::of(&run.verdict, run.wall_us, run.limit_ms)
                    })
                })
                .collect();
            self.remarks.extend(runs.iter().flatten().map(|run| run.remark()));
            self.faults.extend(runs.into_iter().flatten().filter_map(|run| {
                let reason = run.verdict.fault()?;
                let RunKey { entry, board, .. } = run.key.clone();
                let by_judge = matches!(run.verdict, Verdict::JudgeError { .. });
                Some(Fault { entry, board, reason, by_judge, final_board: run.final_board.clone() })
            }));
            self.rows.push(Row { total: total(cells.iter()), entry, cells, place: None });
        }
        ranking::rank(&mut self.rows, &self.ranking);
        self
    }
}

/// What a table needs to know of a run.
struct Run {
    key: RunKey,
    verdict: Verdict,
    wall_us: Option<u64>,
    limit_ms: u64,
    isolation: Option<String>,
    final_board: Option<String>,
    attempt: u32,
    usage: Usage,
    suspect: Option<String>,
    notes: Vec<String>,
}

impl Run {
    fn of(record: &Record) -> Self {
        let Record { key, verdict, wall_us, limit_ms, final_board, attempt, usage, suspect, notes, .. } =
            record.clone();
        let isolation = Some(record.isolation.to_string());
        Self { key, verdict, wall_us, limit_ms, isolation, final_board, attempt, usage, suspect, notes }
    }

    fn remark(&self) -> Remark {
        let RunKey { entry, board, .. } = self.key.clone();
        let (attempt, usage, suspect, notes) = (self.attempt, self.usage, self.suspect.clone(), self.notes.clone());
        Remark { entry, board, attempt, usage, suspect, notes }
    }
}

impl Headings {
    /// What the game of that name calls its figures; general words for an unknown one.
    pub fn of_game(name: &str) -> Self {
        match games::find(name) {
            Some(kind) => Self {
                progress: kind.labels.progress.into(),
                moves: kind.labels.moves.into(),
                tie_break: kind.labels.tie_break.into(),
            },
            None => Self { progress: "progress".into(), moves: "moves".into(), tie_break: "tie-break".into() },
        }
    }
}

/// A CSV error as a fragment with its line.
fn csv_reason(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line}: {len} columns where the head has {expected_len}")
        }
        _ => error.to_string(),
    }
}

/// The word for a boolean in CSV files.
pub fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

fn parse_yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("`{text}` is neither yes nor no")),
    }
}
