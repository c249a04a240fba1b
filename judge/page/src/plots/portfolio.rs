//! The contribution of each entry: the virtual best solver, which has the best answer of all entries to each board, and its
//! loss without an entry.

use maud::{Markup, html};

use super::axis::{BELOW, horizontal, numbers};
use super::colour::{Colour, mark};
use super::marks::of;
use super::plot_data::{PlotData, PlotEntry};
use super::scale::{Bands, Scale};
use super::sheet::{Anchor, LINE, SMALL, TEXT, WIDTH, fill, nothing, sheet, small, stroke, text};
use super::text::{px, width};
use crate::plot::{Plot, Table};
use judge_job::count_text;

const ID: &str = "plot-portfolio";
const TITLE: &str = "Virtual best solver, and what each entry adds";
const ROW: f64 = 20.0;
/// The most entries in the drawing; the table has all.
const MAX_ROWS: usize = 20;

/// The best answers of all entries.
#[derive(Debug, PartialEq)]
struct VirtualBest {
    /// Boards on which some entry has a run.
    boards: usize,
    /// Boards that some entry solved.
    solved: usize,
    /// The sum of the best relative scores.
    score: f64,
    /// The contribution of each entry, in the order of the entries.
    parts: Vec<Part>,
}

/// The marginal contribution of an entry.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Part {
    /// The relative score that would be lost without it, in boards.
    adds: f64,
    /// Boards on which it alone has the best score.
    best_alone: usize,
    /// Boards that it alone solved.
    solved_alone: usize,
    /// The sum of its own relative scores.
    score: f64,
}

impl VirtualBest {
    fn new(data: &PlotData) -> Self {
        let mut parts = vec![Part::default(); data.entries.len()];
        let (mut boards, mut solved, mut sum) = (0, 0, 0.0);
        for board in 0..data.boards.len() {
            let scores = || data.entries.iter().enumerate().filter_map(|(at, entry)| Some((at, entry.scores[board]?)));
            scores().for_each(|(at, score)| parts[at].score += score);
            let Some((best, score)) = scores().reduce(|a, b| if b.1 > a.1 { b } else { a }) else { continue };
            let second = scores().filter(|(at, _)| *at != best).map(|(_, score)| score).fold(0.0, f64::max);
            (boards, sum) = (boards + 1, sum + score);
            parts[best].adds += score - second;
            parts[best].best_alone += usize::from(score > second);
            let mut solvers =
                data.entries.iter().enumerate().filter(|(_, entry)| entry.results[board].moves().is_some());
            if let Some((first, _)) = solvers.next() {
                solved += 1;
                parts[first].solved_alone += usize::from(solvers.next().is_none());
            }
        }
        Self { boards, solved, score: sum, parts }
    }

    /// Returns the entries ordered by their contributions, then by their own scores.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.parts.len()).collect();
        let key = |at: &usize| (self.parts[*at].adds, self.parts[*at].score);
        order.sort_by(|a, b| key(b).0.total_cmp(&key(a).0).then(key(b).1.total_cmp(&key(a).1)));
        order
    }
}

pub(super) fn draw(data: &PlotData) -> Plot {
    let best = VirtualBest::new(data);
    let order = best.order();
    let lead = "The virtual best solver has the best answer of all entries to each board. A bar is the relative score that it would \
                lose without an entry.";
    let hidden = match order.len().saturating_sub(MAX_ROWS) {
        0 => String::new(),
        hidden => format!(" {} only in the table.", count_text(hidden, "entry is", "entries are")),
    };
    let rest = format!(
        "The relative score of a board is {}; a bar of 1 is worth a board. An entry that is good everywhere but never alone \
         adds nothing. At the right are the boards on which it alone is the best. Entries that resemble each other take \
         each other's part.{hidden}",
        data.score_rule()
    );
    let caption = data.caption(lead.into(), rest);
    let svg = match data.entries.len() {
        0 | 1 => nothing(ID, TITLE, "there are no two entries"),
        _ if best.boards == 0 => nothing(ID, TITLE, "there are no runs"),
        _ => drawing(data, &best, &order[..order.len().min(MAX_ROWS)], &caption.whole()),
    };
    Plot { id: ID.into(), title: TITLE.into(), caption, svg, table: table(data, &best, &order) }
}

fn drawing(data: &PlotData, best: &VirtualBest, order: &[usize], description: &str) -> Markup {
    let rows: Vec<(&PlotEntry, Part)> = order.iter().map(|&at| (&data.entries[at], best.parts[at])).collect();
    let left = rows.iter().map(|(entry, _)| width(&entry.label, TEXT)).fold(0.0, f64::max) + 20.0;
    let alone = |part: &Part| match part.best_alone {
        0 => String::new(),
        boards => format!("best alone on {}", count_text(boards, "board", "boards")),
    };
    let side = rows.iter().map(|(_, part)| width(&alone(part), SMALL)).fold(0.0, f64::max) + 16.0;
    let total = WIDTH.max(left + 320.0 + side);
    let most = rows.iter().map(|(_, part)| part.adds).fold(0.0, f64::max);
    let scale = Scale::linear((0.0, if most > 0.0 { most } else { 1.0 }), (left, total - side)).nice(6);
    let bands = Bands::new(2.0 * LINE + 8.0, ROW);
    let bottom = bands.begin(rows.len());
    let body = html! {
        @for (line, sentence) in summary(data, best).iter().enumerate() {
            (small((4.0, LINE * (line as f64 + 0.5)), Anchor::Start, sentence))
        }
        (horizontal(&scale, (bands.begin(0), bottom), &numbers(&scale, 6), "relative score lost without the entry, in boards"))
        @for (row, (entry, part)) in rows.iter().enumerate() {
            @let (y, end) = (bands.middle(row), scale.at(part.adds));
            (of(entry, &html! {
                (text((left - 12.0, y), Anchor::End, &entry.label))
                @match entry.series {
                    Some(series) => {
                        (Colour::Series(series).draw(&stroke(&format!("M{} {}H{}", px(left), px(y), px(end)), 3.0, None)))
                        (Colour::Series(series).marks(&fill(&mark(series, end, y, 5.0))))
                    }
                    None => (Colour::Rest.draw(&stroke(&format!("M{} {}H{}", px(left), px(y), px(end.max(left + 1.0))), 3.0, None)))
                }
                (small((total - side + 12.0, y), Anchor::Start, &alone(part)))
            }))
        }
    };
    sheet(ID, TITLE, description, (total, bottom + BELOW), &body)
}

