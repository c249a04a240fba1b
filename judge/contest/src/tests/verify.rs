//! Tests of results that match their records, and of every way in which they may differ.

use super::*;
use crate::verify::{Check, Finding, verify};
use judge_core::fingerprint::Fingerprint;
use judge_core::journal::{Build, ManualRuling, Rejudged, Rejudgement, read};
use judge_core::results_csv::write_runs;

/// A contest after its runs: `a` solves both boards, `b` ends in the middle of X and never on Y.
fn made() -> (Folder, Contest, Journal) {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let contest = folder.contest();
    let mut journal = folder.journal(&contest);
    let (order, results, slots) = (contest.plan.start_order(), folder.results(), [Vec::new()]);
    let calls = AtomicUsize::new(0);
    let act = |job: &Job| {
        Ok(match solves(job) {
            true => (End::Exited { code: 0 }, "lluu\n".into()),
            false if calls.fetch_add(1, Ordering::SeqCst) == 0 => (End::Exited { code: 0 }, "ll\n".into()),
            false => (End::TimedOut, String::new()),
        })
    };
    let runner = Runner::new(&contest, &order, &results, &slots);
    runner.run(&all(4), &FakeExecutor(&act), &StopFlag::default(), &mut journal, |_| {}).unwrap();
    (folder, contest, journal)
}

/// A check with its findings as texts.
struct Checked {
    subject: &'static str,
    checked: String,
    problems: Vec<String>,
    unproved: Vec<String>,
}

fn checks(folder: &Folder) -> Vec<Checked> {
    let texts = |findings: Vec<Finding>| findings.into_iter().map(|finding| finding.text).collect();
    let checks = verify(&folder.results(), None, read).unwrap().checks.into_iter();
    checks
        .map(|Check { subject, checked, problems, unproved }| Checked {
            subject,
            checked,
            problems: texts(problems),
            unproved: texts(unproved),
        })
        .collect()
}

fn check(folder: &Folder, subject: &str) -> Checked {
    checks(folder).into_iter().find(|check| check.subject == subject).unwrap()
}

/// The subjects with problems, and the problems.
fn problems(folder: &Folder) -> Vec<(&'static str, Vec<String>)> {
    let checks = checks(folder).into_iter().filter(|check| !check.problems.is_empty());
    checks.map(|check| (check.subject, check.problems)).collect()
}

#[test]
fn whole_results_hold_as_far_as_they_can_be_proved() {
    let (folder, ..) = made();
    let found: Vec<(String, Vec<String>)> = checks(&folder)
        .into_iter()
        .map(|check| (format!("{}: {}", check.subject, check.checked), check.unproved))
        .collect();
    let expected: [(&str, &[&str]); 7] = rows! {
        ("journal: 6 lines, the chain is whole", &["that it is the published one: without that hash"]),
        ("directory: 9 files, none of them a link, a pipe or a device", &[]),
        ("outputs: 4 attempts left what was recorded", &[]),
        ("verdicts: 3 answers replay to the recorded verdict", &["1 verdict on how a run ended, such as a timeout: these rest on the record"]),
        ("files: 0 stored files have their hashes as names", &[]),
        ("builds: no log is recorded", &[]),
        ("table: no results.csv, so no table can differ from the journal", &[]),
    };
    assert_eq!(found.len(), expected.len());
    for ((checked, unproved), (text, begins)) in found.iter().zip(expected) {
        assert_eq!(checked, text);
        assert_eq!(unproved.len(), begins.len(), "{checked}: {unproved:?}");
        assert!(unproved.iter().zip(begins).all(|(text, begin)| text.starts_with(begin)), "{unproved:?}");
    }
}

