//! The organiser's side: files that are no files, text that steers, cells that a spreadsheet would calculate, limits of
//! the shell, and contests of ten thousand entries or boards.

use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};

use judge_core::text::controls_output;

use crate::support::*;

/// Runs a command line, which must end by itself long before a hanging one would be noticed otherwise.
fn promptly(folder: &Folder, args: &[&str]) -> Output {
    let judge = folder.command(args.iter().copied()).stdin(Stdio::null()).spawn().unwrap();
    let pid = rustix::process::Pid::from_child(&judge);
    let output = std::thread::spawn(|| judge.wait_with_output().unwrap());
    let deadline = Instant::now() + Duration::from_secs(100);
    while !output.is_finished() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    if !output.is_finished() {
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        panic!("{args:?} waits for ever");
    }
    output.join().unwrap()
}

fn pipe(path: &Path) {
    let kind = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, path, kind, rustix::fs::Mode::RWXU, 0).unwrap();
}

/// A folder with a good contest `contest.toml`, whose board is `near.txt`.
fn good_contest() -> Folder {
    let folder = Folder::new();
    folder.file("near.txt", fs::read(board("near-end-1")).unwrap());
    folder.file("contest.toml", contest(&[("NEAR", "near.txt")]) + &entry("honest", &["sh", "-c", "echo lluu"]));
    folder
}

#[test]
fn a_path_that_is_no_regular_file_is_refused_wherever_one_is_read() {
    let folder = good_contest();
    folder.judge(["run", "--out", "results"]).exits(0);
    pipe(&folder.path().join("pipe"));
    fs::create_dir(folder.path().join("folder")).unwrap();
    let good = folder.read("contest.toml");
    folder.file("board.toml", good.replace("near.txt", "ODD"));
    folder.file("known.toml", format!("best_known = \"ODD\"\n{good}"));
    folder.file("write-up.toml", format!("{good}write_up = \"ODD\"\n"));
    let near = board("near-end-1");
    let lines: &[&[&str]] = &[
        &["try", "ODD", "--", "true"],
        &["validate", "ODD", "lluu"],
        &["validate", &near, "ODD"],
        &["replay", &near, "ODD"],
        &["boards", "show", "ODD"],
        &["boards", "check", "ODD"],
        &["run", "--on", "ODD"],
        &["run", "ODD"],
        &["run", "board.toml"],
        &["run", "known.toml"],
        &["run", "write-up.toml"],
        &["doctor", "ODD"],
        &["rank", "ODD"],
        &["compare", "ODD"],
        &["report", "ODD", "-o", "page.html"],
    ];
    let journal = folder.path().join("results/journal.jsonl");
    for (odd, what) in [("pipe", "is a pipe"), ("/dev/zero", "is a device"), ("folder", "is a directory")] {
        for line in lines {
            // A folder can be a contest's or one of results.
            let takes_folders = ["rank", "compare", "report", "doctor"].contains(&line[0]) || *line == ["run", "ODD"];
            if odd == "folder" && takes_folders {
                continue;
            }
            for name in ["board.toml", "known.toml", "write-up.toml"] {
                folder.file(name, folder.read(name).replace("ODD", odd));
            }
            let line: Vec<&str> = line.iter().map(|word| if *word == "ODD" { odd } else { word }).collect();
            let output = promptly(&folder, &line);
            let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert_eq!(output.status.code(), Some(2), "{line:?}: {printed}");
            assert!(printed.contains(what) && printed.contains("expected a regular file"), "{line:?}: {printed}");
            for name in ["board.toml", "known.toml", "write-up.toml"] {
                folder.file(name, folder.read(name).replace(odd, "ODD"));
            }
        }
    }
    // A results directory from elsewhere.
    let output = folder.path().join("results/output/1/honest/NEAR.1.out");
    fs::remove_file(&output).unwrap();
    pipe(&output);
    let page = folder.path().join("results/report.html");
    pipe(&page);
    assert_eq!(promptly(&folder, &["report", "results"]).status.code(), Some(0));
    assert!(page.symlink_metadata().unwrap().is_file());
    fs::remove_file(&page).unwrap();
    folder.file("precious", "precious");
    std::os::unix::fs::symlink(folder.path().join("precious"), &page).unwrap();
    assert_eq!(promptly(&folder, &["report", "results"]).status.code(), Some(0));
    assert_eq!(folder.read("precious"), "precious", "what a link leads to is not overwritten");
    let csv = folder.path().join("results/results.csv");
    fs::remove_file(&csv).unwrap();
    pipe(&csv);
    assert_eq!(promptly(&folder, &["resume", "results"]).status.code(), Some(0));
    assert!(csv.symlink_metadata().unwrap().is_file());
    fs::remove_file(&journal).unwrap();
    pipe(&journal);
    for line in [["rank", "results"], ["report", "results"]] {
        let output = promptly(&folder, &line);
        assert!(String::from_utf8(output.stderr).unwrap().contains("journal.jsonl: is a pipe"), "{line:?}");
    }
    assert!(matches!(promptly(&folder, &["resume", "results"]).status.code(), Some(2 | 3)));
}

