//! Single runs: the environment of an entry, the answers that count, and failures of the judge itself.

use judge_core::verdict::Exit;
use judge_sandbox::{
    Argument, End, Executor as _, Interrupt, IsolationMode, Job, Limits, LocalExecutor, Outcome, StopRequest as _,
    Tier, machine,
};

use crate::support::*;

/// Entries of `rogue` by name and arguments, on near-end-1 with this grace period.
fn rogue_contest(folder: &Folder, grace: &str, entries: &[(&str, &[&str])]) {
    std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
    let mut text = contest(&[("NEAR", &board("near-end-1"))]);
    text = text.replace("limit = \"10s\"", &format!("limit = \"700ms\"\ngrace = \"{grace}\""));
    for (name, args) in entries {
        text += &entry(name, &[&["./rogue"], *args].concat());
    }
    folder.file("contest.toml", text);
}

fn run_of<'a>(document: &'a Value, entry: &str) -> &'a Value {
    let entries = document["entries"].as_array().unwrap();
    &entries.iter().find(|row| row["entry"] == entry).unwrap()["runs"][0]
}

#[test]
fn in_the_grace_period_an_answer_still_counts() {
    let folder = Folder::new();
    let entries: &[(&str, &[&str])] =
        &[("answer-on-term", &["answer-on-term", "lluu"]), ("sleep", &["sleep"]), ("honest", &["answer", "lluu"])];
    rogue_contest(&folder, "2s", entries);
    let document = folder.judge(["run", "--out", "out", "--format", "json"]).exits(0).json();
    assert_eq!(run_of(&document, "answer-on-term")["cell"], "25/4");
    // Its time is what it took, which is more than the limit.
    assert!(run_of(&document, "answer-on-term")["time_us"].as_u64().unwrap() >= 700_000);
    // The warning itself ends it, which is no crash.
    assert_eq!(run_of(&document, "sleep")["cell"], "0/TIM");
    assert_eq!(run_of(&document, "sleep")["time_us"], 700_000);
    assert_eq!(run_of(&document, "honest")["cell"], "25/4");
}

