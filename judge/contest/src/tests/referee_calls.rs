//! Tests of calls of a referee program: the job of its protocol, and the handling of its resulting files.

use super::*;
use crate::external::RefereeContext;
use judge_core::figure::RefereeFigures;
use judge_core::plan::Board;
use judge_core::referee::{Referee as _, RefereeError, Ruling};

/// A figure of which more is better.
const SCORE: &str = "[[figure]]\nname = \"score\"\nbetter = \"more\"\n";

/// A contest whose `[referee]` has these keys, and one board with an answer of the judge.
fn with_keys(keys: &str) -> (Folder, Contest) {
    with_figures("", keys)
}

/// A contest as [`with_keys`], with additional tables.
fn with_figures(figures: &str, keys: &str) -> (Folder, Contest) {
    let head = "name = \"test\"\ngame = \"external\"\nlimit = \"10s\"\n";
    let head = format!("{head}{figures}[referee]\ncommand = \"./referee\"\n");
    let board = "[[board]]\nname = \"X\"\nfile = \"x.txt\"\nanswer = \"y.txt\"\nargs = [\"--of\", \"board\"]\n";
    let folder = Folder::new(&format!("{head}{keys}\n{board}{ENTRIES}"));
    folder.file("answer", "42\n");
    let contest = folder.contest();
    (folder, contest)
}

fn rule((folder, contest): &(Folder, Contest), act: &Behaviour<'_>) -> Result<Ruling, RefereeError> {
    let executor = FakeExecutor(act);
    let context = RefereeContext { executor: &executor, processors: vec![5], results: None };
    let board: &Board = &contest.plan.boards[0];
    contest.referee_on(context).rule(board, &folder.0.path().join("answer"))
}

/// The reason of a referee's failure.
fn failure(referee: &(Folder, Contest), act: &Behaviour<'_>) -> String {
    match rule(referee, act) {
        Err(RefereeError::Failed(JudgeFailure::Referee(reason))) => reason,
        other => panic!("{other:?}"),
    }
}

fn exits(code: i32, printed: &str) -> Result<(End, String), Interrupted> {
    Ok((End::Exited { code }, printed.to_owned()))
}

/// A referee that leaves these files in its folder and ends with this exit code.
fn leaving(
    files: Vec<(&'static str, &'static str)>,
    code: i32,
) -> impl Fn(&Job) -> Result<(End, String), Interrupted> + Sync {
    move |job| {
        let to = &job.wanted_folders[0].to;
        files.iter().for_each(|(name, text)| fs::write(to.join(name), text).unwrap());
        exits(code, "")
    }
}

#[test]
fn every_end_of_a_referee_but_its_own_is_a_failure_that_names_it() {
    let referee = with_keys("protocol = \"exit\"");
    let reason = |text: &str| text.to_owned();
    for (end, expected) in rows! {
        (End::TimedOut, "it was still running at the limit of [referee]"),
        (End::OutOfCpu, "it took more CPU time than [referee] allows"),
        (End::OutOfMemory, "it took more memory than [referee] allows"),
        (End::TooManyProcesses, "it had more processes and threads at a time than [referee] allows"),
        (End::ScratchFull, "it wrote more files than [referee] allows"),
        (End::TooMuchOutput, "it printed more than [referee] allows"),
        (End::CouldNotStart { reason: reason("no such file"), by_author: false }, "it could not be started: no such file"),
        (End::JudgeError { reason: reason("no memory") }, "no memory"),
        (End::Signalled { signal: 11 }, "it crashed with signal 11"),
    } {
        let failed = failure(&referee, &|_| Ok((end.clone(), String::new())));
        assert!(failed.contains(expected), "{failed}, expected {expected}");
    }
    assert!(matches!(rule(&referee, &|_| Err(Interrupted)), Err(RefereeError::Interrupted)));
    let calls = AtomicUsize::new(0);
    let boom = failure(&referee, &|_| {
        calls.fetch_add(1, Ordering::SeqCst);
        panic!("boom")
    });
    assert_eq!((&*boom, calls.load(Ordering::SeqCst)), ("the executor panicked: boom", 2));
}

