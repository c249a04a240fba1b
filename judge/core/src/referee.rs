//! Referees, which rule on answers.
//!
//! A [`Referee`] rules on the answer to a board. [`Replayed`] is the referee of the built-in games. It replays the answer in
//! constant memory. [`rule`], [`trace`] and [`walk`] replay answers for other callers.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::Path;

use crate::external::Frame;
use crate::game::{GameInfo, IllegalMove, Puzzle, Replay, Score};
use crate::key::Name;
use crate::picture::Picture;
use crate::plan::Board;
use crate::verdict::{JudgeFailure, Verdict};
use judge_files::regular;

/// Bytes replayed at a time. They fit into a first-level cache, and the cost of a read is small compared to them.
const PIECE: usize = 32 * 1024;

/// A referee for answers of entries: a built-in game, or a program.
pub trait Referee: Send + Sync {
    /// Rules on the answer to a board, which is in a file. Only a fault of the referee or the judge is an error, and it does not
    /// count against an entry.
    ///
    /// # Errors
    ///
    /// The referee failed, the judge failed while it ran the referee, or the user asked to stop.
    fn rule(&self, board: &Board, answer: &Path) -> Result<Ruling, RefereeError>;

    /// Rules on the text of an answer without a file; `None` if the referee needs a file. For a short answer, the file takes most
    /// of the time.
    fn rule_text(&self, _board: &Board, _answer: &[u8]) -> Option<Result<Verdict, RefereeError>> {
        None
    }

    /// Returns the number of answers in a stream on which the referee is asked. It applies to the last answers and again to those
    /// before.
    fn most_lines(&self, _board: &Board) -> usize {
        16
    }
}

impl<R: Referee + ?Sized> Referee for &R {
    fn rule_text(&self, board: &Board, answer: &[u8]) -> Option<Result<Verdict, RefereeError>> {
        (**self).rule_text(board, answer)
    }

    fn most_lines(&self, board: &Board) -> usize {
        (**self).most_lines(board)
    }

    fn rule(&self, board: &Board, answer: &Path) -> Result<Ruling, RefereeError> {
        (**self).rule(board, answer)
    }
}

/// A referee's decision on one answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Ruling {
    /// The verdict, with the figures of the answer.
    pub verdict: Verdict,
    /// The position in which the answer ended; `None` if the referee has no picture of it.
    pub picture: Option<Picture>,
    /// The distance of that position from the goal, see [`Replay::distance`]; `None` if the referee has no such figure.
    pub distance: Option<u64>,
    /// Positions for the replay. It is empty if the referee recorded none, and for built-in games, which replay the answer.
    pub frames: Vec<Frame>,
    /// Remarks for the organiser, as fragments.
    pub notes: Vec<String>,
}

impl From<Verdict> for Ruling {
    /// A ruling without a picture and without remarks.
    fn from(verdict: Verdict) -> Self {
        Self { verdict, picture: None, distance: None, frames: Vec::new(), notes: Vec::new() }
    }
}

impl Ruling {
    /// The position in which the answer ended, in one line, as a record has it.
    pub fn final_board(&self) -> Option<Name> {
        self.picture.as_ref().map(|picture| picture.one_line().into())
    }
}

/// The reason why a referee could not rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RefereeError {
    /// The referee failed, or the judge failed while it ran the referee.
    #[error("{0}")]
    Failed(JudgeFailure),
    /// The user asked to stop while a referee was running. This is neither a ruling nor a failure.
    #[error("interrupted")]
    Interrupted,
}

