//! `judge figure`: writes one figure of the results page as an SVG file.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::output_file::{self, FIGURE};
use super::{DONE, Done, Failure, report};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use judge_core::text::unknown;

/// The figures of the page, in its order.
const NAMES: [&str; 12] = [
    "race",
    "scores",
    "moves",
    "gaps",
    "changes",
    "profile",
    "cactus",
    "time",
    "anytime",
    "progress",
    "portfolio",
    "head-to-head",
];

/// Write a figure of the results page as an SVG file, for papers and slides
///
/// Not every contest has all figures of the page; `changes` needs two results with the same entries. The file has the
/// light colours and embeds no fonts. `rsvg-convert -f pdf` converts it to PDF.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge figure cactus runs/1 -o cactus.svg
  judge figure changes runs/1 runs/2 -o changes.svg
  judge figure gaps runs/1 | rsvg-convert -f pdf -o gaps.pdf")]
pub(super) struct Args {
    /// Name of the figure
    #[arg(value_parser = FigureName)]
    name: String,

    /// Results directories, CSV files, or `-`
    #[arg(value_name = "RESULTS", required = true, value_parser = super::runs::path())]
    runs: Vec<PathBuf>,

    /// File to write, `-` for standard output
    #[arg(short, long, value_name = "FILE.svg", default_value = "-")]
    output: PathBuf,
}

/// Takes any name, of which the results know whether they have it, and offers those that there are to completions.
#[derive(Debug, Clone)]
struct FigureName;

impl TypedValueParser for FigureName {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, name: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, name)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(NAMES.iter().map(PossibleValue::new)))
    }
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
        // What is there already is refused for what it is.
        let is_new = path.metadata().map_or(true, |there| there.is_file() && there.len() == 0);
        if is_new && path.extension().is_some_and(|ending| !ending.eq_ignore_ascii_case("svg")) {
            let (path, svg) = (path.display(), path.with_extension("svg"));
            let svg = svg.display();
            return Err(Failure::input(format!(
                "{path}: figures are SVG; write {svg}, and convert that, for example with `rsvg-convert -f pdf`"
            )));
        }
        output_file::write(path, FIGURE, |file| writeln!(file, "{}", drawing.svg))?;
        writeln!(out, "{}", path.display())?;
        Ok(DONE)
    }
}
