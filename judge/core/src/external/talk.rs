//! The decision which side caused the end of a talk.

use judge_job::{Cut, End, SideOutcome, named};

use crate::verdict::Exit;

named! {
    /// The time that the limit of an entry counts while it talks.
    #[derive(Default)]
    pub enum TalkClock {
        /// Wall-clock time from start to exit, as without a talk.
        #[default]
        Wall = "wall",
        /// Only the time while the entry is to move, as on a chess clock.
        Own = "own",
    }
}

/// The result of a referee at the end of a talk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverriddenResult {
    /// The entry succeeded, or its score is known.
    Accepts,
    /// The entry failed. This is a verdict, and not a failure of the referee.
    Rejects,
    /// Nothing, because the judge ended it before it had ruled.
    Nothing,
    /// The referee itself failed; the reason as a fragment.
    Failed(String),
}

/// The side that decides a run with a talk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blame {
    /// The referee failed: a judge error, for this reason.
    Referee(String),
    /// The entry failed by its own end, whatever the referee ruled.
    Entry(End),
    /// No side failed: the referee's ruling counts.
    Ruling,
}

/// Decides who is to blame, from the recorded ends of both programs, their times, and the referee's result. The first matching
/// line of the table in `docs/referees.md` decides; the comments have its numbers.
pub fn blame(referee: &SideOutcome, entry: &SideOutcome, result: &OverriddenResult) -> Blame {
    for side in [referee, entry] {
        if let End::JudgeError { reason } = &side.outcome.end {
            return Blame::Referee(reason.clone());
        }
    }
    // An entry that could not be started never talked, whatever its referee ruled.
    if let (end @ End::CouldNotStart { .. }, None) = (&entry.outcome.end, entry.cut) {
        return Blame::Entry(end.clone());
    }
    // 1.
    if let OverriddenResult::Failed(reason) = result {
        return Blame::Referee(reason.clone());
    }
    if let (End::CouldNotStart { reason, .. }, None) = (&referee.outcome.end, referee.cut) {
        return Blame::Referee(format!("it could not be started: {reason}"));
    }
    // The entry had time left, so the referee used more time for its moves than allowed, whatever it ruled at last.
    if (&entry.outcome.end, entry.cut) == (&End::TimedOut, Some(Cut::OthersClock)) {
        return Blame::Referee(
            "it took more time for its moves than its `limit` allows, while the entry had time left on its own clock"
                .into(),
        );
    }
    // 2. The referee's end is recorded before the entry can detect it, so equal times mean that the referee ended first.
    let first = referee.ended_us.zip(entry.ended_us).is_some_and(|(referee, entry)| referee <= entry);
    if *result == OverriddenResult::Rejects && first {
        return Blame::Ruling;
    }
    match (&entry.outcome.end, result) {
        // 6 and 7. An entry that the judge ended only because the talk was over has not failed.
        (End::Exited { code: 0 }, OverriddenResult::Accepts | OverriddenResult::Rejects) => Blame::Ruling,
        (End::Exited { code: 0 }, _) => {
            Blame::Referee("it had not ruled when the time for its end was over, after the entry had ended".into())
        }
        (_, OverriddenResult::Rejects) if entry.cut == Some(Cut::TalkOver) => Blame::Ruling,
        (_, _) if entry.cut == Some(Cut::TalkOver) => Blame::Referee("it ended the talk without a ruling".into()),
        // 3, 4 and 5: an entry has one end, and its executor reports the first limit that applies.
        (end, _) => Blame::Entry(end.clone()),
    }
}

