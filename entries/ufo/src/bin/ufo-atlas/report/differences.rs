//! A row that differs from the article's: a possible explanation, and problems that prove the difference.

use std::collections::BTreeSet;
use std::path::Path;

use ufo_kit::atlas::Atlas;
use ufo_kit::atlas::select::{Figure, Selection};
use ufo_kit::atlas::table::{Row, Solution, Table};
use ufo_kit::position::Position;

use super::published::PublishedRow;
use crate::output::{Problem, cell, write_boards};

/// Problems with their best answers.
type Problems = Vec<(Position, Solution)>;

/// Limits on the steps of a move that are tried as explanations.
const BOUNDS: std::ops::RangeInclusive<u32> = 1..=12;

/// A difference and its witnesses.
pub(super) struct Difference<'a> {
    published: &'a PublishedRow,
    ours: &'a Row,
    /// The problem with the most moves and the problem with the most steps.
    hardest: Vec<Problem>,
    /// A limit on the steps of a move under which our row equals the article's.
    bound: Option<u32>,
    /// The problems that have solutions only without that limit.
    missing: Vec<Problem>,
}

impl<'a> Difference<'a> {
    pub(super) fn find(atlas: &mut Atlas, published: &'a PublishedRow, ours: &'a Row) -> Result<Self, String> {
        let group = published.group;
        let table = atlas.table(group)?;
        let mut hardest = Vec::new();
        for order in [[Figure::Moves, Figure::Steps], [Figure::Steps, Figure::Moves]] {
            let selection = Selection { order: order.to_vec(), first: 1, ..Selection::default() };
            hardest.extend(selection.select(table).problems);
        }
        hardest.dedup();
        let (bound, missing) = explain(atlas, published)?;
        let hardest = Problem::answered(atlas, group, hardest)?;
        let missing = Problem::answered(atlas, group, missing)?;
        Ok(Difference { published, ours, hardest, bound, missing })
    }

    /// The columns of witnesses.csv. `longest` is the most moves among all solvable problems of the group. If a move may have at
    /// most `most_steps` steps, our row equals the article's, and the problems called `missing` have no solution.
    pub(super) const HEADING: [&'static str; 8] =
        ["group", "witness", "moves", "steps", "answers", "longest", "most_steps", "best_answer"];

    /// Writes the witnesses, and returns their rows of witnesses.csv.
    pub(super) fn write(&self, witnesses: &Path) -> Result<Vec<Vec<String>>, String> {
        let group = self.published.group;
        let hardest = write_boards(witnesses, &format!("{}-hardest", group.file_name()), &self.hardest)?;
        let missing = write_boards(witnesses, &format!("{}-missing", group.file_name()), &self.missing)?;
        let all = missing.into_iter().zip(&self.missing).chain(hardest.into_iter().zip(&self.hardest));
        let row = |(name, problem): (String, &Problem)| {
            let Solution { cost, count, .. } = problem.solution;
            vec![
                group.to_string(),
                name,
                cost.moves.to_string(),
                cost.steps.to_string(),
                count.to_string(),
                cell(self.ours.longest),
                cell(self.bound),
                problem.answer.to_string(),
            ]
        };
        Ok(all.map(row).collect())
    }
}

/// Finds a limit on the steps of a move under which the row equals the article's, and the problems that lose their
/// solutions under it.
fn explain(atlas: &mut Atlas, published: &PublishedRow) -> Result<(Option<u32>, Problems), String> {
    let group = published.group;
    for most_steps in BOUNDS {
        let mut bounded = atlas.bounded(most_steps);
        let row = bounded.row(group)?;
        if !published.differs(&row) {
            let kept: BTreeSet<(u64, u64)> = with_solutions(bounded.table(group)?).map(|(key, ..)| key).collect();
            let lost = with_solutions(atlas.table(group)?).filter(|(key, ..)| !kept.contains(key));
            return Ok((Some(most_steps), lost.map(|(_, position, solution)| (position, solution)).collect()));
        }
    }
    Ok((None, Vec::new()))
}

/// The problems that the article counts as having solutions.
fn with_solutions(table: &Table) -> impl Iterator<Item = ((u64, u64), Position, Solution)> + '_ {
    let significant = table.problems().filter(|(_, solution)| solution.is_significant());
    significant.map(|(position, solution)| ((position.letters, position.numbers), position, solution))
}
