//! A referee that is a program: it gets each answer as a job, and its output is decoded.
//!
//! It reads untrusted answers, so it runs in the sandbox under its own limits. It never learns whose answer it reads. Anything
//! but a well-formed ruling is a judge error, unless a crash counts as a rejection. A failed call is repeated once in a fresh
//! sandbox. If two calls disagree, it is not repeated: another try cannot make such a referee trustworthy.

mod call;
mod game;
mod passes;
mod talk;
mod tokens;
mod tool;

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use judge_core::external::{BoardScoring, ExternalReferee, Protocol, ScorePattern};
use judge_core::fingerprint::{Fingerprint, sha256_of};
use judge_core::plan::{Board, Problem, Statement, StoredFile};
use judge_core::referee::{Referee, RefereeError, Ruling};
use judge_core::scoring::Scoring;
use judge_core::verdict::{JudgeFailure, Verdict};
use judge_files::regular;
use judge_job::{Argument, Executor, Place};

use crate::Contest;
use crate::contest::{FilePaths, archived};
use crate::outputs::{copy_whole, write_whole};

pub(crate) use talk::PassOutcome;
pub use tool::{Tool, ToolError};

/// The folder of a results directory with stored files, under their hashes.
pub const FILES: &str = judge_core::journal::STORED;

/// The executor of a referee, its processors, and its files.
#[derive(Clone)]
pub struct RefereeContext<'a> {
    /// Executes the referee's processes as jobs.
    pub executor: &'a dyn Executor,
    /// Logical processors that its processes are pinned to; empty for no pinning.
    pub processors: Vec<usize>,
    /// The results directory with the stored files; `None` outside a contest.
    pub results: Option<&'a Path>,
}

/// The referees of a contest. Each rules on the boards of its problem.
pub struct Referees<'a> {
    contest: &'a Contest,
    /// The referees that are programs, in the order of the problems; `None` for a built-in game.
    programs: Vec<Option<External<'a>>>,
}

impl<'a> Referees<'a> {
    /// The referee of a board, if it is a program.
    pub fn program(&self, board: &Board) -> Option<&External<'a>> {
        let problems = &self.contest.plan.problems;
        let problem = problems.of(&board.name)?;
        problems.iter().zip(&self.programs).find_map(|(known, program)| program.as_ref().filter(|_| known == problem))
    }

    /// The referee of a board, if it needs the entry itself: it talks to the entry, runs it in passes, or leads games.
    pub(crate) fn with_entries(&self, board: &Board) -> Option<&External<'a>> {
        self.program(board).filter(|external| external.needs_entries)
    }

    fn of(&self, board: &Board) -> &dyn Referee {
        self.program(board).map_or(&*self.contest.referee, |external| external)
    }
}

impl Referee for Referees<'_> {
    fn rule(&self, board: &Board, answer: &Path) -> Result<Ruling, RefereeError> {
        self.of(board).rule(board, answer)
    }

    fn rule_text(&self, board: &Board, answer: &[u8]) -> Option<Result<Verdict, RefereeError>> {
        self.of(board).rule_text(board, answer)
    }

    fn most_lines(&self, board: &Board) -> usize {
        self.of(board).most_lines(board)
    }
}

/// A referee that is a program, for the boards of one problem.
pub struct External<'a> {
    referee: &'a ExternalReferee,
    scoring: Option<&'a Scoring>,
    /// True if it does not rule on stored answers.
    needs_entries: bool,
    pattern: Option<ScorePattern>,
    command: Vec<Argument>,
    readable: Vec<Place>,
    paths: &'a FilePaths,
    context: RefereeContext<'a>,
}

/// The reason why a call did not give a ruling.
enum Failure {
    /// A second call may give a ruling; a fragment.
    Retryable(String),
    /// A second call will not give a ruling; a fragment.
    Final(String),
    Interrupted,
}

/// The reason why a results directory lacks a file of a contest.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilesError {
    /// A file of a board is missing or changed, and the contest has no path of another copy.
    #[error("file {sha256} is missing from {}, or changed; restore it from a copy", .folder.display())]
    Missing {
        /// SHA-256 of the file, in hexadecimal.
        sha256: String,
        /// The folder that should contain the file.
        folder: PathBuf,
    },
    /// A file cannot be copied.
    #[error("{}: {source}", .path.display())]
    Copy {
        /// The file that cannot be read or written.
        path: PathBuf,
        /// The reason why the system could not read or write it.
        source: io::Error,
    },
}

