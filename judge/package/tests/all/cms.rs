//! Tasks of CMS: their scores by the rules of CMS, their contests, and what is refused.

use judge_core::hint::Hint;
use judge_package::{CaseResult, CaseScore, Generation, Judgement, Options, Package};

use crate::made;

/// A task with four inputs and these files.
fn task<'a>(files: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    const DATA: &str = "input/input0.txt input/input1.txt input/input2.txt input/input3.txt output/output0.txt \
                        output/output1.txt output/output2.txt output/output3.txt";
    let data = DATA.split(' ').filter(|name| !files.iter().any(|(known, _)| known == name));
    data.map(|name| (name, "1\n")).chain(files.iter().copied()).filter(|(_, text)| *text != "-").collect()
}

/// The score of a submission with these outcomes on the inputs.
fn score(package: &Package, outcomes: [f64; 4]) -> f64 {
    let results = |index: usize| {
        let (group, input) = package.data.cases[index].name.split_once('/').expect("a group");
        let points = package.data.root.find(group).expect("it is there").rules.accept_score;
        let threshold: Option<f64> =
            package.data.cases[index].validator_args.first().and_then(|most| most.parse().ok());
        let outcome = outcomes[input.parse::<usize>().expect("a number")];
        // As the script decides that calls the checker.
        let accepted = outcome > 0.0 && threshold.is_none_or(|most| outcome <= most);
        let judgement = if accepted { Judgement::Accepted } else { Judgement::WrongAnswer };
        let part = accepted && outcome != 1.0 && threshold.is_none();
        Some(CaseResult { judgement, score: part.then_some(CaseScore::Points(points * outcome)) })
    };
    package.total(&results, &|_| None).expect("all results are there").score.expect("a score")
}

#[test]
fn scores_are_those_of_cms() {
    let stated = |kind: &str, parameters: &str| {
        format!("name: t\nn_input: 4\nscore_type: {kind}\nscore_type_parameters: {parameters}\n")
    };
    let checker = ("check/checker.py", "print(1.0)");
    let gen_file = (
        "gen/GEN",
        "# N  S\n# Subtask 1: no points\n#ST: 0\n1 2 # small\n\n # ST: 40\n#COPY: att/a.txt\n3\n#ST:60\n5 6\n",
    );
    let seven = "7\n".repeat(4);
    let none = ("sol/readme.txt", "");
    // By hand, with the rules of Sum, GroupMin, GroupMul and GroupThreshold.
    for (yaml, files, outcomes, expected) in rows! {
        ("name: t\nn_input: 4\n".to_owned(), [checker, none], [1.0, 0.5, 0.0, 1.0], 62.5),
        ("name: t\nn_input: 4\ntotal_value: 30\n".to_owned(), [checker, none], [1.0, 1.0, 0.0, 1.0], 22.5),
        ("name: t\n".to_owned(), [("gen/GEN", seven.as_str()), none], [1.0, 1.0, 1.0, 0.0], 75.0),
        ("name: t\n".to_owned(), [gen_file, checker], [0.0, 1.0, 0.5, 1.0], 80.0),
        ("name: t\nn_input: 4\n".to_owned(), [gen_file, checker], [1.0, 1.0, 0.0, 0.25], 15.0),
        // All three keys count, and then gen/GEN does not.
        (stated("Sum", "5"), [gen_file, checker], [1.0, 0.5, 0.0, 1.0], 12.5),
        (stated("GroupMin", "[[30, 1], [70, 3]]"), [gen_file, checker], [1.0, 0.5, 0.7, 1.0], 65.0),
        (stated("GroupMul", "[[30, 1], [70, 3]]"), [none, none], [1.0, 1.0, 0.0, 1.0], 30.0),
        (stated("GroupMin", "[[30, '00[01]'], [70, '0.']]"), [checker, none], [1.0, 1.0, 0.5, 1.0], 65.0),
        (stated("GroupMin", "[[30, ['003']], [70, ['000', '003']]]"), [checker, none], [0.0, 0.0, 0.0, 1.0], 30.0),
        (stated("GroupMin", "[{max_score: 30, testcases: 2}, {max_score: 70, testcases: 2}]"), [none, none], [1.0; 4], 100.0),
        (stated("GroupThreshold", "[[40, 2, 20], [60, 2, 5.5]]"), [checker, none], [20.0, 3.0, 5.5, 5.6], 40.0),
        (stated("GroupThreshold", "[[40, 2, 20], [60, 2, 6]]"), [checker, none], [0.0, 3.0, 5.5, 5.6], 60.0),
    } {
        let folder = made(&task(&[("task.yaml", yaml.as_str()), files[0], files[1]]));
        let package = Package::read(folder.path()).expect(&yaml);
        let total = score(&package, outcomes);
        assert!((total - expected).abs() < 1e-9, "{yaml}{files:?}: {total}, not {expected}");
        let best = package.best_score().expect("a bound");
        assert!(best >= total && (best - score(&package, [1.0; 4])).abs() < 1e-9, "{yaml}: {best}");
    }
}

