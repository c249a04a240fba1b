//! The table of a contest, recomputed by a program that shares no code with judge: `second_opinion.py` reads the journal,
//! checks its chain, replays the stored answers by its own rules of Loyd's Dilemma, and applies the events.

#![allow(clippy::disallowed_macros, reason = "a test says why it is skipped")]

use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::month::{known, solver};
use crate::support::*;

/// True if this system has Python. The gate has it, and requires scipy of it.
pub(crate) fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    assert!(found || std::env::var_os("REQUIRE_SCIPY").is_none(), "python3 is not there");
    if !found {
        eprintln!("skipped: no Python");
    }
    found
}

/// Compares `judge rank` with the other program, which must agree. Returns what that read.
#[track_caller]
pub(crate) fn agrees(folder: &Folder, results: &str, more: &[&str]) -> String {
    let (agreed, printed) = opinion(folder, results, more);
    assert!(agreed, "{printed}");
    printed
}

/// True if the other program makes the same table of the results, and what it prints.
pub(crate) fn opinion(folder: &Folder, results: &str, more: &[&str]) -> (bool, String) {
    let rank = folder.judge(["rank", results, "--format", "json"]).exits(0).stdout;
    compared(folder, results, &rank, more)
}

fn compared(folder: &Folder, results: &str, rank: &str, more: &[&str]) -> (bool, String) {
    let rank = folder.file("rank.json", rank);
    let mut python = Command::new("python3");
    python.arg(project().join("judge/tests/cli/second_opinion.py")).arg(results).arg("--rank").arg(rank).args(more);
    let output = python.current_dir(folder.path()).stdin(Stdio::null()).output().unwrap();
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.success(), printed)
}

#[test]
#[ignore = "deep: clients"]
fn the_recorded_contests_of_1995_have_the_tables_that_follow_from_their_answers() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    for name in ["1995-1s", "1995-10s", "1995-10m"] {
        let results = project().join("results").join(name).display().to_string();
        let printed = agrees(&folder, &results, &[]);
        assert!(printed.starts_with("18 entries, 90 runs"), "{name}: {printed}");
    }
}

#[test]
#[ignore = "deep: clients"]
fn the_other_program_notices_every_change_of_a_record() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let results = folder.path().join("out");
    let whole = || copy_folder(&project().join("results/1995-10s"), &results);
    whole();
    let rank = folder.judge(["rank", "out", "--format", "json"]).exits(0).stdout;
    let table = |what: &str, rank: &str, expected: &str| {
        let (agreed, printed) = compared(&folder, "out", rank, &[]);
        assert!(!agreed && printed.contains(expected), "{what}: {printed}");
    };
    // A stored answer loses its last moves, or is gone.
    let answer = results.join("output/1/shufflemania/FOXY.1.out");
    let text = fs::read_to_string(&answer).unwrap();
    fs::write(&answer, text.trim_end().strip_suffix(char::is_alphanumeric).unwrap()).unwrap();
    table("a shorter answer", &rank, "shufflemania on FOXY: solved is recorded, the answer is unsolved");
    fs::remove_file(&answer).unwrap();
    table("no answer", &rank, "shufflemania on FOXY: the answer is missing");
    whole();
    // A table that does not follow.
    let wrong = rank.replacen("\"cell\": \"25/90\"", "\"cell\": \"25/89\"", 1);
    assert_ne!(wrong, rank);
    table("another cell", &wrong, "'25/89', not '25/90'");
    let wrong = rank.replacen("\"place\": 2,", "\"place\": 1,", 1);
    assert_ne!(wrong, rank);
    table("another place", &wrong, "place is 1, not 2");
    // A journal with a line less and a new chain, and one whose figures are others than its chain says.
    let journal = fs::read_to_string(results.join("journal.jsonl")).unwrap();
    let less = chained(journal.lines().filter(|line| !line.contains("\"seq\":2,")));
    fs::write(results.join("journal.jsonl"), less).unwrap();
    table("a line less", &rank, "journal_hash is");
    fs::write(results.join("journal.jsonl"), journal.replacen("\"moves\":\"90\"", "\"moves\":\"89\"", 1)).unwrap();
    table("another figure", &rank, "does not follow");
}

/// A contest whose files a test changes at random.
struct Contest<'a> {
    folder: &'a Folder,
    random: ChaCha8Rng,
    /// Names of boards and entries, with lines to be added to their tables.
    boards: Vec<(String, String)>,
    entries: Vec<(String, String)>,
    ranking: &'static str,
    made: usize,
}

const BOARDS: [&str; 6] = ["near-end-1", "near-end-2", "near-end-3", "near-end-4", "near-end-5", "near-end-6"];
const RANKINGS: [&str; 4] = [
    "\"progress\", \"moves\", \"tie_break\", \"time\"",
    "\"moves\"",
    "\"tie_break\", \"progress\"",
    "\"progress\", \"time\"",
];

