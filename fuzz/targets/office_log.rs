//! libFuzzer on the office's log: see `judge_fuzz::office_log`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::office_log::check(bytes));
