//! lib
pub mod automaton;
pub mod beam;
pub mod cells;
pub mod clock;
mod ending;
pub mod geometry;
pub mod groups;
pub mod guide;
pub mod ida;
pub mod position;
pub mod relax;
pub mod table;
