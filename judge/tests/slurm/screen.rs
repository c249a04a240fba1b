//! The live screen of a contest on a cluster.

use crate::cluster::Cluster;
use crate::contest::write_contest;
use crate::support::*;
use crate::terminal::Terminal;

#[test]
fn the_screen_shows_tasks_nodes_and_arrays() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    write_contest(&folder, 6, 900);
    let command = [env!("CARGO_BIN_EXE_judge"), "run", "--engine", "slurm", "--batch", "40s", "--out", "out"];
    let variables = cluster.variables();
    let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let terminal = Terminal::run(&folder, command, &variables);
    let tasks = |text: &str| text.contains(" running on ") && text.contains("standings");
    let text = terminal.until("tasks", tasks);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
    let at = lines.iter().position(|line| line.starts_with("Slurm: ")).unwrap();
    assert!(lines[at + 1].starts_with("  array") && lines[at + 1].ends_with(" in tasks"), "{text}");
    assert!(!text.contains("at most") && !text.contains("running: "), "no bound that the queue may exceed:\n{text}");
    terminal.left_with(0);
}
