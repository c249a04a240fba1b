//! Programs that talk to each other: their jobs, the wires between them, and what happened.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Bytes, Count, Job, Micros, Millis, Outcome};

/// Programs that run at the same time and talk over their standard input and output, each in a separate sandbox.
///
/// The programs are started in order, each when the one before it has begun. What they write is passed on once all have
/// begun. Each has the limits and the accounting of its own job. Fields can be added in later versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Talk {
    /// The programs, in the order in which they are started. Other fields refer to them by their indices in this list.
    pub sides: Vec<Side>,
    /// The connections between programs. At most one wire begins, and at most one ends, at each program.
    pub wires: Vec<Wire>,
    /// The program that rules on the others; `None` if none does.
    pub ruler: Option<Ruler>,
    /// Time within which the ruler must end once all others have ended, in milliseconds.
    #[serde(deserialize_with = "Millis::number")]
    pub linger_ms: u64,
    /// File for the transcript, one line per message as JSON: see [`Message`]. `None` for none. Its directory must exist.
    pub transcript: Option<PathBuf>,
}

/// One program of a talk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Side {
    /// The program. Its standard input is the wire that leads to it, if one does. Its standard output is also kept in the
    /// file of the job.
    pub job: Job,
    /// Limit on the time in which it was its turn, in milliseconds; `None` for none. The wall-clock limit of the job also
    /// applies, and should be longer. JUDGE_LIMIT_MS is this limit if there is one.
    #[serde(default, deserialize_with = "Millis::optional", skip_serializing_if = "Option::is_none")]
    pub own_ms: Option<u64>,
    /// The most lines that it may write; `None` for no such limit. A program that writes another one has written too much,
    /// and the piece with that line is not passed on.
    #[serde(default, deserialize_with = "Count::optional", skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
}

/// A wire from the standard output of a program to the standard input of another one, by their indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wire {
    /// Index of the program whose standard output it carries.
    pub from: usize,
    /// Index of the program whose standard input it feeds.
    pub to: usize,
}

/// The program that rules, such as a referee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruler {
    /// Index of the ruler in [`Talk::sides`].
    pub side: usize,
    /// Exit codes after which the other programs continue until they end. Any other end of the ruler ends the talk
    /// immediately.
    pub accepts: Vec<i32>,
}

/// The outcome of a talk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TalkOutcome {
    /// One per program, in their order.
    pub sides: Vec<SideOutcome>,
}

/// The outcome of one program of a talk. Times are microseconds since the first program began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SideOutcome {
    /// The outcome of its job. A program that was [cut](SideOutcome::cut) at the end of the talk has the end
    /// [`Signalled`](crate::End::Signalled) with signal 9.
    pub outcome: Outcome,
    /// When it began; `None` if it never did.
    #[serde(default, deserialize_with = "Micros::optional", skip_serializing_if = "Option::is_none")]
    pub begun_us: Option<u64>,
    /// When it ended by itself, or when a limit or the judge ended it; `None` if it never began.
    #[serde(default, deserialize_with = "Micros::optional", skip_serializing_if = "Option::is_none")]
    pub ended_us: Option<u64>,
    /// Time in which it was its turn: see [`Side::own_ms`].
    #[serde(deserialize_with = "Micros::number")]
    pub own_us: u64,
    /// Number of messages that it sent: pieces of its output as they arrived.
    pub messages: u64,
    /// Why the judge ended it, if the reason was the talk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
}

/// Why the judge ended a program of a talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// The ruler had ended the talk.
    TalkOver,
    /// It used up its own time: the time in which it was its turn.
    OwnClock,
    /// Its wall-clock limit expired although it had not used up its own time: other programs took the rest.
    OthersClock,
    /// It and all others waited for input, and none was on its way.
    AllWait,
    /// It was the ruler, and did not end within [`Talk::linger_ms`].
    Lingered,
}

/// A line of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TranscriptLine {
    /// A piece of output, as it arrived.
    Message(Message),
    /// Messages that were left out at this place, so that a transcript is bounded.
    Gap(Gap),
    /// The point where the messages of a pass begin, in a run of several passes. Their times count from its start.
    Pass(PassStart),
}

/// One message of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// When it arrived, in microseconds since the first program began.
    #[serde(deserialize_with = "Micros::number")]
    pub at_us: u64,
    /// The program that wrote it, by its index.
    pub from: usize,
    /// Its bytes as text; invalid UTF-8 is replaced.
    pub text: String,
    /// Bytes that were left out at the end of the text.
    #[serde(default, deserialize_with = "Bytes::number", skip_serializing_if = "is_zero")]
    pub more_bytes: u64,
}

