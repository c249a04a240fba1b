//! Advice for organisers on the fitness of a machine for comparing times.

use bytesize::ByteSize;
use judge_job::{count_text, named};
use serde::{Deserialize, Serialize};

use super::{Condition, Machine};

/// Load average per core from which runs are likely to be disturbed, and from which they certainly are.
const LOAD: [f64; 2] = [0.3, 0.7];
/// Percentage of the last 10 s in which some task had to wait, from which runs are likely to be disturbed, and from
/// which they certainly are.
const WAITING: [f64; 2] = [1.0, 10.0];
/// Percent of the memory that should be available, and that must be available.
const AVAILABLE: [u64; 2] = [20, 5];

named! {
    /// Fitness of a machine for comparing times in one respect, best first.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum Level {
        /// Times can be compared, and nothing is left to do.
        Good = "good",
        /// Times may vary more than necessary, or the fact is unknown.
        Notice = "notice",
        /// Times are unreliable until the organiser follows the advice.
        Poor = "poor",
    }
}

/// The finding in one respect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Advice {
    /// The effect on times, which decides the order of the findings.
    pub level: Level,
    /// The respect, such as `cores` or `governor`.
    pub what: String,
    /// The finding, as a fragment.
    pub finding: String,
    /// Advice, as a fragment; `None` if nothing can or needs to be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// Rates a machine and its present condition: one piece of advice per respect, always in the same order.
pub fn fitness(machine: &Machine, condition: &Condition) -> Vec<Advice> {
    let found = [
        ("cores", cores(machine)),
        ("simultaneous multithreading", smt(machine)),
        ("governor", governor(machine)),
        ("turbo", turbo(machine)),
        ("virtual machine", virtual_machine(machine)),
        ("load", load(machine, condition)),
        ("pressure", pressure(condition)),
        ("memory", memory(machine, condition)),
        ("swap", swap(machine, condition)),
    ];
    let advise = |(what, (level, finding, advice)): (&str, Assessment)| {
        let advice = advice.map(str::to_owned);
        Advice { level, what: what.to_owned(), finding, advice }
    };
    found.map(advise).into()
}

/// The level of one fact, the fact in words, and advice to improve it.
type Assessment = (Level, String, Option<&'static str>);

fn good(finding: impl Into<String>) -> Assessment {
    (Level::Good, finding.into(), None)
}

fn notice(finding: impl Into<String>, advice: &'static str) -> Assessment {
    (Level::Notice, finding.into(), Some(advice))
}

fn poor(finding: impl Into<String>, advice: &'static str) -> Assessment {
    (Level::Poor, finding.into(), Some(advice))
}

fn unknown(advice: Option<&'static str>) -> Assessment {
    (Level::Notice, "not reported by the system".into(), advice)
}

fn cores(machine: &Machine) -> Assessment {
    let Some(cores) = machine.cores else { return unknown(Some("run one entry at a time")) };
    let processors = machine.processors.unwrap_or(cores);
    if processors < cores {
        let finding =
            format!("{cores}, but a quota of {processors}: when it is used up, all processes stop for a while");
        poor(finding, "lift the quota of the container or service and give it whole cores instead (a cpuset)")
    } else if cores < 2 {
        poor(
            "a single one, which the judge and the system share with the entry",
            "use a machine with two cores or more",
        )
    } else {
        good(format!("{cores} with {processors} logical processors"))
    }
}

fn smt(machine: &Machine) -> Assessment {
    match machine.smt {
        Some(true) => notice(
            "on: two logical processors share a core and slow each other down",
            "give every run whole cores, or `echo off | sudo tee /sys/devices/system/cpu/smt/control`",
        ),
        Some(false) if machine.virtual_machine == Some(true) => good("off, as far as the host reports it"),
        Some(false) => good("off"),
        None => unknown(Some("run one entry at a time")),
    }
}

fn governor(machine: &Machine) -> Assessment {
    const ADVICE: &str = "`sudo cpupower frequency-set -g performance`";
    match machine.governor.as_deref() {
        Some("performance") => good("performance"),
        Some(other) => notice(format!("{other}: the clock speed changes during a run"), ADVICE),
        None if machine.virtual_machine == Some(true) => good("set by the host"),
        None => unknown(None),
    }
}

fn turbo(machine: &Machine) -> Assessment {
    match machine.turbo {
        Some(true) => notice(
            "on: the clock speed depends on heat and on how many cores work",
            "write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo, or 0 to /sys/devices/system/cpu/cpufreq/boost",
        ),
        Some(false) => good("off"),
        None if machine.virtual_machine == Some(true) => good("set by the host"),
        None => unknown(None),
    }
}

fn virtual_machine(machine: &Machine) -> Assessment {
    match machine.virtual_machine {
        Some(true) => notice(
            "yes: the host may give its cores to others at any time",
            "use a machine of your own, or have the host reserve whole cores; repeat runs that are close",
        ),
        Some(false) => good("no"),
        None => unknown(None),
    }
}

fn load(machine: &Machine, condition: &Condition) -> Assessment {
    const ADVICE: &str = "end what else runs (`top` shows it) and wait a minute";
    let Some(load) = condition.load else { return unknown(None) };
    let cores = machine.cores.or(machine.processors).unwrap_or(1).max(1);
    let finding = format!("{load:.2} in the last minute, on {}", count_text(cores, "core", "cores"));
    match level(load / cores as f64, LOAD) {
        Level::Good => good(finding),
        level => (level, finding, Some(ADVICE)),
    }
}

fn pressure(condition: &Condition) -> Assessment {
    const ADVICE: &str = "end what else runs (`top` shows it) and wait ten seconds";
    let waits = [
        ("a processor", condition.cpu_percent),
        ("memory", condition.memory_percent),
        ("a disk", condition.io_percent),
    ];
    let known = waits.into_iter().filter_map(|(what, percent)| Some((what, percent?)));
    let Some((what, percent)) = known.max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return unknown(Some("start the kernel with `psi=1`, which records waiting times"));
    };
    match level(percent, WAITING) {
        Level::Good => good(format!("nothing waits for more than {percent:.1} % of the time")),
        level => (level, format!("something waits for {what} {percent:.1} % of the time"), Some(ADVICE)),
    }
}

