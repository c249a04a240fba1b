//! Submissions: the form, the list of a team, and one with what became of it.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use judge_contest::builds::LOGS;
use judge_core::journal::{Built, Contents};
use judge_core::legend;
use judge_core::results::Results;
use judge_core::text::printable_lines;
use judge_files::regular;
use judge_office::state::{State, Submission};
use judge_office::status::{self, Status};
use maud::{Markup, html};

use super::{duration, foreign, time};
use crate::Feedback;
use crate::app::App;

/// The most bytes of a build's output that are shown: its end.
const LOG_BYTES: u64 = 64 << 10;

/// The form to submit.
pub(crate) fn form(app: &App, refused: Option<&str>) -> Markup {
    html! {
        @if let Some(reason) = refused { p class="refused" role="alert" { "Not accepted: " (foreign(reason)) "." } }
        form method="post" action="/submit" enctype="multipart/form-data" {
            label for="files" { "Source files, an archive, or an executable" }
            input id="files" name="files" type="file" multiple required;
            label for="language" { "Language" }
            select id="language" name="language" {
                option value="" { "by the ending of the files" }
                @for language in app.office.languages() { option value=(language.code) { (language.name) } }
                option value="executable" { "executable" }
            }
            button { "Submit" }
        }
        p class="about" { "It is accepted when the next page shows its number: then it is on disk." }
        p class="about" { "With a client of Kattis: " a href="/kattisrc" { "your settings" } " as ~/.kattisrc." }
    }
}

