//! Tiers of isolation, strongest last, and the modes that ask for them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Strength of isolation. [`Isolation`] lists the layers that were active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// A process group and a supervisor that adopts orphans. Processes end with the run; files, network and other
    /// processes are within reach.
    ProcessGroup,
    /// Also Landlock and a seccomp filter: only the job's own files and the system's programs, no network, no signals to
    /// other processes, no way out of the process group.
    Landlock,
    /// Also namespaces: its own processes, root directory, network and users.
    Namespaces,
}

impl Tier {
    /// The name used in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::ProcessGroup => "process_group",
            Self::Landlock => "landlock",
            Self::Namespaces => "namespaces",
        }
    }
}

/// Isolation of a run's processes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Isolation {
    /// Strength of the sandbox as a whole.
    pub tier: Tier,
    /// Active layers, in the order in which they were applied.
    pub layers: Vec<String>,
}

impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tier.name())?;
        if self.layers.is_empty() { Ok(()) } else { write!(f, " ({})", self.layers.join("; ")) }
    }
}

/// Isolation that a contest wants, which decides whether a job may start without it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IsolationMode {
    /// The strongest tier that works here.
    #[default]
    Auto,
    /// The strongest tier, with every limit enforced by the kernel; otherwise nothing runs.
    Require,
    /// No namespaces, as on a machine without them.
    Landlock,
    /// No file, network or process isolation, for debugging and for trusted programs. Limits still apply.
    Off,
}

impl IsolationMode {
    /// Every mode, in the order in which help names them.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Require, Self::Landlock, Self::Off];

    /// The name in contest files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Require => "require",
            Self::Landlock => "landlock",
            Self::Off => "off",
        }
    }

    /// The mode of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// The strongest tier to try.
    pub fn at_most(self) -> Tier {
        match self {
            Self::Auto | Self::Require => Tier::Namespaces,
            Self::Landlock => Tier::Landlock,
            Self::Off => Tier::ProcessGroup,
        }
    }
}
