//! Rulings as text for people.

use std::io::{self, Read, Write};

use judge_core::external::{Frame, FrameView};
use judge_core::game::{GameInfo, Puzzle, Score};
use judge_core::picture::Picture;
use judge_core::referee::{self, ReplayResult, Ruling};
use judge_core::text::{self, printable};
use judge_core::verdict::Verdict;
use judge_job::count_text;

/// The figures of a position, such as "25 of 25 tiles home, 94 moves, 12 transports".
pub fn score(score: Score, game: &GameInfo) -> String {
    let Score { progress, of, moves, tie_break } = score;
    let [home, fewer @ ..] = &game.figures;
    let fewer = fewer.iter().zip([moves, tie_break]).map(|(figure, value)| text::counted(value, figure.title()));
    format!("{progress} of {of} {}, {}", home.title(), fewer.collect::<Vec<_>>().join(", "))
}

/// Writes the verdict and the figures, and, for a failed answer, the board at the point of failure.
///
/// # Errors
///
/// The writer's.
pub fn ruling(ruling: &ReplayResult, game: &GameInfo, out: &mut dyn Write) -> io::Result<()> {
    let figures = score(ruling.score, game);
    match Verdict::from_replay(game, ruling.score, ruling.illegal.clone()) {
        Verdict::IllegalMove { illegal, .. } => {
            writeln!(out, "{illegal}")?;
            writeln!(out, "until then: {figures}; the board at that moment:")?;
            picture(&ruling.picture, out)
        }
        Verdict::Solved(_) => writeln!(out, "solved: {figures}"),
        _ => {
            writeln!(out, "not solved: {figures}; the board at the end:")?;
            picture(&ruling.picture, out)
        }
    }
}

/// Writes the verdict of a referee program with its figures, and, for an unsuccessful answer, the last position.
///
/// # Errors
///
/// The writer's.
pub fn refereed(ruling: &Ruling, out: &mut dyn Write) -> io::Result<()> {
    let verdict = &ruling.verdict;
    writeln!(out, "{}", printable(&verdict.summary()))?;
    if let Verdict::Wrong { given, .. } | Verdict::IllegalMove { given, .. } = verdict
        && !given.figures.is_empty()
    {
        writeln!(out, "until then: {given}")?;
    }
    if let Some(position) = ruling.picture.as_ref().filter(|_| !verdict.is_success()) {
        writeln!(out, "the board at the end:")?;
        picture(position, out)?;
    }
    ruling.notes.iter().try_for_each(|note| writeln!(out, "    {}", printable(note)))
}

/// Writes the frames of an answer: the figures and the position before the first and after every move.
///
/// # Errors
///
/// The outer error is the writer's, the inner one the answer's.
pub fn trace(
    puzzle: &dyn Puzzle,
    answer: impl Read,
    game: &GameInfo,
    out: &mut dyn Write,
) -> io::Result<io::Result<ReplayResult>> {
    let mut written = Ok(());
    let ruling = referee::trace(puzzle, answer, |figures, position| {
        written = writeln!(out, "{}", score(figures, game)).and_then(|()| picture(&position, out));
        // Reading stops when the frames cannot be written.
        if written.is_err() { Err(io::Error::other("the frames cannot be written")) } else { Ok(()) }
    });
    written.map(|()| ruling)
}

/// Writes a position from a referee. Its number counts a unit such as `bytes` of the answer.
///
/// # Errors
///
/// The writer's.
pub fn frame(frame: &Frame, unit: &str, out: &mut dyn Write) -> io::Result<()> {
    let progress = frame.progress.map_or(String::new(), |progress| format!(", progress {progress}"));
    writeln!(out, "after {}{progress}", text::counted(frame.at, unit))?;
    match &frame.view {
        FrameView::Picture(position) => picture(position, out),
        FrameView::Image(svg) => writeln!(out, "    an image of {}", count_text(svg.len(), "byte", "bytes")),
    }
}

/// Writes a position, each line indented by four spaces.
///
/// # Errors
///
/// The writer's.
pub fn picture(picture: &Picture, out: &mut dyn Write) -> io::Result<()> {
    for line in picture.draw().lines() {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}
