//! A version of a solver, as `history.csv` lists it.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::versions::not_comparable::NotComparable;
use crate::versions::trial::Trial;
use judge_job::Limits;

/// A version of a solver.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Version {
    /// Number of the version, from 1.
    pub number: u32,
    /// The time of the try, in UTC.
    pub date: String,
    /// The name that the user gave it; empty if it has none.
    pub name: String,
    /// The remark of the user; empty if it has none.
    pub comment: String,
    /// The command that starts the solver.
    pub command: String,
    /// The file name of its program, see [`crate::versions::program_of`]; empty in older lists.
    #[serde(default)]
    pub program: String,
    /// The hash of its program, see [`Trial::program`]. This and the following fields are missing from older lists.
    #[serde(default)]
    pub program_sha256: String,
    /// The commit of the solver's folder; empty if it is in no Git repository.
    #[serde(default)]
    pub commit: String,
    /// True if tracked files differed from the commit; `None` if that is unknown.
    #[serde(default)]
    pub changed: Option<bool>,
    /// Wall-clock limit of a run in milliseconds.
    #[serde(default)]
    pub limit_ms: Option<u64>,
    /// All limits of a run, as JSON.
    #[serde(default)]
    pub limits: String,
    /// The hash of the way to judge answers, see [`Trial::objective`].
    #[serde(default)]
    pub objective: String,
    /// The number of planned boards.
    #[serde(default)]
    pub boards: Option<usize>,
    /// The boards on which it was judged: fewer if the try was cut short.
    #[serde(default)]
    pub judged: Option<usize>,
}

impl Version {
    /// Fills in the facts that decide about comparisons.
    pub(crate) fn with_trial(self, trial: &Trial) -> Self {
        Self {
            program_sha256: trial.program.clone(),
            limit_ms: Some(trial.limits.wall_ms),
            limits: limits_text(&trial.limits),
            objective: trial.objective.clone(),
            ..self
        }
    }

    /// Tests whether it is a version of that program. Older lists do not name programs.
    pub fn is_of(&self, program: &str) -> bool {
        self.program.is_empty() || self.program == program
    }

    /// The version with its limits as an object, for JSON. A list has them as text in one column.
    pub(crate) fn document(&self) -> Value {
        let mut document = serde_json::to_value(self).expect("plain data has a JSON form");
        document["limits"] = serde_json::from_str(&self.limits).unwrap_or_default();
        document
    }

    /// Its number, and its name if it has one.
    pub fn title(&self) -> String {
        if self.name.is_empty() {
            format!("version {}", self.number)
        } else {
            format!("version {} ({})", self.number, self.name)
        }
    }

    /// The limits of its runs; `None` in older lists.
    pub fn limits(&self) -> Option<Limits> {
        serde_json::from_str(&self.limits).ok()
    }

    /// The numbers of judged and of planned boards, if it was cut short.
    pub fn cut_short(&self) -> Option<(usize, usize)> {
        self.judged.zip(self.boards).filter(|(judged, boards)| judged < boards)
    }

    /// The reason why its runs cannot be compared with those of a try; `None` if some may be.
    pub fn unlike(&self, trial: &Trial) -> Option<NotComparable> {
        if self.objective.is_empty() {
            return Some(NotComparable::Older);
        }
        if self.objective != trial.objective {
            return Some(NotComparable::Objective);
        }
        let limits = self.limits()?;
        let unlike = || NotComparable::Limits { own: limits.into(), now: trial.limits.into() };
        (limits != trial.limits).then(unlike)
    }
}

/// Writes a version as its document.
pub(crate) fn as_document<S: Serializer>(version: &Version, serializer: S) -> Result<S::Ok, S::Error> {
    version.document().serialize(serializer)
}

/// The limits of a run, as a list of versions has them.
pub(crate) fn limits_text(limits: &Limits) -> String {
    serde_json::to_string(limits).expect("plain data has a JSON form")
}
