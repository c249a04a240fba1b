//! The files that the coordinator and the nodes exchange.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use judge_core::fingerprint::Hashes;
use judge_core::fingerprint::sha256_of;
use judge_core::journal::Record;
use judge_core::key::{Name, RunKey};
use judge_core::plan::Plan;
use judge_files::Folder;
use judge_files::regular;
use judge_job::{IsolationMode, Machine};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The format of all files of the spool.
pub const FORMAT: u32 = 2;
/// The largest file of a spool, in bytes: a context has the whole contest.
const MAX_BYTES: u64 = 1 << 30;

/// Everything that the batches of an array have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BatchContext {
    /// Format of the spool's files; a node refuses another one.
    pub format: u32,
    /// Version of the judge that sent it.
    pub judge: String,
    /// The contest file, absolute. It is not read on a node; programs are relative to its folder.
    pub contest_file: PathBuf,
    /// The whole contest, so that a node reads no contest file.
    pub plan: Plan,
    /// Isolation that the contest requires of each node.
    pub isolation: IsolationMode,
    /// Hashes of the files that are executed for an entry, by entry.
    pub programs: BTreeMap<String, Hashes>,
    /// The search path for programs.
    pub path: Option<String>,
    /// The hashes of the referees that are programs by the identifiers of their problems, for the records of their rulings.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub referees: BTreeMap<String, Name>,
}

/// Runs that one task executes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// Format of the spool's files; a node refuses another one.
    pub format: u32,
    /// SHA-256 of the context in hexadecimal.
    #[serde(rename = "commission")]
    pub context: String,
    /// The number of consecutive batches with these runs that left no outcome, counting this batch as if it left none.
    pub tries: u32,
    /// The runs in the order in which the task starts them.
    pub runs: Vec<BatchRun>,
}

/// A run of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchRun {
    /// Entry, board, round and repeat.
    #[serde(flatten)]
    pub key: RunKey,
    /// The number of the attempt; the next free one if its files exist already.
    pub attempt: u32,
}

/// The outcome of a run on a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrival {
    /// Format of the spool's files; a coordinator refuses another one.
    pub format: u32,
    /// Number of the array in the spool.
    pub array: u32,
    /// Number of the batch within its array, from 1.
    pub batch: u32,
    /// The node's machine, if it executed the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// Number of runs that the task executes at a time.
    pub at_a_time: usize,
    /// The record, as the journal will have it, except its position in the order.
    pub record: Record,
}

/// The file of an outcome that was taken, until the journal has the run.
pub(crate) struct TakenOutcome {
    spool: Spool,
    name: String,
    array: u32,
    batch: u32,
}

impl TakenOutcome {
    /// Moves the file to the folder of its batch, so that no node executes the run again; removes it if the batch is
    /// over. The coordinator can end the batch at any moment meanwhile. A file that cannot be moved stays, and does not
    /// count again, as the journal has its run.
    pub(crate) fn recorded(self) {
        let Self { spool, name, array, batch } = self;
        let (file, taken) = (spool.fresh().join(&name), spool.taken(array, batch));
        let is_open = || spool.batch(array, batch).exists();
        if is_open() {
            // A link that replaces the folder is not followed.
            let made = spool.open().and_then(|results| results.create_folders(spool.inside(&taken)));
            made.and_then(|_| fs::rename(&file, taken.join(&name))).ok();
        }
        // `close_batch` removes the batch first and then the folder. So the later of the two finds all that is left.
        if !is_open() {
            spool.open().and_then(|results| results.remove_file(spool.inside(&file))).ok();
            spool.remove_folder(&taken).ok();
        }
    }
}

/// The folder `cluster` of a results directory. No link in it is followed: the directory may come from elsewhere, and
/// files are removed here.
#[derive(Debug, Clone)]
pub struct Spool {
    results: PathBuf,
    folder: PathBuf,
}

impl Spool {
    /// The spool of a results directory, which need not exist yet.
    pub fn in_results(results: &Path) -> Self {
        Self { results: results.to_owned(), folder: results.join("cluster") }
    }

