//! The preparation of a contest: begun, resumed or updated.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::Args;
use super::directory::{make_results, next_results, seen_from};
use crate::cli::adhoc::{AdHoc, USUAL_LIMIT};
use crate::cli::builds::{Builds, Site, build_entries};
use crate::cli::check::programs_of;
use crate::cli::game::GameArgs;
use crate::cli::isolation::contest_executor;
use crate::cli::progress::Shown;
use crate::cli::slurm::EngineName;
use crate::cli::{DONE, Failure, environment, say};
use judge_contest::check::{Level, longest};
use judge_contest::external::Bench;
use judge_contest::journal::Journal;
use judge_contest::programs::hashes;
use judge_contest::{Contest, FILE_NAME, Overrides, milliseconds};
use judge_core::advance::{self, Next};
use judge_core::journal::{self, Built, Contents, Hashes, Header, JournalError, Line, Record, Round, Settings};
use judge_core::plan::{Asked, Change, changes};
use judge_core::verdict::Verdict;
use judge_job::{count_text, duration_text};
use judge_sandbox::{Executor as _, Interrupt, IsolationMode, LocalExecutor, settled};

/// A contest ready to run: new, or with some of its runs made.
pub(super) struct Session<'a> {
    pub(super) contest: Contest,
    pub(super) results: PathBuf,
    pub(super) journal: Journal,
    pub(super) contents: Contents,
    pub(super) builds: Builds,
    pub(super) executor: LocalExecutor<'a>,
}

impl Session<'_> {
    /// Writes changes and builds to the journal together, and continues with them.
    fn apply(&mut self, changes: Vec<Change>, builds: Vec<Line>) -> Result<(), Failure> {
        let mut lines: Vec<Line> = changes.into_iter().map(|change| change.line).collect();
        // Builds behind the changes: they name entries that may be new, and a judge that is killed while it writes shall
        // find again what the builds changed.
        lines.extend(builds);
        append(&mut self.journal, &lines)?;
        self.reread()?;
        self.contest.adopt(self.contents.plan.clone()).map_err(Failure::input)
    }

    /// Reads the journal: everything that follows is made from what is on disk.
    pub(super) fn reread(&mut self) -> Result<(), Failure> {
        self.contents = journal::read(&self.results).map_err(Failure::judge)?;
        Ok(())
    }

    /// Opens the next round if it can begin. Its line is on disk before its first run.
    pub(super) fn open_next_round(&mut self) -> Result<bool, Failure> {
        let mut next = advance::next(&self.contents);
        if let Next::Sealed(boards) = &next {
            self.contest.unseal(|board| boards.iter().any(|sealed| sealed == board));
            self.contest.keep_files(&self.results).map_err(Failure::judge)?;
            let changes = changes_of(&self.contents, &self.contest, None, &BTreeMap::new()).map_err(Failure::input)?;
            self.apply(changes, Vec::new())?;
            next = advance::next(&self.contents);
        }
        let Next::Open(round) = next else { return Ok(false) };
        say(&opens(&round));
        append(&mut self.journal, &[Line::Round(Box::new(round))])?;
        self.reread()?;
        Ok(true)
    }
}

