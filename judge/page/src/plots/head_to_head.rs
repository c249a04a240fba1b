//! Head to head: the number of boards on which each entry beats each other one, with the sign test of
//! [`judge_core::compare`].

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::colour::{Colour, SIDES, dots};
use super::gaps::head;
use super::legend::{Sign, legend};
use super::marks::of;
use super::plot_data::{PlotData, PlotEntry};
use super::scale::Bands;
use super::sheet::{Anchor, LINE, SMALL, TEXT, fill, nothing, sheet, small, text};
use super::text::{in_table, px, shown, width};
use crate::plot::{Plot, Table};
use judge_core::compare::statistics::{Interval, chance_of_significance};
use judge_core::compare::{Differences, EntryRef, Pair, SIGNIFICANT, SourceInfo, Test, probability};

const ID: &str = "plot-head-to-head";
const TITLE: &str = "Head to head";
/// The target width of the drawing, and the largest total width of the columns for which cells have whole tallies.
const MAP: f64 = 1080.0;
/// The greatest width of a column that needs less.
const WIDEST: f64 = 48.0;
/// The width of a cell in addition to its text, for example for the dot.
const MARGIN: f64 = 11.0;

pub(super) fn draw(data: &PlotData) -> Plot {
    let pairs: Vec<&Pair> =
        data.comparison.iter().flat_map(|comparison| comparison.pairs.iter().chain(&comparison.changes)).collect();
    let several = data.comparison.as_ref().is_ok_and(|comparison| comparison.sources.len() > 1);
    let groups = Group::all(data);
    let tested: Vec<&&Pair> = pairs.iter().filter(|pair| pair.sign_test.p.is_some()).collect();
    let significant = pairs.iter().filter(|pair| pair.sign_test.significant()).count();
    let below = tested.iter().filter(|pair| pair.sign_test.p.is_some_and(|p| p < SIGNIFICANT)).count();
    let expected: f64 = tested.iter().map(|pair| chance_of_significance(pair.first_better + pair.second_better)).sum();
    let rule = match (data.scoring.cost.is_some(), data.scoring.accepts()) {
        (true, _) => format!(
            "Solved beats unsolved; between two solutions fewer {} win, otherwise more {}.",
            data.moves, data.progress
        ),
        (_, false) => "The better score wins.".to_owned(),
        (_, true) => "An accepted answer beats one that is not.".to_owned(),
    };
    let lead = format!(
        "A cell is {}. A dot: more than chance.",
        match tally_width(data, &groups) {
            Some(_) => "the boards on which the row's entry was better and worse than the column's",
            None => "the percentage of boards on which the row's entry was better than the column's, ties as halves",
        },
    );
    let rest = format!(
        "{rule} A dot is a sign test \
         (two-sided, ties left out) with p below {SIGNIFICANT} after Holm's correction for all pairs of the same results: \
         {significant} of {} pairs. Before the correction there are {below}; if no two entries differed, {expected:.1} would \
         be expected. The table has the size of each effect: the superiority is the share of boards on which the first is \
         better, ties as halves.{}",
        tested.len(),
        match (several, groups.len()) {
            (false, _) => "",
            (true, 1) => " Entries without common results are compared across results.",
            (true, _) => " Each set of results has its own square; pairs across results are in the table.",
        },
    );
    let caption = data.caption(lead, rest);
    let svg = match &data.comparison {
        Err(problem) => nothing(ID, TITLE, problem),
        Ok(_) if pairs.is_empty() => nothing(ID, TITLE, "there are no two entries"),
        Ok(_) => drawing(data, &groups, &pairs, &caption.whole()),
    };
    let table = table((several, data.scoring.cost.is_some()), &pairs);
    Plot { id: ID.into(), title: TITLE.into(), caption, svg, table }
}

/// Entries that are compared with each other: the entries of one source, or all.
struct Group<'a> {
    /// The source's name, if there are several groups.
    title: Option<String>,
    entries: Vec<&'a PlotEntry>,
}

