//! The cells of a table, parsed from their texts.

use std::sync::Arc;

use judge_job::Count;

use crate::code::Code;
use crate::figure::{Failed, FigureName, Source};
use crate::points::Points;
use crate::score::{ACCEPTED, Metrics, RunCell};
use crate::scoring::{Measured, Scoring};

/// Parses a cell. Figures that its text does not contain stay unknown: times, tie-breaks, and the figures of a failed run that
/// were measured or reached.
pub(super) fn parse(text: &str, scoring: &Arc<Scoring>) -> Result<RunCell, String> {
    if text.is_empty() || text == "-" {
        return Ok(RunCell::missing());
    }
    let shown = &scoring.cell;
    let cell = |code: Option<Code>, figures: Box<[Option<Points>]>| RunCell {
        code,
        scoring: Some(scoring.clone()),
        metrics: Metrics { figures, time_us: None },
        ..RunCell::missing()
    };
    if text == ACCEPTED {
        let value = scoring.accepts().then_some(Points::whole(1));
        // If solutions have a cost, an answer may fail to solve its board.
        let solved = Some(scoring.cost.is_none());
        return Ok(RunCell { solved, ..cell(None, vec![value; scoring.figures.len()].into()) });
    }
    let letters = text.strip_prefix("0/").or(text.strip_prefix("-/")).filter(|_| shown.len() > 1);
    if let Some(code) =
        Code::from_letters(letters.unwrap_or(text)).filter(|_| letters.is_some() || scoring.cost.is_none())
    {
        let solved = (code != Code::JudgeError).then_some(false);
        return Ok(RunCell { solved, ..cell(Some(code), of_failure(code, scoring)) });
    }
    let parts: Vec<&str> = if shown.len() > 1 { text.split('/').collect() } else { vec![text] };
    // A judged run may have unknown figures.
    let known = parts.iter().zip(shown).filter(|(part, _)| **part != "-");
    let values = known.map(|(part, name)| Some((*name, scoring.figure(name)?.parse(part).ok()?)));
    let values: Option<Vec<(FigureName, Points)>> = values.collect();
    let whole = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    // A number that is too large gets the error for its size, not for its form.
    let large = || parts.iter().filter(|part| whole(part)).find_map(|part| part.parse::<Count>().err());
    if let Some(error) = scoring.cost.is_some().then(large).flatten() {
        return Err(error.to_string());
    }
    match values.filter(|values| !values.is_empty() && parts.len() == shown.len()) {
        Some(values) => Ok(cell(None, scoring.shown_values(&values))),
        None => Err(hint(text, scoring)),
    }
}

fn hint(text: &str, scoring: &Scoring) -> String {
    if scoring.cost.is_some() {
        return format!("invalid cell `{text}`; use for example 25/94, 16/202 or 0/TIM, or leave it empty");
    }
    if scoring.accepts() {
        return format!("invalid cell `{text}`; use {ACCEPTED} or for example TIM, or leave it empty");
    }
    let names = Scoring::names(&scoring.cell, "/");
    format!("invalid cell `{text}`; it has {names}, or letters such as TIM, or is empty")
}

/// The figures that a failed run counts. Measured figures are unknown, and so are those that the referee gave with its ruling.
fn of_failure(code: Code, scoring: &Scoring) -> Box<[Option<Points>]> {
    let mut figures = scoring.values(None, Some(code), &Measured::default());
    let ruled = matches!(code, Code::IllegalMove | Code::Wrong);
    for at in 0..figures.len() {
        let figure = &scoring.figures[at];
        let unknown = match &figure.from {
            Source::Add(terms) => {
                terms.iter().any(|(name, _)| scoring.index(name).is_none_or(|at| figures[at].is_none()))
            }
            source => figure.failed == Failed::Own && (ruled || *source != Source::Referee),
        };
        figures[at] = figures[at].filter(|_| !unknown);
    }
    figures
}
