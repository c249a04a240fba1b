//! The keys of a referee that needs the entry itself: `talk`, `clock`, `lines` and `passes`.

use toml::Spanned;

use judge_core::external::{Protocol, TalkClock};

use super::referee::RefereeTable;
use super::{ContestError, Reader};

/// The most passes of a run.
const MAX_PASSES: u32 = 10_000;

impl Reader<'_> {
    /// The clock of a talk; `None` if the referee reads answers.
    pub(super) fn talk(&self, table: &RefereeTable, protocol: Protocol) -> Result<Option<TalkClock>, ContestError> {
        if !table.talks() {
            return match &table.clock {
                Some(clock) => Err(self.refuse(clock.span(), "clock needs talk = true in [referee]")),
                None => Ok(None),
            };
        }
        let span = table.talk.as_ref().map_or(0..0, Spanned::span);
        if !matches!(protocol, Protocol::Native | Protocol::Kattis) {
            let reason = "talk is only for protocol \"native\" and protocol \"kattis\"";
            return Err(self.refuse(span, reason));
        }
        self.word("clock", table.clock.as_ref(), (TalkClock::ALL, TalkClock::name)).map(Some)
    }

    /// The most lines that an entry may write in a talk; `None` for no limit.
    pub(super) fn lines(&self, table: &RefereeTable) -> Result<Option<u64>, ContestError> {
        let Some(lines) = &table.lines else { return Ok(None) };
        if !table.talks() {
            return Err(self.refuse(lines.span(), "lines needs talk = true in [referee]"));
        }
        match u64::try_from(*lines.get_ref()) {
            Ok(number @ 1..) => Ok(Some(number)),
            _ => Err(self.refuse(lines.span(), format!("lines must be at least 1, not {}", lines.get_ref()))),
        }
    }

    /// The most passes of a run; `None` for a single pass.
    pub(super) fn passes(&self, table: &RefereeTable, protocol: Protocol) -> Result<Option<u32>, ContestError> {
        let Some(passes) = &table.passes else { return Ok(None) };
        if protocol != Protocol::Kattis {
            return Err(self.refuse(passes.span(), "passes is a key of protocol \"kattis\" only"));
        }
        self.number_in("passes", passes, 2..=MAX_PASSES).map(Some)
    }
}
