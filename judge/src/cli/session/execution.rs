//! The options for executing a contest, and the execution, round after round.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use super::live_files::LiveFiles;
use super::{Session, cannot};
use crate::cli::host::LocalHost;
use crate::cli::isolation::{contest_executor, limits, lost};
use crate::cli::progress::Progress;
use crate::cli::results_csv::write_results_csv;
use crate::cli::slurm::{self, EngineName, Options};
use crate::cli::{DONE, Done, Failure, JUDGE_FAILED, notice, notices, say};
use judge_contest::open_contest::Event;
use judge_contest::progress::ContestProgress;
use judge_contest::schedule::{Engine, Local, Stopped};
use judge_contest::{Contest, parse_kept};
use judge_core::changes::Change;
use judge_core::journal::{ContestState, Line, Settings};
use judge_core::results::Results;
use judge_report::directory::{argument, short};
use judge_report::{self as report, Format, View};
use judge_sandbox::host::now_us;
use judge_sandbox::{Executor as _, Interrupt, IsolationMode, LocalExecutor};
use judge_show::engine;
use judge_show::live::{DisplayMode, Watcher};
use judge_slurm::log::Log;

/// The options of commands that execute the runs of a contest.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Execution")]
pub(in crate::cli) struct ExecutionOptions {
    /// Runs at a time [default: as many as do not disturb each other: one per group of physical cores that an entry may
    /// use, as far as CPU quota and memory allow]
    #[arg(long, value_name = "N", value_parser = crate::cli::at_least_one)]
    pub(in crate::cli) jobs: Option<NonZeroUsize>,

    /// Isolation mode, at least as strict as the contest file requires
    #[arg(long, value_name = "HOW", value_parser = crate::cli::isolation::mode())]
    pub(in crate::cli) isolation: Option<IsolationMode>,

    /// Retry suspect runs up to N times; the last attempt counts, all are recorded
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", default_value = "0")]
    pub(in crate::cli) repeat_suspect: u32,

    /// The most that the results directory keeps of each program, such as 64MiB, or `off` [default: `keep_programs` of
    /// the contest file]
    #[arg(long, value_name = "SIZE", value_parser = parse_kept)]
    pub(in crate::cli) keep_programs: Option<u64>,

    /// A comment on the contest, which `judge runs` and the page show
    #[arg(long, value_name = "TEXT", value_parser = crate::cli::one_line, help_heading = "Output")]
    pub(in crate::cli) comment: Option<String>,

    /// Output format of the table
    #[arg(long, value_enum, default_value_t = Format::Table, help_heading = "Output")]
    format: Format,

    /// Progress display on standard error
    #[arg(long, value_enum, value_name = "HOW", default_value_t, help_heading = "Output")]
    progress: Progress,

    #[command(flatten)]
    engine: Options,

    /// Also write report.html, a page of the results, into the results directory, again and again while the contest runs;
    /// an open page loads itself again. See `judge report`
    #[arg(long, help_heading = "Output")]
    report: bool,
}

/// The result of executing the runs of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RoundOutcome {
    /// All runs have finished.
    All,
    /// All runs are sent to a cluster.
    Sent,
}

impl ExecutionOptions {
    /// Checks the options before anything is built, and returns the display. `results` are those of an existing
    /// contest.
    pub(in crate::cli) fn begin(&self, results: Option<&Path>) -> Result<DisplayMode, Failure> {
        let shown = self.progress.here()?;
        if self.engine_of(results)? == EngineName::Slurm {
            slurm::installed()?;
        }
        Ok(shown)
    }

    /// The engine of a contest with these results, or of a new one.
    pub(super) fn engine_of(&self, results: Option<&Path>) -> Result<EngineName, Failure> {
        self.engine.engine_of(results)
    }

