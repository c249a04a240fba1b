//! The ruling on an answer as JSON.

use std::io::{self, Write};

use serde::Serialize;

use judge_core::figure::Figures;
use judge_core::points::Points;
use judge_core::referee::Ruling;
use judge_core::verdict::Verdict;
use judge_report::output::write_json;

/// The ruling as JSON; missing values are `null`.
#[derive(Serialize)]
struct Document<'a> {
    game: &'a str,
    verdict: &'a str,
    figures: Option<&'a Figures>,
    full: Option<Points>,
    failed_at: Option<u64>,
    reason: Option<String>,
    final_board: Option<String>,
    notes: &'a [String],
}

/// Writes the ruling on an answer as JSON.
pub(super) fn write_ruling(game: &str, ruling: &Ruling, out: &mut dyn Write) -> io::Result<()> {
    let (given, verdict) = (ruling.verdict.given(), &ruling.verdict);
    let illegal = match verdict {
        Verdict::IllegalMove { illegal, .. } => Some(&**illegal),
        _ => None,
    };
    let document = Document {
        game,
        verdict: verdict.name(),
        figures: given.map(|given| &given.figures),
        full: given.and_then(|given| given.full),
        failed_at: illegal.map(|illegal| illegal.index),
        reason: verdict.fault(),
        final_board: ruling.picture.as_ref().map(|picture| picture.one_line()),
        notes: &ruling.notes,
    };
    write_json(&document, out)?;
    writeln!(out)
}
