//! What holds an entry: the tiers, strongest last, and what a contest may demand.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How entries are held. Each tier has its layers; which of them were active is said beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// A process group of its own, and on Linux a supervisor to which orphans come home. Processes are ended with the
    /// run; files, network and other processes are within reach.
    ProcessGroup,
    /// Landlock and a seccomp filter on top of that: no files but its own and the system's programs, no network, no
    /// signals to others, no way out of the process group.
    Landlock,
    /// Namespaces: a world of its own, with its own processes, root directory, network and users.
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

/// What held the processes of a run together and away from everything else.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Isolation {
    /// The tier.
    pub tier: Tier,
    /// Every layer that was active, in the order in which they were put on.
    pub layers: Vec<String>,
}

impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tier.name())?;
        if self.layers.is_empty() { Ok(()) } else { write!(f, " ({})", self.layers.join("; ")) }
    }
}

/// How much isolation is wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IsolationMode {
    /// The strongest tier that works here.
    #[default]
    Auto,
    /// The strongest tier, with every limit of the contest enforced by the kernel; else nothing runs.
    Require,
    /// No namespaces, as on a machine that has none: to compare, or to see what an entry would do there.
    Landlock,
    /// A process group and a supervisor only: for debugging, and for programs that need more of the machine. Limits hold.
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

    /// The demand of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|demand| demand.name() == name)
    }

    /// The strongest tier that is to be tried.
    pub fn at_most(self) -> Tier {
        match self {
            Self::Auto | Self::Require => Tier::Namespaces,
            Self::Landlock => Tier::Landlock,
            Self::Off => Tier::ProcessGroup,
        }
    }
}
