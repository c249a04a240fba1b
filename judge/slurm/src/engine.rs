//! The engine of a cluster, with the data that a coordinator needs before it begins.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use judge_contest::Contest;
use judge_core::fingerprint::Hashes;
use judge_core::fingerprint::sha256_of;
use judge_core::journal::ContestState;
use judge_core::key::Name;
use judge_job::{Isolation, IsolationMode};

use crate::cluster::Cluster;
use crate::log::{Log, LogLine, OpenArray};
use crate::pack::Group;
use crate::spool::{BatchContext, FORMAT, Spool, SpoolError};

/// Settings of the coordinator, which stay the same while it works.
pub struct Settings {
    /// Options of the site's engine, for the log.
    pub sbatch: String,
    /// The search path for programs.
    pub path: Option<String>,
    /// Hashes of the files that are executed for an entry, by entry.
    pub programs: BTreeMap<String, Hashes>,
    /// Isolation that the contest requires of each node.
    pub isolation: IsolationMode,
    /// The isolation in the record of a run that reached no node.
    pub unreached: Isolation,
    /// Groups of nodes, each of one kind.
    pub groups: Vec<Group>,
    /// The least time of a batch.
    pub least: Duration,
    /// The mode of the coordinator.
    pub mode: Mode,
}

/// The moment at which a coordinator leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It stays until all runs are executed.
    Stay,
    /// It takes in the available outcomes, sends the missing runs, and leaves.
    Detach,
    /// It takes in the available outcomes and cancels the remaining runs, which are executed elsewhere.
    Collect,
}

/// Executes runs on the nodes of a cluster.
pub struct ClusterEngine<'a> {
    pub(super) cluster: &'a dyn Cluster,
    pub(super) spool: Spool,
    pub(super) context: BatchContext,
    pub(super) settings: Settings,
    pub(super) isolation: Arc<Isolation>,
    /// Beginning of the names of its arrays.
    pub(super) name: String,
    pub(super) log: Mutex<Log>,
    pub(super) history: Mutex<RunHistory>,
}

/// Times of the runs so far, and the groups of their boards.
#[derive(Default)]
pub(super) struct RunHistory {
    /// The groups of boards that have runs.
    pub(super) board_groups: HashMap<Name, usize>,
    /// Total microseconds and number of the finished runs of each entry.
    took: HashMap<Name, (u64, u64)>,
}

impl RunHistory {
    /// Adds the time of a finished run.
    pub(super) fn add_time(&mut self, entry: &Name, wall_us: Option<u64>) {
        if let Some(wall) = wall_us {
            let (took, runs) = self.took.entry(entry.clone()).or_default();
            (*took, *runs) = (took.saturating_add(wall), *runs + 1);
        }
    }

    /// The average time of an entry's finished runs; `None` if there are none.
    pub(super) fn usual(&self, entry: &Name) -> Option<Duration> {
        let (took, runs) = self.took.get(entry)?;
        took.checked_div(*runs).map(Duration::from_micros)
    }
}

impl<'a> ClusterEngine<'a> {
    /// An engine for a results directory, which continues the arrays in the directory's log.
    ///
    /// # Errors
    /// [`SpoolError`] if the log cannot be read or continued.
    pub fn new(
        cluster: &'a dyn Cluster,
        contest: &Contest,
        contents: &ContestState,
        results: &Path,
        mut settings: Settings,
    ) -> Result<Self, SpoolError> {
        let spool = Spool::in_results(results);
        let failed = |source: std::io::Error| SpoolError { path: spool.folder().to_owned(), source };
        let mut log = Log::open(&spool).map_err(failed)?;
        if log.sbatch.as_ref() != Some(&settings.sbatch) {
            log.append(LogLine::Options { sbatch: settings.sbatch.clone() }).map_err(failed)?;
        }
        let whole: PathBuf = std::fs::canonicalize(results).map_err(failed)?;
        let hash = sha256_of(whole.to_string_lossy().as_bytes());
        let group_of: HashMap<&str, usize> = settings
            .groups
            .iter()
            .enumerate()
            .flat_map(|(number, group)| group.nodes.iter().map(move |node| (node.as_str(), number)))
            .collect();
        let mut history = RunHistory::default();
        for record in &contents.records {
            let machine = contents.machines.get(record.machine as usize);
            if let Some(group) = machine.and_then(|machine| group_of.get(machine.node.as_deref()?)) {
                history.board_groups.entry(record.key.board.clone()).or_insert(*group);
            }
            history.add_time(&record.key.entry, record.wall_us);
        }
        let context = BatchContext {
            format: FORMAT,
            judge: env!("CARGO_PKG_VERSION").into(),
            contest_file: contest.path.clone(),
            plan: judge_core::plan::Plan::clone(&contents.plan),
            isolation: settings.isolation,
            programs: std::mem::take(&mut settings.programs),
            path: settings.path.clone(),
            referees: contents.referees.clone(),
        };
        let isolation = Arc::new(settings.unreached.clone());
        let (log, history) = (Mutex::new(log), Mutex::new(history));
        let name = format!("judge-{}", &hash[..12]);
        Ok(Self { cluster, spool, context, settings, isolation, name, log, history })
    }
}

/// Cancels the unfinished arrays of a results directory, so that their runs can be executed elsewhere. The next engine of
/// the directory takes in the outcomes that they left. The error is a fragment.
pub(super) fn cancel_all(cluster: &dyn Cluster, spool: &Spool, log: &mut Log) -> Result<Vec<String>, String> {
    let mut ids = Vec::new();
    for OpenArray { number, name, id, .. } in log.arrays.clone() {
        let id = match id {
            Some(id) => Some(id),
            None => cluster.find(&name).map_err(|error| error.reason().to_owned())?,
        };
        ids.extend(id);
        for batch in spool.open_batches(number).unwrap_or_default() {
            spool.close_batch(number, batch);
        }
    }
    if !ids.is_empty() {
        cluster.cancel(&ids).map_err(|error| error.reason().to_owned())?;
    }
    for OpenArray { number, .. } in log.arrays.clone() {
        log.append(LogLine::Over { array: number }).map_err(|error| error.to_string())?;
    }
    Ok(ids)
}
