//! Changes of a running contest one by one, rounds in every output, and the commands around them.

use judge_contest::{Contest, Overrides};
use judge_core::plan::{Advance, RankKey};

use crate::support::*;

/// Two entries on two boards, ranked without time.
fn small(folder: &Folder) -> String {
    folder.script("good/solve", "echo lluu");
    folder.script("bad/solve", "echo l");
    let boards = [("N1", board("near-end-1")), ("N2", board("near-end-2"))];
    let boards: Vec<(&str, &str)> = boards.iter().map(|(name, file)| (*name, file.as_str())).collect();
    let text = contest(&boards) + "[ranking]\norder = [\"progress\", \"moves\"]\n";
    text + &entry("good", &["./good/solve"]) + &entry("bad", &["./bad/solve"])
}

#[test]
fn a_resume_takes_over_facts_for_people() {
    let folder = Folder::new();
    let text = small(&folder);
    folder.file("contest.toml", &text);
    folder.judge(["run", "--out", "out"]).exits(0);
    let before = folder.journal("out", "").len();
    let printed = text.replace("name = \"test\"", "name = \"renamed\"");
    let printed = printed.replace("name = \"good\"\n", "name = \"good\"\nauthor = \"Somebody\"\ncompeting = false\n");
    let printed = printed.replace("name = \"N1\"\n", "name = \"N1\"\nnote = \"the first\"\n");
    folder.file("contest.toml", &printed);
    let resumed = folder.judge(["resume", "out", "--format", "json"]).exits(0).json();
    assert_eq!((&resumed["contest"], &resumed["boards"][0]["note"]), (&"renamed".into(), &"the first".into()));
    let winner = &resumed["entries"][0];
    assert_eq!(
        (&winner["entry"], &winner["place"]),
        (&"bad".into(), &1.into()),
        "the other one does not compete any more"
    );
    assert_eq!(resumed["entries"][1]["author"], "Somebody");
    let events: Vec<Value> = folder.journal("out", "")[before..].iter().map(|line| line["line"].clone()).collect();
    assert_eq!(events, ["settings", "board", "entry"], "and nothing was run");
    folder.judge(["resume", "out"]).exits(0);
    assert_eq!(folder.journal("out", "").len(), before + 3, "once");

    // What defines a run, or takes something out of the contest, needs an update.
    for (from, to, difference) in [
        ("limit = \"10s\"", "limit = \"11s\"", "limits: `limit 10s"),
        ("good/solve\"]", "good/solve\", \"-x\"]", "entry good differs"),
        ("good/solve\"]", "good/solve\"]\nworking_files = [\"bad\"]", "entry good differs"),
        ("name = \"bad\"\n", "name = \"bad\"\nwithdrawn = \"a fault\"\n", "entry bad is withdrawn"),
        ("name = \"N2\"\n", "name = \"N2\"\nstruck = \"a misprint\"\n", "board N2 is struck"),
    ] {
        folder.file("contest.toml", printed.replace(from, to));
        let refused = folder.judge(["resume", "out"]).exits(2).message();
        assert!(refused.contains(difference), "{refused}");
        assert!(refused.contains("make the change part of the contest with `judge update out`"), "{refused}");
    }
    assert_eq!(folder.journal("out", "").len(), before + 3);
}

