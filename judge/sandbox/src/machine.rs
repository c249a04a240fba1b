//! Facts about the machine that matter for timing: its properties, its load, its topology.
//!
//! Everything comes from `/proc` and `/sys`. Facts that are missing, or whose files are damaged, are `None`.

mod contention;
mod fitness;
mod system;
mod topology;

use judge_job::Machine;
use serde::{Deserialize, Serialize};

pub(crate) use contention::Pressure;
pub use contention::busy_us;
pub use fitness::{Advice, Level, fitness};
use system::{Sysfs, clean};
use topology::Topology;
pub(crate) use topology::default_jobs;
pub use topology::{cores, slots};

/// Reads the facts about this machine. The processors are those that the calling thread may use.
pub fn this() -> Machine {
    let processors = std::thread::available_parallelism().ok().map(Into::into);
    read(&Sysfs::system(), processors, &topology::usable())
}

/// Reads the facts about the machine below a root, of which this process may use the logical processors `usable`.
fn read(system: &Sysfs, processors: Option<usize>, usable: &[usize]) -> Machine {
    let topology = Topology::read(system, usable);
    let cpuinfo = system.text("proc/cpuinfo").unwrap_or_default();
    let meminfo = system.text("proc/meminfo").unwrap_or_default();
    let cpu = |file: &str| format!("sys/devices/system/cpu/{file}");
    let no_turbo = system.flag(&cpu("intel_pstate/no_turbo"));
    let mut machine = Machine::default();
    machine.os = std::env::consts::OS.into();
    machine.arch = std::env::consts::ARCH.into();
    machine.kernel = system.line("proc/sys/kernel/osrelease");
    machine.model = described(&cpuinfo, "model name").and_then(clean);
    machine.processors = processors;
    machine.cores = topology.cores();
    machine.memory_bytes = memory(&meminfo, "MemTotal");
    machine.swap_bytes = memory(&meminfo, "SwapTotal");
    machine.smt = topology.smt().or_else(|| system.flag(&cpu("smt/active")));
    machine.governor = system.line(&cpu("cpu0/cpufreq/scaling_governor"));
    machine.turbo = no_turbo.map(|no| !no).or_else(|| system.flag(&cpu("cpufreq/boost")));
    machine.virtual_machine = described(&cpuinfo, "flags")
        .filter(|flags| !flags.is_empty())
        .map(|flags| flags.split_whitespace().any(|flag| flag == "hypervisor"));
    machine
}

/// Load of a machine at one moment, as far as the system reports it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Condition {
    /// Load average of the last minute: tasks that ran, waited to run or waited for a disk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// Percentage of the last 10 s in which some task waited for a processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_percent: Option<f64>,
    /// Percentage of the last 10 s in which some task waited for memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_percent: Option<f64>,
    /// Percentage of the last 10 s in which some task waited for a disk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_percent: Option<f64>,
    /// Memory available without swapping, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_available_bytes: Option<u64>,
    /// Swap space in use, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swap_used_bytes: Option<u64>,
}

impl Condition {
    /// The present load of this machine.
    pub fn now() -> Self {
        Self::read(&Sysfs::system())
    }

    fn read(system: &Sysfs) -> Self {
        let meminfo = system.text("proc/meminfo").unwrap_or_default();
        let load = system.line("proc/loadavg").and_then(|line| line.split(' ').next()?.parse().ok());
        let swap = [memory(&meminfo, "SwapTotal"), memory(&meminfo, "SwapFree")];
        Self {
            load: load.filter(|load| (0.0..f64::INFINITY).contains(load)),
            cpu_percent: contention::recent_percent(system, "cpu"),
            memory_percent: contention::recent_percent(system, "memory"),
            io_percent: contention::recent_percent(system, "io"),
            memory_available_bytes: memory(&meminfo, "MemAvailable"),
            swap_used_bytes: if let [Some(all), Some(free)] = swap { all.checked_sub(free) } else { None },
        }
    }
}

/// Value of the first line `name : …`. Every processor has such lines; only the first one is read.
fn described<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == name)
        .map(|(_, value)| value.trim())
}

