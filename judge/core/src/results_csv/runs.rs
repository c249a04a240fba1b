//! One CSV row per run: the `results.csv` of `judge run`, with everything that ranking it again needs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::{Read, Write};
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::spreadsheet::Text;
use super::{MAX_ROUNDS, check_size, csv_reason, parse_yes_or_no, yes_or_no};
use crate::code::Code;
use crate::game::{IllegalMove, Score};
use crate::journal::{Contents, Facts, Record};
use crate::judged_by::JudgedBy;
use crate::key::{Name, RunKey};
use crate::plan::RankKey;
use crate::points::Points;
use crate::results::{BoardHead, Headings, Results, RoundHead, Run, machine_of, model_of, run_name};
use crate::score::EntryHead;
use crate::verdict::{Exit, Verdict};
use crate::withdrawal::Withdrawal;
use judge_job::{Bytes, Count, Figure, FigureError, MeasuredBy, Micros, Millis, Usage};

/// The columns. Everything but entry, board and verdict may be missing from a file made elsewhere.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct RunRow<'a> {
    #[serde(borrow)]
    contest: Option<Text<'a>>,
    #[serde(borrow)]
    game: Option<Text<'a>>,
    round: Option<u32>,
    #[serde(borrow)]
    entry: Text<'a>,
    #[serde(borrow)]
    author: Option<Text<'a>>,
    #[serde(borrow)]
    competing: Option<Text<'a>>,
    #[serde(borrow)]
    board: Text<'a>,
    #[serde(borrow)]
    reconstruction: Option<Text<'a>>,
    repeat: Option<u32>,
    #[serde(borrow)]
    verdict: Text<'a>,
    #[serde(deserialize_with = "Count::optional")]
    progress: Option<u64>,
    #[serde(deserialize_with = "Count::optional")]
    of: Option<u64>,
    #[serde(deserialize_with = "Count::optional")]
    moves: Option<u64>,
    #[serde(deserialize_with = "Count::optional")]
    tie_break: Option<u64>,
    score: Option<Points>,
    #[serde(deserialize_with = "Micros::optional")]
    wall_us: Option<u64>,
    #[serde(deserialize_with = "Millis::optional")]
    limit_ms: Option<u64>,
    #[serde(deserialize_with = "Micros::optional")]
    cpu_us: Option<u64>,
    #[serde(borrow)]
    cpu_by: Option<Text<'a>>,
    #[serde(deserialize_with = "Bytes::optional")]
    memory_bytes: Option<u64>,
    #[serde(borrow)]
    memory_by: Option<Text<'a>>,
    attempt: Option<u32>,
    #[serde(borrow)]
    suspect: Option<Text<'a>>,
    #[serde(deserialize_with = "Micros::optional")]
    cpu_pressure_us: Option<u64>,
    #[serde(deserialize_with = "Micros::optional")]
    memory_pressure_us: Option<u64>,
    #[serde(deserialize_with = "Count::optional")]
    involuntary_switches: Option<u64>,
    #[serde(deserialize_with = "Micros::optional")]
    taken_us: Option<u64>,
    exit_code: Option<i32>,
    signal: Option<i32>,
    #[serde(deserialize_with = "Count::optional")]
    failed_at: Option<u64>,
    #[serde(borrow)]
    token: Option<Text<'a>>,
    #[serde(borrow)]
    reason: Option<Text<'a>>,
    #[serde(borrow)]
    final_board: Option<Text<'a>>,
    #[serde(deserialize_with = "Bytes::optional")]
    stdout_bytes: Option<u64>,
    #[serde(deserialize_with = "Bytes::optional")]
    stderr_bytes: Option<u64>,
    #[serde(borrow)]
    isolation: Option<Text<'a>>,
    #[serde(borrow)]
    notes: Option<Text<'a>>,
    seq: Option<usize>,
    /// The reason of the ruling by hand that set the verdict.
    #[serde(borrow)]
    ruling: Option<Text<'a>>,
    /// The reason why the entry was withdrawn.
    #[serde(borrow)]
    withdrawn: Option<Text<'a>>,
    /// The reason why it was disqualified.
    #[serde(borrow)]
    disqualified: Option<Text<'a>>,
    /// The reason why the board was struck.
    #[serde(borrow)]
    struck: Option<Text<'a>>,
    #[serde(borrow)]
    round_name: Option<Text<'a>>,
    /// When the run was finished, in UTC.
    #[serde(borrow)]
    date: Option<Text<'a>>,
    /// The group that the board's points belong to.
    #[serde(borrow)]
    group: Option<Text<'a>>,
    /// The way to sum points, as JSON.
    #[serde(borrow)]
    scoring: Option<Text<'a>>,
    /// The node of a cluster that made it, and the model of its processor or of that of the judge's machine.
    #[serde(borrow)]
    node: Option<Text<'a>>,
    #[serde(borrow)]
    model: Option<Text<'a>>,
    /// The measure of answers, if it is neither progress nor points.
    #[serde(borrow)]
    judged_by: Option<Text<'a>>,
    /// Who ruled by hand.
    #[serde(borrow)]
    ruled_by: Option<Text<'a>>,
    /// The hash of the referee that ruled, if it is a program.
    #[serde(borrow)]
    referee: Option<Text<'a>>,
    /// The figures that decide places, most important first.
    #[serde(borrow)]
    ranking: Option<Text<'a>>,
}

