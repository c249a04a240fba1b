//! Kinds of problems besides one program and one pass, and what checks a package itself.

use super::package;
use crate::support::*;

/// A package with a number per test case and an input validator that takes the least one as its argument.
fn with_input_validator(folder: &Folder) {
    folder.file("pack/problem.yaml", "limits: {time_limit: 5}\n");
    folder.file("pack/data/testdata.yaml", "input_validator_flags: '1'\n");
    folder.file("pack/data/secret/large/testdata.yaml", "input_validator_flags: {number: '1000', other: '7'}\n");
    for (name, number) in [("secret/1", "5"), ("secret/2", "17"), ("secret/large/3", "1000")] {
        folder.file(&format!("pack/data/{name}.in"), format!("{number}\n"));
        folder.file(&format!("pack/data/{name}.ans"), format!("{number}\n"));
    }
    folder.file("pack/data/invalid_input/zero.in", "0\n");
    folder.file("pack/submissions/accepted/echo.py", "print(input())\n");
    let validator = "import sys\nline = sys.stdin.read()\n\
                     if line != '%d\\n' % int(line): sys.exit('no plain line')\n\
                     if int(line) < int(sys.argv[1]): sys.exit('below ' + sys.argv[1])\nsys.exit(42)\n";
    folder.file("pack/input_validators/number.py", validator);
}

#[test]
#[ignore = "deep: packages"]
fn the_input_validators_of_a_package_check_its_inputs() {
    let folder = Folder::new();
    with_input_validator(&folder);
    let run = folder.judge(["import", "--verify", "pack"]).exits(0);
    let count =
        |stderr: &str| stderr.lines().find(|line| line.contains("input validator")).unwrap_or_default().to_owned();
    assert_eq!(
        count(&run.stderr),
        "1 input validator: 3 of 3 inputs valid, 1 of 1 invalid ones rejected",
        "{}",
        run.stderr
    );
    // Without the right input, with an invalid one that is valid, and for a test case of another group.
    folder.file("pack/data/secret/2.in", "017\n");
    folder.file("pack/data/invalid_input/zero.in", "3\n");
    folder.file("pack/data/secret/large/3.in", "999\n");
    let run = folder.judge(["import", "--verify", "pack"]).exits(1);
    for line in [
        "1 input validator: 1 of 3 inputs valid, 0 of 1 invalid ones rejected",
        "notice: secret/2: number.py rejects it: exit code 1: no plain line",
        "notice: secret/large/3: number.py rejects it: exit code 1: below 1000",
    ] {
        assert!(run.stderr.lines().any(|known| known.ends_with(line)), "{line}\n{}", run.stderr);
    }
    assert!(!run.stderr.contains("no input validator rejects it") || run.stderr.contains("zero.in"), "{}", run.stderr);
    folder.judge(["import", "pack", "contest"]).exits(0);
    let run = folder.judge(["import", "--verify", "--skip-validators", "pack", "--limit", "5s"]).exits(1);
    assert_eq!(count(&run.stderr), "");
    // One that cannot be built or run is named, and the others count.
    folder.file("pack/input_validators/broken.cc", "int main() {");
    folder.file("pack/input_validators/old.py", "print raw_input()\n");
    folder.file("pack/data/secret/2.in", "17\n");
    folder.file("pack/data/secret/large/3.in", "1000\n");
    let run = folder.judge(["import", "--verify", "pack"]).exits(0);
    assert!(run.stderr.contains("notice: input validator broken.cc: not run: its build failed: "), "{}", run.stderr);
    assert!(run.stderr.contains("notice: input validator old.py: not run: "), "{}", run.stderr);
    assert!(run.stderr.contains("Python 2 is not installed here"), "{}", run.stderr);
    assert!(run.stderr.contains("1 input validator: 3 of 3 inputs valid, 0 of 1"), "{}", run.stderr);
}

