//! Any bytes as what an MCP server sends: reading them ends, and events do not depend on how they are cut.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tracehound_collect::mcp::fuzz(bytes));
