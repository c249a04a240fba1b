//! Performance profiles: the share of boards on which an entry is within a factor of the best (E. D. Dolan and J. J.
//! Moré, "Benchmarking optimization software with performance profiles", Mathematical Programming 91, 2002).
//!
//! The measure is moves. A board that an entry does not solve counts, but is beyond every factor. Missing runs and
//! judge errors do not count.

use maud::{Markup, html};

use super::axis::{BELOW, horizontal, multiple_of_best, multiples, shares, vertical};
use super::plot_data::{PlotData, PlotEntry, RunResult};
use super::scale::Scale;
use super::sheet::{WIDTH, nothing, sheet};
use super::steps::{self, Line};
use super::text::number;
use crate::plot::{Plot, Table};
use judge_job::count_text;

const ID: &str = "plot-profile";
const TITLE: &str = "Performance profile";
/// The factors in the table.
const FACTORS: [f64; 9] = [1.0, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0];
/// The position of the axes.
const LEFT: f64 = 56.0;
const TOP: f64 = 40.0;
const HEIGHT: f64 = 340.0;

/// The performance profile of one entry.
#[derive(Debug, PartialEq)]
struct Profile {
    /// The moves divided by the fewest of any entry, for each solved board, in ascending order.
    ratios: Vec<f64>,
    /// The number of boards that count.
    boards: usize,
}

impl Profile {
    fn new(data: &PlotData, entry: &PlotEntry) -> Self {
        let ratios = Self::ratios(data, entry).into_iter().map(|(ratio, _)| ratio).collect();
        Self { ratios, boards: entry.judged() }
    }

    /// Returns the ratios in ascending order, each with its board.
    fn ratios(data: &PlotData, entry: &PlotEntry) -> Vec<(f64, usize)> {
        let results = data.boards.iter().zip(&entry.results).enumerate();
        let ratios = results.filter_map(|(column, (board, result))| {
            let (moves, best) = (result.moves()?, board.best?);
            // As in the score: if the best has no moves, one is added to both.
            Some((if best == 0 { moves as f64 + 1.0 } else { moves as f64 / best as f64 }, column))
        });
        let mut ratios: Vec<(f64, usize)> = ratios.collect();
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        ratios
    }

    /// Returns its line, with the share of the boards that the entry solved.
    fn line<'a>(&self, data: &PlotData, entry: &'a PlotEntry) -> Line<'a> {
        let end = self.share(f64::INFINITY).unwrap_or_default();
        let name = format!("{} {} %", entry.label, number((end * 1000.0).round() / 10.0));
        let boards = Self::ratios(data, entry).into_iter().map(|(_, board)| board).collect();
        Line { entry, values: self.ratios.clone(), boards, step: 1.0 / self.boards.max(1) as f64, name }
    }

    /// Returns the share of boards within a factor of the best; `None` if no board counts.
    fn share(&self, factor: f64) -> Option<f64> {
        let within = self.ratios.partition_point(|ratio| *ratio <= factor + 1e-9);
        (self.boards > 0).then(|| within as f64 / self.boards as f64)
    }
}

pub(super) fn draw(data: &PlotData) -> Plot {
    let moves = &data.moves;
    let lead = format!(
        "Share of boards on which an entry needed at most a given multiple of the best entry's {moves}. Further up and left is \
         better."
    );
    let rest = format!(
        "A line begins at the share of boards where the entry was the best, and ends at the share that it solved. A board \
         that it did not solve is beyond every factor.{}{}",
        if data.boards.iter().any(|board| board.best == Some(0)) {
            format!(" On a board whose best answer has no {moves}, one is added to all answers.")
        } else {
            String::new()
        },
        data.rest_note()
    );
    let caption = data.caption(lead, rest);
    let profiles: Vec<Profile> = data.entries.iter().map(|entry| Profile::new(data, entry)).collect();
    let largest = profiles.iter().filter_map(|profile| profile.ratios.last()).copied().reduce(f64::max);
    let svg = match largest {
        Some(largest) => drawing(data, &profiles, largest, &caption.whole()),
        None => nothing(ID, TITLE, "no entry solved a board"),
    };
    Plot { id: ID.into(), title: TITLE.into(), caption, svg, table: table(data, &profiles) }
}

