//! Failures and notes of results, as lines.

use std::io::{self, Write};
use std::path::Path;

use super::View;
use crate::hint::argument;
use crate::layout::folded;
use judge_core::code::Code;
use judge_core::journal::stderr_file;
use judge_core::key::RunKey;
use judge_core::legend;
use judge_core::results::{Failures, Fault, Remark, Results, run_name};
use judge_core::text::printable;
use judge_files::regular;

/// The most failures and notes in each list.
const MAX: usize = 40;
/// The most notes on repeated runs, and on suspect runs.
const MAX_ALIKE: usize = 3;
/// The most boards that a line names.
const MAX_NAMED: usize = 3;
/// The most characters of the last line of a standard error.
const MAX_LINE: usize = 120;

/// Writes the failures, and then the notes. Each list is followed by an empty line.
pub(super) fn write(results: &Results, view: View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (judge_errors, failures): (Vec<_>, Vec<_>) = results.faults.iter().partition(|fault| fault.by_judge());
    let (unbuilt, failures): (Vec<_>, Vec<_>) =
        failures.into_iter().partition(|fault| fault.code == Some(Code::BuildFailed));
    list("not built, so not run:", &builds(&unbuilt), view, out)?;
    let lines = |faults: Vec<&'_ Fault>| -> Vec<String> {
        Failures::from_faults(faults).iter().map(|group| line(group, results, view.results)).collect()
    };
    list("not solved:", &lines(failures), view, out)?;
    let mut errors = lines(judge_errors);
    if legend::referee_failed(results) {
        let directory = argument(view.results);
        if results.faults.iter().any(|fault| fault.can_be_rejudged) {
            let again = "to referee these answers again after correcting the referee";
            errors.push(format!("{again}: `judge rejudge {directory}`"));
        }
        errors.push(format!("to set a verdict by hand: `judge rule {directory} ENTRY BOARD VERDICT --because REASON`"));
    }
    let repeats = format!("judge errors, not scored; `judge resume {}` repeats them:", argument(view.results));
    list(&repeats, &errors, view, out)?;
    list("notes:", &notes(&results.remarks), view, out)
}

/// The failed builds, each with all its entries.
fn builds(unbuilt: &[&Fault]) -> Vec<String> {
    let mut builds: Vec<(&str, Vec<&str>)> = Vec::new();
    for fault in unbuilt {
        match builds.iter_mut().find(|(reason, _)| *reason == fault.reason) {
            Some((_, entries)) if entries.last() == Some(&&*fault.entry) => {}
            Some((_, entries)) => entries.push(&fault.entry),
            None => builds.push((&fault.reason, vec![&fault.entry])),
        }
    }
    builds
        .iter()
        .map(|(reason, entries)| format!("{}: {}", printable(&entries.join(", ")), printable(reason)))
        .collect()
}

/// Lists the runs that did not solve their board, grouped by kind.
pub fn lines(results: &Results, directory: &Path) -> Vec<String> {
    Failures::from_faults(&results.faults).iter().map(|group| line(group, results, Some(directory))).collect()
}

fn list(title: &str, lines: &[String], view: View<'_>, out: &mut dyn Write) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "{title}")?;
    for line in lines.iter().take(MAX) {
        writeln!(out, "{}", folded(&format!("  {line}"), view.width))?;
    }
    if lines.len() > MAX {
        writeln!(out, "  and {} more, see --format json or results.csv", lines.len() - MAX)?;
    }
    writeln!(out)
}

/// One line for an entry's failures of one kind.
fn line(group: &Failures<'_>, results: &Results, directory: Option<&Path>) -> String {
    let first = group.first;
    let mut line = if group.runs == 1 {
        let run = run_name(&first.entry, &first.board, first.repeat);
        let position = first.final_board.as_ref().map(|position| format!("; the board then: {}", printable(position)));
        format!("{run}: {}{}", printable(&first.reason), position.unwrap_or_default())
    } else {
        let boards = match &group.boards[..] {
            boards if boards.len() <= MAX_NAMED => printable(&boards.join(", ")),
            boards => format!("{} boards, first {}", boards.len(), printable(boards[0])),
        };
        let runs = if group.runs > group.boards.len() { format!(" in {} runs", group.runs) } else { String::new() };
        let one = match group.reason {
            Some(_) => String::new(),
            None => format!("; on {}: {}", printable(&first.board), printable(&first.reason)),
        };
        format!("{}: {} on {boards}{runs}{one}", printable(&first.entry), printable(group.kind()))
    };
    let message = directory
        .filter(|_| first.code == Some(Code::Crashed))
        .and_then(|results_in| last_line(first, results, results_in));
    if let Some(message) = message {
        line += &format!(", its last line: {message}");
    }
    line
}

