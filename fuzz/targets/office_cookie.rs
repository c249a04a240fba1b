//! libFuzzer on a cookie: see `judge_fuzz::office_cookie`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::office_cookie::check(bytes));
