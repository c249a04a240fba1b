//! The history of a contest: all events except runs.

use maud::{Markup, html};

use super::source::PageSource;
use super::text::foreign;
use judge_core::date::Date;
use judge_core::journal::{HistoryEvent, Record};
use judge_core::plan::{Plan, published_seal};
use judge_core::results::name_of;

/// The most runs that an event lists. The journal lists all.
const MAX_RUNS: usize = 200;

/// Renders the history of a results directory; `None` for results from elsewhere.
pub(super) fn section(source: &PageSource) -> Option<Markup> {
    let journal = &source.directory.as_ref()?.journal;
    Some(html! {
        p class="about" {
            "Everything that happened besides runs, oldest first. Runs that no longer count are listed where that "
            "happened; what they printed is still in the results directory. Dates are those of the machine's clock."
        }
        (seals(&journal.plan))
        ol class="history" {
            @for event in journal.history.iter() { (line(&journal.plan, event)) }
        }
        @if let Some(hash) = &source.results().journal_hash {
            p class="about" { "Hash of the journal: " code { (hash) } }
        }
    })
}

/// Renders the seals of a contest, for boards that are still sealed and for open ones.
fn seals(plan: &Plan) -> Markup {
    let sealed: Vec<_> =
        plan.rounds.iter().flat_map(|round| round.seals.iter().map(move |seal| (round, seal))).collect();
    let open = |name: &String| plan.boards.iter().find(|board| board.name == *name);
    html! {
        @if !sealed.is_empty() {
            p class="about" {
                "Boards that were published as hashes before they were shown. A seal is the SHA-256 of the board's file; a "
                "salted one that of a line of random digits, the salt, followed by the file. So FILE is the board that was "
                "sealed if " code { "sha256sum FILE" } ", or with a salt " code { "(echo SALT; cat FILE) | sha256sum" }
                ", prints the seal."
            }
            ul class="seals" {
                @for (round, (board, seal)) in sealed {
                    li {
                        (foreign(board)) " of " (foreign(&round.name)) ": " code { (published_seal(seal)) } ", "
                        @match open(board) {
                            None => { "still sealed" }
                            Some(open) => {
                                "open"
                                @if let Some(salt) = &open.salt { "; its salt: " code { (salt.trim_end()) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn line(plan: &Plan, event: &HistoryEvent) -> Markup {
    let runs = &event.superseded;
    html! {
        li {
            @if let Some(at) = event.at { (time(at)) " " }
            (foreign(&event.text))
            @if !runs.is_empty() {
                details {
                    summary { (runs.len()) @if runs.len() == 1 { " earlier run" } @else { " earlier runs" } }
                    ul {
                        @for run in runs.iter().take(MAX_RUNS) { li { s { (foreign(&of_run(plan, run))) } } }
                        @if runs.len() > MAX_RUNS { li { "and " (runs.len() - MAX_RUNS) " more, see the journal" } }
                    }
                }
            }
        }
    }
}

/// Describes a run that no longer counts.
fn of_run(plan: &Plan, run: &Record) -> String {
    let cell = plan.cell_of(&run.key.board, &run.verdict, run.wall_us, run.limit_ms).text();
    format!("{}: {cell}, attempt {}", name_of(&run.key), run.attempt)
}

fn time(date: Date) -> Markup {
    html! { time datetime=(date) { (date.minute()) } }
}
