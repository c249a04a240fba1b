//! Single values of a contest file and of the command line. Errors are fragments.

use std::path::Path;
use std::time::Duration;

use bytesize::ByteSize;

use judge_core::hint::Hint;
use judge_files::regular;

/// The longest board file, in bytes.
const BOARD_BYTES: u64 = 1 << 20;
/// The longest limit. It keeps every sum of limits within its type.
const MAX_LIMIT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// A text that is not a value of its kind. Each variant contains the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// It is not a duration; the reason as a fragment.
    #[error("invalid duration `{0}` ({1}); use for example \"10m\", \"1m 30s\" or \"500ms\"")]
    Duration(String, String),
    /// A duration of more than seven days.
    #[error("invalid duration `{0}`: more than seven days")]
    TooLong(String),
    /// A duration that is not a whole number of milliseconds.
    #[error("invalid duration `{0}`: finer than a millisecond")]
    TooFine(String),
    /// It is not a size.
    #[error("invalid size `{0}`; use for example \"16MiB\"")]
    Size(String),
    /// It is neither a size nor `off`.
    #[error("invalid size `{0}`; use for example \"16MiB\", or \"off\"")]
    Kept(String),
}

/// A duration such as `10m` or `1m 30s`.
///
/// # Errors
/// [`ValueError::Duration`], [`ValueError::TooLong`], and [`ValueError::TooFine`].
pub fn parse_duration(text: &str) -> Result<Duration, ValueError> {
    let duration =
        humantime::parse_duration(text).map_err(|error| ValueError::Duration(text.to_owned(), error.to_string()))?;
    if duration > MAX_LIMIT {
        return Err(ValueError::TooLong(text.to_owned()));
    }
    if duration.subsec_nanos() % 1_000_000 != 0 {
        return Err(ValueError::TooFine(text.to_owned()));
    }
    Ok(duration)
}

/// A size such as `16MiB` in bytes.
///
/// # Errors
/// [`ValueError::Size`].
pub fn parse_size(text: &str) -> Result<u64, ValueError> {
    let size: ByteSize = text.parse().map_err(|_| ValueError::Size(text.to_owned()))?;
    Ok(size.as_u64())
}

/// The most bytes of a program that a results directory keeps by default.
pub const KEPT_BYTES: u64 = 64 << 20;

/// The most bytes of a program to keep: a size, or `off` for 0.
///
/// # Errors
/// [`ValueError::Kept`].
pub fn parse_kept(text: &str) -> Result<u64, ValueError> {
    match text {
        "off" => Ok(0),
        size => parse_size(size).map_err(|_| ValueError::Kept(text.to_owned())),
    }
}

/// The milliseconds of a duration that [`parse_duration`] returned.
///
/// # Panics
/// If the duration does not fit, which is impossible for a result of [`parse_duration`].
pub fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).expect("at most seven days")
}

/// A board file that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
#[non_exhaustive]
pub struct BoardFileError {
    /// The reason, as a fragment.
    pub reason: String,
    /// The remedy, if there is one.
    pub hint: Option<Hint>,
}

/// Reads a board file.
///
/// # Errors
/// [`BoardFileError`] if the file is not a regular file, is larger than the limit, or cannot be read.
pub fn read_board(path: &Path) -> Result<Vec<u8>, BoardFileError> {
    regular::read(path, BOARD_BYTES).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => BoardFileError {
            reason: "no such file".to_owned(),
            hint: Some(Hint::NewBoard { missing: path.to_owned() }),
        },
        _ => BoardFileError { reason: error.to_string(), hint: None },
    })
}

/// A command as a list of words, or as one string, which is split into words as in a shell.
pub(super) fn words(command: &toml::Value) -> Result<Vec<String>, String> {
    let remedy = "write command = \"path/to/program\" or command = [\"python3\", \"{dir}/solver.py\"]";
    let words = match command {
        toml::Value::String(line) => shell_words::split(line).map_err(|error| format!("command: {error}; {remedy}"))?,
        toml::Value::Array(words) => words
            .iter()
            .map(|word| word.as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| format!("command contains values that are not strings; {remedy}"))?,
        _ => return Err(format!("command is neither a string nor a list of strings; {remedy}")),
    };
    if words.first().is_none_or(String::is_empty) {
        return Err(format!("command is empty; {remedy}"));
    }
    Ok(words)
}
