//! What a solver's folder remembers of the tries of its versions.
//!
//! `judge-try/GAME/` has a file of runs per version (`versions/1.csv`, as `results.csv`), the list of versions
//! (`history.csv`), the result of the best answer to each board (`best.csv`, one row per board), and these answers
//! (`answers/BOARD.txt`). The CSV files are to read and to keep under version control; `judge rank` and `judge compare`
//! accept all but the list.
//!
//! Several solvers may share a folder, and so its best answers. Versions are numbered over all of them; a solver is
//! compared with its own last version.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cli::Failure;
use judge_core::compare::{Outcome, better_of};
use judge_core::journal::{Contents, Record, stdout_of};
use judge_core::points::Points;
use judge_core::regular;
use judge_core::relative::Direction;
use judge_core::results::{Results, write_runs};
use judge_core::score::{Cell, JudgedBy};
use judge_core::text::unknown;
use judge_core::verdict::Verdict;

/// The folder in the solver's folder.
const FOLDER: &str = "judge-try";
/// The folder with the best answers.
const ANSWERS: &str = "answers";
/// The longest answer that is kept, in bytes.
const LONGEST_ANSWER: u64 = 64 << 10;
/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// The memory of a solver's folder for one game.
pub(super) struct Memory {
    folder: PathBuf,
}

/// A version, as `history.csv` lists it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Version {
    /// Its number, from 1.
    pub(super) number: u32,
    /// When it was tried, in UTC.
    pub(super) date: String,
    /// The name that `--keep` gave it.
    pub(super) name: String,
    /// The comment of `--comment`.
    pub(super) comment: String,
    /// Its command.
    pub(super) command: String,
    /// The file name of its program, see [`program_of`]; empty in older lists.
    #[serde(default)]
    pub(super) program: String,
}

impl Version {
    /// Tests whether it is a version of that program. Older lists do not name programs.
    pub(super) fn is_of(&self, program: &str) -> bool {
        self.program.is_empty() || self.program == program
    }

    /// Its number, and its name if it has one.
    pub(super) fn title(&self) -> String {
        if self.name.is_empty() {
            format!("version {}", self.number)
        } else {
            format!("version {} ({})", self.number, self.name)
        }
    }
}

/// The result of the best answer to a board, as `best.csv` has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Best {
    board: String,
    /// The version that gave it.
    version: u32,
    entry: String,
    game: String,
    verdict: String,
    progress: u64,
    of: u64,
    moves: u64,
    tie_break: u64,
    score: Option<Points>,
    wall_us: Option<u64>,
    limit_ms: u64,
    /// The way to sum points, as JSON.
    scoring: Option<String>,
    /// The measure of answers, if it is neither progress nor points. Files of earlier versions do not have it.
    #[serde(default)]
    judged_by: Option<String>,
}

impl Memory {
    /// The memory for a game, or for another contest by its name, of the solver with this command. `remember` is another
    /// folder than the solver's.
    pub(super) fn of(command: &[String], game: &str, remember: Option<&Path>) -> Self {
        let name: String =
            game.chars().map(|c| if c.is_alphanumeric() || "._+-".contains(c) { c } else { '_' }).collect();
        let folder = remember.map_or_else(|| folder_of(command), Path::to_owned);
        Self { folder: folder.join(FOLDER).join(name) }
    }

    /// The file with the best answers.
    pub(super) fn best_file(&self) -> PathBuf {
        self.folder.join("best.csv")
    }

    /// The file with the list of versions.
    pub(super) fn history_file(&self) -> PathBuf {
        self.folder.join("history.csv")
    }

    /// The best answers; `None` if there are none yet.
    pub(super) fn best(&self) -> Result<Option<Results>, Failure> {
        read(&self.best_file())
    }

    /// The runs of a version; `None` if its file was deleted.
    pub(super) fn runs(&self, version: &Version) -> Result<Option<Results>, Failure> {
        read(&self.file_of(version.number))
    }

    /// All versions, in their order.
    pub(super) fn versions(&self) -> Result<Vec<Version>, Failure> {
        rows(&self.history_file())
    }

