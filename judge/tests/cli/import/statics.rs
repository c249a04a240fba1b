//! Static validators: our own package, whose `submissions.yaml` has the scores that a person worked out.

use super::package;
use crate::support::*;

#[test]
#[ignore = "deep: packages"]
fn a_static_validator_scores_sources() {
    let run = Folder::new().judge(["import", "--verify", &package("brief")]).exits(0);
    for line in [
        "ok       accepted/formula.cpp: accepted with score 90;",
        "ok       accepted/formula.py: accepted with score 100;",
        "ok       mixed/long.py: accepted with score 85;",
        "ok       mixed/loop.py: wrong answer with score 50; wrong answer on secret/group2 (static validation);",
        "ok       wrong_answer/eval.py: wrong answer with score 40; wrong answer on sample (static validation);",
        "ok       wrong_answer/small.py: wrong answer with score 30; wrong answer on secret/group1/2;",
        "6 submissions: 6 ok, 0 tight, 0 differ, 0 skipped, 0 ignored",
    ] {
        assert!(run.stdout.lines().any(|known| known.starts_with(line)), "{line}\n{}", run.stdout);
    }
    assert!(run.stdout.contains("case     secret/group2 (static validation) rejects mixed/loop.py"), "{}", run.stdout);
    // The contest has the same points for test cases, and says what it leaves out.
    let folder = Folder::new();
    let run = folder.judge(["import", &package("brief"), "contest"]).exits(0);
    let notice = "static_validator: used to verify the package; a contest does not call it, and has no points for it";
    assert!(run.stderr.contains(notice), "{}", run.stderr);
    let contest = folder.read("contest/contest.toml");
    assert_eq!(contest.matches("points = \"20\"").count(), 2, "{contest}");
}

#[test]
#[ignore = "deep: packages"]
fn a_static_validator_without_a_result_is_a_judge_error_with_its_name() {
    let folder = Folder::new();
    copy_folder(Path::new(&package("brief")), &folder.path().join("brief"));
    for others in ["mixed", "wrong_answer"] {
        fs::remove_dir_all(folder.path().join("brief/submissions").join(others)).unwrap();
    }
    fs::remove_file(folder.path().join("brief/submissions/accepted/formula.cpp")).unwrap();
    folder.file("brief/submissions/submissions.yaml", "");
    folder.file("brief/submissions/compile_error/broken.cpp", "int main() {");
    let verified = |validator: &str, code: i32| {
        folder.file("brief/static_validator/validate.py", validator);
        folder.judge(["import", "--verify", "brief"]).exits(code)
    };
    // It crashes, leaves a score that is forbidden, and one that is too high; nothing is asked about what was not built.
    for (validator, reason) in [
        ("import sys\nsys.exit(1)\n", "the static validator failed: exit code 1; 42 accepts and 43 rejects"),
        (
            "import sys\nopen(sys.argv[3] + 'score.txt', 'w').write('1')\nsys.exit(42)\n",
            "the static validator failed: it left score.txt, and sample has static_validation_score: pass-fail",
        ),
        (
            "import sys\nif sys.argv[4:5] == ['short']: open(sys.argv[3] + 'score.txt', 'w').write('21')\nsys.exit(42)\n",
            "the static validator failed: score.txt: 21 is more than 20",
        ),
    ] {
        let run = verified(validator, 3);
        let line = run.stdout.lines().find(|line| line.contains("accepted/formula.py")).unwrap_or_default();
        assert!(line.starts_with("differs  accepted/formula.py: judge error"), "{}", run.stdout);
        assert!(line.contains(reason), "{reason}\n{}", run.stdout);
        assert!(run.stdout.contains("compile_error/broken.cpp: compile error"), "{}", run.stdout);
    }
    // It sees the submission, and no board.
    let looks = "import os, sys\n\
                 boards = os.path.dirname(os.path.realpath(sys.argv[2])) + '/../../boards'\n\
                 try: os.listdir(boards)\n\
                 except OSError: sys.exit(42)\n\
                 sys.exit('it sees the boards')\n";
    verified(looks, 0);
    fs::remove_file(folder.path().join("brief/static_validator/validate.py")).unwrap();
    folder.file("brief/static_validator/validate.cob", "");
    let run = folder.judge(["import", "--verify", "brief"]).exits(2);
    contains(&run.stderr, ["the static validator cannot be run: ", "COBOL is not installed here"]);
    // Narrowed to a part without static validation, the validator is not needed.
    folder.judge(["import", "--verify", "brief", "--case", "secret/group1/*"]).exits(0);
}
