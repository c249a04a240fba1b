//! Repeats of runs: the run of a board that a comparison uses, and the variation over repeats and boards.

use serde::Serialize;

use super::{Boards, Source};
use crate::ranking::BoardRanking;
use crate::relative::share;
use crate::score::{Row, RunCell};

/// Variation of the scores of a source's entries over repeats.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repeats {
    /// Name of the source in the comparison.
    #[serde(rename = "run")]
    pub source: String,
    /// The entries with repeats, in the order of the table.
    pub entries: Vec<EntryRepeats>,
}

/// Variation of an entry's score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntryRepeats {
    /// Name of the entry in that source.
    pub entry: String,
    /// The boards with two judged runs or more.
    pub boards: usize,
    /// The judged runs on these boards.
    pub runs: usize,
    /// The number of these boards that some runs solved and others did not.
    pub mixed: usize,
    /// Standard deviation of the score over repeats on the same board, pooled over the boards.
    pub within: Option<f64>,
    /// Standard deviation over boards, without the part that repeats cause (one-way analysis of variance with random
    /// effects; Searle, Casella and McCulloch, Variance Components, 1992, 3.6); `None` for fewer than two boards.
    pub between: Option<f64>,
}

/// Replaces the cell of each board with repeats by the median of its judged runs. This is the middle one in the order of the
/// ranking, with all its figures including its time; of two in the middle, the worse one. Totals are computed from these cells.
pub fn median_runs(mut sources: Vec<Source>) -> Vec<Source> {
    for results in sources.iter_mut().map(|source| &mut source.results) {
        let ranking = results.board_ranking();
        for row in results.rows.iter_mut().filter(|row| !row.repeats.is_empty()) {
            for column in 0..row.cells.len() {
                if let Some(median) = median(row, column, &ranking) {
                    row.cells[column] = median;
                }
            }
            row.total = row.total_of(row.cells.iter());
        }
    }
    sources
}

impl Repeats {
    /// Describes the repeats of source `k`; `None` if it has none.
    pub(super) fn new(k: usize, source: &Source, boards: &Boards) -> Option<Self> {
        let rows = source.results.rows.iter().filter(|row| !row.repeats.is_empty());
        let entries: Vec<EntryRepeats> = rows.map(|row| EntryRepeats::new(k, boards, row)).collect();
        (!entries.is_empty()).then(|| Self { source: source.name.clone(), entries })
    }
}

impl EntryRepeats {
    fn new(k: usize, boards: &Boards, row: &Row) -> Self {
        // Without a goal, an accepted answer is a success.
        let succeeds = |cell: &RunCell| if boards.solving[k] { cell.solves() } else { cell.code.is_none() };
        let (mut runs, mut mixed): (Vec<Vec<f64>>, usize) = (Vec::new(), 0);
        for column in 0..row.cells.len() {
            let judged = || judged(row, column);
            let scores: Vec<f64> = judged().filter_map(|cell| boards.score(k, column, cell).map(share)).collect();
            if scores.len() >= 2 {
                mixed += usize::from(judged().any(succeeds) && !judged().all(succeeds));
                runs.push(scores);
            }
        }
        let [within, between] = variances(&runs).map(|variance| variance.map(f64::sqrt));
        Self {
            entry: row.entry.name.clone(),
            boards: runs.len(),
            runs: runs.iter().map(Vec::len).sum(),
            mixed,
            within,
            between,
        }
    }
}

/// Returns the judged runs of a board: the first one, then its repeats.
fn judged(row: &Row, column: usize) -> impl Iterator<Item = &RunCell> {
    let repeats = row.repeats.get(column).into_iter().flatten();
    [&row.cells[column]].into_iter().chain(repeats).filter(|cell| cell.judged())
}

fn median(row: &Row, column: usize, ranking: &BoardRanking) -> Option<RunCell> {
    let mut cells: Vec<&RunCell> = judged(row, column).collect();
    ranking.sort(&mut cells);
    cells.get(cells.len() / 2).copied().cloned()
}

