//! The results of a contest as a table: rows of cells, totals and places, from a journal or from a CSV file.

mod failures;
mod runs_csv;
mod spreadsheet;
mod table_csv;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::advance::{self, Next};
use crate::external::OnCrash;
use crate::games;
use crate::journal::{self, Contents, JournalError, Name, Record, RunKey};
use crate::plan::{Board, DisplayInfo, Known, Plan, RankKey, Withdrawal, select};
use crate::points::Points;
use crate::ranking;
use crate::regular;
use crate::score::{Cell, EntryHead, JudgedBy, Row, total};
use crate::scoring::Scoring;
use crate::text::printable;
use crate::verdict::Verdict;
use judge_job::{Isolation, Machine, Usage};

pub use failures::Failures;
pub use runs_csv::write as write_runs;
pub use spreadsheet::Text;
pub use table_csv::write as write_table;

/// The name of the number of accepted answers.
const SOLVED: &str = "solved";
/// The largest CSV file, in bytes, and the most cells of a table.
const MOST_BYTES: u64 = 1 << 30;
const MOST_CELLS: usize = 2_000_000;
/// The most rounds that a file can name; each is a heading of the table.
const MOST_ROUNDS: u32 = 1000;

/// A ranked table.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// Title of the contest; `None` if a file does not contain it.
    pub contest: Option<String>,
    /// Name of the game.
    pub game: Option<String>,
    /// Wall-clock limit of a run in milliseconds.
    pub limit_ms: Option<u64>,
    /// Names of the figures.
    pub headings: Headings,
    /// What answers are judged by.
    pub judged_by: JudgedBy,
    /// The way to read and sum points; `None` for a contest without points.
    pub scoring: Option<Arc<Scoring>>,
    /// True if a crash of the referee counts as a wrong answer.
    pub crash_rejects: bool,
    /// The figures that decide places.
    pub ranking: Vec<RankKey>,
    /// Isolation of the entries, each kind once; empty if a file does not contain it.
    pub isolation: Vec<String>,
    /// The rounds that have opened, in their order; empty for a contest with one round.
    pub rounds: Vec<RoundHead>,
    /// Sentences on what is not in the table: boards that were struck, and a round that has not opened.
    pub absent: Vec<String>,
    /// Hash of the journal, see [`journal::Chain`]; `None` if the results are from elsewhere.
    pub journal_hash: Option<String>,
    /// The columns, round after round.
    pub boards: Vec<BoardHead>,
    /// The rows, in the order of the table.
    pub rows: Vec<Row>,
    /// Every run that did not solve its board and the reason, in the order of the contest file.
    pub faults: Vec<Fault>,
    /// The models of processors of the runs that the table shows, if there are several.
    pub unlike: Option<Unlike>,
    /// Other facts about single runs, in the same order; empty if a file contains no runs.
    pub remarks: Vec<Remark>,
}

/// Machines of several models that made the runs of one table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unlike {
    /// Number of runs by model of the processor.
    pub models: BTreeMap<String, usize>,
    /// The boards on which entries ran on different models.
    pub boards: Vec<String>,
}

impl Unlike {
    /// The models of these runs, each with its board, if there are several.
    fn of<'a>(runs: impl Iterator<Item = (&'a str, &'a str)>) -> Option<Self> {
        let (mut models, mut boards): (BTreeMap<&str, usize>, BTreeMap<&str, HashSet<&str>>) = Default::default();
        for (board, model) in runs {
            *models.entry(model).or_default() += 1;
            boards.entry(board).or_default().insert(model);
        }
        let several = boards.into_iter().filter(|(_, models)| models.len() > 1);
        let boards = several.map(|(board, _)| board.to_owned()).collect();
        let models: BTreeMap<String, usize> =
            models.into_iter().map(|(model, runs)| (model.to_owned(), runs)).collect();
        (models.len() > 1).then_some(Self { models, boards })
    }
}

/// Names of a game's figures; empty for those that it does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Headings {
    /// Progress, such as `tiles home`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub progress: String,
    /// Moves.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub moves: String,
    /// The tie-break, such as `transports`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tie_break: String,
}

