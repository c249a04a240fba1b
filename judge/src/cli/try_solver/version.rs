//! A version of a solver, as `history.csv` lists it.

use serde::{Deserialize, Serialize};

use super::trial::Trial;
use judge_job::{Limits, duration_text};

/// A version of a solver.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Version {
    /// Number of the version, from 1.
    pub(super) number: u32,
    /// When it was tried, in UTC.
    pub(super) date: String,
    /// The name that `--keep` gave it.
    pub(super) name: String,
    /// The text of `--comment`; empty without one.
    pub(super) comment: String,
    /// The command that starts the solver.
    pub(super) command: String,
    /// The file name of its program, see [`super::memory::program_of`]; empty in older lists.
    #[serde(default)]
    pub(super) program: String,
    /// The hash of its program, see [`Trial::program`]. This and all that follows is missing from older lists.
    #[serde(default)]
    pub(super) program_sha256: String,
    /// The commit of the solver's folder; empty if it is in no Git repository.
    #[serde(default)]
    pub(super) commit: String,
    /// True if tracked files differed from the commit; `None` if that is unknown.
    #[serde(default)]
    pub(super) changed: Option<bool>,
    /// Wall-clock limit of a run in milliseconds.
    #[serde(default)]
    pub(super) limit_ms: Option<u64>,
    /// All limits of a run, as JSON.
    #[serde(default)]
    pub(super) limits: String,
    /// The hash of the way to judge answers, see [`Trial::objective`].
    #[serde(default)]
    pub(super) objective: String,
    /// The boards that it was to be tried on.
    #[serde(default)]
    pub(super) boards: Option<usize>,
    /// The boards on which it was judged: fewer if the try was cut short.
    #[serde(default)]
    pub(super) judged: Option<usize>,
}

impl Version {
    /// Fills in the facts that decide about comparisons.
    pub(super) fn with_trial(self, trial: &Trial) -> Self {
        Self {
            program_sha256: trial.program.clone(),
            limit_ms: Some(trial.limits.wall_ms),
            limits: limits_text(&trial.limits),
            objective: trial.objective.clone(),
            ..self
        }
    }

    /// Tests whether it is a version of that program. Older lists do not name programs.
    pub(super) fn is_of(&self, program: &str) -> bool {
        self.program.is_empty() || self.program == program
    }

    /// Its number, and its name if it has one.
    pub(super) fn title(&self) -> String {
        if self.name.is_empty() {
            format!("version {}", self.number)
        } else {
            format!("version {} ({})", self.number, self.name)
        }
    }

    /// The limits of its runs; `None` in older lists.
    pub(super) fn limits(&self) -> Option<Limits> {
        serde_json::from_str(&self.limits).ok()
    }

    /// The reason why it was not judged on all boards, as a fragment; `None` if it was.
    pub(super) fn cut_short(&self) -> Option<String> {
        let (judged, boards) = self.judged.zip(self.boards)?;
        (judged < boards).then(|| format!("it was cut short after {judged} of {boards} boards"))
    }

    /// The reason why its runs cannot be compared with those of a try, as a fragment; `None` if some may be.
    pub(super) fn unlike(&self, trial: &Trial) -> Option<String> {
        if self.objective.is_empty() {
            return Some("an earlier judge remembered it, without hashes of its boards".into());
        }
        if self.objective != trial.objective {
            return Some("its answers were judged by another referee or other rules".into());
        }
        let (own, now) = (self.limits()?, trial.limits);
        if own == now {
            return None;
        }
        let [own_wall, wall] = [own, now].map(|limits| duration_text(limits.wall_ms));
        if own.with_wall_ms(now.wall_ms) == now {
            return Some(format!("its limit was {own_wall}, and that of this try is {wall}"));
        }
        let (own, now) = (own.to_string(), now.to_string());
        let differing = own.split(", ").zip(now.split(", ")).filter(|(own, now)| own != now);
        let differing: Vec<String> = differing.map(|(own, now)| format!("{own}, now {now}")).collect();
        Some(format!("its limits were others: {}", differing.join("; ")))
    }
}

/// The limits of a run, as a list of versions has them.
pub(super) fn limits_text(limits: &Limits) -> String {
    serde_json::to_string(limits).expect("plain data has a JSON form")
}
