//! A contest: game, boards, entries, limits and how to rank, read from a contest file and checked as a whole.
//!
//! [`Contest::load`] refuses anything doubtful before a single entry runs. What it gives is a [`Plan`], plain data
//! that holds the boards themselves, so that a journal with the plan in its head stands alone.

mod elsewhere;
mod error;
mod file;
mod known;
mod write_up;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use serde::{Deserialize, Serialize};

pub use elsewhere::Seeds;
pub use error::ContestError;
pub(crate) use file::{milliseconds, parse_duration, parse_size, read_board};
pub use known::Known;

use crate::game::{Game, Puzzle};
use crate::games;
use crate::run::{Demand, Limits, settled};

/// The name a contest file has when only its folder is given.
pub const FILE_NAME: &str = "contest.toml";

/// A contest file that was read and found good.
pub struct Contest {
    /// The contest file, absolute.
    pub path: PathBuf,
    /// What it says, after the overrides of the command line.
    pub plan: Plan,
    /// One puzzle a board of the plan, in its order.
    pub puzzles: Vec<Box<dyn Puzzle>>,
}

/// All that defines a contest. Two contests are the same when [`Plan::difference`] finds none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Title for people.
    pub name: String,
    /// Name in the list of games.
    pub game: String,
    /// The `[rules]` table, which only the game looks into.
    pub rules: toml::Table,
    /// What each run may take.
    pub limits: Limits,
    /// How entries have to be isolated.
    #[serde(default)]
    pub isolation: Demand,
    /// What every entry may read beside the files of its own command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<String>,
    /// What decides places, most important first.
    pub ranking: Vec<RankKey>,
    /// Boards in the order of the table's columns.
    pub boards: Vec<Board>,
    /// Entries in the order of the contest file.
    pub entries: Vec<Entry>,
    /// What is only shown.
    #[serde(default, skip_serializing_if = "Shown::is_empty")]
    pub shown: Shown,
}

/// What a contest file tells for those who read about the contest. It is no part of what was run: a contest goes on
/// when a write-up was mended meanwhile.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Shown {
    /// The best that is known, by name of the board.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub known: BTreeMap<String, Known>,
    /// What the authors have to say, in Markdown, by name of the entry.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub write_ups: BTreeMap<String, String>,
}

impl Shown {
    fn is_empty(&self) -> bool {
        self.known.is_empty() && self.write_ups.is_empty()
    }
}

/// A board of a contest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// Name at the head of its column.
    pub name: String,
    /// The board file's text.
    pub text: String,
    /// Whether the board is a reconstruction of one that is lost; every output shows it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reconstruction: bool,
    /// What the organiser has to say about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// An entry of a contest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Name at the head of its row.
    pub name: String,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<u16>,
    /// What it does, in a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// Shell command that builds it, run once in the contest file's folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// Program and arguments as the contest file has them; see [`Contest::command`].
    pub command: Vec<String>,
    /// What it may read beside the files of its command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<String>,
    /// What its runs may take where that is not what the contest says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// Whether it can take a place.
    pub competing: bool,
}

/// A figure that can decide a place. More progress is better, less of everything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankKey {
    /// Progress summed over the boards.
    Progress,
    /// Moves summed over the boards.
    Moves,
    /// The tie-break figure summed over the boards.
    TieBreak,
    /// Wall clock summed over the boards, in milliseconds.
    Time,
}

impl RankKey {
    /// The order of the published table of 1995.
    pub const DEFAULT_ORDER: [Self; 4] = [Self::Progress, Self::Moves, Self::TieBreak, Self::Time];

    /// The key of that name in a contest file.
    pub fn named(name: &str) -> Option<Self> {
        Self::DEFAULT_ORDER.into_iter().find(|key| key.name() == name)
    }

    /// The name in contest files and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Progress => "progress",
            Self::Moves => "moves",
            Self::TieBreak => "tie_break",
            Self::Time => "time",
        }
    }
}

/// What the command line changes of a contest file. Recorded with the plan, so that a resumed contest is the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overrides {
    /// Wall-clock limit in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_ms: Option<u64>,
    /// Only these entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<String>>,
    /// Only these boards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boards: Option<Vec<String>>,
    /// These boards in place of the contest's own; see [`Contest::boards_from`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_boards: Option<Vec<Board>>,
}

impl Contest {
    /// Reads and checks a contest file, or the `contest.toml` of a folder.
    pub fn load(path: &Path, overrides: &Overrides) -> Result<Self, ContestError> {
        let path = if path.is_dir() { path.join(FILE_NAME) } else { path.to_owned() };
        let (mut plan, puzzles) = file::load(&path)?;
        let absolute = std::path::absolute(&path).map_err(|error| ContestError::whole(&path, error.to_string()))?;

        let refuse = |reason: String| ContestError::whole(&path, reason);
        if let Some(wall_ms) = overrides.wall_ms {
            let own = plan.entries.iter_mut().filter_map(|entry| entry.limits.as_mut());
            own.chain([&mut plan.limits]).for_each(|limits| limits.wall_ms = wall_ms);
        }
        if let Some(wanted) = &overrides.entries {
            plan.entries = select(plan.entries, wanted, |entry| &entry.name, "entry").map_err(refuse)?;
        }
        let mut boards: Vec<_> = plan.boards.drain(..).zip(puzzles).collect();
        if let Some(others) = &overrides.other_boards {
            let game = plan.game().map_err(refuse)?;
            let parse = |board: &Board| game.parse(board.text.as_bytes()).map(|puzzle| (board.clone(), puzzle));
            boards = others
                .iter()
                .map(|board| parse(board).map_err(|error| refuse(format!("board {}: {error}", board.name))))
                .collect::<Result<_, _>>()?;
        }
        if let Some(wanted) = &overrides.boards {
            boards = select(boards, wanted, |(board, _)| &board.name, "board").map_err(refuse)?;
        }
        let (boards, puzzles) = boards.into_iter().unzip();
        plan.boards = boards;
        Ok(Self { path: absolute, plan, puzzles })
    }

