//! The judge of single answers: a built-in game, or the referee of a contest.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cli::adhoc::USUAL_LIMIT;
use crate::cli::refereed::OpenReferee;
use crate::cli::{Failure, describe};
use judge_contest::{BOARD_FILE, milliseconds};
use judge_core::game::{Puzzle, ScoreLabels};
use judge_core::picture::Picture;
use judge_core::plan::Board;
use judge_core::referee::{self, ReplayResult, Ruling};
use judge_core::verdict::Verdict;
use judge_sandbox::{Argument, CopiedFile, Job, Limits, PlacedFile, Stdin};

/// What judges the answers: rules that are built in, or a program.
pub(super) enum Judging<'i> {
    /// A built-in game, with the text and the puzzle of each board.
    Game { puzzles: Vec<(String, Box<dyn Puzzle>)>, words: &'static ScoreLabels },
    /// A referee that is a program, with each board and a file of it.
    Referee { refereed: Box<OpenReferee<'i>>, boards: Vec<(Board, PathBuf)> },
}

impl Judging<'_> {
    /// The limits of a run without options: those of the contest, if there is one.
    pub(super) fn limits(&self) -> Limits {
        match self {
            Self::Game { .. } => Limits::default().with_wall_ms(milliseconds(USUAL_LIMIT)),
            Self::Referee { refereed, .. } => refereed.contest.plan.limits,
        }
    }

    /// Gives a board to the solver, as a contest does.
    pub(super) fn give_board(&self, index: usize, job: &mut Job) {
        match self {
            Self::Game { puzzles, .. } => {
                let (name, contents) = (BOARD_FILE.into(), puzzles[index].0.clone().into_bytes());
                job.files.push(PlacedFile { name, contents });
                job.argv.push(Argument::File(BOARD_FILE.into()));
            }
            Self::Referee { refereed, boards } => {
                let (input, (board, file)) = (refereed.contest.plan.input, &boards[index]);
                refereed.contest.give_files(board, job, |file| refereed.contest.path_of(file));
                if input.by_argument() {
                    job.copies.push(CopiedFile { name: BOARD_FILE.into(), from: file.clone() });
                    job.argv.push(Argument::File(BOARD_FILE.into()));
                }
                if input.by_stdin() {
                    job.stdin = Stdin::File(file.clone());
                }
            }
        }
    }

    pub(super) fn rule(&self, index: usize, answer: &Path) -> Result<TryRuling, Failure> {
        match self {
            Self::Game { puzzles, words } => {
                let ruling = File::open(answer).and_then(|answer| referee::rule(&*puzzles[index].1, answer));
                Ok(TryRuling::Replayed(ruling.map_err(Failure::judge)?, words))
            }
            Self::Referee { refereed, boards } => Ok(TryRuling::Refereed(refereed.rule(&boards[index].0, answer)?)),
        }
    }
}

/// A ruling with what belongs to it.
pub(super) enum TryRuling {
    Replayed(ReplayResult, &'static ScoreLabels),
    Refereed(Ruling),
}

impl TryRuling {
    pub(super) fn verdict(&self) -> Verdict {
        match self {
            Self::Replayed(ruling, _) => Verdict::from_replay(ruling.score, ruling.illegal.clone()),
            Self::Refereed(ruling) => ruling.verdict.clone(),
        }
    }

    pub(super) fn picture(&self) -> Option<&Picture> {
        match self {
            Self::Replayed(ruling, _) => Some(&ruling.picture),
            Self::Refereed(ruling) => ruling.picture.as_ref(),
        }
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Replayed(ruling, words) => describe::ruling(ruling, words, out),
            Self::Refereed(ruling) => describe::refereed(ruling, out),
        }
    }
}
