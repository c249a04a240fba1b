//! Contests that the command line describes, without a contest file: `judge run --game` and `judge try --seeds`.
//!
//! They are written as a contest file with its boards, so that everything else, such as `--resume`, works as in any
//! contest.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::game::{GameArgs, puzzle};
use super::{Failure, say};
use judge_contest::{FILE_NAME, Seeds, milliseconds, resolve};
use judge_core::game::{Game, GeneratorSpec};
use judge_core::names::{self, Names, Taken, is_plain};
use judge_core::text::is_invisible;
use judge_job::duration_text;

/// The limit per board if the command line sets none.
pub(super) const USUAL_LIMIT: Duration = Duration::from_secs(10);

/// From so many boards on, making and reading them takes long enough to say so first.
const MANY_BOARDS: u64 = 10_000;

/// A contest to be written.
pub(super) struct AdHoc<'a> {
    pub(super) name: String,
    pub(super) game: GameArgs,
    /// Board files, and seeds of random boards.
    pub(super) on: &'a [PathBuf],
    pub(super) seeds: Option<&'a Seeds>,
    /// Names and commands of the entries.
    pub(super) entries: Vec<(String, Vec<String>)>,
    pub(super) limit: Duration,
    pub(super) memory: Option<u64>,
    pub(super) cores: Option<usize>,
    pub(super) readable: Vec<PathBuf>,
}

impl AdHoc<'_> {
    /// The contest file and its boards, so that what is wrong with them shows before anything is written.
    pub(super) fn files(&self) -> Result<Files, Failure> {
        let game = self.game.open()?;
        self.announce("making");
        let mut contest = toml::Table::new();
        let text = |text: &str| toml::Value::String(text.to_owned());
        contest.insert("name".into(), text(&self.name));
        contest.insert("game".into(), text(self.game.kind().name));
        contest.insert("limit".into(), text(&duration_text(milliseconds(self.limit))));
        if let Some(memory) = self.memory {
            contest.insert("memory".into(), text(&format!("{memory}B")));
        }
        if let Some(cores) = self.cores {
            let cores = i64::try_from(cores).map_err(|_| Failure::input("--cores: too many"))?;
            contest.insert("cores".into(), toml::Value::Integer(cores));
        }
        let readable: Vec<toml::Value> = self.readable.iter().map(|path| text(&path.to_string_lossy())).collect();
        contest.insert("readable".into(), toml::Value::Array(readable));
        let rules = self.game.rules()?;
        if !rules.is_empty() {
            contest.insert("rules".into(), toml::Value::try_from(rules).map_err(Failure::judge)?);
        }
        let (mut tables, mut boards) = (Vec::new(), Vec::new());
        for (name, board) in self.boards(&*game)? {
            let file = format!("boards/{name}.txt");
            tables.push(table([("name", text(&name)), ("file", text(&file))]));
            boards.push((file, board));
        }
        contest.insert("board".into(), toml::Value::Array(tables));
        let here = std::path::absolute(".").map_err(Failure::judge)?;
        let entries = self.entries.iter().map(|(name, command)| {
            let words = resolve(command, &here).iter().map(|word| text(word)).collect();
            table([("name", text(name)), ("command", toml::Value::Array(words))])
        });
        contest.insert("entry".into(), toml::Value::Array(entries.collect()));
        boards.push((FILE_NAME.into(), contest.to_string()));
        Ok(Files(boards))
    }

    /// Says what happens, if there are many boards.
    pub(super) fn announce(&self, step: &str) {
        if let Some(boards) = many(self.seeds) {
            say(&format!("{step} {boards}"));
        }
    }

    /// The names and texts of the boards.
    fn boards(&self, game: &dyn Game) -> Result<Vec<(String, String)>, Failure> {
        let mut boards = Vec::new();
        for path in self.on {
            let name = names::composed(&path.file_stem().unwrap_or_default().to_string_lossy());
            boards.push((name, puzzle(game, path)?.0));
        }
        for seed in self.seeds.into_iter().flat_map(Seeds::all) {
            let board = game
                .make(&GeneratorSpec::Random { seed, pieces: None })
                .map_err(|error| Failure::input(format!("--seeds: {error}; or name board files with --on")))?;
            boards.push((format!("seed-{seed}"), board));
        }
        let mut all = Names::default();
        for (name, _) in &boards {
            names::usable("board", name)
                .map_err(|reason| Failure::input(format!("the board is named after its file: {reason}")))?;
            let other = all.insert(name).map_err(|Taken(other)| names::alike("board", name, &other));
            other.map_err(|alike| Failure::input(format!("{alike}; rename a file, or omit it")))?;
        }
        Ok(boards)
    }
}

/// The random boards of these seeds in words, if they are many.
pub(super) fn many(seeds: Option<&Seeds>) -> Option<String> {
    let seeds = seeds?.all();
    let boards = seeds.end().saturating_sub(*seeds.start()).saturating_add(1);
    (boards >= MANY_BOARDS).then(|| format!("{boards} random boards"))
}

/// Paths and texts of a contest; the contest file is the last one.
pub(super) struct Files(Vec<(String, String)>);

impl Files {
    /// Tests whether a folder has the same files.
    pub(super) fn are_in(&self, folder: &Path) -> bool {
        self.0.iter().all(|(name, text)| fs::read(folder.join(name)).is_ok_and(|bytes| bytes == text.as_bytes()))
    }

    /// Writes the files into this folder, and returns the contest file. No file that is there already is changed.
    pub(super) fn write(&self, folder: &Path) -> Result<PathBuf, Failure> {
        let boards = folder.join("boards");
        fs::create_dir_all(&boards).map_err(|error| unwritable(&boards, &error))?;
        for (name, text) in &self.0 {
            let path = folder.join(name);
            let new = File::create_new(&path).and_then(|mut file| file.write_all(text.as_bytes()));
            new.map_err(|error| unwritable(&path, &error))?;
        }
        Ok(folder.join(FILE_NAME))
    }
}

/// An entry of the command line: a command, or `NAME=COMMAND`. Without a name it has that of its program.
pub(super) fn entry(argument: &str) -> Result<(String, Vec<String>), String> {
    // What hides in a name does not make it a part of the command.
    let plain = |name: &str| !name.is_empty() && name.chars().all(|c| is_plain(c) || is_invisible(c));
    let (name, command) = match argument.split_once('=') {
        Some((name, command)) if plain(name) => (Some(name), command),
        _ => (None, argument),
    };
    if let Some(name) = name {
        names::usable("entry", name).map_err(|error| error.to_string())?;
    }
    let words = shell_words::split(command)
        .map_err(|error| format!("{error}; write NAME=COMMAND, for example mine=./solver"))?;
    let Some(program) = words.first() else {
        return Err("it has no command; write NAME=COMMAND, for example mine=./solver".into());
    };
    Ok((name.map_or_else(|| program_name(&words).unwrap_or_else(|| program.clone()), str::to_owned), words))
}

/// The name of a solver in tables: that of the first word of its command which names a file here, or else of its
/// program.
pub(super) fn program_name(command: &[String]) -> Option<String> {
    let named = command.iter().find(|word| Path::new(word).is_file()).or(command.first())?;
    let name = names::made_of(&Path::new(named).file_stem()?.to_string_lossy());
    Some(name).filter(|name| !name.is_empty())
}

fn table<const N: usize>(keys: [(&str, toml::Value); N]) -> toml::Value {
    toml::Value::Table(keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::AlreadyExists {
        return Failure::input(format!("{}: already exists; name another directory with --out", path.display()));
    }
    Failure::judge(format!("{}: {error}; make room, or name another directory with --out", path.display()))
}
