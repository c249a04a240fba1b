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
use crate::fingerprint::{Fingerprint, Hashes, KeptFiles};
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
    /// The contest at its beginning; only the first line.
    Contest(Box<Header>),
    /// A machine that records refer to.
    Machine(Box<Machine>),
    /// The result of building an entry's program.
    Build(Box<Build>),
    /// An entry was added, or its program replaced.
    Entry(Box<EntryEvent>),
    /// The program of an entry's following runs, without a change of the contest.
    Program(Box<ProgramEvent>),
    /// A board was added, or replaced by another one.
    Board(Box<BoardEvent>),
    /// A board no longer counts.
    Struck(BoardAndReason),
    /// A board that was struck counts again.
    Reinstated(BoardAndReason),
    /// An entry was withdrawn or disqualified.
    Withdrawn(EntryAndReason),
    /// An entry is in the contest again.
    Restored(EntryAndReason),
    /// Something other than boards and entries changed.
    Settings(Box<Settings>),
    /// A verdict was set by hand.
    Ruling(Box<ManualRuling>),
    /// The last ruling by hand on a run was undone.
    RulingUndone(Box<RulingUndone>),
    /// Answers were refereed again, all together.
    Rejudgement(Box<Rejudgement>),
    /// The referee's definition or its program changed.
    Referee(Box<RefereeEvent>),
    /// A round was opened, with the entries that advance to it.
    Round(Box<Round>),
    /// The players of the first round, which replace those of an earlier such line.
    Players(Players),
    /// A run or its repetition is finished.
    Run(Box<Record>),
}

/// The first line: the contest at its beginning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "StoredHeader", try_from = "StoredHeader")]
#[non_exhaustive]
pub struct Header {
    /// Version of the judge that began the contest.
    pub judge: String,
    /// The contest file, relative to the results directory; absolute if the results directory is outside the contest's folder.
    pub contest_file: PathBuf,
    /// Overrides of the command line.
    pub overrides: Overrides,
    /// The plan, with all boards.
    pub plan: Shared<Plan>,
    /// The runs of round 1 in the order in which they are started.
    pub order: Vec<RunKey>,
    /// Hashes of the files that are executed for an entry, by entry.
    pub programs: BTreeMap<String, Hashes>,
    /// The files among these that the results directory has, by entry.
    pub kept: BTreeMap<String, KeptFiles>,
    /// The search path for programs; `None` if it was not recorded.
    pub path: Option<String>,
    /// The organiser's comment at the beginning.
    pub comment: Option<String>,
    /// The entries that were out at the beginning, with the reason.
    pub withdrawn: BTreeMap<String, Withdrawal>,
    /// The boards that did not count at the beginning, with the reason.
    pub struck: BTreeMap<String, String>,
}

/// The result of a build command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Build {
    /// The command from the contest file, for `sh -c`.
    pub command: String,
    /// The entries that it builds; empty if it builds a referee, or fetches what builds need.
    pub entries: Vec<String>,
    /// True if it is the command that fetches what builds need.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fetches: bool,
    /// The identifier of the problem whose referee it builds; empty for an entry, and for the only referee of a contest.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub problem: String,
    /// The attempt, from 1: each `judge resume` builds again.
    pub attempt: u32,
    /// Its success, or the reason of its failure.
    #[serde(flatten)]
    pub built: Built,
    /// The wall-clock time in microseconds; `None` if it did not run.
    pub wall_us: Option<u64>,
    /// The fingerprint of its stored output; `None` if none is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<Fingerprint>,
}

impl Build {
    /// A build of these entries with an unknown time and without stored output.
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
    /// The command failed. This is the verdict of all runs of its entries.
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
    /// The entry. It replaces an entry of the same name.
    pub entry: Entry,
    /// Hashes of the files that are executed for it.
    pub programs: Hashes,
    /// The files among these that the results directory has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: KeptFiles,
    /// True if only facts for people or the place of its program changed, so that its runs still count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_runs: bool,
    /// The reason, as a fragment; `None` if none was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl EntryEvent {
    /// An entry with the hashes of its files, none of which is kept. Runs of an entry of that name no longer count.
    pub fn new(entry: Entry, programs: Hashes) -> Self {
        Self { entry, programs, kept: KeptFiles::new(), keeps_runs: false, reason: None }
    }
}

/// The program of the following runs of an entry, or of the referee. The contest has a previous one; this one was found when the
/// contest was resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramEvent {
    /// Name of the entry, or [`REFEREE_PROGRAM`](crate::plan::REFEREE_PROGRAM).
    pub entry: String,
    /// Hashes of the files that are executed for it.
    pub programs: Hashes,
    /// The files among these that the results directory has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: KeptFiles,
}

