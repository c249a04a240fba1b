//! Codes: the three letters that a cell shows in place of a number of moves.

use std::fmt;

/// The reason why a run has no number of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// The time limit was exceeded.
    TimedOut,
    /// `ILL`: the answer has a move that the rules forbid.
    IllegalMove,
    /// The referee rejected the answer.
    Wrong,
    /// The CPU time limit was exceeded.
    OutOfCpu,
    /// The memory limit was exceeded.
    OutOfMemory,
    /// The limit on processes and threads was exceeded.
    TooManyProcesses,
    /// The scratch directory was full.
    ScratchFull,
    /// The output limit was exceeded.
    TooMuchOutput,
    /// `CRA`: the entry ended with a failure of its own.
    Crashed,
    /// The system did not start it.
    CouldNotStart,
    /// `BLD`: the entry's program could not be built.
    BuildFailed,
    /// `JUD`: the judge failed, and the run is not scored.
    JudgeError,
}

impl Code {
    /// Every code, in the order of the legend.
    pub const ALL: [Self; 12] = [
        Self::TimedOut,
        Self::IllegalMove,
        Self::Wrong,
        Self::OutOfCpu,
        Self::OutOfMemory,
        Self::TooManyProcesses,
        Self::ScratchFull,
        Self::TooMuchOutput,
        Self::Crashed,
        Self::CouldNotStart,
        Self::BuildFailed,
        Self::JudgeError,
    ];

    /// The three letters of tables and CSV files.
    pub fn letters(self) -> &'static str {
        match self {
            Self::TimedOut => "TIM",
            Self::IllegalMove => "ILL",
            Self::Wrong => "WRO",
            Self::OutOfCpu => "CPU",
            Self::OutOfMemory => "MEM",
            Self::TooManyProcesses => "PRO",
            Self::ScratchFull => "SCR",
            Self::TooMuchOutput => "OUT",
            Self::Crashed => "CRA",
            Self::CouldNotStart => "STA",
            Self::BuildFailed => "BLD",
            Self::JudgeError => "JUD",
        }
    }

    /// The name of its verdict in JSON and CSV, such as `illegal_move`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TimedOut => "timed_out",
            Self::IllegalMove => "illegal_move",
            Self::Wrong => "wrong",
            Self::OutOfCpu => "out_of_cpu",
            Self::OutOfMemory => "out_of_memory",
            Self::TooManyProcesses => "too_many_processes",
            Self::ScratchFull => "scratch_full",
            Self::TooMuchOutput => "too_much_output",
            Self::Crashed => "crashed",
            Self::CouldNotStart => "could_not_start",
            Self::BuildFailed => "build_failed",
            Self::JudgeError => "judge_error",
        }
    }

    /// The meaning where answers have progress and moves, as a fragment for the legend.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::TimedOut => "time limit exceeded",
            Self::IllegalMove => "an illegal move; progress before it counts in the total, moves do not",
            Self::Wrong => "a wrong answer; progress before the fault counts in the total",
            Self::OutOfCpu => "CPU time limit exceeded, all processes together",
            Self::OutOfMemory => "memory limit exceeded, all processes together",
            Self::TooManyProcesses => "too many processes or threads at a time",
            Self::ScratchFull => "scratch directory full",
            Self::TooMuchOutput => "output limit exceeded",
            Self::Crashed => "crashed: an exit code other than 0, or a signal",
            Self::CouldNotStart => "could not be started",
            Self::BuildFailed => "the build failed",
            Self::JudgeError => "judge error: not scored; resuming the contest repeats the run",
        }
    }

    /// The code with these letters.
    pub fn from_letters(letters: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.letters() == letters)
    }

    /// The code of the verdict with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.letters())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_listed_in_its_order() {
        for (place, code) in Code::ALL.into_iter().enumerate() {
            assert_eq!(code as usize, place, "{code}");
            assert_eq!((Code::from_letters(code.letters()), Code::named(code.name())), (Some(code), Some(code)));
        }
        assert_eq!(Code::JudgeError as usize + 1, Code::ALL.len(), "the last one");
        assert_eq!((Code::from_letters("ABC"), Code::named("solved")), (None, None));
    }
}
