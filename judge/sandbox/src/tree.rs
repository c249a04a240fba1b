//! The processes of a run as `/proc` shows them, for limits that the kernel does not enforce here.
//!
//! A sample every few milliseconds shows the living processes. That is enough to end a run that grows beyond its limit.
//! Processes that came and went between two samples are missing.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;

use rustix::process::{Pid, Signal, Uid, kill_process};

use crate::sandbox::sys::share_memory;

/// Resources of the living processes of a tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sample {
    /// Number of tasks: processes and their threads.
    pub(super) tasks: u64,
    /// Resident memory; shared memory counts once for each process.
    pub(super) resident_bytes: u64,
    /// CPU time, including the time of children that were waited for.
    pub(super) cpu_us: u64,
}

/// The flag of a task that has begun to exit, `PF_EXITING` of the kernel. It is set before the task's files are closed.
const EXITING: u64 = 4;

/// The flag of a task that has executed no program since it was forked, `PF_FORKNOEXEC` of the kernel. New threads have it
/// as well.
const FORKED: u64 = 0x40;

/// Clock ticks of `/proc` in microseconds: user space sees 100 a second on every architecture.
const TICK_US: u64 = 10_000;

/// CPU time of the processes that were seen so far. If the parent of a process ignores the ends of its children, the
/// kernel loses the process's time, but the time that it had used when last seen is kept here.
#[derive(Default)]
pub(super) struct Times {
    /// The start of each process, and the time that it has used itself.
    living: HashMap<i32, (u64, u64)>,
    gone_us: u64,
}

impl Times {
    /// Samples these processes. `adopter` adopts orphans among them: the CPU time of its reaped children also counts.
    pub(super) fn sample(&mut self, members: &[i32], adopter: Option<Pid>) -> Sample {
        let mut sample = Sample::default();
        let mut living = HashMap::with_capacity(members.len());
        let mut seen_us = 0;
        for &pid in members {
            let Some(stat) = Stat::from_pid(pid) else { continue };
            sample.tasks += stat.threads;
            sample.resident_bytes += stat.resident_bytes();
            sample.cpu_us += stat.cpu_us + stat.children_cpu_us;
            living.insert(pid, (stat.begun, stat.cpu_us));
            seen_us += stat.cpu_us;
        }
        if let Some(stat) = adopter.and_then(|adopter| Stat::from_pid(adopter.as_raw_pid())) {
            sample.cpu_us += stat.children_cpu_us;
        }
        for (pid, (begun, cpu_us)) in std::mem::take(&mut self.living) {
            if living.get(&pid).is_some_and(|(other, _)| *other == begun) {
                continue;
            }
            // The lists of children have gaps while processes come and go.
            match Stat::from_pid(pid).filter(|stat| stat.begun == begun) {
                Some(stat) => {
                    living.insert(pid, (begun, stat.cpu_us));
                    seen_us += stat.cpu_us;
                }
                None => self.gone_us += cpu_us,
            }
        }
        self.living = living;
        // Waited for or not: nothing counts twice in either sum.
        sample.cpu_us = sample.cpu_us.max(self.gone_us + seen_us);
        sample
    }
}

/// Stops all descendants of a process until no new ones appear, then kills them. Used if a supervisor cannot do so.
pub(super) fn kill_below(ancestor: Pid) {
    /// Number of rounds of stopping after which all are killed even if new ones still appear.
    const ROUNDS: usize = 64;
    let send = |members: &[i32], signal| {
        for member in members.iter().filter_map(|&member| Pid::from_raw(member)) {
            kill_process(member, signal).ok();
        }
    };
    let mut members = descendants(ancestor);
    for _ in 0..ROUNDS {
        send(&members, Signal::STOP);
        let stopped = std::mem::replace(&mut members, descendants(ancestor));
        if members.iter().all(|member| stopped.contains(member)) {
            break;
        }
    }
    send(&members, Signal::KILL);
}

/// The most processes that are compared with one to find those that share its memory.
const MAX_COMPARED: usize = 128;

