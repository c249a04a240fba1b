//! Documents that cannot rot: what they name exists, and the gate runs what the README says.

use std::fs;
use std::path::PathBuf;

use judge_contest::{Contest, Overrides};
use judge_core::games::GAMES;

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
fn every_program_of_the_entries_is_in_a_contest_or_is_a_tool_of_its_crate() {
    let contests = files("contests").into_iter().chain([project().join("contest.toml")]);
    let contests: String = contests.map(|file| fs::read_to_string(file).unwrap()).collect();
    let crates: Vec<_> = files("entries").into_iter().filter(|folder| folder.join("src/bin").exists()).collect();
    assert!(crates.len() >= 3);
    for folder in crates {
        let readme = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        for file in fs::read_dir(folder.join("src/bin")).unwrap() {
            let name = file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
            let entered = ["\"", " "].iter().any(|end| contests.contains(&format!("target/release/{name}{end}")));
            assert!(entered || readme.contains(&format!("| `{name}` | tool")), "{name} is in no contest file");
        }
    }
}

#[test]
fn every_contest_can_be_played() {
    for file in files("contests").into_iter().chain([project().join("contest.toml")]) {
        Contest::load(&file, &Overrides::default()).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn every_game_has_boards_a_contest_and_a_place_in_the_documents() {
    let (readme, fuzzed) = (text("README.md"), files("fuzz/seeds/game"));
    for kind in GAMES {
        let name = kind.name;
        assert!(project().join("tests-boards").join(name).join("README.md").exists(), "{name} has no boards");
        assert!(readme.contains(&format!("`{name}`")), "{name} is not in README.md");
        let seeds = fuzzed.iter().filter(|file| fs::read(file).unwrap().starts_with(format!("{name}\n").as_bytes()));
        assert!(seeds.count() > 0, "{name} is not fuzzed");
        let contests = files("contests").into_iter().chain([project().join("contest.toml")]);
        let told = contests.filter(|file| fs::read_to_string(file).unwrap().contains(&format!("game = \"{name}\"")));
        assert!(told.count() > 0, "{name} has no contest");
    }
}

#[test]
fn nobody_but_the_list_of_games_asks_for_a_game_by_name() {
    let mut folders = vec![project().join("judge/src")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|item| item.unwrap().path()) {
            if path.ends_with("src/games") || path.ends_with("src/games.rs") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let code = fs::read_to_string(&path).unwrap();
            for name in GAMES.iter().map(|kind| kind.name) {
                let asks = ["== \"NAME\"", "!= \"NAME\"", "\"NAME\" =>", "\"NAME\" |", "find(\"NAME\")"];
                let asks = asks.map(|form| form.replace("NAME", name)).into_iter().find(|form| code.contains(form));
                assert_eq!(asks, None, "{}", path.display());
            }
        }
    }
}

/// What lies in a folder of the project.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(project().join(folder)).unwrap().map(|item| item.unwrap().path()).collect();
    files.sort();
    files
}