    /// The version of that number or name. Without it the last one of that program, or else the last one of all; `None`
    /// if there is none yet.
    pub(super) fn version(&self, wanted: Option<&str>, program: &str) -> Result<Option<Version>, Failure> {
        let versions = self.versions()?;
        let Some(wanted) = wanted else {
            let own = versions.iter().rev().find(|version| version.is_of(program));
            return Ok(own.or(versions.last()).cloned());
        };
        let meant = |version: &&Version| version.name == wanted || version.number.to_string() == wanted;
        let names: Vec<String> = versions.iter().map(|version| version.number.to_string()).collect();
        let named = versions.iter().map(|version| version.name.as_str()).filter(|name| !name.is_empty());
        let all = names.iter().map(String::as_str).chain(named);
        let found = versions.iter().rev().find(meant).cloned();
        found.map(Some).ok_or_else(|| Failure::input(unknown("version", wanted, all)))
    }

    /// Makes its folder, so that one that cannot be written is refused before anything runs.
    pub(super) fn prepare(&self) -> Result<(), Failure> {
        let folder = self.folder.join("versions");
        let refuse = |error| {
            let folder = folder.display();
            Failure::input(format!("{folder}: {error}; name another folder with --remember DIR"))
        };
        fs::create_dir_all(&folder).map_err(refuse)
    }

    /// Remembers the runs of a new version, which are in this results directory, and its better answers.
    pub(super) fn remember(&self, contents: &Contents, results: &Path, version: &Version) -> Result<(), Failure> {
        let path = self.file_of(version.number);
        let failed = |path: &Path, error: &dyn std::fmt::Display| {
            let path = path.display();
            Failure::judge(format!("{path}: {error}; name another folder with --remember DIR"))
        };
        let file = regular::create(&path).map_err(|error| failed(&path, &error))?;
        write_runs(contents, io::BufWriter::new(file)).map_err(|error| failed(&path, &error))?;
        let path = self.best_file();
        let (best, answers) = self.better(contents, version)?;
        let kept = self.keep_answers(&answers, results);
        kept.map_err(|error| failed(&self.folder.join(ANSWERS), &error))?;
        write_rows(&path, &best).map_err(|error| failed(&path, &error))?;
        let mut versions = self.versions()?;
        versions.push(version.clone());
        // Last: a version that is listed has its files.
        let path = self.history_file();
        write_rows(&path, &versions).map_err(|error| failed(&path, &error))
    }

