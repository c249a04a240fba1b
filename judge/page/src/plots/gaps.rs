//! Differences to the best known answers: a heat map with a row an entry and a column a board.

use maud::{Markup, html};

use super::field::{Board, Came, Field};
use super::ink::{Ink, SHADES};
use super::legend::{Sign, legend};
use super::scale::Bands;
use super::sheet::{Anchor, LINE, SMALL, TEXT, fill, nothing, sheet, small, stroke, text};
use super::text::{in_table, px, shown, width};
use crate::figure::{Figure, Table};

const ID: &str = "plot-gaps";
const TITLE: &str = "Differences to the best known";
/// Boards up to which a cell has room for its figure.
const MOST_WRITTEN: usize = 24;
/// Width of all columns together that those without figures aim at, and the bounds of a single one.
const MAP: f64 = 1000.0;
const NARROWEST: f64 = 4.0;
const WIDEST: f64 = 18.0;

/// What a cell of the map shows.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Gap {
    /// Moves more than the reference has.
    More(u64),
    /// Moves fewer than the best known answer has.
    Fewer(u64),
    /// No solution: the sign of what the run came to.
    Short(String),
    Absent,
}

impl Gap {
    fn of(board: &Board, came: &Came) -> Self {
        match (came, reference(board)) {
            (Came::Solved { moves, .. }, Some(reference)) if *moves < reference => Self::Fewer(reference - moves),
            (Came::Solved { moves, .. }, Some(reference)) => Self::More(moves - reference),
            (Came::Short { sign, .. }, _) => Self::Short(sign.clone()),
            (Came::Absent | Came::Solved { .. }, _) => Self::Absent,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::More(0) => "0".into(),
            Self::More(more) => format!("+{more}"),
            Self::Fewer(fewer) => format!("−{fewer}"),
            Self::Short(sign) => sign.clone(),
            Self::Absent => String::new(),
        }
    }
}

/// What a board's solutions are measured against: the best known answer, and where none is known the best here.
fn reference(board: &Board) -> Option<u64> {
    board.known.or(board.best)
}

pub(super) fn draw(field: &Field) -> Figure {
    let known = field.boards.iter().filter(|board| board.known.is_some()).count();
    let against = match known {
        0 => "the best entry here (no best known answers are given)".to_owned(),
        known if known == field.boards.len() => "the best answer known before".into(),
        _ => "the best answer known before, and where none is known the best entry here (in brackets)".into(),
    };
    let description = field.describe(format!(
        "A row is an entry, a column a board; a cell tells how many {} more the entry needed than {against}. The \
         stronger its colour, the more. Runs that did not solve their board show what they came to, in small maps by \
         the sign in the standings, in large ones by a cross; missing runs stay empty.",
        field.words.moves
    ));
    let gaps: Vec<Vec<Gap>> = field
        .entrants
        .iter()
        .map(|entrant| field.boards.iter().zip(&entrant.came).map(|(board, came)| Gap::of(board, came)).collect())
        .collect();
    let svg = if gaps.iter().flatten().all(|gap| *gap == Gap::Absent) {
        nothing(ID, TITLE, "there are no runs")
    } else {
        drawing(field, &gaps, &description)
    };
    Figure { id: ID.into(), title: TITLE.into(), description, svg, table: table(field, &gaps) }
}

