//! What nodes offer to a contest.

use serde_json::Value;

use crate::cluster::Cluster;
use crate::contest::exits;
use crate::support::Folder;

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
