//! Texts of a package in the form of a contest file.

use std::fmt::Write as _;

use judge_core::names::{composed, is_plain};
use judge_core::text::controls_output;

/// The longest name of a board, an entry or a group.
pub(crate) const NAME_CHARACTERS: usize = judge_core::names::MAX_CHARACTERS;

/// A string of TOML. Characters that could control a terminal are escaped.
pub(crate) fn quoted(text: &str) -> String {
    if !text.contains(|c| controls_output(c) && c != '\n') {
        return toml::Value::String(text.to_owned()).to_string();
    }
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // All of these characters are in the first 65536.
            c if controls_output(c) => write!(quoted, "\\u{:04X}", u32::from(c)).expect("text grows"),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

pub(crate) fn list(words: &[String]) -> String {
    format!("[{}]", words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", "))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_of_a_contest_file_steers_no_terminal_and_is_read_as_it_was() {
        for text in
            ["plain", "it's \"so\" \\ c:\\x", "two\nlines", "\u{9b}31m \u{202e}\n\u{1b}[2J\t\\\"\u{85}\r", "Größe", ""]
        {
            let file = format!("name = {}\nlist = {}\n", quoted(text), list(&[text.to_owned(), "b".into()]));
            assert!(!file.contains(|c| controls_output(c) && c != '\n'), "{file:?}");
            let read: toml::Table = toml::from_str(&file).expect("TOML");
            assert_eq!(read["name"].as_str(), Some(text));
            assert_eq!(read["list"].as_array().and_then(|list| list[0].as_str()), Some(text));
        }
    }
}
