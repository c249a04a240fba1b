//! Resources that a run used, how they were measured, and signs that other processes disturbed it.

use serde::{Deserialize, Serialize};

use crate::{Bytes, Count, Micros, named};

named! {
    /// Method of a measurement, weakest first.
    pub enum MeasuredBy {
        /// Processes that were waited for. A process whose parent ignored its end is missing; the memory is the peak of the
        /// largest single process.
        Reaped = "reaped",
        /// As [`Self::Reaped`], with samples every few milliseconds in addition. Peaks between two samples are missing.
        Sampled = "sampled",
        /// A control group, which counts the whole process tree.
        Cgroup = "cgroup",
    }
}

/// Resources that all processes of a run used together.
///
/// [`Usage::default`] has no figures; an executor assigns those that it measured. Figures can be added in later
/// versions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// CPU time in microseconds, user and system; `None` if it was not measured.
    #[serde(default, deserialize_with = "Micros::optional", skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// The mechanism that counted the CPU time; `None` if nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_by: Option<MeasuredBy>,
    /// Peak memory in bytes, of all processes together if the mechanism counts that way.
    #[serde(default, deserialize_with = "Bytes::optional", skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// The mechanism that measured the memory; `None` if nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_by: Option<MeasuredBy>,
}

impl Usage {
    /// CPU time in microseconds and peak memory in bytes, each with the method of its measurement, if it was measured.
    pub fn new(cpu_us: Option<(u64, MeasuredBy)>, memory_bytes: Option<(u64, MeasuredBy)>) -> Self {
        let ((cpu_us, cpu_by), (memory_bytes, memory_by)) = (cpu_us.unzip(), memory_bytes.unzip());
        Self { cpu_us, cpu_by, memory_bytes, memory_by }
    }
}

/// Signs that other processes disturbed a run.
///
/// The threads of a job also wait for each other, which shows as pressure and switches. CPU time that other processes took
/// from its processors does not depend on the job. So a run is suspect if it waited and, if that is known, other processes
/// took time from it.
///
/// [`Contention::default`] has no signs; an executor assigns those that it saw. Signs can be added in later versions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Contention {
    /// Time in which some task on the machine waited for a processor, in microseconds (pressure stall information).
    #[serde(default, deserialize_with = "Micros::optional", skip_serializing_if = "Option::is_none")]
    pub cpu_pressure_us: Option<u64>,
    /// Time in which some task on the machine waited for memory, in microseconds.
    #[serde(default, deserialize_with = "Micros::optional", skip_serializing_if = "Option::is_none")]
    pub memory_pressure_us: Option<u64>,
    /// Involuntary context switches of the run's processes.
    #[serde(default, deserialize_with = "Count::optional", skip_serializing_if = "Option::is_none")]
    pub involuntary_switches: Option<u64>,
    /// CPU time that processes other than the run's and the judge took on the run's processors, in microseconds, to a
    /// hundredth of a second per processor; `None` if the run was not pinned or its own CPU time is unknown.
    #[serde(default, deserialize_with = "Micros::optional", skip_serializing_if = "Option::is_none")]
    pub taken_us: Option<u64>,
}

impl Contention {
    /// Shorter times are ignored: system counters tick a hundred times per second.
    const SHORTEST_US: u64 = 50_000;

    /// The most time that other processes can have cost the run, in microseconds; `None` if nothing bounds it.
    ///
    /// A run waits for a processor only while some task on the machine does, and, if it is pinned, while other
    /// processes use its processors.
    pub fn most_lost_us(&self) -> Option<u64> {
        let waited = self.taken_us.into_iter().chain(self.cpu_pressure_us).min()?;
        Some(waited.saturating_add(self.memory_pressure_us.unwrap_or_default()))
    }

    /// The reason why the time of a run of this length is unreliable; `None` if it is reliable.
    pub fn suspicion(&self, wall_us: u64) -> Option<String> {
        let share = |part: Option<u64>| {
            let part = part.filter(|&part| part >= Self::SHORTEST_US)?;
            // Percent; less than a twentieth of the time makes no difference. A tick of the counters can be longer than
            // the run.
            part.saturating_mul(100)
                .checked_div(wall_us)
                .filter(|&percent| percent >= 5)
                .map(|percent| percent.min(100))
        };
        let switched = self.involuntary_switches.is_none_or(|switches| switches > 0);
        if let Some(percent) = share(self.memory_pressure_us) {
            return Some(format!("the machine was short of memory for {percent} % of the run"));
        }
        let waited = share(self.cpu_pressure_us).filter(|_| switched);
        match (self.taken_us, waited) {
            (Some(_), waited) => {
                let taken = share(self.taken_us)?;
                // A system without pressure figures leaves the time that was taken as the only sign.
                (waited.is_some() || self.cpu_pressure_us.is_none())
                    .then(|| format!("other processes used {taken} % of its processors' time"))
            }
            (None, Some(percent)) => Some(format!("tasks waited for a processor during {percent} % of the run")),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000;

    #[test]
    fn a_run_loses_no_more_than_each_sign_allows() {
        let pressed = Contention { cpu_pressure_us: Some(500), ..Contention::default() };
        assert_eq!(pressed.most_lost_us(), Some(500));
        assert_eq!(Contention { taken_us: Some(300), ..pressed }.most_lost_us(), Some(300));
        assert_eq!(Contention { taken_us: Some(300), ..Contention::default() }.most_lost_us(), Some(300));
        let short = Contention { taken_us: Some(900), memory_pressure_us: Some(70), ..pressed };
        assert_eq!(short.most_lost_us(), Some(570));
        assert_eq!(Contention { memory_pressure_us: Some(70), ..Contention::default() }.most_lost_us(), None);
    }

    #[test]
    fn a_run_is_suspect_only_when_others_took_its_time() {
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
        assert!(unpinned.suspicion(SECOND).is_some(), "it is not known which processes it were");
        let untouched = Contention { involuntary_switches: Some(0), ..unpinned };
        assert_eq!(untouched.suspicion(SECOND), None, "other processes waited, it did not");
        let short = Contention { taken_us: Some(20_000), ..quiet };
        assert_eq!(short.suspicion(30_000), None, "shorter than the resolution of the counters");
        let shorter = Contention { taken_us: Some(60_000), ..quiet };
        assert!(shorter.suspicion(400).is_some_and(|why| why.contains(" 100 % ")), "a share is no more than all");
        let lost = |us: u64| Contention { taken_us: Some(us), ..quiet }.suspicion(10 * SECOND);
        assert!(
            lost(499_999).is_none() && lost(500_000).is_some_and(|why| why.contains(" 5 % ")),
            "a twentieth counts"
        );
        let thrashing = Contention { memory_pressure_us: Some(SECOND), ..Contention::default() };
        assert!(thrashing.suspicion(SECOND).is_some());
        assert_eq!(Contention::default().suspicion(SECOND), None);
    }
}
