//! dubious, by Mark Studebaker, April 1995, rebuilt from his write-up.
//!
//! It searches depth first through all sequences of at least eleven moves, makes the first move of the one that ends on
//! the best score, and repeats. It looks deeper as tiles get fixed, and when it is stuck because no position that it sees
//! has a better score.
//! A score is the distance of each tile from its place times the tile's priority, which is the higher the farther its
//! place is from the last corner. So it works from the upper left to the lower right. A tile in its place is fixed if
//! the one above and the one to the left are. Twelve of the 24 orders in which `STX+` can stand at the end are
//! backwards and cost some fifteen moves; it lists them one by one and scores them badly.
//!
//! Complexity: 3.2^11, some 300,000 positions per move; half a second per board and almost no memory.
//! Good at: not getting stuck. Bad at: length. The distances ignore the transport, so it is used only where eleven
//! moves show its worth. Starting at the upper left is a rule, not a need.
//!
//! Left open by the write-up and chosen here:
//! - the corner. He writes lower left, and that it makes the program work towards the lower right; so lower right is
//!   meant. The priority is the steps from there, S having 2.
//! - what to fix when, about which he says to be careful: the last two of a row or column only together, as one of
//!   them fixed makes a hole that is hard to fill; and never the centre, through which transports go, though its
//!   neighbours are fixed as if it were once M is there.
//! - the depth: eleven, and one more as long as the search saw fewer than 3^11 positions, so that every move costs
//!   about the same. It is stuck when it sees nothing better, or no longer what it saw before; then it adds one move at
//!   a time until it does. At seventeen it gives up, unsolved.
//! - time. A longer limit changes nothing. A shorter one may not leave time for eleven moves, so searches of five,
//!   seven and nine moves come first, and the last that solved the board answers. The clock decides only then.

use std::process::ExitCode;

use loyd_kit::{
    Board, BoardSet, Budget, Lookahead, LookaheadResult, Move, Penalties, Play, Sequences, Spot, SpotSet, Tile, Watch,
    enter,
};

/// Least depth of the search, for one pass after the other.
const AHEAD: [usize; 4] = [5, 7, 9, 11];
/// Most extra depth, used when it is stuck or few tiles are left to move.
const FARTHER: usize = 6;
/// The search goes one move deeper if it saw fewer positions than a tree with this many branches per move has.
const BRANCHES: u64 = 3;
/// Penalty of a backwards position.
const BACKWARDS: i32 = 1_000;
/// The highest score of a board that has only S, T and X out of place.
const END: i32 = 16;

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Vec<Move> {
    let mut watch = Budget::from_entry().watch();
    let dubious = Dubious::new();
    let mut answer = Play::new(*board);
    for ahead in AHEAD {
        let play = dubious.play(board, ahead, &mut watch);
        if play.board().tiles_home() >= answer.board().tiles_home() {
            answer = play;
        }
    }
    answer.into_moves()
}

struct Dubious {
    priorities: Penalties,
    /// The boards with `STX+` in an order that slides of these tiles alone can put right.
    forwards: BoardSet,
}

impl Dubious {
    fn new() -> Dubious {
        let priorities = Penalties::new(|tile, spot| {
            i32::from(tile.home().distance(Spot::LAST)) * i32::from(tile.home().distance(spot))
        });
        Dubious { priorities, forwards: forwards() }
    }

    /// Plays until perfection, until it is stuck, or until the time limit.
    fn play(&self, board: &Board, ahead: usize, watch: &mut Watch) -> Play {
        let mut play = Play::new(*board);
        let mut came_from = None;
        let mut promised: Option<(i32, SpotSet)> = None;
        while *play.board() != Board::perfection() {
            let fixed = fixed(play.board());
            let now = self.score(play.board(), self.priorities.total(play.board()));
            // The best position of the last search is still reachable, one move nearer, unless newly fixed tiles block
            // it.
            let wanted = promised.filter(|(_, before)| *before == fixed).map_or(now - 1, |(score, _)| score);
            let Some(result) = self.look(play.board(), came_from, fixed, wanted, ahead, watch) else { break };
            promised = (result.moves.len() > 1).then_some((result.score, fixed));
            came_from = Some(play.board().empty());
            play.make(result.moves[0]);
        }
        play
    }

    /// Searches `ahead` moves deep, and deeper if that is cheap or needed; `None` if it finds no score as good as
    /// wanted.
    fn look(
        &self,
        board: &Board,
        came_from: Option<Spot>,
        fixed: SpotSet,
        wanted: i32,
        ahead: usize,
        watch: &mut Watch,
    ) -> Option<LookaheadResult> {
        let evaluate = |board: &Board, score| self.score(board, score);
        let lookahead = Lookahead { penalties: &self.priorities, evaluate, fixed, sequences: Sequences::UpTo };
        let few = BRANCHES.pow(u32::try_from(ahead).ok()?);
        for depth in ahead..=ahead + FARTHER {
            let result = lookahead.from(board, came_from, depth, watch)?;
            if result.score <= wanted && (result.score == 0 || result.boards >= few) {
                return Some(result);
            }
        }
        None
    }