/// Memory of these processes, with shared pages divided among the processes. In addition, the run holds `hidden` bytes of
/// shared memory, some of which may be mapped. Slower than a sample. A process that cannot be read counts with all its
/// resident pages: none if it has ended.
pub(super) fn proportional_bytes(members: &[i32], hidden: u64) -> u64 {
    let (mut all, mut shared) = (0_u64, 0_u64);
    let mut counted: Vec<i32> = Vec::new();
    for &member in members {
        let pid = shown_by(member);
        // A child that has not executed its program yet may use the memory of its parent, and have no other.
        if counted.iter().rev().take(MAX_COMPARED).any(|&other| share_memory(pid, other)) {
            continue;
        }
        counted.push(pid);
        match fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok().and_then(|text| shares(&text)) {
            Some((of_all, of_shared)) => {
                all += of_all;
                shared += of_shared;
            }
            None => all += Stat::from_pid(member).map_or(0, |stat| stat.resident_bytes()),
        }
    }
    all.max(all.saturating_sub(shared).saturating_add(hidden))
}

/// Bytes of a process in `smaps_rollup`, each page divided among the processes that map it: all, and those of shared memory.
fn shares(smaps_rollup: &str) -> Option<(u64, u64)> {
    let bytes = |name: &str| {
        let kib = smaps_rollup.lines().find_map(|line| line.strip_prefix(name))?.trim().strip_suffix("kB")?.trim();
        kib.parse::<u64>().ok().map(|kib| kib * 1024)
    };
    // Not every kernel divides them by kind.
    Some((bytes("Pss:")?, bytes("Pss_Shmem:").unwrap_or(0)))
}

/// Processes and threads of a user on the whole machine.
pub(super) fn tasks_of(user: Uid) -> u64 {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = processes.filter(|item| item.metadata().is_ok_and(|metadata| metadata.uid() == user.as_raw()));
    let pids = pids.filter_map(|item| item.file_name().to_str()?.parse().ok());
    pids.filter_map(Stat::from_pid).map(|stat| stat.threads).sum()
}

/// All descendants that live at this moment.
pub(super) fn descendants(ancestor: Pid) -> Vec<i32> {
    let mut found = children(ancestor.as_raw_pid());
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        found.extend(children(pid));
        next += 1;
    }
    found
}

/// The children of a process: the children of all its threads.
fn children(pid: i32) -> Vec<i32> {
    let list = |thread| fs::read_to_string(format!("/proc/{pid}/task/{thread}/children")).ok();
    let lists = threads_of(pid).filter_map(list);
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect()
}

/// The oldest child of a process, if it has executed no program yet. The kernel lists children in the order in which they
/// came, adopted ones last.
pub(super) fn unexecuted_first_child(parent: Pid) -> Option<i32> {
    let first = *children(parent.as_raw_pid()).first()?;
    // By its own number: a thread that has outlived the first one would show the flag.
    Stat::read(first).is_some_and(|stat| stat.forked).then_some(first)
}

/// The number under which `/proc` shows the memory and the descriptors of a process: its own number, or the number of a
/// thread that still lives after the first one has ended.
pub(super) fn shown_by(pid: i32) -> i32 {
    Stat::from_pid(pid).map_or(pid, |stat| stat.shown_by)
}

/// Tests whether one of these processes lives and has not begun to exit.
pub(super) fn any_lives(members: &[i32]) -> bool {
    members.iter().filter_map(|&pid| Stat::from_pid(pid)).any(|stat| stat.lives())
}

/// The threads of a process.
pub(super) fn threads_of(pid: i32) -> impl Iterator<Item = i32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    threads.filter_map(|thread| thread.file_name().to_str()?.parse().ok())
}

/// The fields of `/proc/PID/stat` that accounting needs.
struct Stat {
    /// The number of the process itself or of one of its threads.
    shown_by: i32,
    /// True if it is not a zombie.
    alive: bool,
    /// True if the kernel has begun to tear it down.
    exiting: bool,
    /// True if it has executed no program since it was forked.
    forked: bool,
    cpu_us: u64,
    children_cpu_us: u64,
    threads: u64,
    /// When it began, in ticks.
    begun: u64,
    resident_pages: u64,
}

impl Stat {
    /// The fields of a process. If its first thread has ended, `/proc` shows no memory for it, but another thread shows
    /// the same memory and the times of the process.
    fn from_pid(pid: i32) -> Option<Self> {
        let stat = Self::read(pid)?;
        if stat.alive || stat.threads <= 1 {
            return Some(stat);
        }
        let others = threads_of(pid).filter(|&thread| thread != pid);
        let begun = stat.begun;
        let living = others.filter_map(Self::read).find(|other| other.alive);
        Some(living.map_or(stat, |living| Self { begun, ..living }))
    }

    /// False for a zombie and for a process that the kernel tears down, which may take seconds if it had much.
    fn lives(&self) -> bool {
        self.alive && !self.exiting
    }