/// A round of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundHead {
    /// Its number, from 1.
    pub number: u32,
    /// Its name; `None` if a file does not contain it.
    pub name: Option<String>,
    /// Wall-clock limit of its runs in milliseconds, if it is not that of the contest.
    pub limit_ms: Option<u64>,
}

impl RoundHead {
    /// The name, or the number of a round without one.
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("round {}", self.number))
    }

    /// The heads of rounds that are known by their numbers only; none if there is one round.
    fn numbered(last: u32) -> Vec<Self> {
        let head = |number| Self { number, name: None, limit_ms: None };
        if last > 1 { (1..=last).map(head).collect() } else { Vec::new() }
    }
}

/// The heading of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardHead {
    /// Name of the board.
    pub name: String,
    /// True for a reconstruction, which every output marks.
    pub reconstruction: bool,
    /// The organiser's note about it.
    pub note: Option<String>,
    /// The board file's text; `None` if the results do not contain it.
    pub text: Option<String>,
    /// The best known answer; `None` if the results do not contain it.
    pub known: Option<Known>,
    /// The best known points; `None` if the results do not contain them.
    pub best: Option<Points>,
    /// Its round, from 1.
    pub round: u32,
    /// The group that its points belong to.
    pub group: Option<Name>,
}

impl BoardHead {
    /// The heading of the column of a board of the first round.
    pub fn of(board: &Board, shown: &DisplayInfo) -> Self {
        let Board { name, text, reconstruction, note, .. } = board.clone();
        let (known, best) = (shown.known.get(&name).cloned(), shown.best.get(&name).copied());
        let group = board.group.as_deref().map(Name::from);
        let text = Some(text).filter(|_| board.stored.is_none());
        Self { name, reconstruction, note, text, known, best, round: 1, group }
    }

    /// The value of the best known answer, as relative scores compare it: its moves, or the units of its points.
    pub(crate) fn best_value(&self) -> Option<u64> {
        let points = self.best.map(|points| u64::try_from(points.units()).unwrap_or(0));
        points.or(self.known.as_ref().map(|known| known.moves))
    }
}

/// A run that did not solve its board, or a judge error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Name of the entry.
    pub entry: Name,
    /// Name of the board.
    pub board: Name,
    /// The repeat, from 1.
    pub repeat: u32,
    /// The code in its cell; `None` for an answer that stops short of the goal.
    pub code: Option<&'static str>,
    /// The reason, as a fragment.
    pub reason: String,
    /// True if the judge failed, so that the run is not scored.
    pub by_judge: bool,
    /// The position in which its answer ended, in one line.
    pub final_board: Option<String>,
}

/// Facts about a run besides its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Name of the entry.
    pub entry: Name,
    /// Name of the board.
    pub board: Name,
    /// The repeat, from 1.
    pub repeat: u32,
    /// The attempt, from 1.
    pub attempt: u32,
    /// Resources that its processes used.
    pub usage: Usage,
    /// The node of a cluster that made it; `None` for the machine of the judge.
    pub node: Option<Name>,
    /// The reason why its time is unreliable, as a fragment.
    pub suspect: Option<String>,
    /// The reason of the ruling by hand that set its verdict.
    pub ruling: Option<String>,
    /// Remarks for the organiser, as fragments.
    pub notes: Vec<String>,
}

/// The reason why results could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// The journal of a results directory.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A path that leads nowhere.
    #[error("{}: no such results directory or CSV file; `judge runs` lists results directories{}", .0.display(), regular::did_you_mean(.0))]
    Missing(PathBuf),
    /// A file that cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A CSV file with unusable contents.
    #[error("{file}: {reason}")]
    Csv {
        /// The file's name.
        file: String,
        /// The reason with its line, as a fragment.
        reason: String,
    },
    /// A selection of boards or entries that do not exist.
    #[error("{0}")]
    Selection(String),
}

