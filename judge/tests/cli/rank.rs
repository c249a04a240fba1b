//! `judge rank` on the published table of 1995.

use crate::support::*;

/// The twenty data lines as they were published in April 1995.
const PUBLISHED: &str = "\
shufflemania 25/94 25/89 25/98 25/90 25/82 125/0453/062 2928770ms
scrambloyd 25/86 25/87 25/94 25/84 25/78 125/0429/065 1050890ms
dilloydemma 25/104 25/95 25/112 25/104 25/82 125/0497/078 2985100ms
slowmotion 25/112 25/99 25/116 25/110 25/96 125/0533/089 1260620ms
O+PTM_rtll 25/116 25/115 25/128 25/100 25/92 125/0551/090 3000170ms
pinkfLoyd 25/136 25/125 25/128 25/116 25/102 125/0607/092 970690ms
dubious 25/132 25/131 25/140 25/130 25/94 125/0627/102 2116180ms
twobits 25/144 25/137 25/154 25/140 25/136 125/0711/141 710ms
tilex 25/158 25/171 25/182 25/166 25/140 125/0817/136 370ms
Nilssonized 25/290 25/387 25/236 25/250 25/264 125/1427/158 78090ms
alphabits 20/144 25/119 25/144 25/150 25/138 120/0695/149 647000ms
lwr 25/268 25/277 0/ILL 25/258 25/266 105/1069/085 1490ms
slider 25/102 25/91 25/104 25/88 0/TIM 100/0385/051 1485830ms
bittwister 25/110 0/TIM 25/112 25/122 25/106 100/0450/088 799780ms
ramduf 25/154 25/141 0/TIM 25/114 25/136 100/0545/078 1436190ms
Brute.Force 0/TIM 25/231 25/276 25/246 25/208 100/0961/096 622600ms
escort 25/216 15/122 14/171 14/172 25/174 093/0855/109 430ms
snails-pace 16/202 11/88 16/202 18/202 15/202 076/0896/124 2461550ms
10.pound.sledge 25/160 0/TIM 25/148 25/142 0/TIM 075/0450/088 2369780ms
detangler 0/ILL 0/ILL 25/230 0/TIM 25/254 062/0484/053 1034530ms
";

/// Runs of blanks become one.
fn squeezed(text: &str) -> String {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
fn the_published_table_is_reproduced_line_for_line() {
    let printed = Folder::new().judge(["rank", &published(), "--format", "plain"]).exits(0);
    assert_eq!(squeezed(&printed.stdout), PUBLISHED);
    assert_eq!(printed.stderr, "");
}

#[test]
fn the_order_comes_from_the_figures_alone() {
    let text = std::fs::read_to_string(published()).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].reverse();
    let printed = Folder::new().judge(["rank", "-", "--format", "plain"]).stdin(lines.join("\n")).exits(0);
    assert_eq!(squeezed(&printed.stdout), PUBLISHED);
}

/// Entry, place, progress, moves, tie-break and milliseconds of a row.
type Line = (String, String, String, String, String, String);

fn lines(args: &[&str], csv: &str) -> Vec<Line> {
    let args = ["rank", "-", "--format", "csv"].into_iter().chain(args.iter().copied());
    let printed = Folder::new().judge(args).stdin(csv).exits(0);
    let mut reader = csv::Reader::from_reader(printed.stdout.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        let field = |name: &str| row[headers.iter().position(|header| header == name).unwrap()].to_owned();
        (field("entry"), field("place"), field("progress"), field("moves"), field("tie_break"), field("total_ms"))
    });
    rows.collect()
}

fn row(entry: &str, place: &str, progress: &str, moves: &str, tie_break: &str, time: &str) -> Line {
    (entry.into(), place.into(), progress.into(), moves.into(), tie_break.into(), time.into())
}

