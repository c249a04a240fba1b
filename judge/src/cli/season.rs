//! `judge season`: adds up the places of several contests.

use std::io::Write;
use std::path::PathBuf;

use super::{DONE, Done, Failure, rank};
use judge_core::season::{Counting, Month, Season, SeasonRules};
use judge_report::{SeasonFormat, write_season};

/// Add up the places of several contests
///
/// Each RESULTS is one contest, as `judge rank` reads it; give them in the order in which they took place. A row of the
/// table is an author: entries have other names from month to month. Of several entries of an author the best counts,
/// and the places behind the others move up. An entry without an author is a row of its own.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge season runs/1 runs/2 runs/3                          the sum of places, less is better
  judge season may.csv june.csv --points 10,8,6,5,4,3,2,1
  judge season 2026-*.csv --winners-wait 12                  who has won takes no place for twelve contests
  judge season *.csv --points 3,2,1 --format html > season.html

Without --points, a contest without an author counts one more than its last place. Equal totals share a place, unless one
of them won more contests.")]
pub(super) struct Args {
    /// Results directories and CSV files, the first contest first
    #[arg(required = true, value_name = "RESULTS", value_parser = super::runs::path())]
    results: Vec<PathBuf>,

    /// Points for place 1, 2 and so on, and none for later ones; more is better
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    points: Option<Vec<u64>>,

    /// The number of contests after a win in which the winner takes no place; with `competing = false` an entry says the
    /// same in its own contest
    #[arg(long, value_name = "N", default_value_t = 0)]
    winners_wait: usize,

    /// Output format
    #[arg(long, value_enum, default_value_t = SeasonFormat::Table)]
    format: SeasonFormat,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let mut months = Vec::new();
        for path in &self.results {
            let name =
                path.file_stem().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into());
            let month = Month::from_results(&rank::read(path)?, &name).map_err(|reason| {
                let way = "rank it by `judge rank FILE --figure NAME=more|less --format csv > TABLE`, and name TABLE";
                Failure::input(format!("{}: {reason}; {way}", path.display()))
            })?;
            months.push(month);
        }
        let counting = self.points.map_or(Counting::Places, Counting::Points);
        let season = Season::from_months(&months, &SeasonRules { counting, winners_wait: self.winners_wait });
        write_season(&season, self.format, super::width(), out)?;
        Ok(DONE)
    }
}
