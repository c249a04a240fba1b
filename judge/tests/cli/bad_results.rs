//! Results that cannot be ranked, and the ways results go from file to file.

use crate::support::*;
use crate::terminal::Terminal;

const TABLE: &str = "entry,competing,A,B,tiles,moves,transports,total_ms\nx,yes,25/10,25/12,50,22,3,900\n";

#[test]
fn a_message_breaks_between_words_on_a_terminal() {
    let folder = Folder::new();
    let message = folder.judge(["rank", "none.csv"]).exits(2).message();
    assert!(message.chars().count() > 80 && message.chars().skip(79).take(2).all(char::is_alphabetic), "{message}");
    let shown = Terminal::judge(&folder, ["rank", "none.csv"]).shows("left with 2");
    let words: Vec<&str> = shown.split_whitespace().collect();
    assert!(words.join(" ").contains(message.trim()), "{shown}");
}

/// A contest of shell scripts with every kind of verdict that needs no waiting.
fn tiny_contest(folder: &Folder) {
    for (name, body) in [
        ("good", "echo lluu"),
        ("short", "echo l"),
        ("illegal", "echo llux"),
        ("crash", "exit 9"),
        ("signal", "kill -ABRT $$"),
        ("quote", "echo '\"'"),
    ] {
        folder.script(name, body);
    }
    let mut text = contest(&[("NEAR", &board("near-end-1")), ("OTHER", &board("near-end-2"))]);
    for name in ["good", "short", "illegal", "crash", "signal", "quote"] {
        text += &entry(name, &[&format!("./{name}")]);
    }
    text += &(entry("missing", &["./missing"]) + "competing = false\nauthor = \"Nobody, \\\"really\\\"\"\n");
    folder.file("contest.toml", text.replacen("file =", "reconstruction = true\nfile =", 1));
}

#[test]
fn the_runs_of_a_contest_rank_as_the_contest_itself() {
    let folder = Folder::new();
    tiny_contest(&folder);
    let table = folder.judge(["run", "--out", "out"]).exits(0).stdout;
    assert_eq!(folder.judge(["rank", "out"]).exits(0).stdout, table);
    assert_eq!(folder.judge(["rank", "out/results.csv"]).exits(0).stdout, table);
    for format in ["plain", "json", "csv"] {
        let of_journal = folder.judge(["rank", "out", "--format", format]).exits(0).stdout;
        let of_runs = folder.judge(["rank", "out/results.csv", "--format", format]).exits(0).stdout;
        // Only a journal has a hash.
        let without_hash =
            |text: &str| text.lines().filter(|line| !line.contains("journal_hash")).collect::<Vec<_>>().join("\n");
        assert_eq!(without_hash(&of_runs), without_hash(&of_journal), "{format}");
    }
    let journal = folder.read("out/journal.jsonl");
    let hash = folder.judge(["rank", "out", "--format", "json"]).exits(0).json()["journal_hash"].take();
    assert!(journal.ends_with(&format!(",\"chain\":{hash}}}\n")), "{hash}");
    // The mark of a reconstruction is in every output.
    for (format, mark) in [("table", "NEAR*"), ("plain", "# NEAR is a reconstruction"), ("csv", "NEAR*")] {
        assert!(folder.judge(["rank", "out", "--format", format]).exits(0).stdout.contains(mark), "{format}");
    }
    let document = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    assert_eq!(document["boards"][0]["reconstruction"], true);
    // A table in CSV has no room for what is said of single runs.
    let rows = |plain: String| plain.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    let before = rows(folder.judge(["rank", "out", "--format", "plain"]).exits(0).stdout);
    let table = folder.judge(["rank", "out", "--format", "csv"]).exits(0).stdout;
    assert_eq!(rows(folder.judge(["rank", "-", "--format", "plain"]).stdin(table).exits(0).stdout), before);
}

