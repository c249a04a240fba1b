//! The end of a run, from its recorded times and figures. The order in which the judge saw them, and delays, make no
//! difference.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use signal_hook::consts::{SIGXCPU, SIGXFSZ};

use super::clock::{end_of_grace_us, limit_us};
use crate::{End, Limits};

/// The facts about a run that is over.
pub(super) struct Record {
    pub(super) limits: Limits,
    /// A limit other than a time limit that was seen to be exceeded during the run.
    pub(super) exceeded: Option<End>,
    /// Status of the main process.
    pub(super) status: ExitStatus,
    /// True if the main process ended before its end was ordered.
    pub(super) by_itself: bool,
    /// Wall-clock time of the main process, in microseconds.
    pub(super) wall_us: u64,
    /// CPU time of all processes, in microseconds; `None` if it was not counted.
    pub(super) cpu_us: Option<u64>,
    /// True if the control group ran out of memory; true if it refused a process.
    pub(super) out_of_memory: bool,
    pub(super) too_many_processes: bool,
    pub(super) scratch_full: bool,
    /// True if a file is as large as the resource limit on files allows.
    pub(super) file_at_limit: bool,
    /// True if standard output stayed within its cap.
    pub(super) output_fits: bool,
}

impl Record {
    /// The end of the run. An exceeded limit decides, even if the judge was too slow to end the run.
    pub(super) fn end(self) -> End {
        if let Some(end) = self.exceeded {
            return end;
        }
        if self.out_of_memory {
            return End::OutOfMemory;
        }
        if self.too_many_processes {
            return End::TooManyProcesses;
        }
        if self.scratch_full {
            return End::ScratchFull;
        }
        let most_us = self.limits.cpu_ms.map(|cpu| cpu.saturating_mul(1000));
        if most_us.zip(self.cpu_us).is_some_and(|(most, used)| used > most) {
            return End::OutOfCpu;
        }
        if !self.by_itself || self.wall_us > end_of_grace_us(&self.limits) {
            return End::TimedOut;
        }
        match end_of(self.status) {
            End::Exited { code: 0 } if !self.output_fits => End::TooMuchOutput,
            end @ End::Exited { code: 0 } => end,
            // In the grace period only an answer counts; a process that the warning ended has none.
            _ if self.wall_us > limit_us(&self.limits) => End::TimedOut,
            // A program can also send itself these signals without having reached the limit.
            End::Signalled { signal: SIGXFSZ } if self.file_at_limit => End::ScratchFull,
            End::Signalled { signal: SIGXCPU } if most_us.is_some() && self.cpu_us.is_none() => End::OutOfCpu,
            end => end,
        }
    }
}

fn end_of(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited { code },
        (None, Some(signal)) => End::Signalled { signal },
        (None, None) => End::JudgeError { reason: format!("unknown exit status: {status}") },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run with a limit of 1 s, half a second of grace, and 2 s of CPU time.
    fn record(wall_us: u64, status: i32) -> Record {
        Record {
            limits: Limits::default().with_wall_ms(1000).with_grace_ms(500).with_cpu_ms(2000),
            exceeded: None,
            status: ExitStatus::from_raw(status),
            by_itself: true,
            wall_us,
            cpu_us: Some(0),
            out_of_memory: false,
            too_many_processes: false,
            scratch_full: false,
            file_at_limit: false,
            output_fits: true,
        }
    }

    const FAILED: i32 = 3 << 8;

    #[test]
    fn the_recorded_time_decides_whatever_the_order_of_events() {
        let end = |wall_us, status| record(wall_us, status).end();
        assert_eq!(end(999_999, 0), End::Exited { code: 0 });
        assert_eq!(end(1_000_000, FAILED), End::Exited { code: 3 });
        assert_eq!(end(1_000_001, FAILED), End::TimedOut, "a failure after the warning");
        assert_eq!(end(1_000_001, 15), End::TimedOut, "ended by the warning");
        assert_eq!(end(900_000, 15), End::Signalled { signal: 15 }, "not by the warning");
        assert_eq!(end(1_500_000, 0), End::Exited { code: 0 });
        assert_eq!(end(1_500_001, 0), End::TimedOut, "an answer after the grace period");
        let without_grace = Record { limits: Limits::default().with_wall_ms(1000), ..record(1_604_000, 0) };
        assert_eq!(without_grace.end(), End::TimedOut);
        let killed = Record { by_itself: false, ..record(1_500_000, 9) };
        assert_eq!(killed.end(), End::TimedOut);
    }

    #[test]
    fn another_limit_comes_before_that_of_time() {
        let late = || record(9_000_000, 0);
        assert_eq!(Record { out_of_memory: true, ..late() }.end(), End::OutOfMemory);
        assert_eq!(Record { too_many_processes: true, ..late() }.end(), End::TooManyProcesses);
        assert_eq!(Record { scratch_full: true, ..late() }.end(), End::ScratchFull);
        assert_eq!(Record { cpu_us: Some(2_000_001), ..late() }.end(), End::OutOfCpu);
        assert_eq!(Record { exceeded: Some(End::TooMuchOutput), ..late() }.end(), End::TooMuchOutput);
        let huge = Limits::default().with_wall_ms(u64::MAX).with_grace_ms(u64::MAX).with_cpu_ms(u64::MAX);
        assert_eq!(Record { limits: huge, ..late() }.end(), End::Exited { code: 0 });
    }

    #[test]
    fn a_limit_is_the_end_only_if_the_kernel_enforced_it() {
        assert_eq!(Record { file_at_limit: true, ..record(1, SIGXFSZ) }.end(), End::ScratchFull);
        assert_eq!(record(1, SIGXFSZ).end(), End::Signalled { signal: SIGXFSZ }, "it sent it itself");
        assert_eq!(record(1, SIGXCPU).end(), End::Signalled { signal: SIGXCPU }, "it sent it itself");
        assert_eq!(Record { cpu_us: None, ..record(1, SIGXCPU) }.end(), End::OutOfCpu);
        let unlimited = Record { limits: Limits::default(), cpu_us: None, ..record(1, SIGXCPU) };
        assert_eq!(unlimited.end(), End::Signalled { signal: SIGXCPU });
        assert_eq!(Record { output_fits: false, ..record(1, 0) }.end(), End::TooMuchOutput);
        assert_eq!(Record { output_fits: false, ..record(1, FAILED) }.end(), End::Exited { code: 3 });
    }
}