    /// The folder of the spool, below the results directory.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Creates the folders of the spool if they are missing.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn create(&self) -> io::Result<()> {
        let results = self.open()?;
        let folders = [self.fresh(), self.part(), self.folder.join("late")];
        folders.iter().try_for_each(|folder| results.create_folders(self.inside(folder)).map(drop))
    }

    /// Opens the results directory, through which everything beneath it is opened.
    pub(super) fn open(&self) -> io::Result<Folder> {
        Folder::open(&self.results)
    }

    /// A path of the spool, relative to the results directory.
    pub(super) fn inside<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.results).expect("a path of the spool is beneath the results directory")
    }

    /// The folder of an array.
    pub fn array(&self, array: u32) -> PathBuf {
        self.folder.join(array.to_string())
    }

    /// The output of the task of a batch.
    pub fn log(&self, array: u32, batch: u32) -> PathBuf {
        self.array(array).join("log").join(format!("{batch}.log"))
    }

    /// The file of a batch.
    pub fn batch(&self, array: u32, batch: u32) -> PathBuf {
        self.array(array).join("batches").join(format!("{batch}.json"))
    }

    /// The folder of outcomes that are not taken in yet.
    pub(crate) fn fresh(&self) -> PathBuf {
        self.folder.join("new")
    }

    fn part(&self) -> PathBuf {
        self.folder.join("part")
    }

    /// The folder of the outcomes of a batch that are in the journal.
    pub(crate) fn taken(&self, array: u32, batch: u32) -> PathBuf {
        self.folder.join("taken").join(format!("{array}-{batch}"))
    }

    /// The path to which an outcome that does not count is moved.
    pub(crate) fn late(&self, name: &str) -> PathBuf {
        self.folder.join("late").join(name)
    }

    /// Writes the files of an array.
    pub(crate) fn write_array(&self, array: u32, context: &BatchContext, batches: &[Batch]) -> io::Result<()> {
        let folder = self.array(array);
        // An earlier coordinator may have left an incomplete folder.
        self.remove_folder(&folder).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?;
        let results = self.open()?;
        results.create_folders(self.inside(&folder.join("batches")))?;
        results.create_folders(self.inside(&folder.join("log")))?;
        self.write(&folder.join("commission.json"), context)?;
        batches.iter().zip(1..).try_for_each(|(batch, number)| self.write(&self.batch(array, number), batch))
    }

    /// Reads the context of an array, with its hash.
    pub(crate) fn context(&self, array: u32) -> Result<(BatchContext, String), SpoolError> {
        let path = self.array(array).join("commission.json");
        let bytes = self.read(&path)?;
        let hash = sha256_of(&bytes);
        Ok((parse(&path, &bytes)?, hash))
    }

    /// Reads a batch; `None` if it is over.
    ///
    /// # Errors
    /// [`SpoolError`] if its file cannot be read, or is not one of a batch.
    pub fn read_batch(&self, array: u32, batch: u32) -> Result<Option<Batch>, SpoolError> {
        let path = self.batch(array, batch);
        if path.symlink_metadata().is_err() {
            return Ok(None);
        }
        parse(&path, &self.read(&path)?).map(Some)
    }

    /// The numbers of the batches of an array that are not over.
    pub(crate) fn open_batches(&self, array: u32) -> io::Result<Vec<u32>> {
        let names = self.names(&self.array(array).join("batches"))?;
        let mut numbers: Vec<u32> = names.iter().filter_map(|name| name.strip_suffix(".json")?.parse().ok()).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Removes a batch: only a node that has already begun it still executes it.
    pub(crate) fn close_batch(&self, array: u32, batch: u32) {
        let file = self.batch(array, batch);
        self.open().and_then(|results| results.remove_file(self.inside(&file))).ok();
        self.remove_folder(&self.taken(array, batch)).ok();
    }

    /// Removes a folder with its contents.
    fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        // Refuses a path with a link, which could lead to another folder. Links inside the folder are not followed.
        self.open()?.folder(self.inside(folder))?;
        fs::remove_dir_all(folder)
    }

    /// The file of an outcome of a batch while it is being taken in.
    pub(crate) fn arrived_as(&self, name: &str, array: u32, batch: u32) -> TakenOutcome {
        TakenOutcome { spool: self.clone(), name: name.to_owned(), array, batch }
    }

    /// Moves an outcome that does not count to `late`.
    pub(crate) fn quarantine(&self, name: &str) -> io::Result<()> {
        let (from, to) = (self.fresh().join(name), self.late(name));
        self.open()?.rename(self.inside(&from), self.inside(&to))
    }

    /// Leaves an outcome. Its name contains the position of the run in the batch, the attempt and the node.
    pub(crate) fn store(&self, arrival: &Arrival, position: usize, node: &str) -> io::Result<()> {
        let Arrival { array, batch, record, .. } = arrival;
        let node: String = node.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let name = format!("{array}-{batch}-{position}.{}.{node}.json", record.attempt);
        self.write(&self.fresh().join(name), arrival)
    }

    /// The names of the outcomes that are not taken in, ordered by batch, run and attempt.
    pub(crate) fn arrived(&self) -> io::Result<Vec<String>> {
        let mut names = self.names(&self.fresh())?;
        names.sort_by_cached_key(|name| numbers(name));
        Ok(names)
    }

    /// Reads an outcome that is not taken in.
    pub(crate) fn read_arrival(&self, name: &str) -> Result<Arrival, SpoolError> {
        let path = self.fresh().join(name);
        let arrival: Arrival = parse(&path, &self.read(&path)?)?;
        if arrival.format == FORMAT {
            return Ok(arrival);
        }
        Err(SpoolError { path, source: io::Error::other(format!("unsupported format {}", arrival.format)) })
    }

    /// The positions in a batch of the runs that have an outcome.
    pub(crate) fn finished_positions(&self, array: u32, batch: u32) -> io::Result<Vec<usize>> {
        let prefix = format!("{array}-{batch}-");
        // Read in this order, as a file can move from the first folder to the second meanwhile.
        let mut all = self.names(&self.fresh())?;
        all.extend(self.names(&self.taken(array, batch))?);
        let position = |name: &String| name.strip_prefix(&prefix)?.split('.').next()?.parse().ok();
        Ok(all.iter().filter_map(position).collect())
    }

    /// Writes a file atomically: under another name first, synced, then renamed.
    pub(crate) fn write(&self, path: &Path, value: &impl Serialize) -> io::Result<()> {
        let results = self.open()?;
        let part = results.create_folders(self.inside(&self.part()))?;
        let to = results.folder(self.inside(path.parent().expect("a file in a folder")))?;
        let (name, mut file) = unused(&part)?;
        // In one piece: a buffer that is dropped would hide the error of a full disk, and a part would look like the whole.
        let written = file.write_all(&serde_json::to_vec(value)?).and_then(|()| file.sync_all());
        // Neither folder is a link, and only the new names need to be on disk.
        let renamed = written.and_then(|()| fs::rename(self.part().join(&name), path));
        renamed.inspect_err(|_| drop(part.remove_file(&name)))?;
        to.sync()
    }

    /// The names in a folder; none if it does not exist.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        match self.open()?.folder(self.inside(folder)) {
            Ok(folder) => folder.names()?.map(|name| Ok(name?.to_string_lossy().into_owned())).collect(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, SpoolError> {
        let file = regular::open_beneath(&self.results, path);
        let bytes = file.and_then(|file| regular::read_file(file, MAX_BYTES));
        bytes.map_err(|source| SpoolError { path: path.to_owned(), source })
    }
}

