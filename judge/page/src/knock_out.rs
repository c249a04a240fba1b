//! The knock-out rounds of a contest in which entries play each other, as a tree.

use super::scrolling::{Label, scrolling};
use judge_core::results::{Results, TreeCell, tree};
use maud::{Markup, html};

/// Renders the tree; `None` without knock-out rounds.
pub(super) fn section(k: usize, results: &Results) -> Option<Markup> {
    let rounds = &results.matches.as_ref()?.knock_outs;
    if rounds.is_empty() {
        return None;
    }
    Some(html! {
        h3 id={ "knock-out-" (k) } { "Knock-out" }
        p class="about" { "Who met whom, with the points of each pair. Entries in bold went on; below each are those whom it beat before." }
        (scrolling(Label::Heading(&format!("knock-out-{k}")), "standings", &html! {
            @for round in rounds { th scope="col" { bdi { (results.title_of_round(round.round)) } } }
        }, &html! {
            @for line in tree(rounds) {
                tr {
                    @for cell in &line {
                        @match cell {
                            None => { td {} }
                            Some(cell) => { td { (entry(cell)) } }
                        }
                    }
                }
            }
        }))
    })
}

/// An entry with its points.
fn entry(TreeCell { entry, points, won, .. }: &TreeCell) -> Markup {
    html! {
        @if *won { strong { bdi { (entry) } } } @else { bdi { (entry) } }
        " "
        @match points {
            Some(points) => { (points) }
            None => { "bye" }
        }
    }
}
