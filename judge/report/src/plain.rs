//! Results in the layout of the table of 1995: `shufflemania 25/94 25/89 … 125/0453/062 2928770ms`, with aligned
//! columns.
//!
//! Other data follow, in lines that begin with `#`.

use std::io::{self, Write};
use std::path::Path;

use super::failures::{SUSPECT, first_of};
use super::referees;
use judge_core::legend::{self, Column};
use judge_core::results::{Results, run_name};
use judge_core::text::printable;
use judge_job::count_text;

pub(super) fn write(results: &Results, directory: Option<&Path>, out: &mut dyn Write) -> io::Result<()> {
    let columns = legend::columns(results);
    let figures = columns.iter().map(|column| match *column {
        Column::Figure(key, round) => legend::figure(results, key, round),
        Column::Board(_) | Column::Total(_) => Vec::new(),
    });
    let figures: Vec<Vec<String>> = figures.collect();
    let lines = results.rows.iter().enumerate().map(|(number, row)| {
        let mut line = vec![printable(&row.entry.name)];
        line.extend(columns.iter().zip(&figures).map(|(column, figures)| {
            let text = match *column {
                Column::Board(board) => row.cells[board].text(),
                Column::Total(round) => legend::total(results, row, round),
                // Without blanks, like every other column.
                Column::Figure(..) => figures[number].replace(" of ", "/").replace(' ', ""),
            };
            // An empty text would shift the columns after it.
            if text.is_empty() { "-".into() } else { text }
        }));
        line.push(row.total.time_ms().map_or("-".into(), |time| format!("{time}ms")));
        line
    });
    let lines: Vec<Vec<String>> = lines.collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns.len() + 2).map(width).collect();
    for line in &lines {
        let padded = line.iter().zip(&widths).map(|(text, width)| format!("{text:width$}"));
        writeln!(out, "{}", padded.collect::<Vec<_>>().join(" ").trim_end())?;
    }
    for board in results.boards.iter().filter(|board| board.reconstruction) {
        let note = board.note.as_ref().map_or(String::new(), |note| format!(" ({})", printable(note)));
        writeln!(out, "# {} is a reconstruction{note}", printable(&board.name))?;
    }
    let suspect = results.remarks.iter().filter_map(|remark| {
        let run = || run_name(&remark.entry, &remark.board, remark.repeat);
        remark.extras.suspect.as_ref().map(|why| format!("{} is suspect: {}", run(), printable(why)))
    });
    for line in first_of(suspect.collect(), SUSPECT) {
        writeln!(out, "# {line}")?;
    }
    for remark in &results.remarks {
        if let Some(why) = &remark.extras.ruling {
            let run = run_name(&remark.entry, &remark.board, remark.repeat);
            let by = remark.extras.ruled_by.as_ref().map_or(String::new(), |by| format!(" by {}", printable(by)));
            writeln!(out, "# {run} was ruled by hand{by}: {}", printable(why))?;
        }
    }
    if results.ranking.is_empty() {
        writeln!(out, "# {}", super::ranking(results))?;
    }
    if let missing @ 1.. = results.missing() {
        writeln!(out, "# {missing} of {} are missing", count_text(results.planned(), "run", "runs"))?;
    }
    for row in &results.rows {
        let name = printable(&row.entry.name);
        match &row.entry.withdrawn {
            Some(why) => writeln!(out, "# {name} is {}: {}", why.word(), printable(&why.reason))?,
            None if !row.complete() => writeln!(out, "# {name} is incomplete and has no place yet")?,
            None => {}
        }
    }
    for sentence in referees(results, directory).into_iter().chain(legend::rounds(results)) {
        writeln!(out, "# {sentence}")?;
    }
    Ok(())
}
