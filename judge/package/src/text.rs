//! Texts of a package in the form of a contest file.

use judge_core::names::{composed, is_plain};

/// The longest name of a board, an entry or a group.
pub(crate) const NAME_CHARACTERS: usize = judge_core::names::MAX_CHARACTERS;

pub(crate) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

pub(crate) fn list(words: &[String]) -> String {
    toml::Value::Array(words.iter().cloned().map(toml::Value::String).collect()).to_string()
}

/// A text reduced to the characters that are allowed in names in contest files.
pub(crate) fn plain_name(text: &str) -> String {
    let plain = |c: char| match c {
        '/' => '.',
        c if is_plain(c) => c,
        _ => '_',
    };
    composed(text).chars().map(plain).collect()
}
