#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::results_csv::check(bytes));
