//! Any bytes: decompression ends, and never gives more than the limit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tracehound_graph::read_document;

const LIMIT: u64 = 1 << 16;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(document) = read_document(bytes, LIMIT) {
        assert!(document.len() as u64 <= LIMIT);
    }
});