/// A board that was added or replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BoardEvent {
    /// The board. It replaces a board of the same name. Runs still count if answers to both are judged in the same way.
    #[serde(flatten)]
    pub board: Board,
    /// The reason, as a fragment; `None` if none was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The name of a board, with the reason for an action on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardAndReason {
    /// Name of the board, unique over all rounds.
    pub board: String,
    /// The reason, which everyone can read.
    pub reason: String,
}

/// The name of an entry, with the reason for an action on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryAndReason {
    /// Name of the entry, unique in the contest.
    pub entry: String,
    /// The reason, which everyone can read, and the kind of a withdrawal.
    #[serde(flatten)]
    pub withdrawal: Withdrawal,
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
    /// The reason, shown next to the verdict.
    pub because: String,
    /// The person who ruled, shown next to the reason; `None` if no name was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The new points of the seats, for a game; otherwise empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Points>,
}

impl ManualRuling {
    /// A ruling without a name.
    pub fn new(key: RunKey, verdict: Verdict, because: impl Into<String>) -> Self {
        Self { key, verdict, because: because.into(), by: None, points: Vec::new() }
    }
}

/// The removal of the last ruling by hand on a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RulingUndone {
    /// The run whose verdict by hand is removed.
    #[serde(flatten)]
    pub key: RunKey,
    /// The reason; `None` if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The person who removed it; `None` if no name was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

impl RulingUndone {
    /// Undoes the last ruling on a run, without a reason.
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
    /// The attempt that gave the answer.
    pub attempt: u32,
    /// The verdict from now on.
    pub verdict: Verdict,
    /// The position in which the answer ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_board: Option<Name>,
    /// The remarks from now on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The refereed answer, and the output of the referee; `None` if nothing is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Box<Output>>,
}

impl Rejudged {
    /// A ruling without remarks on an answer that is not stored.
    pub fn new(key: RunKey, attempt: u32, verdict: Verdict) -> Self {
        Self { key, attempt, verdict, final_board: None, notes: Vec::new(), output: None }
    }
}

/// A changed definition or program of a referee. Runs keep their verdicts until they are refereed again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RefereeEvent {
    /// The identifier of its problem; empty for the only problem of a contest.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub problem: String,
    /// The definition from now on.
    pub referee: ExternalReferee,
    /// Hashes of the files that are executed for it.
    #[serde(default)]
    pub programs: Hashes,
    /// The files among these that the results directory has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: KeptFiles,
}

impl RefereeEvent {
    /// The definition for a problem with the hashes of its files, none of which is kept.
    pub fn new(problem: impl Into<String>, referee: ExternalReferee, programs: Hashes) -> Self {
        Self { problem: problem.into(), referee, programs, kept: KeptFiles::new() }
    }
}

/// Answers that were refereed again, without new runs of their entries. It is a single line, so that a judge that is killed
/// leaves all of it or nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rejudgement {
    /// The identifier of the problem of these answers; empty for the only problem of a contest.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub problem: String,
    /// The referee that ruled, if it differs from the previous one of the contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<Box<RefereeEvent>>,
    /// The hash of the referee that ruled; `None` for a built-in game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Name>,
    /// The answers whose ruling has changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Rejudged>,
    /// The answers with an unchanged ruling that another referee had made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confirmed: Vec<Answer>,
    /// The number of an office's request that this finishes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<u32>,
}

/// The answer of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The run that gave the answer.
    #[serde(flatten)]
    pub key: RunKey,
    /// Number of the attempt, from 1.
    pub attempt: u32,
}

/// An opened round. In a contest of matches, it may have been opened before. Then this replaces its games, and those of later
/// rounds no longer count.
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
    /// The entries that take part in a knock-out, in the order of their seeds; one of them may have no game. Empty for other
    /// rounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<Name>,
    /// The entries that did not count when it opened, although they were not withdrawn: the office decided on other submissions
    /// of their teams. What an office decides later does not change who came here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aside: Vec<Name>,
    /// The entries that were out of the contest when it opened. Later withdrawals do not change seeds.
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
    /// The entries that did not count when it opened, as withdrawals.
    pub(crate) fn set_aside(&self) -> impl Iterator<Item = (String, Withdrawal)> + '_ {
        let why = || Withdrawal::new("did not count when the round opened").set_aside();
        self.aside.iter().map(move |entry| (entry.to_string(), why()))
    }

    /// The entries that take part, each once, in the order in which they start on the first board of a problem.
    pub fn entrants(&self) -> Vec<&str> {
        if !self.seeds.is_empty() {
            return self.seeds.iter().map(|seed| &**seed).collect();
        }
        // Entries can be limited to some problems.
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