impl Results {
    /// The results of a contest, as its journal has them. Only runs that count are among them: not those of withdrawn
    /// entries, on struck boards, or of programs and boards that were replaced.
    pub fn of_journal(contents: &Contents) -> Self {
        let mut results = Self::of_records(contents);
        results.journal_hash = contents.chain.last().map(str::to_owned);
        let plan = &contents.plan;
        let struck = plan.boards.iter().filter_map(|board| Some((&board.name, contents.struck.get(&board.name)?)));
        results.absent.extend(struck.map(|(board, why)| format!("board {board} is struck and does not count: {why}")));
        let next = advance::next(contents);
        if !matches!(next, Next::Over)
            && let Some(round) = plan.round_plan(contents.round() + 1)
        {
            results.absent.push(format!("round {} has not opened: {}", round.name, next.reason(plan)));
        }
        results
    }

    /// The same without sentences on what is absent.
    pub(crate) fn of_records(contents: &Contents) -> Self {
        let took_part = contents.rounds.iter().map(|round| {
            let entrants = round.entrants().into_iter().map(str::to_owned);
            (round.number, entrants.collect())
        });
        let scope = Scope {
            open: contents.round(),
            withdrawn: &contents.withdrawn,
            struck: &contents.struck,
            took_part: took_part.collect(),
        };
        Self::of_runs(&contents.plan, &contents.records, &contents.machines, &scope)
    }

    /// The results of a contest from which nothing is withdrawn or struck, as far as its records go. An entry took part
    /// in a later round if it has a record there.
    pub fn of_contest(plan: &Plan, records: &[Record]) -> Self {
        let mut took_part: BTreeMap<u32, HashSet<String>> = BTreeMap::new();
        for RunKey { round, entry, .. } in records.iter().map(|record| &record.key) {
            if *round > 1 {
                took_part.entry(*round).or_default().insert(entry.to_string());
            }
        }
        let open = took_part.keys().copied().max().unwrap_or(1);
        let scope = Scope { open, withdrawn: &BTreeMap::new(), struck: &BTreeMap::new(), took_part };
        Self::of_runs(plan, records, &[], &scope)
    }

    fn of_runs(plan: &Plan, records: &[Record], machines: &[Machine], scope: &Scope<'_>) -> Self {
        let nodes: Vec<Option<Name>> = machines.iter().map(|machine| machine.node.as_deref().map(Name::from)).collect();
        let heads = plan.boards.iter().zip(plan.rounds_of_boards());
        let heads = heads.map(|(board, round)| BoardHead { round, ..BoardHead::of(board, &plan.shown) });
        let shown = |board: &BoardHead| board.round <= scope.open && !scope.struck.contains_key(&board.name);
        let mut boards: Vec<BoardHead> = heads.filter(shown).collect();
        boards.sort_by_key(|board| board.round);
        let entries = plan.entries.iter().map(|entry| EntryHead {
            name: entry.name.clone(),
            author: entry.author.clone(),
            competing: entry.competing,
            withdrawn: scope.withdrawn.get(&entry.name).cloned(),
        });
        let rounds = plan.rounds.iter().zip(1..=scope.open).map(|(round, number)| RoundHead {
            number,
            name: Some(round.name.clone()),
            limit_ms: round.wall_ms,
        });
        let counts = |record: &&Record| {
            let RunKey { entry, board, .. } = &record.key;
            !scope.withdrawn.contains_key(&**entry) && !scope.struck.contains_key(&**board)
        };
        let isolation: HashSet<&Isolation> = records.iter().filter(counts).map(|record| &*record.isolation).collect();
        let results = Self {
            contest: Some(plan.name.clone()),
            game: Some(plan.game.clone()),
            limit_ms: Some(plan.limits.wall_ms),
            headings: Headings::of_game(&plan.game),
            judged_by: plan.judged_by(),
            scoring: plan.scoring.clone().map(Arc::new),
            crash_rejects: plan.referee.as_ref().is_some_and(|referee| referee.on_crash == OnCrash::Reject),
            ranking: plan.ranking.clone(),
            isolation: isolation.into_iter().map(Isolation::to_string).collect::<BTreeSet<_>>().into_iter().collect(),
            journal_hash: None,
            rounds: if plan.rounds.len() > 1 { rounds.collect() } else { Vec::new() },
            absent: Vec::new(),
            boards,
            rows: Vec::new(),
            faults: Vec::new(),
            unlike: None,
            remarks: Vec::new(),
        };
        let view = |record| Run {
            node: nodes.get(machine_of(record)).and_then(Option::as_ref),
            model: machines.get(machine_of(record)).and_then(model_of),
            ..Run::of(record)
        };
        results.with_runs(entries.collect(), records, &scope.took_part, view)
    }

