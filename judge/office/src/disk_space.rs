//! Free space on the disks of a contest: if there is too little, submissions are refused first, and judging pauses before the
//! disk is full.

use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_job::{
    Capacity, Description, DirectedSide, Director, End, Executor, Interrupted, Job, Limits, Outcome, StopRequest, Talk,
    TalkOutcome,
};

/// The free space in bytes below which nothing is accepted from teams and visitors, because judging needs the rest.
pub const MIN_BYTES_FOR_INTAKE: u64 = 64 << 20;
/// The free space in bytes below which nothing is judged. The rest is for lines of the logs and the journal.
pub const MIN_BYTES_FOR_JUDGING: u64 = 16 << 20;
/// The number of free inodes below which a disk counts as full, even if bytes are free.
const MIN_INODES: u64 = 256;

/// Measures the free space of the disk with a folder, in bytes.
pub type Free = Arc<dyn Fn(&Path) -> io::Result<u64> + Send + Sync>;

/// The folders to which a contest is written.
#[derive(Clone)]
pub struct DiskSpace {
    folders: Vec<PathBuf>,
    free: Free,
}

/// A disk with too little free space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskFull {
    /// A folder on it.
    pub folder: PathBuf,
    /// Its free space in bytes; 0 if it cannot store another file.
    pub free: u64,
    /// The free space that is needed, in bytes.
    pub needed: u64,
}

impl fmt::Display for DiskFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { folder, free, needed } = self;
        let (folder, free, needed) = (folder.display(), free >> 20, needed >> 20);
        write!(f, "the disk with {folder} is full: {free} MiB are free, and judging needs {needed} MiB")
    }
}

impl DiskSpace {
    /// The free space on the disks with these folders. Without a folder, every check succeeds.
    pub fn of(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { folders: folders.into_iter().collect(), free: Arc::new(free_bytes) }
    }

    /// Sets another way to measure the free space.
    #[must_use]
    pub fn found_by(self, free: Free) -> Self {
        Self { free, ..self }
    }

    /// Checks that each of the disks has `needed` bytes free. A disk whose free space is unknown passes.
    ///
    /// # Errors
    /// [`DiskFull`] with the first disk that has less.
    pub fn check(&self, needed: u64) -> Result<(), DiskFull> {
        for folder in &self.folders {
            match (self.free)(folder) {
                Ok(free) if free < needed => return Err(DiskFull { folder: folder.clone(), free, needed }),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The free space of the disk with a folder, in bytes; 0 if it cannot store another file.
///
/// # Errors
/// The system's error.
pub fn free_bytes(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    // Some file systems do not count files.
    let takes_files = disk.f_files == 0 || disk.f_favail >= MIN_INODES;
    Ok(if takes_files { disk.f_bavail.saturating_mul(disk.f_frsize) } else { 0 })
}

/// An executor that distrusts a job if a disk was full at its end, because a compiler or a program may have failed for that
/// reason. The job then ends in a judge error, which is repeated, instead of a verdict on its author.
pub struct DiskCheckedExecutor<'a> {
    executor: &'a dyn Executor,
    disk_space: &'a DiskSpace,
}

impl<'a> DiskCheckedExecutor<'a> {
    /// Wraps an executor whose jobs write to these disks.
    pub fn new(executor: &'a dyn Executor, disk_space: &'a DiskSpace) -> Self {
        Self { executor, disk_space }
    }

    fn answered_for(&self, mut outcome: Outcome) -> Outcome {
        if let Err(full) = self.disk_space.check(MIN_BYTES_FOR_JUDGING) {
            outcome.end = End::JudgeError { reason: full.to_string() };
        }
        outcome
    }

    fn all_answered_for(&self, mut talk: TalkOutcome) -> TalkOutcome {
        for side in &mut talk.sides {
            side.outcome = self.answered_for(side.outcome.clone());
        }
        talk
    }
}

impl Executor for DiskCheckedExecutor<'_> {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        self.executor.execute(job).map(|outcome| self.answered_for(outcome))
    }

    fn execute_until(&self, job: &Job, stop: &dyn StopRequest) -> Result<Outcome, Interrupted> {
        self.executor.execute_until(job, stop).map(|outcome| self.answered_for(outcome))
    }

    fn converse(&self, talk: &Talk, stop: Option<&dyn StopRequest>) -> Result<TalkOutcome, Interrupted> {
        self.executor.converse(talk, stop).map(|talk| self.all_answered_for(talk))
    }

    fn direct(
        &self,
        sides: &[DirectedSide],
        director: &mut dyn Director,
        stop: Option<&dyn StopRequest>,
    ) -> Result<TalkOutcome, Interrupted> {
        self.executor.direct(sides, director, stop).map(|talk| self.all_answered_for(talk))
    }

    fn capacity(&self, limits: &[Limits], wanted: Option<NonZeroUsize>) -> Capacity {
        self.executor.capacity(limits, wanted)
    }

    fn describe(&self) -> Description {
        self.executor.describe()
    }

    fn temporary_folder(&self) -> PathBuf {
        self.executor.temporary_folder()
    }

    fn large_folder(&self) -> PathBuf {
        self.executor.large_folder()
    }
}
