//! The cross table of a contest in which entries play each other.

use std::collections::BTreeSet;

use judge_core::results::GameCounts;
use maud::{Markup, html};

use super::games::pairs;
use super::scrolling::{Label, scrolling};
use super::source::PageSource;

/// Renders the points of each entry against each other one; `None` without games of two seats.
pub(super) fn section(k: usize, source: &PageSource) -> Option<Markup> {
    let results = source.results();
    let inside = results.rows.iter().filter(|row| row.entry.withdrawn.is_none());
    let entries: Vec<&str> = inside.map(|row| row.entry.name.as_str()).collect();
    let table = results.matches.as_ref()?.cross_table(&entries)?;
    let shown: BTreeSet<[usize; 2]> = pairs(source).iter().map(|pair| pair.rows).collect();
    let rows: Vec<usize> = (0..results.rows.len()).filter(|&row| results.rows[row].entry.withdrawn.is_none()).collect();
    let opens = |row: usize, column: usize| {
        let (row, column) = (rows[row], rows[column]);
        let is_shown = shown.contains(&[row.min(column), row.max(column)]);
        is_shown.then(|| format!("#game-{k}-{row}-{column}"))
    };
    let title = |tally: &GameCounts| {
        let GameCounts { games, played, won, drawn, lost, faults, .. } = tally;
        format!("{played} of {games} games: {won} won, {drawn} drawn, {lost} lost, {faults} faults")
    };
    Some(html! {
        h3 id={ "cross-" (k) } { "Games" }
        p class="about" {
            "The points of the entry of a row against that of a column."
            @if !shown.is_empty() { " Select a cell to see the games of the two." }
        }
        (scrolling(Label::Heading(&format!("cross-{k}")), "standings", &html! {
            th scope="col" { "entry" }
            @for entry in &entries { th scope="col" class="figure" { bdi { (entry) } } }
        }, &html! {
            @for (row, entry) in entries.iter().enumerate() {
                tr {
                    th scope="row" { bdi { (entry) } }
                    @for (column, tally) in table[row].iter().enumerate() {
                        @match tally {
                            _ if row == column => { td class="figure" { "·" } }
                            GameCounts { played: 0, .. } => { td class="figure" { "-" } }
                            tally => {
                                td class="figure" title=(title(tally)) {
                                    @match opens(row, column) {
                                        Some(href) => a class="cell" href=(href) { (tally.points) },
                                        None => (tally.points),
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }))
    })
}