    /// The best answers with those of a new version, and the runs that gave these.
    fn better<'a>(&self, contents: &'a Contents, version: &Version) -> Result<(Vec<Best>, Vec<&'a Record>), Failure> {
        let scoring = contents.plan.scoring.as_ref();
        let (direction, judged_by) = (scoring.map(|scoring| scoring.direction), contents.plan.judged_by());
        let json = scoring.map(|scoring| serde_json::to_string(scoring).expect("plain data has a JSON form"));
        let mut best: Vec<Best> = rows(&self.best_file())?;
        let mut better = Vec::new();
        let mut places: BTreeMap<String, usize> = best.iter().map(|row| row.board.clone()).zip(0..).collect();
        for run in &contents.records {
            let (Verdict::Solved(score) | Verdict::Unsolved(score) | Verdict::Valid(score)) = &run.verdict else {
                continue;
            };
            let row = Best {
                board: run.key.board.to_string(),
                version: version.number,
                entry: run.key.entry.to_string(),
                game: contents.plan.game.clone(),
                verdict: run.verdict.name().into(),
                progress: score.progress,
                of: score.of,
                moves: score.moves,
                tie_break: score.tie_break,
                score: score.points,
                wall_us: run.wall_us,
                limit_ms: run.limit_ms,
                scoring: json.clone(),
                judged_by: (judged_by == JudgedBy::Acceptance).then(|| judged_by.name().to_owned()),
            };
            match places.get(&row.board) {
                Some(&place) if row.better_than(&best[place], direction) => best[place] = row,
                Some(_) => continue,
                None => {
                    places.insert(row.board.clone(), best.len());
                    best.push(row);
                }
            }
            better.push(run);
        }
        Ok((best, better))
    }

    /// Copies the answers of these runs, except those that are too long.
    fn keep_answers(&self, runs: &[&Record], results: &Path) -> io::Result<()> {
        let folder = self.folder.join(ANSWERS);
        for run in runs {
            fs::create_dir_all(&folder)?;
            let (path, answer) = (folder.join(format!("{}.txt", run.key.board)), stdout_of(results, run));
            if answer.metadata()?.len() <= LONGEST_ANSWER {
                regular::create(&path)?.write_all(&regular::read(&answer, LONGEST_ANSWER)?)?;
            } else if path.exists() {
                // That of an earlier version is not the best any more.
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }

    fn file_of(&self, number: u32) -> PathBuf {
        self.folder.join("versions").join(format!("{number}.csv"))
    }
}

impl Best {
    fn better_than(&self, other: &Self, direction: Option<Direction>) -> bool {
        let cell = |row: &Self| {
            let score = judge_core::game::Score {
                progress: row.progress,
                of: row.of,
                moves: row.moves,
                tie_break: row.tie_break,
                points: row.score,
            };
            let verdict = match row.verdict.as_str() {
                "solved" => Verdict::Solved(score),
                "valid" => Verdict::Valid(score),
                _ => Verdict::Unsolved(score),
            };
            Cell::of(&verdict, row.wall_us, row.limit_ms)
        };
        better_of(&cell(self), &cell(other), direction) == Outcome::First
    }
}

/// The name under which tries of a game under these house rules are remembered.
pub(super) fn name_of(game: &str, rules: &toml::Table) -> String {
    let rules = rules.iter().map(|(key, value)| format!("+{key}-{}", value.as_str().unwrap_or_default()));
    game.to_owned() + &rules.collect::<String>()
}

/// The name by which versions of a solver are recognized: that of the first file which its command names, such as
/// `solver.py` of `python3 solver.py --fast`, or else of its program.
pub(super) fn program_of(command: &[String]) -> String {
    let program = file_of(command).or_else(|| command.first().map(Path::new));
    program.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned()
}

/// The first file that a command names.
fn file_of(command: &[String]) -> Option<&Path> {
    command.iter().map(Path::new).find(|word| word.is_file())
}

/// The folder of a solver: that of the file which its command names, above a folder `target` of cargo. A program from
/// elsewhere, such as one on the PATH, has the current folder.
fn folder_of(command: &[String]) -> PathBuf {
    let here = PathBuf::from(".");
    let Some(folder) = file_of(command).and_then(Path::parent) else { return here };
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_default();
    let target = folder.iter().position(|part| part == "target");
    let folder: PathBuf = target.map_or_else(|| folder.to_owned(), |target| folder.iter().take(target).collect());
    let folder = if folder.as_os_str().is_empty() { here.clone() } else { folder };
    let system = ["/bin", "/usr", "/opt", "/lib"].iter().any(|system| absolute(&folder).starts_with(system));
    if system && !absolute(&here).starts_with(absolute(&folder)) { here } else { folder }
}

fn read(path: &Path) -> Result<Option<Results>, Failure> {
    // Without any legal answer the file of the best is empty.
    let there = path.metadata().is_ok_and(|metadata| metadata.len() > 0);
    if there { Results::read(path).map(Some).map_err(Failure::input) } else { Ok(None) }
}

/// The rows of a CSV file; none if it does not exist.
fn rows<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>, Failure> {
    let bytes = match regular::read(path, MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            let path = path.display();
            return Err(Failure::input(format!("{path}: {error}; name another folder with --remember DIR")));
        }
    };
    let mut reader = csv::Reader::from_reader(&*bytes);
    let rows = reader.deserialize().collect::<csv::Result<Vec<T>>>();
    rows.map_err(|error| Failure::input(format!("{}: {error}; correct the file, or delete it", path.display())))
}

/// Writes a CSV file as a whole: a stop in the middle leaves the old one.
fn write_rows<T: Serialize>(path: &Path, rows: &[T]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row)).map_err(io::Error::other)?;
    let bytes = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    let new = path.with_extension("csv.new");
    let mut file = regular::create(&new)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    fs::rename(&new, path)
}
