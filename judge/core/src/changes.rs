//! Events that update a contest in progress to its contest file, each with a sentence.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::external::ExternalReferee;
use crate::fingerprint::{Hashes, KeptFiles};
use crate::hint::Hint;
use crate::journal::{
    BoardAndReason, BoardEvent, Build, Built, ContestState, EntryAndReason, EntryEvent, Line, RefereeEvent, Settings,
};
use crate::plan::{Board, Entry, Plan, Problem, Program, RoundPlan, published_seal, referee_in_words, same_programs};
use crate::withdrawal::Withdrawal;

/// The contest that a contest file describes.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct DesiredContest<'a> {
    /// The contest, including withdrawn entries and struck boards.
    pub plan: &'a Plan,
    /// The entries that are out, with the reason.
    pub withdrawn: &'a BTreeMap<String, Withdrawal>,
    /// The boards that do not count, with the reason.
    pub struck: &'a BTreeMap<String, String>,
    /// The present programs; `None` to leave them out of the comparison.
    pub programs: Option<&'a BTreeMap<String, Hashes>>,
    /// The entries whose latest build failed.
    pub unbuilt: &'a BTreeMap<String, Built>,
    /// True if all answers are refereed again, so that the referee may differ.
    pub rejudge: bool,
}

impl<'a> DesiredContest<'a> {
    /// A contest in which every entry takes part, every board counts and every build succeeded. Its programs are left out of the
    /// comparison.
    pub fn new(plan: &'a Plan) -> Self {
        static NONE: (BTreeMap<String, Withdrawal>, BTreeMap<String, String>, BTreeMap<String, Built>) =
            (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { plan, withdrawn: &NONE.0, struck: &NONE.1, programs: None, unbuilt: &NONE.2, rejudge: false }
    }
}

/// The reason why a contest file cannot be adopted: it changes something fixed, or leaves out something required.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// The referee's definition or program has changed, and the existing answers would keep the rulings of the previous one.
    #[error("the referee has changed, and a table has one referee")]
    OtherReferee,
    /// The refused change and the remedy, as a fragment.
    #[error("{0}")]
    Refused(String),
}

impl ChangeError {
    /// The remedy; `None` if the text contains it.
    pub fn hint(&self) -> Option<Hint> {
        matches!(self, Self::OtherReferee).then_some(Hint::RejudgeFirst)
    }
}

impl From<String> for ChangeError {
    fn from(reason: String) -> Self {
        Self::Refused(reason)
    }
}

/// A change of a contest.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The change and its reason, as a sentence without a full stop.
    pub sentence: String,
    /// The event that records the change.
    pub line: Line,
    /// True if only facts for people, participation in the ranking, or places of programs change.
    pub descriptive: bool,
}

impl Change {
    /// A change of only facts for people.
    pub fn descriptive(sentence: impl Into<String>, line: Line) -> Self {
        Self { sentence: sentence.into(), line, descriptive: true }
    }
}

/// The changes that make a contest equal to its file.
///
/// # Errors
/// [`ChangeError`] if the file changes something fixed, or leaves out something required.
pub fn changes(contents: &ContestState, asked: &DesiredContest<'_>) -> Result<Vec<Change>, ChangeError> {
    let &DesiredContest { plan, withdrawn, struck, .. } = asked;
    possible(contents, asked)?;
    let mut changes: Vec<Change> = settings(contents, plan).into_iter().collect();
    changes.extend(pairs(&contents.plan, plan).filter_map(|pair| tools(contents, pair)));
    let boards: HashMap<&str, &Board> = contents.plan.boards.iter().map(|board| (&*board.name, board)).collect();
    let rounds = plan.rounds_of_boards();
    for (board, round) in plan.boards.iter().zip(rounds) {
        changes.extend(of_board(boards.get(&*board.name).copied(), board, round, contents.round())?);
        let (before, now) = (contents.struck.get(&board.name), struck.get(&board.name));
        changes.extend(strike_change(&board.name, before, now));
    }
    let readable = contents.plan.readable != plan.readable;
    let isolation = contents.plan.isolation != plan.isolation;
    let entries = contents.plan.entries_by_name();
    for entry in &plan.entries {
        let (before, now) = (contents.withdrawn.get(&entry.name), withdrawn.get(&entry.name));
        let common = Common { contents, asked, readable, isolation, out: now.is_some() };
        changes.extend(common.of_entry(entries.get(&*entry.name).copied(), entry)?);
        changes.extend(withdrawal(&entry.name, before, now));
    }
    Ok(changes)
}

