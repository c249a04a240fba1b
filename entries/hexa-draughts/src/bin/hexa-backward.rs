//! hexa-backward: Jim Randell's program of 2015 for Enigma 257, a backward depth-first search.
//!
//! The search starts with one man on the goal and reverses hops: a man on (r, c) becomes two, on (r-1, c±1) and
//! (r-2, c±2). It processes the men on the highest rows first, since these must come down. If no man is above row 0, the
//! men are a start position. Positions with as many men as the best known one are not expanded.
//!
//! Cost: proportional to the number of ways back; different orders of the same hops count separately. Row 4 took 4.5 s in
//! Python. Good at: rows up to 4, in a fraction of a second. Bad at: row 5, for which no attempt has found a game. The
//! search reverses only upward hops, so it proves nothing about games with other hops.
//!
//! The program prints on standard error the best number of men, the number of ways back, and the number of start
//! positions. The source names 408 "starting positions" for row 4. These are the ways back; they lead to 4 positions,
//! which are printed too.
//!
//! `--men N` before the board's path sets the most men of a start position; the author's program has this bound as its
//! second argument. Chosen here: without the option the bound is 50. The order within a row does not change these figures.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::process::ExitCode;
use std::time::Instant;

use entry_common::{enter_with_option, time_limit};
use hexa_kit::{Board, Game, Hop, Point};

/// The most men of a start position if the option `--men` is not given; without a bound the search may not end.
const MAX_MEN: usize = 50;
/// The most start positions stored; further ones count only as ways back.
const MAX_STARTS: usize = 100_000;
/// The most start positions printed.
const MAX_SHOWN: usize = 10;

fn main() -> ExitCode {
    enter_with_option("--men", "a whole number from 1", solve)
}

fn solve(board: &Board, most_men: Option<NonZero<usize>>) -> Game {
    let most_men = most_men.map_or(MAX_MEN, NonZero::get);
    let search = Search::back_from(board.row, most_men, Instant::now() + time_limit().mul_f64(0.9));
    let over = if search.in_time { "" } else { ", time is up" };
    if let Some(best) = search.best {
        let (ways, starts) = (search.ways, search.starts.len());
        eprintln!("{best} men: {ways} ways back to {starts} start positions{over}");
        for start in search.starts.iter().take(MAX_SHOWN) {
            let men: Vec<String> = start.iter().map(ToString::to_string).collect();
            eprintln!("  {}", men.join(" "));
        }
    } else {
        eprintln!("no way back to at most {most_men} men{over}");
    }
    search.game
}

struct Search {
    deadline: Instant,
    in_time: bool,
    /// The most men of a start position.
    most_men: usize,
    /// The fewest men of a start position so far.
    best: Option<usize>,
    /// The number of times that a start position with this many men was reached.
    ways: u64,
    starts: BTreeSet<Vec<Point>>,
    /// The game from the first of them.
    game: Game,
    /// The men after the reversed hops.
    men: Vec<Point>,
    /// The hops reversed to get them.
    reversed: Vec<Hop>,
}

impl Search {
    fn back_from(row: i32, most_men: usize, deadline: Instant) -> Self {
        let mut search = Self {
            deadline,
            in_time: true,
            most_men,
            best: None,
            ways: 0,
            starts: BTreeSet::new(),
            game: Game::default(),
            men: vec![Point::goal(row)],
            reversed: Vec::new(),
        };
        search.descend();
        search
    }

    fn descend(&mut self) {
        self.in_time &= Instant::now() < self.deadline;
        if !self.in_time {
            return;
        }
        let best = self.best.unwrap_or(self.most_men);
        if self.men.iter().all(|man| man.row <= 0) {
            self.reach_start(best);
        } else if self.men.len() < best {
            let mut men = self.men.clone();
            men.sort_by_key(|man| -man.row);
            for man in men {
                for side in [-1, 1] {
                    self.reverse(Hop::onto(man, (-1, side)));
                }
            }
        }
    }

    fn reverse(&mut self, hop: Hop) {
        if self.men.contains(&hop.over) || self.men.contains(&hop.from) {
            return;
        }
        let index = self.men.iter().position(|&man| man == hop.to).expect("the hop ends on a man");
        self.men.swap_remove(index);
        self.men.extend([hop.over, hop.from]);
        self.reversed.push(hop);
        self.descend();
        self.reversed.pop();
        self.men.truncate(self.men.len() - 2);
        self.men.push(hop.to);
        let last = self.men.len() - 1;
        self.men.swap(index, last);
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
            self.game = Game { men: start.clone(), hops: self.reversed.iter().rev().copied().collect() };
        }
        self.ways += 1;
        if self.starts.len() < MAX_STARTS {
            self.starts.insert(start);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn row_4_is_counted_as_in_the_source() {
        let search = Search::back_from(4, MAX_MEN, Instant::now() + Duration::from_secs(600));
        assert!(search.in_time);
        assert_eq!((search.best, search.ways, search.starts.len()), (Some(9), 408, 4));
    }

    #[test]
    fn lower_rows_have_the_published_numbers_of_men() {
        for (row, men) in [(1, 2), (2, 3), (3, 5)] {
            let search = Search::back_from(row, MAX_MEN, Instant::now() + Duration::from_secs(600));
            assert_eq!((search.best, search.game.men.len(), search.game.hops.len()), (Some(men), men, men - 1));
        }
    }
}
