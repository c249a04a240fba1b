//! Boards of a contest and their files, as text or by hash.

use serde::{Deserialize, Serialize};

use crate::points::Points;

/// A board of a contest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Board {
    /// Name, the heading of its column.
    pub name: String,
    /// The board file's text; empty if the file is stored.
    pub text: String,
    /// The board file, if it is too large for a journal or not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<StoredFile>,
    /// The judge's answer, which the referee may read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<FileContents>,
    /// Arguments of the referee on this board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Arguments of entries on this board, before its path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entry_args: Vec<String>,
    /// Files for the working directory of entries on this board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<NamedFile>,
    /// The group to which its points belong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The points of an accepted answer to which the referee gives no score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// True for the reconstruction of a lost board, which every output marks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reconstruction: bool,
    /// The organiser's note about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The salt of its seal, if it has one. It is a line with its newline, and it precedes the file in the hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
}

/// A file and its name in the working directory of entries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedFile {
    /// Its name, without a folder.
    pub name: String,
    /// Its contents, as text or by hash.
    pub contents: FileContents,
}

/// Contents of a file that belongs to a contest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FileContents {
    /// UTF-8 text, exactly as in the file.
    Text(String),
    /// A file that is too large for a journal or not UTF-8.
    Stored(StoredFile),
}

/// A file that the results directory stores under its hash: `files/SHA256`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredFile {
    /// SHA-256 of its contents in hexadecimal.
    pub sha256: String,
    /// Size of the file in bytes.
    pub bytes: u64,
}

impl Board {
    /// A board with this text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), ..Self::default() }
    }

    /// The contents of the board file.
    pub fn contents(&self) -> FileContents {
        match &self.stored {
            Some(stored) => FileContents::Stored(stored.clone()),
            None => FileContents::Text(self.text.clone()),
        }
    }

    /// Tests whether answers to another board of this name are judged in the same way.
    pub fn is_judged_like(&self, other: &Self) -> bool {
        let judged = |board: &Self| {
            let Self { text, stored, answer, args, entry_args, files, group, points, .. } = board.clone();
            (text, stored, answer, args, entry_args, files, group, points)
        };
        judged(self) == judged(other)
    }

    /// Replaces the contents of the board.
    #[must_use]
    pub fn with_contents(mut self, contents: FileContents) -> Self {
        match contents {
            FileContents::Text(text) => self.text = text,
            FileContents::Stored(stored) => self.stored = Some(stored),
        }
        self
    }

    /// The stored files of the board.
    pub fn stored_files(&self) -> impl Iterator<Item = &StoredFile> {
        let others = self.answer.iter().chain(self.files.iter().map(|file| &file.contents));
        let others = others.filter_map(|contents| match contents {
            FileContents::Stored(stored) => Some(stored),
            FileContents::Text(_) => None,
        });
        self.stored.iter().chain(others)
    }
}
