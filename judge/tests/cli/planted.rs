//! Results directories from elsewhere, in which a file or folder is a link, a pipe or a device: no command reads or writes
//! outside, changes a verdict, or waits forever.

use std::os::unix::fs::{FileTypeExt as _, symlink};

use judge_core::journal;
use judge_core::verdict::Verdict;

use crate::support::*;

/// What only the files outside have.
const SECRET: &str = "uuuSECRETuuu";
/// A command that takes longer waits for something that never comes.
const LONGEST: Duration = Duration::from_secs(300);

const CONTEST: &str = r#"
name = "Planted"
game = "external"
limit = "10s"
isolation = "off"
build_isolation = "off"
[referee]
protocol = "native"
command = ["python3", "referee.py"]
[[board]]
name = "SMALL"
file = "small.txt"
[[board]]
name = "LARGE"
file = "large.txt"
[[entry]]
name = "good"
command = "./good.sh"
build = "echo built"
folder = "."
[[entry]]
name = "other"
command = "./other.sh"
"#;

const REFEREE: &str = r#"
import json, os, sys
answer = open(sys.argv[-2]).read()
ruling = {"format": 1, "verdict": "solved" if answer == "right\n" else "wrong", "figures": {"progress": 1, "moves": 1}, "full": 1}
if ruling["verdict"] == "wrong":
    ruling["reason"] = "it is not right"
out = sys.argv[-1]
json.dump(ruling, open(os.path.join(out, "ruling.json"), "w"))
open(os.path.join(out, "frames.jsonl"), "w").write('{"at": 0, "progress": 1, "grid": ["A B"]}\n')
"#;

/// The commands that take a results directory.
const COMMANDS: &[&[&str]] = &[
    &["rank", "out", "--format", "json"],
    &["compare", "out"],
    &["runs", "out"],
    &["replay", "out", "good", "SMALL"],
    &["verify", "out"],
    &["check", "out"],
    &["restore", "out", "good", "-o", "restored"],
    &["report", "out"],
    &["rejudge", "out"],
    &["rule", "out", "other", "LARGE", "wrong", "--because", "as before"],
    &["update", "out", "--dry-run"],
    &["resume", "out", "--report"],
    &["update", "out"],
];

/// What stands in place of a file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Planted {
    /// A link to another one of its kind, outside, with other contents.
    Outside,
    /// A link that leads nowhere, outside.
    Dangling,
    /// A link to another file of the results directory, or to the directory itself.
    Inside,
    /// A pipe without a writer.
    Pipe,
    /// A link to an endless device.
    Device,
}

/// A contest in which one run is still to be made.
fn contest() -> Folder {
    let folder = Folder::new();
    folder.file("contest.toml", CONTEST);
    folder.file("referee.py", REFEREE);
    folder.file("small.txt", "small");
    folder.file("large.txt", "large ".repeat(20_000));
    folder.script("good.sh", "echo right; echo thinking >&2");
    folder.script("other.sh", "echo left");
    folder.judge(["run", "--out", "out", "--report"]).exits(0);
    let text = folder.read("out/journal.jsonl");
    let last = text.trim_end().rfind('\n').unwrap() + 1;
    assert!(text[last..].starts_with("{\"line\":\"run\""));
    folder.file("out/journal.jsonl", &text[..last]);
    folder
}

/// Files and folders below a folder, by their paths in it.
fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for item in fs::read_dir(next).unwrap().map(Result::unwrap) {
            found.push(item.path().strip_prefix(folder).unwrap().to_owned());
            if item.file_type().unwrap().is_dir() {
                folders.push(item.path());
            }
        }
    }
    found.sort();
    found
}

/// The names and contents of all files below a folder.
fn state(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let read = |path: PathBuf| {
        let whole = folder.join(&path);
        let content = whole.symlink_metadata().unwrap().is_file().then(|| fs::read(whole).unwrap());
        (path, content)
    };
    below(folder).into_iter().map(read).collect()
}

