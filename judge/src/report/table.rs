//! Results as a table: standings, a legend of its marks, and a list of failures.

use std::io::{self, Write};
use std::time::Duration;

use comfy_table::{Cell as Field, CellAlignment, ContentArrangement, Table, presets};

use judge_core::legend::{self, Column, Mark, NOT_COMPETING};
use judge_core::relative;
use judge_core::results::{Fault, Headings, Remark, Results, run_name};
use judge_core::summary::{Summaries, Summary};
use judge_core::text::printable;

/// The most boards with a column each. With more, the table shows totals only.
const MOST_BOARDS: usize = 16;
/// The most failures and notes in each list.
const MOST_FAULTS: usize = 40;

pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    if let Some(contest) = &results.contest {
        let limit = results.limit_ms.map_or(String::new(), |limit| {
            format!(", {} per board", humantime::format_duration(Duration::from_millis(limit)))
        });
        writeln!(out, "{}{limit}", printable(contest))?;
    }
    writeln!(out, "{}", standings(results))?;
    legend(results, out)?;
    faults(results, out)
}

fn standings(results: &Results) -> Table {
    let cells = results.boards.len() <= MOST_BOARDS;
    let columns = legend::columns(results);
    let summaries = Summaries::of(results).rows;
    let suspect = summaries.iter().any(|summary| summary.suspect > 0);
    let mut table = Table::new();
    // The table keeps its width: wrapped lines in a narrow terminal are more readable than wrapped cells.
    table.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
    let mut head: Vec<Field> = ["", "entry", "author"].map(Field::new).into();
    if !cells {
        let Headings { moves, tie_break, .. } = &results.headings;
        let means = [moves, tie_break].map(|label| format!("mean {}", printable(label)));
        head.extend(["solved", "relative score", &means[0], &means[1], "PAR2", "median time"].map(Field::new));
        if suspect {
            head.push(Field::new("suspect"));
        }
    }
    let heading = |column: &Column| match *column {
        Column::Board(board) => cells.then(|| printable(&results.boards[board].marked())),
        Column::Total(round) => Some(printable(&legend::total_heading(results, round))),
    };
    head.extend(columns.iter().filter_map(heading).map(Field::new));
    let relative = results.rows.iter().any(|row| row.relative.is_some());
    head.extend(relative.then(|| Field::new("relative")));
    head.push(Field::new("time"));
    table.set_header(head);
    for (row, summary) in results.rows.iter().zip(&summaries) {
        let mark = if row.entry.competing { String::new() } else { format!(" {NOT_COMPETING}") };
        let mut fields = vec![
            right(row.place.map_or(String::new(), |place| place.to_string())),
            Field::new(format!("{}{mark}", printable(&row.entry.name))),
            Field::new(printable(row.entry.author.as_deref().unwrap_or_default())),
        ];
        if !cells {
            fields.extend(averages(summary).map(right));
            fields.extend(suspect.then(|| right(summary.suspect.to_string())));
        }
        let field = |column: &Column| match *column {
            Column::Board(board) => cells.then(|| legend::cell(&row.cells[board])),
            Column::Total(round) => Some(legend::total(results, row, round)),
        };
        fields.extend(columns.iter().filter_map(field).map(right));
        fields.extend(relative.then(|| right(row.relative.map_or("-".into(), relative::text))));
        fields.push(right(row.total.time_ms().map_or("-".into(), |time| format!("{time} ms"))));
        table.add_row(fields);
    }
    table
}

/// Formats boards solved, the score, mean moves and mean tie-break of the solved boards, PAR2, and the median time; `-` for
/// unknown values.
fn averages(summary: &Summary) -> [String; 6] {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".into());
    let one_decimal = |mean: Option<f64>| or_dash(mean.map(|mean| format!("{mean:.1}")));
    let ms = |us: Option<u64>| or_dash(us.map(|us| format!("{} ms", us.saturating_add(500) / 1000)));
    [
        format!("{} of {}", summary.solved, summary.boards),
        format!("{:.2}", summary.score),
        one_decimal(summary.mean_moves),
        one_decimal(summary.mean_tie_break),
        ms(summary.par2_us),
        ms(summary.median_time_us),
    ]
}

fn right(text: String) -> Field {
    Field::new(text).set_alignment(CellAlignment::Right)
}

