//! The pages of submissions: the form, the list of a team, and a single submission with its result.

use std::collections::HashSet;
use std::path::Path;

use judge_contest::archive;
use judge_contest::builds::{LOGS, first_error};
use judge_contest::office::{Counts, Feedback, Games};
use judge_core::journal::{Built, ContestState};
use judge_core::key::RunKey;
use judge_core::legend;
use judge_core::map::Map;
use judge_core::results::{BoardHead, Results};
use judge_core::score::RunCell;
use judge_core::text::printable_lines;
use judge_files::regular;
use judge_office::intake;
use judge_office::judging::Forecast;
use judge_office::state::{State, Submission};
use judge_office::submission_state::{self, SubmissionState, SubmissionStates};
use judge_office::view::judgements::{Judgements, is_of_matches, rule};
use judge_office::view::{Viewer, last_round};
use maud::{Markup, html};

use super::games::viewer_of;
use super::list::letter_of;
use super::{duration, foreign, games, scrolling, segment, time};
use crate::app::App;
use crate::verdicts::{StateText, capital};

/// The most bytes at the end of a build's output that are shown.
const LOG_BYTES: u64 = 64 << 10;

/// The most earlier submissions that are offered for comparison.
const MAX_COMPARED: usize = 50;

/// A submission as its team or the organiser sees it.
pub(crate) struct Details<'a> {
    pub(crate) app: &'a App,
    pub(crate) state: &'a State,
    pub(crate) contents: &'a ContestState,
    pub(crate) feedback: Feedback,
    pub(crate) for_organiser: bool,
}

