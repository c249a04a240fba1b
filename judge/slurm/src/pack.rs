//! Packing of pending runs into batches.

use std::time::Duration;

/// The most runs of a batch.
const MAX_RUNS: usize = 5000;
/// The longest time of a batch by its limits, unless a single run takes longer.
const MAX_BATCH_TIME: Duration = Duration::from_secs(8 * 3600);

/// Nodes of one kind. All runs of a board go to one group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Name of the kind, for people.
    pub name: String,
    /// Names of its nodes, as the cluster lists them.
    pub nodes: Vec<String>,
    /// Total cores of the nodes that can be used now.
    pub cores: usize,
}

/// A run that is in no batch yet.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    /// Its index in the order.
    pub(super) index: usize,
    /// Number of the attempt that comes next.
    pub(super) attempt: u32,
    /// Batches in a row that left no outcome.
    pub(super) tries: u32,
    /// The longest time it can take.
    pub(super) longest: Duration,
    /// The time it is expected to take.
    pub(super) expected: Duration,
}

/// The parameters that decide how many runs go into a batch.
pub(super) struct Packing {
    /// The least time of a batch.
    pub(super) least: Duration,
    /// Tasks that the group executes at the same time.
    pub(super) slots: usize,
    /// The most batches of one array.
    pub(super) most: usize,
}

/// Takes runs from the front and packs them into batches, each with the longest time that it can take.
///
/// By its limits, a batch takes at least the least time. If runs have so far taken much less than their limits, a batch
/// gets more runs, but only as many as leave work for every slot.
pub(super) fn pack(waiting: &mut Vec<Pending>, packing: &Packing) -> Vec<(Vec<Pending>, Duration)> {
    let share = waiting.len().div_ceil(packing.slots.max(1)).min(MAX_RUNS);
    let mut batches = Vec::new();
    let mut rest = std::mem::take(waiting).into_iter().peekable();
    while batches.len() < packing.most && rest.peek().is_some() {
        let (mut runs, mut longest, mut expected) = (Vec::<Pending>::new(), Duration::ZERO, Duration::ZERO);
        while let Some(next) = rest.peek() {
            let enough = longest >= packing.least && (expected >= packing.least || runs.len() >= share);
            // Runs that failed together are tried together, so that one of them cannot use up the tries of others.
            let other = runs.first().is_some_and(|first| first.tries != next.tries);
            let full = runs.len() >= MAX_RUNS || (!runs.is_empty() && longest + next.longest > MAX_BATCH_TIME);
            if enough || full || other {
                break;
            }
            longest += next.longest;
            expected += next.expected;
            runs.extend(rest.next());
        }
        batches.push((runs, longest));
    }
    *waiting = rest.collect();
    batches
}

/// Distributes boards over groups: each board gets the group that then has the least work per core.
pub(super) fn distribute(runs_of_boards: &[usize], fixed: &[Option<usize>], cores: &[usize]) -> Vec<usize> {
    let mut given = vec![0usize; cores.len()];
    for (runs, group) in runs_of_boards.iter().zip(fixed) {
        if let Some(group) = group {
            given[*group] += runs;
        }
    }
    let group_of = |(runs, fixed): (&usize, &Option<usize>)| {
        if let Some(group) = fixed {
            return *group;
        }
        // The load after this board, compared without division.
        let load = |group: usize, other: usize| (given[group] + runs) * cores[other].max(1);
        let usable = (0..cores.len()).filter(|&group| cores[group] > 0 || cores.iter().all(|&cores| cores == 0));
        let group = usable.min_by(|&a, &b| load(a, b).cmp(&load(b, a))).unwrap_or(0);
        given[group] += runs;
        group
    };
    runs_of_boards.iter().zip(fixed).map(group_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(number: usize, limit: u64, expected_ms: u64) -> Vec<Pending> {
        let one = |index| Pending {
            index,
            attempt: 1,
            tries: 0,
            longest: Duration::from_secs(limit),
            expected: Duration::from_millis(expected_ms),
        };
        (0..number).map(one).collect()
    }

    fn sizes(waiting: &mut Vec<Pending>, slots: usize, most: usize) -> Vec<usize> {
        let packing = Packing { least: Duration::from_secs(60), slots, most };
        pack(waiting, &packing).iter().map(|(runs, _)| runs.len()).collect()
    }

    #[test]
    fn a_batch_grows_if_its_runs_are_quick() {
        assert_eq!(sizes(&mut pending(130, 1, 1000), 6, 99), [60, 60, 10]);
        assert_eq!(sizes(&mut pending(3, 600, 600_000), 6, 99), [1, 1, 1]);
        assert_eq!(sizes(&mut pending(3000, 1, 5), 6, 99), [500; 6], "quick ones: a share for every slot");
        assert_eq!(sizes(&mut pending(100, 3600, 5), 1, 99), [8; 12].into_iter().chain([4]).collect::<Vec<_>>());
        let mut waiting = pending(300, 1, 1000);
        assert_eq!(sizes(&mut waiting, 6, 2), [60, 60]);
        assert_eq!(waiting.first().map(|run| run.index), Some(120), "the rest waits in its order");
        assert_eq!(sizes(&mut Vec::new(), 6, 2), [0; 0]);
        assert_eq!(sizes(&mut pending(MAX_RUNS + 1, 0, 0), 6, 9), [MAX_RUNS, 1]);
    }

    #[test]
    fn runs_that_failed_are_not_mixed_with_others() {
        let mut waiting = pending(4, 1, 1000);
        waiting[0].tries = 1;
        waiting[1].tries = 1;
        assert_eq!(sizes(&mut waiting, 6, 9), [2, 2]);
    }

    #[test]
    fn boards_go_to_groups_by_their_cores() {
        assert_eq!(distribute(&[10; 6], &[None; 6], &[4, 2]), [0, 0, 1, 0, 0, 1]);
        let fixed = [Some(1), None, None];
        assert_eq!(distribute(&[10; 3], &fixed, &[1, 1]), [1, 0, 0]);
        assert_eq!(distribute(&[10; 2], &[None; 2], &[3]), [0, 0]);
    }
}
