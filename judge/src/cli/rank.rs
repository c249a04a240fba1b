//! `judge rank`: ranks existing results.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{DONE, Done, Failure, deviations, notices};
use judge_core::plan::RankKey;
use judge_core::relative::Direction;
use judge_core::results::Results;
use judge_report::{self as report, Format, View};

/// Rank results again: all of them, or some boards or entries only
///
/// RESULTS is a results directory, its results.csv, a table with one row per entry such as results/published-1995.csv,
/// or `-` for CSV on standard input. Of an office with several problems, each team has one row.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge rank runs/1
  judge rank results/published-1995.csv --format plain
  judge rank results/published-1995.csv --boards FOXY
  judge rank runs/1 --by progress,moves
  judge rank runs/1 --format latex > standings.tex   for a paper, with \\usepackage{booktabs,graphicx}")]
pub(super) struct Args {
    /// Results directory, CSV file, or `-`
    #[arg(value_parser = super::runs::path())]
    results: PathBuf,

    /// Only these boards, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    boards: Option<Vec<String>>,

    /// Only these entries, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', add = super::candidates::entries())]
    entries: Option<Vec<String>>,

    /// Figures that decide places, most important first: those of the contest, time, relative, solved, failed,
    /// unstarted. Solved boards and failed runs are compared before moves and time
    #[arg(long, value_name = "KEY,…", value_delimiter = ',')]
    by: Option<Vec<String>>,

    /// Figures that decide places, if the file does not name them: KEY or column heading, and `more` or `less` for what
    /// is better
    #[arg(long, value_name = "NAME=more|less,…", value_delimiter = ',', value_parser = figure, conflicts_with = "by")]
    figure: Option<Vec<(String, Direction)>>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let mut results = read(&self.results)?;
        if self.results.is_dir() && results.rounds.len() > 1 {
            deviations::warn(&self.results)?;
        }
        #[cfg(feature = "sandbox")]
        warn_without_minutes(&self.results, &results);
        if let Some(order) = self.by {
            let scoring = &results.scoring;
            let order = order.iter().map(|name| RankKey::read(name, scoring)).collect::<Result<Vec<_>, _>>();
            let order = order.map_err(|error| Failure::input(format!("--by: {error}")))?;
            results = results.ranked_by(&order);
        }
        if let Some(figures) = self.figure {
            let figures: Vec<(&str, Direction)> = figures.iter().map(|(name, better)| (&**name, *better)).collect();
            results =
                results.ranked_by_figures(&figures).map_err(|reason| Failure::input(format!("--figure: {reason}")))?;
        }
        let results = results.only(self.boards.as_deref(), self.entries.as_deref()).map_err(Failure::input)?;
        let directory = Some(&*self.results).filter(|path| path.is_dir());
        report::write_for(
            &results,
            self.format,
            View { width: super::width(), results: directory, notices: &notices(), ..View::default() },
            out,
        )?;
        Ok(DONE)
    }
}

/// Reports that ranking teams by accepted answers needs the minutes of submissions, which only the office has. Rule 49
/// of docs/scoring.md.
#[cfg(feature = "sandbox")]
fn warn_without_minutes(path: &Path, results: &Results) {
    let folder = if path.is_dir() { Some(path) } else { path.parent() };
    let folder = folder.and_then(|folder| Path::new(".").join(folder).canonicalize().ok());
    let office = folder.as_deref().and_then(Path::parent).map(|contest| contest.join(judge_office::FOLDER));
    if results.scoring.accepts() && office.is_some_and(|office| office.is_dir()) {
        super::notice(
            "runs do not have the minutes of submissions, by which teams that solve as many problems are ranked; \
             `judge serve` has the places of the teams on /board, and as a table on /board.csv",
        );
    }
}

/// The results at a path, or on standard input for `-`, with a row per team of an office with several problems.
pub(super) fn read(path: &Path) -> Result<Results, Failure> {
    let results = if path.as_os_str() == "-" {
        Results::read_csv("standard input", io::stdin().lock())
    } else {
        judge_office::results::table(path)
    };
    results.map(Results::by_team).map_err(Failure::input)
}

fn figure(text: &str) -> Result<(String, Direction), String> {
    let (name, better) = text.rsplit_once('=').unwrap_or((text, ""));
    let better = match better {
        "more" => Direction::Up,
        "less" => Direction::Down,
        _ => return Err("write NAME=more or NAME=less, for example progress=more".to_owned()),
    };
    Ok((name.to_owned(), better))
}
