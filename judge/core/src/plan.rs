//! The definition of a contest as plain data: game, boards, entries, limits and ranking.

mod board;
mod pairings;
mod problem;
mod programs;
mod rank_key;
mod rounds;
mod same;
mod seals;
mod subset;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use judge_job::{Count, IsolationMode, Limits};
use serde::{Deserialize, Serialize};

use crate::chunks::Chunks;
use crate::external::ExternalReferee;
use crate::figure::{Failed, RefereeFigures};
use crate::game::RuleError;
use crate::key::{Name, RunKey, problem_id};
use crate::matches::MatchRules;
use crate::points::Points;
use crate::score::{EntryHead, RunCell};
use crate::scoring::Scoring;
use crate::shared::Shared;
use crate::text;
use crate::verdict::Verdict;
use crate::withdrawal::Withdrawal;

pub use board::{Board, FileContents, NamedFile, StoredFile};
pub use pairings::MAX_GAMES;
pub use problem::{Problem, Problems, ProblemsError, REFEREE_PROGRAM, referee_in_words, referee_program};
pub(crate) use programs::Program;
pub use programs::{path_of, same_programs};
pub use rank_key::RankKey;
pub use rounds::{Advance, RoundPlan};
pub(crate) use rounds::{first_of_turn, start_order};
pub use same::SameRuns;
pub use seals::{SALT_END, SALTED_SEAL, SEAL, is_salt, is_salted, parse_seal, published_seal, salt_of, salted_seal};

/// The permitted numbers of runs of each entry on each board.
pub const REPEATS: RangeInclusive<u32> = 1..=1000;

/// The most rounds of a contest. Each is a heading of tables.
pub const MAX_ROUNDS: u32 = 1000;

/// The definition of a contest. Two contests are the same if [`Plan::difference`] finds nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Plan {
    /// Title of the contest, only for people.
    pub name: String,
    /// Its problems, each with its game or its referee and the limits of its runs. They have identifiers if there are several.
    #[serde(flatten)]
    pub problems: Problems,
    /// Isolation of entries that the contest requires.
    #[serde(default)]
    pub isolation: IsolationMode,
    /// Files and folders that every entry may read, besides the files of its command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<String>,
    /// The rules for games, if entries play each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_rules: Option<Box<MatchRules>>,
    /// The figures that the contest declares; `None` for the usual ones of its game and referee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scoring: Option<Scoring>,
    /// The complete list of figures that decide places, most important first.
    pub ranking: Vec<RankKey>,
    /// Runs of each entry on each board, at least 1. The table shows the first; the others show the variation.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub repeat: u32,
    /// Boards in the order of the table's columns.
    pub boards: Vec<Board>,
    /// Entries in the order of the contest file.
    pub entries: Chunks<Shared<Entry>>,
    /// Rounds in their order; empty for one round of all boards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<RoundPlan>,
    /// Display-only parts, which change no result.
    #[serde(default, skip_serializing_if = "DisplayInfo::is_empty")]
    pub shown: DisplayInfo,
}

fn once() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_once(repeat: &u32) -> bool {
    *repeat == 1
}

impl Plan {
    /// A contest of this game without boards and entries, with the default limits and the ranking of 1995.
    pub fn new(name: impl Into<String>, game: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            problems: Problem::new(game).into(),
            isolation: IsolationMode::default(),
            readable: Vec::new(),
            match_rules: None,
            scoring: None,
            ranking: RankKey::DEFAULT_ORDER.into(),
            repeat: once(),
            boards: Vec::new(),
            entries: Chunks::default(),
            rounds: Vec::new(),
            shown: DisplayInfo::default(),
        }
    }
}

/// The display-only parts of a contest file. They are not part of the contest, so it can be resumed after a correction to a
/// statement or a write-up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct DisplayInfo {
    /// The best known answer, by name of the board.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub known: BTreeMap<String, BestKnown>,
    /// The best known points, by name of the board.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub best: BTreeMap<String, Points>,
    /// The authors' write-ups in Markdown, by name of the entry.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub write_ups: BTreeMap<String, String>,
    /// The problem statements, by identifier of the problem, which is empty for an only problem.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub statements: BTreeMap<String, Statement>,
}

impl DisplayInfo {
    fn is_empty(&self) -> bool {
        self.known.is_empty() && self.best.is_empty() && self.write_ups.is_empty() && self.statements.is_empty()
    }
}

/// The statement of a problem, for the authors of entries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statement {
    /// A text in Markdown.
    Markdown(String),
    /// A PDF file, stored in the results directory.
    Pdf(StoredFile),
}

impl Statement {
    /// The most bytes of a text.
    pub const MAX_TEXT_BYTES: u64 = 1 << 20;
    /// The most bytes of a PDF file.
    pub const MAX_PDF_BYTES: u64 = 16 << 20;

    /// Tests whether bytes begin like a PDF file.
    pub fn is_pdf(bytes: &[u8]) -> bool {
        bytes.starts_with(b"%PDF-")
    }

    /// The stored file; `None` for a text.
    pub fn stored(&self) -> Option<&StoredFile> {
        match self {
            Self::Markdown(_) => None,
            Self::Pdf(file) => Some(file),
        }
    }
}

