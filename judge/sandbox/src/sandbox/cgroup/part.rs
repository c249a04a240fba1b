//! One control group in one hierarchy, created for a run, and reused for another one if nothing stays in it.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::PollFlags;
use rustix::process::{Pid, Signal, kill_process};

use super::hierarchy::{Hierarchy, Version};
use super::{GroupLimits, Notice};

#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    pub(super) hierarchy: Hierarchy,
    members: File,
    notices: Vec<(Notice, OwnedFd)>,
    /// A version 1 notice comes from this file for as long as it is open.
    _source: Option<File>,
    /// Counters at the start of the run.
    before: Counters,
    /// True if all its processes were killed together. Linux 6.18 sometimes also kills a process that is later created in
    /// such a group.
    killed: AtomicBool,
    /// True if it may be frozen.
    frozen: AtomicBool,
}

/// Counters of a group that cannot be reset.
#[derive(Debug, Clone, Copy, Default)]
struct Counters {
    cpu_us: u64,
    refused_processes: u64,
}

impl Part {
    /// Creates the group below the judge's own.
    pub(super) fn make(hierarchy: &Hierarchy, name: &str, limits: &GroupLimits) -> io::Result<Self> {
        let path = hierarchy.group.join(name);
        fs::create_dir(&path)?;
        let members = match hierarchy.version {
            Version::One => File::options().write(true).open(path.join("tasks")),
            Version::Two => File::open(&path),
        };
        let members = members.inspect_err(|_| drop(fs::remove_dir(&path)))?;
        let (hierarchy, before) = (hierarchy.clone(), Counters::default());
        let mut part = Self {
            path,
            hierarchy,
            members,
            notices: Vec::new(),
            _source: None,
            before,
            killed: false.into(),
            frozen: false.into(),
        };
        part.limit(limits).inspect_err(|_| part.remove())?;
        Ok(part)
    }

    /// Checks whether another run can use it. A group that counts memory cannot be reused: page cache that a run leaves is
    /// still charged to it. A group that may be frozen would freeze the next run.
    pub(super) fn can_be_renewed(&self) -> bool {
        !self.hierarchy.memory && ![&self.killed, &self.frozen].iter().any(|flag| flag.load(Ordering::Relaxed))
    }

    /// Prepares a used group for another run; returns it if that fails or a process is still in it.
    pub(super) fn renewed(mut self, limits: &GroupLimits) -> Result<Self, Self> {
        if !fs::read(self.path.join("cgroup.procs")).is_ok_and(|members| members.is_empty()) {
            return Err(self);
        }
        self.before = self.counters();
        self.notices.clear();
        match self.limit(limits) {
            Ok(()) => Ok(self),
            Err(_) => Err(self),
        }
    }

