//! The limit for wall-clock time in addition to the limit for CPU time. The format permits such a limit but does not
//! define one.

use crate::Package;

/// Wall-clock time that a program gets besides its CPU time, for the start of its runtime and for waiting.
const START_SECONDS: f64 = 2.0;

/// The wall-clock time that programs of a package may take, including waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WallClock {
    /// The number of programs that take turns.
    programs: u8,
}

impl WallClock {
    /// The limit for wall-clock time for a limit for CPU time, both in seconds.
    pub fn limit(self, cpu: f64) -> f64 {
        f64::from(self.programs) * (2.0 * cpu + START_SECONDS)
    }

    /// The wall-clock time after which a verification ends a run with a limit for CPU time, both in seconds. It only ends
    /// programs that wait; it is generous, as a busy machine may need more than the limit.
    pub fn end(self, cpu: f64) -> f64 {
        f64::from(self.programs) * (4.0 * cpu + 5.0 * START_SECONDS)
    }

    /// The least limit for CPU time that allows this wall-clock time, both in seconds.
    pub fn least_limit(self, wall: f64) -> f64 {
        ((wall / f64::from(self.programs) - START_SECONDS) / 2.0).max(0.0)
    }
}

impl Package {
    /// The wall-clock time of its submissions.
    pub fn wall_clock(&self) -> WallClock {
        // In a talk the validator also takes time, on the same core.
        WallClock { programs: if self.metadata.interactive { 2 } else { 1 } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_agree() {
        for (programs, limit) in [(1, 4.0), (2, 8.0)] {
            let clock = WallClock { programs };
            assert_eq!(clock.limit(1.0), limit);
            assert_eq!(clock.least_limit(limit), 1.0);
            assert_eq!(clock.end(1.0), limit * 3.5);
            assert_eq!(clock.least_limit(1.0), 0.0, "it has no limit that is too low");
        }
    }
}
