//! `ufo-atlas select`: selects problems by figures and squares.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ufo_kit::atlas::group::Group;
use ufo_kit::atlas::select::{Figure, Selection, Span};
use ufo_kit::atlas::solve::Options;
use ufo_kit::geometry::Geometry;

use crate::Resources;
use crate::output::{Problem, csv, write_boards};

/// Print the problems of a group that meet criteria as CSV, hardest first, each with a best answer
///
/// Ranges are inclusive: 10, 10..12, 10.. or ..12. A problem represents its rotations and reflections; it is printed in
/// the first orientation with its pieces on the requested squares. Best answers count as different if they differ in
/// moves, in the order of moves, or in the steps of a move: the article's "1 of n".
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The group, such as 2-4 or cross:2-4
    group: Group,
    /// Moves of the best answers
    #[arg(long, value_name = "RANGE")]
    moves: Option<Span>,
    /// Steps of the best answers
    #[arg(long, value_name = "RANGE")]
    steps: Option<Span>,
    /// Moves and steps together
    #[arg(long, value_name = "RANGE")]
    sum: Option<Span>,
    /// Steps minus moves
    #[arg(long, value_name = "RANGE")]
    difference: Option<Span>,
    /// Moves as a percentage of steps
    #[arg(long, value_name = "RANGE")]
    ratio: Option<Span>,
    /// Number of best answers
    #[arg(long, value_name = "RANGE")]
    answers: Option<Span>,
    /// Squares that letter pieces stand on, such as 11,42
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    letters_on: Vec<String>,
    /// Squares that number pieces stand on
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    numbers_on: Vec<String>,
    /// Squares that no piece stands on
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    empty: Vec<String>,
    /// Include problems with insignificant number pieces
    #[arg(long)]
    insignificant: bool,
    /// Figures to sort by: moves, steps, sum, difference, ratio, answers
    #[arg(long, value_name = "FIGURES", value_delimiter = ',', default_value = "moves,steps")]
    sort: Vec<Figure>,
    /// Sort the smallest first instead of the largest
    #[arg(long)]
    ascending: bool,
    /// Print at most this many
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    first: usize,
    /// Also write each into this folder: a board file and an answer file
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
    #[command(flatten)]
    resources: Resources,
}

impl Arguments {
    pub(crate) fn execute(self, out: &mut dyn Write) -> Result<(), String> {
        let geometry = self.group.shape.geometry();
        let spans = [self.moves, self.steps, self.sum, self.difference, self.ratio, self.answers];
        let spans = Figure::ALL.into_iter().zip(spans).filter_map(|(figure, span)| Some((figure, span?))).collect();
        let selection = Selection {
            spans,
            letters: squares_named(geometry, "--letters-on", &self.letters_on)?,
            numbers: squares_named(geometry, "--numbers-on", &self.numbers_on)?,
            empty: squares_named(geometry, "--empty", &self.empty)?,
            insignificant: self.insignificant,
            order: self.sort,
            ascending: self.ascending,
            first: self.first,
        };
        let mut atlas = self.resources.atlas(Options::ANY_STEPS);
        let selected = selection.select(atlas.table(self.group)?);
        let problems = Problem::answered(&mut atlas, self.group, selected.problems)?;
        eprintln!("{} of {} problems that meet the criteria", problems.len(), selected.matching);
        let mut heading = Problem::HEADING.to_vec();
        let mut rows: Vec<Vec<String>> = problems.iter().map(Problem::cells).collect();
        if let Some(folder) = &self.write {
            heading.insert(0, "board");
            let names = write_boards(folder, &self.group.file_name(), &problems)?;
            rows.iter_mut().zip(names).for_each(|(row, name)| row.insert(0, name));
        }
        csv(out, &heading, &rows)
    }
}

fn squares_named(geometry: &Geometry, option: &str, names: &[String]) -> Result<u64, String> {
    names.iter().try_fold(0, |set, name| {
        let square = geometry.named(name);
        let square =
            square.ok_or_else(|| format!("{option}: invalid square `{name}`; use row and column, such as 42"))?;
        Ok(set | square.bit())
    })
}
