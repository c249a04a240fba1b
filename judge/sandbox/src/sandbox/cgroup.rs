//! Control groups: they limit the memory and process count of a whole tree, and count its CPU time and peak memory.
//!
//! Both versions are used, each for the controllers that it has here: on many machines all are in version 2, on some
//! all in version 1, on some they are divided. Every run has separate groups below the judge's group. If a judge is
//! killed, the next one removes its groups.

mod hierarchy;
mod part;

use std::fs;
use std::io;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use rustix::event::PollFlags;

use self::hierarchy::{Hierarchy, PREFIX, Version};
use self::part::Part;
use crate::Limits;

/// Control groups that this judge can use.
#[derive(Debug)]
pub(super) struct Cgroups {
    hierarchies: Vec<Hierarchy>,
    store: Arc<Mutex<Store>>,
}

/// Groups that are kept ready for limits other than those of the last run.
const MAX_FRESH: usize = 4;

/// The available groups. They are created and removed while a job runs, not while it is being started.
#[derive(Debug, Default)]
struct Store {
    /// Groups prepared for a later run.
    fresh: Vec<(GroupLimits, Group)>,
    /// Groups whose run is over, to be reused if possible.
    used: Vec<Part>,
    /// Groups that cannot be reused, to be removed later.
    done: Vec<Part>,
}

/// Limits for a group to enforce.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct GroupLimits {
    pub(super) memory_bytes: Option<u64>,
    pub(super) processes: Option<u64>,
}

impl GroupLimits {
    pub(super) fn from_limits(limits: &Limits) -> Self {
        Self { memory_bytes: limits.memory_bytes, processes: limits.processes.map(Into::into) }
    }
}

/// A limit for which a group gives notice through a descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notice {
    Memory,
    Processes,
}

/// The groups of one run. After being dropped, they are reused or removed at the next occasion.
#[derive(Debug)]
pub(crate) struct Group {
    parts: Vec<Part>,
    store: Weak<Mutex<Store>>,
}

impl Cgroups {
    /// Finds the usable hierarchies and tries them. The error is the reason why there are none.
    pub(super) fn new() -> Result<Self, String> {
        let read = |path: &str| fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
        let mut found = hierarchy::mounted(&read("/proc/self/mountinfo")?, &read("/proc/self/cgroup")?);
        let mut reasons = Vec::new();
        found.retain_mut(|hierarchy| match hierarchy.prepare() {
            Ok(()) => true,
            Err(error) => {
                reasons.push(format!("{}: {error}", hierarchy.group.display()));
                false
            }
        });
        let cgroups = Self { hierarchies: hierarchy::without_doubles(found), store: Arc::default() };
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

    /// The controllers in use, such as `memory v1, processes v1, cpu v2`.
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
        let mut store = locked(&self.store);
        let ready = store.fresh.iter().position(|(others, _)| others == limits);
        if let Some(place) = ready {
            return Ok(store.fresh.swap_remove(place).1);
        }
        drop(store);
        self.make(limits)
    }

    /// Creates the groups of a later run with the same limits, and removes groups that are no longer used. A failure is
    /// reported by the later run.
    pub(super) fn prepare_next(&self, limits: &GroupLimits) {
        if let Ok(group) = self.make(limits) {
            let mut store = locked(&self.store);
            store.fresh.push((*limits, group));
            // With many different limits, most groups would wait long with their descriptors open.
            let other = store.fresh.iter().position(|(others, _)| others != limits);
            let spare = other.filter(|_| store.fresh.len() > MAX_FRESH).map(|place| store.fresh.remove(place));
            drop(store);
            drop(spare);
        }
        let done = std::mem::take(&mut locked(&self.store).done);
        done.iter().for_each(Part::remove);
    }