#[test]
fn a_file_where_a_results_directory_is_expected_is_named_with_the_folder_to_name() {
    let folder = Folder::new();
    folder.file("out/journal.jsonl", "");
    for command in ["update", "update --dry-run", "resume", "rejudge", "rejudge --dry-run"] {
        let refused = folder.judge(command.split(' ').chain(["out/journal.jsonl"])).exits(2).message();
        assert_eq!(refused, "judge: out/journal.jsonl is a file, not a results directory; name out\n", "{command}");
    }
    let ruled = ["rule", "out/journal.jsonl", "good", "N1", "solved", "--because", "x"];
    assert!(folder.judge(ruled).exits(2).message().ends_with("name out\n"));
}

#[test]
fn untrusted_text_cannot_steer_the_terminal() {
    let folder = Folder::new();
    folder.file(
        "names.csv",
        TABLE.replace("\nx,", "\n\u{1b}[2Jx,").replace(",A,", ",\u{7}A,") + "y,yes,25/9,25/9,50,18,3,900\n",
    );
    for command in ["rank names.csv --format table", "rank names.csv --format plain", "compare names.csv"] {
        let printed = folder.judge(command.split(' ')).exits(0).stdout;
        assert!(printed.contains("\u{fffd}[2Jx"), "{printed}");
        assert!(!printed.contains(['\u{1b}', '\u{7}']), "{command}: {printed:?}");
    }
    folder.file("bad.csv", TABLE.replace("\nx,", "\nx,\u{1b}[2J/"));
    folder.file("b.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT");
    let more = "[[board]]\nname = \"b\"\nfile = \"b.txt\"\n[[entry]]\nname = \"e\"\ncommand = \"./e\"\n";
    folder.file("contest.toml", format!("name = \"x\"\ngame = \"\\u001b[2J\"\n{more}"));
    for command in ["rank bad.csv", "run", "compare names.csv --entries \u{1b}[2K"] {
        let refused = folder.judge(command.split(' ')).exits(2).stderr;
        assert!(refused.contains("\u{fffd}[2") && !refused.contains('\u{1b}'), "{refused:?}");
    }
}

