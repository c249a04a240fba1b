//! A ranking of the same rows on many selections of their boards.

use std::ops::Range;

use super::{Addend, Rank, RankHead};
use crate::plan::RankKey;
use crate::points::Points;
use crate::reference::Reference;
use crate::score::Row;

/// Rows prepared for ranking on selections of their boards.
pub(crate) struct Resampling<'a> {
    rows: Vec<Runs<'a>>,
}

/// The judged runs of a row.
struct Runs<'a> {
    head: RankHead,
    /// The runs of one board after the other: the first run, then its repeats.
    addends: Vec<Addend<'a>>,
    /// The place in `addends` where the runs of each board begin, and the end.
    starts: Vec<usize>,
    /// True if the figures in the cells are known on each board.
    known: bool,
}

impl<'a> Resampling<'a> {
    /// Prepares rows of the same boards. All of them compete and are complete. `None` if groups of boards give points, because a
    /// selection would split the groups. An unknown progress that follows from the total of a row is filled in.
    pub(crate) fn from_rows(rows: &'a mut [Row]) -> Option<Self> {
        if rows.iter().any(|row| !row.scoring.groups.is_empty()) {
            return None;
        }
        let references = Reference::from_boards(rows, &[]);
        rows.iter_mut().for_each(fill_rest);
        Some(Self { rows: rows.iter().map(|row| Runs::new(row, &references)).collect() })
    }

    /// Returns true if the figures in the cells of a row are known on each board.
    pub(crate) fn knows(&self, row: usize) -> bool {
        self.rows[row].known
    }

    /// Returns the place of each row on the chosen boards. They are given by index, possibly with repetitions. Equal rows share a
    /// place. `draw` returns a number below its argument, which selects one of this many repeats.
    pub(crate) fn places(
        &self,
        chosen: &[usize],
        order: &[RankKey],
        mut draw: impl FnMut(usize) -> usize,
    ) -> Vec<usize> {
        let ranks = self.rows.iter().map(|Runs { head, addends, starts, .. }| {
            let run = |&board: &usize| match starts[board + 1] - starts[board] {
                1 => &addends[starts[board]],
                repeats => &addends[starts[board] + draw(repeats)],
            };
            let chosen: Vec<&Addend<'_>> = chosen.iter().map(run).collect();
            Rank::new(head.clone(), chosen.iter().copied(), None)
        });
        let ranks: Vec<Rank> = ranks.collect();
        let mut sorted: Vec<usize> = (0..ranks.len()).collect();
        sorted.sort_by(|&a, &b| ranks[a].compare(&ranks[b], order));
        let mut places = vec![0; ranks.len()];
        for (position, &row) in sorted.iter().enumerate() {
            let above = position.checked_sub(1).map(|above| sorted[above]);
            places[row] = match above.filter(|&above| ranks[above].compare(&ranks[row], order).is_eq()) {
                Some(above) => places[above],
                None => position + 1,
            };
        }
        places
    }

    /// Returns the boards of each round, as ranges of indices. A selection takes the same number from each.
    pub(crate) fn rounds(boards: impl Iterator<Item = u32>) -> Vec<Range<usize>> {
        let mut rounds: Vec<Range<usize>> = Vec::new();
        let mut last = None;
        for (board, round) in boards.enumerate() {
            match rounds.last_mut().filter(|_| last == Some(round)) {
                Some(range) => range.end = board + 1,
                None => rounds.push(board..board + 1),
            }
            last = Some(round);
        }
        rounds
    }
}

impl<'a> Runs<'a> {
    fn new(row: &'a Row, references: &[Reference]) -> Self {
        let shown: Vec<usize> = match row.scoring.cell.as_slice() {
            [] => vec![0],
            cell => cell.iter().filter_map(|name| row.scoring.index(name)).collect(),
        };
        let (mut addends, mut starts, mut known) = (Vec::new(), vec![0], true);
        for (board, (cell, reference)) in row.cells.iter().zip(references).enumerate() {
            let repeats = row.repeats.get(board).into_iter().flatten().filter(|cell| cell.judged());
            for cell in [cell].into_iter().chain(repeats) {
                known &= cell.not_planned || shown.iter().all(|&at| cell.metrics.figure(at).is_some());
                addends.push(Addend::new(cell, reference));
            }
            starts.push(addends.len());
        }
        Self { head: RankHead::new(row), addends, starts, known }
    }
}

