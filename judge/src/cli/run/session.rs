//! Prepares a contest: begins, resumes or updates it.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::Args;
use crate::cli::adhoc::{self, many};
use crate::cli::builds::{Builds, Site, build_entries};
use crate::cli::check::{programs_of, startable};
use crate::cli::directory::{contest_path, make_results, next_results, say_if_guessable, seen_from};
use crate::cli::game::GameArgs;
use crate::cli::isolation::{contest_executor, is_landlock, limits, lost, say_if_overheard};
use crate::cli::message::Message;
use crate::cli::rejudge::{TALKS_AGAIN, is_talked_to, keep_positions};
use crate::cli::slurm::EngineName;
use crate::cli::{Failure, deviations, environment, say};
use judge_contest::check::{Level, longest};
use judge_contest::conduct::{Beginning, Conduct, ConductError};
use judge_contest::external::{RefereeContext, ToolError};
use judge_contest::journal::Journal;
use judge_contest::programs::{NotKept, hashes, keep_all};
use judge_contest::update::{Now, changes_to, entries_to_run, waits_for_boards};
use judge_contest::{Contest, FILE_NAME, NewContest, Overrides, milliseconds};
use judge_core::changes::{Change, ChangeError, other_referee};
use judge_core::fingerprint::Hashes;
use judge_core::journal::{Built, Contents, Line, REFEREE_PROGRAM, Round, Settings};
use judge_core::key::RunKey;
use judge_core::plan::same_programs;
use judge_core::results::name_of;
use judge_job::{count_text, duration_text};
use judge_report::directory::{argument, short};
use judge_report::with_way_out_of;
use judge_sandbox::{Executor as _, Interrupt, IsolationMode, LocalExecutor, Tier};
use judge_show::live::Shown;

/// A contest ready to run: new, or with some of its runs executed.
pub(super) struct Session<'a> {
    pub(super) conduct: Conduct,
    pub(super) builds: Builds,
    /// The programs in their present state.
    pub(super) programs: BTreeMap<String, Hashes>,
    pub(super) executor: LocalExecutor<'a>,
}

impl<'a> Session<'a> {
    /// Resumes the contest of a journal after these changes, which are recorded together with the builds.
    pub(super) fn resume(
        (contest, journal, results): (Contest, Journal, &Path),
        mut lines: Vec<Line>,
        (builds, programs): (Builds, BTreeMap<String, Hashes>),
        executor: LocalExecutor<'a>,
    ) -> Result<Self, Failure> {
        let conduct = Conduct::resume(contest, journal, results).map_err(failure)?;
        // Builds behind the changes: they name entries that may be new, and a judge that is killed while it writes
        // shall find again what the builds changed.
        lines.extend(lines_of(&builds));
        conduct.update(lines).map_err(failure)?;
        Ok(Self { conduct, builds, programs, executor })
    }

    /// Opens the next round if it can begin, and reports that.
    pub(super) fn open_next_round(&self) -> Result<bool, Failure> {
        let before = self.conduct.contents().round();
        let round = self.conduct.open_next_round().map_err(failure)?;
        round.iter().for_each(|round| say(&opens(round, before)));
        Ok(round.is_some())
    }

    /// Opens the first round again whose games do not follow from the results any more, and reports that.
    pub(super) fn follow_results(&self) -> Result<(), Failure> {
        let before = self.conduct.contents();
        if let Some(round) = self.conduct.follow_results().map_err(failure)? {
            say(&opens(&round, before.round()));
            fall(&before, &self.conduct.contents()).iter().for_each(|line| say(line));
        }
        Ok(())
    }
}

/// Tests whether builds have no private root. The isolation of builds is set separately; `auto` gives them at least the tier of
/// runs.
fn is_built_under_landlock(contest: &Contest, executor: &LocalExecutor<'_>) -> bool {
    let builds = contest.plan.entries.iter().any(|entry| entry.build.is_some());
    builds && contest.builds.isolation == IsolationMode::Landlock && executor.isolation().tier > Tier::ProcessGroup
}

pub(super) fn failure(error: ConductError) -> Failure {
    match error {
        ConductError::Contest(_) | ConductError::Round(_) => Failure::input(error),
        error => Failure::judge(error),
    }
}

