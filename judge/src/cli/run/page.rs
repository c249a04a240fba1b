//! The page of a running contest: written again from the journal whenever that has grown.
//!
//! A thread of the lowest priority writes it. After a page, it rests for fifty times as long as the page took. So even for
//! a large contest, it takes at most a fiftieth of a processor, and no processor time from entries.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::cli::{report, say};
use judge_core::journal;
use judge_host::now_us;

/// The shortest time between two pages.
const EVERY: Duration = Duration::from_secs(5);
/// The longest time between two checks of the journal.
const LONGEST: Duration = Duration::from_secs(600);
/// The time of rest after a page, as a multiple of the time that the page took.
const REST: u32 = 50;

/// The page of a running contest. After this is dropped, no more pages are written.
pub(super) struct LivePage {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl LivePage {
    /// Writes the page of this results directory from now on.
    pub(super) fn begin(results: &Path) -> io::Result<Self> {
        let (end, ended) = mpsc::channel();
        let results = results.to_owned();
        let thread = std::thread::Builder::new().name("page".into()).spawn(move || make(&results, &ended))?;
        Ok(Self { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for LivePage {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // A panic of it was printed when it happened.
            thread.join().ok();
        }
    }
}

fn make(results: &Path, ended: &Receiver<()>) {
    rustix::process::setpriority_process(Some(rustix::thread::gettid()), 19).ok();
    let (mut rest, mut shown) = (EVERY, None);
    loop {
        let length = length(results);
        if length != shown {
            let begun = now_us();
            if let Err(failure) = report::of_directory(results, Some(rest.as_secs())) {
                // The contest continues, and its end makes the page once more.
                say(&format!("notice: no page while the contest runs: {}", failure.message.unwrap_or_default()));
                return;
            }
            shown = length;
            let took = Duration::from_micros(now_us().saturating_sub(begun));
            rest = took.saturating_mul(REST).clamp(EVERY, LONGEST);
        }
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
