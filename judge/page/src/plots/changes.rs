//! Then and now: entries that are in two results, with their moves in both and the difference.

use maud::{Markup, html};

use super::axis::{BELOW, horizontal, numbers};
use super::colour::{Colour, circle};
use super::legend::{Sign, legend};
use super::plot_data::{PlotData, PlotEntry, RunResult};
use super::scale::{Bands, Scale};
use super::sheet::{Anchor, SMALL, TEXT, WIDTH, fill, sheet, small, stroke, text};
use super::text::{capital, in_table, px, shown, width};
use crate::plot::{Plot, Table};
use judge_core::compare::Pair;

const ID: &str = "plot-changes";
const TITLE: &str = "Then and now";
const ROW: f64 = 20.0;
/// The most entries in the drawing; the table has all.
const MAX_ROWS: usize = 60;

/// An entry in two results.
struct Change<'a> {
    name: String,
    from: &'a str,
    to: &'a str,
    /// Moves in both results, for each board that was solved in both.
    both: Vec<(u64, u64)>,
    /// The number of solved boards in each, among the boards that both results have.
    solved: (usize, usize),
    boards: usize,
}

impl<'a> Change<'a> {
    fn new(data: &PlotData, pair: &'a Pair) -> Option<Self> {
        let entry =
            |source: &str, name: &str| data.entries.iter().find(|entry| entry.source == source && entry.entry == name);
        let (from, to) = (&pair.first.source, &pair.second.source);
        let (then, now) = (entry(from, &pair.first.entry)?, entry(to, &pair.second.entry)?);
        let common = data.common_boards(from, to);
        let moves = |entry: &PlotEntry, column: usize| entry.results.get(column).and_then(RunResult::moves);
        let pairs: Vec<_> = common.iter().map(|&(a, b)| (moves(then, a), moves(now, b))).collect();
        Some(Self {
            name: pair.first.entry.clone(),
            from,
            to,
            both: pairs.iter().filter_map(|&(a, b)| a.zip(b)).collect(),
            solved: (
                pairs.iter().filter(|(a, _)| a.is_some()).count(),
                pairs.iter().filter(|(_, b)| b.is_some()).count(),
            ),
            boards: common.len(),
        })
    }

    /// Returns the mean moves then and now, over the boards solved in both; `None` without such a board.
    fn means(&self) -> Option<(f64, f64)> {
        let boards = self.both.len() as f64;
        // Results in CSV may have any number.
        let mean =
            |moves: fn(&(u64, u64)) -> u64| self.both.iter().map(|both| moves(both) as f64).sum::<f64>() / boards;
        (!self.both.is_empty()).then(|| (mean(|both| both.0), mean(|both| both.1)))
    }

    /// Returns the difference, with the number of its boards: `−12.4 on 5 of 5`.
    fn difference(&self) -> String {
        match self.means() {
            Some((then, now)) => format!("{} on {} of {}", signed(now - then), self.both.len(), self.boards),
            None => format!("none of {} solved in both", self.boards),
        }
    }
}

/// Formats a difference with its sign and one decimal.
fn signed(difference: f64) -> String {
    let rounded = (difference * 10.0).round() / 10.0 + 0.0;
    match rounded {
        0.0 => "0".into(),
        less if less < 0.0 => format!("−{:.1}", -less),
        more => format!("+{more:.1}"),
    }
}

/// Draws the figure; `None` if no entry is in two results.
pub(super) fn draw(data: &PlotData) -> Option<Plot> {
    let pairs = data.comparison.as_ref().ok()?.changes.iter();
    let mut changes: Vec<Change<'_>> = pairs.filter_map(|pair| Change::new(data, pair)).collect();
    if changes.is_empty() {
        return None;
    }
    // The greatest gain first; entries without a board solved in both last.
    let gain = |change: &Change<'_>| change.means().map_or(f64::INFINITY, |(then, now)| now - then);
    changes.sort_by(|a, b| gain(a).total_cmp(&gain(b)));
    let moves = &data.moves;
    let hidden = match changes.len().saturating_sub(MAX_ROWS) {
        0 => String::new(),
        hidden => format!(" {hidden} more are only in the table."),
    };
    let lead = format!(
        "Mean {moves} of entries that are in two results: a ring in the earlier one, a disc in the later one. Further left \
         is better."
    );
    let rest = format!(
        "The means are over the boards that the entry solved in both. The difference and the number of these boards are at \
         the right, and the rows are in the order of the differences. Boards that it solved only once are not in the means: \
         the table has how many it solved.{hidden}"
    );
    let caption = data.caption(lead, rest);
    let svg = drawing(data, &changes[..changes.len().min(MAX_ROWS)], &caption.whole());
    Some(Plot { id: ID.into(), title: TITLE.into(), caption, svg, table: table(&changes) })
}

