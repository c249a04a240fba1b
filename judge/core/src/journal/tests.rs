//! Tests of the fold: the changes by each event, the records that count, and refused journals.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::figure::{FigureName, Figures, RefereeFigures};
use crate::plan::{Overrides, Plan};
use crate::points::Points;
use crate::results::Results;
use crate::verdict::Verdict;

pub(super) fn entry(name: &str) -> Value {
    json!({"name": name, "command": [name], "competing": true})
}

pub(super) fn plan() -> Plan {
    let limits = json!({"wall_ms": 1000, "grace_ms": 0, "cpu_ms": null, "memory_bytes": null, "processes": null,
                        "output_bytes": 9, "scratch_bytes": null, "cores": 1});
    let boards = [json!({"name": "X", "text": "x"}), json!({"name": "Y", "text": "y"})];
    let plan = json!({"name": "test", "game": "loyd", "rules": {}, "limits": limits, "ranking": ["progress", "moves"],
                      "boards": boards, "entries": [entry("a"), entry("b")]});
    serde_json::from_value(plan).unwrap()
}

/// The first line of a journal.
fn header() -> Value {
    let plan = plan();
    let order = plan.start_order();
    let header =
        Header::new("c.toml".into(), Overrides::default(), plan, order, Default::default(), Some("/bin".into()));
    let header = encode(&Line::Contest(Box::new(header)), None, &mut Chain::default());
    serde_json::from_slice(&header).map(without_hash).unwrap()
}

fn without_hash(mut line: Value) -> Value {
    assert!(line.as_object_mut().unwrap().remove("chain").is_some());
    line
}

/// A chained journal of these lines.
fn chained(lines: &[Value]) -> Vec<Vec<u8>> {
    let mut chain = Chain::default();
    let seal = |line: &Value| {
        let mut bytes = (line.to_string() + "\n").into_bytes();
        chain.seal(&mut bytes);
        bytes
    };
    lines.iter().map(seal).collect()
}

pub(super) fn run(round: u32, entry: &str, board: &str, attempt: u32, moves: u64) -> Value {
    json!({"line": "run", "seq": 1, "round": round, "entry": entry, "board": board, "attempt": attempt,
           "verdict": "solved", "figures": {"progress": "25", "moves": moves.to_string(), "tie_break": "0"}, "full": "25", "wall_us": 5,
           "limit_ms": 1000, "stdout_bytes": 4, "stderr_bytes": 0,
           "isolation": {"tier": "process_group", "layers": []}})
}

/// The contest of a journal. Its results must be the same from compact records.
pub(super) fn parse_both(journal: &[u8]) -> Result<ContestState, JournalError> {
    let path = Path::new("j");
    let read = parse(path, journal);
    let compact = fold(path, journal, Some(&mut |fold, _| fold.compact_records()), None);
    match (&read, compact.map(|(fold, chain, torn)| fold.finish_compact(chain, torn))) {
        (Ok(read), Ok((contents, compact))) => {
            assert_eq!(Results::from_journal(read), Results::of_journal(&contents, compact));
        }
        (Err(read), Err(compact)) => assert_eq!(read.to_string(), compact.to_string()),
        (read, compact) => panic!("{read:?} and {:?}", compact.map(|(contents, _)| contents)),
    }
    read
}

fn read_lines(lines: &[Value]) -> Result<ContestState, JournalError> {
    parse_both(&chained(&[&[header()], lines].concat()).concat())
}

pub(super) fn contents(lines: &[Value]) -> ContestState {
    read_lines(lines).unwrap()
}

pub(super) fn refused(lines: &[Value]) -> String {
    read_lines(lines).unwrap_err().to_string()
}

/// Entry, board and moves of the records.
fn moves(contents: &ContestState) -> Vec<(&str, &str, i128)> {
    let moves =
        |record: &Record| record.verdict.given().and_then(|given| given.figures.get("moves")).map_or(0, Points::units);
    contents.records.iter().map(|record| (&*record.key.entry, &*record.key.board, moves(record))).collect()
}

