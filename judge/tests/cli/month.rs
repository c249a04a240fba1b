//! A contest that lives for a month, and the same contest in one go.

use judge_core::journal;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest as _, Sha256};

use crate::support::*;

/// Text and shortest answer of a board of the project.
pub(crate) fn known(name: &str) -> (String, String) {
    let text = fs::read_to_string(project().join("tests-boards/loyd").join(format!("{name}.txt"))).unwrap();
    let table = fs::read_to_string(project().join("tests-boards/loyd/best-known.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let (board, answer) = (column("board"), column("answer"));
    let row = reader.records().map(Result::unwrap).find(|row| &row[board] == name).unwrap();
    (text, row[answer].to_owned())
}

/// A solver in shell that knows the answers to these boards and gives up on the others.
pub(crate) fn solver(folder: &Folder, path: &str, knows: &[&str]) {
    let cases = knows.iter().map(|name| {
        let (text, answer) = known(name);
        let board: String = text.split_whitespace().collect();
        format!("  '{board}') echo '{answer}';;\n")
    });
    let cases: String = cases.collect();
    folder.script(path, &format!("case \"$(tr -d ' \\n' < \"$1\")\" in\n{cases}esac"));
}

/// The contest file and its files, changed month by month.
struct Month {
    folder: Folder,
    file: String,
}

const FIRST: [&str; 3] = ["near-end-1", "near-end-2", "near-end-3"];
const FINALE: [&str; 2] = ["near-end-5", "near-end-6"];
/// The board that replaces the second one.
const OTHER: &str = "near-end-4";

impl Month {
    fn begin() -> Self {
        let folder = Folder::new();
        let mut file = "name = \"A month\"\ngame = \"loyd\"\nlimit = \"10s\"\n\
                        [ranking]\norder = [\"progress\", \"moves\", \"tie_break\"]\n"
            .to_owned();
        for (name, source) in ["X", "Y", "Z"].into_iter().zip(FIRST) {
            folder.file(&format!("boards/{name}.txt"), known(source).0);
            file += &format!("[[board]]\nname = \"{name}\"\nfile = \"boards/{name}.txt\"\n");
        }
        let mut seals = Vec::new();
        for (name, source) in ["G", "H"].into_iter().zip(FINALE) {
            let hash = Sha256::digest(known(source).0);
            seals.push(format!("sha256:{}", hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>()));
            file += &format!("[[board]]\nname = \"{name}\"\nfile = \"boards/{name}.txt\"\n");
        }
        file += "[[round]]\nname = \"Final\"\nboards = [\"X\", \"Y\", \"Z\"]\nadvance = \"tied\"\n";
        file += &format!(
            "[[round]]\nname = \"Grand finale\"\nboards = [\"G\", \"H\"]\nlimit = \"20s\"\nsealed = {seals:?}\n"
        );
        let all: Vec<&str> = [&FIRST[..], &[OTHER], &FINALE].concat();
        solver(&folder, "ant/solve", &all);
        solver(&folder, "bee/solve", &FIRST[..1]);
        solver(&folder, "dog/source", &FIRST);
        folder.script("dog/make", "cp dog/source dog/solve");
        solver(&folder, "owl/solve", &FIRST);
        let mut month = Self { folder, file };
        for name in ["ant", "bee", "dog", "owl"] {
            month.enter(name, if name == "dog" { "build = \"dog/make\"\n" } else { "" });
        }
        month
    }

    fn enter(&mut self, name: &str, more: &str) {
        self.file += &format!("[[entry]]\nname = \"{name}\"\ncommand = \"{name}/solve\"\n{more}");
        self.write();
    }

    fn add(&mut self, table: &str, name: &str, line: &str) {
        let head = format!("[[{table}]]\nname = \"{name}\"\n");
        assert!(self.file.contains(&head));
        self.file = self.file.replace(&head, &format!("{head}{line}\n"));
        self.write();
    }

    fn write(&self) {
        self.folder.file("contest.toml", &self.file);
    }

    /// The next change of the organiser, and the runs that follow from it.
    fn step(&mut self, number: usize) -> usize {
        match number {
            // Four entries on three boards.
            0 => 12,
            // Two come late, the others are described anew.
            1 => {
                solver(&self.folder, "cat/solve", &FIRST[1..]);
                solver(&self.folder, "fox/solve", &FIRST);
                self.enter("cat", "");
                self.enter("fox", "");
                self.add("entry", "ant", "author = \"A. Author\"");
                self.add("board", "X", "note = \"the first\"");
                6
            }
            // One is mended, the build of another breaks.
            2 => {
                solver(&self.folder, "bee/solve", &[&FIRST[..], &[OTHER], &FINALE[..1]].concat());
                self.folder.script("dog/make", "echo no compiler >&2; exit 1");
                6
            }
            3 => {
                self.add("entry", "owl", "withdrawn = \"its author moved\"");
                self.add("entry", "fox", "disqualified = \"it knows the boards\"");
                0
            }
            // One board is replaced, one proved faulty: ant, bee, cat and dog run on the new one.
            4 => {
                self.folder.file("boards/Y.txt", known(OTHER).0);
                self.add("board", "Z", "struck = \"a misprint\"");
                4
            }
            // The sealed boards of the finale are opened for the two that tie.
            _ => {
                for (name, source) in ["G", "H"].into_iter().zip(FINALE) {
                    self.folder.file(&format!("boards/{name}.txt"), known(source).0);
                }
                4
            }
        }
    }

    fn lines(&self) -> usize {
        let journal = fs::read(self.folder.path().join("out/journal.jsonl")).unwrap_or_default();
        journal.iter().filter(|&&byte| byte == b'\n').count()
    }

    fn arguments(&self) -> impl Iterator<Item = &'static str> {
        let arguments: &[&str] = match self.folder.path().join("out/journal.jsonl").exists() {
            true => &["update", "out", "--progress", "none"],
            false => &["run", "--out", "out", "--progress", "none"],
        };
        arguments.iter().copied()
    }

    /// Starts the judge and kills it when the journal has so many more lines. Returns false if it ended before.
    fn kill_after(&self, more: usize) -> bool {
        let lines = self.lines() + more;
        let mut judge =
            self.folder.command(self.arguments()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while self.lines() < lines && judge.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "the judge neither ends nor writes");
            std::thread::sleep(Duration::from_millis(1));
        }
        let killed = judge.try_wait().unwrap().is_none();
        judge.kill().ok();
        judge.wait().unwrap();
        killed
    }
}