impl Args {
    pub(super) fn begin<'i>(&self, shown: Shown, interrupt: &'i Interrupt) -> Result<Session<'i>, Failure> {
        let new = || match &self.out {
            Some(directory) => make_results(directory),
            None => next_results(),
        };
        // A contest that the command line describes is written into the results directory.
        let written = self.game.as_ref().map(|game| {
            let files = self.adhoc(game)?.files()?;
            let results = new()?;
            Ok::<_, Failure>((files.write(&results)?, results))
        });
        let (path, made) = written.transpose()?.unzip();
        let path = path.or_else(|| self.contest.clone()).unwrap_or_else(|| FILE_NAME.into());
        let others = made.is_none() && (!self.on.is_empty() || self.seeds.is_some());
        let others = others.then(|| Contest::boards_from(&path, &self.on, self.seeds.as_ref()));
        let others = others.transpose().map_err(Failure::input)?;
        let overrides = Overrides {
            wall_ms: self.limit.map(milliseconds),
            repeat: self.repeat,
            entries: self.entries.clone(),
            boards: self.boards.clone(),
            other_boards: others.as_ref().map(|others| others.boards.clone()),
        };
        let mut contest = Contest::load(&path, &overrides).map_err(Failure::input)?;
        contest.add_files_of(others.unwrap_or_default());
        let executor = self.executor(&contest, interrupt)?;
        let results = made.map_or_else(new, Ok)?;
        contest.keep_files(&results).map_err(Failure::judge)?;
        let builds = build_entries(&contest, &site(&results, shown, interrupt), None)?;
        check_boards(&contest, &results, &executor)?;
        let path = environment("PATH");
        warn(&contest, &builds.unbuilt(), |_| false);
        let programs = hashes(&contest, path.as_deref());
        let file = seen_from(&results, &contest.path);
        let plan = contest.plan.clone();
        let order = plan.turns();
        let comment = self.comment.clone();
        let (withdrawn, struck) = (contest.withdrawn.clone(), contest.struck.clone());
        let header = Header::new(file, overrides, plan, order, programs, path);
        let header = Header { comment, withdrawn, struck, ..header };
        let mut journal = Journal::create(&results, header, crate::cli::clock).map_err(Failure::judge)?;
        append(&mut journal, &lines_of(&builds))?;
        let contents = journal::read(&results).map_err(Failure::judge)?;
        Ok(Session { contest, results, journal, contents, builds, executor })
    }

    /// The contest that the command line describes.
    fn adhoc(&self, game: &str) -> Result<AdHoc<'_>, Failure> {
        if self.on.is_empty() && self.seeds.is_none() {
            let message = "--game needs boards: add --seeds, for example --seeds 1-100, or --on with board files";
            return Err(Failure::input(message));
        }
        Ok(AdHoc {
            name: format!("{game}, {} entries", self.entry.len()),
            game: GameArgs::of(game),
            on: &self.on,
            seeds: self.seeds.as_ref(),
            entries: self.entry.clone(),
            limit: self.limit.unwrap_or(USUAL_LIMIT),
            memory: None,
            cores: None,
            readable: Vec::new(),
        })
    }

    /// The entries that have a run to make, or a build that failed and may succeed now; `None` if a later round may need
    /// any entry.
    fn needed(&self, contents: &Contents) -> Option<HashSet<String>> {
        if !matches!(advance::next(contents), Next::Over | Next::Nobody) {
            return None;
        }
        let suspect = |record: &Record| self.repeat_suspect > 0 && record.suspect.is_some();
        let unbuilt = |record: &Record| matches!(record.verdict, Verdict::BuildFailed { .. });
        let again =
            contents.select(|record| record.is_none_or(|run| run.is_judge_error() || suspect(run) || unbuilt(run)));
        Some(again.iter().map(|&index| contents.order[index].entry.to_string()).collect())
    }

    /// Resumes a contest. Its file may have changed only in descriptions.
    pub(super) fn resume<'i>(
        &self,
        results: &Path,
        shown: Shown,
        interrupt: &'i Interrupt,
    ) -> Result<Session<'i>, Failure> {
        let (journal, contents) = open(results)?;
        let contest = self.file_of(results, &contents)?;
        let path = contest.path.display();
        let refuse = |difference: &str| {
            let results = results.display();
            let update = format!("judge run --update {}", shell_words::quote(&results.to_string()));
            Failure::input(format!(
                "{path} does not match the contest in {results}: {difference}; make the change part of the contest with \
                 `{update}`, restore the contest file, or start a new contest without --resume"
            ))
        };
        if let Some(difference) = contents.plan.difference(&contest.plan) {
            return Err(refuse(&difference));
        }
        let mut changes = changes_of(&contents, &contest, None, &BTreeMap::new()).map_err(|reason| refuse(&reason))?;
        if let Some(change) = changes.iter().find(|change| !change.descriptive) {
            return Err(refuse(&change.sentence));
        }
        changes.extend(self.new_comment(&contents, &contest));
        contest.keep_files(results).map_err(Failure::input)?;
        let executor = self.executor(&contest, interrupt)?;
        let needed = self.needed(&contents);
        let builds = build_entries(&contest, &site(results, shown, interrupt), needed.as_ref())?;
        // What was not built need not be there.
        let idle = |entry: &str| {
            let entry = contest.plan.entries.iter().find(|known| known.name == entry);
            let built = entry.is_some_and(|entry| entry.build.is_some());
            built && entry.zip(needed.as_ref()).is_some_and(|(entry, needed)| !needed.contains(&entry.name))
        };
        if needed.as_ref().is_none_or(|needed| !needed.is_empty()) {
            warn(&contest, &builds.unbuilt(), idle);
        }
        let built = lines_of(&builds);
        let path = environment("PATH");
        if let Some(before) = contents.header.path.as_ref().filter(|before| path.as_ref() != Some(before)) {
            let now = path.as_deref().unwrap_or_default();
            say(&format!("notice: PATH has changed since the contest started, from `{before}` to `{now}`"));
        }
        let idle_referee = needed.as_ref().is_some_and(HashSet::is_empty)
            && contest.plan.referee.as_ref().is_some_and(|referee| referee.build.is_some());
        for (entry, files) in hashes(&contest, path.as_deref()) {
            if entry == journal::REFEREE_PROGRAM {
                // Older journals do not have its hashes.
                if contents.programs.get(&entry).is_some_and(|known| *known != files) && !idle_referee {
                    say(&format!(
                        "notice: the referee has changed since the contest started; `judge rejudge {}` referees the \
                         answers there are again",
                        shell_words::quote(&results.to_string_lossy())
                    ));
                }
                continue;
            }
            let differs = contents.programs.get(&entry) != Some(&files);
            if differs && !contest.withdrawn.contains_key(&entry) && !idle(&entry) {
                say(&format!(
                    "notice: the program of {entry} has changed since the contest started; `judge run --update {}` makes \
                     its runs again",
                    shell_words::quote(&results.to_string_lossy())
                ));
            }
        }
        let results = results.to_owned();
        let mut session = Session { contest, results, journal, contents, builds, executor };
        session.apply(changes, built)?;
        Ok(session)
    }

    /// Updates a contest to its contest file, and prints beforehand what will happen.
    pub(super) fn update<'i>(
        &self,
        results: &Path,
        shown: Shown,
        interrupt: &'i Interrupt,
    ) -> Result<Session<'i>, Failure> {
        let (journal, contents) = open(results)?;
        let contest = self.file_of(results, &contents)?;
        // Before anything is built: what cannot be is refused at once.
        changes_of(&contents, &contest, None, &BTreeMap::new()).map_err(|reason| cannot(&contest, &reason))?;
        let executor = self.executor(&contest, interrupt)?;
        let builds = build_entries(&contest, &site(results, shown, interrupt), None)?;
        let unbuilt = builds.unbuilt();
        warn(&contest, &unbuilt, |_| false);
        let programs = hashes(&contest, environment("PATH").as_deref());
        let changes = changes_of(&contents, &contest, Some(&programs), &unbuilt);
        let mut changes = changes.map_err(|reason| cannot(&contest, &reason))?;
        changes.extend(self.new_comment(&contents, &contest));
        contest.keep_files(results).map_err(Failure::judge)?;
        check_boards(&contest, results, &executor)?;
        changes.iter().for_each(|change| say(&change.sentence));
        let built = lines_of(&builds);
        let mut session = Session { contest, results: results.to_owned(), journal, contents, builds, executor };
        session.apply(changes, built)?;
        let missing = session.contents.missing();
        say(&self.to_be_made(&session.contest, &session.contents, &session.executor, &missing)?);
        if let Some(sentence) = sealed_round(&session.contest, &session.contents) {
            say(&sentence);
        }
        Ok(session)
    }

    /// Prints what an update would do, and changes nothing.
    pub(super) fn preview(&self, results: &Path, interrupt: &Interrupt, out: &mut dyn Write) -> Result<u8, Failure> {
        let contents = journal::read(results).map_err(Failure::input)?;
        let contest = self.file_of(results, &contents)?;
        let executor = self.executor(&contest, interrupt)?;
        let programs = hashes(&contest, environment("PATH").as_deref());
        // Nothing is built, so builds count as they were.
        let failed = contents.builds.iter().filter(|build| matches!(build.built, Built::Failed { .. }));
        let unbuilt = failed.flat_map(|build| build.entries.iter().map(|entry| (entry.clone(), build.built.clone())));
        let changes = changes_of(&contents, &contest, Some(&programs), &unbuilt.collect());
        let mut changes = changes.map_err(|reason| cannot(&contest, &reason))?;
        changes.extend(self.new_comment(&contents, &contest));
        for change in &changes {
            writeln!(out, "{}", judge_core::text::printable(&change.sentence))?;
        }
        let builds = judge_contest::builds::plan(&contest);
        for build in &builds {
            let entries = build.entries.join(", ");
            writeln!(out, "{entries}: built first, and run again if that changes the program")?;
        }
        let mut lines: Vec<Line> = changes.into_iter().map(|change| change.line).collect();
        let after = journal::preview(results, &lines).map_err(Failure::input)?;
        let mut adopted = contest;
        adopted.adopt(after.plan.clone()).map_err(Failure::input)?;
        writeln!(out, "{}", self.to_be_made(&adopted, &after, &executor, &after.missing())?)?;
        self.preview_round(results, adopted, after, &mut lines, &executor, out)
    }

    /// Prints the round that would open at once, without a run before it, and the longest time of its runs.
    fn preview_round(
        &self,
        results: &Path,
        mut contest: Contest,
        mut after: Contents,
        lines: &mut Vec<Line>,
        executor: &LocalExecutor<'_>,
        out: &mut dyn Write,
    ) -> Result<u8, Failure> {
        let mut next = advance::next(&after);
        if let Next::Sealed(boards) = &next {
            contest.unseal(|board| boards.iter().any(|sealed| sealed == board));
            let changes = changes_of(&after, &contest, None, &BTreeMap::new()).map_err(Failure::input)?;
            lines.extend(changes.into_iter().map(|change| change.line));
            after = journal::preview(results, lines).map_err(Failure::input)?;
            next = advance::next(&after);
        }
        let Next::Open(round) = next else {
            if let Some(sentence) = sealed_round(&contest, &after) {
                writeln!(out, "{}", judge_core::text::printable(&sentence))?;
            }
            return Ok(DONE);
        };
        let sentence = judge_core::text::printable(&opens(&round));
        lines.push(Line::Round(Box::new(round)));
        after = journal::preview(results, lines).map_err(Failure::input)?;
        contest.adopt(after.plan.clone()).map_err(Failure::input)?;
        writeln!(out, "then {sentence}; {}", self.to_be_made(&contest, &after, executor, &after.missing())?)?;
        Ok(DONE)
    }

    /// The runs to be made, by entry, and the longest time that they can take: on this machine until the last one ends, on a
    /// cluster in all, because it may begin them at any time.
    fn to_be_made(
        &self,
        contest: &Contest,
        contents: &Contents,
        executor: &LocalExecutor<'_>,
        missing: &[usize],
    ) -> Result<String, Failure> {
        if missing.is_empty() {
            return Ok("no run to make".into());
        }
        let mut runs: BTreeMap<&str, usize> = BTreeMap::new();
        for &index in missing {
            *runs.entry(&contents.order[index].entry).or_default() += 1;
        }
        let each: Vec<String> = runs.iter().map(|(entry, runs)| format!("{entry} {runs}")).collect();
        let engine = self.engine_here()?;
        let slots = match engine {
            EngineName::Local => executor.capacity(&limits(contest), self.jobs).slots.len(),
            EngineName::Slurm => 1,
        };
        let keys = missing.iter().map(|&index| &contents.order[index]);
        let time = duration_text(longest(&contest.plan, keys, slots).as_secs().max(1).saturating_mul(1000));
        let bound = match engine {
            EngineName::Local => format!("at most {time} at {slots} at a time"),
            EngineName::Slurm => format!("at most {time} in all, shared by the nodes of the cluster"),
        };
        Ok(format!("{} to make: {}; {bound}", count_text(missing.len(), "run", "runs"), each.join(", ")))
    }

    fn new_comment(&self, contents: &Contents, contest: &Contest) -> Option<Change> {
        let comment = self.comment.as_ref().filter(|comment| contents.comment.as_ref() != Some(comment))?;
        let sentence = format!("the contest's comment is: {comment}");
        let reasons = vec!["its comment".into()];
        let settings = Settings { comment: Some(comment.clone()), reasons, ..Settings::of(&contest.plan) };
        Some(Change { sentence, line: Line::Settings(Box::new(settings)), descriptive: true })
    }

    /// The contest file of a results directory as it is now, with the sealed boards of rounds that have opened.
    fn file_of(&self, results: &Path, contents: &Contents) -> Result<Contest, Failure> {
        let header = &contents.header;
        let path = self.contest.clone().unwrap_or_else(|| settled(&results.join(&header.contest_file)));
        let mut contest = Contest::load(&path, &header.overrides).map_err(Failure::input)?;
        contest.unseal(|board| contents.plan.boards.iter().any(|known| known.name == board));
        Ok(contest)
    }

    /// The isolation that the command line or the contest demands.
    pub(super) fn isolation_of(&self, contest: &Contest) -> IsolationMode {
        self.isolation.unwrap_or(contest.plan.isolation)
    }

    /// The executor, if this machine has the isolation that the contest and the command line demand. On a cluster the nodes
    /// must have it.
    fn executor<'i>(&self, contest: &Contest, interrupt: &'i Interrupt) -> Result<LocalExecutor<'i>, Failure> {
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

