//! Comparison of a mode of isolation with what this machine offers.

use judge_job::{IsolationMode, Limits, Tier};

use crate::promises::{Guarantee, Limit, broken};
use crate::{Layer, LayerName, Probe};

/// A requirement of a mode of isolation that a machine does not meet. As text it is a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unmet {
    /// A layer does not work.
    #[error("{layer}: {finding}")]
    Layer {
        /// The layer.
        layer: LayerName,
        /// The reason, as a fragment.
        finding: String,
    },
    /// A limit is sampled, but the kernel does not enforce it.
    #[error("the limit on {limit} would only be watched, not enforced: {finding}")]
    Watched {
        /// The name of the limit's promise.
        limit: &'static str,
        /// The reason why the layer that should enforce it does not, as a fragment.
        finding: String,
    },
    /// An entry can hide CPU time.
    #[error("the limit on CPU time would not hold against every entry: {finding}")]
    CpuTime {
        /// The reason why control groups do not count it, as a fragment.
        finding: String,
    },
    /// A promise of the strongest tier is not kept.
    #[error("not promised: {text} ({by})")]
    Promise {
        /// The promise, as a sentence without its end.
        text: &'static str,
        /// The mechanism that would keep it.
        by: &'static str,
    },
}

/// Layers of a mode that do not work on this machine, except control groups, without which limits are sampled.
pub fn missing_layers(mode: IsolationMode, probe: &Probe) -> impl Iterator<Item = &Layer> {
    let wanted = move |layer: &&Layer| layer.name != LayerName::Namespaces || mode.at_most() == Tier::Namespaces;
    probe.layers.iter().filter(|layer| !layer.works && layer.name != LayerName::Cgroup).filter(wanted)
}

/// Requirements of a mode that this machine does not meet for jobs with these limits, sorted by their texts; empty if it
/// meets all of them.
///
/// Only [`IsolationMode::Require`] has requirements: every layer of the strongest tier, and with them every promise that
/// it keeps. A limit that is not set need not be enforced.
pub fn unmet(mode: IsolationMode, probe: &Probe, limits: &[Limits]) -> Vec<Unmet> {
    if mode != IsolationMode::Require {
        return Vec::new();
    }
    let why = |name: LayerName| {
        let layer = probe.layers.iter().find(|layer| layer.name == name);
        layer.map_or("it was not probed", |layer| layer.finding.as_str()).to_owned()
    };
    let layers =
        missing_layers(mode, probe).map(|layer| Unmet::Layer { layer: layer.name, finding: layer.finding.clone() });
    let is_set = |limit: Option<Limit>| match limit {
        Some(Limit::Memory) => limits.iter().any(|limits| limits.memory_bytes.is_some()),
        Some(Limit::Processes) => limits.iter().any(|limits| limits.processes.is_some()),
        Some(Limit::Cpu) => limits.iter().any(|limits| limits.cpu_ms.is_some()),
        Some(Limit::Scratch) => limits.iter().any(|limits| limits.scratch_bytes.is_some()),
        None => true,
    };
    let promises = broken(&probe.conditions).filter(|(promise, _)| is_set(promise.limit));
    let promises = promises.map(|(promise, keeping)| match (keeping, promise.limit) {
        (Guarantee::Watched, limit) => {
            let layer = if limit == Some(Limit::Scratch) { LayerName::Namespaces } else { LayerName::Cgroup };
            Unmet::Watched { limit: promise.name, finding: why(layer) }
        }
        (Guarantee::No, Some(Limit::Cpu)) => Unmet::CpuTime { finding: why(LayerName::Cgroup) },
        _ => Unmet::Promise { text: promise.text, by: promise.by },
    });
    let mut all: Vec<Unmet> = layers.chain(promises).collect();
    all.sort_by_cached_key(Unmet::to_string);
    all.dedup();
    all
}
