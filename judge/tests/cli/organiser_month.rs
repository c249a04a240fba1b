//! The month of an organiser, step by step, with what went wrong in it once. After each step a program that shares no code
//! with judge makes the table from the stored answers and the chain of hashes, and has to agree.

use crate::month::{known, solver};
use crate::second_opinion::{agrees, has_python};
use crate::support::*;

/// `judge` in a folder, with a search path for programs: exit code, and all that it prints.
fn with_path(folder: &Folder, path: &str, args: &[&str]) -> (Option<i32>, String) {
    let mut command = folder.command(args.iter().copied());
    let output = command.env("PATH", path).stdin(Stdio::null()).output().unwrap();
    let printed = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    (output.status.code(), printed)
}

/// Takes the last runs out of a journal, as if they had not been made yet, and returns the whole journal.
fn without_last_runs(folder: &Folder, runs: usize) -> String {
    let journal = folder.read("out/journal.jsonl");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    let (kept, cut) = lines.split_at(lines.len() - runs);
    assert!(cut.iter().all(|line| line.starts_with("{\"line\":\"run\"")), "{cut:?}");
    folder.file("out/journal.jsonl", kept.concat());
    journal
}

/// Names of entries with their places, in the order of the table.
fn places(folder: &Folder) -> Vec<(String, Option<u64>)> {
    let document = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    let rows = document["entries"].as_array().unwrap().iter();
    rows.map(|row| (row["entry"].as_str().unwrap().to_owned(), row["place"].as_u64())).collect()
}

fn place(name: &str, place: u64) -> (String, Option<u64>) {
    (name.to_owned(), Some(place))
}

/// A contest of three entries in `p`, with a sealed finale for the two best.
struct Contest {
    folder: Folder,
    text: String,
}

impl Contest {
    fn begin() -> Self {
        let folder = Folder::new();
        for (name, source) in [("X", "near-end-1"), ("Y", "near-end-2"), ("G", "near-end-3"), ("H", "near-end-4")] {
            folder.file(&format!("p/{name}.txt"), known(source).0);
        }
        // Boards that are sealed are not there until their round.
        let sealed = folder.judge(["seal", "p/G.txt", "p/H.txt"]).exits(0).stdout;
        assert_eq!(sealed.matches("salted-sha256:").count(), 2, "{sealed}");
        fs::create_dir(folder.path().join("vault")).unwrap();
        for file in ["G.txt", "G.txt.salt", "H.txt", "H.txt.salt"] {
            fs::rename(folder.path().join("p").join(file), folder.path().join("vault").join(file)).unwrap();
        }
        solver(&folder, "p/ant/solve", &["near-end-1", "near-end-2", "near-end-3", "near-end-4"]);
        solver(&folder, "p/bee/solve", &["near-end-1", "near-end-2", "near-end-3"]);
        solver(&folder, "p/cat/solve", &["near-end-1"]);
        let boards = ["X", "Y", "G", "H"].map(|name| format!("[[board]]\nname = \"{name}\"\nfile = \"{name}.txt\"\n"));
        let text = format!(
            "name = \"A month\"\ngame = \"loyd\"\nlimit = \"20s\"\n[ranking]\norder = [\"progress\", \"moves\"]\n{}\
             [[round]]\nname = \"First\"\nboards = [\"X\", \"Y\"]\nadvance = {{ top = 2 }}\n\
             [[round]]\nname = \"Finale\"\nboards = [\"G\", \"H\"]\n{sealed}",
            boards.concat()
        );
        let mut contest = Self { folder, text };
        for name in ["ant", "bee", "cat"] {
            contest.enter(name, &format!("\"sh {name}/solve\""));
        }
        contest
    }

    fn enter(&mut self, name: &str, command: &str) {
        self.text += &format!("[[entry]]\nname = \"{name}\"\ncommand = {command}\n");
        self.write();
    }

    fn write(&self) {
        self.folder.file("p/contest.toml", &self.text);
    }