    /// Reads a results directory, a CSV file of runs, or a CSV file with one row per entry.
    pub fn read(path: &Path) -> Result<Self, ResultsError> {
        if path.is_dir() {
            return Ok(Self::of_journal(&journal::read(path)?));
        }
        let file = regular::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ResultsError::Missing(path.to_owned()),
            _ => ResultsError::Io { path: path.to_owned(), error },
        })?;
        Self::read_csv(&path.display().to_string(), file)
    }

    /// Reads CSV of either form; `file` is the name for errors.
    pub fn read_csv(file: &str, csv: impl Read) -> Result<Self, ResultsError> {
        let refuse = |reason: String| ResultsError::Csv { file: file.to_owned(), reason };
        let mut reader = csv::Reader::from_reader(regular::capped(csv, MOST_BYTES));
        let headers = reader.headers().map_err(|error| refuse(csv_reason(&error)))?.clone();
        let has = |name: &str| headers.iter().any(|header| header == name);
        // Boards may be called `board` and `verdict`, but no file of runs has a total.
        let mut results = if has("entry") && has("board") && has("verdict") && !has("total_ms") {
            runs_csv::read(&mut reader).map_err(refuse)?
        } else if has("entry") && (has("moves") || has("total_ms")) {
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

    /// The results of some entries on some boards, ranked again. Totals are those of the cells, so a figure that a table
    /// contains only for all boards together becomes unknown.
    pub fn only(mut self, boards: Option<&[String]>, entries: Option<&[String]>) -> Result<Self, ResultsError> {
        if let Some(wanted) = boards {
            let columns: Vec<(usize, BoardHead)> = self.boards.drain(..).enumerate().collect();
            let all = columns.len();
            let kept = select(columns, wanted, |(_, board)| &board.name, "board").map_err(ResultsError::Selection)?;
            for row in &mut self.rows {
                row.cells = kept.iter().map(|(column, _)| row.cells[*column].clone()).collect();
                if !row.repeats.is_empty() {
                    row.repeats = kept.iter().map(|(column, _)| std::mem::take(&mut row.repeats[*column])).collect();
                }
                if kept.len() != all {
                    row.total = total(row.cells.iter());
                    row.total.points = row.points(row.cells.iter());
                }
            }
            self.boards = kept.into_iter().map(|(_, board)| board).collect();
            let names: HashSet<&str> = self.boards.iter().map(|board| board.name.as_str()).collect();
            self.faults.retain(|fault| names.contains(&*fault.board));
            self.remarks.retain(|remark| names.contains(&*remark.board));
            // Who took no part in the rounds of these boards has no result on them.
            self.rows.retain(|row| row.cells.is_empty() || row.cells.iter().any(|cell| !cell.not_planned));
        }
        if let Some(wanted) = entries {
            self.rows = select(self.rows, wanted, |row| &row.entry.name, "entry").map_err(ResultsError::Selection)?;
            let names: HashSet<&str> = self.rows.iter().map(|row| row.entry.name.as_str()).collect();
            self.faults.retain(|fault| names.contains(&*fault.entry));
            self.remarks.retain(|remark| names.contains(&*remark.entry));
        }
        ranking::rank(&mut self.rows, &self.ranking);
        Ok(self)
    }

    /// The names of the figures that the referee counts: without moves, accepted answers are the progress.
    pub fn counted_headings(&self) -> Headings {
        let progress = if self.judged_by == JudgedBy::Acceptance { SOLVED } else { "" };
        let none = Headings { progress: progress.into(), moves: String::new(), tie_break: String::new() };
        if self.counts_moves() { self.headings.clone() } else { none }
    }

    /// Tests whether the referee counts progress or moves, besides points or acceptance.
    pub fn counts_moves(&self) -> bool {
        let cells = || self.rows.iter().flat_map(|row| &row.cells);
        let counted = |cell: &Cell| {
            let figures = [cell.metrics.moves, cell.metrics.tie_break];
            cell.of.is_some_and(|of| of > 1) || figures.into_iter().flatten().any(|figure| figure > 0)
        };
        self.judged_by == JudgedBy::Progress || cells().any(counted)
    }

    /// Tests whether every entry that is not withdrawn was judged on every board.
    pub fn complete(&self) -> bool {
        self.rows.iter().all(|row| row.entry.withdrawn.is_some() || row.complete())
    }

    /// Fills the rows from runs and ranks them. A run of an unknown or withdrawn entry, or on an unknown board, is left
    /// out; of two for the same cell the later one counts. `took_part` has the entries of each round after the first.
    fn with_runs<'r, T>(
        mut self,
        entries: Vec<EntryHead>,
        runs: &'r [T],
        took_part: &BTreeMap<u32, HashSet<String>>,
        view: impl Fn(&'r T) -> Run<'r>,
    ) -> Self {
        let name = |name: &String| Name::from(name.as_str());
        let entry_names: Vec<Name> = entries.iter().map(|entry| name(&entry.name)).collect();
        let board_names: Vec<Name> = self.boards.iter().map(|board| name(&board.name)).collect();
        let index = |names: &[Name]| names.iter().cloned().zip(0..).collect::<HashMap<Name, usize>>();
        let (rows, columns) = (index(&entry_names), index(&board_names));
        let width = self.boards.len();
        let mut grid: Vec<Option<usize>> = vec![None; entries.len() * width];
        // Further repeats by place in the grid: whoever made a file decides how many there are, so there is no grid of them.
        let mut repeats: HashMap<usize, BTreeMap<u32, usize>> = HashMap::new();
        for (index, run) in runs.iter().enumerate() {
            let run = view(run);
            if let Some((row, column)) = rows.get(run.entry).zip(columns.get(run.board)) {
                let place = row * width + column;
                match run.repeat {
                    1 => grid[place] = Some(index),
                    repeat => drop(repeats.entry(place).or_default().insert(repeat, index)),
                }
            }
        }
        for (row, entry) in entries.into_iter().enumerate() {
            let mut cells = Vec::with_capacity(width);
            let mut further = if repeats.is_empty() { Vec::new() } else { vec![Vec::new(); width] };
            for column in 0..width {
                let place = row * width + column;
                let round = self.boards[column].round;
                let group = self.boards[column].group.clone();
                let scoring = self.scoring.as_deref();
                let judged_by = scoring.map_or(self.judged_by, |scoring| scoring.shown_in(group.as_deref()));
                let place_in_rounds = |cell| Cell {
                    judged_by,
                    earlier_rounds: round.saturating_sub(1),
                    not_planned: round > 1 && !took_part.get(&round).is_some_and(|names| names.contains(&entry.name)),
                    ..cell
                };
                if entry.withdrawn.is_some() {
                    cells.push(place_in_rounds(Cell::missing()));
                    continue;
                }
                let mut cell = |index: usize| {
                    let run = view(&runs[index]);
                    let names = || (entry_names[row].clone(), board_names[column].clone());
                    self.remarks.push(run.remark(names()));
                    self.faults.extend(run.fault(names()));
                    Cell { group: group.clone(), ..place_in_rounds(run.cell()) }
                };
                let first = grid[place].map(&mut cell);
                cells.push(first.unwrap_or_else(|| place_in_rounds(Cell::missing())));
                if let Some(repeats) = repeats.get(&place) {
                    further[column] = repeats.values().map(|&index| cell(index)).collect();
                }
            }
            self.rows.push(Row { repeats: further, ..Row::new(entry, cells, self.scoring.clone()) });
        }
        ranking::rank(&mut self.rows, &self.ranking);
        let shown =
            |run: &Run<'_>| rows.contains_key(run.entry) && columns.contains_key(run.board) && run.wall_us.is_some();
        let made = runs.iter().map(&view).filter(shown);
        self.unlike = Unlike::of(made.filter_map(|run| Some((run.board, run.model?))));
        self
    }
}

/// The index of the machine that made a run.
fn machine_of(record: &Record) -> usize {
    record.machine as usize
}

/// The model of a machine's processor, or its architecture.
fn model_of(machine: &Machine) -> Option<&str> {
    machine.model.as_deref().or(Some(&*machine.arch)).filter(|model| !model.is_empty())
}

/// The name of a run in texts, such as "twobits on FOXY" or "twobits on FOXY (repeat 2)", printable.
pub fn run_name(entry: &str, board: &str, repeat: u32) -> String {
    let name = format!("{} on {}", printable(entry), printable(board));
    if repeat > 1 { format!("{name} (repeat {repeat})") } else { name }
}

/// What a table covers.
struct Scope<'a> {
    /// The open round, from 1.
    open: u32,
    withdrawn: &'a BTreeMap<String, Withdrawal>,
    struck: &'a BTreeMap<String, String>,
    /// The entries of each round after the first.
    took_part: BTreeMap<u32, HashSet<String>>,
}

