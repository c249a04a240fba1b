//! A parameter of a solver, tried by successive halving: all values on a few boards, the better half of them on twice as
//! many, and so on, until two are left on all boards (Jamieson and Talwalkar, "Non-stochastic best arm identification and
//! hyperparameter optimization", 2016).
//!
//! All runs are in one contest, with an entry per value. Its runs decide which values continue, so an interrupted tuning
//! resumes where it stopped.

use std::collections::{BTreeSet, HashSet};
use std::str::FromStr;

use crate::versions::error::TryError;
use judge_core::compare::PairResult;
use judge_core::journal::{ContestState, Record};
use judge_core::key::RunKey;
use judge_core::plan::RankKey;
use judge_core::ranking;
use judge_core::relative;
use judge_core::results::Results;

/// The most values that are tried.
const VALUES: usize = 16;
/// From this factor between its ends, the values of a range are spaced evenly by factors.
const WIDE: f64 = 50.0;

/// A parameter and the range of its values, as `DEPTH=1..20`.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    name: String,
    low: f64,
    high: f64,
    /// The decimals of its values.
    decimals: usize,
}

/// The reason why a text is not a parameter with a range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// It is not a name with a range after `=`.
    #[error("{USE}")]
    Form,
    /// The name is not a valid name of an environment variable.
    #[error("`{0}` is not the name of a variable; {USE}")]
    Name(String),
    /// The ends of the range are not numbers.
    #[error("`{0}` is not a range; {USE}")]
    Range(String),
    /// The end of the range is not above its beginning.
    #[error("`{0}` has no two values: its end is not above its beginning")]
    NoTwoValues(String),
}

/// The remedy for an invalid parameter.
const USE: &str = "use NAME=A..B, for example DEPTH=1..20 or RATE=0.1..0.9";

impl FromStr for Parameter {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let (name, range) = text.split_once('=').ok_or(ParameterError::Form)?;
        let (low, high) = range.split_once("..").ok_or(ParameterError::Form)?;
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(ParameterError::Name(name.into()));
        }
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite() && number.abs() < 1e15);
        let (Some(from), Some(to)) = (number(low), number(high)) else {
            return Err(ParameterError::Range(range.into()));
        };
        if from >= to {
            return Err(ParameterError::NoTwoValues(range.into()));
        }
        let decimals = |text: &str| text.split_once('.').map_or(0, |(_, part)| part.len());
        // Values have one more decimal than the ends, so that there are values between these.
        let written = decimals(low).max(decimals(high));
        let decimals = if written == 0 { 0 } else { written + 1 };
        Ok(Self { name: name.into(), low: from, high: to, decimals })
    }
}

impl Parameter {
    /// The name of its variable.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the entry of a value.
    pub fn entry(&self, value: &str) -> String {
        format!("{}-{value}", self.name)
    }

    /// The value of an entry.
    fn value_of(&self, entry: &str) -> String {
        entry.strip_prefix(&self.entry("")).unwrap_or(entry).to_owned()
    }

    /// Returns the values that are tried, in ascending order: all, if they are few whole numbers.
    pub fn values(&self) -> Vec<String> {
        let Self { low, high, decimals, .. } = self;
        let text = |value: f64| format!("{value:.decimals$}");
        let whole = *decimals == 0 && high - low < VALUES as f64;
        let steps = if whole { high - low } else { (VALUES - 1) as f64 };
        let factors = !whole && *low > 0.0 && high / low >= WIDE;
        let at = |step: usize| {
            let share = step as f64 / steps;
            if factors { low * (high / low).powf(share) } else { low + (high - low) * share }
        };
        let mut values: Vec<String> =
            (0..VALUES).take_while(|step| *step as f64 <= steps).map(|step| text(at(step))).collect();
        values.dedup();
        values
    }
}

/// The number of boards of each stage. The last stage has all boards and two values; each earlier one has half as many
/// boards.
fn stages(values: usize, boards: usize) -> Vec<usize> {
    let mut stages = vec![boards];
    let mut left = 2;
    while left < values && stages[0] > 1 {
        stages.insert(0, stages[0].div_ceil(2));
        left *= 2;
    }
    stages
}

/// A parameter that is tried on this many boards, stage by stage.
#[derive(Debug, Clone)]
pub struct Tuning {
    parameter: Parameter,
    values: Vec<String>,
    /// The numbers of boards of each stage.
    stages: Vec<usize>,
    /// The stages that have begun.
    begun: usize,
    /// The entries that are not dropped, the best first.
    left: Vec<String>,
}

/// The result of a tuning.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tuned {
    /// The boards of the first stage, on which all values ran.
    pub first_boards: usize,
    /// The values in ascending order.
    pub values: Vec<TunedValue>,
    /// The best value; `None` before two values ran.
    pub best: Option<BestValue>,
}

/// A value of the parameter.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TunedValue {
    /// The value as it is given to the solver.
    pub value: String,
    /// The boards that it ran on.
    pub boards: usize,
    /// Its mean relative score on the boards of the first stage.
    pub on_first: Option<f64>,
    /// True if it was not dropped before the last stage.
    pub is_left: bool,
    /// Its mean relative score on all boards, if it is left.
    pub on_all: Option<f64>,
}

/// The best value, compared with the next one. A test of the two would err too often: they were chosen on these boards.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BestValue {
    /// The value as it is given to the solver.
    pub value: String,
    /// The second best value, in the same form.
    pub next: String,
    /// The boards on which the best one is better.
    pub better: usize,
    /// The boards on which it is worse.
    pub worse: usize,
    /// The boards on which both are compared.
    pub boards: usize,
}