    /// The contest file's folder: where builds run and what relative programs are relative to.
    pub fn directory(&self) -> &Path {
        self.path.parent().expect("an absolute path to a file has a parent")
    }

    /// An entry's command ready to run, see [`resolve`].
    pub fn command(&self, entry: &Entry) -> Vec<String> {
        resolve(&entry.command, self.directory())
    }

    /// Files and folders that an entry may read beside those of its command, absolute.
    pub fn readable(&self, entry: &Entry) -> Vec<PathBuf> {
        let paths = self.plan.readable.iter().chain(&entry.readable);
        paths.map(|path| absolute(path, self.directory())).collect()
    }
}

/// A command as it runs from any working directory.
///
/// A program with a `/` in it is relative to `directory`, one without is looked up on the PATH. Another word that
/// names a file in `directory` becomes its absolute path, and `{dir}` in a word stands for `directory` itself.
pub fn resolve(command: &[String], directory: &Path) -> Vec<String> {
    let words = command.iter().enumerate().map(|(index, word)| {
        let word = word.replace("{dir}", &directory.to_string_lossy());
        let is_path = if index == 0 { word.contains('/') } else { directory.join(&word).is_file() };
        if is_path { absolute(&word, directory).to_string_lossy().into_owned() } else { word }
    });
    words.collect()
}

/// A path from a folder, with no link and no `..` in it but for its last part: the same file for whoever sees it.
pub(crate) fn absolute(path: &str, directory: &Path) -> PathBuf {
    // Collected from its components, a path loses the `.` of `./program`.
    settled(&directory.join(path).components().collect::<PathBuf>())
}

impl Plan {
    /// The game under this contest's house rules.
    pub fn game(&self) -> Result<Box<dyn Game>, String> {
        let kind = games::find(&self.game).ok_or_else(|| format!("unknown game `{}`", self.game))?;
        (kind.open)(&self.rules).map_err(|error| error.to_string())
    }

    /// What an entry's runs may take.
    pub fn limits_of(&self, entry: &Entry) -> Limits {
        entry.limits.unwrap_or(self.limits)
    }

    /// The first thing in which a contest file's plan differs from this one, a journal's; `None` when the two are the
    /// same contest. What is only shown makes no difference.
    pub fn difference(&self, file: &Self) -> Option<String> {
        let figures = |plan: &Self| {
            [
                ("name", plan.name.clone()),
                ("game", plan.game.clone()),
                ("limits", plan.limits.to_string()),
                ("isolation", plan.isolation.name().to_owned()),
                ("readable", plan.readable.join(", ")),
                ("rules", plan.rules.to_string().trim_end().replace('\n', ", ")),
                ("ranking", plan.ranking.iter().map(|key| key.name()).collect::<Vec<_>>().join(", ")),
                ("boards", plan.boards.iter().map(|board| board.name.as_str()).collect::<Vec<_>>().join(", ")),
                ("entries", plan.entries.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>().join(", ")),
            ]
        };
        let mut pairs = figures(self).into_iter().zip(figures(file));
        if let Some(((what, journal), (_, file))) = pairs.find(|(journal, file)| journal != file) {
            return Some(format!("{what}: `{journal}` in the journal, `{file}` in the contest file"));
        }
        let board = self.boards.iter().zip(&file.boards).find(|(journal, file)| journal != file);
        let board = board.map(|(board, _)| format!("board {} is not the same", board.name));
        board.or_else(|| {
            let (entry, _) = self.entries.iter().zip(&file.entries).find(|(journal, file)| journal != file)?;
            Some(format!("entry {} is not the same", entry.name))
        })
    }
}

/// The bytes of a file that is only read about; the error is a fragment. A pipe that nobody fills, or a device without
/// end, would keep a contest from ever beginning.
fn read_ordinary(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let size = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !size.is_file() {
        return Err("is no ordinary file".into());
    }
    if size.len() > most {
        return Err(format!("is larger than {}", ByteSize(most)));
    }
    std::fs::read(path).map_err(|error| error.to_string())
}

/// The items of the wanted names, in their own order; an unknown name is refused with those there are.
pub(crate) fn select<T>(
    items: Vec<T>,
    wanted: &[String],
    name: impl Fn(&T) -> &String,
    what: &str,
) -> Result<Vec<T>, String> {
    if let Some(unknown) = wanted.iter().find(|&wanted| !items.iter().any(|item| name(item) == wanted)) {
        let there: Vec<&str> = items.iter().map(|item| name(item).as_str()).collect();
        return Err(format!("no {what} is called `{unknown}`; there are {}", there.join(", ")));
    }
    Ok(items.into_iter().filter(|item| wanted.contains(name(item))).collect())
}
