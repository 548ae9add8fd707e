//! Any bytes as an agent card and as a set of keys: reading them ends.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tracehound_collect::a2a::fuzz(bytes));
