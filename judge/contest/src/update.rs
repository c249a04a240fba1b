//! The update of a running contest to its contest file: the changes, the runs to execute, and the runs that would be lost.

use std::collections::{BTreeMap, HashSet};

use judge_core::advance::{self, NextStep};
use judge_core::changes::{Change, ChangeError, DesiredContest, changes};
use judge_core::fingerprint::Hashes;
use judge_core::journal::{Built, ContestState, Record};
use judge_core::key::RunKey;
use judge_core::results::Upcoming;
use judge_core::verdict::Verdict;

use crate::Contest;

/// The present state of a contest that its file does not contain: its programs.
#[derive(Debug, Clone, Default)]
pub struct PresentPrograms<'a> {
    /// The programs; `None` to leave them out of the comparison.
    pub programs: Option<&'a BTreeMap<String, Hashes>>,
    /// The entries that could not be built.
    pub unbuilt: BTreeMap<String, Built>,
    /// True if all answers are refereed again, so that the referee may have changed.
    pub rejudge: bool,
}

/// The changes from the contest of a journal to the present contest file.
///
/// # Errors
/// [`ChangeError`] if the contest cannot be changed to the file.
pub fn changes_to(
    contest: &Contest,
    contents: &ContestState,
    now: &PresentPrograms<'_>,
) -> Result<Vec<Change>, ChangeError> {
    let Contest { plan, withdrawn, struck, .. } = contest;
    let mut desired = DesiredContest::new(plan);
    (desired.withdrawn, desired.struck) = (withdrawn, struck);
    (desired.programs, desired.unbuilt, desired.rejudge) = (now.programs, &now.unbuilt, now.rejudge);
    changes(contents, &desired)
}

/// The entries that have a run to execute, or a failed build that may succeed now. `None` if a later round may need any entry.
/// With `repeat_suspect`, suspect runs count as runs to execute.
pub fn entries_to_run(contents: &ContestState, repeat_suspect: bool) -> Option<HashSet<String>> {
    if !matches!(advance::next(contents), NextStep::Over | NextStep::Nobody) {
        return None;
    }
    let again = |run: &Record| {
        let unbuilt = matches!(run.verdict, Verdict::BuildFailed { .. });
        run.is_judge_error() || unbuilt || repeat_suspect && run.extras.suspect.is_some()
    };
    let runs = contents.select(|record| record.is_none_or(again));
    Some(runs.iter().flat_map(|&index| contents.order()[index].seats()).map(|seat| seat.to_string()).collect())
}

/// The number of good runs, by entry, that an update would replace, for the entries that `of` selects. These are runs that count
/// in `before` and are to be executed in `after`.
pub fn losses<'a>(
    before: &'a ContestState,
    after: &ContestState,
    of: impl Fn(&str) -> bool,
) -> BTreeMap<&'a str, usize> {
    let again: HashSet<&RunKey> = after.missing().into_iter().map(|index| &after.order()[index]).collect();
    let good = |record: &&Record| {
        let failed = matches!(record.verdict, Verdict::CouldNotStart { .. } | Verdict::BuildFailed { .. });
        !failed && !record.is_judge_error() && before.counts(&record.key)
    };
    let mut lost: BTreeMap<&str, usize> = BTreeMap::new();
    for record in before.records.iter().filter(good).filter(|record| again.contains(&record.key)) {
        if let Some(entry) = record.key.seats().find(|entry| of(entry)) {
            *lost.entry(entry).or_default() += 1;
        }
    }
    lost
}

/// The next round and its sealed boards whose files are missing, if it waits for such boards.
pub fn waits_for_boards(contest: &Contest, contents: &ContestState) -> Option<(Upcoming, Vec<String>)> {
    let upcoming = Upcoming::from_contents(contents)?;
    let absent: Vec<String> = upcoming.sealed.iter().filter(|board| !contest.has_board(board)).cloned().collect();
    // A round without an entry never opens.
    let opens = !absent.is_empty() && !upcoming.entrants.as_ref().is_some_and(Vec::is_empty);
    opens.then_some((upcoming, absent))
}
