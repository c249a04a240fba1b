//! Referees and entries of several files: a change in any of them is noticed.

use std::sync::LazyLock;

use super::{external, verdict};
use crate::support::*;

/// A referee and an entry that are folders of files, and a table that the referee reads.
fn contest() -> Folder {
    static MADE: LazyLock<Made> = LazyLock::new(|| Made::of(&made()));
    MADE.folder()
}

fn made() -> Folder {
    let folder = Folder::new();
    external(&folder, "protocol = \"exit\"", "", &[("A", "x")], &[("right", "echo 42"), super::WRONG]);
    let text = folder.read("contest.toml");
    let command = "command = [\"sh\", \"-c\", '. \"$0/main\"', \"{dir}/referee\"]\nreadable = [\"tables\"]";
    folder.file("contest.toml", text.replace("command = \"referee/referee\"", command));
    fs::remove_file(folder.path().join("referee/referee")).unwrap();
    folder.file("referee/main", ". \"$0/lib/rules\"\n");
    folder.file(
        "referee/lib/rules",
        "read -r a <\"$2\"; read -r b <\"${0%/*}/tables/right\"; [ \"$a\" = \"$b\" ] || exit 1\n",
    );
    folder.file("tables/right", "42\n");
    folder.file("package/main", "cat \"$0/data\"\n");
    folder.file("package/data", "40\n");
    let package = "[[entry]]\nname = \"package\"\ncommand = [\"sh\", \"-c\", '. \"$0/main\"', \"{dir}/package\"]\n";
    folder.file("contest.toml", folder.read("contest.toml") + package);
    folder.judge(["run", "--out", "out"]).exits(0);
    folder
}

fn dry_run(folder: &Folder, code: i32) -> String {
    let message = folder.judge(["update", "out", "--dry-run"]).exits(code);
    message.stdout + &message.stderr
}

#[test]
fn every_file_of_a_referee_is_part_of_it() {
    let folder = contest();
    assert_eq!(verdict(&folder, "right", "A"), "solved");
    assert!(dry_run(&folder, 0).contains("no run to execute"));
    // What an interpreter leaves beside a program is no part of it.
    fs::create_dir(folder.path().join("referee/__pycache__")).unwrap();
    folder.file("referee/__pycache__/x.pyc", "compiled");
    assert!(dry_run(&folder, 0).contains("no run to execute"));
    let rules = folder.read("referee/lib/rules");
    for (file, text) in [
        ("referee/lib/rules", rules.replace("exit 1", "exit  1")),
        ("referee/lib/new", String::new()),
        ("tables/right", "40\n".into()),
        ("tables/new", String::new()),
    ] {
        let before = fs::read(folder.path().join(file)).ok();
        folder.file(file, text);
        let message = dry_run(&folder, 2);
        assert!(message.contains("the referee has changed"), "{file}: {message}");
        match before {
            Some(before) => drop(folder.file(file, before)),
            None => fs::remove_file(folder.path().join(file)).unwrap(),
        }
        assert!(dry_run(&folder, 0).contains("no run to execute"), "{file}");
    }
    // The old one is kept, and can be had again.
    folder.file("tables/right", "40\n");
    folder.judge(["rejudge", "out"]).exits(0);
    assert_eq!(verdict(&folder, "package", "A"), "solved");
    folder.judge(["restore", "out", "referee", "--version", "1", "-o", "old"]).exits(0);
    assert_eq!((folder.read("old/tables/right"), folder.read("old/referee/lib/rules")), ("42\n".into(), rules));
}

#[test]
fn every_file_of_a_package_is_part_of_its_entry() {
    let folder = contest();
    folder.file("package/data", "42\n");
    let message = dry_run(&folder, 0);
    assert!(message.contains("entry package runs again: its program has changed"), "{message}");
    folder.judge(["update", "out"]).exits(0);
    assert_eq!(verdict(&folder, "package", "A"), "solved");
    folder.judge(["restore", "out", "package", "--version", "1", "-o", "old"]).exits(0);
    assert_eq!(folder.read("old/package/data"), "40\n");
}

#[test]
fn a_folder_that_is_too_large_to_be_noticed_is_reported() {
    let folder = contest();
    folder.judge(["check"]).exits(0).hides(["unnoticed"]);
    fs::File::create(folder.path().join("tables/large")).unwrap().set_len(1 << 40).unwrap();
    let whole = "[[entry]]\nname = \"whole\"\ncommand = [\"package/main\", \"{dir}\"]\n";
    folder.file("contest.toml", folder.read("contest.toml") + whole + &entry("late", &["entries/right"]));
    let message = folder.judge(["check"]).exits(2).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for finding in [
        "note referee: changes in tables go unnoticed: it has more than 1000 files, 256.0 MiB or 16 levels; name the part",
        "note entry whole: changes in the contest's folder go unnoticed: it has the whole contest in it; name the part",
    ] {
        assert!(message.contains(finding), "{message}");
    }
}