impl<'a> Group<'a> {
    /// Groups the entries by source, unless they meet only across sources. Other pairs across sources are in the table;
    /// the changes of an entry between sources are also in another figure.
    fn all(data: &'a PlotData) -> Vec<Self> {
        let pairs = || data.comparison.iter().flat_map(|comparison| &comparison.pairs);
        let sources = data.comparison.as_ref().map(|comparison| comparison.sources.as_slice()).unwrap_or_default();
        if sources.len() < 2 || !pairs().any(|pair| pair.first.source == pair.second.source) {
            return vec![Self { title: None, entries: data.entries.iter().collect() }];
        }
        let of_source = |source: &SourceInfo| Self {
            title: Some(shown(&source.name)),
            entries: data.entries.iter().filter(|entry| entry.source == source.name).collect(),
        };
        sources.iter().map(of_source).filter(|group| group.entries.len() > 1).collect()
    }

    fn names(&self) -> Vec<String> {
        let name = |entry: &&PlotEntry| if self.title.is_some() { shown(&entry.entry) } else { entry.label.clone() };
        self.entries.iter().map(name).collect()
    }

    /// Returns the cells of the pairs of these entries, from both sides.
    fn cells<'p>(&self, pairs: &[&'p Pair]) -> Vec<PairCell<'p>> {
        let places: BTreeMap<(&str, &str), usize> = self
            .entries
            .iter()
            .enumerate()
            .map(|(place, entry)| ((entry.source.as_str(), entry.entry.as_str()), place))
            .collect();
        let place = |entry: &EntryRef| places.get(&(entry.source.as_str(), entry.entry.as_str())).copied();
        let cells = pairs.iter().copied().filter_map(|pair| {
            let (first, second) = (place(&pair.first)?, place(&pair.second)?);
            let (wins, losses) = (pair.first_better, pair.second_better);
            Some([
                PairCell::new(pair, (first, second), (wins, losses)),
                PairCell::new(pair, (second, first), (losses, wins)),
            ])
        });
        cells.flatten().collect()
    }
}

