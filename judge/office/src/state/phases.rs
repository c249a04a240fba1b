//! The phases of a contest: freezes, rounds and their ends, and the public results of each.

use judge_contest::office::{Games, OfficeRules};

use super::{Freeze, State};
use crate::UPLOAD_SECONDS;
use crate::line::Line;

impl State {
    /// Tests whether only the sealed rounds are judged.
    pub fn finals(&self) -> bool {
        self.finals
    }

    /// The later rounds that have closed, with the moments when that was recorded, oldest first.
    pub fn published(&self) -> &[(u64, u32)] {
        &self.published
    }

    /// The last round whose results are public.
    pub fn public_round(&self) -> u32 {
        match self.finalised {
            Some(_) => u32::MAX,
            None => self.published.last().map_or(1, |(_, round)| *round),
        }
    }

    /// The last round whose results are public while the board is frozen; unbounded if it is not frozen.
    pub(crate) fn round_at_freeze(&self) -> u32 {
        self.frozen.map_or(u32::MAX, |freeze| freeze.round)
    }

    /// The time when the results became final.
    pub fn finalised(&self) -> Option<u64> {
        self.finalised
    }

    /// The number of times that the results became final.
    pub fn finalisations(&self) -> u32 {
        self.finalisations
    }

    /// The moments when the results were reopened, with the reasons, oldest first.
    pub fn reopened(&self) -> &[(u64, String)] {
        &self.reopened
    }

    /// Tests whether the log records that the clock has reached a planned moment.
    pub fn has_passed(&self, moment: u64) -> bool {
        self.passed.contains_key(&moment)
    }

    /// Tests whether the clock has reached a planned moment, now or before it was set back.
    pub fn has_come(&self, moment: u64, now: u64) -> bool {
        self.came_before(moment, now, now)
    }

    /// Tests whether a planned moment came before an arrival, which is not later than now. An arrival before the moment may be
    /// recorded after it, so times are compared on a clock that is never set back.
    fn came_before(&self, moment: u64, arrived: u64, now: u64) -> bool {
        moment <= arrived
            || self.passed.get(&moment).is_some_and(|steady| self.on_steady_clock(arrived, now) >= *steady)
    }

    /// Tests whether an arrival at a moment, not later than now, is late: the contest had ended, or its final rounds have
    /// begun.
    pub fn is_late(&self, arrived: u64, now: u64) -> bool {
        self.finals || self.rules.late_from().is_some_and(|from| self.came_before(from, arrived, now))
    }

    /// The moment from which submissions are accepted, if an arrival at `arrived`, not later than now, is too early.
    pub(crate) fn not_open(&self, arrived: u64, now: u64) -> Option<u64> {
        self.rules.times.opens.filter(|&opens| !self.came_before(opens, arrived, now))
    }

    /// Tests whether the final rounds have begun, or are about to.
    pub(crate) fn finals_come(&self, now: u64) -> bool {
        self.finals || self.rules.in_round(2).opens.is_some_and(|opens| self.has_come(opens, now))
    }

    /// A line for the planned moments that the clock has reached and that are not recorded yet. The freeze has its own line.
    fn due_moments(&self, now: u64) -> Option<Line> {
        let mut moments: Vec<u64> = planned(&self.rules).filter(|moment| !self.has_passed(*moment)).collect();
        moments.retain(|&moment| moment <= now);
        moments.sort_unstable();
        moments.dedup();
        (!moments.is_empty()).then_some(Line::Passed { moments })
    }

    /// Freezes the board.
    pub(super) fn freeze(&mut self, at: u64, last: u32, from: Option<u64>) {
        let steady = from.map(|from| self.clock.order(from));
        self.frozen = Some(Freeze { last, from: steady, round: self.public_round() });
        self.froze = from.or_else(|| self.planned_freeze(at)).or(self.froze);
        (self.frozen_at, self.thawed) = (Some(from.unwrap_or(at)), None);
    }

    /// The times of the last freeze and the last thaw of the board.
    pub fn froze_and_thawed(&self) -> (Option<u64>, Option<u64>) {
        (self.frozen_at, self.thawed)
    }

