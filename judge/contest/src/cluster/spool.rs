//! The files that cross between the coordinator and the nodes.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use judge_core::journal::{Hashes, Record, RunKey};
use judge_core::plan::Plan;
use judge_core::regular;
use judge_job::{IsolationMode, Machine};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The format of all files of the spool.
pub const FORMAT: u32 = 1;
/// The largest file of a spool, in bytes: a commission has the whole contest.
const MOST_BYTES: u64 = 1 << 30;

/// Everything that the batches of an array have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Commission {
    /// The format.
    pub format: u32,
    /// Version of the judge that sent it.
    pub judge: String,
    /// The contest file, absolute. It is not read on a node; programs are relative to its folder.
    pub contest_file: PathBuf,
    /// The contest.
    pub plan: Plan,
    /// Isolation of entries.
    pub isolation: IsolationMode,
    /// Hashes of the files that are executed for an entry, by entry.
    pub programs: BTreeMap<String, Hashes>,
    /// The search path for programs.
    pub path: Option<String>,
}

/// Runs that one task makes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// The format.
    pub format: u32,
    /// SHA-256 of the commission in hexadecimal.
    pub commission: String,
    /// The number of batches in a row, this one included, that the runs were in and that left no outcome if this one leaves
    /// none either.
    pub tries: u32,
    /// The runs.
    pub runs: Vec<BatchRun>,
}

/// A run of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchRun {
    /// The run.
    #[serde(flatten)]
    pub key: RunKey,
    /// The number of the attempt; the next free one if its files exist already.
    pub attempt: u32,
}

/// The outcome of a run on a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrival {
    /// The format.
    pub format: u32,
    /// Number of the array.
    pub array: u32,
    /// Number of the batch.
    pub batch: u32,
    /// The node's machine, if it executed the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// Runs that the task makes at a time.
    pub at_a_time: usize,
    /// The record, as the journal will have it, except its position in the order.
    pub record: Record,
}

/// The folder `cluster` of a results directory.
#[derive(Debug, Clone)]
pub struct Spool {
    folder: PathBuf,
}

