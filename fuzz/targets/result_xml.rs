//! libFuzzer on what a referee leaves: see `judge_fuzz::result_xml`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::result_xml::check(bytes));
