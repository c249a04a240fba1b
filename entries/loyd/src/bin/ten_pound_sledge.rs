//! 10.pound.sledge, by Fred Hicinbothem, April 1995, rebuilt from his write-up.
//!
//! Brute force in six phases, each of which puts some five letters in position: the top row, the left side, the right
//! side, the bottom, and the middle in two steps. Then the empty spot is still in the middle and has to be brought out.
//! In a phase every N-tuple of moves is tried that leaves alone what is in position, N from 9 in the first phases to 12
//! in the last. The first half of the best one is played, and it begins again. The best one leaves the letters of the
//! phase the fewest rows and columns from their spots; of several, with these letters closest to the centre; of several
//! still, with the letters of the next phase closest to the centre.
//!
//! Complexity: some 3^N boards for every few moves played, which is milliseconds; then it was ten seconds and more.
//! Good at: phases that N moves can see the end of. Bad at: those they cannot. Where nothing within N moves is better
//! it may go round in circles; two boards of five were never finished then, here about one in thirty.
//!
//! Left open by the write-up and chosen here:
//! - the letters of the phases. With the empty spot in the middle, T, O, N and M are one spot off, and four slides put
//!   them right: "the final step of reorienting the empty square".
//! - N: 9, 9, 10, 11, 12 and 12. It does not grow with the time, as he set it for his ten minutes.
//! - tuples of fewer moves than N count as well, and the shortest of the best is taken. If all had N moves, the end of a
//!   phase would always be put off to the last of them, and hardly any board would ever be finished.
//! - circles. He left out a slide taken straight back and knew that longer circles went on until the time was over.
//!   Here a board that comes back in the same phase ends it without an answer: the same, sooner.
//!
//! The name of a program here cannot begin with a digit.

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
        while !in_position(phase, play.board(), &positions) {
            if !seen.insert(play.board().key()) {
                return Err("it goes round in circles");
            }
            let tuple = lookahead.best_tuple(play.board()).ok_or("the time is over")?;
            for &made in &tuple[..tuple.len().div_ceil(2)] {
                play.make(made);
                if in_position(phase, play.board(), &positions) {
                    break;
                }
            }
        }
        placed = letters(phase).map(|letter| positions.spot_of(letter)).fold(placed, SpotSet::with);
    }
    play.make_all(&CLOSING);
    Ok(play.into_moves())
}

/// The letters of a phase; none of one after the last.
fn letters(phase: usize) -> impl Iterator<Item = Tile> {
    PHASES.get(phase).into_iter().flat_map(|(letters, _)| letters.chars().filter_map(Tile::from_letter))
}

/// Whether the letters of a phase are where they are to be.
fn in_position(phase: usize, board: &Board, positions: &Board) -> bool {
    letters(phase).all(|letter| board.spot_of(letter) == positions.spot_of(letter))
}

/// What one phase tries.
struct Lookahead {
    /// The most moves of a tuple.
    length: usize,
    /// The three scores in one: hundreds of hundreds, hundreds and units.
    score: Penalties,
    /// From each spot that may be empty: the moves that disturb nothing, and where the empty spot is after them.
    exits: Vec<Vec<(Move, Spot)>>,
    tuple: Vec<Move>,
    best: Vec<Move>,
    /// The score of the best tuple, and how many moves it has.
    best_score: (i32, usize),
    watch: Watch,
}

impl Lookahead {
    fn new(positions: &Board, phase: usize, placed: SpotSet, budget: &Budget) -> Lookahead {
        let exits = Spot::all().map(|empty| {
            let undisturbing = |spot: &Spot| !placed.contains(*spot);
            let exit = |made: Move| Some((made, made.empty_after(empty).filter(undisturbing)?));
            Move::ALL.into_iter().filter_map(exit).collect()
        });
        Lookahead {
            length: PHASES[phase].1,
            score: score(positions, phase),
            exits: exits.collect(),
            tuple: Vec::new(),
            best: Vec::new(),
            best_score: (i32::MAX, 0),
            watch: budget.watch(),
        }
    }

