//! The strengths of entries that play each other.

use super::scrolling::{Label, scrolling};
use judge_core::compare::statistics::Interval;
use judge_core::compare::{Strength, Strengths};
use judge_core::results::Results;
use maud::{Markup, html};

/// Renders strengths, which decide no place. `None` if games do not determine them, or for fewer than three entries.
pub(super) fn section(k: usize, results: &Results) -> Option<Markup> {
    let found = Strengths::of(results.matches.as_ref()?).filter(|found| found.entries.len() > 2)?;
    let range = |Strength { range, .. }: &Strength| {
        range.map_or("-".to_owned(), |Interval { low, high }| format!("{} to {}", whole(low), whole(high)))
    };
    Some(html! {
        h3 id={ "strength-" (k) } { "Strength" }
        p class="about" {
            "By the model of Bradley and Terry with draws, from " (found.games) " games of two seats; the mean is 0, and a lead of 400 is odds \
             of 10 to 1. The range has 95 % of the strengths over resamples, in which the games of a pair on a board stay together. It \
             is shown, and decides no place."
        }
        (scrolling(Label::Heading(&format!("strength-{k}")), "standings", &html! {
            th scope="col" { "entry" }
            th scope="col" class="figure" { "strength" }
            th scope="col" class="figure" { "range" }
        }, &html! {
            @for one in &found.entries {
                tr {
                    th scope="row" { bdi { (one.entry) } }
                    td class="figure" { (whole(one.value)) }
                    td class="figure" { (range(one)) }
                }
            }
        }))
    })
}

/// A strength without decimals.
fn whole(value: f64) -> String {
    // No minus before 0.
    format!("{:.0}", value.round() + 0.0)
}
