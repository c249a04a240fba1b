//! The sandbox and other tools, in turn in one run: cost of a run, lateness of limits, surviving processes, and memory
//! under a flood of output.
//!
//! `cargo bench -p judge --bench cage`. Tools that are not installed are left out: GNU `timeout`, `bwrap`, BenchExec's
//! `runexec`, `pahcer`. The judge executes a run in its own process; the others are commands that are started once per
//! run, as in practice. `results/cage.csv` has the results.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures and prints")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use judge_sandbox::{End, Executor as _, Interrupt, IsolationMode, Job, Limits, LocalExecutor};

/// A board on which every answer fails at once.
const BOARD: &str = "ABCDE FGHIJ KLMNO PQRST UVWX+\n";

fn main() {
    let interrupt = Interrupt::never().expect("a socket pair");
    let bench = Comparison::new(&interrupt);
    for (name, executor) in &bench.judges {
        println!("{name}: {}", executor.isolation());
    }
    bench.cost();
    bench.lateness();
    bench.survivors();
    bench.survivors_of_the_judge();
    bench.flood();
}

struct Comparison<'a> {
    interrupt: &'a Interrupt,
    folder: tempfile::TempDir,
    judges: Vec<(&'static str, LocalExecutor<'a>)>,
    tools: Vec<Tool>,
}

/// Another tool: its name, and its command line for a folder and a limit in seconds, if any.
struct Tool {
    name: &'static str,
    command: fn(Option<f64>, &Path) -> Vec<String>,
    /// The number of repetitions; some tools take long.
    rounds: usize,
    /// True if it ends a program at a limit.
    limits: bool,
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').filter(|word| !word.is_empty()).map(Into::into).collect()
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "timeout",
        command: |limit, _| words(&format!("timeout -k 0.2 {}", limit.unwrap_or(60.0))),
        rounds: 10,
        limits: true,
    },
    Tool {
        name: "bwrap",
        command: |limit, _| {
            let timed = limit.map_or(String::new(), |limit| format!("timeout -s KILL {limit}"));
            words(&format!("{timed} bwrap --unshare-all --die-with-parent --ro-bind / / --proc /proc --dev /dev"))
        },
        rounds: 10,
        limits: true,
    },
    Tool {
        name: "runexec",
        command: |limit, folder| {
            let limit = limit.map_or(String::new(), |limit| format!("--walltimelimit {}", limit.ceil()));
            let folder = folder.display();
            words(&format!(
                "runexec --read-only-dir / --hidden-dir /tmp --full-access-dir {folder} --output /dev/null {limit} --"
            ))
        },
        rounds: 5,
        limits: true,
    },
    Tool {
        name: "pahcer",
        command: |_, _| words("pahcer run --no-compile --no-result-file --"),
        rounds: 5,
        limits: false,
    },
];

impl<'a> Comparison<'a> {
    fn new(interrupt: &'a Interrupt) -> Self {
        let executor = |demand| LocalExecutor::new(interrupt, demand).expect("a scratch directory");
        let judges = vec![
            ("judge, strongest", executor(IsolationMode::Auto)),
            ("judge, landlock", executor(IsolationMode::Landlock)),
            ("judge, off", executor(IsolationMode::Off)),
        ];
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("its rights");
        fs::copy("/bin/sleep", folder.path().join("sleeper")).expect("a program");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let there = |name: &str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
        let (tools, missing): (Vec<_>, Vec<_>) = TOOLS.iter().partition(|tool| there(tool.name));
        for tool in missing {
            println!("{} is not installed here", tool.name);
        }
        let tools = tools.into_iter().map(|Tool { name, command, rounds, limits }| Tool {
            name,
            command: *command,
            rounds: *rounds,
            limits: *limits,
        });
        let bench = Self { interrupt, tools: tools.collect(), folder, judges };
        bench.script("forever", "trap '' TERM\nwhile :; do :; done");
        // Seven processes: three sessions with an orphan each, all ignoring SIGTERM.
        let sleeper = bench.path("sleeper");
        let sleeper = sleeper.display();
        bench.script(
            "tree",
            &format!(
                "trap '' TERM\nfor branch in 1 2 3; do\nsetsid sh -c 'trap \"\" TERM; ({sleeper} 4321 &); exec {sleeper} \
                 4321' &\ndone\nexec {sleeper} 4321"
            ),
        );
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn script(&self, name: &str, body: &str) {
        fs::write(self.path(name), format!("#!/bin/sh\n{body}\n")).expect("a script");
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).expect("its rights");
    }

