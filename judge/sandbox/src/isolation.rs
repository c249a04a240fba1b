//! Comparison of a mode of isolation with what this machine offers.

use judge_job::{IsolationMode, Limits};

use crate::Probe;
use crate::promises::{Guarantee, Limit, broken};

/// Requirements of a mode that this machine does not meet for jobs with these limits, as sorted fragments; empty if it
/// meets all.
///
/// Only [`IsolationMode::Require`] has requirements: every layer of the strongest tier, and with them every promise that
/// it keeps. A limit that is not set need not be enforced.
pub fn unmet(mode: IsolationMode, probe: &Probe, limits: &[Limits]) -> Vec<String> {
    if mode != IsolationMode::Require {
        return Vec::new();
    }
    let why = |name: &str| {
        let layer = probe.layers.iter().find(|layer| layer.name == name);
        layer.map_or("it was not probed", |layer| layer.finding.as_str()).to_owned()
    };
    let layers = probe.layers.iter().filter(|layer| !layer.works && layer.name != "cgroup");
    let layers = layers.map(|layer| format!("{}: {}", layer.name, layer.finding));
    let is_set = |limit: Option<Limit>| match limit {
        Some(Limit::Memory) => limits.iter().any(|limits| limits.memory_bytes.is_some()),
        Some(Limit::Processes) => limits.iter().any(|limits| limits.processes.is_some()),
        Some(Limit::Cpu) => limits.iter().any(|limits| limits.cpu_ms.is_some()),
        Some(Limit::Scratch) => limits.iter().any(|limits| limits.scratch_bytes.is_some()),
        None => true,
    };
    let promises = broken(&probe.conditions).filter(|(promise, _)| is_set(promise.limit));
    let promises = promises.map(|(promise, keeping)| match keeping {
        Guarantee::Watched => {
            let layer = if promise.limit == Some(Limit::Scratch) { "namespaces" } else { "cgroup" };
            format!("the limit on {} would only be watched, not enforced: {}", promise.name, why(layer))
        }
        Guarantee::No if promise.limit == Some(Limit::Cpu) => {
            format!("the limit on CPU time would not hold against every entry: {}", why("cgroup"))
        }
        _ => format!("not promised: {} ({})", promise.text, promise.by),
    });
    let mut all: Vec<String> = layers.chain(promises).collect();
    all.sort();
    all.dedup();
    all
}
