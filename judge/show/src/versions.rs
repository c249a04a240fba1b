//! Versions of a solver: tried on many boards, remembered with their best answers, compared with each other, and tuned.
//!
//! A [`Series`] is a try of a solver, the only entry of a contest. An `OpenContest` of `judge-contest` executes the runs;
//! before them the series chooses the version to compare with, and after them it remembers the new version in the
//! [`Memory`] of the solver's folder and gives its [`Summary`]. A [`Decision`] stops a try as soon as it is decided
//! which version is better. A [`Duel`] does so for two versions that play each other. A [`Tuning`] tries the values of
//! a [`Parameter`].
//!
//! Only equal boards and limits are compared: a [`Trial`] has the hashes of boards, referee, rules and program, and the
//! limits. [`NotComparable`] is the reason why a version is left out.

mod baseline;
mod best;
mod commit;
mod decision;
mod duel;
mod error;
mod gain;
mod history;
mod memory;
mod not_comparable;
mod series;
mod summary;
mod surroundings;
mod tables;
#[cfg(test)]
mod tests;
mod trial;
mod tuning;
mod version;

pub use baseline::{Baseline, Choice, ChoiceNotice, choose};
pub use best::{Best, BestAnswers};
pub use commit::Commit;
pub use decision::Decision;
pub use duel::{Better, Duel};
pub use error::TryError;
pub use gain::{Gain, GainOnEarlier, RunningTry};
pub use history::{Listed, listed};
pub use memory::{Memory, Remembered, ReplacedBest, VersionRuns, folder_of, name_of, program_of, remembers};
pub use not_comparable::NotComparable;
pub use series::{Deciding, Series, TryOptions, Tryout};
pub use summary::{Summary, WorstBoard, compare_versions, pair_of_versions};
pub use surroundings::{HiddenModule, around, hidden_module};
pub use trial::Trial;
pub use tuning::{BestValue, Parameter, ParameterError, Tuned, TunedValue, Tuning};
pub use version::Version;