#[test]
fn a_plan_that_never_changes_is_followed_by_runs_alone() {
    let contents = contents(&[run(1, "a", "Y", 1, 4), run(1, "b", "X", 1, 5), run(1, "a", "Y", 2, 6)]);
    assert_eq!(*contents.order(), plan().start_order());
    assert_eq!(moves(&contents), [("b", "X", 5), ("a", "Y", 6)], "in the order of the plan, the later line counts");
    assert_eq!(contents.attempts(), [0, 1, 0, 2], "a on X, b on X, b on Y, a on Y");
    assert_eq!(contents.missing(), [0, 2]);
    assert_eq!((contents.round(), contents.torn_bytes), (1, 0));
}

#[test]
fn what_is_written_is_read_again() {
    let begun = contents(&[]);
    assert_eq!(begun.header.path.as_deref(), Some("/bin"));
    assert_eq!(header()["order"], json!([[0, 0], [1, 0], [1, 1], [0, 1]]));
    let lines = [
        json!({"line": "machine", "os": "linux", "arch": "x86_64", "processors": 2}),
        json!({"line": "build", "command": "make", "entries": ["a"], "attempt": 1, "result": "failed", "reason": "r",
               "wall_us": 7}),
        json!({"line": "entry", "entry": entry("c"), "programs": {"c": "00"}}),
        json!({"line": "board", "name": "Z", "text": "z"}),
        json!({"line": "struck", "board": "Y", "reason": "r"}),
        json!({"line": "reinstated", "board": "Y", "reason": "r"}),
        json!({"line": "withdrawn", "entry": "b", "reason": "r", "disqualified": true}),
        json!({"line": "restored", "entry": "b", "reason": "r"}),
        serde_json::to_value(Line::Settings(Box::new(Settings::from_plan(&plan())))).unwrap(),
        run(1, "a", "X", 1, 4),
        json!({"line": "ruling", "round": 1, "entry": "a", "board": "X", "verdict": {"verdict": "timed_out"},
               "because": "r"}),
        json!({"line": "round", "number": 2, "order": [{"round": 2, "entry": "a", "board": "Z"}]}),
    ];
    for line in &lines {
        let (parsed, _) = decode(line.to_string().as_bytes(), &mut RunReader::default()).unwrap();
        let again: Value =
            serde_json::from_slice(&encode(&parsed, None, &mut Chain::default())).map(without_hash).unwrap();
        let mut line = line.clone();
        if line["line"] == "run" {
            line.as_object_mut().unwrap().remove("attempt");
        }
        assert_eq!(again, line);
    }
    assert_eq!(contents(&lines[..lines.len() - 1]).history.len(), lines.len() - 2, "all but the machine and runs");
}

#[test]
fn a_line_can_have_a_date_which_changes_nothing_else() {
    let at = Date::from_unix(799_243_199);
    let mut line = run(1, "a", "X", 1, 4);
    let undated = contents(std::slice::from_ref(&line));
    let parsed = decode(line.to_string().as_bytes(), &mut RunReader::default()).unwrap().0;
    let written = encode(&parsed, Some(at), &mut Chain::default());
    let again: Value = serde_json::from_slice(&written).map(without_hash).unwrap();
    assert_eq!(again["at"], "1995-04-30T11:59:59Z");
    line["at"] = again["at"].clone();
    let dated = contents(std::slice::from_ref(&line));
    assert_eq!((undated.records[0].at, dated.records[0].at), (None, Some(at)));
    assert_eq!(Results::from_journal(&undated).rows, Results::from_journal(&dated).rows);
    line["at"] = "yesterday".into();
    assert!(refused(&[line]).contains("invalid date `yesterday`"));
}

