//! dubious, by Mark Studebaker, April 1995, rebuilt from his write-up.
//!
//! Depth first through all sequences of at least eleven moves; the first move of the one that ends on the best score is
//! made, and so on. It looks deeper as tiles get fixed, and where it is stuck: where nothing it sees scores better.
//! A score is the distance of each tile from its place times the tile's priority, which is the higher the farther its
//! place is from the last corner; so it works from the upper left to the lower right. A tile in its place is fixed if
//! the one above and the one to the left are. Twelve of the 24 ways in which `STX+` can stand at the end are backwards
//! and cost some fifteen moves; they are known one by one and score badly.
//!
//! Complexity: 3.2^11, some 300,000 positions a move; half a second and next to no memory a board.
//! Good at: keeping going. Bad at: length. The distances know nothing of the transport, so it is used where eleven
//! moves show its worth and not otherwise; and upper left first is a rule, not a need.
//!
//! Left open by the write-up and chosen here:
//! - the corner. He writes lower left, and that it makes the program work towards the lower right; so lower right is
//!   meant. The priority is the steps from there, S having 2.
//! - what to fix when, about which he says to be careful: the last two of a row or column only together, as one of
//!   them fixed makes a hole that is hard to fill; and never the centre, through which transports go, though its
//!   neighbours are fixed as if it were once M is there.
//! - the depth: eleven, and one more as long as the look saw fewer than 3^11 positions, so that a move costs about the
//!   same all along. It is stuck when it sees nothing better, or no more what it saw before; then one more until it
//!   does. With seventeen it gives up, unsolved.
//! - time. A longer limit changes nothing. A shorter one may not leave time for eleven moves, so looking five, seven
//!   and nine moves ahead comes first, and the last that solved the board answers; only there does the clock decide.

use std::process::ExitCode;

use loyd_kit::{Board, Budget, Lookahead, Move, Outlook, Penalties, Play, Seen, Spot, SpotSet, Tile, Watch, enter};

/// How many moves it looks ahead at the least, in passes one after the other.
const AHEAD: [usize; 4] = [5, 7, 9, 11];
/// How many more when it is stuck or few tiles are left to move.
const FARTHER: usize = 6;
/// It looks one move further if it saw fewer positions than so many branches at every move would give.
const BRANCHES: u64 = 3;
/// What it costs to be backwards.
const BACKWARDS: i32 = 1_000;
/// More than this a board cannot score that has only S, T and X out of place.
const END: i32 = 16;

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Vec<Move> {
    let mut watch = Budget::of_entry().watch();
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
    /// The ways of `STX+` to stand at the end that slides of their own can put right.
    forwards: Seen,
}

impl Dubious {
    fn new() -> Dubious {
        let priorities = Penalties::new(|tile, spot| {
            i32::from(tile.home().distance(Spot::LAST)) * i32::from(tile.home().distance(spot))
        });
        Dubious { priorities, forwards: forwards() }
    }

    /// Plays until perfection, until it is stuck for good, or until the time is over.
    fn play(&self, board: &Board, ahead: usize, watch: &mut Watch) -> Play {
        let mut play = Play::new(*board);
        let mut came_from = None;
        let mut promised: Option<(i32, SpotSet)> = None;
        while *play.board() != Board::perfection() {
            let fixed = fixed(play.board());
            let now = self.score(play.board(), self.priorities.total(play.board()));
            // What the look before saw is still there, one move nearer, unless tiles were fixed that are in the way.
            let wanted = promised.filter(|(_, before)| *before == fixed).map_or(now - 1, |(score, _)| score);
            let Some(outlook) = self.look(play.board(), came_from, fixed, wanted, ahead, watch) else { break };
            promised = (outlook.moves.len() > 1).then_some((outlook.score, fixed));
            came_from = Some(play.board().empty());
            play.make(outlook.moves[0]);
        }
        play
    }

    /// Looks so many moves ahead, and further if that is cheap or needed; `None` if no score as good as wanted is seen.
    fn look(
        &self,
        board: &Board,
        came_from: Option<Spot>,
        fixed: SpotSet,
        wanted: i32,
        ahead: usize,
        watch: &mut Watch,
    ) -> Option<Outlook> {
        let judge = |board: &Board, score| self.score(board, score);
        let lookahead = Lookahead { penalties: &self.priorities, judge, fixed };
        let few = BRANCHES.pow(u32::try_from(ahead).ok()?);
        for depth in ahead..=ahead + FARTHER {
            let outlook = lookahead.from(board, came_from, depth, watch)?;
            if outlook.score <= wanted && (outlook.score == 0 || outlook.boards >= few) {
                return Some(outlook);
            }
        }
        None
    }

    /// The score of a board from the sum of its tiles' distances by priority.
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
fn forwards() -> Seen {
    let mut seen = Seen::default();
    let mut open = vec![Board::perfection()];
    while let Some(board) = open.pop() {
        if seen.insert(board.key()) {
            let slides = Move::SLIDES.into_iter().filter_map(|slide| board.after(slide));
            open.extend(slides.filter(|after| is_last_four(after.empty())));
        }
    }
    seen
}

/// The spots whose tiles are not moved any more.
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
    fn twelve_of_the_24_last_positions_are_backwards_and_score_badly() {
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
    fn a_board_scored_at_the_end_is_never_over_the_end() {
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
    fn a_tile_is_fixed_after_those_above_and_to_the_left_and_the_last_two_together() {
        assert_eq!(fixed_letters("ABDCE FGHIJ KLMNO PQRST UVWX+"), "ABFGKLPQUV");
        assert_eq!(fixed_letters("ABCED FGHIJ KLMNO PQRST UVWX+"), "ABCFGHKLPQRUVW");
    }

    #[test]
    fn the_end_is_played_out() {
        let mut watch = Budget::within(Duration::from_secs(600)).watch();
        let play = Dubious::new().play(&board("ABCDE FGHIJ KL+MN PQRSO UVWXT"), 5, &mut watch);
        assert_eq!(play.board(), &Board::perfection());
        assert_eq!(play.moves().len(), 4);
    }
}
