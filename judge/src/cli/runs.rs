//! `judge runs`: lists results directories.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{DONE, Done, Failure, notice, recorded};
use judge_core::date::Date;
use judge_core::journal::{self, ContestState, FILE_NAME};
use judge_core::results::{Results, range_text};
use judge_core::score::Row;
use judge_core::summary::{Summaries, Summary};
use judge_core::text::printable;
use judge_files::near;
use judge_job::duration_text;
use judge_report::directory::{found, number_of, short};
use judge_report::layout::{Column, Grid, folded, no_room};
use judge_report::output::write_pretty_json;

/// The default folder of results, with numbered directories.
pub(super) const DEFAULT_RESULTS: &str = "runs";
/// A path of results on the command line. `runs/1` stands for the only `runs/1-…` if `runs/1` itself does not exist.
pub(super) fn path() -> impl clap::builder::TypedValueParser<Value = PathBuf> {
    use clap::builder::TypedValueParser as _;
    clap::builder::PathBufValueParser::new().map(|path| found(&path).unwrap_or(path))
}

/// List results directories: date, contest, limit, and the winner, or how much a single entry solved
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge runs                     those in runs/
  judge runs finals other/runs   a results directory, and all in another folder
  judge runs --json              for programs

`judge run --comment TEXT` gives a contest the comment that the last column shows.")]
pub(super) struct Args {
    /// Results directories, or folders of them [default: runs]
    #[arg(value_parser = path())]
    directories: Vec<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A results directory, as a line of the list.
#[derive(Serialize)]
struct Line {
    results: String,
    date: Option<Date>,
    contest: String,
    limit_ms: u64,
    /// The shortest and the longest limit of its runs, as rounds can have their own.
    limits_ms: (u64, u64),
    entries: usize,
    boards: usize,
    /// The number of runs with a verdict on an entry, and of all runs that count.
    done: usize,
    runs: usize,
    outcome: Option<String>,
    comment: Option<String>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let folders = if self.directories.is_empty() { vec![DEFAULT_RESULTS.into()] } else { self.directories };
        let mut lines = Vec::new();
        for folder in &folders {
            for directory in results_in(folder)? {
                match recorded::read(&directory) {
                    Ok(contents) => lines.push(Line::new(&directory, &contents)),
                    // A damaged journal does not hide the others.
                    Err(error) => notice(error),
                }
            }
        }
        if self.json {
            write_pretty_json(&lines, out)?;
            writeln!(out)?;
        } else if lines.is_empty() {
            writeln!(out, "no results here; `judge run` makes some")?;
        } else {
            let (mut table, width) = (table(&lines), super::width());
            let gone = table.fit(width);
            writeln!(out, "{table}")?;
            if let Some(line) = no_room(gone.iter().map(|(_, head)| head.as_str()), "--json has everything") {
                writeln!(out, "{}", folded(&line, width))?;
            }
        }
        Ok(DONE)
    }
}

/// The results directories of a path: itself, or the directories in it, ordered by number.
fn results_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if folder.join(FILE_NAME).is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let listed = match fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) if error.kind() == io::ErrorKind::NotFound && folder == Path::new(DEFAULT_RESULTS) => {
            return Ok(Vec::new());
        }
        Err(error) => {
            let reason = match error.kind() {
                io::ErrorKind::NotFound => "no such folder".into(),
                io::ErrorKind::NotADirectory => "is not a folder".into(),
                _ => error.to_string(),
            };
            return Err(Failure::input(format!(
                "{}: {reason}; name results directories or folders of them, such as {DEFAULT_RESULTS}{}",
                folder.display(),
                near::did_you_mean(folder)
            )));
        }
    };
    let paths = listed.filter_map(|item| Some(item.ok()?.path()));
    let mut directories: Vec<PathBuf> = paths.filter(|path| has_journal(path)).collect();
    directories.sort_by_cached_key(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (number_of(&name).map_or(u64::MAX, |(number, _)| number), name)
    });
    Ok(directories)
}

/// True if a folder has a journal. Also true if permission is missing, as reading then fails with the reason.
fn has_journal(folder: &Path) -> bool {
    match fs::metadata(folder.join(FILE_NAME)) {
        Ok(metadata) => metadata.is_file(),
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    }
}

