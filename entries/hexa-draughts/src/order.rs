//! Search for a playable order of given hop counts, depth-first.
//!
//! The remaining hops determine the position, so a set of remaining hops that has failed is not tried again.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::game::Game;
use crate::lattice::{Hop, Point};

/// The limit on failed positions.
const MAX_POSITIONS: usize = 200_000;

/// Finds a game that starts with these men and makes each hop as often as `counts` specifies; `None` if no order is
/// playable, or none was found within 200,000 positions.
pub(crate) fn playable(men: BTreeSet<Point>, counts: &BTreeMap<Hop, u32>) -> Option<Game> {
    let hops: Vec<Hop> = counts.keys().copied().collect();
    let left: Vec<u32> = counts.values().copied().collect();
    let mut search = Search { hops, left, failed: HashSet::new(), made: Vec::new(), men: men.clone() };
    search.descend().then(|| Game { men: men.into_iter().collect(), hops: search.made })
}

struct Search {
    hops: Vec<Hop>,
    /// The remaining count of each hop.
    left: Vec<u32>,
    failed: HashSet<Vec<u32>>,
    made: Vec<Hop>,
    men: BTreeSet<Point>,
}

impl Search {
    fn descend(&mut self) -> bool {
        if self.left.iter().all(|&count| count == 0) {
            return true;
        }
        if self.failed.len() >= MAX_POSITIONS || self.failed.contains(&self.left) {
            return false;
        }
        for index in 0..self.hops.len() {
            let hop = self.hops[index];
            let legal = self.men.contains(&hop.from) && self.men.contains(&hop.over) && !self.men.contains(&hop.to);
            if self.left[index] == 0 || !legal {
                continue;
            }
            self.left[index] -= 1;
            self.made.push(hop);
            self.men.remove(&hop.from);
            self.men.remove(&hop.over);
            self.men.insert(hop.to);
            if self.descend() {
                return true;
            }
            self.men.remove(&hop.to);
            self.men.insert(hop.over);
            self.men.insert(hop.from);
            self.made.pop();
            self.left[index] += 1;
        }
        self.failed.insert(self.left.clone());
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(row: i32, column: i32) -> Point {
        Point { row, column }
    }

    #[test]
    fn the_only_playable_order_is_found() {
        let men = BTreeSet::from([point(0, 0), point(-1, 1), point(0, 2)]);
        let first = Hop::onto(point(1, -1), (-1, 1));
        let across = Hop { from: point(-1, 1), over: point(0, 0), to: point(1, -1) };
        assert_eq!(first, across);
        let second = Hop { from: point(1, -1), over: point(0, 0), to: point(-1, 1) };
        let counts = BTreeMap::from([(across, 1)]);
        let game = playable(men.clone(), &counts).expect("the order is playable");
        assert_eq!(game.hops, [across]);
        // The hop back needs the man that the first hop removed.
        let counts = BTreeMap::from([(across, 1), (second, 1)]);
        assert_eq!(playable(men, &counts), None);
    }
}
