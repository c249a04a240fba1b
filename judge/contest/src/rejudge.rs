//! Refereeing stored answers again, without running their entries.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use judge_core::external::{Frame, MAX_STORED_FRAMES_BYTES};
use judge_core::fingerprint::Fingerprint;
use judge_core::journal::{
    Answer, Build, ContestState, Output, Part, Record, RefereeEvent, Rejudged, Rejudgement, frames_of,
};
use judge_core::key::Name;
use judge_core::plan::{Board, Problem};
use judge_core::referee::Ruling;
use judge_core::results::Results as Table;
use judge_core::score::Row;
use judge_core::verdict::Verdict;
use judge_files::Folder;
use judge_files::regular;
use judge_job::{Executor, Interrupted, StopRequest};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::Contest;
use crate::external::RefereeContext;
use crate::outputs::copy_whole;
use crate::schedule::refereed;

/// The beginning of a referee's remarks.
const REFEREE_NOTE: &str = "the referee";

/// An answer that was refereed again.
pub struct RejudgedRun {
    /// Its run, as an index into the order.
    pub index: usize,
    /// The new ruling, for the journal.
    pub rejudged: Rejudged,
    /// The positions that the referee left, if any.
    frames: PathBuf,
    /// The file that these positions replace, once the ruling is recorded.
    to: PathBuf,
}

impl RejudgedRun {
    /// True if the verdict or the last position has changed, or the positions that the referee left, if these are recorded.
    pub fn changes(&self, record: &Record) -> bool {
        let frames = |output: &Option<Box<Output>>| output.as_deref().map(|output| Part::Frames.recorded(output));
        let before = frames(&record.output);
        self.rejudged.verdict != record.verdict
            || self.rejudged.final_board != record.final_board
            || before.is_some() && before != frames(&self.rejudged.output)
    }

    /// True if the referee failed on it, so that its run keeps the previous ruling.
    pub fn failed(&self) -> bool {
        matches!(self.rejudged.verdict, Verdict::JudgeError { .. })
    }
}

/// Answers that were refereed again.
pub struct Results {
    /// One per answer, in the order of the runs.
    pub all: Vec<RejudgedRun>,
    /// Runs whose answer is missing from the results directory, as indices into the order.
    pub missing: Vec<usize>,
    /// Runs whose stored answer differs from the recorded one, or cannot be read, with the reason as a fragment.
    pub changed: Vec<(usize, String)>,
    _folder: TempDir,
}

impl Results {
    /// True if every answer has a new ruling: the referee failed on none, and none is missing.
    pub fn whole(&self) -> bool {
        self.missing.is_empty() && self.changed.is_empty() && !self.all.iter().any(RejudgedRun::failed)
    }

    /// The events that record the new rulings, one per problem with a change. Answers on which a referee failed are left out.
    /// `referees` are the new referees of problems whose referee changed.
    pub fn events(&self, contents: &ContestState, referees: Vec<RefereeEvent>) -> Vec<Rejudgement> {
        let mut new: HashMap<String, RefereeEvent> =
            referees.into_iter().map(|referee| (referee.problem.clone(), referee)).collect();
        let of = |problem: &Problem| self.event(contents, &problem.id, new.remove(&problem.id));
        contents.plan.problems.iter().filter_map(of).collect()
    }

    fn event(&self, contents: &ContestState, problem: &str, referee: Option<RefereeEvent>) -> Option<Rejudgement> {
        let mut event = Rejudgement::default();
        problem.clone_into(&mut event.problem);
        event.by = present_hash(contents, problem, referee.as_ref());
        event.referee = referee.map(Box::new);
        let of_it = self.all.iter().filter(|again| again.rejudged.key.problem() == problem);
        for again in of_it.filter(|again| !again.failed()) {
            let record = record_of(contents, again.index);
            if again.changes(record) {
                event.changed.push(again.rejudged.clone());
            } else if record.referee != event.by {
                event.confirmed.push(Answer { key: record.key.clone(), attempt: record.attempt });
            }
        }
        let something = event.referee.is_some() || !event.changed.is_empty() || !event.confirmed.is_empty();
        something.then_some(event)
    }