/// Plants something in place of a path of `out`. What links lead to is below `outside`.
fn plant(folder: &Path, path: &Path, planted: Planted) {
    let (place, outside) = (folder.join("out").join(path), folder.join("outside"));
    let was_folder = place.is_dir();
    fs::create_dir(&outside).unwrap();
    let other = outside.join("other");
    if was_folder {
        copy_folder(&place, &other);
        for file in below(&other).into_iter().map(|file| other.join(file)).filter(|file| file.is_file()) {
            fs::write(file, format!("right\n{SECRET}")).unwrap();
        }
        fs::remove_dir_all(&place).unwrap();
    } else {
        // A journal that could be read, but for its name.
        let content = fs::read_to_string(&place).unwrap_or_default();
        let content = if path == Path::new(journal::FILE_NAME) { content } else { format!("right\n{SECRET}") };
        fs::write(&other, content).unwrap();
        fs::remove_file(&place).unwrap();
    }
    match planted {
        Planted::Outside => symlink(&other, &place).unwrap(),
        Planted::Dangling => symlink(outside.join("nothing"), &place).unwrap(),
        Planted::Inside if was_folder => symlink(folder.join("out"), &place).unwrap(),
        Planted::Inside => symlink(folder.join("out/results.csv"), &place).unwrap(),
        Planted::Device => symlink("/dev/zero", &place).unwrap(),
        Planted::Pipe => {
            assert!(Command::new("mkfifo").arg(&place).status().unwrap().success());
            assert!(place.symlink_metadata().unwrap().file_type().is_fifo());
        }
    }
}

/// The verdicts that are recorded; none if the journal is not read.
fn verdicts(folder: &Path) -> BTreeMap<(String, String), &'static str> {
    let Ok(contents) = journal::read(&folder.join("out")) else { return BTreeMap::new() };
    let records = contents.records.iter().filter(|record| !matches!(record.verdict, Verdict::JudgeError { .. }));
    records
        .map(|record| ((record.key.entry.to_string(), record.key.board.to_string()), record.verdict.name()))
        .collect()
}

fn run(folder: &Folder, arguments: &[&str], case: &str) -> String {
    let mut command = folder.command(arguments.iter().copied());
    let [out, err] = ["stdout", "stderr"].map(|name| folder.path().join(name));
    let [to_out, to_err] = [&out, &err].map(|path| fs::File::create(path).unwrap());
    let mut child = command.stdin(Stdio::null()).stdout(to_out).stderr(to_err).spawn().unwrap();
    let end = Instant::now() + LONGEST;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("{case}: {arguments:?} waits for ever");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    [out, err].map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()).concat()
}

#[test]
#[ignore = "deep: siege"]
fn nothing_planted_in_a_results_directory_is_followed() {
    let whole = contest();
    let before = verdicts(whole.path());
    assert_eq!(before.len(), 3);
    let out = whole.path().join("out");
    let mut cases = Vec::new();
    for (number, path) in below(&out).into_iter().enumerate() {
        // In turn, so that each is in place of files and folders of every kind.
        let others = [Planted::Dangling, Planted::Pipe, Planted::Inside, Planted::Device];
        if number % 2 == 0 {
            cases.push((path.clone(), others[number / 2 % others.len()]));
        }
        cases.push((path, Planted::Outside));
    }
    assert!(cases.len() > 30, "{cases:?}");
    let halves: Vec<&[(PathBuf, Planted)]> = cases.chunks(cases.len().div_ceil(4)).collect();
    at_once(&halves, |cases| {
        for (path, planted) in *cases {
            let case = format!("{} is {planted:?}", path.display());
            let folder = Folder::new();
            copy_folder(whole.path(), folder.path());
            plant(folder.path(), path, *planted);
            let outside = state(&folder.path().join("outside"));
            for arguments in COMMANDS {
                let printed = run(&folder, arguments, &case);
                assert!(!printed.contains(SECRET), "{case}: {arguments:?} reads outside: {printed}");
                assert_eq!(state(&folder.path().join("outside")), outside, "{case}: {arguments:?} writes outside");
                let now = verdicts(folder.path());
                for (run, verdict) in &before {
                    let now = now.get(run).unwrap_or(verdict);
                    assert_eq!(now, verdict, "{case}: {arguments:?} changes the verdict of {run:?}: {printed}");
                }
            }
            let page = folder.path().join("out/report.html");
            if page.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
                assert!(!fs::read_to_string(page).unwrap().contains(SECRET), "{case}: the page has it");
            }
            if folder.path().join("restored").exists() {
                assert!(
                    !fs::read_to_string(folder.path().join("restored/good.sh")).unwrap_or_default().contains(SECRET)
                );
            }
        }
    });
}
