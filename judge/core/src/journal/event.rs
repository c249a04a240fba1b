//! The events of a journal.

mod players;
mod settings;
mod stored;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use judge_job::Machine;

pub use self::players::Players;
pub use self::settings::{ProblemSettings, Settings};
use self::stored::StoredHeader;
use super::{Output, Record};
use crate::external::ExternalReferee;
use crate::fingerprint::{Fingerprint, Hashes, Kept};
use crate::key::{Name, RunKey};
use crate::map::Map;
use crate::plan::{Board, Entry, Overrides, Plan};
use crate::points::Points;
use crate::shared::Shared;
use crate::verdict::{JudgeFailure, Verdict};
use crate::withdrawal::Withdrawal;

/// One line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Line {
    /// The contest as it began: always the first line, and only that.
    Contest(Box<Header>),
    /// A machine that records refer to.
    Machine(Box<Machine>),
    /// An entry's program was built, or was not.
    Build(Box<Build>),
    /// An entry was added, or its program replaced.
    Entry(Box<EntryEvent>),
    /// The program of an entry's runs from here on, without a change of the contest.
    Program(Box<ProgramEvent>),
    /// A board was added, or replaced by another one.
    Board(Box<BoardEvent>),
    /// A board does not count any more.
    Struck(BoardAndReason),
    /// A board that was struck counts again.
    Reinstated(BoardAndReason),
    /// An entry was withdrawn or disqualified.
    Withdrawn(EntryAndReason),
    /// An entry is in the contest again.
    Restored(EntryAndReason),
    /// The entries that an office sets aside, in place of those of an earlier such line.
    SetAside(Box<SetAside>),
    /// Something changed that is neither a board nor an entry.
    Settings(Box<Settings>),
    /// A verdict was set by hand.
    Ruling(Box<ManualRuling>),
    /// The last ruling by hand on a run was taken back.
    RulingUndone(Box<RulingUndone>),
    /// Answers were refereed again, all together.
    Rejudgement(Box<Rejudgement>),
    /// The definition of the referee changed, or its program.
    Referee(Box<RefereeEvent>),
    /// A round was opened, with the entries that go on to it.
    Round(Box<Round>),
    /// Who plays whom in the first round, in place of an earlier such line.
    Players(Players),
    /// A run is finished, or its repetition.
    Run(Box<Record>),
}

/// The first line: the contest as it began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "StoredHeader", try_from = "StoredHeader")]
#[non_exhaustive]
pub struct Header {
    /// Version of the judge that began the contest.
    pub judge: String,
    /// The contest file, relative to the results directory; absolute if that is outside the contest's folder.
    pub contest_file: PathBuf,
    /// Changes that the command line made to it.
    pub overrides: Overrides,
    /// The plan, with all boards.
    pub plan: Shared<Plan>,
    /// The runs of round 1 in the order in which they are started.
    pub order: Vec<RunKey>,
    /// Hashes of the files that are executed for an entry, by entry.
    pub programs: BTreeMap<String, Hashes>,
    /// Those of these files that the results directory has, by entry.
    pub kept: BTreeMap<String, Kept>,
    /// The search path for programs; `None` if it was not recorded.
    pub path: Option<String>,
    /// The organiser's comment at the beginning.
    pub comment: Option<String>,
    /// The entries that are out from the beginning, with the reason.
    pub withdrawn: BTreeMap<String, Withdrawal>,
    /// The boards that do not count from the beginning, with the reason.
    pub struck: BTreeMap<String, String>,
}

/// The result of a build command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Build {
    /// The command as the contest file has it, for `sh -c`.
    pub command: String,
    /// The entries that it builds; none if it is the referee's, or fetches what builds need.
    pub entries: Vec<String>,
    /// True if it is the command that fetches what builds need.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fetches: bool,
    /// The identifier of the problem whose referee it builds; empty for an entry, and for the only referee of a contest.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub problem: String,
    /// The attempt, from 1: each `judge resume` builds again.
    pub attempt: u32,
    /// Whether it succeeded, and the reason if not.
    #[serde(flatten)]
    pub built: Built,
    /// Wall clock in microseconds; `None` if it did not run.
    pub wall_us: Option<u64>,
    /// What it printed, as it is stored; `None` if nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<Fingerprint>,
}

impl Build {
    /// A build of these entries that took an unknown time and printed nothing that is known.
    pub fn new(command: impl Into<String>, entries: Vec<String>, attempt: u32, built: Built) -> Self {
        let (command, fetches, problem) = (command.into(), false, String::new());
        Self { command, entries, fetches, problem, attempt, built, wall_us: None, log: None }
    }

