//! Tests whether the site is fully operational. Each reason is a public line: it contains nothing about submissions, and no file
//! of the organiser.

use crate::app::App;

/// The lines of a site that is ready.
///
/// # Errors
/// The reasons why it is not.
pub(crate) fn state(app: &App) -> Result<String, String> {
    let found = [
        (app.state().is_err(), "the office's log cannot be read"),
        (app.is_full(), "the disk is full"),
        (app.judging.stop_reason().is_some(), "judging has stopped and is tried again; the organiser's page says why"),
    ];
    let reasons: String =
        found.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| format!("{reason}\n")).collect();
    if !reasons.is_empty() {
        return Err(reasons);
    }
    let lost = app.judging.isolated().is_some_and(|isolated| isolated.lost.is_some());
    let less = if lost { "runs are isolated less than those before; the organiser's page says how\n" } else { "" };
    Ok(format!("ready\n{less}"))
}