    fn update(&self) -> String {
        let printed = self.folder.judge(["update", "out", "--progress", "none"]).exits(0);
        agrees(&self.folder, "out", &[]);
        printed.stdout + &printed.stderr
    }
}

#[test]
#[ignore = "deep: months"]
fn the_month_of_an_organiser_has_the_table_that_follows_from_its_answers_after_every_step() {
    if !has_python() {
        return;
    }
    let mut contest = Contest::begin();
    contest.folder.judge(["run", "p", "--out", "out", "--progress", "none"]).exits(0);
    agrees(&contest.folder, "out", &[]);
    other_names(&contest);
    programs_that_are_not_there(&contest);
    rulings(&contest);
    late_and_corrected(&mut contest);
    who_goes_on(&contest);
    the_finale(&contest);
    a_damaged_journal(&contest);
    a_changed_answer(&contest);
    an_old_version(&contest);
}

/// The contest is the same under other names.
fn other_names(Contest { folder, .. }: &Contest) {
    std::os::unix::fs::symlink("p", folder.path().join("link")).unwrap();
    fs::create_dir(folder.path().join("q")).unwrap();
    let absolute = folder.path().join("p/contest.toml").display().to_string();
    for name in ["p", "link", "q/../p", &absolute] {
        let message = folder.judge(["update", "out", "--contest", name, "--dry-run"]).exits(0).stdout;
        assert!(!message.contains("changed") && !message.contains("runs again"), "{name}: {message}");
    }
}

/// An update does not replace good runs because an interpreter is missing today, or a script is misspelt.
fn programs_that_are_not_there(Contest { folder, text }: &Contest) {
    let before = folder.read("out/journal.jsonl");
    let update = ["update", "out", "--dry-run"];
    let (code, printed) = with_path(folder, "/nowhere", &update);
    assert!(printed.contains("PROBLEM entry ant: sh is not on the PATH"), "{printed}");
    assert_eq!(code, Some(2), "{printed}");
    // No run would be lost, so --force accepts it.
    let (code, printed) = with_path(folder, "/nowhere", &[&update[..], &["--force"]].concat());
    assert_eq!(code, Some(0), "{printed}");
    folder.file("p/contest.toml", text.replace("sh cat/solve", "sh cat/slove.sh"));
    folder.judge(["update", "out", "--dry-run"]).exits(2).shows(["slove.sh: no such file", "--force"]);
    folder.file("p/contest.toml", text);
    assert_eq!(folder.read("out/journal.jsonl"), before);
}

/// A verdict by hand, by whom, and how it is taken back.
fn rulings(Contest { folder, .. }: &Contest) {
    let table = places(folder);
    let rule = ["rule", "out", "cat", "Y", "solved", "--figure", "moves=2", "--figure", "progress=25"];
    folder.judge(rule.into_iter().chain(["--because", "a misprint", "--by", "A. Referee"])).exits(0);
    agrees(folder, "out", &[]);
    assert_ne!(places(folder), table);
    assert!(folder.judge(["rank", "out"]).exits(0).stdout.contains("A. Referee"));
    folder.judge(["rule", "out", "cat", "Y", "--undo"]).exits(0);
    agrees(folder, "out", &[]);
    assert_eq!(places(folder), table);
}

/// A late entry, a corrected program, and one that leaves.
fn late_and_corrected(contest: &mut Contest) {
    solver(&contest.folder, "p/dog/solve", &["near-end-1", "near-end-2"]);
    contest.enter("dog", "\"sh dog/solve\"");
    contest.update();
    solver(&contest.folder, "p/cat/solve", &["near-end-1", "near-end-2", "near-end-3", "near-end-4"]);
    contest.update();
    let out = "name = \"dog\"\n";
    contest.text = contest.text.replace(out, &format!("{out}disqualified = \"it copied\"\n"));
    contest.write();
    contest.update();
}

/// Who goes on is known before the boards are there, and with how many runs.
fn who_goes_on(Contest { folder, .. }: &Contest) {
    folder.judge(["update", "out", "--dry-run"]).exits(0).shows(["Finale", "go on, with 6 runs"]);
}

