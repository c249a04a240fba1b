//! Checks of a contest that execute no run.

mod program;
mod starts;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use judge_core::external::ExternalReferee;
use judge_core::journal::Built;
use judge_core::key::RunKey;
use judge_core::plan::{Entry, Plan, Problem, referee_in_words};
use judge_core::shared::Shared;
use judge_job::{Argument, count_text};

use crate::Contest;
use crate::programs::{Search, unhashed};
use program::{Origin, of_program};
use starts::may_start_entries;

/// A finding of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The level of the finding: good, worth knowing, or an obstacle.
    pub level: Level,
    /// The subject of the finding.
    pub subject: Subject,
    /// The finding, as a fragment, with a remedy if it is a problem.
    pub finding: String,
}

/// The subject of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// The program that referees a problem without a built-in game, by its
    /// [name](judge_core::plan::Problem::referee_program).
    Referee(String),
    /// The entry of that name.
    Entry(String),
    /// The board of that name.
    Board(String),
    /// The round of that name.
    Round(String),
    /// The isolation that entries get on this machine.
    Isolation,
    /// The machine as a whole, such as its cores.
    Machine,
    /// The memory of the machine.
    Memory,
}

impl Subject {
    /// The name of the entry, if the subject is an entry.
    pub fn entry(&self) -> Option<&str> {
        match self {
            Self::Entry(name) => Some(name),
            _ => None,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Referee(program) => {
                let words = referee_in_words(program).unwrap_or_default();
                f.write_str(words.trim_start_matches("the "))
            }
            Self::Entry(name) => write!(f, "entry {name}"),
            Self::Board(name) => write!(f, "board {name}"),
            Self::Round(name) => write!(f, "round {name}"),
            Self::Isolation => f.write_str("isolation"),
            Self::Machine => f.write_str("machine"),
            Self::Memory => f.write_str("memory"),
        }
    }
}

/// The level of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The contest can run with it.
    Good,
    /// The contest can run, but the organiser should know this.
    Notice,
    /// The contest cannot run in this state.
    Problem,
}

/// Checks the programs of the active entries and of the referee on this machine, with the search path for programs. Entries in
/// `unbuilt` have no program, because their builds failed. If `another_user` executes the programs, files that only their owner
/// can read are problems.
pub fn programs_here(
    contest: &Contest,
    path: Option<&str>,
    unbuilt: &BTreeMap<String, Built>,
    another_user: bool,
) -> Vec<Finding> {
    let mut findings = programs(contest, path, unbuilt);
    if another_user {
        // A program that cannot be found has its own finding.
        let good = |one: &Finding| findings.iter().any(|of| of.subject == one.subject && of.level == Level::Good);
        let closed: Vec<Finding> = closed_files(contest, unbuilt).into_iter().filter(good).collect();
        findings.retain(|one| one.level != Level::Good || closed.iter().all(|closed| closed.subject != one.subject));
        findings.extend(closed);
    }
    findings
}

/// The first referee that cannot be started on this machine, in words, with the reason as a fragment. A referee with a build is
/// assumed to be built. `None` if all can be started, or none needs a program.
pub fn referee_obstacle(contest: &Contest, path: Option<&str>, another_user: bool) -> Option<(String, String)> {
    let of_referee = |one: Finding| match one.subject {
        Subject::Referee(program) => Some((referee_in_words(&program)?, one.finding)),
        _ => None,
    };
    let closed = || closed_files(contest, &BTreeMap::new()).into_iter().find_map(of_referee);
    referee_problem(contest, path).or_else(|| another_user.then(closed).flatten())
}

/// Checks the programs of the active entries and of the referee.
pub(crate) fn programs(contest: &Contest, path: Option<&str>, unbuilt: &BTreeMap<String, Built>) -> Vec<Finding> {
    let search = Search { directory: contest.directory(), path: path.unwrap_or_default() };
    let inside =
        |entry: &&Shared<Entry>| !contest.withdrawn.contains_key(&entry.name) && !unbuilt.contains_key(&entry.name);
    let entries = contest.plan.entries.iter().filter(inside).map(|entry| {
        if let Some(answers) = &entry.answers {
            let of_it = || contest.plan.boards.iter().filter(|board| entry.is_on(&board.name));
            let (boards, answered) =
                (of_it().count(), of_it().filter(|board| answers.contains_key(&board.name)).count());
            let level = if answered < boards { Level::Notice } else { Level::Good };
            let finding = format!("answers to {answered} of {}", count_text(boards, "board", "boards"));
            return Finding { level, subject: Subject::Entry(entry.name.clone()), finding };
        }
        let (level, finding) = of_program(&contest.command(entry), entry.build.as_deref(), &search, Origin::Contest);
        Finding { level, subject: Subject::Entry(entry.name.clone()), finding }
    });
    let referee = referees(contest).map(|(subject, command, build)| {
        let (level, finding) = of_program(&command, build, &search, Origin::Contest);
        Finding { level, subject, finding }
    });
    let of_referee = referee.chain(unbounded_talks(contest)).chain(may_start_entries(contest));
    of_referee.chain(entries).chain(unseen_changes(contest)).collect()
}

/// A notice for each referee that entries may send any number of lines. Their questions could exceed its limits, and the run
/// would be a judge error.
fn unbounded_talks(contest: &Contest) -> impl Iterator<Item = Finding> {
    let is_unbounded = |referee: &ExternalReferee| referee.talk.is_some() && referee.lines.is_none();
    let unbounded =
        contest.plan.problems.iter().filter(move |problem| problem.referee.as_deref().is_some_and(is_unbounded));
    let finding = "entries may write any number of lines to it, until it comes to a limit of its own, which is a judge \
                   error; set `lines` in [referee] to the most that a run needs";
    unbounded.map(|problem| Finding { level: Level::Notice, subject: of_problem(problem), finding: finding.into() })
}

