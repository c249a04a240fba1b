//! Help with examples, completions, manual pages, and the contest to start from.

use crate::support::*;

const SUBCOMMANDS: &str = "run resume update rank season convert compare report verify restore validate replay try boards doctor import init completions man";

#[test]
fn every_subcommand_has_help_with_an_example() {
    let folder = Folder::new();
    let help = folder.judge(["--help"]).exits(0).stdout;
    assert!(help.contains("\nBegin:\n  judge init my-contest  "), "{help}");
    let nested = ["make", "show", "check"].map(|command| vec!["boards", command]);
    let commands = SUBCOMMANDS.split(' ').filter(|&command| command != "boards").map(|command| vec![command]);
    for command in commands.chain(nested) {
        assert!(help.contains(&format!("\n  {}", command[0])), "{command:?}");
        let help = folder.judge(command.iter().copied().chain(["--help"])).exits(0).stdout;
        assert!(help.contains("Example"), "{command:?}");
        assert!(help.contains(&format!("  judge {}", command.join(" "))), "{command:?}");
        let longest = help.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(100), "{command:?}: a line of {longest:?} columns");
    }
    folder.judge([]).exits(2);
    folder.judge(["valdate"]).exits(2);
}

#[test]
fn every_shell_has_a_script_that_asks_the_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = Folder::new().judge(["completions", shell]).exits(0).stdout;
        assert!(script.contains("JUDGE_COMPLETE") && script.contains("judge"), "{shell}: {script}");
    }
}

#[test]
fn there_is_a_manual_page_per_subcommand() {
    let folder = Folder::new();
    assert!(folder.judge(["man"]).exits(0).stdout.contains(".TH judge 1"));
    folder.judge(["man", "--out", "man1"]).exits(0);
    for command in SUBCOMMANDS.split(' ') {
        assert!(folder.read(&format!("man1/judge-{command}.1")).contains(".TH"), "{command}");
    }
}

#[test]
fn the_contest_that_init_writes_is_ready_to_run() {
    let folder = Folder::new();
    folder.judge(["init", "my contest"]).exits(0);
    let table = folder.judge(["run", "my contest", "--out", "out", "--format", "json"]).exits(0).json();
    assert_eq!(table["entries"][0]["entry"], "sample");
    assert_eq!(table["entries"][0]["total"]["figures"]["progress"], "50", "the sample solves both boards");
    assert_eq!(table["entries"][1]["place"], serde_json::Value::Null);

    folder.file("my contest/contest.toml", "mine");
    folder.judge(["init", "my contest"]).exits(2);
    assert_eq!(folder.read("my contest/contest.toml"), "mine");
}