#[test]
fn an_input_without_end_is_refused_before_it_fills_the_memory() {
    let folder = good_contest();
    for (name, bytes) in [("huge.csv", 1_u64 << 41), ("huge.toml", 1 << 41), ("huge.txt", 1 << 41)] {
        fs::File::create(folder.path().join(name)).unwrap().set_len(bytes).unwrap();
    }
    folder.file("known.toml", format!("best_known = \"huge.csv\"\n{}", folder.read("contest.toml")));
    let lines: [&[&str]; 5] = [
        &["run", "huge.toml"],
        &["run", "known.toml"],
        &["boards", "check", "huge.txt"],
        &["run", "--on", "huge.txt"],
        &["try", "huge.txt", "--", "true"],
    ];
    for line in lines {
        let output = promptly(&folder, line);
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.code() == Some(2) && printed.contains("is larger than"), "{line:?}: {printed}");
    }
    // A file of the system that is regular and never ends.
    let output = promptly(&folder, &["boards", "check", "/proc/kmsg"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_command_in_the_proc_of_the_judge_is_refused() {
    let folder = good_contest();
    std::os::unix::fs::symlink("/proc/self/exe", folder.path().join("linked")).unwrap();
    let good = folder.read("contest.toml");
    for command in ["/proc/self/exe", "/proc/thread-self/../self/exe", "/proc/1/exe", "/dev/fd/0", "./linked"] {
        let command = format!("command = {command:?}");
        folder.file("contest.toml", good.replace("command = [\"sh\", \"-c\", \"echo lluu\"]", &command));
        folder.judge(["run"]).exits(2).says(["contest.toml:9: command: ", "leads through /proc"]);
    }
    folder.file("contest.toml", format!("readable = [\"/proc/self/environ\"]\n{good}"));
    folder.judge(["run"]).exits(2).says(["contest.toml:1: readable: /proc/self/environ leads through /proc"]);
    folder.judge(["try", "near.txt", "--", "/proc/self/exe", "--version"]).exits(1).shows(["leads through /proc"]);
    // As an argument it is the entry's own, and no file of the judge's.
    folder.file(
        "contest.toml",
        good.replace("\"echo lluu\"", "\"cat < $1 >&2; echo lluu\", \"sh\", \"/proc/self/comm\""),
    );
    folder.judge(["run", "--out", "out"]).exits(0);
    assert_eq!(folder.read("out/output/1/honest/NEAR.1.err"), "sh\n");
}

/// Text that steers a terminal, and text that a spreadsheet calculates.
const STEERS: &str = "\u{1b}[2J\u{9b}31m\u{202e}evil\u{2066}\u{7}";
const FORMULAS: [&str; 5] = ["=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(A1)", "\t=1"];

#[test]
fn text_of_strangers_neither_steers_nor_calculates_in_any_output() {
    let folder = good_contest();
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let command = |name: &str, words: &[&str]| {
        let words = toml::Value::from(words.iter().map(|&word| toml::Value::from(word)).collect::<Vec<_>>());
        format!("[[entry]]\nname = {}\ncommand = {words}\n", quoted(name))
    };
    let mut text = folder.read("contest.toml").replace("\"test\"", &quoted(&format!("={STEERS}")));
    text = text.replace("[[entry]]", &format!("note = {}\n[[entry]]", quoted(&format!("@{STEERS}"))));
    text += &format!("author = {}\nstrategy = {}\n", quoted(&format!("={STEERS}")), quoted(STEERS));
    for (index, formula) in FORMULAS.iter().enumerate() {
        text += &command(&format!("+{index}"), &["sh", "-c", &format!("printf '={STEERS}' >&2; printf '{formula}'")]);
        text += &format!("author = {}\n", quoted(formula));
    }
    text += &command("gone", &[&format!("./={STEERS}")]);
    folder.file("write-up.md", format!("# {STEERS}\n&#x202e;&#27;\n"));
    text += "write_up = \"write-up.md\"\n";
    folder.file("contest.toml", text);
    let odd = format!("={STEERS}.txt");
    fs::copy(folder.path().join("near.txt"), folder.path().join(&odd)).unwrap();
    let printed = folder.judge(["run", "--out", "results", "--progress", "lines", "--report"]).exits(0);
    let mut shown = vec![("run", printed.stdout), ("progress", printed.stderr)];
    let from = ["results", "results/results.csv"];
    for format in ["table", "plain", "json", "csv"] {
        shown.extend(from.map(|from| ("rank", folder.judge(["rank", from, "--format", format]).exits(0).stdout)));
    }
    for format in ["table", "json", "csv"] {
        shown.extend(from.map(|from| ("compare", folder.judge(["compare", from, "--format", format]).exits(0).stdout)));
    }
    shown.push(("show", folder.judge(["boards", "show", &odd]).exits(0).stdout));
    shown.push(("check", folder.judge(["boards", "check", &odd]).exits(0).stdout));
    shown.push((
        "try",
        folder.judge(["try", &odd, "--", "sh", "-c", &format!("printf '{STEERS}' >&2")]).exits(1).stdout,
    ));
    let prints = ["--", "sh", "-c", &format!("printf '{STEERS}' >&2")];
    shown.push(("try --json", folder.judge([&["try", &odd, "--json"], &prints[..]].concat()).exits(1).stdout));
    shown.push(("try of nothing", folder.judge(["try", &odd, "--", &format!("./{STEERS}")]).exits(2).stderr));
    shown.push(("validate", folder.judge(["validate", &odd, STEERS]).exits(1).stdout));
    shown.push(("validate --json", folder.judge(["validate", &odd, STEERS, "--json"]).exits(1).stdout));
    shown.push(("doctor", folder.judge(["doctor"]).exits(0).stdout));
    shown.push(("page", folder.read("results/report.html")));
    shown.push(("results.csv", folder.read("results/results.csv")));
    for (what, text) in &shown {
        let controls_output = |c| controls_output(c) && c != '\n' && !(c == '\t' && *what == "page");
        assert_eq!(text.find(controls_output).map(|place| &text[..place]), None, "{what}");
    }

    // No cell is a formula, figures are figures, and what is read back is the same.
    let table = folder.judge(["rank", "results", "--format", "csv"]).exits(0).stdout;
    for text in [&folder.read("results/results.csv"), &table] {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        for cell in reader.records().flat_map(|record| record.unwrap().iter().map(str::to_owned).collect::<Vec<_>>()) {
            let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(!formula || cell.parse::<f64>().is_ok(), "{cell}");
        }
    }
    // A number is no formula, whatever its sign, and so no name that is one.
    assert!(table.contains(",+0,'=HYPERLINK(1)"), "{table}");
    folder.file("table.csv", &table);
    assert_eq!(folder.judge(["rank", "table.csv", "--format", "csv"]).exits(0).stdout, table);
    let entries = |from: &str| folder.judge(["rank", from, "--entries", "+0,+1", "--format", "json"]).exits(0).json();
    let names = |from: &str| {
        let entries = entries(from)["entries"].as_array().unwrap().clone();
        entries.iter().map(|row| (row["entry"].clone(), row["author"].clone())).collect::<Vec<_>>()
    };
    let expected = names("results");
    assert!(expected.contains(&("+0".into(), "=HYPERLINK(1)".into())), "{expected:?}");
    assert_eq!((names("results/results.csv"), names("table.csv")), (expected.clone(), expected));
    for moves in ["6", "4"] {
        let declaration = r#""{""ranking"":[""progress"",""moves""],""goals"":[25]}""#;
        let head = "entry,NEAR,progress,moves,tie_break,total_ms,declaration\n";
        let row = format!("{head}=x,25/{moves},25,{moves},0,10,{declaration}\n");
        folder.file(&format!("{moves}.csv"), row);
    }
    let compared = folder.judge(["compare", "6.csv", "4.csv", "--format", "csv", "--rows", "boards"]).exits(0).stdout;
    assert!(
        compared.contains(",'=x,") && compared.contains(",25/6,25/4,-2,"),
        "a negative figure stays one: {compared}"
    );
}

/// The judge under a limit of the shell.
fn limited(folder: &Folder, limit: &str, args: &[&str]) -> Output {
    // Some shells call the limit on processes `-p`, and end at an option that they do not know.
    let other = limit.replace("-u", "-p");
    let set = format!("if (ulimit {limit}) 2> /dev/null; then ulimit {limit}; else ulimit {other}; fi");
    let script = format!("{set} || exit 77; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_judge")]).args(args).current_dir(folder.path());
    command.stdin(Stdio::null()).output().unwrap()
}

