//! Drawings of results: who won, by how much, and why. Pure: from results to SVG.
//!
//! They are drawn here and not by a library for three reasons. Colours must be classes, so that a drawing follows light
//! and dark without a script; `plotters` writes them into every element. Marks of one series must share an element, or
//! 40 entries on 200 boards do not fit a page that can be mailed. And `charming` needs its renderer, a megabyte of
//! JavaScript, in the page. What is left is small: scales, axes, labels and legends, a file each, and then a file a
//! drawing. Missing figures are left out and said, never drawn as 0; whatever is put together is said in the
//! description; every drawing has the table behind it.

mod axis;
mod field;
mod gaps;
mod head_to_head;
mod ink;
mod labels;
mod legend;
mod moves;
mod profile;
mod progress;
mod scale;
mod sheet;
mod text;
mod time;

use super::figure::{Curve, Figure};
use field::{Field, shown};
use judge_core::compare::Source;

/// All drawings of some runs together, in the order in which they explain a contest.
pub(super) fn figures(sources: &[&Source], curves: &[Curve]) -> Vec<Figure> {
    let (sources, hidden) = shown(sources);
    let field = Field::of(&sources, hidden);
    vec![
        moves::draw(&field),
        gaps::draw(&field),
        profile::draw(&field),
        time::draw(&field),
        progress::draw(&field, curves),
        head_to_head::draw(&field, &sources),
    ]
}

#[cfg(test)]
mod tests;
