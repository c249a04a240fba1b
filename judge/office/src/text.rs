//! Texts in lines of the log. Some are private.

use std::fmt;
use std::ops::Deref;

use judge_core::fingerprint::Hash;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text, and its hash in the log if it is private. An erased text is empty.
#[derive(Debug, Clone, Default)]
pub struct Text {
    text: String,
    commitment: Option<Hash>,
}

impl Text {
    /// The hash that replaces it in the log, if it is private and was written.
    pub fn commitment(&self) -> Option<&Hash> {
        self.commitment.as_ref()
    }

    /// Makes the text private: this hash replaces it in the log.
    pub(crate) fn seal(&mut self, commitment: Hash) {
        self.commitment = Some(commitment);
    }

    /// Sets the text that belongs to the hash.
    pub(crate) fn open(&mut self, text: String) {
        self.text = text;
    }

    /// Tests whether the text is private and was erased.
    pub fn is_erased(&self) -> bool {
        self.commitment.is_some() && self.text.is_empty()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Text {}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self { text, commitment: None }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

/// A text in a line of the log.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored<'t> {
    Public(std::borrow::Cow<'t, str>),
    Private { private: Hash },
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.commitment {
            Some(private) => Stored::Private { private },
            None => Stored::Public((&*self.text).into()),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Stored::deserialize(deserializer)? {
            Stored::Public(text) => text.into_owned().into(),
            Stored::Private { private } => Self { text: String::new(), commitment: Some(private) },
        })
    }
}
