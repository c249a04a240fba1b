//! Verifies a package as if every program printed nothing: `cargo run -p judge-import --example pretend -- FOLDER`.

#![allow(clippy::disallowed_macros, reason = "an example prints")]

use std::num::NonZeroUsize;
use std::path::Path;
use std::{error::Error, fs};

use judge_import::{Helpers, PackageContest, PreparedPackage, Programs, Verification, VerificationOptions};
use judge_job::{
    Capacity, Description, End, Executor, Interrupted, Isolation, Job, Limits, Machine, Outcome, StopFlag, Tier,
};
use judge_package::Package;

struct FakeExecutor;

impl Executor for FakeExecutor {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        let made = fs::write(&job.stdout, "").and_then(|()| fs::write(&job.stderr, ""));
        let end = made.map_or_else(|error| End::JudgeError { reason: error.to_string() }, |()| End::Exited { code: 0 });
        Ok(Outcome::new(end, self.describe().isolation, Machine::default()))
    }

    fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
        Capacity::unpinned(1)
    }

    fn describe(&self) -> Description {
        Description::new(Isolation { tier: Tier::ProcessGroup, layers: Vec::new() }, Vec::new())
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let package = Package::read(Path::new(&std::env::args_os().nth(1).ok_or("name the folder of a package")?))?;
    let (scratch, stop) = (tempfile::tempdir()?, StopFlag::default());
    let programs = Programs::new(&FakeExecutor, scratch.path(), "/usr/local/bin:/usr/bin:/bin");
    let folder = scratch.path().join("contest");
    let all: Vec<usize> = (0..package.submissions.len()).collect();
    let prepared = PreparedPackage::new(programs.write(&package, &folder, 1.0)?, &folder, &all, 1.0)?;
    let grader_failed = |group: &str, reason: &str| println!("the grader failed on {group}: {reason}");
    let place = VerificationOptions {
        executor: Box::new(FakeExecutor),
        stop: &stop,
        jobs: None,
        clock: || None,
        grader_failed: &grader_failed,
    };
    let contest = PackageContest::new(&package, prepared, Helpers::default(), place)?;
    let verification = Verification { package: &package, submissions: &all, limit: 1.0, highest: 2.0, narrowed: false };
    let (_, failure) = verification.all(&contest, |outcome| {
        println!("{outcome}");
        Ok(())
    });
    failure.map_or(Ok(()), |failure| Err(failure.into()))
}
