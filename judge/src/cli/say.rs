//! Messages of the command on standard error, and its notices.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

#[cfg(feature = "sandbox")]
use super::Failure;
use judge_core::text::printable;
use judge_report::layout::folded;

/// The queue of messages, in a command that does not wait for their reader.
#[cfg(feature = "sandbox")]
static LINES: std::sync::OnceLock<judge_office_web::Lines> = std::sync::OnceLock::new();
/// The longest wait for messages to be printed at the end of such a command.
#[cfg(feature = "sandbox")]
const FLUSH_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(1);

/// Prints all messages, including those of panics, on a separate thread from now on, so that a stopped terminal or an unread
/// pipe blocks nothing. Messages that do not fit into the queue are dropped and counted.
#[cfg(feature = "sandbox")]
pub(super) fn print_in_background() -> Result<judge_office_web::Lines, Failure> {
    let lines = judge_office_web::Lines::written_by(print_and_wait);
    let lines = lines.map_err(|error| Failure::judge(format!("threads: {error}")))?;
    std::panic::set_hook(Box::new(|panic| say(&panic.to_string())));
    Ok(LINES.get_or_init(|| lines).clone())
}

/// Waits for messages to be printed, at the end of such a command.
#[cfg(feature = "sandbox")]
pub(super) fn flush() {
    if let Some(lines) = LINES.get() {
        lines.flush(FLUSH_TIMEOUT);
    }
}

/// The notices that [`notice`] has printed, for JSON.
static NOTICES: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// The most notices in a JSON document. A server prints many, but writes no such document.
const MAX_NOTICES: usize = 1000;

/// Prints a remark for the user to standard error, and keeps it for JSON. The remark may quote untrusted text.
pub(super) fn notice(text: impl Display) {
    let text = text.to_string();
    say(&format!("notice: {text}"));
    let mut notices = NOTICES.lock().unwrap_or_else(PoisonError::into_inner);
    if notices.len() < MAX_NOTICES {
        notices.push(text);
    }
}

/// The notices so far, for a document as JSON.
pub(super) fn notices() -> Vec<String> {
    NOTICES.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Prints a message, which may quote untrusted text, to standard error. Failures are ignored.
pub(super) fn say(message: &str) {
    #[cfg(feature = "sandbox")]
    if let Some(lines) = LINES.get() {
        return lines.add(message);
    }
    print_and_wait(message);
}

/// Prints a message, which may quote untrusted text, to standard error on the calling thread, and waits for that.
/// Failures are ignored.
fn print_and_wait(message: &str) {
    #[cfg(feature = "sandbox")]
    let width = judge_show::screen::columns(io::stderr());
    #[cfg(not(feature = "sandbox"))]
    let width = None;
    for line in message.lines() {
        writeln!(io::stderr(), "{}", folded(&printable(line), width)).ok();
    }
}
