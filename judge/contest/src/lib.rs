//! Contest files, the journal's writer, and the schedule of a contest between solvers.
//!
//! A [`Contest`] is a contest file that was read and checked as a whole. [`schedule`] orders its runs and has them
//! executed by any [`judge_job::Executor`]; the [`journal`] puts each finished run on disk before it is announced.
//!
//! ```
//! use judge_contest::{Contest, Overrides};
//!
//! let folder = std::env::temp_dir().join(format!("judge-contest-example-{}", std::process::id()));
//! std::fs::create_dir_all(&folder)?;
//! std::fs::write(folder.join("easy.txt"), "ABCDE FGHIJ KL+MN PQRSO UVWXT")?;
//! std::fs::write(folder.join("contest.toml"), r#"
//!     name = "Example"
//!     game = "loyd"
//!     limit = "10s"
//!     [[board]]
//!     name = "EASY"
//!     file = "easy.txt"
//!     [[entry]]
//!     name = "mine"
//!     command = "./solver"
//! "#)?;
//! let contest = Contest::load(&folder, &Overrides::default()).expect("a good contest file");
//! assert_eq!(contest.plan.start_order().len(), 1);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

/// The example of the README, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

#[cfg(feature = "run")]
pub mod archive;
#[cfg(feature = "run")]
pub mod builds;
#[cfg(feature = "run")]
pub mod check;
mod contest;
#[cfg(feature = "run")]
mod disk;
#[cfg(feature = "run")]
pub mod external;
mod guard;
#[cfg(feature = "run")]
pub mod journal;
#[cfg(feature = "run")]
pub mod log;
#[cfg(feature = "run")]
pub mod open_contest;
#[cfg(feature = "run")]
mod outputs;
#[cfg(feature = "run")]
pub mod programs;
#[cfg(feature = "run")]
pub mod progress;
#[cfg(feature = "run")]
pub mod rejudge;
#[cfg(feature = "run")]
pub mod restore;
#[cfg(feature = "run")]
pub mod schedule;
pub mod seal;
#[cfg(feature = "run")]
pub mod session;
#[cfg(feature = "run")]
mod stream;
#[cfg(all(test, unix, feature = "run"))]
mod tests;
pub mod update;
pub mod verify;

pub use contest::office;
#[cfg(feature = "run")]
pub use contest::uploaded_answers;
pub use contest::{
    AnswersError, BOARD_FILE, BoardFileError, BoardsError, BuildRules, Contest, ContestError, ContestErrorKind,
    FILE_NAME, KEPT_BYTES, NewContest, NewContestError, NewContestFiles, OtherBoards, REPEATS, Seeds, Surroundings,
    USUAL_LIMIT, ValueError, milliseconds, parse_duration, parse_kept, parse_size, read_board, resolve,
};
pub use judge_core::plan::{BestKnown, Board, Entry, Overrides, Plan, RankKey};
