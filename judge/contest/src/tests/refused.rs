//! Contest files that are refused, each with the reason and the line that people read.

mod faults;

use judge_core::journal::STORED;
use judge_core::plan::Statement;

use super::*;
use crate::{parse_duration, read_board};

/// The reason why a contest file is refused, with its line if it has one.
fn refusal(contest: &str, prepare: impl FnOnce(&Folder)) -> String {
    let folder = Folder::new(contest);
    prepare(&folder);
    let error = Contest::load(folder.0.path(), &Overrides::default()).map(drop).expect_err(contest);
    let reason = error.reason.replace(&format!("{}/", folder.0.path().display()), "");
    error.line.map_or(String::new(), |line| format!("{line}: ")) + &reason
}

fn refused(contest: &str, expected: &str) {
    let found = refusal(contest, |_| {});
    assert!(found.contains(expected), "expected `{expected}`, found `{found}`\n{contest}");
}

/// A contest of the boards X and Y and the entries a and b, with more lines of the last entry.
fn with(more: &str) -> String {
    [HEAD, BOARDS, ENTRIES, more].concat()
}

#[test]
fn a_file_that_is_no_contest_file_is_named_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let load = || Contest::load(folder.path(), &Overrides::default()).map(drop).unwrap_err();
    let missing = load();
    assert_eq!((&*missing.reason, missing.hint.is_some()), ("no such file", true));
    fs::write(folder.path().join("contest.toml"), b"name = \"\xff\"").unwrap();
    let binary = load();
    assert!(binary.reason.starts_with("is not UTF-8") && binary.hint.is_none(), "{}", binary.reason);
}

#[test]
fn the_name_of_a_file_forges_no_line_of_a_message() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let name = OsStr::from_bytes(b"x\nforged: line\x1b[31m\xff");
    let file = "file = \"x.txt\"\n";
    let boards = |keys: &str| [EXIT_HEAD, "[[board]]\n", keys, ENTRIES].concat();
    for (contest, expected) in [
        (boards("files = \"mine/*\"\n"), "has a name that is not UTF-8"),
        (boards(&format!("name = \"X\"\n{file}files = [\"mine\"]\n")), "its name is not UTF-8"),
        ([EXIT_HEAD, BOARDS, "[[entry]]\nname = \"a\"\nanswers = \"mine\"\n"].concat(), "its name is not UTF-8"),
    ] {
        let found = refusal(&contest, |folder| {
            let mine = folder.0.path().join("mine");
            fs::create_dir(&mine).unwrap();
            fs::write(mine.join(name), "1\n").unwrap();
        });
        assert!(found.contains(expected) && found.contains("forged"), "expected `{expected}`, found `{found}`");
        assert!(!found.contains(char::is_control), "{found:?}");
    }
}

#[test]
fn a_line_begins_behind_the_end_of_the_one_before() {
    refused(&[BOARDS, "name = \"\"\n"].concat(), "");
    assert!(refusal(&["\n", HEAD, BOARDS, &ENTRIES.replace("\"b\"", "\"a\"")].concat(), |_| {}).starts_with("15: "));
    let first = refusal("name = 3\n", |_| {});
    assert!(first.starts_with("1: name must be a string, not the integer `3`"), "{first}");
}

#[test]
fn values_of_another_type_are_said_with_the_type_that_is_meant() {
    for (line, reason) in [
        ("limit = [1]\n", "limit must be a string, not a list; write for example limit = \"10s\""),
        ("limit = { a = 1 }\n", "limit must be a string, not a table; write for example limit = \"10s\""),
        ("limit = true\n", "limit must be a string, not the boolean `true`; write for example limit = \"10s\""),
    ] {
        refused(&with("").replace("limit = \"10s\"\n", line), reason);
    }
    refused(
        &with("").replacen("name = \"test\"", "repeat = \"x\"\nname = \"test\"", 1),
        "repeat must be an integer, not the string \"x\"",
    );
    refused(&with("year = 1.5\n"), "year must be an integer, not the floating point `1.5`");
    refused(
        &with("").replace("[[board]]", "[board]").replacen("[board]\nname = \"Y\"\nfile = \"y.txt\"\n", "", 1),
        "board must be a list, not a table; write [[board]], with two brackets",
    );
    refused(&(with("") + "[ranking.order]\nx = 1\n"), "16: order must be a list, not a table");
    refused(
        &with("").replace("\"10s\"", "soon"),
        "the value of limit has no quotes; write for example limit = \"10s\"",
    );
}