fn level(figure: f64, [notice, poor]: [f64; 2]) -> Level {
    if figure > poor {
        Level::Poor
    } else if figure > notice {
        Level::Notice
    } else {
        Level::Good
    }
}

fn memory(machine: &Machine, condition: &Condition) -> Assessment {
    const ADVICE: &str = "end what takes the memory (`top -o %MEM` shows it)";
    let Some((all, available)) = machine.memory_bytes.zip(condition.memory_available_bytes) else {
        return unknown(None);
    };
    let finding = format!("{} of {} available", ByteSize(available), ByteSize(all));
    let [comfort, least] = AVAILABLE.map(|percent| all / 100 * percent);
    if available < least {
        poor(finding, ADVICE)
    } else if available < comfort {
        notice(finding, ADVICE)
    } else {
        good(finding)
    }
}

fn swap(machine: &Machine, condition: &Condition) -> Assessment {
    match (condition.swap_used_bytes, machine.swap_bytes) {
        (None | Some(0), Some(0)) => good("none"),
        (Some(0), _) => good("none in use"),
        (Some(used), _) => poor(
            format!("{} in use: what is there comes back from disk in the middle of a run", ByteSize(used)),
            "end what takes the memory, then `sudo swapoff -a`",
        ),
        (None, _) => unknown(None),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn unreported_machine() -> Machine {
        serde_json::from_str(r#"{"os":"","arch":""}"#).unwrap()
    }

    fn perfect() -> (Machine, Condition) {
        let mut machine = unreported_machine();
        machine.processors = Some(8);
        machine.cores = Some(8);
        machine.memory_bytes = Some(1 << 34);
        machine.swap_bytes = Some(0);
        machine.smt = Some(false);
        machine.governor = Some("performance".into());
        machine.turbo = Some(false);
        machine.virtual_machine = Some(false);
        let condition = Condition {
            load: Some(0.1),
            cpu_percent: Some(0.0),
            memory_percent: Some(0.0),
            io_percent: Some(0.5),
            memory_available_bytes: Some(1 << 33),
            swap_used_bytes: Some(0),
        };
        (machine, condition)
    }

    /// Checks that a change affects one respect and no other.
    fn is(what: &str, level: Level, change: impl FnOnce(&mut Machine, &mut Condition)) {
        let (mut machine, mut condition) = perfect();
        change(&mut machine, &mut condition);
        let all = fitness(&machine, &condition);
        let bad: Vec<_> = all.iter().filter(|found| found.level != Level::Good).collect();
        assert!(matches!(bad[..], [found] if (found.what.as_str(), found.level) == (what, level)), "{what}: {bad:#?}");
    }

    #[test]
    fn a_perfect_machine_has_nothing_to_be_done() {
        let (machine, condition) = perfect();
        let all = fitness(&machine, &condition);
        assert!(all.iter().all(|advice| advice.level == Level::Good && advice.advice.is_none()), "{all:#?}");
    }

    #[test]
    fn each_flaw_is_found_alone() {
        is("cores", Level::Poor, |machine, _| machine.cores = Some(1));
        is("cores", Level::Poor, |machine, _| machine.processors = Some(3));
        is("cores", Level::Notice, |machine, _| machine.cores = None);
        is("simultaneous multithreading", Level::Notice, |machine, _| machine.smt = Some(true));
        is("governor", Level::Notice, |machine, _| machine.governor = Some("powersave".into()));
        is("governor", Level::Notice, |machine, _| machine.governor = None);
        is("turbo", Level::Notice, |machine, _| machine.turbo = Some(true));
        is("virtual machine", Level::Notice, |machine, _| machine.virtual_machine = Some(true));
        is("load", Level::Notice, |_, condition| condition.load = Some(2.5));
        is("load", Level::Poor, |_, condition| condition.load = Some(8.0));
        is("pressure", Level::Notice, |_, condition| condition.memory_percent = Some(2.0));
        is("pressure", Level::Poor, |_, condition| condition.io_percent = Some(50.0));
        is("memory", Level::Notice, |_, condition| condition.memory_available_bytes = Some(1 << 31));
        is("memory", Level::Poor, |_, condition| condition.memory_available_bytes = Some(0));
        is("swap", Level::Poor, |_, condition| condition.swap_used_bytes = Some(1));
    }

    #[test]
    fn a_virtual_machine_is_not_asked_for_what_its_host_decides() {
        is("virtual machine", Level::Notice, |machine, _| {
            (machine.virtual_machine, machine.governor, machine.turbo) = (Some(true), None, None);
        });
    }

    #[test]
    fn a_system_that_reports_nothing_is_not_called_good() {
        let all = fitness(&unreported_machine(), &Condition::default());
        assert!(all.iter().all(|advice| advice.level == Level::Notice && advice.finding.contains("not reported")));
    }
}
