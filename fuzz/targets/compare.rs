//! libFuzzer on results that are compared: see `judge_fuzz::compare`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::compare::check(bytes));
