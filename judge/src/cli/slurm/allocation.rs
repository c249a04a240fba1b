//! The resources that Slurm gave to the task of this process.

use crate::cli::environment;
use judge_sandbox::machine;

/// The resources that Slurm gave to this task.
pub(in crate::cli) struct Allocation {
    /// Logical processors of the job on this node.
    pub(in crate::cli) processors: Option<usize>,
    /// Memory of the job on this node, in bytes; `None` if Slurm does not limit memory.
    pub(in crate::cli) memory_bytes: Option<u64>,
}

impl Allocation {
    pub(in crate::cli) fn here() -> Self {
        let number = |name: &str| environment(name).and_then(|text| text.parse::<u64>().ok());
        let processors = number("SLURM_CPUS_ON_NODE").and_then(|processors| usize::try_from(processors).ok());
        Self { processors, memory_bytes: number("SLURM_MEM_PER_NODE").map(|mebibytes| mebibytes << 20) }
    }

    /// Tests whether the task is bound to the processors that Slurm gave to it.
    pub(in crate::cli) fn bound(&self) -> bool {
        let usable = machine::cores().iter().map(Vec::len).sum::<usize>();
        self.processors.is_none_or(|given| usable <= given)
    }
}