#[test]
fn a_journal_is_compared_with_the_published_hash() {
    let (folder, _, journal) = made();
    let results = folder.results();
    let hash = verify(&results, None, read).unwrap().journal_hash.unwrap();
    let report = verify(&results, Some(&hash.to_uppercase()), read).unwrap();
    assert!(report.holds() && report.checks[0].unproved.is_empty());
    assert!(report.checks[0].checked.ends_with("; its last hash is the published one"));
    let other = "0".repeat(64);
    let report = verify(&results, Some(&other), read).unwrap();
    assert!(!report.holds());
    assert_eq!(report.checks[0].problems[0].text, format!("its last hash is {hash}, the published one is {other}"));
    drop(journal);
    let path = results.join(FILE_NAME);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}{{\"li")).unwrap();
    let incomplete = "4 bytes of an incomplete last line, which no hash covers";
    assert_eq!(problems(&folder), [("journal", vec![incomplete.to_owned()])]);
    // A damaged journal gives a report, a missing one an error.
    fs::write(&path, text.replacen("lluu", "lluU", 1).replacen("\"a\"", "\"A\"", 1)).unwrap();
    let report = verify(&results, None, read).unwrap();
    assert_eq!((report.holds(), report.journal_hash, report.checks.len()), (false, None, 1));
    fs::remove_file(&path).unwrap();
    assert!(matches!(verify(&results, None, read), Err(JournalError::Missing(_))));
}

#[test]
fn each_changed_file_is_found() {
    let (folder, ..) = made();
    let at = |name: &str| folder.results().join("output/1").join(name);
    let restore = |name: &str, text: &str| fs::write(at(name), text).unwrap();
    let found = || problems(&folder).into_iter().map(|(subject, _)| subject).collect::<Vec<_>>();
    assert_eq!(found(), [""; 0]);
    // The same size and the same moves; another size; no file.
    restore("a/X.1.out", "lluu ");
    assert_eq!(found(), ["outputs"]);
    restore("a/X.1.out", "lluu\n\n");
    assert_eq!(found(), ["outputs"]);
    restore("a/X.1.out", "ll\n");
    assert_eq!(found(), ["outputs", "verdicts"]);
    fs::remove_file(at("a/X.1.out")).unwrap();
    assert_eq!(problems(&folder)[0].1, ["output/1/a/X.1.out is missing"]);
    restore("a/X.1.out", "lluu\n");
    // Two answers that were swapped, both of them whole.
    let swap = || {
        fs::rename(at("a/X.1.out"), at("x")).unwrap();
        fs::rename(at("b/X.1.out"), at("a/X.1.out")).unwrap();
        fs::rename(at("x"), at("b/X.1.out")).unwrap();
    };
    swap();
    assert_eq!(found(), ["outputs", "verdicts"]);
    swap();
    // A file without a record must be empty or missing. A file that belongs to no attempt is only named.
    restore("a/X.1.err", "x");
    assert_eq!(problems(&folder), [("outputs", vec!["output/1/a/X.1.err has 1 byte, none were recorded".to_owned()])]);
    fs::remove_file(at("a/X.1.err")).unwrap();
    restore("a/X.1.frames.jsonl", "{}");
    assert_eq!(found(), ["outputs"]);
    fs::remove_file(at("a/X.1.frames.jsonl")).unwrap();
    restore("a/X.2.out", "lluu\n");
    assert_eq!(found(), [""; 0]);
    let named = "1 file is of no recorded attempt, such as output/1/a/X.2.out: a judge that was killed left them";
    assert_eq!(check(&folder, "outputs").unproved, [named]);
    fs::remove_file(at("a/X.2.out")).unwrap();
    // A link is not a file of the record, wherever it leads.
    fs::rename(at("a/Y.1.out"), folder.0.path().join("moved")).unwrap();
    std::os::unix::fs::symlink(folder.0.path().join("moved"), at("a/Y.1.out")).unwrap();
    assert_eq!(found(), ["directory", "outputs", "verdicts"]);
    assert_eq!(check(&folder, "directory").problems, ["output/1/a/Y.1.out is a symbolic link"]);
    fs::remove_file(at("a/Y.1.out")).unwrap();
    restore("a/Y.1.out", "lluu\n");
    // A stored file whose contents do not match its name.
    let hash = judge_core::fingerprint::sha256_of(b"1 2 3");
    folder.file(&format!("out/files/{hash}"), "1 2 3");
    assert_eq!((found(), &*check(&folder, "files").checked), (vec![], "1 stored file has its hash as name"));
    folder.file(&format!("out/files/{hash}"), "1 2 4");
    assert_eq!(found(), ["files"]);
    fs::remove_dir_all(folder.results().join("files")).unwrap();
    // A judge was killed while it stored a file.
    folder.file("out/files/.1f825aa2f0020ef7cf91dfa30da4668d791c5d4824fc8e41354b89ec05795ab3.7-0.new", "half");
    let files = check(&folder, "files");
    assert_eq!((files.problems.len(), files.unproved.len()), (0, 1), "{:?}", files.unproved);
    assert!(files.unproved[0].ends_with("a judge that was killed left them"), "{:?}", files.unproved);
    fs::remove_dir_all(folder.results().join("files")).unwrap();
    // Names that `judge` uses, and others.
    for (name, unknown) in [("report.html", 0), ("boards", 0), ("notes", 1), ("more notes", 2)] {
        folder.file(&format!("out/{name}"), "");
        let unproved = check(&folder, "directory").unproved;
        assert_eq!(unproved.len(), usize::from(unknown > 0), "{unproved:?}");
        assert!(unproved.iter().all(|text| text.starts_with(&unknown.to_string())), "{unproved:?}");
    }
}

