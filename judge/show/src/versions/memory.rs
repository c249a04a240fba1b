//! The memory of a solver's folder: the tries of its versions.
//!
//! `judge-try/GAME/` has a file of runs per version (`versions/1.csv`, as `results.csv`, with the hash of each board), the
//! list of versions (`history.csv`), the result of the best answer to each board (`best.csv`, one row per board and
//! objective), and these answers (`answers/BOARD.txt`). The CSV files are meant to be read and kept under version control;
//! every command that reads results accepts all of them except the list.
//!
//! Several solvers may share a folder, and so its best answers. Versions are numbered over all of them; a solver is
//! compared with its own last version. Parallel tries write one after the other.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::versions::best::{Best, BestAnswers};
use crate::versions::error::TryError;
use crate::versions::tables::{rows, write_rows, write_whole, write_with_column};
use crate::versions::trial::Trial;
use crate::versions::version::Version;
use judge_core::game::HouseRules;
use judge_core::journal::{self, ContestState, Record, stdout_of};
use judge_core::results::Results;
use judge_core::results_csv::write_runs;
use judge_files::regular;

/// The folder in the solver's folder.
const FOLDER: &str = "judge-try";
/// The folder with the best answers.
const ANSWERS: &str = "answers";
/// The file that a try locks while it writes.
const LOCK: &str = ".lock";
/// The longest answer that is kept, in bytes.
const LONGEST_ANSWER: u64 = 64 << 10;
/// The column with the hash of a board.
const BOARD_HASH: &str = "board_sha256";

/// The memory of a solver's folder for one game.
#[derive(Debug, Clone)]
pub struct Memory {
    folder: PathBuf,
}

/// The runs of a version, and the hash of each of its boards.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct VersionRuns {
    /// The runs as results of one entry.
    pub results: Results,
    /// The hashes of boards by name; empty for a version of an earlier judge.
    pub boards: HashMap<String, String>,
}

/// The result of remembering a version.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Remembered {
    /// The version, with its number.
    pub version: Version,
    /// The best answers without those of the version.
    pub before: BestAnswers,
    /// The best answers with those of the version.
    pub best: BestAnswers,
}

/// Best answers that an earlier judge wrote and that were set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplacedBest {
    /// The file that they were in.
    pub old: PathBuf,
    /// The name that it has now, in the same folder.
    pub best: String,
    /// The name of the folder that their answers are in now.
    pub answers: String,
}

/// A row of a file of runs, as far as the memory reads it.
#[derive(Deserialize)]
struct RunRow {
    board: String,
    #[serde(default)]
    board_sha256: String,
}

impl Memory {
    /// The folder of the history, the best answers and the runs.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The memory for a game, or for another contest by its name, of the solver with this command. `remember` is
    /// another folder than the solver's.
    pub fn new(command: &[String], game: &str, remember: Option<&Path>) -> Self {
        let name: String =
            game.chars().map(|c| if c.is_alphanumeric() || "._+-".contains(c) { c } else { '_' }).collect();
        let folder = remember.map_or_else(|| folder_of(command), Path::to_owned);
        Self { folder: folder.join(FOLDER).join(name) }
    }

    /// The memory in this folder, for one game.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The file with the best answers.
    pub fn best_file(&self) -> PathBuf {
        self.folder.join("best.csv")
    }

    /// The file with the list of versions.
    pub fn history_file(&self) -> PathBuf {
        self.folder.join("history.csv")
    }

    /// Reads the best answers so far, by board.
    ///
    /// # Errors
    ///
    /// Their file cannot be read, or is damaged.
    pub fn best(&self) -> Result<BestAnswers, TryError> {
        let path = self.best_file();
        BestAnswers::from_rows(rows(&path)?).map_err(|reason| TryError::Damaged { path, source: reason.into() })
    }

