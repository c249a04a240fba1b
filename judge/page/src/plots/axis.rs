//! Axes: a line, labelled ticks, a grid across the drawing, and a title.

use maud::{Markup, html};

use super::colour::Colour;
use super::plot_data::PlotData;
use super::scale::Scale;
use super::sheet::{Anchor, LINE, SMALL, small, stroke, text};
use super::text::{number, px, width};

/// The height below a horizontal axis for its labels and its title.
pub(super) const BELOW: f64 = 46.0;

/// A tick: its value and its label.
pub(super) type Tick = (f64, String);

/// Creates ticks with plain numbers.
pub(super) fn numbers(scale: &Scale, about: usize) -> Vec<Tick> {
    scale.ticks(about).into_iter().map(|tick| (tick, number(tick))).collect()
}

/// Creates ticks of shares, as percentages.
pub(super) fn shares(scale: &Scale) -> Vec<Tick> {
    scale.ticks(5).into_iter().map(|tick| (tick, format!("{} %", number(tick * 100.0)))).collect()
}

/// Creates about `about` ticks of a scale of factors, such as `2×`.
pub(super) fn multiples(scale: &Scale, about: usize) -> Vec<Tick> {
    scale.ticks(about).into_iter().map(|tick| (tick, format!("{}×", number(tick)))).collect()
}

/// Returns the title of an axis of factors.
pub(super) fn multiple_of_best(data: &PlotData) -> String {
    format!("{}, as a multiple of the best entry's", data.moves)
}

/// Draws a horizontal axis at `y`, with a grid up to `top`. A label that would touch the previous one is left out.
pub(super) fn horizontal(scale: &Scale, (top, y): (f64, f64), ticks: &[Tick], title: &str) -> Markup {
    let (left, right) = scale.range();
    let mut grid = format!("M{} {}H{}", px(left), px(y), px(right));
    let mut labels = Vec::new();
    let mut free = f64::NEG_INFINITY;
    for (tick, label) in ticks {
        let x = scale.at(*tick);
        grid += &format!("M{} {}V{}", px(x), px(top), px(y + 4.0));
        let half = width(label, SMALL) / 2.0;
        if x - half >= free {
            labels.push(small((x, y + 13.0), Anchor::Middle, label));
            free = x + half + 6.0;
        }
    }
    html! {
        (Colour::Rule.draw(&stroke(&grid, 1.0, None)))
        (Colour::Faint.write(&html! { @for label in &labels { (label) } }))
        (text(((left + right) / 2.0, y + 13.0 + LINE), Anchor::Middle, title))
    }
}

/// Draws a vertical axis at `x`, with a grid up to `right`. Its title is above it, at `head`, so that it is horizontal.
pub(super) fn vertical(scale: &Scale, (x, right): (f64, f64), ticks: &[Tick], (head, title): (f64, &str)) -> Markup {
    let (bottom, top) = scale.range();
    let mut grid = String::new();
    let mut labels = Vec::new();
    let mut free = f64::INFINITY;
    for (tick, label) in ticks {
        let y = scale.at(*tick);
        grid += &format!("M{} {}H{}", px(x - 4.0), px(y), px(right));
        if y + SMALL / 2.0 <= free {
            labels.push(small((x - 7.0, y), Anchor::End, label));
            free = y - SMALL / 2.0 - 2.0;
        }
    }
    grid += &format!("M{} {}V{}", px(x), px(bottom), px(top));
    html! {
        (Colour::Rule.draw(&stroke(&grid, 1.0, None)))
        (Colour::Faint.write(&html! { @for label in &labels { (label) } }))
        (text((x - 30.0, head), Anchor::Start, title))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_would_touch_are_left_out_but_not_their_grid_lines() {
        let scale = Scale::linear((0.0, 100.0), (0.0, 100.0));
        let ticks: Vec<Tick> = (0..=10).map(|tick| (f64::from(tick) * 10.0, format!("{}", tick * 10_000))).collect();
        let axis = horizontal(&scale, (0.0, 50.0), &ticks, "moves").into_string();
        assert_eq!(axis.matches("V54").count(), 11);
        let labels = axis.matches("font-size").count();
        assert!((2..=4).contains(&labels), "{labels} labels on 100 pixels");
    }
}
