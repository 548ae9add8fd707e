//! Any bytes as a configuration, in every dialect: a scan of them ends, says the same twice, and gives a document that
//! ingest accepts.
#![no_main]

use std::path::PathBuf;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use tracehound_collect::Detection;
use tracehound_collect::local::{Request, Root, scan};
use tracehound_graph::{Limits, check_document};

const NAMES: &[&str] = &["mcp.json", "config.toml", "config.yaml", "llm.mcpServers.xml", "agent.md", "any"];

/// A folder of this process.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("tracehound-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    })
}

fn detection() -> &'static Detection {
    static DETECTION: OnceLock<Detection> = OnceLock::new();
    DETECTION.get_or_init(|| Detection::start(tracehound_rules::builtin_rules().unwrap().to_vec()).unwrap())
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, content)) = bytes.split_first() else { return };
    let path = folder().join(NAMES[usize::from(*choice) % NAMES.len()]);
    std::fs::write(&path, content).unwrap();
    let request = Request {
        files: vec![path],
        stamp: tracehound_collect::Stamp { origin: "box".to_owned(), scan_id: "scan-fuzz".to_owned(), timestamp: "2026-01-01T00:00:00Z".to_owned() },
        ..Request::default()
    };
    let document = || {
        let report = scan(&Root::machine(), &request, detection(), &|_| {}).unwrap();
        let lines = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() + 2;
        assert!(report.problems.iter().filter_map(|it| it.at).all(|at| at.column > 0 && at.line as usize <= lines));
        serde_json::to_vec(&report.document).unwrap()
    };
    let first = document();
    assert!(first == document());
    if let Err(error) = check_document(&first, &Limits::default()) {
        panic!("{error}");
    }
});