/// The verdict of a run that is planned and not made.
pub const MISSING: &str = "missing";

/// Writes a row for every run that is planned, entry by entry in the order of the contest file. One without a record is
/// [`MISSING`]: a table made of the rows has the entries, boards and rounds that the contest has.
pub fn write(contents: &Contents, out: impl Write) -> csv::Result<()> {
    let Facts { plan, withdrawn, struck, machines, .. } = &**contents;
    let mut writer = csv::Writer::from_writer(out);
    let entries: HashMap<&str, usize> = plan.entries.iter().map(|entry| &*entry.name).zip(0..).collect();
    let boards: HashMap<&str, usize> = plan.boards.iter().map(|board| &*board.name).zip(0..).collect();
    let runs = contents
        .order
        .iter()
        .enumerate()
        .map(|(index, key)| (entries[&*key.entry], boards[&*key.board], key, contents.records.of_run(index)));
    let mut runs: Vec<(usize, usize, &RunKey, Option<&Record>)> = runs.collect();
    let ranking = RankKey::listed(&plan.ranking);
    let scoring =
        plan.scoring.as_ref().map(|scoring| serde_json::to_string(scoring).expect("plain data has a JSON form"));
    runs.sort_by_key(|&(entry, board, key, _)| (entry, board, key.round, key.repeat));
    let out = |entry: &String, disqualified: bool| {
        let withdrawal = withdrawn.get(entry).filter(|withdrawal| withdrawal.disqualified == disqualified);
        withdrawal.map(|withdrawal| Text::from(withdrawal.reason.as_str()))
    };
    for (entry, board, key, run) in runs {
        let (entry, board) = (&plan.entries[entry], &plan.boards[board]);
        let machine = run.filter(|run| run.wall_us.is_some()).and_then(|run| machines.get(machine_of(run)));
        let row = RunRow {
            node: machine.and_then(|machine| machine.node.as_deref()).map(Text::from),
            model: machine.and_then(model_of).map(Text::from),
            contest: Some(plan.name.as_str().into()),
            game: Some(plan.game.as_str().into()),
            author: entry.author.as_deref().map(Text::from),
            competing: Some(yes_or_no(entry.competing).into()),
            reconstruction: Some(yes_or_no(board.reconstruction).into()),
            withdrawn: out(&entry.name, false),
            disqualified: out(&entry.name, true),
            struck: struck.get(&board.name).map(|why| why.as_str().into()),
            round_name: plan.round_plan(key.round).map(|round| round.name.as_str().into()),
            date: run.and_then(|run| run.at).map(|at| at.to_string().into()),
            ranking: Some(ranking.as_str().into()),
            group: board.group.as_deref().map(Text::from),
            scoring: scoring.as_deref().map(Text::from),
            ..run.map_or_else(|| RunRow::missing(key), RunRow::of)
        };
        let row = if plan.judged_by() == JudgedBy::Acceptance { row.accepted_or_not() } else { row };
        writer.serialize(row)?;
    }
    writer.flush()?;
    Ok(())
}

