//! The logical processors that this process may use, by physical core.

use std::collections::BTreeMap;

use super::system::Sysfs;

/// The physical cores that this process may use, each as the list of its usable logical processors, ascending; the
/// cores are ordered by their first processor. If the system does not report cores, every logical processor counts as
/// one. This uses the affinity of the calling thread, so call it before pinning the thread.
pub fn cores() -> Vec<Vec<usize>> {
    Topology::read(&Sysfs::system(), &usable()).cores
}

/// Slots for parallel runs: `wanted` disjoint groups of `each` physical cores (0 counts as 1). A group has the first
/// logical processor of each of its cores, so that no two processors in it share a core. Neighbouring cores are in one
/// group. `None` if there are not enough cores.
pub fn slots(cores: &[Vec<usize>], wanted: usize, each: usize) -> Option<Vec<Vec<usize>>> {
    let firsts: Vec<usize> = cores.iter().filter_map(|core| core.first().copied()).collect();
    let groups: Vec<Vec<usize>> = firsts.chunks_exact(each.max(1)).take(wanted).map(<[usize]>::to_vec).collect();
    (groups.len() == wanted).then_some(groups)
}

/// Number of parallel runs: as many as can have `each` of the physical `cores` to themselves (0 counts as 1), but no more
/// than fit into 4/5 of the memory if each uses its limit (both in bytes); at least 1.
pub(crate) fn default_jobs(cores: usize, each: usize, memory_bytes: Option<u64>, memory_limit: Option<u64>) -> usize {
    let fitting = memory_bytes.zip(memory_limit).and_then(|(memory, limit)| (memory / 5 * 4).checked_div(limit));
    let fitting = fitting.map_or(usize::MAX, |fitting| usize::try_from(fitting).unwrap_or(usize::MAX));
    (cores / each.max(1)).min(fitting).max(1)
}

/// The logical processors that the calling thread may use, ascending.
pub(super) fn usable() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    // The kernel refuses if it has more processors than the set holds, which is 1024.
    sched_getaffinity(None)
        .map(|set| (0..CpuSet::MAX_CPU).filter(|&processor| set.is_set(processor)).collect())
        .unwrap_or_else(|_| counted())
}

fn counted() -> Vec<usize> {
    (0..std::thread::available_parallelism().map_or(1, Into::into)).collect()
}

/// Cores of the usable logical processors.
pub(super) struct Topology {
    cores: Vec<Vec<usize>>,
    /// True if the system reported the core of every logical processor.
    complete: bool,
    /// True if some core has a second logical processor, usable or not.
    shared: bool,
}

/// The identity of a core, which its logical processors share.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Core {
    /// The lowest number among them.
    Lowest(usize),
    /// The numbers of their package, and of the core in it.
    Numbered(u32, u32),
    /// Not reported: this logical processor counts as a core.
    Unreported(usize),
}

impl Topology {
    pub(super) fn read(system: &Sysfs, usable: &[usize]) -> Self {
        let (mut complete, mut shared) = (!usable.is_empty(), false);
        let mut cores: BTreeMap<Core, Vec<usize>> = BTreeMap::new();
        for &processor in usable {
            let of = |file: &str| format!("sys/devices/system/cpu/cpu{processor}/topology/{file}");
            let number = |file| system.number(&of(file));
            // The list first: on some machines the numbers of cores repeat within a package.
            let core = if let Some((lowest, several)) = siblings(system, &of("thread_siblings_list"), processor) {
                shared |= several;
                Core::Lowest(lowest)
            } else if let (Some(package), Some(core)) = (number("physical_package_id"), number("core_id")) {
                Core::Numbered(package, core)
            } else {
                complete = false;
                Core::Unreported(processor)
            };
            cores.entry(core).or_default().push(processor);
        }
        let mut cores: Vec<Vec<usize>> = cores.into_values().collect();
        cores.iter_mut().for_each(|core| core.sort_unstable());
        cores.sort_unstable();
        shared |= cores.iter().any(|core| core.len() > 1);
        Self { cores, complete, shared }
    }

    /// Number of physical cores; `None` if the system did not report every core.
    pub(super) fn cores(&self) -> Option<usize> {
        self.complete.then_some(self.cores.len())
    }

    /// Checks whether one of the cores runs two logical processors.
    pub(super) fn smt(&self) -> Option<bool> {
        (self.complete || self.shared).then_some(self.shared)
    }
}

/// The lowest number in a list such as `0-1,8-9`, and whether there are others; `None` if the processor itself is not
/// in the list.
fn siblings(system: &Sysfs, path: &str, processor: usize) -> Option<(usize, bool)> {
    let text = system.text(path)?;
    let (mut lowest, mut highest, mut listed) = (usize::MAX, 0, false);
    for range in text.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        lowest = lowest.min(first);
        highest = highest.max(last);
        listed |= (first..=last).contains(&processor);
    }
    listed.then_some((lowest, lowest < highest))
}

#[cfg(test)]
mod tests {
    use super::super::system::Tree;
    use super::*;

    fn siblings_of(lists: &[(usize, &str)]) -> Tree {
        let tree = Tree::new();
        for (processor, list) in lists {
            tree.cpu(&format!("cpu{processor}/topology/thread_siblings_list"), list);
        }
        tree
    }

