//! Tests of problem packages: test data from generators, inputs checked by validators, and submissions compared with
//! the expectations of the package.
//!
//! `judge-package` reads a package and writes its contest. This module executes it. [`Programs`] finds the programs that
//! this machine can run. [`generate`] and [`check_inputs`] execute generators and input validators. A
//! [`PackageContest`] is the contest of a package. It runs each submission only on the test cases that its comparison
//! in a [`Verification`] needs.
//!
//! The caller provides the executor and receives the outcomes; nothing here prints.

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

pub(crate) use error::ImportError;
pub(crate) use generate::generate;
pub(crate) use grader::Grader;
pub(crate) use inputs::check_inputs;
pub(crate) use outputs::{Finding, FindingKind, check_outputs};
pub(crate) use package_contest::{Helpers, PackageContest, PreparedPackage, VerificationOptions};
pub(crate) use programs::Programs;
pub(crate) use statics::Statics;
pub(crate) use submission_result::{Mark, SubmissionResult};
pub(crate) use verify::Verification;
