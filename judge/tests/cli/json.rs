//! The keys of JSON are those that `docs/json.md` lists, and a comparison for programs has one kind of row.

use crate::support::*;

/// The keys that a section of the page lists.
fn listed(section: &str) -> BTreeSet<String> {
    let page = std::fs::read_to_string(project().join("docs/json.md")).unwrap();
    let section = page.split("\n## ").find(|text| text.starts_with(section)).unwrap();
    let table = section.split("| key | value |").nth(1).unwrap();
    let heads = table.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    heads
        .flat_map(|head| head.split("`, `").map(|key| key.trim_end_matches('`').to_owned()).collect::<Vec<_>>())
        .collect()
}

/// Adds the paths of all keys of a value. A map from untrusted names has no keys of ours.
fn add_keys(value: &Value, path: &str, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(_) if path.ends_with(".figures") && path != "scoring.figures" => {}
        Value::Object(object) if path != "unlike_machines.models" => {
            for (key, value) in object {
                // The keys of changes are those of pairs.
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                let path = path.replace("changes.", "pairs.");
                // So are those of an earlier version that it is compared with.
                let path = path.replace("against.version.", "version.");
                add_keys(value, &path, keys);
                keys.insert(path);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| add_keys(value, path, keys)),
        _ => {}
    }
}

/// Compares the keys of these outputs with those of a section, both ways.
fn assert_listed(outputs: &[Value], section: &str) {
    let mut keys = BTreeSet::new();
    outputs.iter().for_each(|output| add_keys(output, "", &mut keys));
    let listed = listed(section);
    let missing: Vec<&String> = keys.difference(&listed).collect();
    assert!(missing.is_empty(), "docs/json.md does not list these keys of `{section}`: {missing:?}");
    let unseen: Vec<&String> = listed.difference(&keys).collect();
    assert!(unseen.is_empty(), "no output of this test has these keys of docs/json.md, `{section}`: {unseen:?}");
}

/// Eight entries on eight boards, with moves that depend on a number, every run twice.
fn table(limit_ms: u64, shift: usize) -> String {
    let mut csv = "entry,board,repeat,verdict,progress,full,moves,tie_break,wall_us,limit_ms,game\n".to_owned();
    for (e, entry) in ["a", "b", "c", "d", "e", "f", "g", "h"].iter().enumerate() {
        for board in 0..8 {
            for repeat in 1..=2 {
                let moves = 10 + (e * 7 + board * 5 + shift * 3 + repeat) % 11;
                csv += &format!(
                    "{entry},B{board},{repeat},solved,25,25,{moves},1,{},{limit_ms},loyd\n",
                    1_000 * (e + board + 1)
                );
            }
        }
    }
    csv
}

const POINTS: &str = r#"entry,board,round,verdict,progress,full,moves,tie_break,score,scoring,wall_us,limit_ms,cpu_us,cpu_by,memory_bytes,memory_by,attempt,suspect,node,model,ruling,ruled_by,notes,withdrawn,isolation,reason,final_board,group
a,X,1,valid,1,2,3,1,12.5,"{""figures"":[{""name"":""score"",""better"":""more"",""decimals"":1,""full"":""20""},{""name"":""secs"",""from"":""time"",""unit"":1000,""round"":""down"",""total"":""max""}],""groups"":[{""name"":""g"",""aggregate"":""all"",""points"":""5"",""requires"":[""h""]},{""name"":""h"",""aggregate"":""sum"",""within"":""g""}]}",5,9,7,cgroup,8,cgroup,2,busy,n1,m1,by hand,Ada,note,,none,,,g
a,Y,2,wrong,1,2,0,0,,,5,9,7,cgroup,8,cgroup,1,,n2,m2,,,,,none,no,AB,
b,X,1,valid,1,2,2,1,3.5,,5,9,7,cgroup,8,cgroup,1,,n1,m2,,,,,none,,,g
c,X,1,valid,1,2,2,1,3.5,,5,9,7,cgroup,8,cgroup,1,,n1,m1,,,,ill,none,,,g
"#;

