//! A contest on a real Slurm: three nodes on this machine. Skipped without Slurm, unless `REQUIRE_SLURM` is set.

mod cluster;

use std::collections::{BTreeSet, HashMap};
use std::process::{Child, Command, Output};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::{Folder, board, chained, contest, entry, processes_naming, rogue};
use cluster::{Cluster, text, wait_until};

/// Far longer than anything here takes on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(240);

/// Entries that answer after so many milliseconds, on some boards.
fn write_contest(folder: &Folder, boards: usize, milliseconds: u32) {
    std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
    let files: Vec<String> = (1..=boards).map(|number| board(&format!("near-end-{number}"))).collect();
    let names: Vec<String> = (1..=boards).map(|number| format!("N{number}")).collect();
    let boards: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(files.iter().map(String::as_str)).collect();
    let mut text = contest(&boards) + "[ranking]\norder = [\"progress\", \"moves\", \"tie_break\"]\n";
    for (name, answer) in [("first", "lluu"), ("second", "lulu"), ("third", "ulul"), ("spoilt", "lx")] {
        text += &entry(name, &["./rogue", "answer-after", &milliseconds.to_string(), answer]);
    }
    folder.file("contest.toml", text);
}

/// Runs a command to its end and returns what it printed.
#[track_caller]
fn exits(mut command: Command, code: i32) -> (String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(status.code(), Some(code), "{command:?}\nstdout:\n{stdout}\nstderr:\n{stderr}");
    (stdout, stderr)
}

/// A table without times, which no two runs share.
fn cells(json: &str) -> HashMap<(String, String), String> {
    let document: Value = serde_json::from_str(json).unwrap();
    let mut cells = HashMap::new();
    for row in document["entries"].as_array().unwrap() {
        let entry = row["entry"].as_str().unwrap().to_owned();
        cells.insert((entry.clone(), "place".into()), row["place"].to_string());
        for run in row["runs"].as_array().unwrap() {
            let figures = ["cell", "progress", "moves", "tie_break", "final_board"].map(|name| run[name].to_string());
            cells.insert((entry.clone(), run["board"].as_str().unwrap().into()), figures.join(" "));
        }
    }
    cells
}

/// Runs in the journal by entry and board, with the nodes that made them.
fn runs(journal: &str) -> Vec<(String, String)> {
    let lines: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let machines: Vec<&Value> = lines.iter().filter(|line| line["line"] == "machine").collect();
    let of_run = |run: &Value| {
        let machine = machines[usize::try_from(run["machine"].as_u64().unwrap_or(0)).unwrap()];
        let node = machine["node"].as_str().unwrap_or("none").to_owned();
        (format!("{} {}", run["entry"], run["board"]), node)
    };
    lines.iter().filter(|line| line["line"] == "run").map(of_run).collect()
}

/// Starts `judge` in the background, with its messages in a file.
fn spawn(mut command: Command, folder: &Folder) -> Child {
    let log = std::fs::File::options().append(true).create(true).open(folder.path().join("log")).unwrap();
    command.stdout(std::process::Stdio::null()).stderr(log).spawn().unwrap()
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), signal).unwrap();
}

#[test]
fn a_contest_on_three_nodes_ends_in_the_same_table_whatever_dies() {
    let Some(cluster) = Cluster::start() else { return };
    the_same_table_and_one_kind_of_node_per_board(&cluster);
    detached_interrupted_and_taken_home(&cluster);
    what_the_nodes_offer(&cluster);
    a_batch_that_fails_three_times_is_a_judge_error(&cluster);
    everything_dies(&cluster);
    wait_until("no process on any node", PATIENCE, || cluster.tasks().is_empty());
}

fn the_same_table_and_one_kind_of_node_per_board(cluster: &Cluster) {
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
    // Nothing is left in the spool that has to be kept.
    for left in ["new", "part", "late", "taken"] {
        let files = std::fs::read_dir(folder.path().join("out/cluster").join(left));
        assert_eq!(files.map_or(0, Iterator::count), 0, "{left}");
    }
    let (printed, _) = exits(cluster.judge(&folder, ["rank", "out", "--format", "json"]), 0);
    assert_eq!(cells(&printed), cells(&local));
}

