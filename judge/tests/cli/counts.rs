//! What large results cost as instructions, and a run in the sandbox as allocations: counts are the same on a busy machine
//! and on an idle one.
//!
//! Valgrind counts instructions of the command itself. A row of `counts.csv` is what one compiler's build takes, or what a
//! run takes with one isolation; no count may grow by more than [`GROWTH`] percent. Where there is no row, the limit is
//! [`UNKNOWN`] percent more than the last row of that name. `RENEW_COUNTS=1` writes the rows of this machine.
//!
//! All are of the profile that tests use; in an optimised one these tests are skipped, and without valgrind the first one,
//! unless `REQUIRE_VALGRIND` is set.

#[path = "../../benches/many_runs/mod.rs"]
mod many_runs;

use std::sync::Mutex;

use judge_sandbox::{End, Executor as _, Interrupt, IsolationMode, Job, Limits, LocalExecutor};

use crate::support::*;

const GROWTH: u64 = 5;
const UNKNOWN: u64 = 40;
/// Set to write the counts.
const RENEW: &str = "RENEW_COUNTS";
const RUNS: usize = 2_000;
const MOVES: usize = 100_000;

/// What is counted: a command on much input, less the same on little.
struct Counted {
    name: &'static str,
    large: Vec<String>,
    small: Vec<String>,
}

#[test]
#[ignore = "deep: large"]
fn large_results_take_no_more_instructions_than_before() {
    if !cfg!(debug_assertions) {
        return;
    }
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        assert!(std::env::var_os("REQUIRE_VALGRIND").is_none(), "valgrind is missing; install it with apt");
        return;
    }
    let folder = Folder::new();
    let counts: Vec<(&str, u64)> = counted(&folder)
        .iter()
        .map(|one| (one.name, instructions(&folder, &one.large).saturating_sub(instructions(&folder, &one.small))))
        .collect();
    for &(name, now) in &counts {
        assert!(now > 1_000_000, "{name}: {now} instructions, so nothing was counted");
    }
    Table::compare("instructions", &toolchain(), &counts);
}

#[test]
#[ignore = "deep: large"]
fn a_run_in_the_sandbox_makes_no_more_allocations_than_before() {
    if !cfg!(debug_assertions) {
        return;
    }
    let (folder, interrupt) = (Folder::new(), Interrupt::never().unwrap());
    let job = Job::new(["/bin/true"], folder.path().join("out"), folder.path().join("err"))
        .with_limits(Limits::default().with_wall_ms(60_000))
        .with_file_argument("board.txt", "ABCDE FGHIJ KLMNO PQRST UVWX+\n");
    for mode in [IsolationMode::Auto, IsolationMode::Landlock, IsolationMode::Off] {
        let executor = LocalExecutor::new(&interrupt, mode).unwrap();
        // On a busy machine a run is looked at more often, so the least of some counts.
        let allocations = (0..20).map(|_| {
            let counted = allocation_counter::measure(|| {
                assert_eq!(executor.execute(&job).unwrap().end, End::Exited { code: 0 });
            });
            counted.count_total
        });
        let least = allocations.min().unwrap();
        assert!(least > 10, "{least} allocations, so nothing was counted");
        let isolation = executor.describe().isolation;
        let groups = isolation.layers.iter().filter(|layer| layer.starts_with("cgroup"));
        let of: Vec<_> = [isolation.tier.name().to_owned()].into_iter().chain(groups.cloned()).collect();
        Table::compare("allocations", &of.join("; "), &[("a run of /bin/true", least)]);
    }
}

fn counted(folder: &Folder) -> [Counted; 5] {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    for (name, runs) in [("large", RUNS), ("small", many_runs::ENTRIES)] {
        fs::create_dir(folder.path().join(name)).unwrap();
        many_runs::write_journal(&folder.path().join(name), runs, usize::MAX).unwrap();
        let contents = judge_core::journal::read(&folder.path().join(name)).unwrap();
        let mut csv = Vec::new();
        judge_core::results_csv::write_runs(&contents, &mut csv).unwrap();
        folder.file(&format!("{name}.csv"), csv);
    }
    // Legal on `perfection`, whose empty spot is in a corner.
    folder.file("moves", "du".repeat(MOVES / 2));
    folder.file("no-moves", "");
    let perfection = board("perfection");
    let rank = |results: &str, format: &str| words(&["rank", results, "--format", format]);
    let validate = |answer: &str| words(&["validate", &perfection, answer]);
    [
        // It reads the whole journal for the programs in it, of which there are none.
        Counted {
            name: "reading a journal of 2,000 runs",
            large: words(&["restore", "large"]),
            small: words(&["restore", "small"]),
        },
        Counted {
            name: "reading and ranking a journal of 2,000 runs",
            large: rank("large", "csv"),
            small: rank("small", "csv"),
        },
        Counted {
            name: "reading and ranking 2,000 rows of results.csv",
            large: rank("large.csv", "csv"),
            small: rank("small.csv", "csv"),
        },
        Counted { name: "the same journal as JSON", large: rank("large", "json"), small: rank("small", "json") },
        Counted { name: "replaying 100,000 moves", large: validate("moves"), small: validate("no-moves") },
    ]
}