/// The part of a run that a table shows.
struct Run<'a> {
    entry: &'a str,
    board: &'a str,
    repeat: u32,
    verdict: &'a Verdict,
    wall_us: Option<u64>,
    limit_ms: u64,
    final_board: Option<&'a str>,
    attempt: u32,
    usage: Usage,
    node: Option<&'a Name>,
    model: Option<&'a str>,
    suspect: Option<&'a str>,
    notes: &'a [String],
    ruling: Option<&'a str>,
}

impl<'a> Run<'a> {
    fn of(record: &'a Record) -> Self {
        Self {
            entry: &record.key.entry,
            board: &record.key.board,
            repeat: record.key.repeat,
            verdict: &record.verdict,
            wall_us: record.wall_us,
            limit_ms: record.limit_ms,
            final_board: record.final_board.as_deref(),
            attempt: record.attempt,
            usage: record.usage,
            node: None,
            model: None,
            suspect: record.suspect.as_deref(),
            notes: &record.notes,
            ruling: record.ruling.as_deref(),
        }
    }

    fn cell(&self) -> Cell {
        let (suspect, ruled) = (self.suspect.is_some(), self.ruling.is_some());
        Cell { suspect, ruled, ..Cell::of(self.verdict, self.wall_us, self.limit_ms) }
    }

