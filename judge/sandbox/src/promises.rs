//! The promises of the sandbox. This is their only list: `judge doctor` prints it, `docs/promises.csv` shows it,
//! `isolation = "require"` requires it, and `judge/tests/cli/promises.rs` tests each of them.

use judge_job::Tier;
use serde::Serialize;

/// The first Landlock version that keeps an entry from signalling processes outside of its run.
const LANDLOCK_FOR_SIGNALS: u32 = 6;

/// The way in which a promise is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Guarantee {
    /// Nothing keeps it under these conditions.
    No,
    /// The judge checks it every few milliseconds, so an entry can break it for that long.
    Watched,
    /// The kernel keeps it, or the judge does before anything can happen.
    Kept,
}

impl Guarantee {
    /// The word in tables of `judge doctor` and of the documents.
    pub fn word(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Watched => "watched",
            Self::Kept => "yes",
        }
    }
}

/// The conditions that decide which promises are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Conditions {
    /// The strongest tier that works here.
    pub tier: Tier,
    /// The version of Landlock in use; 0 for none.
    pub landlock: u32,
    /// True if a seccomp filter allows only listed system calls.
    pub filter: bool,
    /// True if the judge's effective user is root.
    pub root: bool,
    /// True if control groups limit memory.
    pub memory: bool,
    /// True if control groups limit processes and threads.
    pub processes: bool,
    /// True if control groups count CPU time.
    pub cpu: bool,
    /// True if the judge may see the files behind the mappings of a process.
    pub mapped_files: bool,
}

impl Default for Conditions {
    fn default() -> Self {
        Self {
            tier: Tier::ProcessGroup,
            landlock: 0,
            filter: false,
            root: false,
            memory: false,
            processes: false,
            cpu: false,
            mapped_files: false,
        }
    }
}

impl Conditions {
    /// The columns of a table of promises, strongest first, with their names: the tiers on a system with all other
    /// features, for root or an ordinary user.
    pub fn columns(root: bool) -> [(&'static str, Self); 4] {
        let with = |tier, groups| Self {
            tier,
            landlock: if tier == Tier::ProcessGroup { 0 } else { LANDLOCK_FOR_SIGNALS },
            filter: tier > Tier::ProcessGroup,
            root,
            memory: groups,
            processes: groups,
            cpu: groups,
            mapped_files: root,
        };
        [
            ("namespaces + cgroups", with(Tier::Namespaces, true)),
            ("namespaces", with(Tier::Namespaces, false)),
            ("landlock", with(Tier::Landlock, false)),
            ("off", with(Tier::ProcessGroup, false)),
        ]
    }

    fn own_root(&self) -> bool {
        self.tier == Tier::Namespaces
    }

    /// True if the judge sees what the processes hold. Without a filter of system calls, they can hide it, and leave
    /// their control groups.
    fn in_sight(&self) -> bool {
        self.tier > Tier::ProcessGroup && self.filter
    }

    /// True if nothing outside of the run can be signalled, stopped or limited.
    fn out_of_reach(&self) -> bool {
        self.own_root() || self.tier == Tier::Landlock && self.filter && self.landlock >= LANDLOCK_FOR_SIGNALS
    }
}

/// A limit that a contest can leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// `memory`: bytes of all processes of a job together.
    Memory,
    /// `processes`: number of processes and threads.
    Processes,
    /// `cpu`: CPU time of all processes of a job together.
    Cpu,
    /// `scratch`: bytes and files of the scratch directory.
    Scratch,
}

/// A statement that the sandbox guarantees to a contest, and the mechanism behind it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Promise {
    /// Its name, in two or three words.
    pub name: &'static str,
    /// The promise, as a sentence without its end.
    pub text: &'static str,
    /// The mechanism that keeps it.
    pub by: &'static str,
    /// The limit that it enforces; `None` if it is not a limit that a contest can leave out.
    pub limit: Option<Limit>,
    keeping: fn(&Conditions) -> Guarantee,
}

impl Promise {
    /// The way in which it is kept under these conditions.
    pub fn keeping(&self, conditions: &Conditions) -> Guarantee {
        (self.keeping)(conditions)
    }
}

fn kept_if(kept: bool) -> Guarantee {
    if kept { Guarantee::Kept } else { Guarantee::No }
}

fn kept_or_watched(kept: bool, watched: bool) -> Guarantee {
    match (kept, watched) {
        (true, _) => Guarantee::Kept,
        (false, true) => Guarantee::Watched,
        (false, false) => Guarantee::No,
    }
}

fn always(_: &Conditions) -> Guarantee {
    Guarantee::Kept
}

/// Declares promises: a name, the way in which it is kept under the conditions `on`, the promise, the mechanism.
macro_rules! promises {
    (|$on:ident| $($name:literal $(limits $limit:ident)?: $keeping:expr, $text:literal, $by:literal;)*) => {
        &[$(Promise {
            name: $name,
            text: $text,
            by: $by,
            limit: promises!(@$($limit)?),
            keeping: |$on| $keeping,
        }),*]
    };
    (@$limit:ident) => { Some(Limit::$limit) };
    (@) => { None };
}