const ROUNDS: &str = "entry,board,round,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n\
    a,X,1,solved,25,25,4,1,5,9\na,Y,2,solved,25,25,4,1,5,9\nb,X,1,solved,25,25,5,1,5,9\n";

const ACCEPTED: &str = "entry,board,round,verdict,scoring,wall_us,limit_ms,exit_code\n\
    a,X,1,solved,\"{\"\"figures\"\":[]}\",5,9,\na,Y,2,solved,,5,9,\nb,X,1,crashed,,5,9,3\n";

/// Entries of a team, one per problem.
const TEAMS: &str = "entry,problems,team,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n\
    ada.1,a,ada,a/X,solved,25,25,7,0,9,99\nada.2,b,ada,b/Y,solved,25,25,9,0,9,99\n";

#[test]
fn the_page_lists_every_key_of_rank() {
    let folder = Folder::new();
    folder.file("teams.csv", TEAMS);
    folder.file("points.csv", POINTS);
    folder.file("accepted.csv", ACCEPTED);
    folder.file("rounds.csv", ROUNDS);
    folder.file("table.csv", table(1_000, 0));
    folder.script("referee", "exit 0");
    folder.script("solver", "echo 1");
    folder.file("board", "1\n");
    let text = "name = \"n\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\ncommand = \"./referee\"\nprotocol = \"exit\"\non_crash = \
                \"reject\"\n[[board]]\nname = \"A\"\nfile = \"board\"\n";
    folder.file("contest.toml", text.to_owned() + &entry("one", &["./solver"]));
    folder.judge(["run", "--out", "out", "--isolation", "off"]).exits(0);
    let rank = |args: &[&str]| folder.judge(["rank", "--format", "json"].iter().chain(args).copied()).exits(0).json();
    let sealed = format!(
        "[[board]]\nname = \"B\"\nfile = \"later\"\n[[round]]\nname = \"One\"\nboards = [\"A\"]\n[[round]]\nname = \"Two\"\n\
         boards = [\"B\"]\nsealed = \"sha256:{}\"\n",
        "0".repeat(64)
    );
    folder.file("contest.toml", text.to_owned() + &sealed + &entry("one", &["./solver"]));
    folder.judge(["run", "--out", "sealed", "--isolation", "off"]).exits(0);
    folder.script("referee", "echo end 1 0");
    let games = text.replace("protocol = \"exit\"\non_crash = \"reject\"\n", "[match]\nseats = 2\n");
    let rounds = "[[board]]\nname = \"B\"\nfile = \"board\"\n[[round]]\nname = \"One\"\nboards = [\"A\"]\n[[round]]\nname = \
                  \"Two\"\nboards = [\"B\"]\nschedule = \"knock-out\"\n";
    folder.file("contest.toml", games + rounds + &entry("one", &["./solver"]) + &entry("two", &["./solver"]));
    folder.judge(["run", "--out", "games", "--isolation", "off"]).exits(0);
    folder.file("contest.toml", text.to_owned() + &entry("gone", &["./gone"]));
    let noticed = folder.judge(["run", "--out", "noticed", "--isolation", "off", "--format", "json"]).exits(0).json();
    let outputs = [
        rank(&["points.csv"]),
        rank(&["points.csv", "--by", "relative"]),
        rank(&["accepted.csv"]),
        rank(&["table.csv", "--by", "relative"]),
        rank(&["out"]),
        rank(&["sealed"]),
        rank(&["rounds.csv"]),
        rank(&["games"]),
        rank(&["teams.csv"]),
        noticed,
    ];
    assert_eq!(outputs[5]["next_round"]["runs"], 1);
    assert!(outputs.iter().all(|output| output["format"] == 3));
    assert_listed(&outputs, "judge rank");
}

