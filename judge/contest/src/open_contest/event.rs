//! The events that subscribers of a contest receive.

use std::sync::Arc;

use judge_core::journal::{Line, Record, Round};
use judge_core::key::RunKey;

use crate::schedule::{self, EngineData, EngineState};

/// Something that happened in a contest, as data. Events arrive in the order in which they became final. The program that shows
/// an event converts it to text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// These runs can be executed now.
    Pass {
        /// The runs in their order.
        runs: Vec<RunKey>,
        /// True if they are repetitions of suspect runs.
        repeats: bool,
    },
    /// An engine started this run.
    Started(RunKey),
    /// A run is finished and on disk.
    Finished(Box<Record>),
    /// A run is not executed, or no longer counts and is not recorded.
    Cancelled(RunKey),
    /// These events are on disk and count.
    Changed(Arc<[Line]>),
    /// A round has opened, with these runs.
    RoundOpened(Box<Round>),
    /// A message of an engine for the organiser.
    Notice(EngineData),
    /// The state of an engine whose runs are executed elsewhere.
    State(EngineState),
}

/// Converts an event of an engine.
impl From<schedule::Event<'_>> for Event {
    fn from(event: schedule::Event<'_>) -> Self {
        match event {
            schedule::Event::Started(key) => Self::Started(key.clone()),
            schedule::Event::Finished(record) => Self::Finished(Box::new(record.clone())),
            schedule::Event::Cancelled(key) => Self::Cancelled(key.clone()),
            schedule::Event::Notice(data) => Self::Notice(data),
            schedule::Event::State(state) => Self::State(state),
        }
    }
}
