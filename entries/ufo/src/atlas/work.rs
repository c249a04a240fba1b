//! Work over a range of indices, shared among threads a block at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Indices that a thread takes at a time: large against the price of taking them, small against a group.
const BLOCK: usize = 1 << 13;

/// Calls `work` once for every index below `len`, and gives back what each thread made of its share, in no order.
pub(super) fn in_blocks<T: Send>(
    len: usize,
    threads: usize,
    fresh: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, usize) + Sync,
) -> Vec<T> {
    let taken = AtomicUsize::new(0);
    let share = || {
        let mut own = fresh();
        loop {
            let start = taken.fetch_add(BLOCK, Ordering::Relaxed);
            if start >= len {
                return own;
            }
            for index in start..len.min(start + BLOCK) {
                work(&mut own, index);
            }
        }
    };
    // A small range is done before a second thread has begun.
    if threads <= 1 || len <= BLOCK {
        return vec![share()];
    }
    thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(share)).collect();
        let mut parts = vec![share()];
        parts.extend(
            helpers.into_iter().map(|helper| helper.join().expect("a helper panics only where this thread does")),
        );
        parts
    })
}
