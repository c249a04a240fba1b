//! What few runs have beside their figures. A contest has millions of runs, and those without any of it need no room for it.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use judge_job::Micros;

use crate::matches::Played;
use crate::stream::Stream;

/// The times of one pass of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pass {
    /// Wall clock in microseconds; `None` if nothing ran.
    #[serde(default, deserialize_with = "Micros::optional", skip_serializing_if = "Option::is_none")]
    pub wall_us: Option<u64>,
    /// CPU time in microseconds; `None` if it was not measured.
    #[serde(default, deserialize_with = "Micros::optional", skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
}

/// The members of a [`Record`](super::Record) that few runs have. They are read and written as its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ExtraFields {
    /// Time in which the entry was to move, in microseconds; `None` if it talked to no referee.
    #[serde(default, deserialize_with = "Micros::optional", skip_serializing_if = "Option::is_none")]
    pub own_us: Option<u64>,
    /// The times of its passes, if the referee makes several possible. Its other figures are their sums, or their largest
    /// one for memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<Pass>,
    /// The reason why its time is unreliable, as a fragment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspect: Option<Box<str>>,
    /// The stream of its answers, if the contest takes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<Box<Stream>>,
    /// What every seat did, if it is a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<Box<Played>>,
    /// Remarks for the organiser, as fragments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The reason of the ruling by hand whose verdict this is.
    #[serde(skip)]
    pub ruling: Option<Box<str>>,
    /// Who ruled, if the ruling names somebody.
    #[serde(skip)]
    pub ruled_by: Option<Box<str>>,
}

impl ExtraFields {
    /// Those of most runs.
    const NONE: Self = Self {
        own_us: None,
        passes: Vec::new(),
        suspect: None,
        stream: None,
        played: None,
        notes: Vec::new(),
        ruling: None,
        ruled_by: None,
    };
}

impl Default for ExtraFields {
    fn default() -> Self {
        Self::NONE
    }
}

/// The [`ExtraFields`] of a run behind one pointer, which is null where it has none of them. To change one makes room for all.
#[derive(Debug, Clone, Default)]
pub struct Extras(Option<Box<ExtraFields>>);

impl Extras {
    /// What it has, of which nothing stays there.
    pub fn take(&mut self) -> ExtraFields {
        self.0.take().map_or(ExtraFields::NONE, |fields| *fields)
    }
}

impl From<ExtraFields> for Extras {
    fn from(fields: ExtraFields) -> Self {
        Self(Some(fields).filter(|fields| *fields != ExtraFields::NONE).map(Box::new))
    }
}

impl Deref for Extras {
    type Target = ExtraFields;

    fn deref(&self) -> &ExtraFields {
        static NONE: ExtraFields = ExtraFields::NONE;
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for Extras {
    fn deref_mut(&mut self) -> &mut ExtraFields {
        self.0.get_or_insert_default()
    }
}

impl PartialEq for Extras {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Extras {}

impl Serialize for Extras {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Extras {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ExtraFields::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_run_with_extras_needs_room_for_them() {
        let mut extras = Extras::from(ExtraFields::default());
        assert!(extras.0.is_none() && extras.suspect.is_none());
        extras.notes.push("a remark".into());
        assert_eq!(extras.notes, ["a remark"]);
        let with = extras.clone();
        extras.notes.clear();
        assert!(extras.0.is_some() && extras == Extras::default() && extras != with);
        extras = extras.take().into();
        assert!(extras.0.is_none());
        let read: Extras = serde_json::from_str("{}").unwrap();
        assert!(read.0.is_none());
        assert_eq!(serde_json::to_string(&with).unwrap(), r#"{"notes":["a remark"]}"#);
        assert_eq!(serde_json::from_str::<Extras>(r#"{"notes":["a remark"]}"#).unwrap(), with);
    }
}
