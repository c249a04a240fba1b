//! The phases of a contest: freezes, rounds and their ends, and what is public in each.

use super::{Freeze, State};
use crate::UPLOAD_SECONDS;
use crate::line::Line;

impl State {
    /// Tests whether the sealed rounds are judged, and nothing else.
    pub fn finals(&self) -> bool {
        self.finals
    }

    /// The later rounds that have closed, with the moments when that was recorded, oldest first.
    pub fn published(&self) -> &[(u64, u32)] {
        &self.published
    }

    /// The last round of which everybody may see the results.
    pub fn public_round(&self) -> u32 {
        match self.finalised {
            Some(_) => u32::MAX,
            None => self.published.last().map_or(1, |(_, round)| *round),
        }
    }

    /// The last round of which everybody may see the results while the board is frozen; no bound if it is not.
    pub(crate) fn round_at_freeze(&self) -> u32 {
        self.frozen.map_or(u32::MAX, |freeze| freeze.round)
    }

    /// When the results became final.
    pub fn finalised(&self) -> Option<u64> {
        self.finalised
    }

    /// When the board was frozen and thawed last.
    pub fn froze_and_thawed(&self) -> (Option<u64>, Option<u64>) {
        (self.frozen_at, self.thawed)
    }

    /// The moment at which the board was to freeze, if that has passed.
    pub(super) fn planned_freeze(&self, now: u64) -> Option<u64> {
        self.rules.times.freezes.filter(|&freezes| freezes <= now)
    }

    /// The lines that the clock asks for.
    pub(crate) fn due(&self, now: u64) -> Vec<Line> {
        let freezes = self.planned_freeze(now).filter(|&freezes| self.froze != Some(freezes));
        let line = |from| Line::Frozen { last: self.next_number() - 1, from: Some(from) };
        let mut lines: Vec<Line> = freezes.filter(|_| self.frozen.is_none()).map(line).into_iter().collect();
        lines.extend(self.due_of_rounds(now));
        lines
    }

    /// The same of the final rounds, which each problem has for itself.
    pub(super) fn due_of_rounds(&self, now: u64) -> Vec<Line> {
        // What arrived before is on disk then, and can be judged before the final rounds.
        let opens = self.rules.in_round(2).opens.filter(|&opens| !self.finals && now >= opens + UPLOAD_SECONDS);
        let mut lines: Vec<Line> = opens.map(|opens| Line::Finals { from: Some(opens) }).into_iter().collect();
        let closed = |round: &u32| self.rules.in_round(*round).closes.is_some_and(|closes| closes <= now);
        let rounds = u32::try_from(self.rules.rounds.len()).unwrap_or(u32::MAX - 1) + 1;
        let round = (self.public_round().saturating_add(1)..=rounds).rev().find(closed);
        lines.extend(round.filter(|_| self.finals).map(|round| Line::Published { round }));
        lines
    }

    /// The last submission that is public while the board is frozen, 0 for none; `None` if it is not frozen.
    pub fn frozen(&self) -> Option<u32> {
        self.frozen.map(|freeze| freeze.last)
    }

    /// Tests whether the public may see what becomes of a submission.
    pub fn is_public(&self, number: u32) -> bool {
        self.frozen.is_none_or(|freeze| self.is_before(freeze, number))
    }

    /// Tests whether a submission was public before the thaw; `None` if there was no freeze, or it is not over.
    pub fn was_public(&self, number: u32) -> Option<bool> {
        let over = self.before_thaw.filter(|_| self.frozen.is_none());
        over.map(|freeze| self.is_before(freeze, number))
    }

    fn is_before(&self, Freeze { last, from, set_back, .. }: Freeze, number: u32) -> bool {
        // Of what came after the clock was set back, it is unknown whether it began before.
        let before = |from: u64| {
            let is_earlier = self.submission(number).is_some_and(|(at, _)| at < from);
            is_earlier && self.set_back_before(number) == set_back
        };
        number <= last || from.is_some_and(before)
    }
}
