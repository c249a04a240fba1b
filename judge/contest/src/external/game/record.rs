//! The transcript of a game, in bounded memory.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use judge_core::matches::{GameEvent, GameEventKind, GameLine, MoveTime, TruncatedText};
use judge_core::points::Points;
use judge_core::verdict::Verdict;
use judge_job::{Ends, Gap, LeftOut};

/// Bytes of events kept from the beginning of a game, and again from its end.
const BYTES_PER_END: u64 = 256 << 10;
/// Bytes that an event counts in addition to its text.
const PER_EVENT: u64 = 64;

/// The events of a game so far.
pub(super) struct GameRecord(Ends<GameEvent>);

impl GameRecord {
    pub(super) fn new() -> Self {
        Self(Ends::new(BYTES_PER_END))
    }

    pub(super) fn asked(&mut self, at_us: u64, seat: usize, text: &[u8]) {
        let said = TruncatedText::new(text);
        let weight = said.text.len();
        self.add(at_us, GameEventKind::Ask { seat: number(seat), said }, weight);
    }

    pub(super) fn answered(&mut self, at_us: u64, seat: usize, answer: &[u8], time: MoveTime) {
        let said = TruncatedText::new(answer);
        let weight = said.text.len();
        self.add(at_us, GameEventKind::Answer { seat: number(seat), said, time }, weight);
    }

    pub(super) fn failed(&mut self, at_us: u64, seat: usize, word: &str, verdict: &Verdict, time: MoveTime) {
        let reason = verdict.fault().unwrap_or_default();
        let weight = reason.len();
        self.add(at_us, GameEventKind::Fault { seat: number(seat), word: word.into(), reason, time }, weight);
    }

    pub(super) fn eliminate(&mut self, at_us: u64, seat: usize, reason: &str) {
        self.add(at_us, GameEventKind::Out { seat: number(seat), reason: reason.into() }, reason.len());
    }

    pub(super) fn ended(&mut self, at_us: u64, points: &[Points]) {
        self.add(at_us, GameEventKind::End { points: points.to_vec() }, points.len() * 8);
    }

    fn add(&mut self, at_us: u64, what: GameEventKind, weight: usize) {
        self.0.add(GameEvent { at_us, what }, weight as u64 + PER_EVENT);
    }

    /// Writes the events to a file, one line each.
    pub(super) fn write(self, path: &Path) -> io::Result<()> {
        let (head, LeftOut { items, weight }, tail) = self.0.into_parts();
        let bytes = weight.saturating_sub(items.saturating_mul(PER_EVENT));
        let gap = (items > 0).then_some(GameLine::Gap(Gap { left_out: items, bytes }));
        let mut file = BufWriter::new(File::create(path)?);
        for line in head.map(GameLine::Event).chain(gap).chain(tail.map(GameLine::Event)) {
            serde_json::to_writer(&mut file, &line)?;
            file.write_all(b"\n")?;
        }
        file.flush()
    }
}

/// The number of a seat as people count, from 1.
fn number(seat: usize) -> u64 {
    seat as u64 + 1
}
