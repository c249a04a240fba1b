//! The variation of the scores over repeated runs, as a table.

use maud::{Markup, html};

use super::scrolling::{Label, scrolling};
use super::text::{foreign, plain};
use judge_core::compare::Repeats;

/// Renders the section; `None` if no runs were repeated. `rule` describes the score of a board.
pub(super) fn section(repeats: &[Repeats], rule: &str) -> Option<Markup> {
    if repeats.is_empty() {
        return None;
    }
    let deviation = |figure: Option<f64>| html! { @if let Some(figure) = figure { "± " (format!("{figure:.3}")) } };
    Some(html! {
        section id="repeats" aria-labelledby="repeats-title" {
            h2 id="repeats-title" { "Variation over repeats" }
            p class="about" {
                "These programs ran several times on a board. The relative score of a run is " (foreign(rule)) ". Within boards: its "
                "standard deviation between the runs of a program on one board, pooled over its boards. Chance, the clock and "
                "other work of the machine cause it. Between boards: its standard deviation from board to board, without the "
                "part that the repeats cause. Both are estimates from these runs. The standings have the first run of each "
                "board; comparisons and figures have the median run."
            }
            @for source in repeats {
                @if repeats.len() > 1 { h3 { (foreign(&source.source)) } }
                (scrolling(Label::Text(&format!("Variation over repeats: {}", plain(&source.source))), "plain", &html! {
                    th scope="col" class="name" { "entry" }
                    th scope="col" class="figure" { "boards" }
                    th scope="col" class="figure" { "runs" }
                    th scope="col" class="figure" { "scored in some runs only" }
                    th scope="col" class="figure" { "within boards" }
                    th scope="col" class="figure" { "between boards" }
                }, &html! {
                    @for entry in &source.entries {
                        tr {
                            th scope="row" class="name" { (foreign(&entry.entry)) }
                            td class="figure" { (entry.boards) }
                            td class="figure" { (entry.runs) }
                            td class="figure" { (entry.mixed) }
                            td class="figure" { (deviation(entry.within)) }
                            td class="figure" { (deviation(entry.between)) }
                        }
                    }
                }))
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::compare::EntryRepeats;

    #[test]
    fn the_variation_is_that_of_the_comparison() {
        let entry = |entry: &str, between| EntryRepeats {
            entry: entry.into(),
            boards: 5,
            runs: 15,
            mixed: 1,
            within: Some(0.0123),
            between,
        };
        let repeats = Repeats { source: "run".into(), entries: vec![entry("a<b", Some(0.5)), entry("c", None)] };
        let page = section(&[repeats], "its share").unwrap().into_string();
        let row = "<bdi>a&lt;b</bdi></th><td class=\"figure\">5</td><td class=\"figure\">15</td><td class=\"figure\">1</td>\
                   <td class=\"figure\">± 0.012</td><td class=\"figure\">± 0.500</td>";
        assert!(page.contains(row), "{page}");
        assert!(page.contains("± 0.012</td><td class=\"figure\"></td>"), "an unknown figure is an empty cell");
        assert!(section(&[], "").is_none());
    }
}