/// The runs of the next round, if it waits for sealed boards whose files are not there, as a sentence.
fn sealed_round(contest: &Contest, contents: &Contents) -> Option<String> {
    let (plan, number) = (&contents.plan, contents.round() + 1);
    let round = plan.round_plan(number)?;
    let absent: Vec<&str> = plan.absent_boards(number).into_iter().filter(|board| !contest.has_board(board)).collect();
    if absent.is_empty() {
        return None;
    }
    let entries = plan.entries.iter().filter(|entry| !contents.withdrawn.contains_key(&entry.name)).count();
    let runs = entries * round.boards.len() * plan.repeat as usize;
    let runs = format!("{}{}", if runs == 1 { "" } else { "at most " }, count_text(runs, "run", "runs"));
    Some(format!("round {} opens when its sealed boards are there: {}; {runs} then", round.name, absent.join(", ")))
}

/// A round and the entries that it opens for, for people.
fn opens(round: &Round) -> String {
    let name = round.name.as_ref().map_or(String::new(), |name| format!(", {name}"));
    format!("round {}{name}: {}", round.number, round.entrants().join(", "))
}

/// Asks a referee that is a program whether the boards are usable.
fn check_boards(contest: &Contest, results: &Path, executor: &LocalExecutor<'_>) -> Result<(), Failure> {
    let bench = Bench { executor, processors: Vec::new(), results: Some(results) };
    contest.check_boards(&bench).map_err(Failure::input)
}