    /// The best tuple of moves on this board; `None` if the time was over before all were tried.
    fn best_tuple(&mut self, board: &Board) -> Option<Vec<Move>> {
        self.best_score = (i32::MAX, 0);
        let score = self.score.total(board);
        self.try_all(&mut board.clone(), score);
        (!self.watch.is_over()).then(|| self.best.clone())
    }

    /// Tries everything that begins with the tuple made so far.
    fn try_all(&mut self, board: &mut Board, score: i32) {
        if !self.tuple.is_empty() && (score, self.tuple.len()) < self.best_score {
            self.best_score = (score, self.tuple.len());
            self.best.clone_from(&self.tuple);
        }
        if self.tuple.len() == self.length || self.watch.is_over() {
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

/// What decides between boards in a phase: first how far its letters are from their positions, then how far from the
/// centre, then how far from the centre the letters of the next phase are. Five letters are never a hundred steps away.
fn score(positions: &Board, phase: usize) -> Penalties {
    let now: Vec<Tile> = letters(phase).collect();
    let next: Vec<Tile> = letters(phase + 1).collect();
    Penalties::new(|tile, spot| {
        let from_position = i32::from(spot.distance(positions.spot_of(tile)));
        let from_centre = i32::from(spot.distance(Spot::CENTRE));
        if now.contains(&tile) {
            100 * (100 * from_position + from_centre)
        } else if next.contains(&tile) {
            from_centre
        } else {
            0
        }
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn unbounded() -> Budget {
        Budget::within(Duration::from_secs(600))
    }

    fn positions() -> Board {
        Board::before(&CLOSING).expect("slides")
    }

    #[test]
    fn the_phases_place_every_letter_once() {
        let mut placed: Vec<char> = (0..PHASES.len()).flat_map(letters).map(Tile::letter).collect();
        placed.sort_unstable();
        assert_eq!(placed.into_iter().collect::<String>(), "ABCDEFGHIJKLMNOPQRSTUVWX");
        assert_eq!(letters(PHASES.len()).count(), 0);
    }

    #[test]
    fn the_distance_decides_before_the_centre_and_that_before_the_next_phase() {
        let first = score(&positions(), 0);
        let of = |letter, spot| {
            let tile = Tile::from_letter(letter).expect("a letter");
            first.of(tile, Spot::new(spot).expect("on the board"))
        };
        assert_eq!(of('A', 0), 400, "in position, four steps from the centre");
        assert_eq!(of('A', 12), 40_000);
        assert_eq!(of('U', 20), 4, "of the second phase");
        assert_eq!(of('W', 20), 0, "of a later one");
    }

    #[test]
    fn the_best_tuple_is_the_shortest_that_scores_best_and_disturbs_nothing() {
        let board: Board = "ABCDE FGHIJ KLMNO PQRST UVWX+".parse().expect("a board");
        let row: SpotSet = Spot::all().take(5).collect();
        let shuffled = [Move::Right, Move::Down, Move::Transport].iter().try_fold(board, |b, &made| b.after(made));
        let shuffled = shuffled.expect("legal");
        let mut lookahead = Lookahead::new(&positions(), 1, row, &unbounded());
        let tuple = lookahead.best_tuple(&shuffled).expect("time enough");
        assert!(tuple.len() <= PHASES[1].1);
        let mut play = Play::new(shuffled);
        for made in tuple {
            play.make(made);
            assert!(in_position(0, play.board(), &positions()), "the top row stays");
        }
        assert_eq!(lookahead.score.total(play.board()), lookahead.best_score.0);
    }

    #[test]
    fn a_circle_ends_without_an_answer() {
        let board = "GTFUQ RMDLB SHCEO VWKAN IPJX+".parse().expect("a board");
        assert_eq!(solve(&board, &unbounded()), Err("it goes round in circles"));
    }

    #[test]
    fn the_end_of_the_time_is_the_end_of_it() {
        let late = Budget::within(Duration::ZERO);
        let rotated: Board = "+XWVU TSRQP ONMLK JIHGF EDCBA".parse().expect("a board");
        assert_eq!(solve(&rotated, &late), Err("the time is over"));
    }
}
