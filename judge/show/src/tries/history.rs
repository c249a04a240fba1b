//! The versions of a solver as a list, with scores relative to the best answers of today.

use std::io::{self, Write};
use std::path::Path;

use super::relative_text;
use crate::versions::{Listed, Summary, Version};
use judge_core::text::printable;
use judge_job::duration_text;
use judge_report::layout::{Column, Grid, folded, no_room};

/// Digits of a commit's hash that are shown.
const DIGITS: usize = 8;

/// Writes versions as a table for a terminal of that width. `file` is the history file, to which the table refers for columns
/// that do not fit.
///
/// # Errors
/// Those of `out`.
pub fn write_history(lines: &[Listed], file: &Path, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let texts = |text: &dyn Fn(&Listed) -> String| lines.iter().map(text).collect::<Vec<_>>();
    let versions = |text: &dyn Fn(&Version) -> String| texts(&|line| text(&line.version));
    let summaries = |text: &dyn Fn(&Listed, &Summary) -> String| {
        texts(&|line| line.summary.as_ref().map_or("-".into(), |summary| text(line, summary)))
    };
    let several = lines.iter().any(|line| line.version.program != lines[0].version.program);
    // To the minute.
    let date = |version: &Version| version.date.chars().take(16).collect::<String>().replace('T', " ");
    let mean = |_: &Listed, summary: &Summary| summary.mean.map_or("-".into(), |mean| format!("{mean:.1}"));
    let solved = |line: &Listed, summary: &Summary| {
        let cut = line.version.cut_short().map_or(String::new(), |(_, boards)| format!(", cut from {boards}"));
        format!("{} of {}{cut}", summary.solved.unwrap_or(summary.answered), summary.boards)
    };
    let solving = lines.iter().filter_map(|line| line.summary.as_ref()).any(|summary| summary.solved.is_some());
    let limit = |version: &Version| version.limit_ms.map_or("-".into(), duration_text);
    let commit = |version: &Version| {
        let id: String = version.commit.chars().take(DIGITS).collect();
        let changed = if version.changed == Some(true) { "+" } else { "" };
        format!("{id}{changed}")
    };
    let memory_limit = versions(&|version| {
        let bytes = version.limits().map(|limits| limits.memory_bytes);
        bytes.map_or("-".into(), |bytes| bytes.map_or("none".into(), |bytes| bytesize::ByteSize(bytes).to_string()))
    });
    let cores = versions(&|version| version.limits().map_or("-".into(), |limits| limits.cores.to_string()));
    // A column in which no version has anything is left out, and a usual limit that is the same for all.
    let some = |cells: Vec<String>| Some(cells).filter(|cells| cells.iter().any(|cell| !cell.is_empty()));
    let differing = |cells: Vec<String>| Some(cells).filter(|cells| cells.iter().any(|cell| *cell != cells[0]));
    let comment = some(versions(&|version| printable(&version.comment)));
    // With several solvers in a folder, a command says which one a version is of.
    let command = Column::new("command", versions(&|version| printable(&version.command)));
    let columns = [
        Some(Column::new("version", versions(&|version| version.number.to_string())).right()),
        Some(Column::new("date", versions(&date)).leaves(1)),
        some(versions(&|version| printable(&version.name))).map(|names| Column::new("name", names).leaves(3)),
        Some(Column::new("limit", versions(&limit)).right()),
        differing(memory_limit).map(|cells| Column::new("memory", cells).right().leaves(5)),
        differing(cores).map(|cells| Column::new("cores", cells).right().leaves(5)),
        Some(Column::new(if solving { "solved" } else { "answered" }, summaries(&solved)).right()),
        Some(Column::new("mean", summaries(&mean)).right().leaves(6)),
        Some(Column::new("relative score", summaries(&|_, summary| relative_text(summary.relative))).right()),
        some(texts(&|line| line.same_as.map_or(String::new(), |same| same.to_string())))
            .map(|cells| Column::new("same as", cells).right().leaves(2)),
        some(versions(&commit)).map(|commits| Column::new("commit", commits).leaves(2)),
        comment.map(|comments| Column::new("comment", comments).cut_before(2, 12).leaves(4)),
        Some(command.cut_before(2, 12).leaves(if several { 5 } else { 0 })),
    ];
    let mut table = Grid::new(columns.into_iter().flatten().collect());
    let gone = table.fit(width);
    writeln!(out, "{table}")?;
    if lines.iter().any(|line| line.version.changed == Some(true)) {
        writeln!(out, "{}", folded("+ behind a commit: tracked files had changed since", width))?;
    }
    let elsewhere = format!("{} has them", file.display());
    if let Some(line) = no_room(gone.iter().map(|(_, head)| head.as_str()), &elsewhere) {
        writeln!(out, "{}", folded(&line, width))?;
    }
    Ok(())
}
