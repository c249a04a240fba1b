//! The static validator of a package: a program that reads the files of submissions, in the sandbox.

use std::collections::HashMap;
use std::fs;

use crate::import::error::ImportError;
use crate::import::tools::{Tool, built};
use crate::import::work_queue::CaseRun;
use judge_contest::Contest;
use judge_core::external::{Feedback, first_line};
use judge_core::text::printable;
use judge_core::verdict::Verdict;
use judge_job::{Argument, End, Executor, Interrupted, Job, WantedFolder};
use judge_package::{CaseResult, EntryPlan, Judgement, Package, StaticCase, ToolPlan};

/// The folder for feedback in its working directory, next to the files of the submission.
const FEEDBACK: &str = ".judge_feedback";
/// The most bytes that it may leave there.
const MAX_FEEDBACK_BYTES: u64 = 8 << 20;
const MAX_FEEDBACK_FILES: usize = 256;
/// The most bytes of a file there that are read.
const MAX_FILE_BYTES: u64 = 64 << 10;

/// A static validator that was built, with the submissions that it can judge.
pub(crate) struct Statics {
    tool: Tool,
    cases: Vec<StaticCase>,
    /// The index of the first static validation test case among the results.
    first: usize,
    entries: HashMap<usize, EntryPlan>,
}

impl Statics {
    /// Builds the static validator of a package next to its contest; `None` without a plan.
    ///
    /// # Errors
    ///
    /// It cannot be built, or the caller asked to stop.
    pub(crate) fn new(
        plan: Option<&ToolPlan>,
        package: &Package,
        entries: &[EntryPlan],
        contest: &Contest,
        executor: &dyn Executor,
    ) -> Result<Option<Self>, ImportError> {
        let Some(plan) = plan else { return Ok(None) };
        let tool = built(plan, &package.metadata.limits, contest.directory(), executor)?;
        let tool = tool.map_err(|reason| ImportError::StaticValidator { reason })?;
        let entries = entries.iter().map(|entry| (entry.submission, entry.clone())).collect();
        Ok(Some(Self { tool, cases: package.data.statics.clone(), first: package.data.cases.len(), entries }))
    }

    /// True if a result is one of static validation.
    pub(crate) fn decides(&self, result: usize) -> bool {
        result >= self.first
    }

    /// Lets the static validator judge the files of a submission, on these processors. A failure is a judge error.
    pub(crate) fn call(
        &self,
        (submission, result): (usize, usize),
        contest: &Contest,
        executor: &dyn Executor,
        processors: &[usize],
    ) -> Result<CaseRun, Interrupted> {
        let case = &self.cases[result - self.first];
        let called = match self.feedback(submission, case, contest, executor, processors) {
            Ok(Ok((code, feedback))) => {
                let messages = [&feedback.judge_message, &feedback.team_message];
                let messages = messages.into_iter().filter_map(|message| first_line(message.as_deref()?));
                let message = messages.collect::<Vec<_>>().join("; ");
                case.result(code, &feedback).map(|result| (result, message)).map_err(|error| error.to_string())
            }
            Ok(Err(reason)) => Err(reason),
            Err(Interrupted) => return Err(Interrupted),
        };
        let (result, message) = called.unwrap_or_else(|reason| {
            let failed = CaseResult { judgement: Judgement::JudgeError, score: None };
            (failed, format!("the static validator failed: {}", printable(&reason)))
        });
        Ok(CaseRun { result, seconds: 0.0, waited: None, message, stderr: None })
    }

    /// The exit code of a call and what it left; or the reason why there is none, as a fragment.
    fn feedback(
        &self,
        submission: usize,
        case: &StaticCase,
        contest: &Contest,
        executor: &dyn Executor,
        processors: &[usize],
    ) -> Result<Result<(i32, Feedback), String>, Interrupted> {
        let prepared = || -> Result<_, String> {
            let plan = self.entries.get(&submission).ok_or("the submission is not in the contest")?;
            let mut entries = contest.plan.entries.iter();
            let entry = entries.find(|entry| entry.name == plan.name).ok_or("the submission is not in the contest")?;
            let links = contest.working_files(entry).map_err(|error| error.to_string())?;
            let folder = tempfile::tempdir_in(executor.temporary_folder()).map_err(|error| error.to_string())?;
            fs::create_dir(folder.path().join(FEEDBACK)).map_err(|error| error.to_string())?;
            Ok((plan, contest.readable(entry), links, folder))
        };
        let (plan, readable, links, folder) = match prepared() {
            Ok(prepared) => prepared,
            Err(reason) => return Ok(Err(reason)),
        };
        let path = |name: &str| folder.path().join(name);
        let argv = self.tool.command.iter().chain([&plan.code, &plan.entry_point]).cloned();
        let mut job = Job::new(argv, path("static.out"), path("static.err")).with_folder_argument(FEEDBACK);
        job.argv.extend(case.args.iter().cloned().map(Argument::Text));
        job.readable = readable;
        job.readable.extend(self.tool.readable.iter().cloned());
        job.links = links;
        job.processors = processors.to_vec();
        let (cap, files, to) = (MAX_FEEDBACK_BYTES, MAX_FEEDBACK_FILES, path(FEEDBACK));
        let job = job.with_limits(self.tool.limits).with_wanted_folder(WantedFolder {
            name: FEEDBACK.into(),
            cap,
            files,
            to,
        });
        let outcome = executor.execute(&job)?;
        let code = match outcome.end {
            End::Exited { code } => code,
            end => return Ok(Err(Verdict::from_end(&end).and_then(|end| end.fault()).unwrap_or_default())),
        };
        let read = |name: &str| {
            let file = path(FEEDBACK).join(name);
            file.exists().then(|| judge_files::regular::read(&file, MAX_FILE_BYTES)).transpose()
        };
        let files = || -> std::io::Result<Feedback> {
            let mut feedback = Feedback::default();
            feedback.score = read("score.txt")?;
            feedback.score_multiplier = read("score_multiplier.txt")?;
            feedback.judge_message = read("judgemessage.txt")?;
            feedback.team_message = read("teammessage.txt")?;
            Ok(feedback)
        };
        Ok(files().map(|feedback| (code, feedback)).map_err(|error| error.to_string()))
    }
}
