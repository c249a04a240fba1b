//! Control groups: memory and process count of a whole tree limited, its CPU time and peak memory counted.
//!
//! Both versions are used, each for what it offers here: on many machines the controllers are all in version 2, on
//! some all in version 1, on some divided. Every run gets a group of its own below the judge's; what a judge that was
//! killed leaves behind is removed by the next.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use rustix::event::PollFlags;
use rustix::process::{Pid, Signal, kill_process};

use crate::run::Limits;

const PREFIX: &str = "judge-";
/// The group that the judge itself moves to where version 2 wants groups with children to be empty.
const OWN: &str = "judge-itself";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// One mounted hierarchy in which groups can be made, and what is used of it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hierarchy {
    /// The judge's own group.
    group: PathBuf,
    version: Version,
    memory: bool,
    processes: bool,
    cpu: bool,
}

/// What this judge can do with control groups.
#[derive(Debug)]
pub(super) struct Cgroups {
    hierarchies: Vec<Hierarchy>,
    store: Arc<Mutex<Store>>,
}

/// Making and removing groups is done while a run goes on its way, not while one is waited for.
#[derive(Debug, Default)]
struct Store {
    /// Groups that nobody has been in.
    fresh: Vec<(GroupLimits, Group)>,
    /// Folders of groups that nobody is in any more.
    used: Vec<PathBuf>,
}

/// Limits that a group is to enforce.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct GroupLimits {
    pub(super) memory_bytes: Option<u64>,
    pub(super) processes: Option<u64>,
}

impl GroupLimits {
    pub(super) fn of(limits: &Limits) -> Self {
        Self { memory_bytes: limits.memory_bytes, processes: limits.processes.map(Into::into) }
    }
}

/// What a group can tell at once, as something to poll for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::run) enum Notice {
    Memory,
    Processes,
}

/// The groups of one run. When dropped they are removed at the next occasion.
#[derive(Debug)]
pub(in crate::run) struct Group {
    parts: Vec<Part>,
    store: Weak<Mutex<Store>>,
}

#[derive(Debug)]
struct Part {
    path: PathBuf,
    hierarchy: Hierarchy,
    members: File,
    notices: Vec<(Notice, OwnedFd)>,
    /// A version 1 notice comes from this file for as long as it is open.
    _source: Option<File>,
}

impl Cgroups {
    /// Finds what can be used and tries it; the error says why nothing can.
    pub(super) fn new() -> Result<Self, String> {
        let read = |path: &str| fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
        let mut found = hierarchies(&read("/proc/self/mountinfo")?, &read("/proc/self/cgroup")?);
        let mut reasons = Vec::new();
        found.retain_mut(|hierarchy| match hierarchy.prepare() {
            Ok(()) => true,
            Err(error) => {
                reasons.push(format!("{}: {error}", hierarchy.group.display()));
                false
            }
        });
        let cgroups = Self { hierarchies: without_doubles(found), store: Arc::default() };
        if cgroups.hierarchies.is_empty() {
            let reason = if reasons.is_empty() { "no control groups are mounted".into() } else { reasons.join("; ") };
            return Err(reason);
        }
        cgroups.group(&GroupLimits { memory_bytes: Some(1 << 30), processes: Some(64) }).map_err(|e| e.to_string())?;
        Ok(cgroups)
    }

    pub(super) fn limits_memory(&self) -> bool {
        self.hierarchies.iter().any(|hierarchy| hierarchy.memory)
    }

    pub(super) fn limits_processes(&self) -> bool {
        self.hierarchies.iter().any(|hierarchy| hierarchy.processes)
    }

    pub(super) fn counts_cpu(&self) -> bool {
        self.hierarchies.iter().any(|hierarchy| hierarchy.cpu)
    }