/// Results as JSON, without what was measured, attempts, and the hash of the journal.
fn table(folder: &Folder) -> Value {
    let mut document = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    document["journal_hash"].take();
    document["isolation"].take();
    for row in document["entries"].as_array_mut().unwrap() {
        let mut totals = vec![row["total"].take()];
        totals.extend(row["rounds"].as_array().unwrap().clone());
        for total in &mut totals {
            total["time_ms"].take();
        }
        row["rounds"] = totals.into();
        for measured in ["median_time_us", "par2_us", "suspect"] {
            row["summary"][measured].take();
        }
        for run in row["runs"].as_array_mut().unwrap() {
            for measured in ["time_us", "cpu_us", "cpu_by", "memory_bytes", "memory_by", "suspect", "attempt", "notes"]
            {
                run[measured].take();
            }
        }
    }
    document
}

/// The words of the page outside the history, the figures and the embedded data, without times, sizes and attempts.
fn page(folder: &Folder) -> Vec<String> {
    folder.judge(["report", "out"]).exits(0);
    let mut page = folder.read("out/report.html");
    for (from, to) in [
        ("<style>", "</style>"),
        // The race is drawn from times.
        ("<section class=\"glance\"", "</section>"),
        ("<section id=\"figures\"", "<section id=\"entries-0\""),
        ("<section id=\"history-0\"", "</section>"),
        ("<p class=\"about\"><bdi>", "</p>"),
        // It explains the mark of runs that the load of this machine disturbed.
        ("<dl class=\"marks\">", "</dl>"),
        ("<script type=", "</html>"),
    ] {
        let (before, rest) = page.split_once(from).unwrap_or_else(|| panic!("no {from}"));
        page = format!("{before}{}", rest.split_once(to).unwrap().1);
    }
    // The mark of a suspect run in what the page sorts by.
    let page = page.replace("?\">", "\">");
    // Total times, by which it sorts as well.
    let mut parts = page.split("<td class=\"figure\" data-key=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    let page = parts.fold(first, |page, part| page + part.split_once("\">").unwrap().1);
    let words = page.replace('>', "> ").replace('<', " <");
    let mut words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    for index in 1..words.len() {
        let unit = ["ms", "s", "µs", "B", "KiB", "MiB"].contains(&words[index].as_str());
        if unit && words[index - 1].parse::<f64>().is_ok() {
            words[index - 1].clear();
            words[index].clear();
        }
    }
    // The mark itself.
    let words = words.into_iter().map(|word| word.trim_end_matches('?').to_owned());
    words.filter(|word| !word.is_empty()).collect()
}

