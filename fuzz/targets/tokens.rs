//! libFuzzer on an answer compared by its tokens: see `judge_fuzz::tokens`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::tokens::check(bytes));
