//! Documents that cannot rot: what they name exists, and the gate runs what the README says.

use std::fs;

use crate::support::{Folder, project};

fn text(name: &str) -> String {
    fs::read_to_string(project().join(name)).unwrap()
}

/// Lines of a document's code blocks.
fn code(document: &str) -> impl Iterator<Item = &str> {
    document.lines().filter_map(|line| line.strip_prefix("    ")).map(str::trim)
}

#[test]
fn the_gate_runs_the_two_commands_of_the_readme() {
    let readme = text("README.md");
    let commands: Vec<&str> = code(&readme).take(2).map(|line| line.split_once('#').unwrap().0.trim()).collect();
    assert_eq!(commands, ["cargo run --release -- run", "cargo test --workspace"]);
    let gate = text(".ci/run");
    assert!(gate.lines().any(|line| line == commands[1]));
    assert!(gate.lines().any(|line| line.starts_with("cargo run --release --locked -- run")));
}

#[test]
fn every_command_and_option_of_the_readme_exists() {
    let readme = text("README.md");
    let folder = Folder::new();
    let lines: Vec<&str> = code(&readme).filter_map(|line| line.split_once("judge ").map(|(_, rest)| rest)).collect();
    assert!(lines.len() >= 10, "{lines:?}");
    for line in lines {
        let line = line.split('#').next().unwrap();
        let words: Vec<&str> = line.split_whitespace().take_while(|&word| word != "--").collect();
        let nested = usize::from(words[0] == "boards");
        let help = folder.judge(words[..=nested].iter().copied().chain(["--help"])).exits(0).stdout;
        for option in words.iter().filter(|word| word.starts_with("--")) {
            assert!(help.contains(option), "`judge {line}`: {option} is unknown");
        }
    }
}

#[test]
fn the_architecture_names_every_room_and_stays_short() {
    let architecture = text("ARCHITECTURE.md");
    assert!(architecture.lines().count() <= 150);
    for folder in ["judge/src", "judge/src/run"] {
        for file in fs::read_dir(project().join(folder)).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            assert!(architecture.contains(&name) || name == "lib.rs", "{folder}/{name} is not in ARCHITECTURE.md");
        }
    }
}

#[test]
fn every_entry_of_the_crate_is_in_the_contest() {
    let contest = text("contest.toml");
    for file in fs::read_dir(project().join("entries/loyd/src/bin")).unwrap() {
        let name = file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        assert!(contest.contains(&format!("\"target/release/{name}\"")), "{name} is not in contest.toml");
    }
}