    /// The cores, and the two facts about them in the records of a machine.
    fn read(tree: &Tree, usable: &[usize]) -> (Vec<Vec<usize>>, Option<usize>, Option<bool>) {
        let topology = Topology::read(&tree.system(), usable);
        let (cores, smt) = (topology.cores(), topology.smt());
        (topology.cores, cores, smt)
    }

    #[test]
    fn processors_that_share_cores() {
        let neighbours = siblings_of(&[(0, "0-1\n"), (1, "0-1\n"), (2, "2-3\n"), (3, "2-3\n")]);
        assert_eq!(read(&neighbours, &[0, 1, 2, 3]), (vec![vec![0, 1], vec![2, 3]], Some(2), Some(true)));
        let apart = siblings_of(&[(0, "0,2\n"), (1, "1,3\n"), (2, "0,2\n"), (3, "1,3\n")]);
        assert_eq!(read(&apart, &[3, 2, 1, 0]), (vec![vec![0, 2], vec![1, 3]], Some(2), Some(true)));
    }

    #[test]
    fn processors_that_share_nothing() {
        let tree = siblings_of(&[(0, "0\n"), (1, "1\n"), (10, "10\n"), (2, "2\n")]);
        assert_eq!(read(&tree, &[0, 1, 2, 10]), (vec![vec![0], vec![1], vec![2], vec![10]], Some(4), Some(false)));
    }

    #[test]
    fn holes_in_the_numbers() {
        let tree = siblings_of(&[(2, "2,6\n"), (3, "3,7\n"), (6, "2,6\n"), (7, "3,7\n")]);
        assert_eq!(read(&tree, &[2, 3, 6, 7]), (vec![vec![2, 6], vec![3, 7]], Some(2), Some(true)));
        // A sibling that this process may not use still slows it down.
        assert_eq!(read(&tree, &[6, 7]), (vec![vec![6], vec![7]], Some(2), Some(true)));
    }

    #[test]
    fn cores_are_told_apart_by_package() {
        let tree = Tree::new();
        for (processor, package, core) in [(0, 0, 0), (1, 1, 0), (2, 0, 0), (3, 1, 0)] {
            tree.cpu(&format!("cpu{processor}/topology/physical_package_id"), format!("{package}\n"));
            tree.cpu(&format!("cpu{processor}/topology/core_id"), format!("{core}\n"));
        }
        assert_eq!(read(&tree, &[0, 1, 2, 3]), (vec![vec![0, 2], vec![1, 3]], Some(2), Some(true)));
        tree.cpu("cpu2/topology/core_id", "-1\n");
        assert_eq!(read(&tree, &[0, 1, 2]), (vec![vec![0], vec![1], vec![2]], None, None));
    }

    #[test]
    fn damaged_lists_are_no_lists() {
        for list in ["", "\n", ",", "-", "0-", "1-0", "4-7", "0,x", "0,-1", "99999999999999999999", "\u{0}"] {
            let tree = siblings_of(&[(0, list), (1, "1")]);
            assert_eq!(read(&tree, &[0, 1]), (vec![vec![0], vec![1]], None, None), "{list:?}");
        }
        // The list is not expanded, so its length does not matter.
        let tree = siblings_of(&[(0, "0-18446744073709551615")]);
        assert_eq!(read(&tree, &[0]), (vec![vec![0]], Some(1), Some(true)));
        assert_eq!(read(&Tree::new(), &[]), (vec![], None, None));
    }

    #[test]
    fn groups_of_cores() {
        let cores = [vec![2, 6], vec![3, 7], vec![4], vec![5], vec![8]];
        assert_eq!(slots(&cores, 2, 2), Some(vec![vec![2, 3], vec![4, 5]]));
        assert_eq!(slots(&cores, 5, 1).map(|groups| groups.len()), Some(5));
        assert_eq!(slots(&cores, 1, 5), Some(vec![vec![2, 3, 4, 5, 8]]));
        assert_eq!(slots(&cores, 3, 2), None);
        assert_eq!(slots(&cores, usize::MAX, usize::MAX), None);
        assert_eq!(slots(&cores, 0, 3), Some(vec![]));
        assert_eq!(slots(&cores, 1, 0), Some(vec![vec![2]]));
        assert_eq!(slots(&[vec![], vec![1]], 2, 1), None);
    }

    #[test]
    fn the_default_number_of_jobs_fits_the_machine() {
        assert_eq!(default_jobs(8, 1, None, None), 8);
        assert_eq!(default_jobs(8, 3, None, Some(1)), 2);
        assert_eq!(default_jobs(8, 0, Some(0), None), 8);
        assert_eq!(default_jobs(8, 1, Some(10 << 30), Some(2 << 30)), 4);
        assert_eq!(default_jobs(2, 4, Some(1), Some(u64::MAX)), 1);
        assert_eq!(default_jobs(2, 1, Some(u64::MAX), Some(1)), 2);
        assert_eq!(default_jobs(2, 1, Some(1), Some(0)), 2);
        assert_eq!(default_jobs(0, 1, None, None), 1);
    }

    #[test]
    fn this_process_may_use_something() {
        let cores = cores();
        let all = cores.concat();
        assert!(!all.is_empty() && cores.iter().all(|core| core.is_sorted()));
        assert_eq!(all.len(), usable().len());
        assert!(slots(&cores, cores.len(), 1).is_some());
    }
}
