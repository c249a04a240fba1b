//! The first page, and the page that asks for a token.

use judge_contest::office::{Counts, Games, Transcripts};
use judge_core::date::Date;
use judge_core::games::is_external;
use judge_core::journal::ContestState;
use judge_core::plan::Problem;
use judge_job::Tier;
use judge_office::judging::Isolated;
use judge_office::state::State;
use judge_office::view::judgements::{is_of_matches, rule};
use judge_office::{MAX_UPLOAD_BYTES, intake};
use maud::{Markup, html};

use super::{duration, foreign, in_query, left, segment, time};
use crate::app::App;
use crate::named::{self, Named};
use crate::session::Session;
use crate::statement;

/// The facts about a problem for the author of a program, as items of a list.
fn facts(contents: &ContestState, key: &str) -> Markup {
    let plan = &contents.plan;
    let boards = plan.boards.iter().filter(|board| plan.problem_of(&board.name).id == key).count();
    html! {
        @if let Some(Problem { game, limits, .. }) = plan.problems.with_id(key) {
            // A puzzle with its own referee has no other name than its title.
            @if !is_external(game) { dt { "Puzzle" } dd { (foreign(game)) } }
            dt { "Boards" } dd { (boards) }
            dt { "Time for a board" } dd { (duration(limits.wall_ms)) }
            @if let Some(bytes) = limits.memory_bytes { dt { "Memory" } dd { (bytes >> 20) " MiB" } }
        }
    }
}

/// The table of several problems, each with its pages.
fn table(problems: &[Named], session: Option<&Session>) -> Markup {
    let is_team = session.is_some_and(|session| session.team().is_some());
    html! {
        div class="wide" role="region" aria-label="Problems" tabindex="0" {
            table {
                tbody {
                    @for Named { id, letter, name, .. } in problems {
                        @let address = format!("problems/{}/", segment(id));
                        tr {
                            th scope="row" { (letter) ": " a href=(address) { (foreign(name)) } }
                            @if is_team {
                                td { a href={ "submit?problem=" (in_query(id)) } aria-label={ "Submit to " (letter) } { "Submit" } }
                            }
                            td { a href={ (address) "board" } aria-label={ "Board of " (letter) } { "Board" } }
                        }
                    }
                }
            }
        }
    }
}

/// The statement of a problem, if the viewer may read it.
fn statement_of(app: &App, state: &State, session: Option<&Session>, problem: &Named) -> Markup {
    html! {
        @if let Some(statement) = statement::readable(app, state, session.is_some_and(Session::is_organiser), &problem.key) {
            h2 { a href=(statement::address(problem)) { "Problem statement" } }
            (statement::shown(&statement, problem, 3))
        }
    }
}

/// The description of a problem.
pub(crate) fn of_problem(
    app: &App,
    state: &State,
    session: Option<&Session>,
    (contents, problem): (&ContestState, &Named),
) -> Markup {
    html! {
        dl { (facts(contents, &problem.key)) }
        p {
            a href={ "problems/" (segment(&problem.id)) "/board" } { "Board" }
            @if session.is_some_and(|session| session.team().is_some()) {
                " · " a href={ "submit?problem=" (in_query(&problem.id)) } { "Submit" }
            }
        }
        (statement_of(app, state, session, problem))
    }
}

/// The description of the contest.
pub(crate) fn main(app: &App, state: &State, session: Option<&Session>) -> Markup {
    let contents = app.open_contest.contents();
    let plan = &contents.plan;
    let problems = named::all(app, &contents);
    html! {
        @if state.frozen().is_some() {
            p class="frozen" { "The board is frozen." }
        }
        @if let (_, Some(_)) = state.froze_and_thawed() && !is_of_matches(&contents) { p { a href="reveal" { "The reveal, from the last place to the first" } } }
        @for (at, because) in state.announced() { p { "The times have changed " (time(*at)) ": " (foreign(because)) } }
        @for (at, because) in state.reopened() { p { "The results were reopened " (time(*at)) ": " (foreign(because)) } }
        dl {
            @if let [only] = &problems[..] { (facts(&contents, &only.key)) }
            @let times = state.rules().times;
            @for (text, at) in [("Begins", times.opens), ("The board freezes", times.freezes), ("Ends", times.closes)] {
                @if let Some(at) = at { dt { (text) } dd { (time(at)) @if text == "Ends" { (left(at, app.office.now())) } } }
            }
            @for (round, number) in plan.rounds.iter().zip(1..).skip(1) {
                @let times = state.rules().in_round(number);
                @for (text, at) in [("opens", times.opens), ("closes and is shown", times.closes)] {
                    @if let Some(at) = at { dt { (foreign(&round.name)) " " (text) } dd { (time(at)) } }
                }
            }
            @if let Some(at) = state.finalised() { dt { "Results final since" } dd { (time(at)) } }
            dt { "Teams" } dd { (state.teams().len()) }
            @if let Some(begun) = contents.begun { dt { "Judged since" } dd { time datetime=(begun) { (Date::minute(begun)) } } }
            @if let Some((at, _)) = state.submissions().last() { dt { "Last submission" } dd { (time(*at)) } }
        }
        @match &problems[..] {
            [only] => (statement_of(app, state, session, only)),
            several => { h2 { "Problems" } (table(several, session)) }
        }
        h2 { "Rules" }
        ul {
            @if is_of_matches(&contents) {
                li { "Programs play games against each other. A referee gives points to each seat; nothing else counts." }
                li { (players(state)) }
                li { (transcripts(state.rules().transcripts)) }
            } @else {
                li { "A program gets a board and prints its answer. The answer is checked; nothing else counts." }
                li { (counts(rule(state, &contents))) " One that does not build or start replaces none that does." }
            }
            @for quota in quotas(state) { li { (quota) } }
            @if problems.len() > 1 { li { "Each problem has these limits of submissions for itself." } }
            li { "The time of a submission is when its last byte arrived." }
            @if state.rules().late_from().is_some() {
                li { "Later submissions are kept, and judged only if the organiser admits them." }
            }
            li {
                "A submission is one or several source files, a zip or tar.gz archive of at most " (intake::MAX_FILES)
                " files, or an executable; " (MAX_UPLOAD_BYTES / 1024) " KiB in all."
            }
            @if let Some(isolated) = app.judging.isolated() { li { (isolation(isolated)) } }
        }
        p { a href="clarifications" { "Questions and notices" } " · " a href="feed.atom" { "As a feed" } }
        h2 { "Languages" }
        ul class="columns" {
            @for language in app.office.languages() {
                li { (language.name) @if !language.endings.is_empty() { " (" (language.endings.join(", ")) ")" } }
            }
            li { "executable" }
        }
    }
}

