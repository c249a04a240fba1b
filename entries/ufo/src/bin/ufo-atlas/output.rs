//! Output of the subcommands: squares, tables, CSV, board files with their answers.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use ufo_kit::answer::Answer;
use ufo_kit::atlas::Atlas;
use ufo_kit::atlas::follow::answers;
use ufo_kit::atlas::group::Group;
use ufo_kit::atlas::table::Solution;
use ufo_kit::board::Board;
use ufo_kit::geometry::{Geometry, squares};
use ufo_kit::position::Position;

/// The message for a failed write to standard output.
pub(crate) fn unprintable(error: io::Error) -> String {
    format!("cannot print: {error}")
}

/// The names of squares in reading order: `11 13 44`.
pub(crate) fn names(geometry: &Geometry, set: u64) -> String {
    let names: Vec<String> = squares(set).map(|square| geometry.name(square).to_string()).collect();
    names.join(" ")
}

/// The cell of a figure; empty if the figure is missing.
pub(crate) fn cell(figure: Option<impl ToString>) -> String {
    figure.map(|figure| figure.to_string()).unwrap_or_default()
}

/// Writes the heading and the rows as CSV.
pub(crate) fn csv(out: impl Write, heading: &[&str], rows: &[Vec<String>]) -> Result<(), String> {
    let mut writer = csv::Writer::from_writer(out);
    let written = writer.write_record(heading).and_then(|()| rows.iter().try_for_each(|row| writer.write_record(row)));
    written.map_err(|error| format!("cannot write CSV: {error}"))?;
    writer.flush().map_err(unprintable)
}

/// Writes rows as a Markdown table; all columns except the first are right-aligned.
pub(crate) fn markdown(out: &mut dyn Write, heading: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([heading[column].chars().count(), 3]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heading.len()).map(width).collect();
    let line = |out: &mut dyn Write, cells: &mut dyn Iterator<Item = String>| {
        for (column, (cell, width)) in cells.zip(&widths).enumerate() {
            let cell = if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
            write!(out, "| {cell} ")?;
        }
        writeln!(out, "|")
    };
    line(out, &mut heading.iter().map(|cell| (*cell).to_owned()))?;
    let rule = |(column, width): (usize, &usize)| {
        let dashes = "-".repeat(width - 1);
        if column == 0 { format!("-{dashes}") } else { format!("{dashes}:") }
    };
    line(out, &mut widths.iter().enumerate().map(rule))?;
    rows.iter().try_for_each(|row| line(out, &mut row.iter().cloned()))
}

/// Formats a number with a comma before every third digit from the right.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A problem with one of its best answers.
pub(crate) struct Problem {
    pub(crate) board: Board,
    pub(crate) solution: Solution,
    pub(crate) answer: Answer,
}

impl Problem {
    /// Adds an answer to each problem of a group, reconstructed from the tables and checked by a replay.
    pub(crate) fn answered(
        atlas: &mut Atlas,
        group: Group,
        problems: Vec<(Position, Solution)>,
    ) -> Result<Vec<Problem>, String> {
        let positions: Vec<Position> = problems.iter().map(|(position, _)| *position).collect();
        let answers = answers(atlas, group, &positions)?;
        let problem = |((position, solution), answer): ((Position, Solution), Answer)| {
            let board = Board::labelled(group.shape, position);
            let end = answer.replay(&board).map_err(|reason| format!("`{answer}` on\n{board}{reason}"))?;
            if end.position().letters != 0 || answer.cost() != solution.cost {
                return Err(format!("`{answer}` is no solution in {}:\n{board}", solution.cost));
            }
            Ok(Problem { board, solution, answer })
        };
        problems.into_iter().zip(answers).map(problem).collect()
    }

    /// The values of this problem, a cell for each heading of [`Problem::HEADING`].
    pub(crate) fn cells(&self) -> Vec<String> {
        let geometry = self.board.geometry();
        let Position { letters, numbers } = self.board.position();
        let insignificant = squares(self.solution.insignificant).filter_map(|square| self.board.label_on(square));
        vec![
            names(geometry, letters),
            names(geometry, numbers),
            self.solution.cost.moves.to_string(),
            self.solution.cost.steps.to_string(),
            self.solution.count.to_string(),
            insignificant.collect(),
            self.answer.to_string(),
        ]
    }

    /// The columns of a list of problems.
    pub(crate) const HEADING: [&str; 7] =
        ["letters", "numbers", "moves", "steps", "answers", "insignificant", "best_answer"];
}

/// Writes problems into a folder as `NAME-1.txt` with `NAME-1.answer` and so on; returns the names without extension.
pub(crate) fn write_boards(folder: &Path, name: &str, problems: &[Problem]) -> Result<Vec<String>, String> {
    let unwritable = |path: &Path, error: io::Error| format!("cannot write {}: {error}", path.display());
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, error))?;
    let digits = problems.len().to_string().len();
    let mut names = Vec::new();
    for (place, problem) in problems.iter().enumerate() {
        let file = format!("{name}-{:0digits$}", place + 1);
        let board = folder.join(format!("{file}.txt"));
        fs::write(&board, problem.board.to_string()).map_err(|error| unwritable(&board, error))?;
        let answer = folder.join(format!("{file}.answer"));
        fs::write(&answer, format!("{}\n", problem.answer)).map_err(|error| unwritable(&answer, error))?;
        names.push(file);
    }
    Ok(names)
}