#[test]
fn a_failure_at_the_first_try_is_noted() {
    let referee = with_keys("protocol = \"exit\"");
    let calls = AtomicUsize::new(0);
    let ruling = rule(&referee, &|_| exits(if calls.fetch_add(1, Ordering::SeqCst) == 0 { 9 } else { 0 }, "")).unwrap();
    assert!(matches!(ruling.verdict, Verdict::Solved(_)));
    assert!(
        ruling.notes.iter().any(|note| note.starts_with("the referee failed at the first try: it crashed with exit"))
    );
    assert!(ruling.notes.contains(&"the referee: a note".to_owned()), "{:?}", ruling.notes);
}

#[test]
fn an_exit_code_accepts_rejects_or_is_a_crash() {
    let referee = with_keys("protocol = \"exit\"\naccept = [0, 7]\nreject = [1, 2]");
    for code in [0, 7] {
        assert!(matches!(rule(&referee, &|_| exits(code, "")).unwrap().verdict, Verdict::Solved(_)));
    }
    let wrong = |code: i32, printed: &str| match rule(&referee, &|_| exits(code, printed)).unwrap().verdict {
        Verdict::Wrong { reason, given } => (reason, given),
        verdict => panic!("{verdict:?}"),
    };
    assert_eq!(wrong(1, "\n  too long\nand more"), ("too long".to_owned(), RefereeFigures::default()));
    assert_eq!(wrong(2, ""), ("exit code 2".to_owned(), RefereeFigures::default()));
    assert!(failure(&referee, &|_| exits(3, "")).starts_with("it crashed with exit code 3"));
    let lenient = with_keys("protocol = \"exit\"\non_crash = \"reject\"");
    let Verdict::Wrong { reason, .. } = rule(&lenient, &|_| exits(3, "")).unwrap().verdict else { panic!() };
    assert_eq!(reason, "the referee crashed with exit code 3, which counts as a rejection here");
}

#[test]
fn a_referee_gets_copies_whose_paths_say_nothing() {
    let jobs = Mutex::new(Vec::new());
    let referee = with_keys("protocol = \"exit\"\nargs = [\"--of\", \"referee\"]\nscratch = \"1MiB\"");
    rule(&referee, &|job| {
        assert_eq!(answer(job), "42\n");
        jobs.lock().unwrap().push(job.clone());
        exits(0, "")
    })
    .unwrap();
    let job = jobs.into_inner().unwrap().remove(0);
    assert!(words(&job).ends_with("board answer judge_answer --of referee --of board"), "{}", words(&job));
    assert_eq!((job.processors.clone(), job.stdin.clone()), (vec![5], Stdin::Nothing));
    let judge_answer = job.files.iter().find(|file| file.name == "judge_answer").unwrap();
    assert_eq!(judge_answer.contents, NEAR.as_bytes());
    // The limit includes the three bytes of the answer.
    assert_eq!(job.limits.scratch_bytes, Some((1 << 20) + 3));
    // A tool gets only the board.
    let native = with_keys("protocol = \"native\"");
    rule(&native, &|job| {
        assert!(job.wanted_folders.len() == 1 && words(job).contains("board answer out"), "{}", words(job));
        fs::write(job.wanted_folders[0].to.join("ruling.json"), "{\"format\":1,\"verdict\":\"solved\"}").unwrap();
        exits(0, "")
    })
    .unwrap();
    // A program can find the path of an open file, so the file is a copy.
    let kattis = with_keys("protocol = \"kattis\"");
    let ruling = rule(&kattis, &|job| {
        let Stdin::File(path) = &job.stdin else { panic!("{:?}", job.stdin) };
        assert!(fs::read_to_string(path).unwrap() == "42\n" && !path.starts_with(kattis.0.0.path()), "{path:?}");
        assert!(words(job).contains("board judge_answer out"), "{}", words(job));
        exits(42, "")
    });
    assert!(matches!(ruling.unwrap().verdict, Verdict::Solved(_)));
}