/// Tests whether a referee program has another definition than in the journal, or another program.
pub fn other_referee(contents: &ContestState, plan: &Plan, programs: Option<&BTreeMap<String, Hashes>>) -> bool {
    other_referees(contents, plan, programs).next().is_some()
}

/// The problems of a plan whose referee differs from the journal's, see [`other_referee`]. Each comes in its recorded and its
/// present form.
pub fn other_referees<'a>(
    contents: &'a ContestState,
    plan: &'a Plan,
    programs: Option<&'a BTreeMap<String, Hashes>>,
) -> impl Iterator<Item = (&'a Problem, &'a Problem)> {
    let is_other = move |(before, now): &(&Problem, &Problem)| {
        let Some((before, now, program)) = referees(before, now) else { return false };
        let known = contents.programs.get(&*program).zip(programs.and_then(|all| all.get(&*program)));
        !before.rules_like(now) || known.is_some_and(|(before, now)| !same_programs(before, now))
    };
    pairs(&contents.plan, plan).filter(is_other)
}

/// The problems that both plans have.
fn pairs<'a>(before: &'a Plan, now: &'a Plan) -> impl Iterator<Item = (&'a Problem, &'a Problem)> {
    now.problems.iter().filter_map(|problem| Some((before.problems.with_id(&problem.id)?, problem)))
}

/// The recorded and the present referee of a problem, if both are programs, with the name of the program.
fn referees<'a>(
    before: &'a Problem,
    now: &'a Problem,
) -> Option<(&'a ExternalReferee, &'a ExternalReferee, Cow<'static, str>)> {
    Some((before.referee.as_deref()?, now.referee.as_deref()?, now.referee_program()))
}

/// The change of a referee's tools for boards, which do not affect rulings.
fn tools(contents: &ContestState, (before, now): (&Problem, &Problem)) -> Option<Change> {
    let problem = now;
    let (before, now, program) = referees(before, now)?;
    if before == now || !before.rules_like(now) {
        return None;
    }
    let programs = contents.programs.get(&*program).map(|files| Hashes::clone(files)).unwrap_or_default();
    let whose = referee_in_words(&program).unwrap_or_default();
    let sentence = format!("{whose} has other tools for boards: check, make, show or folder");
    let line = Line::Referee(Box::new(RefereeEvent::new(&*problem.id, now.clone(), programs)));
    Some(Change { sentence, line, descriptive: true })
}

/// Refuses changes of fixed properties, and files that leave out something required.
fn possible(contents: &ContestState, asked: &DesiredContest<'_>) -> Result<(), ChangeError> {
    let (before, plan) = (&contents.plan, asked.plan);
    if !before.problems.iter().map(|problem| &problem.id).eq(plan.problems.iter().map(|problem| &problem.id)) {
        return Err("its problems cannot change; start a new contest".to_owned().into());
    }
    if pairs(before, plan).any(|(before, now)| before.game != now.game || before.rules != now.rules) {
        return Err("the game and its rules cannot change; start a new contest".to_owned().into());
    }
    if before.match_rules != plan.match_rules {
        return Err("`[match]` cannot change; start a new contest".to_owned().into());
    }
    if before.match_rules.is_some() && before.scoring != plan.scoring {
        return Err("a contest cannot get its first knock-out round, or lose its last one; start a new contest"
            .to_owned()
            .into());
    }
    if before.scoring != plan.scoring
        || pairs(before, plan).any(|(before, now)| before.input != now.input || before.stream != now.stream)
    {
        let reason =
            "`input`, `stream`, and `score`, `decimals` and `full` of the referee cannot change; start a new contest";
        return Err(reason.to_owned().into());
    }
    if !asked.rejudge && other_referee(contents, plan, asked.programs) {
        return Err(ChangeError::OtherReferee);
    }
    let entries: HashSet<&str> = plan.entries.iter().map(|entry| &*entry.name).collect();
    if let Some(Entry { name, .. }) =
        before.entries.iter().map(|entry| &**entry).find(|entry| !entries.contains(&*entry.name))
    {
        return Err(format!(
            "entry {name} is not in the contest file any more; to take it out of the contest, keep its table and add \
             withdrawn = \"REASON\" or disqualified = \"REASON\""
        )
        .into());
    }
    let rounds: HashMap<&str, u32> =
        plan.boards.iter().map(|board| &*board.name).zip(plan.rounds_of_boards()).collect();
    let open = contents.round();
    for (Board { name, .. }, was) in before.boards.iter().zip(before.rounds_of_boards()) {
        let Some(&round) = rounds.get(&**name) else {
            return Err(format!(
                "board {name} is not in the contest file any more; to take it out of the contest, keep its table and \
                 add struck = \"REASON\""
            )
            .into());
        };
        if round != was && round.min(was) <= open {
            return Err(format!(
                "board {name} cannot move to another round, because round {} has opened; add it there under another name",
                round.min(was)
            ).into());
        }
    }
    let rule =
        |plan: &Plan, round| plan.round_plan(round).map(|of| (of.advance, of.tie_on.clone(), plan.schedule_in(round)));
    match (1..open).find(|&round| rule(before, round) != rule(plan, round)) {
        Some(round) => {
            Err(format!("round {round} is over: its `advance`, `tie_on` and `schedule` cannot change").into())
        }
        None => Ok(()),
    }
}