fn detached_interrupted_and_taken_home(cluster: &Cluster) {
    let folder = Folder::new();
    write_contest(&folder, 2, 300);
    let (local, _) = exits(cluster.judge(&folder, ["run", "--out", "local", "--format", "json"]), 0);
    let slurm = ["run", "--engine", "slurm", "--sbatch", "-p like", "--batch", "20s", "--out", "out", "--detach"];
    let (table, messages) = exits(cluster.judge(&folder, slurm), 0);
    assert!(table.is_empty() && messages.contains("judge run --resume out"), "{messages}");
    let idle = || cluster.ask("squeue", &["-h"]).is_empty();
    wait_until("the array ends alone", PATIENCE, idle);
    let journal = folder.read("out/journal.jsonl");
    assert!(runs(&journal).is_empty(), "only the judge writes the journal");
    let (table, _) = exits(cluster.judge(&folder, ["run", "--resume", "out", "--format", "json"]), 0);
    assert_eq!(cells(&table), cells(&local));
    let made = runs(&folder.read("out/journal.jsonl"));
    assert!(made.len() == 8 && made.iter().all(|(_, node)| node != "n3"), "{made:?}");

    // Ctrl-C cancels the arrays. What was made is kept, the rest is made on this machine.
    let slow = Folder::new();
    write_contest(&slow, 2, 700);
    let slurm = ["run", "--engine", "slurm", "--batch", "40s", "--out", "out"];
    let mut judge = spawn(cluster.judge(&slow, slurm), &slow);
    let journal = slow.path().join("out/journal.jsonl");
    wait_until("a run", PATIENCE, || text(&journal).contains("\"line\":\"run\""));
    signal(&judge, Signal::INT);
    assert_eq!(judge.wait().unwrap().code(), Some(130));
    let messages = slow.read("log");
    assert!(messages.contains("cancelled: ") && messages.contains("judge run --resume out"), "{messages}");
    wait_until("cancelled", PATIENCE, idle);
    let (table, _) =
        exits(cluster.judge(&slow, ["run", "--resume", "out", "--engine", "local", "--format", "json"]), 0);
    assert_eq!(cells(&table), cells(&local));
    let made = runs(&slow.read("out/journal.jsonl"));
    assert_eq!(made.iter().map(|(run, _)| run).collect::<BTreeSet<_>>().len(), made.len(), "{made:?}");
    assert!(made.iter().any(|(_, node)| node == "none") && made.iter().any(|(_, node)| node != "none"), "{made:?}");
}

fn what_the_nodes_offer(cluster: &Cluster) {
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

fn a_batch_that_fails_three_times_is_a_judge_error(cluster: &Cluster) {
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

fn everything_dies(cluster: &Cluster) {
    let folder = Folder::new();
    write_contest(&folder, 6, 900);
    let (local, _) = exits(cluster.judge(&folder, ["run", "--out", "local", "--format", "json"]), 0);
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
    assert_eq!(cells(&table), cells(&local), "{messages}");
    let made = runs(&folder.read("out/journal.jsonl"));
    let keys: BTreeSet<&String> = made.iter().map(|(run, _)| run).collect();
    assert_eq!((made.len(), keys.len()), (24, 24), "every run counts once: {messages}");
    wait_until("nothing is left", PATIENCE, || processes_naming(folder.path()).is_empty());
}

#[test]
fn a_table_over_unlike_machines_says_so_and_names_the_boards() {
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
    // On one board one run is from the other machine, on the other board all are.
    let other = |line: &str| line.contains("\"board\":\"N2\"") || line.contains("\"entry\":\"third\"");
    for line in lines.iter_mut().filter(|line| line.contains("\"line\":\"run\"") && other(line)) {
        *line = line.replacen("\"limit_ms\"", "\"machine\":1,\"limit_ms\"", 1);
    }
    folder.file("other/journal.jsonl", chained(lines.iter().map(String::as_str)));
    let printed = folder.judge(["rank", "other"]).exits(0).stdout;
    let sentence = "Runs were made on processors of 2 models: Slow (5 runs), Swift (3 runs); times do not compare on N1, \
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
    // From a file with one row per run it says the same: resuming a complete contest only writes that file.
    folder.judge(["run", "--resume", "other"]).exits(0);
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
    // A batch that is over is not made again, and a folder without one is refused.
    let over = folder.judge(["work", ".", "1", "1"]).exits(0).stderr;
    assert!(over.contains("batch 1 of array 1 is over"), "{over}");
}
