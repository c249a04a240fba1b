//! libFuzzer on what a referee of a game with seats writes: see `judge_fuzz::seats`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::seats::check(bytes));
