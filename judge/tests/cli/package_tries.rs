//! `judge try` and `judge check` on problem packages, which stay as they are.

use crate::support::*;

fn package(folder: &Folder, name: &str) {
    copy_folder(&project().join("judge/package/tests/packages").join(name), &folder.path().join(name));
}

/// Names and contents of all files of a package.
fn files(folder: &Folder, name: &str) -> Vec<(String, Vec<u8>)> {
    let root = folder.path().join(name);
    let mut files: Vec<_> = walk(&root).into_iter().map(|file| (file.clone(), std::fs::read(file).unwrap())).collect();
    files.sort();
    files
}

fn walk(folder: &Path) -> Vec<String> {
    let items = std::fs::read_dir(folder).unwrap().map(|item| item.unwrap().path());
    items.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path.display().to_string()] }).collect()
}

#[test]
#[ignore = "deep: packages"]
fn a_program_is_tried_on_a_package_that_stays_as_it_is() {
    let folder = Folder::new();
    package(&folder, "mean");
    let before = files(&folder, "mean");
    // It is right on the sample only.
    let sample = folder.read("mean/data/sample/1.ans");
    folder.file("solver.py", format!("print({:?})\n", sample.trim()));
    let tried = folder.judge(["try", "mean", "--limit", "5s", "--", "python3", "solver.py"]).exits(1).stdout;
    assert!(tried.contains("first failure, on secret.1: wrong answer"), "{tried}");
    let after = tried.split("first failure").nth(1).unwrap();
    for (what, file) in [("input", "mean/data/secret/1.in"), ("the judge's answer", "mean/data/secret/1.ans")] {
        let first = folder.read(file).lines().next().unwrap().to_owned();
        assert!(after.contains(&format!("  {what}:\n  | {first}")), "{what}: {after}");
    }
    assert!(after.contains(&format!("  it printed:\n  | {}", sample.trim())), "{after}");
    // Its own test case.
    folder.judge(["try", "mean", "sample", "--limit", "5s", "--", "python3", "solver.py"]).exits(0);
    let unknown = folder.judge(["try", "mean", "secret/9", "--limit", "5s", "--", "python3", "solver.py"]).exits(2);
    assert!(unknown.message().contains("no test case matches `secret/9`; available: sample/1, secret/1"), "the names");
    // A submission of the package leaves nothing there.
    let own = ["try", "mean", "--limit", "5s", "--", "python3", "mean/submissions/accepted/mean.py"];
    let output = folder.judge(own).exits(0);
    assert!(output.stderr.contains("the solver is in the package"), "{}", output.stderr);
    assert!(output.stdout.contains("\nsolved ") && !output.stdout.contains("best.csv"), "{}", output.stdout);
    assert_eq!(files(&folder, "mean"), before);
}

#[test]
#[ignore = "deep: packages"]
fn a_try_on_an_interactive_package_shows_the_talk() {
    let folder = Folder::new();
    package(&folder, "guess");
    let upwards = "guess/submissions/wrong_answer/upwards.py";
    let tried = folder.judge(["try", "guess", "--limit", "5s", "--", "python3", upwards]).exits(1).stdout;
    let failure = tried.split("first failure, on ").nth(1).unwrap_or_else(|| panic!("{tried}"));
    contains(failure, ["the talk, with the time since its start", "  referee ", "  entry "]);
    folder.judge(["try", "guess", "--limit", "5s", "--", "python3", "guess/submissions/accepted/halves.py"]).exits(0);
}

#[test]
fn a_package_without_data_names_its_generators() {
    let folder = Folder::new();
    package(&folder, "mean");
    std::fs::remove_dir_all(folder.path().join("mean/data")).unwrap();
    let message = |command: &[&str]| folder.judge(command.iter().copied()).exits(2).message();
    let commands: [&[&str]; 3] = [&["check", "mean"], &["try", "mean", "--", "true"], &["import", "mean", "contest"]];
    for command in commands {
        assert!(message(command).ends_with("such as data/secret/1.in with data/secret/1.ans\n"), "{command:?}");
    }
    folder.file("mean/generators/generators.yaml", "data: {}\n");
    for command in commands {
        let message = message(command);
        assert!(
            message.ends_with("; the package's generators make them with `judge import --generate`\n"),
            "{message}"
        );
    }
}