/// Reads rows; entries and boards are in the order in which they first appear. The error names the line.
pub(super) fn read(reader: &mut csv::Reader<impl Read>) -> Result<Results, String> {
    let mut results = Results {
        contest: None,
        game: None,
        limit_ms: None,
        isolation: Vec::new(),
        journal_hash: None,
        begun: None,
        headings: Headings::from_game(""),
        judged_by: JudgedBy::Progress,
        scoring: None,
        crash_rejects: false,
        ranking: RankKey::DEFAULT_ORDER.into(),
        rounds: Vec::new(),
        absent: Vec::new(),
        upcoming: None,
        boards: Vec::new(),
        rows: Vec::new(),
        faults: Vec::new(),
        unlike: None,
        remarks: Vec::new(),
    };
    let mut entries: Vec<EntryHead> = Vec::new();
    let (mut entry_names, mut board_names): (HashMap<String, usize>, HashMap<String, usize>) = Default::default();
    let mut isolation: BTreeSet<String> = BTreeSet::new();
    let mut runs: Vec<ReadRun> = Vec::new();
    let mut seen: HashSet<(u32, usize, usize, u32)> = HashSet::new();
    let mut took_part: BTreeMap<u32, HashSet<String>> = BTreeMap::new();
    let mut round_names: BTreeMap<u32, String> = BTreeMap::new();
    let mut ranking: Option<Vec<RankKey>> = None;
    let headers = reader.headers().map_err(|error| csv_reason(&error))?.clone();
    for record in reader.records() {
        let record = record.map_err(|error| csv_reason(&error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let at_line = |reason: String| format!("line {line}: {reason}");
        let row: RunRow<'_> =
            record.deserialize(Some(&headers)).map_err(|error| at_line(bad_field(&error, &headers, &record)))?;
        let run = row.run().map_err(at_line)?;
        let next = entry_names.len();
        let entry = *entry_names.entry(row.entry.to_string()).or_insert(next);
        if entry == next {
            let competing = parse_yes_or_no(row.competing.as_deref().unwrap_or("yes"))
                .map_err(|reason| at_line(format!("competing: {reason}")))?;
            let author = row.author.as_deref().map(str::to_owned);
            let withdrawn = Withdrawal::of(row.withdrawn.as_deref(), row.disqualified.as_deref());
            entries.push(EntryHead { name: row.entry.to_string(), author, competing, withdrawn });
        }
        let round = row.round.unwrap_or(1);
        if !(1..=MAX_ROUNDS).contains(&round) {
            return Err(at_line(format!("round {round} is not one of 1 to {MAX_ROUNDS}")));
        }
        if let Some(why) = row.struck.as_deref() {
            // Its runs do not count; the reader learns why.
            let sentence = format!("board {} is struck and does not count: {why}", row.board);
            if !results.absent.contains(&sentence) {
                results.absent.push(sentence);
            }
            continue;
        }
        let next = board_names.len();
        let board = *board_names.entry(row.board.to_string()).or_insert(next);
        if board == next {
            let reconstruction = parse_yes_or_no(row.reconstruction.as_deref().unwrap_or("no"))
                .map_err(|reason| at_line(format!("reconstruction: {reason}")))?;
            let name = row.board.to_string();
            let group = row.group.as_deref().map(Name::from);
            results.boards.push(BoardHead {
                name,
                reconstruction,
                note: None,
                text: None,
                known: None,
                best: None,
                round,
                group,
            });
        }
        if results.boards[board].round != round {
            let first = results.boards[board].round;
            return Err(at_line(format!("board {} is in round {round}, but was in round {first} before", row.board)));
        }
        took_part.entry(round).or_default().insert(row.entry.to_string());
        if let Some(name) = row.round_name.as_deref() {
            round_names.insert(round, name.to_owned());
        }
        let repeat = row.repeat.unwrap_or(1);
        if !seen.insert((round, entry, board, repeat)) {
            let name = run_name(&row.entry, &row.board, repeat);
            return Err(at_line(format!("duplicate run of {name}")));
        }
        if let Some(kind) = row.isolation.as_deref().filter(|kind| !isolation.contains(*kind)) {
            isolation.insert(kind.to_owned());
        }
        let changed = |old: &Option<String>, new: &Option<Text<'_>>| new.is_some() && old.as_deref() != new.as_deref();
        if changed(&results.game, &row.game) {
            results.game = row.game.as_deref().map(str::to_owned);
            results.headings = Headings::from_game(results.game.as_deref().unwrap_or_default());
        }
        if let Some(json) = row.scoring.as_deref().filter(|_| results.scoring.is_none()) {
            let scoring = serde_json::from_str(json).map_err(|error| at_line(format!("scoring: {error}")))?;
            results.scoring = Some(Arc::new(scoring));
            results.judged_by = JudgedBy::Score;
        }
        if row.judged_by().map_err(at_line)? == JudgedBy::Acceptance && results.scoring.is_none() {
            results.judged_by = JudgedBy::Acceptance;
        }
        if changed(&results.contest, &row.contest) {
            results.contest = row.contest.as_deref().map(str::to_owned);
        }
        results.limit_ms = row.limit_ms.or(results.limit_ms);
        // A file in which no two runs share anything would ask for a table far larger than itself.
        check_size(entries.len(), results.boards.len())?;
        if ranking.is_none() {
            let read = row.ranking.as_deref().map(RankKey::read_list).transpose();
            ranking = read.map_err(|reason| at_line(format!("column ranking: {reason}")))?;
        }
        runs.extend(run);
    }
    results.ranking = ranking.filter(|order| !order.is_empty()).unwrap_or_else(|| RankKey::usual(results.judged_by));
    results.isolation = isolation.into_iter().collect();
    results.boards.sort_by_key(|board| board.round);
    results.rounds = RoundHead::numbered(took_part.keys().copied().max().unwrap_or(1));
    for round in &mut results.rounds {
        round.name = round_names.remove(&round.number);
    }
    Ok(results.with_runs(entries, &runs, &took_part, ReadRun::view))
}

/// A run as it was read.
struct ReadRun {
    entry: String,
    board: String,
    repeat: u32,
    verdict: Verdict,
    wall_us: Option<u64>,
    limit_ms: u64,
    final_board: Option<String>,
    attempt: u32,
    usage: Usage,
    node: Option<Name>,
    model: Option<String>,
    suspect: Option<String>,
    notes: Vec<String>,
    ruling: Option<String>,
    ruled_by: Option<String>,
    referee: Option<Name>,
}

impl ReadRun {
    fn view(&self) -> Run<'_> {
        Run {
            entry: &self.entry,
            board: &self.board,
            repeat: self.repeat,
            verdict: &self.verdict,
            wall_us: self.wall_us,
            limit_ms: self.limit_ms,
            final_board: self.final_board.as_deref(),
            attempt: self.attempt,
            usage: self.usage,
            node: self.node.as_ref(),
            model: self.model.as_deref(),
            suspect: self.suspect.as_deref(),
            notes: &self.notes,
            referee: self.referee.as_ref(),
            earlier: None,
            ruling: self.ruling.as_deref(),
            ruled_by: self.ruled_by.as_deref(),
        }
    }
}

impl<'a> RunRow<'a> {
    fn of(run: &'a Record) -> Self {
        let score = run.verdict.score();
        let contention = run.contention.unwrap_or_default();
        let mut row = Self {
            round: Some(run.key.round),
            entry: (&*run.key.entry).into(),
            board: (&*run.key.board).into(),
            repeat: Some(run.key.repeat),
            verdict: run.verdict.name().into(),
            progress: score.map(|score| score.progress),
            of: score.map(|score| score.of),
            moves: score.map(|score| score.moves),
            tie_break: score.map(|score| score.tie_break),
            score: score.and_then(|score| score.points),
            wall_us: run.wall_us,
            limit_ms: Some(run.limit_ms),
            stdout_bytes: Some(run.stdout_bytes),
            stderr_bytes: Some(run.stderr_bytes),
            cpu_us: run.usage.cpu_us,
            cpu_by: run.usage.cpu_by.map(|by| by.name().into()),
            memory_bytes: run.usage.memory_bytes,
            memory_by: run.usage.memory_by.map(|by| by.name().into()),
            attempt: Some(run.attempt),
            suspect: run.suspect.as_deref().map(Text::from),
            cpu_pressure_us: contention.cpu_pressure_us,
            memory_pressure_us: contention.memory_pressure_us,
            involuntary_switches: contention.involuntary_switches,
            taken_us: contention.taken_us,
            isolation: Some(run.isolation.to_string().into()),
            final_board: run.final_board.as_deref().map(Text::from),
            notes: (!run.notes.is_empty()).then(|| run.notes.join("; ").into()),
            seq: Some(run.seq),
            ruling: run.ruling.as_deref().map(Text::from),
            ruled_by: run.ruled_by.as_deref().map(Text::from),
            referee: Run::of(run).referee.map(|referee| Text::from(&**referee)),
            ..Self::default()
        };
        match &run.verdict {
            Verdict::Crashed { exit: Exit::Code(code) } => row.exit_code = Some(*code),
            Verdict::Crashed { exit: Exit::Signal(signal) } => row.signal = Some(*signal),
            Verdict::IllegalMove { illegal, .. } => {
                row.failed_at = Some(illegal.index);
                row.token = Some((&*illegal.token).into());
                row.reason = Some((&*illegal.reason).into());
            }
            Verdict::Wrong { reason, .. } | Verdict::CouldNotStart { reason } | Verdict::BuildFailed { reason } => {
                row.reason = Some(reason.as_str().into());
            }
            Verdict::JudgeError { reason } => row.reason = Some(reason.to_string().into()),
            Verdict::Solved(_)
            | Verdict::Unsolved(_)
            | Verdict::Valid(_)
            | Verdict::TimedOut
            | Verdict::OutOfCpu
            | Verdict::OutOfMemory
            | Verdict::TooManyProcesses
            | Verdict::ScratchFull
            | Verdict::TooMuchOutput => {}
        }
        row
    }

    fn missing(key: &'a RunKey) -> Self {
        Self {
            round: Some(key.round),
            entry: (&*key.entry).into(),
            board: (&*key.board).into(),
            repeat: Some(key.repeat),
            verdict: MISSING.into(),
            ..Self::default()
        }
    }

    /// The run; `None` if it is missing.
    fn run(&self) -> Result<Option<ReadRun>, String> {
        if &*self.verdict == MISSING {
            return Ok(None);
        }
        self.made().map(Some)
    }

    fn made(&self) -> Result<ReadRun, String> {
        let owned = |text: &Option<Text<'_>>| text.as_deref().map(str::to_owned);
        Ok(ReadRun {
            entry: self.entry.to_string(),
            board: self.board.to_string(),
            repeat: match self.repeat {
                Some(0) => return Err("column repeat: 0; repeats count from 1".into()),
                repeat => repeat.unwrap_or(1),
            },
            verdict: self.verdict()?,
            wall_us: self.wall_us,
            limit_ms: needed("limit_ms", self.limit_ms)?,
            final_board: owned(&self.final_board),
            attempt: self.attempt.unwrap_or(1),
            usage: Usage {
                cpu_us: self.cpu_us,
                cpu_by: counted("cpu_by", self.cpu_by.as_deref())?,
                memory_bytes: self.memory_bytes,
                memory_by: counted("memory_by", self.memory_by.as_deref())?,
            },
            node: self.node.as_deref().map(Name::from),
            model: owned(&self.model),
            suspect: owned(&self.suspect),
            notes: owned(&self.notes).into_iter().collect(),
            ruling: owned(&self.ruling),
            ruled_by: owned(&self.ruled_by),
            referee: self.referee.as_deref().map(Name::from),
        })
    }

    /// The measure of its answer.
    fn judged_by(&self) -> Result<JudgedBy, String> {
        let Some(name) = self.judged_by.as_deref() else { return Ok(JudgedBy::Progress) };
        JudgedBy::named(name).ok_or_else(|| {
            let known = JudgedBy::ALL.map(JudgedBy::name).join(", ");
            format!("column judged_by: unknown way `{name}`; available: {known}")
        })
    }

    /// The same without figures that such contests do not have.
    fn accepted_or_not(self) -> Self {
        let judged_by = Some(JudgedBy::Acceptance.name().into());
        Self { judged_by, progress: None, of: None, moves: None, tie_break: None, ..self }
    }

    fn verdict(&self) -> Result<Verdict, String> {
        let accepted_or_not = self.judged_by()? == JudgedBy::Acceptance;
        let score = || {
            if accepted_or_not && self.of.is_none() {
                let progress = u64::from(&*self.verdict == "solved");
                return Ok(Score { progress, of: 1, ..Score::default() });
            }
            Ok::<_, String>(Score {
                progress: needed("progress", self.progress)?,
                of: needed("of", self.of)?,
                moves: needed("moves", self.moves)?,
                tie_break: needed("tie_break", self.tie_break)?,
                points: self.score,
            })
        };
        let owned = |text: &Option<Text<'_>>| text.as_deref().unwrap_or_default().to_owned();
        let reason = || owned(&self.reason);
        let code = match &*self.verdict {
            "solved" => return Ok(Verdict::Solved(score()?)),
            "unsolved" => return Ok(Verdict::Unsolved(score()?)),
            "valid" => return Ok(Verdict::Valid(score()?)),
            name => Code::named(name).ok_or_else(|| format!("unknown verdict `{name}`"))?,
        };
        Ok(match code {
            Code::IllegalMove => Verdict::IllegalMove {
                score: score()?,
                illegal: IllegalMove {
                    index: needed("failed_at", self.failed_at)?,
                    token: owned(&self.token),
                    reason: reason(),
                },
            },
            Code::Wrong => Verdict::Wrong { score: score()?, reason: reason() },
            Code::TimedOut => Verdict::TimedOut,
            Code::OutOfCpu => Verdict::OutOfCpu,
            Code::OutOfMemory => Verdict::OutOfMemory,
            Code::TooManyProcesses => Verdict::TooManyProcesses,
            Code::ScratchFull => Verdict::ScratchFull,
            Code::TooMuchOutput => Verdict::TooMuchOutput,
            Code::Crashed => Verdict::Crashed {
                exit: match (self.exit_code, self.signal) {
                    (Some(code), _) => Exit::Code(code),
                    (None, Some(signal)) => Exit::Signal(signal),
                    (None, None) => return Err("crashed needs an exit_code or a signal".into()),
                },
            },
            Code::CouldNotStart => Verdict::CouldNotStart { reason: reason() },
            Code::BuildFailed => Verdict::BuildFailed { reason: reason() },
            Code::JudgeError => Verdict::JudgeError { reason: reason().into() },
        })
    }
}

/// The check of a cell with a figure.
type Check = fn(&str) -> Option<FigureError>;

/// The columns with figures, and the check of their cells.
const FIGURES: [(&str, Check); 18] = [
    ("round", fault::<Figure<{ u32::MAX as u64 }>>),
    ("repeat", fault::<Figure<{ u32::MAX as u64 }>>),
    ("attempt", fault::<Figure<{ u32::MAX as u64 }>>),
    ("progress", fault::<Count>),
    ("of", fault::<Count>),
    ("moves", fault::<Count>),
    ("tie_break", fault::<Count>),
    ("wall_us", fault::<Micros>),
    ("limit_ms", fault::<Millis>),
    ("cpu_us", fault::<Micros>),
    ("memory_bytes", fault::<Bytes>),
    ("cpu_pressure_us", fault::<Micros>),
    ("memory_pressure_us", fault::<Micros>),
    ("involuntary_switches", fault::<Count>),
    ("taken_us", fault::<Micros>),
    ("failed_at", fault::<Count>),
    ("stdout_bytes", fault::<Bytes>),
    ("stderr_bytes", fault::<Bytes>),
];

fn fault<F: FromStr<Err = FigureError>>(text: &str) -> Option<FigureError> {
    text.parse::<F>().err()
}

/// The fault of a field, with its column.
fn bad_field(error: &csv::Error, headers: &csv::StringRecord, record: &csv::StringRecord) -> String {
    // An error of a figure has no column.
    let cells = headers.iter().zip(record).filter(|(_, cell)| !cell.is_empty());
    let figures = cells.filter_map(|(column, cell)| Some((FIGURES.iter().find(|(name, _)| *name == column)?, cell)));
    let mut faults = figures.filter_map(|((column, fault), cell)| Some(format!("column {column}: {}", fault(cell)?)));
    if let Some(fault) = faults.next() {
        return fault;
    }
    let csv::ErrorKind::Deserialize { err, .. } = error.kind() else { return error.to_string() };
    let column = err.field().and_then(|field| headers.get(usize::try_from(field).ok()?));
    let cell = err.field().and_then(|field| record.get(usize::try_from(field).ok()?)).unwrap_or_default();
    let cell: String = cell.chars().take(40).collect();
    column.map_or_else(|| err.kind().to_string(), |column| format!("column {column}: `{cell}`: {}", err.kind()))
}

fn counted(column: &str, name: Option<&str>) -> Result<Option<MeasuredBy>, String> {
    let counted =
        |name| MeasuredBy::named(name).ok_or_else(|| format!("column {column}: unknown way of measuring `{name}`"));
    name.map(counted).transpose()
}

fn needed<T: Copy>(column: &str, value: Option<T>) -> Result<T, String> {
    value.ok_or_else(|| format!("column {column} is empty; this verdict needs it"))
}