impl Contest {
    /// The referees of its boards.
    pub fn referee_on<'a>(&'a self, context: RefereeContext<'a>) -> Referees<'a> {
        let programs = self.plan.problems.iter().map(|problem| External::new(self, problem, context.clone())).collect();
        Referees { contest: self, programs }
    }

    /// Copies the stored files of all boards, answers of entries, and statements into a results directory that lacks unchanged
    /// copies.
    ///
    /// # Errors
    /// [`FilesError`] if a file is neither there nor in its original place, or cannot be copied.
    pub fn keep_files(&self, results: &Path) -> Result<(), FilesError> {
        let folder = results.join(FILES);
        let answers = self.plan.entries.iter().filter_map(|entry| entry.answers.as_ref()).flat_map(BTreeMap::values);
        let statements = self.plan.shown.statements.values().filter_map(Statement::stored);
        let stored = self.plan.boards.iter().flat_map(Board::stored_files).chain(answers).chain(statements);
        let mut files: BTreeMap<&str, u64> = stored.map(|file| (file.sha256.as_str(), file.bytes)).collect();
        // A changed file would be another board under the old name.
        files.retain(|sha256, bytes| !is_kept(results, sha256, *bytes));
        for (sha256, from) in &self.paths {
            if files.remove(&**sha256).is_some() {
                keep(from, results, sha256)?;
            }
        }
        for archive in &self.archives {
            if files.is_empty() {
                break;
            }
            let unreadable = |error| FilesError::Copy { path: archive.clone(), source: io::Error::other(error) };
            for file in archived(archive).map_err(unreadable)? {
                let sha256 = sha256_of(&file.bytes);
                if files.remove(&*sha256).is_some() {
                    let written = write_whole(&file.bytes, results, &folder.join(&sha256));
                    written.map_err(|(path, source)| FilesError::Copy { path, source })?;
                }
            }
        }
        match files.pop_first() {
            Some((sha256, _)) => Err(FilesError::Missing { sha256: sha256.to_owned(), folder }),
            None => Ok(()),
        }
    }
}

/// Copies answers into a results directory that lacks them.
///
/// # Errors
/// [`FilesError`] if a file cannot be copied.
pub fn keep_answers<'a>(
    answers: impl IntoIterator<Item = &'a (StoredFile, PathBuf)>,
    results: &Path,
) -> Result<(), FilesError> {
    let mut answers = answers.into_iter();
    answers.try_for_each(|(stored, from)| match is_kept(results, &stored.sha256, stored.bytes) {
        true => Ok(()),
        false => keep(from, results, &stored.sha256),
    })
}

/// Tests whether a results directory has the file with that hash and size. A larger file in its place is not read: it may
/// be endless.
pub(crate) fn is_kept(results: &Path, sha256: &str, bytes: u64) -> bool {
    let file = regular::open_beneath(results, &results.join(FILES).join(sha256));
    let file = file.ok().filter(|file| file.metadata().is_ok_and(|metadata| metadata.len() == bytes));
    let found = file.and_then(|file| Fingerprint::from_reader(file.take(bytes)).ok());
    found.is_some_and(|found| found.sha256.to_string() == sha256)
}

/// Copies the file with that hash.
pub(crate) fn keep(from: &Path, results: &Path, sha256: &str) -> Result<(), FilesError> {
    let same = |copied: &Fingerprint| match copied.sha256.to_string() == sha256 {
        true => Ok(()),
        false => Err(io::Error::other("changed while it was read; try again")),
    };
    let copied = copy_whole(from, results, &results.join(FILES).join(sha256), same);
    copied.map(drop).map_err(|(path, source)| FilesError::Copy { path, source })
}

impl<'a> External<'a> {
    /// The program of a problem's referee; `None` for a built-in game.
    fn new(contest: &'a Contest, problem: &'a Problem, context: RefereeContext<'a>) -> Option<Self> {
        let referee = problem.referee.as_deref()?;
        let (command, readable) = contest.referee_command(referee, &referee.command);
        Some(Self {
            referee,
            scoring: contest.plan.scoring.as_ref(),
            needs_entries: contest.plan.match_rules.is_some() || problem.needs_entries(),
            // Loading refuses a contest file whose pattern does not compile.
            pattern: referee.pattern.as_deref().and_then(|pattern| ScorePattern::new(pattern).ok()),
            command,
            readable,
            paths: &contest.paths,
            context,
        })
    }