impl Line {
    fn new(directory: &Path, contents: &ContestState) -> Self {
        let results = Results::from_journal(contents);
        let runs = contents.order().iter().filter(|key| contents.counts(key)).count();
        let made = |run: &&journal::Record| contents.counts(&run.key) && !run.is_judge_error();
        let inside = results.rows.iter().filter(|row| row.entry.withdrawn.is_none());
        let limit_ms = contents.plan.problems.iter().map(|problem| problem.limits.wall_ms).max().unwrap_or(0);
        Self {
            results: directory.display().to_string(),
            date: contents.begun,
            contest: contents.plan.name.clone(),
            limit_ms,
            limits_ms: results.limits_ms().unwrap_or((limit_ms, limit_ms)),
            entries: inside.count(),
            boards: results.boards.len(),
            done: contents.records.iter().filter(made).count(),
            runs,
            outcome: results.over().then(|| outcome(&results)).flatten(),
            comment: contents.comment.clone(),
        }
    }
}

/// The winners with their total, or the averages of a single entry.
fn outcome(results: &Results) -> Option<String> {
    let summaries = Summaries::from_results(results).rows;
    let inside = results.rows.iter().zip(&summaries).filter(|(row, _)| row.entry.withdrawn.is_none());
    let inside: Vec<(&Row, &Summary)> = inside.collect();
    if let [(row, summary)] = inside[..] {
        let Some(solved) = summary.solved else { return Some(format!("score {}", row.total_text(&row.total))) };
        let solved = format!("{solved} of {} solved", summary.boards);
        let moves = summary.mean_moves.zip(results.scoring.cost());
        let moves = moves.map(|(mean, moves)| format!(", {mean:.1} {} on average of these", moves.title()));
        return Some(solved + &moves.unwrap_or_default());
    }
    let first: Vec<&Row> = inside.iter().map(|(row, _)| *row).filter(|row| row.place == Some(1)).collect();
    let winners: Vec<&str> = first.iter().map(|row| row.entry.name.as_str()).collect();
    let first = first.first()?;
    let total = first.total_text(&first.total);
    let total = match results.scoring.accepts() {
        true => format!("{total} of {} solved", first.planned()),
        false => total,
    };
    Some(format!("{} {total}", winners.join(", ")))
}

/// The table of results directories. On a narrow terminal, the columns that are equal for most contests are left out
/// first. Long texts are cut before the date or the contest is left out.
fn table(lines: &[Line]) -> Grid {
    let of_lines = |text: &dyn Fn(&Line) -> String| lines.iter().map(text).collect::<Vec<String>>();
    let limit = |line: &Line| range_text(line.limits_ms, duration_text);
    let unfinished = |line: &Line| format!("{} of {} runs", line.done, line.runs);
    let outcome = |line: &Line| line.outcome.as_ref().map_or_else(|| unfinished(line), |outcome| printable(outcome));
    let mut table = Grid::new(vec![Column::new(
        "results",
        of_lines(&|line| printable(&short(Path::new(&line.results)).to_string_lossy())),
    )]);
    if lines.iter().any(|line| line.date.is_some()) {
        let dates = of_lines(&|line| line.date.map_or("-".into(), Date::minute));
        table.push(Column::new("date", dates).leaves(4));
    }
    for column in [
        Column::new("contest", of_lines(&|line| printable(&line.contest))).cut_before(3, 12).leaves(5),
        Column::new("limit", of_lines(&limit)).leaves(2),
        Column::new("entries", of_lines(&|line| line.entries.to_string())).leaves(1),
        Column::new("boards", of_lines(&|line| line.boards.to_string())).leaves(1),
        Column::new("winner or mean", of_lines(&outcome)).cut_before(2, 14),
    ] {
        table.push(column);
    }
    if lines.iter().any(|line| line.comment.is_some()) {
        let comments = of_lines(&|line| printable(line.comment.as_deref().unwrap_or_default()));
        table.push(Column::new("comment", comments).cut_before(3, 10).leaves(3));
    }
    table
}