#[test]
fn lists_are_not_taken_for_tables() {
    let first = |line: &str| with("").replacen("name = \"test\"", &format!("name = \"test\"\n{line}"), 1);
    for (line, reason) in [
        (
            "ranking = [\"relative\"]",
            "2: ranking must be a table, not a list; write [ranking] and below it, for example, order = [\"relative\", \"time\"]",
        ),
        ("referee=[ \"native\" ]", "2: referee must be a table, not a list; write [referee]"),
        ("\"answers\" = [true]", "2: answers must be a table, not a list"),
        ("office = { limit = [1, 2] }", "2: limit must be a table, not a list; write limit = { KEY = VALUE }"),
        ("round = [[\"One\"]]", "2: round must be a list of tables; write [[round]] and its keys below it"),
    ] {
        refused(&first(line), reason);
    }
    refused(&with("limits = [\"1s\"]\n"), "limits must be a table, not a list");
    let boards = with("").replace(BOARDS, "board = [[\"X\", \"x.txt\"]]\n");
    refused(&boards, "board must be a list of tables; write [[board]] and its keys below it");
}

#[test]
fn a_name_that_is_unusable_or_used_before_is_refused() {
    refused(&with("").replace("\"b\"", "\"a\""), "14: ");
    refused(&with("").replace("\"Y\"", "\"X\""), "first used in line 5");
    refused(&with("").replace("\"b\"", "\"\""), "name");
    refused(&with("").replace("\"b\"", "\"A\""), "14: entry name `A` differs from `a` in case only (line 11)");
    refused(&with("").replace("\"Y\"", "\"x\""), "board name `x` differs from `X` in case only");
    let hidden = "14: unusable entry name \"b\\u{200b}\": U+200B cannot be seen; leave it out: `b`";
    refused(&with("").replace("\"b\"", "\"b\u{200b}\""), hidden);
    refused(&with("").replace("\"Y\"", "\"\u{fb01}x\""), "it is read as `fix`; write that");
}

#[test]
fn reasons_are_one_line() {
    for key in ["withdrawn", "disqualified"] {
        for reason in ["", "  ", "a\\nb", &"x".repeat(2_001)] {
            refused(&with(&format!("{key} = \"{reason}\"\n")), &format!("{key} must be a text of 1 to "));
        }
    }
    let longest = with(&format!("withdrawn = \"{}\"\n", "x".repeat(longest_reason())));
    assert_eq!(Folder::new(&longest).contest().withdrawn.len(), 1);
    refused(&with("withdrawn = \"a\"\ndisqualified = \"b\"\n"), "an entry is either withdrawn or disqualified");
}

