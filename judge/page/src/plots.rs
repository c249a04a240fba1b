//! Figures that explain results: the winner, the margins, the reasons. Pure: results in, SVG out.
//!
//! No library draws them, for three reasons. Colours must be classes, so that a drawing follows the light or dark
//! scheme without a script; `plotters` writes them into every element. Marks of one series must share an element, or 40
//! entries on 200 boards make a page too large to mail. And `charming` needs its renderer, a megabyte of JavaScript, in
//! the page. The code is small: one file each for scales, axes, labels and legends, and one per drawing. Unknown values
//! are left out with a note, never drawn as 0. Descriptions mention every aggregation. Every drawing has a table with
//! its data.
mod anytime;
mod axis;
mod cactus;
mod changes;
mod colour;
mod gaps;
mod head_to_head;
mod labels;
mod legend;
mod marks;
mod moves;
mod places;
mod plot_data;
mod portfolio;
mod profile;
mod progress;
mod race;
mod scale;
mod scores;
mod sheet;
mod steps;
mod text;
mod time;

use super::plot::{Curve, Improvements, Plot};
use judge_core::compare::{Repeats, Source};
use plot_data::{PlotData, PlotEntry, shown};

/// All figures, and the warnings about the comparison on which they are based.
pub(super) struct Plots {
    /// The main result of several sources; `None` for a single source, which has its own answer.
    pub(super) answer: Option<String>,
    /// The figures, in the order in which they explain a contest.
    pub(super) figures: Vec<Plot>,
    /// The race of all entries, for the first screen.
    pub(super) race: Option<Plot>,
    /// The variation over repeats, of the sources that have repeats.
    pub(super) repeats: Vec<Repeats>,
    /// The score of a board in words.
    pub(super) score_rule: String,
    /// The warnings, as sentences. Drawings that are saved alone also contain them.
    pub(super) warnings: Vec<String>,
    /// The warnings, and notes on data that no figure shows.
    pub(super) notes: Vec<String>,
}

impl Plots {
    /// Draws all figures of these sources.
    pub(super) fn new(sources: &[&Source], curves: &[Curve], improvements: &[Improvements]) -> Self {
        let (sources, hidden) = shown(sources);
        let mut data = PlotData::from_sources(&sources, hidden);
        let (moves, solved) = (data.scoring.cost.is_some(), data.solves());
        let race = if solved { race::draw(&data) } else { None };
        data.colour_by(PlotEntry::by_score);
        let mut figures = vec![scores::draw(&data)];
        if moves {
            figures.extend([moves::draw(&data), gaps::draw(&data)]);
            figures.extend(changes::draw(&data));
            figures.push(profile::draw(&data));
        }
        if solved {
            data.colour_by_both(PlotEntry::by_time, PlotEntry::by_moves);
            figures.push(cactus::draw(&data));
            data.colour_by(PlotEntry::by_score);
            figures.push(time::draw(&data));
        }
        data.colour_by(PlotEntry::by_score);
        figures.extend(anytime::draw(&data, &sources, improvements));
        if moves {
            data.colour_by(PlotEntry::by_moves);
            figures.extend(progress::draw(&data, curves));
        }
        data.colour_by(PlotEntry::by_score);
        figures.push(portfolio::draw(&data));
        figures.push(head_to_head::draw(&data));
        // Figures compare entries that solve the same boards. Entries that play each other have a cross table.
        if sources.iter().any(|source| source.results.matches.is_some()) {
            figures.clear();
        }
        let score_rule = data.score_rule();
        let notes = data.notes();
        let (answer, repeats) = match data.comparison {
            Ok(comparison) => (Some(comparison.answer.text).filter(|_| sources.len() > 1), comparison.repeats),
            Err(_) => (None, Vec::new()),
        };
        Self { answer, figures, race, repeats, score_rule, warnings: data.warnings, notes }
    }
}

#[cfg(test)]
mod tests;