/// Every promise, the judge's own safety first.
#[rustfmt::skip]
pub const PROMISES: &[Promise] = promises! { |on|
    "judge unharmed": always(on),
        "nothing that an entry prints, opens or exhausts makes the judge fail, wait without end, or grow",
        "pipes that never block, a supervisor that keeps time, output in pieces";
    "own verdict": kept_if(on.out_of_reach()),
        "an entry cannot order a judge error, a repetition, or the verdict of another entry",
        "failures that an entry can cause are its own; the clock and the counters are the judge's";
    "judge out of reach": kept_if(on.out_of_reach()),
        "an entry cannot signal, stop, limit or slow the judge, its supervisor or a process of another run",
        "PID namespace; without one Landlock's scope for signals and the seccomp filter";
    "no survivor": kept_if(on.out_of_reach()),
        "no process outlives its run, nor the judge, however it was started",
        "PID namespace; without one the supervisor as subreaper, which an entry of the tier off can kill";
    "reads its own": kept_if(on.own_root() || on.landlock > 0),
        "an entry reads its own files and the system's programs, and no other entry, board or home folder",
        "a root of its own; Landlock";
    "writes its own": kept_if(on.own_root() || on.landlock > 0),
        "an entry writes only its scratch directory, and a build its writable folders",
        "a read-only root; Landlock";
    "leaves no file": kept_if(on.own_root() || on.landlock > 0),
        "no file of a run is there for a later one",
        "scratch directories that are deleted, no other place to write to, and a limit of core files that cannot be changed";
    "changes its own": kept_if(on.own_root() || on.filter),
        "an entry changes no mode, owner, time or attribute of a file outside its scratch directory",
        "read-only mounts, devices among them; the seccomp filter where there are none";
    "leaves no state": kept_if(on.filter),
        "no key, queue, shared memory, watch or lease of an entry outlives its run",
        "the seccomp filter";
    "no network": kept_if(on.filter),
        "an entry reaches no network and no socket of a service",
        "a network namespace; the seccomp filter allows local sockets only";
    "sees no other": kept_if(on.own_root()),
        "an entry sees no process of another run or of the organiser",
        "PID namespace with a /proc of its own";
    "another user": kept_if(on.own_root() && on.root),
        "an entry is another user than the judge",
        "root gives each entry a user of its own; an ordinary user has no other to give";
    "gains no rights": kept_if(on.tier > Tier::ProcessGroup),
        "an entry gets no capability and no other user by set-uid programs",
        "no_new_privs; capabilities dropped";
    "narrow kernel": kept_if(on.filter),
        "an entry makes only system calls that programs need",
        "the seccomp filter";
    "wall clock": kept_if(on.out_of_reach()),
        "a run ends at its limit, and an answer after it does not count",
        "the supervisor's clock, and the judge's";
    "output": always(on),
        "a run ends at the first byte beyond its limit on standard output",
        "the judge, which reads the pipe";
    "memory" limits Memory: kept_or_watched(on.in_sight() && on.memory, on.in_sight()),
        "all processes of a run together stay within the memory limit",
        "a control group; without one samples every 20 ms, and the seccomp filter against memory that they miss";
    "processes" limits Processes: kept_or_watched(on.in_sight() && on.processes, on.in_sight()),
        "a run stays within its number of processes and threads",
        "a control group; samples every 20 ms without one";
    "cpu" limits Cpu: kept_if(on.in_sight() && on.cpu),
        "the CPU time of all processes of a run is counted and limited",
        "a control group; samples without one, which miss children that live for milliseconds and are not waited for";
    "scratch" limits Scratch: kept_or_watched(on.own_root(), on.in_sight() && on.mapped_files),
        "files in the scratch directory stay within their limit",
        "a file system of limited size; without one samples every 100 ms, which see removed files by root's rights only";
    "own cores": kept_if(on.filter),
        "an entry stays on the cores that it was given",
        "processor affinity that the seccomp filter does not let it change";
};

/// The promises of the strongest column that are not fully kept under these conditions, with the way in which they are
/// kept.
pub fn broken(conditions: &Conditions) -> impl Iterator<Item = (&'static Promise, Guarantee)> {
    let [(_, strongest), ..] = Conditions::columns(conditions.root);
    PROMISES.iter().filter_map(move |promise| {
        let keeping = promise.keeping(conditions);
        (keeping < promise.keeping(&strongest)).then_some((promise, keeping))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stronger_column_keeps_at_least_as_much() {
        for root in [false, true] {
            let columns = Conditions::columns(root);
            for promise in PROMISES {
                let kept = columns.map(|(_, conditions)| promise.keeping(&conditions));
                assert!(kept.is_sorted_by(|a, b| a >= b), "{}: {kept:?}", promise.name);
                let only_root = promise.name == "another user" && !root;
                assert!(kept[0] == Guarantee::Kept || only_root, "{}", promise.name);
            }
            assert_eq!(broken(&columns[0].1).count(), 0);
            let missing =
                |column: usize| broken(&columns[column].1).map(|(promise, _)| promise.name).collect::<Vec<_>>();
            assert_eq!(missing(1), ["memory", "processes", "cpu"]);
            assert!(missing(2).contains(&"sees no other") && missing(3).contains(&"no network"));
            let scratch = PROMISES.iter().find(|promise| promise.name == "scratch").expect("it is promised");
            let watched = if root { Guarantee::Watched } else { Guarantee::No };
            assert_eq!(scratch.keeping(&columns[2].1), watched);
            // Control groups enforce nothing on an entry that may leave them.
            let off = Conditions { memory: true, processes: true, cpu: true, ..columns[3].1 };
            assert!(["memory", "processes", "cpu"].iter().all(|name| broken(&off).any(|(it, _)| it.name == *name)));
        }
        let old = Conditions { landlock: 5, ..Conditions::columns(false)[2].1 };
        assert!(broken(&old).any(|(promise, _)| promise.name == "judge out of reach"));
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = PROMISES.iter().map(|promise| promise.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), PROMISES.len());
    }
}
