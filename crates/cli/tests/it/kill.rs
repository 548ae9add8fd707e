//! `kill -9` at any moment: what was acknowledged is there, and nothing is there by half.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Place, document};

/// How many times a writer is killed.
const KILLS: u64 = 30;
/// How many documents each writer is given.
const DOCUMENTS: usize = 12;

/// A document that takes a moment to write: many nodes with text that hardly compresses.
fn sizeable(round: u64, number: usize) -> Value {
    let mut document = document(&format!("r{round}-{number:02}"), "2026-01-05T09:00:00Z", "one");
    let mut state = round * 1_000 + number as u64 + 1;
    let nodes = (0..400).map(|node| {
        let text: String = (0..20)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                format!("{state:016x}")
            })
            .collect();
        json!({ "id": format!("host-{round}-{number}-{node}"), "kinds": ["Host"], "properties": { "hostname": text } })
    });
    document["graph"]["nodes"].as_array_mut().unwrap().extend(nodes);
    document
}

#[test]
fn acknowledged_scans_survive_and_nothing_is_there_by_half() {
    let place = Place::new();
    let mut stored = BTreeSet::new();
    let mut interrupted = 0;
    for round in 0..KILLS {
        let files: Vec<PathBuf> = (0..DOCUMENTS)
            .map(|number| place.write(&format!("{number:02}.json"), sizeable(round, number).to_string()))
            .collect();
        let mut arguments = vec![PathBuf::from("ingest")];
        arguments.extend(files);
        let mut child = place.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        // From before the store is open to after the last document, at a different moment each time.
        std::thread::sleep(Duration::from_millis(5 + round * 7));
        let _ = child.kill();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let status = child.wait().unwrap();
        interrupted += u32::from(!status.success());
        let mut line = String::new();
        while lines.read_line(&mut line).is_ok_and(|read| read > 0) {
            // A line that ends was printed whole, after its document was durable.
            if let Some((_, scan)) = line.strip_suffix('\n').and_then(|line| line.split_once(": scan ")) {
                stored.insert(scan.split(' ').next().unwrap().to_owned());
            }
            line.clear();
        }
        let _ = lines.read_to_string(&mut line);
        if stored.is_empty() && !place.data().join("estate.db").exists() {
            continue;
        }
        check_store(&place, &mut stored);
    }
    assert!(interrupted > 0, "no writer was caught at work; the delays are too long");
}

/// Every acknowledged scan is there, and every scan that is there is there whole.
fn check_store(place: &Place, stored: &mut BTreeSet<String>) {
    let ran = place.run(&["scans", "list", "--format", "json"]);
    if ran.code != 0 {
        assert!(stored.is_empty() && ran.err.contains("there is no estate"), "{}", ran.err);
        return;
    }
    let scans: Value = serde_json::from_str(&ran.out).unwrap();
    let ids: BTreeSet<String> =
        scans.as_array().unwrap().iter().map(|scan| scan["scan_id"].as_str().unwrap().to_owned()).collect();
    assert!(ids.is_superset(stored), "lost: {:?}", stored.difference(&ids));
    // One that was stored but not yet acknowledged when the writer was killed is kept, too.
    *stored = ids;
    let stats = place.json(&["graph", "stats"]);
    let hosts = stats["nodes_by_kind"].get("Host").and_then(Value::as_u64).unwrap_or(0);
    assert_eq!(hosts, 400 * stored.len() as u64);
    if let Some(last) = stored.last() {
        let document: Value = serde_json::from_str(&place.ok(&["scans", "show", last, "--document"])).unwrap();
        assert_eq!(document["meta"]["scan_id"], last.as_str());
    }
}
