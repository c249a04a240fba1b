//! The first hour of people who come from elsewhere: what they bring is taken, or refused with the way.
#![allow(clippy::disallowed_macros, reason = "a test says why it is skipped")]

use std::io::Write as _;

use crate::site::{Site, club};
use crate::support::*;

/// Runs a command with a variable of the user's, and returns its exit code, standard output and standard error.
fn with_variable(folder: &Folder, args: &[&str]) -> (Option<i32>, String, String) {
    let output = folder.command(args.iter().copied()).env("W", "2").output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A solver with a module beside it, which needs a variable.
const NEEDS_BOTH: &str = "dir=$(dirname \"$0\")\n\
    [ -r \"$dir/helper.py\" ] || { echo \"ModuleNotFoundError: No module named 'helper'\" >&2; exit 1; }\n\
    [ \"$W\" = 2 ] && cat \"$dir/helper.py\"";

#[test]
fn a_try_gives_a_solver_what_its_author_has_around_it_and_says_so() {
    let folder = Folder::new();
    folder.file("near.txt", std::fs::read(board("near-end-1")).unwrap());
    folder.script("mine/solver", NEEDS_BOTH);
    folder.file("mine/helper.py", "lluu\n");
    let one = ["try", "near.txt", "--", "mine/solver"];
    let (code, _, reply) = with_variable(&folder, &one);
    assert_eq!(code, Some(0), "{reply}");
    let own = "notice: unlike in a contest, the solver has your variables and sees what is beside its files and your modules; \
               --as-contest does without\n";
    assert_eq!(reply, own);
    // A contest shows neither, and the hint says where the module is.
    let (code, printed, reply) = with_variable(&folder, &["try", "near.txt", "--as-contest", "--", "mine/solver"]);
    assert_eq!((code, reply.as_str()), (Some(1), ""));
    let hint = "the module helper is there, ";
    contains(&printed, [hint, "mine/helper.py, but a contest hides it", "--readable PATH"]);
    // The same on many boards, in a contest, and with a parameter.
    folder.file("contest.toml", contest(&[("NEAR", "near.txt")]) + &entry("x", &["true"]));
    for (command, message) in [
        (&["try", "--progress", "none", "--on", "near.txt"][..], true),
        (&["try", "contest.toml", "--progress", "none"], false),
        (&["try", "--contest", "contest.toml", "NEAR"], false),
    ] {
        let (code, _, reply) = with_variable(&folder, &[command, &["--", "mine/solver"]].concat());
        assert_eq!(code, Some(0), "{command:?}: {reply}");
        // Once: its folder remembers a try then.
        assert_eq!(reply.contains(own), message, "{reply}");
        let as_contest = [command, &["--as-contest", "--", "mine/solver"]].concat();
        let (code, printed, reply) = with_variable(&folder, &as_contest);
        assert_eq!(code, Some(1), "{command:?}: {reply}");
        assert!((printed + &reply).contains(hint), "{command:?}");
    }
    // Another module is another version.
    let again = with_variable(&folder, &["try", "--progress", "none", "--on", "near.txt", "--", "mine/solver"]).2;
    assert!(again.contains(", unchanged; "), "{again}");
    folder.file("mine/solver.py", "import helper\n");
    let python = ["try", "--progress", "none", "--on", "near.txt", "--", "sh", "mine/solver.py"];
    with_variable(&folder, &python);
    folder.file("mine/helper.py", "lrlluu\n");
    let changed = with_variable(&folder, &python).2;
    assert!(!changed.contains("unchanged"), "{changed}");
}

#[test]
fn a_try_answers_first_and_lists_its_own_versions() {
    let folder = Folder::new();
    folder.file("near.txt", std::fs::read(board("near-end-1")).unwrap());
    for (name, answer) in [("solver", "lrlluu"), ("other.sh", "lluu")] {
        folder.script(name, &format!("echo {answer}"));
    }
    let tried = |more: &[&str], solver: &str| {
        let args = [&["try", "--progress", "none", "--on", "near.txt"], more, &["--", solver]].concat();
        folder.judge(args).exits(0)
    };
    tried(&[], "./solver");
    tried(&[], "./other.sh");
    folder.script("solver", "echo lluu");
    let document = tried(&["--json", "--page", "page.html"], "./solver").json();
    let page = folder.read("page.html");
    let headline = page.split(r#"<p class="headline"><bdi>"#).nth(1).unwrap().split("</bdi>").next().unwrap();
    assert!(headline.starts_with("1 better, 0 worse of 1, against version 1. version 3 ranks above "), "{headline}");
    assert_eq!(page.matches(r#"<p class="headline">"#).count(), 1, "one answer");
    assert_eq!(document["version"]["limits"]["wall_ms"], 10_000);
    let run = &document["runs"][0];
    assert_eq!([&run["board"], &run["cell"], &run["before"], &run["change"]], ["near", "25/4", "25/6", "better"]);
    assert_eq!(run["figures"]["moves"], "4");
    // The history of one solver, and of all.
    let history = |args: &[&str]| folder.judge([&["try", "--history", "--json"], args].concat()).exits(0).json();
    let numbers = |document: &serde_json::Value| {
        let lines = document.as_array().unwrap().iter();
        lines.map(|line| line["version"]["number"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let own = history(&["--", "./solver"]);
    assert_eq!(numbers(&own), [1, 3]);
    assert_eq!(own[0]["version"]["limits"]["cores"], 1);
    assert_eq!(numbers(&history(&["--", "./other.sh"])), [2]);
    assert_eq!(numbers(&history(&[])), [1, 2, 3]);
}

#[test]
fn lists_of_teams_are_those_of_spreadsheets() {
    let folder = Folder::new();
    folder.judge(["init", "club"]).exits(0);
    folder.file("teams.csv", "Login;E-Mail;Shoes\nada;a@x;one\nbob;;\n");
    let added = folder.judge(["team", "add", "club", "--csv", "teams.csv"]).exits(0);
    assert_eq!(added.stdout.lines().count(), 2, "{}", added.stdout);
    assert!(added.stderr.contains("notice: not read of teams.csv: Shoes"), "{}", added.stderr);
    folder.file("none.csv", "team;name\n");
    let refused = folder.judge(["team", "add", "club", "--csv", "none.csv"]).exits(2).message();
    assert_snapshot!(refused.trim_end(), @"judge: none.csv: no team in it; expected a row for each, with the columns team, name and contact");
}

#[test]
fn an_archive_of_a_mac_is_taken_and_what_is_left_out_is_named() {
    let (folder, _) = club(&["ada"]);
    let mut zip = zip::ZipWriter::new(std::fs::File::create(folder.path().join("m.zip")).unwrap());
    for (name, text) in [("p/main.sh", "echo lluu"), ("__MACOSX/p/._main.sh", "x"), ("p/.DS_Store", "x")] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let receipt = folder.judge(["office", "submit", "club", "ada", "m.zip"]).exits(0);
    assert!(receipt.stdout.starts_with("ada.1 "), "{}", receipt.stdout);
    assert_eq!(receipt.stderr, "notice: left out of m.zip: __MACOSX, p/.DS_Store\n");
}

#[test]
fn the_site_tells_the_isolation_that_submissions_have() {
    let (folder, _) = club(&["ada"]);
    for (keys, expected, warned) in [
        ("isolation = \"off\"\nbuild_isolation = \"off\"\n", "It is built and run without a sandbox, ", true),
        ("isolation = \"landlock\"\nbuild_isolation = \"landlock\"\n", "It is built and run in a sandbox ", false),
    ] {
        let (folder, text) = (&folder, folder.read("club/contest.toml"));
        std::fs::remove_dir_all(folder.path().join("club/results")).ok();
        folder.file(
            "club/contest.toml",
            text.lines()
                .filter(|line| !line.contains("isolation = "))
                .fold(keys.to_owned(), |text, line| text + line + "\n"),
        );
        let site = Site::start(folder, &[]);
        let page = || site.visitor().get("/").body;
        crate::support::wait_for(page, || page().contains("It is built ").then_some(()));
        assert!(page().contains(expected), "{}", page());
        site.stop();
        let reply = folder.read("access.log");
        std::fs::remove_file(folder.path().join("access.log")).unwrap();
        assert_eq!(reply.contains("warning: submissions are built and run without a sandbox"), warned, "{reply}");
    }
}

#[test]
fn the_board_says_when_the_contest_ends() {
    let (folder, _) = club(&["ada"]);
    let file = folder.read("club/contest.toml");
    let site = Site::start(&folder, &[]);
    assert!(!site.visitor().get("/board").body.contains("data-ends"));
    site.stop();
    folder.file("club/contest.toml", file + "[office]\ncloses = 2099-12-31T00:00:00Z\n");
    let site = Site::start(&folder, &[]);
    for path in ["/", "/board"] {
        // The script fills in what is left.
        let page = site.visitor().get(path).body;
        assert!(page.contains("<span data-ends=\"4102358400\"></span>"), "{path}: {page}");
    }
    site.stop();
}

#[test]
fn a_pattern_names_boards_and_seeds_need_none() {
    let folder = Folder::new();
    for name in ["b10.txt", "b9.txt", "x.md", ".hidden.txt"] {
        folder.file(&format!("boards/{name}"), std::fs::read(board("near-end-1")).unwrap());
    }
    folder.script("solver", "echo lluu");
    let head = "name = \"n\"\ngame = \"loyd\"\nlimit = \"10s\"\n";
    let solver = entry("mine", &["./solver"]);
    folder.file("contest.toml", format!("{head}[[board]]\nfiles = \"boards/*.txt\"\nnote = \"alike\"\n{solver}"));
    let run = folder.judge(["run", "--format", "json"]).exits(0).json();
    let names = run["boards"].as_array().unwrap().iter().map(|board| board["name"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), ["b9", "b10"]);
    for (table, expected) in [
        ("files = \"boards/*.csv\"\n", "contest.toml:5: files: `boards/*.csv` matches no file"),
        ("files = \"*/b9.txt\"\n", "contest.toml:5: files: `*/b9.txt` has a * or ? in the name of a folder"),
        ("name = \"A\"\nfiles = \"boards/*.txt\"\n", "contest.toml:5: a pattern in `files` names its boards"),
        ("files = 3\n", "contest.toml:5: files must be a list, not the integer `3`"),
    ] {
        folder.file("contest.toml", format!("{head}[[board]]\n{table}{solver}"));
        let refused = folder.judge(["check"]).exits(2).message();
        assert!(refused.contains(expected), "{table}: {refused}");
    }
    folder.file("contest.toml", format!("{head}{solver}"));
    let seeds = folder.judge(["run", "--seeds", "1-2", "--format", "json"]).exits(0).json();
    assert_eq!(seeds["boards"].as_array().unwrap().len(), 2);
    folder.judge(["run"]).exits(2).says(["the contest has no board"]);
}

#[test]
fn a_contest_without_entries_judges_those_of_others() {
    let folder = Folder::new();
    folder.file("boards/1.txt", std::fs::read(board("near-end-1")).unwrap());
    folder.script("solver", "echo lluu");
    let file = contest(&[]) + "[[board]]\nfiles = \"boards/*.txt\"\n";
    folder.file("contest.toml", &file);
    folder.judge(["try", "contest.toml", "--progress", "none", "--", "./solver"]).exits(0);
    folder.judge(["try", "--contest", "contest.toml", "1", "--", "./solver"]).exits(0);
    folder.judge(["try", "contest.toml", "--history", "--", "./solver"]).exits(0);
    let file =
        file.replace("\"loyd\"", "\"external\"") + "answer = \"boards/1.txt\"\n[referee]\nprotocol = \"tokens\"\n";
    folder.file("own/contest.toml", file.replace("boards/", "../boards/"));
    folder.judge(["validate", "--contest", "own", "1", "boards/1.txt"]).exits(0);
    for command in ["run", "check"] {
        folder.judge([command]).exits(2).says(["the contest has no entry"]);
    }
}

#[test]
fn answers_of_a_pattern_follow_its_boards() {
    let folder = Folder::new();
    for (name, text) in [("1.in", "3\n"), ("1.out", "3\n"), ("2.in", "4\n"), ("2.out", "4\n")] {
        folder.file(&format!("tests/{name}"), text);
    }
    folder.script("echo", "cat \"$1\"");
    let text = "name = \"n\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\nprotocol = \"tokens\"\n[[board]]\nfiles = \
                \"tests/*.in\"\nanswer = \"tests/*.out\"\n";
    folder.file("contest.toml", text.to_owned() + &entry("mine", &["./echo"]));
    let run = folder.judge(["run", "--format", "json"]).exits(0).json();
    let runs = run["entries"][0]["runs"].as_array().unwrap().iter();
    assert!(runs.clone().count() == 2 && runs.clone().all(|run| run["figures"]["solved"] == "1"), "{run}");
}

#[test]
fn what_cannot_start_says_why() {
    let folder = Folder::new();
    folder.file("near.txt", std::fs::read(board("near-end-1")).unwrap());
    folder.script("solver", "echo lluu");
    folder.file("solver", "#!/bin/sh\r\necho lluu\r\n");
    folder.file("classes/Main.class", "");
    folder.script("java", "true");
    let refused = |command: &[&str]| folder.judge([&["try", "near.txt", "--"], command].concat()).exits(2).message();
    assert_snapshot!(refused(&["./solver"]).trim_end(), @r"judge: solver ends its lines as Windows does, so that its interpreter would be `/bin/sh\r`; convert it, for example with `sed -i 's/\r$//'`");
    assert_snapshot!(refused(&["./java", "-cp", "classes", "Main"]).trim_end(), @"judge: -cp classes: programs start in a folder of their own, without classes; write {dir}/classes, where {dir} is the folder of the command line, and name each part of a longer path in `readable`");
    folder.judge(["try", "near.txt", "--", "./java", "-cp", "{dir}/classes", "Main"]).exits(1);
}

#[test]
fn packages_with_a_damaged_case_or_another_format_are_understood() {
    let folder = Folder::new();
    folder.file("p/problem.yaml", b"name: Ren\xe9\n");
    for name in ["1.in", "1.ans", "2.ans", "3.in"] {
        folder.file(&format!("p/data/secret/{name}"), "1\n");
    }
    for name in ["2.in", "3.ans"] {
        std::os::unix::fs::symlink("nowhere", folder.path().join("p/data/secret").join(name)).unwrap();
    }
    folder.file("p/submissions/accepted/a.sh", "echo 1\n");
    let imported = folder.judge(["import", "p", "out"]).exits(0);
    assert!(imported.stdout.contains("1 board"), "{}", imported.stdout);
    for notice in [
        "p/data/secret/2.in: ignored, because it is a link to nowhere, which is not there",
        "p/data/secret/3.ans: ignored, because it is a link to nowhere, which is not there",
        "p/data/secret/3.in: ignored, for another file of its test case is a link to nothing",
        "p/problem.yaml: not UTF-8, so it is read as Windows-1252",
    ] {
        assert!(imported.stderr.contains(notice), "{notice}: {}", imported.stderr);
    }
    assert!(folder.read("out/contest.toml").contains("René"));
    folder.file("q/problem.xml", "");
    for command in [&["import", "q", "x"][..], &["check", "q"]] {
        let refused = folder.judge(command.iter().copied()).exits(2).message();
        assert!(refused.contains("a package of Polygon (problem.xml), which p2d turns into one"), "{refused}");
    }
    // What is missing is named.
    folder.file("p/problem.yaml", "name: x\nvalidation: custom\n");
    folder.file("p/output_validators/v.kt", "fun main() {}\n");
    if !judge_job::on_path(std::env::var_os("PATH").unwrap().as_os_str(), "kotlinc") {
        folder
            .judge(["check", "p"])
            .exits(2)
            .says(["p/output_validators/v.kt: the output validator cannot be run here: Kotlin"]);
        for (name, text) in [
            ("g/problem.yaml", "name: x\n"),
            ("g/submissions/accepted/a.sh", "echo 1\n"),
            ("g/input_validators/v.kt", "fun main() {}\n"),
            ("g/generators/g.kt", "fun main() {}\n"),
            ("g/generators/generators.yaml", "data:\n  secret:\n    data:\n      a: g.kt 1\n"),
        ] {
            folder.file(name, text);
        }
        let refused = folder.judge(["import", "--generate", "g", "y"]).exits(2).message();
        assert!(refused.contains("data/secret/a: the generator cannot be run here: Kotlin"), "{refused}");
        folder.file("g/data/secret/1.in", "1\n");
        folder.file("g/data/secret/1.ans", "1\n");
        let imported = folder.judge(["import", "g", "y"]).exits(0).stderr;
        assert!(imported.contains("v.kt: not run: the input validator cannot be run here: Kotlin"), "{imported}");
    }
    let bare = folder.command(["init", "--referee", "python", "own"]).env("PATH", "/nonexistent").output().unwrap();
    let reply = String::from_utf8(bare.stderr).unwrap();
    assert!(reply.contains("notice: python3 is not on the PATH, and referee.py needs it; install it"), "{reply}");
}

/// What a shell offers after these words of a command line, the last of which is begun.
fn offered(folder: &Folder, words: &[&str]) -> Vec<String> {
    let mut asked = folder.command([&["--", "judge"], words].concat());
    asked.env("JUDGE_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    let answer = asked.env("_CLAP_IFS", "\n").output().unwrap();
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    String::from_utf8(answer.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn names_of_entries_problems_and_figures_complete() {
    let folder = Folder::new();
    let near = board("near-end-1");
    let problem = |id: &str| {
        format!("[[problem]]\nid = \"{id}\"\ngame = \"loyd\"\n[[problem.board]]\nname = \"X\"\nfile = \"{near}\"\n")
    };
    let text = format!("name = \"n\"\nlimit = \"10s\"\n{}{}", problem("maze"), problem("moon"));
    folder.file(
        "contest.toml",
        text + &entry("deep", &["true"]) + &entry("dull", &["true"]) + &entry("quick", &["true"]),
    );
    folder.file("other/contest.toml", contest(&[("X", &near)]) + &entry("alone", &["true"]));
    folder.judge(["run", "other", "--out", "out"]).exits(0);
    let complete = |words: &[&str]| offered(&folder, words);
    // Of the working directory, of a folder and of results.
    assert_eq!(complete(&["run", "--entries", "d"]), ["deep", "dull"]);
    assert_eq!(complete(&["run", "--entries", "quick,de"]), ["quick,deep"]);
    assert_eq!(complete(&["run", "other", "--entries", ""]), ["alone"]);
    assert_eq!(complete(&["rank", "out", "--entries", ""]), ["alone"]);
    assert_eq!(complete(&["rule", "out", "a"]), ["alone"]);
    assert_eq!(complete(&["try", "--contest=other", "--against", ""]), ["alone"]);
    assert_eq!(complete(&["validate", "--contest", "contest.toml", "--problem", "m"]), ["maze", "moon"]);
    assert_eq!(complete(&["validate", "--contest", "other", "--problem", ""]), [""; 0]);
    // Of a damaged file there is none, and the shell learns of no error.
    folder.file("contest.toml", "[[entry]]\nname = 3\n");
    assert_eq!(complete(&["run", "--entries", ""]), [""; 0]);
    assert_eq!(complete(&["rank", "nowhere", "--entries", ""]), [""; 0]);
    // An unknown figure is refused with those that results have, all of which complete.
    let results = crate::support::published();
    let refused = folder.judge(["figure", "x", &results]).exits(2).message();
    let drawn = refused.trim_end().rsplit_once("available: ").unwrap().1;
    let figures = complete(&["figure", ""]);
    assert!(
        drawn.split(", ").count() > 5 && drawn.split(", ").all(|name| figures.contains(&name.to_owned())),
        "{drawn}"
    );
}

/// In a real shell, which calls the script's function.
#[test]
fn bash_completes_with_the_script() {
    let folder = Folder::new();
    folder.file("contest.toml", contest(&[("X", &board("near-end-1"))]) + &entry("deep", &["true"]));
    let script = "PATH=$(dirname \"$JUDGE\"):$PATH; source <(judge completions bash)\n\
                  COMP_WORDS=(judge run --entries d) COMP_CWORD=3 COMP_TYPE=9\n\
                  $(complete -p judge | sed 's/.*-F \\([^ ]*\\).*/\\1/') judge d --entries; echo \"${COMPREPLY[@]}\"";
    let judge = env!("CARGO_BIN_EXE_judge");
    let output =
        Command::new("bash").args(["-c", script]).env("JUDGE", judge).current_dir(folder.path()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "deep\n", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_figure_has_the_format_of_its_ending() {
    let folder = Folder::new();
    let results = crate::support::published();
    let figure = |file: &str| folder.judge(["figure", "scores", &results, "-o", file]);
    assert_snapshot!(figure("x.jpg").exits(2).message().trim_end(), @"judge: x.jpg: unknown format; name a file that ends with .svg, .pdf or .png");
    for file in ["x.svg", "x.SVG", "x"] {
        figure(file).exits(0);
        assert!(folder.read(file).starts_with("<svg "), "{file}");
    }
    // The files themselves are tested beside what draws them.
    #[cfg(not(feature = "figures"))]
    for (file, option) in [("x.pdf", "-f pdf -o x.pdf"), ("a b.PNG", "-f png -o 'a b.PNG'")] {
        let refused = figure(file).exits(2).message();
        let ready = format!("`judge figure scores PROJECT/results/published-1995.csv | rsvg-convert {option}`");
        assert!(refused.contains("without the feature `figures`") && refused.contains(&ready), "{refused}");
        assert!(!folder.path().join(file).exists());
    }
}

/// Polygon's packages by the converter that `docs/packages.md` names, with one command.
#[test]
#[ignore = "deep: packages"]
fn a_package_of_polygon_is_converted_by_one_command() {
    let folder = Folder::new();
    let p2d = std::env::var("P2D").unwrap_or_else(|_| "p2d".into());
    if Command::new(&p2d).arg("--help").output().is_err() {
        assert!(std::env::var_os("REQUIRE_P2D").is_none(), "p2d is missing");
        eprintln!("skipped: no p2d");
        return;
    }
    let xml = r#"<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="1" short-name="same" url="https://polygon.codeforces.com/p/same">
<names><name language="english" value="Same"/></names>
<judging cpu-name="x" cpu-speed="1" input-file="" output-file="">
<testset name="tests"><time-limit>1000</time-limit><memory-limit>268435456</memory-limit><test-count>1</test-count>
<input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>
<tests><test method="manual"/></tests></testset></judging>
<assets><checker name="std::wcmp.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/></checker>
<solutions><solution tag="main"><source path="solutions/sol.py" type="python.3"/></solution></solutions></assets>
</problem>
"#;
    folder.file("polygon/problem.xml", xml);
    folder.file("polygon/tests/01", "7\n");
    folder.file("polygon/tests/01.a", "7\n");
    folder.file("polygon/files/check.cpp", "int main() {}\n");
    folder.file("polygon/solutions/sol.py", "print(input())\n");
    let made = Command::new(&p2d)
        .args(["--yes", "--code", "A", "--default", "-o", "A.zip", "polygon"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let archive = std::fs::File::open(folder.path().join("A.zip")).unwrap();
    zip::ZipArchive::new(archive).unwrap().extract(folder.path().join("A")).unwrap();
    let imported = folder.judge(["import", "A", "contest"]).exits(0);
    assert!(imported.stdout.contains("1 board"), "{}", imported.stdout);
}
