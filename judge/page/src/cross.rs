//! The cross table of a contest in which entries play each other.

use judge_core::results::{Results, Tally};
use maud::{Markup, html};

/// Renders what each entry has of its games against each other one; `None` without games of two seats.
pub(super) fn section(k: usize, results: &Results) -> Option<Markup> {
    let inside = results.rows.iter().filter(|row| row.entry.withdrawn.is_none());
    let entries: Vec<&str> = inside.map(|row| row.entry.name.as_str()).collect();
    let table = results.matches.as_ref()?.cross_table(&entries)?;
    let title = |tally: &Tally| {
        let Tally { games, played, won, drawn, lost, faults, .. } = tally;
        format!("{played} of {games} games: {won} won, {drawn} drawn, {lost} lost, {faults} faults")
    };
    Some(html! {
        h3 id={ "cross-" (k) } { "Games" }
        p class="about" { "The points of the entry of a row against that of a column." }
        div class="wide" role="region" aria-labelledby={ "cross-" (k) } tabindex="0" {
            table class="standings" {
                thead {
                    tr {
                        th scope="col" { "entry" }
                        @for entry in &entries { th scope="col" class="figure" { bdi { (entry) } } }
                    }
                }
                tbody {
                    @for (row, entry) in entries.iter().enumerate() {
                        tr {
                            th scope="row" { bdi { (entry) } }
                            @for (column, tally) in table[row].iter().enumerate() {
                                @match tally {
                                    _ if row == column => { td class="figure" { "·" } }
                                    Tally { played: 0, .. } => { td class="figure" { "-" } }
                                    tally => { td class="figure" title=(title(tally)) { (tally.points) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    })
}
