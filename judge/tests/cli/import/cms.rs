//! `judge import` of a task of CMS: inputs made, solutions verified, a contest run.

use crate::support::*;

const CHECKER: &str = "import sys\n\
    wanted, given = (open(name).read().split() for name in sys.argv[2:])\n\
    print('1.0' if given == wanted else '0.5' if given and abs(int(given[0])) == abs(int(wanted[0])) else 0)\n\
    print('translate:success', file=sys.stderr)\n";
const SOLUTION: &str = "with open('input.txt') as numbers, open('output.txt', 'w') as out:\n    \
                        print(sum(map(int, numbers)), file=out)\n";

#[test]
#[ignore = "deep: packages"]
fn a_task_of_cms_is_made_verified_and_run() {
    let folder = Folder::new();
    for (name, text) in [
        ("task/task.yaml", "name: add\ntitle: Sums\ntime_limit: 5\nmemory_limit: 256\ntoken_mode: infinite\n"),
        ("task/gen/GEN", "# A B\n#ST: 20\n#COPY: att/first.txt\n#ST: 80\n2 3   # five\n-2 -7\n"),
        ("task/gen/generatore.py", "import os, sys, limits\nassert os.listdir('att')\nlimits.show(sys.argv[1:])\n"),
        ("task/gen/limits.py", "def show(numbers):\n    print('\\n'.join(numbers))\n"),
        ("task/gen/valida.py", "import sys\nassert int(sys.argv[2]) == 1 or len(open(sys.argv[1]).readlines()) == 2\n"),
        ("task/cor/correttore.py", CHECKER),
        ("task/sol/soluzione.py", SOLUTION),
        ("task/sol/positive.py", &SOLUTION.replace("sum(", "abs(sum(").replace("numbers)),", "numbers))),")),
        ("task/sol/prints.py", "print(sum(map(int, open('input.txt'))))\n"),
        ("task/att/first.txt", "1\n"),
    ] {
        folder.file(name, text);
    }
    let run = folder.judge(["import", "--verify", "task"]).exits(2);
    let needed = run.stderr.contains("input/input0.txt: no such file") && run.stderr.contains("--generate");
    assert!(needed, "{}", run.stderr);
    let run = folder.judge(["import", "--generate", "--verify", "task", "contest"]).exits(0);
    contains(&run.stderr, ["generators: made 3 test cases", "1 input validator: 3 of 3 inputs valid"]);
    for line in [
        "Sums: 3 test cases, time limit 5 s",
        "ignored  positive.py: accepted with score 60; ",
        "ignored  prints.py: run-time error with score 0; ",
        "ok       soluzione.py: accepted with score 100; ",
    ] {
        assert!(run.stdout.contains(line), "{line}\n{}", run.stdout);
    }
    folder.judge(["run", "contest", "--entries", "soluzione.py", "--out", "out"]).exits(0);
    folder.judge(["rank", "out"]).exits(0).shows([" 100.000000 "]);
    assert!(!folder.path().join("task/input").exists(), "nothing is written into the task");

    // With its data, a task is a package for other commands as well.
    fs::create_dir_all(folder.path().join("task/input")).unwrap();
    for (index, (input, output)) in [("1\n", "1\n"), ("2\n3\n", "5\n"), ("-2\n-7\n", "-9\n")].into_iter().enumerate() {
        folder.file(&format!("task/input/input{index}.txt"), input);
        folder.file(&format!("task/output/output{index}.txt"), output);
    }
    folder.judge(["check", "task"]).exits(0);
}