/// Returns the width of cells with whole tallies; `None` if there are so many entries that cells have percentages.
fn tally_width(data: &PlotData, groups: &[Group<'_>]) -> Option<f64> {
    let boards = data.boards.len();
    let width = width(&format!("{boards}–{}", boards / 2), SMALL) + MARGIN;
    (width * most_entries(groups) as f64 <= MAP).then_some(width)
}

/// Returns the width of the longest name in this size.
fn longest(groups: &[Group<'_>], size: f64) -> f64 {
    groups.iter().flat_map(Group::names).map(|name| width(&name, size)).fold(0.0, f64::max)
}

fn most_entries(groups: &[Group<'_>]) -> usize {
    groups.iter().map(|group| group.entries.len()).max().unwrap_or_default()
}

/// The sizes that all groups share.
struct Layout {
    /// The place and the width of the columns, and the height of the rows.
    left: f64,
    step: f64,
    row: f64,
    /// True if cells have whole tallies.
    tallies: bool,
    /// True if cells have text of ordinary size.
    large: bool,
    /// True if names are wider than their columns, and the room above the columns.
    slanted: bool,
    room: f64,
}

impl Layout {
    /// The sizes for these groups, with cells of the given width for whole tallies, or otherwise with percentages.
    fn new(groups: &[Group<'_>], tallies: Option<f64>) -> Self {
        let longest = |size| longest(groups, size);
        let left = longest(TEXT) + 16.0;
        let narrowest = tallies.unwrap_or_else(|| width("100", SMALL) + MARGIN);
        // As wide as the page, but a table of few entries is not stretched.
        let step = ((MAP - left) / most_entries(groups) as f64).min(WIDEST).max(narrowest);
        let large = step >= narrowest * TEXT / SMALL;
        let slanted = longest(SMALL) > step - 4.0;
        let room = if slanted { longest(SMALL) * 0.82 + 10.0 } else { LINE };
        Self { left, step, row: if large { 24.0 } else { 20.0 }, tallies: tallies.is_some(), large, slanted, room }
    }
}

fn drawing(data: &PlotData, groups: &[Group<'_>], pairs: &[&Pair], description: &str) -> Markup {
    let layout = Layout::new(groups, tally_width(data, groups));
    let total =
        (layout.left + layout.step * most_entries(groups) as f64 + longest(groups, SMALL) * 0.58 + 8.0).max(560.0);
    let (key, above) = legend(&signs(), (layout.left, 4.0), total - layout.left);
    let mut top = above + 10.0;
    let mut drawn = Vec::new();
    for group in groups {
        let (panel, bottom) = panel(group, &group.cells(pairs), &layout, top);
        drawn.push(panel);
        top = bottom + 24.0;
    }
    let body = html! { (key) @for panel in &drawn { (panel) } };
    sheet(ID, TITLE, description, (total, top - 12.0), &body)
}

/// Draws a group below `top`, and returns its bottom.
fn panel(group: &Group<'_>, cells: &[PairCell<'_>], layout: &Layout, top: f64) -> (Markup, f64) {
    let &Layout { left, step, row, tallies, large, slanted, room } = layout;
    let names = group.names();
    let begin = top + room + if group.title.is_some() { LINE } else { 0.0 };
    let (columns, rows) = (Bands::new(left, step), Bands::new(begin, row));
    let mut patches: Vec<(Colour, String)> = Vec::new();
    for cell in cells {
        let Some(ink) = cell.ink() else { continue };
        let (x, y) = (px(columns.begin(cell.column)), px(rows.begin(cell.row)));
        let (wide, high) = (px(step - 1.5), px(row - 1.5));
        let patch = format!("M{x} {y}h{wide}v{high}h-{wide}z");
        match patches.iter_mut().find(|(other, _)| *other == ink) {
            Some((_, path)) => path.push_str(&patch),
            None => patches.push((ink, patch)),
        }
    }
    let marked = cells
        .iter()
        .filter(|cell| cell.pair.sign_test.significant())
        .map(|cell| (columns.begin(cell.column) + step - 4.5, rows.begin(cell.row) + 4.5));
    let body = html! {
        @if let Some(title) = &group.title { (text((4.0, top + LINE / 2.0), Anchor::Start, title)) }
        @for (index, name) in names.iter().enumerate() {
            (of(group.entries[index], &head(name, (columns.middle(index), begin - 4.0), slanted)))
            (of(group.entries[index], &text((left - 8.0, rows.middle(index)), Anchor::End, name)))
        }
        @for (ink, path) in &patches { (ink.draw(&fill(path))) }
        @for cell in cells {
            @let middle = (columns.middle(cell.column) - 1.0, rows.middle(cell.row));
            @let content = cell.text(tallies);
            @if large { (text(middle, Anchor::Middle, &content)) } @else { (small(middle, Anchor::Middle, &content)) }
        }
        (dots(marked, 1.8))
    };
    (body, rows.begin(names.len()))
}

/// A pair from the view of its row.
struct PairCell<'a> {
    pair: &'a Pair,
    row: usize,
    column: usize,
    wins: usize,
    losses: usize,
}

impl<'a> PairCell<'a> {
    fn new(pair: &'a Pair, (row, column): (usize, usize), (wins, losses): (usize, usize)) -> Self {
        Self { pair, row, column, wins, losses }
    }

    /// Returns the colour for the share of boards that the row won more than it lost; `None` for equal numbers.
    fn ink(&self) -> Option<Colour> {
        let compared = self.pair.compared();
        let step = |more: usize| (more * SIDES).div_ceil(compared).saturating_sub(1);
        match self.wins.cmp(&self.losses) {
            std::cmp::Ordering::Greater => Some(Colour::Win(step(self.wins - self.losses))),
            std::cmp::Ordering::Less => Some(Colour::Loss(step(self.losses - self.wins))),
            std::cmp::Ordering::Equal => None,
        }
    }

    fn text(&self, tally: bool) -> String {
        match (self.pair.compared(), self.wins, self.losses) {
            // No board to compare.
            (0, ..) => String::new(),
            (_, wins, losses) if tally => format!("{wins}–{losses}"),
            (compared, wins, _) => format!("{:.0}", share(wins, self.pair.ties, compared) * 100.0),
        }
    }
}

/// Returns the size of the effect for the sign test: the share of boards on which the first is better, with ties as halves
/// (Grissom and Kim, "Effect sizes for research", 2012, call it the probability of superiority of dependent groups). 0.5 is
/// no effect. `None` without a board to compare.
fn superiority(pair: &Pair) -> Option<f64> {
    (pair.compared() > 0).then(|| share(pair.first_better, pair.ties, pair.compared()))
}

fn share(wins: usize, ties: usize, compared: usize) -> f64 {
    (wins as f64 + ties as f64 / 2.0) / compared as f64
}

fn signs() -> Vec<(Sign, String)> {
    vec![
        (Sign::Patch(Colour::Win(SIDES - 1)), "row better".into()),
        (Sign::Patch(Colour::Loss(SIDES - 1)), "column better".into()),
        (Sign::Text("•"), format!("corrected p below {SIGNIFICANT}")),
    ]
}

/// The index of the column with moves.
const MOVES: usize = 8;

fn table((with_sources, with_moves): (bool, bool), pairs: &[&Pair]) -> Table {
    let head = [
        "first",
        "second",
        "first better",
        "ties",
        "second better",
        "left out",
        "superiority",
        "sign test p (corrected)",
        "mean difference in moves",
        "mean difference in relative score",
        "median and 95 % interval",
        "sign-flip test of the ranking, p (corrected)",
    ];
    let rows = pairs.iter().map(|pair| {
        let name =
            |run: &str, entry: &str| in_table(&if with_sources { format!("{run}:{entry}") } else { entry.to_owned() });
        let p = |test: &Test| match test.p.zip(test.corrected) {
            Some((p, corrected)) => format!("{} ({})", probability(p), probability(corrected)),
            None => String::new(),
        };
        let Differences { mean, median, median_interval: interval, .. } = pair.score;
        let thousandths = |figure: f64| format!("{:+.3}", (figure * 1000.0).round() / 1000.0 + 0.0);
        let spread = |(median, Interval { low, high }): (f64, Interval)| {
            format!("{}, {} to {}", thousandths(median), thousandths(low), thousandths(high))
        };
        vec![
            name(&pair.first.source, &pair.first.entry),
            name(&pair.second.source, &pair.second.entry),
            pair.first_better.to_string(),
            pair.ties.to_string(),
            pair.second_better.to_string(),
            (pair.missing + pair.unknown).to_string(),
            superiority(pair).map_or_else(String::new, |share| format!("{share:.2}")),
            p(&pair.sign_test),
            pair.moves
                .mean
                .map_or_else(String::new, |mean| format!("{mean:+.1} on {} of {}", pair.moves.boards, pair.compared())),
            mean.map_or_else(String::new, thousandths),
            median.zip(interval).map_or_else(String::new, spread),
            p(&pair.flips),
        ]
    });
    let (mut head, mut rows): (Vec<String>, Vec<Vec<String>>) = (head.map(str::to_owned).into(), rows.collect());
    if !with_moves {
        rows.iter_mut().chain([&mut head]).for_each(|row| drop(row.remove(MOVES)));
    }
    Table { head, rows }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{plot_data, source};
    use super::*;
    use judge_core::compare::Source;

    #[test]
    fn cells_are_the_pairs_of_a_comparison_from_both_sides() {
        let rows: &[(&str, &[&str])] =
            &[("a", &["9"; 6]), ("b", &["10", "10", "10", "10", "10", "9"]), ("c", &["-"; 6])];
        let figure = draw(&plot_data(rows));
        let svg = figure.svg.0;
        assert!(svg.contains(">5–0<") && svg.contains(">0–5<"), "{svg}");
        let rows: Vec<String> = figure.table.rows.iter().map(|row| row.join(" | ")).collect();
        assert_eq!(
            rows,
            [
                "a | b | 5 | 1 | 0 | 0 | 0.92 | 0.062 (0.062) | +0.8 on 6 of 6 | -0.083 | -0.100, -0.100 to +0.000 | 0.062 (0.062)",
                "a | c | 0 | 0 | 0 | 6 |  |  |  |  |  | ",
                "b | c | 0 | 0 | 0 | 6 |  |  |  |  |  | "
            ]
        );
        // Five of five are not significant, and no outcome of five would be; six of six are.
        assert!(figure.caption.whole().contains("0 of 1 pairs"), "{}", figure.caption.whole());
        assert!(figure.caption.whole().contains("0.0 would be expected"), "{}", figure.caption.whole());
        let rows: &[(&str, &[&str])] = &[("a", &["9"; 6]), ("b", &["10"; 6])];
        assert!(draw(&plot_data(rows)).caption.whole().contains("1 of 1 pairs"));
    }

    #[test]
    fn two_results_with_the_same_entries_have_a_square_each() {
        let rows: &[(&str, &[&str])] = &[("a", &["9"; 3]), ("b", &["10"; 3]), ("c", &["11"; 3])];
        let (one, other) = (source(rows), Source { name: "other".into(), ..source(rows) });
        let data = PlotData::from_sources(&[one, other], Vec::new());
        let groups = Group::all(&data);
        assert_eq!(groups.iter().map(|group| group.title.as_deref()).collect::<Vec<_>>(), [Some("run"), Some("other")]);
        assert_eq!(groups[1].names(), ["a", "b", "c"]);
        let figure = draw(&data);
        assert_eq!(figure.svg.0.matches(">3–0<").count(), 6);
        assert_eq!(figure.table.rows.len(), 9, "three pairs each, and three changes");
        // Entries that only meet across results are in one square.
        let single = |name: &str, entry: &str| Source { name: name.into(), ..source(&[(entry, &["9"; 3])]) };
        let data = PlotData::from_sources(&[single("x", "a"), single("y", "b")], Vec::new());
        assert_eq!(Group::all(&data).len(), 1);
    }

    #[test]
    #[ignore = "deep: large"]
    fn at_twenty_entries_every_cell_has_room_for_its_text_and_a_dot() {
        for boards in [5, 200] {
            let names: Vec<String> = (0..20).map(|entry| format!("entry-number-{entry}")).collect();
            let answers: Vec<Vec<String>> = (0..20).map(|entry| vec![(10 + entry).to_string(); boards]).collect();
            let answers: Vec<Vec<&str>> =
                answers.iter().map(|answers| answers.iter().map(String::as_str).collect()).collect();
            let rows: Vec<(&str, &[&str])> =
                names.iter().map(String::as_str).zip(answers.iter().map(Vec::as_slice)).collect();
            let data = plot_data(&rows);
            let (groups, tallies) = (Group::all(&data), tally_width(&data, &Group::all(&data)));
            let layout = Layout::new(&groups, tallies);
            let size = if layout.large { TEXT } else { SMALL };
            let pairs: Vec<&Pair> = data.comparison.iter().flat_map(|comparison| &comparison.pairs).collect();
            let cells = groups[0].cells(&pairs);
            assert_eq!(cells.len(), 20 * 19);
            let widest = cells.iter().map(|cell| width(&cell.text(layout.tallies), size)).fold(0.0, f64::max);
            assert!(widest > 0.0 && widest + 6.0 <= layout.step, "{boards} boards: {widest} in {}", layout.step);
            assert!(layout.left + layout.step * 20.0 <= MAP * 1.2, "{boards} boards: not much wider than the page");
            assert!(layout.row >= size + 6.0);
        }
    }

    #[test]
    fn a_dot_needs_a_corrected_p() {
        // Six boards: each of a, b, c, d beats the next on all of them, and p is 0.031, which six pairs make 0.19.
        let rows: &[(&str, &[&str])] = &[("a", &["9"; 6]), ("b", &["10"; 6]), ("c", &["11"; 6]), ("d", &["12"; 6])];
        let description = draw(&plot_data(rows)).caption.whole();
        assert!(description.contains("0 of 6 pairs. Before the correction there are 6;"), "{description}");
    }

    #[test]
    fn colours_depend_on_the_share_of_boards_won_more() {
        let rows: &[(&str, &[&str])] = &[("a", &["9", "9", "9", "9"]), ("b", &["8", "10", "10", "9"])];
        let comparison = plot_data(rows).comparison.unwrap();
        let pair = &comparison.pairs[0];
        assert_eq!((pair.score.median_interval, pair.compared()), (None, 4));
        let cell = |wins, losses| PairCell::new(pair, (0, 1), (wins, losses));
        let inks = [(2, 1), (2, 2), (3, 1), (4, 0), (0, 1), (0, 4)].map(|(wins, losses)| cell(wins, losses).ink());
        let expected =
            [Colour::Win(0), Colour::Win(0), Colour::Win(1), Colour::Win(2), Colour::Loss(0), Colour::Loss(2)];
        assert_eq!(inks[0], Some(expected[0]));
        assert_eq!(inks[1], None);
        assert_eq!(inks[2..], expected[2..].iter().copied().map(Some).collect::<Vec<_>>());
        assert_eq!([true, false].map(|tally| cell(2, 1).text(tally)), ["2–1", "62"]);
    }
}
