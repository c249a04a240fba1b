//! `judge compare`: entries and runs side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use super::{DONE, Done, Failure, rank};
use crate::report::{ComparisonFormat, write_comparison};
use judge_core::compare::{Comparison, DEFAULT_SEED, Source};

/// Compare entries board by board, and runs with one another
///
/// RUN is anything that `judge rank` takes: a directory that `judge run` wrote, its results.csv, a table with one row
/// an entry, or `-` for CSV on standard input. Every two entries of a run are compared there, two that are never in
/// the same run across runs, and an entry that is in several runs with itself. Boards go by name.
///
/// On a board, solved beats unsolved; between two that solved it fewer moves decide, between two that did not
/// progress. A run that is missing, or that the judge spoilt, is left out and counted.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge compare runs/1                                   every two entries of a run
  judge compare runs/1 --entries twobits,tilex           these two
  judge compare runs/1 runs/2 --only-differences         what changed from one run to the next
  judge compare 1s 10s 10m                               one contest at three limits
  judge compare runs/1 runs/2 --entries 1:mine,2:theirs  across runs
  judge compare results/published-1995.csv --format csv > pairs.csv

In the table a row is a pair and a column a board. JSON has everything, with the field names of the library's \
`compare::Comparison`; CSV has a row for each pair (`row` is `pair`) and below it one for each of its boards (`row` is \
`board`). In all of them differences are the second's less the first's, ratios the second's by the first's.")]
pub(super) struct Args {
    /// Results directories, CSV files, or `-`
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// Only these entries, by name, or as RUN:ENTRY with the run as the output names it
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    entries: Option<Vec<String>>,

    /// Show only the boards on which two differ in more than time
    #[arg(long)]
    only_differences: bool,

    /// Seed of the bootstrap behind the intervals
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    seed: u64,

    /// How to write the comparison
    #[arg(long, value_enum, default_value_t = ComparisonFormat::Table)]
    format: ComparisonFormat,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let names = names(&self.runs)?;
        let read = |(path, name): (&PathBuf, String)| Ok(Source { name, results: rank::read(path)? });
        let sources = self.runs.iter().zip(names).map(read).collect::<Result<Vec<_>, Failure>>()?;
        let mut comparison = Comparison::of(sources, self.entries.as_deref(), self.seed).map_err(Failure::input)?;
        if self.only_differences {
            comparison = comparison.only_differences();
        }
        write_comparison(&comparison, self.format, out)?;
        Ok(DONE)
    }
}

/// What outputs call the runs: the last part of each path, without `.csv`, where that tells them apart, else the path.
pub(super) fn names(paths: &[PathBuf]) -> Result<Vec<String>, Failure> {
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let mut seen = BTreeSet::new();
    if let Some(twice) = paths.iter().find(|path| !seen.insert(absolute(path))) {
        let twice = twice.display();
        return Err(Failure::input(format!("{twice} is given twice; a run compared with itself tells nothing")));
    }
    let last = |path: &PathBuf| {
        let path = absolute(path);
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
        _ => path.display().to_string(),
    };
    Ok(paths.iter().map(name).collect())
}
