//! The table of a contest on three nodes, and of nodes that are not alike.

use std::collections::HashMap;

use crate::cluster::Cluster;
use crate::contest::{cells, exits, runs, write_contest};
use crate::support::*;

#[test]
fn three_nodes_make_the_same_table_with_one_kind_of_node_per_board() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    write_contest(&folder, 6, 10);
    let (local, _) = exits(cluster.judge(&folder, ["run", "--out", "local", "--format", "json"]), 0);
    let slurm = ["run", "--engine", "slurm", "--batch", "40s", "--out", "out", "--format", "json"];
    let (remote, messages) = exits(cluster.judge(&folder, slurm), 0);
    assert_eq!(cells(&remote), cells(&local), "{messages}");
    let made = runs(&folder.read("out/journal.jsonl"));
    assert_eq!((made.len(), made.iter().collect::<BTreeSet<_>>().len()), (24, 24));
    // n1 and n2 have one feature, n3 has another one: all entries of a board ran on one kind.
    let mut kinds: HashMap<&str, BTreeSet<bool>> = HashMap::new();
    for (run, node) in &made {
        assert!(["n1", "n2", "n3"].contains(&&**node), "{node}");
        kinds.entry(run.split(' ').nth(1).unwrap()).or_default().insert(node == "n3");
    }
    assert!(kinds.values().all(|kinds| kinds.len() == 1), "{kinds:?}");
    assert_eq!(kinds.values().flatten().collect::<BTreeSet<_>>().len(), 2, "both kinds have work");
    let csv = folder.read("out/results.csv");
    assert!(csv.lines().next().unwrap().split(',').any(|column| column == "node"), "{csv}");
    // The spool has no files left.
    for left in ["new", "part", "late", "taken"] {
        let files = std::fs::read_dir(folder.path().join("out/cluster").join(left));
        assert_eq!(files.map_or(0, Iterator::count), 0, "{left}");
    }
    let (printed, _) = exits(cluster.judge(&folder, ["rank", "out", "--format", "json"]), 0);
    assert_eq!(cells(&printed), cells(&local));
}

#[test]
fn a_table_over_unlike_machines_names_the_boards() {
    let folder = Folder::new();
    write_contest(&folder, 2, 10);
    folder.judge(["run", "--out", "out"]).exits(0);
    let printed = folder.judge(["rank", "out"]).exits(0).stdout;
    assert!(!printed.contains("models"), "{printed}");
    let journal = folder.read("out/journal.jsonl");
    let mut lines: Vec<String> = journal.lines().map(str::to_owned).collect();
    let machine = lines.iter().position(|line| line.contains("\"line\":\"machine\"")).unwrap();
    let of = |node: &str, model: &str| {
        format!(
            "{{\"line\":\"machine\",\"node\":\"{node}\",\"os\":\"linux\",\"arch\":\"x86_64\",\"model\":\"{model}\"}}"
        )
    };
    lines[machine] = of("n1", "Swift");
    lines.insert(machine + 1, of("n2", "Slow"));
    // On one board, one run is from the other machine; on the other board, all are.
    let other = |line: &str| line.contains("\"board\":\"N2\"") || line.contains("\"entry\":\"third\"");
    for line in lines.iter_mut().filter(|line| line.contains("\"line\":\"run\"") && other(line)) {
        *line = line.replacen("\"limit_ms\"", "\"machine\":1,\"limit_ms\"", 1);
    }
    folder.file("other/journal.jsonl", chained(lines.iter().map(String::as_str)));
    let printed = folder.judge(["rank", "other"]).exits(0).stdout;
    let sentence = "Runs were executed on processors of 2 models: Slow (5 runs), Swift (3 runs); times do not compare on N1, \
                    where entries ran on different models.";
    assert!(printed.contains(sentence), "{printed}");
    let json = folder.judge(["rank", "other", "--format", "json"]).exits(0).json();
    assert_eq!(json["unlike_machines"]["boards"], serde_json::json!(["N1"]));
    let nodes: BTreeSet<&str> = json["entries"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| row["runs"].as_array().unwrap())
        .map(|run| run["node"].as_str().unwrap())
        .collect();
    assert_eq!(nodes, BTreeSet::from(["n1", "n2"]));
    // A file with one row per run gives the same notice. Resuming a complete contest only writes that file.
    folder.judge(["resume", "other"]).exits(0);
    let printed = folder.judge(["rank", "other/results.csv"]).exits(0).stdout;
    assert!(printed.contains(sentence), "{printed}");
}

#[test]
fn options_of_a_cluster_need_a_cluster() {
    let folder = Folder::new();
    write_contest(&folder, 1, 10);
    let refused = folder.judge(["run", "--detach"]).exits(2).stderr;
    assert!(refused.contains("--detach needs --engine slurm"), "{refused}");
    let mut command = folder.command(["run", "--engine", "slurm"]);
    command.env("PATH", folder.path()).stdin(std::process::Stdio::null());
    let (_, refused) = exits(command, 2);
    assert!(refused.contains("sinfo: ") && refused.contains("--engine local"), "{refused}");
    assert!(!folder.path().join("runs").exists(), "nothing was begun");
    // A finished batch is not executed again, and a folder without one is refused.
    let over = folder.judge(["work", ".", "1", "1"]).exits(0).stderr;
    assert!(over.contains("batch 1 of array 1 is over"), "{over}");
}
