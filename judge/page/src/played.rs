//! One run as the page embeds it: its facts, what the entry printed, and the game as a film.

use std::fs::File;
use std::path::Path;

use serde::Serialize;

use super::excerpt::Excerpt;
use super::facts::{Fact, Facts};
use super::figure::Curve;
use super::film::{self, Film, Recording};
use super::text::shortened;
use judge_core::game::Puzzle;
use judge_core::journal::Record;
use judge_core::journal::{stderr_of, stdout_of};

/// Bytes that all answers, and all that was printed on standard error, may take on a page together.
const ANSWER_BYTES: u64 = 8 << 20;
const STDERR_BYTES: u64 = 2 << 20;
/// Frames of all films together.
const FRAMES: u64 = 4 << 20;

/// How much of a single run there is room for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    answer: u64,
    stderr: u64,
    frames: usize,
}

impl Room {
    /// On a page of so many runs.
    pub(super) fn among(runs: usize) -> Self {
        let runs = runs.max(1) as u64;
        let frames = (FRAMES / runs).clamp(256, 4096);
        Self {
            answer: (ANSWER_BYTES / runs).clamp(512, 32 << 10),
            stderr: (STDERR_BYTES / runs).clamp(256, 32 << 10),
            frames: usize::try_from(frames).expect("a few thousand"),
        }
    }
}

/// One run.
#[derive(Serialize)]
pub(super) struct Played {
    cell: String,
    facts: Vec<Fact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Excerpt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<Excerpt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    film: Option<Film>,
    /// Why there is no film.
    #[serde(skip_serializing_if = "Option::is_none")]
    without: Option<String>,
}

/// What a run can be replayed from.
pub(super) struct Place<'a> {
    /// Name of the run of the contest.
    pub(super) run: &'a str,
    /// The results directory.
    pub(super) results: &'a Path,
    /// The board; the error is a fragment.
    pub(super) puzzle: &'a Result<Box<dyn Puzzle>, String>,
    /// How much of it is shown.
    pub(super) room: Room,
}

impl Played {
    /// A run, with how far its answer had come where there is a film of it. `place` is `None` where a table is all
    /// there is.
    pub(super) fn of(cell: String, facts: &Facts<'_>, place: Option<&Place<'_>>) -> (Self, Option<Curve>) {
        let shown = facts.all().into_iter().map(|(name, value)| (shortened(&name), shortened(&value)));
        let mut played = Self { cell, facts: shown.collect(), answer: None, stderr: None, film: None, without: None };
        let (Some(place), Some(record)) = (place, facts.record) else { return (played, None) };
        let Place { results, room, .. } = place;
        // A file that is gone is an empty one: what it held is told by the facts.
        let excerpt = |path: &Path, most: u64| Excerpt::of(path, most).ok().filter(|excerpt| !excerpt.head.is_empty());
        played.answer = excerpt(&stdout_of(results, record), room.answer);
        played.stderr = excerpt(&stderr_of(results, record), room.stderr);
        match film(record, place) {
            Ok((film, curve)) => {
                played.film = Some(film);
                (played, Some(curve))
            }
            Err(without) => {
                played.without = Some(without);
                (played, None)
            }
        }
    }
}

/// The film of a run's answer, or why there is none.
fn film(record: &Record, place: &Place<'_>) -> Result<(Film, Curve), String> {
    let score = record.verdict.score().ok_or("the judge replays no answer of a run that did not end well")?;
    let puzzle = place.puzzle.as_ref().map_err(|error| format!("the board cannot be read: {error}"))?;
    let path = stdout_of(place.results, record);
    let answer = File::open(&path).map_err(|error| format!("the answer cannot be read: {error}"))?;
    let recording = film::record(&**puzzle, answer, place.room.frames);
    let Recording { film, score: replayed, last, progress } =
        recording.map_err(|error| format!("the answer cannot be read: {error}"))?;
    // The verdict stands as it was given; whatever lies in the file now must not be shown as its reason.
    if replayed != score || record.final_board.as_ref().is_some_and(|board| *board != last) {
        return Err("the answer in the results directory is not the one that was judged".into());
    }
    let (entry, board) = (record.key.entry.to_string(), record.key.board.to_string());
    let curve = Curve { run: place.run.into(), entry, board, progress, stride: film.stride, of: film.of };
    Ok((film, curve))
}
