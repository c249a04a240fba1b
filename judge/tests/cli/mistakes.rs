//! Typical mistakes on the command line, and some in a contest file, whose others are a table of `judge-contest`: each message says what is wrong, what was expected, and what to write instead.

use std::fmt::Write as _;

use judge_contest::{Contest, Overrides};

use crate::second_opinion::has_python;
use crate::support::*;
use crate::terminal::Terminal;

const CONTEST: &str = "\
name = \"test\"
game = \"loyd\"
limit = \"10s\"

[[board]]
name = \"NEAR\"
file = \"near.txt\"

[[entry]]
name = \"honest\"
command = \"./solver\"
";

/// A contest with a solver, its results, and other files whose names are easily mistyped.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("near.txt", std::fs::read(board("near-end-1")).unwrap());
    folder.file("answer.txt", "lluu");
    folder.file("solver.sh", "echo lluu");
    folder.script("solver", "echo lluu");
    folder.file("contest.toml", CONTEST);
    folder.judge(["run", "--out", "runs/1"]).exits(0);
    folder.judge(["init", "--referee", "python", "puzzle"]).exits(0);
    folder
}

/// The contest file with one thing changed, and what `check` says of it.
const IN_THE_FILE: &[(&str, &str)] =
    &[("limit = ", "limt = "), ("near.txt", "neer.txt"), ("./solver", "./sovler"), ("./solver", "sh slover.sh")];

const ON_THE_COMMAND_LINE: &[&[&str]] = &[
    &["rnu"],
    &["run", "contst.toml"],
    &["run", "--bords", "NEAR"],
    &["run", "--boards", "NAER"],
    &["run", "--entries", "honst"],
    &["run", "--limit", "10"],
    &["run", "--limit", "0s"],
    &["run", "--jobs", "0"],
    &["resume", "x", "--limit", "1s"],
    &["run", "--resume", "runs/1"],
    &["run", "--update=my runs", "--dry-run"],
    &["run", "--seeds", "1..200"],
    &["resume", "runs/2"],
    &["run", "--game", "loyd", "--entry", "./solver"],
    &["run", "--game", "loyd", "--seeds", "1-9"],
    &["rank", "run/1"],
    &["rank", "runs/1", "--by", "movs"],
    &["rank", "runs/1", "--boards", "FAR"],
    &["compare", "runs/1"],
    &["compare", "runs/1", "--entries", "honset"],
    &["compare", "runs/1", "runs/1/results.csv", "--entries", "2:honest"],
    &["compare", "nosuch"],
    &["report", "runs/7"],
    &["run", "--out", "near.txt/1"],
    &["runs", "run"],
    &["runs", "near.txt"],
    &["import", "puzle", "made"],
    &["init", "near.txt/mine"],
    &["init", "mine", "--game", "chess"],
    &["init", "mine", "--game", "lyod"],
    &["validate", "naer.txt", "lluu"],
    &["validate", "near.txt", "answr.txt"],
    &["validate", "--contest", "puzzle", "FRIST", "1"],
    &["replay", "runs/1"],
    &["replay", "runs/1", "honset", "NEAR"],
    &["replay", "runs/1", "honest", "NAER"],
    &["try", "--seeds", "1-9"],
    &["try", "--", "./solver"],
    &["try", "--on", "near.txt", "--", "./sovler"],
    &["try", "--on", "near.txt", "--against", "4", "--", "./solver"],
    &["try", "--on", "near.txt", "--keep", "7", "--", "./solver"],
    &["try", "--on", "near.txt", "--remember", "near.txt", "--", "./solver"],
    &["boards", "make"],
    &["boards", "make", "--random"],
    &["boards", "make", "--game", "hexa-draughts", "--phrase", "army"],
    &["boards", "make", "--scramble", "100001", "--seed", "7"],
];

/// The message of a command that fails, without the hints that clap adds to all.
fn message(folder: &Folder, args: &[&str]) -> String {
    let printed = folder.judge(args.iter().copied()).exits(2);
    let text = printed.message();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("For more information"));
    lines.map(|line| format!("    {line}\n")).collect()
}