/// Boards and salts are put into place. While runs of the finale are missing, nobody leads who is not in it.
fn the_finale(contest: &Contest) {
    let Contest { folder, .. } = contest;
    // Three tie for the first two places, so a ruling decides.
    folder.judge(["rule", "out", "bee", "Y", "unsolved", "--figure", "progress=9", "--because", "seen"]).exits(0);
    folder.judge(["update", "out", "--dry-run"]).exits(0).shows(["go on, with 4 runs"]);
    for file in ["G.txt", "G.txt.salt", "H.txt", "H.txt.salt"] {
        fs::rename(folder.path().join("vault").join(file), folder.path().join("p").join(file)).unwrap();
    }
    contest.update();
    let ended = places(folder);
    assert_eq!(ended[..3], [place("ant", 1), place("cat", 1), place("bee", 3)]);
    let whole = without_last_runs(folder, 4);
    agrees(folder, "out", &[]);
    let names: Vec<String> = places(folder).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["ant", "cat", "bee", "dog"], "an entry that was eliminated does not lead");
    folder.file("out/journal.jsonl", whole);
}

/// The advice for a damaged journal keeps it, says what it costs, and works.
fn a_damaged_journal(Contest { folder, .. }: &Contest) {
    let ended = places(folder);
    let journal = folder.read("out/journal.jsonl");
    let mut lines: Vec<String> = journal.split_inclusive('\n').map(str::to_owned).collect();
    let line = lines.len() - 2;
    lines[line] = lines[line].replace("\"wall_us\":", "\"wall_us\":1");
    let damaged = lines.concat();
    folder.file("out/journal.jsonl", &damaged);
    let refused = folder.judge(["rank", "out"]).exits(2).message();
    assert!(refused.contains("which loses 2 runs"), "{refused}");
    for advice in refused.split('`').skip(1).step_by(2) {
        match advice.strip_prefix("judge ") {
            Some(arguments) => drop(folder.judge(arguments.split(' ')).exits(0)),
            None => {
                let mut shell = std::process::Command::new("sh");
                assert!(shell.args(["-c", advice]).current_dir(folder.path()).status().unwrap().success());
            }
        }
    }
    assert_eq!(folder.read("out/journal.jsonl.damaged"), damaged);
    agrees(folder, "out", &[]);
    assert_eq!(places(folder), ended);
}

/// A stored answer that was changed is found, and so is a journal that is not the published one.
fn a_changed_answer(Contest { folder, .. }: &Contest) {
    let document = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    let hash = document["journal_hash"].as_str().unwrap().to_owned();
    folder.judge(["verify", "out", "--hash", &hash]).exits(0);
    folder.judge(["verify", "out", "--hash", &"0".repeat(64)]).exits(1);
    let file = "out/output/1/ant/Y.1.out";
    let answer = folder.read(file);
    folder.file(file, "lu\n");
    folder.judge(["verify", "out"]).exits(1).shows(["ant"]);
    let (agreed, printed) = crate::second_opinion::opinion(folder, "out", &[]);
    assert!(!agreed && printed.contains("ant on Y: the stored answer is not the one of the record"), "{printed}");
    folder.file(file, answer);
    folder.judge(["verify", "out", "--hash", &hash]).exits(0);
}

/// The first version of a program that was corrected runs again, and fails where it failed.
fn an_old_version(Contest { folder, .. }: &Contest) {
    folder.judge(["restore", "out", "cat", "--version", "1", "-o", "old"]).exits(0);
    folder.judge(["run", "old", "--out", "again", "--progress", "none"]).exits(0);
    agrees(folder, "again", &[]);
    let document = folder.judge(["rank", "again", "--format", "json"]).exits(0).json();
    let runs = document["entries"][0]["runs"].as_array().unwrap();
    let solved = |board: &str| {
        let run = runs.iter().find(|run| run["board"] == board).unwrap();
        run["cell"].as_str().unwrap().starts_with("25/")
    };
    assert!(solved("X") && !solved("Y"), "{runs:?}");
}

