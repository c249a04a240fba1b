//! A row of a file of runs: its columns, and the run that they describe.

use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::MISSING;
use crate::figure::{Figures, RefereeFigures};
use crate::journal::{ExtraFields, Extras, Record};
use crate::key::{Name, RunKey, shared_name};
use crate::points::Points;
use crate::results_csv::spreadsheet::Text;
use crate::stream::Stream;
use crate::verdict::{Exit, Parts, Verdict};
use judge_job::{Bounded, BoundedError, Bytes, Count, Isolation, MeasuredBy, Micros, Millis, Tier, Usage};

/// The columns. A foreign file may lack all but entry, board and verdict.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct RunRow<'a> {
    #[serde(borrow)]
    pub(super) contest: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) game: Option<Text<'a>>,
    pub(super) round: Option<u32>,
    #[serde(borrow)]
    pub(super) entry: Text<'a>,
    #[serde(borrow)]
    pub(super) author: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) competing: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) board: Text<'a>,
    #[serde(borrow)]
    pub(super) reconstruction: Option<Text<'a>>,
    pub(super) repeat: Option<u32>,
    #[serde(borrow)]
    pub(super) verdict: Text<'a>,
    /// The figures of the answer, by name, as JSON.
    #[serde(borrow)]
    pub(super) figures: Option<Text<'a>>,
    /// The value of the first figure that solves the board, if the referee gave one.
    pub(super) full: Option<Points>,
    #[serde(deserialize_with = "Micros::optional")]
    pub(super) wall_us: Option<u64>,
    #[serde(deserialize_with = "Millis::optional")]
    pub(super) limit_ms: Option<u64>,
    #[serde(deserialize_with = "Micros::optional")]
    pub(super) cpu_us: Option<u64>,
    #[serde(borrow)]
    pub(super) cpu_by: Option<Text<'a>>,
    #[serde(deserialize_with = "Bytes::optional")]
    pub(super) memory_bytes: Option<u64>,
    #[serde(borrow)]
    pub(super) memory_by: Option<Text<'a>>,
    pub(super) attempt: Option<u32>,
    #[serde(borrow)]
    pub(super) suspect: Option<Text<'a>>,
    #[serde(deserialize_with = "Micros::optional")]
    pub(super) cpu_pressure_us: Option<u64>,
    #[serde(deserialize_with = "Micros::optional")]
    pub(super) memory_pressure_us: Option<u64>,
    #[serde(deserialize_with = "Count::optional")]
    pub(super) involuntary_switches: Option<u64>,
    #[serde(deserialize_with = "Micros::optional")]
    pub(super) taken_us: Option<u64>,
    pub(super) exit_code: Option<i32>,
    pub(super) signal: Option<i32>,
    #[serde(deserialize_with = "Count::optional")]
    pub(super) failed_at: Option<u64>,
    #[serde(borrow)]
    pub(super) token: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) reason: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) final_board: Option<Text<'a>>,
    #[serde(deserialize_with = "Bytes::optional")]
    pub(super) stdout_bytes: Option<u64>,
    #[serde(deserialize_with = "Bytes::optional")]
    pub(super) stderr_bytes: Option<u64>,
    #[serde(borrow)]
    pub(super) isolation: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) notes: Option<Text<'a>>,
    pub(super) seq: Option<usize>,
    /// The reason of the ruling by hand that set the verdict.
    #[serde(borrow)]
    pub(super) ruling: Option<Text<'a>>,
    /// The reason why the entry was withdrawn.
    #[serde(borrow)]
    pub(super) withdrawn: Option<Text<'a>>,
    /// The reason why it was disqualified.
    #[serde(borrow)]
    pub(super) disqualified: Option<Text<'a>>,
    /// The reason why the board was struck.
    #[serde(borrow)]
    pub(super) struck: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) round_name: Option<Text<'a>>,
    /// The date at which the run was finished, in UTC.
    #[serde(borrow)]
    pub(super) date: Option<Text<'a>>,
    /// The problems of the entry, in a contest of several; empty for all.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(super) problems: Option<Text<'a>>,
    /// The team that submitted the entry, in a contest of several problems with an office.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(super) team: Option<Text<'a>>,
    /// The group to which the board's points belong.
    #[serde(borrow)]
    pub(super) group: Option<Text<'a>>,
    /// The declaration of figures, as JSON.
    #[serde(borrow)]
    pub(super) scoring: Option<Text<'a>>,
    /// The cluster node that executed the run, and the model of its processor or of that of the judge's machine.
    #[serde(borrow)]
    pub(super) node: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) model: Option<Text<'a>>,
    /// The author of the ruling by hand, if it names one.
    #[serde(borrow)]
    pub(super) ruled_by: Option<Text<'a>>,
    /// The hash of the referee program that ruled.
    #[serde(borrow)]
    pub(super) referee: Option<Text<'a>>,
    /// The figures that decide places, most important first.
    #[serde(borrow)]
    pub(super) ranking: Option<Text<'a>>,
    /// Size of the entry in bytes, if the contest has a figure for that.
    #[serde(deserialize_with = "Bytes::optional")]
    pub(super) size: Option<u64>,
    /// The time at which the answer that counts had arrived, in a stream of answers.
    #[serde(deserialize_with = "Micros::optional")]
    pub(super) answer_us: Option<u64>,
}

