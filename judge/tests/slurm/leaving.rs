//! Ways to leave a contest on a cluster and to continue it.

use rustix::process::Signal;

use crate::cluster::{Cluster, text, wait_until};
use crate::contest::{TIMEOUT, cells, exits, runs, signal, spawn, table_here, write_contest};
use crate::support::*;

#[test]
fn an_interrupt_ends_the_wait_for_nodes() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    // A job of others has all nodes, so no node answers.
    let all = ["-p", "like", "--exclusive", "--nodes=2", "--time=5", "-o", "/dev/null", "--wrap", "exec sleep 300"];
    cluster.ask("sbatch", &all);
    let jobs = |state: &str| cluster.ask("squeue", &["-h", "-t", state, "-o", "%A"]).lines().count();
    wait_until("that job runs", TIMEOUT, || jobs("R") == 1);
    let asks = ["doctor", "--engine", "slurm", "--sbatch", "-p like", "--wait", "10m"];
    let mut judge = spawn(cluster.judge(&folder, asks), &folder);
    wait_until("two jobs wait", TIMEOUT, || jobs("PD") == 2);
    signal(&judge, Signal::INT);
    assert_eq!(judge.wait().unwrap().code(), Some(130));
    assert!(folder.read("log").contains("interrupted before all nodes answered"), "{}", folder.read("log"));
    assert_eq!((jobs("PD"), jobs("R")), (0, 1), "its jobs are cancelled");
}

#[test]
fn a_contest_continues_detached_after_an_interrupt_and_on_this_machine() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    write_contest(&folder, 2, 300);
    let here = table_here(2);
    let slurm = ["run", "--engine", "slurm", "--sbatch", "-p like", "--batch", "20s", "--out", "out", "--detach"];
    let (table, messages) = exits(cluster.judge(&folder, slurm), 0);
    assert!(table.is_empty() && messages.contains("judge resume out"), "{messages}");
    let idle = || cluster.ask("squeue", &["-h"]).is_empty();
    // Cores, memory and time come from the limits: four runs of ten seconds and a grace period.
    let asked = cluster.ask("scontrol", &["--oneliner", "show", "job"]);
    for expected in ["Requeue=1 ", "NumCPUs=1 ", "TimeLimit=00:03:00 "] {
        assert!(asked.contains(expected), "{expected}: {asked}");
    }
    let (bound, _) = exits(cluster.judge(&folder, ["update", "out", "--dry-run"]), 0);
    assert!(bound.contains("8 runs to execute: ") && bound.contains(" in all, shared by the nodes"), "{bound}");
    wait_until("the array ends alone", TIMEOUT, idle);
    let journal = folder.read("out/journal.jsonl");
    assert!(runs(&journal).is_empty(), "only the judge writes the journal");
    let (table, _) = exits(cluster.judge(&folder, ["resume", "out", "--format", "json"]), 0);
    assert_eq!(cells(&table), here);
    let made = runs(&folder.read("out/journal.jsonl"));
    assert!(made.len() == 8 && made.iter().all(|(_, node)| node != "n3"), "{made:?}");

    // Ctrl-C cancels the arrays. Finished runs are kept, and the others are executed on this machine.
    let slow = Folder::new();
    write_contest(&slow, 2, 700);
    let slurm = ["run", "--engine", "slurm", "--batch", "40s", "--out", "out"];
    let mut judge = spawn(cluster.judge(&slow, slurm), &slow);
    let journal = slow.path().join("out/journal.jsonl");
    wait_until("a run", TIMEOUT, || text(&journal).contains("\"line\":\"run\""));
    signal(&judge, Signal::INT);
    assert_eq!(judge.wait().unwrap().code(), Some(130));
    let messages = slow.read("log");
    assert!(messages.contains("cancelled: ") && messages.contains("judge resume out"), "{messages}");
    wait_until("cancelled", TIMEOUT, idle);
    let (table, _) = exits(cluster.judge(&slow, ["resume", "out", "--engine", "local", "--format", "json"]), 0);
    assert_eq!(cells(&table), here);
    let made = runs(&slow.read("out/journal.jsonl"));
    assert_eq!(made.iter().map(|(run, _)| run).collect::<BTreeSet<_>>().len(), made.len(), "{made:?}");
    assert!(made.iter().any(|(_, node)| node == "none") && made.iter().any(|(_, node)| node != "none"), "{made:?}");
    // On a machine without Slurm, as the cluster has no runs of it any more.
    let mut home = slow.command(["resume", "out", "--engine", "local", "--format", "json"]);
    home.env("PATH", slow.path());
    let (table, messages) = exits(home, 0);
    assert_eq!(cells(&table), here, "{messages}");
}
