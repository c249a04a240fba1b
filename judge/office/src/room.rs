//! Room on the disks of a contest: when there is too little, submissions are refused first, and judging pauses before the disk is full.

use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_job::{
    Capacity, Description, End, Executor, Interrupted, Job, Limits, Outcome, StopRequest, Talk, TalkOutcome,
};

/// The free space below which nothing is taken in of teams and visitors, in bytes: what is judged needs the rest.
pub const FOR_INTAKE: u64 = 64 << 20;
/// The free space below which nothing is judged, in bytes. The logs and the journal still take their lines then.
pub const FOR_JUDGING: u64 = 16 << 20;
/// The free names for files below which a disk has no room, however many bytes are free.
const FILES: u64 = 256;

/// Finds how much space the disk with a folder has, in bytes.
pub type Free = Arc<dyn Fn(&Path) -> io::Result<u64> + Send + Sync>;

/// The folders that a contest is written to.
#[derive(Clone)]
pub struct Room {
    folders: Vec<PathBuf>,
    free: Free,
}

/// A disk that has too little room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Full {
    /// A folder on it.
    pub folder: PathBuf,
    /// Its free space in bytes; 0 if it takes no further file.
    pub free: u64,
    /// The free space that is needed, in bytes.
    pub needed: u64,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { folder, free, needed } = self;
        let (folder, free, needed) = (folder.display(), free >> 20, needed >> 20);
        write!(f, "the disk with {folder} is full: {free} MiB are free, and judging needs {needed} MiB")
    }
}

impl Room {
    /// The room on the disks with these folders. Without a folder, there always is enough.
    pub fn of(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { folders: folders.into_iter().collect(), free: Arc::new(free_bytes) }
    }

    /// The same where free space is found in another way.
    #[must_use]
    pub fn found_by(self, free: Free) -> Self {
        Self { free, ..self }
    }

    /// Checks that each of the disks has so many bytes. One whose free space is unknown is taken to have them.
    ///
    /// # Errors
    /// [`Full`] with the first that has not.
    pub fn check(&self, needed: u64) -> Result<(), Full> {
        for folder in &self.folders {
            match (self.free)(folder) {
                Ok(free) if free < needed => return Err(Full { folder: folder.clone(), free, needed }),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The free space of the disk with a folder, in bytes; 0 if it takes no further file.
///
/// # Errors
/// The system's.
pub fn free_bytes(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    // Some file systems count no files.
    let takes_files = disk.f_files == 0 || disk.f_favail >= FILES;
    Ok(if takes_files { disk.f_bavail.saturating_mul(disk.f_frsize) } else { 0 })
}

/// An executor that answers for no job at whose end a disk was full: a compiler or a program may have failed because of that. It is a
/// judge error then, which is repeated, and no verdict on its author.
pub struct WithRoom<'a> {
    executor: &'a dyn Executor,
    room: &'a Room,
}

impl<'a> WithRoom<'a> {
    /// The same executor, on these disks.
    pub fn new(executor: &'a dyn Executor, room: &'a Room) -> Self {
        Self { executor, room }
    }

    fn answered_for(&self, mut outcome: Outcome) -> Outcome {
        if let Err(full) = self.room.check(FOR_JUDGING) {
            outcome.end = End::JudgeError { reason: full.to_string() };
        }
        outcome
    }
}

impl Executor for WithRoom<'_> {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        self.executor.execute(job).map(|outcome| self.answered_for(outcome))
    }

    fn execute_until(&self, job: &Job, stop: &dyn StopRequest) -> Result<Outcome, Interrupted> {
        self.executor.execute_until(job, stop).map(|outcome| self.answered_for(outcome))
    }

    fn converse(&self, talk: &Talk, stop: Option<&dyn StopRequest>) -> Result<TalkOutcome, Interrupted> {
        let mut talk = self.executor.converse(talk, stop)?;
        for side in &mut talk.sides {
            side.outcome = self.answered_for(side.outcome.clone());
        }
        Ok(talk)
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