/// An entry of a contest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Entry {
    /// Name, the heading of its row.
    pub name: String,
    /// Its author, for people; `None` if the contest file names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The year it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<u16>,
    /// Its strategy in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// Shell command that builds it. It is executed once, in the contest file's folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The folder that its build may write; `None` for that of its program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Program and arguments as in the contest file; empty if it has answers instead.
    pub command: Vec<String>,
    /// Answers by the names of their boards, for an entry that is not a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<BTreeMap<String, StoredFile>>,
    /// Files and folders that it may read, besides the files of its command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<String>,
    /// Files for its working directory. Of a folder, the contents are copied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub working_files: Vec<String>,
    /// The identifiers of the problems on whose boards it runs; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// The team that submitted it, in a contest of several problems. The entries of a team, one per problem, share a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// Limits of its runs if they differ from the contest's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// Bytes of its source, if the contest has a figure for the size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// True if it competes for a place.
    pub competing: bool,
}

impl Entry {
    /// An entry that competes, with its program and arguments.
    pub fn new(name: impl Into<String>, command: Vec<String>) -> Self {
        Self { name: name.into(), command, competing: true, ..Self::default() }
    }

    /// The heading of its row.
    pub(crate) fn head(&self, withdrawn: Option<&Withdrawal>) -> EntryHead {
        let Self { name, author, competing, problems, team, .. } = self.clone();
        EntryHead { name, author, competing, withdrawn: withdrawn.cloned(), problems, team, of: Vec::new() }
    }

    /// Tests whether it runs on the boards of a problem.
    pub fn is_for(&self, problem: &str) -> bool {
        self.problems.is_empty() || self.problems.iter().any(|own| own == problem)
    }

    /// Tests whether it runs on a board.
    pub fn is_on(&self, board: &str) -> bool {
        self.problems.is_empty() || self.is_for(problem_id(board))
    }
}

/// Changes to a contest file by the command line. They are recorded with the plan, so that a resumed contest is the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Overrides {
    /// Wall-clock limit of all runs in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_ms: Option<u64>,
    /// Runs of each entry on each board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<u32>,
    /// Names of the entries that take part; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<String>>,
    /// Names of the boards that are used; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boards: Option<Vec<String>>,
    /// These boards instead of the contest's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_boards: Option<Vec<Board>>,
}

/// The best known answer to a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BestKnown {
    /// Boards that replace those of the contest file.
    #[serde(deserialize_with = "Count::number")]
    pub moves: u64,
    /// A proved lower bound on the moves of every answer; `None` without a proof.
    #[serde(default, deserialize_with = "Count::optional", skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u64>,
}

impl Plan {
    /// The entries by their names, for callers that look up many.
    pub fn entries_by_name(&self) -> HashMap<&str, &Entry> {
        self.entries.iter().map(|entry| (&*entry.name, &**entry)).collect()
    }

    /// Returns true if the referee needs the entries and not only their answers. It talks to them or has them run in passes, or
    /// the entries play each other.
    pub fn needs_entries(&self) -> bool {
        self.match_rules.is_some() || self.problems.iter().any(Problem::needs_entries)
    }

    /// The figures of the contest: the declared ones, otherwise the usual ones of its game and its referee. All problems of a
    /// contest have the same figures.
    pub fn figures(&self) -> Arc<Scoring> {
        let usual = || self.problems.iter().map(Problem::usual_figures).reduce(|all, own| all.merged(&own));
        Arc::new(self.scoring.clone().or_else(usual).unwrap_or_else(|| Scoring::of_game("")))
    }

    /// The group of a board.
    pub fn group_of(&self, board: &str) -> Option<&str> {
        self.boards.iter().find(|known| known.name == board)?.group.as_deref()
    }

    /// The cell of a run on a board with this verdict. Its other figures are unknown.
    pub fn cell_of(&self, board: &str, verdict: &Verdict, wall_us: Option<u64>, limit_ms: u64) -> RunCell {
        let cell = RunCell::from_verdict(verdict, wall_us, limit_ms, &self.figures());
        RunCell { group: self.group_of(board).map(Into::into), ..cell }
    }

    /// The figures that an answer keeps after it was ruled wrong: those of which a failure counts its own.
    #[must_use]
    pub fn ruled_wrong(&self, given: &RefereeFigures) -> RefereeFigures {
        let scoring = self.figures();
        let kept = scoring.given().filter(|figure| figure.failed == Failed::Own);
        let figures = kept.filter_map(|figure| Some((figure.name, given.figures.get(&figure.name)?))).collect();
        RefereeFigures { figures, full: given.full }
    }

    /// The runs of round 1 in the order in which they start, see [`Self::start_order_in`]. It is empty if entries play only after
    /// they have been named.
    pub fn start_order(&self) -> Vec<RunKey> {
        if self.match_rules.as_ref().is_some_and(|rules| rules.called) {
            return Vec::new();
        }
        let entries: Vec<Name> = self.entries.iter().map(|entry| Name::from(&*entry.name)).collect();
        self.start_order_in(1, &entries)
    }