#[test]
fn an_update_that_is_impossible_or_not_alone_changes_nothing() {
    let folder = Folder::new();
    let text = small(&folder);
    folder.file("contest.toml", &text);
    folder.judge(["run", "--out", "out"]).exits(0);
    let journal = folder.read("out/journal.jsonl");
    let without = text.split("[[entry]]\nname = \"bad\"").next().unwrap();
    folder.file("contest.toml", without);
    let refused = folder.judge(["update", "out"]).exits(2);
    insta::assert_snapshot!(refused.message(), @r#"judge: FOLDER/contest.toml: entry bad is not in the contest file any more; to take it out of the contest, keep its table and add withdrawn = "REASON" or disqualified = "REASON""#);
    folder.file("contest.toml", text.replace("[ranking]", "[rules]\ncentre_transport = \"noop\"\n[ranking]"));
    let refused = folder.judge(["update", "out"]).exits(2);
    insta::assert_snapshot!(refused.message(), @"judge: FOLDER/contest.toml: the game and its rules cannot change; start a new contest");

    folder.file("contest.toml", text + &entry("late", &["./good/solve"]));
    let file = fs::File::open(folder.path().join("out/judging.lock")).unwrap();
    file.lock().unwrap();
    let locked = folder.judge(["update", "out"]).exits(2);
    insta::assert_snapshot!(locked.message(), @"judge: out/journal.jsonl is in use by another judge; wait until that one has ended");
    // A preview changes nothing, so it need not wait.
    let printed = folder.judge(["update", "out", "--dry-run"]).exits(0).stdout;
    assert!(printed.starts_with("entry late is new\n2 runs to execute: late 2; at most "), "{printed}");
    drop(file);
    assert_eq!(folder.read("out/journal.jsonl"), journal);
    let printed = folder.judge(["update", "out", "--comment", "one more"]).exits(0);
    contains(&printed.stderr, ["entry late is new\n", "2 runs to execute: late 2"]);
    assert_eq!(folder.journal("out", "run").len(), 6);
    assert!(folder.judge(["runs", "out"]).exits(0).stdout.contains("one more"));
}

/// A table without the times, which no two runs share.
fn timeless(table: &str) -> String {
    let mut words = Vec::new();
    for line in table.lines() {
        // The frame depends on the widths of the times, and a mark on the load of the machine.
        let line: Vec<&str> = line.split(['│', '┆']).map(|field| field.trim().trim_end_matches('?')).collect();
        let line = line.join(" | ");
        if !line.contains(['─', '═']) {
            words.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    let mut text = words.join("\n");
    while let Some((before, after)) = text.split_once(" ms |") {
        let before = before.trim_end_matches(|c: char| c.is_ascii_digit());
        text = format!("{before}MS |{after}");
    }
    text
}

#[test]
fn rounds_are_in_every_output() {
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder.script(&format!("{name}/solve"), if name == "c" { "echo l" } else { "echo lluu" });
    }
    let boards = [("N1", board("near-end-1")), ("N2", board("near-end-2")), ("LAST", board("near-end-1"))];
    let boards: Vec<(&str, &str)> = boards.iter().map(|(name, file)| (*name, file.as_str())).collect();
    let text = contest(&boards)
        + "[ranking]\norder = [\"progress\", \"moves\"]\n[[round]]\nname = \"Heats\"\nboards = [\"N1\", \"N2\"]\n\
           advance = \"tied\"\n[[round]]\nname = \"Finale\"\nboards = [\"LAST\"]\nlimit = \"1m\"\n";
    let entries: String = ["a", "b", "c"].iter().map(|name| entry(name, &[&format!("./{name}/solve")])).collect();
    folder.file("contest.toml", text + &entries);
    let printed = folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    assert!(printed.stderr.contains("round 2, Finale: a, b\n"), "{}", printed.stderr);
    let table = timeless(&printed.stdout);
    let shown: Vec<&str> = table.lines().skip_while(|line| !line.starts_with("test, 10s")).take(5).collect();
    insta::assert_snapshot!(shown.join("\n"), @"
    test, 10s to 1m per board
    | | entry | N1 | N2 | Heats (2) | LAST | Finale (1) | time |
    | 1 | a | 25/4 | 22/4 | 047/0008/000 | 25/4 | 025/0004/000 | MS |
    | 1 | b | 25/4 | 22/4 | 047/0008/000 | 25/4 | 025/0004/000 | MS |
    | 3 | c | 21/1 | 21/1 | 042/0002/000 | | | MS |
    ");
    contains(&table, ["Heats: 3 entries\nFinale: 2 entries, 1m per board\nthe last round that an entry reached"]);
    let places = |document: &Value| -> Vec<(String, Value)> {
        let rows = document["entries"].as_array().unwrap().iter();
        rows.map(|row| (row["entry"].as_str().unwrap().to_owned(), row["place"].clone())).collect()
    };
    let json = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    assert_eq!(json["rounds"][1]["name"], "Finale");
    let limits = serde_json::json!([10_000, 60_000]);
    assert_eq!((&json["limit_ms"], &json["limits_ms"]), (&10_000.into(), &limits));
    let listed = folder.judge(["runs", ".", "--json"]).exits(0).json();
    assert_eq!((&listed[0]["results"], &listed[0]["limits_ms"]), (&"./out".into(), &limits));
    folder.judge(["runs", "out"]).exits(0).shows(["10s to 1m"]);
    assert_eq!((&json["boards"][2]["round"], &json["entries"][2]["runs"].as_array().unwrap().len()), (&2.into(), &2));
    assert_eq!(json["entries"][0]["rounds"].as_array().unwrap().len(), 2);
    // results.csv has the rounds and their names; a table has their numbers.
    let again = folder.judge(["rank", "out/results.csv", "--by", "progress,moves"]).exits(0).stdout;
    let rows = |table: &str| {
        // Equal rows stand in the order of the file that was read.
        let mut rows: Vec<String> = timeless(table).lines().skip(1).take(4).map(str::to_owned).collect();
        rows.sort();
        rows
    };
    assert_eq!(rows(&again), rows(&printed.stdout));
    let csv = folder.judge(["rank", "out", "--format", "csv"]).exits(0).stdout;
    assert!(csv.starts_with("place,entry,author,competing,N1,N2,2/LAST,"), "{csv}");
    folder.file("table.csv", csv);
    let read = folder.judge(["rank", "table.csv", "--by", "progress,moves", "--format", "json"]).exits(0).json();
    assert_eq!(places(&read), places(&json));
    let plain = folder.judge(["rank", "out", "--format", "plain"]).exits(0).stdout;
    assert!(plain.lines().nth(2).unwrap().starts_with("c"), "{plain}");
    // The finale alone, and a comparison of those who met there.
    let finale = folder.judge(["rank", "out", "--boards", "LAST", "--format", "json"]).exits(0).json();
    assert_eq!(places(&finale), [("a".into(), 1.into()), ("b".into(), 1.into())], "c took no part in it");
    folder.judge(["compare", "out"]).exits(0).shows(["2/LAST"]);
    let compared = folder.judge(["compare", "out", "--format", "json"]).exits(0).json();
    assert_eq!((&compared["boards"][1]["round"], &compared["boards"][2]["round"]), (&1.into(), &2.into()));
    folder.judge(["report", "out"]).exits(0);
    let page = folder.read("out/report.html");
    assert!(page.contains("Heats (2)") && page.contains("Finale (1)") && page.contains("opens for a, b"), "rounds");
}

#[test]
fn a_round_that_cannot_open_is_explained() {
    let folder = Folder::new();
    let text = small(&folder);
    let rounds = |advance: &str, seal: &str| {
        format!(
            "[[round]]\nname = \"Heats\"\nboards = [\"N1\", \"N2\"]\nadvance = {advance}\n[[round]]\nname = \"Finale\"\n\
             boards = [\"LAST\"]\nsealed = \"sha256:{seal}\"\n[[board]]\nname = \"LAST\"\nfile = \"last.txt\"\n"
        )
    };
    let seal = "0".repeat(64);
    folder.file("contest.toml", text.clone() + &rounds("\"tied\"", &seal));
    folder
        .judge(["run", "--out", "no-entry"])
        .exits(0)
        .shows(["round Finale has not opened: no entry advances to it\n"]);
    folder.file("contest.toml", text.clone() + &rounds("{ top = 1 }", &seal));
    let sealed = folder.judge(["run", "--out", "sealed"]).exits(0).stdout;
    contains(&sealed, ["round Finale has not opened: boards are still sealed: LAST; good goes on, with 1 run\n"]);
    assert!(!folder.read("sealed/journal.jsonl").contains("last.txt"), "nothing of a sealed board is known");
    let waits = folder.judge(["update", "sealed", "--dry-run"]).exits(0).stdout;
    assert_eq!(
        waits,
        "no run to execute\nround Finale opens when its sealed boards are there: LAST; good goes on, with 1 run\n"
    );
    folder.judge(["check"]).exits(0).shows([
        "note    round Finale: 1 board, 1 sealed; it opens when all are there, 1 not yet\n",
        "  round Finale: at most 2 runs, ",
    ]);
    // Another board than the one that was published.
    folder.file("last.txt", fs::read_to_string(board("near-end-1")).unwrap());
    let other = folder.judge(["resume", "sealed"]).exits(2).message();
    // The hash that it would have needed: then its round opens at once, and a dry run says what that costs.
    let hash = other.split("its file has sha256:").nth(1).unwrap()[..64].to_owned();
    folder.file("contest.toml", text.clone() + &rounds("{ top = 1 }", &hash));
    let printed = folder.judge(["update", "sealed", "--dry-run", "--comment", "almost"]).exits(0).stdout;
    assert!(
        printed.contains("the contest's comment is: almost\n")
            && printed.contains("no run to execute\nthen round 2, Finale: good; 1 run to execute: good 1; at most "),
        "{printed}"
    );
    let replaced = format!("; the seal of board LAST is sha256:{hash} instead of sha256:{seal}\n");
    assert!(printed.contains(&replaced), "{printed}");
    contains(&other, ["board LAST does not match its seal sha256:000", "restore the file that was sealed"]);
}

#[test]
fn a_check_finds_what_would_cost_hours() {
    let folder = Folder::new();
    let text = small(&folder);
    folder.file("contest.toml", &text);
    let good = folder.judge(["check", "--jobs", "1"]).exits(0).stdout;
    insta::assert_snapshot!(good, @r"
    test
      figure  progress: from the referee, more is better, 0 decimals, a total is the sum, a failure counts its own
      figure  moves: from the referee, less is better, 0 decimals, a total is the sum, a failure counts 0
      figure  tie_break: from the referee, less is better, 0 decimals, a total is the sum, a failure counts 0
      table   a cell has progress/moves, a total progress moves tie_break
      places  by progress solved failed moves
      ok      entry good: good/solve
      ok      entry bad: bad/solve
      4 runs, 1 at a time: at most 40s
    no problem found
    ");
    let out = entry("out", &["./gone"]) + "withdrawn = \"its author moved\"\n";
    folder.file("contest.toml", text.clone() + &entry("gone", &["./gone"]) + &entry("dir", &["./good"]) + &out);
    folder.judge(["check", "contest.toml"]).exits(2).shows([
        "  PROBLEM entry gone: gone: no such file; build it, or correct `command`\n",
        "  PROBLEM entry dir: good is a folder; name the program in it\n",
        "  note    entry out: withdrawn: its author moved\n",
        "\n2 problems\n",
    ]);
    // A run says the same, and lets the others run.
    folder.file("contest.toml", text.clone() + &entry("gone", &["./gone"]));
    let run = folder.judge(["run", "--out", "out"]).exits(0);
    let message = "entry gone: gone: no such file; build it, or correct `command`";
    assert!(run.stderr.contains(&format!("notice: {message}\n")), "{}", run.stderr);
    let as_json = folder.judge(["run", "--out", "as-json", "--format", "json"]).exits(0).json();
    assert!(as_json["notices"].as_array().unwrap().contains(&message.into()), "{as_json}");
    let ranked = folder.judge(["rank", "as-json", "--format", "json"]).exits(0).json();
    assert_eq!(Value::Null, ranked["notices"], "a ranking has nothing to say");
    assert!(run.stdout.contains("0/RUN") || run.stdout.contains("could not be started"), "{}", run.stdout);
    folder.file("contest.toml", text.replace("limit = \"10s\"", "limit = \"10s\"\nmemory = \"900TiB\""));
    folder.judge(["check"]).exits(2).shows(["PROBLEM memory: an entry may use 900.0 TiB, but this machine has "]);
    folder.file("contest.toml", text.replace("N2\"\n", "N2\"\nstruck = \"a misprint\"\n"));
    folder.judge(["check"]).exits(0).shows(["note    board N2: struck: a misprint\n", "  2 runs, "]);
}

#[test]
fn runs_lists_what_is_here() {
    let folder = Folder::new();
    assert_eq!(folder.judge(["runs"]).exits(0).stdout, "no results here; `judge run` makes some\n");
    folder.judge(["runs", "elsewhere"]).exits(2);
    folder.file("contest.toml", small(&folder));
    folder.judge(["run", "--comment", "first try"]).exits(0);
    folder.judge(["run", "--entries", "good"]).exits(0);
    folder.file("runs/3/journal.jsonl", "damaged\n");
    let listed = folder.judge(["runs"]).exits(0);
    assert!(listed.stderr.contains("notice: runs/3/journal.jsonl"), "{}", listed.stderr);
    let document = folder.judge(["runs", "runs", "runs/1", "--json"]).exits(0).json();
    let of = |index: usize, key: &str| document[index][key].clone();
    assert_eq!(
        (of(0, "results"), of(1, "results"), of(2, "results")),
        ("runs/1".into(), "runs/2".into(), "runs/1".into())
    );
    assert_eq!(
        (of(0, "entries"), of(0, "boards"), of(0, "done"), of(0, "runs")),
        (2.into(), 2.into(), 4.into(), 4.into())
    );
    assert!(of(0, "date").as_str().unwrap().ends_with('Z'));
    assert_eq!((of(0, "comment"), of(1, "comment")), ("first try".into(), Value::Null));
    assert!(of(0, "outcome").as_str().unwrap().starts_with("good "), "{document}");
    assert!(of(1, "outcome").as_str().unwrap().contains(" solved"), "{document}");
    assert!(listed.stdout.contains("first try") && listed.stdout.contains("10s"), "{}", listed.stdout);
}

#[test]
fn the_plan_of_1995_is_that_of_the_article() {
    let load = |name: &str| Contest::load(&project().join(name), &Overrides::default()).unwrap().plan;
    let (plan, held) = (load("contests/1995-plan.toml"), load("contest.toml"));
    let [last, finale] = &plan.rounds[..] else { panic!("{:?}", plan.rounds) };
    assert_eq!((last.boards.as_slice(), last.advance), (&["FOXY".to_owned()][..], Advance::Tied));
    assert_eq!(last.tie_on, [RankKey::PROGRESS]);
    let texts: std::collections::HashSet<&str> = plan.boards.iter().map(|board| board.text.as_str()).collect();
    assert_eq!((finale.boards.len(), texts.len()), (4, 5), "different squares");
    let of_1995 = held.entries.iter().filter(|entry| entry.year == Some(1995));
    let own = |path: &str| path.replace("../", "");
    let facts = |entry: &judge_contest::Entry| {
        let words: Vec<String> = entry.command.iter().map(|word| own(word)).collect();
        (
            entry.name.clone(),
            entry.author.clone(),
            entry.strategy.clone(),
            entry.competing,
            words,
            entry.build.as_deref().map(own),
        )
    };
    assert_eq!(
        plan.entries.iter().map(|entry| facts(entry)).collect::<Vec<_>>(),
        of_1995.map(|entry| facts(entry)).collect::<Vec<_>>()
    );
    assert_eq!((plan.entries.len(), &plan.problems[0].rules), (16, &held.problems[0].rules));
}

#[test]
fn good_runs_are_not_replaced_by_runs_of_a_program_that_is_not_there() {
    let folder = Folder::new();
    folder.file("mine/solve.sh", "echo lluu\n");
    let boards = [("N1", board("near-end-1")), ("N2", board("near-end-2"))];
    let boards: Vec<(&str, &str)> = boards.iter().map(|(name, file)| (*name, file.as_str())).collect();
    let text = contest(&boards) + &entry("mine", &["sh", "mine/solve.sh"]);
    folder.file("contest.toml", &text);
    folder.judge(["run", "--out", "out"]).exits(0);
    let journal = folder.read("out/journal.jsonl");
    let without_path = |args: &[&str]| {
        let output = folder.command(args.iter().copied()).env("PATH", "/nowhere").output().unwrap();
        let printed = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        (output.status.code(), printed)
    };
    // An interpreter that is missing for once, and a script that is misspelt.
    let loss = "2 good runs of mine would be replaced by runs that cannot start: ";
    let (code, printed) = without_path(&["update", "out", "--dry-run"]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("PROBLEM entry mine: sh is not on the PATH; install it"), "{printed}");
    assert!(
        printed.contains(&format!("{loss}sh is not on the PATH"))
            && printed.contains("; the update would need --force\n")
    );
    let (code, printed) = without_path(&["update", "out"]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains(loss) && printed.contains("; correct it, or replace them with --force\n"), "{printed}");
    folder.file("contest.toml", text.replace("mine/solve.sh", "mine/slove.sh") + &entry("new", &["./none"]));
    let printed = folder.judge(["update", "out", "--dry-run"]).exits(2).stdout;
    assert!(
        printed.contains("PROBLEM entry mine: mine/slove.sh: no such file")
            && printed.contains("did you mean mine/solve.sh?")
    );
    assert!(printed.contains("PROBLEM entry new: none: no such file") && printed.contains(loss), "{printed}");
    folder.judge(["update", "out"]).exits(2);
    // A board that is replaced is lost to the entry as well.
    folder.file("contest.toml", text.replace(&boards[0].1.to_owned(), &board("near-end-3")));
    let (_, printed) = without_path(&["update", "out"]);
    assert!(printed.contains(loss), "{printed}");
    assert_eq!(folder.read("out/journal.jsonl"), journal);

    // What is new has nothing to lose, but is a problem all the same. --force replaces the rest.
    folder.file("contest.toml", text.clone() + &entry("new", &["./none"]));
    folder.judge(["update", "out", "--dry-run", "--force"]).exits(0);
    folder.judge(["update", "out", "--dry-run"]).exits(2).shows(["PROBLEM entry new"]).hides(["--force"]);
    folder.judge(["update", "out"]).exits(0);
    let (code, printed) = without_path(&["update", "out", "--force"]);
    assert_eq!(code, Some(0), "{printed}");
    let journal = folder.read("out/journal.jsonl");
    let last = journal.lines().rfind(|line| line.contains("\"entry\":\"mine\"")).unwrap();
    assert!(last.contains("\"verdict\":\"could_not_start\""), "{last}");
}

/// Dates are for people: nothing depends on their order.
#[test]
fn a_clock_that_was_set_back_changes_nothing_but_dates() {
    let folder = Folder::new();
    folder.script("mine/solve", "echo lluu");
    folder.script("other/solve", "echo lluu");
    let near = board("near-end-1");
    let text = contest(&[("N1", &near)]) + &entry("mine", &["mine/solve"]);
    folder.file("contest.toml", &text);
    folder.judge(["run", "--out", "out"]).exits(0);
    // All of it was recorded in a year to come.
    let journal = folder.read("out/journal.jsonl").replace("\"at\":\"20", "\"at\":\"21");
    folder.file("out/journal.jsonl", chained(journal.lines()));
    folder.judge(["resume", "out"]).exits(0);
    folder.file("contest.toml", text + &entry("other", &["other/solve"]));
    folder.judge(["update", "out"]).exits(0);
    folder.judge(["rule", "out", "mine", "N1", "wrong", "--because", "seen"]).exits(0);
    folder.judge(["rule", "out", "mine", "N1", "--undo"]).exits(0);
    folder.judge(["verify", "out"]).exits(0);
    folder.judge(["report", "out"]).exits(0);
    let page = folder.read("out/report.html");
    let history = page.split_once("<ol class=\"history\">").unwrap().1.split_once("</ol>").unwrap().0;
    let at = |sentence: &str| history.find(sentence).unwrap_or_else(|| panic!("{sentence}: {history}"));
    assert!(at("begins with 1 entry") < at("Entry other enters") && at("Entry other enters") < at("seen"), "{history}");
    let contents = judge_core::journal::read(&folder.path().join("out")).unwrap();
    assert_eq!((contents.records.len(), contents.missing().len()), (2, 0));
}
