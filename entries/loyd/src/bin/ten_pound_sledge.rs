//! 10.pound.sledge, by Fred Hicinbothem, April 1995, rebuilt from his write-up.
//!
//! Brute force in six phases, each of which puts some five letters in position: the top row, the left side, the right
//! side, the bottom, and the middle in two steps. Then the empty spot is still in the middle and has to be brought out.
//! In a phase every N-tuple of moves is tried that leaves alone what is in position, N from 9 in the first phases to 12
//! in the last. The first half of the best one is played, and it begins again. The best one leaves the letters of the
//! phase the fewest rows and columns from their spots; of several, with these letters closest to the centre; of several
//! still, with the letters of the next phase closest to the centre.
//!
//! Complexity: some 3^N boards for every N / 2 moves, which is milliseconds; it was thirteen seconds then.
//! Good at: phases that twelve moves can see the end of. Bad at: those they cannot. Where every tuple is as good as
//! staying it goes round in circles; two boards of five were never finished.
//!
//! Left open by the write-up and chosen here:
//! - the letters of the phases. With the empty spot in the middle, T, O, N and M are one spot off, and four slides put
//!   them right: "the final step of reorienting the empty square".
//! - N, in phases of four moves' difference: 9, 9, 10, 11, 12, 12.
//! - a tuple that is as good in all three ways: the first found stays.
//! - circles. He left out a slide taken straight back and knew that longer circles went unnoticed until the time was
//!   over. Here a board that comes back in the same phase ends it at once without an answer, which is the same sooner.
//!
//! The name of the program cannot begin with a digit.

use std::process::ExitCode;

use loyd_kit::{Board, Budget, Move, Penalties, Play, Seen, Spot, SpotSet, Tile, Watch, enter_or_pass};

/// The letters of each phase, and how many moves it looks ahead.
const PHASES: [(&str, usize); 6] = [("ABCDE", 9), ("FKPU", 9), ("JNOT", 10), ("VWX", 11), ("GHIL", 12), ("MQRS", 12)];
/// What brings the empty spot out and T, O, N and M to their spots.
const CLOSING: [Move; 4] = [Move::Left, Move::Left, Move::Up, Move::Up];

fn main() -> ExitCode {
    enter_or_pass(|board| solve(board, &Budget::of_entry()))
}

fn solve(board: &Board, budget: &Budget) -> Result<Vec<Move>, &'static str> {
    let positions = Board::before(&CLOSING).expect("the closing moves are slides on the board");
    let mut play = Play::new(*board);
    let mut placed = SpotSet::default();
    for phase in 0..PHASES.len() {
        let mut lookahead = Lookahead::new(&positions, phase, placed, budget);
        let mut seen = Seen::default();
        while !lookahead.is_done(play.board()) {
            if !seen.insert(play.board().key()) {
                return Err("it goes round in circles");
            }
            let tuple = lookahead.best_tuple(play.board());
            if lookahead.watch.is_over() {
                return Err("the time is over");
            }
            for &made in &tuple[..tuple.len().div_ceil(2)] {
                if !lookahead.is_done(play.board()) {
                    play.make(made);
                }
            }
        }
        placed = letters(phase).map(|tile| positions.spot_of(tile)).fold(placed, SpotSet::with);
    }
    play.make_all(&CLOSING);
    Ok(play.into_moves())
}

/// The letters of a phase; none of one that is beyond the last.
fn letters(phase: usize) -> impl Iterator<Item = Tile> {
    PHASES.get(phase).into_iter().flat_map(|(letters, _)| letters.chars().filter_map(Tile::from_letter))
}

/// What one phase tries.
struct Lookahead {
    length: usize,
    /// The three scores in one number, each less than a hundred: the first decides.
    score: Penalties,
    /// From each spot that may be empty: the moves that disturb nothing, and where the empty spot is after them.
    exits: Vec<Vec<(Move, Spot)>>,
    /// What a board scores at least where the phase is done.
    tuple: Vec<Move>,
    best: (i32, Vec<Move>),
    done: Vec<(Tile, Spot)>,
    watch: Watch,
}

impl Lookahead {
    fn new(positions: &Board, phase: usize, placed: SpotSet, budget: &Budget) -> Lookahead {
        let now: Vec<Tile> = letters(phase).collect();
        let next: Vec<Tile> = letters(phase + 1).collect();
        let score = Penalties::new(|tile, spot| {
            let from_centre = i32::from(spot.distance(Spot::CENTRE));
            if now.contains(&tile) {
                100 * (100 * i32::from(spot.distance(positions.spot_of(tile))) + from_centre)
            } else if next.contains(&tile) {
                from_centre
            } else {
                0
            }
        });
        let exits = Spot::all()
            .map(|empty| {
                let undisturbing = |made: Move| Some((made, made.empty_after(empty).filter(|&spot| !placed.contains(spot))?));
                Move::ALL.into_iter().filter_map(undisturbing).collect()
            })
            .collect();
        let done = now.iter().map(|&tile| (tile, positions.spot_of(tile))).collect();
        Lookahead { length: PHASES[phase].1, score, exits, tuple: Vec::new(), best: (i32::MAX, Vec::new()), done, watch: budget.watch() }
    }

    fn is_done(&self, board: &Board) -> bool {
        self.done.iter().all(|&(tile, spot)| board.spot_of(tile) == spot)
    }

    /// The best tuple of moves on this board.
    fn best_tuple(&mut self, board: &Board) -> Vec<Move> {
        self.best = (i32::MAX, Vec::new());
        let score = self.score.total(board);
        self.try_all(&mut board.clone(), score);
        self.best.1.clone()
    }

    fn try_all(&mut self, board: &mut Board, score: i32) {
        let early = std::env::var("EARLY").is_ok();
        if self.tuple.len() == self.length || (early && self.is_done(board)) {
            if score < self.best.0 {
                self.best = (score, self.tuple.clone());
            }
            return;
        }
        if self.watch.is_over() {
            return;
        }
        let empty = board.empty();
        for exit in 0..self.exits[empty.index()].len() {
            let (made, from) = self.exits[empty.index()][exit];
            if self.tuple.last().and_then(|last| last.inverse()) == Some(made) {
                continue;
            }
            let score = score + self.score.change(board, from);
            board.pull(from);
            self.tuple.push(made);
            self.try_all(board, score);
            self.tuple.pop();
            board.pull(empty);
        }
    }
}