    /// A run of the command that fetches what builds need.
    pub fn fetching(command: impl Into<String>, attempt: u32, built: Built) -> Self {
        Self { fetches: true, ..Self::new(command, Vec::new(), attempt, built) }
    }

    /// The name of its log in a results directory: `builds/NAME.ATTEMPT.log`.
    pub fn log_name(&self) -> Cow<'_, str> {
        match self.entries.first() {
            Some(entry) => entry.into(),
            None if self.fetches => FETCH_LOG.into(),
            None => referee_log(&self.problem),
        }
    }
}

/// The name of the logs of the command that fetches what builds need.
pub const FETCH_LOG: &str = "fetch";
/// The name of the logs of the build of a contest's only referee.
const REFEREE_LOG: &str = "referee";

/// The name of the logs of the build of a problem's referee.
pub fn referee_log(problem: &str) -> Cow<'static, str> {
    if problem.is_empty() { REFEREE_LOG.into() } else { format!("{REFEREE_LOG}.{problem}").into() }
}

/// The result of a build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum Built {
    /// The command ended with exit code 0.
    Succeeded,
    /// The command failed, which is the verdict of all runs of its entries.
    Failed {
        /// The reason with the end of the command's output, as a fragment in one line.
        reason: String,
    },
    /// The judge could not execute the command.
    JudgeError {
        /// The reason, as a fragment.
        reason: String,
    },
}

/// An entry that was added or whose program was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EntryEvent {
    /// The entry. One with a known name replaces the entry of that name.
    pub entry: Entry,
    /// Hashes of the files that are executed for it.
    pub programs: Hashes,
    /// Those of these files that the results directory has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Kept,
    /// True if only facts for people or the place of its program changed, so that its runs still count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_runs: bool,
    /// The reason, as a fragment; `None` if none was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl EntryEvent {
    /// An entry with the hashes of its files, of which none is kept. Runs of an entry of that name count no longer.
    pub fn new(entry: Entry, programs: Hashes) -> Self {
        Self { entry, programs, kept: Kept::new(), keeps_runs: false, reason: None }
    }
}

/// The program of an entry's runs, or of the referee, from here on. The contest has the one before: this one
/// was there when the contest was resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramEvent {
    /// Name of the entry, or [`REFEREE_PROGRAM`](crate::plan::REFEREE_PROGRAM).
    pub entry: String,
    /// Hashes of the files that are executed for it.
    pub programs: Hashes,
    /// Those of these files that the results directory has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Kept,
}

/// A board that was added or replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BoardEvent {
    /// The board. One with a known name replaces the board of that name; its runs still count if the text is the same.
    #[serde(flatten)]
    pub board: Board,
    /// The reason, as a fragment; `None` if none was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The name of a board and why something was done to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardAndReason {
    /// Name of the board, unique over all rounds.
    pub board: String,
    /// The reason, for everybody to read.
    pub reason: String,
}

/// The name of an entry and why something was done to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryAndReason {
    /// Name of the entry, unique in the contest.
    pub entry: String,
    /// The reason, for everybody to read, and for a withdrawal its kind.
    #[serde(flatten)]
    pub withdrawal: Withdrawal,
}

/// The entries that take no place and are not run without being withdrawn: an office decides what counts for its teams. An
/// office that is there knows it better; the line is for those who have only the results.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    /// The reason of each, for everybody to read, by name.
    pub entries: BTreeMap<String, Withdrawal>,
}

/// A verdict set by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ManualRuling {
    /// The run whose verdict is set.
    #[serde(flatten)]
    pub key: RunKey,
    /// The verdict from now on.
    pub verdict: Verdict,
    /// The reason, shown beside the verdict.
    pub because: String,
    /// Who ruled, shown beside the reason; `None` if no name was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The points of the seats from now on, if it is a game; else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Points>,
}

impl ManualRuling {
    /// A ruling by nobody in particular.
    pub fn new(key: RunKey, verdict: Verdict, because: impl Into<String>) -> Self {
        Self { key, verdict, because: because.into(), by: None, points: Vec::new() }
    }
}

/// A ruling by hand that was taken back: the last one on that run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RulingUndone {
    /// The run whose verdict by hand goes.
    #[serde(flatten)]
    pub key: RunKey,
    /// The reason; `None` if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Who took it back; `None` if no name was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

impl RulingUndone {
    /// The last ruling on a run taken back, without a reason.
    pub fn new(key: RunKey) -> Self {
        Self { key, because: None, by: None }
    }
}

