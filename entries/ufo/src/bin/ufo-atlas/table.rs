//! `ufo-atlas table`: prints rows of the article's tables.

use std::io::Write;
use std::time::Duration;

use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use ufo_kit::atlas::Atlas;
use ufo_kit::atlas::group::Group;
use ufo_kit::atlas::solve::Options;
use ufo_kit::atlas::table::Row;
use ufo_kit::geometry::Shape;

use crate::Resources;
use crate::output::{cell, csv, grouped, markdown, unprintable};

/// Print a row of the article's tables for each group
///
/// Columns:
///   possible   placements of labelled pieces, as the article counts them
///   problems   all problems: pieces of a kind are interchangeable, rotations
///              and reflections are excluded
///   movable    problems with a legal move
///   solvable   problems with an answer
///   solutions  problems whose number pieces are all significant in every best
///              answer; the article calls them "with solutions"
///   max_moves  the most moves of the best answers to these
///   max_steps  the most steps of the best answers to these
///   longest    the most moves of the best answers to all solvable problems
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// Groups such as 2-4 or cross:2-4 [default: those of the article's tables]
    groups: Vec<Group>,
    /// Output format
    #[arg(long, value_enum, default_value = "markdown")]
    format: Format,
    /// Also print the memory that each group needs, and the wall-clock and processor seconds to solve it after the group
    /// with one letter piece less
    #[arg(long)]
    figures: bool,
    /// Limit the steps of a move; the rules of the game set no limit
    #[arg(long, value_name = "STEPS", conflicts_with = "keep", value_parser = clap::value_parser!(u32).range(1..))]
    most_steps: Option<u32>,
    #[command(flatten)]
    resources: Resources,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Markdown,
    Csv,
}

/// The headings of a table of groups.
pub(crate) const HEADING: [&str; 9] =
    ["group", "possible", "problems", "movable", "solvable", "solutions", "max_moves", "max_steps", "longest"];

impl Arguments {
    pub(crate) fn execute(self, out: &mut dyn Write) -> Result<(), String> {
        let groups = if self.groups.is_empty() { article_groups() } else { self.groups };
        let mut atlas = self.resources.atlas(self.most_steps.unwrap_or(Options::ANY_STEPS));
        let rows = rows(&mut atlas, &groups)?;
        let mut heading = HEADING.to_vec();
        let number = if self.format == Format::Csv { |number: u64| number.to_string() } else { grouped };
        let mut cells: Vec<Vec<String>> =
            groups.iter().zip(&rows).map(|(group, row)| cells(*group, row, number)).collect();
        if self.figures {
            heading.extend(["memory", "seconds", "processor_seconds"]);
            for (group, cells) in groups.iter().zip(&mut cells) {
                let memory = Atlas::bytes(*group);
                let memory =
                    if self.format == Format::Csv { memory.to_string() } else { ByteSize::b(memory).to_string() };
                let time = atlas.time(*group);
                let seconds = |time: Option<Duration>| cell(time.map(|time| format!("{:.2}", time.as_secs_f64())));
                cells.extend([memory, seconds(time.map(|time| time.wall)), seconds(time.map(|time| time.processors))]);
            }
        }
        match self.format {
            Format::Csv => csv(out, &heading, &cells),
            Format::Markdown => markdown(out, &heading, &cells).map_err(unprintable),
        }
    }
}

/// Returns the rows of the groups, in their order. Solves none if one of them needs too much memory.
pub(crate) fn rows(atlas: &mut Atlas, groups: &[Group]) -> Result<Vec<Row>, String> {
    groups.iter().try_for_each(|group| atlas.check_memory(*group))?;
    // A group follows the one with one letter piece less, whose table it needs.
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|&place| (groups[place].shape == Shape::Cross, groups[place].numbers, groups[place].letters));
    let mut rows = vec![Row::default(); groups.len()];
    for place in order {
        rows[place] = atlas.row(groups[place])?;
    }
    Ok(rows)
}

/// The values of a group, a cell for each of [`HEADING`].
pub(crate) fn cells(group: Group, row: &Row, number: impl Fn(u64) -> String) -> Vec<String> {
    let Row { problems, movable, solvable, solutions, max_moves, max_steps, longest } = *row;
    let counts = [group.possible(), problems, movable, solvable, solutions].map(number);
    let most = [max_moves, max_steps, longest].map(cell);
    [group.to_string()].into_iter().chain(counts).chain(most).collect()
}

/// The groups of both tables of the article, in the same order.
fn article_groups() -> Vec<Group> {
    let tables = [(Shape::Square, [6, 5, 3]), (Shape::Cross, [5, 4, 3])];
    let groups = tables.into_iter().flat_map(|(shape, most)| {
        (1..)
            .zip(most)
            .flat_map(move |(letters, most)| (1..=most).filter_map(move |numbers| Group::new(shape, letters, numbers)))
    });
    groups.collect()
}
