//! Tables of boards: a table of a named file has one board, and a table with a pattern has one per matching file.

use std::cmp::Ordering;
use std::fmt;
use std::path::{Path, PathBuf};

use judge_core::names;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::{BoardTable, BoardsWanted, ContestError, ContestErrorKind, Reader, wording};
use crate::contest::files::shown;

/// A table of boards as the file contains it.
pub(super) type GivenBoards = BoardTable<Option<Spanned<String>>, Option<Spanned<Files>>>;

/// A list of files that entries find in their working directory, or the pattern of board files.
pub(super) enum Files {
    Pattern(String),
    OfEntries(Vec<Spanned<String>>),
}

impl<'de> Deserialize<'de> for Files {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Files;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sequence")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Files, E> {
                Ok(Files::Pattern(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Files, A::Error> {
                let mut files = Vec::new();
                while let Some(file) = list.next_element()? {
                    files.push(file);
                }
                Ok(Files::OfEntries(files))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl Reader<'_> {
    /// The tables of all boards, in their order. A pattern that matches no file is refused if boards
    /// are needed.
    pub(super) fn given_boards(
        &self,
        tables: Vec<Spanned<GivenBoards>>,
        wanted: BoardsWanted,
    ) -> Result<Vec<BoardTable>, ContestError> {
        let mut boards = Vec::new();
        for table in tables {
            let (span, table) = (table.span(), table.into_inner());
            let BoardTable { name, file, reconstruction, note, answer, args, entry_args, files, .. } = table;
            let BoardTable { group, points, best, struck, .. } = table;
            let usual = |name, file, answer, files| BoardTable {
                name,
                file,
                reconstruction,
                note: note.clone(),
                answer,
                args: args.clone(),
                entry_args: entry_args.clone(),
                files,
                group: group.clone(),
                points: points.clone(),
                best: best.clone(),
                struck: struck.clone(),
            };
            let (at, files) =
                files.map_or((0..0, Files::OfEntries(Vec::new())), |files| (files.span(), files.into_inner()));
            let pattern = match files {
                Files::Pattern(pattern) => pattern,
                Files::OfEntries(files) => {
                    let missing = |key: &str| {
                        let reason = wording::reason(&format!("missing field `{key}`"), None, self.text);
                        ContestError::at(self.path, self.line(&span), ContestErrorKind::Syntax, reason)
                    };
                    let name = name.ok_or_else(|| missing("name"))?;
                    boards.push(usual(name, file.ok_or_else(|| missing("file"))?, answer, files));
                    continue;
                }
            };
            if let Some(other) = name.or(file) {
                let reason = "a pattern in `files` names its boards after their files; remove `name` and `file`, or write `files` as a \
                              list, of what entries find in their working directory";
                return Err(self.refuse(other.span(), reason));
            }
            let matching =
                self.matching(&pattern).map_err(|reason| self.refuse(at.clone(), format!("files: {reason}")))?;
            if matching.is_empty() && wanted == BoardsWanted::Some {
                return Err(self.refuse(at, format!("files: `{pattern}` matches no file")));
            }
            for (name, file) in matching {
                let answer = answer.as_ref().map(|of| Spanned::new(of.span(), of.get_ref().replace('*', &name)));
                let [name, file] = [names::composed(&name), file].map(|text| Spanned::new(at.clone(), text));
                boards.push(usual(name, file, answer, Vec::new()));
            }
        }
        Ok(boards)
    }

    /// The files that match a pattern, sorted by name, each with its name without its ending. Numbers in names are compared by
    /// value. The error is a fragment.
    fn matching(&self, pattern: &str) -> Result<Vec<(String, String)>, String> {
        let (folder, name) = pattern.rsplit_once('/').map_or(("", pattern), |(folder, name)| (folder, name));
        if folder.contains(['*', '?']) {
            return Err(format!("`{pattern}` has a * or ? in the name of a folder; use them in that of the file only"));
        }
        let place = self.path.parent().unwrap_or(Path::new("")).join(folder);
        let place = if place.as_os_str().is_empty() { PathBuf::from(".") } else { place };
        let failed = |error: std::io::Error| format!("{}: {error}", shown(&place));
        let mut found = Vec::new();
        for item in std::fs::read_dir(&place).map_err(failed)? {
            let path = item.map_err(failed)?.path();
            let Some(file) = path.file_name() else { continue };
            let Some(text) = file.to_str() else {
                return Err(format!("{} has a name that is not UTF-8", shown(&path)));
            };
            let hidden = text.starts_with('.') && !name.starts_with('.');
            if !hidden && matches(name, text) && path.is_file() {
                let stem = Path::new(text).file_stem().and_then(|stem| stem.to_str()).unwrap_or(text).to_owned();
                let file = if folder.is_empty() && !pattern.starts_with('/') {
                    text.into()
                } else {
                    format!("{folder}/{text}")
                };
                found.push((stem, file));
            }
        }
        found.sort_by(|(_, a), (_, b)| natural(a, b));
        Ok(found)
    }
}

/// Tests whether a name fits a pattern, in which `*` stands for any text and `?` for any letter.
fn matches(pattern: &str, name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    // For each number of letters: true if the pattern so far fits the beginning of the name.
    let mut fits = vec![false; name.len() + 1];
    fits[0] = true;
    for letter in pattern.chars() {
        let mut next = vec![false; name.len() + 1];
        next[0] = letter == '*' && fits[0];
        for at in 0..name.len() {
            next[at + 1] = match letter {
                '*' => fits[at + 1] || next[at],
                '?' => fits[at],
                letter => fits[at] && name[at] == letter,
            };
        }
        fits = next;
    }
    fits[name.len()]
}

/// Compares names letter by letter, and numbers in them by their value.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let order = match (digits(left), digits(right)) {
            (0, _) | (_, 0) => {
                let (mut one, mut other) = (left.chars(), right.chars());
                let (first, second) = (one.next(), other.next());
                if first.is_none() && second.is_none() {
                    // Numbers that differ only in leading zeros.
                    return a.cmp(b);
                }
                (left, right) = (one.as_str(), other.as_str());
                first.cmp(&second)
            }
            (one, other) => {
                let (first, second) = (left[..one].trim_start_matches('0'), right[..other].trim_start_matches('0'));
                (left, right) = (&left[one..], &right[other..]);
                first.len().cmp(&second.len()).then_with(|| first.cmp(second))
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_fits_whole_names() {
        for (pattern, name, expected) in [
            ("*.txt", "a.txt", true),
            ("*.txt", "a.txt.bak", false),
            ("*", "a", true),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("*a*b", "xaxb", true),
            ("*a*b", "xbxa", false),
            ("", "", true),
            ("[a]", "a", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn numbers_in_names_are_in_their_order() {
        let mut names = ["b10", "b9", "a", "b2x", "b2", "b02", "1", "c99999999999999999999", "c100000000000000000000"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            ["1", "a", "b02", "b2", "b2x", "b9", "b10", "c99999999999999999999", "c100000000000000000000"]
        );
    }
}
