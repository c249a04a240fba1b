//! The results page: one HTML file that can be mailed, with the standings, every run behind its cell, and figures.
//!
//! A page is a pure function of ranked results, their journal, what the entries printed, and replays of that. It needs
//! no network and is readable without its script. Everything untrusted is text in it and nothing else.
//!
//! ```
//! use judge_core::compare::Source;
//! use judge_core::results::Results;
//!
//! let csv = "entry,board,verdict,progress,of,moves,tie_break,limit_ms\nmine,EASY,solved,25,25,12,1,1000\n";
//! let results = Results::read_csv("results.csv", csv.as_bytes()).expect("a file of runs");
//! let mut page = Vec::new();
//! judge_page::write(&[Source { name: "today".into(), results }.into()], &mut page)?;
//! assert!(String::from_utf8_lossy(&page).contains("mine"));
//! # Ok::<(), std::io::Error>(())
//! ```

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