#[test]
fn on_foxy_alone_dilloydemma_would_have_been_third() {
    let csv = std::fs::read_to_string(published()).unwrap();
    let table = lines(&["--boards", "FOXY"], &csv);
    // The table has transports and time only for all boards together: for one they are unknown, which is not 0.
    assert_eq!(table[0], row("shufflemania", "1", "25", "94", "", ""));
    assert_eq!(table[1], row("scrambloyd", "", "25", "86", "", ""));
    assert_eq!(table[2], row("slider", "2", "25", "102", "", ""));
    assert_eq!(table[3], row("dilloydemma", "3", "25", "104", "", ""));
    // It does not have the number of tiles home at an illegal move, which counts neither moves nor transports.
    assert_eq!(table[19], row("detangler", "19", "", "0", "0", ""));
}

#[test]
fn what_decides_can_be_chosen() {
    let csv = std::fs::read_to_string(published()).unwrap();
    let table = lines(&["--by", "time"], &csv);
    assert_eq!((table[0].0.as_str(), table[0].1.as_str()), ("tilex", "1"));
    let table = lines(&["--entries", "tilex,twobits"], &csv);
    assert_eq!(table.len(), 2);
    assert_eq!((table[0].0.as_str(), table[1].1.as_str()), ("twobits", "2"));
}

#[test]
fn ties_share_a_place() {
    let csv = "entry,competing,A,B,tiles,moves,transports,total_ms\n\
               half,yes,25/8,,,,,\n\
               out,no,25/9,25/9,50,18,0,1\n\
               a,yes,25/10,25/12,50,22,3,900\n\
               b,yes,25/12,25/10,50,22,3,900\n\
               c,yes,25/12,25/10,50,22,4,100\n";
    let by = ["--figure", "tiles=more,moves=less,transports=less,time=less"];
    let table = lines(&by, csv);
    let places: Vec<(&str, &str)> = table.iter().map(|line| (line.0.as_str(), line.1.as_str())).collect();
    assert_eq!(places, [("a", "1"), ("out", ""), ("b", "1"), ("c", "3"), ("half", "")]);
    // Without a competing entry there is no winner at the top of the table.
    let table = lines(&by, &csv.replace("yes", "no"));
    assert_eq!(table[0].0, "out");
    assert!(table.iter().all(|line| line.1.is_empty()));
    // Nothing says what decides: totals, no places, and how to get them.
    let folder = Folder::new();
    let undeclared = folder.judge(["rank", "-"]).stdin(csv).exits(0).stdout;
    assert!(undeclared.contains("050/0022/003") && !undeclared.contains("│ 1 "), "{undeclared}");
    let hint = "no places: the file does not say which figures decide them; name them with `judge rank`, for example \
                   --figure progress=more,moves=less";
    assert!(undeclared.contains(hint), "{undeclared}");
    let refused = folder.judge(["rank", "-", "--figure", "moves=more"]).stdin(csv).exits(2).message();
    assert!(refused.contains("--figure: moves: less is better of this column"), "{refused}");
}

#[test]
fn an_entry_that_comes_last_swaps_no_others() {
    let two = "entry,A,B,tiles,moves,transports,total_ms\na,20/5,20/5,40,10,5,10\nb,15/15,25/15,40,30,5,10\n";
    let three = two.to_owned() + "c,25/50,0/TIM,25,50,5,10\n";
    for by in [&["--figure", "tiles=more,moves=less"][..], &["--figure", "tiles=more,moves=less,time=less"]] {
        let [two, three] = [two, &*three].map(|csv| lines(by, csv));
        assert_eq!((two[0].0.as_str(), two[1].0.as_str()), ("a", "b"));
        assert_eq!(three[..2].iter().map(|line| &line.0).collect::<Vec<_>>(), ["a", "b"], "{by:?}");
        assert_eq!((three[2].0.as_str(), three[2].1.as_str()), ("c", "3"));
    }
}

#[test]
fn a_count_that_decides_has_a_column() {
    let csv = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n\
               a,X,solved,25,25,4,1,5000,9\na,Y,timed_out,,,,,,9\n\
               b,X,solved,25,25,2,1,5000,9\nb,Y,unsolved,0,25,2,0,9000,9\n";
    let folder = Folder::new();
    let table = folder.judge(["rank", "-"]).stdin(csv).exits(0).stdout;
    assert!(table.starts_with("b wins ") && table.contains("┆ failed ┆"), "{table}");
    let again = folder.judge(["rank", "-", "--format", "csv"]).stdin(csv).exits(0).stdout;
    let columns = |line: &str| line.split(',').take(11).map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = again.lines().map(columns).collect();
    assert_eq!(rows[0][6..], ["progress", "moves", "tie_break", "total_ms", "failed"]);
    assert_eq!([&rows[1][6..], &rows[2][6..]], [["25", "4", "1", "14", "0"], ["25", "4", "1", "14", "1"]]);
}