#[test]
#[ignore = "deep: months"]
fn a_month_of_changes_ends_as_the_same_contest_in_one_go() {
    let mut random = ChaCha8Rng::seed_from_u64(1995);
    let mut month = Month::begin();
    let (mut kills, mut runs) = (0, 0);
    for (step, quota) in [5, 4, 4, 2, 3, 2].into_iter().enumerate() {
        let brings = month.step(step);
        if step > 0 {
            let before = month.folder.read("out/journal.jsonl");
            let message = month.folder.judge(["update", "out", "--dry-run"]).exits(0).stdout;
            let expected = match step {
                1 => "12 runs to execute: cat 3, fox 3; at most",
                2 => "entry bee runs again: its program has changed; earlier attempts are kept\n",
                3 => "entry owl is withdrawn, its runs do not count: its author moved\n",
                4 => "board Y is another one, so all entries run on it; earlier attempts are kept\n",
                _ => "no run to execute\n",
            };
            assert!(message.contains(&expected.replace("12 runs", "6 runs")), "{message}");
            assert_eq!(month.folder.read("out/journal.jsonl"), before, "only told");
        }
        let mut killed = 0;
        while killed < quota {
            killed += usize::from(month.kill_after(random.random_range(0..=2)));
        }
        kills += killed;
        month.folder.judge(month.arguments()).exits(0);
        runs += brings;
        let lines = month.folder.journal("out", "");
        assert_eq!(
            lines.iter().filter(|line| line["line"] == "run").count(),
            runs,
            "step {step}: exactly the runs that it brings"
        );
        assert!(lines.iter().all(|line| line["at"].is_string()), "every line has its date");
    }
    assert_eq!((kills, runs), (20, 32));
    let message = month.folder.judge(["update", "out", "--dry-run"]).exits(0).stdout;
    assert!(message.ends_with("no run to execute\n"), "{message}");

    // The same files, begun as they are now.
    let once = Folder::new();
    copy(month.folder.path(), once.path());
    fs::remove_dir_all(once.path().join("out")).unwrap();
    once.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    assert_eq!(table(&month.folder), table(&once));
    assert_eq!(page(&month.folder), page(&once));
    let [grown, whole] = [&month.folder, &once].map(|folder| journal::read(&folder.path().join("out")).unwrap());
    assert_eq!((&grown.plan, grown.order()), (&whole.plan, whole.order()));
    assert_eq!((&grown.withdrawn, &grown.struck, &grown.rounds), (&whole.withdrawn, &whole.struck, &whole.rounds));
    assert_eq!(grown.programs, whole.programs);

    // The places: ant wins the finale; bee, which tied with it, is second though it failed there.
    let places: BTreeMap<String, Value> = table(&once)["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["entry"].as_str().unwrap().to_owned(), row["place"].clone()))
        .collect();
    let expected = [
        ("ant", 1.into()),
        ("bee", 2.into()),
        ("cat", 3.into()),
        ("dog", 4.into()),
        ("fox", Value::Null),
        ("owl", Value::Null),
    ];
    assert_eq!(places, expected.into_iter().map(|(name, place)| (name.to_owned(), place)).collect());

    let page = month.folder.read("out/report.html");
    let history = page.split_once("<ol class=\"history\">").unwrap().1.split_once("</ol>").unwrap().0;
    for sentence in [
        "The contest A month begins with 4 entries on 3 boards.",
        "Entry cat enters the contest.",
        "Entry fox enters the contest.",
        "Entry ant is described anew: author.",
        "Board X is described anew: its note or its mark.",
        "Entry bee is run again: its program has changed.",
        "Entry dog is run again: its build fails now.",
        "The build of dog fails: `dog/make` ended with exit code 1: no compiler",
        "Entry owl is withdrawn: its author moved",
        "Entry fox is disqualified: it knows the boards",
        "Board Y is replaced by another one, on which all entries run: its text has changed.",
        "Board Z is struck and does not count any more: a misprint",
        "Board G is added",
        "Round 2, Grand finale, opens for ant, bee.",
        "bee on Y: 20/0, attempt 1",
        "bee on Y: 25/4, attempt ",
    ] {
        let times = history.matches(sentence).count();
        assert_eq!(times, 1, "{sentence}\n{history}");
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for item in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(item.file_name());
        if item.path().is_dir() {
            copy(&item.path(), &target);
        } else {
            fs::copy(item.path(), target).unwrap();
        }
    }
}
