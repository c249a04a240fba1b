//! Decisions and messages, checked against the previous state.

use std::collections::BTreeSet;
use std::sync::Arc;

use judge_contest::office::{OfficeRules, Times};
use judge_core::key::Name;

use super::{Decision, MAX_TEXT_BYTES, Message, Refusal, State, Submission, Team, index};

impl Team {
    /// Tests whether everything that decides which of its submissions count is as in another state.
    fn decides_as(&self, other: &Self) -> bool {
        self.chosen == other.chosen
            && self.publicly_chosen == other.publicly_chosen
            && self.chosen_before_thaw == other.chosen_before_thaw
            && self.disqualified == other.disqualified
    }
}

impl State {
    /// The sort key of submissions: the time of arrival on a clock that is never set back, then the number. Unknown numbers
    /// come last.
    pub(crate) fn arrival(&self, number: u32) -> (u64, u32) {
        let arrived = self.submission(number).map(|(at, _)| at.saturating_add(self.set_back_before(number)));
        (arrived.unwrap_or(u64::MAX), number)
    }

    /// The numbers of a team's submissions to all problems, in the order in which they arrived.
    pub fn in_order_of_arrival(&self, team: &Team) -> Vec<u32> {
        let mut numbers: Vec<u32> = team.numbers().collect();
        numbers.sort_by_key(|&number| self.arrival(number));
        numbers
    }

    /// Converts a moment since the last step of the clock, not later than now, to a clock that is never set back.
    pub(crate) fn on_steady_clock(&self, moment: u64, now: u64) -> u64 {
        self.clock.after(now).order(moment)
    }

    /// The total time by which the clock was set back before a submission, in seconds.
    pub(super) fn set_back_before(&self, number: u32) -> u64 {
        index(number).and_then(|index| self.set_back.get(index)).copied().unwrap_or_default()
    }

    /// The decisions on teams and on submissions since an earlier state of the same office, so that other submissions may count;
    /// `None` if all teams are concerned. A new submission changes nothing before it is entered.
    pub(crate) fn decided_since(&self, before: &Self) -> Option<(BTreeSet<&str>, Vec<&Submission>)> {
        // Other rules decide nothing.
        let deciding = |of: &Self| (of.rules.counts, of.rules.games, of.frozen, of.called);
        if deciding(self) != deciding(before) {
            return None;
        }
        let gates = self.gates.changed_since(&before.gates).filter(|&index| index < before.submissions.len());
        let submissions = gates.filter_map(|index| self.submissions.get(index)).map(|(_, submission)| submission);
        let same = |name: &Name, team: &Arc<Team>| {
            before.teams.get(name).is_some_and(|known| Arc::ptr_eq(known, team) || known.decides_as(team))
        };
        let decided = self.teams.iter().filter(|(name, team)| !same(name, team)).map(|(name, _)| &**name);
        Some((decided.collect(), submissions.collect()))
    }

    /// The numbers of the submissions that are new since another moment of the same office, and of those on which something else
    /// was decided.
    pub(crate) fn submissions_decided_since<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = u32> + 'a {
        if self.submissions.len() < before.submissions.len() {
            return before.submissions_decided_since(self).collect::<Vec<_>>().into_iter();
        }
        let gates = self.gates.changed_since(&before.gates).chain(before.gates.len()..self.gates.len());
        let gates = gates.filter_map(|index| Some(self.submissions.get(index)?.1.number));
        let is_same = |name: &Name, team: &Arc<Team>| {
            let known = before.teams.get(name);
            known.is_some_and(|known| Arc::ptr_eq(known, team) || known.disqualified == team.disqualified)
        };
        let teams = self.teams.iter().filter(|(name, team)| !is_same(name, team));
        gates.chain(teams.flat_map(|(_, team)| team.numbers())).collect::<Vec<_>>().into_iter()
    }

    /// Adopts the rules of the contest file. Times that were changed by command stay, as long as the times in the file do not
    /// change.
    pub(super) fn follow_file(&mut self, rules: OfficeRules) {
        let last = 1 + rules.rounds.len().max(self.rules.rounds.len());
        let mut kept = rules.clone();
        if let Some(before) = self.of_file.as_deref() {
            for round in 1..=u32::try_from(last).unwrap_or(u32::MAX) {
                let [new, old, now] = [&rules, before, &*self.rules].map(|rules| rules.in_round(round));
                let pick = |new, old, now| if new == old { now } else { new };
                let times = Times {
                    opens: pick(new.opens, old.opens, now.opens),
                    freezes: pick(new.freezes, old.freezes, now.freezes),
                    closes: pick(new.closes, old.closes, now.closes),
                };
                kept = kept.with_round(round, times);
            }
        }
        if kept.check().is_err() {
            kept = rules.clone();
        }
        let times = |rules: &OfficeRules| (rules.times, rules.rounds.clone());
        if times(&kept) == times(&rules) && times(&kept) != times(&self.rules) {
            self.replaced = self.extensions.len();
        }
        (self.rules, self.of_file) = (Arc::new(kept), Some(Arc::new(rules)));
    }

    pub(super) fn decide(&mut self, number: u32, decision: Decision, because: &str) -> Result<(), Refusal> {
        let unknown = Refusal::UnknownSubmission(number);
        let Some((_, submission)) = self.submission(number) else { return Err(unknown) };
        let (entry, late) = (submission.entry(), submission.late);
        let gate = index(number).and_then(|index| self.gates.get_mut(index));
        let Some(gate) = gate else { return Err(unknown) };
        let refused = match decision {
            Decision::Admitted if !late => Some("did not come late"),
            Decision::Admitted if gate.admitted => Some("is admitted already"),
            Decision::Held if gate.held.is_some() => Some("is held already"),
            Decision::Cancelled if gate.cancelled => Some("is cancelled already"),
            Decision::Ignored if gate.ignored.is_some() => Some("is ignored already"),
            Decision::Considered if gate.ignored.is_none() => Some("is not ignored"),
            _ => None,
        };
        if let Some(reason) = refused {
            return Err(Refusal::Decision { entry, reason });
        }
        match decision {
            Decision::Admitted => gate.admitted = true,
            Decision::Held => gate.held = Some(because.to_owned()),
            Decision::Released => {
                gate.held = None;
                gate.releases += 1;
                std::sync::Arc::make_mut(&mut self.released).insert(number);
            }
            Decision::Cancelled => gate.cancelled = true,
            Decision::Ignored => gate.ignored = Some(because.to_owned()),
            Decision::Considered => gate.ignored = None,
        }
        Ok(())
    }

    pub(super) fn send(&mut self, at: u64, message: Message) -> Result<(), Refusal> {
        let (number, last) = (message.number, self.next_message() - 1);
        if number != last + 1 {
            return Err(Refusal::Number { what: "message", number, last });
        }
        let has_text = message.text.is_erased() || !message.text.trim().is_empty();
        if !has_text || message.text.len() > MAX_TEXT_BYTES {
            return Err(Refusal::Text);
        }
        for team in [&message.from, &message.to].into_iter().flatten() {
            if !self.teams.contains_key(&**team) {
                return Err(Refusal::UnknownTeam(team.clone()));
            }
        }
        let question = message.answers.map(|question| self.message(question));
        if question.is_some_and(|question| question.is_none_or(|(_, question)| question.from.is_none())) {
            return Err(Refusal::NoQuestion);
        }
        self.messages.push((at, message));
        Ok(())
    }
}
