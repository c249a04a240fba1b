//! Pins the calling thread to the processors of its job.

use std::io;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::Job;

/// Keeps the calling thread on some processors until dropped.
pub(crate) struct Pinned {
    before: Option<CpuSet>,
}

impl Pinned {
    pub(crate) fn to(processors: &[usize]) -> io::Result<Self> {
        if processors.is_empty() {
            return Ok(Self { before: None });
        }
        let before = sched_getaffinity(None)?;
        let mut set = CpuSet::new();
        processors.iter().for_each(|&processor| set.set(processor));
        sched_setaffinity(None, &set)?;
        Ok(Self { before: Some(before) })
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // Setting it succeeded before; if it fails now, the thread stays pinned.
            sched_setaffinity(None, before).ok();
        }
    }
}

/// The note on a job that runs on other processors than it should.
pub(crate) fn not_pinned(job: &Job, error: &io::Error) -> String {
    format!("it was not pinned to processors {:?}: {error}", job.processors)
}
