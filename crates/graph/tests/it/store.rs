//! The store: what it refuses, what survives, and what it says when the file is not what it should be.
//!
//! A full disk is not among the tests: the limit that SQLite offers (`max_page_count`) holds for one connection, and
//! that of an estate can't be reached from outside.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tracehound_graph::{Access, Error, Estate, Limits, Point};

use crate::estate::{Dump, Home, document, now, open, try_open};

const FIRST: &str = "s1 mcp@m t=1\n MCPServer X\n MCPTool T\n X PROVIDES_TOOL T";
const SECOND: &str = "s2 mcp@m t=2\n MCPServer Y";

fn file(directory: &Path) -> PathBuf {
    directory.join("estate.db")
}

/// A closed estate with the first document in it, changed from outside.
fn tampered(change: impl FnOnce(&Connection)) -> tempfile::TempDir {
    let Home { directory, estate } = Home::with(&[FIRST]);
    drop(estate);
    let connection = Connection::open(file(directory.path())).unwrap();
    change(&connection);
    directory
}

/// A directory in which this is the database.
fn with_file(bytes: &[u8]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(file(directory.path()), bytes).unwrap();
    directory
}

/// Whoever opens the estate is told that it is damaged, in these words.
#[track_caller]
fn check_damaged(directory: &Path, words: &str) {
    for access in [Access::Write, Access::Read] {
        let refused = try_open(directory, access).and_then(|mut estate| estate.graph(&Point::Now)).unwrap_err();
        assert!(matches!(refused, Error::Damaged { .. }), "{refused:?}");
        assert!(refused.to_string().contains(words), "{refused}");
    }
}

#[test]
fn the_same_document_again_changes_nothing() {
    let mut home = Home::with(&[FIRST, SECOND]);
    let before = Dump::of(&home.now());
    let again = home.take(FIRST);
    assert_eq!((again.added, again.scan.scan_id.as_str()), (None, "s1"));
    assert_eq!(Dump::of(&home.now()), before);
    assert_eq!(home.estate.scans().len(), 2);
}

#[test]
fn another_document_under_a_known_scan_id_is_refused_and_changes_nothing() {
    let mut home = Home::with(&[FIRST]);
    let before = Dump::of(&home.now());
    let refused = home.estate.ingest(&document(&FIRST.replace("t=1", "t=2")), now()).unwrap_err();
    assert!(matches!(&refused, Error::ScanIdTaken { scan_id, .. } if scan_id == "s1"));
    assert_eq!(Dump::of(&home.now()), before);
    home.estate.delete_scans(&["s1"]).unwrap();
    home.take(&FIRST.replace("t=1", "t=2"));
}

#[test]
fn a_refused_document_leaves_no_trace() {
    let mut home = Home::with(&[FIRST]);
    let before = Dump::of(&home.now());
    home.estate.ingest(&document("s2 mcp@m t=2\n Nonsense X key=1\n MCPTool Z"), now()).unwrap_err();
    assert_eq!(Dump::of(&home.now()), before);
    assert_eq!(Dump::of(&home.reopened().now()), before);
}

#[test]
fn documents_are_kept_byte_for_byte() {
    let mut text = document(FIRST);
    text.extend(b" \n\n");
    let mut home = Home::new();
    home.estate.ingest(&text, now()).unwrap();
    assert_eq!(home.reopened().estate.document("s1").unwrap(), text);
}

#[test]
fn a_scan_that_is_not_there_can_not_be_deleted_or_read() {
    let mut home = Home::with(&[FIRST]);
    assert!(matches!(home.estate.delete_scans(&["s9"]), Err(Error::NoSuchScan { .. })));
    assert!(matches!(home.estate.document("s9"), Err(Error::NoSuchScan { .. })));
}

#[test]
fn a_newer_schema_is_refused() {
    let directory = tampered(|connection| connection.pragma_update(None, "user_version", 99).unwrap());
    for access in [Access::Write, Access::Read] {
        let refused = try_open(directory.path(), access).unwrap_err();
        assert!(matches!(refused, Error::NewerSchema { found: 99, .. }), "{refused:?}");
    }
}

#[test]
fn another_programs_database_is_refused_and_not_touched() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(directory.path());
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x');").unwrap();
    drop(connection);
    let before = fs::read(&path).unwrap();
    check_damaged(directory.path(), "another program's database");
    assert!(fs::read(&path).unwrap() == before, "the other program's file was written to");
}

#[test]
fn a_file_that_is_no_database_is_refused_and_not_touched() {
    let garbage = b"#!/bin/sh\n".repeat(1000);
    let directory = with_file(&garbage);
    check_damaged(directory.path(), "estate.db");
    assert_eq!(fs::read(file(directory.path())).unwrap(), garbage);
}

#[test]
fn a_truncated_file_is_refused() {
    let Home { directory, estate } = Home::with(&[FIRST, SECOND]);
    drop(estate);
    let path = file(directory.path());
    let whole = fs::read(&path).unwrap();
    for length in [whole.len() / 2, whole.len() - 4096, 4096, 100] {
        fs::write(&path, &whole[..length]).unwrap();
        let refused = try_open(directory.path(), Access::Write).and_then(|mut estate| estate.graph(&Point::Now));
        assert!(matches!(refused, Err(Error::Damaged { .. })), "cut to {length}: {refused:?}");
    }
}