    /// Moves the positions that the referee left into the results directory, after the event is recorded.
    ///
    /// # Errors
    /// The system's error for the first file that cannot be written.
    pub fn keep_frames(&self, results: &Path) -> io::Result<()> {
        self.all.iter().filter(|again| !again.failed()).try_for_each(|again| keep_frames(again, results))
    }
}

/// A contest after a correction of its file, with referees that can be started.
pub struct CorrectedContest {
    /// The contest, with the plan of its journal except the referees.
    pub contest: Contest,
    /// The definitions of the referees that differ from the journal in themselves or in their programs.
    pub referees: Vec<RefereeEvent>,
    /// The builds that were executed for them.
    pub builds: Vec<Build>,
}

/// A row of the standings that new rulings change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedRow {
    /// Name of the entry in this row.
    pub entry: String,
    /// Its place and total before, as text; empty if it had no row.
    pub before: String,
    /// Its place and total after.
    pub now: String,
}

/// The rows that differ between the standings of a contest before and after new rulings, in their new order.
pub fn changed_rows(before: &ContestState, after: &ContestState) -> Vec<ChangedRow> {
    let [before, after] = [before, after].map(Table::from_journal);
    let place = |row: &Row| row.place.map_or("no place".into(), |place| format!("place {place}"));
    let text = |row: &Row| format!("{}, total {}", place(row), row.total_text(&row.total));
    let known = |entry: &str| before.rows.iter().find(|row| row.entry.name == entry).map_or(String::new(), text);
    let rows = after.rows.iter().map(|row| {
        let entry = row.entry.name.clone();
        ChangedRow { before: known(&entry), now: text(row), entry }
    });
    rows.filter(|row| row.before != row.now).collect()
}

/// The hash of the present referee of a problem, if it is a program: the given referee, or the contest's.
pub fn present_hash(contents: &ContestState, problem: &str, referee: Option<&RefereeEvent>) -> Option<Name> {
    match referee {
        Some(event) => Some(Name::from(event.referee.hash(&event.programs))),
        None => contents.referees.get(problem).cloned(),
    }
}

/// The record of a run that can be refereed again, by its index in the order of runs.
///
/// # Panics
/// If the run has no record.
pub fn record_of(contents: &ContestState, run: usize) -> &Record {
    contents.records.by_run(run).expect("a run with an answer has a record")
}

/// The runs that can be refereed again, as indices into the order: runs with an answer that a referee ruled or failed on. Runs
/// that were ruled by hand keep their verdict.
pub fn answered(contents: &ContestState) -> Vec<usize> {
    let records = contents.records.indexed();
    records
        .filter(|(_, record)| record.has_answer() && record.extras.ruling.is_none())
        .map(|(index, _)| index)
        .collect()
}

