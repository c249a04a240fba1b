//! Points: exact sums, directions, full points, groups, relative scores, and every output of them.

use super::external;
use crate::support::*;

/// A referee that gives the answer as its score.
const SCORES: &str = r#"read -r a <"$2"
case $a in
bad) echo '{"format":1,"verdict":"wrong","reason":"bad"}' ;;
*) echo '{"format":1,"verdict":"valid","figures":{"score":"'"$a"'"}}' ;;
esac >"${3}ruling.json""#;

/// Entries that answer each board with its word of theirs.
fn answering(words: &'static str) -> String {
    format!("set -- {words}; read -r n <board.txt; eval \"echo \\${{$n}}\"")
}

fn scored(folder: &Folder, keys: &str) {
    let [a, b, c] = ["0.1 100 bad", "0.2 90.05 30", "0.3 80 30"].map(answering);
    let entries = [("alpha", a.as_str()), ("beta", b.as_str()), ("gamma", c.as_str())];
    let keys = format!("protocol = \"native\"\n[[figure]]\nname = \"score\"\ndecimals = 2\n{keys}");
    external(folder, &keys, SCORES, &[("A", "1\n"), ("B", "2\n"), ("C", "3\n")], &entries);
}

fn order(folder: &Folder, args: &[&str]) -> Vec<String> {
    let json = folder.judge([&["rank"], args, &["--format", "json"]].concat()).exits(0).json();
    let name = |entry: &serde_json::Value| {
        let total = &entry["total"];
        let relative =
            total["relative_to_best_here"].as_f64().map_or(String::new(), |relative| format!(" {relative:.3}"));
        format!("{} {}{relative}", entry["entry"].as_str().unwrap(), total["figures"]["score"].as_str().unwrap())
    };
    json["entries"].as_array().unwrap().iter().map(name).collect()
}

#[test]
fn points_are_ranked_in_their_direction() {
    let folder = Folder::new();
    scored(&folder, "better = \"more\"");
    let printed = folder.judge(["run", "--out", "out", "--report"]).exits(0);
    assert_eq!(order(&folder, &["out"]), ["beta 120.25", "gamma 110.30", "alpha 100.10"]);
    assert!(printed.stdout.contains("a cell is the score, more is better, a total is their sum"), "{}", printed.stdout);
    // A run on a busy machine is marked as suspect.
    assert!(printed.stdout.replace('?', " ").contains(" WRO "), "{}", printed.stdout);
    // A relative score per board: no board outweighs the others.
    let relative = order(&folder, &["out", "--by", "relative"]);
    assert_eq!(relative, ["gamma 110.30 2.800", "beta 120.25 2.567", "alpha 100.10 1.333"]);
    let table = folder.judge(["rank", "out", "--by", "relative,score"]).exits(0).stdout;
    assert!(table.contains(" relative score ") && table.contains(" 2.8000 "), "{table}");
    // Every form of the results has the same points.
    for file in ["out/results.csv", "table.csv"] {
        folder.file("table.csv", folder.judge(["rank", "out", "--format", "csv"]).exits(0).stdout);
        assert_eq!(order(&folder, &[file]), order(&folder, &["out"]), "{file}");
        assert_eq!(order(&folder, &[file, "--by", "relative"]), relative, "{file}");
    }
    // A column of suspect runs may follow, on a busy machine.
    assert!(folder.read("table.csv").lines().next().unwrap().contains("score,total_ms"));
    let plain = folder.judge(["rank", "out", "--format", "plain"]).exits(0).stdout;
    assert!(plain.starts_with("beta  0.20 90.05  30.00 120.25"), "{plain}");
    let page = folder.read("out/report.html");
    assert!(page.contains("120.25") && page.contains("the score, more is better"));
}

#[test]
fn where_less_is_better_a_failure_never_wins() {
    let folder = Folder::new();
    scored(&folder, "better = \"less\"\nfull = \"30\"");
    folder.judge(["run", "--out", "out"]).exits(0);
    // Alpha has the least points, and a wrong answer.
    assert_eq!(order(&folder, &["out"]), ["gamma 110.30", "beta 120.25", "alpha 100.10"]);
    let verdicts = super::verdicts(&folder);
    let of = |entry: &str, board: &str| verdicts[&(entry.to_owned(), board.to_owned())].as_str();
    assert_eq!((of("alpha", "A"), of("beta", "B"), of("beta", "C")), ("valid 0.10", "valid 90.05", "valid 30.00"));
}

#[test]
fn groups_make_totals_as_the_contest_file_says() {
    let folder = Folder::new();
    // Points of accepted answers without a score, as packages with groups have them.
    let script = "read -r a; read -r b <\"$2\"; [ \"$a\" = \"$b\" ] && exit 42; exit 43";
    for (board, points) in [("A", "8"), ("B", "8"), ("C", "30"), ("D", "30"), ("E", "62")] {
        folder.file(&format!("boards/{board}.ans"), format!("{points}\n"));
    }
    let boards = ["A", "B", "C", "D", "E"].map(|name| (name, name));
    let all = "case $(cat board.txt) in A|B) echo 8 ;; C|D) echo 30 ;; E) echo 62 ;; esac";
    let half = "case $(cat board.txt) in A|B) echo 8 ;; C) echo 30 ;; E) echo 62 ;; esac";
    let late = "case $(cat board.txt) in A) echo 8 ;; C|D) echo 30 ;; E) echo 62 ;; esac";
    external(
        &folder,
        "protocol = \"kattis\"\n[[figure]]\nname = \"score\"\nbetter = \"more\"",
        script,
        &boards,
        &[("all", all), ("half", half), ("late", late)],
    );
    let mut text = folder.read("contest.toml");
    for (board, group, points) in
        [("A", "easy", ""), ("B", "easy", ""), ("C", "hard", "30"), ("D", "hard", "30"), ("E", "last", "62")]
    {
        let points = if points.is_empty() { "points = \"0\"".into() } else { format!("points = \"{points}\"") };
        text = text
            .replace(&format!("name = \"{board}\"\n"), &format!("name = \"{board}\"\ngroup = \"{group}\"\n{points}\n"));
    }
    text += "[[group]]\nname = \"easy\"\naggregate = \"all\"\npoints = \"8\"\n";
    text += "[[group]]\nname = \"hard\"\naggregate = \"min\"\n[[group]]\nname = \"last\"\nrequires = [\"easy\"]\n";
    folder.file("contest.toml", text);
    let printed = folder.judge(["run", "--out", "out"]).exits(0);
    assert_eq!(order(&folder, &["out"]), ["all 100", "half 70", "late 30"]);
    assert!(printed.stdout.contains("made of the boards as their groups say"), "{}", printed.stdout);
    assert_eq!(order(&folder, &["out/results.csv"]), ["all 100", "half 70", "late 30"]);
    // By points alone: time would decide between two equal ones.
    assert_eq!(order(&folder, &["out", "--boards", "C,D", "--by", "score"]), ["all 30", "late 30", "half 0"]);
}

#[test]
fn compared_entries_differ_by_their_points() {
    let folder = Folder::new();
    scored(&folder, "better = \"more\"");
    folder.judge(["run", "--out", "out"]).exits(0);
    let json = folder.judge(["compare", "out", "--format", "json", "--rows", "boards"]).exits(0).json();
    let pair = json["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|pair| pair["first"]["entry"] == "beta" && pair["second"]["entry"] == "alpha")
        .unwrap();
    let outcomes: Vec<_> =
        pair["boards"].as_array().unwrap().iter().map(|line| line["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["first", "second", "first"]);
}