/// Describes the virtual best solver and the best single entry, a sentence each.
fn summary(data: &PlotData, best: &VirtualBest) -> [String; 2] {
    let solved =
        |solved: usize| if data.solves() { format!("solved {solved} of {}, ", best.boards) } else { String::new() };
    let single = best.parts.iter().enumerate().reduce(|a, b| if b.1.score > a.1.score { b } else { a });
    let single = single.map_or_else(String::new, |(at, part)| {
        let entry = &data.entries[at];
        format!("Best single entry: {}, {}relative score {:.2}.", entry.label, solved(entry.solved()), part.score)
    });
    [
        format!("Virtual best solver: {}relative score {:.2} of {}.", solved(best.solved), best.score, best.boards),
        single,
    ]
}

fn table(data: &PlotData, best: &VirtualBest, order: &[usize]) -> Table {
    // In a contest in which nothing can be solved, the fourth column would be empty.
    let line = |[name, adds, best_alone, solved_alone, score]: [String; 5]| {
        let solved_alone = data.solves().then_some(solved_alone);
        [name, adds, best_alone].into_iter().chain(solved_alone).chain([score]).collect::<Vec<_>>()
    };
    let head = line(["entry", "adds", "best alone", "solved alone", "relative score"].map(str::to_owned));
    let all = ["virtual best solver".into(), String::new(), String::new(), String::new(), format!("{:.3}", best.score)];
    let rows = order.iter().map(|&at| {
        let Part { adds, best_alone, solved_alone, score } = best.parts[at];
        let name = data.entries[at].name.clone();
        line([name, format!("{adds:.3}"), best_alone.to_string(), solved_alone.to_string(), format!("{score:.3}")])
    });
    Table { head, rows: [line(all)].into_iter().chain(rows).collect() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::plot_data;
    use super::*;

    fn strings(words: [&str; 4]) -> Vec<String> {
        words.map(str::to_owned).into()
    }

    #[test]
    fn an_entry_adds_what_would_be_lost_without_it() {
        // B0: a alone solves it. B1: b is twice as good as a and c. B2: all are equal. B3: no entry solves it.
        let data = plot_data(&[
            ("a", &["10", "20", "5", "TIM"]),
            ("b", &["TIM", "10", "5", "TIM"]),
            ("c", &["TIM", "20", "5", "TIM"]),
        ]);
        let best = VirtualBest::new(&data);
        assert_eq!((best.boards, best.solved, best.score), (4, 3, 3.0));
        let part = |name: &str| best.parts[data.entries.iter().position(|entry| entry.name == name).unwrap()];
        assert_eq!(part("a"), Part { adds: 1.0, best_alone: 1, solved_alone: 1, score: 2.5 });
        assert_eq!(part("b"), Part { adds: 0.5, best_alone: 1, solved_alone: 0, score: 2.0 });
        assert_eq!(part("c"), Part { adds: 0.0, best_alone: 0, solved_alone: 0, score: 1.5 });
        // Against a computation without each entry.
        for (at, entry) in data.entries.iter().enumerate() {
            let others = data.entries.iter().filter(|other| other.name != entry.name);
            let others: Vec<&PlotEntry> = others.collect();
            let without: f64 =
                (0..4).map(|b| others.iter().filter_map(|other| other.scores[b]).fold(0.0, f64::max)).sum();
            assert!((best.score - without - best.parts[at].adds).abs() < 1e-12, "{}", entry.name);
        }
        let figure = draw(&data);
        assert!(
            figure.svg.0.contains(">Virtual best solver: solved 3 of 4, relative score 3.00 of 4.<"),
            "{}",
            figure.svg.0
        );
        assert!(
            figure.svg.0.contains(">Best single entry: a, solved 3 of 4, relative score 2.50.<"),
            "{}",
            figure.svg.0
        );
        assert_eq!(figure.table.head, ["entry", "adds", "best alone", "solved alone", "relative score"]);
        assert_eq!(figure.table.rows[1], ["a", "1.000", "1", "1", "2.500"]);
        let mut data = data;
        data.solving = false;
        let Table { head, rows } = draw(&data).table;
        assert_eq!(head, ["entry", "adds", "best alone", "relative score"]);
        assert_eq!(
            (&rows[0], &rows[1]),
            (&strings(["virtual best solver", "", "", "3.000"]), &strings(["a", "1.000", "1", "2.500"]))
        );
    }
}