#[test]
fn verdicts_follow_what_happened_after_the_runs() {
    let (folder, _, mut journal) = made();
    let key = |entry: &str, board: &str| RunKey::new(1, entry, board);
    let ruling = |board: &str| ManualRuling::new(key("b", board), Verdict::TimedOut, "seen");
    journal.append(&[Line::Ruling(Box::new(ruling("X"))), Line::Ruling(Box::new(ruling("Y")))]).unwrap();
    let unproved = check(&folder, "verdicts").unproved;
    assert_eq!(unproved[1], "2 verdicts by hand: the reasons are in the table");
    // A ruling of the referee that does not follow from the answer.
    let rejudged = Rejudged::new(key("a", "X"), 1, Verdict::TimedOut);
    let solved = folder.records().iter().find(|record| record.key == key("a", "X")).unwrap().verdict.clone();
    let again = |changed: Rejudged| {
        let mut rejudgement = Rejudgement::default();
        rejudgement.changed.push(changed);
        Line::Rejudgement(Box::new(rejudgement))
    };
    journal.append(&[again(rejudged.clone())]).unwrap();
    assert!(check(&folder, "verdicts").unproved[0].starts_with("2 verdicts on how a run ended"));
    let mut wrong = rejudged;
    (wrong.verdict, wrong.final_board) = (solved, Some("elsewhere".into()));
    journal.append(&[again(wrong)]).unwrap();
    let problem = check(&folder, "verdicts").problems.remove(0);
    assert!(problem.starts_with("a on X: recorded to end at elsewhere; the answer ends at ABCDE"), "{problem}");
    // Runs of other attempts, without output: no output is recorded for a judge error.
    let error = Verdict::JudgeError { reason: "no disk".to_owned().into() };
    let record = |board, attempt, verdict| {
        let mut record = Record::without_run(1, key("b", board), attempt, verdict, 10_000, isolation().into());
        (record.wall_us, record.stdout_bytes) = (Some(7), 3);
        record
    };
    journal.append_runs(vec![(record("X", 2, error.clone()), None), (record("Y", 2, error), None)]).unwrap();
    assert_eq!(check(&folder, "outputs").unproved, ["what 2 judge errors left is not recorded"]);
    let sized = |board, attempt| record(board, attempt, Verdict::TimedOut);
    journal.append_runs(vec![(sized("X", 3), None), (sized("Y", 3), None)]).unwrap();
    let at = |board: &str| folder.results().join(format!("output/1/b/{board}.3.out"));
    fs::write(at("X"), "123").unwrap();
    fs::write(at("Y"), "1234").unwrap();
    let outputs = check(&folder, "outputs");
    assert_eq!(outputs.problems, ["output/1/b/Y.3.out has 4 bytes, 3 were recorded"]);
    assert_eq!(outputs.unproved[0], "of 2 attempts only the size is recorded: no hash was recorded");
    assert_eq!(outputs.checked, "4 attempts left what was recorded");
}

