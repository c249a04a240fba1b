//! The fold of a contest that is only ranked, whose records are kept in few bytes.

use super::super::slim::Slim;
use super::super::{Chain, Contents};
use super::Fold;

impl Fold {
    /// Keeps the records of all further runs in few bytes, unless the contest has later rounds or games, which follow from them.
    pub(in crate::journal) fn slim_down(&mut self) {
        if self.slim.is_none() && self.is_ranked_once() {
            self.slim = Some(Slim::expecting(self.facts.plan.entries.len(), self.keys.len()));
        }
    }

    /// The contest after all events, but for what its records lack because they were kept in few bytes.
    pub(in crate::journal) fn finish_slim(mut self, chain: Chain, torn_bytes: u64) -> (Contents, Slim) {
        if !self.is_ranked_once() {
            (0..self.slots.len()).for_each(|slot| self.make_whole(slot));
        }
        let slim = self.slim.take().unwrap_or_default();
        (self.finish(chain, torn_bytes), slim)
    }

    fn is_ranked_once(&self) -> bool {
        self.facts.plan.match_rules.is_none() && self.facts.plan.rounds.len() <= 1
    }

    /// Gives the record of a slot everything that it was read with, if it was kept in few bytes.
    pub(super) fn make_whole(&mut self, slot: usize) {
        if let Some(slim) = &mut self.slim
            && let Some(run) = self.keys.get(slot)
            && let Some(record) = self.slots.get_mut(slot).and_then(|slot| slot.record.as_mut())
        {
            slim.make_whole((run.entry as usize, slot), record, || self.index.key(slot, *run));
        }
    }
}
