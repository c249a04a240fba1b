//! lib
pub mod answer;
pub mod anytime;
pub mod automaton;
pub mod beam;
pub mod cells;
pub mod certificate;
pub mod clock;
mod ending;
pub mod geometry;
pub mod groups;
pub mod guide;
pub mod ida;
pub mod position;
pub mod record;
pub mod relax;
pub mod store;
pub mod table;
pub mod window;
