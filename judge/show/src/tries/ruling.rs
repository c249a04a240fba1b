//! A ruling on a tried answer, in words.

use std::io::{self, Write};

use judge_core::game::GameInfo;
use judge_core::referee::{ReplayResult, Ruling};
use judge_core::verdict::Verdict;
use judge_report::describe;

/// A ruling on a tried answer.
#[derive(Debug)]
pub enum TryRuling {
    /// The ruling of a built-in game, with the game's names for figures.
    Replayed(ReplayResult, &'static GameInfo),
    /// The ruling of a referee program, with the final position in one line.
    Refereed(Ruling, Option<String>),
}

impl TryRuling {
    /// The verdict that follows from it.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::Replayed(ruling, info) => Verdict::from_replay(info, ruling.score, ruling.illegal.clone()),
            Self::Refereed(ruling, _) => ruling.verdict.clone(),
        }
    }

    /// The position in which the answer ended, in one line.
    pub fn final_board(&self) -> Option<String> {
        match self {
            Self::Replayed(ruling, _) => Some(ruling.picture.one_line()),
            Self::Refereed(_, board) => board.clone(),
        }
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Replayed(ruling, info) => describe::ruling(ruling, info, out),
            Self::Refereed(ruling, board) => {
                describe::refereed(ruling, out)?;
                match board {
                    Some(board) if !ruling.verdict.is_success() => writeln!(out, "the board at the end: {board}"),
                    _ => Ok(()),
                }
            }
        }
    }
}
