//! libFuzzer on a problem package: see `judge_fuzz::package`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::package::check(bytes));