    /// The problem of a board.
    ///
    /// # Panics
    ///
    /// The contest has no such board.
    pub fn problem_of(&self, board: &str) -> &Problem {
        self.problems.of(board).expect("a board that begins with the identifier of its problem")
    }

    /// The limits of an entry's runs on each of its problems, in rounds that do not set one.
    pub fn limits_of(&self, entry: &Entry) -> impl Iterator<Item = Limits> {
        self.problems.iter().filter(|problem| entry.is_for(&problem.id)).map(|problem| problem.limits_of(entry))
    }

    /// The referee programs.
    pub fn referees(&self) -> impl Iterator<Item = &ExternalReferee> {
        self.problems.iter().filter_map(|problem| problem.referee.as_deref())
    }

    /// The names of the games of its problems.
    pub fn games(&self) -> String {
        let mut names: Vec<&str> = self.problems.iter().map(|problem| &*problem.game).collect();
        names.dedup();
        names.join(", ")
    }

    /// The first difference between this plan, that of a journal, and the plan of a contest file; `None` if both are the same
    /// contest. It ignores facts for people, and which entries compete for a place: they may change at any time.
    pub fn difference(&self, file: &Self) -> Option<String> {
        let names = |names: &mut dyn Iterator<Item = &String>| names.cloned().collect::<Vec<_>>().join(", ");
        let figures = |plan: &Self| {
            let problems = plan.problems.iter().flat_map(Problem::deciding_settings);
            let own = [
                ("isolation", plan.isolation.name().to_owned()),
                ("readable", plan.readable.join(", ")),
                ("score", plan.scoring.as_ref().map_or(String::new(), |scoring| format!("{scoring:?}"))),
                ("repeat", plan.repeat.to_string()),
                ("ranking", plan.ranking.iter().map(|key| key.name()).collect::<Vec<_>>().join(", ")),
                ("match", plan.match_rules.as_ref().map_or(String::new(), |rules| rules.to_string())),
                ("boards", names(&mut plan.boards.iter().map(|board| &board.name))),
                ("entries", names(&mut plan.entries.iter().map(|entry| &entry.name))),
                ("rounds", names(&mut plan.rounds.iter().map(|round| &round.name))),
            ];
            let ids = ("problems".to_owned(), names(&mut plan.problems.iter().map(|problem| &problem.id)));
            let own = own.into_iter().map(|(what, setting)| (what.to_owned(), setting));
            std::iter::once(ids).chain(problems).chain(own).collect::<Vec<_>>()
        };
        let mut pairs = figures(self).into_iter().zip(figures(file));
        if let Some(((what, journal), (_, file))) = pairs.find(|(journal, file)| journal != file) {
            return Some(format!("{what}: `{journal}` in the journal, `{file}` in the contest file"));
        }
        let mut rounds = self.rounds.iter().zip(&file.rounds).filter(|(journal, file)| journal != file);
        let round = rounds.next().map(|(round, _)| format!("round {} differs", round.name));
        let mut boards = self.boards.iter().zip(&file.boards).filter(|(journal, file)| !journal.is_judged_like(file));
        let board = boards.next().map(|(board, _)| format!("board {} differs", board.name));
        let entry = self.entries.iter().zip(&file.entries).find(|(journal, file)| !journal.runs_like(file));
        round.or(board).or_else(|| Some(format!("entry {} differs", entry?.0.name)))
    }
}

impl Entry {
    /// Tests whether another entry of this name executes the same files under the same limits.
    fn runs_like(&self, other: &Self) -> bool {
        let runs = |entry: &Self| {
            let Self { build, folder, command, readable, working_files, problems, limits, .. } = entry.clone();
            (build, folder, command, readable, working_files, problems, limits)
        };
        runs(self) == runs(other)
    }
}

/// The reason why a contest's game cannot be opened, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// No game of this name is built in.
    #[error("unknown game `{0}`")]
    Unknown(String),
    /// The game refuses the house rules.
    #[error(transparent)]
    Rules(#[from] RuleError),
}

/// The refusal of an unknown name, as a fragment with the available names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", text::unknown(.what, .name, .available.iter().map(String::as_str)))]
#[non_exhaustive]
pub struct UnknownName {
    /// The kind of thing, such as `entry`.
    pub what: String,
    /// The unknown name.
    pub name: String,
    /// The available names.
    pub available: Vec<String>,
}

/// The items with the wanted names, in the order of the items.
///
/// # Errors
///
/// No item has one of the names.
pub fn select<T>(
    items: Vec<T>,
    wanted: &[String],
    name: impl Fn(&T) -> &String,
    what: &str,
) -> Result<Vec<T>, UnknownName> {
    let available: HashSet<&String> = items.iter().map(&name).collect();
    if let Some(unknown) = wanted.iter().find(|wanted| !available.contains(wanted)) {
        let available = items.iter().map(|item| name(item).clone()).collect();
        return Err(UnknownName { what: what.to_owned(), name: (*unknown).clone(), available });
    }
    let wanted: HashSet<&String> = wanted.iter().collect();
    Ok(items.into_iter().filter(|item| wanted.contains(name(item))).collect())
}
