//! Legends: marks with their names, flowing over as many lines as they need.

use maud::{Markup, html};

use super::ink::{Ink, dashes, mark};
use super::sheet::{Anchor, LINE, SMALL, fill, small, stroke};
use super::text::{px, width};

/// The room for a mark before its name.
const SIGN: f64 = 22.0;
/// The room between two items.
const BETWEEN: f64 = 16.0;

/// What stands before a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// The mark of a series.
    Mark(usize),
    /// A line of a series that has one of its own, or of those that have none.
    Line(Option<usize>),
    /// A patch of colour.
    Patch(Ink),
    /// A sign of letters.
    Text(&'static str),
    /// Nothing: the name is what the signs after it mean.
    Header,
}

/// Draws a legend from a place on, so many pixels wide, and tells how high it is.
pub(super) fn legend(items: &[(Sign, String)], (left, top): (f64, f64), room: f64) -> (Markup, f64) {
    let (mut x, mut y) = (left, top + LINE / 2.0);
    let mut drawn = Vec::new();
    for (sign, name) in items {
        let sign_room = if *sign == Sign::Header { 0.0 } else { SIGN };
        let needed = sign_room + width(name, SMALL);
        if x > left && x + needed > left + room {
            (x, y) = (left, y + LINE);
        }
        drawn.push(html! { (sign.draw(x, y)) (small((x + sign_room, y), Anchor::Start, name)) });
        x += needed + BETWEEN;
    }
    let height = if items.is_empty() { 0.0 } else { y + LINE / 2.0 - top };
    (html! { @for item in &drawn { (item) } }, height)
}

impl Sign {
    fn draw(self, x: f64, y: f64) -> Markup {
        let line = || format!("M{} {}h18", px(x), px(y));
        match self {
            Self::Mark(series) => Ink::Series(series).marks(&fill(&mark(series, x + 9.0, y, 4.5))),
            Self::Line(Some(series)) => {
                let sign = mark(series, x + 9.0, y, 4.0);
                Ink::Series(series).draw(&html! { (stroke(&line(), 2.0, dashes(Some(series)))) (fill(&sign)) })
            }
            Self::Line(None) => Ink::Rest.draw(&stroke(&line(), 1.0, None)),
            Self::Patch(ink) => ink.draw(&fill(&format!("M{} {}h16v12h-16z", px(x), px(y - 6.0)))),
            Self::Header => Markup::default(),
            Self::Text(sign) => small((x + 9.0, y), Anchor::Middle, sign),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_is_as_high_as_its_lines() {
        let items: Vec<(Sign, String)> = (0..10).map(|series| (Sign::Mark(series), "a name".to_owned())).collect();
        assert_eq!(legend(&items, (0.0, 0.0), 10_000.0).1, LINE);
        assert_eq!(legend(&items, (0.0, 0.0), 1.0).1, 10.0 * LINE, "one a line where there is no room");
        assert_eq!(legend(&[], (0.0, 0.0), 100.0).1, 0.0);
    }
}
