//! lwr, by Debbie Brown, April 1995, rebuilt from her write-up.
//!
//! A path goes through all spots, from the centre to the lower right corner, every spot next to the one before. Pulled
//! straight, it is a row to be sorted, and the empty spot keeps its order as long as it follows the path. The sort is
//! like an insertion sort. When the tiles at the end of the path are in order, the empty spot goes to the gap among
//! them where the tile in the centre belongs, and this tile is transported there. Finally the empty spot goes along the
//! whole path to its end. Several paths are tried, and the one with the fewest moves wins.
//!
//! Complexity: no search; 23 insertions at most on each path, each a walk of up to 24 moves.
//! Good at: solving every board, in well under a millisecond. Bad at: length. A tile that is one step from its spot is
//! inserted like any other, and the last walk alone is 24 moves.
//!
//! Left open by the write-up and chosen here:
//! - how strictly the path is followed: only where tiles are in order. Before that, where nothing can be put out of
//!   order, the empty spot takes the shortest path. With every walk along the path the answers would have four hundred
//!   moves; the published ones have 258 to 277, and these are a fifth shorter: her shortcuts were not as good, or
//!   fewer.
//! - the paths: the one she gives, a spiral, and both mirrored at the diagonal between the centre and the corner.
//! - of the five published answers one held an illegal move. That was a mistake in the program, not its idea.

use std::process::ExitCode;

use loyd_kit::lead::shortest_path;
use loyd_kit::{Board, Move, Play, Spot, SpotSet, enter};

/// Two paths, as the number of each spot on them.
const PATHS: [[usize; 25]; 2] = [
    [4, 3, 2, 19, 20, 5, 6, 1, 18, 21, 8, 7, 0, 17, 22, 9, 12, 13, 16, 23, 10, 11, 14, 15, 24],
    [16, 15, 14, 13, 12, 17, 4, 3, 2, 11, 18, 5, 0, 1, 10, 19, 6, 7, 8, 9, 20, 21, 22, 23, 24],
];

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Vec<Move> {
    paths().map(|path| path.sort(board)).min_by_key(Vec::len).expect("there are paths")
}

fn paths() -> impl Iterator<Item = Path> {
    PATHS.iter().flat_map(|numbers| [Path::new(numbers), Path::new(numbers).mirrored()])
}

/// All spots, each next to the one before, from the centre to the lower right corner.
struct Path(Vec<Spot>);

impl Path {
    fn new(numbers: &[usize; 25]) -> Path {
        let mut spots: Vec<Spot> = Spot::all().collect();
        spots.sort_by_key(|spot| numbers[spot.index()]);
        Path(spots)
    }

    /// The path with rows and columns exchanged.
    fn mirrored(&self) -> Path {
        let mirrored = |spot: &Spot| Spot::new(usize::from(spot.column() * 5 + spot.row()));
        Path(self.0.iter().filter_map(mirrored).collect())
    }

    /// The number of a spot on the path, 0 for the centre.
    fn number(&self, spot: Spot) -> usize {
        self.0.iter().position(|&one| one == spot).expect("a path goes through all spots")
    }

    /// The tiles in the order of the path, each as the number of the spot where it belongs.
    fn row(&self, board: &Board) -> Vec<usize> {
        self.0.iter().filter_map(|&spot| board.at(spot)).map(|tile| self.number(tile.home())).collect()
    }

    /// The moves that sort the tiles along this path.
    fn sort(&self, board: &Board) -> Vec<Move> {
        let mut play = Play::new(*board);
        loop {
            let unsorted = unsorted(&self.row(play.board()));
            if unsorted == 0 {
                self.follow(&mut play, self.number(Spot::LAST));
                return play.into_moves();
            }
            self.approach(&mut play, unsorted);
            let row = self.row(play.board());
            let before = row[unsorted..].iter().filter(|&&tile| tile < row[0]).count();
            self.follow(&mut play, unsorted + before);
            play.make(Move::Transport);
        }
    }

    /// Takes the empty spot to the beginning of the sorted tiles, by the shortest path through the unsorted ones; if it
    /// is already past that, it stays.
    fn approach(&self, play: &mut Play, unsorted: usize) {
        let empty = play.board().empty();
        if self.number(empty) < unsorted {
            let sorted: SpotSet = self.0[unsorted + 1..].iter().copied().collect();
            let moves = shortest_path(empty, self.0[unsorted], sorted, &Move::SLIDES)
                .expect("at least the path itself is free");
            play.make_all(&moves);
        }
    }

    /// Takes the empty spot along the path to the spot of this number, which keeps the order of the tiles.
    fn follow(&self, play: &mut Play, number: usize) {
        let mut now = self.number(play.board().empty());
        while now != number {
            let next = if now < number { now + 1 } else { now - 1 };
            play.make(Move::slide(self.0[next], self.0[now]).expect("each spot is next to the one before"));
            now = next;
        }
    }
}

/// The number of tiles before the ordered ones at the end of the row.
fn unsorted(row: &[usize]) -> usize {
    row.windows(2).rposition(|pair| pair[0] > pair[1]).map_or(0, |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_goes_step_by_step_from_the_centre_to_the_corner() {
        for path in paths() {
            assert_eq!((path.0.first(), path.0.last(), path.0.len()), (Some(&Spot::CENTRE), Some(&Spot::LAST), 25));
            assert!(path.0.windows(2).all(|pair| pair[0].distance(pair[1]) == 1));
        }
    }

    #[test]
    fn every_path_alone_sorts_a_board() {
        let board: Board = "+XWVU TSRQP ONMLK JIHGF EDCBA".parse().expect("a board");
        for path in paths() {
            let mut play = Play::new(board);
            play.make_all(&path.sort(&board));
            assert_eq!(play.board(), &Board::perfection());
        }
    }

    #[test]
    fn tiles_in_order_stay_in_order() {
        let path = Path::new(&PATHS[0]);
        let mut play = Play::new("WBD+E HSGMJ VONPR XAUKC TLIFQ".parse().expect("a board"));
        let row = path.row(play.board());
        for number in [24, 0, 12] {
            path.follow(&mut play, number);
            assert_eq!(path.row(play.board()), row);
        }
        path.follow(&mut play, 3);
        path.approach(&mut play, 14);
        assert_eq!(path.row(play.board())[14..], row[14..]);
        assert_ne!(path.row(play.board())[..14], row[..14], "the empty spot left the path");
    }

    #[test]
    fn only_the_end_of_a_row_counts_as_sorted() {
        assert_eq!(unsorted(&[3, 1, 2, 0, 4, 7, 9]), 3);
        assert_eq!(unsorted(&[1, 2, 3]), 0);
        assert_eq!(unsorted(&[3, 2, 1]), 2);
    }

    #[test]
    fn a_sorted_row_needs_only_the_last_walk() {
        assert_eq!(solve(&Board::perfection()), []);
        let path = Path::new(&PATHS[0]);
        let mut play = Play::new(Board::perfection());
        path.follow(&mut play, 0);
        assert_eq!(solve(play.board()).len(), 24);
    }
}