fn drawing(data: &PlotData, changes: &[Change<'_>], description: &str) -> Markup {
    let several = changes.iter().any(|change| (change.from, change.to) != (changes[0].from, changes[0].to));
    let name = |change: &Change<'_>| match several {
        true => format!("{}: {} to {}", shown(&change.name), shown(change.from), shown(change.to)),
        false => shown(&change.name),
    };
    let widest =
        |texts: &mut dyn Iterator<Item = String>, size| texts.map(|text| width(&text, size)).fold(0.0, f64::max);
    let left = widest(&mut changes.iter().map(name), TEXT) + 16.0;
    let side = widest(&mut changes.iter().map(Change::difference), SMALL) + 16.0;
    let total = WIDTH.max(left + 320.0 + side);
    let means = || changes.iter().filter_map(Change::means).flat_map(|(then, now)| [then, now]);
    let (least, most) = (means().fold(f64::INFINITY, f64::min), means().fold(0.0, f64::max));
    let domain = if least <= most { (least, most) } else { (0.0, 1.0) };
    let scale = Scale::linear(domain, (left + 8.0, total - side - 8.0)).nice(6);
    let (key, above) = legend(&signs(changes, several), (left, 4.0), total - left);
    let bands = Bands::new(above + 12.0, ROW);
    let bottom = bands.begin(changes.len());
    let body = html! {
        (key)
        (horizontal(&scale, (bands.begin(0), bottom), &numbers(&scale, 6), &format!("mean {}", capital(&data.moves).to_lowercase())))
        @for (row, change) in changes.iter().enumerate() {
            @let y = bands.middle(row);
            (text((left - 8.0, y), Anchor::End, &name(change)))
            (small((total - side + 8.0, y), Anchor::Start, &change.difference()))
            @if let Some((then, now)) = change.means() {
                @let ink = if now <= then { Colour::Win(2) } else { Colour::Loss(2) };
                (ink.draw(&stroke(&format!("M{} {}H{}", px(scale.at(then)), px(y), px(scale.at(now))), 3.0, None)))
                (Colour::Faint.draw(&stroke(&circle(scale.at(then), y, 4.0), 1.5, None)))
                (Colour::Text.marks(&fill(&circle(scale.at(now), y, 4.0))))
            }
        }
    };
    sheet(ID, TITLE, description, (total, bottom + BELOW), &body)
}

fn signs(changes: &[Change<'_>], several: bool) -> Vec<(Sign, String)> {
    let (then, now) = match changes {
        [first, ..] if !several => (shown(first.from), shown(first.to)),
        _ => ("earlier".into(), "later".into()),
    };
    vec![(Sign::Text("○"), then), (Sign::Text("●"), now)]
}

fn table(changes: &[Change<'_>]) -> Table {
    let head = [
        "entry",
        "from",
        "to",
        "boards in both",
        "solved then",
        "solved now",
        "solved in both",
        "mean then",
        "mean now",
        "difference",
        "fewer on",
        "more on",
    ];
    let rows = changes.iter().map(|change| {
        let means = change.means();
        let count = |fits: fn(&(u64, u64)) -> bool| change.both.iter().filter(|both| fits(both)).count().to_string();
        let mean = |mean: Option<f64>| mean.map_or_else(String::new, |mean| format!("{mean:.1}"));
        vec![
            in_table(&change.name),
            in_table(change.from),
            in_table(change.to),
            change.boards.to_string(),
            change.solved.0.to_string(),
            change.solved.1.to_string(),
            change.both.len().to_string(),
            mean(means.map(|means| means.0)),
            mean(means.map(|means| means.1)),
            means.map_or_else(String::new, |(then, now)| signed(now - then)),
            count(|(then, now)| now < then),
            count(|(then, now)| now > then),
        ]
    });
    Table { head: head.map(str::to_owned).into(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::source;
    use super::*;
    use judge_core::compare::Source;

    fn data() -> PlotData {
        let then = source(&[("a", &["100", "90", "TIM"]), ("b", &["50", "50", "50"]), ("c", &["70", "TIM", "-"])]);
        let now = source(&[("a", &["80", "95", "60"]), ("b", &["55", "50", "TIM"]), ("c", &["TIM", "TIM", "9"])]);
        PlotData::from_sources(&[then, Source { name: "now".into(), ..now }], Vec::new())
    }

    #[test]
    fn means_of_very_large_numbers_are_drawn() {
        let most = ((1_u64 << 53) - 1).to_string();
        let then = source(&[("a", &[&most, &most])]);
        let now = source(&[("a", &["1", "1"])]);
        let data = PlotData::from_sources(&[then, Source { name: "now".into(), ..now }], Vec::new());
        let rows = draw(&data).unwrap().table.rows;
        assert_eq!(rows[0][7..9], ["9007199254740991.0", "1.0"]);
    }

    #[test]
    fn differences_are_over_the_boards_solved_in_both_with_their_number() {
        let figure = draw(&data()).unwrap();
        let rows: Vec<String> = figure.table.rows.iter().map(|row| row.join(" ")).collect();
        assert_eq!(
            rows,
            [
                // (100 + 90) / 2 and (80 + 95) / 2.
                "a run now 3 2 3 2 95.0 87.5 −7.5 1 1",
                "b run now 3 3 2 2 50.0 52.5 +2.5 0 1",
                "c run now 3 1 1 0    0 0",
            ]
        );
        let svg = figure.svg.0;
        for text in [">−7.5 on 2 of 3<", ">+2.5 on 2 of 3<", ">none of 3 solved in both<"] {
            assert!(svg.contains(text), "{text} in {svg}");
        }
    }

    #[test]
    fn results_without_a_common_entry_have_no_such_figure() {
        let [one, other] = [source(&[("a", &["1"])]), source(&[("b", &["1"])])];
        let data = PlotData::from_sources(&[one, Source { name: "other".into(), ..other }], Vec::new());
        assert!(draw(&data).is_none());
    }
}
