//! A run in the form embedded in the page: its facts, the entry's output, and the replay as a film.

use std::io;
use std::path::Path;

use serde::Serialize;

use super::compact_replay::{self, CompactReplay, Recording};
use super::dialogue::Dialogue;
use super::excerpt::Excerpt;
use super::facts::{Fact, RunFacts, TECHNICAL};
use super::plot::Curve;
use super::text::shortened;
use judge_core::external;
use judge_core::game::{GameInfo, Puzzle};
use judge_core::journal::{Part, Record};
use judge_files::regular;

/// Bytes that runs share for answers, for inputs and expected outputs, and for standard error. Each run has a minimum.
const ANSWER_BYTES: u64 = 8 << 20;
const BOARD_BYTES: u64 = 4 << 20;
const STDERR_BYTES: u64 = 2 << 20;
/// Bytes that runs share for images of films.
const IMAGE_BYTES: u64 = 16 << 20;
/// Frames that the films share.
const FRAMES: u64 = 4 << 20;

/// The reason for a missing film of an answer that differs from the judged one.
const CHANGED: &str = "the answer in the results directory has changed since it was judged";

/// The size limits of a single run's data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    answer: u64,
    pub(super) stderr: u64,
    frames: usize,
    /// Bytes of the images of a film.
    images: usize,
    /// Bytes of the input of a board, and of its expected output.
    pub(super) board: u64,
}

impl Budget {
    /// Divides the page's limits among its runs.
    pub(super) fn among(runs: usize) -> Self {
        let runs = runs.max(1) as u64;
        let frames = (FRAMES / runs).clamp(256, 4096);
        Self {
            answer: (ANSWER_BYTES / runs).clamp(512, 32 << 10),
            stderr: (STDERR_BYTES / runs).clamp(256, 32 << 10),
            frames: usize::try_from(frames).expect("a few thousand"),
            images: usize::try_from((IMAGE_BYTES / runs).clamp(16 << 10, 1 << 20)).expect("a megabyte at most"),
            // There are no more boards than runs.
            board: (BOARD_BYTES / runs).clamp(1 << 10, 16 << 10),
        }
    }

    /// The most bytes of the text of an answer, or of the messages of a talk.
    pub(super) fn answer_bytes(&self) -> usize {
        usize::try_from(self.answer).unwrap_or(usize::MAX)
    }

    /// The film of the positions that a referee left, and the progress at each if it is known for all. The error is the reason
    /// for a missing film.
    pub(super) fn frames_of(
        &self,
        record: &Record,
        results: &Path,
    ) -> Result<(CompactReplay, Option<Vec<u64>>), String> {
        let left = match Part::Frames.open(results, record) {
            Ok(file) => regular::read_file(file, external::MAX_STORED_FRAMES_BYTES).ok(),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(format!("the positions in the results directory have changed since: the file {error}"));
            }
            Err(_) => None,
        };
        let left = left.and_then(|bytes| external::Frame::read(&bytes));
        let film = left.and_then(|left| compact_replay::of_frames(left, &record.verdict, self.frames, self.images));
        film.ok_or_else(|| "the referee left no positions".to_owned())
    }
}

/// A run in the form in the data element, for the page's script.
#[derive(Default, Serialize)]
pub(super) struct EmbeddedRun {
    cell: String,
    facts: Vec<Fact>,
    /// Facts on resources and the machine, which the dialog shows last.
    details: Vec<Fact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Excerpt>,
    /// The exchange with the referee instead of the answer, as it contains the entry's output.
    #[serde(skip_serializing_if = "Option::is_none")]
    talk: Option<Dialogue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<Excerpt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    film: Option<CompactReplay>,
    /// The reason for a missing film.
    #[serde(skip_serializing_if = "Option::is_none")]
    without: Option<String>,
}