/// The limits of all jobs of a contest: those of the entries that are in it, and of a referee that is a program.
pub(in crate::cli) fn limits(contest: &Contest) -> Vec<judge_sandbox::Limits> {
    let plan = &contest.plan;
    let entries = plan.entries.iter().filter(|entry| !contest.withdrawn.contains_key(&entry.name));
    let referee = plan.referee.iter().map(|referee| referee.limits);
    entries.map(|entry| plan.limits_of(entry)).chain(referee).collect()
}

/// Opens the journal of a contest to continue it.
fn open(results: &Path) -> Result<(Journal, Contents), Failure> {
    let (journal, contents) = Journal::resume(results, crate::cli::clock).map_err(|error| match error {
        JournalError::Io { .. } => Failure::judge(error),
        error => Failure::input(error),
    })?;
    if contents.torn_bytes > 0 {
        let bytes = contents.torn_bytes;
        say(&format!("discarded an incomplete last journal line ({bytes} bytes); its run will be repeated"));
    }
    Ok((journal, contents))
}

fn changes_of(
    contents: &Contents,
    contest: &Contest,
    programs: Option<&BTreeMap<String, Hashes>>,
    unbuilt: &BTreeMap<String, Built>,
) -> Result<Vec<Change>, String> {
    let Contest { plan, withdrawn, struck, .. } = contest;
    changes(contents, &Asked { plan, withdrawn, struck, programs, unbuilt })
}

fn cannot(contest: &Contest, reason: &str) -> Failure {
    Failure::input(format!("{}: {reason}", contest.path.display()))
}

/// Builds of a contest with a results directory.
fn site<'a>(results: &'a Path, shown: Shown, interrupt: &'a Interrupt) -> Site<'a> {
    Site { results, keeps_logs: true, shown, interrupt }
}

/// Warns of programs that cannot run, except those of idle entries. Only the runs of their entries fail.
fn warn(contest: &Contest, unbuilt: &BTreeMap<String, Built>, idle: impl Fn(&str) -> bool) {
    for finding in programs_of(contest, unbuilt) {
        let of_idle = finding.subject.strip_prefix("entry ").is_some_and(&idle);
        if finding.level == Level::Problem && !of_idle {
            say(&format!("notice: {}: {}", finding.subject, finding.finding));
        }
    }
}

fn lines_of(builds: &Builds) -> Vec<Line> {
    builds.all.iter().map(|build| Line::Build(Box::new(build.clone()))).collect()
}

fn append(journal: &mut Journal, lines: &[Line]) -> Result<(), Failure> {
    if lines.is_empty() { Ok(()) } else { journal.append(lines).map_err(Failure::judge) }
}
