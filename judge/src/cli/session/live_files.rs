//! The files `results.csv` and `report.html` while a contest runs. They are written again when the journal has grown.
//!
//! A thread of the lowest priority writes them. After that it rests for fifty times as long as it took, at most ten
//! minutes, so that entries keep their processors.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::cli::results_csv::write_results_csv;
use crate::cli::{notice, report};
use judge_core::journal;
use judge_sandbox::host::now_us;

/// The shortest time between two checks of the journal.
const MIN_INTERVAL: Duration = Duration::from_secs(5);
/// The longest time between two checks of the journal.
const MAX_INTERVAL: Duration = Duration::from_secs(600);
/// The rest after writing the files, as a multiple of the time that this took.
const REST_FACTOR: u32 = 50;

/// The files of a running contest. They are updated until this is dropped.
pub(super) struct LiveFiles {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl LiveFiles {
    /// Writes the `results.csv` of this results directory from now on, and its page if `page` is set.
    pub(super) fn begin(results: &Path, page: bool) -> io::Result<Self> {
        Self::every(MIN_INTERVAL, results, page)
    }

    fn every(every: Duration, results: &Path, page: bool) -> io::Result<Self> {
        let (end, ended) = mpsc::channel();
        let results = results.to_owned();
        let thread =
            std::thread::Builder::new().name("files".into()).spawn(move || make(every, &results, page, &ended))?;
        Ok(Self { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for LiveFiles {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was already printed.
            thread.join().ok();
        }
    }
}

fn make(every: Duration, results: &Path, page: bool, ended: &Receiver<()>) {
    rustix::process::setpriority_process(Some(rustix::thread::gettid()), 19).ok();
    let (mut rest, mut shown, mut is_first) = (every, None, true);
    loop {
        let length = length(results);
        // The page is written at once, as a reader may wait for it. A short contest writes results.csv only at its end.
        if length != shown && (page || !is_first) {
            let begun = now_us();
            let table = if is_first { Ok(()) } else { write_results_csv(results).map(drop) };
            let of_page = || report::of_directory(results, Some(rest.as_secs())).map(drop);
            let made = table.and_then(|()| if page { of_page() } else { Ok(()) });
            if let Err(failure) = made {
                // The contest continues, and writes the files again at its end.
                notice(format!("not made while the contest runs: {}", failure.reason()));
                return;
            }
            shown = length;
            let took = Duration::from_micros(now_us().saturating_sub(begun));
            rest = took.saturating_mul(REST_FACTOR).clamp(every, MAX_INTERVAL.max(every));
        }
        is_first = false;
        if ended.recv_timeout(rest) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}

/// The length of the journal, which only grows.
fn length(results: &Path) -> Option<u64> {
    let file: PathBuf = results.join(journal::FILE_NAME);
    file.metadata().ok().map(|metadata| metadata.len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn the_table_is_there_while_the_contest_runs() {
        let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("core/tests/recorded/format-6/out/journal.jsonl");
        let results = tempfile::tempdir().unwrap();
        std::fs::copy(recorded, results.path().join(journal::FILE_NAME)).unwrap();
        let table = results.path().join("results.csv");
        let files = LiveFiles::every(Duration::from_millis(1), results.path(), false).unwrap();
        while !table.exists() {
            std::thread::sleep(Duration::from_millis(1));
        }
        drop(files);
        assert!(std::fs::read_to_string(table).unwrap().lines().count() > 1);
        assert!(!results.path().join("report.html").exists());
    }
}