/// Referees the answers of some runs again, on as many workers as there are slots. Nothing is written to the results
/// directory.
///
/// # Errors
/// The system's error if temporary files cannot be created.
///
/// # Panics
/// If one of the runs has no record.
pub fn rejudge(
    contest: &Contest,
    contents: &ContestState,
    results: &Path,
    runs: &[usize],
    executor: &dyn Executor,
    slots: &[Vec<usize>],
    interrupt: &dyn StopRequest,
) -> io::Result<Result<Results, Interrupted>> {
    let folder = tempfile::tempdir_in(executor.large_folder())?;
    let boards: HashMap<&str, &Board> = contest.plan.boards.iter().map(|board| (&*board.name, board)).collect();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = |processors: &Vec<usize>| {
        let referee =
            contest.referee_on(RefereeContext { executor, processors: processors.clone(), results: Some(results) });
        while !interrupt.requested() {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            let Some(&index) = runs.get(turn) else { return Ok(()) };
            let record = record_of(contents, index);
            let [answer, frames] = ["answer", "frames"].map(|kind| folder.path().join(format!("{index}.{kind}")));
            let again = match (boards.get(&*record.key.board), answer_of(results, record, &answer)) {
                (Some(board), Ok(stdout)) => {
                    let ruled = refereed(&referee, board, &answer, &frames)?;
                    fs::remove_file(&answer).ok();
                    again((index, record), ruled, stdout, frames, results)
                }
                (None, _) => Err(io::ErrorKind::NotFound.into()),
                (_, Err(error)) => Err(error),
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
    let mut found = Results { all: Vec::new(), missing: Vec::new(), changed: Vec::new(), _folder: folder };
    for (_, index, again) in done {
        match again {
            Ok(again) => found.all.push(again),
            Err(error) if error.kind() == io::ErrorKind::NotFound => found.missing.push(index),
            Err(error) => found.changed.push((index, error.to_string())),
        }
    }
    Ok(Ok(found))
}

/// Copies the stored answer of a run to a private place, and returns its fingerprint. Refuses an answer that differs from the
/// recorded one.
fn answer_of(results: &Path, record: &Record, to: &Path) -> io::Result<Fingerprint> {
    let file = Part::Stdout.open(results, record)?;
    let copied = Fingerprint::copied(file, File::create_new(to)?)?;
    let recorded = record.output.as_ref().map(|output| output.stdout);
    match recorded.and_then(|recorded| recorded.difference(&copied)) {
        Some(difference) => Err(io::Error::new(io::ErrorKind::InvalidData, difference)),
        None => Ok(copied),
    }
}

fn again(
    (index, record): (usize, &Record),
    ruled: Ruling,
    stdout: Fingerprint,
    frames: PathBuf,
    results: &Path,
) -> io::Result<RejudgedRun> {
    let final_board = ruled.final_board();
    let mut notes: Vec<String> =
        record.extras.notes.iter().filter(|note| !note.starts_with(REFEREE_NOTE)).cloned().collect();
    notes.extend(ruled.notes);
    let (key, attempt) = (record.key.clone(), record.attempt);
    keep_stored_form(results, record, &frames)?;
    let left = if frames.is_file() { Some(Box::new(Fingerprint::from_reader(File::open(&frames)?)?)) } else { None };
    let stderr = record.output.as_ref().and_then(|output| output.stderr.clone());
    // A talk is not refereed again.
    let output = Some(Box::new(Output { stdout, stderr, frames: left, transcript: None }));
    let mut rejudged = Rejudged::new(key, attempt, ruled.verdict);
    (rejudged.final_board, rejudged.notes, rejudged.output) = (final_board, notes, output);
    Ok(RejudgedRun { index, rejudged, frames, to: frames_of(results, record) })
}

/// Replaces new positions by the recorded ones if both are the same but an earlier version of the judge wrote them in another
/// form.
fn keep_stored_form(results: &Path, record: &Record, frames: &Path) -> io::Result<()> {
    let read = |file: File| regular::read_file(file, MAX_STORED_FRAMES_BYTES);
    let recorded = record.output.is_some().then(|| Part::Frames.open(results, record).and_then(read));
    if let (Some(Ok(recorded)), true) = (recorded, frames.is_file()) {
        let new = regular::read(frames, MAX_STORED_FRAMES_BYTES)?;
        let same = recorded != new && Frame::read(&recorded).is_some_and(|old| Some(old) == Frame::read(&new));
        if same {
            fs::write(frames, recorded)?;
        }
    }
    Ok(())
}

/// Replaces the old positions of an answer in the results directory by the new positions that the referee left.
fn keep_frames(again: &RejudgedRun, results: &Path) -> io::Result<()> {
    if again.frames.is_file() {
        let [kept, new] = [&again.to, &again.frames].map(|file| regular::read(file, MAX_STORED_FRAMES_BYTES));
        if kept.ok().zip(new.ok()).is_some_and(|(kept, new)| kept == new) {
            return Ok(());
        }
        let kept = copy_whole(&again.frames, results, &again.to, |_| Ok(()));
        return kept.map(drop).map_err(|(_, error)| error);
    }
    let inside = again.to.strip_prefix(results).unwrap_or(&again.to);
    match Folder::open(results)?.remove_file(inside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
