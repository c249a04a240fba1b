//! Slurm as the engine of a contest: the options, the site file, and probes of nodes.

pub(super) mod allocation;
pub(super) mod probe;
mod site;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use clap::ValueEnum;

use super::{Failure, environment};
use judge_contest::programs::hashes;
use judge_contest::{Contest, parse_duration};
use judge_core::fingerprint::Hashes;
use judge_core::journal::ContestState;
use judge_sandbox::{Interrupt, Isolation, IsolationMode};
use judge_slurm::log::Log;
use judge_slurm::{ClusterEngine, ClusterError, Mode, Settings, Slurm, SlurmError, Spool};

use site::SiteDefaults;

/// The least time of a batch, unless the site file or the command line sets it. The overhead of a Slurm task, about a
/// second, is then less than 2 %.
const MIN_BATCH_TIME: Duration = Duration::from_secs(60);

/// The engine that executes the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineName {
    /// This machine
    Local,
    /// The nodes of a cluster with Slurm; see docs/slurm.md
    Slurm,
}

/// The options of a contest on Slurm, for all commands that judge one.
#[derive(Debug, clap::Args)]
pub(super) struct ClusterOptions {
    /// Engine that executes the runs [default: local, or that of the earlier ones]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(super) engine: Option<EngineName>,

    /// Options for `sbatch`, such as "--partition=long --account=me" [default: those of the site file]
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    sbatch: Option<String>,

    /// With --engine slurm: the least time of a batch by the limits of its runs [default: 1m, or that of the site file]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    batch: Option<Duration>,
}

/// The options of `judge run` for a contest on Slurm.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) cluster: ClusterOptions,

    /// With --engine slurm: send all runs and end; take the outcomes in later with `judge resume`
    #[arg(long)]
    detach: bool,
}

impl Options {
    /// Like [`ClusterOptions::engine_of`], and refuses `--detach` on this machine.
    pub(super) fn engine_of(&self, results: Option<&Path>) -> Result<EngineName, Failure> {
        match self.cluster.engine_of(results)? {
            EngineName::Local if self.detach => Err(needs_cluster("--detach")),
            engine => Ok(engine),
        }
    }

    /// An engine that executes the missing runs of a contest with Slurm. With `collect`, it only takes in the outcomes
    /// that Slurm has, and cancels the remaining runs.
    pub(super) fn cluster<'a>(
        &self,
        slurm: &'a (Slurm<'a>, SiteDefaults),
        contest: &Contest,
        contents: &ContestState,
        isolation: (IsolationMode, Isolation),
        collect: bool,
    ) -> Result<ClusterEngine<'a>, Failure> {
        let mode = match (collect, self.detach) {
            (true, _) => Mode::Collect,
            (false, true) => Mode::Detach,
            (false, false) => Mode::Stay,
        };
        let programs = hashes(contest, environment("PATH").as_deref());
        self.cluster.cluster(slurm, contest, contents, programs, isolation, mode)
    }
}

fn needs_cluster(option: &str) -> Failure {
    Failure::input(format!("{option} needs --engine slurm"))
}

impl ClusterOptions {
    /// The engine of the command line, else the earlier engine of these results, else this machine. Refuses options
    /// that the engine does not have.
    pub(super) fn engine_of(&self, results: Option<&Path>) -> Result<EngineName, Failure> {
        let earlier = || if results.is_some_and(Log::exists) { EngineName::Slurm } else { EngineName::Local };
        let engine = self.engine.unwrap_or_else(earlier);
        let given = [("--sbatch", self.sbatch.is_some()), ("--batch", self.batch.is_some())];
        match given.iter().find(|(_, given)| *given && engine == EngineName::Local) {
            Some((option, _)) => Err(needs_cluster(option)),
            None => Ok(engine),
        }
    }

    /// The commands of Slurm, with the options for `sbatch` from the command line, the results directory or the site
    /// file.
    pub(super) fn slurm<'i>(
        &self,
        results: &Path,
        interrupt: &'i Interrupt,
    ) -> Result<(Slurm<'i>, SiteDefaults), Failure> {
        let site = SiteDefaults::read()?;
        let recorded = || {
            let log = Log::exists(results).then(|| Log::open(&Spool::in_results(results)))?;
            log.ok()?.sbatch
        };
        let sbatch = self.sbatch.clone().or_else(recorded).unwrap_or_else(|| site.sbatch.clone());
        Ok((open(&sbatch, results, interrupt)?, site))
    }

    /// The number of cores of the selected nodes, at least one.
    #[cfg(feature = "sandbox")]
    pub(super) fn cores(&self, (slurm, site): &(Slurm<'_>, SiteDefaults)) -> Result<usize, Failure> {
        let groups = slurm.groups(&site.alike).map_err(failure)?;
        Ok(groups.iter().map(|group| group.cores).sum::<usize>().max(1))
    }

    /// An engine that executes missing runs of a contest with Slurm. `programs` has the hashes of each entry's program.
    pub(super) fn cluster<'a>(
        &self,
        (slurm, site): &'a (Slurm<'a>, SiteDefaults),
        contest: &Contest,
        contents: &ContestState,
        programs: BTreeMap<String, Hashes>,
        isolation: (IsolationMode, Isolation),
        mode: Mode,
    ) -> Result<ClusterEngine<'a>, Failure> {
        let collects = mode == Mode::Collect;
        let settings = Settings {
            sbatch: slurm.sbatch().to_owned(),
            programs,
            path: environment("PATH"),
            isolation: isolation.0,
            unreached: isolation.1,
            groups: if collects { Vec::new() } else { slurm.groups(&site.alike).map_err(failure)? },
            least: self.batch.or(site.batch).unwrap_or(MIN_BATCH_TIME),
            mode,
        };
        ClusterEngine::new(slurm, contest, contents, slurm.results(), settings).map_err(Failure::judge)
    }
}

/// Name of this node in Slurm, or the host name.
pub(super) fn node_name() -> String {
    environment("SLURMD_NODENAME").unwrap_or_else(judge_sandbox::host::host_name)
}

/// Checks that the commands of Slurm are installed, before anything is built.
pub(super) fn installed() -> Result<(), Failure> {
    Slurm::installed().map_err(failure)
}

/// The commands of Slurm, with these options for `sbatch`, or with the options of the site file.
pub(super) fn for_site<'i>(
    sbatch: Option<&str>,
    shared: &Path,
    interrupt: &'i Interrupt,
) -> Result<Slurm<'i>, Failure> {
    let site = SiteDefaults::read()?;
    open(sbatch.unwrap_or(&site.sbatch), shared, interrupt)
}

fn open<'i>(sbatch: &str, results: &Path, interrupt: &'i Interrupt) -> Result<Slurm<'i>, Failure> {
    let judge = std::env::current_exe().map_err(|error| Failure::judge(format!("the path of judge: {error}")))?;
    Slurm::new(sbatch, results, judge, interrupt).map_err(failure)
}

fn failure(error: SlurmError) -> Failure {
    match error {
        SlurmError::Options { .. } | SlurmError::Refused(ClusterError::Permanent(_)) => Failure::input(error),
        SlurmError::Absent(_) => {
            let way = "run this on a machine with the commands of Slurm, or use --engine local";
            Failure::input(format!("{error}; {way}"))
        }
        SlurmError::NoNode => Failure::input(format!("{error}; name a partition with --sbatch \"--partition=NAME\"")),
        error => Failure::judge(error),
    }
}