#[test]
#[ignore = "deep: packages"]
fn an_input_validator_of_2025_09_has_its_own_files_and_those_of_the_test_case_in_its_working_directory() {
    let folder = Folder::new();
    let metadata = "name: Words\nlimits: {time_limit: 5}\nconstants: {word: seven}\n";
    let looks = "import os, sys\nassert sorted(os.listdir('.')) == sorted(['check.py', 'more', 'words.txt'] + sys.argv[1:])\n\
                 assert open('words.txt').read() == open('more/words.txt').read() == 'seven\\n'\nsys.exit(42)\n";
    folder.file("pack/input_validators/words/check.py", looks);
    for words in ["words.txt", "more/words.txt"] {
        folder.file(&format!("pack/input_validators/words/{words}"), "{{word}}\n");
    }
    for case in ["1", "2"] {
        folder.file(&format!("pack/data/secret/{case}.in"), case);
        folder.file(&format!("pack/data/secret/{case}.ans"), "");
    }
    folder.file("pack/data/secret/2.files/more.txt", "");
    folder.file("pack/data/secret/2.yaml", "input_validator_args: [more.txt]\n");
    folder.file("pack/submissions/accepted/nothing.py", "");
    folder.file("pack/problem.yaml", format!("problem_format_version: 2025-09\n{metadata}"));
    let run = folder.judge(["import", "pack", "contest"]).exits(0);
    assert!(run.stderr.contains("1 input validator: 2 of 2 inputs valid"), "{}", run.stderr);
    // Files of a test case have other names.
    folder.file("pack/data/secret/1.files/words.txt", "");
    let run = folder.judge(["import", "--verify", "pack"]).exits(1);
    assert!(run.stderr.contains("notice: secret/1: its .files and words both have words.txt\n"), "{}", run.stderr);
    // Legacy packages, as in problemtools, have nothing there.
    fs::remove_dir_all(folder.path().join("pack/data/secret/1.files")).unwrap();
    folder.file("pack/problem.yaml", metadata);
    let run = folder.judge(["import", "--verify", "pack"]).exits(1);
    assert!(run.stderr.contains("1 input validator: 0 of 2 inputs valid"), "{}", run.stderr);
}

#[test]
#[ignore = "deep: packages"]
fn a_grammar_is_checked_by_a_program_of_a_virtual_environment() {
    let folder = Folder::new();
    with_input_validator(&folder);
    fs::remove_file(folder.path().join("pack/input_validators/number.py")).unwrap();
    fs::remove_file(folder.path().join("pack/data/testdata.yaml")).unwrap();
    fs::remove_file(folder.path().join("pack/data/secret/large/testdata.yaml")).unwrap();
    folder.file("pack/input_validators/number.ctd", "INT(1,100) NEWLINE EOF\n");
    // A program like that of PyPI: it needs a file of its environment, also for its version.
    folder.file("venv/pyvenv.cfg", "");
    folder.script(
        "venv/bin/pyctd",
        ". \"$(dirname \"$0\")/../lib/most.sh\" || exit 1\n[ \"$1\" = --version ] && exit 0\n\
         grep -q \"INT(1,$most)\" \"$1\" || exit 1\nread -r number\n[ \"$number\" -ge 1 ] && [ \"$number\" -le $most ]\n",
    );
    let path = format!("{}:{}", folder.path().join("venv/bin").display(), std::env::var("PATH").unwrap());
    let verify = |code: i32| {
        let mut command = folder.command(["import", "--verify", "pack"]);
        let output = command.env("PATH", &path).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stderr).unwrap()
    };
    // Without its modules it starts, and rejects nothing: it is not used.
    let broken = verify(0);
    assert!(broken.contains("number.ctd: not run: neither checktestdata nor pyctd works here"), "{broken}");
    folder.file("venv/lib/most.sh", "most=100\n");
    let checked = verify(1);
    assert!(checked.contains("1 input validator: 2 of 3 inputs valid, 1 of 1 invalid ones rejected"), "{checked}");
    assert!(checked.contains("notice: secret/large/3: number.ctd rejects it: exit code 1"), "{checked}");
}

