//! libFuzzer on figures of every size: see `judge_fuzz::figures`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::figures::check(bytes));