    fn remark(&self, (entry, board): (Name, Name)) -> Remark {
        Remark {
            entry,
            board,
            repeat: self.repeat,
            attempt: self.attempt,
            usage: self.usage,
            node: self.node.cloned(),
            suspect: self.suspect.map(str::to_owned),
            ruling: self.ruling.map(str::to_owned),
            notes: self.notes.to_vec(),
        }
    }

    fn fault(&self, (entry, board): (Name, Name)) -> Option<Fault> {
        let reason = self.verdict.fault()?;
        let by_judge = matches!(self.verdict, Verdict::JudgeError { .. });
        Some(Fault {
            entry,
            board,
            repeat: self.repeat,
            code: self.verdict.code(),
            reason,
            by_judge,
            final_board: self.final_board.map(str::to_owned),
        })
    }
}

impl Headings {
    /// The names of a game's figures; general words for an unknown game.
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

/// Refuses a table with more cells than can be shown; the error is a fragment.
fn check_size(rows: usize, columns: usize) -> Result<(), String> {
    if rows.saturating_mul(columns) <= MOST_CELLS {
        return Ok(());
    }
    Err(format!("{rows} entries on {columns} boards are more than a table can show"))
}

/// A CSV error as a fragment with its line.
fn csv_reason(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line}: {len} columns, but the header has {expected_len}")
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
