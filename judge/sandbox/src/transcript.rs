//! The transcript of a talk: its messages as they arrived, in bounded memory.

use std::io::{self, Write as _};
use std::path::Path;

use judge_job::{Ends, Gap, LeftOut, Message, TranscriptLine};

/// Bytes of messages kept from the beginning of a talk, and again from its end.
const BYTES_PER_END: u64 = 256 << 10;
/// Bytes by which a message counts in addition to its text.
const PER_MESSAGE: u64 = 64;
/// The most bytes that are kept of one message.
const MAX_TEXT: usize = 4 << 10;

/// The messages of a talk.
pub(super) struct Transcript {
    /// The time when the first program began, by the monotonic clock, in microseconds.
    zero_us: u64,
    messages: Ends<Message>,
    /// Total bytes of all messages, including the parts that are left out.
    bytes: u64,
}

impl Transcript {
    pub(super) fn new(zero_us: u64) -> Self {
        Self { zero_us, messages: Ends::new(BYTES_PER_END), bytes: 0 }
    }

    /// Adds a message of that program, which arrived at that time by the monotonic clock, in microseconds.
    pub(super) fn add(&mut self, now_us: u64, from: usize, bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        let kept = &bytes[..bytes.len().min(MAX_TEXT)];
        let message = Message {
            at_us: now_us.saturating_sub(self.zero_us),
            from,
            text: String::from_utf8_lossy(kept).into_owned(),
            more_bytes: (bytes.len() - kept.len()) as u64,
        };
        let weight = message.text.len() as u64 + PER_MESSAGE;
        self.messages.add(message, weight);
    }

    /// Writes it to a file, a line per message.
    pub(super) fn write(self, path: &Path) -> io::Result<()> {
        let all = self.bytes;
        let (head, LeftOut { items, .. }, tail) = self.messages.into_parts();
        let (head, tail): (Vec<Message>, Vec<Message>) = (head.collect(), tail.collect());
        let of = |message: &Message| message.text.len() as u64 + message.more_bytes;
        // A text with replaced bytes is longer than what came.
        let shown: u64 = head.iter().chain(&tail).map(of).sum();
        let gap = (items > 0).then(|| TranscriptLine::Gap(Gap { left_out: items, bytes: all.saturating_sub(shown) }));
        let message = TranscriptLine::Message;
        let mut file = io::BufWriter::new(std::fs::File::create(path)?);
        for line in head.into_iter().map(message).chain(gap).chain(tail.into_iter().map(message)) {
            serde_json::to_writer(&mut file, &line)?;
            file.write_all(b"\n")?;
        }
        file.flush()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn lines(transcript: Transcript) -> Vec<TranscriptLine> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("transcript");
        transcript.write(&path).unwrap();
        std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn messages_are_recorded_as_they_came() {
        let mut transcript = Transcript::new(1000);
        transcript.add(1005, 0, b"hello\n");
        transcript.add(1009, 1, b"\xff?");
        let message = |at_us, from, text: &str| {
            TranscriptLine::Message(Message { at_us, from, text: text.into(), more_bytes: 0 })
        };
        assert_eq!(lines(transcript), [message(5, 0, "hello\n"), message(9, 1, "\u{fffd}?")]);
    }

    #[test]
    fn a_flood_leaves_a_count_between_both_ends() {
        let mut transcript = Transcript::new(0);
        for number in 0..20_000 {
            transcript.add(number, 1, format!("{number:0>99}\n").as_bytes());
        }
        transcript.add(20_000, 1, &[b'x'; 10_000]);
        let lines = lines(transcript);
        let count = lines.len() as u64;
        assert!(count < 4_000, "{count}");
        let Some(TranscriptLine::Message(last)) = lines.last() else { panic!("{lines:?}") };
        assert_eq!((last.text.len(), last.more_bytes), (4096, 5904));
        let gaps = lines.iter().filter_map(|line| if let TranscriptLine::Gap(gap) = line { Some(*gap) } else { None });
        let gaps: Vec<Gap> = gaps.collect();
        assert_eq!(gaps, [Gap { left_out: 20_001 - (count - 1), bytes: (20_000 - (count - 2)) * 100 }]);
    }
}
