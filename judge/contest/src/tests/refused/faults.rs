//! Tests of a valid contest with one change: each error of a key is reported with its line.

use super::*;

/// A good contest: a board in lines 4 to 6, an entry in lines 7 to 9.
const GOOD: &str = "name = \"test\"\ngame = \"loyd\"\nlimit = \"10s\"\n[[board]]\nname = \"NEAR\"\nfile = \"x.txt\"\n\
                    [[entry]]\nname = \"honest\"\ncommand = [\"true\"]\n";

/// The good contest with one change.
fn changed(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    GOOD.replace(from, to)
}

#[test]
fn each_fault_of_a_contest_file_is_said_with_its_line() {
    let line = |line: &str| changed("limit", &format!("{line}\nlimit"));
    let keys = "available: name, cores, isolation, build_isolation, keep_programs, build, readable, ranking, match, problem, repeat, \
                entry, round, office, language, notify, game, limit, grace, cpu, memory, processes, output, scratch, best_known, statement, rules, \
                figure, table, input, answers, referee, group, board";
    let of_board =
        "available: name, file, reconstruction, note, answer, args, entry_args, files, group, points, best, struck";
    let of_entry = "available: name, author, year, strategy, write_up, build, folder, command, answers, readable, \
                    working_files, problems, source, limits, competing, withdrawn, disqualified";
    let of_build =
        "available: limit, memory, processes, scratch, output, cores, readable, writable, environment, fetch";
    let rules = "the rules of loyd are: centre_transport = \"illegal\" | \"noop\": the meaning of `t` if the centre is \
                 empty (default illegal)";
    let games = "available: loyd, ufo, shift, swap, hexa-draughts, external";
    let ranking = "available: progress, moves, tie_break, time, relative, solved, failed, unstarted";
    let write = "write command = \"path/to/program\" or command = [\"python3\", \"{dir}/solver.py\"]";
    let durations = "use for example \"10m\", \"1m 30s\" or \"500ms\"";
    let mut wrong = Vec::new();
    for (text, reason) in [
        ("name = \"x\"\nname =".into(), "2: the value of name has no quotes; write for example name = \"FOXY\"".into()),
        (String::new(), "1: missing key `name`; add for example name = \"FOXY\"".into()),
        // Keys that are unknown or missing.
        (changed("limit", "limt"), format!("3: unknown key `limt`; did you mean `limit`? {keys}")),
        (changed("[[board]]", "[[boards]]"), format!("4: unknown key `boards`; did you mean `board`? {keys}")),
        (changed("[[entry]]", "[entry]"), "7: entry must be a list, not a table; write [[entry]], with two brackets".into()),
        (changed("file =", "colour = 1\nfile ="), format!("6: unknown key `colour`; {of_board}")),
        (changed("command =", "comand ="), format!("9: unknown key `comand`; did you mean `command`? {of_entry}")),
        (GOOD.to_owned() + "[ranking]\nby = []\n", "11: unknown key `by`; available: order, exactly".into()),
        (GOOD.to_owned() + "[build]\nnetwork = true\n", format!("11: unknown key `network`; {of_build}")),
        (
            GOOD.to_owned() + "[rules]\ncenter_transport = \"noop\"\n",
            format!("10: [rules]: unknown key `center_transport`; did you mean `centre_transport`? available: centre_transport; {rules}"),
        ),
        (
            GOOD.to_owned() + "[rules]\ncentre_transport = \"nop\"\n",
            format!("10: [rules]: unknown value `nop`; did you mean `noop`? available: illegal, noop; {rules}"),
        ),
        (changed("name = \"test\"\n", ""), "1: missing key `name`; add for example name = \"FOXY\"".into()),
        (
            changed("command = [\"true\"]\n", ""),
            "8: missing key `command`; add for example command = \"mine/solver\", or answers = \"FOLDER\" with a file per board".into(),
        ),
        (changed("file = \"x.txt\"\n", ""), "4: missing key `file`; add for example file = \"boards/foxy.txt\"".into()),
        // Values of another type.
        (changed("\"10s\"", "2"), "3: limit must be a string, not the integer `2`; write for example limit = \"10s\"".into()),
        (line("memory = 1024"), "3: memory must be a string, not the integer `1024`; write for example memory = \"1GiB\"".into()),
        (line("cores = \"2\""), "3: cores must be an integer, not the string \"2\"; write for example cores = 1".into()),
        (line("readable = \"tables\""), "3: readable must be a list, not the string \"tables\"; write for example readable = [\"tables\"]".into()),
        (GOOD.to_owned() + "competing = \"no\"", "10: competing must be a boolean, not the string \"no\"; write for example competing = false".into()),
        (changed("\"honest\"", "7"), "8: name must be a string, not the integer `7`; write for example name = \"FOXY\"".into()),
        // Words and figures.
        (changed("loyd", "chess"), format!("2: unknown game `chess`; {games}")),
        (changed("loyd", "lyod"), format!("2: unknown game `lyod`; did you mean `loyd`? {games}")),
        (line("isolation = \"requires\""), "3: unknown isolation `requires`; did you mean `require`? available: auto, require, landlock, off".into()),
        (line("build_isolation = \"some\""), "3: unknown build_isolation `some`; available: auto, require, landlock, off".into()),
        (changed("10s", "0s"), "3: limit must not be zero; use for example \"10m\"".into()),
        (changed("10s", "ten minutes"), format!("3: limit: invalid duration `ten minutes` (expected number at 0); {durations}")),
        (changed("10s", "10"), format!("3: limit: invalid duration `10` (time unit needed, for example 10sec or 10ms); {durations}")),
        (changed("10s", "8d"), "3: limit: invalid duration `8d`: more than seven days".into()),
        (line("grace = \"1us\""), "3: grace: invalid duration `1us`: finer than a millisecond".into()),
        (line("output = \"much\""), "3: output: invalid size `much`; use for example \"16MiB\"".into()),
        (line("cores = 0"), "3: cores must be 1 to 4096, not 0".into()),
        (line("cores = 5000"), "3: cores must be 1 to 4096, not 5000".into()),
        (line("cores = -1"), "3: cores must be 1 to 4096, not -1".into()),
        (GOOD.to_owned() + "[build]\nlimit = \"soon\"\n", format!("11: limit: invalid duration `soon` (expected number at 0); {durations}")),
        (GOOD.to_owned() + "[build]\nenvironment = [\"=x\"]\n", "11: environment: invalid variable `=x`; use NAME or NAME=VALUE".into()),
        (GOOD.to_owned() + "[ranking]\norder = []\n", "11: the ranking order is empty; omit [ranking] for the usual one".into()),
        (GOOD.to_owned() + "[ranking]\norder = [\"moves\", \"movs\"]\n", format!("11: unknown figure `movs`; did you mean `moves`? {ranking}")),
        (GOOD.to_owned() + "[ranking]\norder = [\"moves\", \"moves\"]\n", "11: duplicate ranking key `moves`; the second could never decide".into()),
        // Boards and entries.
        (GOOD.replace("[[board]]\nname = \"NEAR\"\nfile = \"x.txt\"\n", ""), "the contest has no board; add a [[board]] with a name and a file, or with a pattern in `files`".into()),
        (GOOD.split("[[entry]]").next().unwrap().to_owned(), "the contest has no entry; add an [[entry]] with a name and a command, or [office] if teams hand in all of them".into()),
        (GOOD.to_owned() + "[[board]]\nname = \"NEAR\"\nfile = \"x.txt\"\n", "11: duplicate board name `NEAR`, first used in line 5".into()),
        (GOOD.to_owned() + "[[entry]]\nname = \"honest\"\ncommand = \"b\"\n", "11: duplicate entry name `honest`, first used in line 8".into()),
        (changed("\"honest\"", "\"a/b\""), "8: unusable entry name \"a/b\": use 1 to 64 letters, digits and . _ + -, not beginning with . or -".into()),
        (changed("x.txt", "bad.txt"), "6: board NEAR: bad.txt: row 5, column 5: duplicate `X`, first used in row 5, column 4".into()),
        (changed("x.txt", "folder"), "6: board NEAR: folder: is a directory; expected a regular file".into()),
        // Commands and builds.
        (changed("[\"true\"]", "[]"), format!("9: command is empty; {write}")),
        (changed("[\"true\"]", "\"\""), format!("9: command is empty; {write}")),
        (changed("[\"true\"]", "7"), format!("9: command is neither a string nor a list of strings; {write}")),
        (changed("[\"true\"]", "[\"true\", 7]"), format!("9: command contains values that are not strings; {write}")),
        (changed("[\"true\"]", "\"it's\""), format!("9: command: missing closing quote; {write}")),
        (
            changed("[\"true\"]", "\"solver\"") + "build = \"make\"\n",
            "10: entry honest: its build needs a folder that it may write; name one with folder = \"…\", or set build_isolation = \"off\"".into(),
        ),
        (
            changed("[\"true\"]", "\"./solver\"") + "build = \"make\"\n",
            "10: entry honest: its build could write the contest's folder, where its program is; move the program to a \
             folder of its own, name one with folder = \"…\", or set build_isolation = \"off\"".into(),
        ),
        // A character that cannot be passed to a program.
        (changed("[\"true\"]", "\"a\\u0000b\""), nul(9, "command")),
        (GOOD.to_owned() + "[build]\nenvironment = [\"HOME\",\n  \"A=b\\u0000c\"]\n", nul(12, "environment")),
        (GOOD.to_owned() + "[build]\nfetch = \"a\\U00000000b\"\n", nul(11, "fetch")),
        (GOOD.to_owned() + "build = \"a\\u0000b\"\n", nul(10, "build")),
        (changed("file = \"x.txt\"", "file = \"x.txt\"\nargs = [\"a\", \"a\\u0000b\"]"), nul(7, "args")),
        (changed("file = \"x.txt\"", "file = \"x.txt\"\nentry_args = [\"a\", \"a\\u0000b\"]"), nul(7, "entry_args")),
    ] {
        let found = refusal(&text, |folder| {
            folder.file("bad.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXX");
            folder.file("folder/file", "");
        });
        if found != reason {
            wrong.push(format!("found    {found}\nexpected {reason}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let outside = refusal(&(changed("[\"true\"]", "\"../other/solver\"") + "build = \"make\"\n"), |_| {});
    assert!(
        outside.starts_with("10: entry honest: its build could write /")
            && outside.contains("/other, outside the contest's folder; "),
        "{outside}"
    );
}

fn nul(line: usize, key: &str) -> String {
    format!("{line}: {key} contains a NUL character, which no program can be given; leave it out")
}

#[test]
fn the_unchanged_contest_and_what_only_looks_like_a_fault_are_good() {
    let note = "file = \"x.txt\"\nnote = \"a\\u0000b\"";
    // A note is shown and not passed to a program. A backslash and six letters are not a NUL character.
    for text in [GOOD.to_owned(), changed("file = \"x.txt\"", note), changed("[\"true\"]", "[\"true\", '\\u0000']")] {
        assert_eq!(Folder::new(&text).contest().plan.boards.len(), 1);
    }
    // Names of 1995.
    for name in ["O+PTM_rtll", "10.pound.sledge"] {
        assert_eq!(Folder::new(&changed("honest", name)).contest().plan.entries[0].name, name);
    }
}

#[test]
fn names_are_usable_wherever_they_are_written() {
    for name in ["", "two words", "a/b", "..", "-x", "tab\\t", "comma,", &"x".repeat(65)] {
        for (kind, line, usable) in [("entry", 8, "\"honest\""), ("board", 5, "\"NEAR\"")] {
            let message = refusal(&changed(usable, &format!("\"{name}\"")), |_| {});
            assert!(message.starts_with(&format!("{line}: unusable {kind} name")), "{message}");
            assert!(message.contains(": use 1 to 64 letters, digits and . _ + -"), "{message}");
        }
    }
}
