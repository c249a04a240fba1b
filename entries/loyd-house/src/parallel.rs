//! Spreads work over several threads.

use std::sync::Mutex;
use std::thread;

/// Runs each piece of work on its own thread, the last on the caller's; returns the results in order.
pub(crate) fn each<T: Send, R: Send>(mut pieces: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let Some(last) = pieces.pop() else { return Vec::new() };
    let work = &work;
    thread::scope(|scope| {
        let workers: Vec<_> = pieces.into_iter().map(|piece| scope.spawn(move || work(piece))).collect();
        let last = work(last);
        let done = workers.into_iter().map(|worker| worker.join().expect("the work does not panic"));
        done.chain([last]).collect()
    })
}

/// Runs all pieces of work on this many threads, each of which takes the next piece when it is done; returns the
/// results in order.
pub(crate) fn queue<T, R: Send>(
    pieces: impl Iterator<Item = T> + Send,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let pieces = Mutex::new(pieces.enumerate());
    let take = || pieces.lock().expect("no thread panics with the queue").next();
    let share =
        |()| -> Vec<(usize, R)> { std::iter::from_fn(take).map(|(number, piece)| (number, work(piece))).collect() };
    let mut done: Vec<(usize, R)> = each(vec![(); threads], share).into_iter().flatten().collect();
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        for threads in 1..4 {
            let squares = queue(0..100_u32, threads, |piece| piece * piece);
            assert!(squares.into_iter().eq((0..100).map(|piece| piece * piece)), "{threads}");
        }
    }

    #[test]
    fn the_last_piece_runs_on_the_callers_thread() {
        let threads = each(vec![0, 1, 2], |piece| (piece, thread::current().id()));
        assert!(threads.iter().map(|(piece, _)| *piece).eq(0..3));
        assert_eq!(threads[2].1, thread::current().id());
        assert_ne!(threads[0].1, threads[1].1);
    }
}
