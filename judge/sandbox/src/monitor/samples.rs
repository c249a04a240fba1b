//! Samples of a run: limits that the kernel does not enforce, and resources that its processes used.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use super::Monitor;
use crate::hidden::Devices;
use crate::sandbox::{Notice, RunEnd, Running};
use crate::{End, Limits, MeasuredBy, Usage, scratch, tree};

/// Interval between samples of a run with limits that the kernel does not enforce.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Samples per measurement of a scratch directory.
const SAMPLES_PER_COUNT: u32 = 5;

impl Monitor<'_> {
    /// Time until the first sample.
    pub(super) fn first_look(&self) -> Duration {
        let Limits { cpu_ms, cores, .. } = self.job.limits;
        if self.needs_polling() {
            return POLL_INTERVAL;
        }
        match cpu_ms {
            Some(cpu) => Duration::from_millis(cpu) / u32::try_from(cores).unwrap_or(u32::MAX).max(1),
            None => Duration::MAX / 4,
        }
    }

    /// Tests whether some limit is not enforced by the kernel, or gives no notice.
    fn needs_polling(&self) -> bool {
        let limits = &self.job.limits;
        self.needs_samples()
            || limits.scratch_bytes.is_some() && self.scratch.is_some()
            || self.job.folder_bytes.is_some()
            || limits.processes.is_some() && self.silent
    }

    /// Tests whether some limit requires samples of every process.
    fn needs_samples(&self) -> bool {
        let limits = &self.job.limits;
        limits.memory_bytes.is_some() && !self.enforced.memory
            || limits.processes.is_some() && !self.enforced.processes
            || limits.cpu_ms.is_some() && !self.enforced.cpu
    }

    /// Processors of the run.
    pub(super) fn cores(&self) -> usize {
        self.job.limits.cores
    }

    /// CPU time until now, from a sample of all processes.
    pub(super) fn sampled_cpu_us(&mut self, running: &Running) -> u64 {
        let sample = self.times.sample(&running.members(), running.adopter());
        self.sampled = true;
        self.peak.cpu_us = self.peak.cpu_us.max(sample.cpu_us);
        self.peak.cpu_us
    }

    /// Takes a sample. Returns the time until the next one, or the limit that was exceeded.
    pub(super) fn sample(&mut self, running: &Running) -> Result<Duration, End> {
        let limits = self.job.limits;
        let mut next = Duration::MAX / 4;
        let mut cpu_us = running.cpu_us();
        let counts = self.needs_polling() && {
            self.samples += 1;
            self.samples.is_multiple_of(SAMPLES_PER_COUNT)
        };
        let looks = counts || self.needs_polling() && self.hidden.is_under_way();
        let mut members = if looks || self.needs_samples() { running.members() } else { Vec::new() };
        if !members.is_empty() {
            // A copy of the supervisor has nothing of the run yet.
            let unexecuted = running.unexecuted();
            members.retain(|pid| Some(*pid) != unexecuted);
        }
        if looks {
            let device = |folder: &Path| Some(folder.metadata().ok()?.dev());
            let limited = scratch::limited_folder(self.job);
            let devices = Devices {
                scratch: self.scratch.and_then(device),
                folder: limited.and_then(|(_, folder)| device(&folder)),
            };
            self.held = self.hidden.scan(&members, devices);
            // An unknown amount counts as too much.
            if self.held.unseen.is_some() && limits.memory_bytes.is_some() && !self.enforced.memory {
                return Err(End::OutOfMemory);
            }
            let watched = limits.scratch_bytes.is_some() && self.scratch.is_some() || self.job.folder_bytes.is_some();
            if self.held.unseen.is_some() && watched {
                return Err(End::ScratchFull);
            }
        }
        if self.needs_samples() {
            let sample = self.times.sample(&members, running.adopter());
            self.sampled = true;
            self.peak.tasks = self.peak.tasks.max(sample.tasks);
            self.peak.cpu_us = self.peak.cpu_us.max(sample.cpu_us);
            if limits.processes.is_some_and(|most| sample.tasks > most.into()) && !self.enforced.processes {
                return Err(End::TooManyProcesses);
            }
            let hidden = self.held.memory_bytes;
            let mut memory = sample.resident_bytes.max(hidden);
            let most = limits.memory_bytes.filter(|_| !self.enforced.memory);
            if most.is_some_and(|most| sample.resident_bytes.saturating_add(hidden) > most) {
                // Shared pages count once per process. Dividing them takes time, so it is done only now.
                memory = tree::proportional_bytes(&members, hidden);
                if most.is_some_and(|most| memory > most) {
                    self.peak.resident_bytes = self.peak.resident_bytes.max(memory);
                    return Err(End::OutOfMemory);
                }
            }
            self.peak.resident_bytes = self.peak.resident_bytes.max(memory);
            cpu_us = cpu_us.or(Some(sample.cpu_us));
        }
        if self.silent && running.is_past(Notice::Processes) {
            return Err(End::TooManyProcesses);
        }
        if self.needs_polling() {
            if let (Some(most), Some(scratch)) = (limits.scratch_bytes, self.scratch)
                && counts
                && (self.held.scratch_bytes > most || scratch::exceeds(scratch, most - self.held.scratch_bytes))
            {
                return Err(End::ScratchFull);
            }
            if counts && scratch::fills_folder(self.job, self.held.folder_bytes) {
                return Err(End::ScratchFull);
            }
            next = POLL_INTERVAL;
        }
        if let (Some(most), Some(used)) = (limits.cpu_ms, cpu_us) {
            let left_us = most.saturating_mul(1000).saturating_sub(used);
            if left_us == 0 {
                return Err(End::OutOfCpu);
            }
            let cores = u64::try_from(limits.cores).unwrap_or(u64::MAX).max(1);
            // At most a thousand times per second.
            next = next.min(Duration::from_micros((left_us / cores).max(1000)));
        }
        Ok(next)
    }

    /// Resources that its processes used, by the best method available.
    pub(super) fn usage(&self, finish: &RunEnd) -> Usage {
        let reaped = finish.reaped;
        let group = finish.group.as_ref();
        let sampled = self.sampled;
        let cpu = match (group.and_then(|group| group.cpu_us()), reaped.map(|reaped| reaped.cpu_us)) {
            (Some(cpu), _) => Some((cpu, MeasuredBy::Cgroup)),
            (None, Some(cpu)) if sampled => Some((cpu.max(self.peak.cpu_us), MeasuredBy::Sampled)),
            (None, Some(cpu)) => Some((cpu, MeasuredBy::Reaped)),
            (None, None) => None,
        };
        let memory = match (group.and_then(|group| group.peak_bytes()), reaped.map(|reaped| reaped.largest_bytes)) {
            (Some(bytes), _) => Some((bytes, MeasuredBy::Cgroup)),
            (None, Some(bytes)) if sampled => Some((bytes.max(self.peak.resident_bytes), MeasuredBy::Sampled)),
            (None, Some(bytes)) => Some((bytes, MeasuredBy::Reaped)),
            (None, None) => None,
        };
        Usage::new(cpu, memory)
    }
}
