//! The organiser's decisions by command, and their effect on `office list` and `rank`.

use super::*;

const SOLVES: &str = "#!/bin/sh\necho lluu\n";

fn office(folder: &Folder, words: &[&str]) {
    folder.judge(["office", words[0], "."].into_iter().chain(words[1..].iter().copied())).exits(0);
}

fn refused(folder: &Folder, words: &[&str]) -> String {
    folder.judge(["office", words[0], "."].into_iter().chain(words[1..].iter().copied())).exits(2).message()
}

/// The cells of an entry in the table, after decisions are applied; `None` without a place.
fn ranked(folder: &Folder, entry: &str) -> Option<Vec<String>> {
    office(folder, &["judge"]);
    let json = folder.judge(["rank", "results", "--format", "json"]).exits(0).json();
    let row = json["entries"].as_array().unwrap().iter().find(|row| row["entry"] == entry)?;
    row["place"].as_u64()?;
    Some(row["runs"].as_array().unwrap().iter().map(|run| run["cell"].as_str().unwrap().to_owned()).collect())
}

#[test]
fn every_decision_on_a_submission_changes_what_is_ranked() {
    let folder = club();
    submit(&folder, "ada", "solve", SOLVES);
    submit(&folder, "bob", "solve", "#!/bin/sh\necho ll\n");
    submit(&folder, "cleo", "solve", SOLVES);
    office(&folder, &["hold", "1", "--because", "one moment"]);
    office(&folder, &["cancel", "cleo.3"]);
    assert_eq!((ranked(&folder, "ada.1"), ranked(&folder, "cleo.3")), (None, None));
    assert!(ranked(&folder, "bob.2").is_some());
    assert_eq!(["ada.1", "cleo.3"].map(|name| status(&folder, name)), ["held: one moment", "cancelled"]);
    office(&folder, &["release", "ada.1"]);
    assert_eq!(status(&folder, "ada.1"), "queued");
    assert_eq!(ranked(&folder, "ada.1").unwrap().len(), 2);
    assert_eq!(status(&folder, "ada.1"), "counts");
    office(&folder, &["ignore", "bob.2", "--because", "by mistake"]);
    assert_eq!((ranked(&folder, "bob.2"), status(&folder, "bob.2")), (None, "ignored: by mistake".into()));
    office(&folder, &["consider", "2"]);
    assert!(ranked(&folder, "bob.2").is_some());
    assert_eq!(status(&folder, "bob.2"), "counts");
    for words in [["cancel", "9"], ["ignore", "ada"]] {
        let why = refused(&folder, &words);
        assert!(why.contains("unknown submission") && why.contains(words[1]), "{why}");
    }
    folder.judge(["verify", "results"]).exits(0);
}

#[test]
fn a_ruling_by_hand_outlasts_the_striking_of_its_board() {
    let folder = club();
    submit(&folder, "ada", "solve", SOLVES);
    let whole = ranked(&folder, "ada.1").unwrap();
    office(&folder, &["strike", "A", "--because", "too near"]);
    assert_ne!(ranked(&folder, "ada.1").unwrap(), whole);
    office(&folder, &["unstrike", "A", "--because", "it was right"]);
    assert_eq!(ranked(&folder, "ada.1").unwrap(), whole);
    office(&folder, &["rule", "ada.1", "A", "wrong", "--because", "copied"]);
    let ruled = ranked(&folder, "ada.1").unwrap();
    assert!(ruled[0].contains("WRO") && ruled[1] == whole[1], "{ruled:?}");
    assert!(refused(&folder, &["rule", "ada.1", "C", "wrong", "--because", "x"]).contains('C'));
    folder.judge(["verify", "results"]).exits(0);
}

#[test]
fn the_chosen_submission_of_a_team_counts() {
    let folder = club();
    assert!(refused(&folder, &["choose", "ada", "1"]).contains("teams do not choose in this contest"));
    folder.file("contest.toml", folder.read("contest.toml") + "[office]\ncounts = \"chosen\"\n");
    submit(&folder, "ada", "solve", "#!/bin/sh\necho ll\n");
    submit(&folder, "ada", "solve", SOLVES);
    assert!(ranked(&folder, "ada.1").is_none() && ranked(&folder, "ada.2").is_some());
    office(&folder, &["choose", "ada", "1"]);
    assert!(ranked(&folder, "ada.1").is_some() && ranked(&folder, "ada.2").is_none());
    assert_eq!(["ada.1", "ada.2"].map(|name| status(&folder, name)), ["counts", "superseded by ada.1"]);
    assert!(refused(&folder, &["choose", "bob", "1"]).contains("bob has no submission 1"));
}

#[test]
fn commands_bound_the_final_rounds() {
    let folder = club();
    let rounds = "[[round]]\nname = \"First\"\nboards = [\"A\"]\n[[round]]\nname = \"Final\"\nboards = [\"B\"]\n";
    folder.file("contest.toml", folder.read("contest.toml") + rounds);
    submit(&folder, "ada", "solve", SOLVES);
    let boards = |folder: &Folder| ranked(folder, "ada.1").unwrap().iter().filter(|cell| !cell.is_empty()).count();
    assert_eq!((boards(&folder), status(&folder, "ada.1")), (1, "counts".into()));
    office(&folder, &["begin-finals", "--yes"]);
    let receipt = submit(&folder, "bob", "solve", SOLVES);
    assert!(receipt.contains("late"), "{receipt}");
    assert_eq!((boards(&folder), status(&folder, "bob.2")), (2, "late".into()));
    assert!(refused(&folder, &["begin-finals", "--yes"]).contains("judged already"));
    office(&folder, &["finalize", "--yes"]);
    assert!(refused(&folder, &["finalize", "--yes"]).contains("final"));
}
