//! The best answers that a solver's folder remembers: one per board and objective, from any version.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::versions::trial::Trial;
use judge_core::compare::{BoardRanking, PairResult};
use judge_core::figure::{Figures, RefereeFigures};
use judge_core::fingerprint::sha256_of;
use judge_core::journal::{ContestState, Record};
use judge_core::points::Points;
use judge_core::results_csv::NO_FIGURES;
use judge_core::score::RunCell;
use judge_core::scoring::Scoring;
use judge_core::verdict::Verdict;

/// The entry of all rows, so that `judge rank` and `judge compare` read them as one entry.
const ENTRY: &str = "best";

/// The result of the best answer to a board, as `best.csv` has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Best {
    /// The name of the board, unique in the file: another board with the same name has a part of its hash as a suffix.
    pub board: String,
    /// The version that gave it.
    version: u32,
    entry: String,
    /// The solver that gave it.
    #[serde(default)]
    solver: String,
    game: String,
    verdict: String,
    /// Its figures by name, as JSON.
    figures: Option<String>,
    full: Option<Points>,
    wall_us: Option<u64>,
    limit_ms: u64,
    /// The way to sum points, as JSON.
    scoring: Option<String>,
    /// The hash of the board, and of the way to judge its answers, see [`Trial`]. Older files have neither.
    #[serde(default)]
    pub(crate) board_sha256: String,
    #[serde(default)]
    objective: String,
    /// The result as a cell of a table.
    #[serde(skip)]
    cell: RunCell,
}

impl Best {
    /// Its result as a cell of a table.
    pub fn cell(&self) -> &RunCell {
        &self.cell
    }

    /// Makes the cell of a row from a file. The error is a fragment.
    fn read(mut self) -> Result<Self, String> {
        let refuse = |column: &str, error: serde_json::Error| format!("board {}: column {column}: {error}", self.board);
        let figures = self.figures.as_deref().map(serde_json::from_str::<Figures>).transpose();
        let figures = figures.map_err(|error| refuse("figures", error))?.unwrap_or_default();
        let verdict = Verdict::legal(&self.verdict, RefereeFigures { figures, full: self.full });
        let verdict = verdict.map_err(|error| format!("board {}: {error}", self.board))?;
        let declared = self.scoring.as_deref().map(serde_json::from_str::<Scoring>).transpose();
        let declared = declared.map_err(|error| refuse("scoring", error))?;
        let scoring = Arc::new(declared.unwrap_or_else(|| Scoring::of_game(&self.game)));
        self.cell = RunCell::from_verdict(&verdict, self.wall_us, self.limit_ms, &scoring);
        Ok(self)
    }
}

/// The best answers of a folder.
#[derive(Debug, Clone, Default)]
pub struct BestAnswers {
    rows: Vec<Best>,
    /// The rows of each hash of a board and of an objective.
    places: HashMap<(String, String), Vec<usize>>,
}

impl BestAnswers {
    /// The best answers in the rows of a file. The error is a fragment.
    pub(crate) fn from_rows(rows: Vec<Best>) -> Result<Self, String> {
        let mut best = Self::default();
        rows.into_iter().try_for_each(|row| row.read().map(|row| best.push(row)))?;
        Ok(best)
    }

    /// The rows for a file.
    pub(crate) fn rows(&self) -> &[Best] {
        &self.rows
    }

    /// The best answer to the board with this name and hash, judged by this objective.
    pub fn find(&self, board: &str, sha256: &str, objective: &str) -> Option<&Best> {
        self.place(board, sha256, objective).map(|place| &self.rows[place])
    }

    /// Adds the answers of a new version that are better, and returns the runs that gave them with the names of their
    /// rows.
    pub(crate) fn improve<'a>(
        &mut self,
        contents: &'a ContestState,
        trial: &Trial,
        version: u32,
    ) -> Vec<(&'a Record, String)> {
        let ranking = BoardRanking::from_plan(&contents.plan);
        let json = contents.plan.scoring.as_ref();
        let json = json.map(|scoring| serde_json::to_string(scoring).expect("plain data has a JSON form"));
        let json = json.or_else(|| ranking.scoring().accepts().then(|| NO_FIGURES.into()));
        let mut better = Vec::new();
        for run in &contents.records {
            let (Verdict::Solved(given) | Verdict::Unsolved(given) | Verdict::Valid(given)) = &run.verdict else {
                continue;
            };
            let Some(sha256) = trial.boards.get(&*run.key.board) else { continue };
            let place = self.place(&run.key.board, sha256, &trial.objective);
            let row = Best {
                board: place.map_or_else(
                    || self.free_name(&run.key.board, sha256, &trial.objective),
                    |place| self.rows[place].board.clone(),
                ),
                version,
                entry: ENTRY.into(),
                solver: run.key.entry.to_string(),
                game: contents.plan.problems.only().game.clone(),
                verdict: run.verdict.name().into(),
                figures: (!given.figures.is_empty())
                    .then(|| serde_json::to_string(&given.figures).expect("plain data has a JSON form")),
                full: given.full,
                wall_us: run.wall_us,
                limit_ms: run.limit_ms,
                scoring: json.clone(),
                board_sha256: sha256.clone(),
                objective: trial.objective.clone(),
                cell: RunCell::from_verdict(&run.verdict, run.wall_us, run.limit_ms, &contents.plan.figures()),
            };
            match place {
                Some(place) if ranking.better_of(row.cell(), self.rows[place].cell()) != PairResult::First => continue,
                Some(place) => self.rows[place] = row.clone(),
                None => self.push(row.clone()),
            }
            better.push((run, row.board));
        }
        better
    }

    fn push(&mut self, row: Best) {
        let places = self.places.entry((row.board_sha256.clone(), row.objective.clone())).or_default();
        places.push(self.rows.len());
        self.rows.push(row);
    }

    fn place(&self, board: &str, sha256: &str, objective: &str) -> Option<usize> {
        let places = self.places.get(&(sha256.to_owned(), objective.to_owned()))?;
        let further = further_name(board, sha256, objective);
        places.iter().copied().find(|&place| self.rows[place].board == board || self.rows[place].board == further)
    }

    /// The name of a new row.
    fn free_name(&self, board: &str, sha256: &str, objective: &str) -> String {
        let taken = self.rows.iter().any(|row| row.board == board);
        if taken { further_name(board, sha256, objective) } else { board.to_owned() }
    }
}

/// The name for another board whose name is taken.
fn further_name(board: &str, sha256: &str, objective: &str) -> String {
    format!("{board}~{}", &sha256_of(format!("{sha256} {objective}").as_bytes())[..8])
}
