//! Contests whose referee is a program.

mod again;
mod folders;
mod hostile;
mod passes;
mod scores;
mod table;

use rustix::process::Signal;

use crate::support::*;

/// A contest with the script `referee/referee`, these keys in `[referee]`, boards with these texts, and entries that print
/// what their script says.
pub(crate) fn external(folder: &Folder, keys: &str, script: &str, boards: &[(&str, &str)], entries: &[(&str, &str)]) {
    let mut text = format!(
        "name = \"brought\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\ncommand = \"referee/referee\"\n{keys}\n"
    );
    folder.script("referee/referee", script);
    for (name, board) in boards {
        folder.file(&format!("boards/{name}"), board);
        // Keys of the board may follow its text.
        text += &format!("[[board]]\nname = \"{name}\"\nfile = \"boards/{name}\"\n");
        let answer = format!("boards/{name}.ans");
        if folder.path().join(&answer).exists() {
            text += &format!("answer = \"{answer}\"\n");
        }
    }
    for (name, script) in entries {
        folder.script(&format!("entries/{name}"), script);
        text += &entry(name, &[&format!("entries/{name}")]);
    }
    folder.file("contest.toml", text);
}

/// The verdicts of a journal by entry and board: the name, with points or a reason.
fn verdicts(folder: &Folder) -> BTreeMap<(String, String), String> {
    let lines = folder.journal("out", "").into_iter().flat_map(|line| match line["changed"].as_array() {
        Some(changed) => changed.clone(),
        None => vec![line],
    });
    let runs = lines.filter(|line| !line["verdict"].is_null());
    runs.map(|run| {
        let verdict = if run["verdict"].is_object() { &run["verdict"] } else { &run };
        let text = |key: &str| verdict[key].as_str().map_or(String::new(), |text| format!(" {text}"));
        let score = verdict["figures"]["score"].as_str().map_or(String::new(), |score| format!(" {score}"));
        let key = |key: &str| run[key].as_str().unwrap().to_owned();
        let name = verdict["verdict"].as_str().unwrap();
        ((key("entry"), key("board")), format!("{name}{score}{}", text("reason")))
    })
    .collect()
}

fn verdict(folder: &Folder, entry: &str, board: &str) -> String {
    verdicts(folder)[&(entry.to_owned(), board.to_owned())].clone()
}

const RIGHT: (&str, &str) = ("right", "echo 42");
const WRONG: (&str, &str) = ("wrong", "echo 41");
const CRASHES: (&str, &str) = ("crashes", "exit 3");

