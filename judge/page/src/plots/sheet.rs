//! The SVG element of a drawing, and text within it.
//!
//! The element is complete when it is saved alone: it has its size, its background, its font and its colours.

use maud::{Markup, html};

use super::colour::Colour;
use super::text::px;

/// Size of ordinary text in pixels.
pub(super) const TEXT: f64 = 13.0;
/// Size of small text in pixels.
pub(super) const SMALL: f64 = 11.0;
/// Default width of a drawing.
pub(super) const WIDTH: f64 = 760.0;
/// Height of a line of text.
pub(super) const LINE: f64 = 18.0;

/// The part of a text that is at its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// Creates the SVG element of a drawing. `id` is unique in the page. The title and the description are for readers who
/// cannot see it, and for the saved file.
pub(super) fn sheet(id: &str, title: &str, description: &str, (width, height): (f64, f64), body: &Markup) -> Markup {
    let (width, height) = (px(width.ceil()), px(height.ceil()));
    let wide = if width.parse::<f64>().is_ok_and(|width| width > WIDTH) { "plot plot-wide" } else { "plot" };
    html! {
        svg xmlns="http://www.w3.org/2000/svg" class=(wide) viewBox={ "0 0 " (width) " " (height) } width=(width)
            height=(height) role="img" aria-labelledby={ (id) "-svg-title " (id) "-svg-description" }
            font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif" font-size=(TEXT) {
            title id={ (id) "-svg-title" } { (title) }
            desc id={ (id) "-svg-description" } { (description) }
            (Colour::Ground.draw(&html! { rect width=(width) height=(height) fill="currentColor" {} }))
            (Colour::Text.write(body))
        }
    }
}

/// Creates a drawing with only the reason why it is empty.
pub(super) fn nothing(id: &str, title: &str, reason: &str) -> Markup {
    let body = text((WIDTH / 2.0, 46.0), Anchor::Middle, &format!("Nothing to draw: {reason}."));
    sheet(id, title, reason, (WIDTH, 84.0), &body)
}

/// Writes text, vertically centred at a position.
pub(super) fn text((x, y): (f64, f64), anchor: Anchor, content: &str) -> Markup {
    // A third of the size is about half the height of its letters. Not every viewer of saved drawings supports
    // `dominant-baseline`.
    html! { text x=(px(x)) y=(px(y + TEXT * 0.35)) text-anchor=(anchor.name()) { (content) } }
}

/// Writes small text, vertically centred at a position.
pub(super) fn small((x, y): (f64, f64), anchor: Anchor, content: &str) -> Markup {
    html! {
        text x=(px(x)) y=(px(y + SMALL * 0.35)) font-size=(SMALL) text-anchor=(anchor.name()) { (content) }
    }
}

/// Draws a mark with a hint for the pointer.
pub(super) fn hint(mark: &str, hint: &str) -> Markup {
    html! { path d=(mark) fill="currentColor" { title { (hint) } } }
}

/// Fills a path with the current colour.
pub(super) fn fill(path: &str) -> Markup {
    html! { path d=(path) fill="currentColor" {} }
}

/// Draws a line of this width in pixels.
pub(super) fn stroke(path: &str, width: f64, dashes: Option<&str>) -> Markup {
    html! {
        path d=(path) fill="none" stroke="currentColor" stroke-width=(px(width)) stroke-dasharray=[dashes]
            stroke-linejoin="round" {}
    }
}
