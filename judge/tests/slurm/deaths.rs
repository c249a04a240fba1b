//! Deaths of nodes, tasks, the controller and the judge, and preempted tasks.

use crate::cluster::{Cluster, text, wait_until};
use crate::contest::{TIMEOUT, cells, exits, recorded, runs, spawn, table_here, write_contest};
use crate::support::*;

#[test]
fn after_any_death_the_table_is_the_same() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    write_contest(&folder, 6, 900);
    let here = table_here(6);
    let out = folder.path().join("out").display().to_string();
    let journal = folder.path().join("out/journal.jsonl");
    let more_than = |runs: usize| wait_until("runs", TIMEOUT, || recorded(&text(&journal)) > runs);

    let slurm = ["run", "--engine", "slurm", "--batch", "40s", "--out", &out];
    let mut judge = spawn(cluster.judge(&folder, slurm), &folder);
    more_than(0);
    judge.kill().unwrap();
    judge.wait().unwrap();
    // A node dies with all its tasks while no coordinator runs.
    cluster.kill_node(1);
    let mut judge = spawn(cluster.judge(&folder, ["resume", &out]), &folder);
    more_than(2);
    cluster.kill_controller();
    judge.kill().unwrap();
    judge.wait().unwrap();
    cluster.start_controller();
    let running = || cluster.ask("squeue", &["-h", "-t", "R", "-o", "%A"]);
    wait_until("a task that can be cancelled", TIMEOUT, || !running().is_empty());
    cluster.ask("scancel", &[running().lines().next().unwrap().trim()]);
    cluster.start_node(1);
    let (table, messages) = exits(cluster.judge(&folder, ["resume", &out, "--format", "json"]), 0);
    assert_eq!(cells(&table), here, "{messages}");
    let made = runs(&folder.read("out/journal.jsonl"));
    let keys: BTreeSet<&String> = made.iter().map(|(run, _)| run).collect();
    assert_eq!((made.len(), keys.len()), (24, 24), "every run counts once: {messages}");
    wait_until("nothing is left", TIMEOUT, || processes_naming(folder.path()).is_empty());
}

#[test]
fn preempted_tasks_are_requeued() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    write_contest(&folder, 6, 900);
    let slurm = ["run", "--engine", "slurm", "--sbatch", "-p main", "--batch", "40s", "--out", "out"];
    let mut judge = spawn(cluster.judge(&folder, slurm), &folder);
    let journal = folder.path().join("out/journal.jsonl");
    wait_until("a run", TIMEOUT, || recorded(&text(&journal)) > 0);
    let urgent = ["-p", "urgent", "-N3", "--exclusive", "-o", "/dev/null", "--wrap", "sleep 1"];
    assert!(cluster.ask("sbatch", &urgent).starts_with("Submitted"));
    assert_eq!(judge.wait().unwrap().code(), Some(0), "{}", folder.read("log"));
    let jobs = cluster.ask("scontrol", &["--oneliner", "show", "job"]);
    assert!(jobs.contains("Restarts=1 "), "Slurm has started tasks again: {jobs}");
    let (table, _) = exits(cluster.judge(&folder, ["rank", "out", "--format", "json"]), 0);
    assert_eq!(cells(&table), table_here(6));
    let made = runs(&text(&journal));
    assert_eq!((made.len(), made.iter().map(|(run, _)| run).collect::<BTreeSet<_>>().len()), (24, 24), "{made:?}");
}