/// An answer that was refereed again, without a new run of its entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rejudged {
    /// The run whose answer was refereed.
    #[serde(flatten)]
    pub key: RunKey,
    /// The attempt whose answer it is.
    pub attempt: u32,
    /// The verdict from now on.
    pub verdict: Verdict,
    /// The position in which the answer ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_board: Option<Name>,
    /// The remarks from now on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The answer that was refereed, and what the referee left of it; `None` if nothing is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Box<Output>>,
}

impl Rejudged {
    /// A ruling without remarks on an answer of which nothing is stored.
    pub fn new(key: RunKey, attempt: u32, verdict: Verdict) -> Self {
        Self { key, attempt, verdict, final_board: None, notes: Vec::new(), output: None }
    }
}

/// A changed definition or program of a referee. Runs keep their verdicts until they are refereed again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RefereeEvent {
    /// The identifier of its problem; empty for the only one of a contest.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub problem: String,
    /// The definition from now on.
    pub referee: ExternalReferee,
    /// Hashes of the files that are executed for it.
    #[serde(default)]
    pub programs: Hashes,
    /// Those of these files that the results directory has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Kept,
}

impl RefereeEvent {
    /// The definition for a problem with the hashes of its files, of which none is kept.
    pub fn new(problem: impl Into<String>, referee: ExternalReferee, programs: Hashes) -> Self {
        Self { problem: problem.into(), referee, programs, kept: Kept::new() }
    }
}

/// Answers that were refereed again, without new runs of their entries. It is one line, so that a judge that is killed
/// leaves all of it or nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rejudgement {
    /// The identifier of the problem whose answers they are; empty for the only one of a contest.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub problem: String,
    /// The referee that ruled, if the contest had another one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<Box<RefereeEvent>>,
    /// The hash of the referee that ruled; `None` for a built-in game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Name>,
    /// The answers with another ruling than before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Rejudged>,
    /// The answers with the same ruling as before, which another referee had made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confirmed: Vec<Answer>,
    /// The number of the request of an office that has ended with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<u32>,
}

/// The answer of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The run whose answer it is.
    #[serde(flatten)]
    pub key: RunKey,
    /// Number of the attempt, from 1.
    pub attempt: u32,
}

/// A round that was opened. In a contest of matches it may have been opened before: then its games are others now, and those of later
/// rounds do not count any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Round {
    /// Its number; the header's round is 1.
    pub number: u32,
    /// Name of the round; `None` in a contest without named rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its runs in the order in which they are started.
    pub order: Vec<RunKey>,
    /// The version of the rules that chose its entries, see [`crate::advance::RULES`]; `None` if it was not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<u32>,
    /// The entries that take part in a knock-out, in the order of their seeds; one of them may have no game. Else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<Name>,
    /// The entries that were out of the contest when it opened. Who goes later changes nobody's seed.
    #[serde(skip)]
    pub(crate) out: Map<String, Withdrawal>,
}

impl Header {
    /// The header of a contest that begins now.
    pub fn new(
        contest_file: PathBuf,
        overrides: Overrides,
        plan: impl Into<Shared<Plan>>,
        order: Vec<RunKey>,
        programs: BTreeMap<String, Hashes>,
        path: Option<String>,
    ) -> Self {
        let judge = env!("CARGO_PKG_VERSION").into();
        let (withdrawn, struck) = (BTreeMap::new(), BTreeMap::new());
        Self {
            judge,
            contest_file,
            overrides,
            plan: plan.into(),
            order,
            programs,
            kept: BTreeMap::new(),
            path,
            comment: None,
            withdrawn,
            struck,
        }
    }
}

impl Round {
    /// The entries that take part, each once, in the order in which they start on the first board of a problem.
    pub fn entrants(&self) -> Vec<&str> {
        if !self.seeds.is_empty() {
            return self.seeds.iter().map(|seed| &**seed).collect();
        }
        // An entry can be for one problem only.
        let mut firsts: HashMap<&str, &Name> = HashMap::new();
        let on_first = self
            .order
            .iter()
            .filter(|key| key.repeat == 1 && *firsts.entry(key.problem()).or_insert(&key.board) == &key.board);
        let mut seen = HashSet::new();
        on_first.flat_map(RunKey::seats).map(|entry| &**entry).filter(|entry| seen.insert(*entry)).collect()
    }
}

impl Built {
    /// The verdict of the runs that cannot be started; `None` if they can.
    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Succeeded => None,
            Self::Failed { reason } => Some(Verdict::BuildFailed { reason: reason.clone() }),
            Self::JudgeError { reason } => Some(Verdict::JudgeError { reason: JudgeFailure::Judge(reason.clone()) }),
        }
    }
}
