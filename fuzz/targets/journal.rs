//! libFuzzer on a journal: see `judge_fuzz::journal`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::journal::check(bytes));
