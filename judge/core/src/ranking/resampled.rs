//! Ranking of the same rows on many selections of their boards.

use super::{Group, Rank};
use crate::plan::RankKey;
use crate::score::{Cell, Metrics, Row};

/// Rows prepared for ranking on selections of their boards.
pub(crate) struct Resampling {
    rows: Vec<Parts>,
}

/// What each run adds to the rank of a row: the first runs of all boards, then their repeats.
struct Parts {
    /// Progress, moves, tie-break and time per run; `None` if a value is unknown.
    figures: [Option<Vec<u64>>; 4],
    solved: Vec<bool>,
    failed: Vec<bool>,
    /// The judged runs of each board, by index.
    runs: Vec<Vec<usize>>,
}

impl Resampling {
    /// Prepares rows of the same boards. All of them compete and are complete.
    pub(crate) fn of(rows: &[Row]) -> Self {
        let goals = Rank::goals(rows);
        Self { rows: rows.iter().map(|row| Parts::of(row, &goals)).collect() }
    }

    /// Returns true if the progress and the moves of a row are known on each board.
    pub(crate) fn knows(&self, row: usize) -> bool {
        let [progress, moves, ..] = &self.rows[row].figures;
        progress.is_some() && moves.is_some()
    }

    /// Returns the place of each row on the chosen boards, by index and with repetitions. Equal rows share a place.
    /// `draw` returns a number below its argument: which of so many repeats counts.
    pub(crate) fn places(
        &self,
        chosen: &[usize],
        order: &[RankKey],
        mut draw: impl FnMut(usize) -> usize,
    ) -> Vec<usize> {
        let mut run = |parts: &Parts, board: usize| match parts.runs[board].as_slice() {
            [only] => *only,
            runs => runs[draw(runs.len())],
        };
        let ranks = self.rows.iter().map(|parts| {
            let runs: Vec<usize> = chosen.iter().map(|&board| run(parts, board)).collect();
            parts.rank(&runs)
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
}

impl Parts {
    fn of(row: &Row, goals: &[Option<u64>]) -> Self {
        let repeats = row.repeats.iter().enumerate();
        let repeats: Vec<(usize, &Cell)> =
            repeats.flat_map(|(board, cells)| cells.iter().map(move |cell| (board, cell))).collect();
        let repeats: Vec<(usize, &Cell)> = repeats.into_iter().filter(|(_, cell)| cell.judged()).collect();
        let figure = |figure: fn(&Metrics) -> Option<u64>| {
            let mut values: Vec<Option<u64>> = row.cells.iter().map(|cell| figure(&cell.metrics)).collect();
            // Only runs from a journal have repeats, and their figures are all known.
            let mut unknown = (0..values.len()).filter(|&board| values[board].is_none());
            // A table has a total progress, but none for an illegal answer. If there is only one, it is the rest.
            if let (Some(board), None) = (unknown.next(), unknown.next()) {
                let known: u64 = values.iter().flatten().fold(0, |sum, value| sum.saturating_add(*value));
                values[board] = figure(&row.total).and_then(|total| total.checked_sub(known));
            }
            values.extend(repeats.iter().map(|(_, cell)| figure(&cell.metrics)));
            values.into_iter().collect()
        };
        let all = || row.cells.iter().enumerate().chain(repeats.iter().copied());
        let runs = |board: usize| {
            let repeats = repeats.iter().zip(row.cells.len()..).filter(move |((at, _), _)| *at == board);
            [board].into_iter().chain(repeats.map(|(_, run)| run)).collect()
        };
        Self {
            figures: [
                figure(|metrics| metrics.progress),
                figure(|metrics| metrics.moves),
                figure(|metrics| metrics.tie_break),
                figure(|metrics| metrics.time_us),
            ],
            solved: all().map(|(board, cell)| cell.solves(cell.of.or(goals[board]))).collect(),
            failed: all().map(|(_, cell)| cell.code.is_some()).collect(),
            runs: (0..row.cells.len()).map(runs).collect(),
        }
    }

    /// Adds up runs, by index.
    fn rank(&self, chosen: &[usize]) -> Rank {
        let count = |marks: &[bool]| chosen.iter().filter(|&&run| marks[run]).count();
        let [progress, moves, tie_break, time_us] = self.figures.each_ref().map(|values| {
            let values = values.as_ref()?;
            Some(chosen.iter().fold(0u64, |sum, &run| sum.saturating_add(values[run])))
        });
        Rank {
            group: Group::Complete,
            takes_place: true,
            total: Metrics { progress, moves, tie_break, time_us },
            solved: count(&self.solved),
            failed: count(&self.failed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::rank;
    use crate::results::Results;
    use crate::score::total;

    #[test]
    fn the_places_are_those_of_a_table_of_the_chosen_boards() {
        let mut csv = "entry,board,verdict,progress,of,moves,tie_break,wall_us,limit_ms\n".to_owned();
        for (entry, moves) in [("a", [9, 7, 0, 5]), ("b", [8, 8, 3, 5]), ("c", [9, 7, 3, 9]), ("d", [9, 7, 0, 5])] {
            for (board, moves) in moves.iter().enumerate() {
                csv += &match moves {
                    0 => format!("{entry},B{board},timed_out,,,,,9,9\n"),
                    _ => format!("{entry},B{board},solved,25,25,{moves},1,2000,9\n"),
                };
            }
        }
        let results = Results::read_csv("test", csv.as_bytes()).unwrap();
        let resampling = Resampling::of(&results.rows);
        for chosen in [[0, 1, 2, 3], [0, 0, 0, 0], [2, 2, 1, 1], [3, 0, 3, 1], [2, 2, 2, 2]] {
            let mut rows = results.rows.clone();
            for row in &mut rows {
                row.cells = chosen.iter().map(|&board| row.cells[board].clone()).collect();
                row.total = total(row.cells.iter());
            }
            rank(&mut rows, &results.ranking);
            let place = |row: &Row| rows.iter().find(|other| other.entry == row.entry).unwrap().place.unwrap();
            let expected: Vec<usize> = results.rows.iter().map(place).collect();
            assert_eq!(resampling.places(&chosen, &results.ranking, |_| 0), expected, "{chosen:?}");
        }
    }

    #[test]
    fn one_unknown_progress_is_the_rest_of_the_total() {
        let csv = "entry,A,B,tiles,moves,transports,total_ms\na,25/9,0/ILL,30,9,,\nb,0/ILL,0/ILL,9,0,,\n";
        let results = Results::read_csv("test", csv.as_bytes()).unwrap();
        let resampling = Resampling::of(&results.rows);
        assert_eq!(resampling.rows[0].figures[0], Some(vec![25, 5]));
        assert_eq!((resampling.knows(0), resampling.knows(1)), (true, false));
    }

    #[test]
    fn a_resample_draws_one_of_the_repeats() {
        let csv = "entry,board,repeat,verdict,progress,of,moves,tie_break,wall_us,limit_ms\n\
                   a,A,1,solved,25,25,9,1,5,9\na,A,2,timed_out,,,,,5,9\nb,A,1,solved,25,25,10,1,5,9\n\
                   b,A,2,judge_error,,,,,,9\n";
        let results = Results::read_csv("test", csv.as_bytes()).unwrap();
        let resampling = Resampling::of(&results.rows);
        assert!(resampling.knows(0));
        let places = |drawn: usize| resampling.places(&[0], &results.ranking, |_| drawn);
        assert_eq!((places(0), places(1)), (vec![1, 2], vec![2, 1]), "b has one judged run");
    }
}