#[test]
fn an_empty_file_is_a_store_that_nobody_wrote_to_yet() {
    let directory = with_file(b"");
    assert!(matches!(try_open(directory.path(), Access::Read), Err(Error::NoEstate { .. })));
    assert_eq!(open(directory.path()).scans().len(), 0);
}

#[test]
fn a_flipped_byte_in_a_stored_document_is_noticed_when_it_is_read() {
    for position in [0, 60, 120] {
        let directory = tampered(|connection| {
            let mut data: Vec<u8> = connection.query_row("SELECT data FROM parts", [], |row| row.get(0)).unwrap();
            data[position] ^= 0x20;
            connection.execute("UPDATE parts SET data = ?1", [data]).unwrap();
        });
        check_damaged(directory.path(), "the document of scan `s1`");
        assert!(matches!(open(directory.path()).document("s1"), Err(Error::Damaged { .. })));
    }
}

#[test]
fn a_document_that_is_missing_is_noticed_when_it_is_read() {
    let directory = tampered(|connection| {
        connection.execute("DELETE FROM parts", []).unwrap();
    });
    check_damaged(directory.path(), "the document of scan `s1`");
}

#[test]
fn an_unreadable_record_is_noticed_when_the_estate_is_opened() {
    let directory = tampered(|connection| {
        connection.execute("UPDATE scans SET record = '{'", []).unwrap();
    });
    check_damaged(directory.path(), "the record of scan number 1 is unreadable");
}

#[test]
fn a_second_writer_is_told_who_writes_and_readers_go_on() {
    let mut home = Home::with(&[FIRST]);
    let path = home.directory.path().to_owned();
    let refused = try_open(&path, Access::Write).unwrap_err();
    assert!(matches!(refused, Error::InUse { .. }), "{refused:?}");
    assert!(refused.to_string().contains(&format!("process {}", std::process::id())), "{refused}");
    let mut reader = try_open(&path, Access::Read).unwrap();
    let before = Dump::of(&home.now());
    home.take(SECOND);
    assert_eq!(Dump::of(&reader.graph(&Point::Now).unwrap()), before);
    let mut later = try_open(&path, Access::Read).unwrap();
    assert_eq!(Dump::of(&later.graph(&Point::Now).unwrap()), Dump::of(&home.now()));
    drop(home.estate);
    open(&path);
}

#[test]
fn a_reader_can_not_write() {
    let home = Home::with(&[FIRST]);
    let mut reader = try_open(home.directory.path(), Access::Read).unwrap();
    assert!(matches!(reader.ingest(&document(SECOND), now()), Err(Error::ReadOnly)));
    assert!(matches!(reader.delete_scans(&["s1"]), Err(Error::ReadOnly)));
    assert!(matches!(reader.acknowledge(&[], "ann", "", now()), Err(Error::ReadOnly)));
    assert_eq!(reader.graph(&Point::Now).unwrap().node_count(), 2);
}

#[test]
fn there_is_nothing_to_read_where_nothing_was_written() {
    let directory = tempfile::tempdir().unwrap();
    assert!(matches!(try_open(directory.path(), Access::Read), Err(Error::NoEstate { .. })));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn tenants_are_separate() {
    let directory = tempfile::tempdir().unwrap();
    let tenant = |name: &str| Estate::open(directory.path(), name, Access::Write, Limits::default()).unwrap();
    tenant("red").ingest(&document(FIRST), now()).unwrap();
    tenant("blue").ingest(&document(&SECOND.replace("s2", "s1")), now()).unwrap();
    let nodes = |name: &str| tenant(name).graph(&Point::Now).unwrap().node_count();
    assert_eq!((nodes("red"), nodes("blue"), nodes("green")), (2, 1, 0));
    tenant("red").delete_scans(&["s1"]).unwrap();
    assert_eq!((nodes("red"), nodes("blue")), (0, 1));
}

#[test]
fn a_directory_that_can_not_be_made_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let in_the_way = directory.path().join("file");
    fs::write(&in_the_way, "").unwrap();
    for path in [in_the_way.clone(), in_the_way.join("below")] {
        let refused = try_open(&path, Access::Write).unwrap_err();
        assert!(matches!(refused, Error::DataDirectory { .. }), "{refused:?}");
        assert!(refused.to_string().contains("file"), "{refused}");
    }
}

#[test]
fn a_database_that_can_not_be_opened_is_named() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(file(directory.path())).unwrap();
    let refused = try_open(directory.path(), Access::Write).unwrap_err();
    assert!(matches!(refused, Error::Database { .. }), "{refused:?}");
}

/// What agents can reach is nobody else's business, also when the directory was there before.
#[cfg(unix)]
#[test]
fn only_the_owner_can_read_the_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let parent = tempfile::tempdir().unwrap();
    let made = parent.path().join("made");
    open(&made).ingest(&document(FIRST), now()).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&made), 0o700);
    let given = parent.path().join("given");
    fs::create_dir(&given).unwrap();
    fs::set_permissions(&given, fs::Permissions::from_mode(0o755)).unwrap();
    open(&given).ingest(&document(FIRST), now()).unwrap();
    assert_eq!(mode(&file(&given)), 0o600);
}
