//! Packages whose answers have points: by graders, validators and checkers.

use super::{package, verified};
use crate::support::*;

#[test]
#[ignore = "deep: packages"]
fn a_grader_of_the_package_grades_its_groups() {
    let folder = Folder::new();
    let grader = "import sys\n\
                  assert sys.argv[1:] == ['total', 'of it']\n\
                  results = [line.split() for line in sys.stdin]\n\
                  total = sum(float(score) for _, score in results)\n\
                  worst = [verdict for verdict, _ in results if verdict != 'AC'] or ['AC']\n\
                  print('AC' if total > 0 else worst[0], total)\n";
    let groups = "on_reject: continue\ngrading: custom\ngrader_flags: [total, of it]\nrange: 0 100\n";
    let group = |score: u32| format!("grading: default\ngrader_flags: min\naccept_score: {score}\n");
    let (zero, small, large) = (group(0), group(40), group(60));
    let files = [
        ("problem.yaml", "name: Graded\ntype: scoring\n"),
        ("data/testdata.yaml", groups),
        ("data/sample/testdata.yaml", &zero),
        ("data/sample/1.in", "1\n"),
        ("data/sample/1.ans", "1\n"),
        ("data/secret/a/testdata.yaml", &small),
        ("data/secret/a/1.in", "2\n"),
        ("data/secret/a/1.ans", "2\n"),
        ("data/secret/b/testdata.yaml", &large),
        ("data/secret/b/1.in", "3\n"),
        ("data/secret/b/1.ans", "3\n"),
        ("graders/sum.py", grader),
        ("submissions/accepted/all.py", "print(input())\n"),
        ("submissions/partially_accepted/some.py", "print(min(2, int(input())))\n"),
        ("submissions/wrong_answer/none.py", "print(7)\n"),
        ("submissions/partially_accepted/all.py", "print(input())\n"),
    ];
    let (lines, notices) = verified(&folder, &files, 1);
    let expected = [
        "ok       accepted/all.py: accepted with score 100",
        "differs  partially_accepted/all.py: accepted with score 100; expected: accepted with less than the best score",
        "ok       partially_accepted/some.py: accepted with score 40; wrong answer on secret/b/1",
        "ok       wrong_answer/none.py: wrong answer with score 0; wrong answer on sample/1",
    ];
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected.trim_end_matches("; wrong answer on secret/b/1")), "{line}\n{expected}");
    }
    assert_eq!(lines.len(), 4, "{lines:?}");
    contains(&notices, ["graders: used to verify the package; in a contest, points of groups are summed"]);
    // A grader that fails, and one that prints something else.
    fs::remove_dir_all(folder.path().join("made/submissions/partially_accepted")).unwrap();
    fs::create_dir(folder.path().join("made/submissions/rejected")).unwrap();
    folder.file("made/submissions/rejected/none.py", "print(7)\n");
    for (grader, reason) in [
        ("import sys; sys.exit('no total')\n", "the grader failed on secret: exit code 1: no total"),
        ("", "the grader failed on secret: expected for example `AC 12.5`, not ``"),
        ("print('AC 1e308')\n", "the grader failed on secret: expected for example `AC 12.5`, not `AC 1e308`"),
        ("print('AC many')\n", "the grader failed on secret: expected for example `AC 12.5`, not `AC many`"),
    ] {
        let (lines, stderr) = verified(&folder, &[("graders/sum.py", grader)], 3);
        assert!(stderr.contains(reason), "{stderr}");
        // No package expects that, whatever its submission is to be.
        for (line, expected) in lines.iter().zip(["accepted/all.py", "rejected/none.py", "wrong_answer/none.py"]) {
            assert!(line.starts_with(&format!("differs  {expected}: judge error; expected: ")), "{lines:?}");
        }
        assert_eq!(lines.len(), 3, "{lines:?}");
    }
}

#[test]
#[ignore = "deep: packages"]
fn scores_of_a_validator_count_without_an_announcement() {
    let folder = Folder::new();
    let root = folder.path().join("knapsack");
    copy_folder(Path::new(&package("knapsack")), &root);
    let text = folder.read("knapsack/problem.yaml");
    let silent = text.replace("custom score", "custom");
    assert_ne!(text, silent);
    folder.file("knapsack/problem.yaml", silent);
    let sources = "import sys\nw, *_ = input().split()\n# @EXPECTED_SCORE@: 39\n";
    let first = folder.read("knapsack/submissions/partially_accepted/first.py");
    folder.file("knapsack/submissions/mixed/first.py", sources.lines().last().unwrap().to_owned() + "\n" + &first);
    folder.file("knapsack/submissions/mixed/other.py", "# @EXPECTED_SCORE@: 40\n".to_owned() + &first);
    let run = folder.judge(["import", "--verify", "knapsack"]).exits(1);
    for line in [
        "ok       accepted/best.py: accepted with score 40.5;",
        "ok       mixed/first.py: accepted with score 39;",
        "differs  mixed/other.py: accepted with score 39; expected: score 40; as DOMjudge grades: accepted with score ",
        "ok       partially_accepted/first.py: accepted with score 39;",
    ] {
        assert!(run.stdout.lines().any(|known| known.starts_with(line)), "{line}\n{}", run.stdout);
    }
}

#[test]
#[ignore = "deep: packages"]
fn a_checker_gives_partial_points() {
    let folder = Folder::new();
    // As a checker made with testlib: the outcome and the points are in the XML file, the exit code says little.
    folder.file(
        "checker.py",
        "import sys\n\
         given, wanted = (set(open(file).read().split()) for file in sys.argv[2:4])\n\
         points = 10 * len(given & wanted) / len(wanted)\n\
         assert sys.argv[5] == '-appes'\n\
         outcome = 'points' if given <= wanted else 'wrong-answer'\n\
         with open(sys.argv[4], 'w') as file:\n\
         \x20   file.write('<?xml version=\"1.0\" encoding=\"windows-1251\"?>')\n\
         \x20   more = f' points = \"{points:.1f}\"' if outcome == 'points' else ''\n\
         \x20   file.write(f'<result outcome = \"{outcome}\"{more}>{len(given)} words</result>')\n\
         sys.exit(7)\n",
    );
    folder.file("board.txt", "a b c d\n");
    folder.file(
        "contest.toml",
        "name = \"Words\"\ngame = \"external\"\nlimit = \"20s\"\ninput = \"stdin\"\n\
         [referee]\nprotocol = \"testlib\"\ncommand = [\"python3\", \"checker.py\"]\n[[figure]]\nname = \"score\"\nbetter = \"more\"\ndecimals = 1\n\
         [[board]]\nname = \"A\"\nfile = \"board.txt\"\nanswer = \"board.txt\"\npoints = \"10\"\n\
         [[entry]]\nname = \"all\"\ncommand = [\"cat\"]\n\
         [[entry]]\nname = \"half\"\ncommand = [\"cut\", \"-c\", \"1-3\"]\n\
         [[entry]]\nname = \"other\"\ncommand = [\"rev\"]\n\
         [[entry]]\nname = \"wrong\"\ncommand = [\"echo\", \"x\"]\n",
    );
    let run = folder.judge(["run", "--out", "results", "--format", "plain", "--progress", "none"]).exits(0);
    let line = |name: &str| run.stdout.lines().find(|line| line.contains(name)).unwrap().to_owned();
    assert!(line("all").contains("10.0") && line("half").contains("5.0"), "{}", run.stdout);
    assert!(line("wrong").contains("WRO"), "{}", run.stdout);
}
