//! Batches that fail, and a shared disk that is full.

use std::io::Write as _;

use crate::cluster::{Cluster, text, wait_until};
use crate::contest::{TIMEOUT, cells, exits, recorded, spawn, table_here, write_contest};
use crate::support::*;

#[test]
fn a_batch_that_fails_three_times_is_a_judge_error() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    write_contest(&folder, 1, 10);
    folder.file("time.toml", "sbatch = \"-p like\"\nbatch = \"1m\"\n");
    // The nodes have another program of that name than the machine that sends the contest.
    folder.script("here/tool", "echo lluu");
    folder.script("there/tool", "echo other");
    let own = folder.read("contest.toml") + &entry("tool", &["tool"]);
    folder.file("contest.toml", own);
    let mut command = cluster.judge(&folder, ["run", "--engine", "slurm", "--entries", "tool", "--out", "out"]);
    let usual = std::env::var("PATH").unwrap();
    let [here, there] = ["here", "there"].map(|name| format!("{}:{usual}", folder.path().join(name).display()));
    command
        .env("PATH", here)
        .env("JUDGE_SLURM", folder.path().join("time.toml"))
        .env("SBATCH_EXPORT", format!("ALL,PATH={there}"));
    let (table, messages) = exits(command, 3);
    for expected in ["failed 3 times", "FAILED (exit code 3)", "a program of entry tool"] {
        assert!(table.contains(expected), "{expected}: {table}\n{messages}");
    }
}

#[test]
fn a_batch_that_reaches_its_time_limit_is_a_judge_error_with_that_reason() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
    let text =
        contest(&[("NEAR", &board("near-end-1"))]) + &entry("slow", &["./rogue", "answer-after", "600000", "lluu"]);
    folder.file("contest.toml", text.replace("10s", "20m"));
    let mut judge =
        spawn(cluster.judge(&folder, ["run", "--engine", "slurm", "--sbatch", "-p like", "--out", "out"]), &folder);
    let running = || cluster.ask("squeue", &["-h", "-t", "R", "-o", "%A"]).trim().to_owned();
    let mut before = String::new();
    for attempt in 1..=3 {
        wait_until("another task", TIMEOUT, || !running().is_empty() && running() != before);
        before = running();
        if attempt < 3 {
            cluster.ask("scancel", &[&before]);
        } else {
            // Slurm's limits are whole minutes, so the end is moved. Slurm checks limits every 30 seconds.
            cluster.ask("scontrol", &["update", &format!("JobId={before}"), "EndTime=now+1"]);
        }
    }
    assert_eq!(judge.wait().unwrap().code(), Some(3));
    let messages = folder.read("log");
    assert_eq!(messages.matches("ended with CANCELLED").count(), 2, "{messages}");
    let journal = folder.read("out/journal.jsonl");
    for expected in ["its batch failed 3 times", "with TIMEOUT (TimeLimit)", "stopped by a signal"] {
        assert!(journal.contains(expected), "{expected}: {journal}\n{messages}");
    }
    assert_eq!(recorded(&journal), 1, "{journal}");
}

/// The folder of a small file system, for the test that is started for it.
const SMALL: &str = "JUDGE_TEST_SMALL_DISK";

#[test]
fn resuming_completes_a_contest_whose_shared_disk_was_full() {
    if let Some(disk) = std::env::var_os(SMALL) {
        return resume_after_a_full_disk(Path::new(&disk));
    }
    let folder = tempfile::tempdir().unwrap();
    let here = rustix::process::getuid().is_root() && Cluster::installed();
    if !here {
        // Prints why the test is skipped, or fails if skipping is forbidden.
        assert!(Cluster::start().is_none());
        return;
    }
    let script = "mount -t tmpfs -o size=4m none \"$0\" && exec \"$@\"";
    let mut command = Command::new("unshare");
    command.args(["--mount", "--propagation", "private", "sh", "-c", script]).arg(folder.path());
    command.arg(std::env::current_exe().unwrap()).args(["--exact", "--nocapture"]);
    let this = "failures::resuming_completes_a_contest_whose_shared_disk_was_full";
    let output = command.arg(this).env(SMALL, folder.path()).output().unwrap();
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
}

/// The second part of the test above, in a process that has a small file system there.
fn resume_after_a_full_disk(disk: &Path) {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    write_contest(&folder, 6, 600);
    let out = disk.join("out").display().to_string();
    let journal = disk.join("out/journal.jsonl");
    let mut judge =
        spawn(cluster.judge(&folder, ["run", "--engine", "slurm", "--batch", "40s", "--out", &out]), &folder);
    wait_until("a run", TIMEOUT, || recorded(&text(&journal)) > 0);
    let filler = disk.join("filler");
    let mut file = fs::File::create(&filler).unwrap();
    let mut full = |bytes: &[u8]| while file.write_all(bytes).is_ok() {};
    // Also uses the space that other processes free meanwhile.
    while judge.try_wait().unwrap().is_none() {
        full(&[0; 4096]);
        full(&[0]);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let messages = folder.read("log");
    assert_eq!(judge.wait().unwrap().code(), Some(3), "{messages}");
    for expected in ["No space left on device", "finished runs are saved", "judge resume"] {
        assert!(messages.contains(expected), "{expected}: {messages}");
    }
    assert!(!messages.contains("cannot be read"), "no node left a part of an outcome: {messages}");
    let before = recorded(&text(&journal));
    drop(file);
    fs::remove_file(&filler).unwrap();
    let (table, messages) = exits(cluster.judge(&folder, ["resume", &out, "--format", "json"]), 0);
    assert_eq!(cells(&table), table_here(6), "{messages}");
    // Runs that failed because of the disk are judge errors and were repeated. No other run was repeated.
    let mut good: BTreeMap<String, usize> = BTreeMap::new();
    let lines = text(&journal);
    let runs = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    for run in runs.filter(|line| line["line"] == "run" && line["verdict"] != "judge_error") {
        *good.entry(format!("{} {}", run["entry"], run["board"])).or_default() += 1;
    }
    assert!(before < 24 && good.len() == 24 && good.values().all(|&runs| runs == 1), "{before}: {good:?}");
}