#[test]
fn no_line_can_be_changed_removed_moved_or_added() {
    let lines = chained(&[
        header(),
        run(1, "a", "X", 1, 4),
        run(1, "b", "X", 1, 5),
        run(1, "a", "Y", 1, 6),
        run(1, "b", "Y", 1, 7),
    ]);
    let read = |lines: &[Vec<u8>]| parse(Path::new("j"), &*lines.concat());
    let whole = read(&lines).unwrap();
    // The independently computed hash of the previous hash and the line without its hash.
    let [before, last] = [&lines[3], &lines[4]].map(|line| String::from_utf8(line.clone()).unwrap());
    let (object, hash) = last.rsplit_once(",\"chain\":\"").unwrap();
    let before = &before[before.len() - 67..before.len() - 3];
    let digest = <sha2::Sha256 as sha2::Digest>::digest(format!("{before}{object}}}"));
    assert_eq!(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), hash[..64]);
    assert_eq!(whole.chain.last(), Some(&hash[..64]));

    let refused = |lines: &[Vec<u8>], line: usize| {
        let error = read(lines).unwrap_err().to_string();
        assert!(error.starts_with(&format!("j:{line}: damaged: ")), "{error}");
    };
    for line in 0..lines.len() {
        for byte in 0..lines[line].len() - 1 {
            let mut changed = lines.clone();
            changed[line][byte] ^= 1;
            assert!(read(&changed).is_err(), "byte {byte} of line {line}: {:?}", changed[line][byte] as char);
        }
        let mut doubled = lines.clone();
        doubled.insert(line, lines[line].clone());
        refused(&doubled, line + 2);
    }
    for line in 1..lines.len() - 1 {
        let mut removed = lines.clone();
        removed.remove(line);
        refused(&removed, line + 1);
        let mut moved = lines.clone();
        moved.swap(line, line + 1);
        refused(&moved, line + 1);
    }
    // Only a hash from elsewhere reveals that lines at the end are missing.
    assert_ne!(read(&lines[..4]).unwrap().chain, whole.chain);
}

#[test]
fn an_added_entry_and_an_added_board_get_runs() {
    let entry = json!({"line": "entry", "entry": entry("c"), "programs": {"c": "00"}});
    let board = json!({"line": "board", "name": "Z", "text": "z"});
    let contents = contents(&[run(1, "a", "X", 1, 4), entry, board, run(1, "c", "Z", 1, 5)]);
    let order: Vec<_> = contents.order().iter().map(|key| format!("{}{}", key.entry, key.board)).collect();
    assert_eq!(order, ["aX", "bX", "cX", "bY", "cY", "aY", "cZ", "aZ", "bZ"], "as if they had always been there");
    assert_eq!(moves(&contents), [("a", "X", 4), ("c", "Z", 5)]);
    assert_eq!(contents.programs["c"]["c"], "00");
    let results = Results::from_journal(&contents);
    assert_eq!((results.boards.len(), results.rows.len()), (3, 3));
}

#[test]
fn a_replaced_program_makes_the_runs_of_the_open_round_missing() {
    let again = json!({"line": "entry", "entry": {"name": "a", "command": ["new"], "competing": true}, "programs": {}});
    let done = [run(1, "a", "X", 1, 4), run(1, "b", "X", 1, 5)];
    let replaced = contents(&[&done[..], std::slice::from_ref(&again)].concat());
    assert_eq!(moves(&replaced), [("b", "X", 5)]);
    assert_eq!((replaced.plan.entries[0].command.as_slice(), replaced.attempts()[0]), (&["new".to_owned()][..], 1));
    assert_eq!(replaced.history[1].superseded.len(), 1, "the earlier attempt is kept");
}

#[test]
fn a_withdrawn_entry_is_out_until_it_is_restored() {
    let withdrawn = json!({"line": "withdrawn", "entry": "a", "reason": "a fault of its author"});
    let restored = json!({"line": "restored", "entry": "a", "reason": "mended"});
    let runs = [run(1, "a", "X", 1, 1), run(1, "b", "X", 1, 9), run(1, "b", "Y", 1, 9)];
    let out = contents(&[&runs[..], std::slice::from_ref(&withdrawn)].concat());
    assert_eq!((out.missing(), out.records.len()), (vec![], 3));
    let results = Results::from_journal(&out);
    let rows: Vec<_> = results.rows.iter().map(|row| (row.entry.name.as_str(), row.place)).collect();
    assert_eq!(rows, [("b", Some(1)), ("a", None)]);
    assert_eq!(results.rows[1].entry.withdrawn.as_ref().map(|out| &*out.reason), Some("a fault of its author"));
    assert!(results.complete(), "nothing is left to be made");
    let back = contents(&[&runs[..], &[withdrawn, restored]].concat());
    assert_eq!((back.missing(), back.withdrawn.len()), (vec![3], 0));
}