fn drawing(field: &Field, gaps: &[Vec<Gap>], description: &str) -> Markup {
    let bounds = bounds(gaps);
    let written = field.boards.len() <= MOST_WRITTEN;
    let names: Vec<String> = field.entrants.iter().map(|entrant| entrant.label.clone()).collect();
    let boards: Vec<String> = field.boards.iter().map(|board| shown(&board.name)).collect();
    let left = names.iter().map(|name| width(name, TEXT)).fold(width(reference_name(field), TEXT), f64::max) + 16.0;
    let step = if written { 52.0 } else { (MAP / field.boards.len() as f64).clamp(NARROWEST, WIDEST) };
    let row = if written { 26.0 } else { 16.0 };
    let longest = boards.iter().map(|name| width(name, SMALL)).fold(0.0, f64::max);
    let slanted = longest > step - 4.0;
    let room = if slanted { longest * SLANT.1 + 8.0 } else { LINE };
    let map = step * field.boards.len() as f64;
    let total = (left + map + if slanted { longest * SLANT.0 } else { 0.0 } + 16.0).max(680.0);
    let (key, above) = legend(&signs(field, &bounds, gaps, written), (left, 4.0), total - left);
    let top = above + 8.0 + room + if written { LINE } else { 4.0 };
    let (columns, rows) = (Bands::new(left, step), Bands::new(top, row));
    // Names that stand too close for a line of text each are those of every second, third … board.
    let mut free = f64::NEG_INFINITY;
    let heads = boards.iter().enumerate().filter(|(column, _)| {
        let at = columns.middle(*column);
        let shows = at >= free;
        if shows {
            free = at + if slanted { 13.0 } else { step };
        }
        shows
    });
    let heads: Vec<(usize, &String)> = heads.collect();
    let body = html! {
        (key)
        @for (column, name) in heads { (head(name, (columns.middle(column), above + 4.0 + room), slanted)) }
        @if written {
            (Ink::Faint.write(&html! {
                (text((left - 8.0, top - 10.0), Anchor::End, reference_name(field)))
                @for (column, board) in field.boards.iter().enumerate() {
                    (small((columns.middle(column), top - 10.0), Anchor::Middle, &reference_text(board)))
                }
            }))
        }
        @for (index, name) in names.iter().enumerate() { (text((left - 8.0, rows.middle(index)), Anchor::End, name)) }
        (patches(gaps, &bounds, (&columns, &rows), written))
        @if written { (figures(gaps, &columns, &rows)) } @else { (crosses(gaps, &columns, &rows)) }
    };
    sheet(ID, TITLE, description, (total, rows.begin(gaps.len()) + 12.0), &body)
}

/// Cosine and sine of the slant of a head that is wider than its column, 55 degrees.
const SLANT: (f64, f64) = (0.574, 0.819);

/// The name of a column, slanted where it is wider than that.
pub(super) fn head(name: &str, (x, y): (f64, f64), slanted: bool) -> Markup {
    if !slanted {
        return small((x, y - 6.0), Anchor::Middle, name);
    }
    html! {
        text transform={ "translate(" (px(x + 3.0)) " " (px(y - 3.0)) ") rotate(-55)" } font-size=(SMALL) { (name) }
    }
}

/// What the row of references is called.
fn reference_name(field: &Field) -> &'static str {
    if field.boards.iter().any(|board| board.known.is_some()) { "best known" } else { "best here" }
}

fn reference_text(board: &Board) -> String {
    match (board.known, board.best) {
        (Some(known), _) => known.to_string(),
        (None, Some(best)) => format!("({best})"),
        (None, None) => "–".into(),
    }
}

/// Coloured cells, those of one colour as one path, and neighbours in a row as one piece of it where they touch.
fn patches(gaps: &[Vec<Gap>], bounds: &[u64], (columns, rows): (&Bands, &Bands), apart: bool) -> Markup {
    let inks = (0..SHADES).map(Ink::Shade).chain([FEWER]);
    let margin: f64 = if apart { 1.5 } else { 0.0 };
    let high = px(rows.step - margin.max(1.0));
    let path = |ink: Ink| {
        let mut path = String::new();
        for (index, row) in gaps.iter().enumerate() {
            let y = px(rows.begin(index));
            let mut column = 0;
            for run in row.chunk_by(|a, b| !apart && self::ink(a, bounds) == self::ink(b, bounds)) {
                if self::ink(&run[0], bounds) == Some(ink) {
                    let wide = px(columns.step * run.len() as f64 - margin);
                    path += &format!("M{} {y}h{wide}v{high}h-{wide}z", px(columns.begin(column)));
                }
                column += run.len();
            }
        }
        path
    };
    let drawn: Vec<(Ink, String)> = inks.map(|ink| (ink, path(ink))).filter(|(_, path)| !path.is_empty()).collect();
    html! { @for (ink, path) in &drawn { (ink.draw(&fill(path))) } }
}

/// What an answer that is better than the best known is drawn in.
const FEWER: Ink = Ink::Loss(2);

fn ink(gap: &Gap, bounds: &[u64]) -> Option<Ink> {
    match gap {
        Gap::More(more) => Some(Ink::Shade(bounds.partition_point(|bound| bound < more))),
        Gap::Fewer(_) => Some(FEWER),
        Gap::Short(_) | Gap::Absent => None,
    }
}

fn figures(gaps: &[Vec<Gap>], columns: &Bands, rows: &Bands) -> Markup {
    html! {
        @for (index, row) in gaps.iter().enumerate() {
            @for (column, gap) in row.iter().enumerate() {
                @let middle = (columns.middle(column), rows.middle(index));
                @if *gap != Gap::Absent { (small(middle, Anchor::Middle, &gap.text())) }
            }
        }
    }
}

