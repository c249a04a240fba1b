//! libFuzzer on a contest file: see `judge_fuzz::contest`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::contest::check(bytes));
