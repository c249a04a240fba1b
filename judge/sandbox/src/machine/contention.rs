//! Contention during a run: waiting times of the whole machine, and busy times of single processors.
//!
//! Both are read before and after every run, so each file is one read and a few comparisons.

use std::str::FromStr;

use super::system::Sysfs;

/// Enough bytes for a file of `/proc/pressure`, which has two lines of at most 80 bytes.
const PRESSURE_BYTES: usize = 512;
/// Enough bytes for a line of `/proc/stat` about one processor.
const STAT_LINE_BYTES: usize = 160;
/// The unit of `/proc/stat` in microseconds: one hundredth of a second, regardless of the kernel's own clock.
const TICK_US: u64 = 10_000;

/// Times in which some task of the machine waited for a resource, in microseconds since the machine started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pressure {
    /// Time in which a task waited for a processor.
    pub(crate) cpu_us: u64,
    /// Time in which a task waited for memory.
    pub(crate) memory_us: u64,
}

impl Pressure {
    /// The present figures; `None` if the kernel does not keep both.
    pub(crate) fn now() -> Option<Self> {
        Self::read(&Sysfs::system())
    }

    fn read(system: &Sysfs) -> Option<Self> {
        let total = |resource| some(system, resource, "total=");
        Some(Self { cpu_us: total("cpu")?, memory_us: total("memory")? })
    }

    /// The difference to an earlier moment.
    pub(crate) fn since(&self, earlier: Self) -> Self {
        Self {
            cpu_us: self.cpu_us.saturating_sub(earlier.cpu_us),
            memory_us: self.memory_us.saturating_sub(earlier.memory_us),
        }
    }
}

/// Percentage of the last 10 s in which some task waited for a resource.
pub(super) fn recent_percent(system: &Sysfs, resource: &str) -> Option<f64> {
    some(system, resource, "avg10=").filter(|percent| (0.0..=100.0).contains(percent))
}

/// A figure of the line `some avg10=… avg60=… avg300=… total=…`.
fn some<T: FromStr>(system: &Sysfs, resource: &str, figure: &str) -> Option<T> {
    let mut buffer = [0; PRESSURE_BYTES];
    let text = system.lines(&format!("proc/pressure/{resource}"), &mut buffer)?;
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    line.split(' ').find_map(|word| word.strip_prefix(figure))?.parse().ok()
}

/// Total busy time of these logical processors since the machine started, in microseconds: programs, the kernel, and
/// time that the host of a virtual machine took away. The kernel counts in steps of 10 ms per processor. `None` if it
/// does not report all of them.
pub fn busy_us(processors: &[usize]) -> Option<u64> {
    busy_below(&Sysfs::system(), processors)
}

fn busy_below(system: &Sysfs, processors: &[usize]) -> Option<u64> {
    // Before theirs is a line for each lower number, and one for the sum; the rest of the file is much longer and not
    // needed.
    let lines = processors.iter().max()?.checked_add(2)?;
    let mut buffer = vec![0; lines.min(1 << 16) * STAT_LINE_BYTES];
    let text = system.lines("proc/stat", &mut buffer)?;
    let (mut ticks, mut found) = (0_u64, Vec::with_capacity(processors.len()));
    for line in text.lines().map_while(|line| line.strip_prefix("cpu")) {
        let mut words = line.split_ascii_whitespace();
        // The sum over all has no number.
        let Some(processor) = words.next().filter(|_| !line.starts_with(' ')).and_then(|word| word.parse().ok()) else {
            continue;
        };
        if processors.contains(&processor) && !found.contains(&processor) {
            ticks = ticks.checked_add(busy_ticks(words)?)?;
            found.push(processor);
        }
    }
    if processors.iter().all(|processor| found.contains(processor)) { ticks.checked_mul(TICK_US) } else { None }
}

