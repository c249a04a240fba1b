//! The figures of the article, read from CSV. An empty cell is a figure that it does not print.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use ufo_kit::atlas::group::Group;
use ufo_kit::atlas::table::Row;

/// A row of the article's tables.
pub(crate) struct PublishedRow {
    pub(crate) table: u32,
    pub(crate) group: Group,
    pub(crate) analyzed: Option<u64>,
    pub(crate) solutions: Option<u64>,
    pub(crate) max_moves: Option<u64>,
    pub(crate) max_steps: Option<u64>,
}

impl PublishedRow {
    /// True if a known figure differs from ours.
    pub(crate) fn differs(&self, ours: &Row) -> bool {
        let most = |most: Option<u32>| u64::from(most.unwrap_or(0));
        let ours = [ours.solutions, most(ours.max_moves), most(ours.max_steps)];
        let theirs = [self.solutions, self.max_moves, self.max_steps];
        theirs.into_iter().zip(ours).any(|(theirs, ours)| theirs.is_some_and(|theirs| theirs != ours))
    }
}

/// The lists of configurations that the article counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum List {
    /// Configurations with the most solutions.
    Most,
    /// Configurations with exactly one solvable placement, which needs every number piece.
    One,
    /// Configurations whose placements are all solvable.
    All,
}

impl List {
    pub(crate) fn name(self) -> &'static str {
        match self {
            List::Most => "most solutions",
            List::One => "one solvable",
            List::All => "all solvable",
        }
    }
}

/// The number of configurations in a list of the article, and the solutions of each in the list with the most.
pub(crate) struct PublishedConfigurations {
    pub(crate) group: Group,
    pub(crate) list: List,
    pub(crate) configurations: Option<u64>,
    pub(crate) solutions: Option<u64>,
}

pub(crate) fn read_rows(path: &Path) -> Result<Vec<PublishedRow>, String> {
    #[derive(Deserialize)]
    struct Line {
        table: u32,
        group: String,
        analyzed: Option<u64>,
        solutions: Option<u64>,
        max_moves: Option<u64>,
        max_steps: Option<u64>,
    }
    read(path, |line: Line| {
        let Line { table, group, analyzed, solutions, max_moves, max_steps } = line;
        Ok(PublishedRow { table, group: group.parse()?, analyzed, solutions, max_moves, max_steps })
    })
}

pub(crate) fn read_configurations(path: &Path) -> Result<Vec<PublishedConfigurations>, String> {
    #[derive(Deserialize)]
    struct Line {
        group: String,
        list: List,
        configurations: Option<u64>,
        solutions: Option<u64>,
    }
    read(path, |line: Line| {
        let Line { group, list, configurations, solutions } = line;
        Ok(PublishedConfigurations { group: group.parse()?, list, configurations, solutions })
    })
}

fn read<Line: DeserializeOwned, T>(path: &Path, row: impl Fn(Line) -> Result<T, String>) -> Result<Vec<T>, String> {
    let refused = |reason: String| format!("{}: {reason}", path.display());
    let mut reader = csv::Reader::from_path(path).map_err(|error| refused(error.to_string()))?;
    let lines = reader.deserialize::<Line>().zip(2..).map(|(line, number)| {
        let line = line.map_err(|error| refused(error.to_string()))?;
        row(line).map_err(|reason| refused(format!("line {number}: {reason}")))
    });
    lines.collect()
}