/// The last line that a run wrote on standard error.
fn last_line(fault: &Fault, results: &Results, directory: &Path) -> Option<String> {
    let round = results.boards.iter().find(|board| *board.name == *fault.board)?.round;
    let run =
        |remark: &&Remark| (&remark.entry, &remark.board, remark.repeat) == (&fault.entry, &fault.board, fault.repeat);
    let attempt = results.remarks.iter().find(run)?.attempt;
    let key = RunKey { repeat: fault.repeat, ..RunKey::new(round, &*fault.entry, &*fault.board) };
    let file = regular::open_beneath(directory, &stderr_file(directory, &key, attempt)).ok()?;
    let line = regular::last_line_of(file)?;
    Some(crate::layout::shortened(&printable(&line), MAX_LINE))
}

/// The notes on runs, grouped by kind. Of repeated and of suspect runs, only the first are listed.
fn notes(remarks: &[Remark]) -> Vec<String> {
    let of = |text: &dyn Fn(&Remark) -> Vec<String>| -> Vec<String> {
        let notes = remarks.iter().flat_map(|remark| text(remark).into_iter().map(move |note| (remark, note)));
        let line = |(remark, note): (&Remark, String)| {
            let run = run_name(&remark.entry, &remark.board, remark.repeat);
            format!("{run}: {}", printable(&note))
        };
        notes.map(line).collect()
    };
    let again = of(&|remark| remark.again().into_iter().collect());
    let ruled = of(&|remark| remark.ruled().into_iter().collect());
    let suspect = of(&|remark| remark.extras.suspect.iter().map(|why| format!("suspect, {why}")).collect());
    let others = of(&|remark| remark.extras.notes.clone());
    let (again, suspect) = (first_of(again, ["run was repeated", "runs were repeated"]), first_of(suspect, SUSPECT));
    again.into_iter().chain(ruled).chain(suspect).chain(others).collect()
}

/// The words that count further notes on suspect runs: for one, and for several.
pub(super) const SUSPECT: [&str; 2] = ["run is suspect", "runs are suspect"];

/// The first of several similar notes, and the number of further ones; `what` has the words for one and for several.
pub(super) fn first_of(mut notes: Vec<String>, what: [&str; 2]) -> Vec<String> {
    let more = notes.len().saturating_sub(MAX_ALIKE);
    notes.truncate(MAX_ALIKE);
    let what = what[usize::from(more > 1)];
    notes.extend((more > 0).then(|| format!("and {more} more {what}, see --format json or results.csv")));
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_that_are_alike_are_counted_after_the_first() {
        let remark = |board: usize, attempt: u32, suspect: bool| {
            let mut remark = Remark::new("ant", format!("B{board}"), 1, attempt);
            remark.extras.suspect = suspect.then(|| "other processes used 9 % of its processors' time".into());
            remark.earlier = Some(attempt - 1);
            remark.extras.ruling = (board == 1).then(|| "a typo".into());
            remark.extras.notes = if board == 2 { vec!["left 1 process running".into()] } else { Vec::new() };
            remark
        };
        let few: Vec<Remark> = (1..=2).map(|board| remark(board, 1, true)).collect();
        let suspect =
            |board: usize| format!("ant on B{board}: suspect, other processes used 9 % of its processors' time");
        let others = ["ant on B1: ruled by hand, a typo".to_owned(), "ant on B2: left 1 process running".into()];
        let expected = [others[0].clone(), suspect(1), suspect(2), others[1].clone()];
        assert_eq!(notes(&few), expected);
        let many: Vec<Remark> = (1..=40).map(|board| remark(board, 2, true)).collect();
        let more = |what: &str| format!("and 37 more {what}, see --format json or results.csv");
        let lines = notes(&many);
        assert_eq!(lines.len(), 4 + 1 + 4 + 1);
        assert_eq!((&lines[3], &lines[8]), (&more("runs were repeated"), &more("runs are suspect")));
        let lines = notes(&(1..=4).map(|board| remark(board, 2, true)).collect::<Vec<_>>());
        assert_eq!(lines[3], "and 1 more run was repeated, see --format json or results.csv");
        assert_eq!(lines[8], "and 1 more run is suspect, see --format json or results.csv");
    }
}
