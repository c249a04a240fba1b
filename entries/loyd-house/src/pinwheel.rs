//! Tables for a goal with the empty spot anywhere, few of them thanks to symmetry.
//!
//! Four rectangles of two by three spots surround the centre like a pinwheel, and their mirror images turn the other
//! way. All rectangles are images of one, so the tables of its tiles serve them all. If the empty spot ends in a
//! rectangle, that one contains the tile of the centre instead of the missing one, and has its own table, which
//! includes the ending.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use crate::geometry::{CENTRE, Geometry, SPOTS};
use crate::heuristic::{Group, Heuristic, VIEWS};
use crate::position::byte;
use crate::symmetry::{Symmetry, compose, identity, mirror, quarter_turn};
use crate::table::{ENDING, Table};

/// The rectangle of which all others are images, in groups of tiles with one table each.
pub type Rectangle = &'static [&'static [u8]];

/// The rectangle in one group: a table of 244 MB.
pub const SIX: Rectangle = &[&[0, 1, 2, 5, 6, 7]];
/// The rectangle in two groups: tables of 15,625 bytes.
pub const TWO_THREES: Rectangle = &[&[0, 1, 2], &[5, 6, 7]];

/// Bytes of a table of [`SIX`].
pub const BYTES: usize = SPOTS.pow(6);

/// By view, the four symmetries that map the rectangles of a pinwheel to the one with the tables.
pub(crate) fn rectangle_images() -> [[Symmetry; 4]; VIEWS] {
    [identity(), mirror()].map(|view| {
        let mut image = view;
        [(); 4].map(|()| {
            image = compose(&image, &quarter_turn());
            image
        })
    })
}

/// Builds the tables of the rectangle's tiles, for the moves of a board and any last empty spot. Tables in `known` are
/// reused.
///
/// # Errors
/// If there is not enough memory.
pub fn tables(
    board: &Geometry,
    rectangle: Rectangle,
    known: &[&Arc<Table>],
    threads: usize,
) -> io::Result<Vec<Arc<Table>>> {
    let build = |homes: &&[u8]| match known.iter().find(|table| table.homes() == *homes && table.ending() == 0) {
        Some(&table) => Ok(Arc::clone(table)),
        None => Table::build(board, homes, 0, threads).map(Arc::new),
    };
    rectangle.iter().map(build).collect()
}

/// Builds the tables of the groups in which the empty spot of a board ends.
///
/// # Errors
/// If there is not enough memory.
pub fn endings(board: &Geometry, rectangle: Rectangle, threads: usize) -> io::Result<Vec<Arc<Table>>> {
    let ends: BTreeSet<u8> = rectangle_images().as_flattened().iter().map(|image| image[board.end()]).collect();
    let groups = ends.iter().flat_map(|end| rectangle.iter().map(move |homes| (*end, *homes)));
    let groups = groups.filter(|(end, homes)| homes.contains(end));
    let build = |(end, homes): (u8, &[u8])| {
        let board = board.clone().ending_at(end.into());
        Table::build(&board, &filled(homes, end), ENDING, threads).map(Arc::new)
    };
    groups.map(build).collect()
}

/// Builds all tables of a board, the rectangle's first.
///
/// # Errors
/// If there is not enough memory.
pub fn build(board: &Geometry, rectangle: Rectangle, threads: usize) -> io::Result<Vec<Arc<Table>>> {
    Ok([tables(board, rectangle, &[], threads)?, endings(board, rectangle, threads)?].concat())
}

/// The homes, with the centre instead of the last empty spot.
fn filled(homes: &[u8], end: u8) -> Vec<u8> {
    homes.iter().map(|&home| if home == end { byte(CENTRE) } else { home }).collect()
}

/// Makes the heuristic for a board from these tables, the rectangle's and those of the endings; `None` if one is
/// missing.
pub fn heuristic(board: &Geometry, rectangle: Rectangle, tables: &[Arc<Table>]) -> Option<Heuristic> {
    let mut views = [Vec::new(), Vec::new()];
    for (groups, rectangle_images) in views.iter_mut().zip(rectangle_images()) {
        for (image, homes) in
            rectangle_images.iter().flat_map(|&image| rectangle.iter().map(move |homes| (image, homes)))
        {
            let homes = filled(homes, image[board.end()]);
            let table = tables.iter().find(|table| table.homes() == homes)?;
            groups.push(Group { table: Arc::clone(table), image });
        }
    }
    Heuristic::of(board.clone(), views)
}