/// Runs an entry while the judge is stopped from the entry's start on, for this time.
fn run_under_a_stopped_judge(isolation: &str, grace: &str, args: &[&str], stopped: Duration) -> Value {
    let folder = Folder::new();
    rogue_contest(&folder, grace, &[("entry", args)]);
    let mut judge =
        folder.command(["run", "--out", "out", "--format", "json", "--isolation", isolation]).spawn().unwrap();
    let pid = rustix::process::Pid::from_child(&judge);
    while processes_naming(folder.path()).is_empty() {
        // On a busy machine, a short entry can start and end unseen.
        if judge.try_wait().unwrap().is_some() {
            return run_under_a_stopped_judge(isolation, grace, args, stopped);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
    std::thread::sleep(stopped);
    rustix::process::kill_process(pid, rustix::process::Signal::CONT).unwrap();
    let output = judge.wait_with_output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    run_of(&document, "entry").clone()
}

/// The isolation modes with different means of keeping time.
const MODES: [&str; 3] = ["auto", "landlock", "off"];

#[test]
fn an_answer_after_the_limit_is_late_even_if_the_judge_was_stopped() {
    at_once(&MODES, |isolation| {
        let run =
            run_under_a_stopped_judge(isolation, "0s", &["answer-after", "900", "lluu"], Duration::from_millis(1200));
        assert_eq!(run["cell"], "0/TIM", "{isolation}: {run}");
    });
}

#[test]
fn an_answer_in_time_counts_even_if_the_judge_was_stopped_beyond_the_limit() {
    at_once(&MODES, |isolation| {
        let run =
            run_under_a_stopped_judge(isolation, "0s", &["answer-after", "50", "lluu"], Duration::from_millis(1000));
        assert_eq!(run["cell"], "25/4", "{isolation}: {run}");
        assert!(run["time_us"].as_u64().unwrap() <= 700_000, "{isolation}: {run}");
    });
}

#[test]
fn the_warning_comes_at_the_limit_even_if_the_judge_is_stopped() {
    at_once(&MODES, |isolation| {
        // Longer than the limit and the grace period.
        let stopped = Duration::from_millis(2000);
        let run = run_under_a_stopped_judge(isolation, "1s", &["answer-on-term", "lluu"], stopped);
        assert_eq!(run["cell"], "25/4", "{isolation}: {run}");
    });
}

#[test]
fn an_entry_gets_the_board_in_a_clean_environment() {
    let folder = Folder::new();
    rogue_contest(&folder, "0s", &[("environment", &["environment"])]);
    let mut command = folder.command(["run", "--out", "out"]);
    assert!(command.env("SECRET", "of the organiser").output().unwrap().status.success());
    let seen = folder.read("out/output/1/environment/NEAR.1.err");
    let value = |name: &str| seen.lines().find_map(|line| line.strip_prefix(&format!("{name}="))).map(str::to_owned);
    assert_eq!(value("JUDGE_LIMIT_MS").unwrap(), "700");
    assert_eq!(value("args").unwrap(), "1");
    assert_eq!(value("HOME"), value("cwd"));
    assert_eq!(value("TMPDIR"), value("cwd"));
    assert_eq!(value("SECRET"), None);
    assert!(!Path::new(&value("cwd").unwrap()).exists(), "the scratch directory is gone after the run");
}

/// A job for `rogue` whose output goes to files of the folder. Only one that sleeps reaches its limit, however busy the machine is.
fn job(folder: &Folder, args: &[&str]) -> Job {
    let argv = std::iter::once(rogue()).chain(args.iter().map(|&arg| arg.to_owned()));
    let wall_ms = if args == ["sleep"] { 300 } else { 60_000 };
    let limits = Limits::default().with_wall_ms(wall_ms).with_output_bytes(1000);
    let job = Job::new(argv, folder.path().join("out"), folder.path().join("err")).with_limits(limits);
    job.with_file_argument("board.txt", "")
}

fn execute(executor: &LocalExecutor<'_>, folder: &Folder, args: &[&str]) -> Outcome {
    executor.execute(&job(folder, args)).unwrap()
}

#[test]
fn without_a_supervisor_the_outcomes_are_the_same() {
    let interrupt = Interrupt::never().unwrap();
    let (folder, other) = (Folder::new(), Folder::new());
    let with = LocalExecutor::new(&interrupt, IsolationMode::Auto).unwrap();
    let without = LocalExecutor::bare(&interrupt).unwrap();
    assert_eq!((without.isolation().tier, without.isolation().layers.len()), (Tier::ProcessGroup, 0));
    for args in [
        &["answer", "lluu"][..],
        &["sleep"],
        &["exit", "3"],
        &["signal", "KILL"],
        &["flood-stdout"],
        &["flood-stderr", "lluu"],
        &["child-holds-pipe", "lluu"],
    ] {
        let (a, b) = (execute(&with, &folder, args), execute(&without, &other, args));
        assert_eq!((&a.end, a.stdout_bytes), (&b.end, b.stdout_bytes), "{args:?}");
        assert_eq!(folder.read("out"), other.read("out"), "{args:?}");
    }
}

#[test]
fn signals_have_the_names_that_the_system_gives_them() {
    for signal in 1..=31 {
        // The system calls signal 29 SIGIO, and the crate knows neither that one nor two that nothing sends.
        if let Some(name) = signal_hook::low_level::signal_name(signal) {
            assert_eq!(Exit::Signal(signal).to_string(), format!("signal {signal} ({name})"));
        }
    }
    assert_eq!(Exit::Signal(32).to_string(), "signal 32");
}

#[test]
fn every_signal_that_ends_a_process_is_reported_by_its_number() {
    let interrupt = Interrupt::never().unwrap();
    let executor = LocalExecutor::new(&interrupt, IsolationMode::Auto).unwrap();
    let folder = Folder::new();
    // The others stop a process, or do nothing.
    let harmless = [17, 18, 19, 20, 21, 22, 23, 28];
    for signal in (1..=31).filter(|signal| !harmless.contains(signal)) {
        // Also those of limits, which the program has not come to.
        let expected = End::Signalled { signal };
        let argv =
            ["/bin/sh", "-c", &format!("kill -{signal} $$; exec sleep 60")].map(|word| Argument::Text(word.into()));
        let mut job = job(&folder, &[]);
        job.argv = argv.into();
        let outcome = executor.execute(&job).unwrap();
        assert_eq!(outcome.end, expected, "{outcome:?}");
    }
}

#[test]
fn resources_are_reported_with_the_method_of_measurement() {
    let interrupt = Interrupt::never().unwrap();
    let folder = Folder::new();
    for demand in [IsolationMode::Auto, IsolationMode::Landlock, IsolationMode::Off] {
        let executor = LocalExecutor::new(&interrupt, demand).unwrap();
        let mut job = job(&folder, &["burn", "150", "lluu"]);
        job.limits.wall_ms = 60_000;
        let usage = executor.execute(&job).unwrap().usage;
        let cpu = usage.cpu_us.unwrap();
        assert!((149_000..1_000_000).contains(&cpu), "{usage:?}");
        let memory = usage.memory_bytes.unwrap();
        assert!((100_000..100_000_000).contains(&memory), "{usage:?}");
        let enforced = executor.enforcement();
        assert_eq!(usage.cpu_by == Some(judge_sandbox::MeasuredBy::Cgroup), enforced.cpu);
        assert_eq!(usage.memory_by == Some(judge_sandbox::MeasuredBy::Cgroup), enforced.memory);
    }
}

#[test]
fn the_judges_own_time_is_not_taken_by_others() {
    let Some(processors) = machine::cores().into_iter().next() else { return };
    let interrupt = Interrupt::never().unwrap();
    let folder = Folder::new();
    for mode in [IsolationMode::Auto, IsolationMode::Landlock, IsolationMode::Off] {
        let executor = LocalExecutor::new(&interrupt, mode).unwrap();
        let mut job = job(&folder, &["endless-stderr"]).with_processors(processors.clone());
        // Long enough that the judge's own time is far above the allowance below.
        job.limits.wall_ms = 400;
        let thread_us = || {
            let used = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
            used.tv_sec.unsigned_abs() * 1_000_000 + used.tv_nsec.unsigned_abs() / 1000
        };
        let (busy, own) = (machine::busy_us(&processors), thread_us());
        let outcome = executor.execute(&job).unwrap();
        let own = thread_us() - own;
        let busy = machine::busy_us(&processors).zip(busy).map(|(after, before)| after - before);
        let (taken, used) = (outcome.contention.unwrap().taken_us, outcome.usage.cpu_us.unwrap());
        // What others took while this test looked, a little longer than the executor, is an upper bound. The kernel
        // counts how busy a processor is in steps of 10 ms, and the work before and after the run is the judge's.
        let Some((busy, taken)) = busy.zip(taken) else { return };
        let others = busy.saturating_sub(used + own) + 50_000;
        assert!(taken <= others, "{mode:?}: {taken} us taken of {busy} busy, {used} used, {own} the judge's");
    }
}

#[test]
fn many_runs_at_a_time_need_few_open_files() {
    let folder = Folder::new();
    let entries: Vec<String> = (0..14).map(|number| format!("e{number}")).collect();
    let entries: Vec<(&str, &[&str])> =
        entries.iter().map(|name| (name.as_str(), &["answer-after", "200", "lluu"][..])).collect();
    rogue_contest(&folder, "0s", &entries);
    let judge = env!("CARGO_BIN_EXE_judge");
    let script = format!("ulimit -n 1024; exec '{judge}' run --jobs 14 --out out --format plain");
    let output = std::process::Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    assert_eq!(table.lines().filter(|line| line.contains("25/4")).count(), 14, "{table}");
}

#[test]
fn an_interrupt_ends_a_run_that_is_under_way() {
    let interrupt = Interrupt::never().unwrap();
    let folder = Folder::new();
    let executor = LocalExecutor::new(&interrupt, IsolationMode::Auto).unwrap();
    let mut job = job(&folder, &[]);
    job.limits.wall_ms = 3_600_000;
    let name = folder.path().display().to_string();
    job.argv = ["/bin/sh", "-c", "sleep 3600; :", &name].map(|word| Argument::Text(word.into())).into();
    std::thread::scope(|scope| {
        let run = scope.spawn(|| executor.execute(&job));
        until_one_names(folder.path());
        interrupt.request();
        assert!(run.join().unwrap().is_err());
    });
}

#[test]
fn output_that_cannot_be_kept_is_a_judge_error() {
    let interrupt = Interrupt::never().unwrap();
    let executor = LocalExecutor::new(&interrupt, IsolationMode::Auto).unwrap();
    let mut job = job(&Folder::new(), &["answer", "lluu"]);
    job.stdout = "/no/such/folder/out".into();
    job.stderr = "/no/such/folder/err".into();
    let outcome = executor.execute(&job).unwrap();
    assert!(
        matches!(&outcome.end, End::JudgeError { reason } if reason.contains("/no/such/folder/out")),
        "{outcome:?}"
    );
    // A disk that is full: every write to this device says so.
    job.stdout = "/dev/full".into();
    job.stderr = "/dev/null".into();
    let outcome = executor.execute(&job).unwrap();
    assert!(matches!(&outcome.end, End::JudgeError { reason } if reason.contains("No space left")), "{outcome:?}");
}
