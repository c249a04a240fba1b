//! Figures that explain results: the winner, the margins, the reasons. Pure: results in, SVG out.
//!
//! They are drawn here and not by a library for three reasons. Colours must be classes, so that a drawing follows the
//! light or dark scheme without a script; `plotters` writes them into every element. Marks of one series must share an
//! element, or 40 entries on 200 boards make a page too large to mail. And `charming` needs its renderer, a megabyte of
//! JavaScript, in the page. The code left is small: a file each for scales, axes, labels and legends, and then one file
//! per drawing. Unknown values are left out with a note, never drawn as 0; descriptions mention every aggregation;
//! every drawing has a table with its data.
mod axis;
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
mod sheet;
mod text;
mod time;

use super::figure::{Curve, Figure};
use judge_core::compare::Source;
use plot_data::{PlotData, shown};

/// Draws all figures of these sources, in the order in which they explain a contest.
pub(super) fn figures(sources: &[&Source], curves: &[Curve]) -> Vec<Figure> {
    let (sources, hidden) = shown(sources);
    let data = PlotData::of(&sources, hidden);
    vec![
        moves::draw(&data),
        gaps::draw(&data),
        profile::draw(&data),
        time::draw(&data),
        progress::draw(&data, curves),
        head_to_head::draw(&data, &sources),
    ]
}

#[cfg(test)]
mod tests;
