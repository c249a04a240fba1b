//! In a contest of several problems, each office follows the office of the first problem, which decides on teams and their
//! tokens, times, the freeze and the end.

use std::sync::Arc;

use judge_contest::office::OfficeRules;

use super::{Freeze, State, Submission};
use crate::line::Line;

/// The reason of changed times if the first office has no other reason.
const TIMES: &str = "the times of the first problem";
/// The reason of reopened results if the first office has no other reason.
const FINAL: &str = "the results of the first problem are not final";

impl State {
    /// The lines that make this office agree with the first one, and the lines that are due by the clock only in this
    /// office.
    pub(crate) fn due_after(&self, first: &Self, now: u64) -> Vec<Line> {
        let mut lines = self.behind(first);
        if self.finalised.is_some() || first.finalised.is_some() {
            return lines;
        }
        lines.extend(self.due_moments_after(first, now));
        lines.extend(self.due_of_rounds(now));
        lines
    }

    /// The lines that make this office agree with the first one; empty if it agrees.
    fn behind(&self, first: &Self) -> Vec<Line> {
        let mut lines = Vec::new();
        // The results of all problems are final together. Until then, all else is followed.
        let are_final = self.finalised.is_some() && first.finalised.is_some();
        if let (Some(_), None) = (self.finalised, first.finalised) {
            let because = first.reopened.last().map_or(FINAL, |(_, because)| because).to_owned();
            lines.push(Line::Reopened { because });
        }
        let unknown = first.teams.keys().filter(|name| !are_final && !self.teams.contains_key(&***name));
        lines.extend(unknown.map(|name| Line::Team { team: name.to_string(), registered: false }));
        if are_final {
            lines.extend((self.frozen.is_some() && first.frozen.is_none()).then_some(Line::Thawed));
            return lines;
        }
        let times = first.rules.times;
        // Later rounds of this problem may leave no room for them.
        let fits = || OfficeRules::clone(&self.rules).with_round(1, times).check().is_ok();
        if self.rules.times != times && fits() {
            let because = first.extensions.last().map_or(TIMES, |(_, because)| because).to_owned();
            lines.push(Line::Extended { round: None, times, because });
        }
        lines.extend(self.phase_behind(first));
        lines.extend(self.teams_out(first));
        lines.extend((first.finalised.is_some() && self.finalised.is_none()).then_some(Line::Final));
        lines
    }

    /// The names of the teams that the first office does not have.
    pub(crate) fn teams_unknown_to<'s>(&'s self, first: &'s Self) -> impl Iterator<Item = &'s str> {
        self.teams.keys().filter(|team| !first.teams.contains_key(*team)).map(|team| &**team)
    }

    /// The key of the contest file's table `[office]` in which this office and the first one differ. Rounds belong to one problem.
    pub(crate) fn differing_rule(&self, first: &Self) -> Option<&'static str> {
        let of = |state: &Self| state.of_file.clone().unwrap_or_default();
        differing(&of(self), &of(first))
    }

    /// Sets the rules of its contest file, as a start records them.
    #[must_use]
    pub(crate) fn with_rules_of_file(self, rules: OfficeRules) -> Self {
        Self { of_file: Some(Arc::new(rules)), ..self }
    }

    fn phase_behind(&self, first: &Self) -> Option<Line> {
        let of = Some(first.freezes);
        match (self.frozen, first.frozen) {
            // This one knows that freeze.
            (Some(own), Some(_)) if own.of == of => None,
            // It missed a thaw, or was frozen alone: a contest has one freeze and one thaw, whatever froze this problem.
            (_, Some(Freeze { from, .. })) => {
                // What arrived here since the board there froze is hidden, also if no request came in between. In the same second, what
                // was accepted before this office knew of the freeze came before it.
                let before = |(at, one): &&(u64, Submission)| match first.frozen_at {
                    Some(frozen_at) if *at == frozen_at => one.freezes.is_some_and(|seen| seen < first.freezes),
                    frozen_at => frozen_at.is_none_or(|frozen_at| *at < frozen_at),
                };
                let last = self.submissions.iter().take_while(before).count();
                Some(Line::Frozen { last: u32::try_from(last).unwrap_or(u32::MAX), from, of })
            }
            (Some(_), None) => Some(Line::Thawed),
            (None, None) => None,
        }
    }

    /// Decisions on teams that the first office has and this one lacks. Decisions that exist only here stay.
    fn teams_out<'s>(&'s self, first: &'s Self) -> impl Iterator<Item = Line> + 's {
        first.teams.iter().filter_map(|(name, team)| {
            let theirs = team.disqualified.as_ref()?;
            let (team, because) = (name.to_string(), theirs.because.clone());
            match (theirs.holds, self.out(name)) {
                (true, None) => Some(Line::Disqualified { team, because }),
                (false, Some(own)) if own == because => Some(Line::Reinstated { team, because }),
                _ => None,
            }
        })
    }
}

