//! The changes between two submissions, file by file and line by line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use crate::state::{State, Submission};
use crate::{Office, OfficeError, intake};

/// The most lines of a file that are compared and kept.
pub const MAX_LINES: usize = 20_000;
/// The time after which the comparison of two files becomes coarser.
const TIME: Duration = Duration::from_secs(2);

/// The changes from one submission to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// The entry of the first submission.
    pub before: String,
    /// The entry of the second one.
    pub after: String,
    /// The files that differ, by path.
    pub files: Vec<ChangedFile>,
}

/// A file that differs between the submissions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ChangedFile {
    /// Its path in the submission.
    pub path: String,
    /// Its change.
    #[serde(flatten)]
    pub change: Change,
}

/// The change of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Change {
    /// Only the second submission has it.
    Added,
    /// Only the first submission has it.
    Removed,
    /// One of the two is not UTF-8, so it has no lines.
    Binary,
    /// Lines differ.
    Lines {
        /// All lines of both, at most [`MAX_LINES`].
        lines: Vec<ChangedLine>,
        /// The number of lines that are left out at the end.
        left_out: usize,
    },
}

/// A line of a file that changed, without its line break.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ChangedLine {
    /// The submissions that have it.
    pub mark: Mark,
    /// Its text, unchanged.
    pub text: String,
}

/// The submissions, among two, that have a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Mark {
    /// Both.
    #[serde(rename = " ")]
    Both,
    /// Only the first.
    #[serde(rename = "-")]
    Removed,
    /// Only the second.
    #[serde(rename = "+")]
    Added,
}

impl fmt::Display for ChangedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.mark {
            Mark::Both => ' ',
            Mark::Removed => '-',
            Mark::Added => '+',
        };
        write!(f, "{mark} {}", self.text)
    }
}

impl Office {
    /// Compares the files of two submissions, by their numbers.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown submission, or one whose upload cannot be unpacked.
    pub fn difference(&self, state: &State, before: u32, after: u32) -> Result<Difference, OfficeError> {
        let find = |number: u32| {
            let found = state.submission(number).map(|(_, submission)| submission);
            found.ok_or_else(|| OfficeError::refused(format!("unknown submission {number}")))
        };
        let (before, after) = (find(before)?, find(after)?);
        let files = changed(&self.files_of(before)?, &self.files_of(after)?);
        Ok(Difference { before: before.entry(), after: after.entry(), files })
    }

    /// The files of a submission, by path.
    fn files_of(&self, submission: &Submission) -> Result<BTreeMap<String, Vec<u8>>, OfficeError> {
        let bytes = self.upload(&submission.sha256)?;
        let files = intake::files(&submission.file, &bytes);
        let files = files.map_err(|error| OfficeError::refused(format!("{}: {error}", submission.entry())))?;
        Ok(files.files.into_iter().map(|file| (file.path, file.bytes)).collect())
    }
}

fn changed(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> Vec<ChangedFile> {
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed = paths.into_iter().filter(|path| before.get(*path) != after.get(*path));
    let change = |path: &String| match (before.get(path), after.get(path)) {
        (None, _) => Change::Added,
        (_, None) => Change::Removed,
        (Some(before), Some(after)) => lines(before, after),
    };
    changed.map(|path| ChangedFile { path: path.clone(), change: change(path) }).collect()
}

fn lines(before: &[u8], after: &[u8]) -> Change {
    let (Ok(before), Ok(after)) = (std::str::from_utf8(before), std::str::from_utf8(after)) else {
        return Change::Binary;
    };
    let diff = TextDiff::configure().timeout(TIME).diff_lines(before, after);
    let mut all = diff.iter_all_changes().map(|change| {
        let mark = match change.tag() {
            ChangeTag::Equal => Mark::Both,
            ChangeTag::Delete => Mark::Removed,
            ChangeTag::Insert => Mark::Added,
        };
        ChangedLine { mark, text: change.value().trim_end_matches(['\n', '\r']).to_owned() }
    });
    let lines = all.by_ref().take(MAX_LINES).collect();
    Change::Lines { lines, left_out: all.count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(files: &[(&str, &[u8])]) -> BTreeMap<String, Vec<u8>> {
        files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect()
    }

    #[test]
    fn files_are_added_removed_changed_or_not_text() {
        let before = files(&[("a.c", b"one\ntwo\r\n"), ("gone.h", b"x"), ("same.h", b"x"), ("data", b"\xff")]);
        let after = files(&[("a.c", b"one\nthree"), ("new.h", b"x"), ("same.h", b"x"), ("data", b"text")]);
        let all = changed(&before, &after);
        let paths: Vec<&str> = all.iter().map(|file| &*file.path).collect();
        assert_eq!(paths, ["a.c", "data", "gone.h", "new.h"]);
        let Change::Lines { lines, left_out: 0 } = &all[0].change else { panic!("{all:?}") };
        assert_eq!(lines.iter().map(ChangedLine::to_string).collect::<Vec<_>>(), ["  one", "- two", "+ three"]);
        assert_eq!(
            [&all[1], &all[2], &all[3]].map(|file| &file.change),
            [&Change::Binary, &Change::Removed, &Change::Added]
        );
        assert!(changed(&before, &before).is_empty());
    }

    #[test]
    fn what_is_left_out_of_a_long_file_is_counted() {
        let text =
            |end: &str| (0..=MAX_LINES).map(|line| format!("{line}\n")).chain([end.to_owned()]).collect::<String>();
        let change = lines(text("old").as_bytes(), text("new").as_bytes());
        let Change::Lines { lines, left_out } = change else { panic!("text") };
        assert_eq!((lines.len(), left_out), (MAX_LINES, 3));
    }
}
