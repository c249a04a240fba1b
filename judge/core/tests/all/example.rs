//! The example that replays an answer.

#[allow(dead_code, reason = "the test calls what `main` calls")]
#[path = "../../examples/replay.rs"]
mod replay;

use judge_core::verdict::Verdict;

const BOARD: &[u8] = b"ABCDE FGHIJ KL+MN PQRSO UVWXT";

#[test]
fn the_example_replays_answers() {
    let (verdict, position) = replay::replay("loyd", BOARD, b"lluu").unwrap();
    assert_eq!(verdict.summary(), "solved with progress 25 of 25, moves 4, tie_break 0");
    assert!(position.contains("U  V  W  X [+]"), "{position}");
    let (verdict, _) = replay::replay("loyd", BOARD, b"lll").unwrap();
    assert!(matches!(verdict, Verdict::IllegalMove { .. }), "{verdict:?}");
    assert!(replay::replay("chess", BOARD, b"").unwrap_err().to_string().starts_with("unknown game `chess`"));
    assert!(replay::replay("loyd", b"ABC", b"").is_err());
}

#[test]
fn the_example_is_short_without_another_crate() {
    let source = include_str!("../../examples/replay.rs");
    assert!(source.lines().count() <= 40);
    let used = source.lines().filter_map(|line| line.strip_prefix("use "));
    assert!(used.into_iter().all(|path| path.starts_with("std::") || path.starts_with("judge_core::")));
}