#[test]
fn failures_are_shown_with_what_counts_of_them() {
    let csv = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms,exit_code,failed_at,token,reason\n\
               crashes,A,crashed,,,,,10,1000,1,,,\ncrashes,B,crashed,,,,,10,1000,1,,,\n\
               illegal,A,illegal_move,24,25,4,0,20,1000,,5,x,no move\nillegal,B,solved,25,25,9,1,20,1000,,,,\n\
               nothing,A,unsolved,20,25,0,0,5,1000,,,,\nnothing,B,unsolved,20,25,0,0,5,1000,,,,\n\
               unbuilt,A,build_failed,,,,,,1000,,,,make\nunbuilt,B,build_failed,,,,,,1000,,,,make\n\
               solves,A,solved,25,25,90,9,900000,1000,,,,\nsolves,B,solved,25,25,90,9,900000,1000,,,,\n";
    // The cell shows 0, the total counts the tiles before the illegal move; the legend says so.
    let table = Folder::new().judge(["rank", "-"]).stdin(csv).exits(0).stdout;
    assert!(table.contains("ILL  an illegal move; progress before it counts in the total, moves do not"), "{table}");
    assert!(table.contains("│  0/ILL │") || table.contains("0/ILL ┆"), "{table}");
    contains(&table, ["049/0009/001", "not built, so not run:\n  unbuilt: build failed: make\n"]);
}

#[test]
fn withdrawals_and_rulings_are_marked_with_their_reasons() {
    let folder = Folder::new();
    folder.script("good", "echo lluu");
    folder.script("late", "echo lluu; exit 3");
    let text = contest(&[("NEAR", &board("near-end-1"))]);
    folder.file("contest.toml", text + &entry("good", &["./good"]) + &entry("late", &["./late"]));
    folder.judge(["run", "--out", "out"]).exits(0);
    clear_suspicion(&folder, "out");
    let ruling = r#"{"line":"ruling","round":1,"entry":"late","board":"NEAR","verdict":{"verdict":"solved","figures":{"progress":"25","moves":"4","tie_break":"0"},"full":"25"},"because":"the exit code of a shell"}"#;
    let withdrawn = r#"{"line":"withdrawn","entry":"good","reason":"at its author's wish"}"#;
    let journal = folder.read("out/journal.jsonl");
    folder.file("out/journal.jsonl", chained(journal.lines().chain([ruling, withdrawn])));

    let table = folder.judge(["rank", "out"]).exits(0).stdout;
    for shown in [
        "25/4! ",
        "!    ruled by hand; the reason is in the notes",
        "late on NEAR: ruled by hand, the exit code of a shell",
        "good is withdrawn and takes no place: at its author's wish",
    ] {
        assert!(table.contains(shown), "{shown}: {table}");
    }
    // A page has no notes: its cells have the reason.
    folder.judge(["report", "out"]).exits(0);
    let page = folder.read("out/report.html");
    assert!(page.contains("ruled by hand; select the cell to read the reason") && !page.contains("is in the notes"));
    let document = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    let rows: Vec<_> =
        document["entries"].as_array().unwrap().iter().map(|row| (&row["entry"], &row["place"])).collect();
    assert_eq!(rows, [(&"late".into(), &1.into()), (&"good".into(), &serde_json::Value::Null)]);
    assert_eq!(document["entries"][0]["runs"][0]["ruling"], "the exit code of a shell");
    assert_eq!(document["entries"][1]["withdrawn"], "at its author's wish");
    // A resume of the contest file that says so runs neither, and what it writes says the same.
    let file = folder.read("contest.toml");
    let good = "name = \"good\"\n";
    folder.file("contest.toml", file.replace(good, &format!("{good}withdrawn = \"at its author's wish\"\n")));
    let lines = folder.read("out/journal.jsonl").lines().count();
    assert_eq!(folder.judge(["resume", "out"]).exits(0).stdout, table);
    assert_eq!(folder.read("out/journal.jsonl").lines().count(), lines);
    assert_eq!(folder.judge(["rank", "out/results.csv"]).exits(0).stdout, table);
    let csv = folder.judge(["rank", "out", "--format", "csv"]).exits(0).stdout;
    let again = folder.judge(["rank", "-", "--format", "csv"]).stdin(csv.as_str()).exits(0).stdout;
    assert_eq!(again, csv);
    folder.judge(["report", "out"]).exits(0);
    assert!(folder.read("out/report.html").contains("at its author"));
}