    /// The runs of a version; `None` if its file was deleted.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or has no results.
    pub fn tried(&self, version: &Version) -> Result<Option<VersionRuns>, TryError> {
        let path = self.file_of(version.number);
        if !path.exists() {
            return Ok(None);
        }
        let results = Results::read(&path, journal::read)?;
        let rows: Vec<RunRow> = rows(&path)?;
        let known = rows.into_iter().filter(|row| !row.board_sha256.is_empty());
        Ok(Some(VersionRuns { results, boards: known.map(|row| (row.board, row.board_sha256)).collect() }))
    }

    /// All versions, in their order.
    ///
    /// # Errors
    ///
    /// Their list cannot be read, or is damaged.
    pub fn versions(&self) -> Result<Vec<Version>, TryError> {
        rows(&self.history_file())
    }

    /// The version of that number or name, the last one if several have the name.
    ///
    /// # Errors
    ///
    /// No version has it, or the list cannot be read.
    pub fn version(&self, wanted: &str) -> Result<Version, TryError> {
        let versions = self.versions()?;
        let meant = |version: &&Version| version.name == wanted || version.number.to_string() == wanted;
        if let Some(found) = versions.iter().rev().find(meant) {
            return Ok(found.clone());
        }
        let numbers = versions.iter().map(|version| version.number.to_string());
        let names = versions.iter().map(|version| version.name.clone()).filter(|name| !name.is_empty());
        Err(TryError::UnknownVersion { wanted: wanted.to_owned(), available: numbers.chain(names).collect() })
    }