/// A board of a built-in game, and the game, which names the figures.
pub type GameBoard = (&'static GameInfo, Box<dyn Puzzle>);

/// The referee of built-in games.
#[derive(Default)]
pub struct Replayed(HashMap<String, GameBoard>);

impl Replayed {
    /// A referee for these boards by name.
    pub fn new(boards: impl IntoIterator<Item = (String, GameBoard)>) -> Self {
        Self(boards.into_iter().collect())
    }

    fn puzzle(&self, board: &Board) -> Result<(&'static GameInfo, &dyn Puzzle), RefereeError> {
        let failed = || RefereeError::Failed(JudgeFailure::Judge(format!("the referee has no board {}", board.name)));
        self.0.get(&board.name).map(|(game, puzzle)| (*game, &**puzzle)).ok_or_else(failed)
    }
}

impl Referee for Replayed {
    fn rule_text(&self, board: &Board, answer: &[u8]) -> Option<Result<Verdict, RefereeError>> {
        Some(self.puzzle(board).map(|(game, puzzle)| {
            let mut replay = puzzle.start();
            let illegal = replay.feed(answer).err().or_else(|| replay.finish().err());
            Verdict::from_replay(game, replay.score(), illegal)
        }))
    }

    fn most_lines(&self, _board: &Board) -> usize {
        2_048
    }

    fn rule(&self, board: &Board, answer: &Path) -> Result<Ruling, RefereeError> {
        let failed = |reason| RefereeError::Failed(JudgeFailure::Judge(reason));
        let (game, puzzle) = self.puzzle(board)?;
        let replayed = regular::open(answer).and_then(|answer| rule(puzzle, answer));
        let replayed = replayed.map_err(|error| failed(format!("{}: {error}", answer.display())))?;
        Ok(replayed.ruled(game))
    }
}

/// The result of replaying a whole answer.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReplayResult {
    /// The score at the end, or before the illegal move.
    pub score: Score,
    /// The move that ended the replay early.
    pub illegal: Option<IllegalMove>,
    /// The position at the end, or before the illegal move.
    pub picture: Picture,
    /// Its distance from the goal, see [`Replay::distance`].
    pub distance: u64,
}

impl ReplayResult {
    /// The ruling of the game for this result.
    pub fn ruled(self, game: &GameInfo) -> Ruling {
        let Self { score, illegal, picture, distance } = self;
        let (frames, notes) = (Vec::new(), Vec::new());
        let verdict = Verdict::from_replay(game, score, illegal);
        Ruling { verdict, picture: Some(picture), distance: Some(distance), frames, notes }
    }
}

/// Replays an answer to its end or its first illegal move.
///
/// # Errors
///
/// The answer cannot be read.
pub fn rule(puzzle: &dyn Puzzle, mut answer: impl Read) -> io::Result<ReplayResult> {
    let mut replay = puzzle.start();
    let mut piece = [0; PIECE];
    let illegal = loop {
        match answer.read(&mut piece) {
            Ok(0) => break replay.finish().err(),
            Ok(read) => {
                if let Err(illegal) = replay.feed(&piece[..read]) {
                    break Some(illegal);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    };
    Ok(ReplayResult { score: replay.score(), illegal, picture: replay.picture(), distance: replay.distance() })
}

/// As [`rule`]. It calls `step` with the score and the position before the first move and after every move.
///
/// # Errors
///
/// The answer cannot be read, or `step` fails.
pub fn trace(
    puzzle: &dyn Puzzle,
    answer: impl Read,
    mut step: impl FnMut(Score, Picture) -> io::Result<()>,
) -> io::Result<ReplayResult> {
    walk(puzzle, answer, |replay, _| step(replay.score(), replay.picture()))
}

/// As [`rule`]. It calls `step` before the first move and after every move, with the replay and the number of bytes that it has
/// processed.
///
/// # Errors
///
/// The answer cannot be read, or `step` fails.
pub fn walk(
    puzzle: &dyn Puzzle,
    answer: impl Read,
    mut step: impl FnMut(&dyn Replay, usize) -> io::Result<()>,
) -> io::Result<ReplayResult> {
    let mut replay = puzzle.start();
    let mut last = replay.score();
    step(&*replay, 0)?;
    let mut fed = 0;
    let mut bytes = io::BufReader::new(answer).bytes();
    let illegal = loop {
        let byte = bytes.next().transpose()?;
        let played = match byte {
            Some(byte) => {
                fed += 1;
                replay.feed(&[byte])
            }
            None => replay.finish(),
        };
        // A move can be several bytes long. The score shows that it is complete: by `moves`, or by `tie_break` if the game counts
        // something else as its moves.
        let score = replay.score();
        if score != last {
            last = score;
            step(&*replay, fed)?;
        }
        if played.is_err() || byte.is_none() {
            break played.err();
        }
    };
    Ok(ReplayResult { score: replay.score(), illegal, picture: replay.picture(), distance: replay.distance() })
}