impl Args {
    pub(super) fn begin<'i>(&self, shown: Shown, interrupt: &'i Interrupt) -> Result<Session<'i>, Failure> {
        let new = |secret: bool| match &self.out {
            Some(directory) => make_results(directory),
            None => next_results(secret),
        };
        // A contest that the command line describes is written into the results directory.
        let written = self.game.as_ref().map(|game| {
            let contest = self.adhoc(game)?;
            let files = adhoc::files(&contest)?;
            let executor = LocalExecutor::new(interrupt, self.isolation.unwrap_or(IsolationMode::Auto));
            let results = new(is_landlock(&executor.map_err(Failure::judge)?))?;
            adhoc::announce("writing", contest.seeds);
            let path = files.write(&results).map_err(adhoc::failure)?;
            adhoc::announce("reading", contest.seeds);
            Ok::<_, Failure>((path, results))
        });
        let (path, made) = written.transpose()?.unzip();
        let path = path.or_else(|| self.contest.clone()).unwrap_or_else(|| FILE_NAME.into());
        let others = made.is_none() && (!self.on.is_empty() || self.seeds.is_some());
        if let Some(boards) = many(self.seeds.as_ref()).filter(|_| others) {
            say(&format!("making {boards}"));
        }
        let others = others.then(|| Contest::boards_from(&path, &self.on, self.seeds.as_ref()));
        let others = others.transpose().map_err(Failure::input)?;
        let mut overrides = Overrides::default();
        (overrides.wall_ms, overrides.repeat) = (self.limit.map(milliseconds), self.repeat);
        (overrides.entries, overrides.boards) = (self.entries.clone(), self.boards.clone());
        overrides.other_boards = others.as_ref().map(|others| others.boards.clone());
        let mut contest = Contest::load(&path, &overrides).map_err(Failure::input)?;
        if contest.plan.entries.is_empty() {
            let path = path.display();
            return Err(Failure::input(format!(
                "{path} has no [[entry]]: teams hand in all of them, and `judge serve` judges them"
            )));
        }
        if contest.plan.match_rules.as_ref().is_some_and(|rules| rules.called) {
            let path = path.display();
            return Err(Failure::input(format!(
                "{path} has [office]: `judge serve` or `judge office judge` lets the players of teams play"
            )));
        }
        contest.add_files_of(others.unwrap_or_default());
        self.has_room_for_page(&contest)?;
        contest.keep_programs = self.keep_programs.unwrap_or(contest.keep_programs);
        let executor = self.executor(&contest, interrupt)?;
        if contest.plan.referee.as_ref().is_some_and(|referee| referee.build.is_none()) {
            startable(&contest, &executor)?;
        }
        let landlock = is_landlock(&executor) || is_built_under_landlock(&contest, &executor);
        let results = made.map_or_else(|| new(landlock), Ok)?;
        if landlock {
            say_if_guessable(&results);
        }
        say_if_overheard(&contest, &executor);
        contest.keep_files(&results).map_err(Failure::judge)?;
        let builds = build_entries(&contest, &site(&results, shown, interrupt), None)?;
        startable(&contest, &executor)?;
        check_boards(&contest, &results, &executor, interrupt)?;
        let path = environment("PATH");
        warn(&contest, &builds.unbuilt(), &executor, |_| false);
        let programs = hashes(&contest, path.as_deref());
        let file = seen_from(&results, &contest.path);
        let (kept, refused) = keep_all(&contest, &programs, &results);
        say_not_kept(&refused, &results);
        let (contest_file, comment, built) = (file, self.comment.clone(), builds.all.clone());
        let begun = programs.clone();
        let judge = Some(crate::cli::version::text().to_owned());
        let with = Beginning { contest_file, overrides, programs: begun, kept, path, judge, comment, builds: built };
        let conduct = Conduct::begin(contest, &results, with, crate::cli::clock).map_err(Failure::judge)?;
        Ok(Session { conduct, builds, programs, executor })
    }

    /// The contest that the command line describes.
    fn adhoc(&self, game: &str) -> Result<NewContest<'_>, Failure> {
        if self.on.is_empty() && self.seeds.is_none() {
            let message = "--game needs boards: add --seeds, for example --seeds 1-100, or --on with board files";
            return Err(Failure::input(message));
        }
        let name = format!("{game}, {}", count_text(self.entry.len(), "entry", "entries"));
        let mut contest = adhoc::contest(name, &GameArgs::for_game(game))?;
        (contest.boards, contest.seeds) = (&self.on, self.seeds.as_ref());
        contest.entries.clone_from(&self.entry);
        contest.limit = self.limit.unwrap_or(contest.limit);
        Ok(contest)
    }

    /// Resumes a contest. Its file may have changed only in descriptions.
    pub(super) fn resume<'i>(
        &self,
        results: &Path,
        shown: Shown,
        interrupt: &'i Interrupt,
    ) -> Result<Session<'i>, Failure> {
        let (journal, contents) = open(results)?;
        let mut contest = self.file_of(results, &contents)?;
        let path = contest.path.display().to_string();
        let refuse = |difference: &str| {
            let update = format!("judge run --update {}", argument(results));
            let results = short(results);
            let results = results.display();
            Failure::input(format!(
                "{path} does not match the contest in {results}: {difference}; make the change part of the contest with \
                 `{update}`, restore the contest file, or start a new contest without --resume"
            ))
        };
        let mut known = contents.plan.clone();
        if other_referee(&contents, &contest.plan, None) {
            if !self.may_rejudge(&contest) {
                return Err(cannot_change(&contest, results, &ChangeError::OtherReferee));
            }
            known.referee.clone_from(&contest.plan.referee);
        }
        if let Some(difference) = known.difference(&contest.plan) {
            return Err(refuse(&difference));
        }
        let now = Now { rejudge: self.may_rejudge(&contest), ..Now::default() };
        let mut changes = changes_to(&contest, &contents, &now).map_err(|error| refuse(&error.message()))?;
        if let Some(change) = changes.iter().find(|change| !change.descriptive) {
            return Err(refuse(&change.sentence));
        }
        changes.extend(self.new_comment(&contents, &contest));
        contest.keep_files(results).map_err(Failure::input)?;
        let executor = self.executor(&contest, interrupt)?;
        if is_landlock(&executor) {
            say_if_guessable(results);
        }
        say_if_overheard(&contest, &executor);
        let needed = entries_to_run(&contents, self.repeat_suspect > 0);
        let builds = build_entries(&contest, &site(results, shown, interrupt), needed.as_ref())?;
        // What was not built need not be there.
        let idle = |contest: &Contest, entry: &str| {
            let entry = contest.plan.entries.iter().find(|known| known.name == entry);
            let built = entry.is_some_and(|entry| entry.build.is_some());
            built && entry.zip(needed.as_ref()).is_some_and(|(entry, needed)| !needed.contains(&entry.name))
        };
        if needed.as_ref().is_none_or(|needed| !needed.is_empty()) {
            warn(&contest, &builds.unbuilt(), &executor, |entry| idle(&contest, entry));
        }
        let path = environment("PATH");
        if let Some(before) = contents.header.path.as_ref().filter(|before| path.as_ref() != Some(before)) {
            let now = path.as_deref().unwrap_or_default();
            say(&format!("notice: PATH has changed since the contest started, from `{before}` to `{now}`"));
        }
        let programs = hashes(&contest, path.as_deref());
        let mut lines: Vec<Line> = changes.into_iter().map(|change| change.line).collect();
        let mut again = None;
        let idle_referee = needed.as_ref().is_some_and(HashSet::is_empty);
        if !idle_referee {
            startable(&contest, &executor)?;
        }
        if self.rejudge || !idle_referee {
            if !self.may_rejudge(&contest) && other_referee(&contents, &contest.plan, Some(&programs)) {
                return Err(cannot_change(&contest, results, &ChangeError::OtherReferee));
            }
            again =
                self.rejudge_first(&mut contest, results, &contents, &mut lines, &programs, &executor, interrupt)?;
        } else if other_referee(&contents, &contest.plan, Some(&programs))
            && contest.plan.referee.as_ref().is_some_and(|referee| referee.build.is_none())
        {
            say(&format!(
                "notice: the referee has changed since the contest started; `judge rejudge {}` referees the \
                 answers there are again",
                argument(results)
            ));
        }
        for (entry, files) in programs.iter().filter(|(entry, _)| *entry != REFEREE_PROGRAM) {
            let differs = !contents.programs.get(entry).is_some_and(|known| same_programs(known, files));
            if differs && !contest.withdrawn.contains_key(entry) && !idle(&contest, entry) {
                say(&format!(
                    "notice: the program of {entry} has changed since the contest started; `judge run --update {}` makes \
                     its runs again",
                    argument(results)
                ));
            }
        }
        self.say_if_lost(&contents, &executor)?;
        drop(contents);
        let session = Session::resume((contest, journal, results), lines, (builds, programs), executor)?;
        again.iter().try_for_each(|again| keep_positions(again, results))?;
        Ok(session)
    }

    /// Reports the isolation that the recorded runs had and runs on this machine lack.
    pub(super) fn say_if_lost(&self, contents: &Contents, executor: &LocalExecutor<'_>) -> Result<(), Failure> {
        if let (EngineName::Local, Some(lost)) = (self.engine_here()?, lost(contents, executor)) {
            say(&format!("warning: {lost}"));
        }
        Ok(())
    }

    /// The number of runs to execute, by entry, and the longest time that they can take: on this machine until the last one
    /// ends; on a cluster the sum of all, because it may begin them at any time.
    pub(super) fn to_be_made(
        &self,
        contest: &Contest,
        contents: &Contents,
        executor: &LocalExecutor<'_>,
        missing: &[usize],
    ) -> Result<String, Failure> {
        if missing.is_empty() {
            return Ok("no run to execute".into());
        }
        let (mut runs, plays): (BTreeMap<&str, usize>, _) = (BTreeMap::new(), contest.plan.match_rules.is_some());
        for &index in missing {
            *runs.entry(&contents.order()[index].entry).or_default() += 1;
        }
        let (what, each) = match plays {
            true => {
                let names: Vec<String> = missing.iter().map(|&index| name_of(&contents.order()[index])).collect();
                (count_text(missing.len(), "game to play", "games to play"), first_names(&names))
            }
            false => {
                let each: Vec<String> = runs.iter().map(|(entry, runs)| format!("{entry} {runs}")).collect();
                (format!("{} to execute", count_text(missing.len(), "run", "runs")), each.join(", "))
            }
        };
        let engine = self.engine_here()?;
        let slots = match engine {
            EngineName::Local => executor.capacity(&limits(contest), self.jobs).slots.len(),
            EngineName::Slurm => 1,
        };
        let keys = missing.iter().map(|&index| &contents.order()[index]);
        let time = duration_text(longest(&contest.plan, keys, slots).as_secs().max(1).saturating_mul(1000));
        let bound = match engine {
            EngineName::Local => format!("at most {time} at {slots} at a time"),
            EngineName::Slurm => format!("at most {time} in all, shared by the nodes of the cluster"),
        };
        Ok(format!("{what}: {each}; {bound}"))
    }

    pub(super) fn new_comment(&self, contents: &Contents, contest: &Contest) -> Option<Change> {
        let comment = self.comment.as_ref().filter(|comment| contents.comment.as_ref() != Some(comment))?;
        let sentence = format!("the contest's comment is: {comment}");
        let mut settings = Settings::from_plan(&contest.plan);
        (settings.comment, settings.reasons) = (Some(comment.clone()), vec!["its comment".into()]);
        Some(Change::descriptive(sentence, Line::Settings(Box::new(settings))))
    }

    /// The contest of the present contest file of a results directory, with the sealed boards of rounds that have
    /// opened.
    pub(super) fn file_of(&self, results: &Path, contents: &Contents) -> Result<Contest, Failure> {
        let header = &contents.header;
        let path = contest_path(results, header, self.contest.as_deref(), "judge run FILE --resume or --update DIR")?;
        let mut contest = Contest::load(&path, &header.overrides).map_err(Failure::input)?;
        contest.unseal(|board| contents.plan.boards.iter().any(|known| known.name == board));
        contest.keep_programs = self.keep_programs.unwrap_or(contest.keep_programs);
        self.has_room_for_page(&contest)?;
        Ok(contest)
    }

    /// Refuses to write a page of a contest that is too large for one, before anything is run.
    fn has_room_for_page(&self, contest: &Contest) -> Result<(), Failure> {
        let runs = contest.plan.entries.len().saturating_mul(contest.plan.boards.len());
        if !self.report || runs <= judge_page::MAX_RUNS {
            return Ok(());
        }
        Err(cannot(contest, format!("{}; run the contest without --report", judge_page::TooManyRuns { runs })))
    }

    /// The isolation that the command line or the contest requires.
    pub(super) fn isolation_of(&self, contest: &Contest) -> IsolationMode {
        self.isolation.unwrap_or(contest.plan.isolation)
    }

    /// The executor, if this machine has the isolation that the contest and the command line require. On a cluster, the
    /// nodes must have it.
    pub(super) fn executor<'i>(
        &self,
        contest: &Contest,
        interrupt: &'i Interrupt,
    ) -> Result<LocalExecutor<'i>, Failure> {
        let (demanded, demand) = (contest.plan.isolation, self.isolation_of(contest));
        if demanded == IsolationMode::Require && demand != IsolationMode::Require {
            let (demand, path) = (demand.name(), contest.path.display());
            return Err(Failure::input(format!(
                "--isolation {demand} is weaker than {path} requires; change its `isolation`, or omit the option"
            )));
        }
        match self.engine_here()? {
            EngineName::Local => contest_executor(contest, demand, interrupt),
            EngineName::Slurm => LocalExecutor::new(interrupt, demand).map_err(Failure::judge),
        }
    }
}

