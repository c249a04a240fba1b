//! The cells of a table, from their texts.

use std::sync::Arc;

use judge_job::Count;

use crate::code::Code;
use crate::figure::{Failed, FigureName, Source};
use crate::judged_by::JudgedBy;
use crate::points::Points;
use crate::score::{ACCEPTED, Metrics, RunCell};
use crate::scoring::{Measured, Scoring};

/// Parses a cell. Figures that its text does not contain stay unknown: times, tie-breaks, the progress of an illegal
/// or wrong answer.
pub(super) fn parse(text: &str, judged_by: JudgedBy, scoring: Option<&Arc<Scoring>>) -> Result<RunCell, String> {
    if let Some(scoring) = scoring.filter(|_| judged_by == JudgedBy::Score) {
        return figures_of(text, scoring);
    }
    let way_out = || match judged_by {
        JudgedBy::Progress | JudgedBy::Score => {
            format!("invalid cell `{text}`; use for example 25/94, 16/202 or 0/TIM, or leave it empty")
        }
        JudgedBy::Acceptance => format!("invalid cell `{text}`; use {ACCEPTED} or for example TIM, or leave it empty"),
    };
    let empty = RunCell::missing().judged_by(judged_by);
    if text.is_empty() || text == "-" {
        return Ok(empty);
    }
    let alone = Code::from_letters(text).is_some() && judged_by != JudgedBy::Progress;
    let (progress, moves) = match text.split_once('/') {
        Some(figures) if judged_by != JudgedBy::Acceptance => figures,
        None if alone => ("0", text),
        None if text == ACCEPTED && judged_by != JudgedBy::Progress => return Ok(accepted()),
        _ => return Err(way_out()),
    };
    let code = Code::from_letters(moves);
    let metrics = match code {
        Some(Code::JudgeError) => Metrics::default(),
        Some(Code::IllegalMove) => Metrics { moves: Some(0), ..Metrics::default() },
        // A referee may have reported a progress, which the cell does not show. Accepted answers alone are counted otherwise.
        Some(Code::Wrong) if judged_by != JudgedBy::Acceptance => Metrics { moves: Some(0), ..Metrics::default() },
        Some(_) => Metrics { progress: Some(0), moves: Some(0), ..Metrics::default() },
        None => {
            let number = |text: &str| match text.parse::<Count>() {
                Ok(figure) => Ok(Some(figure.get())),
                // A number that is too large is not a wrong form.
                Err(error) if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() => {
                    Err(error.to_string())
                }
                Err(_) => Err(way_out()),
            };
            Metrics { progress: number(progress)?, moves: number(moves)?, ..Metrics::default() }
        }
    };
    Ok(RunCell { code, metrics, ..empty })
}

/// The cell of an accepted answer of which nothing else is known.
fn accepted() -> RunCell {
    let metrics = Metrics { progress: Some(1), moves: Some(0), tie_break: Some(0), ..Metrics::default() };
    RunCell { of: Some(1), metrics, ..RunCell::missing().judged_by(JudgedBy::Acceptance) }
}

/// Parses a cell of a table that declares figures. Those that the cell does not show stay unknown, and so do those that a
/// failed run measured.
fn figures_of(text: &str, scoring: &Arc<Scoring>) -> Result<RunCell, String> {
    let shown = &scoring.cell;
    let empty = RunCell { scoring: Some(scoring.clone()), ..RunCell::missing().judged_by(JudgedBy::Score) };
    let letters = text.strip_prefix("0/").or(text.strip_prefix("-/")).filter(|_| shown.len() > 1).unwrap_or(text);
    if text.is_empty() || text == "-" {
        return Ok(empty);
    }
    if text == ACCEPTED {
        let mut cell = RunCell { scoring: empty.scoring, ..accepted() };
        cell.metrics.figures = vec![None; scoring.figures.len()];
        return Ok(cell);
    }
    if let Some(code) = Code::from_letters(letters) {
        let mut figures = scoring.values(None, Some(code), &Measured::default());
        for (value, figure) in
            figures.iter_mut().zip(&scoring.figures).filter(|(_, figure)| figure.failed == Failed::Own)
        {
            *value = value.filter(|_| matches!(figure.from, Source::Add(_)));
        }
        return Ok(RunCell { code: Some(code), metrics: Metrics { figures, ..Metrics::default() }, ..empty });
    }
    let parts: Vec<&str> = if shown.len() > 1 { text.split('/').collect() } else { vec![text] };
    // Of a judged run, single figures may be unknown.
    let known = parts.iter().zip(shown).filter(|(part, _)| **part != "-");
    let values = known.map(|(part, name)| Some((*name, scoring.figure(name)?.parse(part).ok()?)));
    let values: Option<Vec<(FigureName, Points)>> = values.collect();
    let Some(values) = values.filter(|values| !values.is_empty() && parts.len() == shown.len()) else {
        let names = Scoring::names(shown, "/");
        return Err(format!("invalid cell `{text}`; it has {names}, or letters such as TIM, or is empty"));
    };
    let figures = scoring.shown_values(&values);
    Ok(RunCell { metrics: Metrics { figures, ..Metrics::default() }, ..empty })
}