fn drawing(data: &PlotData, profiles: &[Profile], largest: f64, description: &str) -> Markup {
    let counted = data.entries.iter().zip(profiles).filter(|(_, profile)| profile.boards > 0);
    let lines: Vec<Line<'_>> = counted.map(|(entry, profile)| profile.line(data, entry)).collect();
    let room = steps::room(&lines);
    let right = WIDTH.max(LEFT + 420.0 + room) - room;
    let x = Scale::log((1.0, (largest * 1.02).max(1.1)), (LEFT, right)).nice(6);
    let y = Scale::linear((0.0, 1.0), (TOP + HEIGHT, TOP));
    let body = html! {
        (horizontal(&x, (TOP, TOP + HEIGHT), &multiples(&x, 6), &multiple_of_best(data)))
        (vertical(&y, (LEFT, right), &shares(&y), (TOP - 18.0, "share of boards")))
        (steps::draw(&lines, 1.0, &x, &y))
    };
    sheet(ID, TITLE, description, (right + room, TOP + HEIGHT + BELOW), &body)
}

fn table(data: &PlotData, profiles: &[Profile]) -> Table {
    let head = ["entry".to_owned()]
        .into_iter()
        .chain(FACTORS.map(|factor| format!("within {}×", number(factor))))
        .chain(["solved".to_owned(), "boards".to_owned()]);
    let percent = |share: Option<f64>| share.map_or_else(String::new, |share| format!("{:.1} %", share * 100.0));
    let rows = data.entries.iter().zip(profiles).map(|(entry, profile)| {
        let shares = FACTORS.into_iter().map(|factor| percent(profile.share(factor)));
        let absent = entry.results.iter().filter(|result| **result == RunResult::Missing).count();
        let boards = match absent {
            0 => profile.boards.to_string(),
            absent => format!("{} ({} missing)", profile.boards, count_text(absent, "run", "runs")),
        };
        [entry.name.clone()]
            .into_iter()
            .chain(shares)
            .chain([percent((profile.boards > 0).then(|| entry.solved() as f64 / profile.boards as f64)), boards])
            .collect()
    });
    Table { head: head.collect(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::plot_data;
    use super::*;

    #[test]
    fn profiles_match_a_computation_by_hand() {
        // Five boards; the best are 10, 20, 40 and 30, and the last one is never solved.
        let data = plot_data(&[
            ("steady", &["10", "24", "50", "30", "TIM"]),
            ("brilliant", &["15", "20", "40", "ILL", "TIM"]),
            ("late", &["30", "TIM", "80", "60", "-"]),
            ("absent", &["-", "-", "-", "-", "-"]),
        ]);
        let profiles: Vec<Profile> = data.entries.iter().map(|entry| Profile::new(&data, entry)).collect();
        assert_eq!(profiles[0], Profile { ratios: vec![1.0, 1.0, 1.2, 1.25], boards: 5 });
        assert_eq!(profiles[1], Profile { ratios: vec![1.0, 1.0, 1.5], boards: 5 });
        // Its fifth run is missing, so four boards count; on one of them it timed out.
        assert_eq!(profiles[2], Profile { ratios: vec![2.0, 2.0, 3.0], boards: 4 });
        let shares =
            |profile: &Profile| [1.0, 1.2, 1.25, 1.5, 2.0, 3.0, 1e9].map(|factor| profile.share(factor).unwrap());
        assert_eq!(shares(&profiles[0]), [0.4, 0.6, 0.8, 0.8, 0.8, 0.8, 0.8]);
        assert_eq!(shares(&profiles[1]), [0.4, 0.4, 0.4, 0.6, 0.6, 0.6, 0.6]);
        assert_eq!(shares(&profiles[2]), [0.0, 0.0, 0.0, 0.0, 0.5, 0.75, 0.75]);
        assert_eq!(profiles[3].share(1e9), None);
        let figure = draw(&data);
        assert_eq!(figure.table.rows[2][10..], ["75.0 %", "4 (1 run missing)"]);
        assert_eq!(figure.table.rows[3][1], "");
    }

    #[test]
    fn a_best_of_no_moves_leaves_every_solution_in_the_profile() {
        let data = plot_data(&[("none", &["0", "5"]), ("some", &["3", "5"])]);
        let profiles: Vec<Profile> = data.entries.iter().map(|entry| Profile::new(&data, entry)).collect();
        assert_eq!(profiles[0].ratios, [1.0, 1.0]);
        assert_eq!(profiles[1].ratios, [1.0, 4.0]);
        assert_eq!(profiles[1].line(&data, &data.entries[1]).name, "some 100 %");
        assert!(!draw(&data).svg.into_string().contains("inf"));
    }
}