impl Contest<'_> {
    fn board(&mut self) {
        self.made += 1;
        let name = format!("B{}", self.made);
        self.text_of(&name);
        self.boards.push((name, String::new()));
    }

    fn text_of(&mut self, board: &str) {
        let source = BOARDS.choose(&mut self.random).unwrap();
        self.folder.file(&format!("{board}.txt"), known(source).0);
    }

    fn entry(&mut self) {
        self.made += 1;
        let name = format!("e{}", self.made);
        self.program_of(&name);
        let more = if self.random.random_ratio(1, 5) { "competing = false\n" } else { "" };
        self.entries.push((name, more.to_owned()));
    }

    /// A program that knows some answers, gives any answer, crashes, or prints nothing.
    fn program_of(&mut self, entry: &str) {
        let path = format!("{entry}/solve");
        match self.random.random_range(0..6) {
            0..=2 => {
                let count = self.random.random_range(1..=BOARDS.len());
                let mut knows = BOARDS;
                knows.shuffle(&mut self.random);
                solver(self.folder, &path, &knows[..count]);
            }
            3 => drop(self.folder.script(&path, "exit 3")),
            4 => drop(self.folder.script(&path, ":")),
            _ => {
                let length = self.random.random_range(1..12);
                let letters = (0..length).map(|_| *b"dlurtx".choose(&mut self.random).unwrap() as char);
                let answer: String = letters.collect();
                self.folder.script(&path, &format!("echo '{answer}'"));
            }
        }
    }

    fn write(&self) {
        let head = format!("name = \"any\"\ngame = \"loyd\"\nlimit = \"20s\"\n[ranking]\norder = [{}]\n", self.ranking);
        let boards = self
            .boards
            .iter()
            .map(|(name, more)| format!("[[board]]\nname = \"{name}\"\nfile = \"{name}.txt\"\n{more}"));
        let entries = self
            .entries
            .iter()
            .map(|(name, more)| format!("[[entry]]\nname = \"{name}\"\ncommand = \"{name}/solve\"\n{more}"));
        let text = head + &boards.collect::<String>() + &entries.collect::<String>();
        self.folder.file("contest.toml", text);
    }

    /// Changes something, and returns what was changed and whether runs follow from the file.
    fn change(&mut self) -> (String, bool) {
        let (board, entry) =
            (self.random.random_range(0..self.boards.len()), self.random.random_range(0..self.entries.len()));
        let (board_name, entry_name) = (self.boards[board].0.clone(), self.entries[entry].0.clone());
        let what = match self.random.random_range(0..9) {
            0 => {
                self.entry();
                "a late entry".to_owned()
            }
            1 => {
                self.board();
                "a late board".to_owned()
            }
            2 => {
                self.program_of(&entry_name);
                format!("another program of {entry_name}")
            }
            3 => {
                self.text_of(&board_name);
                format!("another {board_name}")
            }
            4 => {
                let struck = if self.boards[board].1.is_empty() { "struck = \"a misprint\"\n" } else { "" };
                // One board always counts.
                if self.boards.iter().filter(|(_, more)| more.is_empty()).count() > 1 || struck.is_empty() {
                    self.boards[board].1 = struck.to_owned();
                }
                format!("{board_name} struck or not")
            }
            5 => {
                let out =
                    ["withdrawn = \"gone\"\n", "disqualified = \"copied\"\n", ""].choose(&mut self.random).unwrap();
                self.entries[entry].1 = (*out).to_owned();
                format!("{entry_name} in or out: {out}")
            }
            6 => {
                self.ranking = RANKINGS.choose(&mut self.random).unwrap();
                format!("ranking by {}", self.ranking)
            }
            _ => {
                let verdicts: [&[&str]; 3] = [
                    &["solved", "--figure", "progress=25", "--figure", "moves=3", "--figure", "tie_break=1"],
                    &["unsolved", "--figure", "progress=9", "--figure", "moves=1", "--figure", "tie_break=0"],
                    &["wrong"],
                ];
                let verdict = verdicts.choose(&mut self.random).unwrap();
                let rule = ["rule", "out", &entry_name, &board_name, verdict[0], "--because", "seen"];
                // Not on a struck board, nor on one that is not run.
                let ruled = self.folder.command(rule.into_iter().chain(verdict[1..].iter().copied())).output().unwrap();
                return (format!("{rule:?}: {}", String::from_utf8_lossy(&ruled.stderr)), false);
            }
        };
        (what, true)
    }
}

#[test]
#[ignore = "deep: clients"]
fn random_contests_with_random_events_have_the_tables_that_follow_from_their_answers() {
    for seed in 0..if has_python() { 4 } else { 0 } {
        let folder = Folder::new();
        let random = ChaCha8Rng::seed_from_u64(seed);
        let (boards, entries) = (Vec::new(), Vec::new());
        let mut contest = Contest { folder: &folder, random, boards, entries, ranking: RANKINGS[0], made: 0 };
        for _ in 0..3 {
            contest.board();
            contest.entry();
        }
        contest.write();
        folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
        agrees(&folder, "out", &[]);
        let mut changes = Vec::new();
        for _ in 0..8 {
            let (what, runs) = contest.change();
            changes.push(what);
            if runs {
                contest.write();
                folder.judge(["update", "out", "--progress", "none"]).exits(0);
            }
            let (agreed, printed) = opinion(&folder, "out", &[]);
            assert!(agreed, "seed {seed}, {changes:#?}:\n{printed}");
        }
        missing_runs(&folder);
    }
}

/// Checks the tables without the last runs, as after a stop, and again after the contest is resumed.
fn missing_runs(folder: &Folder) {
    let journal = folder.read("out/journal.jsonl");
    let mut lines: Vec<&str> = journal.split_inclusive('\n').collect();
    while lines.len() > 2 && lines.pop().is_some_and(|line| !line.contains("\"line\":\"run\"")) {}
    folder.file("out/journal.jsonl", lines.concat());
    agrees(folder, "out", &[]);
    let resumed = folder.command(["resume", "out", "--progress", "none"]).output().unwrap();
    // A change of the file that the cut took away is one for `judge update`.
    if resumed.status.success() {
        agrees(folder, "out", &[]);
    }
}
