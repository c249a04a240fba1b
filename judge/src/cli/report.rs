//! `judge report`: writes results as one HTML page.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::output_file::{self, PAGE};
use super::{DONE, Done, Failure, compare, rank, recorded};
use judge_contest::Contest;
use judge_core::compare::{Source, common_game};
use judge_core::games;
use judge_job::canonical_parent;
use judge_page::PageSource;

/// The page's name in a results directory.
const FILE_NAME: &str = "report.html";

/// Write results as one HTML page, to look at and to mail
///
/// RESULTS is anything that `judge rank` accepts: a results directory, its results.csv, a table with one row per entry,
/// or `-` for CSV on standard input. For directories the page shows, for every cell, the answer, the standard error of
/// the entry, and the game move by move. The page needs no network, and nothing that entries wrote is executed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge report runs/1                              writes runs/1/report.html
  judge report runs/1 results/published-1995.csv   two results on one page
  judge report runs/1 runs/2 -o both.html")]
pub(super) struct Args {
    /// Results directories, CSV files, or `-`
    #[arg(value_name = "RESULTS", required = true, value_parser = super::runs::path())]
    runs: Vec<PathBuf>,

    /// File to write, `-` for standard output [default: report.html in the first results directory]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let runs = sources(&self.runs)?;
        let to_stdout = self.output.as_deref() == Some(Path::new("-"));
        if to_stdout {
            judge_page::write(&runs, out)?;
            return Ok(DONE);
        }
        let path = match self.output {
            Some(path) => {
                output_file::write(&path, PAGE, |file| judge_page::write(&runs, file))?;
                path
            }
            None => {
                let directory = self.runs.iter().find(|path| path.is_dir());
                let directory = directory.ok_or_else(|| {
                    Failure::input("none of these is a results directory; name the file to write with -o")
                })?;
                in_directory(directory, |file| judge_page::write(&runs, file))?
            }
        };
        writeln!(out, "{}", path.display())?;
        Ok(DONE)
    }
}

/// Reads the parts of a page from these paths, and checks that they are of one game.
pub(super) fn sources(paths: &[PathBuf]) -> Result<Vec<PageSource>, Failure> {
    let names = compare::names(paths)?;
    let sources = paths.iter().zip(names).map(|(path, name)| read(path, name)).collect::<Result<Vec<_>, _>>()?;
    // A file from elsewhere may name a game that is not built in.
    let known = |source: &&PageSource| source.results().game.as_deref().is_some_and(|game| games::find(game).is_some());
    common_game(sources.iter().filter(known).map(PageSource::source)).map_err(Failure::input)?;
    judge_page::check_size(&sources).map_err(|error| {
        Failure::input(format!(
            "{error}; `judge rank` ranks them all, and `judge rank --boards A,B,… --format csv` makes a file of some boards, of \
             which there can be a page"
        ))
    })?;
    Ok(sources)
}

/// Writes the page of a results directory into it, and returns its path. While its contest runs, the page reloads
/// itself every `every_seconds`.
#[cfg(feature = "sandbox")]
pub(super) fn of_directory(results: &Path, every_seconds: Option<u64>) -> Result<PathBuf, Failure> {
    let runs = sources(&[results.to_owned()])?;
    in_directory(results, |file| match every_seconds {
        None => judge_page::write(&runs, file),
        Some(seconds) => judge_page::write_running(&runs, seconds, file),
    })
}

/// Writes the page in a results directory atomically, and returns its path.
fn in_directory(results: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<PathBuf, Failure> {
    let path = results.join(FILE_NAME);
    let written = output_file::replace(&path, contents);
    written.map_err(|error| Failure::judge(format!("{}: {error}", path.display())))?;
    Ok(path)
}

/// Writes the page of a try, which begins with this answer. It compares with the runs of an `earlier` version, if
/// given.
#[cfg(feature = "sandbox")]
pub(super) fn of_try(
    results: &Path,
    title: String,
    earlier: Option<(String, &judge_core::results::Results)>,
    answer: &str,
    path: &Path,
) -> Result<(), Failure> {
    let now = PageSource::from_directory(results, recorded::read(results).map_err(Failure::input)?, title);
    let name = now.results().rows.first().map(|row| row.entry.name.clone()).unwrap_or_default();
    let earlier = earlier.map(|(title, runs)| {
        let mut results = runs.clone();
        // A renamed program is the same solver.
        results.rows.truncate(1);
        results.rows.iter_mut().for_each(|row| row.entry.name.clone_from(&name));
        PageSource::from(Source { name: title, results })
    });
    let sources: Vec<PageSource> = earlier.into_iter().chain([now]).collect();
    output_file::write(path, PAGE, |file| judge_page::write_answer(&sources, answer, file))
}

/// Reads the part of the page for one path.
fn read(path: &Path, name: String) -> Result<PageSource, Failure> {
    if path.is_dir() {
        let contents = recorded::read(path).map_err(Failure::input)?;
        return Ok(with_records_of_today(PageSource::from_directory(path, contents, name)));
    }
    Ok(Source { name, results: rank::read(path)? }.into())
}

/// Takes the best known answers from the contest file if it can be read, as records may be broken after a contest.
/// Otherwise those in the results are shown.
fn with_records_of_today(source: PageSource) -> PageSource {
    let Some((path, overrides)) = source.contest_file().zip(source.overrides()) else { return source };
    let path = canonical_parent(&path);
    match Contest::load(&path, overrides) {
        Ok(contest) => {
            let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.display().to_string());
            source.with_known_of(name, &contest.plan)
        }
        Err(_) => source,
    }
}
