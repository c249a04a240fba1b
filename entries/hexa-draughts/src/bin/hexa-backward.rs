//! hexa-backward: Jim Randell's program of 2015 for Enigma 257, depth-first search backwards.
//!
//! Start with one man on the goal and take hops back: a man on (r, c) becomes two, on (r-1, c±1) and (r-2, c±2). Men
//! with the highest rows go first, as it is they who must come down. When nobody is left above row 0, the men are a
//! starting position; positions that already hold as many men as the best one known are given up.
//!
//! Cost: the number of ways back, all orders of the same hops apart: 4.5 s in Python for row 4. Good at: rows up to 4,
//! in a fraction of a second. Bad at: row 5, where it has found nothing in any time that was tried. Only hops upwards
//! are taken back, so that it proves nothing about games with others.
//!
//! Standard error tells, beside the best number of men, how many ways back there are and to how many starting positions.
//! For row 4 the source has 408 "starting positions": those are the ways, to 4 positions, which are printed too.
//!
//! Left open: a bound on the men, which the author gives by hand where he wants one; here 50. The order within a row,
//! which changes nothing in these figures.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Instant;

use entry_common::{enter, time_limit};
use hexa_kit::{Board, Game, Hop, Point};

/// A starting position with more men is none: without a bound the search may go down for ever.
const MOST_MEN: usize = 50;
/// Starting positions kept; what is beyond is counted among the ways only.
const MOST_STARTS: usize = 100_000;
/// Starting positions printed.
const MOST_SHOWN: usize = 10;

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Game {
    let search = Search::back_from(board.row, Instant::now() + time_limit().mul_f64(0.9));
    if let Some(best) = search.best {
        let over = if search.in_time { "" } else { ", time is up" };
        let (ways, starts) = (search.ways, search.starts.len());
        eprintln!("{best} men: {ways} ways back to {starts} starting positions{over}");
        for start in search.starts.iter().take(MOST_SHOWN) {
            let men: Vec<String> = start.iter().map(ToString::to_string).collect();
            eprintln!("  {}", men.join(" "));
        }
    }
    search.game
}

struct Search {
    deadline: Instant,
    in_time: bool,
    /// The fewest men of a starting position so far.
    best: Option<usize>,
    /// How often a starting position with so many men was reached.
    ways: u64,
    starts: BTreeSet<Vec<Point>>,
    /// The game from the first of them.
    game: Game,
    /// The men, and the hops taken back to get them.
    men: Vec<Point>,
    taken: Vec<Hop>,
}

impl Search {
    fn back_from(row: i32, deadline: Instant) -> Self {
        let mut search = Self {
            deadline,
            in_time: true,
            best: None,
            ways: 0,
            starts: BTreeSet::new(),
            game: Game::default(),
            men: vec![Point::goal(row)],
            taken: Vec::new(),
        };
        search.descend();
        search
    }

    fn descend(&mut self) {
        self.in_time &= Instant::now() < self.deadline;
        if !self.in_time {
            return;
        }
        let best = self.best.unwrap_or(MOST_MEN);
        if self.men.iter().all(|man| man.row <= 0) {
            self.reach_start(best);
        } else if self.men.len() < best {
            let mut men = self.men.clone();
            men.sort_by_key(|man| -man.row);
            for man in men {
                for side in [-1, 1] {
                    self.take_back(Hop::onto(man, (-1, side)));
                }
            }
        }
    }

    fn take_back(&mut self, hop: Hop) {
        if self.men.contains(&hop.over) || self.men.contains(&hop.from) {
            return;
        }
        let stands = self.men.iter().position(|&man| man == hop.to).expect("the hop ends on a man");
        self.men.swap_remove(stands);
        self.men.extend([hop.over, hop.from]);
        self.taken.push(hop);
        self.descend();
        self.taken.pop();
        self.men.truncate(self.men.len() - 2);
        self.men.push(hop.to);
        let last = self.men.len() - 1;
        self.men.swap(stands, last);
    }

    fn reach_start(&mut self, best: usize) {
        let mut start = self.men.clone();
        start.sort_unstable();
        if start.len() > best {
            return;
        }
        if self.best.is_none_or(|best| start.len() < best) {
            self.best = Some(start.len());
            self.ways = 0;
            self.starts.clear();
            self.game = Game { men: start.clone(), hops: self.taken.iter().rev().copied().collect() };
        }
        self.ways += 1;
        if self.starts.len() < MOST_STARTS {
            self.starts.insert(start);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn row_4_has_the_408_ways_of_the_source_and_they_lead_to_4_starting_positions() {
        let search = Search::back_from(4, Instant::now() + Duration::from_secs(600));
        assert!(search.in_time);
        assert_eq!((search.best, search.ways, search.starts.len()), (Some(9), 408, 4));
    }

    #[test]
    fn lower_rows_come_out_as_published() {
        for (row, men) in [(1, 2), (2, 3), (3, 5)] {
            let search = Search::back_from(row, Instant::now() + Duration::from_secs(600));
            assert_eq!((search.best, search.game.men.len(), search.game.hops.len()), (Some(men), men, men - 1));
        }
    }
}
