//! Deaths of nodes, tasks, the controller and the judge, and batches that fail.

use std::collections::BTreeSet;

use crate::cluster::{Cluster, text, wait_until};
use crate::contest::{PATIENCE, cells, exits, runs, spawn, table_here, write_contest};
use crate::support::{Folder, entry, processes_naming};

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
fn whatever_dies_the_table_is_the_same_and_nothing_is_left() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    write_contest(&folder, 6, 900);
    let here = table_here(6);
    let out = folder.path().join("out").display().to_string();
    let journal = folder.path().join("out/journal.jsonl");
    let recorded = |journal: &str| journal.matches("\"line\":\"run\"").count();
    let more_than = |runs: usize| wait_until("runs", PATIENCE, || recorded(&text(&journal)) > runs);

    let slurm = ["run", "--engine", "slurm", "--batch", "40s", "--out", &out];
    let mut judge = spawn(cluster.judge(&folder, slurm), &folder);
    more_than(0);
    judge.kill().unwrap();
    judge.wait().unwrap();
    // Everything on a node dies with it, while no judge watches.
    cluster.kill_node(1);
    let mut judge = spawn(cluster.judge(&folder, ["run", "--resume", &out]), &folder);
    more_than(2);
    cluster.kill_controller();
    judge.kill().unwrap();
    judge.wait().unwrap();
    cluster.start_controller();
    let running = || cluster.ask("squeue", &["-h", "-t", "R", "-o", "%A"]);
    wait_until("a task that can be cancelled", PATIENCE, || !running().is_empty());
    cluster.ask("scancel", &[running().lines().next().unwrap().trim()]);
    cluster.start_node(1);
    let (table, messages) = exits(cluster.judge(&folder, ["run", "--resume", &out, "--format", "json"]), 0);
    assert_eq!(cells(&table), here, "{messages}");
    let made = runs(&folder.read("out/journal.jsonl"));
    let keys: BTreeSet<&String> = made.iter().map(|(run, _)| run).collect();
    assert_eq!((made.len(), keys.len()), (24, 24), "every run counts once: {messages}");
    wait_until("nothing is left", PATIENCE, || processes_naming(folder.path()).is_empty());
}
