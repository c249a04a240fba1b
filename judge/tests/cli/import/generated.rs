//! `judge import --generate`: test data that the package's generators make.

use crate::support::*;

/// A package without data: inputs are numbers, and the answer is twice the number.
fn with_generators(folder: &Folder, generators: &str) {
    folder.file("pack/problem.yaml", "problem_format_version: 2025-09\nname: Twice\nlimits: {time_limit: 5}\n");
    folder.file("pack/generators/generators.yaml", generators);
    folder.file("pack/generators/random.py", "import sys\nprint(sys.argv[1])\n");
    folder.file("pack/generators/apart/main.py", "import lib\nprint(lib.number)\n");
    folder.file("pack/generators/apart/lib.py", "number = 12\n");
    folder.file("pack/generators/first.py", "import lib\nprint(lib.number + 1)\n");
    folder.file("pack/generators/lib.py", "number = 40\n");
    let both = "import sys\nopen(sys.argv[1] + '.in', 'w').write('8\\n')\nopen('testcase.ans', 'w').write('16\\n')\n";
    folder.file("pack/generators/both.py", both);
    folder.file("pack/generators/links.py", "import os\nos.symlink('/etc/passwd', 'testcase.in')\nprint(1)\n");
    folder.file("pack/generators/large.py", "open('testcase.in', 'w').truncate(1 << 40)\n");
    folder.file("pack/generators/manual/large.in", "1000000\n");
    folder.file("pack/generators/manual/large.ans", "2000000\n");
    folder.file("pack/submissions/accepted/twice.py", "print(2 * int(input()))\n");
    folder.file("pack/submissions/wrong_answer/square.py", "print(int(input()) ** 2)\n");
}

const ALL_KINDS: &str = "
solution: /submissions/accepted/twice.py
random_salt: pepper
generators:
  together: [first.py, lib.py]
data:
  sample:
    data:
      - '': {in: '2', desc: small}
      - named:
          in: |
            3
          ans: '6'
  secret:
    include: [named]
    data:
      - '': random.py {seed}
      - counted: {generate: 'random.py {seed:2} {count}', count: 1..=3, match: ['^[0-9]+$', '.']}
      - copied: {copy: manual/large}
      - both: {generate: 'both.py {name}'}
      - folder: apart
      - several: together
";

#[test]
#[ignore = "deep: packages"]
fn generators_make_the_test_data_of_a_package() {
    let folder = Folder::new();
    with_generators(&folder, ALL_KINDS);
    let run = folder.judge(["import", "--generate", "pack", "contest"]).exits(0);
    assert!(run.stderr.contains("generators: made 11 test cases"), "{}", run.stderr);
    assert!(!run.stderr.contains("`match`"), "{}", run.stderr);
    // Seeds by Python: int(sha512('pepper:1random.py {seed:2} 2').hexdigest(), 16) % 2**31.
    for (name, input, answer) in [
        ("sample.01", "2\n", "4\n"),
        ("sample.02-named", "3\n", "6\n"),
        ("secret.02-named", "3\n", "6\n"),
        ("secret.03", "1252380197\n", "2504760394\n"),
        ("secret.04-counted-1", "979256765\n", "1958513530\n"),
        ("secret.05-counted-2", "1656894462\n", "3313788924\n"),
        ("secret.06-counted-3", "1608211744\n", "3216423488\n"),
        ("secret.07-copied", "1000000\n", "2000000\n"),
        ("secret.08-both", "8\n", "16\n"),
        ("secret.09-folder", "12\n", "24\n"),
        ("secret.10-several", "41\n", "82\n"),
    ] {
        let read = |ending: &str| {
            let path = folder.path().join(format!("contest/boards/{name}.{ending}"));
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}.{ending}: {error}"))
        };
        assert_eq!((read("in").as_str(), read("ans").as_str()), (input, answer), "{name}");
    }
    // Nothing was written into the package, which has no data without the option.
    assert!(!folder.path().join("pack/data").exists());
    let run = folder.judge(["import", "--verify", "pack"]).exits(2);
    assert!(run.stderr.contains("no test case"), "{}", run.stderr);
    let run = folder.judge(["import", "--verify", "--generate", "pack"]).exits(0);
    contains(&run.stdout, ["Twice: 11 test cases, time limit 5 s", "ok       wrong_answer/square.py: wrong answer"]);
}