    /// The planned moment of the freeze, if it has passed.
    pub(super) fn planned_freeze(&self, now: u64) -> Option<u64> {
        self.rules.times.freezes.filter(|&freezes| freezes <= now)
    }

    /// The lines that are due by the clock.
    pub(crate) fn due(&self, now: u64) -> Vec<Line> {
        if self.finalised.is_some() {
            return Vec::new();
        }
        let mut lines: Vec<Line> = self.due_moments(now).into_iter().collect();
        let freezes = self.planned_freeze(now).filter(|&freezes| self.froze != Some(freezes));
        // The moment counts, even if the line comes later, such as after a full disk.
        let line = |from| Line::Frozen { last: self.last_before(from, now), from: Some(from) };
        lines.extend(freezes.filter(|_| self.frozen.is_none()).map(line));
        lines.extend(self.due_of_rounds(now));
        lines
    }

    /// The lines about final rounds that are due by the clock.
    fn due_of_rounds(&self, now: u64) -> Vec<Line> {
        // Submissions that arrived before are on disk then, and can be judged before the final rounds.
        let opens = self.rules.in_round(2).opens.filter(|&opens| !self.finals && now >= opens + UPLOAD_SECONDS);
        let mut lines: Vec<Line> = opens.map(|opens| Line::Finals { from: Some(opens) }).into_iter().collect();
        let closed = |round: &u32| self.rules.in_round(*round).closes.is_some_and(|closes| closes <= now);
        let rounds = u32::try_from(self.rules.rounds.len()).unwrap_or(u32::MAX - 1) + 1;
        let round = (self.public_round().saturating_add(1)..=rounds).rev().find(closed);
        lines.extend(round.filter(|_| self.finals).map(|round| Line::Published { round }));
        lines.extend(self.due_of_games(now));
        lines
    }

    /// The line that calls the players that arrived before the last moment at which new players play; `None` without new ones.
    fn due_of_games(&self, now: u64) -> Option<Line> {
        let last = self.last_before(self.rules.games.last_before(now)?, now);
        (last > self.called).then_some(Line::Called { last })
    }

    /// Tests whether a submission may play, in a contest of matches.
    pub(crate) fn is_called(&self, number: u32) -> bool {
        self.rules.games == Games::AtOnce || number <= self.called
    }

    /// The last submission that was called to play; 0 if none was.
    pub fn called(&self) -> u32 {
        self.called
    }

    /// The last submission that is public while the board is frozen, 0 for none; `None` if it is not frozen.
    pub fn frozen(&self) -> Option<u32> {
        self.frozen.map(|freeze| freeze.last)
    }

    /// Tests whether the public may see the result of a submission.
    pub fn is_public(&self, number: u32) -> bool {
        self.frozen.is_none_or(|freeze| self.is_before(freeze, number))
    }

    /// Tests whether a submission was public before the thaw; `None` if the board was never frozen, or is frozen now.
    pub fn was_public(&self, number: u32) -> Option<bool> {
        let over = self.before_thaw.filter(|_| self.frozen.is_none());
        over.map(|freeze| self.is_before(freeze, number))
    }

    fn is_before(&self, Freeze { last, from, .. }: Freeze, number: u32) -> bool {
        number <= last || from.is_some_and(|from| self.arrival(number).0 < from)
    }

    /// The number of the last submission before a moment, not later than now, so that all before it had arrived as well; 0 for none.
    fn last_before(&self, moment: u64, now: u64) -> u32 {
        let moment = self.on_steady_clock(moment, now);
        (1..self.next_number()).take_while(|number| self.arrival(*number).0 < moment).last().unwrap_or_default()
    }
}

/// All planned moments except the freeze.
fn planned(rules: &OfficeRules) -> impl Iterator<Item = u64> {
    let rounds = rules.rounds.iter().flat_map(|times| [times.opens, times.closes]);
    [rules.times.opens, rules.times.closes].into_iter().chain(rounds).flatten()
}