/// The first key in which the rules of two contest files of one contest differ.
fn differing(own: &OfficeRules, theirs: &OfficeRules) -> Option<&'static str> {
    let same = [
        ("counts", own.counts == theirs.counts),
        ("feedback", own.feedback == theirs.feedback),
        ("opens", own.times.opens == theirs.times.opens),
        ("freezes", own.times.freezes == theirs.times.freezes),
        ("closes", own.times.closes == theirs.times.closes),
        ("penalty", own.penalty == theirs.penalty),
    ];
    same.into_iter().find(|(_, same)| !same).map(|(key, _)| key)
}

#[cfg(test)]
mod tests {
    use judge_contest::office::Times;

    use super::*;
    use crate::line::Dated;
    use crate::state::tests::{begun, submission};

    fn apply(state: &mut State, at: u64, lines: impl IntoIterator<Item = Line>) {
        lines.into_iter().for_each(|line| state.apply(Dated { at, line }).unwrap());
    }

    fn team(name: &str) -> [Line; 1] {
        [Line::Team { team: name.to_owned(), registered: false }]
    }

    /// Lets one office follow another and checks that it then agrees.
    fn follow(own: &mut State, first: &State, at: u64) -> usize {
        let lines = own.behind(first);
        let count = lines.len();
        apply(own, at, lines);
        assert_eq!(own.behind(first), []);
        count
    }

    #[test]
    fn an_office_has_the_teams_and_the_times_of_the_first() {
        let (mut first, mut own) = (begun(), begun());
        apply(&mut first, 2, team("ada"));
        follow(&mut own, &first, 3);
        apply(&mut first, 4, team("bob"));
        follow(&mut own, &first, 5);
        assert!(own.teams.keys().eq(first.teams.keys()));
        let times = Times { closes: Some(100), ..Times::default() };
        apply(&mut first, 6, [Line::Extended { round: None, times, because: "the power was off".into() }]);
        follow(&mut own, &first, 7);
        assert_eq!(own.rules().times, times);
        assert_eq!(own.extensions().last().unwrap().1, "the power was off");
        // Its own second round opens before that, so its times stay.
        let round = Times { opens: Some(150), ..Times::default() };
        apply(&mut own, 8, [Line::Extended { round: Some(2), times: round, because: "own".into() }]);
        let late = Times { closes: Some(200), ..Times::default() };
        apply(&mut first, 9, [Line::Extended { round: None, times: late, because: "later".into() }]);
        assert_eq!(follow(&mut own, &first, 10), 0);
    }

    #[test]
    fn offices_share_phases_but_not_decisions_on_teams() {
        let (mut first, mut own) = (begun(), begun());
        apply(&mut first, 2, team("ada").into_iter().chain(team("bob")));
        follow(&mut own, &first, 2);
        // One that was frozen alone, while it was served alone or by hand, is as public as the first.
        apply(&mut own, 3, [Line::Frozen { last: 0, from: None, of: None }]);
        assert_eq!(own.behind(&first), [Line::Thawed]);
        follow(&mut own, &first, 4);
        // It follows later than the first one thaws.
        apply(&mut first, 5, [Line::Frozen { last: 0, from: None, of: None }]);
        follow(&mut own, &first, 6);
        assert_eq!(own.frozen(), Some(0));
        apply(&mut own, 6, [Line::Thawed]);
        assert_eq!(own.behind(&first), [Line::Frozen { last: 0, from: None, of: Some(1) }]);
        follow(&mut own, &first, 8);
        apply(&mut first, 7, [Line::Thawed]);
        assert_eq!(own.behind(&first), [Line::Thawed], "its freeze is younger than the thaw");
        follow(&mut own, &first, 8);
        apply(&mut first, 9, [Line::Frozen { last: 0, from: None, of: None }, Line::Final]);
        follow(&mut own, &first, 10);
        assert!(own.frozen() == Some(0) && own.finalised().is_some());
        apply(&mut first, 10, [Line::Reopened { because: "a wrong referee".into() }]);
        follow(&mut own, &first, 11);
        assert_eq!((own.finalised(), &*own.reopened()[0].1), (None, "a wrong referee"));
        let out = |team: &str| [Line::Disqualified { team: team.into(), because: format!("{team} copied") }];
        let back = |team: &str| [Line::Reinstated { team: team.into(), because: "no".into() }];
        apply(&mut own, 11, out("bob"));
        apply(&mut first, 11, out("ada"));
        follow(&mut own, &first, 12);
        let holds = |state: &State| state.teams.keys().filter(|team| state.out(team).is_some()).count();
        assert_eq!(holds(&own), 2);
        apply(&mut first, 13, back("ada"));
        follow(&mut own, &first, 14);
        assert!(holds(&own) == 1 && own.out("bob").is_some());
    }