/// The sum of the busy figures among user, nice, system, idle, iowait, irq, softirq, steal. The time of guests, which
/// follows, is already included in user and nice.
fn busy_ticks<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<u64> {
    let mut figure = || words.next()?.parse::<u64>().ok();
    let [user, nice, kernel, _idle, _iowait] = [figure()?, figure()?, figure()?, figure()?, figure()?];
    let [irq, softirq, steal] = [figure()?, figure()?, figure()?];
    [user, nice, kernel, irq, softirq, steal].into_iter().try_fold(0_u64, u64::checked_add)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::super::system::Tree;
    use super::*;

    fn pressure(total: u64) -> String {
        format!(
            "some avg10=1.50 avg60=0.00 avg300=0.00 total={total}\nfull avg10=7.00 avg60=0.00 avg300=0.00 total=99\n"
        )
    }

    #[test]
    fn waiting_times() {
        let tree = Tree::new();
        tree.file("proc/pressure/cpu", pressure(10));
        assert_eq!(Pressure::read(&tree.system()), None);
        tree.file("proc/pressure/memory", pressure(u64::MAX));
        let before = Pressure::read(&tree.system()).unwrap();
        assert_eq!(before, Pressure { cpu_us: 10, memory_us: u64::MAX });
        tree.file("proc/pressure/cpu", pressure(15)).file("proc/pressure/memory", pressure(3));
        let after = Pressure::read(&tree.system()).unwrap();
        assert_eq!(after.since(before), Pressure { cpu_us: 5, memory_us: 0 });
        assert_eq!(recent_percent(&tree.system(), "cpu"), Some(1.5));
    }

    #[test]
    fn damaged_waiting_times_are_ignored() {
        for content in [
            "",
            "\n",
            "some",
            "some \n",
            "some total=\n",
            "some total=-1 avg10=-1\n",
            "full total=7 avg10=7\n",
            "some avg10=NaN total=18446744073709551616\n",
            "some avg10=100.01 total=1e3\n",
            "some avg10=1 total=12",
        ] {
            let tree = Tree::new();
            tree.file("proc/pressure/cpu", content).file("proc/pressure/io", pressure(1));
            tree.file("proc/pressure/memory", pressure(1));
            assert_eq!(Pressure::read(&tree.system()), None, "{content:?}");
            assert_eq!(recent_percent(&tree.system(), "cpu"), None, "{content:?}");
        }
    }

    #[test]
    fn busy_processors() {
        let tree = Tree::new();
        tree.file(
            "proc/stat",
            "cpu  900 900 900 900 900 900 900 900 900 900\ncpu2 1 2 4 1000 1000 8 16 32 5000 5000\n\
             cpu3 100 0 0 7 7 0 0 0\ncpu12 1 0 0 0 0 0 0 0 0 0\nintr 5 5\ncpu7 1 1 1 1 1 1 1 1\n",
        );
        let busy = |processors: &[usize]| busy_below(&tree.system(), processors);
        assert_eq!(busy(&[2]), Some(630_000));
        assert_eq!(busy(&[3, 2]), Some(1_630_000));
        assert_eq!(busy(&[2, 2]), Some(630_000), "no processor counts twice");
        assert_eq!(busy(&[12]), Some(10_000));
        for unknown in [&[0][..], &[2, 4], &[1], &[7], &[usize::MAX], &[usize::MAX - 2], &[]] {
            assert_eq!(busy(unknown), None, "{unknown:?}");
        }
    }

    #[test]
    fn damaged_figures_are_ignored() {
        for content in [
            "",
            "cpu",
            "cpu0\n",
            "cpu0 1 2 3\n",
            "cpu0 1 2 3 4 5 6 7 8",
            "cpu0 1 2 x 4 5 6 7 8\n",
            "\u{0}\n",
            "cpu 0 1 2 3 4 5 6 7 8 9\n",
            "cpu0 18446744073709551615 1 0 0 0 0 0 0\n",
            "cpu0 18446744073709551 0 0 0 0 0 0 0\n",
        ] {
            let tree = Tree::new();
            tree.file("proc/stat", content);
            assert_eq!(busy_below(&tree.system(), &[0]), None, "{content:?}");
        }
    }

    #[test]
    fn this_machine_counts_upwards() {
        let processors = super::super::cores().concat();
        if let (Some(before), Some(after)) = (busy_us(&processors), busy_us(&processors)) {
            assert!(after >= before && after - before < 60_000_000);
        }
        if let (Some(before), Some(after)) = (Pressure::now(), Pressure::now()) {
            let since = after.since(before);
            assert!([since.cpu_us, since.memory_us].iter().all(|&waited| waited < 60_000_000));
        }
    }
}