/// A file or folder of the spool that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", .path.display())]
#[non_exhaustive]
pub struct SpoolError {
    /// The file or folder that cannot be used.
    pub path: PathBuf,
    /// The reason why the system could not read or write it.
    pub source: io::Error,
}

/// Creates a file in a folder under a name that is used neither there nor by any other node.
fn unused(folder: &Folder) -> io::Result<(String, File)> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    loop {
        let name = format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        match folder.create_new(&name) {
            Ok(file) => return Ok((name, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

impl BatchContext {
    /// The hash that identifies it in batches.
    pub(crate) fn hash(&self) -> String {
        sha256_of(&serde_json::to_vec(self).expect("plain data has a JSON form"))
    }
}

/// The numbers in a name.
fn numbers(name: &str) -> Vec<u64> {
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

fn parse<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, SpoolError> {
    serde_json::from_slice(bytes).map_err(|error| SpoolError { path: path.to_owned(), source: error.into() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn no_link_in_a_spool_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (results, outside) = (folder.path().join("results"), folder.path().join("outside"));
        let plant = |path: &str| {
            let path = results.join(path);
            fs::remove_dir_all(&results).ok();
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            for inside in ["new", "part", "late", "taken/1-1", "1/batches", "1/log"] {
                fs::create_dir_all(outside.join(inside)).unwrap();
            }
            for file in ["1.json", "batches/1.json", "1/batches/1.json", "1-1/1-1-0.1.n.json", "1-1-0.1.n.json"] {
                let file = outside.join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, "{}").unwrap();
            }
            symlink(&outside, path).unwrap();
        };
        for path in ["cluster", "cluster/new", "cluster/part", "cluster/taken", "cluster/1", "cluster/1/batches"] {
            plant(path);
            let before = fs::read_dir(&outside).unwrap().count();
            let spool = Spool::in_results(&results);
            spool.create().ok();
            spool.close_batch(1, 1);
            spool.quarantine("1-1-0.1.n.json").ok();
            assert!(
                spool.write(&spool.fresh().join("x.json"), &1).is_err() || !outside.join("x.json").exists(),
                "{path}"
            );
            assert!(spool.context(1).is_err(), "{path}");
            assert!(!matches!(spool.read_batch(1, 1), Ok(Some(_))), "{path}");
            assert_eq!(fs::read_dir(&outside).unwrap().count(), before, "{path}");
            for file in ["1.json", "batches/1.json", "1/batches/1.json", "1-1/1-1-0.1.n.json", "1-1-0.1.n.json"] {
                assert!(outside.join(file).exists(), "{path}: {file} was removed");
            }
        }
    }

    #[test]
    fn a_batch_that_ends_while_its_outcomes_are_recorded_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::in_results(folder.path());
        spool.create().unwrap();
        for array in 1..=300 {
            fs::create_dir_all(spool.array(array).join("batches")).unwrap();
            spool.write(&spool.batch(array, 1), &1).unwrap();
            let names: Vec<String> = (0..4).map(|run| format!("{array}-1-{run}.1.n.json")).collect();
            names.iter().for_each(|name| fs::write(spool.fresh().join(name), "{}").unwrap());
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    // In each turn, the end comes at another point of the recording.
                    (0..array * 50).for_each(|_| std::hint::spin_loop());
                    spool.close_batch(array, 1);
                });
                names.iter().for_each(|name| spool.arrived_as(name, array, 1).recorded());
            });
            let left = [spool.names(&spool.fresh()).unwrap(), spool.names(&spool.folder.join("taken")).unwrap()];
            assert!(left.iter().all(Vec::is_empty), "turn {array}: {left:?}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::in_results(folder.path());
        spool.create().unwrap();
        let batch = Batch { format: FORMAT, context: "c".into(), tries: 1, runs: Vec::new() };
        fs::create_dir_all(spool.array(1).join("batches")).unwrap();
        spool.write(&spool.batch(1, 1), &batch).unwrap();
        assert_eq!(spool.read_batch(1, 1).unwrap(), Some(batch));
        assert_eq!(fs::read_dir(spool.part()).unwrap().count(), 0, "nothing is left aside");
        spool.close_batch(1, 1);
        assert_eq!(spool.read_batch(1, 1).unwrap(), None);
    }
}