#[test]
fn a_small_limit_of_the_shell_is_lifted_or_named() {
    let folder = good_contest();
    folder.file("many.toml", {
        let entries = (0..12).map(|index| entry(&format!("e{index}"), &["sh", "-c", "sleep 0.1; echo lluu"]));
        contest(&[("NEAR", "near.txt")]) + &entries.collect::<String>()
    });
    // It works under a stack of these sizes.
    for stack in ["64", "256"] {
        let output = limited(&folder, &format!("-Ss {stack}"), &["try", "near.txt", "--", "sh", "-c", "echo lluu"]);
        assert!(output.status.success(), "{stack}: {output:?}");
    }
    let output = limited(&folder, "-s 64", &["rank", "none"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no such results directory"), "{output:?}");
    let output = limited(&folder, "-s 1024", &["run", "--out", "stack", "--format", "plain"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("25/4"), "{output:?}");
    let named = "the shell limits the stack of entries to 1048576 bytes; lift it with `ulimit -s`";
    assert!(String::from_utf8_lossy(&output.stderr).contains(named), "{output:?}");
    // Open files: root may get more than the shell allows; else a run works, or the limit is named.
    let worked = AtomicUsize::new(0);
    at_once(&["8", "16", "24", "32", "40", "52", "64", "96"], |files| {
        let out = format!("files-{files}");
        let line = ["run", "many.toml", "--jobs", "3", "--out", &out, "--format", "plain"];
        let output = limited(&folder, &format!("-n {files}"), &line);
        let table = String::from_utf8_lossy(&output.stdout).into_owned();
        let printed = format!("{table}{}", String::from_utf8_lossy(&output.stderr));
        match output.status.code() {
            Some(0) => {
                assert_eq!(table.matches(" 25/4 ").count(), 12, "{files}: {printed}");
                worked.fetch_add(1, Ordering::Relaxed);
            }
            // Too few to begin with.
            Some(2 | 3) => assert!(
                printed.contains("the limit on open files is ") || printed.contains("Too many open files"),
                "{files}: {printed}"
            ),
            code => panic!("{files}: {code:?}: {printed}"),
        }
    });
    assert!(worked.into_inner() >= 3, "52 open files are enough");
    // A limit on the size of files: an error of the journal instead of a death by signal, with the way on.
    let output = limited(&folder, "-f 4", &["run", "many.toml", "--out", "size"]);
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 3)), "{output:?}");
    assert!(output.status.success() || printed.contains("File too large"), "{printed}");
}

