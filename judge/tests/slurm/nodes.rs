//! Probes of the resources that nodes offer to a contest.

use crate::cluster::Cluster;
use crate::contest::exits;
use crate::support::*;

#[test]
fn the_doctor_asks_every_node() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    let (text, _) = exits(cluster.judge(&folder, ["doctor", "--engine", "slurm"]), 0);
    for expected in
        ["ok      n1", "ok      n3", "isolation: ", "shared folder seen", "does not bind tasks", "all 3 nodes"]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let json = ["doctor", "--engine", "slurm", "--sbatch", "-p like", "--json"];
    let (json, _) = exits(cluster.judge(&folder, json), 0);
    let reports: Value = serde_json::from_str(&json).unwrap();
    let nodes: Vec<&str> = reports.as_array().unwrap().iter().map(|node| node["node"].as_str().unwrap()).collect();
    assert_eq!(nodes, ["n1", "n2"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
    let (_, message) = exits(cluster.judge(&folder, ["doctor", "--engine", "slurm", "--sbatch", "-p none"]), 2);
    assert!(message.contains("sinfo"), "{message}");
}

#[test]
fn a_run_that_its_neighbours_disturb_is_repeated_on_the_same_kind_of_node() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
    let works = entry("works", &["./rogue", "work", "400", "lluu"]);
    folder.file("contest.toml", contest(&[("NEAR", &board("near-end-1"))]) + &works);
    // Jobs of other users that keep every processor busy. The nodes share those of this machine.
    let processors = rustix::thread::sched_getaffinity(None).unwrap();
    let processors = (0..rustix::thread::CpuSet::MAX_CPU).filter(|&processor| processors.is_set(processor));
    for processor in processors {
        let busy = format!("exec {} spin-on {processor}", rogue());
        cluster.ask("sbatch", &["-p", "like", "--time=5", "-o", "/dev/null", "-J", "neighbour", "--wrap", &busy]);
    }
    let slurm = ["run", "--engine", "slurm", "--out", "out", "--repeat-suspect", "1", "--format", "json"];
    let (table, messages) = exits(cluster.judge(&folder, slurm), 0);
    cluster.ask("scancel", &["-n", "neighbour"]);
    if !Path::new("/proc/pressure/cpu").exists() {
        return;
    }
    let table: Value = serde_json::from_str(&table).unwrap();
    let run = &table["entries"][0]["runs"][0];
    assert_eq!((&run["cell"], &run["attempt"]), (&"25/4".into(), &2.into()), "{run}\n{messages}");
    assert!(run["suspect"].is_string(), "{run}");
    assert!(messages.contains("repeating suspect runs: 1"), "{messages}");
    let nodes: Vec<bool> =
        crate::contest::runs(&folder.read("out/journal.jsonl")).iter().map(|(_, node)| node == "n3").collect();
    assert!(nodes.len() == 2 && nodes[0] == nodes[1], "one kind of node");
}
