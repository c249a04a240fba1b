//! libFuzzer on what a referee leaves: see `judge_fuzz::frames`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::frames::check(bytes));
