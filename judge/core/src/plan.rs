//! The definition of a contest as plain data: game, boards, entries, limits and ranking.

use std::collections::{BTreeMap, HashSet};

use judge_job::{IsolationMode, Limits};
use serde::{Deserialize, Serialize};

use crate::game::Game;
use crate::games;
use crate::journal::{Name, RunKey};

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
    pub isolation: IsolationMode,
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
    #[serde(default, skip_serializing_if = "DisplayInfo::is_empty")]
    pub shown: DisplayInfo,
}

/// What a contest file tells for those who read about the contest. It is no part of what was run: a contest goes on
/// when a write-up was mended meanwhile.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DisplayInfo {
    /// The best that is known, by name of the board.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub known: BTreeMap<String, Known>,
    /// What the authors have to say, in Markdown, by name of the entry.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub write_ups: BTreeMap<String, String>,
}

impl DisplayInfo {
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
    /// The folder that its build may write; `None` for that of its program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Program and arguments as in the contest file.
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

/// The best that is known of a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// Moves of the shortest answer known.
    pub moves: u64,
    /// No answer has fewer moves than this; `None` where nothing is proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u64>,
}

impl Known {
    /// Whether no answer can be shorter.
    pub fn is_least(&self) -> bool {
        self.lower_bound == Some(self.moves)
    }
}

impl Plan {
    /// The game under this contest's house rules.
    pub fn game(&self) -> Result<Box<dyn Game>, String> {
        let kind = games::find(&self.game).ok_or_else(|| format!("unknown game `{}`", self.game))?;
        (kind.open)(&self.rules).map_err(|error| error.to_string())
    }

    /// The runs of all entries on all boards in the order in which they start: board after board, all entries on each.
    ///
    /// A machine that slows down during a contest so slows everybody, and each board begins with another entry, so that
    /// none always goes first.
    pub fn turns(&self) -> Vec<RunKey> {
        let entries: Vec<Name> = self.entries.iter().map(|entry| Name::from(&*entry.name)).collect();
        (0..self.boards.len()).flat_map(|board| self.turns_of(&entries, board)).collect()
    }

    /// The runs of all entries on one board, by its index.
    pub(crate) fn turns_on(&self, board: usize) -> Vec<RunKey> {
        let entries: Vec<Name> = self.entries.iter().map(|entry| Name::from(&*entry.name)).collect();
        self.turns_of(&entries, board)
    }

    fn turns_of(&self, entries: &[Name], board: usize) -> Vec<RunKey> {
        let name = Name::from(&*self.boards[board].name);
        let (first, last) = entries.split_at(board % entries.len().max(1));
        last.iter().chain(first).map(|entry| RunKey { round: 1, entry: entry.clone(), board: name.clone() }).collect()
    }

    /// The limits of an entry's runs.
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

/// The items with the wanted names, in their own order. An unknown name is refused with those there are.
pub fn select<T>(items: Vec<T>, wanted: &[String], name: impl Fn(&T) -> &String, what: &str) -> Result<Vec<T>, String> {
    let available: HashSet<&String> = items.iter().map(&name).collect();
    if let Some(unknown) = wanted.iter().find(|wanted| !available.contains(wanted)) {
        let there: Vec<&str> = items.iter().map(|item| name(item).as_str()).collect();
        return Err(format!("unknown {what} `{unknown}`; available: {}", there.join(", ")));
    }
    let wanted: HashSet<&String> = wanted.iter().collect();
    Ok(items.into_iter().filter(|item| wanted.contains(name(item))).collect())
}
