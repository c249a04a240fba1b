//! `judge figure`: writes one figure of the results page as a file.

#[cfg(feature = "figures")]
mod drawn;

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::output_file::{self, Kind};
use super::{DONE, Done, Failure, report};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use judge_core::text::unknown;
use judge_page::Drawing;

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

/// Write a figure of the results page as a file, for papers and slides
///
/// The ending of the file chooses its format: .svg, .pdf or .png. The figure has the light colours. Not every contest has
/// all figures of the page; `changes` needs two results with the same entries. An SVG file embeds no fonts, the others
/// are drawn with those of the system; a PNG file has two pixels for each of the figure.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge figure cactus runs/1 -o cactus.svg
  judge figure changes runs/1 runs/2 -o changes.pdf
  judge figure gaps runs/1 | rsvg-convert -f pdf -o gaps.pdf")]
pub(super) struct Args {
    /// Name of the figure
    #[arg(value_parser = FigureName)]
    name: String,

    /// Results directories, CSV files, or `-`
    #[arg(value_name = "RESULTS", required = true, value_parser = super::runs::path())]
    runs: Vec<PathBuf>,

    /// File to write, `-` for SVG on standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// Accepts any name, as the figures depend on the results. Completions offer all names.
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
        let format = Format::of(&self.output)?;
        #[cfg(not(feature = "figures"))]
        if !matches!(format, Format::Svg) {
            return Err(self.unconverted());
        }
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
        let contents = format.contents(drawing);
        let contents = contents.map_err(|reason| Failure::input(format!("{}: {reason}", path.display())))?;
        output_file::write(path, format.kind(), |file| file.write_all(&contents))?;
        writeln!(out, "{}", path.display())?;
        Ok(DONE)
    }

    /// The failure of a `judge` that cannot write this format, with a command that can.
    #[cfg(not(feature = "figures"))]
    fn unconverted(&self) -> Failure {
        let ending = self.output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let runs: Vec<String> = self.runs.iter().map(|path| judge_report::directory::argument(path)).collect();
        let output = self.output.display().to_string();
        Failure::input(format!(
            "{output}: this `judge` draws SVG alone, as it was built without the feature `figures`; use \
             `judge figure {} {} | rsvg-convert -f {ending} -o {}`",
            shell_words::quote(&self.name),
            runs.join(" "),
            shell_words::quote(&output)
        ))
    }
}

/// The format of a file.
#[derive(Debug, Clone, Copy)]
enum Format {
    Svg,
    Pdf,
    Png,
}

impl Format {
    /// The format that the ending of a file names; SVG if it has none.
    fn of(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            None | Some("svg") => Ok(Self::Svg),
            Some("pdf") => Ok(Self::Pdf),
            Some("png") => Ok(Self::Png),
            Some(_) => {
                let message =
                    format!("{}: unknown format; name a file that ends with .svg, .pdf or .png", path.display());
                Err(Failure::input(message))
            }
        }
    }

    fn kind(self) -> Kind {
        match self {
            Self::Svg => output_file::SVG,
            Self::Pdf => output_file::PDF,
            Self::Png => output_file::PNG,
        }
    }

    /// The contents of a file with this figure.
    fn contents(self, drawing: &Drawing) -> Result<Vec<u8>, String> {
        match self {
            #[cfg(feature = "figures")]
            Self::Pdf => drawn::pdf(&drawing.svg, &drawing.title),
            #[cfg(feature = "figures")]
            Self::Png => drawn::png(&drawing.svg),
            _ => Ok(format!("{}\n", drawing.svg).into_bytes()),
        }
    }
}
