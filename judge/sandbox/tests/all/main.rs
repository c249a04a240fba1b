//! The example of the README, executed.

// Its own `main` is for the command line.
#[allow(dead_code, reason = "the test calls what `main` calls")]
#[path = "../../examples/limits.rs"]
mod limits;

use judge_sandbox::End;

fn run(command: &[&str]) -> (End, String) {
    let command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
    let (outcome, printed) = limits::run(&command).expect("a sandbox");
    (outcome.end, printed)
}

#[test]
fn the_example_runs_programs_under_its_limits() {
    assert_eq!(run(&["sh", "-c", "echo hello; exit 3"]), (End::Exited { code: 3 }, "hello\n".into()));
    let (end, printed) = run(&["yes"]);
    assert_eq!((end, printed.len()), (End::TooMuchOutput, 1 << 20));
    assert!(matches!(run(&["no-such-program"]).0, End::CouldNotStart { .. }));
}

#[test]
fn the_example_is_short_without_another_crate() {
    let source = include_str!("../../examples/limits.rs");
    assert!(source.lines().count() <= 40);
    let used = source.lines().filter_map(|line| line.strip_prefix("use "));
    let crates: Vec<&str> = used.filter_map(|path| path.split("::").next()).collect();
    assert_eq!(crates, ["std", "std", "judge_sandbox"]);
    assert_eq!(source.matches("judge_").count(), 1, "one path names a crate of the judge");
}