/// The values that rows have in common, which their runs share.
pub(super) struct Shared {
    /// The nodes of a cluster. Records contain their indices; index 0 means no node.
    pub(super) nodes: Vec<Option<Name>>,
    referee: Option<Name>,
    pub(super) key: RunKey,
    isolation: Arc<Isolation>,
}

impl Default for Shared {
    fn default() -> Self {
        let isolation = Isolation { tier: Tier::ProcessGroup, layers: Vec::new() }.into();
        Self { nodes: vec![None], referee: None, key: RunKey::new(1, "", ""), isolation }
    }
}

impl<'a> RunRow<'a> {
    /// The names of all columns.
    pub(super) fn columns() -> Vec<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let written = writer.serialize(RunRow::default()).and_then(|()| Ok(writer.flush()?));
        written.expect("a row without a run is written to memory");
        let lines = writer.into_inner().unwrap_or_default();
        let head = lines.split(|&byte| byte == b'\n').next().unwrap_or_default();
        String::from_utf8_lossy(head).split(',').map(str::to_owned).collect()
    }

    pub(super) fn from_run(run: &'a Record) -> Self {
        let given = run.verdict.given();
        let contention = run.contention.unwrap_or_default();
        let mut row = Self {
            round: Some(run.key.round),
            entry: (&*run.key.entry).into(),
            board: (&*run.key.board).into(),
            repeat: Some(run.key.repeat),
            verdict: run.verdict.name().into(),
            figures: given.map(|given| &given.figures).filter(|figures| !figures.is_empty()).map(json),
            full: given.and_then(|given| given.full),
            answer_us: run.answer_us(),
            wall_us: run.wall_us,
            limit_ms: Some(run.limit_ms),
            stdout_bytes: Some(run.stdout_bytes),
            stderr_bytes: Some(run.stderr_bytes),
            cpu_us: run.usage.cpu_us,
            cpu_by: run.usage.cpu_by.map(|by| by.name().into()),
            memory_bytes: run.usage.memory_bytes,
            memory_by: run.usage.memory_by.map(|by| by.name().into()),
            attempt: Some(run.attempt),
            suspect: run.extras.suspect.as_deref().map(Text::from),
            cpu_pressure_us: contention.cpu_pressure_us,
            memory_pressure_us: contention.memory_pressure_us,
            involuntary_switches: contention.involuntary_switches,
            taken_us: contention.taken_us,
            isolation: Some(run.isolation.to_string().into()),
            final_board: run.final_board.as_deref().map(Text::from),
            notes: (!run.extras.notes.is_empty()).then(|| run.extras.notes.join("; ").into()),
            ruling: run.extras.ruling.as_deref().map(Text::from),
            ruled_by: run.extras.ruled_by.as_deref().map(Text::from),
            referee: run.ruled_by_referee().map(|referee| Text::from(&**referee)),
            ..Self::default()
        };
        let Parts { failed_at, token, reason, exit } = run.verdict.parts();
        (row.failed_at, row.token, row.reason) = (failed_at, token.map(Text), reason.map(Text));
        match exit {
            Some(Exit::Code(code)) => row.exit_code = Some(code),
            Some(Exit::Signal(signal)) => row.signal = Some(signal),
            None => {}
        }
        row
    }

    pub(super) fn missing(key: &'a RunKey) -> Self {
        Self {
            round: Some(key.round),
            entry: (&*key.entry).into(),
            board: (&*key.board).into(),
            repeat: Some(key.repeat),
            verdict: MISSING.into(),
            ..Self::default()
        }
    }

    /// The run; `None` if it is missing. `columns` contains the figures of separate columns, in a file without `figures`.
    pub(super) fn run(&self, columns: Result<Figures, String>, shared: &mut Shared) -> Result<Option<Record>, String> {
        if &*self.verdict == MISSING {
            return Ok(None);
        }
        let mut usage = Usage::default();
        (usage.cpu_us, usage.cpu_by) = (self.cpu_us, counted("cpu_by", self.cpu_by.as_deref())?);
        (usage.memory_bytes, usage.memory_by) = (self.memory_bytes, counted("memory_by", self.memory_by.as_deref())?);
        let repeat = match self.repeat {
            Some(0) => return Err("column repeat: 0; repeats count from 1".into()),
            repeat => repeat.unwrap_or(1),
        };
        let (verdict, attempt) = (self.verdict(columns)?, self.attempt.unwrap_or(1));
        let limit_ms = needed("limit_ms", self.limit_ms)?;
        let machine = self.node.as_deref().map_or(0, |node| {
            let known = shared.nodes.iter().position(|known| known.as_deref() == Some(node));
            known.unwrap_or_else(|| {
                shared.nodes.push(Some(node.into()));
                shared.nodes.len() - 1
            })
        });
        let text = |text: &Option<Text<'_>>| text.as_deref().map(Box::from);
        let key = RunKey { repeat, ..shared.key.clone() };
        let mut record = Record::without_run(1, key, attempt, verdict, limit_ms, shared.isolation.clone());
        (record.wall_us, record.usage, record.earlier) = (self.wall_us, usage, None);
        record.machine = u32::try_from(machine).unwrap_or(0);
        record.final_board = self.final_board.as_deref().filter(|_| !record.verdict.is_success()).map(Name::from);
        record.referee = self.referee.as_deref().map(|referee| shared_name(&mut shared.referee, referee));
        let stream = |answer_us| Box::new(Stream { answer_us, ..Stream::default() });
        record.extras = Extras::from(ExtraFields {
            suspect: text(&self.suspect),
            stream: self.answer_us.is_some().then(|| stream(self.answer_us)),
            notes: self.notes.as_deref().map(str::to_owned).into_iter().collect(),
            ruling: text(&self.ruling),
            ruled_by: text(&self.ruled_by),
            ..ExtraFields::default()
        });
        Ok(Some(record))
    }

    fn verdict(&self, columns: Result<Figures, String>) -> Result<Verdict, String> {
        let given = || {
            let figures = match self.figures.as_deref() {
                Some(json) => serde_json::from_str(json).map_err(|error| format!("column figures: {error}"))?,
                None => columns?,
            };
            // If the contest declares figures, the declaration contains what solves its boards.
            Ok(RefereeFigures { figures, full: self.full.filter(|_| self.scoring.is_none()) })
        };
        let [token, reason] = [&self.token, &self.reason].map(|text| Some(text.as_deref().unwrap_or_default().into()));
        let exit = self.exit_code.map(Exit::Code).or(self.signal.map(Exit::Signal));
        Verdict::from_parts(&self.verdict, given, Parts { failed_at: self.failed_at, token, reason, exit })
    }
}

/// The figures of a run as the text of a cell.
fn json(figures: &Figures) -> Text<'static> {
    serde_json::to_string(figures).expect("plain data has a JSON form").into()
}

/// The check of a cell with a figure.
type Check = fn(&str) -> Option<BoundedError>;

/// The columns with numbers, and the check of their cells.
const FIGURES: [(&str, Check); 16] = [
    ("round", fault::<Bounded<{ u32::MAX as u64 }>>),
    ("repeat", fault::<Bounded<{ u32::MAX as u64 }>>),
    ("attempt", fault::<Bounded<{ u32::MAX as u64 }>>),
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
    ("size", fault::<Bytes>),
    ("answer_us", fault::<Micros>),
];

fn fault<F: FromStr<Err = BoundedError>>(text: &str) -> Option<BoundedError> {
    text.parse::<F>().err()
}

/// The fault of a field, with its column.
pub(super) fn bad_field(error: &csv::Error, headers: &csv::StringRecord, record: &csv::StringRecord) -> String {
    // An error of a number does not contain the column.
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
