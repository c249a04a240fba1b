//! The surroundings of programs that are not in the contest file.

use std::path::PathBuf;

use judge_job::{Job, Place};

/// Files and variables that the entries of a contest get in addition to those of its file. A try uses them to reproduce a
/// solver's surroundings on its author's machine. They are neither in the plan nor in the journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Surroundings {
    /// Files and folders that entries may read.
    pub readable: Vec<PathBuf>,
    /// Variables of the entries' environment.
    pub variables: Vec<(String, String)>,
    /// Files among the readable ones that are parts of the program, such as its modules.
    pub sources: Vec<PathBuf>,
}

impl Surroundings {
    /// Adds them to a job. Variables that the job already has take precedence.
    pub fn add_to(&self, job: &mut Job) {
        job.readable.extend(self.readable.iter().map(Place::trusted));
        let own = std::mem::take(&mut job.environment);
        job.environment.extend(self.variables.iter().cloned().chain(own));
    }
}