    fn board_scoring(&self, board: &Board) -> BoardScoring<'a> {
        BoardScoring { scoring: self.scoring, points: board.points }
    }

    /// The path of a stored file: in the results directory, or otherwise from the contest file.
    fn stored(&self, file: &StoredFile) -> Result<PathBuf, String> {
        let kept = self.context.results.and_then(|results| {
            let path = results.join(FILES).join(&file.sha256);
            regular::open_beneath(results, &path).is_ok().then_some(path)
        });
        let found = kept.or_else(|| self.paths.get(&file.sha256).cloned());
        found.ok_or_else(|| format!("file {} is missing from the results directory", file.sha256))
    }

    /// Has an answer refereed the number of times that the contest file sets.
    fn rule_repeatedly(&self, board: &Board, answer: &Path) -> Result<Ruling, Failure> {
        if self.referee.protocol == Protocol::Tokens {
            return self.by_tokens(board, answer);
        }
        let first = self.call(board, answer)?;
        for _ in 1..self.referee.repeat {
            let again = self.call(board, answer)?;
            if (&first.verdict, &first.picture) != (&again.verdict, &again.picture) {
                let [one, other] = [&first, &again].map(|ruling| ruling.verdict.summary());
                return Err(Failure::Final(format!("two calls gave different rulings: {one}, then {other}")));
            }
        }
        Ok(first)
    }
}

/// Calls a referee. If the call fails and another one may give a ruling, calls it once more, and returns a remark on the first
/// failure.
fn tried_twice<T>(call: impl Fn() -> Result<T, Failure>) -> Result<(T, Option<String>), Failure> {
    match call() {
        Err(Failure::Retryable(first)) => {
            call().map(|called| (called, Some(format!("the referee failed at the first try: {first}"))))
        }
        called => called.map(|called| (called, None)),
    }
}

impl Referee for External<'_> {
    fn rule(&self, board: &Board, answer: &Path) -> Result<Ruling, RefereeError> {
        if self.needs_entries {
            let reason = "a referee that talks, has several passes or leads games cannot rule on a stored answer; run the entry \
                          again";
            return Err(RefereeError::Failed(JudgeFailure::Judge(reason.into())));
        }
        let ruled = tried_twice(|| self.rule_repeatedly(board, answer)).map(|(mut ruling, note)| {
            ruling.notes.extend(note);
            ruling
        });
        ruled.map_err(|failure| match failure {
            Failure::Retryable(reason) | Failure::Final(reason) => RefereeError::Failed(JudgeFailure::Referee(reason)),
            Failure::Interrupted => RefereeError::Interrupted,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use judge_core::fingerprint::sha256_of_reader;

    use super::*;

    #[test]
    fn a_file_that_has_grown_endlessly_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("board");
        std::fs::write(&from, "a board").unwrap();
        let hash = regular::open(&from).and_then(sha256_of_reader).unwrap();
        keep(&from, folder.path(), &hash).unwrap();
        assert!(is_kept(folder.path(), &hash, 7));
        assert!(!is_kept(folder.path(), &hash, 6));
        let kept = std::fs::File::options().write(true).open(folder.path().join(FILES).join(&hash)).unwrap();
        // Reading this much would take longer than any test.
        kept.set_len(1 << 42).unwrap();
        assert!(!is_kept(folder.path(), &hash, 7));
    }

    #[test]
    fn only_a_file_with_its_hash_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (from, kept) = (folder.path().join("board"), folder.path().join(FILES));
        std::fs::write(&from, "a board").unwrap();
        let hash = regular::open(&from).and_then(sha256_of_reader).unwrap();
        keep(&from, folder.path(), &hash).unwrap();
        std::fs::write(&from, "another board").unwrap();
        let other = "0".repeat(64);
        let reason = keep(&from, folder.path(), &other).unwrap_err().to_string();
        assert_eq!(reason, format!("{}: changed while it was read; try again", from.display()));
        let names: Vec<_> = std::fs::read_dir(&kept).unwrap().map(|item| item.unwrap().file_name()).collect();
        assert_eq!(names, [hash.as_str()]);
        assert_eq!(std::fs::read(kept.join(&hash)).unwrap(), b"a board");
    }
}
