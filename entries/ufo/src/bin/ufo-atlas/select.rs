//! `ufo-atlas select`: problems by their figures and squares.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ufo_kit::atlas::group::Group;
use ufo_kit::atlas::select::{Figure, Selection, Span};
use ufo_kit::atlas::solve::Means;
use ufo_kit::geometry::Geometry;

use crate::Resources;
use crate::output::{Problem, csv, write_boards};

/// Print the problems of a group that fulfil criteria, hardest first, as CSV with a best answer each
///
/// Ranges are written 10, 10..12, 10.. or ..12, both ends included. A problem stands for its rotations and reflections;
/// it is shown in the first orientation in which its pieces are on the squares that are asked for. The number of best
/// answers counts those with other moves, another order of moves, or other steps of a move: the article's "1 of n".
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
    /// Steps less moves
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
    /// Also problems with insignificant number pieces
    #[arg(long)]
    insignificant: bool,
    /// Figures to sort by: moves, steps, sum, difference, ratio, answers
    #[arg(long, value_name = "FIGURES", value_delimiter = ',', default_value = "moves,steps")]
    sort: Vec<Figure>,
    /// The smallest first, not the largest
    #[arg(long)]
    ascending: bool,
    /// How many problems to give out
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    first: usize,
    /// Also write them into this folder, a board file and a file with the answer each
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
        let mut atlas = self.resources.atlas(Means::ANY_STEPS);
        let selected = selection.select(atlas.table(self.group)?);
        let problems = Problem::answered(&mut atlas, self.group, selected.problems)?;
        eprintln!("{} of {} problems that fulfil the criteria", problems.len(), selected.matching);
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
            square.ok_or_else(|| format!("{option}: `{name}` is no square; write row and column, such as 42"))?;
        Ok(set | square.bit())
    })
}
