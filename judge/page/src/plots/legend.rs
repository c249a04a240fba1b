//! Legends: marks with their names, on as many lines as they need.

use maud::{Markup, html};

use super::colour::{Colour, dashes, hatched, mark};
use super::sheet::{Anchor, LINE, SMALL, fill, small, stroke};
use super::text::{px, width};

/// The width of a mark before its name.
const SIGN: f64 = 22.0;
/// The space between two items.
const BETWEEN: f64 = 16.0;

/// The sign before a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// The mark of a series.
    Mark(usize),
    /// The line of a series, or of the series without a colour.
    Line(Option<usize>),
    /// A patch of a colour.
    Patch(Colour),
    /// A hatched patch, with the pattern of the drawing of this id.
    Hatched(&'static str),
    /// A short text, as in the drawing.
    Text(&'static str),
    /// No sign: the name is the heading of the signs after it.
    Heading,
}

/// Draws a legend at a position, `room` pixels wide, and returns it and its height.
pub(super) fn legend(items: &[(Sign, String)], (left, top): (f64, f64), room: f64) -> (Markup, f64) {
    let (mut x, mut y) = (left, top + LINE / 2.0);
    let mut drawn = Vec::new();
    for (sign, name) in items {
        let sign_room = if *sign == Sign::Heading { 0.0 } else { SIGN };
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
            Self::Mark(series) => Colour::Series(series).marks(&fill(&mark(series, x + 9.0, y, 4.5))),
            Self::Line(Some(series)) => {
                let sign = mark(series, x + 9.0, y, 4.0);
                Colour::Series(series).draw(&html! { (stroke(&line(), 2.0, dashes(Some(series)))) (fill(&sign)) })
            }
            Self::Line(None) => Colour::Rest.draw(&stroke(&line(), 1.0, None)),
            Self::Patch(ink) => ink.draw(&fill(&patch(x, y))),
            Self::Hatched(id) => hatched(id, &patch(x, y)),
            Self::Heading => Markup::default(),
            Self::Text(sign) => small((x + 9.0, y), Anchor::Middle, sign),
        }
    }
}

/// Returns the outline of a patch.
fn patch(x: f64, y: f64) -> String {
    format!("M{} {}h16v12h-16z", px(x), px(y - 6.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_height_of_a_legend_is_that_of_its_lines() {
        let items: Vec<(Sign, String)> = (0..10).map(|series| (Sign::Mark(series), "a name".to_owned())).collect();
        assert_eq!(legend(&items, (0.0, 0.0), 10_000.0).1, LINE);
        assert_eq!(legend(&items, (0.0, 0.0), 1.0).1, 10.0 * LINE, "one per line without room for more");
        assert_eq!(legend(&[], (0.0, 0.0), 100.0).1, 0.0);
    }
}