/// The isolation of submissions on this machine, in a sentence.
fn isolation(Isolated { builds, runs, .. }: Isolated) -> String {
    let how = |tier| match tier {
        Tier::Namespaces => "in a sandbox without network, in separate namespaces",
        Tier::Landlock => "in a sandbox without network, under Landlock",
        Tier::ProcessGroup => "without a sandbox, with all that the organiser may do on this machine",
    };
    match runs {
        Some(runs) if runs == builds => format!("It is built and run {}.", how(runs)),
        Some(runs) => format!("It is built {}, and run {}.", how(builds), how(runs)),
        None => format!("It is built {}, and run on a cluster.", how(builds)),
    }
}

/// The player of a team that plays, and the time of its games.
fn players(state: &State) -> String {
    let when = match state.rules().games {
        Games::AtOnce => "as soon as it is built".to_owned(),
        Games::OnCommand => "when the organiser says so".to_owned(),
        Games::Daily(seconds) => format!("from {:02}:{:02} UTC on", seconds / 3600, seconds / 60 % 60),
    };
    format!("The last player of a team counts. It plays {when}; one that does not build replaces none that does.")
}

fn transcripts(rule: Transcripts) -> &'static str {
    match rule {
        Transcripts::Own => "A team reads what its own seat was asked and answered.",
        Transcripts::AfterEnd => {
            "A team reads what its own seat was asked and answered, and that of all seats of its games after the end."
        }
        Transcripts::AtOnce => "A team reads what all seats of its games were asked and answered.",
    }
}

fn counts(rule: Counts) -> &'static str {
    match rule {
        Counts::Latest => "The last submission of a team counts.",
        Counts::Best => "The best submission of a team counts, the earliest of several that are equal.",
        Counts::FirstAccepted => {
            "The first submission of a team that is accepted on all boards solves the problem. Each rejected one before it costs time."
        }
        Counts::Chosen => "The submission that a team has chosen counts; without a choice its last one.",
    }
}

/// A sentence for each quota that the contest sets.
fn quotas(state: &State) -> Vec<String> {
    let limit = &state.rules().limit;
    let sentences = [
        limit.every.map(|every| format!("A team submits at most once in {}.", duration(every.saturating_mul(1000)))),
        limit.per_day.map(|most| format!("A team submits at most {most} times a day.")),
        limit.waiting.map(|most| format!("A team has at most {most} submissions that are not judged yet.")),
        limit.builds_failed.map(|most| format!("At most {most} submissions of a team fail to build in a day.")),
        limit.bytes.map(|most| format!("All submissions of a team have at most {} KiB.", most / 1024)),
        limit.questions.map(|most| format!("A team asks at most {most} questions in an hour.")),
    ];
    sentences.into_iter().flatten().collect()
}

/// The form for a token. The script fills it from the link of an invitation, because browsers do not send the part with the
/// token.
pub(crate) fn log_in(refused: Option<&str>) -> Markup {
    html! {
        @if let Some(reason) = refused { p class="refused" role="alert" { (reason) } }
        p { "You have a token from the organiser: the 43 characters after the " code { "#" } " of your invitation." }
        form method="post" action="enter" id="enter" {
            // For password managers, which store a name with each password.
            input type="text" name="user" value="judge" autocomplete="username" hidden;
            label for="token" { "Token" }
            input id="token" name="token" type="password" autocomplete="current-password" required spellcheck="false";
            button { "Enter" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_isolation_is_said_as_it_is() {
        let (open, landlock, closed) = (Tier::ProcessGroup, Tier::Landlock, Tier::Namespaces);
        for (builds, runs, expected) in [
            (closed, Some(closed), "It is built and run in a sandbox without network, in separate namespaces."),
            (landlock, Some(landlock), "It is built and run in a sandbox without network, under Landlock."),
            (
                open,
                Some(open),
                "It is built and run without a sandbox, with all that the organiser may do on this machine.",
            ),
            (
                closed,
                Some(open),
                "It is built in a sandbox without network, in separate namespaces, and run without a sandbox, with all that \
                 the organiser may do on this machine.",
            ),
            (landlock, None, "It is built in a sandbox without network, under Landlock, and run on a cluster."),
        ] {
            assert_eq!(isolation(Isolated { builds, runs, lost: None }), expected);
        }
    }
}
