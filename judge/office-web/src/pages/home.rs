//! The first page, and the one that asks for a token.

use judge_core::date::Date;
use judge_office::state::State;
use judge_office::{MAX_UPLOAD_BYTES, intake};
use maud::{Markup, html};

use super::{duration, foreign, time};
use crate::app::App;

/// What the contest is about.
pub(crate) fn main(app: &App, state: &State) -> Markup {
    let contents = app.conduct.contents();
    let plan = &contents.plan;
    let memory = plan.limits.memory_bytes.map(|bytes| format!("{} MiB", bytes >> 20));
    html! {
        @if state.frozen().is_some() {
            p class="frozen" { "The board is frozen." }
        }
        dl {
            dt { "Puzzle" } dd { (foreign(&plan.game)) }
            dt { "Boards" } dd { (plan.boards.len()) }
            dt { "Time for a board" } dd { (duration(plan.limits.wall_ms)) }
            @if let Some(memory) = memory { dt { "Memory" } dd { (memory) } }
            dt { "Teams" } dd { (state.teams().len()) }
            @if let Some(begun) = contents.begun { dt { "Judged since" } dd { time datetime=(begun) { (Date::minute(begun)) } } }
            @if let Some((at, _)) = state.submissions().last() { dt { "Last submission" } dd { (time(*at)) } }
        }
        h2 { "Rules" }
        ul {
            li { "A program gets a board and prints its answer. The answer is checked; nothing else counts." }
            li { "The last submission of a team that builds counts. One that does not build replaces nothing." }
            li {
                "A submission is one or several source files, a zip or tar.gz archive of at most " (intake::MAX_FILES)
                " files, or an executable; " (MAX_UPLOAD_BYTES / 1024) " KiB in all."
            }
            li { "It is built and run in a sandbox without network." }
        }
        h2 { "Languages" }
        ul class="columns" {
            @for language in app.office.languages() {
                li { (language.name) @if !language.endings.is_empty() { " (" (language.endings.join(", ")) ")" } }
            }
            li { "executable" }
        }
    }
}

/// The form for a token. The script fills it from the link of an invitation, whose token the browser does not send.
pub(crate) fn enter(refused: Option<&str>) -> Markup {
    html! {
        @if let Some(reason) = refused { p class="refused" role="alert" { (reason) } }
        p { "You have a token from the organiser: the 43 characters after the " code { "#" } " of your invitation." }
        form method="post" action="/enter" id="enter" {
            // For password managers, which keep a name with each password.
            input type="text" name="user" value="judge" autocomplete="username" hidden;
            label for="token" { "Token" }
            input id="token" name="token" type="password" autocomplete="current-password" required spellcheck="false";
            button { "Enter" }
        }
    }
}
