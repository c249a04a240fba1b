//! Codes: the three letters that a cell shows instead of a number of moves.

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
    /// `CRA`: the entry itself failed.
    Crashed,
    /// The system did not start it.
    CouldNotStart,
    /// `BLD`: the entry's program could not be built.
    BuildFailed,
    /// `JUD`: the judge failed, and the run is not scored.
    JudgeError,
}

/// Letters, name, meaning and ICPC's identifier of each code, in the order of the legend.
const TABLE: [(Code, &str, &str, &str, &str); 12] = [
    (Code::TimedOut, "TIM", "timed_out", "time limit exceeded", "TLE"),
    (
        Code::IllegalMove,
        "ILL",
        "illegal_move",
        "an illegal move; progress before it counts in the total, moves do not",
        "WA",
    ),
    (Code::Wrong, "WRO", "wrong", "a wrong answer; progress before the fault counts in the total", "WA"),
    (Code::OutOfCpu, "CPU", "out_of_cpu", "CPU time limit exceeded, all processes together", "TLE"),
    (Code::OutOfMemory, "MEM", "out_of_memory", "memory limit exceeded, all processes together", "MLE"),
    (Code::TooManyProcesses, "PRO", "too_many_processes", "too many processes or threads at a time", "RTE"),
    (Code::ScratchFull, "SCR", "scratch_full", "scratch directory full", "RTE"),
    (Code::TooMuchOutput, "OUT", "too_much_output", "output limit exceeded", "OLE"),
    (Code::Crashed, "CRA", "crashed", "crashed: an exit code other than 0, or a signal", "RTE"),
    (Code::CouldNotStart, "STA", "could_not_start", "could not be started", "RTE"),
    (Code::BuildFailed, "BLD", "build_failed", "the build failed", "CE"),
    (Code::JudgeError, "JUD", "judge_error", "judge error: not scored; resuming the contest repeats the run", "JE"),
];

impl Code {
    /// Every code, in the order of the legend.
    pub const ALL: [Self; TABLE.len()] = {
        let (mut all, mut at) = ([Self::TimedOut; TABLE.len()], 0);
        while at < all.len() {
            all[at] = TABLE[at].0;
            at += 1;
        }
        all
    };

    /// The three letters of tables and CSV files.
    pub fn letters(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The name of its verdict in JSON and CSV, such as `illegal_move`.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// The meaning in contests with progress and moves, as a fragment for the legend.
    pub fn meaning(self) -> &'static str {
        TABLE[self as usize].3
    }

    /// The identifier among the judgement types of the ICPC.
    pub fn icpc(self) -> &'static str {
        TABLE[self as usize].4
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
