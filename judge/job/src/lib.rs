//! Jobs and their outcomes as plain data, and the interface of their executors.
//!
//! A [`Job`] is a command with what it reads, what it may write, its limits and the files wanted back. An [`Outcome`]
//! is what was observed. Both are serde data, so a job can be executed in this process's sandbox or on another machine;
//! an [`Executor`] hides the difference. This crate starts no process and reads no clock.
//!
//! ```
//! use judge_job::{End, Job, Limits};
//!
//! let job = Job::new(["./solver", "--fast"], "answer.out", "answer.err")
//!     .with_limits(Limits::default().with_wall_ms(1_000).with_processes(4))
//!     .with_file_argument("board.txt", "ABCDE FGHIJ KLMNO PQRST UVWX+");
//! assert_eq!(job.files[0].name, "board.txt");
//! assert_eq!(job.limits.to_string().split(',').next(), Some("limit 1s"));
//! assert_ne!(End::TimedOut, End::Exited { code: 0 });
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

/// The example of the README, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod bounded;
mod director;
mod ends;
mod executor;
mod interrupted;
mod isolation;
mod job;
mod limits;
mod machine;
mod named;
mod outcome;
mod path;
mod place;
mod talk;
mod usage;

pub use bounded::{Bounded, BoundedError, Bytes, Count, MAX_EXACT, Micros, Millis, Sum};
pub use director::{DirectedSide, Director, Order, TalkEvent};
pub use ends::{Ends, LeftOut};
pub use executor::{Capacity, Description, Executor, LayerState, StopFlag, StopRequest};
pub use interrupted::Interrupted;
pub use isolation::{Isolation, IsolationMode, Tier};
pub use job::{Argument, CopiedFile, Job, Link, PlacedFile, Stdin, WantedFile, WantedFolder};
pub use limits::{Limits, count_text, duration_text};
pub use machine::Machine;
pub use outcome::{Arrival, End, Outcome};
pub use path::{SYSTEM, canonical_parent, is_executable, is_of_system, leads_through_proc, on_path};
pub use place::Place;
pub use talk::{Cut, Gap, Message, PassStart, Ruler, Side, SideOutcome, Talk, TalkOutcome, TranscriptLine, Wire};
pub use usage::{Contention, MeasuredBy, Usage};
