//! Random system calls inside the sandbox: whatever an entry asks of the kernel, the judge is unharmed, the verdict is the
//! entry's own, and no process is left.
//!
//! The test takes a few seconds. For an hour of it:
//! `SYSCALL_FUZZ_SECONDS=3600 cargo test --release -p judge --test cli syscalls`.

#![allow(clippy::disallowed_macros, reason = "a long run says what it did")]

use judge_sandbox::{Tier, allowed_calls};

use crate::support::*;

/// Runs of one contest, and the time of each in milliseconds.
const RUNS: u64 = 6;
const RUN_MS: u64 = 150;
const NOBODY: u32 = 65534;

/// A contest of runs with these seeds, an honest entry behind each.
fn fuzz_contest(folder: &Folder, seeds: std::ops::Range<u64>) {
    let limits = "limit = \"5s\"\nmemory = \"256MiB\"\nprocesses = 32\noutput = \"1MiB\"\nscratch = \"8MiB\"";
    let mut text = contest(&[("NEAR", "board.txt")]).replace("limit = \"10s\"", limits);
    for seed in seeds {
        text += &entry(&format!("seed-{seed}"), &["./syscalls", &seed.to_string(), &RUN_MS.to_string()]);
        text += &entry(&format!("honest-{seed}"), &["sh", "-c", "echo lluu"]);
    }
    folder.file("contest.toml", text);
}

/// Runs the contest as this user, and checks what came of it. Returns the number of runs, or `None` if there is no filter
/// here to test.
fn fuzz(seeds: std::ops::Range<u64>, isolation: &str, user: Option<u32>) -> Option<usize> {
    let folder = Folder::new();
    fs::copy(board("near-end-1"), folder.path().join("board.txt")).unwrap();
    fuzz_contest(&folder, seeds.clone());
    folder.open_to_all(&["syscalls"]);
    let before = device_times();
    let args = ["run", "--jobs", "2", "--format", "json", "--out", "out/1", "--isolation", isolation];
    let (document, code, printed) = json_of(&mut folder.judge_as(user, &args));
    let message = format!("seeds {seeds:?}, {isolation}, user {user:?}: {printed}");
    assert_eq!(code, Some(0), "{message}");
    if document["isolation"][0].as_str().unwrap().starts_with("process_group") {
        return None;
    }
    let entries = document["entries"].as_array().unwrap();
    for row in entries {
        let (name, run) = (row["entry"].as_str().unwrap(), &row["runs"][0]);
        let cell = run["cell"].as_str().unwrap();
        let own = ["25/4", "20/0", "0/ILL", "0/CRA", "0/TIM", "0/MEM", "0/PRO", "0/SCR", "0/OUT"];
        let expected = if name.starts_with("honest") { &own[..1] } else { &own[..] };
        // An unsolved answer has any figures.
        let unsolved = name.starts_with("seed") && run["fault"].as_str().is_some_and(|why| why.contains("stops short"));
        assert!(expected.contains(&cell) || unsolved, "{name}: {run}: {message}");
        assert!(!run["fault"].as_str().unwrap_or_default().contains("no sandbox"), "{run}");
    }
    assert_eq!(entries.len() as u64, 2 * (seeds.end - seeds.start));
    assert_eq!(processes_naming(folder.path()), Vec::<String>::new(), "somebody survived: {message}");
    let left: Vec<_> = fs::read_dir(folder.path().join("tmp")).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}: {message}");
    assert_eq!(before, device_times(), "{message}");
    Some(entries.len())
}

/// Attributes of what all runs share.
fn device_times() -> Vec<(u32, i64)> {
    use std::os::unix::fs::MetadataExt as _;
    let attributes = |path: &Path| path.metadata().map(|metadata| (metadata.mode(), metadata.atime()));
    ["/dev/full", "/usr/bin/env"].iter().filter_map(|path| attributes(Path::new(path)).ok()).collect()
}