impl Tuning {
    /// A tuning of all values on this many boards.
    pub fn new(parameter: Parameter, boards: usize) -> Self {
        let values = parameter.values();
        let left = values.iter().map(|value| parameter.entry(value)).collect();
        Self { stages: stages(values.len(), boards), parameter, values, begun: 0, left }
    }

    /// Begins the next stage: drops the worse half of the values, unless it is the first one, and returns the runs that the
    /// stage lacks. `None` after the last stage.
    ///
    /// # Errors
    ///
    /// The contest is not one of these values.
    pub fn next_stage(&mut self, contents: &ContestState) -> Result<Option<BTreeSet<RunKey>>, TryError> {
        let Some(&boards) = self.stages.get(self.begun) else { return Ok(None) };
        if let Some(before) = self.begun.checked_sub(1) {
            let ranked = on(contents, self.stages[before], Some(&self.left))?;
            let keep = self.left.len().div_ceil(2).max(2);
            self.left = ranked.rows.iter().map(|row| row.entry.name.clone()).take(keep).collect();
        }
        self.begun += 1;
        Ok(Some(missing(contents, &self.left, boards)))
    }

    /// The values with their results so far.
    ///
    /// # Errors
    ///
    /// The contest is not one of these values.
    pub fn outcome(&self, contents: &ContestState) -> Result<Tuned, TryError> {
        let first = on(contents, self.stages[0], None)?;
        let last = on(contents, contents.plan.boards.len(), Some(&self.left))?;
        let value = |value: &String| {
            let entry = self.parameter.entry(value);
            TunedValue {
                value: value.clone(),
                boards: contents.records.iter().filter(|record| *record.key.entry == *entry).count(),
                on_first: score(&first, &entry),
                is_left: self.left.contains(&entry),
                on_all: score(&last, &entry),
            }
        };
        let values = self.values.iter().map(value).collect();
        Ok(Tuned { first_boards: self.stages[0], values, best: self.best(&last) })
    }

    /// The first two rows, compared board by board.
    fn best(&self, results: &Results) -> Option<BestValue> {
        let [best, next] = [results.rows.first()?, results.rows.get(1)?];
        let ranking = results.board_ranking();
        let outcomes: Vec<PairResult> =
            best.cells.iter().zip(&next.cells).map(|(one, other)| ranking.better_of(one, other)).collect();
        let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
        let (better, worse) = (count(PairResult::First), count(PairResult::Second));
        Some(BestValue {
            value: self.parameter.value_of(&best.entry.name),
            next: self.parameter.value_of(&next.entry.name),
            better,
            worse,
            boards: outcomes.len(),
        })
    }
}

/// The mean relative score of an entry.
fn score(results: &Results, entry: &str) -> Option<f64> {
    let at = results.rows.iter().position(|row| row.entry.name == entry)?;
    let figures = ranking::figures(&results.rows).swap_remove(at).pop()?;
    figures.relative.map(|relative| relative::share(relative) / results.boards.len() as f64)
}

/// The runs of these entries on the first boards that have no result.
fn missing(contents: &ContestState, entries: &[String], boards: usize) -> BTreeSet<RunKey> {
    let boards: HashSet<&str> = contents.plan.boards[..boards].iter().map(|board| &*board.name).collect();
    let wanted = contents
        .order()
        .iter()
        .enumerate()
        .filter(|(_, key)| boards.contains(&*key.board) && entries.iter().any(|entry| **entry == *key.entry));
    let missing = wanted.filter(|(index, _)| contents.records.by_run(*index).is_none_or(Record::is_judge_error));
    missing.map(|(_, key)| key.clone()).collect()
}

/// The results of these entries on the first boards, the best relative score first.
fn on(contents: &ContestState, boards: usize, entries: Option<&[String]>) -> Result<Results, TryError> {
    let boards: Vec<String> = contents.plan.boards[..boards].iter().map(|board| board.name.clone()).collect();
    let results = Results::from_journal(contents).only(Some(&boards), entries)?;
    Ok(results.ranked_by(&[RankKey::Relative, RankKey::Time]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_tried_at_both_ends_and_evenly_between() {
        let values = |text: &str| text.parse::<Parameter>().unwrap().values();
        assert_eq!(values("D=1..5"), ["1", "2", "3", "4", "5"]);
        assert_eq!(values("D=-1..1"), ["-1", "0", "1"]);
        let wide = values("D=0..150");
        assert_eq!((wide.len(), wide[0].as_str(), wide[1].as_str(), wide[15].as_str()), (16, "0", "10", "150"));
        let rates = values("R=0.1..0.4");
        assert_eq!(
            (rates.len(), rates[0].as_str(), rates[1].as_str(), rates[15].as_str()),
            (16, "0.10", "0.12", "0.40")
        );
        // By factors: each is about 1.58 times the one before.
        let factors = values("N=1..1000");
        assert_eq!((factors[0].as_str(), factors.last().unwrap().as_str()), ("1", "1000"));
        assert!(factors.len() > 10 && factors.contains(&"100".to_owned()), "{factors:?}");
        for wrong in ["D", "D=1", "D=5..1", "D=1..1", "=1..2", "1D=1..2", "A-B=1..2", "D=x..2", "D=1..inf"] {
            assert!(wrong.parse::<Parameter>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_boards_double_while_the_values_halve() {
        assert_eq!(stages(16, 64), [8, 16, 32, 64]);
        assert_eq!(stages(5, 10), [3, 5, 10]);
        assert_eq!(stages(2, 10), [10]);
        assert_eq!(stages(16, 1), [1]);
    }
}