#[test]
fn many_boards_have_scores_and_counts_instead_of_cells() {
    let mut csv = "entry,board,competing,verdict,progress,full,moves,tie_break,wall_us,limit_ms,suspect\n".to_owned();
    for board in 0..17 {
        let suspect = if board < 3 { "busy" } else { "" };
        csv += &format!("short,B{board},no,solved,25,25,8,1,4000,9,\n");
        csv += &format!("long,B{board},yes,solved,25,25,16,1,2000,9,{suspect}\n");
        csv += &match board {
            0 => format!("fails,B{board},yes,crashed,,,,,1,9,\n").replace(",1,9,", ",1000,9,"),
            _ => format!("fails,B{board},yes,solved,25,25,10,1,1000,9,\n"),
        };
    }
    let csv = csv.replace("limit_ms,suspect", "limit_ms,suspect,exit_code").replace(",\n", ",,\n");
    let csv = csv
        .replace("fails,B0,yes,crashed,,,,,1000,9,,", "fails,B0,yes,crashed,,,,,1000,9,,3")
        .replace("busy\n", "busy,\n");
    let folder = Folder::new();
    folder.file("runs.csv", &csv);
    let table = folder.judge(["rank", "runs.csv"]).exits(0).stdout;
    assert_snapshot!(table, @"
    long wins with 425 progress and 272 moves, 25 progress more than fails. That could be chance (p = 1.00). But fails is better on 16 of 17 boards (p < 0.001), and on all 16 that both solve: long has more progress in all.

    not solved:
      fails on B0: crashed with exit code 3

    notes:
      long on B0: suspect, busy
      long on B1: suspect, busy
      long on B2: suspect, busy

    a total progress/moves/tie-break
    places by more progress, then more solved boards, then fewer failed runs, then fewer moves, then fewer tie-break, then fewer runs that never started, then less time
    means are of the solved boards only, relative score and PAR2 of all; --format csv shows the cells
    relative score: sum of the fewest moves known, or here, divided by the entry's own, 0 if it did not solve the board
    PAR2: mean time; a board that is not solved counts twice the limit
    CRA  crashed: an exit code other than 0, or a signal
    ?    suspect: other processes interfered, so the time is unreliable; --repeat-suspect repeats such runs
    †    not competing: listed where it would rank, without a place; below the winner, though better: short

    ┌───┬─────────┬──────────┬────────────────┬────────────┬────────────────┬──────┬─────────────┬─────────┬──────────────┬───────┐
    │   ┆ entry   ┆ solved   ┆ relative score ┆ mean moves ┆ mean tie-break ┆ PAR2 ┆ median time ┆ suspect ┆ total (17)   ┆ time  │
    ╞═══╪═════════╪══════════╪════════════════╪════════════╪════════════════╪══════╪═════════════╪═════════╪══════════════╪═══════╡
    │ 1 ┆ long    ┆ 17 of 17 ┆           8.50 ┆       16.0 ┆            1.0 ┆ 2 ms ┆        2 ms ┆       3 ┆ 425/0272/017 ┆ 34 ms │
    │   ┆ short † ┆ 17 of 17 ┆          17.00 ┆        8.0 ┆            1.0 ┆ 4 ms ┆        4 ms ┆       0 ┆ 425/0136/017 ┆ 68 ms │
    │ 2 ┆ fails   ┆ 16 of 17 ┆          12.80 ┆       10.0 ┆            1.0 ┆ 2 ms ┆        1 ms ┆       0 ┆ 400/0160/016 ┆ 17 ms │
    └───┴─────────┴──────────┴────────────────┴────────────┴────────────────┴──────┴─────────────┴─────────┴──────────────┴───────┘
    ");
    // The table as CSV has what the table needs: goals and suspect runs.
    let again = folder.judge(["rank", "runs.csv", "--format", "csv"]).exits(0).stdout;
    let same = folder.judge(["rank", "-"]).stdin(again.as_bytes()).exits(0).stdout;
    let rows = |text: &str| -> Vec<String> {
        let rows = text.lines().filter(|line| line.starts_with("│"));
        rows.map(|line| line.split(['┆', '│']).map(str::trim).collect::<Vec<_>>()[2..5].join(" ")).collect()
    };
    assert_eq!(rows(&same), rows(&table));
    assert!(same.contains("suspect") && !same.contains("no goal is recorded"), "{same}");
    // Of a table without goals nothing is guessed.
    let table = "entry,A,B,tiles,moves,transports,total_ms\na,25/9,25/9,50,18,0,1\n";
    let reply = folder.judge(["rank", "-"]).stdin(table).exits(0).stdout;
    let sentence = "no goal is recorded for 2 boards, so it is not known which answers solve them";
    assert!(reply.contains(sentence), "{reply}");
}

#[test]
fn an_entry_above_one_that_solved_more_boards_is_explained() {
    let folder = Folder::new();
    let row = |entry: &str, board: &str, progress: u32| {
        let verdict = if progress == 25 { "solved" } else { "unsolved" };
        format!("{entry},{board},{verdict},{progress},25,90,1,5,1000\n")
    };
    let head = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n";
    // The first has more tiles home and solved less; the third is below with less of both.
    let rows = [row("steady", "A", 24), row("steady", "B", 24), row("bold", "A", 25), row("bold", "B", 2)].concat()
        + &[row("weak", "A", 1), row("weak", "B", 1)].concat();
    folder.file("results.csv", head.to_owned() + &rows);
    let sentence = "steady is above bold, which solved more boards (0 and 1 of 2), by progress: 48 and 27";
    for format in ["table", "markdown"] {
        let shown = folder.judge(["rank", "results.csv", "--format", format]).exits(0).stdout;
        assert!(shown.contains(sentence), "{format}: {shown}");
        assert_eq!(shown.matches("is above").count(), 1, "{shown}");
    }
    let solved = folder.judge(["rank", "results.csv", "--by", "solved,progress"]).exits(0).stdout;
    assert!(!solved.contains("is above"), "{solved}");
    folder.judge(["report", "results.csv", "--output", "page.html"]).exits(0);
    assert!(folder.read("page.html").contains("which solved more boards"));
}

/// As `head` does after its lines.
#[test]
fn a_reader_that_closes_the_pipe_early_is_no_failure() {
    let folder = Folder::new();
    let results = project().join("results/1995-10s").display().to_string();
    for command in ["rank", "compare"] {
        for format in ["table", "json", "csv", "markdown", "latex"] {
            let mut judge = folder.command([command, &results, "--format", format]);
            let mut judge = judge.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            drop(judge.stdout.take());
            let ended = judge.wait_with_output().unwrap();
            let message = String::from_utf8_lossy(&ended.stderr);
            assert_eq!((ended.status.code(), &*message), (Some(0), ""), "{command} as {format}");
        }
    }
}

#[test]
fn results_of_a_contest_with_teams_say_where_their_minutes_are() {
    let folder = Folder::new();
    let declared = "\"{\"\"figures\"\":[]}\"";
    let runs = format!("entry,board,verdict,scoring,wall_us,limit_ms\nada.1,A,solved,{declared},5000,9\n");
    folder.file("results/results.csv", &runs);
    let notice = |path: &str| folder.judge(["rank", path]).exits(0).stderr.contains("on /board.csv");
    assert!(!notice("results/results.csv"));
    folder.file("office/people.json", "{}");
    assert!(notice("results/results.csv"));
    folder.file("results/moves.csv", runs.replace(declared, "").replace("solved", "timed_out"));
    assert!(!notice("results/moves.csv"), "nothing but acceptance is ranked by minutes");
}
