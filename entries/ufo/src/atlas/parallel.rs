//! Parallel work over a range of indices, one block at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Indices per block: many compared with the cost of taking a block, few compared with a group.
const BLOCK: usize = 1 << 13;

/// Calls `work` once per index below `len` and returns the results of the threads, in no particular order.
pub(super) fn in_blocks<T: Send>(
    len: usize,
    threads: usize,
    init: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, usize) + Sync,
) -> Vec<T> {
    let taken = AtomicUsize::new(0);
    let share = || {
        let mut result = init();
        loop {
            let start = taken.fetch_add(BLOCK, Ordering::Relaxed);
            if start >= len {
                return result;
            }
            for index in start..len.min(start + BLOCK) {
                work(&mut result, index);
            }
        }
    };
    // A small range is finished before a second thread has started.
    if threads <= 1 || len <= BLOCK {
        return vec![share()];
    }
    thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(share)).collect();
        let mut parts = vec![share()];
        parts.extend(helpers.into_iter().map(|helper| helper.join().expect("a helper panics only if `work` does")));
        parts
    })
}