#[test]
fn tasks_that_cms_or_the_judge_does_not_take_are_refused_with_the_reason() {
    let stated = "name: t\nn_input: 4\nscore_type: KIND\nscore_type_parameters: ";
    let kind = |kind: &str, parameters: &str| stated.replace("KIND", kind) + parameters;
    for (yaml, file, reason) in rows! {
        ("name: t\n".into(), ("managers/x", ""), "neither n_input nor gen/GEN says how many inputs there are; managers/"),
        ("name: t\nn_input: 3\n".into(), ("gen/GEN", "1\n2\n"), "it has 2 inputs, and n_input in task.yaml is 3"),
        ("name: t\nn_input: 0\n".into(), ("x", ""), "the task has no test case"),
        ("name: t\nn_input: 1e9\n".into(), ("x", ""), "n_input must be a whole number up to 10000"),
        ("name: t\n".into(), ("gen/GEN", "#ST: 60\n1\n#ST: 30\n2\n"), "must add up to 100, not 90"),
        ("name: t\n".into(), ("gen/GEN", "#ST: 60\n1\n#ST: 40\n"), "subtask 2 has no input"),
        ("name: t\n".into(), ("gen/GEN", "1\n#ST: 100\n2\n"), "GEN:2: the first #ST: is behind an input"),
        ("name: t\n".into(), ("gen/GEN", "#ST: all\n1\n"), "GEN:1: #ST: needs the points, a whole number"),
        ("name: t\n".into(), ("gen/GEN", "1 #COPY: att/a\n"), "GEN:1: a call of the generator and #COPY:"),
        ("name: t\n".into(), ("check/manager.cpp", ""), "manager.cpp: a task of type Communication, whose manager talks"),
        ("n_input: 4\noutput_only_testcases: 1,2\n".into(), ("x", ""), "task.yaml:2: output_only_testcases: a task of"),
        ("n_input: 4\ninfile: ../x\n".into(), ("x", ""), "infile: `../x` is no plain file name"),
        (kind("GroupMul", "[[100, 4]]"), ("cor/correttore.cpp", ""), "GroupMul multiplies the outcomes of a checker"),
        (kind("Best", "1"), ("x", ""), "unknown score_type `Best`; available: Sum, GroupMin"),
        (kind("GroupMin", "[[100, 5]]"), ("x", ""), "subtask 1 has more inputs than there are"),
        (kind("GroupMin", "[[100, 18446744073709551615]]"), ("x", ""), "subtask 1 has more inputs than there are"),
        (kind("GroupMin", "[[50, 2], [50, '0.*']]"), ("x", ""), "as numbers, as expressions, or as lists"),
        (kind("GroupMin", "[[100, 'x']]"), ("x", ""), "subtask 1 has no input"),
        (kind("GroupMin", "[[100, '(']]"), ("x", ""), "`(` is no regular expression"),
        (kind("GroupMin", "[[100, [a]]]"), ("x", ""), "no input has this name, such as 000"),
        (kind("GroupMin", "[[100]]"), ("x", ""), "subtask 1 has no testcases"),
        (kind("GroupThreshold", "[[100, 4]]"), ("check/checker.py", ""), "subtask 1 has no threshold"),
        (kind("GroupThreshold", "[[100, 4, 0.5]]"), ("x", ""), "right answers have outcome 1, above the threshold"),
        ("name: t\nn_input: 4\n".into(), ("output/output3.txt", "-"), "output/output3.txt: no such file"),
    } {
        let folder = made(&task(&[("task.yaml", yaml.as_str()), file]));
        let error = Package::read(folder.path()).expect_err(reason);
        assert!(error.to_string().contains(reason), "{yaml}: {error}\n{reason}");
        assert_eq!(error.hint, None, "{error}");
    }
    // The file that the generator makes is missing.
    let folder = made(&task(&[("task.yaml", "name: t\n"), ("gen/GEN", "1\n2\n"), ("input/input1.txt", "-")]));
    let error = Package::read(folder.path()).expect_err("it has no input");
    assert_eq!((error.reason.as_str(), error.hint), ("no such file", Some(Hint::GenerateData)));
    for (files, reason) in [
        (&[("sol/soluzione.cpp", "")][..], "gen/GEN: no such file; without it nothing says how inputs are made"),
        (&[("gen/GEN", "1\n"), ("sol/soluzione.cpp", "")], "no source gen/generatore with a known ending"),
        (&[("gen/GEN", "1\n"), ("gen/generatore.py", ""), ("sol/fast.cpp", "")], "no source soluzione with a known"),
    ] {
        let folder = made(&[files, &[("task.yaml", "name: t\nn_input: 1\n")]].concat());
        let error = Generation::read(folder.path(), None).expect_err(reason);
        assert!(error.to_string().contains(reason), "{error}");
    }
}