    /// What is used, such as `memory v1, processes v1, cpu v2`.
    pub(super) fn describe(&self) -> String {
        let of = |name: &str, uses: fn(&Hierarchy) -> bool| {
            let hierarchy = self.hierarchies.iter().find(|hierarchy| uses(hierarchy))?;
            Some(format!("{name} v{}", if hierarchy.version == Version::One { 1 } else { 2 }))
        };
        let parts =
            [of("memory", |h| h.memory), of("processes", |h| h.processes), of("cpu", |h| h.cpu)].into_iter().flatten();
        parts.collect::<Vec<_>>().join(", ")
    }

    /// The groups of one run.
    pub(super) fn group(&self, limits: &GroupLimits) -> io::Result<Group> {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let ready = store.fresh.iter().position(|(others, _)| others == limits);
        if let Some(place) = ready {
            return Ok(store.fresh.swap_remove(place).1);
        }
        drop(store);
        self.make(limits)
    }

    /// Makes the groups of a later run of the same kind, and removes those that are not used any more. Where that
    /// fails, the later run will say so.
    pub(super) fn get_ahead(&self, limits: &GroupLimits) {
        let used = std::mem::take(&mut self.store.lock().unwrap_or_else(PoisonError::into_inner).used);
        used.iter().for_each(|folder| remove(folder));
        if let Ok(group) = self.make(limits) {
            self.store.lock().unwrap_or_else(PoisonError::into_inner).fresh.push((*limits, group));
        }
    }

    fn make(&self, limits: &GroupLimits) -> io::Result<Group> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}-{number}", std::process::id());
        // Built up one by one: should a part fail, those before it are removed.
        let mut group = Group { parts: Vec::new(), store: Arc::downgrade(&self.store) };
        for hierarchy in &self.hierarchies {
            let path = hierarchy.group.join(&name);
            fs::create_dir(&path)?;
            let members = match hierarchy.version {
                Version::One => File::options().write(true).open(path.join("tasks")),
                Version::Two => File::open(&path),
            };
            let members = members.inspect_err(|_| drop(fs::remove_dir(&path)))?;
            let hierarchy = hierarchy.clone();
            group.parts.push(Part { path, hierarchy, members, notices: Vec::new(), _source: None });
            group.parts.last_mut().expect("it was just pushed").limit(limits)?;
        }
        Ok(group)
    }
}

