//! Estates of earlier versions: they open, keep everything, and can be read without being changed.

use tracehound_model::{Fingerprint, Mark, NodeId, TriageState};

use super::*;
use crate::{Estate, Limits, MarkDecision, Moment, Point, TriageDecision};

const FIRST: &str = r#"{"meta": {"version": 1, "type": "agenthound-ingest", "collector": "mcp", "collector_version": "1",
  "timestamp": "2026-01-01T00:00:00Z", "scan_id": "s1"}, "graph": {"edges": [], "nodes": [
  {"id": "T", "kinds": ["MCPTool"], "properties": {"description_hash": "one"}}]}}"#;
const NOW: Moment = Moment(1_800_000_000_000_000);

fn estate(directory: &Path, access: Access) -> Estate {
    Estate::open(directory, "default", access, Limits::default()).unwrap()
}

/// An estate with two scans of a tool that changed.
fn with_a_change(directory: &Path) -> Estate {
    let mut estate = estate(directory, Access::Write);
    estate.ingest(FIRST.as_bytes(), NOW).unwrap();
    let second = FIRST.replace("s1", "s2").replace("one", "two").replace("00Z", "01Z");
    estate.ingest(second.as_bytes(), NOW).unwrap();
    estate
}

/// A file as the first version made it, with what is in the other; the change is acknowledged if asked for.
fn of_the_first_version(directory: &Path, acknowledged: bool) {
    let other = tempfile::tempdir().unwrap();
    let mut estate = with_a_change(other.path());
    if acknowledged {
        let graph = estate.graph(&Point::Now).unwrap();
        estate.acknowledge(graph.changes(), "ann", "looked at it", NOW).unwrap();
    }
    drop(estate);
    let connection = Connection::open(directory.join(FILE)).unwrap();
    connection.execute_batch(MIGRATIONS[0]).unwrap();
    connection.pragma_update(None, "user_version", 1).unwrap();
    connection.pragma_update(None, "application_id", APPLICATION).unwrap();
    connection.execute("ATTACH ?1 AS other", [other.path().join(FILE).to_str().unwrap()]).unwrap();
    let copy = "
        INSERT INTO streams SELECT * FROM other.streams;
        INSERT INTO parts SELECT * FROM other.parts;
        INSERT INTO scans SELECT * FROM other.scans;
        INSERT INTO triage SELECT id, tenant, subject, status, note, author, at FROM other.triage;";
    connection.execute_batch(copy).unwrap();
}

/// The schema version of a file, and its triage rows.
fn on_disk(directory: &Path) -> (i64, i64) {
    let connection = Connection::open(directory.join(FILE)).unwrap();
    let version = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    (version, connection.query_row("SELECT count(*) FROM triage", [], |row| row.get(0)).unwrap())
}

/// Everything is there: documents, graph, and what was acknowledged, which is no finding and no mark.
fn check_kept(mut estate: Estate, changes: usize) {
    assert_eq!(estate.scans().len(), 2);
    assert_eq!(estate.document("s1").unwrap(), FIRST.as_bytes());
    let graph = estate.graph(&Point::Now).unwrap();
    assert_eq!((graph.node_count(), graph.changes().len()), (1, changes));
    assert!(estate.triage_at(NOW).unwrap().is_empty() && estate.marks_at(NOW).unwrap().is_empty());
}

#[test]
fn an_older_estate_can_be_read_without_being_changed() {
    for (acknowledged, changes) in [(true, 0), (false, 1)] {
        let directory = tempfile::tempdir().unwrap();
        of_the_first_version(directory.path(), acknowledged);
        let before = on_disk(directory.path());
        assert_eq!(before, (1, i64::from(acknowledged)));
        check_kept(estate(directory.path(), Access::Read), changes);
        assert_eq!(on_disk(directory.path()), before);
    }
}

#[test]
fn a_writer_brings_an_older_estate_up_to_date_and_keeps_everything() {
    for access in [Access::Write, Access::Change] {
        let directory = tempfile::tempdir().unwrap();
        of_the_first_version(directory.path(), true);
        check_kept(estate(directory.path(), access), 0);
        assert_eq!(on_disk(directory.path()), (KNOWN, 1));
        check_kept(estate(directory.path(), Access::Read), 0);
    }
}

#[test]
fn an_older_estate_takes_decisions_once_it_is_up_to_date() {
    let directory = tempfile::tempdir().unwrap();
    of_the_first_version(directory.path(), true);
    let mut writer = estate(directory.path(), Access::Change);
    let (node, later) = (NodeId::from_wire("T"), Moment(NOW.0 + 1));
    let fingerprint = Fingerprint::new("some-rule", &node, &node);
    let (reason, author) = (String::new(), "ann".to_owned());
    let mark = MarkDecision { node, mark: Some(Mark::Owned), reason: reason.clone(), author: author.clone(), at: NOW };
    writer.mark(&[mark]).unwrap();
    let state = TriageState::AcceptedRisk;
    writer
        .triage(&[TriageDecision { fingerprint, state, reason, author, at: NOW, expires: Some(later), severity: None }])
        .unwrap();
    let reader = estate(directory.path(), Access::Read);
    let states = |at| reader.triage_at(at).unwrap().into_values().map(|triage| triage.state).collect::<Vec<_>>();
    assert_eq!((states(NOW), states(later)), (vec![state], vec![TriageState::New]));
    assert_eq!(reader.marks_at(NOW).unwrap().len(), 1);
}

/// A file as the second version made it, with a decision that ends.
#[test]
fn an_estate_of_the_second_version_can_be_read_and_brought_up_to_date() {
    let directory = tempfile::tempdir().unwrap();
    of_the_first_version(directory.path(), false);
    let connection = Connection::open(directory.path().join(FILE)).unwrap();
    connection.execute_batch(MIGRATIONS[1]).unwrap();
    connection.pragma_update(None, "user_version", 2).unwrap();
    let fingerprint = Fingerprint::new("some-rule", &NodeId::from_wire("T"), &NodeId::from_wire("T"));
    let (subject, later) = (format!("[\"finding\",\"{fingerprint}\"]"), NOW.0 + 1);
    let insert = "INSERT INTO triage (tenant, subject, status, note, author, at, expires)
                  VALUES ('default', ?1, 'accepted-risk', '', 'ann', ?2, ?3)";
    connection.execute(insert, (subject, NOW.0, later)).unwrap();
    drop(connection);
    for access in [Access::Read, Access::Change, Access::Read] {
        let history = estate(directory.path(), access).triage_history(&fingerprint).unwrap();
        let told: Vec<_> = history.iter().map(|record| (record.state, record.expires, record.severity)).collect();
        assert_eq!(told, [(TriageState::AcceptedRisk, Some(Moment(later)), None)]);
    }
    assert_eq!(on_disk(directory.path()), (KNOWN, 1));
}

/// A reader's file stays as it was when it opened it, also when a writer brings it up to date meanwhile.
#[test]
fn a_reader_of_an_older_estate_goes_on_while_a_writer_changes_the_schema() {
    let directory = tempfile::tempdir().unwrap();
    of_the_first_version(directory.path(), true);
    Connection::open(directory.path().join(FILE)).unwrap().pragma_update(None, "journal_mode", "WAL").unwrap();
    let reader = estate(directory.path(), Access::Read);
    drop(estate(directory.path(), Access::Change));
    check_kept(reader, 0);
    assert_eq!(on_disk(directory.path()), (KNOWN, 1));
}