    /// A group in every hierarchy: a used one if it can be reused, otherwise a new one.
    fn make(&self, limits: &GroupLimits) -> io::Result<Group> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}-{number}", std::process::id());
        // Built part by part, so that earlier parts are cleaned up if a later one fails.
        let mut group = Group { parts: Vec::new(), store: Arc::downgrade(&self.store) };
        for hierarchy in &self.hierarchies {
            let part = self.renewed(hierarchy, limits).map_or_else(|| Part::make(hierarchy, &name, limits), Ok)?;
            group.parts.push(part);
        }
        Ok(group)
    }

    fn renewed(&self, hierarchy: &Hierarchy, limits: &GroupLimits) -> Option<Part> {
        let mut store = locked(&self.store);
        let place = store.used.iter().position(|part| part.hierarchy == *hierarchy)?;
        let part = store.used.swap_remove(place);
        drop(store);
        part.renewed(limits).map_err(|part| locked(&self.store).done.push(part)).ok()
    }
}

impl Group {
    /// The folder of the version 2 group, in which a process is created. Moving a process there would make the kernel
    /// wait for every processor, which takes milliseconds.
    pub(super) fn version_two(&self) -> Option<BorrowedFd<'_>> {
        self.parts.iter().find(|part| !part.is_version_one()).map(Part::members)
    }

    /// Files into which a process writes `0` to join the version 1 groups; threads one by one, for the same reason.
    pub(super) fn version_one(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.parts.iter().filter(|part| part.is_version_one()).map(Part::members)
    }

    /// Descriptors to poll, with their flags.
    pub(super) fn notices(&self) -> impl Iterator<Item = (Notice, BorrowedFd<'_>, PollFlags)> {
        self.parts.iter().flat_map(Part::notices)
    }

    /// Takes a notice: `true` if the limit was reached.
    pub(super) fn is_past(&self, notice: Notice) -> bool {
        for (_, fd, _) in self.notices().filter(|(which, ..)| *which == notice) {
            // Reading through the polled descriptor lets the next event be noticed.
            rustix::io::pread(fd, &mut [0; 512], 0).ok();
        }
        match notice {
            // Version 1 gives notice just before it kills.
            Notice::Memory => self.out_of_memory() || self.part(|h| h.memory).is_some_and(Part::is_version_one),
            Notice::Processes => self.too_many_processes(),
        }
    }

    /// True if it refuses processes without a notice, so that it has to be polled.
    pub(super) fn refuses_silently(&self) -> bool {
        self.part(|h| h.processes).is_some_and(Part::is_version_one)
    }

    /// True if the kernel killed a process because the memory limit was reached.
    pub(crate) fn out_of_memory(&self) -> bool {
        self.part(|h| h.memory).is_some_and(Part::out_of_memory)
    }

    /// True if a process or thread was refused because there were too many.
    pub(crate) fn too_many_processes(&self) -> bool {
        self.part(|h| h.processes).is_some_and(Part::too_many_processes)
    }

    /// CPU time of all processes that were in the group, in microseconds.
    pub(crate) fn cpu_us(&self) -> Option<u64> {
        self.part(|h| h.cpu)?.cpu_us()
    }

    /// Peak memory, including page cache and scratch files.
    pub(crate) fn peak_bytes(&self) -> Option<u64> {
        self.part(|h| h.memory)?.peak_bytes()
    }

    /// Kills all its processes together, even if they fork as fast as they can.
    pub(crate) fn kill(&self) {
        self.parts.iter().for_each(Part::kill);
    }

    /// The file that freezes and thaws all its processes; `None` without a group of version 2.
    pub(crate) fn freezer(&self) -> Option<fs::File> {
        self.parts.iter().find(|part| !part.is_version_one())?.freezer()
    }

    fn part(&self, uses: impl Fn(&Hierarchy) -> bool) -> Option<&Part> {
        self.parts.iter().find(|part| uses(&part.hierarchy))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        let Some(store) = self.store.upgrade() else { return parts.iter().for_each(Part::remove) };
        let (again, done): (Vec<_>, Vec<_>) = parts.into_iter().partition(Part::can_be_renewed);
        let mut store = locked(&store);
        store.used.extend(again);
        store.done.extend(done);
    }
}

impl Drop for Cgroups {
    fn drop(&mut self) {
        let fresh = std::mem::take(&mut locked(&self.store).fresh);
        // They come back to the store as used.
        drop(fresh);
        let Store { used, done, .. } = std::mem::take(&mut *locked(&self.store));
        used.iter().chain(&done).for_each(Part::remove);
    }
}

fn locked(store: &Mutex<Store>) -> MutexGuard<'_, Store> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}
