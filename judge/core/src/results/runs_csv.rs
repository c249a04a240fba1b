//! One CSV row a run: what `run` leaves as `results.csv`, with everything that ranking it again needs.

use std::collections::{HashMap, HashSet};
use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use super::{BoardHead, Headings, Results, Run, csv_reason, parse_yes_or_no, yes_or_no};
use crate::game::{IllegalMove, Score};
use crate::journal::{Record, RunKey};
use crate::plan::{Plan, RankKey};
use crate::score::EntryHead;
use crate::verdict::{Exit, Verdict};
use judge_job::{MeasuredBy, Usage};

/// Cells of the largest table.
const MOST_CELLS: usize = 2_000_000;

/// The columns. Everything but entry, board and verdict may be missing from a file made elsewhere.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct RunRow {
    contest: Option<String>,
    game: Option<String>,
    round: Option<u32>,
    entry: String,
    author: Option<String>,
    competing: Option<String>,
    board: String,
    reconstruction: Option<String>,
    verdict: String,
    progress: Option<u64>,
    of: Option<u64>,
    moves: Option<u64>,
    tie_break: Option<u64>,
    wall_us: Option<u64>,
    limit_ms: Option<u64>,
    cpu_us: Option<u64>,
    cpu_by: Option<String>,
    memory_bytes: Option<u64>,
    memory_by: Option<String>,
    attempt: Option<u32>,
    suspect: Option<String>,
    cpu_pressure_us: Option<u64>,
    memory_pressure_us: Option<u64>,
    involuntary_switches: Option<u64>,
    taken_us: Option<u64>,
    exit_code: Option<i32>,
    signal: Option<i32>,
    failed_at: Option<u64>,
    token: Option<String>,
    reason: Option<String>,
    final_board: Option<String>,
    stdout_bytes: Option<u64>,
    stderr_bytes: Option<u64>,
    isolation: Option<String>,
    notes: Option<String>,
    seq: Option<usize>,
}

/// Writes a row for every record, entry by entry in the order of the contest file.
pub fn write(plan: &Plan, records: &[Record], out: impl Write) -> csv::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let runs: HashMap<(&str, &str), &Record> =
        records.iter().map(|run| ((run.key.entry.as_str(), run.key.board.as_str()), run)).collect();
    for entry in &plan.entries {
        for board in &plan.boards {
            if let Some(run) = runs.get(&(entry.name.as_str(), board.name.as_str())) {
                let row = RunRow {
                    contest: Some(plan.name.clone()),
                    game: Some(plan.game.clone()),
                    author: entry.author.clone(),
                    competing: Some(yes_or_no(entry.competing).into()),
                    reconstruction: Some(yes_or_no(board.reconstruction).into()),
                    ..RunRow::of(run)
                };
                writer.serialize(row)?;
            }
        }
    }
    writer.flush()?;
    Ok(())
}

/// Reads rows; entries and boards stand in the order in which they first appear. The error names the line.
pub(super) fn read(reader: &mut csv::Reader<impl Read>) -> Result<Results, String> {
    let mut results = Results {
        contest: None,
        game: None,
        limit_ms: None,
        isolation: Vec::new(),
        headings: Headings::of_game(""),
        ranking: RankKey::DEFAULT_ORDER.into(),
        boards: Vec::new(),
        rows: Vec::new(),
        faults: Vec::new(),
        remarks: Vec::new(),
    };
    let mut entries: Vec<EntryHead> = Vec::new();
    let mut runs: Vec<Run> = Vec::new();
    let mut seen: HashSet<RunKey> = HashSet::new();
    let headers = reader.headers().map_err(|error| csv_reason(&error))?.clone();
    for row in reader.records() {
        let row = row.map_err(|error| csv_reason(&error))?;
        let line = row.position().map_or(0, csv::Position::line);
        let row: RunRow =
            row.deserialize(Some(&headers)).map_err(|error| format!("line {line}: {}", bad_field(&error, &headers)))?;
        let at_line = |reason: String| format!("line {line}: {reason}");
        let run = row.run().map_err(at_line)?;
        if !seen.insert(run.key.clone()) {
            return Err(at_line(format!("{} on {} stands a second time", run.key.entry, run.key.board)));
        }
        if !entries.iter().any(|entry| entry.name == row.entry) {
            let competing = parse_yes_or_no(row.competing.as_deref().unwrap_or("yes"))
                .map_err(|reason| at_line(format!("competing: {reason}")))?;
            entries.push(EntryHead { name: row.entry, author: row.author, competing });
        }
        if !results.boards.iter().any(|board| board.name == row.board) {
            let reconstruction = parse_yes_or_no(row.reconstruction.as_deref().unwrap_or("no"))
                .map_err(|reason| at_line(format!("reconstruction: {reason}")))?;
            results.boards.push(BoardHead { name: row.board, reconstruction, note: None, text: None, known: None });
        }
        if let Some(game) = &row.game {
            results.headings = Headings::of_game(game);
        }
        results.contest = row.contest.or(results.contest);
        results.game = row.game.or(results.game);
        results.limit_ms = row.limit_ms.or(results.limit_ms);
        runs.push(run);
    }
    // A file in which no two runs share anything would ask for a table far larger than itself.
    if entries.len().saturating_mul(results.boards.len()) > MOST_CELLS {
        let (entries, boards) = (entries.len(), results.boards.len());
        return Err(format!("{entries} entries on {boards} boards are more than a table can show"));
    }
    Ok(results.with_runs(entries, runs))
}