/// The referee of a problem as a subject.
fn of_problem(problem: &Problem) -> Subject {
    Subject::Referee(problem.referee_program().into_owned())
}

/// A notice for each folder of a program whose changes are not detected.
fn unseen_changes(contest: &Contest) -> impl Iterator<Item = Finding> {
    unhashed(contest).into_iter().filter(|one| !contest.withdrawn.contains_key(&one.program)).map(|one| {
        let is_referee = referee_in_words(&one.program).is_some();
        let subject = if is_referee { Subject::Referee } else { Subject::Entry }(one.program.clone());
        let folder = one.folder.strip_prefix(contest.directory()).unwrap_or(&one.folder).display().to_string();
        let folder = if folder.is_empty() { "the contest's folder" } else { &folder };
        let finding = format!("changes in {folder} go unnoticed: {}; name the part of it that is needed", one.reason);
        Finding { level: Level::Notice, subject, finding }
    })
}

/// The commands of the referees that need a program, each with its build.
fn referees(contest: &Contest) -> impl Iterator<Item = (Subject, Vec<Argument>, Option<&str>)> {
    contest.plan.problems.iter().filter_map(|problem| {
        let referee = problem.referee.as_deref().filter(|referee| !referee.command.is_empty())?;
        Some((of_problem(problem), contest.referee_command(referee, &referee.command).0, referee.build.as_deref()))
    })
}

/// The reason why a command of the command line cannot run in this folder, and the remedy, as a fragment. `None` if it can run.
/// The command is a result of [`crate::resolve`], and `path` is the search path for programs.
pub fn problem(command: &[String], directory: &Path, path: Option<&str>) -> Option<String> {
    let command: Vec<Argument> = command.iter().cloned().map(Argument::Text).collect();
    let search = Search { directory, path: path.unwrap_or_default() };
    let (level, finding) = of_program(&command, None, &search, Origin::CommandLine);
    (level == Level::Problem).then_some(finding)
}

/// The first referee whose program cannot be started.
pub(crate) fn referee_problem(contest: &Contest, path: Option<&str>) -> Option<(String, String)> {
    let search = Search { directory: contest.directory(), path: path.unwrap_or_default() };
    contest.plan.problems.iter().find_map(|problem| {
        let referee = problem.referee.as_deref().filter(|referee| !referee.command.is_empty())?;
        let command = contest.referee_command(referee, &referee.command).0;
        let (level, finding) = of_program(&command, None, &search, Origin::Contest);
        (level == Level::Problem).then(|| Some((referee_in_words(&problem.referee_program())?, finding)))?
    })
}

/// A problem for each file that a command names and that only its owner can read. It matters if another user executes the
/// command: when the judge is root and uses namespaces.
pub(crate) fn closed_files(contest: &Contest, unbuilt: &BTreeMap<String, Built>) -> Vec<Finding> {
    let inside =
        |entry: &&Shared<Entry>| !contest.withdrawn.contains_key(&entry.name) && !unbuilt.contains_key(&entry.name);
    let entries = contest.plan.entries.iter().filter(inside);
    let entries = entries.map(|entry| (Subject::Entry(entry.name.clone()), contest.command(entry)));
    let referee = referees(contest).map(|(subject, command, _)| (subject, command));
    let closed = referee.chain(entries).flat_map(|(subject, command)| {
        let closed = program::closed_files(&command, contest.directory()).into_iter();
        closed.map(move |finding| Finding { level: Level::Problem, subject: subject.clone(), finding })
    });
    closed.collect()
}

/// Lists withdrawn entries, struck boards, and the later rounds with the numbers of their sealed and missing boards.
pub fn absent(contest: &Contest) -> Vec<Finding> {
    let notice = |subject: Subject, finding: String| Finding { level: Level::Notice, subject, finding };
    let withdrawn = contest.withdrawn.iter().map(|(entry, withdrawal)| {
        notice(Subject::Entry(entry.clone()), format!("{}: {}", withdrawal.word(), withdrawal.reason))
    });
    let struck =
        contest.struck.iter().map(|(board, why)| notice(Subject::Board(board.clone()), format!("struck: {why}")));
    let rounds = contest.plan.rounds.iter().skip(1).map(|round| {
        let there = |board: &&String| contest.has_board(board);
        let (sealed, there) = (round.seals.len(), round.boards.iter().filter(there).count());
        let missing = round.boards.len() - there;
        let boards = count_text(round.boards.len(), "board", "boards");
        notice(
            Subject::Round(round.name.clone()),
            match (sealed, missing) {
                (0, _) => boards,
                (_, 0) => format!("{boards}, {sealed} sealed; all are there and match their seals"),
                _ => format!("{boards}, {sealed} sealed; it opens when all are there, {missing} not yet"),
            },
        )
    });
    withdrawn.chain(struck).chain(rounds).collect()
}

/// The longest time that these runs can take on `slots` slots, according to their limits.
pub fn longest<'a>(plan: &Plan, runs: impl Iterator<Item = &'a RunKey>, slots: usize) -> Duration {
    let entries = plan.entries_by_name();
    let (mut sum, mut most) = (Duration::ZERO, Duration::ZERO);
    for key in runs {
        let time = plan.longest(key, |name| entries.get(name).copied());
        sum = sum.saturating_add(time);
        most = most.max(time);
    }
    most.max(sum / u32::try_from(slots.max(1)).unwrap_or(u32::MAX))
}