#[test]
fn the_advice_for_a_damaged_journal_loses_only_what_it_says() {
    let folder = Folder::new();
    tiny_contest(&folder);
    folder.judge(["run", "--out", "my runs", "--entries", "good,short", "--jobs", "1"]).exits(0);
    let whole = folder.judge(["rank", "my runs", "--format", "plain"]).exits(0).stdout;
    let lines: Vec<String> = folder.read("my runs/journal.jsonl").lines().map(|line| format!("{line}\n")).collect();
    let run = lines.iter().position(|line| line.starts_with("{\"line\":\"run\"")).unwrap();
    let damaged = lines[..run].concat()
        + &lines[run].replace("\"attempt\"", "").replace("good", "food")
        + &lines[run + 1..].concat();
    folder.file("my runs/journal.jsonl", &damaged);
    let refused = folder.judge(["rank", "my runs"]).exits(2).message();
    let runs = lines.len() - run;
    assert!(refused.contains(&format!("which loses {runs} runs, and repeat the runs")), "{refused}");
    assert_eq!(folder.judge(["resume", "my runs"]).exits(2).message(), refused, "it is not guessed at");
    for command in refused.split('`').skip(1).step_by(2).filter(|command| !command.starts_with("judge")) {
        let done = std::process::Command::new("sh").args(["-c", command]).current_dir(folder.path()).status().unwrap();
        assert!(done.success(), "{command}");
    }
    assert_eq!(folder.read("my runs/journal.jsonl.damaged"), damaged);
    let resume: Vec<String> = shell_words::split(refused.rsplit('`').nth(1).unwrap()).unwrap();
    folder.judge(resume[1..].iter().map(String::as_str)).exits(0);
    let timeless = |table: &str| {
        table
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.rsplit_once(' ').unwrap().0.trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(timeless(&folder.judge(["rank", "my runs", "--format", "plain"]).exits(0).stdout), timeless(&whole));
}

#[test]
fn a_table_far_larger_than_its_file_is_refused() {
    let folder = Folder::new();
    let mut csv = "entry,board,verdict,limit_ms\n".to_owned();
    for number in 0..2000 {
        csv += &format!("e{number},b{number},timed_out,1\n");
    }
    let refused = folder.judge(["rank", "-"]).stdin(csv).exits(2);
    contains(&refused.stderr, ["1415 entries on 1415 boards are more than a table can show"]);
}

#[test]
fn a_name_of_any_length_is_cut_only_in_tables() {
    let folder = Folder::new();
    // Two ways of measuring such a text differ, so that a library broke it anew for each of its characters.
    let long = "\u{e33}".repeat(200_000);
    let csv = TABLE.replace("\nx,", &format!("\n{long},"));
    let table = folder.judge(["rank", "-"]).stdin(csv.as_str()).exits(0).stdout;
    let shown = table.chars().filter(|&c| c == '\u{e33}').count();
    assert_eq!((shown, table.contains("\u{e33}…")), (1000, true));
    for format in ["json", "csv"] {
        let whole = folder.judge(["rank", "-", "--format", format]).stdin(csv.as_str()).exits(0).stdout;
        assert!(whole.contains(&long), "{format}");
    }
}

#[test]
#[ignore = "deep: large"]
fn more_runs_than_a_page_can_show_are_refused_before_it_is_written() {
    let folder = Folder::new();
    let mut csv = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
    for entry in ["a", "b"] {
        (0..100_001).for_each(|board| csv += &format!("{entry},b{board},solved,25,25,4,0,1,9\n"));
    }
    folder.file("many.csv", &csv);
    folder.file("page.html", "<!DOCTYPE html>an older page");
    let refused = folder.judge(["report", "many.csv", "-o", "page.html"]).exits(2).message();
    assert!(refused.contains("200002 runs are more than the 200000 that a page can show"), "{refused}");
    assert!(refused.contains("judge rank --boards A,B,… --format csv"), "{refused}");
    assert_eq!(folder.read("page.html"), "<!DOCTYPE html>an older page");
    let some = folder.judge(["rank", "many.csv", "--boards", "b1,b2", "--format", "csv"]).exits(0).stdout;
    folder.file("some.csv", some);
    folder.judge(["report", "some.csv", "-o", "page.html"]).exits(0);
    assert!(folder.read("page.html").contains("b2"));
    // A contest of this many runs is not begun with a page.
    let entries: String = (0..200).map(|number| entry(&format!("e{number}"), &["true"])).collect();
    folder.file("contest.toml", contest(&[("A", &board("near-end-1"))]) + &entries);
    let refused = folder.judge(["run", "--report", "--seeds", "1-1001"]).exits(2).message();
    assert!(refused.contains("200200 runs are more than the 200000 that a page can show"), "{refused}");
    assert!(refused.contains("run the contest without --report") && !folder.path().join("runs").exists(), "{refused}");
}

#[test]
#[ignore = "deep: large"]
fn more_runs_than_can_be_resampled_are_compared_without_it() {
    let folder = Folder::new();
    let csv = |boards: u32| {
        let mut csv = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
        for (entry, moves) in [("a", 5), ("b", 6)] {
            for board in 0..boards {
                // Boards on which both are equal cost the other tests no time.
                let moves = if board < 10 { moves } else { 4 };
                csv += &format!("{entry},b{board},solved,25,25,{moves},0,1,9\n");
            }
        }
        csv
    };
    for (boards, resamples) in [(10, 2000), (25_001, 0)] {
        let json = folder.judge(["compare", "-", "--format", "json"]).stdin(csv(boards)).exits(0).stdout;
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["stability"][0]["resamples"], resamples, "{boards} boards");
    }
}