impl RunRow {
    fn of(run: &Record) -> Self {
        let score = run.verdict.score();
        let contention = run.contention.unwrap_or_default();
        let mut row = Self {
            round: Some(run.key.round),
            entry: run.key.entry.clone(),
            board: run.key.board.clone(),
            verdict: run.verdict.name().into(),
            progress: score.map(|score| score.progress),
            of: score.map(|score| score.of),
            moves: score.map(|score| score.moves),
            tie_break: score.map(|score| score.tie_break),
            wall_us: run.wall_us,
            limit_ms: Some(run.limit_ms),
            stdout_bytes: Some(run.stdout_bytes),
            stderr_bytes: Some(run.stderr_bytes),
            cpu_us: run.usage.cpu_us,
            cpu_by: run.usage.cpu_by.map(|by| by.name().into()),
            memory_bytes: run.usage.memory_bytes,
            memory_by: run.usage.memory_by.map(|by| by.name().into()),
            attempt: Some(run.attempt),
            suspect: run.suspect.clone(),
            cpu_pressure_us: contention.cpu_pressure_us,
            memory_pressure_us: contention.memory_pressure_us,
            involuntary_switches: contention.involuntary_switches,
            taken_us: contention.taken_us,
            isolation: Some(run.isolation.to_string()),
            final_board: run.final_board.clone(),
            notes: (!run.notes.is_empty()).then(|| run.notes.join("; ")),
            seq: Some(run.seq),
            ..Self::default()
        };
        match &run.verdict {
            Verdict::Crashed { exit: Exit::Code(code) } => row.exit_code = Some(*code),
            Verdict::Crashed { exit: Exit::Signal(signal) } => row.signal = Some(*signal),
            Verdict::IllegalMove { illegal, .. } => {
                row.failed_at = Some(illegal.index);
                row.token = Some(illegal.token.clone());
                row.reason = Some(illegal.reason.clone());
            }
            Verdict::CouldNotStart { reason } | Verdict::JudgeError { reason } => row.reason = Some(reason.clone()),
            Verdict::Solved(_)
            | Verdict::Unsolved(_)
            | Verdict::TimedOut
            | Verdict::OutOfCpu
            | Verdict::OutOfMemory
            | Verdict::TooManyProcesses
            | Verdict::ScratchFull
            | Verdict::TooMuchOutput => {}
        }
        row
    }

    fn run(&self) -> Result<Run, String> {
        Ok(Run {
            key: RunKey { round: self.round.unwrap_or(1), entry: self.entry.clone(), board: self.board.clone() },
            verdict: self.verdict()?,
            wall_us: self.wall_us,
            limit_ms: needed("limit_ms", self.limit_ms)?,
            isolation: self.isolation.clone(),
            final_board: self.final_board.clone(),
            attempt: self.attempt.unwrap_or(1),
            usage: Usage {
                cpu_us: self.cpu_us,
                cpu_by: counted("cpu_by", self.cpu_by.as_deref())?,
                memory_bytes: self.memory_bytes,
                memory_by: counted("memory_by", self.memory_by.as_deref())?,
            },
            suspect: self.suspect.clone(),
            notes: self.notes.iter().cloned().collect(),
        })
    }

    fn verdict(&self) -> Result<Verdict, String> {
        let score = || {
            Ok::<_, String>(Score {
                progress: needed("progress", self.progress)?,
                of: needed("of", self.of)?,
                moves: needed("moves", self.moves)?,
                tie_break: needed("tie_break", self.tie_break)?,
            })
        };
        let reason = || self.reason.clone().unwrap_or_default();
        Ok(match self.verdict.as_str() {
            "solved" => Verdict::Solved(score()?),
            "unsolved" => Verdict::Unsolved(score()?),
            "illegal_move" => Verdict::IllegalMove {
                score: score()?,
                illegal: IllegalMove {
                    index: needed("failed_at", self.failed_at)?,
                    token: self.token.clone().unwrap_or_default(),
                    reason: reason(),
                },
            },
            "timed_out" => Verdict::TimedOut,
            "out_of_cpu" => Verdict::OutOfCpu,
            "out_of_memory" => Verdict::OutOfMemory,
            "too_many_processes" => Verdict::TooManyProcesses,
            "scratch_full" => Verdict::ScratchFull,
            "too_much_output" => Verdict::TooMuchOutput,
            "crashed" => Verdict::Crashed {
                exit: match (self.exit_code, self.signal) {
                    (Some(code), _) => Exit::Code(code),
                    (None, Some(signal)) => Exit::Signal(signal),
                    (None, None) => return Err("crashed needs an exit_code or a signal".into()),
                },
            },
            "could_not_start" => Verdict::CouldNotStart { reason: reason() },
            "judge_error" => Verdict::JudgeError { reason: reason() },
            unknown => return Err(format!("unknown verdict `{unknown}`")),
        })
    }
}

/// What is wrong with a field, and in which column.
fn bad_field(error: &csv::Error, headers: &csv::StringRecord) -> String {
    let csv::ErrorKind::Deserialize { err, .. } = error.kind() else { return error.to_string() };
    let column = err.field().and_then(|field| headers.get(usize::try_from(field).ok()?));
    column.map_or_else(|| err.kind().to_string(), |column| format!("column {column}: {}", err.kind()))
}

fn counted(column: &str, name: Option<&str>) -> Result<Option<MeasuredBy>, String> {
    let counted =
        |name| MeasuredBy::named(name).ok_or_else(|| format!("column {column}: `{name}` is no way of counting"));
    name.map(counted).transpose()
}

fn needed<T: Copy>(column: &str, value: Option<T>) -> Result<T, String> {
    value.ok_or_else(|| format!("column {column} is empty; this verdict needs it"))
}