#[test]
fn the_page_lists_every_key_of_try() {
    let folder = Folder::new();
    folder.file("near.txt", std::fs::read(crate::support::board("near-end-1")).unwrap());
    folder.script("solver", "echo lluu");
    let tried = || folder.judge(["try", "--json", "--progress", "none", "--on", "near.txt", "--", "./solver"]).exits(0);
    tried();
    folder.script("solver", "echo lrlluu");
    let second = tried().json();
    // A referee that gives points.
    folder.script(
        "referee",
        "echo '{\"format\": 1, \"verdict\": \"valid\", \"figures\": {\"score\": 3}}' > \"$3/ruling.json\"",
    );
    folder.file("board", "1\n");
    let contest = |referee: &str| {
        let head = "name = \"n\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\ncommand = \"./referee\"\n";
        let text = format!("{head}{referee}\n[[board]]\nname = \"A\"\nfile = \"board\"\n");
        folder.file("contest.toml", text + &entry("one", &["./solver"]));
    };
    contest("protocol = \"native\"\n[[figure]]\nname = \"score\"\nbetter = \"more\"");
    let of_contest =
        || folder.judge(["try", "contest.toml", "--json", "--progress", "none", "--", "./solver"]).exits(0).json();
    let points = of_contest();
    // One that accepts.
    folder.script("referee", "exit 0");
    contest("protocol = \"exit\"");
    assert_listed(&[second, points, of_contest()], "judge try");
}

#[test]
fn the_page_lists_every_key_of_compare() {
    let folder = Folder::new();
    for (name, limit, shift) in [("one.csv", 1_000, 0), ("two.csv", 2_000, 1), ("three.csv", 3_000, 2)] {
        folder.file(name, table(limit, shift));
    }
    folder.file("points.csv", POINTS);
    let compare = |args: &[&str]| {
        let args = ["compare", "--format", "json", "--rows", "boards"].iter().chain(args).copied();
        folder.judge(args).exits(0).json()
    };
    let outputs = [compare(&["one.csv", "two.csv", "three.csv"]), compare(&["points.csv"])];
    assert!(outputs.iter().all(|output| output["format"] == 3 && output["rows"] == "boards"));
    assert_listed(&outputs, "judge compare");
}

#[test]
fn the_page_lists_every_key_of_verify() {
    let folder = Folder::new();
    copy_folder(&project().join("judge/core/tests/recorded/rules-1"), folder.path());
    let output = folder.judge(["verify", "out", "--format", "json"]).exits(0).json();
    assert_eq!(output["format"], 1);
    assert_listed(&[output], "judge verify");
}

#[test]
#[ignore = "deep: large"]
fn a_comparison_has_boards_on_request_only() {
    let folder = Folder::new();
    folder.file("one.csv", table(1_000, 0));
    let csv = |rows: &[&str]| {
        folder.judge(["compare", "one.csv", "--format", "csv"].iter().chain(rows).copied()).exits(0).stdout
    };
    let shape = |csv: &str| {
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let heads: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        // No column belongs to another kind of row.
        assert!((0..heads.len()).all(|column| rows.iter().any(|row| !row[column].is_empty())), "{csv}");
        (heads[0].clone(), heads.contains(&"board".to_owned()), rows.len())
    };
    assert_eq!(shape(&csv(&[])), ("kind".into(), false, 28));
    assert_eq!(csv(&[]), csv(&["--rows", "pairs"]));
    assert_eq!(shape(&csv(&["--rows", "boards"])), ("kind".into(), true, 8 * 28));
    assert_eq!(shape(&csv(&["--rows", "entries"])), ("run".into(), false, 8));
    let json = |rows: &str| folder.judge(["compare", "one.csv", "--format", "json", "--rows", rows]).exits(0).json();
    let has_boards = |json: &Value| json["pairs"].as_array().unwrap().iter().any(|pair| pair.get("boards").is_some());
    assert!(has_boards(&json("boards")) && !has_boards(&json("pairs")));
    assert_eq!(json("pairs")["pairs"].as_array().unwrap().len(), 28);
    assert_eq!(json("entries")["pairs"], serde_json::json!([]));
}
