//! The decision which fault a seat without an answer has.

use judge_job::End;

use crate::verdict::{Exit, JudgeFailure, Verdict};

/// The reply to the referee for a seat that gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAnswer {
    /// It took more time than its clock, or the limit of processor time, allows.
    Late,
    /// It ended, could not be started, or another limit ended it.
    Crash,
    /// It wrote more than its limit.
    Output,
    /// It used more memory than its limit.
    Memory,
}

impl NoAnswer {
    /// The word in the line for the referee.
    pub fn word(self) -> &'static str {
        match self {
            Self::Late => "late",
            Self::Crash => "crash",
            Self::Output => "output",
            Self::Memory => "memory",
        }
    }

    /// The word for a fault that the judge found.
    pub fn of(fault: &Verdict) -> Self {
        match fault {
            Verdict::TimedOut | Verdict::OutOfCpu => Self::Late,
            Verdict::TooMuchOutput => Self::Output,
            Verdict::OutOfMemory => Self::Memory,
            _ => Self::Crash,
        }
    }
}

/// The recorded facts about one ask of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskOutcome<'a> {
    /// Time on its clock, in microseconds: until its answer was complete, or until it ended.
    pub took_us: u64,
    /// The time that its clock allowed; `None` for no limit.
    pub allowed_us: Option<u64>,
    /// True if its answer was complete.
    pub answered: bool,
    /// Its end, if it ended by itself, or because a limit or its clock ended it.
    pub end: Option<&'a End>,
}

/// The fault of a seat in one ask, computed only from recorded times and ends. The first matching line of the table in
/// `docs/matches.md` decides; the comments have its numbers. `Ok(None)` if its answer counts.
///
/// # Errors
/// [`JudgeFailure`] if the judge failed instead of the seat. The game is to be played again then.
pub fn fault_of(moved: &AskOutcome<'_>) -> Result<Option<Verdict>, JudgeFailure> {
    let late = moved.allowed_us.is_some_and(|allowed| moved.took_us > allowed);
    match moved.end {
        // 1.
        Some(End::JudgeError { reason }) => Err(JudgeFailure::Judge(reason.clone())),
        // 2.
        _ if moved.answered && !late => Ok(None),
        // 3. An executor reports the first limit that applies.
        Some(
            end @ (End::OutOfCpu
            | End::OutOfMemory
            | End::TooManyProcesses
            | End::ScratchFull
            | End::TooMuchOutput
            | End::CouldNotStart { .. }),
        ) => Ok(Verdict::from_end(end)),
        // 4.
        Some(End::TimedOut) | None => Ok(Some(Verdict::TimedOut)),
        _ if late => Ok(Some(Verdict::TimedOut)),
        // 5.
        Some(End::Exited { code }) => Ok(Some(Verdict::Crashed { exit: Exit::Code(*code) })),
        Some(End::Signalled { signal }) => Ok(Some(Verdict::Crashed { exit: Exit::Signal(*signal) })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_times_and_ends_decide() {
        const EXIT: fn(i32) -> End = |code| End::Exited { code };
        let killed = End::Signalled { signal: 11 };
        let missing = End::CouldNotStart { reason: "no such file".into(), by_author: false };
        // The time of the ask, of 100 allowed, true with an answer, the end, the word and the fault.
        for (took_us, answered, end, expected) in [
            // 2.
            (100, true, None, None),
            (0, true, None, None),
            (50, true, Some(EXIT(0)), None),
            (50, true, Some(EXIT(3)), None),
            (50, true, Some(End::OutOfMemory), None),
            // 3.
            (101, true, Some(End::OutOfMemory), Some(("memory", "out_of_memory"))),
            (101, false, Some(End::TooMuchOutput), Some(("output", "too_much_output"))),
            (20, false, Some(End::OutOfCpu), Some(("late", "out_of_cpu"))),
            (20, false, Some(End::TooManyProcesses), Some(("crash", "too_many_processes"))),
            (20, false, Some(End::ScratchFull), Some(("crash", "scratch_full"))),
            (0, false, Some(missing), Some(("crash", "could_not_start"))),
            // 4.
            (101, true, None, Some(("late", "timed_out"))),
            (101, false, Some(End::TimedOut), Some(("late", "timed_out"))),
            (101, false, Some(EXIT(0)), Some(("late", "timed_out"))),
            (101, false, Some(killed.clone()), Some(("late", "timed_out"))),
            (100, false, Some(End::TimedOut), Some(("late", "timed_out"))),
            // 5.
            (100, false, Some(EXIT(0)), Some(("crash", "crashed"))),
            (3, false, Some(EXIT(7)), Some(("crash", "crashed"))),
            (3, false, Some(killed), Some(("crash", "crashed"))),
        ] {
            let moved = AskOutcome { took_us, allowed_us: Some(100), answered, end: end.as_ref() };
            let fault = fault_of(&moved).expect("no failure of the judge");
            let found = fault.as_ref().map(|fault| (NoAnswer::of(fault).word(), fault.name()));
            assert_eq!(found, expected, "{moved:?}");
        }
        // 1.
        let failed = End::JudgeError { reason: "no memory".into() };
        let moved = AskOutcome { took_us: 1, allowed_us: None, answered: true, end: Some(&failed) };
        assert_eq!(fault_of(&moved), Err(JudgeFailure::Judge("no memory".into())));
        let unlimited = AskOutcome { took_us: u64::MAX, end: Some(&End::Exited { code: 0 }), answered: false, ..moved };
        assert_eq!(fault_of(&unlimited), Ok(Some(Verdict::Crashed { exit: Exit::Code(0) })));
    }
}