/// With so few processes, a referee that is a script cannot start the programs that it needs. What the shell prints then names no
/// limit.
#[test]
fn a_referee_that_may_start_no_process_has_the_limit_in_its_error() {
    let folder = Folder::new();
    folder.script("referee", "cat > /dev/null || exit 9; sh -c 'true | true' || exit 9; exit 42");
    folder.script("own.sh", "echo 1");
    folder.file("x.txt", "21\n");
    let head = "name = \"test\"\ngame = \"external\"\nlimit = \"30s\"\n[referee]\ncommand = \"referee\"\n\
                protocol = \"kattis\"\n[[board]]\nname = \"X\"\nfile = \"x.txt\"\n";
    folder.file("contest.toml", head.to_owned() + &entry("house", &["./own.sh"]));
    for most in ["33", "34"] {
        let out = format!("out-{most}");
        let output = limited(&folder, &format!("-u {most}"), &["run", "--out", &out, "--format", "plain"]);
        let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        // A tier without a limit of its own for root, or a user who has more processes already.
        let works = output.status.success() || !folder.path().join(&out).join("journal.jsonl").exists();
        assert!(works || printed.contains("raise that with `ulimit -u`"), "{most}: {printed}");
    }
}

#[test]
#[ignore = "deep: large"]
fn ten_thousand_entries_or_boards_cost_no_delay() {
    // The runs themselves are left out: a build that fails gives a verdict to all of them.
    const MANY: usize = 10_000;
    let folder = Folder::new();
    folder.file("near.txt", fs::read(board("near-end-1")).unwrap());
    let head = format!("build_isolation = \"off\"\n{}", contest(&[("B", "near.txt")]));
    let failing = |name: &str| entry(name, &["./gone"]) + "build = \"false\"\n";
    let known = (0..MANY).map(|index| format!("board-{index},4\n")).collect::<String>() + "near,4\n";
    folder.file("known.csv", format!("board,moves\n{known}"));
    let boards: String =
        (0..MANY).map(|index| format!("[[board]]\nname = \"b{index}\"\nfile = \"near.txt\"\n")).collect();
    let head_of_boards = "name = \"boards\"\ngame = \"loyd\"\nbuild_isolation = \"off\"\nbest_known = \"known.csv\"\n";
    folder.file("boards.toml", head_of_boards.to_owned() + &boards + &failing("e"));
    folder.file("entries.toml", head + &(0..MANY).map(|index| failing(&format!("e{index}"))).collect::<String>());
    for contest in ["boards", "entries"] {
        let output = promptly(&folder, &["run", &format!("{contest}.toml"), "--out", contest, "--format", "csv"]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(folder.read(&format!("{contest}/results.csv")).lines().count(), MANY + 1);
        for line in [&["rank", contest][..], &["report", contest]] {
            assert_eq!(promptly(&folder, line).status.code(), Some(0), "{line:?}");
        }
    }
}
