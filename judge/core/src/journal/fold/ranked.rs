//! The fold of a contest that is only ranked, whose records are kept in few bytes.

use super::super::compact::CompactRecords;
use super::super::{Chain, ContestState};
use super::Fold;

impl Fold {
    /// Keeps the records of all further runs in few bytes, unless the contest has later rounds or games, which follow from them.
    pub(in crate::journal) fn compact_records(&mut self) {
        if self.compact.is_none() && self.is_ranked_once() {
            self.compact = Some(CompactRecords::expecting(self.facts.plan.entries.len(), self.keys.len()));
        }
    }

    /// The contest after all events, but for what its records lack because they were kept in few bytes.
    pub(in crate::journal) fn finish_compact(
        mut self,
        chain: Chain,
        torn_bytes: u64,
    ) -> (ContestState, CompactRecords) {
        if !self.is_ranked_once() {
            (0..self.slots.len()).for_each(|slot| self.restore_record(slot));
        }
        let compact = self.compact.take().unwrap_or_default();
        (self.finish(chain, torn_bytes), compact)
    }

    fn is_ranked_once(&self) -> bool {
        self.facts.plan.match_rules.is_none() && self.facts.plan.rounds.len() <= 1
    }

    /// Gives the record of a slot everything that it was read with, if it was kept in few bytes.
    pub(super) fn restore_record(&mut self, slot: usize) {
        if let Some(compact) = &mut self.compact
            && let Some(run) = self.keys.get(slot)
            && let Some(record) = self.slots.get_mut(slot).and_then(|slot| slot.record.as_mut())
        {
            compact.restore_record((run.entry as usize, slot), record, || self.index.key(slot, *run));
        }
    }
}