/// The change of all settings except boards and entries, but including their order.
fn settings(contents: &ContestState, plan: &Plan) -> Option<Change> {
    let before = &contents.plan;
    let mut reasons: Vec<String> = Vec::new();
    let mut descriptive = true;
    if before.name != plan.name {
        reasons.push(format!("its name is {}", plan.name));
    }
    let titled = pairs(before, plan).filter(|(was, now)| was.name != now.name);
    reasons.extend(titled.map(|(_, now)| format!("the name of {} is {}", now.id, now.name)));
    if before.shown != plan.shown {
        reasons.push("its statements, write-ups or best known answers".into());
    }
    let described = reasons.len();
    for (_, now) in pairs(before, plan).filter(|(was, now)| was.limits != now.limits) {
        reasons.push(format!("limits{}: {}", now.of_it(), now.limits));
    }
    if before.isolation != plan.isolation {
        reasons.push(format!("isolation: {}", plan.isolation.name()));
    }
    if before.readable != plan.readable {
        reasons.push(format!("readable: {}", plan.readable.join(", ")));
    }
    if before.ranking != plan.ranking {
        let keys: Vec<&str> = plan.ranking.iter().map(|key| key.name()).collect();
        reasons.push(format!("ranking: {}", keys.join(", ")));
    }
    if before.repeat != plan.repeat {
        reasons.push(format!("repeat: {}", plan.repeat));
    }
    if before.rounds != plan.rounds {
        let names: Vec<&str> = plan.rounds.iter().map(|round: &RoundPlan| round.name.as_str()).collect();
        reasons.push(format!("rounds: {}", names.join(", ")));
        reasons.extend(other_seals(before, plan));
    }
    if reasons.len() > described {
        descriptive = false;
    }
    let (had, has) = (Settings::from_plan(before), Settings::from_plan(plan));
    if moved(&had.boards, &has.boards) || moved(&had.entries, &has.entries) {
        reasons.push("the order of its boards and entries".into());
    }
    if reasons.is_empty() {
        return None;
    }
    let sentence = format!("the contest changes: {}", reasons.join("; "));
    let line = Line::Settings(Box::new(Settings { reasons, ..Settings::from_plan(plan) }));
    Some(Change { sentence, line, descriptive })
}

/// Published seals that the contest file replaces or drops, each with its hash. Participants compare seals with the boards.
fn other_seals(before: &Plan, plan: &Plan) -> Vec<String> {
    let now: HashMap<&String, &String> = plan.rounds.iter().flat_map(|round| &round.seals).collect();
    let published = before.rounds.iter().flat_map(|round| &round.seals);
    let other = published.filter_map(|(board, seal)| match now.get(board) {
        Some(now) if *now == seal => None,
        Some(now) => {
            let (now, seal) = (published_seal(now), published_seal(seal));
            Some(format!("the seal of board {board} is {now} instead of {seal}"))
        }
        None => Some(format!("board {board} is no longer sealed; its seal was {}", published_seal(seal))),
    });
    other.collect()
}

/// Tests whether names changed their order: new names are expected after the old ones.
fn moved(had: &[String], has: &[String]) -> bool {
    let known: HashSet<&String> = had.iter().collect();
    let new = has.iter().filter(|name| !known.contains(name));
    !had.iter().chain(new).eq(has)
}