#[test]
#[ignore = "deep: packages"]
fn a_group_that_is_left_out_is_not_required() {
    let folder = Folder::new();
    package(&folder, "stones");
    // Its groups require the sample.
    let solver = ["--", "python3", "stones/submissions/mixed/none.py"];
    let tried = folder.judge(["try", "stones", "secret/group1"].into_iter().chain(solver)).exits(1).stdout;
    assert!(tried.contains("secret.group1.1") && !tried.contains("sample"), "{tried}");
    let accepted = ["import", "--verify", "stones", "--case", "secret/*", "--submission", "accepted", "--limit", "5s"];
    let verified = folder.judge(accepted).exits(0).stdout;
    assert!(verified.starts_with("Stones: 4 test cases"), "{verified}");
}

#[test]
#[ignore = "deep: packages"]
fn a_package_is_checked_without_being_run() {
    let folder = Folder::new();
    package(&folder, "apart");
    let before = files(&folder, "apart");
    let checked = folder.judge(["check", "apart"]).exits(0);
    contains(&checked.stdout, ["no problem found", "accepted.apart.c", "runs,"]);
    assert_eq!(files(&folder, "apart"), before);
    folder.judge(["try", "apart", "--seeds", "1-3", "--", "true"]).exits(2).says(["a package has its test cases"]);
}

#[test]
#[ignore = "deep: packages"]
fn answers_are_tried_on_a_package_that_takes_answers() {
    let folder = Folder::new();
    package(&folder, "numbers");
    let before = files(&folder, "numbers");
    let own = |name: &str| format!("numbers/submissions/{name}");
    for name in ["accepted/folder", "accepted/archive.zip", "accepted/packed.tar.gz"] {
        let tried = folder.judge(["try", "numbers", "--", &own(name)]).exits(0);
        assert!(!tried.stderr.contains("time limit"), "{}", tried.stderr);
    }
    assert_eq!(files(&folder, "numbers"), before);
    // Answers outside are remembered beside them, and the first failure is shown.
    copy_folder(Path::new(&folder.path().join(own("accepted/folder"))), &folder.path().join("mine"));
    folder.judge(["try", "numbers", "--", "mine"]).exits(0);
    let again = folder.judge(["try", "numbers", "--", "mine"]).exits(0);
    assert!(again.stderr.contains("notice: the answers are those of version 2, unchanged\n"), "{}", again.stderr);
    let wrong = walk(&folder.path().join("mine")).into_iter().find(|file| file.contains("secret")).unwrap();
    std::fs::write(&wrong, "no number\n").unwrap();
    let changed = folder.judge(["try", "numbers", "--", "mine"]).exits(1);
    assert!(!changed.stderr.contains("unchanged"), "{}", changed.stderr);
    let failure = changed.stdout.split("first failure, on ").nth(1).unwrap_or_else(|| panic!("{}", changed.stdout));
    assert!(failure.starts_with("secret.") && failure.contains("  | no number"), "{failure}");
    // What is no answers.
    for (command, reason) in [
        (&["python3", "x.py"][..], "the package takes answers: behind `--`, name a folder, a .zip or a .tar.gz"),
        (&["numbers/problem.yaml"], "numbers/problem.yaml: the package takes answers"),
        (&["none.zip"], "none.zip: no such folder or archive"),
    ] {
        folder.judge(["try", "numbers", "--"].iter().chain(command).copied()).exits(2).says([reason]);
    }
    let tuned = ["try", "numbers", "--tune", "X=1..2", "--", "mine"];
    assert!(folder.judge(tuned).exits(2).message().contains("answers are not built and have no parameters"), "tuned");
}
