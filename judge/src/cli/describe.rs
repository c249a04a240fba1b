//! Rulings in words, for people.

use std::io::{self, Write};

use crate::game::{Standing, Words};
use crate::picture::Picture;
use crate::referee::Ruling;
use crate::verdict::Verdict;

/// "25 of 25 tiles home, 94 moves, 12 transports".
pub(super) fn standing(standing: &Standing, words: &Words) -> String {
    let Standing { progress, of, moves, tie_break } = standing;
    format!("{progress} of {of} {}, {moves} {}, {tie_break} {}", words.progress, words.moves, words.tie_break)
}

/// A ruling: the verdict, the figures, and for an answer that failed the board at that moment.
pub(super) fn ruling(ruling: &Ruling, words: &Words, out: &mut dyn Write) -> io::Result<()> {
    let figures = standing(&ruling.standing, words);
    match Verdict::of_replay(ruling.standing, ruling.illegal.clone()) {
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

/// A position, indented.
pub(super) fn picture(picture: &Picture, out: &mut dyn Write) -> io::Result<()> {
    for line in picture.draw().lines() {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}