/// The contest file of a task, and the notices on it.
fn written(files: &[(&str, &str)], folder: &std::path::Path) -> (String, Vec<String>) {
    let root = made(&task(files));
    let package = Package::read(root.path()).expect("a task");
    package.write(folder, &Options { time_limit: 1.0, has: &|_| true }).expect("written");
    let text = std::fs::read_to_string(folder.join("contest.toml")).expect("a contest file");
    (text, package.notices)
}

#[test]
fn a_contest_runs_solutions_with_graders_and_files_and_calls_the_checker() {
    let folder = tempfile::tempdir().expect("a folder");
    let yaml = "nome_breve: add\nnome: Sums\ntimeout: 0.5\nmemlimit: 64\nn_input: 4\ntoken_mode: finite\ncolour: red\n\
                score_mode: max_subtask\npublic_testcases: all\n";
    let files = [
        ("task.yaml", yaml),
        ("gen/GEN", "#ST: 30\n1\n2\n#ST: 70\n3\n4\n"),
        ("cor/correttore.cpp", ""),
        ("cor/testlib.h", ""),
        ("cor/other.cpp", ""),
        ("sol/grader.cpp", ""),
        ("sol/grader.java", ""),
        ("sol/add.h", ""),
        ("sol/soluzione.cpp", ""),
        ("sol/slow.java", ""),
        ("sol/short.py", ""),
    ];
    let (text, notices) = written(&files, folder.path());
    for part in [
        "name = \"Sums\"",
        "memory = \"64MiB\"",
        "output = \"256MiB\"",
        "protocol = \"kattis\"\ncommand = [\"sh\", \"referee/checker.sh\"]\n",
        "-o program correttore.cpp -lm; }\"\nreadable = [\"referee\"]",
        "name = \"subtask2\"\naggregate = \"min\"\n\n",
        "name = \"subtask2.003\"\nfile = \"boards/subtask2.003.in\"\nanswer = \"boards/subtask2.003.ans\"\n\
         group = \"subtask2\"\npoints = \"70\"",
        "-o program -DEVAL -std=gnu++11 add.cpp grader.cpp -lm 2>/dev/null || g++ -std=gnu++23 -O2 -pthread -I. -o program -DEVAL",
        "\"files\", \"input.txt\", \"output.txt\", \"entries/soluzione.cpp/program\"]",
        "{dir}/entries/slow.java\", \"grader\"]",
        "expected: accepted\"\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(folder.path().join("referee/validator/testlib.h").is_file());
    let script = std::fs::read_to_string(folder.path().join("referee/checker.sh")).expect("a script");
    assert!(script.contains("\"$here\"/validator/program \"$1\" \"$2\" team_output >outcome"), "{script}");
    assert_eq!(
        notices.iter().map(|notice| notice.rsplit('/').next().unwrap_or_default()).collect::<Vec<_>>(),
        [
            "token_mode: finite: ignored, for contests have no tokens",
            "score_mode: max_subtask: ignored; points of different submissions are not put together",
            "only solutions of the task use the files input.txt and output.txt; other entries use standard input and output",
            "task.yaml:7: ignored key `colour`",
            "short.py: left out, for there is no grader.py to build it with",
        ]
    );

    let folder = tempfile::tempdir().expect("a folder");
    let yaml = "name: add\nn_input: 4\ninfile: ''\noutfile: ''\n";
    let (text, _) = written(&[("task.yaml", yaml), ("sol/solution.c", "")], folder.path());
    for part in [
        "protocol = \"tokens\"",
        "args = [\"case_sensitive\", \"line_sensitive\"]\ngroup = \"tests\"\npoints = \"100\"",
        "name = \"tests\"\naggregate = \"average\"",
        "command = [\"entries/solution.c/program\"]",
        "-o program -DEVAL add.c -lm\"",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn inputs_are_made_as_their_lines_say() {
    let folder = made(&[
        ("task.yaml", "name: t\n"),
        ("gen/GEN", "#ST: 40\n#COPY: att/a.txt\n 1   'x y' # seed\n#ST: 60\n2\n"),
        ("gen/generatore.py", ""),
        ("gen/valida.py", ""),
        ("gen/limits.py", ""),
        ("sol/soluzione.c", ""),
        ("att/a.txt", ""),
    ]);
    let generation = Generation::read(folder.path(), None).expect("lines");
    let [copied, called, last] = generation.cases.as_slice() else { panic!("{:?}", generation.cases) };
    assert_eq!(
        copied.copies,
        [("in".to_owned(), folder.path().canonicalize().expect("it is there").join("att/a.txt"))]
    );
    // CMS splits a line only at white space.
    assert_eq!(called.command.as_ref().expect("a call").tries, [["1", "'x", "y'"]]);
    assert_eq!((last.name.as_str(), last.solution, generation.folders()), ("2", Some(1), &["input", "output"][..]));
    assert_eq!(generation.file("2", "in").to_str(), Some("input/input2.txt"));
    assert_eq!(generation.file("2", "ans").to_str(), Some("output/output2.txt"));
    let tools = tempfile::tempdir().expect("a folder");
    let plans = generation.write_programs(tools.path(), &Options { time_limit: 1.0, has: &|_| true }).expect("written");
    assert_eq!(plans[0].command, ["python3", "generator-1/generatore.py"]);
    assert_eq!(plans[1].command.last().map(String::as_str), Some("generator-2/program"));
    assert!(
        tools.path().join("generator-1/limits.py").is_file() && !tools.path().join("generator-1/valida.py").exists()
    );
    // A link to a program of the system is that program.
    std::fs::remove_file(folder.path().join("gen/generatore.py")).expect("removed");
    std::os::unix::fs::symlink("/bin/echo", folder.path().join("gen/generatore.sh")).expect("linked");
    let generation = Generation::read(folder.path(), None).expect("lines");
    let tools = tempfile::tempdir().expect("a folder");
    let plans = generation.write_programs(tools.path(), &Options { time_limit: 1.0, has: &|_| true }).expect("written");
    assert_eq!(plans[0].command, ["/bin/echo"]);
}
