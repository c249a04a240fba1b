//! The lines of a game's transcript, as JSON.

use judge_job::{Bytes, Count, Gap, Micros};
use serde::{Deserialize, Serialize};

use crate::points::Points;

/// A line of the transcript of a game. Seats are numbers from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GameLine {
    /// Something that happened.
    Event(GameEvent),
    /// A place where events were left out, so that the size of a transcript is bounded.
    Gap(Gap),
}

/// Something that happened in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameEvent {
    /// The time of the record, in microseconds since the programs started.
    #[serde(deserialize_with = "Micros::number")]
    pub at_us: u64,
    /// The kind of event.
    #[serde(flatten)]
    pub what: GameEventKind,
}

/// The kinds of events of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum GameEventKind {
    /// A seat was asked, and its clock started.
    Ask {
        /// The seat.
        #[serde(deserialize_with = "Count::number")]
        seat: u64,
        /// The ask.
        #[serde(flatten)]
        said: TruncatedText,
    },
    /// A seat answered in time.
    Answer {
        /// The seat.
        #[serde(deserialize_with = "Count::number")]
        seat: u64,
        /// The answer; invalid UTF-8 is replaced.
        #[serde(flatten)]
        said: TruncatedText,
        /// Its times.
        #[serde(flatten)]
        time: MoveTime,
    },
    /// A seat gave no valid answer and is out.
    Fault {
        /// The seat.
        #[serde(deserialize_with = "Count::number")]
        seat: u64,
        /// The word that the referee gets, such as `late`.
        word: String,
        /// The fault of the seat, for people.
        reason: String,
        /// Its times.
        #[serde(flatten)]
        time: MoveTime,
    },
    /// The referee put a seat out.
    Out {
        /// The seat.
        #[serde(deserialize_with = "Count::number")]
        seat: u64,
        /// The referee's reason.
        reason: String,
    },
    /// The game ended.
    End {
        /// The points of each seat.
        points: Vec<Points>,
    },
}

/// The beginning of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TruncatedText {
    /// The text, including its line feeds.
    pub text: String,
    /// Bytes left out at its end.
    #[serde(default, deserialize_with = "Bytes::number", skip_serializing_if = "is_zero")]
    pub more_bytes: u64,
}

/// The clock of a seat after an ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveTime {
    /// Time that the ask took, in microseconds.
    #[serde(deserialize_with = "Micros::number")]
    pub took_us: u64,
    /// Time of the game that is left, in microseconds; `None` for no such limit.
    #[serde(default, deserialize_with = "Micros::optional", skip_serializing_if = "Option::is_none")]
    pub left_us: Option<u64>,
}

impl GameEventKind {
    /// The seat of the event; `None` if it concerns all seats.
    pub fn seat(&self) -> Option<u64> {
        match *self {
            Self::Ask { seat, .. } | Self::Answer { seat, .. } | Self::Fault { seat, .. } | Self::Out { seat, .. } => {
                Some(seat)
            }
            Self::End { .. } => None,
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl TruncatedText {
    /// The most bytes kept of a text.
    pub const MOST: usize = 4 << 10;

    /// A text with the beginning of these bytes.
    pub fn new(bytes: &[u8]) -> Self {
        let kept = &bytes[..bytes.len().min(Self::MOST)];
        Self { text: String::from_utf8_lossy(kept).into_owned(), more_bytes: (bytes.len() - kept.len()) as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_game_read_back() {
        let time = MoveTime { took_us: 340, left_us: Some(9) };
        for (what, text) in [
            (
                GameEventKind::Ask { seat: 1, said: TruncatedText::new(b"5\n") },
                r#"{"at_us":7,"event":"ask","seat":1,"text":"5\n"}"#,
            ),
            (
                GameEventKind::Answer { seat: 2, said: TruncatedText { text: "4".into(), more_bytes: 3 }, time },
                r#"{"at_us":7,"event":"answer","seat":2,"text":"4","more_bytes":3,"took_us":340,"left_us":9}"#,
            ),
            (
                GameEventKind::Fault {
                    seat: 2,
                    word: "late".into(),
                    reason: "still running at the limit".into(),
                    time: MoveTime { left_us: None, ..time },
                },
                r#"{"at_us":7,"event":"fault","seat":2,"word":"late","reason":"still running at the limit","took_us":340}"#,
            ),
            (
                GameEventKind::Out { seat: 1, reason: "no such move".into() },
                r#"{"at_us":7,"event":"out","seat":1,"reason":"no such move"}"#,
            ),
            (
                GameEventKind::End { points: ["1", "0.5"].map(|text| text.parse().expect("points")).into() },
                r#"{"at_us":7,"event":"end","points":["1","0.5"]}"#,
            ),
        ] {
            let line = GameLine::Event(GameEvent { at_us: 7, what });
            assert_eq!(serde_json::to_string(&line).expect("plain data"), text);
            assert_eq!(serde_json::from_str::<GameLine>(text).expect("the same"), line);
        }
        let gap = GameLine::Gap(Gap { left_out: 2, bytes: 9 });
        let text = serde_json::to_string(&gap).expect("plain data");
        assert_eq!(serde_json::from_str::<GameLine>(&text).expect("the same"), gap);
    }

    #[test]
    fn of_a_long_text_the_beginning_is_kept() {
        let said = TruncatedText::new(&[b'x'; TruncatedText::MOST + 5]);
        assert_eq!((said.text.len(), said.more_bytes), (TruncatedText::MOST, 5));
    }
}
