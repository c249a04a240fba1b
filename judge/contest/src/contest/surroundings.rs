//! What programs get besides what the contest file gives them.

use std::path::PathBuf;

use judge_job::{Job, Place};

/// What the entries of a contest get besides what its file gives them: in a try, what a solver has around it on its author's
/// machine. It is neither in the plan nor in the journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Surroundings {
    /// Files and folders that they may read.
    pub readable: Vec<PathBuf>,
    /// Variables of their environment.
    pub variables: Vec<(String, String)>,
    /// Files among the readable ones that are parts of the program, such as its modules.
    pub sources: Vec<PathBuf>,
}

impl Surroundings {
    /// Gives them to a job. What the job has already stays.
    pub fn give(&self, job: &mut Job) {
        job.readable.extend(self.readable.iter().map(Place::trusted));
        let own = std::mem::take(&mut job.environment);
        job.environment.extend(self.variables.iter().cloned().chain(own));
    }
}
