//! libFuzzer on results and the options of `judge rank`: see `judge_fuzz::rank`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::rank::check(bytes));
