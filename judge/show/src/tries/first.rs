//! The first board on which a solver failed, in full: its input, the expected output, the actual output, and its exchange
//! with the referee.

use std::io::{self, Read as _, Write};
use std::path::Path;

use judge_contest::external::FILES;
use judge_core::external::{MAX_TRANSCRIPT_BYTES, dialogue};
use judge_core::journal::{ContestState, Part, Record};
use judge_core::plan::{self, Board, StoredFile};
use judge_core::text::{counted, printable, printable_lines};
use judge_files::regular;

/// Bytes and lines of a text that are shown.
const MAX_BYTES: u64 = 2_000;
const MAX_LINES: usize = 20;
/// Lines of a talk that are shown at its beginning, and at its end.
const MAX_TALK: usize = 60;

/// Writes the first unsuccessful run of a contest whose referee is a program; nothing if there is none.
///
/// # Errors
/// Those of `out`.
pub fn first_failure(contents: &ContestState, results: &Path, out: &mut dyn Write) -> io::Result<()> {
    let records = (0..contents.order().len()).filter_map(|run| contents.records.by_run(run));
    let by_program = |run: &&Record| contents.plan.problem_of(&run.key.board).referee.is_some();
    let Some(record) = records.filter(by_program).find(|run| !run.verdict.is_success()) else {
        return Ok(());
    };
    let board = contents.plan.boards.iter().find(|board| *board.name == *record.key.board);
    writeln!(out, "first failure, on {}: {}", record.key.board, printable(&record.verdict.summary()))?;
    record.extras.notes.iter().try_for_each(|note| writeln!(out, "    {}", printable(note)))?;
    if let Some(board) = board {
        write_texts(board, record, results, out)?;
    }
    let stderr = text_of(Part::Stderr, results, record);
    excerpt("standard error", &stderr, out)
}

fn write_texts(board: &Board, record: &Record, results: &Path, out: &mut dyn Write) -> io::Result<()> {
    let stored = |file: &StoredFile| head(&results.join(FILES).join(&file.sha256));
    let input = board.stored.as_ref().map_or_else(|| (board.text.clone(), board.text.len() as u64), stored);
    excerpt("input", &input, out)?;
    if let Some(talk) = talk(results, record) {
        return write_talk(&talk, out);
    }
    let expected = match &board.answer {
        Some(plan::FileContents::Text(text)) => (text.clone(), text.len() as u64),
        Some(plan::FileContents::Stored(file)) => stored(file),
        None => (String::new(), 0),
    };
    excerpt("the judge's answer", &expected, out)?;
    let actual = text_of(Part::Stdout, results, record);
    match actual.1 {
        0 => writeln!(out, "  it printed nothing on standard output"),
        _ => excerpt("it printed", &actual, out),
    }
}

/// The exchange of a run with its referee, as a dialogue; `None` if there was none.
pub(crate) fn talk(results: &Path, record: &Record) -> Option<String> {
    let file = Part::Transcript.open(results, record).ok()?;
    let bytes = regular::read_file(file, MAX_TRANSCRIPT_BYTES).ok()?;
    dialogue(&String::from_utf8_lossy(&bytes))
}

/// Writes a dialogue and leaves out the middle of a long one. The part after the gap keeps the number of its pass.
pub(crate) fn write_talk(talk: &str, out: &mut dyn Write) -> io::Result<()> {
    let lines: Vec<&str> = talk.lines().collect();
    writeln!(out, "  the talk, with the time since its start and since the message before:")?;
    let (head, tail) = match lines.len().checked_sub(2 * MAX_TALK).filter(|left| *left > 0) {
        None => (&lines[..], &lines[..0]),
        Some(_) => (&lines[..MAX_TALK], &lines[lines.len() - MAX_TALK..]),
    };
    head.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    if !tail.is_empty() {
        let left_out = &lines[head.len()..lines.len() - tail.len()];
        // Messages begin with a time, or with spaces.
        let is_pass = |line: &&&str| line.starts_with("pass ");
        let pass = left_out.iter().rev().find(is_pass).filter(|_| !is_pass(&&tail[0]));
        writeln!(out, "  … {} lines are left out …", left_out.len())?;
        pass.iter().try_for_each(|pass| writeln!(out, "  {pass}"))?;
    }
    tail.iter().try_for_each(|line| writeln!(out, "  {line}"))
}

/// The beginning of an output, and its total length in bytes.
fn text_of(part: Part, results: &Path, record: &Record) -> (String, u64) {
    part.open(results, record).ok().map_or_else(Default::default, head_of)
}

fn head(path: &Path) -> (String, u64) {
    regular::open(path).ok().map_or_else(Default::default, head_of)
}

fn head_of(file: std::fs::File) -> (String, u64) {
    let bytes = file.metadata().map_or(0, |metadata| metadata.len());
    let mut head = Vec::new();
    // What cannot be read is not shown.
    file.take(MAX_BYTES).read_to_end(&mut head).ok();
    (String::from_utf8_lossy(&head).into_owned(), bytes)
}

/// Writes the first lines of a text; nothing if it is empty.
fn excerpt(what: &str, (text, bytes): &(String, u64), out: &mut dyn Write) -> io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {what}:")?;
    let text = match text.char_indices().nth(usize::try_from(MAX_BYTES).unwrap_or(usize::MAX)) {
        Some((end, _)) => &text[..end],
        None => text,
    };
    let lines: Vec<&str> = text.split_inclusive('\n').take(MAX_LINES).collect();
    let shown: usize = lines.iter().map(|line| line.len()).sum();
    for line in lines {
        writeln!(out, "  | {}", printable_lines(line.trim_end_matches('\n')))?;
    }
    match bytes.saturating_sub(shown as u64) {
        0 => Ok(()),
        more => writeln!(out, "  | … {} more", counted(more, "bytes")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_talk_keeps_the_number_of_its_pass() {
        let of_pass =
            |pass: usize| (0..50).map(move |at| if at == 0 { format!("pass {pass}") } else { format!("  {at}") });
        let written = |passes: usize| {
            let talk: Vec<String> = (1..=passes).flat_map(of_pass).collect();
            let mut out = Vec::new();
            write_talk(&talk.join("\n"), &mut out).expect("written");
            String::from_utf8(out).expect("text").lines().map(str::to_owned).collect::<Vec<_>>()
        };
        // 60 lines of each end: the last ten of pass 4, and the whole of pass 5.
        let long = written(5);
        assert_eq!(long[61..64], ["  … 130 lines are left out …", "  pass 4", "    40"]);
        // All of a short one is shown, once.
        assert_eq!(written(2).iter().filter(|line| line.contains("pass")).count(), 2);
        // The end begins with the beginning of a pass.
        let talk: Vec<String> = (0..140).map(|at| if at == 80 { "pass 2".into() } else { format!("  {at}") }).collect();
        let mut out = Vec::new();
        write_talk(&talk.join("\n"), &mut out).expect("written");
        assert_eq!(String::from_utf8(out).expect("text").matches("pass 2").count(), 1);
    }
}