/// Fills in an unknown progress. A table has a total progress, but none for an illegal answer. With one such answer, its progress
/// is the rest.
fn fill_rest(row: &mut Row) {
    let unknown: Vec<usize> = (0..row.cells.len()).filter(|&at| row.cells[at].metrics.figure(0).is_none()).collect();
    if let ([board], Some(total)) = (unknown.as_slice(), row.total.figure(0).filter(|_| row.scoring.is_sum(0))) {
        let known = row.cells.iter().filter_map(|cell| cell.metrics.figure(0));
        let rest = known.fold(total, Points::minus);
        if let Some(progress) = row.cells[*board].metrics.figures.first_mut() {
            *progress = Some(rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::rank;
    use crate::results::Results;

    #[test]
    fn the_places_are_those_of_a_table_of_the_chosen_boards() {
        let mut csv = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
        for (entry, moves) in [("a", [9, 7, 0, 5]), ("b", [8, 8, 3, 5]), ("c", [9, 7, 3, 9]), ("d", [9, 7, 0, 5])] {
            for (board, moves) in moves.iter().enumerate() {
                csv += &match moves {
                    0 => format!("{entry},B{board},timed_out,,,,,9,9\n"),
                    _ => format!("{entry},B{board},solved,25,25,{moves},1,2000,9\n"),
                };
            }
        }
        let results = Results::read_csv("test", csv.as_bytes()).unwrap();
        let mut rows = results.rows.clone();
        let resampling = Resampling::from_rows(&mut rows).unwrap();
        for order in [results.ranking.clone(), vec![RankKey::Relative], vec![RankKey::Time, RankKey::MOVES]] {
            for chosen in [[0, 1, 2, 3], [0, 0, 0, 0], [2, 2, 1, 1], [3, 0, 3, 1], [2, 2, 2, 2]] {
                let mut rows = results.rows.clone();
                for row in &mut rows {
                    row.cells = chosen.iter().map(|&board| row.cells[board].clone()).collect();
                    row.total = row.total_of(row.cells.iter());
                }
                rank(&mut rows, &order);
                let place = |row: &Row| rows.iter().find(|other| other.entry == row.entry).unwrap().place.unwrap();
                let expected: Vec<usize> = results.rows.iter().map(place).collect();
                assert_eq!(resampling.places(&chosen, &order, |_| 0), expected, "{order:?} {chosen:?}");
            }
        }
    }

    #[test]
    fn one_unknown_progress_is_the_rest_of_the_total() {
        let csv = "entry,A,B,tiles,moves,transports,total_ms\na,25/9,0/ILL,30,9,,\nb,0/ILL,0/ILL,9,0,,\n";
        let mut results = Results::read_csv("test", csv.as_bytes()).unwrap();
        let resampling = Resampling::from_rows(&mut results.rows).unwrap();
        assert_eq!(resampling.rows[0].addends[1].part.values[0], Some(Points::whole(5)));
        assert_eq!((resampling.knows(0), resampling.knows(1)), (true, false));
    }

    #[test]
    fn a_resample_draws_one_of_the_repeats() {
        let csv = "entry,board,repeat,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n\
                   a,A,1,solved,25,25,9,1,5,9\na,A,2,timed_out,,,,,5,9\nb,A,1,solved,25,25,10,1,5,9\n\
                   b,A,2,judge_error,,,,,,9\n";
        let mut results = Results::read_csv("test", csv.as_bytes()).unwrap();
        let order = results.ranking;
        let resampling = Resampling::from_rows(&mut results.rows).unwrap();
        assert!(resampling.knows(0));
        let places = |drawn: usize| resampling.places(&[0], &order, |_| drawn);
        assert_eq!((places(0), places(1)), (vec![1, 2], vec![2, 1]), "b has one judged run");
    }

    #[test]
    fn boards_of_a_round_are_a_range() {
        assert_eq!(Resampling::rounds([1, 1, 2, 2, 2].into_iter()), [0..2, 2..5]);
        assert_eq!(Resampling::rounds([1, 2, 2, 3].into_iter()), [0..1, 1..3, 3..4]);
        assert_eq!(Resampling::rounds(std::iter::empty()), [] as [Range<usize>; 0]);
    }
}
