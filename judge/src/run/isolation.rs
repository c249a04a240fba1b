//! What holds an entry: the tiers, strongest last, and what a contest may demand.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Enforcement, Limits, Survey};

/// How entries are held. Each tier has its layers; which of them were active is said beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// A process group of its own, and on Linux a keeper to which orphans come home. Processes are ended with the
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Demand {
    /// The strongest tier that works here.
    #[default]
    Auto,
    /// The strongest tier, with every limit of the contest enforced by the kernel; else nothing runs.
    Require,
    /// No namespaces, as on a machine that has none: to compare, or to see what an entry would do there.
    Landlock,
    /// A process group and a keeper only: for debugging, and for programs that need more of the machine. Limits hold.
    Off,
}

impl Demand {
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
        [Self::Auto, Self::Require, Self::Landlock, Self::Off].into_iter().find(|demand| demand.name() == name)
    }

    /// The strongest tier that is to be tried.
    pub(super) fn at_most(self) -> Tier {
        match self {
            Self::Auto | Self::Require => Tier::Namespaces,
            Self::Landlock => Tier::Landlock,
            Self::Off => Tier::ProcessGroup,
        }
    }
}

/// What a machine fails to give of what a demand asks for, as fragments; none where it is met.
///
/// Only [`Demand::Require`] asks for anything: the strongest tier, every layer of it, and every limit enforced by the
/// kernel rather than watched.
pub fn unmet(demand: Demand, survey: &Survey, enforced: Enforcement, limits: &Limits) -> Vec<String> {
    if demand != Demand::Require {
        return Vec::new();
    }
    let why = |name: &str| {
        let layer = survey.layers.iter().find(|layer| layer.name == name);
        layer.map_or("it was not looked for", |layer| layer.finding.as_str()).to_owned()
    };
    let layers = survey.layers.iter().filter(|layer| !layer.works && layer.name != "cgroup");
    let mut unmet: Vec<String> = layers.map(|layer| format!("{}: {}", layer.name, layer.finding)).collect();
    let watched = [
        ("memory", limits.memory_bytes.is_some() && !enforced.memory),
        ("processes", limits.processes.is_some() && !enforced.processes),
        ("cpu", limits.cpu_ms.is_some() && !enforced.cpu),
        ("scratch", limits.scratch_bytes.is_some() && !enforced.scratch),
    ];
    unmet.extend(watched.iter().filter(|(_, missing)| *missing).map(|(limit, _)| {
        let cause = if *limit == "scratch" { why("namespaces") } else { why("cgroup") };
        format!("the limit on {limit} would only be watched, not enforced: {cause}")
    }));
    unmet
}
