//! Contests that a program describes, without a contest file.
//!
//! A description is written as a contest file with its boards, so that everything else, such as resuming, works as usual.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_core::game::{GameInfo, HouseRules};
use judge_job::duration_text;

use super::elsewhere::{BoardsError, Seeds, boards_of};
use super::files::FilePaths;
use super::{FILE_NAME, milliseconds, resolve};

/// The wall-clock limit of a run if none is given.
pub const USUAL_LIMIT: Duration = Duration::from_secs(10);

/// A contest to be written, of a built-in game.
#[non_exhaustive]
pub struct NewContest<'a> {
    /// The name of the contest.
    pub name: String,
    /// The game.
    pub game: &'static GameInfo,
    /// Its house rules.
    pub rules: HouseRules,
    /// Board files, each of which names its board.
    pub boards: &'a [PathBuf],
    /// Seeds of random boards.
    pub seeds: Option<&'a Seeds>,
    /// Names and commands of the entries.
    pub entries: Vec<(String, Vec<String>)>,
    /// The wall-clock limit of each run.
    pub limit: Duration,
    /// The memory limit in bytes.
    pub memory: Option<u64>,
    /// The cores of each run.
    pub cores: Option<u32>,
    /// Files and folders that all entries may read.
    pub readable: Vec<PathBuf>,
}

/// The reason why a contest cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NewContestError {
    /// The game does not have these house rules.
    #[error("invalid house rule: {0}")]
    Rules(String),
    /// A board is not usable.
    #[error(transparent)]
    Boards(#[from] BoardsError),
    /// A file cannot be written, or already exists.
    #[error("{}: {error}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason; of kind `AlreadyExists` for an existing file.
        #[source]
        error: io::Error,
    },
}

impl<'a> NewContest<'a> {
    /// A contest without boards and entries, under the usual limit.
    pub fn new(name: impl Into<String>, game: &'static GameInfo, rules: HouseRules) -> Self {
        Self {
            name: name.into(),
            game,
            rules,
            boards: &[],
            seeds: None,
            entries: Vec::new(),
            limit: USUAL_LIMIT,
            memory: None,
            cores: None,
            readable: Vec::new(),
        }
    }

    /// The contest file and its boards. Errors in them are found before anything is written. Commands are relative to `here`.
    ///
    /// # Errors
    /// [`NewContestError`] if the rules or a board are not usable.
    pub fn files(&self, here: &Path) -> Result<NewContestFiles, NewContestError> {
        let game = (self.game.open)(&self.rules).map_err(|error| NewContestError::Rules(error.to_string()))?;
        let text = |text: &str| toml::Value::String(text.to_owned());
        let mut contest = toml::Table::new();
        contest.insert("name".into(), text(&self.name));
        contest.insert("game".into(), text(self.game.name));
        contest.insert("limit".into(), text(&duration_text(milliseconds(self.limit))));
        if let Some(memory) = self.memory {
            contest.insert("memory".into(), text(&format!("{memory}B")));
        }
        if let Some(cores) = self.cores {
            contest.insert("cores".into(), toml::Value::Integer(cores.into()));
        }
        let readable: Vec<toml::Value> = self.readable.iter().map(|path| text(&path.to_string_lossy())).collect();
        contest.insert("readable".into(), toml::Value::Array(readable));
        if !self.rules.is_empty() {
            let rules = toml::Value::try_from(&self.rules);
            contest.insert("rules".into(), rules.map_err(|error| NewContestError::Rules(error.to_string()))?);
        }
        let (mut tables, mut files) = (Vec::new(), Vec::new());
        for board in boards_of(Some(&*game), self.boards, self.seeds, &mut FilePaths::new())? {
            let file = format!("boards/{}.txt", board.name);
            tables.push(table([("name", text(&board.name)), ("file", text(&file))]));
            files.push((file, board.text));
        }
        contest.insert("board".into(), toml::Value::Array(tables));
        let entries = self.entries.iter().map(|(name, command)| {
            let words = resolve(command, here).iter().map(|word| text(word)).collect();
            table([("name", text(name)), ("command", toml::Value::Array(words))])
        });
        contest.insert("entry".into(), toml::Value::Array(entries.collect()));
        files.push((FILE_NAME.into(), contest.to_string()));
        Ok(NewContestFiles(files))
    }
}

fn table<const N: usize>(keys: [(&str, toml::Value); N]) -> toml::Value {
    toml::Value::Table(keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// Paths and texts of a contest; the contest file is the last one.
pub struct NewContestFiles(Vec<(String, String)>);

impl NewContestFiles {
    /// Tests whether a folder already has these files, with the same contents.
    pub fn are_in(&self, folder: &Path) -> bool {
        self.0.iter().all(|(name, text)| fs::read(folder.join(name)).is_ok_and(|bytes| bytes == text.as_bytes()))
    }

    /// Writes the files into this folder, and returns the contest file. Existing files are not changed.
    ///
    /// # Errors
    /// [`NewContestError::Write`].
    pub fn write(&self, folder: &Path) -> Result<PathBuf, NewContestError> {
        let failed = |path: &Path, error: io::Error| NewContestError::Write { path: path.to_owned(), error };
        let boards = folder.join("boards");
        fs::create_dir_all(&boards).map_err(|error| failed(&boards, error))?;
        for (name, text) in &self.0 {
            let path = folder.join(name);
            let new = File::create_new(&path).and_then(|mut file| file.write_all(text.as_bytes()));
            new.map_err(|error| failed(&path, error))?;
        }
        Ok(folder.join(FILE_NAME))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use judge_core::games;
    use judge_core::plan::Overrides;

    use super::*;
    use crate::Contest;

    #[test]
    fn a_described_contest_is_read_as_it_was_described() {
        let folder = tempfile::tempdir().unwrap();
        let board = folder.path().join("near.txt");
        fs::write(&board, "ABCDE FGHIJ KL+MN PQRSO UVWXT").unwrap();
        let (on, seeds) = ([board], "7".parse().unwrap());
        let mut new = NewContest::new("Described", games::GAMES[0], HouseRules::default());
        (new.boards, new.seeds) = (&on, Some(&seeds));
        new.entries = vec![("mine".into(), vec!["./solver".into(), "-x".into()])];
        (new.memory, new.cores) = (Some(1 << 30), Some(2));
        let files = new.files(Path::new("/here")).unwrap();
        let to = folder.path().join("new");
        assert!(!files.are_in(&to));
        let path = files.write(&to).unwrap();
        assert!(files.are_in(&to));
        let Contest { plan, .. } = Contest::load(&path, &Overrides::default()).unwrap();
        let names: Vec<&str> = plan.boards.iter().map(|board| &*board.name).collect();
        assert_eq!(
            (&*plan.name, &*plan.problems.only().game, names),
            ("Described", games::GAMES[0].name, vec!["near", "seed-7"])
        );
        assert_eq!(plan.entries[0].command, ["/here/solver", "-x"].map(str::to_owned));
        let limits = plan.problems.only().limits;
        assert_eq!((limits.wall_ms, limits.memory_bytes, limits.cores), (10_000, Some(1 << 30), 2));
        let again = files.write(&to).unwrap_err();
        assert!(
            matches!(again, NewContestError::Write { ref error, .. } if error.kind() == io::ErrorKind::AlreadyExists)
        );
        let twice = [on[0].clone(), on[0].clone()];
        new.boards = &twice;
        let alike = new.files(Path::new("/here")).map(drop).unwrap_err().to_string();
        assert!(alike.ends_with("; rename a file, or omit it"), "{alike}");
    }
}