    fn resident_bytes(&self) -> u64 {
        self.resident_pages * rustix::param::page_size() as u64
    }

    fn read(task: i32) -> Option<Self> {
        Self::parse(task, &fs::read_to_string(format!("/proc/{task}/stat")).ok()?)
    }

    fn parse(task: i32, text: &str) -> Option<Self> {
        // The name is in parentheses and may contain parentheses.
        let (_, rest) = text.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        // The state, number 3 in proc(5), is the first here. A zombie has no memory, but it counts as a process until it is
        // waited for, as in control groups.
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        let alive = !matches!(*fields.first()?, "Z" | "X");
        let flags = field(9)?;
        Some(Self {
            shown_by: task,
            alive,
            exiting: flags & EXITING != 0,
            forked: flags & FORKED != 0,
            cpu_us: (field(14)? + field(15)?) * TICK_US,
            children_cpu_us: (field(16)? + field(17)?) * TICK_US,
            // Also of a process whose first thread has ended.
            threads: field(20)?.max(1),
            begun: field(22)?,
            resident_pages: if alive { field(24)? } else { 0 },
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn a_name_with_parentheses_moves_no_field() {
        let rest = "1 2 3 4 5 6 7 8 9 10 100 50 7 3 20 0 5 0 77 4096 12 18446744073709551615";
        let stat = Stat::parse(42, &format!("42 (a) R (b) S {rest}")).unwrap();
        assert_eq!((stat.cpu_us, stat.children_cpu_us), (1_500_000, 100_000));
        assert_eq!((stat.threads, stat.resident_pages, stat.begun), (5, 12, 77));
        let zombie = Stat::parse(42, &format!("42 (a) Z {rest}")).unwrap();
        assert_eq!((zombie.cpu_us, zombie.threads, zombie.resident_pages), (1_500_000, 5, 0));
        // The flag 4 marks a task that exits, and 0x40 one that was forked.
        let [running, exiting, forked] =
            [" 4194304 ", " 4194308 ", " 4194368 "].map(|flags| rest.replacen(" 6 ", flags, 1));
        for (rest, is_forked) in [(&running, false), (&exiting, false), (&forked, true)] {
            assert_eq!(Stat::parse(42, &format!("42 (a) S {rest}")).unwrap().forked, is_forked, "{rest}");
        }
        for (state, rest, lives) in [("S", &running, true), ("Z", &running, false), ("D", &exiting, false)] {
            let stat = Stat::parse(42, &format!("42 (a) {state} {rest}")).unwrap();
            assert_eq!(stat.lives(), lives, "{state} {rest}");
        }
        for damaged in ["", "42 (a", "42 (a) ", "42 (a) S 1 2"] {
            assert!(Stat::parse(42, damaged).is_none());
        }
    }

    #[test]
    fn this_process_and_its_child_are_a_tree() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let (me, pid) = (rustix::process::getpid(), i32::try_from(child.id()).unwrap());
        // The lists may have gaps while threads of other tests come and go.
        let seen = (0..1000).any(|_| descendants(me).contains(&pid));
        let sample = || Times::default().sample(&descendants(me), Some(me));
        let sampled = (0..1000).map(|_| sample()).any(|sample| sample.tasks >= 1 && sample.resident_bytes > 0);
        let memory = proportional_bytes(&descendants(Pid::from_child(&child)), 5);
        // Two numbers of one memory: its own, counted once. Other processes that share its pages come and go meanwhile.
        let once = (0..1000).any(|_| {
            let (once, twice) = (proportional_bytes(&[pid], 0), proportional_bytes(&[pid, pid], 0));
            once == twice && once > 0
        });
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(seen && sampled && once, "{seen}, {sampled}, {once}");
        assert_eq!(memory, 5, "it has no children");
    }

    #[test]
    fn what_a_process_had_used_counts_once_when_it_is_gone() {
        let mut times = Times::default();
        times.living.insert(i32::MAX, (7, 500));
        assert_eq!(times.sample(&[], None).cpu_us, 500);
        assert_eq!(times.sample(&[], None).cpu_us, 500);
        // A gap in the list does not mean that the process has ended.
        let me = rustix::process::getpid().as_raw_pid();
        times.sample(&[me], None);
        let own_us = times.living[&me].1;
        assert!(times.sample(&[], None).cpu_us >= 500 + own_us);
        assert_eq!(times.gone_us, 500);
    }
}
