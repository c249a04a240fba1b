//! libFuzzer on what a referee leaves: see `judge_fuzz::ruling`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::ruling::check(bytes));