#[test]
#[ignore = "deep: packages"]
fn patterns_that_only_python_has_are_named_as_unchecked() {
    let folder = Folder::new();
    with_generators(&folder, "data:\n  secret:\n    data: {a: {generate: random.py 12, match: '(?=3)1'}}\n");
    let run = folder.judge(["import", "--generate", "pack", "contest"]).exits(0);
    let notice = "generators.yaml:3: `match` is not checked: (?=3)1 is no pattern here";
    assert!(run.stderr.contains(notice), "{}", run.stderr);
}

#[test]
#[ignore = "deep: packages"]
fn a_test_case_that_is_left_out_can_be_included() {
    let folder = Folder::new();
    let data = "data:\n  secret: {data: {a: random.py 7}}\n  \
                invalid_answer: {data: {odd: random.py 3}}\n  invalid_input: {include: [odd, a]}\n";
    with_generators(&folder, data);
    let reads = "import sys\nsys.exit(43 if input() in ('3', '7') and 'strict' in sys.argv else 42)\n";
    folder.file("pack/input_validators/reads.py", reads);
    let run = folder.judge(["import", "--generate", "pack", "contest"]).exits(0).stderr;
    contains(&run, ["generators: made 3 test cases", "data/invalid_answer: not made, for nothing here reads it"]);
    for case in ["odd", "a"] {
        assert!(run.contains(&format!("invalid_input/{case}")), "{case}: {run}");
    }
}

#[test]
#[ignore = "deep: packages"]
fn what_makes_no_test_data_is_refused_with_its_line() {
    for (data, reason) in rows! {
        ("{a: absent.py 1}", "generators.yaml:3: no such file or folder: "),
        ("{a: {generate: 'random.py {seed} {seed:1}'}}", "{seed} is there more than once"),
        ("{a: ../../problem.yaml}", "`../../problem.yaml` is not a path inside the package"),
        ("{../a: random.py 1}", "invalid name `../a`: it has letters, digits"),
        ("{a: {copy: manual/none}}", "secret/a: copy: no file generators/manual/none.in"),
        ("{a: {generate: random.py 1, count: 101}}", "count must be 1 to 100, a list of different numbers"),
        ("{a: {ans: '1'}}", "secret/a: nothing makes its input"),
        ("{a: }", "secret/a: expected a command"),
        ("[{a: random.py 1, b: random.py 2}]", "an item of a list must have one name"),
        ("{a: {generate: random.py 12, match: '^3$'}}", "data/secret/a.in: it does not match `^3$`, as `match` in generators.yaml demands"),
        // A dot is also the end of a line, and the answer is 24.
        ("{a: {generate: random.py 12, match: {in: '1.*2.', ans: ['24', '^12']}}}", "data/secret/a.ans: it does not match `^12`"),
        ("{a: {generate: random.py 12, match: {out: '1'}}}", "match: expected patterns for `in` or `ans`"),
        ("{a: {generate: random.py 12, match: [[a]]}}", "match: a pattern must be a text"),
        ("{a: random.py}", "data/secret/a: random.py failed: exit code 1: IndexError: list index out of range"),
        ("{a: random.py x}", "data/secret/a.ans: twice.py failed: exit code 1: ValueError: "),
        ("{a: random.py ''}", "data/secret/a.ans: twice.py failed: exit code 1: "),
        ("{a: links.py}", "data/secret/a: links.py left testcase.in, which is not a regular file"),
        ("{a: large.py}", "data/secret/a: large.py left testcase.in with 256 MiB or more; a file may have less"),
        ("{a: {generate: apart, ans: '', copy: manual/large}, a: random.py 1, b: quiet.py}", "quiet.py"),
    } {
        let folder = Folder::new();
        with_generators(&folder, &format!("data:\n  secret:\n    data: {data}\n"));
        let run = folder.judge(["import", "--generate", "pack", "contest"]).exits(2);
        assert!(run.stderr.contains(reason), "{data}: {reason}\n{}", run.stderr);
        assert!(!folder.path().join("contest").exists(), "{data}");
    }
    let folder = Folder::new();
    folder.file("pack/problem.yaml", "name: None\n");
    let run = folder.judge(["import", "--generate", "pack", "contest"]).exits(2);
    assert!(run.stderr.contains("generators/generators.yaml: no such file"), "{}", run.stderr);
}
