//! libFuzzer on a board of any game and an answer: see `judge_fuzz::game`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::game::check(bytes));