/// Messages that a transcript leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// Number of messages that are left out, at least 1.
    #[serde(deserialize_with = "Count::number")]
    pub left_out: u64,
    /// Their total length in bytes.
    #[serde(deserialize_with = "Bytes::number")]
    pub bytes: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The start of a pass in a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassStart {
    /// The number of the pass, from 1.
    pub pass: u32,
}

impl Talk {
    /// Creates a talk of these programs over these wires, without a ruler or a transcript.
    pub fn new(jobs: impl IntoIterator<Item = Job>, wires: impl IntoIterator<Item = Wire>) -> Self {
        Self {
            sides: jobs.into_iter().map(|job| Side { job, own_ms: None, lines: None }).collect(),
            wires: wires.into_iter().collect(),
            ruler: None,
            linger_ms: 0,
            transcript: None,
        }
    }

    /// Creates a talk between a referee, program 0, and an entry, program 1. The entry continues if the referee exits with
    /// one of these codes. Once the entry has ended, the referee must end within `linger_ms`.
    pub fn refereed(referee: Job, entry: Job, accepts: Vec<i32>, linger_ms: u64) -> Self {
        let wires = [Wire { from: 0, to: 1 }, Wire { from: 1, to: 0 }];
        Self { ruler: Some(Ruler { side: 0, accepts }), linger_ms, ..Self::new([referee, entry], wires) }
    }

    /// The reason why no executor can execute it, as a fragment; `None` if one can.
    pub fn fault(&self) -> Option<String> {
        let count = self.sides.len();
        let named = self.wires.iter().flat_map(|wire| [wire.from, wire.to]);
        if let Some(side) = named.chain(self.ruler.iter().map(|ruler| ruler.side)).find(|&side| side >= count) {
            return Some(format!("a talk of {count} programs names program {side}, counted from 0"));
        }
        let twice = |end: fn(&Wire) -> usize| {
            (0..count).find(|&side| self.wires.iter().filter(|wire| end(wire) == side).nth(1).is_some())
        };
        if let Some(side) = twice(|wire| wire.from) {
            return Some(format!("two wires begin at program {side} of a talk"));
        }
        twice(|wire| wire.to).map(|side| format!("two wires end at program {side} of a talk"))
    }
}

impl SideOutcome {
    /// An outcome of a program that never began.
    pub fn new(outcome: Outcome) -> Self {
        Self { outcome, begun_us: None, ended_us: None, own_us: 0, messages: 0, cut: None }
    }
}

impl TalkOutcome {
    /// The outcome of a talk, from the outcomes of its programs.
    pub fn new(sides: Vec<SideOutcome>) -> Self {
        Self { sides }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(wires: &[(usize, usize)]) -> Talk {
        let jobs = ["a", "b"].map(|name| Job::new([name], "out", "err"));
        Talk::new(jobs, wires.iter().map(|&(from, to)| Wire { from, to }))
    }

    #[test]
    fn a_talk_is_plain_data() {
        let good = Talk { transcript: Some("transcript".into()), ..talk(&[(0, 1), (1, 0)]) };
        assert_eq!(good.fault(), None);
        let text = serde_json::to_string(&good).expect("plain data");
        assert_eq!(serde_json::from_str::<Talk>(&text).expect("the same"), good);
    }

    #[test]
    fn the_wires_of_a_talk_are_checked() {
        let fault = |wires: &[(usize, usize)]| talk(wires).fault().expect("a fault");
        assert_eq!(fault(&[(0, 2)]), "a talk of 2 programs names program 2, counted from 0");
        assert_eq!(fault(&[(0, 1), (0, 0)]), "two wires begin at program 0 of a talk");
        assert_eq!(fault(&[(0, 1), (1, 1)]), "two wires end at program 1 of a talk");
    }

    #[test]
    fn the_lines_of_a_transcript_are_told_apart() {
        for (line, text) in [
            (
                TranscriptLine::Message(Message { at_us: 7, from: 1, text: "? 3\n".into(), more_bytes: 0 }),
                r#"{"at_us":7,"from":1,"text":"? 3\n"}"#,
            ),
            (TranscriptLine::Gap(Gap { left_out: 2, bytes: 9 }), r#"{"left_out":2,"bytes":9}"#),
            (TranscriptLine::Pass(PassStart { pass: 2 }), r#"{"pass":2}"#),
        ] {
            assert_eq!(serde_json::to_string(&line).expect("plain data"), text);
            assert_eq!(serde_json::from_str::<TranscriptLine>(text).expect("the same"), line);
        }
    }
}
