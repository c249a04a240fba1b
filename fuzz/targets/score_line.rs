//! libFuzzer on what a referee leaves: see `judge_fuzz::score_line`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::score_line::check(bytes));
