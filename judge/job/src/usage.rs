//! What a run used, how far each figure can be trusted, and whether others disturbed it.

use serde::{Deserialize, Serialize};

/// How a figure was counted, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeasuredBy {
    /// From processes that were waited for: one whose parent ignored its end is missing, and memory is that of the
    /// largest single process.
    Reaped,
    /// From glances every few milliseconds beside that: peaks between two glances are missing.
    Sampled,
    /// By a control group: everything the tree did.
    Cgroup,
}

impl MeasuredBy {
    /// The name used in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reaped => "reaped",
            Self::Sampled => "sampled",
            Self::Cgroup => "cgroup",
        }
    }

    /// The way of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Reaped, Self::Sampled, Self::Cgroup].into_iter().find(|counted| counted.name() == name)
    }
}

/// What the processes of a run used, together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time in microseconds, user and system; `None` where nobody counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// How that was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_by: Option<MeasuredBy>,
    /// Peak memory in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// How that was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_by: Option<MeasuredBy>,
}

/// Signs that a run had to share what should have been its own.
///
/// An entry with several threads waits for itself, which shows as pressure and as switches too; what others took from
/// its processors does not depend on what it does. So a run is suspect where the first two say that it waited and the
/// third, where it can be told, says for whom.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contention {
    /// Time in which something on the machine waited for a processor, in microseconds (pressure stall information).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_pressure_us: Option<u64>,
    /// Time in which something on the machine waited for memory, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_pressure_us: Option<u64>,
    /// How often a process of the run had to leave its processor though it could have gone on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub involuntary_switches: Option<u64>,
    /// CPU time that others took on the run's own processors, in microseconds, to a hundredth of a second each;
    /// `None` where it was not pinned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_us: Option<u64>,
}

impl Contention {
    /// Below this time nothing is said: system counters tick a hundred times a second.
    const SHORTEST_US: u64 = 50_000;

    /// Why a run of this length and this CPU time cannot be trusted as a timing; `None` where it can.
    pub fn suspicion(&self, wall_us: u64) -> Option<String> {
        let share = |part: Option<u64>| {
            let part = part.filter(|&part| part >= Self::SHORTEST_US)?;
            // Percent; a twentieth of the time is what makes a difference to anybody.
            part.saturating_mul(100).checked_div(wall_us).filter(|&percent| percent >= 5)
        };
        let switched = self.involuntary_switches.is_none_or(|switches| switches > 0);
        if let Some(percent) = share(self.memory_pressure_us) {
            return Some(format!("the machine was short of memory for {percent} % of the run"));
        }
        let waited = share(self.cpu_pressure_us).filter(|_| switched);
        match (self.taken_us, waited) {
            (Some(_), waited) => {
                let taken = share(self.taken_us)?;
                // Where the system tells nothing of pressure, what was taken speaks alone.
                (waited.is_some() || self.cpu_pressure_us.is_none())
                    .then(|| format!("others took {taken} % of its processors' time"))
            }
            (None, Some(percent)) => Some(format!("processors were fought for during {percent} % of the run")),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000;

    #[test]
    fn a_run_is_suspect_when_others_took_its_time_and_not_when_it_took_its_own() {
        let quiet = Contention {
            cpu_pressure_us: Some(900_000),
            involuntary_switches: Some(500),
            taken_us: Some(0),
            ..Contention::default()
        };
        assert_eq!(quiet.suspicion(SECOND), None, "its own threads wait for each other");
        let disturbed = Contention { taken_us: Some(400_000), ..quiet };
        assert!(disturbed.suspicion(SECOND).is_some_and(|why| why.contains("40 %")));
        let unpinned = Contention { taken_us: None, ..quiet };
        assert!(unpinned.suspicion(SECOND).is_some(), "nobody can tell who it was");
        let untouched = Contention { involuntary_switches: Some(0), ..unpinned };
        assert_eq!(untouched.suspicion(SECOND), None, "others waited, it did not");
        let short = Contention { taken_us: Some(20_000), ..quiet };
        assert_eq!(short.suspicion(30_000), None, "shorter than the counters can tell");
        let thrashing = Contention { memory_pressure_us: Some(SECOND), ..Contention::default() };
        assert!(thrashing.suspicion(SECOND).is_some());
        assert_eq!(Contention::default().suspicion(SECOND), None);
    }
}
