//! Snapshots: they save time, and whatever happens to one, the documents decide.

use std::path::Path;

use rusqlite::Connection;
use tracehound_graph::Point;

use crate::estate::{Dump, Home, document, now, open};

/// A document that is large enough for a snapshot: many things that look different over time, and one long text.
fn large(scan_id: &str, time: u8) -> String {
    let mut lines = vec![format!("{scan_id} mcp@m t={time} covers=X")];
    lines.push(format!("MCPServer X name={}", "x".repeat(4 << 20)));
    for tool in 0..300 {
        lines.push(format!("MCPTool T{tool} description_hash={} size={tool}", tool * u32::from(time) % 7));
        lines.push(format!("X PROVIDES_TOOL T{tool} confidence=0.{time}"));
    }
    lines.join("\n")
}

/// A closed estate with a snapshot and a document that came after it, and what it should look like.
fn settled() -> (tempfile::TempDir, Dump) {
    let mut home = Home::with(&[large("s1", 1), large("s2", 2)]);
    assert!(home.estate.snapshot_if_due().unwrap(), "a snapshot should be due");
    assert!(!home.estate.snapshot_if_due().unwrap(), "nothing has come since");
    home.take("s3 mcp@m t=3 covers=\n MCPTool T1 description_hash=new late=true\n Y PROVIDES_TOOL T1");
    let expected = Dump::of(&home.now());
    let Home { directory, estate } = home;
    drop(estate);
    (directory, expected)
}

fn snapshots(directory: &Path) -> i64 {
    let connection = Connection::open(directory.join("estate.db")).unwrap();
    connection.query_row("SELECT count(*) FROM snapshots", [], |row| row.get(0)).unwrap()
}

/// Changes one byte of the snapshot's only part; gives back the part as it was.
fn flip(directory: &Path, position: usize) {
    let connection = Connection::open(directory.join("estate.db")).unwrap();
    let of_snapshot = "stream = (SELECT stream FROM snapshots) AND part = 0";
    let sql = format!("SELECT data FROM parts WHERE {of_snapshot}");
    let mut data: Vec<u8> = connection.query_row(&sql, [], |row| row.get(0)).unwrap();
    let position = position % data.len();
    data[position] ^= 0x15;
    connection.execute(&format!("UPDATE parts SET data = ?1 WHERE {of_snapshot}"), [data]).unwrap();
}

#[test]
fn an_estate_read_from_its_snapshot_is_the_same() {
    let (directory, expected) = settled();
    assert_eq!(snapshots(directory.path()), 1);
    let mut estate = open(directory.path());
    let mut read = Vec::new();
    estate.load(|done, all| read.push((done, all))).unwrap();
    assert_eq!(read, [(0, 1)], "only what came after the snapshot is read");
    assert_eq!(Dump::of(&estate.graph(&Point::Now).unwrap()), expected);
    assert!(!estate.snapshot_if_due().unwrap());
}

#[test]
fn an_estate_read_from_its_snapshot_grows_like_any_other() {
    let (directory, _) = settled();
    let later = "s4 mcp@m t=4\n MCPServer X\n MCPTool T2 description_hash=0\n X PROVIDES_TOOL T2 confidence=0.1";
    let mut estate = open(directory.path());
    estate.ingest(&document(later), now()).unwrap();
    let from_snapshot = estate.graph(&Point::Now).unwrap();
    let mut plain = Home::with(&[large("s1", 1), large("s2", 2)]);
    plain.take("s3 mcp@m t=3 covers=\n MCPTool T1 description_hash=new late=true\n Y PROVIDES_TOOL T1");
    plain.take(later);
    assert_eq!(Dump::of(&from_snapshot), Dump::of(&plain.now()));
}

#[test]
fn a_deleted_scan_takes_the_snapshot_that_shows_it_along() {
    let (directory, _) = settled();
    let mut estate = open(directory.path());
    estate.delete_scans(&["s2"]).unwrap();
    drop(estate);
    assert_eq!(snapshots(directory.path()), 0);
    let mut plain = Home::with(&[large("s1", 1)]);
    plain.take("s3 mcp@m t=3 covers=\n MCPTool T1 description_hash=new late=true\n Y PROVIDES_TOOL T1");
    assert_eq!(Dump::of(&open(directory.path()).graph(&Point::Now).unwrap()), Dump::of(&plain.now()));
}

#[test]
fn a_snapshot_of_another_layout_is_not_read() {
    let (directory, expected) = settled();
    let connection = Connection::open(directory.path().join("estate.db")).unwrap();
    connection.execute("UPDATE snapshots SET format = 0", []).unwrap();
    drop(connection);
    assert_eq!(Dump::of(&open(directory.path()).graph(&Point::Now).unwrap()), expected);
}

#[test]
fn a_damaged_snapshot_is_ignored_and_made_again() {
    let (directory, expected) = settled();
    flip(directory.path(), 1000);
    let mut estate = open(directory.path());
    assert_eq!(Dump::of(&estate.graph(&Point::Now).unwrap()), expected);
    assert!(estate.snapshot_if_due().unwrap(), "the damaged snapshot should be replaced");
    drop(estate);
    let mut estate = open(directory.path());
    let mut read = 0;
    estate.load(|_, _| read += 1).unwrap();
    assert_eq!((read, Dump::of(&estate.graph(&Point::Now).unwrap())), (0, expected));
}

/// Wherever a byte is wrong, the snapshot neither stops the estate nor changes what it says.
#[test]
fn no_damage_to_a_snapshot_shows() {
    let (directory, expected) = settled();
    for position in (0..60_u32).map(|step| step.pow(3) as usize / 8) {
        flip(directory.path(), position);
        let found = Dump::of(&open(directory.path()).graph(&Point::Now).unwrap());
        assert!(found == expected, "a flipped byte at {position} shows");
        flip(directory.path(), position);
    }
}
