//! `ufo-atlas configurations`: number pieces, with the number of solvable placements of letter pieces.

use std::cmp::Reverse;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ufo_kit::atlas::configurations::{Configuration, configurations};
use ufo_kit::atlas::group::Group;
use ufo_kit::atlas::solve::Options;
use ufo_kit::atlas::table::Solution;
use ufo_kit::position::Position;

use crate::Resources;
use crate::output::{Problem, csv, names, write_boards};

/// Print configurations of number pieces as CSV, with the number of solvable placements of the letter pieces
///
/// A configuration represents its rotations and reflections. The columns placements and solvable count every placement
/// of the letter pieces. The column solutions counts problems whose number pieces are all significant in every best
/// answer; symmetric placements count once. The last columns show the hardest problem.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The group, such as 2-4 or cross:2-4
    group: Group,
    /// The configurations to list
    #[arg(long, value_enum, default_value = "most")]
    list: List,
    /// Omit configurations that a rotation or a reflection leaves unchanged
    #[arg(long)]
    asymmetric: bool,
    /// Print at most this many
    #[arg(long, value_name = "NUMBER")]
    first: Option<usize>,
    /// Also write each with its hardest placement into this folder: a board file and an answer file
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
    #[command(flatten)]
    resources: Resources,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum List {
    /// All with a solvable placement, those with the most solutions first
    Most,
    /// Those with exactly one solvable placement, which needs every number piece; the hardest first
    One,
    /// Those on which every placement is solvable; those with the most solutions first
    All,
}

const HEADING: [&str; 5] = ["configuration", "symmetric", "placements", "solvable", "solutions"];

impl Arguments {
    pub(crate) fn execute(self, out: &mut dyn Write) -> Result<(), String> {
        let mut atlas = self.resources.atlas(Options::ANY_STEPS);
        let table = atlas.table(self.group)?;
        let mut listed = configurations(table, self.resources.threads());
        listed.retain(|configuration| self.lists(configuration));
        let listed: Vec<(Configuration, Position)> =
            listed.into_iter().filter_map(|configuration| Some((configuration, configuration.problem()?))).collect();
        let mut listed: Vec<(Configuration, Position, Solution)> = listed
            .into_iter()
            .filter_map(|(configuration, problem)| Some((configuration, problem, table.solution(problem)?)))
            .collect();
        // The sort is stable: ties stay in reading order.
        listed.sort_by_key(|(configuration, _, solution)| match self.list {
            List::One => Reverse((solution.cost.moves, solution.cost.steps)),
            List::Most | List::All => Reverse((configuration.solutions, configuration.solvable)),
        });
        eprintln!("{} configurations", listed.len());
        listed.truncate(self.first.unwrap_or(usize::MAX));
        let hardest = listed.iter().map(|(_, problem, solution)| (*problem, *solution)).collect();
        let problems = Problem::answered(&mut atlas, self.group, hardest)?;
        let geometry = self.group.shape.geometry();
        let mut heading: Vec<&str> = HEADING.into_iter().chain(Problem::HEADING).collect();
        let mut rows: Vec<Vec<String>> = Vec::new();
        for ((configuration, ..), problem) in listed.iter().zip(&problems) {
            let Configuration { numbers, symmetric, placements, solvable, solutions, .. } = configuration;
            let counts = [placements, solvable, solutions].map(u32::to_string);
            let symmetric = if *symmetric { "yes" } else { "no" }.to_owned();
            let cells = [names(geometry, *numbers), symmetric].into_iter().chain(counts).chain(problem.cells());
            rows.push(cells.collect());
        }
        if let Some(folder) = &self.write {
            heading.insert(0, "board");
            let names = write_boards(folder, &format!("{}-configuration", self.group.file_name()), &problems)?;
            rows.iter_mut().zip(names).for_each(|(row, name)| row.insert(0, name));
        }
        csv(out, &heading, &rows)
    }

    fn lists(&self, configuration: &Configuration) -> bool {
        let kind = match self.list {
            List::Most => configuration.solvable > 0,
            List::One => configuration.has_one(),
            List::All => configuration.has_all(),
        };
        kind && !(self.asymmetric && configuration.symmetric)
    }
}
