//! Fuzz targets: each module has a function `check` that feeds bytes to a parser of untrusted input and panics if something
//! does not hold.
//!
//! Each module says what must hold, and `fuzz/README.md` how to look for more.

pub mod answer;
pub mod board;
pub mod compare;
pub mod contest;
pub mod feedback;
pub mod figures;
pub mod frames;
pub mod game;
pub mod journal;
pub mod office_archive;
pub mod office_cookie;
pub mod office_form;
pub mod office_log;
pub mod package;
pub mod rank;
pub mod report;
pub mod result_xml;
pub mod results_csv;
pub mod ruling;
pub mod score_line;
pub mod seats;
pub mod tokens;

mod common;
mod page;
mod sources;

/// A target: it panics if something does not hold for these bytes.
pub type Check = fn(&[u8]);

/// All targets by name, in alphabetical order.
pub const TARGETS: [(&str, Check); 22] = [
    ("answer", answer::check),
    ("board", board::check),
    ("compare", compare::check),
    ("contest", contest::check),
    ("feedback", feedback::check),
    ("figures", figures::check),
    ("frames", frames::check),
    ("game", game::check),
    ("journal", journal::check),
    ("office_archive", office_archive::check),
    ("office_cookie", office_cookie::check),
    ("office_form", office_form::check),
    ("office_log", office_log::check),
    ("package", package::check),
    ("rank", rank::check),
    ("report", report::check),
    ("result_xml", result_xml::check),
    ("results_csv", results_csv::check),
    ("ruling", ruling::check),
    ("score_line", score_line::check),
    ("seats", seats::check),
    ("tokens", tokens::check),
];