fn crosses(gaps: &[Vec<Gap>], columns: &Bands, rows: &Bands) -> Markup {
    let arm = (columns.step / 2.0 - 0.8).min(3.0);
    let mut path = String::new();
    for (index, row) in gaps.iter().enumerate() {
        for (column, _) in row.iter().enumerate().filter(|(_, gap)| matches!(gap, Gap::Short(_))) {
            let (x, y) = (columns.middle(column), rows.middle(index));
            let (across, back) = (px(arm * 2.0), px(x - arm));
            path += &format!("M{back} {}l{across} {across}m-{across} 0l{across}-{across}", px(y - arm));
        }
    }
    Ink::Faint.draw(&stroke(&path, 1.0, None))
}

/// Upper bounds of the shades, the first of which is for no difference at all: 0, then 1, 2 and 5 times powers of ten
/// up to the first that covers the largest difference, the largest of them where there are too many.
fn bounds(gaps: &[Vec<Gap>]) -> Vec<u64> {
    let more = |gap: &Gap| if let Gap::More(more) = gap { Some(*more) } else { None };
    let largest = gaps.iter().flatten().filter_map(more).max().unwrap_or_default();
    let powers = (0..19).map(|power| 10u64.pow(power));
    let nice: Vec<u64> = powers.flat_map(|power| [1, 2, 5].map(|share: u64| power.saturating_mul(share))).collect();
    let needed = if largest == 0 { 0 } else { nice.partition_point(|bound| *bound < largest) + 1 };
    let nice = &nice[..needed.min(nice.len())];
    let few = &nice[nice.len().saturating_sub(SHADES - 1)..];
    [0].into_iter().chain(few.iter().copied()).collect()
}

fn signs(field: &Field, bounds: &[u64], gaps: &[Vec<Gap>], written: bool) -> Vec<(Sign, String)> {
    let head = [(Sign::Header, format!("more {}:", field.words.moves))];
    let ranges = bounds.iter().enumerate().map(|(shade, bound)| {
        let low = if shade == 0 { 0 } else { bounds[shade - 1] + 1 };
        let range = if low == *bound { format!("{bound}") } else { format!("{low}–{bound}") };
        (Sign::Patch(Ink::Shade(shade)), range)
    });
    let there = |kind: fn(&Gap) -> bool| gaps.iter().flatten().any(kind);
    let fewer =
        there(|gap| matches!(gap, Gap::Fewer(_))).then(|| (Sign::Patch(FEWER), "fewer than the best known".to_owned()));
    let short =
        (!written && there(|gap| matches!(gap, Gap::Short(_)))).then(|| (Sign::Text("×"), "not solved".to_owned()));
    head.into_iter().chain(ranges).chain(fewer).chain(short).collect()
}

fn table(field: &Field, gaps: &[Vec<Gap>]) -> Table {
    let head = ["entry".to_owned()].into_iter().chain(field.boards.iter().map(|board| in_table(&board.name)));
    let best = [reference_name(field).to_owned()].into_iter().chain(field.boards.iter().map(reference_text)).collect();
    let rows = field
        .entrants
        .iter()
        .zip(gaps)
        .map(|(entrant, row)| [entrant.name.clone()].into_iter().chain(row.iter().map(Gap::text)).collect());
    Table { head: head.collect(), rows: [best].into_iter().chain(rows).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_cover_every_difference_with_nice_bounds() {
        let bounds_to = |largest: u64| bounds(&[vec![Gap::More(largest), Gap::More(0), Gap::Absent]]);
        assert_eq!(bounds_to(0), [0]);
        assert_eq!(bounds_to(1), [0, 1]);
        assert_eq!(bounds_to(3), [0, 1, 2, 5]);
        assert_eq!(bounds_to(50), [0, 1, 2, 5, 10, 20, 50]);
        assert_eq!(bounds_to(120), [0, 5, 10, 20, 50, 100, 200]);
        let bounds = bounds_to(u64::MAX);
        assert!(bounds.len() == SHADES, "{bounds:?}");
    }

    #[test]
    fn a_difference_is_never_made_up() {
        let board = |known, best| Board { name: "A".into(), known, best };
        let solved = |moves| Came::Solved { moves, time_us: None };
        let short = Came::Short { sign: "TIM".into(), time_us: None };
        assert_eq!(Gap::of(&board(Some(80), Some(90)), &solved(90)), Gap::More(10));
        assert_eq!(Gap::of(&board(Some(80), Some(78)), &solved(78)).text(), "−2");
        assert_eq!(Gap::of(&board(None, Some(90)), &solved(90)).text(), "0");
        assert_eq!(Gap::of(&board(Some(80), None), &short).text(), "TIM");
        assert_eq!(Gap::of(&board(Some(80), None), &Came::Absent).text(), "");
    }
}