impl Details<'_> {
    /// The page, and true if it can still change.
    pub(crate) fn main(&self, at: u64, submission: &Submission) -> (Markup, bool) {
        let shown = SubmissionStates::new(&self.viewer(), self.state, self.contents).of(submission);
        let entry = submission.entry();
        let changes = shown.is_active();
        let markup = html! {
            dl {
                dt { "Verdict" } dd { span class="state" role="status" { (self.state_text(submission, &shown)) } }
                dt { "Submitted" } dd {
                    (time(at))
                    @if let Some(arrived) = submission.arrived { "; it arrived at " (time(arrived)) }
                    @if submission.late { ", after the end" }
                }
                dt { "Team" } dd { (foreign(&submission.team)) }
                @if let Some(letter) = letter_of(self.contents, submission) {
                    dt { "Problem" } dd { (letter) ": " a href={ "problems/" (segment(&submission.problem)) "/" } { (foreign(&submission.problem)) } }
                }
                @if let Some(language) = self.app.language(submission) {
                    dt { "Language" } dd { (foreign(self.app.office.language_name(&language))) }
                }
                dt { "File" } dd {
                    a href={ "submissions/" (submission.number) "/files" } { (foreign(&submission.file)) }
                    " (" (submission.bytes) " bytes)"
                }
                @if let Some(left_out) = self.left_out(submission) { dt { "Left out of it" } dd { (foreign(&left_out)) } }
                dt { "SHA-256" } dd { code { (submission.sha256) } }
            }
            @if let Some(log) = self.build_log(&entry) {
                h2 { "Output of its build" }
                pre tabindex="0" { (log) }
            }
            @if is_of_matches(self.contents) {
                @let viewer = viewer_of(&submission.team, self.for_organiser);
                (games::list(self.state, self.contents, &entry, &viewer, self.feedback))
            } @else { (self.verdicts(submission, &shown)) }
            (self.actions(submission, &shown))
            @if changes { p { a href={ "submissions/" (submission.number) } { "Look again" } } }
        };
        (markup, changes)
    }

    /// The files of an archive that were left out.
    fn left_out(&self, submission: &Submission) -> Option<String> {
        let bytes = archive::is_archive(&submission.file).then(|| self.app.office.upload(&submission.sha256))?.ok()?;
        intake::files(&submission.file, &bytes).ok()?.left_out_text()
    }

    /// The viewer whose rounds are shown.
    fn viewer(&self) -> Viewer {
        if self.for_organiser { Viewer::Organiser } else { Viewer::Public }
    }

    fn state_text(&self, submission: &Submission, shown: &SubmissionState) -> Markup {
        let words = || {
            // The games of players have no end.
            let judged = [submission].into_iter().filter(|_| !is_of_matches(self.contents)).collect::<Vec<_>>();
            let viewer = viewer_of(&submission.team, self.for_organiser);
            let judgement = Judgements::new(self.state, self.contents, &viewer).of(&judged).pop().flatten();
            let end = judgement.and_then(|judgement| judgement.ended).map(|(_, end)| end);
            StateText::new(shown, end, self.feedback).markup()
        };
        html! {
            @match shown {
                SubmissionState::Queued => (self.queued(submission)),
                SubmissionState::Unbuildable(reason) => { "Compile error: " (foreign(&first_error(reason))) }
                SubmissionState::Running { finished, of } if is_of_matches(self.contents) => { (finished) " of " (of) " games are played" }
                SubmissionState::Running { finished, of } => { "Running: " (finished) " of " (of) " boards are judged" }
                SubmissionState::Waits => (self.next_games()),
                SubmissionState::Late => "Late: it came after the end and is not judged unless the organiser admits it",
                _ => (words()),
            }
        }
    }

    /// The time at which a built player plays.
    fn next_games(&self) -> Markup {
        match self.state.rules().games {
            Games::Daily(seconds) => {
                let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
                html! { "Built; it plays from " (format!("{hours:02}:{minutes:02}")) " UTC on" }
            }
            Games::AtOnce | Games::OnCommand => html! { "Built; it plays in the next games" },
        }
    }

    fn queued(&self, submission: &Submission) -> Markup {
        if self.app.judging.building() == Some(submission.number) {
            return html! { "Building" };
        }
        if self.app.judging.stop_reason().is_some() {
            return html! { "Queued: judging has stopped and is tried again" };
        }
        match self.app.judging.forecast(self.state, self.contents, submission.number) {
            None => html! { "Queued" },
            Some(Forecast { before, seconds }) => html! {
                "Queued: " @match before { 0 => "it is next", 1 => "1 is before it", n => { (n) " are before it" } }
                @if let Some(seconds) = seconds.filter(|_| before > 0) {
                    "; expected to start in about " (duration(seconds.saturating_mul(1000).max(1000)))
                }
            },
        }
    }

    /// The actions that its team or the organiser can take.
    fn actions(&self, submission: &Submission, shown: &SubmissionState) -> Markup {
        let number = submission.number;
        let waits = matches!(shown, SubmissionState::Queued | SubmissionState::Late | SubmissionState::Held(_));
        let button = |action: &str, text: &str| {
            html! { form method="post" action={ "submissions/" (number) "/" (action) } { button { (text) } } }
        };
        let gate = self.state.gate(number);
        let decide = |action: &str, text: &str| html! { button name="action" value=(action) { (text) } };
        html! {
            @if self.for_organiser {
                h2 { "Decide" }
                form method="post" action={ "office/submissions/" (number) } {
                    label for="because" { "Reason, for the team to read" }
                    input id="because" name="because" maxlength="500" autocomplete="off";
                    div class="actions" {
                        @if *shown == SubmissionState::Late { (decide("admit", "Admit")) }
                        @if gate.held.is_none() { (decide("hold", "Hold")) }
                        @if gate.held.is_some() || *shown == SubmissionState::Stuck { (decide("release", "Release")) }
                        @if !gate.cancelled && waits { (decide("cancel", "Cancel")) }
                        @if gate.ignored.is_none() { (decide("ignore", "Ignore")) } @else { (decide("consider", "Count again")) }
                    }
                }
                (self.rule(submission))
                @let before = self.before(submission);
                @if !before.is_empty() {
                    h2 { "Compare with" }
                    ul { @for other in &before { li {
                        a href={ "office/submissions/" (number) "/diff/" (other.number) } { (foreign(&other.entry())) }
                    } } }
                }
            } @else {
                @if waits { (button("cancel", "Take it back")) }
                @if rule(self.state, self.contents) == Counts::Chosen && !self.state.finals() {
                    @if self.state.teams().get(&*submission.team).is_some_and(|team| team.chosen.get(&submission.problem) == Some(&number)) {
                        p { "It is the one that you have chosen." }
                    } @else { (button("choose", "Choose it to count")) }
                }
            }
        }
    }

    /// The form for a verdict by hand.
    fn rule(&self, submission: &Submission) -> Markup {
        let entry = submission.entry();
        let judged: Vec<&str> = judged_boards(self.contents, &entry);
        html! {
            @if !judged.is_empty() {
                form method="post" action={ "office/submissions/" (submission.number) "/rule" } {
                    label for="board" { "Declare an answer wrong on" }
                    select id="board" name="board" { @for board in judged { option value=(board) { (board) } } }
                    label for="why" { "Reason, for everybody to read" }
                    input id="why" name="because" required maxlength="500" autocomplete="off";
                    button { "Declare it wrong" }
                }
            }
        }
    }

    /// The earlier submissions of the same team to the same problem, newest first.
    fn before(&self, submission: &Submission) -> Vec<&Submission> {
        let own = self.state.submissions_of(&submission.team, &submission.problem).rev().map(|(_, one)| one);
        own.filter(|one| one.number < submission.number).take(MAX_COMPARED).collect()
    }

    /// The output of its build, if any.
    pub(crate) fn build_log(&self, entry: &str) -> Option<String> {
        let builds = self.contents.builds.iter();
        let build = builds.rev().find(|build| build.entries.iter().any(|built| built == entry))?;
        let name = format!("{entry}.{}.log", build.attempt);
        let path = self.app.open_contest.results().join(LOGS).join(name);
        // Without a log, the upload was refused before any command.
        let printed = regular::tail(Path::new(&path), LOG_BYTES).ok()?;
        let printed = String::from_utf8_lossy(&printed);
        let shown = printable_lines(printed.trim_end());
        let failed = build.built != Built::Succeeded;
        (failed || !shown.is_empty()).then(|| shown.into_owned())
    }

    /// The verdicts per board, if the contest shows them.
    fn verdicts(&self, submission: &Submission, shown: &SubmissionState) -> Markup {
        let entry = &*submission.entry();
        let judged = matches!(
            shown,
            SubmissionState::Running { .. }
                | SubmissionState::Counts
                | SubmissionState::Superseded { .. }
                | SubmissionState::Stuck
        );
        if !judged {
            return html! {};
        }
        // The entry is scored alone, whether it counts or not.
        let open = last_round(self.state, self.contents, &self.viewer());
        let alone = |last| Results::from_entries_until(self.contents, &HashSet::from([entry]), &Map::default(), last);
        let results = alone(open);
        let known = submission_state::known_round(&self.viewer(), self.state, self.contents).min(self.contents.round());
        let sealed = (open < known).then(|| alone(known));
        let Some(row) = results.rows.first() else { return html! {} };
        let total = row.total_text(&row.total);
        let (full, boards) = (self.feedback == Feedback::Full, self.feedback != Feedback::Score);
        let reason = |board: &str| {
            let fault = results.faults.iter().find(|fault| *fault.board == *board && fault.repeat == 1);
            fault.map(|fault| fault.reason.clone()).filter(|_| full)
        };
        let of_problem =
            |board: &&(&BoardHead, &RunCell)| self.contents.plan.problem_of(&board.0.name).id == submission.problem;
        let verdict = |cell: &RunCell| match cell.code {
            _ if cell.is_empty() => "not judged yet",
            Some(code) => legend::meaning(code, &results.scoring),
            None if results.scoring.accepts() && cell.judged() => "accepted",
            None if cell.solves() => "solved",
            None if cell.valid || cell.is_scored() => "valid answer",
            None if !cell.judged() => "not judged yet",
            None => "not solved",
        };
        html! {
            h2 { "Verdicts" }
            @if boards {
                (scrolling("Verdicts", &html! {
                    th scope="col" { "board" }
                    th scope="col" { "verdict" }
                    @if full {
                        th scope="col" class="figure" { "figures" }
                        th scope="col" class="figure" { "time" }
                        th scope="col" { "reason" }
                        th scope="col" { "answer" }
                    }
                }, &html! {
                    @for (board, cell) in results.boards.iter().zip(&row.cells).filter(|cell| of_problem(&cell)) {
                        tr {
                            th scope="row" { (foreign(&board.marked())) }
                            td { (capital(verdict(cell))) }
                            @if full {
                                td class="figure" { @if !cell.is_empty() { (legend::cell(cell)) } }
                                td class="figure" { @if let Some(ms) = cell.metrics.time_ms() { (duration(ms)) } }
                                td class="why" { @if let Some(reason) = reason(&board.name) { (foreign(&reason)) } }
                                td {
                                    @if !cell.is_empty() && *shown != SubmissionState::Stuck {
                                        a href={ "submissions/" (number_of(entry)) "/answers/" (segment(&board.name)) }
                                            aria-label={ (board.name) " as text" } { "as text" }
                                    }
                                }
                            }
                        }
                    }
                }))
            }
            @if full && boards && row.cells.iter().any(|cell| cell.suspect) { (super::suspect()) }
            @if let Some(results) = &sealed && let Some(row) = results.rows.first() {
                ul {
                    @for (board, cell) in results.boards.iter().zip(&row.cells).filter(|cell| of_problem(&cell) && cell.0.round > open) {
                        li { (foreign(&board.marked())) ", sealed: " (verdict(cell)) }
                    }
                }
            }
            p { "In all: " strong { (total) } }
            @if full && boards && *shown != SubmissionState::Stuck && row.cells.iter().any(|cell| !cell.is_empty()) {
                p { a href={ "submissions/" (number_of(entry)) "/replay" } { "Replay its answers" } }
            }
        }
    }
}

/// The boards on which an entry has a verdict.
fn judged_boards<'c>(contents: &'c ContestState, entry: &str) -> Vec<&'c str> {
    let boards = contents.plan.boards.iter().map(|board| &*board.name);
    let judged = |board: &&str| run_on(contents, entry, board).is_some_and(|key| contents.record(&key).is_some());
    boards.filter(judged).collect()
}

/// The first run of an entry on a board.
pub(crate) fn run_on(contents: &ContestState, entry: &str, board: &str) -> Option<RunKey> {
    let boards = contents.plan.boards.iter().zip(contents.plan.rounds_of_boards());
    let round = boards.into_iter().find(|(known, _)| known.name == board)?.1;
    Some(RunKey::new(round, entry, board))
}

/// The number of the submission of an entry.
fn number_of(entry: &str) -> &str {
    entry.rsplit_once('.').map_or("", |(_, number)| number)
}