impl Spool {
    /// The spool of a results directory, whether it exists or not.
    pub fn of(results: &Path) -> Self {
        Self { folder: results.join("cluster") }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes its folders.
    pub fn create(&self) -> io::Result<()> {
        [self.fresh(), self.part(), self.folder.join("late")].into_iter().try_for_each(fs::create_dir_all)
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

    /// Outcomes that are not taken yet.
    pub(crate) fn fresh(&self) -> PathBuf {
        self.folder.join("new")
    }

    fn part(&self) -> PathBuf {
        self.folder.join("part")
    }

    /// Outcomes of a batch that the journal has.
    pub(crate) fn taken(&self, array: u32, batch: u32) -> PathBuf {
        self.folder.join("taken").join(format!("{array}-{batch}"))
    }

    /// The path of a file that does not count.
    pub(crate) fn late(&self, name: &str) -> PathBuf {
        self.folder.join("late").join(name)
    }

    /// Writes the files of an array.
    pub(crate) fn write_array(&self, array: u32, commission: &Commission, batches: &[Batch]) -> io::Result<()> {
        let folder = self.array(array);
        // A coordinator that could not write all of it has left a part.
        fs::remove_dir_all(&folder).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?;
        fs::create_dir_all(folder.join("batches"))?;
        fs::create_dir_all(folder.join("log"))?;
        self.write(&folder.join("commission.json"), commission)?;
        batches.iter().zip(1..).try_for_each(|(batch, number)| self.write(&self.batch(array, number), batch))
    }

    /// Reads the commission of an array, with its hash.
    pub(crate) fn commission(&self, array: u32) -> Result<(Commission, String), String> {
        let path = self.array(array).join("commission.json");
        let bytes = read(&path)?;
        let hash = regular::sha256_of(&bytes);
        Ok((parse(&path, &bytes)?, hash))
    }

    /// Reads a batch; `None` if it is over.
    pub fn read_batch(&self, array: u32, batch: u32) -> Result<Option<Batch>, String> {
        let path = self.batch(array, batch);
        if !path.exists() {
            return Ok(None);
        }
        parse(&path, &read(&path)?).map(Some)
    }

    /// The numbers of the batches of an array that are not over.
    pub(crate) fn open_batches(&self, array: u32) -> io::Result<Vec<u32>> {
        let names = names(&self.array(array).join("batches"))?;
        let mut numbers: Vec<u32> = names.iter().filter_map(|name| name.strip_suffix(".json")?.parse().ok()).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Removes a batch: nothing of it is made any more, except by a node that has begun it.
    pub(crate) fn close_batch(&self, array: u32, batch: u32) {
        fs::remove_file(self.batch(array, batch)).ok();
        fs::remove_dir_all(self.taken(array, batch)).ok();
    }

    /// Leaves an outcome. Its name says which run of the batch it is, the attempt and the node.
    pub(crate) fn leave(&self, arrival: &Arrival, position: usize, node: &str) -> io::Result<()> {
        let Arrival { array, batch, record, .. } = arrival;
        let node: String = node.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let name = format!("{array}-{batch}-{position}.{}.{node}.json", record.attempt);
        self.write(&self.fresh().join(name), arrival)
    }

    /// The names of the outcomes that are not taken, in the order of batches, runs and attempts.
    pub(crate) fn arrived(&self) -> io::Result<Vec<String>> {
        let mut names = names(&self.fresh())?;
        names.sort_by_cached_key(|name| numbers(name));
        Ok(names)
    }

    /// Reads an outcome that is not taken.
    pub(crate) fn read_arrival(&self, name: &str) -> Result<Arrival, String> {
        let path = self.fresh().join(name);
        let arrival: Arrival = parse(&path, &read(&path)?)?;
        if arrival.format == FORMAT { Ok(arrival) } else { Err(format!("unsupported format {}", arrival.format)) }
    }

    /// The places in a batch of the runs that have an outcome.
    pub(crate) fn made(&self, array: u32, batch: u32) -> io::Result<Vec<usize>> {
        let prefix = format!("{array}-{batch}-");
        // In this order: a file can move from the first folder to the second meanwhile.
        let mut all = names(&self.fresh())?;
        all.extend(names(&self.taken(array, batch))?);
        let position = |name: &String| name.strip_prefix(&prefix)?.split('.').next()?.parse().ok();
        Ok(all.iter().filter_map(position).collect())
    }

    /// Writes a file whole: under another name first, synced, then renamed.
    pub(crate) fn write(&self, path: &Path, value: &impl Serialize) -> io::Result<()> {
        fs::create_dir_all(self.part())?;
        let mut file = tempfile::NamedTempFile::new_in(self.part())?;
        // In one piece: a buffer that is dropped would hide the error of a full disk, and a part would look like the whole.
        file.write_all(&serde_json::to_vec(value)?)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|refused| refused.error)?;
        let folder = path.parent().expect("a file in a folder");
        File::open(folder)?.sync_all()
    }
}

impl Commission {
    /// The hash by which batches name it.
    pub(crate) fn hash(&self) -> String {
        regular::sha256_of(&serde_json::to_vec(self).expect("plain data has a JSON form"))
    }
}

/// The names in a folder, none if it does not exist.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    match fs::read_dir(folder) {
        Ok(items) => items.map(|item| Ok(item?.file_name().to_string_lossy().into_owned())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The numbers in a name.
fn numbers(name: &str) -> Vec<u64> {
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let refuse = |error: io::Error| format!("{}: {error}", path.display());
    let mut bytes = Vec::new();
    let file = regular::open(path).map_err(refuse)?;
    io::Read::read_to_end(&mut regular::capped(file, MOST_BYTES), &mut bytes).map_err(refuse)?;
    Ok(bytes)
}

fn parse<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|error| format!("{}: {error}", path.display()))
}
