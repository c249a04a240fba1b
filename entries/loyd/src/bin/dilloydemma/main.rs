//! dilloydemma, by Bob Ashenfelter, April 1995, rebuilt from his write-up.
//!
//! Several techniques, as different squares are best attacked by different ones; at the time limit the shortest answer
//! of them all is printed. Priority lists (`lists.rs`) place tile after tile, by chance where moves are equally good,
//! thousands of times. An exhaustive search looks some moves ahead with one of nine arrays of penalties (`arrays.rs`),
//! makes the first move to the best position, and looks again. A third technique rates a position by the answer that
//! the priority lists find from it. Each is stopped when it has used as many moves as the best answer so far. The
//! phases:
//!
//! 1. Three moves of exhaustive search, for a trivial square.
//! 2. A hundred answers by the lists, to limit the rest.
//! 3. Six moves of exhaustive search, for an easy square; then the end, if the answer cannot be shorter.
//! 4. Ten thousand answers by the lists.
//! 5. Exhaustive search with each array one move deep, two, three, until 70 % of the time is used.
//! 6. One search, four to ten moves deep and no more than 33 moves long, in which a position costs the moves of the
//!    shorter of two answers by the lists.
//! 7. The lists again until the time is nearly over.
//!
//! Complexity: 3.2^depth positions per move of exhaustive search, which is nine or ten moves then and some twelve now;
//! about a tenth of a millisecond per answer of the lists. It uses all the time and almost no memory.
//! Good at: always having an answer, and at easy squares. Bad at: chaos. The best depth and array are not known
//! beforehand, and it remembers no position.
//!
//! Left open by the write-up and chosen here, besides the lists and arrays, which were tuned by hand and are lost:
//! - the depth of phase 6: the one that should finish in a fifth of the time at the pace of the lists so far.
//! - its answer: the moves made so far, those to the best position, and the lists' answer from there.
//! - phases 2 to 4 take a third of the time at the most, as a limit of seconds is shorter than they were made for.
//! - the seed is `--seed N`. If there is time enough for phases 1 to 4, they are the same every time; the clock decides
//!   the depths of 5 and 6 and the number of answers in 7.

mod arrays;
mod lists;

use std::process::ExitCode;

use loyd_kit::{
    Board, Budget, Lookahead, Move, Penalties, Play, Random, Sequences, SpotSet, Watch, enter_seeded, random,
};

use arrays::arrays;
use lists::Lists;

/// Most moves of an answer worth printing.
const LONGEST: usize = 400;
/// Shares of the time that are used when phases 4, 5 and 6 end, at the latest.
const SHARES: [f64; 3] = [0.33, 0.7, 0.95];
/// Most moves of the search of phase 6.
const LISTED_MOVES: usize = 33;
/// Share of the time that phase 6 expects to take.
const TRIED: f64 = 0.2;
/// Moves in a position on average, without the one that undoes the last.
const BRANCHES: f64 = 3.2;
/// A depth that phase 5 never reaches.
const DEEPEST: usize = 25;

fn main() -> ExitCode {
    enter_seeded(solve)
}

fn solve(board: &Board, random: Random) -> Vec<Move> {
    Dilloydemma::new(board, random, Budget::from_entry()).solve()
}

struct Dilloydemma {
    board: Board,
    budget: Budget,
    random: Random,
    lists: Lists,
    arrays: Vec<Penalties>,
    best: Option<Vec<Move>>,
}

impl Dilloydemma {
    fn new(board: &Board, random: Random, budget: Budget) -> Dilloydemma {
        let lists = Lists::new();
        let arrays = arrays(&lists);
        Dilloydemma { board: *board, budget, random, lists, arrays, best: None }
    }

    fn solve(mut self) -> Vec<Move> {
        let [listed, searched, rated] = SHARES.map(|share| self.budget.part(share));
        self.look_ahead(0, 3, &mut listed.watch());
        self.run_lists(100, &listed);
        self.look_ahead(0, 6, &mut listed.watch());
        if !self.is_shortest() {
            let begin = self.budget.spent();
            let answers = self.run_lists(10_000, &listed);
            let pace = f64::from(answers) / (self.budget.spent() - begin).max(f64::EPSILON);
            self.exhaust(&searched);
            self.look_ahead_by_lists(depth_for(TRIED * pace), &mut rated.watch_every(16));
            self.run_lists(u32::MAX, &self.budget.clone());
        }
        self.best.unwrap_or_default()
    }

    /// The number of moves that a better answer must stay below.
    fn limit(&self) -> usize {
        self.best.as_ref().map_or(LONGEST, Vec::len)
    }

    /// Returns `true` if the best answer takes no more moves than the tiles need at least.
    fn is_shortest(&self) -> bool {
        u32::try_from(self.limit()).is_ok_and(|moves| moves == self.board.least_moves())
    }

    /// Finds answers by the priority lists, as many as asked or as time allows, and returns their number.
    fn run_lists(&mut self, answers: u32, budget: &Budget) -> u32 {
        for answer in 0..answers {
            if budget.is_over() {
                return answer;
            }
            let shorter = self.lists.solve(&self.board, self.limit(), &mut self.random);
            self.best = shorter.or(self.best.take());
        }
        answers
    }

