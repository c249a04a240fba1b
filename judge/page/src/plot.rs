//! Figures: a drawing, and the table with its data.

use maud::{Markup, html};

use super::fold::fold;
use super::scrolling::{Label, scrolling};
use judge_core::score::RunCell;

/// A drawing with its table.
pub(crate) struct Plot {
    /// Its id, unique in the page.
    pub(crate) id: String,
    /// Its title, the heading above the drawing.
    pub(crate) title: String,
    /// The words on the drawing.
    pub(crate) caption: Caption,
    /// The drawing: one `svg` element.
    pub(crate) svg: Markup,
    /// The data of the drawing.
    pub(crate) table: Table,
}

/// The words on a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caption {
    /// The text that every reader needs, at most two lines.
    pub(crate) lead: String,
    /// The computation of the figures, folded on the page.
    pub(crate) rest: String,
    /// Warnings and notes on all drawings, which the page shows once.
    pub(crate) notes: String,
}

impl Caption {
    /// Returns the whole caption, for readers who cannot see the drawing, and for drawings that are saved alone.
    pub(crate) fn whole(&self) -> String {
        let parts = [&self.lead, &self.rest, &self.notes].into_iter().filter(|part| !part.is_empty());
        parts.map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// The data of a drawing.
pub(crate) struct Table {
    /// The column headings, with their units.
    pub(crate) head: Vec<String>,
    /// The rows, each as long as the head.
    pub(crate) rows: Vec<Vec<String>>,
}

/// The progress of an answer after each of its moves.
pub(crate) struct Curve {
    /// Name of the source, see [`judge_core::compare::Source`].
    pub(crate) source: String,
    /// Name of the entry in that source.
    pub(crate) entry: String,
    /// Name of the board in that source.
    pub(crate) board: String,
    /// Progress before the first move and after each `stride` moves; the last value is the progress at the end of the
    /// answer.
    pub(crate) progress: Vec<u64>,
    /// Moves between two values; above 1 only for very long answers.
    pub(crate) stride: u64,
    /// The progress that solves the board.
    pub(crate) of: u64,
}

/// The answers of a run that were better than all before them.
pub(crate) struct Improvements {
    /// Name of the source, see [`judge_core::compare::Source`].
    pub(crate) source: String,
    /// Name of the entry in that source.
    pub(crate) entry: String,
    /// Name of the board in that source.
    pub(crate) board: String,
    /// The time when each answer had arrived, in microseconds from the start, and the cell that it would have.
    pub(crate) steps: Vec<(u64, RunCell)>,
}

/// Renders the section of figures, if there are any, with the notes on all of them.
pub(super) fn section(figures: &[Plot], notes: &[String]) -> Markup {
    html! {
        @if !figures.is_empty() {
            section id="figures" aria-labelledby="figures-title" {
                h2 id="figures-title" { "Figures" }
                @for note in notes { p class="about" { (note) } }
                @for figure in figures {
                    (one(figure, &html! { h3 id={ (figure.id) "-title" } { (figure.title) } }))
                }
            }
        }
    }
}

/// Renders a figure of the first screen, which has no other heading above it.
pub(super) fn lead_plot(figure: &Plot) -> Markup {
    one(figure, &html! { h2 id={ (figure.id) "-title" } { (figure.title) } })
}

fn one(figure: &Plot, heading: &Markup) -> Markup {
    let Plot { id, title, caption, svg, table } = figure;
    html! {
        figure id=(id) class="drawing" {
            figcaption {
                (heading)
                p id={ (id) "-description" } { (caption.lead) }
                details class="more" { summary { "How to read it" } p { (caption.rest) } }
            }
            // Drawings are wider than a phone's screen, so they scroll.
            div class="wide" role="region" aria-labelledby={ (id) "-title" } tabindex="0" { (svg) }
            (fold("Data as a table", &data(title, table)))
        }
    }
}

/// Renders the table of a figure.
fn data(title: &str, table: &Table) -> Markup {
    html! {
        (scrolling(Label::Text(&format!("{title}: data")), "plain", &html! {
            @for head in &table.head { th scope="col" { (head) } }
        }, &html! {
            @for row in &table.rows {
                tr {
                    @for (column, field) in row.iter().enumerate() {
                        @if column == 0 { th scope="row" { (field) } } @else { td { (field) } }
                    }
                }
            }
        }))
    }
}
