//! An answer with random access to its positions.
//!
//! It stores the answer and 16 bytes per move: the end of the move, and the progress after it. A position is computed by
//! replaying forward from the current one, or from the start to go back.

use std::io::{self, Read};

use crate::game::{IllegalMove, Puzzle, Replay, Score};
use crate::picture::Picture;
use crate::referee::{self, ReplayResult};
use judge_files::regular;

/// The longest answer, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// An answer that was replayed to its end or its first illegal move, with a current position.
pub struct IndexedReplay<'a> {
    puzzle: &'a dyn Puzzle,
    answer: Vec<u8>,
    /// The positions before the first and after every move.
    stops: Vec<Stop>,
    ruling: ReplayResult,
    replay: Box<dyn Replay>,
    at: usize,
}

struct Stop {
    /// The number of bytes of the answer up to this position.
    end: usize,
    progress: u64,
}

impl<'a> IndexedReplay<'a> {
    /// Replays an answer, and goes to the position before the first move.
    ///
    /// # Errors
    ///
    /// The answer cannot be read, or is too long.
    pub fn new(puzzle: &'a dyn Puzzle, bytes: impl Read) -> io::Result<Self> {
        let mut answer = Vec::new();
        regular::capped(bytes, MAX_BYTES).read_to_end(&mut answer)?;
        let mut stops = Vec::new();
        let ruling = referee::walk(puzzle, &*answer, |replay, end| {
            stops.push(Stop { end, progress: replay.score().progress });
            Ok(())
        })?;
        Ok(Self { puzzle, answer, stops, ruling, replay: puzzle.start(), at: 0 })
    }

    /// The ruling on the whole answer.
    pub fn ruling(&self) -> &ReplayResult {
        &self.ruling
    }

    /// The illegal move that ended the replay, if any.
    pub fn illegal(&self) -> Option<&IllegalMove> {
        self.ruling.illegal.as_ref()
    }

    /// Number of moves before the current position.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Number of legal moves in the answer.
    pub fn last(&self) -> usize {
        self.stops.len() - 1
    }

    /// Goes to the position after this number of moves, or to the last one.
    ///
    /// # Panics
    ///
    /// If the puzzle refuses a move that it accepted before.
    pub fn go(&mut self, to: usize) {
        let to = to.min(self.last());
        if to < self.at {
            (self.replay, self.at) = (self.puzzle.start(), 0);
        }
        let next = &self.answer[self.stops[self.at].end..self.stops[to].end];
        self.replay.feed(next).expect("these moves were legal");
        if to == self.last() && self.at < to && self.illegal().is_none() {
            // Only the end of the answer completes its last word.
            self.replay.finish().expect("this answer was legal");
        }
        self.at = to;
    }

    /// The figures of the current position.
    pub fn score(&self) -> Score {
        self.replay.score()
    }

    /// The picture of the current position.
    pub fn picture(&self) -> Picture {
        self.replay.picture()
    }

    /// The last move in the words of the answer; empty before the first one.
    pub fn token(&self) -> String {
        let begin = self.at.checked_sub(1).map_or(0, |before| self.stops[before].end);
        String::from_utf8_lossy(&self.answer[begin..self.stops[self.at].end]).trim().to_owned()
    }

    /// The progress after this number of moves.
    pub fn progress(&self, at: usize) -> u64 {
        self.stops[at].progress
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::game::HouseRules;
    use crate::games::{self, GAMES};

    #[test]
    fn every_position_is_that_of_the_trace_in_any_order() {
        let mut games = HashSet::new();
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/game");
        for seed in fs::read_dir(seeds).unwrap().map(|seed| seed.unwrap().path()) {
            let text = fs::read_to_string(&seed).unwrap();
            let (name, text) = text.split_once('\n').unwrap();
            let (board, answer) = text.split_once("\n---\n").unwrap_or((text, ""));
            let game = (games::find(name).unwrap().open)(&HouseRules::default()).unwrap();
            let Ok(puzzle) = game.parse(board.as_bytes()) else { continue };
            let mut frames = Vec::new();
            let ruling = referee::trace(&*puzzle, answer.as_bytes(), |score, picture| {
                frames.push((score, picture));
                Ok(())
            });
            let mut indexed = IndexedReplay::new(&*puzzle, answer.as_bytes()).unwrap();
            assert_eq!(
                (indexed.last() + 1, indexed.illegal()),
                (frames.len(), ruling.unwrap().illegal.as_ref()),
                "{seed:?}"
            );
            for from in 0..frames.len() {
                for (to, frame) in frames.iter().enumerate() {
                    indexed.go(from);
                    indexed.go(to);
                    assert_eq!((indexed.score(), indexed.picture()), *frame, "{seed:?}: from {from} to {to}");
                    assert_eq!(indexed.progress(to), frame.0.progress);
                }
            }
            if indexed.last() > 1 {
                games.insert(name.to_owned());
            }
        }
        assert_eq!(games.len(), GAMES.len(), "every game has a seed that moves: {games:?}");
    }
}
