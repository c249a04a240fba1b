//! libFuzzer on a board of Loyd's Dilemma: see `judge_fuzz::board`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::board::check(bytes));