/// The first of these names of games.
fn first_names(names: &[String]) -> String {
    /// The most games that a line names.
    const MOST: usize = 20;
    let more = names.len().saturating_sub(MOST);
    let first = names[..names.len() - more].join(", ");
    format!("{first}{}", if more > 0 { format!(", and {more} more") } else { String::new() })
}

/// A sentence about the next round and its runs, if it waits for sealed boards whose files are missing.
pub(super) fn sealed_round(contest: &Contest, contents: &Contents) -> Option<String> {
    let (upcoming, absent) = waits_for_boards(contest, contents)?;
    let who = upcoming.who().unwrap_or_else(|| format!("at most {} then", count_text(upcoming.runs, "run", "runs")));
    Some(format!("round {} opens when its sealed boards are there: {}; {who}", upcoming.name, absent.join(", ")))
}

/// A round and the entries for which it opens while another one was open, for people.
pub(super) fn opens(round: &Round, open: u32) -> String {
    let name = round.name.as_ref().map_or(String::new(), |name| format!(", {name}"));
    let again = if round.number <= open { ", as it follows from the results now" } else { "" };
    format!("round {}{name}{again}: {}", round.number, round.entrants().join(", "))
}

/// The games with a result that fall: they count in one contest and do not follow from the results of the other. For people.
pub(super) fn fall(before: &Contents, after: &Contents) -> Option<String> {
    let counts = |key: &RunKey| before.index_of(key).is_some() && before.counts(key);
    let keys = after.fallen().filter_map(|run| after.key_of(run)).filter(counts);
    let names: Vec<String> = keys.map(|key| name_of(&key)).collect();
    let games = count_text(names.len(), "game falls", "games fall");
    (!names.is_empty()).then(|| format!("{games}: {}", first_names(&names)))
}

