//! The page of a rejudging: the changes, and the decision to record them.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use judge_office::OfficeError;
use judge_office::proposal::{self, ChangedRuling, Proposal};
use judge_office::state::Rejudging;
use maud::{Markup, html};

use super::{Place, foreign, from_base, scrolling, time};
use crate::answers::{self, HandlerResult, blocking, internal, organiser};
use crate::app::App;
use crate::decisions::{done, organisers_form};

const PATH: &str = "/office/rejudging";
/// The most rows of a table.
const MAX_ROWS: usize = 1000;

pub(crate) async fn page(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let (state, session) = organiser(&app, &headers).await?;
    let contents = app.open_contest.contents();
    let then = contents.clone();
    let proposal = blocking(&app, move |app| proposal::read(&app.office, &then)).await?;
    let proposal = proposal.map_err(|error| internal(&error))?;
    let is_decided = |asked: &Rejudging| asked.approved.is_some();
    let asked = state.rejudging(&contents);
    let is_derived = asked.is_some_and(|asked| proposal.is_none() || is_decided(asked));
    let main = shown(asked, proposal.as_ref());
    Ok(answers::page(Some(&session), &Place::new(PATH, "Rejudging").fresh(is_derived), &main))
}

fn shown(asked: Option<&Rejudging>, proposal: Option<&Proposal>) -> Markup {
    html! {
        p {
            "If the referee was wrong, correct it, or its definition in the contest file. Then it can rule on all stored "
            "answers again. No entry runs for that, and nothing is recorded before you have seen what would change."
        }
        @match (asked, proposal) {
            (None, _) => (button("ask", "See what would change")),
            (Some(asked), None) => {
                p role="status" { "Requested " (time(asked.asked)) ". It begins when nothing else is to be judged." }
                (button("drop", "Do not"))
            }
            (Some(asked), Some(proposal)) => (found(proposal, asked)),
        }
    }
}

fn found(proposal: &Proposal, asked: &Rejudging) -> Markup {
    let Proposal { problem, note, reviewed, changed, failed, missing, standings, .. } = proposal;
    let is_decided = asked.approved.is_some() && note.is_none();
    html! {
        @if let Some(note) = note { p class="refused" role="alert" { (foreign(note)) "." } }
        @match problem {
            Some(problem) => p class="refused" role="alert" { "The answers could not be refereed: " (foreign(problem)) "." },
            None => {
                p role="status" {
                    (reviewed.len()) " answers were refereed again, " (changed.len()) " would change. The referee fails on "
                    (failed.len()) ", and " (missing.len()) " are missing; these keep their verdicts."
                }
                @if !changed.is_empty() { h2 { "Verdicts" } (verdicts(changed)) }
                @if !failed.is_empty() { h2 { "The referee fails" } (verdicts(failed)) }
                h2 { "Standings" }
                @if standings.is_empty() { p { "All rows stay as they are." } } @else {
                    (table(["entry", "before", "then"], standings.iter().map(|row| [&row.entry, &row.before, &row.now])))
                }
            }
        }
        @if is_decided {
            p role="status" { "It is recorded as soon as nothing else is to be judged." }
        } @else {
            @if problem.is_none() {
                @if failed.is_empty() && missing.is_empty() { (button("record", "Record this")) }
                @else { (button("partial", "Record the rulings of the other answers")) }
            }
            (button("ask", "See again what would change"))
        }
        (button("drop", "Record nothing"))
    }
}

fn verdicts(changes: &[ChangedRuling]) -> Markup {
    table(["run", "before", "then"], changes.iter().map(|change| [&change.run, &change.before, &change.now]))
}

fn table<'a>(heads: [&str; 3], rows: impl ExactSizeIterator<Item = [&'a String; 3]>) -> Markup {
    let left_out = rows.len().saturating_sub(MAX_ROWS);
    html! {
        (scrolling(heads[0], &html! { @for head in heads { th scope="col" { (head) } } }, &html! {
            @for [name, before, now] in rows.take(MAX_ROWS) {
                tr { th scope="row" { (foreign(name)) } td { (foreign(before)) } td { (foreign(now)) } }
            }
        }))
        @if left_out > 0 { p { "And " (left_out) " more: " code { "judge office rejudge" } " prints all." } }
    }
}

fn button(action: &str, text: &str) -> Markup {
    html! { form method="post" action=(from_base(PATH)) { button name="action" value=(action) { (text) } } }
}

pub(crate) async fn change(State(app): State<Arc<App>>, request: Request) -> HandlerResult {
    let (by, form) = organisers_form(&app, request).await?;
    let action = form.text("action").unwrap_or_default();
    let changed = blocking(&app, move |app| match &*action {
        "ask" => by.at(&app.office).ask_for_rejudging(),
        "record" => by.at(&app.office).approve_rejudging(false, Some(&app.open_contest.contents())),
        "partial" => by.at(&app.office).approve_rejudging(true, Some(&app.open_contest.contents())),
        "drop" => by.at(&app.office).drop_rejudging(Some(&app.open_contest.contents())),
        _ => Err(OfficeError::refused("there is no such action".into())),
    })
    .await?;
    done(changed, PATH)
}
