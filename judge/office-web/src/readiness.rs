//! Tests whether the site is fully operational. Each reason is a public line: it contains nothing about submissions, and no file
//! of the organiser.

use crate::app::App;

/// The reasons why the site is not ready; empty if it is.
pub(crate) fn reasons(app: &App) -> Vec<&'static str> {
    let found = [
        (app.state().is_err(), "the office's log cannot be read"),
        (app.is_full(), "the disk is full"),
        (app.judging.stalled_by().is_some(), "judging has stopped and is tried again; the organiser's page says why"),
    ];
    found.into_iter().filter_map(|(holds, reason)| holds.then_some(reason)).collect()
}
