//! Tables for a goal with the empty spot anywhere, few of them by symmetry.
//!
//! Four rectangles of two by three spots go round the centre like the sails of a pinwheel, and their mirror images the
//! other way round. All rectangles are images of one, so the tables of its tiles serve them all. Where the empty spot
//! is to end within a rectangle, that one takes in the centre's tile in place of the missing one, and has a table of its
//! own, which knows of the ending.

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

/// The tables of the rectangle's tiles, for the moves of a board, wherever the empty spot ends.
///
/// # Errors
/// If there is not enough memory.
pub fn tables(board: &Geometry, rectangle: Rectangle, threads: usize) -> io::Result<Vec<Arc<Table>>> {
    rectangle.iter().map(|homes| Table::build(board, homes, 0, threads).map(Arc::new)).collect()
}

/// The guide to the goal of a board, with the tables of the rectangle.
///
/// # Errors
/// If there is not enough memory for the tables of where the empty spot ends.
pub fn guide(board: &Geometry, tables: &[Arc<Table>], threads: usize) -> io::Result<Guide> {
    let mut endings: Vec<(u8, Arc<Table>)> = Vec::new();
    let mut views = [Vec::new(), Vec::new()];
    for (groups, sails) in views.iter_mut().zip(sails()) {
        for (image, table) in sails.iter().flat_map(|&image| tables.iter().map(move |table| (image, table))) {
            let end = image[board.end()];
            let table = if !table.homes().contains(&end) {
                Arc::clone(table)
            } else if let Some((_, table)) = endings.iter().find(|(known, _)| *known == end) {
                Arc::clone(table)
            } else {
                let filled = |&home: &u8| if home == end { byte(CENTRE) } else { home };
                let homes: Vec<u8> = table.homes().iter().map(filled).collect();
                let board = board.clone().ending_at(end.into());
                let table = Arc::new(Table::build(&board, &homes, ENDING, threads)?);
                endings.push((end, Arc::clone(&table)));
                table
            };
            groups.push(Group { table, image });
        }
    }
    Ok(Guide::of(board.clone(), views).expect("four rectangles and the centre are all spots"))
}