    /// The score of a board from the weighted sum of its tiles' distances.
    fn score(&self, board: &Board, sum: i32) -> i32 {
        if sum <= END && only_the_last_four_are_out_of_place(board) && !self.forwards.contains(&board.key()) {
            sum + BACKWARDS
        } else {
            sum
        }
    }
}

fn only_the_last_four_are_out_of_place(board: &Board) -> bool {
    Tile::all().all(|tile| is_last_four(tile.home()) || board.spot_of(tile) == tile.home())
}

fn is_last_four(spot: Spot) -> bool {
    spot.row() >= 3 && spot.column() >= 3
}

/// The twelve boards from which slides of `STX+` alone lead to perfection.
fn forwards() -> BoardSet {
    let mut seen = BoardSet::default();
    let mut open = vec![Board::perfection()];
    while let Some(board) = open.pop() {
        if seen.insert(board.key()) {
            let slides = Move::SLIDES.into_iter().filter_map(|slide| board.after(slide));
            open.extend(slides.filter(|after| is_last_four(after.empty())));
        }
    }
    seen
}

/// The spots whose tiles are not moved again.
fn fixed(board: &Board) -> SpotSet {
    let is_home = |spot: Spot| board.at(spot).is_some_and(|tile| tile.home() == spot);
    let mut done = SpotSet::default();
    for spot in Spot::all().filter(|&spot| is_home(spot)) {
        // Reading order: the spot above and the one to the left were looked at before.
        let mut before = spot.neighbours().filter(|near| *near < spot);
        if before.all(|near| done.contains(near)) {
            done.insert(spot);
        }
    }
    let is_last = |near: Spot, spot: Spot| if near.row() == spot.row() { near.column() == 4 } else { near.row() == 4 };
    let hole = |spot: Spot| {
        let mut after = spot.neighbours().filter(|near| *near > spot);
        after.any(|near| is_last(near, spot) && !done.contains(near))
    };
    Spot::all().filter(|&spot| done.contains(spot) && spot != Spot::CENTRE && !hole(spot)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn board(text: &str) -> Board {
        text.parse().expect("a board")
    }

    fn fixed_letters(text: &str) -> String {
        let board = board(text);
        let fixed = fixed(&board);
        Spot::all().filter(|&spot| fixed.contains(spot)).filter_map(|spot| board.at(spot)).map(Tile::letter).collect()
    }

    #[test]
    fn backward_last_positions_score_badly() {
        let dubious = Dubious::new();
        assert_eq!(dubious.forwards.len(), 12);
        let score = |text| {
            let board = board(text);
            dubious.score(&board, dubious.priorities.total(&board))
        };
        assert_eq!(score("ABCDE FGHIJ KLMNO PQR+S UVWXT"), 2 + 1, "S one step off and T one, S with twice the weight");
        assert_eq!(score("ABCDE FGHIJ KLMNO PQRTS UVWX+"), 2 + 1 + BACKWARDS);
        assert_eq!(score("BACDE FGHIJ KLMNO PQRTS UVWX+"), 8 + 7 + 2 + 1, "not the last four alone");
    }

    #[test]
    fn boards_with_only_the_last_tiles_out_of_place_score_at_most_end() {
        let dubious = Dubious::new();
        let worst = ["STX+", "SXT+", "TSX+", "TXS+", "XST+", "XTS+"].map(|last| {
            let (upper, lower) = last.split_at(2);
            [[upper, lower], [lower, upper]].map(|[fourth, fifth]| {
                dubious.priorities.total(&board(&format!("ABCDE FGHIJ KLMNO PQR{fourth} UVW{fifth}")))
            })
        });
        assert!(worst.as_flattened().iter().all(|&sum| sum <= END));
    }

    #[test]
    fn tiles_are_fixed_in_order() {
        assert_eq!(fixed_letters("ABDCE FGHIJ KLMNO PQRST UVWX+"), "ABFGKLPQUV");
        assert_eq!(fixed_letters("ABCED FGHIJ KLMNO PQRST UVWX+"), "ABCFGHKLPQRUVW");
    }

    #[test]
    fn the_end_is_solved() {
        let mut watch = Budget::within(Duration::from_secs(600)).watch();
        let play = Dubious::new().play(&board("ABCDE FGHIJ KL+MN PQRSO UVWXT"), 5, &mut watch);
        assert_eq!(play.board(), &Board::perfection());
        assert_eq!(play.moves().len(), 4);
    }
}