    fn job(&self, command: &[&str], wall_ms: u64, grace_ms: u64) -> Job {
        let limits = Limits::default().with_wall_ms(wall_ms).with_grace_ms(grace_ms);
        let job = Job::new(command.iter().copied(), self.path("out"), self.path("err"));
        job.with_readable(self.path("sleeper")).with_limits(limits).with_file_argument("board.txt", BOARD)
    }

    /// Runs a command by a tool, and returns the time that it took.
    fn by_tool(&self, tool: &Tool, limit: Option<f64>, program: &[&str]) -> Duration {
        let mut line = (tool.command)(limit, self.folder.path());
        if tool.name == "pahcer" {
            // It reads the command from a file.
            let step = format!(
                "[[test.test_steps]]\nprogram = {:?}\nargs = {:?}\nmeasure_time = true\n",
                program[0],
                &program[1..]
            );
            let head = "[general]\nversion = \"0.4.0\"\n[problem]\nproblem_name = \"x\"\nobjective = \"Min\"\n\
                        score_regex = '(?P<score>\\d+)'\n[test]\nstart_seed = 0\nend_seed = 1\nthreads = 1\n\
                        out_dir = \"./pahcer\"\ncompile_steps = []\n";
            fs::write(self.path("pahcer_config.toml"), format!("{head}{step}")).expect("a file");
            line.pop();
        } else {
            line.extend(program.iter().map(|&word| word.to_owned()));
        }
        let mut command = Command::new(&line[0]);
        command.args(&line[1..]).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let begun = Instant::now();
        command.status().expect("the tool starts");
        begun.elapsed()
    }

    fn cost(&self) {
        const ROUNDS: usize = 300;
        const BOARDS: usize = 100_000;
        /// Memory per board that a contest of this many boards takes.
        const BOARD_BYTES: usize = 3 << 10;
        println!("\none run of /bin/true, in turn, ms:                  median     p90");
        let job = self.job(&["/bin/true"], 10_000, 0);
        let mut bare = Vec::new();
        let mut judged = vec![Vec::new(); self.judges.len()];
        let mut tooled = vec![Vec::new(); self.tools.len()];
        for round in 0..ROUNDS {
            let begun = Instant::now();
            Command::new("/bin/true").stdin(Stdio::null()).status().expect("true");
            bare.push(begun.elapsed());
            for ((_, executor), times) in self.judges.iter().zip(&mut judged) {
                let begun = Instant::now();
                let outcome = executor.execute(&job).expect("no interrupt");
                times.push(begun.elapsed());
                assert_eq!(outcome.end, End::Exited { code: 0 });
            }
            for (tool, times) in self.tools.iter().zip(&mut tooled) {
                if round % (ROUNDS / tool.rounds / 2) == 0 {
                    times.push(self.by_tool(tool, None, &["/bin/true"]));
                }
            }
        }
        // As many boards in memory as a contest can have, in the same pieces.
        let contest: Vec<Vec<u8>> = (0..BOARDS).map(|_| vec![1; BOARD_BYTES]).collect();
        let executor = LocalExecutor::new(self.interrupt, IsolationMode::Auto).expect("a scratch directory");
        let mut large: Vec<Duration> = (0..ROUNDS)
            .map(|_| {
                let begun = Instant::now();
                let outcome = executor.execute(&job).expect("no interrupt");
                assert_eq!(outcome.end, End::Exited { code: 0 });
                begun.elapsed()
            })
            .collect();
        assert!(contest.iter().all(|board| board[0] == 1));
        drop(contest);
        line("bare spawn and wait", &mut bare);
        self.judges.iter().zip(&mut judged).for_each(|((name, _), times)| line(name, times));
        line("judge, strongest, in a contest of 10^5 boards", &mut large);
        self.tools.iter().zip(&mut tooled).for_each(|(tool, times)| line(tool.name, times));
    }

