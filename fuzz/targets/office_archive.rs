//! libFuzzer on an upload: see `judge_fuzz::office_archive`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::office_archive::check(bytes));
