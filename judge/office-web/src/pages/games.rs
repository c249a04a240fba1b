//! The games of a submission, as a table.

use judge_contest::office::Feedback;
use judge_core::journal::ContestState;
use judge_core::key::RunKey;
use judge_core::matches::GameResult;
use judge_core::results::{Game, GameState};
use judge_office::line::number_of;
use judge_office::state::State as Office;
use judge_office::view::Viewer;
use maud::{Markup, html};

use super::{foreign, scrolling};

/// The viewer of games: a team or the organiser.
pub(crate) fn viewer_of(team: &str, for_organiser: bool) -> Viewer {
    if for_organiser { Viewer::Organiser } else { Viewer::Team(team.to_owned()) }
}

/// The public name of a player: its team, or an entry of the contest file.
fn player<'n>(state: &Office, entry: &'n str) -> &'n str {
    let team = entry.rsplit_once('.').map(|(team, _)| team);
    let is_submission = number_of(entry).is_some_and(|number| state.submission(number).is_some());
    team.filter(|_| is_submission).unwrap_or(entry)
}

/// The table of the games of a submission: current and past ones. For a game with a player whose results are hidden from the
/// viewer, only the fact that it was played.
pub(super) fn list(
    state: &Office,
    contents: &ContestState,
    entry: &str,
    viewer: &Viewer,
    feedback: Feedback,
) -> Markup {
    let mut runs: Vec<usize> = contents.runs_of(entry).collect();
    runs.retain(|&run| contents.record_of(run).is_some() || contents.rank_of(run).is_some());
    let full = feedback == Feedback::Full;
    let number = number_of(entry).unwrap_or_default();
    html! {
        h2 { "Games" }
        @if feedback == Feedback::Score { p { (runs.len()) " games." } }
        @else if runs.is_empty() { p { "It has no games yet." } }
        @else {
            (scrolling("Games", &html! {
                th scope="col" { "against" }
                th scope="col" { "board" }
                th scope="col" class="figure" { "seat" }
                th scope="col" { "result" }
                @if full {
                    th scope="col" class="figure" { "points" }
                    th scope="col" { "fault" }
                    th scope="col" { "transcript" }
                }
            }, &html! {
                @for run in runs {
                    @if let Some(key) = contents.key_of(run) {
                        @let seat = key.seats().position(|seat| **seat == *entry).unwrap_or_default();
                        @let game = Game::new(key.clone(), contents.record_of(run));
                        @let sees = viewer.sees_game(&key, state);
                        @let played = game.played().filter(|_| sees);
                        @let result = played.and_then(|played| played.seats.get(seat));
                        tr {
                            th scope="row" { (foreign(&others(state, &key, seat))) }
                            td { (foreign(&key.board)) }
                            td class="figure" { (seat + 1) }
                            td {
                                @match (&game.state, played) {
                                    (GameState::Missing, _) => "to be played",
                                    (_, Some(played)) => (word(played.outcome(seat))),
                                    (_, None) if !sees => "played; its result is hidden",
                                    (GameState::JudgeError, _) => "judge error; it is played again",
                                    (_, None) => "not played: a player does not build",
                                }
                            }
                            @if full {
                                td class="figure" { @if let Some(result) = result { (result.points) } }
                                td {
                                    @if let Some(fault) = result.and_then(|result| result.fault.as_ref()) {
                                        "ask " (fault.ask) ": " (foreign(&fault.verdict.fault().unwrap_or_default()))
                                    }
                                }
                                td {
                                    @if played.is_some() {
                                        a href={ "submissions/" (number) "/games/" (run) }
                                            aria-label={ "transcript against " (others(state, &key, seat)) " on " (key.board) ", seat " (seat + 1) } { "read" }
                                    }
                                }
                            }
                        }
                    }
                }
            }))
        }
    }
}

/// The names of the players in the other seats.
pub(crate) fn others(state: &Office, key: &RunKey, seat: usize) -> String {
    let others: Vec<&str> =
        key.seats().enumerate().filter(|(other, _)| *other != seat).map(|(_, name)| player(state, name)).collect();
    others.join(", ")
}

fn word(outcome: GameResult) -> &'static str {
    match outcome {
        GameResult::Won => "won",
        GameResult::Drawn => "drawn",
        GameResult::Lost => "lost",
    }
}
