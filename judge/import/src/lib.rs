//! Tests of problem packages: test data from generators, inputs checked by validators, and submissions compared with
//! the expectations of the package.
//!
//! `judge-package` reads a package and writes its contest. This crate executes it. [`Programs`] finds the programs that
//! this machine can run. [`generate`] and [`check_inputs`] execute generators and input validators. A
//! [`PackageContest`] is the contest of a package. It runs each submission only on the test cases that its comparison
//! in a [`Verification`] needs.
//!
//! The caller provides the executor and receives the outcomes; nothing here prints.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod error;
mod generate;
mod grader;
mod inputs;
mod margins;
mod outputs;
mod package_contest;
mod programs;
mod statics;
mod submission_result;
#[cfg(test)]
mod tests;
mod tools;
mod verify;
mod work_queue;

pub use error::{ImportError, ToolFailure};
pub use generate::{GeneratedPackage, generate};
pub use grader::Grader;
pub use inputs::{InputReport, check_inputs};
pub use outputs::{Finding, FindingKind, check_outputs};
pub use package_contest::{Helpers, PackageContest, PreparedPackage, VerificationOptions};
pub use programs::Programs;
pub use statics::Statics;
pub use submission_result::{Mark, SubmissionResult};
pub use verify::Verification;

/// The example of the README, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
