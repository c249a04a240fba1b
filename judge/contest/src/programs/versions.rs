//! The programs of a resumed contest. Before the first run, each is recorded and its files are kept.

use std::collections::BTreeMap;
use std::path::Path;

use judge_core::changes::Change;
use judge_core::fingerprint::{Hashes, KeptFiles};
use judge_core::journal::{ContestState, Line, ProgramEvent, RefereeEvent, Rejudgement};
use judge_core::plan::{Problem, referee_in_words, same_programs};

use super::{keep, keep_one};
use crate::Contest;

/// A program whose files are not in the results directory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotKept {
    /// Name of the entry, or of the [program of a referee](judge_core::plan::Problem::referee_program).
    pub program: String,
    /// The reason, as a fragment.
    pub reason: String,
}

/// Copies the files of all programs into a results directory, like [`keep`]. Returns the kept files of each program, and the
/// programs that are not kept.
pub(crate) fn keep_all(
    contest: &Contest,
    programs: &BTreeMap<String, Hashes>,
    results: &Path,
) -> (BTreeMap<String, KeptFiles>, Vec<NotKept>) {
    let (mut kept, mut refused) = (BTreeMap::new(), Vec::new());
    for (program, stored) in keep(contest, programs, results) {
        refused.extend(stored.refused.map(|reason| NotKept { program: program.clone(), reason }));
        if !stored.kept.is_empty() {
            kept.insert(program, stored.kept);
        }
    }
    (kept, refused)
}

/// Keeps the files of the programs that these changes add, and returns the programs that are not kept.
pub fn keep_changed(contest: &Contest, changes: &mut [Change], results: &Path) -> Vec<NotKept> {
    let mut refused = Vec::new();
    for change in changes {
        if let Line::Entry(event) = &mut change.line
            && !event.keeps_runs
        {
            let programs = BTreeMap::from([(event.entry.name.clone(), event.programs.clone())]);
            let (mut kept, not_kept) = keep_all(contest, &programs, results);
            event.kept = kept.remove(&event.entry.name).unwrap_or_default();
            refused.extend(not_kept);
        }
    }
    refused
}

/// The events for programs that are about to be executed, including referees, if the journal lacks their present versions or
/// their files. This happens if a contest is resumed with another program, or kept none before. Their files are copied to the
/// results directory. A program that cannot be kept is recorded by its hashes, and returned.
pub(crate) fn unrecorded(
    contest: &Contest,
    contents: &ContestState,
    programs: &BTreeMap<String, Hashes>,
    has_runs: impl Fn(&str) -> bool,
    results: &Path,
) -> (Vec<Line>, Vec<NotKept>) {
    let any = contest.plan.entries.iter().any(|entry| has_runs(&entry.name));
    let used = |name: &str| has_runs(name) || referee_in_words(name).is_some() && any;
    let (mut lines, mut refused) = (Vec::new(), Vec::new());
    for (name, now) in programs.iter().filter(|(name, now)| used(name) && !now.is_empty()) {
        let last = contents.versions.get(name).and_then(|versions| versions.last());
        let same = last.is_some_and(|last| same_programs(&last.programs, now));
        if same && last.is_some_and(|last| !last.kept.is_empty()) {
            continue;
        }
        let stored = keep_one(contest, now, results);
        // The reason was reported when the program was recorded.
        if !same {
            refused.extend(stored.refused.map(|reason| NotKept { program: name.clone(), reason }));
        }
        if !same || !stored.kept.is_empty() {
            let event = ProgramEvent { entry: name.clone(), programs: now.clone(), kept: stored.kept };
            lines.push(Line::Program(Box::new(event)));
        }
    }
    (lines, refused)
}

/// The present referees of a contest, without built-in ones and those that the journal has. `programs` are the hashes of the
/// contest's present programs.
pub fn present_referees(
    contest: &Contest,
    contents: &ContestState,
    programs: &BTreeMap<String, Hashes>,
) -> Vec<RefereeEvent> {
    let present = |problem: &Problem| {
        let before = contents.plan.problems.with_id(&problem.id)?.referee.as_deref()?;
        let (now, program) = (problem.referee.as_deref()?, &*problem.referee_program());
        let programs = programs.get(program).cloned().unwrap_or_default();
        let known = contents.programs.get(program).filter(|known| same_programs(known, &programs));
        if before == now && known.is_some() {
            return None;
        }
        // The same files under the names in the journal are the same referee.
        let programs = known.map_or(programs, |known| Hashes::clone(known));
        Some(RefereeEvent::new(&*problem.id, now.clone(), programs))
    };
    contest.plan.problems.iter().filter_map(present).collect()
}

/// Keeps the files of the referee that this event adds, if it adds one.
pub fn keep_referee(contest: &Contest, event: &mut Rejudgement, results: &Path) {
    if let Some(referee) = &mut event.referee {
        referee.kept = keep_one(contest, &referee.programs, results).kept;
    }
}