#[test]
fn entries_are_set_aside_without_a_line() {
    let changes = [("a", Some("x")), ("b", Some("y")), ("z", Some("z"))];
    let changes = changes.map(|(entry, out)| (entry.to_owned(), out.map(crate::withdrawal::Withdrawal::new)));
    let both = contents(&[]).with_aside(changes.clone());
    assert_eq!((both.set_aside_entries().count(), both.missing().len()), (2, 0), "there is no z");
    assert!(both.is_still(&both.clone()) && !both.is_still(&contents(&[])));
    let back = changes.map(|(entry, _)| (entry, None));
    assert_eq!(both.with_aside(back.clone()), contents(&[]));
    let withdrawn = contents(&[json!({"line": "withdrawn", "entry": "b", "reason": "r"})]);
    assert!(withdrawn.with_aside(back).withdrawn.contains_key("b"), "what was withdrawn stays out");
}

#[test]
fn of_rulings_and_runs_the_later_line_counts() {
    let ruling = |verdict: Value| json!({"line": "ruling", "round": 1, "entry": "a", "board": "X", "verdict": verdict, "because": "seen by hand"});
    let failed = json!({"verdict": "judge_error", "reason": "r"});
    let lines = [run(1, "a", "X", 1, 4), ruling(json!({"verdict": "timed_out"}))];
    let ruled = contents(&lines);
    assert_eq!(ruled.records[0].verdict, Verdict::TimedOut);
    let results = Results::from_journal(&ruled);
    let cell = &results.rows.iter().find(|row| row.entry.name == "a").unwrap().cells[0];
    assert_eq!((cell.text().as_str(), cell.ruled), ("0/TIM", true));
    assert_eq!(results.remarks[0].extras.ruling.as_deref(), Some("seen by hand"));
    let again = contents(&[&lines[..], &[run(1, "a", "X", 2, 6)]].concat());
    assert_eq!((moves(&again), again.records[0].extras.ruling.as_deref()), (vec![("a", "X", 6)], None));
    // A judge error with a ruling is not repeated. A ruling can require that a run is repeated.
    assert!(!ruled.missing().contains(&0));
    assert!(contents(&[&lines[..], &[ruling(failed)]].concat()).missing().contains(&0));
}

#[test]
fn what_cannot_follow_is_damaged() {
    let second = |number: u32, entry: &str| json!({"line": "round", "number": number, "order": [{"round": number, "entry": entry, "board": "X"}]});
    let withdrawn = json!({"line": "withdrawn", "entry": "a", "reason": "r"});
    let mut stranger = run(1, "a", "X", 1, 4);
    stranger["machine"] = 3.into();
    let ruling = json!({"line": "ruling", "round": 1, "entry": "a", "board": "X", "verdict": {"verdict": "timed_out"},
                        "because": "r"});
    let struck = json!({"line": "struck", "board": "X", "reason": "r"});
    for (lines, reason) in [
        (vec![header()], "a second header"),
        (vec![json!({"line": "poem"})], "unknown variant `poem`"),
        (vec![run(1, "c", "X", 1, 4)], "c on X was run, but is not planned"),
        (vec![run(2, "a", "X", 1, 4)], "a on X was run, but is not planned"),
        (vec![stranger], "machine 3 is named, but there are 0"),
        (vec![ruling], "a ruling on a on X, which has no record"),
        (vec![json!({"line": "board", "name": "../X", "text": ""})], "board name \"../X\" is not usable"),
        (vec![json!({"line": "withdrawn", "entry": "c", "reason": "r"})], "unknown entry `c` was withdrawn"),
        (vec![withdrawn.clone(), withdrawn], "a was withdrawn twice"),
        (vec![json!({"line": "set_aside", "entries": {}})], "unknown variant `set_aside`"),
        (vec![json!({"line": "restored", "entry": "a", "reason": "r"})], "a is restored, but was not withdrawn"),
        (vec![second(3, "a")], "round 3 cannot follow round 1"),
        (vec![second(2, "a")], "round 2 has runs on X, which is not one of its boards"),
        (vec![struck.clone(), struck], "board X was struck twice"),
        (vec![json!({"line": "struck", "board": "Z", "reason": "r"})], "unknown board `Z` was struck"),
        (vec![json!({"line": "reinstated", "board": "X", "reason": "r"})], "X is reinstated, but was not struck"),
    ] {
        let error = refused(&lines);
        assert!(error.contains(reason), "{error}");
        assert!(error.starts_with(&format!("j:{}: damaged: ", lines.len() + 1)), "{error}");
    }
}

