//! Limits on what a job may use.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Millis;

/// Limits of a run. All except the wall clock apply to the whole process tree.
///
/// [`Limits::default`] has the limits of a contest; the methods `with_…` and assignments to fields change them. Limits can be
/// added in later versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Limits {
    /// Wall-clock time of the main process from start to end, in milliseconds.
    #[serde(deserialize_with = "Millis::number")]
    pub wall_ms: u64,
    /// Grace period after the limit, in milliseconds. SIGTERM announces it; an exit with code 0 within it still counts. 0
    /// for none.
    #[serde(deserialize_with = "Millis::number")]
    pub grace_ms: u64,
    /// CPU time, in milliseconds; `None` for no limit.
    #[serde(default, deserialize_with = "Millis::optional")]
    pub cpu_ms: Option<u64>,
    /// Memory, in bytes, including scratch files that are in memory; `None` for no limit.
    pub memory_bytes: Option<u64>,
    /// Processes and threads at a time; `None` for no limit.
    pub processes: Option<u32>,
    /// Standard output, in bytes. One byte more ends the job.
    pub output_bytes: u64,
    /// Files in the scratch directory, in bytes; `None` for no limit. Writable folders do not count.
    pub scratch_bytes: Option<u64>,
    /// Physical cores that the job has to itself.
    pub cores: usize,
}

/// Formats a time in milliseconds for people, as contest files have it: `500ms`, `1m 30s`, `2h`.
pub fn duration_text(ms: u64) -> String {
    humantime::format_duration(Duration::from_millis(ms)).to_string()
}

/// Formats a number of things for people: `1 run`, `2 runs`.
pub fn count_text<N: std::fmt::Display + PartialEq + From<u8>>(number: N, one: &str, many: &str) -> String {
    format!("{number} {}", if number == N::from(1) { one } else { many })
}

impl Default for Limits {
    /// The limits of a contest file without limits: ten minutes, as in 1995.
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
        let size = |bytes: Option<u64>| bytes.map_or("unlimited".into(), |bytes| bytesize::ByteSize(bytes).to_string());
        let cpu = self.cpu_ms.map_or("unlimited".into(), duration_text);
        let processes = self.processes.map_or("unlimited".into(), |processes| processes.to_string());
        let [wall, grace] = [self.wall_ms, self.grace_ms].map(duration_text);
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
    /// The wall-clock limit as a duration, without the grace period.
    pub fn wall(&self) -> Duration {
        Duration::from_millis(self.wall_ms)
    }

    /// The grace period after the limit.
    pub fn grace(&self) -> Duration {
        Duration::from_millis(self.grace_ms)
    }

    /// Sets the wall-clock limit, in milliseconds.
    #[must_use]
    pub fn with_wall_ms(self, wall_ms: u64) -> Self {
        Self { wall_ms, ..self }
    }

    /// Sets the grace period, in milliseconds.
    #[must_use]
    pub fn with_grace_ms(self, grace_ms: u64) -> Self {
        Self { grace_ms, ..self }
    }

    /// Sets the limit on CPU time, in milliseconds; `None` for no limit.
    #[must_use]
    pub fn with_cpu_ms(self, cpu_ms: impl Into<Option<u64>>) -> Self {
        Self { cpu_ms: cpu_ms.into(), ..self }
    }

    /// Sets the limit on memory, in bytes; `None` for no limit.
    #[must_use]
    pub fn with_memory_bytes(self, memory_bytes: impl Into<Option<u64>>) -> Self {
        Self { memory_bytes: memory_bytes.into(), ..self }
    }

    /// Sets the limit on the number of processes and threads; `None` for no limit.
    #[must_use]
    pub fn with_processes(self, processes: impl Into<Option<u32>>) -> Self {
        Self { processes: processes.into(), ..self }
    }

    /// Sets the limit on standard output, in bytes.
    #[must_use]
    pub fn with_output_bytes(self, output_bytes: u64) -> Self {
        Self { output_bytes, ..self }
    }

    /// Sets the limit on files in the scratch directory, in bytes; `None` for no limit.
    #[must_use]
    pub fn with_scratch_bytes(self, scratch_bytes: impl Into<Option<u64>>) -> Self {
        Self { scratch_bytes: scratch_bytes.into(), ..self }
    }

    /// Sets the number of physical cores.
    #[must_use]
    pub fn with_cores(self, cores: usize) -> Self {
        Self { cores, ..self }
    }
}