/// Asks a referee program whether the boards are usable.
pub(super) fn check_boards(
    contest: &Contest,
    results: &Path,
    executor: &LocalExecutor<'_>,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let context = RefereeContext { executor, processors: Vec::new(), results: Some(results) };
    contest.check_boards(&context).map_err(|error| match error {
        ToolError::Interrupted => Failure::interrupted("interrupted before the first run", interrupt),
        error => Failure::input(error),
    })
}

/// Opens the journal of a contest to continue it.
pub(super) fn open(results: &Path) -> Result<(Journal, Contents), Failure> {
    crate::cli::check_not_final(results)?;
    let (journal, contents) = Journal::resume(results, crate::cli::clock).map_err(|error| Failure::journal(&error))?;
    if contents.torn_bytes > 0 {
        let bytes = count_text(contents.torn_bytes, "byte", "bytes");
        say(&format!("discarded an incomplete last journal line ({bytes}); its run will be repeated"));
    }
    deviations::warn_of(&contents, results)?;
    Ok((journal, contents))
}

pub(super) fn cannot(contest: &Contest, reason: impl Message) -> Failure {
    Failure::input(format!("{}: {}", contest.path.display(), reason.message()))
}

/// The failure for a change of the contest that these results cannot adopt, with the command that helps.
pub(super) fn cannot_change(contest: &Contest, results: &Path, error: &ChangeError) -> Failure {
    if matches!(error, ChangeError::OtherReferee) && is_talked_to(contest) {
        return cannot(contest, format!("{error}; {TALKS_AGAIN}"));
    }
    cannot(contest, with_way_out_of(error, error.way_out().as_ref(), Some(results)))
}

