//! Fuzz targets: each module has a function `check` that feeds bytes to a parser of untrusted input and panics if something
//! does not hold.
//!
//! `fuzz/README.md` lists what must hold and how to look for more.

pub mod answer;
pub mod board;
pub mod contest;
pub mod game;
pub mod journal;
pub mod package;
pub mod results_csv;
pub mod tokens;

mod common;

/// A target: it panics if something does not hold for these bytes.
pub type Check = fn(&[u8]);

/// All targets by name, in alphabetical order.
pub const TARGETS: [(&str, Check); 8] = [
    ("answer", answer::check),
    ("board", board::check),
    ("contest", contest::check),
    ("game", game::check),
    ("journal", journal::check),
    ("package", package::check),
    ("results_csv", results_csv::check),
    ("tokens", tokens::check),
];