    /// Executes the missing runs, round after round, and prints the table.
    pub(in crate::cli) fn execute(
        &self,
        session: Session<'_>,
        shown: DisplayMode,
        interrupt: &Interrupt,
        out: &mut dyn Write,
    ) -> Done {
        let resume = format!("judge resume {}", argument(session.open.open_contest.results()));
        if self.engine_of(Some(session.open.open_contest.results()))? == EngineName::Local {
            self.take_in_from_cluster(&session, interrupt)?;
        }
        session.follow_results()?;
        // Each round starts from what is on disk, as in a resumed contest.
        loop {
            if self.execute_runs(&session, shown, interrupt, &resume)? == RoundOutcome::Sent {
                say(&format!("all runs are sent; take in their outcomes with `{resume}`"));
                return Ok(DONE);
            }
            if !session.open_next_round()? {
                break;
            }
        }
        let results = session.open.open_contest.results().to_owned();
        drop(session);
        let contents = write_results_csv(&results)?;
        self.report(&contents, &results, &resume, out)
    }

    /// Executes the missing runs of the open round, and repeats suspect ones as often as the command line asks.
    fn execute_runs(
        &self,
        session: &Session<'_>,
        shown: DisplayMode,
        interrupt: &Interrupt,
        resume: &str,
    ) -> Result<RoundOutcome, Failure> {
        let on_slurm = self.engine_of(Some(session.open.open_contest.results()))? == EngineName::Slurm;
        let slurm =
            on_slurm.then(|| self.engine.cluster.slurm(session.open.open_contest.results(), interrupt)).transpose()?;
        let Session { open, executor } = session;
        let open_contest = &open.open_contest;
        let (contest, contents) = (open_contest.contest(), open_contest.contents());
        let capacity = executor.capacity(&limits(&contest), self.jobs);
        if !on_slurm {
            capacity.notices.iter().for_each(notice);
        }
        open_contest.repeat_suspect(self.repeat_suspect);
        open.record_programs(&LocalHost::new(executor, interrupt, shown, Some(open_contest.results())))?;
        // All passes share one engine, so that a board stays on one kind of node.
        let isolation = (self.isolation_of(&contest), executor.describe().isolation);
        let cluster = slurm.as_ref().map(|slurm| self.engine.cluster(slurm, &contest, &contents, isolation, false));
        let cluster = cluster.transpose()?;
        let contest_progress = ContestProgress::new(&contents, (!on_slurm).then_some(capacity.slots.len()), now_us());
        drop(contents);
        let watcher = Watcher::begin(shown, contest_progress, interrupt, say)
            .map_err(|error| Failure::judge(format!("a thread to show the contest: {error}")))?;
        open_contest.subscribe(watcher.subscriber());
        let local = Local::new(executor);
        let engine: &dyn Engine = cluster.as_ref().map_or(&local, |engine| engine);
        let files = LiveFiles::begin(open_contest.results(), self.report);
        let _files = files.map_err(|error| Failure::judge(format!("a thread to make results.csv: {error}")))?;
        match open_contest.run_round(engine, &capacity.slots, interrupt) {
            Ok(()) => Ok(RoundOutcome::All),
            Err(Stopped::Detached) => Ok(RoundOutcome::Sent),
            Err(stopped) => {
                drop(watcher);
                Err(give_up(&stopped, interrupt, resume))
            }
        }
    }

    /// Takes in the outcomes that a cluster has for a contest that continues on this machine, and cancels the remaining
    /// runs on the cluster.
    fn take_in_from_cluster(&self, session: &Session<'_>, interrupt: &Interrupt) -> Result<(), Failure> {
        let (open_contest, executor) = (&session.open.open_contest, &session.executor);
        if !Log::has_work(open_contest.results()) {
            return Ok(());
        }
        let slurm = self.engine.cluster.slurm(open_contest.results(), interrupt).map_err(|failure| {
            let message = failure.message.unwrap_or_default();
            Failure::input(format!("Slurm may still have runs of this contest, and they cannot be taken in: {message}"))
        })?;
        let contest = open_contest.contest();
        let isolation = (self.isolation_of(&contest), executor.describe().isolation);
        let engine = self.engine.cluster(&slurm, &contest, &open_contest.contents(), isolation, true)?;
        let here = Arc::new(());
        let while_here = Arc::downgrade(&here);
        open_contest.subscribe(move |event| {
            if let Event::Notice(data) = event {
                say(&engine::notice(data));
            }
            while_here.strong_count() > 0
        });
        open_contest.run_pass(&engine, &[], interrupt).map(drop).map_err(Failure::judge)
    }