/// A journal whose round was opened by rules that have changed is read, with a warning, and counts as it is recorded.
#[test]
#[ignore = "deep: months"]
fn a_ranking_rule_that_changed_leaves_a_month_that_agrees_with_its_answers() {
    if !has_python() {
        return;
    }
    for rules in ["rules-1", "rules-2-relative"] {
        let folder = Folder::new();
        copy_folder(&project().join("judge/core/tests/recorded").join(rules), folder.path());
        assert!(folder.judge(["rank", "out"]).exits(0).stderr.contains("it counts as it is recorded"), "{rules}");
        agrees(&folder, "out", &[]);
    }
}

/// Of a month with every event of format 5, another program finds the same table.
#[test]
#[ignore = "deep: months"]
fn a_recorded_month_with_every_event_has_the_points_that_follow_from_its_answers() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    copy_folder(&project().join("judge/core/tests/recorded/format-6"), folder.path());
    agrees(&folder, "out", &["--points", "(len(answer) - 1) * 3"]);
}

/// A referee that gives a factor times as many points as the answer has bytes.
const BYTES: &str = r#"n=$(wc -c <"$2")
echo '{"format":1,"verdict":"valid","figures":{"score":'$((n * FACTOR))'}}' >"${3}ruling.json"
echo '{"at":'"$n"',"grid":["AB"]}' >"${3}frames.jsonl""#;

#[test]
#[ignore = "deep: months"]
fn the_month_of_a_referee_has_the_points_that_follow_from_its_answers_after_every_step() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let referee = |factor: &str| drop(folder.script("referee/referee", &BYTES.replace("FACTOR", factor)));
    // What each version of the referee gives.
    let agrees = || agrees(&folder, "out", &["--points", "len(answer) * version"]);
    referee("1");
    let head = "name = \"bytes\"\ngame = \"external\"\nlimit = \"20s\"\n[[figure]]\nname = \"score\"\nbetter = \"more\"\n[referee]\nprotocol = \"native\"\n\
                command = [\"sh\", \"referee/referee\"]\n";
    let mut text = head.to_owned();
    for name in ["A", "B"] {
        folder.file(&format!("{name}.txt"), name);
        text += &format!("[[board]]\nname = \"{name}\"\nfile = \"{name}.txt\"\n");
    }
    let enter = |name: &str, answer: &str| {
        folder.script(&format!("{name}/solve"), &format!("echo {answer}"));
        format!("[[entry]]\nname = \"{name}\"\ncommand = \"{name}/solve\"\n")
    };
    text += &enter("ant", "abc");
    text += &enter("bee", "abcde");
    folder.file("contest.toml", &text);
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    agrees();
    let before = folder.read("out/journal.jsonl");
    // A referee that cannot start changes nothing, and nothing is run again.
    let (code, printed) = with_path(&folder, "/nowhere", &["rejudge", "out"]);
    assert!(code != Some(0) && printed.contains("the referee cannot be started"), "{printed}");
    folder.judge(["resume", "out"]).exits(0);
    assert_eq!(folder.read("out/journal.jsonl"), before);
    // A recorded run is replayed.
    folder.judge(["replay", "out", "ant", "A"]).exits(0).shows(["A  B\nvalid with score 4\n"]);
    // Another referee, and a late entry: one table has one referee.
    referee("2");
    text += &enter("cat", "a");
    folder.file("contest.toml", &text);
    folder.judge(["update", "out"]).exits(2).says(["the referee has changed", "--rejudge"]);
    assert_eq!(folder.read("out/journal.jsonl"), before);
    folder.judge(["update", "out", "--rejudge", "--progress", "none"]).exits(0);
    agrees();
    let table = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    let totals =
        table["entries"].as_array().unwrap().iter().map(|row| row["total"]["figures"]["score"].as_str().unwrap());
    assert_eq!(totals.collect::<Vec<_>>(), ["24", "16", "8"]);
    folder.judge(["verify", "out"]).exits(0);
}
