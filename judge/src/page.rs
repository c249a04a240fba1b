//! The results page: one HTML file that can be mailed, with the standings, every run behind its cell, and figures.
//!
//! A page is a pure function of ranked results, their journal, what the entries printed, and the judge's own replays
//! of it. It needs no network and is readable without its script; what strangers wrote is text in it and nothing else.

mod best;
mod data;
mod document;
mod entries;
mod excerpt;
mod facts;
mod figure;
mod film;
mod fold;
mod played;
mod plots;
mod run;
mod side_by_side;
mod standings;
mod text;
mod viewer;
mod write_up;

pub use document::write;
pub use figure::{Curve, Figure, Table};
pub use run::{Kept, Run};
