//! libFuzzer on results for a page: see `judge_fuzz::report`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::report::check(bytes));