/// A list of submissions, the newest first.
pub(crate) fn list(rows: &[(u64, &Submission, Status)], with_team: bool) -> Markup {
    html! {
        @if rows.is_empty() { p { "Nothing was submitted yet." } }
        @else {
            div class="wide" role="region" aria-label="Submissions" tabindex="0" {
                table {
                    thead {
                        tr {
                            th scope="col" class="figure" { "number" }
                            @if with_team { th scope="col" { "team" } }
                            th scope="col" { "time" }
                            th scope="col" { "file" }
                            th scope="col" { "state" }
                        }
                    }
                    tbody {
                        @for (at, submission, status) in rows {
                            tr {
                                th scope="row" class="figure" {
                                    a href={ "/submissions/" (submission.number) } { (submission.number) }
                                }
                                @if with_team { td { (foreign(&submission.team)) } }
                                td { (time(*at)) }
                                td { (foreign(&submission.file)) }
                                td { (foreign(&status.to_string())) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Tests whether a submission with this status will have another one without anybody's doing.
pub(crate) fn changes(status: &Status) -> bool {
    matches!(status, Status::Queued | Status::Running { .. })
}

/// One submission as its team or the organiser sees it.
pub(crate) struct Details<'a> {
    pub(crate) app: &'a App,
    pub(crate) state: &'a State,
    pub(crate) contents: &'a Contents,
    pub(crate) feedback: Feedback,
}

impl Details<'_> {
    /// The page, and whether it can still change.
    pub(crate) fn main(&self, at: u64, submission: &Submission) -> (Markup, bool) {
        let status = status::of(submission, self.contents);
        let entry = submission.entry();
        let builds = self.app.builds() == Some(submission.number);
        let changes = changes(&status);
        let markup = html! {
            dl {
                dt { "State" } dd { span class="state" role="status" { (self.state_text(submission, &status, builds)) } }
                dt { "Accepted" } dd { (time(at)) }
                dt { "Team" } dd { (foreign(&submission.team)) }
                dt { "File" } dd {
                    a href={ "/submissions/" (submission.number) "/files" } { (foreign(&submission.file)) }
                    " (" (submission.bytes) " bytes)"
                }
                dt { "SHA-256" } dd { code { (submission.sha256) } }
            }
            @if let Some(log) = self.build_log(&entry) {
                h2 { "Output of its build" }
                pre tabindex="0" { (log) }
            }
            (self.verdicts(&entry, &status))
            @if changes { p { a href={ "/submissions/" (submission.number) } { "Look again" } } }
        };
        (markup, changes)
    }

    fn state_text(&self, submission: &Submission, status: &Status, builds: bool) -> Markup {
        html! {
            @match status {
                Status::Queued if builds => "building",
                Status::Queued => {
                    "queued; "
                    @match self.before(submission) { 0 => "none", n => (n) }
                    " that came earlier waits"
                }
                Status::DoesNotBuild(reason) => { "does not build: " (foreign(reason)) }
                Status::Running { made, of } => { "running: " (made) " of " (of) " boards are judged" }
                Status::Superseded { by } => { "judged; " (foreign(by)) " counts instead" }
                other => (foreign(&other.to_string())),
            }
        }
    }

    /// The number of submissions that came earlier and wait, too.
    fn before(&self, submission: &Submission) -> usize {
        let all = self.state.submissions()[..].iter().map(|(_, other)| other);
        let earlier = all.take_while(|other| other.number < submission.number);
        earlier.filter(|other| status::of(other, self.contents) == Status::Queued).count()
    }

    /// What its build printed, if it printed anything.
    pub(crate) fn build_log(&self, entry: &str) -> Option<String> {
        let builds = self.contents.builds.iter();
        let build = builds.rev().find(|build| build.entries.iter().any(|built| built == entry))?;
        let name = format!("{entry}.{}.log", build.attempt);
        let path = self.app.conduct.results().join(LOGS).join(name);
        let printed = regular::tail(Path::new(&path), LOG_BYTES).unwrap_or_default();
        let printed = String::from_utf8_lossy(&printed);
        let shown = printable_lines(printed.trim_end());
        let failed = build.built != Built::Succeeded;
        (failed || !shown.is_empty()).then(|| shown.into_owned())
    }

    /// The verdicts board by board, as far as the contest shows them.
    fn verdicts(&self, entry: &str, status: &Status) -> Markup {
        let judged =
            matches!(status, Status::Running { .. } | Status::Counts | Status::Superseded { .. } | Status::Held);
        if !judged {
            return html! {};
        }
        // As if it were alone, whether it counts or not.
        let results = Results::of_entries(self.contents, &HashSet::from([entry]), &BTreeMap::new());
        let Some(row) = results.rows.first() else { return html! {} };
        let total = row.total_text(&row.total);
        let (full, boards) = (self.feedback == Feedback::Full, self.feedback != Feedback::Score);
        let reason = |board: &str| {
            let fault = results.faults.iter().find(|fault| *fault.board == *board && fault.repeat == 1);
            fault.map(|fault| fault.reason.clone()).filter(|_| full)
        };
        let verdict = |cell: &judge_core::score::RunCell| match cell.code {
            _ if cell.is_empty() => "not judged yet",
            Some(code) => legend::meaning(code, results.judged_by),
            None if cell.solves(cell.of) => "solved",
            None if cell.valid || cell.metrics.points.is_some() => "valid answer",
            None if !cell.judged() => "not judged yet",
            None => "not solved",
        };
        html! {
            h2 { "Verdicts" }
            @if boards {
                div class="wide" role="region" aria-label="Verdicts" tabindex="0" {
                    table {
                        thead {
                            tr {
                                th scope="col" { "board" }
                                th scope="col" { "verdict" }
                                @if full {
                                    th scope="col" class="figure" { "figures" }
                                    th scope="col" class="figure" { "time" }
                                    th scope="col" { "reason" }
                                }
                            }
                        }
                        tbody {
                            @for (board, cell) in results.boards.iter().zip(&row.cells) {
                                tr {
                                    th scope="row" { (foreign(&board.marked())) }
                                    td { (verdict(cell)) }
                                    @if full {
                                        td class="figure" { @if !cell.is_empty() { (legend::cell(cell)) } }
                                        td class="figure" { @if let Some(ms) = cell.metrics.time_ms() { (duration(ms)) } }
                                        td { @if let Some(reason) = reason(&board.name) { (foreign(&reason)) } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            @if full && boards && row.cells.iter().any(|cell| cell.suspect) { (super::suspect()) }
            p { "In all: " strong { (total) } }
        }
    }
}
