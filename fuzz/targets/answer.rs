//! libFuzzer on an answer on a fixed board: see `judge_fuzz::answer`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::answer::check(bytes));
