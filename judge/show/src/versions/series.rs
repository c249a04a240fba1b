//! A try of a solver on many boards: the preparation before its runs, and the result after them.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::versions::baseline::{self, Baseline, Choice, ChoiceNotice};
use crate::versions::commit::Commit;
use crate::versions::decision::Decision;
use crate::versions::error::TryError;
use crate::versions::memory::{Memory, ReplacedBest, folder_of, program_of};
use crate::versions::summary::Summary;
use crate::versions::trial::Trial;
use crate::versions::version::Version;
use judge_contest::Contest;
use judge_contest::open_contest::{Event, OpenContest};
use judge_core::journal::ContestState;
use judge_core::results::Results;

/// The user's options for a try.
#[derive(Debug, Clone, Default)]
pub struct TryOptions {
    /// The number or name of the version to compare with.
    pub against: Option<String>,
    /// The name for the new version.
    pub keep: Option<String>,
    /// The remark on the new version.
    pub comment: Option<String>,
}

/// A try of a solver on the boards of a contest.
#[derive(Debug)]
#[non_exhaustive]
pub struct Series {
    /// The memory of the solver's folder.
    pub memory: Memory,
    /// The version that it is compared with, if there is one.
    pub baseline: Option<Baseline>,
    /// Notices for the user about that choice.
    pub notices: Vec<ChoiceNotice>,
    /// The last version with the same program and command.
    pub same: Option<Version>,
    trial: Trial,
    command: Vec<String>,
    program: String,
    options: TryOptions,
    commit: Option<Commit>,
}

/// The result of a try.
#[derive(Debug)]
#[non_exhaustive]
pub struct Tryout {
    /// The version, with its number.
    pub version: Version,
    /// The results on the boards that have a run: after an early decision, the others have none.
    pub results: Results,
    /// The figures of these results.
    pub summary: Summary,
    /// The number of planned boards.
    pub planned: usize,
    /// The result of remembering the version.
    pub written: Result<(), TryError>,
}

impl Series {
    /// Looks up the memory of the only entry of a contest, which this command starts. `path` is the search path for
    /// programs.
    ///
    /// # Errors
    ///
    /// The memory cannot be read, the new name is taken, or the wanted version cannot be compared with the try.
    pub fn new(
        memory: Memory,
        contest: &Contest,
        command: &[String],
        options: TryOptions,
        path: Option<&str>,
    ) -> Result<Self, TryError> {
        let versions = memory.versions()?;
        if let Some(name) = &options.keep
            && let Some(other) = versions.iter().find(|version| version.name == *name)
        {
            return Err(TryError::NameTaken { name: name.clone(), number: other.number });
        }
        let (program, trial) = (program_of(command), Trial::new(contest, path));
        let Choice { baseline, notices } = baseline::choose(&memory, &trial, &program, options.against.as_deref())?;
        let same = versions.into_iter().rev().find(|version| version.program_sha256 == trial.program);
        let command = command.to_vec();
        Ok(Self { memory, baseline, notices, same, trial, command, program, options, commit: None })
    }

    /// Creates the folder of the memory, so that a folder that cannot be written is refused before anything runs, and looks
    /// up the commit of the solver. Best answers of an earlier judge are set aside.
    ///
    /// # Errors
    ///
    /// The folder or a file in it cannot be written.
    pub fn prepare(&mut self) -> Result<Option<ReplacedBest>, TryError> {
        let aside = self.memory.prepare()?;
        self.commit = Commit::from_folder(&folder_of(&self.command));
        Ok(aside)
    }

    /// Compares the runs of a contest with the earlier version as they finish, and calls `stop` when it is decided which one is
    /// better. `None` without an earlier version.
    pub fn decide(&self, open_contest: &OpenContest, stop: impl Fn() + Send + 'static) -> Option<Deciding> {
        let earlier = self.baseline.as_ref()?;
        let decision = Arc::new(Mutex::new(Decision::new(earlier.runs.clone(), &open_contest.contents())));
        let deciding = Deciding(decision.clone());
        open_contest.subscribe(move |event| {
            if let Event::Finished(record) = event
                && decision.lock().unwrap_or_else(PoisonError::into_inner).add(record)
            {
                stop();
            }
            true
        });
        Some(deciding)
    }

    /// Remembers the runs of the contest, which are in this results directory, as a new version.
    ///
    /// # Errors
    ///
    /// The memory cannot be read. If only the new version cannot be written, the result still has the figures.
    pub fn finish(&self, contents: &ContestState, results: &Path) -> Result<Tryout, TryError> {
        let boards: Vec<String> = contents.records.iter().map(|record| record.key.board.to_string()).collect();
        let now = Results::from_journal(contents).only(Some(&boards), None)?;
        let judged = now.rows.first().map_or(0, |row| row.cells.iter().filter(|cell| cell.judged()).count());
        let version = Version {
            date: contents.begun.map(|date| date.to_string()).unwrap_or_default(),
            name: self.options.keep.clone().unwrap_or_default(),
            comment: self.options.comment.clone().unwrap_or_default(),
            command: shell_words::join(&self.command),
            program: self.program.clone(),
            commit: self.commit.as_ref().map(|commit| commit.id.clone()).unwrap_or_default(),
            changed: self.commit.as_ref().and_then(|commit| commit.changed),
            boards: Some(contents.order().len()),
            judged: Some(judged),
            ..Version::default()
        };
        let (remembered, written) = self.memory.remember(contents, results, &self.trial, version)?;
        let hash = |board: &str| self.trial.boards.get(board).map(String::as_str);
        let known = (&remembered.before, &remembered.best);
        let summary = Summary::new(&now, hash, &self.trial.objective, known);
        Ok(Tryout { version: remembered.version, results: now, summary, planned: contents.order().len(), written })
    }
}

/// A comparison that continues while runs finish.
#[derive(Debug)]
pub struct Deciding(Arc<Mutex<Decision>>);

impl Deciding {
    /// The comparison after the runs that have finished so far.
    pub fn now(&self) -> Decision {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
