//! Contests for these tests, and their results.

use std::collections::HashMap;
use std::process::Output;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::*;

/// The longest wait, far more than any event needs on a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(240);

/// Entries that answer after this many milliseconds, on some boards.
pub(crate) fn write_contest(folder: &Folder, boards: usize, milliseconds: u32) {
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
pub(crate) fn exits(mut command: Command, code: i32) -> (String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(status.code(), Some(code), "{command:?}\nstdout:\n{stdout}\nstderr:\n{stderr}");
    (stdout, stderr)
}

/// The table of that contest on this machine, from entries that answer sooner.
pub(crate) fn table_here(boards: usize) -> HashMap<(String, String), String> {
    let folder = Folder::new();
    write_contest(&folder, boards, 1);
    cells(&folder.judge(["run", "--out", "out", "--format", "json"]).exits(0).stdout)
}

/// A table without times, as these differ between runs.
pub(crate) fn cells(json: &str) -> HashMap<(String, String), String> {
    let document: Value = serde_json::from_str(json).unwrap();
    let mut cells = HashMap::new();
    for row in document["entries"].as_array().unwrap() {
        let entry = row["entry"].as_str().unwrap().to_owned();
        cells.insert((entry.clone(), "place".into()), row["place"].to_string());
        for run in row["runs"].as_array().unwrap() {
            let figures = ["cell", "figures", "final_board"].map(|name| run[name].to_string());
            cells.insert((entry.clone(), run["board"].as_str().unwrap().into()), figures.join(" "));
        }
    }
    cells
}

/// Runs in the journal by entry and board, with the nodes that executed them.
pub(crate) fn runs(journal: &str) -> Vec<(String, String)> {
    let lines: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let machines: Vec<&Value> = lines.iter().filter(|line| line["line"] == "machine").collect();
    let of_run = |run: &Value| {
        let machine = machines[usize::try_from(run["machine"].as_u64().unwrap_or(0)).unwrap()];
        let node = machine["node"].as_str().unwrap_or("none").to_owned();
        (format!("{} {}", run["entry"], run["board"]), node)
    };
    lines.iter().filter(|line| line["line"] == "run").map(of_run).collect()
}

/// The number of runs in a journal.
pub(crate) fn recorded(journal: &str) -> usize {
    journal.matches("\"line\":\"run\"").count()
}

/// The number of runs with a verdict in a journal, which may be written meanwhile. Judge errors do not count, as they
/// are repeated.
pub(crate) fn judged(journal: &str) -> usize {
    let lines = journal.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let runs = lines.filter(|line| line["line"] == "run" && line["verdict"] != "judge_error");
    runs.map(|run| format!("{} {}", run["entry"], run["board"])).collect::<BTreeSet<_>>().len()
}

/// Starts `judge` in the background, with its messages in a file.
pub(crate) fn spawn(mut command: Command, folder: &Folder) -> Child {
    let log = std::fs::File::options().append(true).create(true).open(folder.path().join("log")).unwrap();
    command.stdout(std::process::Stdio::null()).stderr(log).spawn().unwrap()
}

pub(crate) fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), signal).unwrap();
}
