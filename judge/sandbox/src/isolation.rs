//! Comparison of a mode of isolation with what this machine offers.

use judge_job::{IsolationMode, Limits};

use crate::{Enforcement, Probe};

/// Requirements of a mode that this machine does not meet, as fragments; empty if it meets all.
///
/// Only [`IsolationMode::Require`] has requirements: every layer of the strongest tier, and every limit enforced by the
/// kernel instead of by sampling.
pub fn unmet(mode: IsolationMode, probe: &Probe, enforced: Enforcement, limits: &Limits) -> Vec<String> {
    if mode != IsolationMode::Require {
        return Vec::new();
    }
    let why = |name: &str| {
        let layer = probe.layers.iter().find(|layer| layer.name == name);
        layer.map_or("it was not probed", |layer| layer.finding.as_str()).to_owned()
    };
    let layers = probe.layers.iter().filter(|layer| !layer.works && layer.name != "cgroup");
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