#[test]
#[ignore = "deep: packages"]
fn a_grader_that_does_not_run_costs_only_the_scores() {
    let folder = Folder::new();
    copy_folder(Path::new(&package("heights")), &folder.path().join("heights"));
    fs::remove_file(folder.path().join("heights/graders/grade.py")).unwrap();
    for (name, text) in [("grade.cc", "int main() {"), ("grade.py", "print raw_input()\n")] {
        folder.file(&format!("heights/graders/{name}"), text);
        let run = folder.judge(["import", "--verify", "heights"]).exits(0);
        for line in [
            "ok       accepted/best.cpp: accepted;",
            "ok       wrong_answer/zero.cpp: wrong answer;",
            "ok       run_time_error/heights.py: run-time error;",
            "ignored  partially_accepted/last.cpp: ",
        ] {
            assert!(run.stdout.lines().any(|known| known.starts_with(line)), "{line}\n{}", run.stdout);
        }
        assert!(run.stderr.contains("verdicts are compared, scores of its groups are not"), "{}", run.stderr);
        fs::remove_file(folder.path().join("heights/graders").join(name)).unwrap();
    }
}

#[test]
#[ignore = "deep: packages"]
fn answers_without_programs_are_refereed_in_any_contest() {
    let folder = Folder::new();
    folder.judge(["import", &package("numbers"), "contest"]).exits(0);
    let run = folder.judge(["run", "contest", "--out", "out", "--format", "csv", "--progress", "none"]).exits(0);
    let row = |entry: &str| run.stdout.lines().find(|line| line.contains(entry)).unwrap().to_owned();
    for entry in ["accepted.folder", "accepted.archive.zip", "accepted.packed.tar.gz"] {
        assert!(row(entry).contains(",3,"), "{}", run.stdout);
    }
    let journal = folder.read("out/journal.jsonl");
    let missing = journal.lines().find(|line| line.contains("\"incomplete\"") || line.contains("there is no answer"));
    assert!(missing.is_some(), "{journal}");
    folder.judge(["verify", "out"]).exits(0);
    folder.judge(["rejudge", "out", "--dry-run"]).exits(0);
    assert!(folder.path().join("contest/entries/accepted.archive.zip").is_file());
    // Resumed, nothing is left to do.
    folder.judge(["resume", "out", "--progress", "none"]).exits(0);
    let contest = folder.read("contest/contest.toml");
    for (change, reason) in [
        ("answers = \"entries/nothing\"", "answers: contest/entries/nothing: no such folder or archive"),
        ("answers = \"boards\"", "sample.1.ans and sample.1.in answer board sample.1"),
        ("answers = \"contest.toml\"", "is neither a folder nor an archive"),
    ] {
        folder.file("contest/contest.toml", contest.replace("answers = \"entries/wrong_answer.incomplete\"", change));
        let refused = folder.judge(["run", "contest", "--out", "other"]).exits(2);
        assert!(refused.stderr.contains(reason), "{reason}: {}", refused.stderr);
    }
}