#[test]
fn every_protocol_rules_on_answers() {
    // Each referee gets the board, the answer and the judge's answer in the way of its protocol.
    let protocols = [
        (
            "protocol = \"native\"",
            r#"[ "$(cat "$1")" = question ] && [ -d "$3" ] || exit 9
if [ "$(cat "$2")" = 42 ]; then echo '{"format":1,"verdict":"solved","figures":{"progress":3,"moves":7},"full":3}'
else echo '{"format":1,"verdict":"wrong","figures":{"progress":1},"full":3,"failed_at":2,"token":"41","reason":"not it"}'; fi >"$3/ruling.json""#,
            ["solved", "illegal_move not it"],
            ["3/7", "0/ILL"],
        ),
        (
            "protocol = \"kattis\"\nargs = [\"--all\"]",
            r#"[ "$(cat "$1")" = question ] && [ "$4" = --all ] || exit 9
echo seen >"${3}judgemessage.txt"; echo try again >"${3}teammessage.txt"
[ "$(cat)" = "$(cat "$2")" ] && exit 42; exit 43"#,
            ["solved", "wrong try again"],
            ["AC", "WRO"],
        ),
        (
            "protocol = \"testlib\"",
            r#"[ "$(cat "$1")" = question ] && [ "$5" = -appes ] || exit 9
write() { printf '<?xml version="1.0" encoding="windows-1251"?><result outcome = "%s">%s</result>\n' "$1" "$2" >"$result"; }
result=$4
if cmp -s "$2" "$3"; then write accepted ok; else write wrong-answer 'expected &lt;42&gt;'; exit 1; fi"#,
            ["solved", "wrong expected <42>"],
            ["AC", "WRO"],
        ),
        (
            "protocol = \"exit\"\naccept = [7]\nreject = [8, 9]",
            r#"cmp -s "$2" "$3" && exit 7; echo differs; exit 8"#,
            ["solved", "wrong differs"],
            ["AC", "WRO"],
        ),
        (
            "protocol = \"score\"\npattern = 'Score = (?<score>[-+0-9.eE]+)'\n[[figure]]\nname = \"score\"\nbetter = \"more\"\ndecimals = 1",
            r#"a=$(cat "$2"); [ "$a" = 42 ] && { echo 'Score = 1'; echo "Score = 4.250e1" >&2; echo "Score = $a.06"; exit; }
echo 'no score for you' >&2; exit 1"#,
            ["valid 42.1", "wrong no score for you"],
            ["42.1", "WRO"],
        ),
    ];
    for (keys, script, [right, wrong], cells) in protocols {
        let folder = Folder::new();
        folder.file("boards/A.ans", "42\n");
        external(&folder, keys, script, &[("A", "question\n")], &[RIGHT, WRONG, CRASHES]);
        let printed = folder.judge(["run", "--out", "out"]).exits(0);
        assert_eq!(verdict(&folder, "right", "A"), right, "{keys}\n{}", printed.stdout);
        assert_eq!(verdict(&folder, "wrong", "A"), wrong, "{keys}");
        assert_eq!(verdict(&folder, "crashes", "A"), "crashed", "{keys}");
        // Heads, cells and legend follow what the referee rules on.
        let csv = folder.judge(["rank", "out", "--format", "csv"]).exits(0).stdout;
        let row = |name: &str| csv.lines().find(|line| line.contains(&format!(",{name},"))).unwrap().to_owned();
        for (entry, cell) in ["right", "wrong"].into_iter().zip(cells) {
            assert!(row(entry).contains(&format!(",{cell},")), "{keys}\n{csv}");
            // A run on a busy machine is marked as suspect.
            let shown = printed.stdout.replace('?', " ");
            assert!(shown.contains(&format!(" {cell} ")), "{keys}\n{}", printed.stdout);
        }
        let native = keys.contains("native");
        let json = folder.judge(["rank", "out", "--format", "json"]).exits(0).stdout.replace("mean_moves", "");
        for text in [&csv, &printed.stdout, &json.replace("mean_tie_break", "")] {
            assert_eq!(text.contains("moves") || text.contains("progress"), native, "{keys}\n{text}");
        }
        // The table is the same from the CSV file.
        assert_eq!(folder.judge(["rank", "out/results.csv"]).exits(0).stdout, printed.stdout, "{keys}");
    }
}

#[test]
fn a_single_answer_is_ruled_on_with_all_figures() {
    let script = r#"case "$(cat "$2")" in
42) echo '{"format":1,"verdict":"solved","figures":{"progress":3,"moves":"7","tie_break":1},"full":"3"}' ;;
41) echo '{"format":1,"verdict":"unsolved","figures":{"progress":2},"full":3,"reason":"one is missing"}' ;;
*) echo '{"format":1,"verdict":"wrong","figures":{"progress":1},"full":3,"failed_at":2,"token":"x","reason":"no number"}' ;;
esac >"$3/ruling.json""#;
    let folder = Folder::new();
    external(&folder, "protocol = \"native\"", script, &[("A", "question\n")], &[RIGHT, WRONG]);
    let contest = ["--contest", "contest.toml", "A"];
    for (answer, code, expected) in rows! {
        ("42", 0, "solved with progress 3 of 3, moves 7, tie_break 1\n"),
        ("41", 1, "stops short of the goal: progress 2 of 3, moves 0, tie_break 0\n    the referee says: one is missing\n"),
        ("x", 1, "illegal move 2 `x`: no number\nuntil then: progress 1 of 3, moves 0, tie_break 0\n"),
    } {
        let args = [&["validate"], &contest[..], &[answer]].concat();
        assert_eq!(folder.judge(args).exits(code).stdout, expected, "{answer}");
        let print = format!("echo {answer}");
        let args = [&["try"], &contest[..], &["--", "sh", "-c", &print]].concat();
        let tried = folder.judge(args).exits(code).stdout;
        assert!(tried.starts_with(&format!("A: {expected}")), "{tried}");
    }
    folder
        .judge(["run", "--out", "out"])
        .exits(0)
        .shows(["wrong on A: stops short of the goal: progress 2 of 3, moves 0, tie_break 0"]);
}

