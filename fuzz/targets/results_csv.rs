//! libFuzzer on a CSV file of results: see `judge_fuzz::results_csv`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::results_csv::check(bytes));
