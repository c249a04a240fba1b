//! The members that few runs have. A contest has millions of runs, and a run without these members needs no memory for them.

use serde::{Deserialize, Serialize};

use judge_job::Micros;

use crate::matches::Played;
use crate::rare::{Absent, Rare};
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

/// The members of a [`Record`](super::Record) that few runs have. In a file, they are members of the record itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ExtraFields {
    /// Time in which the entry was to move, in microseconds; `None` if it talked to no referee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_us: Option<u64>,
    /// The times of its passes, if the referee allows several. The record's other figures are sums over the passes, and the
    /// largest memory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<Pass>,
    /// The reason why its time is unreliable, as a fragment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspect: Option<Box<str>>,
    /// The stream of its answers, if the contest takes one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<Box<Stream>>,
    /// The results of all seats, if it is a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<Box<Played>>,
    /// Remarks for the organiser, as fragments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The reason of the ruling by hand, if its verdict is one.
    #[serde(skip)]
    pub ruling: Option<Box<str>>,
    /// The author of the ruling by hand, if it names one.
    #[serde(skip)]
    pub ruled_by: Option<Box<str>>,
}

impl ExtraFields {
    /// The words for a ruling by hand, with who ruled, and the reason; both may quote untrusted text.
    pub fn by_hand(&self) -> Option<(String, &str)> {
        let why = self.ruling.as_deref()?;
        let by = self.ruled_by.as_ref().map_or(String::new(), |by| format!(" by {by}"));
        Some((format!("ruled by hand{by}"), why))
    }
}

impl Absent for ExtraFields {
    const NONE: &'static Self = &Self {
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

/// The [`ExtraFields`] of a run.
pub type Extras = Rare<ExtraFields>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_run_with_extras_needs_room_for_them() {
        let mut extras = Extras::from(ExtraFields::default());
        assert!(extras.needs_no_room() && extras.suspect.is_none());
        extras.notes.push("a remark".into());
        assert_eq!(extras.notes, ["a remark"]);
        let with = extras.clone();
        extras.notes.clear();
        assert!(!extras.needs_no_room() && extras == Extras::default() && extras != with);
        extras = extras.take().into();
        assert!(extras.needs_no_room());
        assert_eq!(serde_json::to_string(&with).unwrap(), r#"{"notes":["a remark"]}"#);
    }
}
