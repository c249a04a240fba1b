//! Entries that are answers instead of programs.

use std::io::Write as _;

use super::*;

const MINE: &str = "[[entry]]\nname = \"a\"\nanswers = \"mine\"\n";

/// Executes all runs of a contest with one entry of answers and one with a program, and counts the program's jobs.
fn made(folder: &Folder) -> (Vec<Record>, usize) {
    let contest = folder.contest();
    contest.keep_files(&folder.results()).unwrap();
    let mut journal = folder.journal(&contest);
    let (order, results, slots) = (contest.plan.start_order(), folder.results(), [Vec::new()]);
    let jobs = Mutex::new(0);
    let act = |_: &Job| {
        *jobs.lock().unwrap() += 1;
        Ok((End::Exited { code: 0 }, "lluu\n".into()))
    };
    let runner = Runner::new(&contest, &order, &results, &slots);
    runner.run(&all(order.len()), &FakeExecutor(&act), &StopFlag::default(), &mut journal, |_| {}).unwrap();
    (folder.records(), jobs.into_inner().unwrap())
}

#[test]
fn answers_are_refereed_without_executing_anything() {
    let program = "[[entry]]\nname = \"b\"\ncommand = \"b/solve\"\n";
    let folder = Folder::new(&[HEAD, BOARDS, MINE, program].concat());
    folder.file("mine/X.out", "lluu\n");
    let (records, jobs) = made(&folder);
    assert_eq!((records.len(), jobs), (4, 2), "only the program is executed");
    let of = |entry: &str, board: &str| {
        records.iter().find(|record| &*record.key.entry == entry && &*record.key.board == board).unwrap()
    };
    assert_eq!(of("a", "X").verdict, of("b", "X").verdict, "the same answer has the same score");
    assert!(matches!(of("a", "X").verdict, Verdict::Solved(_)));
    assert_eq!((of("a", "X").wall_us, of("a", "X").usage.cpu_us, of("a", "X").stdout_bytes), (None, None, 5));
    assert_eq!(folder.output("a/X.1.out").as_deref(), Some("lluu\n"));
    assert!(matches!(of("a", "Y").verdict, Verdict::Unsolved(_)), "{:?}", of("a", "Y").verdict);
    assert_eq!(*of("a", "Y").extras.notes, ["there is no answer to this board".to_owned()]);
}

/// A zip archive with these files.
fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn answers_in_an_archive_come_from_there_into_the_results() {
    let folder = Folder::new(&[HEAD, BOARDS, &MINE.replace("mine", "mine.zip")].concat());
    let archive = folder.0.path().join("mine.zip");
    fs::write(&archive, zip(&[("X.out", "lluu\n"), ("below/Y", "u")])).unwrap();
    let contest = folder.contest();
    fs::write(&archive, zip(&[("X.out", "lluu\n"), ("Y", "d")])).unwrap();
    let error = contest.keep_files(&folder.results()).unwrap_err().to_string();
    let of_y = &contest.plan.entries[0].answers.as_ref().unwrap()["Y"];
    assert!(error.contains(&of_y.sha256), "the answer to Y is not there any more: {error}");
    let (records, _) = made(&folder);
    assert!(matches!(records[0].verdict, Verdict::Solved(_)), "{:?}", records[0].verdict);
    assert_eq!([folder.output("a/X.1.out"), folder.output("a/Y.1.out")], [Some("lluu\n".into()), Some("d".into())]);
    fs::remove_file(&archive).unwrap();
    let error = contest.keep_files(&folder.results()).unwrap_err().to_string();
    assert!(error.contains("mine.zip"), "{error}");
}

#[test]
fn a_referee_that_is_a_program_rules_on_an_empty_answer_where_there_is_none() {
    let folder = Folder::new(&[EXIT_HEAD, BOARDS, MINE].concat());
    folder.file("mine/X", "lluu\n");
    let (records, jobs) = made(&folder);
    // Both calls are the referee's.
    assert_eq!((records.len(), jobs), (2, 2));
    let missing = |record: &Record| record.extras.notes.contains(&"there is no answer to this board".to_owned());
    let names: Vec<&str> = records.iter().filter(|record| missing(record)).map(|record| &*record.key.board).collect();
    assert_eq!(names, ["Y"]);
    assert_eq!(folder.output("a/Y.1.out").as_deref(), Some(""));
}

#[test]
fn what_is_no_answer_is_refused_with_its_place() {
    let refused = |text: &str, files: &[(&str, &str)]| {
        let folder = Folder::new(text);
        files.iter().for_each(|(name, text)| folder.file(name, text));
        let error = Contest::load(folder.0.path(), &Overrides::default()).map(drop).unwrap_err().to_string();
        error.replace(&folder.0.path().display().to_string(), "")
    };
    let contest = [HEAD, BOARDS, MINE].concat();
    let mine = |more: &str| format!("{contest}{more}");
    assert!(refused(&contest, &[]).ends_with("contest.toml:12: answers: /mine: no such folder or archive"));
    for (files, reason) in rows! {
        (&[("mine/X.out", "1"), ("mine/Z.out", "2")][..], "Z.out answers no board; name it after one, with any ending: X, Y"),
        (&[("mine/X.out", "1"), ("mine/X.txt", "2")], "both X.out and X.txt answer board X"),
        (&[("mine", "")], "is neither a folder nor an archive; answers are in a folder, a .zip or a .tar.gz"),
    } {
        let error = refused(&contest, files);
        assert!(error.ends_with(reason), "{error}");
    }
    let zip = contest.replace("\"mine\"", "\"mine.zip\"");
    assert!(refused(&zip, &[("mine.zip", "no archive")]).contains("the zip archive cannot be read"));
    let here = [("mine/X", "")];
    assert!(refused(&mine("command = \"a/solve\"\n"), &here).contains("executes nothing; remove command, or answers"));
    assert!(refused(&mine("limits = { cpu = \"1s\" }\n"), &here).contains("remove limits, or answers"));
    let neither = [HEAD, BOARDS, "[[entry]]\nname = \"a\"\n"].concat();
    assert!(refused(&neither, &[]).ends_with("or answers = \"FOLDER\" with a file per board"));
    let stream = contest.replace("[[board]]\nname = \"X\"", "[answers]\nstream = true\n[[board]]\nname = \"X\"");
    assert!(refused(&stream, &here).contains("answers fit no contest that needs programs"));
}

#[cfg(unix)]
#[test]
fn links_and_deep_folders_among_answers_are_refused() {
    let folder = Folder::new(&[HEAD, BOARDS, MINE].concat());
    folder.file("mine/X", "lluu\n");
    std::os::unix::fs::symlink("/etc/passwd", folder.0.path().join("mine/Y")).unwrap();
    let error = Contest::load(folder.0.path(), &Overrides::default()).map(drop).unwrap_err().to_string();
    assert!(error.ends_with("Y is not a regular file; copy the answer itself there"), "{error}");
    fs::remove_file(folder.0.path().join("mine/Y")).unwrap();
    fs::create_dir_all(folder.0.path().join("mine").join(["d"; 12].join("/"))).unwrap();
    let error = Contest::load(folder.0.path(), &Overrides::default()).map(drop).unwrap_err().to_string();
    assert!(error.ends_with("d/d is more than 10 folders deep"), "{error}");
}
