//! The office of a contest: teams and their tokens, by the command.

use std::fs;

use crate::support::{Folder, board, contest};

/// A contest folder with one board and its reference entry.
fn begun() -> Folder {
    let folder = Folder::new();
    folder.judge(["init", "club"]).exits(0);
    folder
}

fn token_of(printed: &str, team: &str) -> String {
    let line = printed.lines().find(|line| line.starts_with(&format!("{team} "))).unwrap();
    line.split_once(' ').unwrap().1.to_owned()
}

#[test]
fn each_team_of_a_list_gets_a_token_that_no_file_has() {
    let folder = begun();
    folder.file("teams.csv", "team,name,contact\nada,Ada Lovelace,room 3\nbob, Bob ,\n");
    let added = folder.judge(["team", "add", "club", "--csv", "teams.csv"]).exits(0).stdout;
    let (ada, bob) = (token_of(&added, "ada"), token_of(&added, "bob"));
    assert!(ada != bob && ada.len() == 43, "{added}");
    let log = folder.read("club/office/office.jsonl");
    assert!(!log.contains(&ada) && !log.contains("Lovelace"), "{log}");
    let listed = folder.judge(["team", "list", "club"]).exits(0).stdout;
    assert!(listed.contains("Ada Lovelace") && listed.contains("Bob"), "{listed}");
    folder.judge(["team", "forget", "club", "ada"]).exits(0);
    assert!(!folder.judge(["team", "list", "club"]).exits(0).stdout.contains("Lovelace"));
    assert!(!folder.read("club/office/people.json").contains("Lovelace"));
}

#[test]
fn a_list_with_one_bad_team_adds_none() {
    let folder = begun();
    folder.file("teams.csv", "team\nada\nb b\n");
    let refused = folder.judge(["team", "add", "club", "--csv", "teams.csv"]).exits(2).message();
    assert!(refused.contains("unusable team name"), "{refused}");
    assert!(!folder.judge(["team", "list", "club"]).exits(0).stdout.contains("ada"));
}

#[test]
fn a_new_token_is_another_one_and_a_revoked_team_has_none() {
    let folder = begun();
    let first = folder.judge(["team", "add", "club", "ada"]).exits(0).stdout;
    let second = folder.judge(["team", "renew", "club", "ada"]).exits(0).stdout;
    assert_ne!(token_of(&first, "ada"), token_of(&second, "ada"));
    folder.judge(["team", "revoke", "club", "ada"]).exits(0);
    assert!(folder.judge(["team", "list", "club"]).exits(0).stdout.contains("revoked"));
    let unknown = folder.judge(["team", "revoke", "club", "bob"]).exits(2).message();
    assert_eq!(unknown, "judge: unknown team `bob`\n");
}

#[test]
fn an_office_needs_a_contest() {
    let folder = Folder::new();
    let refused = folder.judge(["team", "add", ".", "ada"]).exits(2).message();
    assert!(refused.contains("has no contest.toml") && refused.contains("judge init"), "{refused}");
    let folder = begun();
    let refused = folder.judge(["team", "list", "club"]).exits(2).message();
    assert!(refused.contains("has no office"), "{refused}");
}

#[test]
fn verify_covers_the_log_of_the_office() {
    let folder = Folder::new();
    let entry = "[[entry]]\nname = \"mine\"\ncommand = \"./mine.sh\"\n";
    folder.file("contest.toml", contest(&[("A", &board("near-end-1"))]) + entry);
    folder.script("mine.sh", "exit 1");
    folder.judge(["run", "--out", "results"]).exits(0);
    let verify = || folder.judge(["verify", "results"]);
    assert!(!verify().exits(0).stdout.contains("office"));
    folder.judge(["team", "add", ".", "ada", "bob"]).exits(0);
    assert!(verify().exits(0).stdout.contains("office: the chain of 5 lines is whole"));
    let path = folder.path().join("office/office.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, whole.replacen("bob", "eve", 1)).unwrap();
    let changed = verify().exits(1).stdout;
    assert!(changed.contains("DIFFERS") && changed.contains("hash does not match"), "{changed}");
}
