//! `judge report`: what is on the page, for every game, and how damaged or incomplete results are shown.

use std::io::Read as _;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::DeflateDecoder;
use sha2::{Digest as _, Sha256};

use crate::support::*;

/// The text between two marks, the first time they appear.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(begin).unwrap_or_else(|| panic!("{begin} is missing"));
    rest.split_once(end).unwrap_or_else(|| panic!("{end} is missing")).0
}

/// The runs of one group as the page embeds them.
fn group(page: &str, index: usize) -> Vec<Value> {
    groups(page).nth(index).unwrap()
}

/// The runs of each group as the page embeds them.
pub(crate) fn groups(page: &str) -> impl Iterator<Item = Vec<Value>> {
    let data: Value = serde_json::from_str(between(page, r#"id="data">"#, "</script>")).unwrap();
    data["groups"].as_array().unwrap().clone().into_iter().map(|group| unpacked(&group))
}

fn unpacked(group: &Value) -> Vec<Value> {
    let packed = STANDARD.decode(group.as_str().unwrap()).unwrap();
    let mut json = String::new();
    DeflateDecoder::new(&packed[..]).read_to_string(&mut json).unwrap();
    let group: Value = serde_json::from_str(&json).unwrap();
    group["runs"].as_array().unwrap().clone()
}

/// Sum of the changes that a film holds: the figure at its end.
fn at_end(changes: &Value) -> i64 {
    changes.as_array().unwrap().iter().map(|change| change.as_i64().unwrap()).sum()
}

/// Two boards, and an entry for every kind of verdict that needs no waiting.
fn small_contest(folder: &Folder) {
    for (name, body) in [
        ("good", "echo lluu; echo all is well >&2"),
        ("short", "echo l"),
        ("illegal", "echo llux"),
        ("crash", "echo ll; exit 9"),
    ] {
        folder.script(name, body);
    }
    let mut text = contest(&[("NEAR", &board("near-end-1")), ("OTHER", &board("near-end-2"))]);
    text = text.replacen("[[board]]", "best_known = \"known.csv\"\nstatement = \"about.md\"\n[[board]]", 1);
    text += &(entry("good", &["./good"]) + "author = \"A & B\"\nyear = 1995\nwrite_up = \"good.md\"\n");
    for name in ["short", "illegal", "crash"] {
        text += &entry(name, &[&format!("./{name}")]);
    }
    folder.file("contest.toml", text + "competing = false\n");
    folder.file("known.csv", "board,moves,lower_bound,answer\nnear-end-1,4,3,lluu\nelsewhere,1,,\n");
    folder.file("about.md", "Bring the tiles *home*.\n");
    folder.file("good.md", "# Idea\n\nFour moves, *always* the same.\n");
}

/// The small contest with its results in `out` and their page.
fn made() -> Folder {
    static MADE: LazyLock<Made> = LazyLock::new(|| {
        let folder = Folder::new();
        small_contest(&folder);
        page_of(&folder);
        Made::of(&folder)
    });
    MADE.folder()
}

fn page_of(folder: &Folder) -> String {
    folder.judge(["run", "--out", "out"]).exits(0);
    clear_suspicion(folder, "out");
    let printed = folder.judge(["report", "out"]).exits(0);
    assert_eq!((printed.stdout.as_str(), printed.stderr.as_str()), ("out/report.html\n", ""));
    folder.read("out/report.html")
}

#[test]
fn the_page_shows_the_standings_the_entries_and_every_run() {
    let folder = made();
    let page = folder.read("out/report.html");
    assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\">"));
    let standings = between(&page, r#"<table id="standings""#, "</table>");
    for cell in ["25/4", "0/ILL", "0/CRA", "#cell-0-0-1", "A &amp; B", "fewest moves known", "proved lower bound"] {
        assert!(standings.contains(cell), "{cell}");
    }
    assert!(
        standings.contains(r##"<td class="figure best" data-key="25/4"><a class="cell" href="#cell-0-0-0">4</a>"##)
    );
    let best_known = between(standings, "fewest moves known", "</tr>");
    assert!(best_known.contains(r#"<td class="figure">4</td><td class="figure"></td>"#), "{best_known}");
    let headline = between(&page, r#"<p class="headline"><bdi>"#, "</bdi>");
    assert!(headline.starts_with("good wins with ") && headline.contains(" than "), "{headline}");
    let about = between(&page, r#"<p class="about"><bdi>"#, "</bdi>");
    let parts: Vec<&str> = about.split(" · ").collect();
    assert!(parts.len() >= 5 && parts[2].starts_with("at most ") && parts[2].ends_with(" per board"), "{about}");
    let date: Vec<&str> = parts[3].split([' ', '-']).collect();
    assert!(
        date.len() >= 3 && date[0].len() == 4 && date[..3].iter().all(|part| part.parse::<u32>().is_ok()),
        "{about}"
    );
    assert!(parts[4].contains("processor"), "the machine: {about}");
    // The legend is that of the table for people.
    let table = folder.judge(["rank", "out"]).exits(0).stdout;
    for line in table.lines().filter(|line| line.starts_with(['I', 'C', '†'])) {
        let (sign, meaning) = line.split_once(' ').unwrap();
        assert!(page.contains(&format!("<dt>{sign}</dt><dd>{}</dd>", meaning.trim())), "{line}");
    }
    let entry = between(&page, r#"<section class="entry" id="entry-0-0""#, "</section>");
    assert!(entry.contains("<h4>Idea</h4>") && entry.contains("<em>always</em>") && entry.contains(", 1995"));
    for (id, verdict) in [("cell-0-0-0", "solved"), ("cell-0-3-1", "crashed with exit code 9")] {
        assert!(between(&page, &format!(r#"<tr id="{id}">"#), "</tr>").contains(verdict), "{id}");
    }
    for link in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(page.contains(&format!(r#"id="{link}""#)), "{link} leads nowhere");
    }
}

#[test]
fn behind_a_cell_are_the_facts_the_answer_standard_error_and_the_film() {
    let folder = made();
    let page = folder.read("out/report.html");
    let runs = group(&page, 0);
    let fact = |run: &Value, name: &str| {
        let mut facts = ["facts", "details"].into_iter().flat_map(|part| run[part].as_array().unwrap());
        facts.find(|fact| fact[0] == name).map(|fact| fact[1].as_str().unwrap().to_owned())
    };
    assert_eq!(runs[0]["answer"]["head"], "lluu\n");
    assert_eq!(runs[0]["stderr"]["head"], "all is well\n");
    assert_eq!(fact(&runs[0], "verdict").unwrap(), "solved");
    assert_eq!(fact(&runs[0], "tiles home").unwrap(), "25 of 25");
    assert_eq!(fact(&runs[0], "end").unwrap(), "exit code 0");
    assert!(fact(&runs[0], "isolation").is_some() && fact(&runs[0], "time").unwrap().ends_with(" of 10 s"));
    assert_eq!((&runs[0]["film"]["moves"], at_end(&runs[0]["film"]["distance"])), (&4.into(), 0));
    let illegal = runs.iter().find(|run| run["cell"] == "0/ILL").unwrap();
    assert_eq!(illegal["film"]["illegal"]["index"], 4);
    assert_eq!(illegal["film"]["illegal"]["token"], "x");
    let crashed = runs.iter().find(|run| run["cell"] == "0/CRA").unwrap();
    assert_eq!((&crashed["film"], &crashed["answer"]["head"]), (&Value::Null, &"ll\n".into()));
    assert_eq!(crashed["without"], "only answers of runs with exit code 0 are replayed");
}

#[test]
fn the_page_follows_the_contest_while_it_runs() {
    let folder = Folder::new();
    let gate = folder.path().join("gate").display().to_string();
    folder.file("gate/near.txt", fs::read(board("near-end-1")).unwrap());
    // Answers at once on the first board; on the second one it waits until the test has seen the page.
    folder.script(
        "solver",
        &format!("cmp -s \"$1\" {gate}/near.txt || while [ ! -e {gate}/open ]; do sleep 0.1; done; echo lluu"),
    );
    let text = contest(&[("NEAR", &board("near-end-1")), ("FAR", &board("near-end-2"))]);
    let text = text + &entry("solver", &["./solver"]) + "readable = [\"gate\"]\n";
    folder.file("contest.toml", text.replace("10s", "10m"));
    let mut running = folder.command(["run", "--out", "out", "--report", "--jobs", "1"]);
    let running = running.stdin(std::process::Stdio::null()).spawn().unwrap();
    let page = folder.path().join("out/report.html");
    // A page is replaced as a whole, so it can be read at any moment.
    let page = || fs::read_to_string(&page).unwrap_or_default();
    until("the first run", || page().contains(r#"data-key="25/4""#));
    let live = page();
    assert!(live.ends_with("</html>") && live.contains("<html lang=\"en\" data-refresh=\""), "{}", &live[..200]);
    assert!(live.contains("This contest is running."));
    folder.file("gate/open", "");
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let last = page();
    assert!(!last.contains("data-refresh") && !last.contains("This contest is running."));
    // Only the last page has the run that the test has held up: the moves do not solve the second board.
    assert!(last.contains(">22/4") && !live.contains(">22/4"));
    assert!(!folder.path().join("out/report.html.new").exists());
}

#[test]
fn the_page_is_the_same_wherever_it_is_written() {
    let folder = Folder::new();
    small_contest(&folder);
    let printed = folder.judge(["run", "--out", "out", "--report"]).exits(0);
    assert!(printed.stderr.contains("page in out/report.html\n"), "{}", printed.stderr);
    let page = folder.read("out/report.html");
    assert_eq!(folder.judge(["report", "out", "-o", "-"]).exits(0).stdout, page);
    assert_eq!(folder.judge(["report", "out", "-o", "elsewhere.html"]).exits(0).stdout, "elsewhere.html\n");
    assert_eq!(folder.read("elsewhere.html"), page);
}

#[test]
fn nothing_but_the_pages_own_style_and_script_is_allowed() {
    let folder = made();
    let page = folder.read("out/report.html");
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let policy = between(&page, r#"http-equiv="Content-Security-Policy" content=""#, "\"");
    let script = hash(between(&page, "<script>", "</script>"));
    let style = hash(between(&page, "<style>", "</style>"));
    // The second script is for talks and games, which this contest has not. It is sent without indentation and comments.
    let of_talks = concat!(include_str!("../../page/src/dialogue.js"), include_str!("../../page/src/games.js"));
    let lines = of_talks.lines().map(str::trim);
    let sent = lines.filter(|line| !line.is_empty() && !line.starts_with("//")).map(|line| format!("{line}\n"));
    let dialogue = hash(&sent.collect::<String>());
    assert!(
        policy.starts_with(&format!("default-src 'none'; script-src {script} {dialogue}; style-src {style}; ")),
        "{policy}"
    );
    assert_eq!(page.matches("<script").count(), 2);
    assert!(!page.contains(" style=") && !page.contains(" onclick="));
    // The names of SVG's elements are no addresses that a browser requests.
    assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("://"));
}

/// A board of each game with an answer that solves it.
const SOLVED: [(&str, &str, &str); 5] = [
    ("loyd", "ABCDE\nFGHIJ\nKL+MN\nPQRSO\nUVWXT\n", "lluu"),
    ("ufo", ".12..\n.X...\n.....\n...3.\n.4...\n", "X-DRU 1-DR X-D"),
    ("shift", "AAB.\n.XXC\n.XXC\n....\ngoal 2 1\n", "X-L"),
    ("swap", "B.R\n", "1 -> 2\n3 -> 1\n2 -> 3\n"),
    ("hexa-draughts", "row 1\n", "men 0,0 -1,-1 hops -1,-1>1,1"),
];

#[test]
fn films_of_every_game_end_where_validate_does() {
    for (game, board, answer) in SOLVED {
        let folder = Folder::new();
        folder.file("board.txt", board);
        folder.file("answer.txt", answer);
        folder.script("solve", &format!("cat <<'E'\n{answer}\nE"));
        let head = format!("name = \"test\"\ngame = \"{game}\"\n[[board]]\nname = \"B\"\nfile = \"board.txt\"\n");
        folder.file("contest.toml", head + &entry("solve", &["./solve"]));
        let page = page_of(&folder);
        let ruling = folder.judge(["validate", "--game", game, "board.txt", "answer.txt", "--json"]).exits(0).json();
        let film = &group(&page, 0)[0]["film"];
        assert_eq!(film["of"].to_string(), ruling["full"].as_str().unwrap(), "{game}");
        assert_eq!(at_end(&film["progress"]).to_string(), ruling["figures"]["progress"].as_str().unwrap(), "{game}");
        assert_eq!(at_end(&film["distance"]), 0, "{game}");
        assert_eq!(film["steps"].as_array().unwrap().len() as u64, film["moves"].as_u64().unwrap(), "{game}");
    }
}

#[test]
fn the_published_table_is_shown_next_to_new_results() {
    let folder = Folder::new();
    folder.script("good", "echo lluu");
    let boards = ["FOXY", "AID", "TYPO", "FAQ", "WARN"].map(|name| (name, board("near-end-1")));
    let boards = boards.each_ref().map(|(name, file)| (*name, file.as_str()));
    folder.file("contest.toml", contest(&boards) + &entry("tilex", &["./good"]) + &entry("new", &["./good"]));
    folder.judge(["run", "--out", "out"]).exits(0);
    let published = project().join("results/published-1995.csv").display().to_string();
    let page = folder.judge(["report", "out", &published, "-o", "-"]).exits(0).stdout;
    assert!(page.contains(r#"<table id="standings-1""#) && page.contains("detangler"));
    let together = between(&page, r#"<section id="side-by-side""#, "</section>");
    assert!(together.contains("tilex") && !together.contains("new"), "{together}");
    assert!(together.contains("published-1995") && together.contains(">158</a> <span class=\"down\">+154</span>"));
    // Only the table of 1995 needs an option for the output file.
    let refused = folder.judge(["report", &published]).exits(2).message();
    assert_snapshot!(refused, @"judge: none of these is a results directory; name the file to write with -o");
    let alone = folder.judge(["report", &published, "-o", "-"]).exits(0).stdout;
    assert!(alone.contains("<h1><bdi>Results</bdi></h1>") && !alone.contains("side-by-side"));
}

#[test]
fn output_that_is_missing_or_changed_is_not_shown_as_the_answer() {
    let folder = made();
    fs::remove_file(folder.path().join("out/output/1/good/NEAR.1.out")).unwrap();
    folder.file("out/output/1/good/OTHER.1.out", "ll");
    folder.judge(["report", "out"]).exits(0);
    let page = folder.read("out/report.html");
    let good = |index: usize| group(&page, index).remove(0);
    assert_snapshot!(good(0)["without"], @r#""the answer cannot be read: No such file or directory (os error 2)""#);
    assert_snapshot!(good(1)["without"], @r#""the answer in the results directory has changed since it was judged: the file has 2 bytes, 5 were recorded""#);
    assert_eq!((&good(0)["cell"], &good(0)["answer"], &good(1)["film"]), (&"25/4".into(), &Value::Null, &Value::Null));
    // Without any of it, the rest is in the journal.
    fs::remove_dir_all(folder.path().join("out/output")).unwrap();
    folder.judge(["report", "out"]).exits(0);
    assert!(folder.read("out/report.html").contains("crashed with exit code 9"));
}

#[test]
fn an_answer_that_changed_after_a_referee_ruled_on_it_is_reported_without_its_positions() {
    let folder = Folder::new();
    copy_folder(&project().join("judge/core/tests/recorded/format-6-rejudged"), folder.path());
    let ant = || {
        folder.judge(["report", "out"]).exits(0);
        group(&folder.read("out/report.html"), 0).remove(0)
    };
    assert!(ant()["film"].is_object(), "{}", ant());
    folder.file("out/output/1/ant/A.1.out", "ab");
    let changed = ant();
    assert_snapshot!(changed["without"], @r#""the answer in the results directory has changed since it was judged: the file has 2 bytes, 4 were recorded""#);
    assert_eq!((&changed["answer"], &changed["film"]), (&Value::Null, &Value::Null));
}

#[test]
fn what_cannot_be_reported() {
    let folder = made();
    let message = |args: &[&str], code: i32| {
        let printed = folder.judge(["report"].into_iter().chain(args.iter().copied())).exits(code);
        assert_eq!(printed.stdout, "");
        printed.message()
    };
    assert_snapshot!(message(&["missing"], 2), @"judge: missing: no such results directory or CSV file; `judge runs` lists results directories");
    assert_snapshot!(message(&["."], 2), @"judge: . is not a results directory: no journal.jsonl; `judge runs` lists results directories");
    assert_snapshot!(message(&["out", "-o", "no/such/folder/page.html"], 2), @"judge: no/such/folder/page.html: no such folder; name a file in a folder that exists with -o");
    assert_snapshot!(message(&["out", "-o", "out"], 2), @"judge: out: is a folder; name a file in a folder that exists with -o");
    assert_snapshot!(message(&["out", "out"], 2), @"judge: out is given twice; name different results");
    folder.file("other.csv", "contest,game,entry,board,verdict,limit_ms\nx,swap,a,B,timed_out,1\n");
    assert_snapshot!(message(&["out", "other.csv"], 2), @"judge: out is a contest of loyd, other one of swap; compare results of one game only");
    let journal = folder.read("out/journal.jsonl");
    folder.file("out/journal.jsonl", journal.replace("\"verdict\":\"solved\"", "\"verdict\":\"splendid\""));
    let ranked = folder.judge(["rank", "out"]).exits(2).message();
    assert_eq!(message(&["out"], 2), ranked);
}

#[test]
fn a_stopped_contest_is_shown_as_far_as_it_got() {
    let folder = made();
    let journal = folder.read("out/journal.jsonl");
    let half: String = journal.split_inclusive('\n').take(4).collect();
    folder.file("out/journal.jsonl", half + "{\"torn");
    folder.judge(["report", "out"]).exits(0);
    let page = folder.read("out/report.html");
    assert!(page.contains("has no place yet: judged on 1 of 2 boards"));
}

#[test]
fn the_best_known_are_those_of_today_while_the_contest_file_is_there() {
    let folder = made();
    let recorded = folder.read("out/report.html");
    assert!(recorded.contains("those of contest.toml when this page was made. They have not changed"));
    folder.file("known.csv", "board,moves,lower_bound\nnear-end-1,4,4\nnear-end-2,3,\n");
    let standings = |page: &str| {
        let table = between(page, r#"<table id="standings""#, "</table>").to_owned();
        [("fewest moves known", "4 3"), ("proved lower bound", "4 ")].map(|(row, values)| {
            let cells = between(&table, row, "</tr>").replace("</td>", " ").replace("<td class=\"figure\">", "");
            (cells.contains(values), cells)
        })
    };
    folder.judge(["report", "out"]).exits(0);
    let today = folder.read("out/report.html");
    for (right, cells) in standings(&today) {
        assert!(right, "{cells}");
    }
    assert!(today.contains("When the contest began they were: NEAR 4 (bound 3), OTHER none."));
    // A board with another text has other best answers, and without the file the recorded ones are shown.
    let contest = folder.read("contest.toml");
    folder.file("contest.toml", contest.replace("near-end-1", "trap"));
    folder.judge(["report", "out"]).exits(0);
    let other = folder.read("out/report.html");
    assert!(other.contains("they were: OTHER none.") && !other.contains("NEAR 4 (bound 3)"));
    fs::remove_file(folder.path().join("contest.toml")).unwrap();
    folder.judge(["report", "out"]).exits(0);
    assert!(folder.read("out/report.html").contains("those that were recorded with the results"));
}

#[test]
fn corrected_texts_and_new_records_do_not_prevent_resuming() {
    let folder = made();
    assert!(folder.read("out/report.html").contains("<p>Bring the tiles <em>home</em>.</p>"));
    folder.file("about.md", "Bring all tiles home.\n");
    folder.file("known.csv", "board,moves\nnear-end-1,4\nnear-end-2,4\n");
    folder.file("good.md", "No idea.\n");
    folder.judge(["resume", "out"]).exits(0);
    folder.judge(["report", "out"]).exits(0);
    assert!(folder.read("out/report.html").contains("<p>Bring all tiles home.</p>"));
}

#[test]
fn a_table_without_goals_does_not_say_that_nothing_is_solved() {
    let folder = Folder::new();
    let boards: Vec<String> = (0..17).map(|board| format!("B{board}")).collect();
    // The most tiles of any entry count as solved, so each has solved something.
    let rows = format!("one,{}85,51,0,900\ntwo,6/3,{}70,51,0,900\n", "5/3,".repeat(17), "4/3,".repeat(16));
    folder.file("table.csv", format!("entry,{},progress,moves,tie_break,total_ms\n{rows}", boards.join(",")));
    folder.judge(["report", "table.csv", "-o", "-"]).exits(0).shows(["B16"]).hides([">0 of 17<", ">0 of 2<"]);
}
