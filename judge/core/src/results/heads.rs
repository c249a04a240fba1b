//! The headings of a table, and the machines behind it.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::key::Name;
use crate::plan::{BestKnown, Board, DisplayInfo};
use crate::points::Points;

/// Machines of several models that executed the runs of one table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MixedHardware {
    /// Number of runs by model of the processor.
    pub models: BTreeMap<String, usize>,
    /// The boards on which entries ran on different models.
    pub boards: Vec<String>,
}

impl MixedHardware {
    /// The models of these runs, each with its board and a number of runs, if there are several.
    pub(crate) fn from_runs<'a>(runs: impl Iterator<Item = (&'a str, &'a str, usize)>) -> Option<Self> {
        let (mut models, mut boards): (BTreeMap<&str, usize>, BTreeMap<&str, HashSet<&str>>) = Default::default();
        for (board, model, runs) in runs {
            *models.entry(model).or_default() += runs;
            boards.entry(board).or_default().insert(model);
        }
        let several = boards.into_iter().filter(|(_, models)| models.len() > 1);
        let boards = several.map(|(board, _)| board.to_owned()).collect();
        let models: BTreeMap<String, usize> =
            models.into_iter().map(|(model, runs)| (model.to_owned(), runs)).collect();
        (models.len() > 1).then_some(Self { models, boards })
    }
}

/// A round of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RoundHead {
    /// Number of the round, from 1.
    pub number: u32,
    /// Its name; `None` if a file does not contain it.
    pub name: Option<String>,
    /// Wall-clock limit of its runs in milliseconds, if it is not that of the contest.
    pub limit_ms: Option<u64>,
}

impl RoundHead {
    /// The name, or the number of a round without one.
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("round {}", self.number))
    }

    /// The heads of rounds that are known by their numbers only; none if there is one round.
    pub(crate) fn numbered(last: u32) -> Vec<Self> {
        let head = |number| Self { number, name: None, limit_ms: None };
        if last > 1 { (1..=last).map(head).collect() } else { Vec::new() }
    }
}

/// The heading of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BoardHead {
    /// Name of the board, unique in the table.
    pub name: String,
    /// Number of its round, from 1.
    pub round: u32,
    /// True for a reconstruction, which every output marks.
    pub reconstruction: bool,
    /// The organiser's note about it.
    pub note: Option<String>,
    /// The board file's text; `None` if the results do not contain it.
    #[serde(skip)]
    pub text: Option<String>,
    /// The best known answer; `None` if the results do not contain it.
    #[serde(skip)]
    pub known: Option<BestKnown>,
    /// The best known points; `None` if the results do not contain them.
    #[serde(skip)]
    pub best: Option<Points>,
    /// The group that its points belong to.
    #[serde(skip)]
    pub group: Option<Name>,
}

impl BoardHead {
    /// The heading of a column of the first round of which a file has only the name.
    pub(crate) fn named(name: impl Into<String>) -> Self {
        let (reconstruction, note, text, known, best) = (false, None, None, None, None);
        Self { name: name.into(), round: 1, reconstruction, note, text, known, best, group: None }
    }

    /// The heading of the column of a board of the first round.
    pub fn new(board: &Board, shown: &DisplayInfo) -> Self {
        let Board { name, text, reconstruction, note, .. } = board.clone();
        let (known, best) = (shown.known.get(&name).cloned(), shown.best.get(&name).copied());
        let group = board.group.as_deref().map(Name::from);
        let text = Some(text).filter(|_| board.stored.is_none());
        Self { name, reconstruction, note, text, known, best, round: 1, group }
    }

    /// The value of the best known answer, as relative scores compare it: its moves, or the units of its points.
    pub(crate) fn best_value(&self) -> Option<u64> {
        let points = self.best.map(|points| u64::try_from(points.units()).unwrap_or(0));
        points.or(self.known.as_ref().map(|known| known.moves))
    }
}