fn legend(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let (cell, total) = legend::formats(results);
    let few = results.boards.len() <= MOST_BOARDS;
    writeln!(out, "{}a total {total}", if few { format!("a cell is {cell}, ") } else { String::new() })?;
    if !few {
        let moves = printable(&results.headings.moves);
        writeln!(
            out,
            "means are of the solved boards only, relative score and PAR2 of all; --format csv shows the cells"
        )?;
        if results.scoring.is_none() {
            writeln!(
                out,
                "relative score: sum of the fewest {moves} known, or here, divided by the entry's own; 0 if not solved"
            )?;
        }
        writeln!(out, "PAR2: mean time; a board that is not solved counts twice the limit")?;
        if let guessed @ 1.. = Summaries::of(results).guessed.len() {
            writeln!(out, "no goal is recorded for {guessed} boards: the most progress of any entry counts as solved")?;
        }
    }
    for Mark { sign, meaning } in legend::marks(results) {
        writeln!(out, "{sign:<4} {meaning}")?;
    }
    for note in legend::board_notes(results) {
        writeln!(out, "     {note}")?;
    }
    for isolation in &results.isolation {
        writeln!(out, "isolation: {}", printable(isolation))?;
    }
    if let Some(sentence) = legend::unlike_machines(results) {
        writeln!(out, "{sentence}")?;
    }
    for sentence in legend::judging(results) {
        writeln!(out, "{sentence}")?;
    }
    for sentence in legend::incomplete(results).chain(legend::rounds(results)) {
        writeln!(out, "{sentence}")?;
    }
    Ok(())
}

fn faults(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let (judge_errors, failures): (Vec<_>, Vec<_>) = results.faults.iter().partition(|fault| fault.by_judge);
    let (unbuilt, failures): (Vec<_>, Vec<_>) = failures.into_iter().partition(|fault| fault.code == Some("BLD"));
    builds(&unbuilt, out)?;
    list("not solved:", &failures, out)?;
    list("judge errors, not scored; `judge run --resume` repeats them:", &judge_errors, out)?;
    if legend::referee_failed(results) {
        writeln!(out, "  to referee these answers again after correcting the referee: `judge rejudge DIR`")?;
        writeln!(out, "  to set a verdict by hand: `judge rule DIR ENTRY BOARD VERDICT --because REASON`")?;
    }
    remarks(results, out)
}

/// Writes the builds that failed, one line per entry: all its runs have the same reason.
fn builds(faults: &[&Fault], out: &mut dyn Write) -> io::Result<()> {
    if faults.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nnot built, so not run:")?;
    for same in faults.chunk_by(|a, b| (&a.entry, &a.reason) == (&b.entry, &b.reason)) {
        writeln!(out, "  {}: {}", printable(&same[0].entry), printable(&same[0].reason))?;
    }
    Ok(())
}

/// Writes the notes on single runs.
fn remarks(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let lines: Vec<String> = results.remarks.iter().flat_map(lines_of).collect();
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nnotes:")?;
    for line in lines.iter().take(MOST_FAULTS) {
        writeln!(out, "  {line}")?;
    }
    more(lines.len(), out)
}

fn lines_of(remark: &Remark) -> Vec<String> {
    let Remark { entry, board, repeat, attempt, suspect, ruling, notes, .. } = remark;
    let run = run_name(entry, board, *repeat);
    let again = (*attempt > 1).then(|| format!("{run}: attempt {attempt}; the journal has the earlier ones"));
    let ruled = ruling.as_ref().map(|why| format!("{run}: ruled by hand, {}", printable(why)));
    let suspect = suspect.as_ref().map(|why| format!("{run}: suspect, {}", printable(why)));
    let notes = notes.iter().map(|note| format!("{run}: {}", printable(note)));
    again.into_iter().chain(ruled).chain(suspect).chain(notes).collect()
}

/// Writes the number of lines left out.
fn more(all: usize, out: &mut dyn Write) -> io::Result<()> {
    match all.checked_sub(MOST_FAULTS).filter(|&more| more > 0) {
        Some(more) => writeln!(out, "  and {more} more, see --format json or results.csv"),
        None => Ok(()),
    }
}

fn list(title: &str, faults: &[&Fault], out: &mut dyn Write) -> io::Result<()> {
    if faults.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    for fault in faults.iter().take(MOST_FAULTS) {
        let run = run_name(&fault.entry, &fault.board, fault.repeat);
        write!(out, "  {run}: {}", printable(&fault.reason))?;
        match &fault.final_board {
            Some(position) => writeln!(out, "; the board then: {}", printable(position))?,
            None => writeln!(out)?,
        }
    }
    more(faults.len(), out)
}