/// Computes the variance within groups and the variance between them. Groups have at least two values.
fn variances(groups: &[Vec<f64>]) -> [Option<f64>; 2] {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let squares = |values: &[f64], middle: f64| values.iter().map(|value| (value - middle).powi(2)).sum::<f64>();
    let size = |values: &Vec<f64>| values.len() as f64;
    let all: f64 = groups.iter().map(size).sum();
    let count = groups.len() as f64;
    if groups.is_empty() {
        return [None, None];
    }
    let within = groups.iter().map(|values| squares(values, mean(values))).sum::<f64>() / (all - count);
    if groups.len() < 2 {
        return [Some(within), None];
    }
    let grand = groups.iter().flatten().sum::<f64>() / all;
    let between_squares: f64 = groups.iter().map(|values| size(values) * (mean(values) - grand).powi(2)).sum();
    // The mean size of a group, corrected for unequal sizes.
    let typical = (all - groups.iter().map(|values| size(values).powi(2)).sum::<f64>() / all) / (count - 1.0);
    let between = (between_squares / (count - 1.0) - within) / typical;
    [Some(within), Some(between.max(0.0))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;
    use crate::results::Results;

    fn source(runs: &[(&str, u32, &str)]) -> Source {
        let csv = runs.iter().map(|(board, repeat, moves)| match *moves {
            "TIM" => format!("e,{board},{repeat},timed_out,,,,,9,9\n"),
            "JUD" => format!("e,{board},{repeat},judge_error,,,,,,9\n"),
            run => {
                let (moves, us) = run.split_once('/').unwrap_or((run, run));
                format!("e,{board},{repeat},solved,25,25,{moves},1,{us},9\n")
            }
        });
        let head = "entry,board,repeat,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
        let results = Results::read_csv("test", (head + &csv.collect::<String>()).as_bytes()).unwrap();
        Source { name: "run".into(), results }
    }

    #[test]
    fn a_comparison_uses_the_median_run_of_a_board_with_its_own_time() {
        let runs = [
            ("A", 1, "10/50"),
            ("A", 2, "30/20"),
            ("A", 3, "20/90"),
            ("B", 1, "10/9"),
            ("B", 2, "TIM"),
            ("B", 3, "JUD"),
            ("C", 1, "10/7000"),
            ("C", 2, "10/5000"),
            ("C", 3, "10/6000"),
        ];
        let source = source(&runs);
        let [median] = <[Source; 1]>::try_from(median_runs(vec![source.clone()])).unwrap();
        let row = |source: &Source| source.results.rows[0].clone();
        let texts = |source: &Source| row(source).cells.iter().map(RunCell::text).collect::<Vec<_>>();
        assert_eq!(texts(&source), ["25/10", "25/10", "25/10"], "the table has the first repeat");
        assert_eq!(texts(&median), ["25/20", "0/TIM", "25/10"], "the worse of two in the middle");
        let times: Vec<_> = row(&median).cells.iter().map(|cell| cell.metrics.time_us).collect();
        assert_eq!(times, [Some(90), Some(9_000), Some(6_000)], "times of these runs; among equal runs time decides");
        assert_eq!((row(&median).total.figure(1), row(&median).total.time_us), (Some(Points::whole(30)), Some(15_090)));
    }

    #[test]
    fn the_variances_are_those_of_an_analysis_of_variance() {
        // By hand: the means are 2 and 5, the squares within are 2 each, so 4/2.
        // Between: 2·(2 - 3.5)² + 2·(5 - 3.5)² = 9, 9/1 = 9, (9 - 2)/2 = 3.5.
        assert_eq!(variances(&[vec![1.0, 3.0], vec![4.0, 6.0]]), [Some(2.0), Some(3.5)]);
        assert_eq!(variances(&[vec![1.0, 3.0]]), [Some(2.0), None]);
        assert_eq!(variances(&[]), [None, None]);
        assert_eq!(variances(&[vec![1.0, 3.0], vec![1.0, 3.0]])[1], Some(0.0), "never below 0");
    }

    #[test]
    fn repeats_are_described_by_entry() {
        let runs = [("A", 1, "10"), ("A", 2, "20"), ("B", 1, "10"), ("B", 2, "TIM"), ("C", 1, "5")];
        let sources = [source(&runs)];
        let boards = Boards::new(&sources);
        let repeats = Repeats::new(0, &sources[0], &boards).unwrap();
        let entry = &repeats.entries[0];
        assert_eq!((entry.boards, entry.runs, entry.mixed), (2, 4, 1));
        // Scores 1 and 0.5, 1 and 0: squares 0.125 and 0.5, over 4 - 2.
        assert!((entry.within.unwrap() - 0.3125f64.sqrt()).abs() < 1e-12);
        let once = [source(&[("A", 1, "10")])];
        assert_eq!(Repeats::new(0, &once[0], &Boards::new(&once)), None);
    }
}