/// The most characters of a reason, as stated in the refusal of a longer one.
fn longest_reason() -> usize {
    let refusal = refusal(&with("withdrawn = \"\"\n"), |_| {});
    refusal.split("1 to ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn files_of_an_entry_exist_in_its_folder() {
    refused(&with("readable = [\"none\"]\n"), "readable: ");
    refused(&with("working_files = [\"none\"]\n"), "none does not exist");
    refused(&with("readable = [\"/proc/self/environ\"]\n"), "an entry has its own /proc");
    refused(&with("").replace("b/solve", "/proc/self/exe"), "name the program itself");
    let outside = |folder: &Folder, at: &str| {
        std::os::unix::fs::symlink("/etc/passwd", folder.0.path().join(at)).unwrap();
    };
    for (more, at) in [("readable = [\"b/away\"]\n", "b/away"), ("working_files = [\"b/away\"]\n", "b/away")] {
        let found = refusal(&with(more), |folder| outside(folder, at));
        assert!(found.contains("away") && found.contains("link"), "{found}");
    }
    let found = refusal(&with("").replace("b/solve", "b/away"), |folder| outside(folder, "b/away"));
    assert!(found.contains("command: ") && found.contains("link"), "{found}");
    // For an entry with a build, only the build decides.
    let folder = Folder::new(&with("build = \"make\"\nreadable = [\"b/made\"]\nwrite_up = \"b/words.md\"\n"));
    outside(&folder, "b/made");
    outside(&folder, "b/words.md");
    assert_eq!(folder.contest().plan.entries.len(), 2);
    fs::remove_file(folder.0.path().join("b/words.md")).unwrap();
    let missing = Contest::load(folder.0.path(), &Overrides::default()).map(drop).unwrap_err();
    assert!(missing.reason.contains("words.md"), "{}", missing.reason);
}

#[test]
fn builds_have_folders_of_their_own() {
    let two = |a: &str, b: &str| {
        let entry = |name: &str, program: &str, build: &str| {
            format!("[[entry]]\nname = \"{name}\"\ncommand = \"{program}\"\nbuild = \"{build}\"\n")
        };
        [HEAD, BOARDS, &entry("a", "a/solve", a), &entry("b", "a/other", b)].concat()
    };
    refused(&two("make a", "make b"), "the build of entry a could change its program");
    let shared = two("make a", "make b") + "[build]\nwritable = [\"a\"]\n";
    for one_or_shared in [two("make", "make"), shared] {
        assert_eq!(
            Folder::new(&one_or_shared).contest().plan.entries.len(),
            2,
            "one build of both, or a shared folder"
        );
    }
    let of_referee = EXIT_HEAD.replace("./referee", "a/referee") + &two("make a", "make a").replace(HEAD, "");
    refused(&of_referee, "the referee: the build of entry a could change its program");
    let plain = [HEAD, BOARDS, ENTRIES].concat().replace("b/solve", "a/other").replacen(
        "command = \"a/solve\"",
        "command = \"a/solve\"\nbuild = \"make\"",
        1,
    );
    refused(&plain, "the build of entry a could change its program");
    refused(&with("build = \"make\"\n").replace("b/solve", "solve"), "entry b: its ");
    let linked = refusal(&with("build = \"make\"\n").replace("b/solve", "c/solve"), |folder| {
        std::os::unix::fs::symlink("/etc", folder.0.path().join("c")).unwrap();
    });
    assert!(linked.contains("entry b: its folder") && linked.contains("link"), "{linked}");
}

#[test]
fn sealed_boards_are_those_whose_hashes_were_published() {
    use crate::seal::seal;
    let rounds = |seal: &str| {
        format!(
            "[[round]]\nname = \"heats\"\nboards = [\"X\"]\nadvance = \"solved\"\n\
             [[round]]\nname = \"final\"\nboards = [\"Y\"]\nsealed = [\"{seal}\"]\n"
        )
    };
    let contest = |seal: &str| [HEAD, BOARDS, ENTRIES, &rounds(seal)].concat();
    refused(&contest(&format!("sha256:{}", "0".repeat(64))), "board Y does not match its seal");
    let folder = Folder::new(&with(""));
    let sealed = seal(&folder.0.path().join("y.txt")).unwrap();
    folder.file("contest.toml", &contest(&sealed.seal));
    assert_eq!(folder.contest().plan.entries.len(), 2, "board and salt are those that were sealed");
    let load = || Contest::load(folder.0.path(), &Overrides::default()).map(drop).unwrap_err().reason;
    folder.file("y.txt", &(NEAR.to_owned() + "\n"));
    assert!(load().contains("restore the file and the salt that were sealed"), "{}", load());
    fs::remove_file(&sealed.salt).unwrap();
    assert!(load().contains("its seal needs the salt in") && load().ends_with("no such file"), "{}", load());
}

#[test]
fn the_best_known_solve_their_boards_in_their_moves() {
    let known = |rows: &str| {
        let contest = with("").replacen("game", "best_known = \"known.csv\"\ngame", 1);
        let folder = Folder::new(&contest);
        folder.file("known.csv", &format!("board,moves,lower_bound,answer\n{rows}"));
        Contest::load(folder.0.path(), &Overrides::default()).map(|contest| contest.plan).map_err(|error| error.reason)
    };
    let plan = known("x,4,4,lluu\nx,9,,\nz,1,,\n").unwrap();
    let best = ["X", "Y"].map(|board| plan.shown.known.get(board).map(|known| (known.moves, known.lower_bound)));
    assert_eq!(best, [Some((4, Some(4))), None], "of two rows the first counts");
    for (rows, reason) in [
        ("x,9007199254740992,,\n", "`9007199254740992`, expected a whole number from 0 to 9007199254740991"),
        ("x,4,,llx\n", "x: the answer is illegal: illegal move 3 `x`: an answer has only the moves "),
        ("x,4,5,\n", "x: 4 moves are known, though the lower bound is 5"),
        ("x,1,2,\n", "x: 1 move is known, though the lower bound is 2"),
        ("x,4,,lluuu\n", "x: the answer is illegal"),
        ("x,1,,l\n", "x: the answer does not solve the board"),
        ("x,3,,lluu\n", "x: the answer has 4 moves, not 3"),
        ("x,four,,\n", "line 2: invalid type: string \"four\""),
        ("x,1\n", "the columns are board, moves, and optionally lower_bound and answer"),
    ] {
        let found = known(rows).unwrap_err();
        assert!(found.contains(reason), "expected `{reason}`, found `{found}`");
    }
    let named = with("").replacen("game", "best_known = \"known.csv\"\ngame", 1);
    let missing = refusal(&named, |_| {});
    assert!(missing.starts_with("2: best_known: ") && missing.contains("known.csv: No such file"), "{missing}");
    let without = refusal(&named, |folder| folder.file("known.csv", "board,lower_bound\nx,4\n"));
    assert!(without.contains("known.csv: line 2: missing field `moves`; the columns are board, moves, "), "{without}");
    let folder = refusal(&named, |folder| fs::create_dir(folder.0.path().join("known.csv")).unwrap());
    assert!(folder.ends_with("known.csv: is a directory; expected a regular file"), "{folder}");
}

#[test]
fn a_write_up_is_a_text_or_the_head_of_a_program() {
    let refused = |text: Option<&str>| {
        let prepare = |folder: &Folder| text.into_iter().for_each(|text| folder.file("b/solve.rs", text));
        refusal(&with("write_up = \"b/solve.rs\"\n"), prepare)
    };
    for (text, reason) in [
        (None, "solve.rs: No such file or directory (os error 2)"),
        (Some(&*"// x\n".repeat(1 << 20)), "solve.rs: is larger than 1 MiB, the most allowed"),
        (Some("fn main() {}\n"), "solve.rs: has no write-up: a comment at its head in `//!`, `//`, `#` or `\"\"\"`"),
    ] {
        let found = refused(text);
        assert!(found.starts_with("16: write_up: ") && found.ends_with(reason), "{found}");
    }
}

#[test]
fn a_statement_is_markdown_or_a_pdf_file() {
    let named = |name: &str| with("").replacen("game", &format!("statement = \"{name}\"\ngame"), 1);
    for (name, text, reason) in [
        ("a.md", None, "a.md: no such file"),
        ("a.md", Some("word ".repeat(1 << 20)), "a.md: is larger than 1 MiB, the most allowed"),
        ("a.pdf", Some("words".into()), "a.pdf: is not a PDF file"),
        ("a.tex", Some("\\section{a}".into()), "a.tex: must be Markdown (`.md`) or a PDF file (`.pdf`)"),
    ] {
        let found = refusal(&named(name), |folder| text.iter().for_each(|text| folder.file(name, text)));
        assert!(found.starts_with("2: statement: ") && found.ends_with(reason), "{found}");
    }
    let linked = refusal(&named("a.md"), |folder| {
        std::os::unix::fs::symlink("/dev/zero", folder.0.path().join("a.md")).unwrap();
    });
    assert!(linked.starts_with("2: statement: a.md: "), "{linked}");
    // A file is stored with the results, and stays there when it is replaced.
    let folder = Folder::new(&named("a.pdf"));
    folder.file("a.pdf", "%PDF-1.7 one");
    let results = folder.0.path().join("results");
    fs::create_dir(&results).unwrap();
    let stored = |folder: &Folder| {
        let contest = folder.contest();
        contest.keep_files(&results).unwrap();
        let stored = contest.plan.shown.statements.get("").and_then(Statement::stored).unwrap().clone();
        fs::read_to_string(results.join(STORED).join(stored.sha256)).unwrap()
    };
    assert_eq!(stored(&folder), "%PDF-1.7 one");
    folder.file("a.pdf", "%PDF-1.7 two");
    assert_eq!((stored(&folder), fs::read_dir(results.join(STORED)).unwrap().count()), ("%PDF-1.7 two".into(), 2));
}

#[test]
fn files_of_boards_and_durations_have_their_bounds() {
    let folder = Folder::new(&with(""));
    let missing = read_board(&folder.0.path().join("none.txt")).unwrap_err();
    assert_eq!((&*missing.reason, missing.hint.is_some()), ("no such file", true));
    assert!(read_board(folder.0.path()).unwrap_err().hint.is_none());
    assert_eq!(parse_duration("7d").unwrap().as_secs(), 7 * 24 * 3600);
    assert_eq!(
        parse_duration("1500us").unwrap_err().to_string(),
        "invalid duration `1500us`: finer than a millisecond"
    );
    assert_eq!(parse_duration("7d 1ms").unwrap_err().to_string(), "invalid duration `7d 1ms`: more than seven days");
    assert_eq!(parse_duration("2ms").unwrap().as_millis(), 2);
    let lost = refusal(&with(""), |folder| fs::remove_file(folder.0.path().join("y.txt")).unwrap());
    assert!(lost.contains("no such file"), "{lost}");
    assert!("3-2".parse::<crate::Seeds>().is_err());
}

#[test]
fn rounds_seals_and_reasons_are_refused_with_their_line() {
    let round = |rest: &str| format!("[[round]]\nname = \"One\"\n{rest}");
    let both = "boards = [\"X\", \"Y\"]\n";
    let advance = "invalid advance; use \"tied\", \"solved\", \"all\", or a table such as { top = 3 }";
    for (more, reason) in rows! {
        (round("boards = [\"X\"]\n"), "board Y is in no round; name it in the `boards` of one"),
        (round("boards = []\n"), "round One has no boards"),
        (round("boards = [\"X\", \"Z\"]\n"), "round One: unknown board `Z`; add a [[board]] with that name"),
        (round(both) + "[[round]]\nname = \"Two\"\nboards = [\"X\"]\n", "board X is in round One and in round Two"),
        (round(both) + &round("boards = [\"X\"]\n"), "duplicate round name `One`"),
        (round(both) + "advance = \"some\"\n", advance),
        (round(both) + "advance = { top = 0 }\n", "invalid advance"),
        (round(both) + "tie_on = []\n", "tie_on is empty"),
        (round(both) + "tie_on = [\"beauty\"]\n", "unknown figure `beauty`"),
        (round(both) + "sealed = \"sha256:12\"\n", "sealed has 1 seal for 2 boards; list one per board"),
        (round(both) + "sealed = [\"md5:1\", \"x\"]\n", "invalid seal `md5:1` of board X; expected `salted-sha256:` or `sha256:`, with 64 digits"),
        (round(both) + "limit = \"0s\"\n", "limit must not be zero"),
    } {
        let found = refusal(&with(&more), |_| {});
        assert!(found.contains(reason) && found.starts_with(|c: char| c.is_ascii_digit()), "{found}");
    }
}

#[test]
fn a_contest_has_as_many_rounds_as_a_table_can_show() {
    let rounds = |number: usize| -> String {
        let board = |number: usize| format!("[[board]]\nname = \"R{number}\"\nfile = \"x.txt\"\n");
        let round = |number: usize| format!("[[round]]\nname = \"R{number}\"\nboards = [\"R{number}\"]\n");
        let all: String = (0..number).map(board).chain((0..number).map(round)).collect();
        [HEAD, ENTRIES, &all].concat()
    };
    refused(&rounds(1001), "a contest has at most 1000 rounds");
    assert_eq!(Folder::new(&rounds(1000)).contest().plan.rounds.len(), 1000);
}

#[test]
fn comparing_tokens_needs_an_answer_and_known_arguments() {
    let contest = |referee: &str, board: &str| {
        let head = HEAD.replace("loyd", "external");
        let boards = format!("[[board]]\nname = \"X\"\nfile = \"x.txt\"\n{board}\n");
        [&head, "[referee]\nprotocol = \"tokens\"\n", referee, &boards, ENTRIES].concat()
    };
    refused(&contest("", ""), "7: board X needs an answer: protocol \"tokens\" compares with that");
    refused(
        &contest("", "answer = \"x.txt\"\nargs = [\"float_tolerance\"]"),
        "board X: args: `float_tolerance` needs a number",
    );
    let command = contest("command = \"./referee\"\n", "answer = \"x.txt\"");
    refused(&command, "protocol \"tokens\" is built in; remove the command");
}

#[test]
fn keys_of_a_referee_and_of_its_boards_are_refused_with_their_line() {
    let keys = "protocol = \"exit\"";
    let good = [EXIT_HEAD, BOARDS, ENTRIES].concat();
    for (from, to, reason) in rows! {
        (keys, "protocol = \"foreign\"", "5: unknown protocol `foreign`; available: native, kattis, testlib, exit, score"),
        (keys, "protocol = \"score\"", "5: protocol \"score\" needs a [[figure]]"),
        (
            "[referee]\nprotocol = \"exit\"",
            "[[figure]]\nname = \"score\"\n[referee]\nprotocol = \"score\"\npattern = \"[0-9]\"",
            "it has no group named score",
        ),
        (keys, "protocol = \"score\"\npattern = '(?<score>.)'", "needs a [[figure]]"),
        (keys, "protocol = \"native\"\naccept = [0]", "6: accept is a key of protocol \"exit\" only"),
        (keys, "protocol = \"exit\"\naccept = [1]", "exit code 1 cannot both accept and reject"),
        (keys, "protocol = \"exit\"\naccept = []", "6: accept is empty, so no answer could be accepted"),
        (keys, "protocol = \"exit\"\naccept = [0, 256]", "6: accept: no program ends with exit code 256; use 0 to 255"),
        (keys, "protocol = \"exit\"\nreject = [-1]", "6: reject: no program ends with exit code -1; use 0 to 255"),
        (keys, "protocol = \"native\"\nscore = \"down\"", "[[figure]] with name = \"score\" and better = \"less\""),
        (keys, "protocol = \"native\"\ndecimals = 2", "6: decimals is no key of [referee] any more"),
        (keys, "protocol = \"native\"\nfull = \"9\"", "write a table [[figure]] with full = \"9\""),
        (keys, "protocol = \"native\"\nrepeat = 0", "repeat must be 1 to 100, not 0"),
        (keys, "protocol = \"native\"\non_crash = \"ignore\"", "on_crash must be \"judge\" or \"reject\""),
        (keys, "protocol = \"native\"\nreadable = [\"none\"]", "none does not exist"),
        (keys, "protocol = \"native\"\nunknown = 1", "unknown key `unknown`"),
        (keys, "protocol = \"exit\"\ntalk = true", "talk is only for protocol \"native\" and protocol \"kattis\""),
        (keys, "protocol = \"kattis\"\nclock = \"own\"", "clock needs talk = true"),
        (keys, "protocol = \"kattis\"\nlines = 9", "lines needs talk = true"),
        (keys, "protocol = \"kattis\"\ntalk = true\nlines = 0", "lines must be at least 1, not 0"),
        (keys, "protocol = \"kattis\"\ntalk = true\nclock = \"sand\"", "clock must be \"wall\" or \"own\", not \"sand\""),
        (keys, "protocol = \"kattis\"\ntalk = true\nrepeat = 2", "a talk cannot be refereed again; remove repeat"),
        ("limit = \"10s\"", "limit = \"10s\"\ninput = \"pipe\"", "input must be"),
        ("limit = \"10s\"", "limit = \"10s\"\n[rules]", "[rules] is only for built-in games"),
        ("x.txt\"", "x.txt\"\ngroup = \"g\"", "unknown group `g`"),
        ("x.txt\"", "x.txt\"\npoints = \"3\"", "points need a figure"),
        ("x.txt\"", "x.txt\"\nanswer = \"none\"", "none: no such file"),
        ("game = \"external\"", "game = \"loyd\"", "[referee] is only for game = \"external\""),
        ("[referee]", "[other]", "unknown key `other`"),
    } {
        assert!(good.contains(from), "{from}");
        refused(&good.replacen(from, to, 1), reason);
    }
    let talks = good.replace(keys, "protocol = \"kattis\"\ntalk = true");
    refused(&talks.replace("game = ", "input = \"stdin\"\ngame = "), "a referee that talks is on standard input");
    refused(&(talks + "[answers]\nstream = true\n"), "a referee that talks reads no stream of answers");
    for (groups, reason) in [
        ("[[group]]\nname = \"a\"\nwithin = \"b\"", "unknown group `b`; define it above"),
        ("[[group]]\nname = \"a\"\naggregate = \"all\"", "needs points"),
        ("[[group]]\nname = \"a\"\naggregate = \"mean\"", "available: sum, average, min, max, all"),
        ("[[group]]\nname = \"a\"\npoints = \"3\"", "only a group with aggregate = \"all\""),
        ("[[group]]\nname = \"a\"\n[[group]]\nname = \"a\"", "duplicate group name `a`"),
    ] {
        refused(&(good.clone() + "[[figure]]\nname = \"score\"\nbetter = \"more\"\n" + groups), reason);
    }
    refused(&(good.clone() + "[[group]]\nname = \"a\""), "[[group]] needs a figure");
    refused(&(good.clone() + "[table]\ncell = [\"a\"]"), "[table] needs a figure");
    let native = good.replacen(keys, "protocol = \"native\"", 1);
    for (figures, reason) in [
        ("name = \"9\"", "name: `9` is no name of a figure"),
        ("name = \"time\"", "name: `time` is the name of something else"),
        ("name = \"a\"\nbetter = \"up\"", "better must be \"more\", \"less\" or \"neither\", not \"up\""),
        ("name = \"a\"\ndecimals = 10", "decimals must be 0 to 9, not 10"),
        ("name = \"a\"\nfull = \"nan\"", "full: `nan` is not a decimal number"),
        ("name = \"a\"\nfailed = true", "failed: is no number"),
        ("name = \"a\"\nround = \"up\"", "round must be \"nearest\" or \"down\", not \"up\""),
        ("name = \"a\"\ntotal = \"median\"", "unknown total `median`; available: sum, mean, min, max, groups"),
        ("name = \"a\"\nunit = \"1s\"", "unit is only for what the judge measures"),
        ("name = \"a\"\nfrom = \"luck\"", "unknown source `luck`; available: referee, time, cpu, memory, size, answer"),
        ("name = \"a\"\nfrom = \"time\"", "the first figure must be one that the referee gives"),
        ("name = \"a\"\nfrom = \"time\"\nratio = \"a\"", "it has both from and ratio"),
        ("name = \"a\"\n[[figure]]\nname = \"t\"\nfrom = \"time\"\nunit = \"0s\"", "unit must not be zero"),
        ("name = \"a\"\n[[figure]]\nname = \"b\"\nadd = { c = 1 }", "is made of `c`, which must be declared before it"),
        ("name = \"a\"\n[[figure]]\nname = \"b\"\nadd = { a = true }", "add: `a` needs a number"),
        ("name = \"a\"\n[[figure]]\nname = \"b\"\nfull = 1", "full and groups belong to the first figure, `a`"),
        ("name = \"a\"\n[table]\ncell = [\"b\"]", "unknown figure `b`"),
        ("name = \"a\"\n[ranking]\norder = [\"a\"]", "of figure `a` neither more nor less is better"),
        ("name = \"a\"\n[ranking]\norder = [\"moves\"]", "unknown figure `moves`"),
    ] {
        refused(&(native.clone() + "[[figure]]\n" + figures), reason);
    }
    refused(&(good + "[[figure]]\nname = \"a\"\n[[figure]]\nname = \"b\""), "protocol \"exit\" gives one figure");
    let game = [HEAD, BOARDS, ENTRIES, "[[figure]]\nname = \"a\""].concat();
    refused(&game, "[[figure]] is only for game = \"external\"");
    refused(&[HEAD, BOARDS, ENTRIES].concat().replace("loyd", "external"), "game \"external\" needs a table [referee]");
}