#[test]
fn entries_get_boards_as_the_contest_file_says() {
    let prints = "sum() { cksum | cut -d' ' -f1,2; }; if [ $# = 1 ]; then sum <\"$1\"; else echo none; fi; sum";
    for (input, by) in
        [("\"argument\"", [true, false]), ("\"stdin\"", [false, true]), ("[\"stdin\", \"argument\"]", [true, true])]
    {
        let folder = Folder::new();
        external(&folder, "protocol = \"exit\"", "cat \"$2\"; exit 0", &[("TEXT", "abc\n")], &[("e", prints)]);
        let bytes: Vec<u8> = (0..200_000_u32).map(|number| (number % 251) as u8).collect();
        folder.file("boards/large", &bytes);
        let text = folder.read("contest.toml").replace("limit =", &format!("input = {input}\nlimit ="));
        let large = "[[board]]\nname = \"LARGE\"\nfile = \"boards/large\"\nanswer = \"boards/large\"\n[[entry]]";
        folder.file("contest.toml", text.replacen("[[entry]]", large, 1));
        folder.judge(["run", "--out", "out", "--keep-programs", "off"]).exits(0);
        for (board, size) in [("TEXT", 4), ("LARGE", 200_000)] {
            let printed = folder.read(&format!("out/output/1/e/{board}.1.out"));
            let sizes: Vec<&str> = printed.lines().map(|line| line.rsplit(' ').next().unwrap()).collect();
            let size = |given: bool, none: &'static str| if given { size.to_string() } else { none.to_owned() };
            assert_eq!(sizes, [size(by[0], "none"), size(by[1], "0")], "{input} {board}");
        }
        // The journal has the hash, the results directory the file, and a contest stands without its folder.
        let hash = folder.judge(["rank", "out", "--format", "json"]).exits(0);
        assert!(hash.stdout.contains("LARGE"));
        let journal = folder.read("out/journal.jsonl");
        assert!(!journal.contains("\\u00fa") && journal.contains("\"sha256\""), "{input}");
        let files: Vec<_> = std::fs::read_dir(folder.path().join("out/files")).unwrap().collect();
        assert_eq!(files.len(), 1);
        assert_eq!(std::fs::read(files[0].as_ref().unwrap().path()).unwrap(), bytes);
    }
}

#[test]
fn without_its_referee_nothing_runs() {
    let folder = Folder::new();
    let build = "build = \"cp referee/source referee/built && ! cp referee/source escaped\"";
    external(&folder, &format!("protocol = \"exit\"\n{build}"), "", &[("A", "x")], &[RIGHT]);
    folder.script("referee/source", "exit 0");
    let text = folder.read("contest.toml").replace("referee/referee", "referee/built");
    folder.file("contest.toml", &text);
    folder.judge(["run", "--out", "out"]).exits(0);
    assert_eq!(verdict(&folder, "right", "A"), "solved");
    assert!(!folder.path().join("escaped").exists());
    folder.file("contest.toml", text.replace("cp referee/source referee/built", "echo broken; exit 4"));
    folder.judge(["run", "--out", "other"]).exits(2).says(["the referee was not built", "broken"]);
    assert!(!folder.path().join("other/journal.jsonl").exists());
}

#[test]
fn positions_that_a_referee_leaves_are_shown() {
    let folder = Folder::new();
    let script = r#"echo '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>' >"${3}1.svg"
printf '%s\n' '{"at":0,"progress":0,"grid":["AB","+C"],"touched":[[0,1]]}' '{"at":2,"svg":"1.svg"}' '{"at":3,"progress":2,"grid":["AB","C"]}' >"${3}frames.jsonl"
echo '{"format":1,"verdict":"unsolved","figures":{"progress":2},"full":3,"judge_note":"close"}' >"${3}ruling.json""#;
    external(&folder, "protocol = \"native\"", script, &[("A", "x")], &[RIGHT]);
    let printed = folder.judge(["run", "--out", "out", "--report"]).exits(0);
    contains(&printed.stdout, ["the board then: AB C#", "right on A: the referee notes: close"]);
    assert_eq!(folder.read("out/output/1/right/A.1.frames.jsonl").lines().count(), 3);
    let replayed = folder.judge(["replay", "--contest", "contest.toml", "A", "out/output/1/right/A.1.out"]).exits(1);
    contains(&replayed.stdout, ["after 0 bytes, progress 0\n     A [B]\n     +  C\n", "an image of"]);
    // The image is no part of the page, whatever is in it.
    let page = folder.read("out/report.html");
    assert!(!page.contains("alert(1)"), "the image is embedded as data only");
}

#[test]
fn a_signal_while_boards_are_checked_is_no_refusal_of_a_board() {
    let folder = Folder::new();
    let keys = "protocol = \"exit\"\ncheck = [\"referee/referee\", \"check\"]";
    external(&folder, keys, "sleep 100", &[("A", "question\n")], &[RIGHT]);
    for (args, message) in [
        (&["run", "--out", "out"][..], "judge: interrupted before the first run\n"),
        (&["boards", "check", "--contest", "contest.toml", "A"], "judge: interrupted\n"),
    ] {
        let judge = folder.command(args.iter().copied()).spawn().unwrap();
        until_one_names(&folder.path().join("referee/referee"));
        signal(&judge, Signal::INT);
        let output = judge.wait_with_output().unwrap();
        let notice = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), notice.as_str()), (Some(130), message));
    }
}

