//! The example of the README, executed.

#![cfg(feature = "run")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

// Its own `main` is for the command line.
#[allow(dead_code, reason = "the test calls what `main` calls")]
#[path = "../examples/open_contest.rs"]
mod open_contest;

use std::sync::mpsc::channel;

#[test]
fn the_example_conducts_a_contest_of_three_entries() {
    let (sender, events) = channel();
    let first = open_contest::run_contest(move |event| sender.send(event).unwrap()).unwrap();
    let events: Vec<String> = events.iter().collect();
    assert_eq!(events[0], "3 runs to execute");
    for entry in ["ann", "bob", "cleo"] {
        let finished = |event: &&String| event.starts_with(&format!("{entry}: "));
        assert_eq!(events.iter().filter(finished).count(), 1, "{entry}: {events:?}");
    }
    // The run that is executed first has the fewest moves.
    assert!(events[1].starts_with(&format!("{first}: solved")), "{first}: {events:?}");
}

#[test]
fn the_example_is_short() {
    let source = include_str!("../examples/open_contest.rs");
    assert!(source.lines().count() <= 40, "{}", source.lines().count());
}