/// Remarks on a talk for the organiser, as fragments.
pub fn remarks(referee: &SideOutcome, entry: &SideOutcome, result: &OverriddenResult) -> Vec<String> {
    let mut remarks = Vec::new();
    if entry.cut == Some(Cut::AllWait) {
        remarks.push("both wait for input: the entry for the referee, and the referee for the entry".into());
    }
    if entry.cut == Some(Cut::OwnClock) {
        remarks.push("its own clock ran out, which counts only while it is to move".into());
    }
    let accepted = *result == OverriddenResult::Accepts;
    let after = referee.ended_us.zip(entry.ended_us).is_some_and(|(referee, entry)| referee <= entry);
    let exit = match entry.outcome.end {
        End::Signalled { signal } => Some(Exit::Signal(signal)),
        End::Exited { code } if code != 0 => Some(Exit::Code(code)),
        _ => None,
    };
    if let Some(exit) = exit.filter(|_| accepted && after && entry.cut.is_none()) {
        remarks.push(format!("it ended with {exit} after the referee had accepted: did it go on writing?"));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use judge_job::{Isolation, Machine, Outcome, Tier};

    use super::*;

    fn side(end: End, ended_us: u64) -> SideOutcome {
        let isolation = Isolation { tier: Tier::ProcessGroup, layers: Vec::new() };
        let mut side = SideOutcome::new(Outcome::new(end, isolation, Machine::default()));
        (side.begun_us, side.ended_us) = (Some(0), Some(ended_us));
        side
    }

    const OK: End = End::Exited { code: 0 };
    const REJECTS: End = End::Exited { code: 43 };

    fn cut(end: End, ended_us: u64, cut: Cut) -> SideOutcome {
        let mut side = side(end, ended_us);
        side.cut = Some(cut);
        side
    }

    fn killed(ended_us: u64, by: Cut) -> SideOutcome {
        cut(End::Signalled { signal: 9 }, ended_us, by)
    }

    #[test]
    fn line_1_a_referee_that_fails_is_a_judge_error_whatever_the_entry_did() {
        let failed = OverriddenResult::Failed("it ended with exit code 1".into());
        for entry in [side(OK, 5), side(End::TimedOut, 50), side(End::Exited { code: 1 }, 5), killed(11, Cut::TalkOver)]
        {
            let blamed = blame(&side(End::Exited { code: 1 }, 10), &entry, &failed);
            assert_eq!(blamed, Blame::Referee("it ended with exit code 1".into()), "{entry:?}");
        }
        let missing = side(End::CouldNotStart { reason: "no file".into(), by_author: false }, 0);
        assert!(matches!(blame(&missing, &side(OK, 5), &OverriddenResult::Nothing), Blame::Referee(_)));
        // The entry's clock had time left when the wall-clock limit ended it.
        let entry = cut(End::TimedOut, 50, Cut::OthersClock);
        for (referee, result) in [
            (killed(52, Cut::Lingered), OverriddenResult::Nothing),
            (side(REJECTS, 51), OverriddenResult::Rejects),
            (side(End::Exited { code: 42 }, 9), OverriddenResult::Accepts),
        ] {
            let blamed = blame(&referee, &entry, &result);
            assert!(matches!(blamed, Blame::Referee(reason) if reason.contains("for its moves")), "{referee:?}");
        }
        // Only an entry that never started is at fault itself.
        let entry = side(missing.outcome.end.clone(), 0);
        assert!(matches!(blame(&side(OK, 5), &entry, &failed), Blame::Entry(End::CouldNotStart { .. })));
    }

    #[test]
    fn line_2_a_rejection_before_the_end_of_the_entry_decides_whatever_it_does_afterwards() {
        let referee = side(REJECTS, 10);
        for end in [OK, End::TimedOut, End::OutOfMemory, End::TooMuchOutput, End::Signalled { signal: 13 }] {
            assert_eq!(blame(&referee, &side(end.clone(), 11), &OverriddenResult::Rejects), Blame::Ruling, "{end:?}");
        }
        assert_eq!(
            blame(&referee, &side(End::Signalled { signal: 13 }, 10), &OverriddenResult::Rejects),
            Blame::Ruling
        );
        assert_eq!(blame(&referee, &killed(11, Cut::TalkOver), &OverriddenResult::Rejects), Blame::Ruling);
    }

    #[test]
    fn line_3_time_and_cpu_limits_and_waits_for_each_other_come_before_later_rejections() {
        for end in [End::TimedOut, End::OutOfCpu] {
            let entry = side(end.clone(), 10);
            for (referee, result) in [
                (side(REJECTS, 11), OverriddenResult::Rejects),
                (side(End::Exited { code: 42 }, 9), OverriddenResult::Accepts),
                (killed(10, Cut::TalkOver), OverriddenResult::Nothing),
                (killed(12, Cut::Lingered), OverriddenResult::Nothing),
                // Ended by the wall-clock limit that both share.
                (side(End::TimedOut, 12), OverriddenResult::Nothing),
            ] {
                assert_eq!(blame(&referee, &entry, &result), Blame::Entry(end.clone()), "{referee:?}");
            }
        }
        let (referee, entry) = (killed(10, Cut::TalkOver), cut(End::TimedOut, 10, Cut::AllWait));
        assert_eq!(blame(&referee, &entry, &OverriddenResult::Nothing), Blame::Entry(End::TimedOut));
        assert!(remarks(&referee, &entry, &OverriddenResult::Nothing)[0].starts_with("both wait for input"));
        let entry = cut(End::TimedOut, 10, Cut::OwnClock);
        assert_eq!(blame(&side(REJECTS, 12), &entry, &OverriddenResult::Rejects), Blame::Entry(End::TimedOut));
    }

    #[test]
    fn line_4_memory_and_output_come_before_later_rejections() {
        for end in [End::OutOfMemory, End::TooMuchOutput, End::TooManyProcesses, End::ScratchFull] {
            assert_eq!(
                blame(&side(REJECTS, 11), &side(end.clone(), 10), &OverriddenResult::Rejects),
                Blame::Entry(end)
            );
        }
    }

    #[test]
    fn line_5_a_crash_decides_whatever_the_ruling() {
        for end in [End::Exited { code: 3 }, End::Signalled { signal: 11 }] {
            let (referee, entry) = (side(REJECTS, 11), side(end.clone(), 10));
            assert_eq!(blame(&referee, &entry, &OverriddenResult::Rejects), Blame::Entry(end.clone()));
            assert_eq!(remarks(&referee, &entry, &OverriddenResult::Rejects), [""; 0]);
        }
        let (referee, entry) = (side(End::Exited { code: 42 }, 9), side(End::Signalled { signal: 13 }, 10));
        assert_eq!(blame(&referee, &entry, &OverriddenResult::Accepts), Blame::Entry(End::Signalled { signal: 13 }));
        assert!(remarks(&referee, &entry, &OverriddenResult::Accepts)[0].contains("after the referee had accepted"));
    }

    #[test]
    fn lines_6_and_7_the_ruling_counts_if_nobody_failed() {
        for result in [OverriddenResult::Accepts, OverriddenResult::Rejects] {
            assert_eq!(blame(&side(REJECTS, 11), &side(OK, 10), &result), Blame::Ruling);
        }
        assert_eq!(blame(&side(End::Exited { code: 42 }, 9), &side(OK, 10), &OverriddenResult::Accepts), Blame::Ruling);
        let blamed = blame(&killed(99, Cut::Lingered), &side(OK, 10), &OverriddenResult::Nothing);
        assert!(matches!(blamed, Blame::Referee(reason) if reason.contains("had not ruled")));
    }

    #[test]
    fn a_failure_of_the_executor_is_nobody_s() {
        let failed = side(End::JudgeError { reason: "no memory".into() }, 0);
        assert_eq!(blame(&failed, &side(OK, 10), &OverriddenResult::Nothing), Blame::Referee("no memory".into()));
        assert_eq!(blame(&side(OK, 10), &failed, &OverriddenResult::Accepts), Blame::Referee("no memory".into()));
    }
}
