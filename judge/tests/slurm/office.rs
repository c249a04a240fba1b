//! An office whose runs are executed on the nodes of a cluster.

use rustix::process::Signal;

use crate::cluster::{Cluster, wait_until};
use crate::contest::{TIMEOUT, exits, judged, runs, signal, spawn};
use crate::support::*;

/// A contest of two boards with two teams.
fn club(cluster: &Cluster) -> Folder {
    let folder = Folder::new();
    let boards = ["near-end-1", "near-end-2"].map(board);
    let boards = [("ONE", boards[0].as_str()), ("TWO", boards[1].as_str())];
    folder.script("club/own.sh", "echo lluu");
    folder.file("club/contest.toml", contest(&boards) + &entry("house", &["./own.sh"]));
    exits(cluster.judge(&folder, ["team", "add", "club", "ada", "bob"]), 0);
    folder
}

fn submit(cluster: &Cluster, folder: &Folder, team: &str, text: &str) {
    folder.file("solve.sh", format!("#!/bin/sh\n{text}\n"));
    exits(cluster.judge(folder, ["office", "submit", "club", team, "solve.sh"]), 0);
}

#[test]
fn a_site_that_is_killed_goes_on_on_its_nodes() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = club(&cluster);
    let serve = ["serve", "club", "--listen", "127.0.0.1:0"];
    let slurm = ["--engine", "slurm", "--batch", "1s"];
    let mut site = spawn(cluster.judge(&folder, serve.into_iter().chain(slurm)), &folder);
    let journal = || std::fs::read_to_string(folder.path().join("club/results/journal.jsonl")).unwrap_or_default();
    submit(&cluster, &folder, "ada", "echo lluu");
    submit(&cluster, &folder, "bob", "echo lx");
    wait_until("six runs", TIMEOUT, || judged(&journal()) == 6);
    signal(&site, Signal::KILL);
    site.wait().unwrap();
    submit(&cluster, &folder, "ada", "echo lulu");
    // The results record that the contest runs on a cluster.
    let mut site = spawn(cluster.judge(&folder, serve), &folder);
    wait_until("eight runs", TIMEOUT, || judged(&journal()) == 8);
    signal(&site, Signal::TERM);
    assert_eq!(site.wait().unwrap().code(), Some(0), "{}", folder.read("log"));
    let made = runs(&journal());
    assert_eq!(made.iter().map(|(run, _)| run).collect::<BTreeSet<_>>().len(), 8, "{made:?}");
    assert!(made.iter().all(|(_, node)| ["n1", "n2", "n3"].contains(&&**node)), "{made:?}");
    let (list, _) = exits(cluster.judge(&folder, ["office", "list", "club"]), 0);
    assert!(list.contains("superseded by ada.3") && list.matches("counts").count() == 2, "{list}\n{}", journal());
    exits(cluster.judge(&folder, ["verify", "club/results"]), 0);
}

#[test]
fn an_office_without_a_cluster_any_more_goes_on_here() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = club(&cluster);
    submit(&cluster, &folder, "ada", "echo lluu");
    let judge = ["office", "judge", "club"];
    exits(cluster.judge(&folder, judge.into_iter().chain(["--engine", "slurm", "--batch", "1s"])), 0);
    submit(&cluster, &folder, "bob", "echo lluu");
    exits(cluster.judge(&folder, judge.into_iter().chain(["--engine", "local"])), 0);
    let made = runs(&folder.read("club/results/journal.jsonl"));
    let there = made.iter().filter(|(_, node)| node.starts_with('n') && node != "none").count();
    assert_eq!((made.len(), there), (6, 4), "{made:?}");
    let refused = cluster.judge(&folder, judge.into_iter().chain(["--engine", "local", "--batch", "1s"]));
    assert!(exits(refused, 2).1.contains("--batch needs --engine slurm"));
}
