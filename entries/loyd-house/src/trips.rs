//! Corrections of the estimate by the trips of single tiles.
//!
//! Look-ups are lower bounds, which fall short of some trips more than of others. By how much was learned from answers to
//! random boards: by least squares, the moves left less the greatest look and less the mean of all looks are a constant
//! plus a number per trip. A tile on spot *a* with home *b* makes the trip from *a* to *b* by moves, and the trip from *b*
//! to *a* by undone moves, so both directions share the numbers. So do all rotations and reflections of a trip. Three
//! quarters of the numbers order beams best. `examples/experiments/trips.rs` prints the table.

use crate::direction::Direction;
use crate::geometry::{CENTRE, SIDE, SPOTS};
use crate::symmetry;

/// The spots from which trips start, except for rotations and reflections.
pub const ORIGINS: [usize; 6] = [0, 1, 2, SIDE + 1, SIDE + 2, CENTRE];

/// By origin and spot, the correction for the trip between them, in eighths of a move.
#[rustfmt::skip]
const CORRECTIONS: [[i8; SPOTS]; ORIGINS.len()] = [
    [-12, -13, -16, -14, -13, -13, -16, -20, -22, -22, -16, -20, -21, -23, -17, -14, -22, -23, -19, -14, -13, -22, -17, -14, -12],
    [-15, -3, -9, -13, -15, -17, -6, -13, -21, -22, -19, -10, -15, -22, -16, -24, -15, -18, -16, -14, -22, -19, -14, -13, -14],
    [-16, -11, 0, -11, -16, -20, -16, -4, -16, -20, -13, -19, -6, -19, -13, -10, -10, -2, -10, -10, -10, -6, -3, -6, -10],
    [-18, -7, -13, -23, -24, -7, 8, 0, -11, -20, -13, 0, -7, -16, -14, -23, -11, -16, -14, -12, -24, -20, -14, -12, -16],
    [-19, -17, -7, -17, -19, -15, -3, 6, -3, -15, -8, -10, 3, -10, -8, -5, -4, 4, -4, -5, -9, -3, 1, -3, -9],
    [-11, -4, -1, -4, -11, -4, 1, 4, 1, -4, -1, 4, 20, 4, -1, -4, 1, 4, 1, -4, -11, -4, -1, -4, -11],
];

/// The trip that represents this one and all of its images: the number of its origin, and its end.
pub fn representative(from: usize, to: usize) -> (usize, usize) {
    let images = symmetry::all().map(|image| [from, to].map(|spot| usize::from(image[spot])));
    let of = |[from, to]: [usize; 2]| Some((ORIGINS.iter().position(|&origin| origin == from)?, to));
    images.into_iter().filter_map(of).min().expect("an image of every spot is an origin")
}

/// The correction for a tile on a spot, for a search in this direction, in parts of a move.
pub(crate) fn correction(direction: Direction, spot: usize, home: usize) -> i16 {
    let (from, to) = match direction {
        Direction::Forwards => (spot, home),
        Direction::Backwards => (home, spot),
    };
    let (origin, to) = representative(from, to);
    CORRECTIONS[origin][to].into()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::beam::{self, BeamSettings, Width};
    use crate::clock::Deadline;
    use crate::estimate::Estimate;
    use crate::gap_table::GapTables;
    use crate::groups::GAP_THREES;
    use crate::position::Packed;

    #[test]
    fn images_of_a_trip_have_the_same_correction_in_both_directions() {
        for from in 0..SPOTS {
            for to in 0..SPOTS {
                let ahead = correction(Direction::Forwards, from, to);
                assert_eq!(correction(Direction::Backwards, to, from), ahead);
                for image in symmetry::all() {
                    let [from, to] = [from, to].map(|spot| usize::from(image[spot]));
                    assert_eq!(correction(Direction::Forwards, from, to), ahead);
                }
            }
        }
        // The printed rows contain every image, not only the one that is used.
        for (row, &origin) in CORRECTIONS.iter().zip(&ORIGINS) {
            for (to, &eighths) in row.iter().enumerate() {
                assert_eq!(i16::from(eighths), correction(Direction::Forwards, origin, to), "{origin} to {to}");
            }
        }
    }

    #[test]
    fn corrections_shorten_the_answers_of_narrow_beams_from_both_ends() {
        let tables = GapTables::both(GAP_THREES, 2).unwrap().map(Arc::new);
        let boards =
            ["THEQU ICKBR OWNFX JMPSV LADG+", "BFECK RXUGT VPD+J HAQIW OSNML", "QWERT UIOPA SDFGH JKLXC VBNM+"];
        let boards = boards.map(|text| Packed::from(&text.parse::<loyd_kit::Board>().unwrap()));
        for end in [0, 1] {
            let [without, with] = [true, false].map(|plain| {
                let length = |&board: &Packed| {
                    let estimate = Estimate::both(board, &tables).into_iter().nth(end).unwrap();
                    let estimate = if plain { estimate.uncorrected() } else { estimate };
                    let (width, most_moves) = (Width::Fixed(1_000), &AtomicUsize::new(140));
                    let settings = BeamSettings { width, most_moves, threads: 1, deadline: Deadline::never() };
                    beam::search(&estimate, estimate.direction().start(board), settings).unwrap().len()
                };
                boards.iter().map(length).sum::<usize>()
            });
            assert!(with + 6 < without, "end {end}: {with} and {without}");
        }
    }

    #[test]
    fn trips_have_as_many_representatives_as_orbits() {
        let trips = (0..SPOTS).flat_map(|from| (0..SPOTS).map(move |to| representative(from, to)));
        let distinct: std::collections::HashSet<_> = trips.collect();
        // By Burnside's lemma: the identity keeps 625 trips, each of four reflections 25, each rotation 1.
        assert_eq!(distinct.len(), (625 + 4 * 25 + 3) / 8);
    }
}
