//! Collects what a journal records about files, line by line, including attempts that no longer count.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use judge_core::fingerprint::Fingerprint;
use judge_core::journal::{
    BUILDS, ContestState, Fold, Line, OUTPUT, Output, Part, Record, Rejudged, STORED, stdout_of,
};
use judge_core::key::{Name, RunKey};
use judge_core::plan::{Board, DisplayInfo, Plan, Statement};
use judge_core::verdict::Verdict;

/// Everything that a journal records about files.
#[derive(Default)]
pub(super) struct RecordedFiles {
    /// The attempts, by run and number.
    pub(super) attempts: BTreeMap<(RunKey, u32), Attempt>,
    /// The logs of builds, each with its fingerprint if one was recorded.
    pub(super) builds: Vec<(PathBuf, Option<Fingerprint>)>,
    /// All boards that have ever been in the contest.
    pub(super) boards: Vec<Board>,
    /// Hashes of stored files of boards, of kept programs and of statements.
    pub(super) stored: BTreeSet<String>,
    /// The indices of the present boards.
    now: HashMap<String, usize>,
}

/// One execution of a run, with the files that the journal records for it.
pub(super) struct Attempt {
    /// The path of its standard output.
    stdout: PathBuf,
    /// The length of its standard output in bytes, as counted during the run.
    pub(super) stdout_bytes: u64,
    /// Its stored output, if that was recorded.
    pub(super) output: Option<Box<Output>>,
    /// True if a process of the entry ran.
    pub(super) ran: bool,
    /// The verdict of the referee, which a ruling by hand does not change.
    pub(super) verdict: Verdict,
    /// The position in which the answer ends.
    pub(super) final_board: Option<Name>,
    /// The index of its board.
    pub(super) board: usize,
}

impl Attempt {
    /// The path of one of its files.
    pub(super) fn path(&self, part: Part) -> PathBuf {
        part.beside(&self.stdout)
    }
}

impl RecordedFiles {
    /// Adds the next line of the journal; `fold` is the contest before it.
    pub(super) fn take(&mut self, results: &Path, fold: &Fold, line: &Line) {
        if self.boards.is_empty() {
            self.begin(fold.plan());
        }
        match line {
            Line::Settings(settings) => self.statements(&settings.shown),
            Line::Run(record) => self.run(results, record),
            Line::Rejudgement(event) => event.changed.iter().for_each(|again| self.rejudged(again)),
            Line::Board(event) => self.board(&event.board),
            Line::Build(build) => {
                let log = results.join(BUILDS).join(format!("{}.{}.log", build.log_name(), build.attempt));
                self.builds.push((log, build.log));
            }
            _ => {}
        }
    }

    fn rejudged(&mut self, again: &Rejudged) {
        if let Some(attempt) = self.attempts.get_mut(&(again.key.clone(), again.attempt)) {
            attempt.verdict = again.verdict.clone();
            attempt.final_board.clone_from(&again.final_board);
            if again.output.is_some() {
                attempt.output.clone_from(&again.output);
            }
        }
    }

    /// Adds the data of the contest after all lines.
    pub(super) fn finish(&mut self, contents: &ContestState) {
        if self.boards.is_empty() {
            self.begin(&contents.plan);
        }
        for version in contents.versions.values().flat_map(|versions| versions.iter()) {
            self.stored.extend(version.kept.iter().filter_map(|file| version.programs.get(file).cloned()));
        }
    }

    fn begin(&mut self, plan: &Plan) {
        plan.boards.iter().for_each(|board| self.board(board));
        self.statements(&plan.shown);
    }

    fn statements(&mut self, shown: &DisplayInfo) {
        self.stored.extend(shown.statements.values().filter_map(Statement::stored).map(|file| file.sha256.clone()));
    }

    fn board(&mut self, board: &Board) {
        self.stored.extend(board.stored_files().map(|file| file.sha256.clone()));
        self.now.insert(board.name.clone(), self.boards.len());
        self.boards.push(board.clone());
    }

    fn run(&mut self, results: &Path, record: &Record) {
        let attempt = Attempt {
            stdout: stdout_of(results, record),
            stdout_bytes: record.stdout_bytes,
            output: record.output.clone(),
            ran: record.wall_us.is_some(),
            verdict: record.verdict.clone(),
            final_board: record.final_board.clone(),
            board: self.now.get(&*record.key.board).copied().unwrap_or_default(),
        };
        self.attempts.insert((record.key.clone(), record.attempt), attempt);
    }

    /// The paths of all files that the journal records.
    pub(super) fn known(&self, results: &Path) -> BTreeSet<PathBuf> {
        let outputs = self.attempts.values().flat_map(|attempt| Part::ALL.map(|part| attempt.path(part)));
        let builds = self.builds.iter().flat_map(|(log, _)| [log.clone(), log.with_extension("err")]);
        let stored = self.stored.iter().map(|hash| results.join(STORED).join(hash));
        outputs.chain(builds).chain(stored).collect()
    }
}

/// The folders of a results directory whose files the journal records.
pub(super) const FOLDERS: [&str; 3] = [OUTPUT, BUILDS, STORED];