#[test]
#[ignore = "deep: fuzz"]
fn a_fuzzer_of_system_calls_harms_nobody() {
    let seconds = std::env::var("SYSCALL_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let deadline = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let root = rustix::process::geteuid().is_root();
    let users: &[Option<u32>] = if root { &[None, Some(NOBODY)] } else { &[None] };
    let mut first = 0;
    let mut runs = 0;
    loop {
        // A long search begins where none has been.
        let base = seconds.map_or(0, |_| u64::from(std::process::id()) << 32);
        for &user in users {
            // Under Landlock, root's entries are root: what the filter lets through would hit the machine.
            let modes: &[&str] =
                if root && user.is_none() || seconds.is_none() { &["auto"] } else { &["auto", "landlock"] };
            for isolation in modes {
                let Some(more) = fuzz(base + first..base + first + RUNS, isolation, user) else { continue };
                runs += more;
                first += RUNS;
            }
        }
        if deadline.is_none_or(|deadline| Instant::now() > deadline) {
            break;
        }
    }
    eprintln!("{runs} runs, half of them of random calls");
}

/// Calls that the kernel itself answers as the filter would: where a process leads its group, or may not become root.
const ANSWERS_LIKE_A_REFUSAL: &[&str] =
    &["setsid", "setpgid", "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid"];

/// Numbers that the kernel shows to no filter: a probe makes these calls, and without one they end the process or have an error.
const OF_PROBES: &[i64] = if cfg!(target_arch = "x86_64") { &[335, 336] } else { &[] };

#[test]
fn each_number_that_is_answered_is_in_the_list_of_calls() {
    let folder = Folder::new();
    fs::copy(board("near-end-1"), folder.path().join("board.txt")).unwrap();
    let text = contest(&[("NEAR", "board.txt")]).replace("limit = \"10s\"", "limit = \"2m\"");
    folder.file("contest.toml", text + &entry("each", &["./syscalls", "each"]));
    folder.open_to_all(&["syscalls"]);
    let root = rustix::process::geteuid().is_root();
    let users: &[Option<u32>] = if root { &[None, Some(NOBODY)] } else { &[None] };
    for (user, isolation) in users.iter().flat_map(|user| ["auto", "landlock"].map(|isolation| (*user, isolation))) {
        let out = format!("out/{isolation}-{}", user.is_some());
        let args = ["run", "--format", "json", "--out", &out, "--isolation", isolation];
        let (document, _, _) = json_of(&mut folder.judge_as(user, &args));
        let tier = document["isolation"][0].as_str().unwrap();
        if !tier.contains("seccomp") {
            continue;
        }
        assert_eq!(document["entries"][0]["runs"][0]["cell"], "25/4", "{tier}: {document}");
        let kind = if tier.starts_with("namespaces") { Tier::Namespaces } else { Tier::Landlock };
        let allowed = allowed_calls(kind, tier.contains("cgroup memory"));
        let answers = folder.read(&format!("{out}/output/1/each/NEAR.1.err"));
        let mut looked_at = 0;
        for line in answers.lines() {
            let (number, answer) = line.split_once(' ').unwrap();
            let (number, answer): (i64, i32) = (number.parse().unwrap(), answer.parse().unwrap());
            // The numbers that came after Linux 5.0 seem not to be there.
            let refusal = if number < 424 { libc::EPERM } else { libc::ENOSYS };
            match allowed.iter().find(|call| call.number == number) {
                None if OF_PROBES.contains(&number) => {
                    assert!([-1, refusal, libc::ENXIO].contains(&answer), "{number}: {answer}")
                }
                None => assert_eq!(answer, refusal, "{number} is not listed: {tier}, {user:?}"),
                Some(call) if !call.whole || ANSWERS_LIKE_A_REFUSAL.contains(&call.name) => {}
                // One that is younger than the kernel is not there.
                Some(_) if answer == libc::ENOSYS && number >= 424 => {}
                Some(call) => assert_ne!(answer, refusal, "{} is listed and refused: {tier}, {user:?}", call.name),
            }
            looked_at += 1;
        }
        assert_eq!(looked_at, 603, "{tier}: {answers}");
    }
}