/// Reports which programs are not kept in the results directory, and why.
pub(super) fn say_not_kept(programs: &[NotKept], results: &Path) {
    for NotKept { program, reason, .. } in programs {
        let whose = if program == REFEREE_PROGRAM { "the referee" } else { program };
        say(&format!("notice: the program of {whose} is not kept in {}: {reason}", short(results).display()));
    }
}

/// Builds of a contest with a results directory.
pub(super) fn site<'a>(results: &'a Path, shown: Shown, interrupt: &'a Interrupt) -> Site<'a> {
    Site { results, keeps_logs: true, shown, interrupt }
}

/// Warns of programs that cannot run, except those of idle entries. Only the runs of their entries fail.
pub(super) fn warn(
    contest: &Contest,
    unbuilt: &BTreeMap<String, Built>,
    executor: &LocalExecutor<'_>,
    idle: impl Fn(&str) -> bool,
) {
    for finding in programs_of(contest, unbuilt, executor) {
        let of_idle = finding.subject.entry().is_some_and(&idle);
        if finding.level == Level::Problem && !of_idle {
            say(&format!("notice: {}: {}", finding.subject, finding.finding));
        }
    }
}

pub(super) fn lines_of(builds: &Builds) -> Vec<Line> {
    builds.all.iter().map(|build| Line::Build(Box::new(build.clone()))).collect()
}
