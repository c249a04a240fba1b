//! Tiers of isolation, strongest last, and the modes that ask for them.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::named;

named! {
    /// Strength of isolation. [`Isolation`] lists the layers that were active.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum Tier {
        /// A process group and a supervisor that adopts orphans. Processes end with the run; files, network and other
        /// processes are within reach.
        ProcessGroup = "process_group",
        /// Also Landlock and a seccomp filter: only the job's own files and the system's programs, no network, no signals to
        /// other processes, no way out of the process group.
        Landlock = "landlock",
        /// Also namespaces: its own processes, root directory, network and users.
        Namespaces = "namespaces",
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

/// Layers that not every machine has, by the first word of their names. The other layers follow from the tier.
const LAYERS: [&str; 3] = ["landlock", "seccomp", "cgroup"];

impl Isolation {
    /// Parses a text that [`Display`](fmt::Display) wrote. `None` if its tier is unknown.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, layers) = match text.split_once(" (") {
            Some((name, layers)) => (name, layers.strip_suffix(')')?),
            None => (text, ""),
        };
        let tier =
            [Tier::ProcessGroup, Tier::Landlock, Tier::Namespaces].into_iter().find(|tier| tier.name() == name)?;
        let layers = layers.split("; ").filter(|layer| !layer.is_empty()).map(String::from).collect();
        Some(Self { tier, layers })
    }

    fn has(&self, kind: &str) -> bool {
        self.layers.iter().any(|layer| layer.split_whitespace().next() == Some(kind))
    }

    /// Lists the tier and layers that an earlier isolation had and this one lacks, each as a fragment; empty if nothing is
    /// lost.
    pub fn lost_since(&self, before: &Self) -> Vec<String> {
        let tier = (self.tier < before.tier).then(|| format!("the tier {}", before.tier.name()));
        let layers = LAYERS.iter().filter(|kind| before.has(kind) && !self.has(kind)).map(|&kind| kind.to_owned());
        tier.into_iter().chain(layers).collect()
    }

    /// Lists the tiers and layers that only some of these have, for use in a sentence. `None` if all are equal.
    pub fn differences<'a>(all: impl Iterator<Item = &'a Self> + Clone) -> Option<String> {
        let lost = all.clone().flat_map(|one| all.clone().flat_map(|other| one.lost_since(other)));
        let lost: BTreeSet<String> = lost.collect();
        (!lost.is_empty()).then(|| lost.into_iter().collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tier.name())?;
        if self.layers.is_empty() { Ok(()) } else { write!(f, " ({})", self.layers.join("; ")) }
    }
}

named! {
    /// Isolation that a contest wants, which decides whether a job may start without it.
    #[derive(Default)]
    pub enum IsolationMode {
        /// The strongest tier that works here.
        #[default]
        Auto = "auto",
        /// The strongest tier, with every limit enforced by the kernel; otherwise nothing runs.
        Require = "require",
        /// No namespaces, as on a machine without them.
        Landlock = "landlock",
        /// No file, network or process isolation, for debugging and for trusted programs. Limits still apply.
        Off = "off",
    }
}

impl IsolationMode {
    /// The strongest tier to try.
    pub fn at_most(self) -> Tier {
        match self {
            Self::Auto | Self::Require => Tier::Namespaces,
            Self::Landlock => Tier::Landlock,
            Self::Off => Tier::ProcessGroup,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn an_isolation_is_read_as_it_is_written() {
        for text in ["namespaces (user pid mount; landlock 7; seccomp)", "process_group", "landlock (subreaper)"] {
            assert_eq!(Isolation::parse(text).unwrap().to_string(), text);
        }
        assert!(["", "cellar", "namespaces (open"].iter().all(|text| Isolation::parse(text).is_none()));
    }

    #[test]
    fn what_is_lost_is_named() {
        let strong = Isolation::parse("namespaces (pid mount; landlock 7; seccomp; cgroup memory pids)").unwrap();
        let lost = |text: &str| Isolation::parse(text).unwrap().lost_since(&strong);
        assert_eq!(lost("namespaces (pid mount; landlock 6; seccomp; cgroup memory)"), Vec::<String>::new());
        assert_eq!(lost("namespaces (pid mount; landlock 7; cgroup memory)"), ["seccomp"]);
        assert_eq!(lost("process_group (subreaper)"), ["the tier namespaces", "landlock", "seccomp", "cgroup"]);
        let weak = Isolation::parse("landlock (landlock 7; seccomp)").unwrap();
        assert!(strong.lost_since(&weak).is_empty());
        assert_eq!(Isolation::differences([&weak, &strong].into_iter()).unwrap(), "cgroup, the tier namespaces");
        assert_eq!(Isolation::differences([&weak, &weak].into_iter()), None);
    }
}