    #[test]
    fn what_arrives_after_the_first_office_froze_is_hidden_although_nobody_looked() {
        let (mut first, mut own) = (begun(), begun());
        apply(&mut first, 2, team("ada"));
        follow(&mut own, &first, 2);
        let submitted = |number, arrived, freezes| [Line::Submitted(submission(number, arrived, freezes))];
        apply(&mut own, 9, submitted(1, None, None));
        apply(&mut first, 10, [Line::Frozen { last: 0, from: None, of: None }]);
        // Within the same second, and later; one was under way when the board froze.
        apply(&mut own, 10, submitted(2, None, None));
        apply(&mut own, 11, submitted(3, Some(9), None));
        apply(&mut own, 12, submitted(4, None, None));
        follow(&mut own, &first, 13);
        assert_eq!([1, 2, 3, 4].map(|number| own.is_public(number)), [true, false, false, false]);
    }

    fn handed_in(number: u32, freezes: Option<u32>) -> Line {
        Line::Submitted(submission(number, None, freezes))
    }

    fn frozen() -> Line {
        Line::Frozen { last: 0, from: None, of: None }
    }

    #[test]
    fn a_problem_that_missed_a_thaw_has_the_freeze_that_holds() {
        let (mut first, mut own) = (begun(), begun());
        apply(&mut first, 2, team("ada"));
        follow(&mut own, &first, 2);
        apply(&mut own, 3, [handed_in(1, Some(0))]);
        apply(&mut first, 10, [frozen()]);
        follow(&mut own, &first, 11);
        apply(&mut own, 12, [handed_in(2, Some(1)), Line::Chosen { number: 2 }]);
        assert_eq!([1, 2].map(|number| own.is_public(number)), [true, false]);
        // The site is down while the board thaws and freezes again; the office of the problem is used alone.
        apply(&mut first, 20, [Line::Thawed]);
        apply(&mut own, 25, [handed_in(3, None)]);
        apply(&mut first, 30, [frozen()]);
        apply(&mut own, 35, [handed_in(4, None)]);
        follow(&mut own, &first, 40);
        assert_eq!([1, 2, 3, 4].map(|number| own.is_public(number)), [true, true, true, false]);
        assert_eq!(own.teams["ada"].publicly_chosen, Some(2), "it was chosen before");
        assert_eq!(own.froze_and_thawed(), (Some(40), None));
        // Whether it was frozen alone, earlier or later, does not matter.
        apply(&mut own, 41, [Line::Thawed, Line::Frozen { last: 1, from: None, of: None }]);
        follow(&mut own, &first, 42);
        assert_eq!([1, 2, 3, 4].map(|number| own.is_public(number)), [true, true, true, false]);
        apply(&mut first, 50, [Line::Thawed]);
        follow(&mut own, &first, 51);
        assert!(own.frozen().is_none());
    }

    #[test]
    fn what_was_accepted_before_a_freeze_in_the_same_second_is_public() {
        let (mut first, mut own) = (begun(), begun());
        apply(&mut first, 2, team("ada"));
        follow(&mut own, &first, 2);
        for freezes in 0..3 {
            let (at, number) = (10 + 10 * u64::from(freezes), 1 + 3 * freezes);
            apply(&mut own, at, [handed_in(number, Some(freezes))]);
            apply(&mut first, at, [frozen()]);
            // The office did not know of the freeze, and then it did.
            apply(&mut own, at, [handed_in(number + 1, Some(freezes))]);
            follow(&mut own, &first, at);
            apply(&mut own, at, [handed_in(number + 2, Some(freezes + 1))]);
            let public = [0, 1, 2].map(|more| own.is_public(number + more));
            assert_eq!(public, [true, true, false], "freeze {}", freezes + 1);
            apply(&mut first, at + 1, [Line::Thawed]);
            follow(&mut own, &first, at + 1);
        }
    }
}