/// The instructions that a command executes.
fn instructions(folder: &Folder, arguments: &[String]) -> u64 {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    valgrind.arg(env!("CARGO_BIN_EXE_judge")).args(arguments).current_dir(folder.path()).stdin(Stdio::null());
    let printed = valgrind.output().unwrap();
    let text = String::from_utf8_lossy(&printed.stderr);
    // `validate` ends with 1 for an answer that stops short of the goal.
    assert!(matches!(printed.status.code(), Some(0 | 1)), "{arguments:?}: {text}");
    let count = text.lines().find_map(|line| line.split_once("refs:"));
    let digits: String = count.unwrap_or_else(|| panic!("{text}")).1.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

/// The compiler of the command, and what decides which routines of the C library it uses.
fn toolchain() -> String {
    const MARK: &[u8] = b"rustc version ";
    let program = fs::read(env!("CARGO_BIN_EXE_judge")).unwrap();
    let at = program.windows(MARK.len()).position(|window| window == MARK);
    let version = at.map_or(&b"unknown"[..], |at| &program[at + MARK.len()..]);
    let version = version.split(|byte| *byte == b' ' || *byte == 0).next().unwrap_or_default();
    #[cfg(target_arch = "x86_64")]
    let wide = if std::arch::is_x86_feature_detected!("avx2") { " avx2" } else { "" };
    #[cfg(not(target_arch = "x86_64"))]
    let wide = "";
    format!("{} {}{wide}", String::from_utf8_lossy(version), std::env::consts::ARCH)
}

/// All counts: rows of a unit, the compiler or the isolation that they are of, a name, and a number.
struct Table(Vec<Count>);

type Count = (String, String, String, u64);

/// Writing its rows is one at a time.
static RENEWED: Mutex<()> = Mutex::new(());

impl Table {
    /// Compares counts with the rows that are of the same, or writes these.
    fn compare(unit: &str, of: &str, counts: &[(&str, u64)]) {
        let _alone = RENEWED.lock().unwrap();
        let mut table = Self::read();
        if std::env::var_os(RENEW).is_some() {
            return table.renew(unit, of, counts);
        }
        for &(name, now) in counts {
            let (before, percent) = table.limit(unit, of, name);
            assert!(
                now * 100 <= before * (100 + percent),
                "{name}: {now} {unit}, before {before}; if that is worth it, renew the row of `{of}` with {RENEW}=1"
            );
        }
    }

    fn path() -> PathBuf {
        project().join("judge/tests/cli/counts.csv")
    }

    fn read() -> Self {
        let mut reader = csv::Reader::from_path(Self::path()).unwrap();
        Self(reader.deserialize().collect::<Result<_, _>>().unwrap())
    }

    /// The count before, and by how many percent more is too many.
    fn limit(&self, unit: &str, of: &str, name: &str) -> (u64, u64) {
        let named = |row: &&Count| row.0 == unit && row.2 == name;
        let known = self.0.iter().filter(named).find(|row| row.1 == of);
        let last = self.0.iter().rfind(named).unwrap_or_else(|| panic!("{name}: no row; write it with {RENEW}=1"));
        known.map_or((last.3, UNKNOWN), |row| (row.3, GROWTH))
    }

    fn renew(&mut self, unit: &str, of: &str, counts: &[(&str, u64)]) {
        self.0.retain(|row| (&*row.0, &*row.1) != (unit, of));
        self.0.extend(counts.iter().map(|&(name, count)| (unit.into(), of.into(), name.into(), count)));
        let mut writer = csv::Writer::from_path(Self::path()).unwrap();
        writer.write_record(["unit", "of", "count", "number"]).unwrap();
        self.0.iter().for_each(|row| writer.serialize(row).unwrap());
        writer.flush().unwrap();
    }
}