#[test]
fn messages_say_what_to_write() {
    // The puzzle's referee is in Python.
    if !has_python() {
        return;
    }
    let folder = folder();
    let mut text = String::new();
    for (before, after) in IN_THE_FILE {
        assert!(CONTEST.contains(before), "{before}");
        folder.file("contest.toml", CONTEST.replacen(before, after, 1));
        let checked = folder.judge(["check"]).exits(2);
        assert!(!folder.path().join("runs/2").exists(), "nothing was begun");
        let problem =
            checked.stdout.lines().find(|line| line.contains("PROBLEM")).map(|line| format!("    {}\n", line.trim()));
        let reply = checked.message().lines().next().map_or(String::new(), |line| format!("    {line}\n"));
        writeln!(text, "{}\n{}", after.lines().last().unwrap_or("(left out)"), problem.unwrap_or(reply)).unwrap();
    }
    // A run goes on without an entry whose program is missing, and says so first.
    folder.file("contest.toml", CONTEST.to_owned() + &entry("other", &["sh", "slover.sh"]));
    let run = folder.judge(["run", "--out", "out"]).exits(0).stderr;
    let missing = "entry other: slover.sh: no such file; build it, or correct `command`; did you mean solver.sh?";
    assert_eq!(run.lines().next().unwrap(), format!("notice: {missing}"));
    folder.file("contest.toml", CONTEST);
    for args in ON_THE_COMMAND_LINE {
        writeln!(text, "judge {}\n{}", args.join(" "), message(&folder, args)).unwrap();
    }
    assert!(ON_THE_COMMAND_LINE.len() >= 40);
    assert_snapshot!(text, @r#"
    limt = 
        judge: contest.toml:3: unknown key `limt`; did you mean `limit`? available: name, cores, isolation, build_isolation, keep_programs, build, readable, ranking, match, problem, repeat, entry, round, office, language, notify, game, limit, grace, cpu, memory, processes, output, scratch, best_known, statement, rules, figure, table, input, answers, referee, group, board

    neer.txt
        judge: contest.toml:7: board NEAR: neer.txt: no such file; make boards with `judge boards make`; did you mean near.txt?

    ./sovler
        PROBLEM entry honest: sovler: no such file; build it, or correct `command`; did you mean solver?

    sh slover.sh
        PROBLEM entry honest: slover.sh: no such file; build it, or correct `command`; did you mean solver.sh?

    judge rnu
        error: unrecognized subcommand 'rnu'
          tip: some similar subcommands exist: 'rank', 'rule', 'runs'
        Usage: judge <COMMAND>

    judge run contst.toml
        judge: contst.toml: no such file; name a contest file, or create one with `judge init DIR`; did you mean contest.toml?

    judge run --bords NEAR
        error: unexpected argument '--bords' found
          tip: a similar argument exists: '--boards'
        Usage: judge run --boards <A,B,…> [CONTEST]

    judge run --boards NAER
        judge: contest.toml: unknown board `NAER`; did you mean `NEAR`? available: NEAR

    judge run --entries honst
        judge: contest.toml: unknown entry `honst`; did you mean `honest`? available: honest

    judge run --limit 10
        error: invalid value '10' for '--limit <TIME>': invalid duration `10` (time unit needed, for example 10sec or 10ms); use for example "10m", "1m 30s" or "500ms"

    judge run --limit 0s
        error: invalid value '0s' for '--limit <TIME>': is zero, so no entry could answer

    judge run --jobs 0
        error: invalid value '0' for '--jobs <N>': use a whole number from 1, for example 2

    judge resume x --limit 1s
        error: unexpected argument '--limit' found
          tip: to pass '--limit' as a value, use '-- --limit'
        Usage: judge resume <RESULTS>

    judge run --resume runs/1
        error: invalid value 'runs/1' for '--resume <DIR>': this is a command now: `judge resume runs/1`

    judge run --update=my runs --dry-run
        error: invalid value 'my runs' for '--update <DIR>': this is a command now: `judge update 'my runs'`

    judge run --seeds 1..200
        error: invalid value '1..200' for '--seeds <A-B>': invalid seeds `1..200`; use a range such as 1-200, or one seed; at most 1000000

    judge resume runs/2
        judge: runs/2 is not a results directory: no journal.jsonl; `judge runs` lists results directories

    judge run --game loyd --entry ./solver
        judge: --game needs boards: add --seeds, for example --seeds 1-100, or --on with board files

    judge run --game loyd --seeds 1-9
        error: the following required arguments were not provided:
          --entry <NAME=COMMAND>
        Usage: judge run --game <GAME> --entry <NAME=COMMAND> --seeds <A-B> [CONTEST]
        For example: judge run --game loyd --seeds 1-200 --entry a=./a --entry "b=python3 b.py"

    judge rank run/1
        judge: run/1: no such results directory or CSV file; `judge runs` lists results directories; did you mean runs/1?

    judge rank runs/1 --by movs
        judge: --by: unknown figure `movs`; did you mean `moves`? available: progress, moves, tie_break, time, relative, solved, failed, unstarted

    judge rank runs/1 --boards FAR
        judge: unknown board `FAR`; available: NEAR

    judge compare runs/1
        judge: only one entry to compare; add another entry, or other results with this one

    judge compare runs/1 --entries honset
        judge: unknown entry `honset`; did you mean `honest`? available: honest

    judge compare runs/1 runs/1/results.csv --entries 2:honest
        judge: no results `2` with an entry `honest`; write 1:honest or results:honest

    judge compare nosuch
        judge: nosuch: no such results directory or CSV file; `judge runs` lists results directories

    judge report runs/7
        judge: runs/7: no such results directory or CSV file; `judge runs` lists results directories

    judge run --out near.txt/1
        judge: near.txt: is a file; name another directory with --out

    judge runs run
        judge: run: no such folder; name results directories or folders of them, such as runs; did you mean runs?

    judge runs near.txt
        judge: near.txt: is not a folder; name results directories or folders of them, such as runs

    judge import puzle made
        judge: puzle: no such folder; name one with a problem.yaml or a task.yaml; did you mean puzzle?

    judge init near.txt/mine
        judge: near.txt: is a file; name another folder

    judge init mine --game chess
        error: invalid value 'chess' for '--game <GAME>'
          [possible values: loyd, ufo, shift, swap, hexa-draughts]

    judge init mine --game lyod
        error: invalid value 'lyod' for '--game <GAME>'
          [possible values: loyd, ufo, shift, swap, hexa-draughts]
          tip: a similar value exists: 'loyd'

    judge validate naer.txt lluu
        judge: naer.txt: no such file; make boards with `judge boards make`; did you mean near.txt?

    judge validate near.txt answr.txt
        judge: answr.txt: no such file; give a file with the answer, or the moves themselves; did you mean answer.txt?

    judge validate --contest puzzle FRIST 1
        judge: unknown board `FRIST`; did you mean `FIRST`? available: FIRST, SECOND; or name the file of another board

    judge replay runs/1
        judge: runs/1 is a results directory; name an entry and a board of it, for example `judge replay runs/1 honest NEAR`

    judge replay runs/1 honset NEAR
        judge: unknown entry `honset`; did you mean `honest`? available: honest

    judge replay runs/1 honest NAER
        judge: unknown board `NAER`; did you mean `NEAR`? available: NEAR

    judge try --seeds 1-9
        error: the following required arguments were not provided:
          <COMMAND>...
        Usage: judge try --seeds <A-B> [BOARDS|CONTEST]... -- <COMMAND>...
        For example: judge try --seeds 1-200 --limit 2s --comment "deeper search" -- ./my-solver

    judge try -- ./solver
        error: the following required arguments were not provided:
          <BOARDS|CONTEST>...
        Usage: judge try <BOARDS|CONTEST>... -- <COMMAND>...
        For example: judge try board.txt -- ./my-solver

    judge try --on near.txt -- ./sovler
        judge: sovler: no such file in FOLDER; build it, or correct the command; did you mean solver?

    judge try --on near.txt --against 4 -- ./solver
        judge: unknown version `4`; available: none

    judge try --on near.txt --keep 7 -- ./solver
        error: invalid value '7' for '--keep <NAME>': use letters, digits and . _ + -, beginning with a letter, for example `fast`

    judge try --on near.txt --remember near.txt -- ./solver
        judge: near.txt/judge-try/loyd/history.csv: Not a directory (os error 20); name another folder with --remember DIR

    judge boards make
        error: the following required arguments were not provided:
          <--phrase <TEXT>|--random|--scramble <MOVES>|--size <N>>
        Usage: judge boards make <--phrase <TEXT>|--random|--scramble <MOVES>|--size <N>>
        For example: judge boards make --phrase "the quick brown fox jumps over the lazy dog"

    judge boards make --random
        error: the following required arguments were not provided:
          --seed <N>
        Usage: judge boards make --seed <N> <--phrase <TEXT>|--random|--scramble <MOVES>|--size <N>>
        For example: judge boards make --random --seed 7 -o random-7.txt

    judge boards make --game hexa-draughts --phrase army
        judge: hexa-draughts does not support --phrase: a board is only a row to reach; use --size ROW

    judge boards make --scramble 100001 --seed 7
        judge: --scramble must be at most 100000, not 100001
    "#);
}

/// The tables of a contest file: a heading, and a file up to an unknown key in this table.
const TABLES: [(&str, &str); 11] = [
    ("", ""),
    ("[ranking]", "name = \"x\"\n[ranking]\n"),
    ("[[figure]]", "name = \"x\"\n[[figure]]\n"),
    ("[table]", "name = \"x\"\n[table]\n"),
    ("[build]", "name = \"x\"\n[build]\n"),
    ("[referee]", "name = \"x\"\n[referee]\n"),
    ("[[group]]", "name = \"x\"\n[[group]]\n"),
    ("[[board]]", "name = \"x\"\n[[board]]\n"),
    ("[[entry]]", "name = \"x\"\n[[entry]]\n"),
    ("[[round]]", "name = \"x\"\n[[round]]\n"),
    ("limits", "name = \"x\"\n[[entry]]\nlimits = { "),
];

/// The keys of each table in a contest file, commented out or not. A heading is a key of the file.
fn keys_of(file: &str) -> std::collections::BTreeMap<String, String> {
    let mut keys = std::collections::BTreeMap::<String, String>::new();
    let mut table = String::new();
    for line in file.lines() {
        let line = line.strip_prefix("# ").unwrap_or(line);
        if line.starts_with('[') && line.ends_with(']') {
            table = line.to_owned();
            *keys.entry(String::new()).or_default() += &format!(" {} ", line.trim_matches(['[', ']']));
        } else if let Some((key, value)) = line.split_once(" = ").filter(|(key, _)| !key.contains([' ', '`'])) {
            *keys.entry(table.clone()).or_default() += &format!(" {key} ");
            if key == "limits" {
                *keys.entry("limits".into()).or_default() += &format!("{} ", value.replace([',', ':'], " "));
            }
        }
    }
    keys
}

#[test]
fn every_key_of_the_parser_is_documented() {
    let folder = Folder::new();
    folder.judge(["init", "mine"]).exits(0);
    let written = keys_of(&folder.read("mine/contest.toml"));
    let documents = std::fs::read_to_string(crate::support::project().join("docs/file-formats.md")).unwrap();
    let mut all = 0;
    for (table, before) in TABLES {
        let end = if before.ends_with("{ ") { " }" } else { "" };
        folder.file("contest.toml", format!("{before}no_such_key = 1{end}\n"));
        let message = Contest::load(folder.path(), &Overrides::default()).map(drop).unwrap_err().to_string();
        let known = message.trim_end().split_once("unknown key `no_such_key`; available: ");
        let known = known.unwrap_or_else(|| panic!("{table}: {message}")).1;
        for key in known.split(", ") {
            all += 1;
            let there = written.get(table).is_some_and(|keys| keys.contains(&format!(" {key} ")));
            assert!(there, "{table}: `judge init` does not write {key}; it writes {:?}", written.get(table));
            let documented = ["`KEY`", "`[KEY]`", "`[[KEY]]`", "KEY = "].map(|form| form.replace("KEY", key));
            assert!(documented.iter().any(|form| documents.contains(form)), "{table}: {key} is not documented");
        }
    }
    assert!(all > 90, "{all} keys");
}

#[test]
fn a_command_that_waits_for_standard_input_names_what_it_reads() {
    let folder = Folder::new();
    folder.file("near.txt", std::fs::read(board("near-end-1")).unwrap());
    let terminal = Terminal::judge(&folder, ["validate", "near.txt"]);
    terminal.shows("reading the answer from this terminal: type the moves, then press Enter and");
    terminal.press("lluu\n\x04");
    assert!(terminal.left_with(0).contains("solved: 25 of 25 tiles home, 4 moves"));
}
