//! Places with their ranges over resampled boards, and the share of such ranges that contain the true place.

use maud::{Markup, html};

use super::axis::{Tick, horizontal, numbers};
use super::colour::{Colour, mark};
use super::scale::Scale;
use super::sheet::{Anchor, fill, small, stroke};
use super::text::px;
use judge_core::compare::{Places, ResampledPlaces};

/// The shares of ranges that contained the true place in simulated contests: their boards, and the lowest and the highest
/// share of the kinds of contests, in percent. From `results/places.csv`, to which a test compares it.
const COVERAGE: [(usize, u32, u32); 5] = [(6, 85, 97), (10, 88, 99), (20, 90, 100), (50, 96, 100), (200, 99, 100)];

/// Half the height of the ends of a range.
const END: f64 = 4.0;

/// Describes how often ranges contain the true place with this number of boards; `None` below the fewest simulated
/// boards.
pub(super) fn coverage(boards: usize) -> Option<String> {
    let (simulated, lowest, highest) = COVERAGE.into_iter().rfind(|(simulated, ..)| *simulated <= boards)?;
    let share = if lowest == highest { lowest.to_string() } else { format!("{lowest} to {highest}") };
    Some(format!("In simulated contests of {simulated} boards, {share} % of such ranges contained the true place."))
}

/// Creates the scale from the first to the last place.
pub(super) fn scale(last: usize, range: (f64, f64)) -> Scale {
    Scale::linear((1.0, last.max(2) as f64), range)
}

/// Draws the axis of places, with a grid from `top` to `bottom`.
pub(super) fn axis(scale: &Scale, span: (f64, f64)) -> Markup {
    let mut ticks: Vec<Tick> = numbers(scale, 4).into_iter().filter(|(place, _)| place.fract() == 0.0).collect();
    // Multiples of a step from 0 leave out the first place.
    if ticks.first().is_none_or(|(place, _)| *place > 1.0) {
        ticks.insert(0, (1.0, "1".into()));
    }
    horizontal(scale, span, &ticks, "place")
}

/// Draws the place of an entry with its range, and the place as a number at `end`.
pub(super) fn draw(places: Option<&Places>, series: Option<usize>, scale: &Scale, (y, end): (f64, f64)) -> Markup {
    let Some(Places { place, resampled, .. }) = places else { return small((end, y), Anchor::End, "–") };
    let x = scale.at(*place as f64);
    let (shape, size) = series.map_or((0, 3.5), |series| (series, 5.0));
    let colour = Colour::from_series(series);
    html! {
        @if let Some(ResampledPlaces { best, worst, .. }) = resampled {
            @let (best, worst) = (px(scale.at(*best as f64)), px(scale.at(*worst as f64)));
            @let (top, bottom) = (px(y - END), px(y + END));
            (colour.draw(&stroke(&format!("M{best} {top}V{bottom}M{best} {}H{worst}M{worst} {top}V{bottom}", px(y)), 1.5, None)))
        }
        (colour.marks(&fill(&mark(shape, x, y, size))))
        (small((end, y), Anchor::End, &place.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of the table, as boards and the percentages of the judge's ranges.
    fn recorded() -> Vec<(usize, f64)> {
        let table = include_str!("../../../../results/places.csv");
        let rows = table.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
        rows.map(|cells| (cells[0].parse().unwrap(), cells[2].parse().unwrap())).collect()
    }

    #[test]
    fn the_shares_are_those_of_the_simulation() {
        let rows = recorded();
        assert_eq!(rows.len(), 4 * COVERAGE.len());
        for (boards, lowest, highest) in COVERAGE {
            let shares = || rows.iter().filter(|row| row.0 == boards).map(|row| row.1.round());
            let ends = (shares().fold(100.0, f64::min), shares().fold(0.0, f64::max));
            assert_eq!(ends, (f64::from(lowest), f64::from(highest)), "{boards} boards");
        }
    }

    #[test]
    fn the_sentence_is_about_contests_that_are_not_larger() {
        assert_eq!(coverage(5), None);
        let of = |boards| coverage(boards).unwrap();
        assert!(of(9).starts_with("In simulated contests of 6 boards,") && of(9) != of(10));
        assert!(of(100_000).starts_with("In simulated contests of 200 boards,"));
    }

    #[test]
    fn the_axis_has_whole_places_from_the_first_on() {
        for (last, labels) in
            [(2, vec!["1", "2"]), (5, vec!["1", "2", "3", "4", "5"]), (18, vec!["1", "5", "10", "15"])]
        {
            let axis = axis(&scale(last, (0.0, 200.0)), (0.0, 50.0)).into_string();
            let found: Vec<&str> = axis
                .split("</text>")
                .filter_map(|part| Some(part.rsplit_once('>')?.1))
                .filter(|part| *part != "place")
                .collect();
            assert_eq!(found[..labels.len()], labels, "{axis}");
        }
    }
}
