//! From an answer's bytes to a ruling: the replay, in constant memory however long the answer is.

use std::io::{self, Read};

use crate::game::{IllegalMove, Puzzle, Replay, Score};
use crate::picture::Picture;

/// Bytes replayed at a time; small enough for a first-level cache, large enough to forget the cost of a read.
const PIECE: usize = 32 * 1024;

/// What the replay of a whole answer came to.
#[derive(Debug, Clone)]
pub struct Ruling {
    /// The score at the end, or before the illegal move.
    pub score: Score,
    /// The move that ended the replay early.
    pub illegal: Option<IllegalMove>,
    /// The position at that moment.
    pub picture: Picture,
    /// How far that is from the goal, see [`Replay::distance`].
    pub distance: u64,
}

/// Replays an answer to its end or its first illegal move. Fails only when the answer cannot be read.
pub fn rule(puzzle: &dyn Puzzle, mut answer: impl Read) -> io::Result<Ruling> {
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
    Ok(Ruling { score: replay.score(), illegal, picture: replay.picture(), distance: replay.distance() })
}

/// As [`rule`], and calls `step` with the score and the position before the first and after every move.
pub fn trace(
    puzzle: &dyn Puzzle,
    answer: impl Read,
    mut step: impl FnMut(Score, Picture) -> io::Result<()>,
) -> io::Result<Ruling> {
    walk(puzzle, answer, |replay, _| step(replay.score(), replay.picture()))
}

/// As [`rule`], and calls `step` with the replay before the first and after every move, and with the number of bytes
/// of the answer that it has been fed by then.
pub fn walk(
    puzzle: &dyn Puzzle,
    answer: impl Read,
    mut step: impl FnMut(&dyn Replay, usize) -> io::Result<()>,
) -> io::Result<Ruling> {
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
        // A move can be several bytes long, so the score tells when one is complete: `moves` or, where the game
        // counts something else as its moves, `tie_break`.
        let score = replay.score();
        if score != last {
            last = score;
            step(&*replay, fed)?;
        }
        if played.is_err() || byte.is_none() {
            break played.err();
        }
    };
    Ok(Ruling { score: replay.score(), illegal, picture: replay.picture(), distance: replay.distance() })
}
