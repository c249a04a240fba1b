//! Every message about a bad contest file: file, line, what is wrong, what to do, and nothing has run.

use insta::assert_snapshot;

use crate::support::{Folder, board, contest, entry};

/// What `run` says of this contest file.
#[track_caller]
fn refused(text: impl AsRef<[u8]>) -> String {
    let folder = Folder::new();
    folder.file("near.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT");
    folder.file("bad.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXX");
    folder.file("folder/file", "");
    folder.file("contest.toml", text);
    let printed = folder.judge(["run"]).exits(2);
    assert_eq!(printed.stdout, "");
    assert!(!folder.path().join("runs").exists(), "nothing was begun");
    printed.message()
}

/// A good contest: a board in lines 4 to 6, an entry in lines 7 to 9.
fn good() -> String {
    contest(&[("NEAR", "near.txt")]) + &entry("honest", &["true"])
}

/// The good contest with one thing changed.
fn changed(from: &str, to: &str) -> String {
    assert!(good().contains(from), "{from}");
    good().replace(from, to)
}

#[test]
fn the_unchanged_contest_is_good() {
    let folder = Folder::new();
    folder.file("near.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT");
    folder.file("contest.toml", good());
    folder.judge(["run"]).exits(0);
}

#[test]
fn what_is_no_contest_file() {
    assert_snapshot!(Folder::new().judge(["run"]).exits(2).message(), @"judge: contest.toml: no such file; name a contest file, or create one with `judge init DIR`");
    assert_snapshot!(Folder::new().judge(["run", "my/own.toml"]).exits(2).message(), @"judge: my/own.toml: no such file; name a contest file, or create one with `judge init DIR`");
    assert_snapshot!(refused("name = \"x\"\nname ="), @r#"judge: contest.toml:2: the value of name has no quotes; write for example name = "FOXY""#);
    assert_snapshot!(refused(b"name = \"\xff\""), @"judge: contest.toml: is not UTF-8; a contest file is TOML in UTF-8");
    assert_snapshot!(refused(""), @r#"judge: contest.toml:1: missing key `name`; add for example name = "FOXY""#);
}

#[test]
fn unknown_and_missing_keys() {
    assert_snapshot!(refused(changed("limit", "limt")), @"judge: contest.toml:3: unknown key `limt`; did you mean `limit`? available: name, game, limit, grace, cpu, memory, processes, output, scratch, cores, isolation, build_isolation, keep_programs, build, readable, best_known, rules, ranking, input, answers, referee, group, repeat, board, entry, round, office, language, notify");
    assert_snapshot!(refused(changed("file = \"near.txt\"", "file = \"near.txt\"\ncolour = 1")), @"judge: contest.toml:7: unknown key `colour`; available: name, file, reconstruction, note, answer, args, entry_args, files, group, points, best, struck");
    assert_snapshot!(refused(changed("name = \"honest\"", "name = \"honest\"\ncompetting = false")), @"judge: contest.toml:9: unknown key `competting`; did you mean `competing`? available: name, author, year, strategy, write_up, build, folder, command, answers, readable, working_files, limits, competing, withdrawn, disqualified");
    assert_snapshot!(refused(good() + "[ranking]\nby = []\n"), @"judge: contest.toml:11: unknown key `by`; available: order");
    assert_snapshot!(refused(good() + "[rules]\ncenter_transport = \"noop\"\n"), @r#"judge: contest.toml:10: [rules]: unknown key `center_transport`; did you mean `centre_transport`? available: centre_transport; the rules of loyd are: centre_transport = "illegal" | "noop": the meaning of `t` if the centre is empty (default illegal)"#);
    assert_snapshot!(refused(good() + "[rules]\ncentre_transport = \"perhaps\"\n"), @r#"judge: contest.toml:10: [rules]: unknown value `perhaps`; available: illegal, noop; the rules of loyd are: centre_transport = "illegal" | "noop": the meaning of `t` if the centre is empty (default illegal)"#);
    assert_snapshot!(refused(changed("name = \"test\"\n", "")), @r#"judge: contest.toml:1: missing key `name`; add for example name = "FOXY""#);
    assert_snapshot!(refused(changed("command = [\"true\"]\n", "")), @r#"judge: contest.toml:8: missing key `command`; add for example command = "mine/solver", or answers = "FOLDER" with a file per board"#);
    assert_snapshot!(refused(changed("file = \"near.txt\"\n", "")), @r#"judge: contest.toml:4: missing key `file`; add for example file = "boards/foxy.txt""#);
    assert_snapshot!(refused(changed("loyd", "chess")), @"judge: contest.toml:2: unknown game `chess`; available: loyd, ufo, shift, swap, hexa-draughts, external");
    assert_snapshot!(refused(changed("name = \"honest\"", "name = 7")), @r#"judge: contest.toml:8: name must be a string, not the integer `7`; write for example name = "FOXY""#);
}

#[test]
fn limits_and_ranking() {
    assert_snapshot!(refused(changed("10s", "0s")), @r#"judge: contest.toml:3: limit must not be zero; use for example "10m""#);
    assert_snapshot!(refused(changed("10s", "ten minutes")), @r#"judge: contest.toml:3: limit: invalid duration `ten minutes` (expected number at 0); use for example "10m", "1m 30s" or "500ms""#);
    assert_snapshot!(refused(changed("10s", "8d")), @"judge: contest.toml:3: limit: invalid duration `8d`: more than seven days");
    assert_snapshot!(refused(changed("10s", "1us")), @"judge: contest.toml:3: limit: invalid duration `1us`: finer than a millisecond");
    assert_snapshot!(refused(changed("limit", "grace = \"some\"\nlimit")), @r#"judge: contest.toml:3: grace: invalid duration `some` (expected number at 0); use for example "10m", "1m 30s" or "500ms""#);
    assert_snapshot!(refused(changed("limit", "output = \"much\"\nlimit")), @r#"judge: contest.toml:3: output: invalid size `much`; use for example "16MiB""#);
    assert_snapshot!(refused(good() + "[ranking]\norder = []\n"), @"judge: contest.toml:11: the ranking order is empty; omit [ranking] for the usual one");
    assert_snapshot!(refused(good() + "[ranking]\norder = [\"moves\", \"beauty\"]\n"), @"judge: contest.toml:11: unknown ranking key `beauty`; available: progress, moves, tie_break, time, score, relative, solved");
    assert_snapshot!(refused(good() + "[ranking]\norder = [\"moves\", \"moves\"]\n"), @"judge: contest.toml:11: duplicate ranking key `moves`; the second could never decide");
}

#[test]
fn boards_and_entries() {
    assert_snapshot!(refused(contest(&[]) + &entry("honest", &["true"])), @"judge: contest.toml: the contest has no board; add a [[board]] with a name and a file");
    assert_snapshot!(refused(contest(&[("NEAR", "near.txt")])), @"judge: contest.toml: the contest has no entry; add an [[entry]] with a name and a command, or [office] if teams hand in all of them");
    assert_snapshot!(refused(good() + "[[board]]\nname = \"NEAR\"\nfile = \"near.txt\"\n"), @"judge: contest.toml:11: duplicate board name `NEAR`, first used in line 5");
    assert_snapshot!(refused(good() + &entry("honest", &["false"])), @"judge: contest.toml:11: duplicate entry name `honest`, first used in line 8");
    assert_snapshot!(refused(changed("near.txt", "far.txt")), @"judge: contest.toml:6: board NEAR: far.txt: no such file; make boards with `judge boards make`; did you mean near.txt?");
    assert_snapshot!(refused(changed("near.txt", "folder")), @"judge: contest.toml:6: board NEAR: folder: is a directory; expected a regular file");
    assert_snapshot!(refused(changed("near.txt", "bad.txt")), @"judge: contest.toml:6: board NEAR: bad.txt: row 5, column 5: duplicate `X`, first used in row 5, column 4");
}

#[test]
fn names_are_usable_wherever_they_are_written() {
    for name in ["", "two words", "a/b", "..", "-x", "tab\\t", "comma,", &"x".repeat(65)] {
        let told = refused(changed("\"honest\"", &format!("\"{name}\"")));
        assert!(told.contains("contest.toml:8: unusable entry name"), "{told}");
        assert!(told.contains(": use 1 to 64 letters, digits and . _ + -"), "{told}");
        assert!(refused(changed("\"NEAR\"", &format!("\"{name}\""))).contains("contest.toml:5: unusable board name"));
    }
    assert_snapshot!(refused(changed("\"honest\"", "\"a/b\"")), @r#"judge: contest.toml:8: unusable entry name "a/b": use 1 to 64 letters, digits and . _ + -, not beginning with . or -"#);
    // Names of 1995 are usable.
    let folder = Folder::new();
    let text = contest(&[("NEAR", &board("near-end-1"))]);
    folder.file("contest.toml", text + &entry("O+PTM_rtll", &["true"]) + &entry("10.pound.sledge", &["true"]));
    folder.judge(["run"]).exits(0);
}

#[test]
fn commands() {
    assert_snapshot!(refused(changed("[\"true\"]", "[]")), @r#"judge: contest.toml:9: command is empty; write command = "path/to/program" or command = ["python3", "{dir}/solver.py"]"#);
    assert_snapshot!(refused(changed("[\"true\"]", "\"\"")), @r#"judge: contest.toml:9: command is empty; write command = "path/to/program" or command = ["python3", "{dir}/solver.py"]"#);
    assert_snapshot!(refused(changed("[\"true\"]", "7")), @r#"judge: contest.toml:9: command is neither a string nor a list of strings; write command = "path/to/program" or command = ["python3", "{dir}/solver.py"]"#);
    assert_snapshot!(refused(changed("[\"true\"]", "[\"true\", 7]")), @r#"judge: contest.toml:9: command contains values that are not strings; write command = "path/to/program" or command = ["python3", "{dir}/solver.py"]"#);
    assert_snapshot!(refused(changed("[\"true\"]", "\"it's\"")), @r#"judge: contest.toml:9: command: missing closing quote; write command = "path/to/program" or command = ["python3", "{dir}/solver.py"]"#);
    assert_snapshot!(refused(changed("[\"true\"]", "\"a\\u0000b\"")), @r#"judge: contest.toml:9: command contains a NUL character, which no program can be given; leave it out"#);
}

#[test]
fn the_command_line_names_what_is_there() {
    let folder = Folder::new();
    folder.file("near.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT");
    folder.file("contest.toml", good());
    assert_snapshot!(folder.judge(["run", "--boards", "FOXY"]).exits(2).message(), @"judge: contest.toml: unknown board `FOXY`; available: NEAR");
    assert_snapshot!(folder.judge(["run", "--entries", "honest,dishonest"]).exits(2).message(), @"judge: contest.toml: unknown entry `dishonest`; did you mean `honest`? available: honest");
    assert_snapshot!(folder.judge(["run", "--limit", "0s"]).exits(2).message(), @r#"
    error: invalid value '0s' for '--limit <TIME>': is zero, so no entry could answer

    For more information, try '--help'.
    "#);
    let said = folder.judge(["import", "p", "q", "--jobs", "0"]).exits(2).message();
    assert!(said.contains("invalid value '0' for '--jobs <N>': use a whole number from 1, for example 2"), "{said}");
    assert_snapshot!(folder.judge(["run", "--jobs", "0"]).exits(2).message(), @r#"
    error: invalid value '0' for '--jobs <N>': use a whole number from 1, for example 2

    For more information, try '--help'.
    "#);
    assert_snapshot!(folder.judge(["run", "--resume", "x", "--limit", "1s"]).exits(2).message(), @r#"
    error: the argument '--resume <DIR>' cannot be used with '--limit <TIME>'

    Usage: judge run --resume <DIR> [CONTEST]

    For more information, try '--help'.
    "#);
    assert!(!folder.path().join("runs").exists());
}

#[test]
fn builds() {
    let build = |command: &str| good().replace("[\"true\"]", command) + "build = \"make\"\n";
    assert_snapshot!(refused(build("\"./solver\"")), @r#"judge: contest.toml:10: entry honest: its build could write the contest's folder, where its program is; move the program to a folder of its own, name one with folder = "…", or set build_isolation = "off""#);
    assert_snapshot!(refused(build("\"solver\"")), @r#"judge: contest.toml:10: entry honest: its build needs a folder that it may write; name one with folder = "…", or set build_isolation = "off""#);
    assert_snapshot!(refused(build("\"../other/solver\"")), @r#"judge: contest.toml:10: entry honest: its build could write /tmp/other, outside the contest's folder; name one with folder = "…", or set build_isolation = "off""#);
    assert_snapshot!(refused("build_isolation = \"some\"\n".to_owned() + &good()), @"judge: contest.toml:1: unknown build_isolation `some`; available: auto, require, landlock, off");
    assert_snapshot!(refused(good() + "[build]\nlimit = \"soon\"\n"), @r#"judge: contest.toml:11: limit: invalid duration `soon` (expected number at 0); use for example "10m", "1m 30s" or "500ms""#);
    assert_snapshot!(refused(good() + "[build]\nenvironment = [\"=x\"]\n"), @"judge: contest.toml:11: environment: invalid variable `=x`; use NAME or NAME=VALUE");
    assert_snapshot!(refused(good() + "[build]\nnetwork = true\n"), @"judge: contest.toml:11: unknown key `network`; available: limit, memory, processes, scratch, output, cores, readable, writable, environment, fetch");
    for cores in ["0", "5000", "-1"] {
        let told = refused(good().replace("limit", &format!("cores = {cores}\nlimit")));
        assert!(told.contains(&format!("contest.toml:3: cores must be 1 to 4096, not {cores}")), "{told}");
    }
}

#[test]
fn a_nul_character_is_refused_where_a_program_could_get_it() {
    let name_of = |key: &str, line: usize| {
        format!(
            "judge: contest.toml:{line}: {key} contains a NUL character, which no program can be given; leave it out\n"
        )
    };
    let environment = good() + "[build]\nenvironment = [\"HOME\",\n  \"A=b\\u0000c\"]\n";
    assert_eq!(refused(environment), name_of("environment", 12));
    assert_eq!(refused(good() + "[build]\nfetch = \"a\\U00000000b\"\n"), name_of("fetch", 11));
    assert_eq!(refused(good() + "build = \"a\\u0000b\"\n"), name_of("build", 10));
    for key in ["args", "entry_args"] {
        let text = changed("file = \"near.txt\"", &format!("file = \"near.txt\"\n{key} = [\"a\", \"a\\u0000b\"]"));
        assert_eq!(refused(text), name_of(key, 7));
    }
    // A note is shown, and a program does not get it.
    let folder = Folder::new();
    folder.file("near.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT");
    folder.file("contest.toml", changed("file = \"near.txt\"", "file = \"near.txt\"\nnote = \"a\\u0000b\""));
    folder.judge(["check"]).exits(0);
    // A backslash and six letters are no NUL character.
    let folder = Folder::new();
    folder.file("near.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT");
    folder.file("contest.toml", changed("[\"true\"]", "[\"true\", '\\u0000']"));
    folder.judge(["check"]).exits(0);
}

#[test]
#[ignore = "deep: large"]
fn a_contest_has_as_many_rounds_as_a_table_can_show() {
    let rounds = |number: usize| {
        let boards: Vec<String> = (0..number).map(|round| format!("R{round}")).collect();
        let named: Vec<(&str, &str)> = boards.iter().map(|board| (board.as_str(), "near.txt")).collect();
        let mut text = contest(&named) + &entry("honest", &["true"]);
        for board in &boards {
            text += &format!("[[round]]\nname = \"{board}\"\nboards = [\"{board}\"]\n");
        }
        text
    };
    let said = refused(rounds(1001));
    assert!(said.contains("a contest has at most 1000 rounds"), "{said}");
    let folder = Folder::new();
    folder.file("near.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT");
    folder.file("contest.toml", rounds(1000));
    folder.judge(["check"]).exits(0);
}