#[test]
fn the_files_that_a_native_referee_leaves_are_its_ruling() {
    let referee = with_keys("protocol = \"native\"");
    let solved = ("ruling.json", r#"{"format":1,"verdict":"solved","figures":{"progress":3,"moves":4},"full":3}"#);
    let frames = ("frames.jsonl", "{\"at\":0,\"grid\":[\"A\"]}\n{\"at\":3,\"grid\":[\"B\"]}\n");
    let ruling = rule(&referee, &leaving(vec![solved, frames], 0)).unwrap();
    assert_eq!(ruling.verdict.summary(), "solved with progress 3 of 3, moves 4, tie_break 0");
    assert_eq!(ruling.frames.iter().map(|frame| frame.at).collect::<Vec<_>>(), [0, 3]);
    assert!(ruling.picture.is_some(), "the last position is a picture");
    let ruling = rule(&referee, &leaving(vec![solved], 0)).unwrap();
    assert!(ruling.frames.is_empty() && ruling.picture.is_none());
    assert_eq!(failure(&referee, &leaving(vec![frames], 0)), "it left no ruling.json; a note");
    assert!(failure(&referee, &leaving(vec![solved], 1)).starts_with("it crashed with exit code 1"));
    assert!(!failure(&referee, &leaving(vec![("ruling.json", "{")], 0)).is_empty());
    assert!(!failure(&referee, &leaving(vec![solved, ("frames.jsonl", "{")], 0)).is_empty());
    // An image is a file of the folder with a plain name.
    let image = ("frames.jsonl", "{\"at\":1,\"svg\":\"one.svg\"}\n");
    let svg = ("one.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"></svg>");
    assert_eq!(rule(&referee, &leaving(vec![solved, image, svg], 0)).unwrap().frames.len(), 1);
    for name in ["../stdout", ".hidden", "", "gone.svg"] {
        let act = |job: &Job| {
            let to = &job.wanted_folders[0].to;
            fs::write(to.join("ruling.json"), solved.1).unwrap();
            fs::write(to.join(".hidden"), svg.1).unwrap();
            fs::write(to.join("frames.jsonl"), format!("{{\"at\":1,\"svg\":\"{name}\"}}\n")).unwrap();
            exits(0, svg.1)
        };
        assert!(!failure(&referee, &act).is_empty(), "{name}");
    }
}

#[test]
fn bad_positions_of_a_scorer_are_left_out_with_a_note() {
    let referee = with_figures(SCORE, "protocol = \"score\"\npattern = \"score = (?<score>[0-9]+)\"");
    let scored = |frames: &'static str| {
        rule(&referee, &|job| {
            assert_eq!(job.folders, ["out"], "the folder is there, and no argument names it");
            assert!(!words(job).contains("out"), "{}", words(job));
            fs::write(job.wanted_folders[0].to.join("frames.jsonl"), frames).unwrap();
            exits(0, "score = 7")
        })
        .unwrap()
    };
    let ruling = scored("{\"at\":0,\"grid\":[\"A\"]}\n");
    assert_eq!((ruling.frames.len(), ruling.notes.len()), (1, 1), "{:?}", ruling.notes);
    let ruling = scored("{");
    assert!(ruling.frames.is_empty(), "{ruling:?}");
    assert!(ruling.notes[0].starts_with("the referee's positions are left out: frames.jsonl: line 1"), "{ruling:?}");
}

#[test]
fn the_exit_code_of_a_validator_is_its_ruling() {
    let referee = with_figures(&format!("{SCORE}decimals = 1\n"), "protocol = \"kattis\"");
    let ruling =
        rule(&referee, &leaving(vec![("score.txt", "12.5\n"), ("teammessage.txt", "well done\n")], 42)).unwrap();
    let points = ruling.verdict.given().and_then(|given| given.figures.first()).unwrap();
    assert_eq!(points.to_string(), "12.5");
    let wrong = rule(&referee, &leaving(vec![("judgemessage.txt", "line 3 differs\n")], 43)).unwrap();
    assert!(matches!(wrong.verdict, Verdict::Wrong { .. }));
    assert!(wrong.notes.contains(&"the referee notes: line 3 differs".to_owned()), "{wrong:?}");
    assert!(failure(&referee, &leaving(vec![], 1)).starts_with("it crashed with exit code 1"));
    // Images are not a part of the ruling: bad ones are left out with a note.
    let image = ("teamimage.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"></svg>");
    let judges = ("judgeimage.svg", image.1);
    assert_eq!(rule(&referee, &leaving(vec![("score.txt", "1"), image, judges], 42)).unwrap().frames.len(), 1);
    assert_eq!(rule(&referee, &leaving(vec![("score.txt", "1"), judges], 42)).unwrap().frames.len(), 1);
}
