#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| motifnet_fuzz::run("trials", bytes));