impl Group {
    /// The folder of the version 2 group: a process is made in it. Moving one there would make the kernel wait for
    /// every processor, which takes milliseconds.
    pub(super) fn version_two(&self) -> Option<BorrowedFd<'_>> {
        self.parts.iter().find(|part| !part.is_version_one()).map(|part| part.members.as_fd())
    }

    /// Files into which a process writes `0` to join the version 1 groups; threads one by one, for the same reason.
    pub(super) fn version_one(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.parts.iter().filter(|part| part.is_version_one()).map(|part| part.members.as_fd())
    }

    /// What to poll for, and by which flag. A control file is always readable; news is a priority event.
    pub(super) fn notices(&self) -> impl Iterator<Item = (Notice, BorrowedFd<'_>, PollFlags)> {
        self.parts.iter().flat_map(|part| {
            part.notices.iter().map(|(notice, fd)| {
                let event = *notice == Notice::Memory && part.hierarchy.version == Version::One;
                (*notice, fd.as_fd(), if event { PollFlags::IN } else { PollFlags::PRI })
            })
        })
    }

    /// Whether a notice means that the limit was reached; it is taken with that.
    pub(super) fn is_past(&self, notice: Notice) -> bool {
        for (_, fd, _) in self.notices().filter(|(which, ..)| *which == notice) {
            // Read through the descriptor that was polled: that makes the next event news again.
            rustix::io::pread(fd, &mut [0; 512], 0).ok();
        }
        match notice {
            // Version 1 tells just before it kills.
            Notice::Memory => self.out_of_memory() || self.part(|h| h.memory).is_some_and(Part::is_version_one),
            Notice::Processes => self.too_many_processes(),
        }
    }

    /// Whether it refuses processes without a notice, so that it has to be asked.
    pub(super) fn refuses_silently(&self) -> bool {
        self.part(|h| h.processes).is_some_and(Part::is_version_one)
    }

    /// Whether the kernel had to kill a process because the memory limit was reached.
    pub(in crate::run) fn out_of_memory(&self) -> bool {
        self.part(|h| h.memory).is_some_and(|part| {
            let file = if part.hierarchy.version == Version::One { "memory.oom_control" } else { "memory.events" };
            part.field(file, "oom_kill").unwrap_or(0) > 0
        })
    }

    /// Whether a process or thread was refused because there were too many.
    pub(in crate::run) fn too_many_processes(&self) -> bool {
        self.part(|h| h.processes).is_some_and(|part| part.field("pids.events", "max").unwrap_or(0) > 0)
    }

    /// CPU time of all that ever was in the group, in microseconds.
    pub(in crate::run) fn cpu_us(&self) -> Option<u64> {
        let part = self.part(|h| h.cpu)?;
        match part.hierarchy.version {
            Version::One => part.number("cpuacct.usage").map(|ns| ns / 1000),
            Version::Two => part.field("cpu.stat", "usage_usec"),
        }
    }

    /// Peak memory, page cache and scratch files included.
    pub(in crate::run) fn peak_bytes(&self) -> Option<u64> {
        let part = self.part(|h| h.memory)?;
        match part.hierarchy.version {
            Version::One => part.number("memory.max_usage_in_bytes"),
            Version::Two => part.number("memory.peak"),
        }
    }

    /// Ends all its processes at one stroke, also those that fork as fast as they can.
    pub(in crate::run) fn kill(&self) {
        for part in &self.parts {
            if part.hierarchy.version == Version::Two {
                fs::write(part.path.join("cgroup.kill"), "1").ok();
            } else if part.hierarchy.processes && fs::write(part.path.join("pids.max"), "0").is_ok() {
                // Nobody can come to the list any more, so that going through it once is enough.
                let list = fs::read_to_string(part.path.join("cgroup.procs")).unwrap_or_default();
                let members = list.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?));
                members.for_each(|member| {
                    kill_process(member, Signal::KILL).ok();
                });
            }
        }
    }

    fn part(&self, uses: impl Fn(&Hierarchy) -> bool) -> Option<&Part> {
        self.parts.iter().find(|part| uses(&part.hierarchy))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let folders: Vec<PathBuf> = self.parts.drain(..).map(|part| part.path).collect();
        match self.store.upgrade() {
            Some(store) => store.lock().unwrap_or_else(PoisonError::into_inner).used.extend(folders),
            None => folders.iter().for_each(|folder| remove(folder)),
        }
    }
}

impl Drop for Cgroups {
    fn drop(&mut self) {
        let Store { fresh, used } = std::mem::take(&mut *self.store.lock().unwrap_or_else(PoisonError::into_inner));
        let fresh = fresh.iter().flat_map(|(_, group)| group.parts.iter().map(|part| &part.path));
        fresh.chain(&used).for_each(|folder| remove(folder));
        // What is dropped only now finds the folders gone already.
    }
}

/// Removes a group that nobody is in any more.
fn remove(folder: &Path) {
    // The kernel may need a moment to notice that.
    for _ in 0..100 {
        match fs::remove_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => std::thread::sleep(Duration::from_millis(1)),
            _ => break,
        }
    }
}

impl Part {
    fn is_version_one(&self) -> bool {
        self.hierarchy.version == Version::One
    }

