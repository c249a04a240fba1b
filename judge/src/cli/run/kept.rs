//! The programs of the runs of a contest that goes on: each is recorded and kept before its first run.

use std::collections::BTreeMap;
use std::path::Path;

use super::session::kept;
use judge_contest::Contest;
use judge_contest::programs::keep_one;
use judge_core::fingerprint::Hashes;
use judge_core::journal::{Contents, FORMAT, Line, ProgramEvent, REFEREE_PROGRAM};
use judge_core::plan::is_recorded;

/// The events for the programs that are about to run, and for a referee that is about to rule, if the journal does
/// not have them as they are now, or has no file of them: a contest was resumed with another program, or a judge of an
/// older format began it. Their files are in the results directory then. A program that cannot be kept is recorded by its
/// hashes.
pub(super) fn program_lines(
    contest: &Contest,
    contents: &Contents,
    programs: &BTreeMap<String, Hashes>,
    has_runs: impl Fn(&str) -> bool,
    results: &Path,
) -> Vec<Line> {
    let any = contest.plan.entries.iter().any(|entry| has_runs(&entry.name));
    let used = |name: &str| has_runs(name) || name == REFEREE_PROGRAM && any;
    let mut lines = Vec::new();
    for (name, now) in programs.iter().filter(|(name, now)| used(name) && !now.is_empty()) {
        let last = contents.versions.get(name).and_then(|versions| versions.last());
        // What is kept was recorded in this format, with all its files.
        let format = match last {
            Some(last) if last.kept.is_empty() => contents.header.format,
            _ => FORMAT,
        };
        let same = last.is_some_and(|last| is_recorded(format, &last.programs, now));
        let kept = match (same, last) {
            (true, Some(last)) if !last.kept.is_empty() => continue,
            // Why it is not kept was said when it was recorded, unless that judge kept nothing.
            (true, _) if contents.header.format == FORMAT => keep_one(contest, now, results).kept,
            _ => {
                let one = BTreeMap::from([(name.clone(), now.clone())]);
                kept(contest, &one, results).remove(name).unwrap_or_default()
            }
        };
        if same && kept.is_empty() {
            continue;
        }
        lines.push(Line::Program(Box::new(ProgramEvent { entry: name.clone(), programs: now.clone(), kept })));
    }
    lines
}
