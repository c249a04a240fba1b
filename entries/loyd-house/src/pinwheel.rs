//! Tables for a goal with the empty spot anywhere, few of them by symmetry.
//!
//! Four rectangles of two by three spots go round the centre like the sails of a pinwheel, and their mirror images the
//! other way round. All rectangles are images of one, so the tables of its tiles serve them all. Where the empty spot
//! is to end within a rectangle, that one takes in the centre's tile in place of the missing one, and has a table of its
//! own, which knows of the ending.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use crate::geometry::{CENTRE, Geometry, SPOTS};
use crate::guide::{Group, Guide, VIEWS};
use crate::position::byte;
use crate::symmetry::{Symmetry, identity, mirror, then, turn};
use crate::table::{ENDING, Table};

/// The rectangle that all others are images of, in groups of tiles with a table each.
pub type Rectangle = &'static [&'static [u8]];

/// In one group: a table of 244 MB.
pub const SIX: Rectangle = &[&[0, 1, 2, 5, 6, 7]];
/// In two groups: tables of 15,625 bytes.
pub const TWO_THREES: Rectangle = &[&[0, 1, 2], &[5, 6, 7]];

/// Bytes of a table of [`SIX`].
pub const BYTES: usize = SPOTS.pow(6);

/// By view, the four symmetries each of which takes one rectangle of a pinwheel to the one that has the tables.
pub(crate) fn sails() -> [[Symmetry; 4]; VIEWS] {
    [identity(), mirror()].map(|view| {
        let mut sail = view;
        [(); 4].map(|()| {
            sail = then(&sail, &turn());
            sail
        })
    })
}

/// The tables of the rectangle's tiles, for the moves of a board, wherever the empty spot ends. Those that are known
/// already are not built again.
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

/// The tables of the groups in which the empty spot ends on a board.
///
/// # Errors
/// If there is not enough memory.
pub fn endings(board: &Geometry, rectangle: Rectangle, threads: usize) -> io::Result<Vec<Arc<Table>>> {
    let ends: BTreeSet<u8> = sails().as_flattened().iter().map(|image| image[board.end()]).collect();
    let groups = ends.iter().flat_map(|end| rectangle.iter().map(move |homes| (*end, *homes)));
    let groups = groups.filter(|(end, homes)| homes.contains(end));
    let build = |(end, homes): (u8, &[u8])| {
        let board = board.clone().ending_at(end.into());
        Table::build(&board, &filled(homes, end), ENDING, threads).map(Arc::new)
    };
    groups.map(build).collect()
}

/// All tables of a board, the rectangle's first.
///
/// # Errors
/// If there is not enough memory.
pub fn build(board: &Geometry, rectangle: Rectangle, threads: usize) -> io::Result<Vec<Arc<Table>>> {
    Ok([tables(board, rectangle, &[], threads)?, endings(board, rectangle, threads)?].concat())
}

/// The homes with the centre in place of where the empty spot ends.
fn filled(homes: &[u8], end: u8) -> Vec<u8> {
    homes.iter().map(|&home| if home == end { byte(CENTRE) } else { home }).collect()
}

/// The guide to the goal of a board by these tables, the rectangle's and those of the endings; `None` if one is missing.
pub fn guide(board: &Geometry, rectangle: Rectangle, tables: &[Arc<Table>]) -> Option<Guide> {
    let mut views = [Vec::new(), Vec::new()];
    for (groups, sails) in views.iter_mut().zip(sails()) {
        for (image, homes) in sails.iter().flat_map(|&image| rectangle.iter().map(move |homes| (image, homes))) {
            let homes = filled(homes, image[board.end()]);
            let table = tables.iter().find(|table| table.homes() == homes)?;
            groups.push(Group { table: Arc::clone(table), image });
        }
    }
    Guide::of(board.clone(), views)
}
