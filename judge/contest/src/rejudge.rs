//! Refereeing stored answers again, without running their entries.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use judge_core::journal::{Contents, Record, Rejudged, frames_of, stdout_of};
use judge_core::plan::Board;
use judge_core::verdict::Verdict;
use judge_job::{Executor, Interrupted, StopRequest};
use tempfile::TempDir;

use crate::Contest;
use crate::external::Bench;
use crate::outputs::copy_whole;
use crate::schedule::{Refereed, refereed};

/// The beginning of the remarks that a referee makes.
const REFEREE_NOTE: &str = "the referee";

/// An answer that was refereed again.
pub struct Again {
    /// The verdict before.
    pub before: Verdict,
    /// The event for the journal.
    pub rejudged: Rejudged,
    /// The positions that the referee left, if it left some.
    frames: PathBuf,
    /// Where they belong.
    to: PathBuf,
}

impl Again {
    /// True if the verdict or the last position is another one.
    pub fn changes(&self, record: &Record) -> bool {
        self.rejudged.verdict != record.verdict || self.rejudged.final_board != record.final_board
    }
}

/// Answers that were refereed again.
pub struct Results {
    /// One per answer, in the order of the runs.
    pub all: Vec<Again>,
    /// Runs whose answer is missing from the results directory, as indices into the records.
    pub missing: Vec<usize>,
    _folder: TempDir,
}

/// The runs that can be refereed again, as indices into the records: those whose answer a referee ruled on, or failed to.
/// Runs that were ruled by hand keep their verdict.
pub fn answered(contents: &Contents) -> Vec<usize> {
    let records = contents.records.iter().enumerate();
    records.filter(|(_, record)| record.has_answer() && record.ruling.is_none()).map(|(index, _)| index).collect()
}

/// Referees the answers of some runs again, on as many workers as there are slots. Nothing is written to the results
/// directory.
pub fn rejudge(
    contest: &Contest,
    contents: &Contents,
    results: &Path,
    runs: &[usize],
    executor: &dyn Executor,
    slots: &[Vec<usize>],
    interrupt: &dyn StopRequest,
) -> io::Result<Result<Results, Interrupted>> {
    let folder = tempfile::tempdir()?;
    let boards: HashMap<&str, &Board> = contest.plan.boards.iter().map(|board| (&*board.name, board)).collect();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = |processors: &Vec<usize>| {
        let referee = contest.referee_on(Bench { executor, processors: processors.clone(), results: Some(results) });
        while !interrupt.requested() {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            let Some(&index) = runs.get(turn) else { return Ok(()) };
            let record = &contents.records[index];
            let (answer, frames) = (stdout_of(results, record), folder.path().join(index.to_string()));
            let again = match boards.get(&*record.key.board).filter(|_| answer.is_file()) {
                Some(board) => Some(again(record, refereed(&*referee, board, &answer, &frames)?, frames, results)),
                None => None,
            };
            done.lock().expect("no worker panics with the lock").push((turn, index, again));
        }
        Err(Interrupted)
    };
    let ended: Result<(), Interrupted> = std::thread::scope(|scope| {
        let workers: Vec<_> = slots.iter().take(runs.len()).map(|slot| scope.spawn(move || work(slot))).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    });
    if ended.is_err() || interrupt.requested() {
        return Ok(Err(Interrupted));
    }
    let mut done = done.into_inner().expect("no worker panics with the lock");
    done.sort_by_key(|(turn, ..)| *turn);
    let mut found = Results { all: Vec::new(), missing: Vec::new(), _folder: folder };
    for (_, index, again) in done {
        match again {
            Some(again) => found.all.push(again),
            None => found.missing.push(index),
        }
    }
    Ok(Ok(found))
}

fn again(record: &Record, ruled: Refereed, frames: PathBuf, results: &Path) -> Again {
    let Refereed { verdict, final_board, notes: new } = ruled;
    let mut notes: Vec<String> = record.notes.iter().filter(|note| !note.starts_with(REFEREE_NOTE)).cloned().collect();
    notes.extend(new);
    let (key, attempt) = (record.key.clone(), record.attempt);
    let rejudged = Rejudged { key, attempt, verdict, final_board, notes };
    Again { before: record.verdict.clone(), rejudged, frames, to: frames_of(results, record) }
}

/// Puts the positions that the referee left of an answer into the results directory, instead of the old ones.
pub fn keep_frames(again: &Again) -> io::Result<()> {
    if again.frames.is_file() {
        return copy_whole(&again.frames, &again.to, |_| Ok(())).map_err(|(_, error)| error);
    }
    match fs::remove_file(&again.to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
