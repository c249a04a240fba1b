//! The games of a contest of matches in the form embedded in the page, by pairs of entries.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::compact_replay::CompactReplay;
use super::dialogue::GameDialogue;
use super::embedded::Budget;
use super::excerpt::Excerpt;
use super::facts::Fact;
use super::source::{PageSource, ResultsDirectory};
use super::text::shortened;
use judge_core::external::MAX_TRANSCRIPT_BYTES;
use judge_core::journal::{Part, Record};
use judge_core::results::{Game, GameState};
use judge_files::regular;

/// The most games of all pairs of a source that the page shows: each is a file that is read.
const MAX_GAMES: usize = 20_000;

/// The games of two entries that can be shown, in the order of the contest.
pub(super) struct Pair<'a> {
    /// The rows of the entries in the table, the upper one first.
    pub(super) rows: [usize; 2],
    pub(super) games: Vec<&'a Game>,
}

/// A game in the form in the data element, for the page's script.
#[derive(Default, Serialize)]
pub(super) struct EmbeddedGame {
    board: String,
    /// The rows of the entries in the order of their seats.
    rows: [usize; 2],
    /// The points in this order, such as `1 - 0`, or the state of the game.
    result: String,
    facts: Vec<Fact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<GameDialogue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<Excerpt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    film: Option<CompactReplay>,
    /// The reason for a missing film.
    #[serde(skip_serializing_if = "Option::is_none")]
    without: Option<String>,
}

/// The pairs of entries whose games the page shows: games of two seats that have begun. Empty without output files, or
/// if there are too many games.
pub(super) fn pairs(source: &PageSource) -> Vec<Pair<'_>> {
    let results = source.results();
    let Some(matches) = results.matches.as_ref().filter(|_| source.directory.is_some()) else { return Vec::new() };
    if matches.games.len() > MAX_GAMES {
        return Vec::new();
    }
    let places: HashMap<&str, usize> = results.rows.iter().map(|row| row.entry.name.as_str()).zip(0..).collect();
    let mut pairs: BTreeMap<[usize; 2], Vec<&Game>> = BTreeMap::new();
    for game in matches.games.iter().filter(|game| game.state != GameState::Missing) {
        if let Some(rows) = rows_of(game, &places) {
            pairs.entry([rows[0].min(rows[1]), rows[0].max(rows[1])]).or_default().push(game);
        }
    }
    pairs.into_iter().map(|(rows, games)| Pair { rows, games }).collect()
}

/// The rows of the entries of a game of two seats.
fn rows_of(game: &Game, places: &HashMap<&str, usize>) -> Option<[usize; 2]> {
    let rows: Vec<usize> = game.key.seats().map(|seat| places.get(&**seat).copied()).collect::<Option<_>>()?;
    rows.try_into().ok()
}

impl EmbeddedGame {
    /// Collects the data of a game of these two rows.
    pub(super) fn new(
        game: &Game,
        rows: [usize; 2],
        names: [&str; 2],
        directory: &ResultsDirectory,
        budget: Budget,
    ) -> Self {
        let swapped = game.key.seats().next().is_some_and(|first| **first != *names[0]);
        let rows = if swapped { [rows[1], rows[0]] } else { rows };
        let record = directory.journal.record(&game.key);
        let mut shown = Self {
            board: shortened(&game.key.board),
            rows,
            result: match &game.state {
                GameState::Played(played) => played.to_string(),
                GameState::JudgeError => "judge error".into(),
                GameState::Unbuilt(_) => "not built".into(),
                _ => "missing".into(),
            },
            ..Self::default()
        };
        let Some(record) = record else { return shown };
        shown.facts = facts(record);
        shown.game = dialogue(record, directory, budget);
        let stderr = Part::Stderr.open(&directory.path, record).ok();
        let stderr = stderr.and_then(|file| Excerpt::from_file(file, budget.stderr).ok());
        shown.stderr = stderr.filter(|excerpt| !excerpt.head.is_empty());
        match budget.frames_of(record, &directory.path) {
            Ok((film, _)) => shown.film = Some(film),
            Err(without) => shown.without = Some(without),
        }
        shown
    }
}

/// The result of each seat, and the remarks on the game.
fn facts(record: &Record) -> Vec<Fact> {
    let extras = &record.extras;
    let seats = record.key.seats().zip(extras.played.iter().flat_map(|played| &played.seats));
    let mut facts: Vec<Fact> = seats.map(|(name, seat)| (name.to_string(), seat.to_string())).collect();
    if extras.played.is_none() {
        facts.push(("result".into(), record.verdict.summary()));
    }
    facts.extend(extras.by_hand().map(|(ruled, why)| (ruled, why.to_owned())));
    facts.extend(extras.suspect.iter().map(|why| ("suspect".into(), why.to_string())));
    facts.extend(extras.notes.iter().map(|note| ("note".into(), note.clone())));
    facts.into_iter().map(|(name, value)| (shortened(&name), shortened(&value))).collect()
}

/// The asks and answers of a game; `None` without a transcript, or if it differs from its record.
fn dialogue(record: &Record, directory: &ResultsDirectory, budget: Budget) -> Option<GameDialogue> {
    let file = Part::Transcript.open(&directory.path, record).ok()?;
    let bytes = regular::read_file(file, MAX_TRANSCRIPT_BYTES).ok()?;
    GameDialogue::read(&String::from_utf8_lossy(&bytes), budget.answer_bytes())
}
