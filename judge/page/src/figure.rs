//! Figures: a drawing, and the table with its data.

use maud::{Markup, html};

use super::fold::fold;

/// A drawing with its table.
pub(crate) struct Figure {
    /// Its id, unique in the page.
    pub(crate) id: String,
    /// Its title.
    pub(crate) title: String,
    /// A description of the drawing, also for readers who cannot see it.
    pub(crate) description: String,
    /// The drawing: one `svg` element.
    pub(crate) svg: Markup,
    /// The data of the drawing.
    pub(crate) table: Table,
}

/// The data of a drawing.
pub(crate) struct Table {
    /// The column headings.
    pub(crate) head: Vec<String>,
    /// The rows, each as long as the head.
    pub(crate) rows: Vec<Vec<String>>,
}

/// The progress of an answer after each of its moves.
pub(crate) struct Curve {
    /// Name of the source, see [`judge_core::compare::Source`].
    pub(crate) source: String,
    /// Name of the entry.
    pub(crate) entry: String,
    /// Name of the board.
    pub(crate) board: String,
    /// Progress before the first move and after each `stride` moves; the last value is that at the end of the answer.
    pub(crate) progress: Vec<u64>,
    /// Moves between two values; above 1 only for very long answers.
    pub(crate) stride: u64,
    /// The progress that solves the board.
    pub(crate) of: u64,
}

/// Renders the section of figures, if there are any.
pub(super) fn section(figures: &[Figure]) -> Markup {
    html! {
        @if !figures.is_empty() {
            section id="figures" aria-labelledby="figures-title" {
                h2 id="figures-title" { "Figures" }
                @for figure in figures {
                    (one(figure, &html! { h3 id={ (figure.id) "-title" } { (figure.title) } }))
                }
            }
        }
    }
}

/// Renders a figure of the first screen, which no other heading is above.
pub(super) fn glance(figure: &Figure) -> Markup {
    one(figure, &html! { h2 id={ (figure.id) "-title" } { (figure.title) } })
}

fn one(figure: &Figure, heading: &Markup) -> Markup {
    let Figure { id, title, description, svg, table } = figure;
    html! {
        figure id=(id) class="drawing" {
            figcaption {
                (heading)
                p id={ (id) "-description" } { (description) }
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
        div class="wide" role="region" aria-label={ (title) ": data" } tabindex="0" {
            table class="plain" {
                thead { tr { @for head in &table.head { th scope="col" { (head) } } } }
                tbody {
                    @for row in &table.rows {
                        tr {
                            @for (column, field) in row.iter().enumerate() {
                                @if column == 0 { th scope="row" { (field) } } @else { td { (field) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