/// The change of a board from its recorded form. `round` is its round, and `open` the open one.
fn of_board(before: Option<&Board>, board: &Board, round: u32, open: u32) -> Result<Option<Change>, ChangeError> {
    let name = &board.name;
    let (sentence, reason, descriptive) = match before {
        Some(before) if before == board => return Ok(None),
        Some(before) if before.is_judged_like(board) => {
            (format!("board {name} is described anew"), Some("its note or its mark"), true)
        }
        Some(_) if round < open => {
            return Err(format!("board {name} cannot be replaced: its round {round} is over").into());
        }
        Some(_) => {
            let sentence = format!("board {name} is another one, so all entries run on it; earlier attempts are kept");
            (sentence, Some("its text has changed"), false)
        }
        None if round < open || (round == open && open > 1) => {
            return Err(format!("board {name} cannot be added: its round {round} has opened").into());
        }
        None => (format!("board {name} is new"), None, false),
    };
    let event = BoardEvent { board: board.clone(), reason: reason.map(str::to_owned) };
    Ok(Some(Change { sentence, line: Line::Board(Box::new(event)), descriptive }))
}

fn strike_change(board: &str, before: Option<&String>, now: Option<&String>) -> Option<Change> {
    let event = |reason: &str| BoardAndReason { board: board.to_owned(), reason: reason.to_owned() };
    let (sentence, line) = match (before, now) {
        (before, now) if before == now => return None,
        (_, Some(reason)) => {
            (format!("board {board} is struck, its runs do not count: {reason}"), Line::Struck(event(reason)))
        }
        (_, None) => {
            let reason = "the contest file does not strike it any more";
            (format!("board {board} counts again: {reason}"), Line::Reinstated(event(reason)))
        }
    };
    Some(Change { sentence, line, descriptive: false })
}

fn withdrawal(entry: &str, before: Option<&Withdrawal>, now: Option<&Withdrawal>) -> Option<Change> {
    let event = |withdrawal: Withdrawal| EntryAndReason { entry: entry.to_owned(), withdrawal };
    let (sentence, line) = match (before, now) {
        (before, now) if before == now => return None,
        (_, Some(now)) => {
            let sentence = format!("entry {entry} is {}, its runs do not count: {}", now.word(), now.reason);
            (sentence, Line::Withdrawn(event(now.clone())))
        }
        (_, None) => {
            let reason = "the contest file has it again".to_owned();
            let sentence = format!("entry {entry} is in the contest again: {reason}");
            (sentence, Line::Restored(event(Withdrawal::new(reason))))
        }
    };
    Some(Change { sentence, line, descriptive: false })
}

/// The conditions that all entries share.
struct Common<'a> {
    contents: &'a ContestState,
    asked: &'a DesiredContest<'a>,
    /// True if the contest's readable files have changed. `isolation` is the same for its isolation.
    readable: bool,
    isolation: bool,
    /// True if the entry is out of the contest, so that none of its runs is executed.
    out: bool,
}