#[test]
fn single_answers_and_boards_are_judged_by_the_referee_of_a_contest_file() {
    let folder = Folder::new();
    folder.file("boards/A.ans", "42\n");
    let tools = r#"protocol = "exit"
check = ["referee/referee", "check"]
make = ["referee/referee", "make"]
show = ["referee/referee", "show"]"#;
    let script = r#"case $1 in
check) grep -q question "$2" || { echo no question; exit 1; } ;;
make) echo "question $2" ;;
show) echo "drawn: $(cat "$2")" ;;
*) cmp -s "$2" "$3" || { echo differs; exit 1; } ;;
esac"#;
    external(&folder, tools, script, &[("A", "question\n")], &[RIGHT]);
    folder.file("bad", "nothing\n");
    let judge = |args: &[&str], code| {
        let contest = [&args[..2.min(args.len())], &["--contest", "contest.toml"], &args[2.min(args.len())..]].concat();
        folder.judge(contest).exits(code)
    };
    assert_eq!(judge(&["boards", "check", "boards/A"], 0).stdout, "boards/A: ok\n");
    assert_eq!(judge(&["boards", "check", "bad"], 2).stdout, "bad: no question\n");
    assert_eq!(judge(&["boards", "make", "--random", "--seed", "7"], 0).stdout, "question 7\n");
    // Also the board that the contest file names already.
    folder.file("contest.toml", folder.read("contest.toml") + "[[board]]\nname = \"NEW\"\nfile = \"boards/new\"\n");
    judge(&["boards", "make", "--random", "--seed", "8", "-o", "boards/new"], 0);
    assert_eq!(folder.read("boards/new"), "question 8\n");
    assert_eq!(judge(&["boards", "check", "NEW"], 0).stdout, "NEW: ok\n");
    assert!(judge(&["boards", "make", "--size", "7"], 2).stderr.contains("--random --seed"));
    assert_eq!(judge(&["boards", "show", "boards/A"], 0).stdout, "drawn: question\n");
    let contest = ["--contest", "contest.toml"];
    // By its name and by its file a board has its judge's answer.
    for board in ["A", "boards/A"] {
        let good = folder.judge(["validate", contest[0], contest[1], board]).stdin("42\n").exits(0);
        assert_eq!(good.stdout, "solved\n");
    }
    let bad = folder.judge(["validate", contest[0], contest[1], "A", "41", "--json"]).exits(1).json();
    assert_eq!((&bad["verdict"], &bad["reason"]), (&"wrong".into(), &"wrong answer: differs".into()));
    let tried = folder.judge(["try", contest[0], contest[1], "A", "--", "entries/right"]).exits(0);
    assert!(tried.stdout.starts_with("A: solved\n"), "{}", tried.stdout);
    let tried = folder.judge(["try", contest[0], contest[1], "A", "--json", "--", "echo", "41"]).exits(1).json();
    assert_eq!((&tried["verdict"], &tried["reason"]), (&"wrong".into(), &"differs".into()));
    // With the limits of the contest, if no option sets others.
    let text = folder.read("contest.toml");
    assert!(text.contains("limit = \"10s\""), "{text}");
    folder.file("contest.toml", text.replace("limit = \"10s\"", "limit = \"7s\""));
    for (more, limit) in [(&[][..], 7_000), (&["--limit", "3s"], 3_000)] {
        let args = [&["try", contest[0], contest[1], "A", "--json"], more, &["--", "entries/right"]].concat();
        assert_eq!(folder.judge(args).exits(0).json()["limit_ms"], limit);
    }
    folder.file("contest.toml", text);
    let doctor = folder.judge(["doctor"]).exits(0);
    assert!(doctor.stdout.contains("\nreferee: protocol exit, referee/referee\n"), "{}", doctor.stdout);
    let built_in = folder
        .file("loyd.toml", crate::support::contest(&[("A", &crate::support::board("trap"))]) + &entry("e", &["x"]));
    // A contest with a board that its referee refuses does not begin.
    let good = folder.read("contest.toml");
    folder.file("contest.toml", good.replace("file = \"boards/A\"", "file = \"bad\""));
    folder.judge(["run", "--out", "out"]).exits(2).says(["board A: no question"]);
    let refused = folder.judge(["validate", "--contest", &built_in.to_string_lossy(), "A", "u"]).exits(2);
    assert!(refused.stderr.contains("use --game loyd"), "{}", refused.stderr);
}
