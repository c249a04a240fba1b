//! Programs that run at the same time under a director, which reads their output, and decides what each receives and when
//! it runs.

use crate::{Cut, Interrupted, Job, SideOutcome};

/// A program under a director. Its standard input is what the director writes; its standard output goes to the director, and
/// to the file of its job.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DirectedSide {
    /// The program. Its wall-clock limit counts from its start, whether it runs or is held.
    pub job: Job,
    /// The value of `JUDGE_LIMIT_MS`, in milliseconds; `None` for the wall-clock limit.
    pub limit_ms: Option<u64>,
    /// True if its processes are stopped except between [`Order::Run`] and [`Order::Hold`], also right after its start.
    pub held: bool,
}

impl DirectedSide {
    /// A program that is never stopped.
    pub fn new(job: Job) -> Self {
        Self { job, limit_ms: None, held: false }
    }
}

/// Decides what programs receive, and when each runs. Programs are named by their indices.
pub trait Director {
    /// Gets the next event, and adds orders. They are carried out in this order before the next event.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] ends all programs: the caller asked to stop.
    fn direct(&mut self, event: TalkEvent<'_>, orders: &mut Vec<Order>) -> Result<(), Interrupted>;
}

/// An event of a program. Times are microseconds: `at_us` since all programs began, `ran_us` since the last
/// [`Order::Run`] for that program, `None` if it was not to run.
#[derive(Debug)]
pub enum TalkEvent<'a> {
    /// All programs that can be started have begun. The first event.
    Begun,
    /// A piece of output arrived.
    Output {
        /// The program.
        side: usize,
        /// When it was read.
        at_us: u64,
        /// Time that it ran.
        ran_us: Option<u64>,
        /// The bytes, as they arrived.
        bytes: &'a [u8],
    },
    /// The time of its last [`Order::Run`] is over. It continues until the director orders otherwise.
    Due {
        /// The program.
        side: usize,
        /// When that was noticed.
        at_us: u64,
        /// Time that it ran.
        ran_us: Option<u64>,
    },
    /// A program and all its processes have ended, or it could not be started. The last event of that program, after its last
    /// output.
    Ended {
        /// The program.
        side: usize,
        /// When that was noticed.
        at_us: u64,
        /// Time that it ran, until its recorded end.
        ran_us: Option<u64>,
        /// Its outcome.
        outcome: &'a SideOutcome,
    },
}

/// An order of a director. Orders for programs that have ended change nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Writes to the standard input of a program. What does not fit into its pipe is kept and written later.
    Write {
        /// The program.
        side: usize,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Lets a program run, and starts to count its time.
    Run {
        /// The program.
        side: usize,
        /// Microseconds after which the director gets [`TalkEvent::Due`]; `None` for never.
        for_us: Option<u64>,
    },
    /// Ends the time of a program. If it is [held](DirectedSide::held), all its processes are stopped.
    Hold {
        /// The program.
        side: usize,
    },
    /// Ends a program. [`TalkEvent::Ended`] follows.
    End {
        /// The program.
        side: usize,
        /// The recorded reason.
        cut: Cut,
    },
}