    fn lateness(&self) {
        println!(
            "\na busy loop that ignores SIGTERM, limit 1 s and 0.2 s of grace, ms late:        median     p99  worst"
        );
        let forever = self.path("forever").display().to_string();
        let expected = Duration::from_millis(1200);
        for ((name, executor), runs) in self.judges.iter().zip([50, 20, 20]) {
            let job = self.job(&[&forever], 1000, 200);
            let mut late: Vec<Duration> = (0..runs)
                .map(|_| {
                    let begun = Instant::now();
                    let outcome = executor.execute(&job).expect("no interrupt");
                    assert_eq!(outcome.end, End::TimedOut);
                    begun.elapsed().saturating_sub(expected)
                })
                .collect();
            late_line(name, &mut late);
        }
        for tool in self.tools.iter().filter(|tool| tool.limits) {
            // Those without a grace period are late after the limit itself.
            let expected = if tool.name == "timeout" { expected } else { Duration::from_secs(1) };
            let times = (0..tool.rounds).map(|_| self.by_tool(tool, Some(1.0), &[&forever]));
            let mut late: Vec<Duration> = times.map(|time| time.saturating_sub(expected)).collect();
            late_line(tool.name, &mut late);
        }
    }

    fn survivors(&self) {
        println!("\nsurvivors of a tree of seven (sessions, orphans, SIGTERM ignored) after its limit:");
        let tree = self.path("tree").display().to_string();
        for (name, executor) in &self.judges {
            let mut left = 0;
            for _ in 0..100 {
                let outcome = executor.execute(&self.job(&[&tree], 100, 20)).expect("no interrupt");
                assert_eq!(outcome.end, End::TimedOut);
                left += usize::from(self.end_survivors() > 0);
            }
            println!("  {name:24} {left} of 100 runs left survivors");
        }
        for tool in self.tools.iter().filter(|tool| tool.limits) {
            let mut left = 0;
            for _ in 0..tool.rounds {
                self.by_tool(tool, Some(0.2), &[&tree]);
                left += usize::from(self.end_survivors() > 0);
            }
            println!("  {:24} {left} of {} runs left survivors", tool.name, tool.rounds);
        }
    }