#[test]
#[ignore = "deep: packages"]
fn every_pass_has_the_memory_limit_to_itself() {
    let folder = Folder::new();
    folder.judge(["import", &package("relay"), "contest"]).exits(0);
    let relay = fs::read_to_string(Path::new(&package("relay")).join("submissions/accepted/relay.py")).unwrap();
    // Two passes that take two thirds of the memory limit, and a second one that takes more than all.
    let takes = |mib: &str| format!("import sys\ntext = sys.stdin.read()\ntaken = b'x' * (({mib}) << 20)\n");
    let again = "import io\nsys.stdin = io.StringIO(text)\n";
    folder.file("contest/both.py", takes("160") + again + &relay);
    folder.file("contest/second.py", takes("400 if text.startswith('decode') else 1") + again + &relay);
    let contest = folder.read("contest/contest.toml");
    let (head, _) = contest.split_once("[[entry]]").unwrap();
    let (before, after) = head.split_once("\nmemory = ").unwrap();
    let head = format!("{before}\nmemory = \"240MiB\"\n{}", after.split_once('\n').unwrap().1);
    let entry = |name: &str| format!("[[entry]]\nname = \"{name}\"\ncommand = [\"python3\", \"{name}.py\"]\n");
    folder.file("contest/contest.toml", head + &entry("both") + &entry("second"));
    let run =
        folder.judge(["run", "contest", "--out", "out", "--format", "json", "--progress", "none"]).exits(0).json();
    let cells = |name: &str| {
        let row = run["entries"].as_array().unwrap().iter().find(|row| row["entry"] == name).unwrap();
        row["runs"].as_array().unwrap().iter().map(|run| run["cell"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(cells("both").iter().all(|cell| cell == "AC"), "{run}");
    assert!(cells("second").iter().all(|cell| cell.ends_with("MEM")), "{run}");
    // The journal has the most of a pass, not the sum.
    let both = folder.journal("out", "run").into_iter().find(|line| line["entry"] == "both").unwrap();
    assert_eq!(both["passes"].as_array().unwrap().len(), 2, "{both}");
    let memory = both["memory_bytes"].as_u64().unwrap() >> 20;
    assert!((160..240).contains(&memory), "{both}");
}

#[test]
#[ignore = "deep: packages"]
fn passes_are_limited_with_a_transcript_of_each() {
    let folder = Folder::new();
    folder.judge(["import", &package("relay"), "contest"]).exits(0);
    let passes = |contest: &str, code: i32| {
        let out = format!("{contest}-out");
        let printed = folder
            .judge(["run", contest, "--out", &out, "--progress", "none", "--boards", "secret.2"])
            .exits(code)
            .stdout;
        let mut runs = folder.journal(&out, "run").into_iter();
        let run = runs.find(|line| line["entry"] == "accepted.relay.py").unwrap();
        let transcript = folder.read(&format!("{out}/output/1/accepted.relay.py/secret.2.1.talk.jsonl"));
        let message: Vec<String> = transcript
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
            .map(|line| line["text"].as_str().map_or_else(|| line.to_string(), |text| text.trim().to_owned()))
            .collect();
        (run, message, printed)
    };
    let (run, message, _) = passes("contest", 0);
    let word = format!("{:b}", 900_000).replace('0', "a").replace('1', "b");
    let decode = format!("decode {word}");
    let expected = [r#"{"pass":1}"#, "encode 900000", &word, r#"{"pass":2}"#, &decode, "900000"];
    assert_eq!((run["verdict"].as_str(), message), (Some("solved"), expected.map(str::to_owned).to_vec()));
    let of_pass = |at: usize| run["passes"][at]["cpu_us"].as_u64().unwrap();
    assert_eq!(run["passes"].as_array().unwrap().len(), 2);
    assert_eq!(run["cpu_us"].as_u64().unwrap(), of_pass(0) + of_pass(1));
    folder.judge(["replay", "contest-out", "accepted.relay.py", "secret.2"]).exits(0).shows(["pass 1\n", "pass 2\n"]);
    // The referee asks for as many passes as it likes; the contest file has the last word.
    copy_folder(&folder.path().join("contest"), &folder.path().join("greedy"));
    let validator = folder.path().join("greedy/referee/validator/validate.py");
    let text = fs::read_to_string(&validator).unwrap();
    let greedy = text.replace(
        "sys.exit(42 if said == [state.read_text()] else 43)",
        "next_input.write_text('decode ab')\nsys.exit(42)",
    );
    assert_ne!(greedy, text);
    fs::write(&validator, greedy).unwrap();
    let (run, message, printed) = passes("greedy", 3);
    let reason = "referee: it asks for more than 2 passes, the most that [referee] allows";
    assert_eq!((run["verdict"].as_str(), run["reason"].as_str()), (Some("judge_error"), Some(reason)), "{run}");
    assert_eq!(message.len(), 6);
    // Passes are not made again with a stored answer, so that is no way out.
    assert!(printed.contains("`judge resume greedy-out` repeats them"), "{printed}");
    assert!(printed.contains("`judge rule greedy-out") && !printed.contains("judge rejudge"), "{printed}");
}
