//! All problems of a group at once.

pub mod group;
mod index;
mod ranks;
pub mod solve;
pub mod table;
mod ways;
mod work;