/// The data needed to replay a source's runs on a board.
pub(super) struct ReplaySource<'a> {
    /// Name of the source, for messages and as the key of its curves.
    pub(super) source: &'a str,
    /// The results directory, which contains the files of answers.
    pub(super) results: &'a Path,
    /// True if the referee is a program: its files are shown, and nothing is replayed.
    pub(super) external: bool,
    /// The board and its game; the error is a fragment.
    pub(super) puzzle: &'a Result<(&'static GameInfo, Box<dyn Puzzle>), String>,
    /// The size limits of each run.
    pub(super) budget: Budget,
}

impl EmbeddedRun {
    /// Collects a run's data, and the curve of its answer if there is a film. `replay` is `None` for results without
    /// output files.
    pub(super) fn new(cell: String, facts: &RunFacts<'_>, replay: Option<&ReplaySource<'_>>) -> (Self, Option<Curve>) {
        let shown = facts.all().into_iter().map(|(name, value)| (shortened(&name), shortened(&value)));
        let (details, visible) = shown.partition(|(name, _)| TECHNICAL.contains(&name.as_str()));
        let mut run = Self { cell, facts: visible, details, ..Self::default() };
        let (Some(replay), Some(record)) = (replay, facts.record) else { return (run, None) };
        let ReplaySource { results, budget, .. } = replay;
        // A missing file is treated as an empty one: the facts contain its size.
        let excerpt = |part: Part, most: u64| {
            let file = part.open(results, record).ok()?;
            Excerpt::from_file(file, most).ok().filter(|excerpt| !excerpt.head.is_empty())
        };
        run.talk = talk(record, replay);
        run.answer = excerpt(Part::Stdout, budget.answer).filter(|_| run.talk.is_none());
        run.stderr = excerpt(Part::Stderr, budget.stderr);
        match film(record, replay) {
            Ok((film, curve)) => {
                run.film = Some(film);
                (run, curve)
            }
            Err(without) => {
                run.without = Some(without);
                (run, None)
            }
        }
    }
}

/// The exchange of a run with its referee, within the byte limit of an answer; `None` if there is none, or if it differs
/// from its record.
fn talk(record: &Record, replay: &ReplaySource<'_>) -> Option<Dialogue> {
    let file = Part::Transcript.open(replay.results, record).ok()?;
    let bytes = regular::read_file(file, external::MAX_TRANSCRIPT_BYTES).ok()?;
    Dialogue::read(&String::from_utf8_lossy(&bytes), replay.budget.answer_bytes())
}

/// Records the film of a run's answer; the error is the reason for a missing film.
fn film(record: &Record, replay: &ReplaySource<'_>) -> Result<(CompactReplay, Option<Curve>), String> {
    let given = record.verdict.given().ok_or("only answers of runs with exit code 0 are replayed")?;
    let (entry, board) = (record.key.entry.to_string(), record.key.board.to_string());
    let curve = |progress, film: &CompactReplay| Curve {
        source: replay.source.into(),
        entry: entry.clone(),
        board: board.clone(),
        progress,
        stride: film.stride,
        of: film.of,
    };
    let answer = || {
        Part::Stdout.open(replay.results, record).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => format!("{CHANGED}: the file {error}"),
            _ => format!("the answer cannot be read: {error}"),
        })
    };
    if replay.external {
        // The positions belong to the answer that was ruled on, and must not appear as evidence for another one.
        answer()?;
        let (film, progress) = replay.budget.frames_of(record, replay.results)?;
        let curve = progress.map(|progress| curve(progress, &film));
        return Ok((film, curve));
    }
    let (game, puzzle) = replay.puzzle.as_ref().map_err(|error| format!("the board cannot be read: {error}"))?;
    let answer = answer()?;
    let recording = compact_replay::record(&**puzzle, answer, replay.budget.frames);
    let Recording { film, score: replayed, last, progress } =
        recording.map_err(|error| format!("the answer cannot be read: {error}"))?;
    // The verdict is final. An answer that has changed since must not appear as its reason.
    if game.given(replayed) != *given || record.final_board.as_ref().is_some_and(|board| **board != *last) {
        return Err(CHANGED.into());
    }
    let curve = curve(progress, &film);
    Ok((film, Some(curve)))
}
