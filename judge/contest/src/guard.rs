//! Turns panics of foreign code, such as engines and referees, into errors.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls code that may panic, and returns the panic as an error. A panic then costs one run instead of the contest.
pub(crate) fn catch_panic<T>(what: &str, call: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    panic_message(call).unwrap_or_else(|message| Err(format!("{what} panicked: {message}")))
}

/// Calls code that may panic. The error is the message of the panic.
pub(crate) fn panic_message<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| message(&*panic).to_owned())
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message")
}