    /// Counts the runs that leave survivors when the judge itself is killed in the middle of a run.
    fn survivors_of_the_judge(&self) {
        println!("\nsurvivors of the tree one second after SIGKILL to the tool:");
        fs::write(self.path("board.txt"), BOARD).expect("a board");
        let text = "name = \"tree\"\ngame = \"loyd\"\nreadable = [\"sleeper\"]\n[[board]]\nname = \"B\"\n\
                    file = \"board.txt\"\n[[entry]]\nname = \"tree\"\ncommand = \"./tree\"\n";
        fs::write(self.path("contest.toml"), text).expect("a contest");
        let judge = |isolation: &str, round: usize| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_judge"));
            command.args(["run", "--isolation", isolation, "--out", &format!("runs/{isolation}-{round}")]);
            // Landlock's tier keeps processes in the group, so the tree never exists.
            self.killed(command, if isolation == "landlock" { 1 } else { 7 })
        };
        for (name, isolation) in [("judge, strongest", "auto"), ("judge, landlock", "landlock"), ("judge, off", "off")]
        {
            let left = (0..20).filter(|&round| judge(isolation, round) > 0).count();
            println!("  {name:24} {left} of 20");
        }
        for tool in self.tools.iter().filter(|tool| tool.limits) {
            let left = (0..tool.rounds).filter(|_| {
                let line =
                    [(tool.command)(Some(60.0), self.folder.path()), vec![self.path("tree").display().to_string()]]
                        .concat();
                let mut command = Command::new(&line[0]);
                command.args(&line[1..]);
                self.killed(command, 7) > 0
            });
            println!("  {:24} {} of {}", tool.name, left.count(), tool.rounds);
        }
    }

    /// Kills a command once the tree is complete, and returns the number of survivors a second later.
    fn killed(&self, mut command: Command, tree: usize) -> usize {
        command.current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut tool = command.spawn().expect("the tool starts");
        let begun = Instant::now();
        while self.living().len() < tree && begun.elapsed() < Duration::from_secs(5) {
            sleep(Duration::from_millis(5));
        }
        assert!(self.living().len() >= tree, "the tree stands");
        tool.kill().expect("it lives");
        tool.wait().expect("it is ours");
        sleep(Duration::from_secs(1));
        self.end_survivors()
    }

    /// Living processes of the tree, without zombies.
    fn living(&self) -> Vec<i32> {
        let sleeper = self.path("sleeper").display().to_string();
        let processes = fs::read_dir("/proc").expect("processes").flatten();
        let pids = processes.filter_map(|process| process.file_name().to_str()?.parse::<i32>().ok());
        let named = |pid: &i32| {
            // The program itself must match, so that shells and tools that only name it do not count.
            let line = fs::read(Path::new("/proc").join(pid.to_string()).join("cmdline")).unwrap_or_default();
            line.split(|byte| *byte == 0).next() == Some(sleeper.as_bytes())
        };
        pids.filter(named).collect()
    }

    /// Counts the survivors, and ends them so that they do not count again.
    fn end_survivors(&self) -> usize {
        let living = self.living();
        for pid in living.iter().filter_map(|pid| rustix::process::Pid::from_raw(*pid)) {
            rustix::process::kill_process(pid, rustix::process::Signal::KILL).ok();
        }
        if !living.is_empty() {
            sleep(Duration::from_millis(50));
        }
        living.len()
    }

    fn flood(&self) {
        println!("\n10 GB of output, cap 16 MiB on standard output, none on standard error:");
        for (stream, redirection) in [("standard output", ""), ("standard error", " >&2")] {
            let before = resident();
            let begun = Instant::now();
            let flood = format!("head -c 10G /dev/zero{redirection}");
            let job = self.job(&["/bin/sh", "-c", &flood], 600_000, 0);
            let outcome = self.judges[0].1.execute(&job).expect("no interrupt");
            let (took, after) = (begun.elapsed(), resident());
            let end = if outcome.end == End::TooMuchOutput { "ended at the cap" } else { "read to its end" };
            let grown = after.saturating_sub(before);
            println!(
                "  {stream}: {end} after {:.3} s; the judge's peak memory grew by {grown} KiB",
                took.as_secs_f64()
            );
        }
    }
}

fn line(name: &str, times: &mut [Duration]) {
    times.sort();
    let [median, p90] = [2, 10].map(|part| times[times.len() - 1 - times.len() / part].as_secs_f64() * 1000.0);
    println!("  {name:48} {median:8.2} {p90:8.2}");
}

fn late_line(name: &str, late: &mut [Duration]) {
    late.sort();
    let at = |index: usize| late[index].as_secs_f64() * 1000.0;
    let (last, p99) = (late.len() - 1, (late.len() * 99).div_ceil(100) - 1);
    println!("  {name:76} {:8.2} {:8.2} {:6.2}  ({} runs)", at(late.len() / 2), at(p99), at(last), late.len());
}

/// Peak resident memory of this process in KiB.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    peak.unwrap_or(0)
}