    fn limit(&mut self, limits: &GroupLimits) -> io::Result<()> {
        let write = |file: &str, value: &str| fs::write(self.path.join(file), value);
        let one = self.hierarchy.version == Version::One;
        if self.hierarchy.memory
            && let Some(bytes) = limits.memory_bytes
        {
            let bytes = bytes.to_string();
            if one {
                write("memory.limit_in_bytes", &bytes)?;
                // Swap would only make the limit softer and the run slower; not every kernel counts it.
                write("memory.memsw.limit_in_bytes", &bytes).ok();
                let source = File::open(self.path.join("memory.oom_control"))?;
                let event = rustix::event::eventfd(0, rustix::event::EventfdFlags::CLOEXEC)?;
                let order = format!("{} {}", event.as_raw_fd(), source.as_raw_fd());
                write("cgroup.event_control", &order)?;
                self.notices.push((Notice::Memory, event));
                self._source = Some(source);
            } else {
                write("memory.max", &bytes)?;
                write("memory.swap.max", "0").ok();
                let events = File::open(self.path.join("memory.events"))?;
                io::read_to_string(&events)?;
                self.notices.push((Notice::Memory, events.into()));
            }
        }
        if self.hierarchy.processes
            && let Some(processes) = limits.processes
        {
            fs::write(self.path.join("pids.max"), processes.to_string())?;
            // Version 1 counts as well, but newer kernels tell nobody. Not every kernel has it.
            if !one && let Ok(events) = File::open(self.path.join("pids.events")) {
                // A first read, after which a change is news.
                io::read_to_string(&events)?;
                self.notices.push((Notice::Processes, events.into()));
            }
        }
        Ok(())
    }

    fn number(&self, file: &str) -> Option<u64> {
        fs::read_to_string(self.path.join(file)).ok()?.trim().parse().ok()
    }

    fn field(&self, file: &str, name: &str) -> Option<u64> {
        field(&fs::read_to_string(self.path.join(file)).ok()?, name)
    }
}

impl Hierarchy {
    /// Makes groups possible below the judge's own, and removes those of dead judges.
    fn prepare(&mut self) -> io::Result<()> {
        self.sweep();
        let probe = self.group.join(format!("{PREFIX}{}-probe", std::process::id()));
        fs::create_dir(&probe)?;
        let done = File::options().write(true).open(probe.join("cgroup.procs"));
        fs::remove_dir(&probe)?;
        done?;
        if self.version == Version::Two {
            self.delegate();
        }
        Ok(())
    }

    /// Version 2: the controllers that groups below the judge's own get, after asking for those that are missing.
    fn delegate(&mut self) {
        let list = |file: &str| fs::read_to_string(self.group.join(file)).unwrap_or_default();
        let has = |list: &str, name: &str| list.split_whitespace().any(|controller| controller == name);
        let (there, given) = (list("cgroup.controllers"), list("cgroup.subtree_control"));
        let missing = ["memory", "pids"].into_iter().filter(|name| has(&there, name) && !has(&given, name));
        let order: Vec<String> = missing.map(|name| format!("+{name}")).collect();
        if !order.is_empty() {
            let ask = || fs::write(self.group.join("cgroup.subtree_control"), order.join(" "));
            // A group with processes cannot have controlled children, so the judge steps aside; where others are in
            // the group as well, that does not help and it steps back.
            if ask().is_err() {
                let aside = self.group.join(OWN);
                let me = |group: &Path| File::options().write(true).open(group.join("cgroup.procs"))?.write_all(b"0");
                let stepped = fs::create_dir(&aside).and_then(|()| me(&aside));
                if stepped.and_then(|()| ask()).is_err() {
                    me(&self.group).ok();
                    fs::remove_dir(&aside).ok();
                }
            }
        }
        let given = list("cgroup.subtree_control");
        self.memory = has(&given, "memory");
        self.processes = has(&given, "pids");
        // Time is counted with or without a controller.
        self.cpu = true;
    }

    /// Removes groups whose judge is gone. One that still has processes cannot be removed, and that is well.
    fn sweep(&self) {
        let Ok(items) = fs::read_dir(&self.group) else { return };
        for item in items.flatten() {
            let name = item.file_name().to_string_lossy().into_owned();
            let judge = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
            if judge.is_some_and(|judge| !Path::new("/proc").join(judge.to_string()).exists()) {
                fs::remove_dir(item.path()).ok();
            }
        }
    }
}