impl Common<'_> {
    /// The change of an entry from its recorded form.
    fn of_entry(&self, before: Option<&Entry>, entry: &Entry) -> Result<Option<Change>, ChangeError> {
        let Self { contents, asked, .. } = self;
        let name = &entry.name;
        let recorded = contents.programs.get(name).map(|files| &**files);
        let now = asked.programs.map_or(recorded, |programs| programs.get(name));
        let programs = now.cloned().unwrap_or_default();
        let Some(before) = before else {
            if contents.round() > 1 {
                let round = contents.round();
                return Err(format!("entry {name} cannot be added: round {round} has opened").into());
            }
            let event = EntryEvent::new(entry.clone(), programs);
            let sentence = format!("entry {name} is new");
            return Ok(Some(Change { sentence, line: Line::Entry(Box::new(event)), descriptive: false }));
        };
        let moved = ProgramComparison::between((before, recorded), (entry, &programs));
        let again = if self.out { Vec::new() } else { self.reasons(before, entry, moved) };
        if again.is_empty() {
            // The program of an entry that is out is compared when the entry comes back.
            let runs = if self.out { before } else { entry };
            let described = Entry {
                author: entry.author.clone(),
                year: entry.year,
                strategy: entry.strategy.clone(),
                competing: entry.competing,
                command: runs.command.clone(),
                build: runs.build.clone(),
                folder: runs.folder.clone(),
                ..before.clone()
            };
            let facts = described_anew(before, &described);
            if facts.is_empty() {
                return Ok(None);
            }
            let reason = facts.join(", ");
            let sentence = format!("entry {name} is described anew: {reason}");
            let has_moved = described.command != before.command;
            let mut event = EntryEvent::new(described, recorded.cloned().unwrap_or_default());
            if has_moved {
                event.kept = self.kept_of(name, &programs);
                event.programs = programs;
            }
            (event.keeps_runs, event.reason) = (true, Some(reason));
            return Ok(Some(Change { sentence, line: Line::Entry(Box::new(event)), descriptive: true }));
        }
        let reason = again.join(", ");
        let sentence = format!("entry {name} runs again: {reason}; earlier attempts are kept");
        let mut event = EntryEvent::new(entry.clone(), programs);
        event.reason = Some(reason);
        Ok(Some(Change { sentence, line: Line::Entry(Box::new(event)), descriptive: false }))
    }

    /// The files of a program that the results directory has from its last version.
    fn kept_of(&self, entry: &str, programs: &Hashes) -> KeptFiles {
        let last = self.contents.versions.get(entry).and_then(|versions| versions.last());
        let stored: HashSet<&String> =
            last.into_iter().flat_map(|last| last.kept.iter().filter_map(|file| last.programs.get(file))).collect();
        programs.iter().filter(|(_, hash)| stored.contains(hash)).map(|(file, _)| file.clone()).collect()
    }

    /// The reasons why the runs of an entry are repeated, as fragments. They cover everything that defines a run.
    fn reasons(&self, before: &Entry, now: &Entry, moved: ProgramComparison) -> Vec<String> {
        let (contents, plan) = (self.contents, self.asked.plan);
        let round = contents.round();
        let limits = |plan: &Plan, entry: &Entry| {
            plan.limits_of(entry).map(|limits| plan.in_round(round, limits)).collect::<Vec<_>>()
        };
        let limits = limits(&contents.plan, before) != limits(plan, now);
        let compare = self.asked.programs.is_some();
        let failed = |build: &Build| build.entries.contains(&now.name) && matches!(build.built, Built::Failed { .. });
        let failed_before = contents.builds.iter().any(|build| failed(build));
        let fails_now = matches!(self.asked.unbuilt.get(&now.name), Some(Built::Failed { .. }));
        let reasons = [
            (before.command != now.command && !(compare && moved.same), "its command has changed"),
            (before.answers != now.answers, "its answers have changed"),
            (other_build(before, now) && !(compare && moved.same && moved.whole), "its build has changed"),
            (compare && !moved.recorded, "its program has changed"),
            (compare && fails_now && !failed_before, "its build fails now"),
            (compare && failed_before && !fails_now, "its build succeeds now"),
            (before.readable != now.readable || self.readable, "the files that it may read have changed"),
            (before.working_files != now.working_files, "the files in its working directory have changed"),
            (limits, "its limits have changed"),
            (self.isolation, "the isolation has changed"),
        ];
        reasons.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason.to_owned()).collect()
    }
}

/// The conclusions from the hashes of an entry's program. A program consists of its files: equal files are the same program,
/// wherever they are, and whichever command built them.
#[derive(Clone, Copy)]
struct ProgramComparison {
    /// True if every file is recorded unchanged, at its place or at the new place in the command.
    recorded: bool,
    /// True if the command executes the same files in the same way.
    same: bool,
    /// True if the hashes cover the whole result of the build.
    whole: bool,
}

impl ProgramComparison {
    fn between(before: (&Entry, Option<&Hashes>), (now, programs): (&Entry, &Hashes)) -> Self {
        let (before, Some(recorded)) = before else { return Self { recorded: false, same: false, whole: false } };
        let program = Program { command: &now.command, files: programs };
        let same = Program { command: &before.command, files: recorded }.is_moved_to(program);
        Self { recorded: same || same_programs(recorded, programs), same, whole: program.is_whole() }
    }
}

fn other_build(before: &Entry, now: &Entry) -> bool {
    before.build != now.build || before.folder != now.folder
}

/// The changed facts that do not affect runs, as fragments.
fn described_anew(before: &Entry, now: &Entry) -> Vec<String> {
    let facts = [
        (before.command != now.command, "the same program is at another place"),
        (other_build(before, now), "the same program is built by another command"),
        (before.author != now.author, "author"),
        (before.year != now.year, "year"),
        (before.strategy != now.strategy, "strategy"),
        (before.competing != now.competing, if now.competing { "competes" } else { "does not compete" }),
    ];
    facts.into_iter().filter(|(holds, _)| *holds).map(|(_, fact)| fact.to_owned()).collect()
}
