//! Teams that submit answers instead of programs, with a file per board.

use crate::second_opinion::has_python;
use crate::support::*;

fn of_packages(path: &str) -> std::path::PathBuf {
    project().join("judge/package/tests/packages").join(path)
}

/// The contest of a package whose office allows these languages, with three teams.
fn office(package: &str, languages: &str) -> Folder {
    let folder = Folder::new();
    let package = of_packages(package);
    let imported = folder.judge(["import", package.to_str().unwrap(), "c", "--limit", "5s"]).exits(0);
    assert!(!imported.stderr.contains("UTF-8"), "archives are no texts: {}", imported.stderr);
    let text = folder.read("c/contest.toml").replacen(
        "\n[build]",
        &format!("\n[office]\nlanguages = {languages}\n\n[build]"),
        1,
    );
    assert!(text.contains("[office]"), "{text}");
    folder.file("c/contest.toml", text);
    folder
}

/// The cells of an entry, by the order of the boards.
fn cells(folder: &Folder, entry: &str) -> Vec<String> {
    let json = folder.judge(["rank", "c/results", "--format", "json"]).exits(0).json();
    let rows = json["entries"].as_array().unwrap();
    let row = rows.iter().find(|row| row["entry"] == entry).unwrap_or_else(|| panic!("{entry}: {json}"));
    row["runs"].as_array().unwrap().iter().map(|run| run["cell"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn teams_submit_answers_in_a_folder_an_archive_or_a_file() {
    // The validator of the package is in Python.
    if !has_python() {
        return;
    }
    let folder = office("numbers", "[\"answers\"]");
    folder.judge(["team", "add", "c", "ada", "bob", "cyd", "dan"]).exits(0);
    let own = |name: &str| of_packages("numbers/submissions").join(name).display().to_string();
    let submit = |team: &str, file: &str| folder.judge(["office", "submit", "c", team, file]).exits(0);
    submit("ada", &own("accepted/archive.zip"));
    submit("bob", &own("accepted/packed.tar.gz"));
    // One file is an answer to one board. A program of any name is not an answer.
    copy_folder(Path::new(&own("accepted/folder")), &folder.path().join("folder"));
    let one = walk(&folder.path().join("folder")).into_iter().find(|file| file.contains("large")).unwrap();
    submit("cyd", &one);
    folder.file("solver.py", "print(1)\n");
    submit("dan", "solver.py");
    let judged = folder.judge(["office", "judge", "c"]).exits(0);
    for entry in ["ada.1", "bob.2"] {
        assert_eq!(cells(&folder, entry), ["AC", "AC", "AC"], "{}", judged.stdout);
    }
    let of_one = cells(&folder, "cyd.3");
    assert_eq!(of_one.iter().filter(|cell| *cell == "AC").count(), 1, "{of_one:?}");
    let journal = folder.read("c/results/journal.jsonl");
    assert!(journal.contains("solver.py answers no board; name it after one, with any ending: sample.1"), "{journal}");
    assert!(journal.contains("there is no answer to this board"), "{journal}");
    // The results do not need the entries' folder, and nothing is left to do.
    fs::remove_dir_all(folder.path().join("c/office/entries/ada.1")).unwrap();
    folder.judge(["verify", "c/results"]).exits(0);
    folder.judge(["office", "judge", "c"]).exits(0);
    assert_eq!(folder.read("c/results/journal.jsonl"), journal);
    // A corrected submission of the team counts. The answers of the first one are kept.
    submit("cyd", &own("accepted/archive.zip"));
    folder.judge(["office", "judge", "c"]).exits(0);
    assert_eq!(cells(&folder, "cyd.5"), ["AC", "AC", "AC"]);
    let refused = folder.judge(["office", "submit", "c", "ada", "solver.py", "--language", "python3"]).exits(2);
    assert!(refused.stderr.contains("unknown language `python3`"), "{}", refused.stderr);
}

#[test]
fn answers_and_programs_are_in_one_contest_if_the_organiser_says_so() {
    // The validator of the package is in Python.
    if !has_python() {
        return;
    }
    let folder = office("numbers", "[\"answers\", \"python3\"]");
    folder.judge(["team", "add", "c", "ada", "bob"]).exits(0);
    let archive = of_packages("numbers/submissions/accepted/archive.zip").display().to_string();
    folder.judge(["office", "submit", "c", "ada", &archive]).exits(0);
    folder.file("none.py", "print('none')\n");
    folder.judge(["office", "submit", "c", "bob", "none.py"]).exits(0);
    folder.judge(["office", "judge", "c"]).exits(0);
    assert_eq!(cells(&folder, "ada.1"), ["AC", "AC", "AC"]);
    assert!(cells(&folder, "bob.2").iter().all(|cell| cell.ends_with("WRO")), "{:?}", cells(&folder, "bob.2"));
    // An archive of answers is refused unless the contest allows answers.
    let usual = office("numbers", "[\"python3\"]");
    usual.judge(["team", "add", "c", "ada"]).exits(0);
    let refused = usual.judge(["office", "submit", "c", "ada", &archive]).exits(2);
    assert!(refused.stderr.contains("no known language has files such as"), "{}", refused.stderr);
    // A talk needs programs.
    let talks = office("guess", "[\"answers\"]");
    let refused = talks.judge(["check", "c"]).exits(2);
    contains(&refused.stderr, ["[office]: languages: answers fit no contest that needs programs"]);
}

fn walk(folder: &Path) -> Vec<String> {
    let items = fs::read_dir(folder).unwrap().map(|item| item.unwrap().path());
    items.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path.display().to_string()] }).collect()
}
