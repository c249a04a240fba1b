//! `judge compare`: compares entries and results.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use super::{DONE, Done, Failure, rank};
use judge_core::compare::{CompareError, Comparison, DEFAULT_SEED, Source};
use judge_report::directory::short;
use judge_report::{ComparisonFormat, Rows, View, write_comparison_for};

/// Compare entries board by board, and results with one another
///
/// RESULTS is anything that `judge rank` accepts: a results directory, its results.csv, a table with one row per entry,
/// or `-` for CSV on standard input. Every two entries of one results directory or file are compared within it. Two
/// entries that never occur together are compared across files, and an entry that occurs several times with itself.
/// Boards are matched by name.
///
/// On a board, solved beats unsolved. Between two solved boards fewer moves decide, between two unsolved ones more
/// progress. Missing runs and judge errors are left out and counted.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge compare runs/1                                   all entries
  judge compare runs/1 --entries twobits,tilex           these two, board by board
  judge compare runs/1 --pairs                           every two entries, board by board
  judge compare runs/1 runs/2 --only-differences         what changed
  judge compare 1s 10s 10m                               three limits
  judge compare runs/1 runs/2 --entries 1:mine,2:theirs  one of each
  judge compare results/published-1995.csv --format csv > pairs.csv
  judge compare runs/1 --format csv --rows boards > boards.csv
  judge compare runs/1 --format latex > comparison.tex   for a paper, with \\usepackage{booktabs,graphicx}

The output begins with what the tests decide: which entries they separate, or whether an entry is \
better in later results. Scores and places follow, then the boards on which an entry became worse. \
In tables a plus is better for the first of a pair, and for later results. JSON and CSV are for \
programs; docs/json.md describes every key. There, differences are the second minus the first, and \
ratios the second divided by the first.")]
pub(super) struct Args {
    /// Results directories, CSV files, or `-`
    #[arg(value_name = "RESULTS", required = true, value_parser = super::runs::path())]
    runs: Vec<PathBuf>,

    /// Only these entries, by name, or as RESULTS:ENTRY with the name that the output gives the results
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', add = super::candidates::entries())]
    entries: Option<Vec<String>>,

    /// Show only boards on which two entries differ in more than time
    #[arg(long)]
    only_differences: bool,

    /// With tables: also the table of all pairs, which two or three entries have anyway
    #[arg(long)]
    pairs: bool,

    /// Seed of the resampled boards and of random sign flips
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    seed: u64,

    /// Output format
    #[arg(long, value_enum, default_value_t = ComparisonFormat::Table)]
    format: ComparisonFormat,

    /// Detail of CSV and JSON: a row of CSV is an entry, a pair, or a pair on one board
    #[arg(long, value_enum, value_name = "KIND", default_value_t = Rows::Pairs)]
    rows: Rows,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let names = names(&self.runs)?;
        let read = |(path, name): (&PathBuf, String)| Ok(Source { name, results: rank::read(path)? });
        let sources = self.runs.iter().zip(names).map(read).collect::<Result<Vec<_>, Failure>>()?;
        let compared = Comparison::from_sources(sources, self.entries.as_deref(), self.seed);
        let mut comparison = compared.map_err(|error| match error {
            CompareError::TooManyEntries(_) => Failure::input(format!("{error} with --entries")),
            error => Failure::input(error),
        })?;
        if self.rows == Rows::Boards && comparison.lacks_boards() {
            return Err(Failure::input(
                "--rows boards would have more than a million rows; choose some entries with --entries, or take --rows pairs",
            ));
        }
        if self.only_differences {
            comparison = comparison.only_differences();
        }
        let view = View { width: super::width(), pairs: self.pairs, ..View::default() };
        write_comparison_for(&comparison, self.format, self.rows, view, out)?;
        Ok(DONE)
    }
}

/// Names of the results in outputs: the last part of each path without `.csv` if it is unique, otherwise the path.
pub(super) fn names(paths: &[PathBuf]) -> Result<Vec<String>, Failure> {
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let mut seen = BTreeSet::new();
    if let Some(twice) = paths.iter().find(|path| !seen.insert(absolute(path))) {
        let twice = short(twice);
        let twice = twice.display();
        return Err(Failure::input(format!("{twice} is given twice; name different results")));
    }
    let last = |path: &PathBuf| {
        let path = short(&absolute(path));
        let csv = path.extension().is_some_and(|extension| extension == "csv");
        let name = if csv { path.file_stem() } else { path.file_name() };
        name.map(|name| name.display().to_string())
    };
    let mut holders: BTreeMap<Option<String>, usize> = BTreeMap::new();
    for path in paths {
        *holders.entry(last(path)).or_default() += 1;
    }
    let name = |path: &PathBuf| match last(path) {
        Some(name) if holders[&Some(name.clone())] == 1 => name,
        _ => short(path).display().to_string(),
    };
    Ok(paths.iter().map(name).collect())
}