/// The bytes in a line `name: … kB` of `/proc/meminfo`.
fn memory(meminfo: &str, name: &str) -> Option<u64> {
    let kibibytes: u64 = described(meminfo, name)?.strip_suffix(" kB")?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::system::Tree;
    use super::*;

    const CPUINFO: &str = "processor\t: 0\nmodel name\t: Example  Chip\t9000\nflags\t\t: fpu ht hypervisor lm\n\n\
                           processor\t: 1\nmodel name\t: another\nflags\t\t: fpu\n";
    const MEMINFO: &str = "MemTotal:       16384 kB\nMemFree:  5 kB\nMemAvailable:    8192 kB\n\
                           SwapTotal:       2048 kB\nSwapFree:        1024 kB\n";

    #[test]
    fn a_machine_that_reports_everything() {
        let tree = Tree::new();
        tree.file("proc/cpuinfo", CPUINFO).file("proc/meminfo", MEMINFO).file("proc/sys/kernel/osrelease", "6.1.0-x\n");
        tree.cpu("cpu0/topology/thread_siblings_list", "0,2\n").cpu("cpu2/topology/thread_siblings_list", "0,2\n");
        tree.cpu("cpu0/cpufreq/scaling_governor", "powersave\n").cpu("intel_pstate/no_turbo", "1\n");
        // The first source takes precedence over the second.
        tree.cpu("cpufreq/boost", "1\n").cpu("smt/active", "0\n");
        let machine = read(&tree.system(), Some(2), &[0, 2]);
        let mut expected = Machine::default();
        expected.os = std::env::consts::OS.into();
        expected.arch = std::env::consts::ARCH.into();
        expected.kernel = Some("6.1.0-x".into());
        expected.model = Some("Example Chip 9000".into());
        expected.processors = Some(2);
        expected.cores = Some(1);
        expected.memory_bytes = Some(16 << 20);
        expected.swap_bytes = Some(2 << 20);
        expected.smt = Some(true);
        expected.governor = Some("powersave".into());
        expected.turbo = Some(false);
        expected.virtual_machine = Some(true);
        assert_eq!(machine, expected);
        let json = serde_json::to_string(&machine).unwrap();
        assert_eq!(serde_json::from_str::<Machine>(&json).unwrap(), machine);
    }

    #[test]
    fn second_sources() {
        let tree = Tree::new();
        tree.cpu("cpufreq/boost", "1\n").cpu("smt/active", "1\n").file("proc/cpuinfo", "flags : fpu\n");
        let machine = read(&tree.system(), None, &[0, 1]);
        assert_eq!((machine.turbo, machine.smt, machine.virtual_machine), (Some(true), Some(true), Some(false)));
        assert_eq!(machine.cores, None, "no file lists the logical processors of a core");
    }

    #[test]
    fn unusable_files_give_no_figures() {
        let damaged =
            ["", "\n", ":", "model name\nflags :\n", "MemTotal: x kB\nSwapTotal: -1 kB\n", "\u{0}\u{7}\n", "NaN inf"];
        let huge = "MemTotal: 99999999999999999999 kB\nSwapTotal: 18446744073709551615 kB\nMemAvailable: 7\n";
        let bytes: [&[u8]; 2] = [b"\xff\xfe\n", b"model name : \xff\x1b"];
        for content in damaged.map(str::as_bytes).into_iter().chain([huge.as_bytes()]).chain(bytes) {
            let tree = Tree::new();
            for file in ["cpuinfo", "meminfo", "loadavg", "pressure/cpu", "pressure/memory", "pressure/io"] {
                tree.file(&format!("proc/{file}"), content);
            }
            for file in ["cpu0/topology/core_id", "intel_pstate/no_turbo", "cpufreq/boost", "smt/active"] {
                tree.cpu(file, content);
            }
            let machine = read(&tree.system(), None, &[0]);
            let found = (machine.memory_bytes, machine.swap_bytes, machine.smt, machine.turbo, machine.virtual_machine);
            assert_eq!(found, (None, None, None, None, None), "{content:?}");
            assert!(machine.model.is_none_or(|model| model == "\u{fffd}"), "{content:?}");
            assert_eq!(Condition::read(&tree.system()), Condition::default(), "{content:?}");
        }
        let nothing = read(&Tree::new().system(), None, &[]);
        let json = serde_json::to_value(nothing).unwrap();
        assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), ["arch", "os"]);
    }

    #[test]
    fn the_older_form_is_still_read() {
        let machine: Machine = serde_json::from_str(r#"{"os":"linux","arch":"x86_64","processors":2}"#).unwrap();
        assert_eq!((machine.os.as_str(), machine.processors, machine.cores), ("linux", Some(2), None));
        let machine: Machine = serde_json::from_str(r#"{"os":"","arch":"","processors":null}"#).unwrap();
        assert_eq!(machine.processors, None);
    }

    #[test]
    fn a_condition() {
        let tree = Tree::new();
        tree.file("proc/meminfo", MEMINFO).file("proc/loadavg", "1.25 0.50 0.06 1/81 23812\n");
        let pressure =
            |avg10: &str| format!("some avg10={avg10} avg60=9.00 avg300=9.00 total=5\nfull avg10=8.00 total=6\n");
        tree.file("proc/pressure/cpu", pressure("12.50")).file("proc/pressure/io", pressure("101.00"));
        let expected = Condition {
            load: Some(1.25),
            cpu_percent: Some(12.5),
            memory_percent: None,
            io_percent: None,
            memory_available_bytes: Some(8 << 20),
            swap_used_bytes: Some(1 << 20),
        };
        assert_eq!(Condition::read(&tree.system()), expected);
    }

    #[test]
    fn this_machine_is_plausible() {
        let (machine, condition) = (this(), Condition::now());
        assert!(machine.processors.is_some_and(|processors| processors >= 1));
        assert!(machine.cores.is_none_or(|count| count >= 1 && count == cores().len()));
        assert!(machine.kernel.is_some());
        assert!(machine.memory_bytes.is_some_and(|bytes| bytes > 16 << 20));
        assert!(condition.memory_available_bytes < machine.memory_bytes);
        assert!(condition.load.is_some());
        assert!(!fitness(&machine, &condition).is_empty());
    }
}