    /// Creates its folder, so that a folder that cannot be written is refused before anything runs. Best answers of an
    /// earlier judge, which did not record hashes of boards, are set aside.
    ///
    /// # Errors
    ///
    /// The folder or a file in it cannot be written.
    #[allow(clippy::missing_panics_doc, reason = "a folder has fewer files")]
    pub fn prepare(&self) -> Result<Option<ReplacedBest>, TryError> {
        let folder = self.folder.join("versions");
        fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, error))?;
        let _lock = self.lock()?;
        let old = rows::<Best>(&self.best_file())?.iter().any(|row| row.board_sha256.is_empty());
        if !old {
            return Ok(None);
        }
        let free = |number: &u32| {
            let path = |what: &str| self.folder.join(format!("{what}-old-{number}"));
            !path("best").with_extension("csv").exists() && !path(ANSWERS).exists()
        };
        let number = (1..).find(free).expect("a folder has fewer files");
        let (best, answers) = (format!("best-old-{number}.csv"), format!("{ANSWERS}-old-{number}"));
        let aside = |from: PathBuf, to: &str| {
            let moved = if from.exists() { fs::rename(&from, self.folder.join(to)) } else { Ok(()) };
            moved.map_err(|error| unwritable(&from, error))
        };
        aside(self.folder.join(ANSWERS), &answers)?;
        aside(self.best_file(), &best)?;
        Ok(Some(ReplacedBest { old: self.best_file(), best, answers }))
    }

    /// Remembers the runs of a new version, which are in this results directory, and its better answers. If they cannot be
    /// written, the result still has the figures, with the failure.
    ///
    /// # Errors
    ///
    /// The memory cannot be read.
    pub fn remember(
        &self,
        contents: &ContestState,
        results: &Path,
        trial: &Trial,
        version: Version,
    ) -> Result<(Remembered, Result<(), TryError>), TryError> {
        let _lock = self.lock()?;
        let versions = self.versions()?;
        let number = versions.iter().map(|version| version.number).max().unwrap_or(0) + 1;
        let version = Version { number, ..version.with_trial(trial) };
        let before = self.best()?;
        let mut best = before.clone();
        let answers = best.improve(contents, trial, number);
        let remembered = Remembered { version, before, best };
        let written = self.write(contents, results, trial, (versions, &remembered, &answers));
        Ok((remembered, written))
    }

    fn write(
        &self,
        contents: &ContestState,
        results: &Path,
        trial: &Trial,
        (mut versions, new, answers): (Vec<Version>, &Remembered, &[(&Record, String)]),
    ) -> Result<(), TryError> {
        let failed = |path: &Path, source: io::Error| TryError::NotRemembered { path: path.to_owned(), source };
        let path = self.file_of(new.version.number);
        let mut table = Vec::new();
        write_runs(contents, &mut table).map_err(|error| failed(&path, error))?;
        let hash = |board: &str| trial.boards.get(board).cloned().unwrap_or_default();
        write_with_column(&path, &table, (BOARD_HASH, "board"), hash).map_err(|error| failed(&path, error))?;
        let kept = self.keep_answers(answers, results);
        kept.map_err(|error| failed(&self.folder.join(ANSWERS), error))?;
        let path = self.best_file();
        write_rows(&path, new.best.rows()).map_err(|error| failed(&path, error))?;
        versions.push(new.version.clone());
        // Written last, so that a listed version has its files.
        let path = self.history_file();
        write_rows(&path, &versions).map_err(|error| failed(&path, error))
    }

    /// Copies the answers of these runs, except those that are too long.
    fn keep_answers(&self, runs: &[(&Record, String)], results: &Path) -> io::Result<()> {
        let folder = self.folder.join(ANSWERS);
        for (run, board) in runs {
            fs::create_dir_all(&folder)?;
            let (path, answer) = (folder.join(format!("{board}.txt")), stdout_of(results, run));
            if answer.metadata()?.len() <= LONGEST_ANSWER {
                write_whole(&path, &regular::read(&answer, LONGEST_ANSWER)?)?;
            } else if path.exists() {
                // The answer of an earlier version is no longer the best.
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }

    /// Waits until no other try writes here. Closing the file ends the lock.
    fn lock(&self) -> Result<File, TryError> {
        let path = self.folder.join(LOCK);
        let file = regular::create(&path).map_err(|error| unwritable(&self.folder, error))?;
        file.lock().map_err(|error| unwritable(&path, error))?;
        Ok(file)
    }

    fn file_of(&self, number: u32) -> PathBuf {
        self.folder.join("versions").join(format!("{number}.csv"))
    }
}

fn unwritable(path: &Path, source: io::Error) -> TryError {
    TryError::Memory { path: path.to_owned(), source }
}

/// Tests whether a try of the solver with this command is remembered, in its folder or in another one.
pub fn remembers(command: &[String], remember: Option<&Path>) -> bool {
    remember.map_or_else(|| folder_of(command), Path::to_owned).join(FOLDER).is_dir()
}

/// The name under which tries of a game under these house rules are remembered.
pub fn name_of(game: &str, rules: &HouseRules) -> String {
    let rules = rules.texts().map(|(name, value)| format!("+{name}-{value}"));
    game.to_owned() + &rules.collect::<String>()
}

/// The name by which versions of a solver are recognized: the name of the first file in its command, such as `solver.py` of
/// `python3 solver.py --fast`, or else of its program.
pub fn program_of(command: &[String]) -> String {
    let program = file_of(command).or_else(|| command.first().map(Path::new));
    program.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned()
}

/// The first file that a command names.
fn file_of(command: &[String]) -> Option<&Path> {
    command.iter().map(Path::new).find(|word| word.is_file())
}

/// The folder of a solver: the folder of the file in its command, or the one above cargo's `target`. A program from
/// elsewhere, such as one on the PATH, has the current folder.
pub fn folder_of(command: &[String]) -> PathBuf {
    let here = PathBuf::from(".");
    let Some(folder) = file_of(command).and_then(Path::parent) else { return here };
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_default();
    let target = folder.iter().position(|part| part == "target");
    let folder: PathBuf = target.map_or_else(|| folder.to_owned(), |target| folder.iter().take(target).collect());
    let folder = if folder.as_os_str().is_empty() { here.clone() } else { folder };
    let system = ["/bin", "/usr", "/opt", "/lib"].iter().any(|system| absolute(&folder).starts_with(system));
    if system && !absolute(&here).starts_with(absolute(&folder)) { here } else { folder }
}
