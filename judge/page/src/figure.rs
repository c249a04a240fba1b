//! Metrics: a drawing that explains, and the table behind it.

use maud::{Markup, html};

use super::fold::fold;

/// A drawing with its table.
pub struct Figure {
    /// Its id in the page, unlike every other.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// What can be seen in it, for those who cannot see it as well.
    pub description: String,
    /// The drawing: one `svg` element.
    pub svg: Markup,
    /// The figures behind it.
    pub table: Table,
}

/// The figures behind a drawing.
pub struct Table {
    /// Heads of the columns.
    pub head: Vec<String>,
    /// Rows, each as long as the head.
    pub rows: Vec<Vec<String>>,
}

/// How far an answer had come after each of its moves.
pub struct Curve {
    /// Name of the run of the contest, see [`judge_core::compare::Source`].
    pub run: String,
    /// Name of the entry.
    pub entry: String,
    /// Name of the board.
    pub board: String,
    /// Progress before the first move and after each `stride` more; the last is that at the answer's end.
    pub progress: Vec<u64>,
    /// Moves from one of them to the next, 1 but for answers too long to be kept.
    pub stride: u64,
    /// The progress that solves the board.
    pub of: u64,
}

/// All figures; nothing where there are none.
pub(super) fn section(figures: &[Figure]) -> Markup {
    html! {
        @if !figures.is_empty() {
            section id="figures" aria-labelledby="figures-title" {
                h2 id="figures-title" { "Metrics" }
                @for figure in figures {
                    (one(figure))
                }
            }
        }
    }
}

fn one(figure: &Figure) -> Markup {
    let Figure { id, title, description, svg, table } = figure;
    html! {
        figure id=(id) class="drawing" {
            figcaption {
                h3 id={ (id) "-title" } { (title) }
                p id={ (id) "-description" } { (description) }
            }
            // Drawings are wider than a phone: they scroll on their own.
            div class="wide" role="region" aria-labelledby={ (id) "-title" } tabindex="0" { (svg) }
            (fold("The figures as a table", &behind(title, table)))
        }
    }
}

/// The table behind a figure of that title.
fn behind(title: &str, table: &Table) -> Markup {
    html! {
        div class="wide" role="region" aria-label={ (title) ": the figures" } tabindex="0" {
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
