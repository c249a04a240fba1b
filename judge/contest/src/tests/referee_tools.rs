//! The commands of a referee besides the one that rules: they check, generate and show boards.

use super::*;
use crate::external::{RefereeContext, Tool, ToolError};
use judge_core::plan::Board;

const TOOLS: &str = "check = [\"./referee\", \"is it one\"]\nmake = [\"./referee\", \"another\"]\n";

/// A contest whose referee has two tools, `check` and `make`, and two boards.
fn with_tools() -> (Folder, Contest) {
    let folder = Folder::new(&[EXIT_HEAD, TOOLS, BOARDS, ENTRIES].concat());
    let contest = folder.contest();
    (folder, contest)
}

fn call(
    contest: &Contest,
    (tool, word, board): (Tool, Option<&str>, Option<&Board>),
    act: &Behaviour<'_>,
) -> Result<Option<String>, ToolError> {
    let context = RefereeContext { executor: &FakeExecutor(act), processors: vec![4], results: None };
    let printed = contest.tool(contest.plan.problems.only(), tool, context, word, board)?;
    Ok(printed.map(|bytes| String::from_utf8(bytes).unwrap()))
}

fn exits(code: i32, printed: &str) -> Result<(End, String), Interrupted> {
    Ok((End::Exited { code }, printed.to_owned()))
}

#[test]
fn what_a_tool_prints_is_its_result() {
    let (_folder, contest) = with_tools();
    let jobs = Mutex::new(Vec::new());
    let act = |job: &Job| {
        jobs.lock().unwrap().push(job.clone());
        exits(0, "a board\nof two lines\n")
    };
    let made = call(&contest, (Tool::Make, Some("7"), None), &act);
    assert_eq!(made, Ok(Some("a board\nof two lines\n".to_owned())));
    let board = &contest.plan.boards[0];
    call(&contest, (Tool::Check, None, Some(board)), &act).unwrap();
    let jobs = jobs.into_inner().unwrap();
    assert!(words(&jobs[0]).ends_with("referee another 7"), "{}", words(&jobs[0]));
    assert!(words(&jobs[1]).ends_with("referee is it one board"), "{}", words(&jobs[1]));
    assert_eq!((jobs[0].files.len(), jobs[1].files.len()), (0, 1), "the board is a file of the second alone");
    assert_eq!(jobs[1].files[0].contents, NEAR.as_bytes());
    assert_eq!(jobs[0].processors, [4]);
    // A tool that the contest file does not name is not called.
    let shown = call(&contest, (Tool::Show, None, Some(board)), &|_| panic!("there is no such tool"));
    assert_eq!(shown, Ok(None));
    assert_eq!([Tool::Check, Tool::Make, Tool::Show].map(Tool::key), ["check", "make", "show"]);
}

#[test]
fn a_tool_that_fails_says_why() {
    let (_folder, contest) = with_tools();
    let board = &contest.plan.boards[0];
    let failed = |act: &Behaviour<'_>| match call(&contest, (Tool::Check, None, Some(board)), act) {
        Err(ToolError::Failed(reason)) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(failed(&|_| exits(1, "\n too small\nand more")), "too small");
    assert_eq!(failed(&|_| exits(1, "")), "check ended with exit code 1");
    assert_eq!(
        failed(&|_| Ok((End::TimedOut, "half".into()))),
        "check: it was still running at the limit of [referee]"
    );
    assert_eq!(
        failed(&|_| Ok((End::Signalled { signal: 9 }, String::new()))),
        "check: it ended with signal 9 (SIGKILL)"
    );
    assert_eq!(failed(&|_| panic!("boom")), "check: the executor panicked: boom");
    let stopped = call(&contest, (Tool::Check, None, Some(board)), &|_| Err(Interrupted));
    assert_eq!(stopped, Err(ToolError::Interrupted));
    /// A tool with its effect and its exit code.
    struct Leaves(fn(&Job), i32);
    impl Executor for Leaves {
        fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
            (self.0)(job);
            Ok(Outcome::new(End::Exited { code: self.1 }, isolation(), machine("m")))
        }

        fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
            Capacity::new(vec![Vec::new()])
        }

        fn describe(&self) -> Description {
            Description::new(isolation(), Vec::new())
        }

        fn temporary_folder(&self) -> std::path::PathBuf {
            std::env::temp_dir()
        }
    }
    let made = |executor: Leaves| {
        let context = RefereeContext { executor: &executor, processors: Vec::new(), results: None };
        contest.tool(contest.plan.problems.only(), Tool::Make, context, Some("1"), None)
    };
    // Its standard error is the reason if it printed nothing.
    let complains = |job: &Job| {
        fs::write(&job.stdout, "").unwrap();
        fs::write(&job.stderr, "Traceback\nno such letter\n").unwrap();
    };
    assert_eq!(made(Leaves(complains, 1)), Err(ToolError::Failed("no such letter".into())));
    // A board that cannot be read is a failure.
    let unreadable = made(Leaves(|job| fs::create_dir(&job.stdout).unwrap(), 0)).unwrap_err().to_string();
    assert!(unreadable.starts_with("make: ") && unreadable.contains("stdout"), "{unreadable}");
    let built_in = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let refused = call(&built_in.contest(), (Tool::Check, None, Some(board)), &|_| panic!("it is no program"));
    assert_eq!(refused, Err(ToolError::Failed("the referee of a built-in game is no program".into())));
}

#[test]
fn the_check_of_boards_names_the_first_bad_one() {
    let (_folder, contest) = with_tools();
    let checked = |act: &Behaviour<'_>| {
        let executor = FakeExecutor(act);
        contest.check_boards(&RefereeContext { executor: &executor, processors: Vec::new(), results: None })
    };
    let calls = AtomicUsize::new(0);
    let second_is_bad = |_: &Job| {
        let call = calls.fetch_add(1, Ordering::SeqCst);
        exits(if call == 1 { 1 } else { 0 }, "no question")
    };
    assert_eq!(checked(&second_is_bad), Err(ToolError::Failed("board Y: no question".into())));
    assert_eq!(calls.load(Ordering::SeqCst), 2);
    assert_eq!(checked(&|_| exits(0, "")), Ok(()));
    assert_eq!(checked(&|_| Err(Interrupted)), Err(ToolError::Interrupted));
    // Without a tool that checks, no board is refused and nothing is executed.
    let folder = Folder::new(&[EXIT_HEAD, BOARDS, ENTRIES].concat());
    let executor = FakeExecutor(&|_| panic!("there is no such tool"));
    let context = RefereeContext { executor: &executor, processors: Vec::new(), results: None };
    assert_eq!(folder.contest().check_boards(&context), Ok(()));
}

#[test]
fn a_board_that_is_no_text_is_a_stored_file() {
    let (folder, mut contest) = with_tools();
    let other = folder.0.path().join("other.bin");
    fs::write(&other, [0xff, 0, 0xfe]).unwrap();
    let board = contest.board_in(&other).unwrap();
    assert_eq!((&*board.name, board.stored.is_some()), ("other", true));
    assert!(contest.board_in(&folder.0.path().join("none")).is_err());
}
