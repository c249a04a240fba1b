//! Figures that explain results: the winner, the margins, the reasons. Pure: results in, SVG out.
//!
//! They are drawn here and not by a library for three reasons. Colours must be classes, so that a drawing follows the
//! light or dark scheme without a script; `plotters` writes them into every element. Marks of one series must share an
//! element, or 40 entries on 200 boards make a page too large to mail. And `charming` needs its renderer, a megabyte of
//! JavaScript, in the page. The code left is small: a file each for scales, axes, labels and legends, and then one file
//! per drawing. Unknown values are left out with a note, never drawn as 0; descriptions mention every aggregation;
//! every drawing has a table with its data.
mod axis;
mod cactus;
mod gaps;
mod head_to_head;
mod ink;
mod labels;
mod legend;
mod moves;
mod plot_data;
mod profile;
mod progress;
mod scale;
mod scores;
mod sheet;
mod steps;
mod text;
mod time;

use super::figure::{Curve, Figure};
use judge_core::compare::Source;
use plot_data::{PlotData, shown};

/// All figures, and the warnings about the comparison on which they are based.
pub(super) struct Plots {
    /// The figures, in the order in which they explain a contest.
    pub(super) figures: Vec<Figure>,
    /// The warnings, as sentences. The descriptions of the figures contain them too.
    pub(super) warnings: Vec<String>,
}

impl Plots {
    /// Draws all figures of these sources.
    pub(super) fn of(sources: &[&Source], curves: &[Curve]) -> Self {
        let (sources, hidden) = shown(sources);
        let data = PlotData::of(&sources, hidden);
        let figures = vec![
            scores::draw(&data),
            moves::draw(&data),
            gaps::draw(&data),
            profile::draw(&data),
            cactus::draw(&data),
            time::draw(&data),
            progress::draw(&data, curves),
            head_to_head::draw(&data),
        ];
        Self { figures, warnings: data.warnings }
    }
}

#[cfg(test)]
mod tests;