/// The judge's own group in every mounted hierarchy that is of use.
fn hierarchies(mounts: &str, own: &str) -> Vec<Hierarchy> {
    let mounted = mounts.lines().filter_map(|line| {
        // `… mountpoint options … - type source superblock-options`
        let (mount, system) = line.split_once(" - ")?;
        let (root, point) = (mount.split(' ').nth(3)?, mount.split(' ').nth(4)?);
        let (kind, options) = (system.split(' ').next()?, system.split(' ').nth(2)?);
        Some((kind, root, point, options))
    });
    let found = mounted.filter_map(|(kind, root, point, options)| {
        let has = |name: &str| kind == "cgroup" && options.split(',').any(|option| option == name);
        let version = if kind == "cgroup2" { Version::Two } else { Version::One };
        let (memory, processes, cpu) = (has("memory"), has("pids"), has("cpuacct"));
        if kind != "cgroup2" && !(memory || processes || cpu) {
            return None;
        }
        let path = own.lines().find_map(|line| {
            let (number, rest) = line.split_once(':')?;
            let (controllers, path) = rest.split_once(':')?;
            let name = if memory {
                "memory"
            } else if processes {
                "pids"
            } else {
                "cpuacct"
            };
            let mine = match version {
                Version::Two => number == "0" && controllers.is_empty(),
                Version::One => controllers.split(',').any(|controller| controller == name),
            };
            mine.then_some(path)
        })?;
        // In a container the mount shows a part of the hierarchy, and the path may be given from above it.
        let path = path.strip_prefix(root.trim_end_matches('/')).unwrap_or(path);
        let group = Path::new(point).join(path.trim_start_matches('/'));
        let group = if group.is_dir() { group } else { point.into() };
        Some(Hierarchy { group, version, memory, processes, cpu })
    });
    found.collect()
}

/// Each thing done by one hierarchy only, by version 2 where both could.
fn without_doubles(mut found: Vec<Hierarchy>) -> Vec<Hierarchy> {
    found.sort_by_key(|hierarchy| hierarchy.version == Version::One);
    let (mut memory, mut processes, mut cpu) = (false, false, false);
    for hierarchy in &mut found {
        for (mine, taken) in [
            (&mut hierarchy.memory, &mut memory),
            (&mut hierarchy.processes, &mut processes),
            (&mut hierarchy.cpu, &mut cpu),
        ] {
            *mine &= !*taken;
            *taken |= *mine;
        }
    }
    found.retain(|hierarchy| hierarchy.memory || hierarchy.processes || hierarchy.cpu);
    found
}

/// The number behind a name in a file of `name number` lines.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                          31 25 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n\
                          32 25 0:28 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n\
                          33 25 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n\
                          34 25 0:30 / / rw - ext4 /dev/sda rw,memory\n";

    #[test]
    fn hierarchies_are_found_and_each_does_what_no_other_does() {
        let own = "4:memory:/deep/own\n3:cpu,cpuacct:/\n2:freezer:/\n0::/\n";
        let found = hierarchies(MOUNTS, own);
        let versions: Vec<_> = found.iter().map(|h| (h.version, h.memory, h.processes, h.cpu)).collect();
        assert_eq!(
            versions,
            [
                (Version::One, true, false, false),
                (Version::One, false, false, true),
                (Version::Two, false, false, false)
            ]
        );
        let mut two = found[2].clone();
        two.cpu = true;
        let kept = without_doubles(vec![found[0].clone(), found[1].clone(), two.clone()]);
        assert_eq!(kept, [two, found[0].clone()]);
    }

    #[test]
    fn damaged_system_files_give_nothing() {
        assert!(hierarchies("", "").is_empty());
        assert!(hierarchies("a - b\n - \n1 2 3 - cgroup2\n", ":\n0:\n::").is_empty());
        assert_eq!(field("oom_kill_disable 0\noom_kill 3\n", "oom_kill"), Some(3));
        assert_eq!(field("oom_kill\nmax many\n", "max"), None);
    }
}
