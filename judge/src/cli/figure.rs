//! `judge figure`: writes one figure of the results page as an SVG file.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::output_file::{self, FIGURE};
use super::{DONE, Done, Failure, report};
use judge_core::text::unknown;

/// Write a figure of the results page as an SVG file, for papers and slides
///
/// NAME is one of those that the page has: race, scores, moves, gaps, changes, profile, cactus, anytime, time, progress,
/// portfolio and head-to-head. Not every contest has all of them; `changes` needs two results with the same entries. The file has
/// the light colours and no fonts of its own. `rsvg-convert -f pdf` makes a PDF file of it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge figure cactus runs/1 -o cactus.svg
  judge figure changes runs/1 runs/2 -o changes.svg
  judge figure gaps runs/1 | rsvg-convert -f pdf -o gaps.pdf")]
pub(super) struct Args {
    /// Name of the figure
    name: String,

    /// Results directories, CSV files, or `-`
    #[arg(value_name = "RESULTS", required = true, value_parser = super::runs::path())]
    runs: Vec<PathBuf>,

    /// File to write, `-` for standard output
    #[arg(short, long, value_name = "FILE.svg", default_value = "-")]
    output: PathBuf,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let sources = report::sources(&self.runs)?;
        let drawings = judge_page::drawings(&sources).map_err(Failure::judge)?;
        let Some(drawing) = drawings.iter().find(|drawing| drawing.name == self.name) else {
            let names = drawings.iter().map(|drawing| drawing.name.as_str());
            return Err(Failure::input(unknown("figure", &self.name, names)));
        };
        if self.output == Path::new("-") {
            writeln!(out, "{}", drawing.svg)?;
            return Ok(DONE);
        }
        let path = &self.output;
        output_file::write(path, FIGURE, |file| writeln!(file, "{}", drawing.svg))?;
        writeln!(out, "{}", path.display())?;
        Ok(DONE)
    }
}