#[test]
fn an_answer_that_was_refereed_again_is_of_the_attempt_that_counts() {
    let rejudged = |attempt: u32| {
        json!({"line": "rejudgement", "changed": [{"round": 1, "entry": "a", "board": "X", "attempt": attempt,
               "verdict": {"verdict": "timed_out"}}]})
    };
    let runs = [run(1, "a", "X", 1, 4), run(1, "a", "X", 2, 6)];
    let again = |attempt: u32| [&runs[..], &[rejudged(attempt)]].concat();
    assert_eq!(contents(&again(2)).records[0].verdict, Verdict::TimedOut);
    for attempt in [1, 3] {
        let refused = refused(&again(attempt));
        let reason = format!("attempt {attempt} of a on X was refereed again, but its record is missing");
        assert!(refused.contains(&reason), "{refused}");
    }
}

#[test]
fn the_next_attempt_comes_after_the_highest_one() {
    // With two judges on one directory, or after a crash that lost a line, numbers may be in any order.
    let made = contents(&[run(1, "a", "X", 3, 4), run(1, "a", "X", 2, 6)]);
    assert_eq!((made.attempts()[0], moves(&made)), (3, vec![("a", "X", 6)]));
    assert_eq!(contents(&[run(1, "a", "X", 2, 4), run(1, "a", "X", 3, 6)]).attempts()[0], 3);
}

#[test]
fn the_advice_for_a_damaged_journal_counts_what_a_cut_would_lose() {
    let made = contents(&[run(1, "a", "X", 1, 4), run(1, "b", "X", 1, 5), run(1, "a", "Y", 1, 6)]);
    let mut chain = Chain::default();
    let mut bytes = (header().to_string() + "\n").into_bytes();
    chain.seal(&mut bytes);
    let struck = || BoardAndReason { board: "X".into(), reason: "r".into() };
    let runs = made.records.iter().map(|record| Line::Run(Box::new(record.clone())));
    for line in runs.chain([Line::Struck(struck()), Line::Reinstated(struck())]) {
        bytes.extend(encode(&line, None, &mut chain));
    }
    let damaged = |from: &str, to: &str, path: &str| {
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{text}");
        parse(Path::new(path), text.replace(from, to).as_bytes()).unwrap_err()
    };
    let error = damaged("\"moves\":\"5\"", "\"moves\":\"6\"", "out/journal.jsonl");
    assert!(
        matches!(error, JournalError::Damaged { line: 3, lost: LostLines { runs: 2, others: 2 }, .. }),
        "{error:?}"
    );
    let text = error.to_string();
    assert!(text.contains("`cp out/journal.jsonl out/journal.jsonl.damaged`"), "{text}");
    assert!(text.contains("`head -n 2 out/journal.jsonl.damaged > out/journal.jsonl`"), "{text}");
    assert!(text.contains("which loses 2 runs and 2 other events"), "{text}");
    let results = "out".into();
    assert_eq!(error.hint(), Some(crate::hint::Hint::RunAgain { results }));
    // Quotes for a shell.
    let text = damaged("\"moves\":\"6\"", "\"moves\":\"7\"", "it's mine/j").to_string();
    assert!(
        text.contains(r"`head -n 3 'it'\''s mine/j.damaged' > 'it'\''s mine/j'`, which loses 1 run and 2"),
        "{text}"
    );
    let text = damaged("c.toml", "d.toml", "j").to_string();
    assert!(text.ends_with("; without its first line nothing of it can be read"), "{text}");
}

