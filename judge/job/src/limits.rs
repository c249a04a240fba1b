//! Limits on what a job may use.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What a run may take. All but the wall clock are for the whole tree of its processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall clock from the start to the end of the entry's main process, in milliseconds.
    pub wall_ms: u64,
    /// How long after the warning signal an answer still counts, in milliseconds; 0 for no warning at all.
    pub grace_ms: u64,
    /// CPU time in milliseconds; `None` for as much as the wall clock lets.
    pub cpu_ms: Option<u64>,
    /// Memory in bytes, scratch files included where those are in memory; `None` for what there is.
    pub memory_bytes: Option<u64>,
    /// Processes and threads at the same time; `None` for what the system allows.
    pub processes: Option<u32>,
    /// Bytes of standard output; one more ends the entry.
    pub output_bytes: u64,
    /// Bytes of files in the scratch directory; `None` for what there is room for.
    pub scratch_bytes: Option<u64>,
    /// Physical cores that the entry has to itself.
    pub cores: usize,
}

impl Default for Limits {
    /// The limits of a contest whose file says nothing: ten minutes, as in 1995.
    fn default() -> Self {
        Self {
            wall_ms: 600_000,
            grace_ms: 0,
            cpu_ms: None,
            memory_bytes: Some(1 << 30),
            processes: Some(256),
            output_bytes: 16 << 20,
            scratch_bytes: Some(256 << 20),
            cores: 1,
        }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |ms: u64| humantime::format_duration(Duration::from_millis(ms)).to_string();
        let size = |bytes: Option<u64>| bytes.map_or("unlimited".into(), |bytes| bytesize::ByteSize(bytes).to_string());
        let cpu = self.cpu_ms.map_or("unlimited".into(), time);
        let processes = self.processes.map_or("unlimited".into(), |processes| processes.to_string());
        let [wall, grace] = [self.wall_ms, self.grace_ms].map(time);
        let [memory, output, scratch] = [self.memory_bytes, Some(self.output_bytes), self.scratch_bytes].map(size);
        write!(
            f,
            "limit {wall}, grace {grace}, cpu {cpu}, memory {memory}, processes {processes}, output {output}, \
             scratch {scratch}, cores {}",
            self.cores
        )
    }
}

impl Limits {
    /// The wall-clock limit.
    pub fn wall(&self) -> Duration {
        Duration::from_millis(self.wall_ms)
    }

    /// The time after the warning signal in which an answer still counts.
    pub fn grace(&self) -> Duration {
        Duration::from_millis(self.grace_ms)
    }
}