    fn report(&self, contents: &ContestState, results: &Path, resume: &str, out: &mut dyn Write) -> Done {
        let table = Results::from_journal(contents);
        if self.report {
            let page = crate::cli::report::of_directory(results, None)?;
            say(&format!("page in {}", page.display()));
        }
        say(&format!("results in {}", short(results).display()));
        if !table.complete() {
            say(&format!("some runs ended in judge errors and are not scored; repeat them with `{resume}`"));
        }
        // The standings are printed last.
        let view = View { width: crate::cli::width(), results: Some(results), notices: &notices(), ..View::default() };
        report::write_for(&table, self.format, view, out)?;
        Ok(if table.complete() { DONE } else { JUDGE_FAILED })
    }

    /// The isolation that the command line or the contest requires.
    pub(in crate::cli) fn isolation_of(&self, contest: &Contest) -> IsolationMode {
        self.isolation.unwrap_or(contest.plan.isolation)
    }

    /// The executor, if this machine has the isolation that the contest and the command line require. On a cluster, the
    /// nodes must have it.
    pub(in crate::cli) fn executor<'i>(
        &self,
        contest: &Contest,
        results: Option<&Path>,
        interrupt: &'i Interrupt,
    ) -> Result<LocalExecutor<'i>, Failure> {
        let (demanded, demand) = (contest.plan.isolation, self.isolation_of(contest));
        if demanded == IsolationMode::Require && demand != IsolationMode::Require {
            let (demand, path) = (demand.name(), contest.path.display());
            return Err(Failure::input(format!(
                "--isolation {demand} is weaker than {path} requires; change its `isolation`, or omit the option"
            )));
        }
        match self.engine_of(results)? {
            EngineName::Local => contest_executor(contest, demand, interrupt),
            EngineName::Slurm => LocalExecutor::new(interrupt, demand).map_err(Failure::judge),
        }
    }

    /// Refuses --report for a contest that is too large for a page, before anything is run.
    pub(in crate::cli) fn has_room_for_page(&self, contest: &Contest) -> Result<(), Failure> {
        let runs = contest.plan.entries.len().saturating_mul(contest.plan.boards.len());
        if !self.report || runs <= judge_page::MAX_RUNS {
            return Ok(());
        }
        Err(cannot(contest, format!("{}; run the contest without --report", judge_page::TooManyRuns { runs })))
    }

    /// Reports the isolation that the recorded runs had and runs on this machine lack.
    pub(in crate::cli) fn warn_of_lost_isolation(
        &self,
        results: &Path,
        contents: &ContestState,
        executor: &LocalExecutor<'_>,
    ) -> Result<(), Failure> {
        if let (EngineName::Local, Some(lost)) = (self.engine_of(Some(results))?, lost(contents, executor)) {
            say(&format!("warning: {lost}"));
        }
        Ok(())
    }

    pub(in crate::cli) fn new_comment(&self, contents: &ContestState, contest: &Contest) -> Option<Change> {
        let comment = self.comment.as_ref().filter(|comment| contents.comment.as_ref() != Some(comment))?;
        let sentence = format!("the contest's comment is: {comment}");
        let mut settings = Settings::from_plan(&contest.plan);
        (settings.comment, settings.reasons) = (Some(comment.clone()), vec!["its comment".into()]);
        Some(Change::descriptive(sentence, Line::Settings(Box::new(settings))))
    }
}

/// The failure of a contest that stopped before its end.
fn give_up(stopped: &Stopped, interrupt: &Interrupt, resume: &str) -> Failure {
    match stopped {
        Stopped::Interrupted => {
            Failure::interrupted(format!("interrupted; finished runs are saved; resume with `{resume}`"), interrupt)
        }
        _ => Failure::judge(format!("{stopped}; finished runs are saved; resume with `{resume}`")),
    }
}
