//! The example that lists a package.

#[allow(dead_code, reason = "the test calls what `main` calls")]
#[path = "../../examples/contents.rs"]
mod contents;

#[test]
fn the_example_lists_cases_and_submissions() {
    let lines = contents::contents(&crate::folder("echo")).expect("a good package");
    let package = crate::package("echo");
    assert_eq!(lines.len(), package.data.cases.len() + package.submissions.len());
    assert_eq!(lines[0], format!("case {}", package.data.cases[0].name));
    let missing = contents::contents(&crate::folder("missing")).expect_err("no such folder");
    assert!(missing.to_string().contains("missing"), "{missing}");
}