#[test]
fn a_ranking_by_a_figure_that_the_contest_has_not_is_refused() {
    let text = |line: Value| parse(Path::new("j"), &*chained(&[line]).concat()).unwrap_err().to_string();
    let mut other = header();
    other["plan"]["ranking"] = json!(["moves", "mooves"]);
    assert!(text(other).starts_with("j:1: damaged: the contest has no figure `mooves`, by which it ranks; "));
    let mut settings = serde_json::to_value(Line::Settings(Box::new(Settings::from_plan(&plan())))).unwrap();
    settings["ranking"] = json!(["height"]);
    assert!(refused(&[settings]).contains("the contest has no figure `height`, by which it ranks"));
}

#[test]
fn what_is_no_journal_is_refused_by_its_kind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE_NAME);
    assert!(matches!(read(folder.path()), Err(JournalError::Missing(_))));
    std::fs::write(&path, "").unwrap();
    assert!(matches!(read(folder.path()), Err(JournalError::Damaged { line: 1, .. })));
    assert!(matches!(read(&path), Err(JournalError::NotDirectory(_))));
    let text = |line: Value| parse(Path::new("j"), &*chained(&[line]).concat()).unwrap_err().to_string();
    let mut other = header();
    other["line"] = "run".into();
    assert!(text(other).contains("j:1: damaged: the header is missing"));
    for format in [1, 5, FORMAT + 1] {
        let mut other = header();
        other["format"] = format.into();
        assert_eq!(text(other), format!("j: unsupported format {format}; this version reads format {FORMAT}"));
    }
    let named = |path: &str| JournalError::NotDirectory(path.into()).to_string();
    for (path, folder) in [
        ("runs/1/journal.jsonl", "runs/1"),
        ("runs/1/results.csv", "runs/1"),
        ("runs/1/report.html", "the folder with its journal"),
        ("journal.jsonl", "the folder with its journal"),
    ] {
        assert_eq!(named(path), format!("{path} is a file, not a results directory; name {folder}"));
    }
}

#[test]
fn what_is_out_from_the_beginning_has_a_reason() {
    let with = |key: &str, value: Value| {
        let mut header = header();
        header[key] = value;
        parse(Path::new("j"), &*chained(&[header]).concat())
    };
    let refused = |key: &str, value: Value| with(key, value).unwrap_err().to_string();
    let out = |entry: &str, reason: &str| json!({entry: {"reason": reason}});
    let made = with("withdrawn", out("a", "gone")).unwrap();
    assert_eq!((made.missing().len(), &*made.history[1].text), (2, "Entry a is withdrawn: gone"));
    let made = with("struck", json!({"X": "a misprint"})).unwrap();
    assert_eq!(made.missing().len(), 2);
    assert_eq!(made.history[1].text, "Board X is struck and does not count any more: a misprint");
    assert!(refused("withdrawn", out("c", "gone")).contains("unknown entry `c` is withdrawn"));
    assert!(refused("struck", json!({"Z": "r"})).contains("unknown board `Z` is struck"));
    for (key, value) in [("withdrawn", out("a", "")), ("struck", json!({"X": ""}))] {
        assert!(refused(key, value).contains("without a reason"), "{key}");
    }
}

#[test]
fn a_line_that_no_reader_accepts_is_found_before_it_is_written() {
    let ruling = |moves: u64| {
        let given = RefereeFigures::new(Figures::one(FigureName::MOVES, Points::whole(moves)));
        let key = crate::key::RunKey::new(1, "a", "X");
        Line::Ruling(Box::new(ManualRuling::new(key, Verdict::Solved(given), "seen")))
    };
    assert_eq!(check_line(&ruling((1 << 53) - 1)), Ok(()));
    let refused = check_line(&ruling(1 << 53)).unwrap_err().reason;
    assert!(refused.contains("`9007199254740992` is too large"), "{refused}");
    assert_eq!(check_length(1_000_000_000), Ok(()));
    let long = check_length(1 << 30).unwrap_err().reason;
    assert!(long.starts_with("a line of 1024 MiB is longer than a line of a journal can be, 1024 MiB"), "{long}");
}
