//! libFuzzer on the body of a request: see `judge_fuzz::office_form`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::office_form::check(bytes));
