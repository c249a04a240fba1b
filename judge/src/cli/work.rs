//! `judge work`: the part of a contest that a cluster node executes. Slurm calls it for `judge run --engine slurm`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use super::slurm::allocation::Allocation;
use super::slurm::{node_name, probe};
use super::{BAD_INPUT, DONE, Done, Failure, environment, say, signals};
use judge_contest::schedule::{Event, Local, Runner, Stopped};
use judge_sandbox::host::now_us;
use judge_sandbox::{Executor as _, Limits, LocalExecutor, unmet};
use judge_slurm::NodeBatch;

/// Execute the runs of a batch on a node of a cluster; Slurm calls this for `judge run --engine slurm`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge work runs/1 2 17          batch 17 of array 2 of the contest in runs/1
  judge work --probe shared/      write what this node offers; `judge doctor --engine slurm` reads it

It writes outcomes to the folder `cluster` of the results directory, for the judge that began the
contest. Runs that have an outcome are not executed again.")]
pub(super) struct Args {
    /// Results directory, which all nodes share
    #[arg(required_unless_present = "probe")]
    results: Option<PathBuf>,

    /// Number of the array
    #[arg(required_unless_present = "probe")]
    array: Option<u32>,

    /// Number of the batch
    #[arg(required_unless_present = "probe")]
    batch: Option<u32>,

    /// Write what this node offers into this folder, and end
    #[arg(long, value_name = "DIR", conflicts_with_all = ["results", "array", "batch"])]
    probe: Option<PathBuf>,
}

impl Args {
    pub(super) fn execute(self, _: &mut dyn std::io::Write) -> Done {
        if let Some(folder) = &self.probe {
            return probe::write(folder);
        }
        let (Some(results), Some(array), Some(batch)) = (self.results, self.array, self.batch) else {
            return Err(Failure { message: None, code: BAD_INPUT });
        };
        let interrupt = signals()?;
        let node = node_name();
        let failed = |reason: String| Failure::judge(format!("{node}: {reason}"));
        let work = NodeBatch::open(&results, array, batch, environment("PATH").as_deref());
        let Some(work) = work.map_err(|error| failed(error.to_string()))? else {
            say(&format!("batch {batch} of array {array} is over"));
            return Ok(DONE);
        };
        let executor = LocalExecutor::new(&interrupt, work.isolation).map_err(|error| failed(error.to_string()))?;
        let limits = super::isolation::limits(&work.contest);
        if let Some(missing) = unmet(work.isolation, executor.probe(), &limits).first() {
            let mode = work.isolation.name();
            return Err(failed(format!("isolation \"{mode}\" is not available on this node: {missing}")));
        }
        let slots = slots(&executor, &limits);
        let begun = now_us();
        let (mut made, mut took) = (0, 0);
        let count = |event: Event<'_>| {
            if let Event::Finished(record) = event {
                made += 1;
                took += record.wall_us.unwrap_or(0);
            }
        };
        let runner = Runner::new(&work.contest, &work.order, &work.results, &slots).ruled_by(work.referees.clone());
        let mut recorder = work.recorder(&node, slots.len(), &interrupt);
        let ended = runner.run_on(&Local::on_node(&executor), &work.missing, &interrupt, &mut recorder, count);
        let seconds = |time: u64| Duration::from_micros(time).as_secs_f64();
        let (whole, took) = (seconds(now_us().saturating_sub(begun)), seconds(took));
        say(&format!("{node}: {made} runs in {whole:.3} s, {} at a time; they took {took:.3} s in all", slots.len()));
        ended.map(|()| DONE).map_err(|stopped| match stopped {
            Stopped::Interrupted => Failure::interrupted(format!("{node}: stopped by a signal"), &interrupt),
            stopped => failed(stopped.to_string()),
        })
    }
}

/// The processors of each run that this task executes at a time. If Slurm binds the task to its cores, there are as
/// many runs as these can hold; otherwise there is one unpinned run, as it is unknown which cores belong to other
/// tasks.
fn slots(executor: &LocalExecutor<'_>, limits: &[Limits]) -> Vec<Vec<usize>> {
    if !Allocation::here().bound() {
        return vec![Vec::new()];
    }
    let most = limits.iter().filter_map(|limits| limits.memory_bytes).max().unwrap_or(0);
    let fitting = executor.capacity(limits, None).slots.len();
    let by_memory = Allocation::here().memory_bytes.and_then(|memory| memory.checked_div(most));
    let by_memory = by_memory.map_or(usize::MAX, |runs| usize::try_from(runs).unwrap_or(usize::MAX));
    executor.capacity(limits, NonZeroUsize::new(fitting.min(by_memory).max(1))).slots
}
