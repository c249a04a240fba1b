//! The names of figures.

use std::fmt;
use std::ops::Deref;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The reason why a figure cannot be declared, read or ranked by, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FigureError(pub String);

impl From<FigureError> for String {
    fn from(error: FigureError) -> Self {
        error.0
    }
}

/// The longest name of a figure, in letters.
pub const MAX_NAME: usize = 16;

/// The name of a figure: a letter, then letters, digits and `_`. It is short enough to be stored with every value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FigureName([u8; MAX_NAME]);

impl FigureName {
    /// The progress of a game.
    pub const PROGRESS: Self = Self::from_known("progress");
    /// The only figure of a contest.
    pub const SCORE: Self = Self::from_known("score");
    /// Moves of a game.
    pub const MOVES: Self = Self::from_known("moves");
    /// The tie-break of a game.
    pub const TIE_BREAK: Self = Self::from_known("tie_break");
    /// The number of accepted answers, if answers are accepted or not.
    pub const SOLVED: Self = Self::from_known("solved");

    /// A name that is known to be valid.
    pub(crate) const fn from_known(name: &str) -> Self {
        let (bytes, mut letters, mut at) = (name.as_bytes(), [0; MAX_NAME], 0);
        while at < bytes.len() {
            letters[at] = bytes[at];
            at += 1;
        }
        Self(letters)
    }

    /// Tests whether this is the name. Tables call it for every cell, so it compares bytes.
    pub(crate) fn is(&self, name: &str) -> bool {
        let (letters, name) = (&self.0, name.as_bytes());
        name.len() <= MAX_NAME
            && letters[..name.len()] == *name
            && letters.get(name.len()).is_none_or(|&next| next == 0)
    }

    /// Reads a name.
    ///
    /// # Errors
    ///
    /// The name is invalid; the reason as a fragment.
    pub fn parse(name: &str) -> Result<Self, FigureError> {
        let bytes = name.as_bytes();
        let letters = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if !bytes.first().is_some_and(u8::is_ascii_alphabetic) || !bytes.iter().all(letters) || bytes.len() > MAX_NAME {
            let shown: String = name.chars().take(40).collect();
            return Err(FigureError(format!(
                "`{shown}` is no name of a figure: a letter, then letters, digits and _, {MAX_NAME} at most"
            )));
        }
        Ok(Self::from_known(name))
    }
}

impl Deref for FigureName {
    type Target = str;

    fn deref(&self) -> &str {
        let length = self.0.iter().position(|&byte| byte == 0).unwrap_or(MAX_NAME);
        std::str::from_utf8(&self.0[..length]).unwrap_or_default()
    }
}

impl fmt::Display for FigureName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for FigureName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl Serialize for FigureName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for FigureName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = FigureName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name of a figure")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<FigureName, E> {
                FigureName::parse(name).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Name)
    }
}
