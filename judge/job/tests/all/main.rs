//! Tests of the README's example: a job is unchanged on another machine.

#[allow(dead_code, reason = "the test calls what `main` calls")]
#[path = "../../examples/as_json.rs"]
mod as_json;

use judge_job::{Argument, Job};

#[test]
fn the_example_makes_a_job_that_survives_its_way() {
    let job = as_json::job(&["./solver".to_owned()]);
    let json = serde_json::to_string(&job).expect("plain data");
    assert_eq!(serde_json::from_str::<Job>(&json).expect("the same"), job);
    assert_eq!(job.argv, [Argument::Text("./solver".into()), Argument::File("board.txt".into())]);
    assert_eq!(job.limits.wall_ms, 10_000);
}

/// Jobs sent by older versions lack newer fields, and can still be read.
#[test]
fn a_job_without_optional_fields_is_read() {
    let job = Job::new(["true"], "out", "err");
    let json = serde_json::to_value(&job).expect("plain data");
    assert!(json.get("copies").is_none() && json.get("links").is_none(), "{json}");
    assert_eq!(serde_json::from_value::<Job>(json).expect("the same"), job);
}
