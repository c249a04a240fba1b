//! The messages from an engine to the recorder of a contest.

use std::sync::mpsc::SyncSender;

use super::{EngineData, EngineState, FinishedRun};

/// The channel from an engine to the recorder.
#[derive(Clone)]
pub struct Messages(pub(super) SyncSender<Message>);

/// The receiver is closed: nothing else is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecorderClosed;

pub(super) enum Message {
    Started(usize),
    Finished(Box<FinishedRun>),
    Cancelled(usize),
    /// Runs that were executed elsewhere. Each is announced as started, and then as finished.
    Made(Vec<FinishedRun>),
    Notice(EngineData),
    State(EngineState),
}

impl Messages {
    /// Sends that a run was started, by its index.
    ///
    /// # Errors
    /// [`RecorderClosed`] if the contest has stopped. The engine must end then.
    pub fn started(&self, index: usize) -> Result<(), RecorderClosed> {
        self.send(Message::Started(index))
    }

    /// Hands in a finished run, which is recorded and then announced.
    ///
    /// # Errors
    /// As [`Self::started`].
    pub fn finished(&self, run: FinishedRun) -> Result<(), RecorderClosed> {
        self.send(Message::Finished(Box::new(run)))
    }

    /// Sends that a run that was taken is cancelled, by its index.
    ///
    /// # Errors
    /// As [`Self::started`].
    pub fn cancelled(&self, index: usize) -> Result<(), RecorderClosed> {
        self.send(Message::Cancelled(index))
    }

    /// Sends runs that were executed elsewhere and were not sent as started. They go to disk together.
    ///
    /// # Errors
    /// As [`Self::started`].
    pub fn send_finished(&self, runs: Vec<FinishedRun>) -> Result<(), RecorderClosed> {
        if runs.is_empty() { Ok(()) } else { self.send(Message::Made(runs)) }
    }

    /// Sends a message for the organiser.
    ///
    /// # Errors
    /// As [`Self::started`].
    pub fn notice(&self, data: EngineData) -> Result<(), RecorderClosed> {
        self.send(Message::Notice(data))
    }

    /// Sends the state of the engine.
    ///
    /// # Errors
    /// As [`Self::started`].
    pub fn state(&self, state: EngineState) -> Result<(), RecorderClosed> {
        self.send(Message::State(state))
    }

    fn send(&self, message: Message) -> Result<(), RecorderClosed> {
        self.0.send(message).map_err(|_| RecorderClosed)
    }
}
