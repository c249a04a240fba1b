//! `judge report`: writes results as one HTML page.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{DONE, Done, Failure, compare, rank};
use judge_contest::Contest;
use judge_core::compare::{Source, common_game};
use judge_core::games;
use judge_files::regular;
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
    #[arg(value_name = "RESULTS", required = true)]
    runs: Vec<PathBuf>,

    /// File to write, `-` for standard output [default: report.html in the first results directory]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let names = compare::names(&self.runs)?;
        let runs = self.runs.iter().zip(names).map(|(path, name)| read(path, name)).collect::<Result<Vec<_>, _>>()?;
        // A file from elsewhere may name a game that is not built in.
        let known = |run: &&PageSource| run.results().game.as_deref().is_some_and(|game| games::find(game).is_some());
        common_game(runs.iter().filter(known).map(PageSource::source)).map_err(Failure::input)?;
        let to_stdout = self.output.as_deref() == Some(Path::new("-"));
        if to_stdout {
            judge_page::write(&runs, out)?;
            return Ok(DONE);
        }
        let path = match self.output {
            Some(path) => {
                let file = File::create(&path).map_err(|error| {
                    let reason = match error.kind() {
                        io::ErrorKind::NotFound => "no such folder".into(),
                        io::ErrorKind::IsADirectory => "is a folder".into(),
                        _ => error.to_string(),
                    };
                    Failure::input(format!("{}: {reason}; name a file in a folder that exists with -o", path.display()))
                })?;
                write(&runs, &path, Ok(file))?;
                path
            }
            None => {
                let directory = self.runs.iter().find(|path| path.is_dir());
                let directory = directory.ok_or_else(|| {
                    Failure::input("none of these is a results directory; name the file to write with -o")
                })?;
                let path = directory.join(FILE_NAME);
                write(&runs, &path, regular::create(&path))?;
                path
            }
        };
        writeln!(out, "{}", path.display())?;
        Ok(DONE)
    }
}

/// Writes the page of a results directory into it, and returns its path.
#[cfg(feature = "sandbox")]
pub(super) fn of_directory(results: &Path) -> Result<PathBuf, Failure> {
    let path = results.join(FILE_NAME);
    let names = compare::names(&[results.to_owned()])?;
    let runs = names.into_iter().map(|name| read(results, name)).collect::<Result<Vec<_>, _>>()?;
    write(&runs, &path, regular::create(&path))?;
    Ok(path)
}

/// Reads the part of the page for one path.
fn read(path: &Path, name: String) -> Result<PageSource, Failure> {
    if path.is_dir() {
        return PageSource::from_directory(path, name).map(with_records_of_today).map_err(Failure::input);
    }
    Ok(Source { name, results: rank::read(path)? }.into())
}

/// Takes the best known answers from the contest file if it is still there and can be read: records are broken after a
/// contest. Otherwise those that the results contain are shown.
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

/// Writes the page to a file.
fn write(sources: &[PageSource], path: &Path, file: io::Result<File>) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::judge(format!("{}: {error}", path.display()));
    let mut file = BufWriter::new(file.map_err(failed)?);
    judge_page::write(sources, &mut file).and_then(|()| file.flush()).map_err(failed)
}