    /// Removes a group without processes.
    pub(super) fn remove(&self) {
        // The kernel may need a moment to notice that.
        for _ in 0..100 {
            match fs::remove_dir(&self.path) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                _ => break,
            }
        }
    }

    pub(super) fn is_version_one(&self) -> bool {
        self.hierarchy.version == Version::One
    }

    /// The file with which a process joins the group: the list of threads in version 1, the folder in version 2.
    pub(super) fn members(&self) -> BorrowedFd<'_> {
        self.members.as_fd()
    }

    /// Descriptors to poll, with their flags. A control file is always readable; a change is a priority event.
    pub(super) fn notices(&self) -> impl Iterator<Item = (Notice, BorrowedFd<'_>, PollFlags)> {
        self.notices.iter().map(|(notice, fd)| {
            let event = *notice == Notice::Memory && self.is_version_one();
            (*notice, fd.as_fd(), if event { PollFlags::IN } else { PollFlags::PRI })
        })
    }

    /// True if the kernel killed a process because the memory limit was reached.
    pub(super) fn out_of_memory(&self) -> bool {
        let file = if self.is_version_one() { "memory.oom_control" } else { "memory.events" };
        self.field(file, "oom_kill").unwrap_or(0) > 0
    }

    /// True if a process or thread was refused because there were too many.
    pub(super) fn too_many_processes(&self) -> bool {
        self.refused_processes() > self.before.refused_processes
    }

    /// CPU time of all processes that were in the group during this run, in microseconds.
    pub(super) fn cpu_us(&self) -> Option<u64> {
        Some(self.all_cpu_us()?.saturating_sub(self.before.cpu_us))
    }

    /// Peak memory, including page cache and scratch files.
    pub(super) fn peak_bytes(&self) -> Option<u64> {
        self.number(if self.is_version_one() { "memory.max_usage_in_bytes" } else { "memory.peak" })
    }

    /// Kills all its processes together, if that is possible.
    pub(super) fn kill(&self) {
        self.killed.store(true, Ordering::Relaxed);
        if !self.is_version_one() {
            fs::write(self.path.join("cgroup.kill"), "1").ok();
        } else if self.hierarchy.processes && fs::write(self.path.join("pids.max"), "0").is_ok() {
            // No process can join any more, so going through the list once is enough.
            let list = fs::read_to_string(self.path.join("cgroup.procs")).unwrap_or_default();
            let members = list.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?));
            members.for_each(|member| {
                kill_process(member, Signal::KILL).ok();
            });
        }
    }

    /// The file of a version 2 group that freezes and thaws all its processes.
    pub(super) fn freezer(&self) -> Option<File> {
        let file = File::options().write(true).open(self.path.join("cgroup.freeze")).ok()?;
        self.frozen.store(true, Ordering::Relaxed);
        Some(file)
    }

    fn limit(&mut self, limits: &GroupLimits) -> io::Result<()> {
        if self.hierarchy.memory
            && let Some(bytes) = limits.memory_bytes
        {
            self.limit_memory(bytes)?;
        }
        if self.hierarchy.processes {
            let most = limits.processes.map_or_else(|| "max".into(), |most| most.to_string());
            fs::write(self.path.join("pids.max"), most)?;
            // Version 1 counts as well, but newer kernels give no notice. Not every kernel has it.
            if !self.is_version_one()
                && let Ok(events) = File::open(self.path.join("pids.events"))
            {
                // After this first read, each change is an event.
                io::read_to_string(&events)?;
                self.notices.push((Notice::Processes, events.into()));
            }
        }
        Ok(())
    }

    fn limit_memory(&mut self, bytes: u64) -> io::Result<()> {
        let write = |file: &str, value: &str| fs::write(self.path.join(file), value);
        let bytes = bytes.to_string();
        if !self.is_version_one() {
            write("memory.max", &bytes)?;
            write("memory.swap.max", "0").ok();
            let events = File::open(self.path.join("memory.events"))?;
            io::read_to_string(&events)?;
            self.notices.push((Notice::Memory, events.into()));
            return Ok(());
        }
        write("memory.limit_in_bytes", &bytes)?;
        // Swap would only make the limit softer and the run slower; not every kernel counts it.
        write("memory.memsw.limit_in_bytes", &bytes).ok();
        let source = File::open(self.path.join("memory.oom_control"))?;
        let event = rustix::event::eventfd(0, rustix::event::EventfdFlags::CLOEXEC)?;
        let order = format!("{} {}", event.as_raw_fd(), source.as_raw_fd());
        write("cgroup.event_control", &order)?;
        self.notices.push((Notice::Memory, event));
        self._source = Some(source);
        Ok(())
    }

    fn counters(&self) -> Counters {
        let cpu_us = if self.hierarchy.cpu { self.all_cpu_us().unwrap_or(0) } else { 0 };
        let refused_processes = if self.hierarchy.processes { self.refused_processes() } else { 0 };
        Counters { cpu_us, refused_processes }
    }

    fn all_cpu_us(&self) -> Option<u64> {
        match self.hierarchy.version {
            Version::One => self.number("cpuacct.usage").map(|ns| ns / 1000),
            Version::Two => self.field("cpu.stat", "usage_usec"),
        }
    }

    fn refused_processes(&self) -> u64 {
        self.field("pids.events", "max").unwrap_or(0)
    }

    fn number(&self, file: &str) -> Option<u64> {
        read(&self.path.join(file))?.trim().parse().ok()
    }

    fn field(&self, file: &str, name: &str) -> Option<u64> {
        field(&read(&self.path.join(file))?, name)
    }
}

fn read(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// The number after a name in a file of `name number` lines.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_control_file_gives_nothing() {
        assert_eq!(field("oom_kill_disable 0\noom_kill 3\n", "oom_kill"), Some(3));
        assert_eq!(field("oom_kill\nmax many\n", "max"), None);
    }
}
