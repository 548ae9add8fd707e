//! Any bytes: the reader of documents refuses or accepts them, and comes to the same verdict twice.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tracehound_graph::{Limits, check_document};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { value_bytes: 1 << 10, name_bytes: 1 << 8, properties: 20, ..Limits::default() };
    let first = check_document(bytes, &limits).map_err(|error| error.to_string());
    let second = check_document(bytes, &limits).map_err(|error| error.to_string());
    assert_eq!(first, second);
});