#[test]
fn logs_of_builds_are_as_they_were_recorded() {
    let (folder, _, mut journal) = made();
    let build = |entries: &[&str], attempt, log| {
        let entries = entries.iter().map(|name| (*name).to_owned()).collect();
        let mut build = Build::new("make", entries, attempt, Built::Succeeded);
        build.log = log;
        Line::Build(Box::new(build))
    };
    let log = Fingerprint::from_reader(&b"fine"[..]).unwrap();
    let lines = [build(&["a"], 1, Some(log)), build(&["b"], 1, Some(log)), build(&[], 1, None)];
    journal.append(&lines).unwrap();
    assert_eq!(check(&folder, "builds").problems, ["builds/a.1.log is missing", "builds/b.1.log is missing"]);
    for name in ["a.1", "b.1", "referee.1"] {
        folder.file(&format!("out/builds/{name}.log"), "fine");
    }
    let builds = check(&folder, "builds");
    assert_eq!((&*builds.checked, builds.problems.len()), ("2 logs are as they were recorded", 0));
    assert_eq!(builds.unproved, ["1 log: no hash was recorded"]);
    assert_eq!(check(&folder, "outputs").unproved, [""; 0], "the journal has all of these files");
    folder.file("out/builds/a.1.log", "better");
    assert_eq!(check(&folder, "builds").problems, ["builds/a.1.log has 6 bytes, 4 were recorded"]);
}

#[test]
fn the_table_is_that_of_the_journal() {
    let (folder, ..) = made();
    let contents = journal::read(&folder.results()).unwrap();
    let mut written = Vec::new();
    write_runs(&contents, &mut written).unwrap();
    let table = String::from_utf8(written).unwrap();
    let found = |table: &str| {
        folder.file("out/results.csv", table);
        let check = check(&folder, "table");
        (check.problems, check.unproved)
    };
    assert_eq!(found(&table), (vec![], vec![]));
    let (problems, _) = found(&table.replacen(",solved,", ",timed_out,", 1));
    assert_eq!(problems, ["results.csv:2: verdict is `timed_out`, the journal gives `solved`"]);
    let cut = table.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n";
    assert_eq!(found(&cut).0, ["results.csv has 3 runs, the journal gives 4"]);
    assert_eq!(found("").0, ["results.csv is empty"]);
    let lines = |change: &dyn Fn(usize, &str) -> String| {
        table.lines().enumerate().map(|(number, line)| change(number, line) + "\n").collect::<String>()
    };
    let more = lines(&|number, line| format!("{line},{}", if number == 0 { "colour" } else { "red" }));
    assert_eq!(found(&more).0, ["results.csv has the column colour, which no table has"]);
    // An older judge wrote fewer columns.
    let fewer = lines(&|_, line| line.rsplitn(3, ',').last().unwrap().to_owned());
    let (problems, unproved) = found(&fewer);
    assert_eq!(problems, [""; 0]);
    assert_eq!(unproved, ["results.csv has 2 columns fewer than today: an older judge wrote it"]);
    fs::remove_file(folder.results().join("results.csv")).unwrap();
    fs::create_dir(folder.results().join("results.csv")).unwrap();
    assert_eq!(check(&folder, "table").problems.len(), 1);
}