    /// Exhaustive search with every array, ever deeper, until the time limit.
    fn exhaust(&mut self, budget: &Budget) {
        let mut watch = budget.watch();
        for depth in 1..DEEPEST {
            for array in 0..self.arrays.len() {
                self.look_ahead(array, depth, &mut watch);
            }
        }
    }

    /// Exhaustive search `depth` moves deep, until perfection or until it has used as many moves as the best answer.
    fn look_ahead(&mut self, array: usize, depth: usize, watch: &mut Watch) {
        let evaluate = |_: &Board, penalty| penalty;
        let lookahead = Lookahead {
            penalties: &self.arrays[array],
            evaluate,
            fixed: SpotSet::default(),
            sequences: Sequences::UpTo,
        };
        let mut play = Play::new(self.board);
        let mut came_from = None;
        while play.moves().len() < self.limit() {
            if *play.board() == Board::perfection() {
                self.best = Some(play.into_moves());
                return;
            }
            let Some(result) = lookahead.from(play.board(), came_from, depth, watch) else { return };
            came_from = Some(play.board().empty());
            play.make(result.moves[0]);
        }
    }

    /// Exhaustive search in which a position costs the moves of an answer by the priority lists.
    fn look_ahead_by_lists(&mut self, depth: usize, watch: &mut Watch) {
        let nothing = Penalties::new(|_, _| 0);
        let mut play = Play::new(self.board);
        let mut came_from = None;
        while play.moves().len() < LISTED_MOVES && *play.board() != Board::perfection() {
            let evaluate = |board: &Board, _| {
                self.two_tries(board).map_or(i32::MAX, |moves| i32::try_from(moves.len()).unwrap_or(i32::MAX))
            };
            let lookahead =
                Lookahead { penalties: &nothing, evaluate, fixed: SpotSet::default(), sequences: Sequences::UpTo };
            let Some(result) = lookahead.from(play.board(), came_from, depth, watch) else { return };
            let mut there = play.clone();
            there.make_all(&result.moves);
            if let Some(rest) = self.two_tries(there.board()) {
                there.make_all(&rest);
                if there.moves().len() < self.limit() {
                    self.best = Some(there.into_moves());
                }
            }
            came_from = Some(play.board().empty());
            play.make(result.moves[0]);
        }
    }

    /// The shorter of two answers by the priority lists; always the same for the same board.
    fn two_tries(&self, board: &Board) -> Option<Vec<Move>> {
        if *board == Board::perfection() {
            return Some(Vec::new());
        }
        let mut random = random::for_board(board);
        let first = self.lists.solve(board, self.limit(), &mut random);
        let second = self.lists.solve(board, first.as_ref().map_or(self.limit(), Vec::len), &mut random);
        second.or(first)
    }
}

/// The depth of the search of phase 6 that needs at most this many tries.
fn depth_for(tries: f64) -> usize {
    let needed = |depth: &usize| {
        let positions = BRANCHES.powf(*depth as f64 + 1.0) / (BRANCHES - 1.0);
        2.0 * positions * LISTED_MOVES as f64
    };
    (5..=10).take_while(|depth| needed(depth) <= tries).last().unwrap_or(4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loyd_kit::random::{SEED, seeded};
    use std::time::Duration;

    fn begun(board: &str) -> Dilloydemma {
        let board = board.parse().expect("a board");
        Dilloydemma::new(&board, seeded(SEED), Budget::within(Duration::from_secs(600)))
    }

    fn end(board: &Board, moves: &[Move]) -> Board {
        let mut play = Play::new(*board);
        play.make_all(moves);
        *play.board()
    }

    #[test]
    fn a_square_solved_by_looking_ahead_is_recognised_as_shortest() {
        let mut ring = begun("+ABCD GHIJE FKLMN QRSTO PUVWX");
        ring.look_ahead(0, 3, &mut ring.budget.watch());
        assert!(ring.is_shortest());
        assert_eq!(ring.solve().len(), 24);
    }

    #[test]
    fn more_answers_by_the_lists_find_a_shorter_one() {
        let run = |answers| {
            let mut chaos = begun("THEQU ICKBR OWNFX JMPSV LADG+");
            let budget = chaos.budget;
            assert_eq!(chaos.run_lists(answers, &budget), answers);
            let best = chaos.best.expect("an answer");
            assert_eq!(end(&chaos.board, &best), Board::perfection());
            best
        };
        assert!(run(200).len() < run(1).len());
        assert_eq!(run(20), run(20));
    }

    #[test]
    fn the_search_by_lists_completes_an_answer() {
        let mut chaos = begun("THEQU ICKBR OWNFX JMPSV LADG+");
        chaos.look_ahead_by_lists(2, &mut chaos.budget.watch());
        assert_eq!(end(&chaos.board, &chaos.best.expect("an answer")), Board::perfection());
    }

    #[test]
    fn the_search_by_lists_goes_four_to_ten_moves_deep() {
        assert_eq!([0.0, 1e4, 1e6, 1e12].map(depth_for), [4, 4, 7, 10]);
    }
}
