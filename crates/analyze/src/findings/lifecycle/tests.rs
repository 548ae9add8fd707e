use proptest::prelude::*;
use serde_json::{Value, json};
use tracehound_graph::{Access, Estate, Limits, Moment, Point};
use tracehound_model::EdgeKind;

use super::*;
use crate::{Analysis, Picture};

fn set(numbers: &[u8]) -> BTreeSet<Fingerprint> {
    numbers.iter().map(|number| Fingerprint::of_ids("some-rule", &number.to_string(), "")).collect()
}

#[test]
fn each_finding_is_new_reopened_persisting_or_fixed() {
    let lifecycle = Lifecycle::between(&set(&[1, 2, 3]), &set(&[3, 4]), &mut |asked| {
        assert_eq!(*asked, set(&[1, 2]), "only what came up");
        set(&[2, 9])
    });
    for (fate, expected) in [(Fate::New, 1), (Fate::Reopened, 2), (Fate::Persisting, 3), (Fate::Fixed, 4)] {
        assert_eq!(lifecycle.with(fate).collect::<BTreeSet<_>>(), set(&[expected]), "{fate:?}");
        assert_eq!(Fate::from_name(fate.name()), Some(fate));
        assert_eq!(serde_json::to_value(fate).unwrap(), fate.name());
    }
    assert!(set(&[9]).iter().all(|other| lifecycle.of(other).is_none()));
    assert_eq!(lifecycle.counts().values().sum::<usize>(), 4);
}

#[test]
fn the_past_is_not_asked_when_nothing_came_up() {
    let lifecycle = Lifecycle::between(&set(&[1]), &set(&[1, 2]), &mut |_| panic!("asked"));
    assert_eq!(lifecycle.counts(), BTreeMap::from([(Fate::Persisting, 1), (Fate::Fixed, 1)]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// Over any history, the fate of a finding is what its own history says.
    #[test]
    fn fates_are_what_the_history_says(history in prop::collection::vec(prop::collection::btree_set(0..6_u8, 0..6), 2..6)) {
        let points: Vec<BTreeSet<Fingerprint>> =
            history.iter().map(|point| set(&point.iter().copied().collect::<Vec<_>>())).collect();
        let (now, then) = (&points[points.len() - 1], &points[points.len() - 2]);
        let past = &points[..points.len() - 2];
        let lifecycle = Lifecycle::between(now, then, &mut |asked| {
            past.iter().flat_map(|point| point.intersection(asked)).copied().collect()
        });
        for fingerprint in set(&[0, 1, 2, 3, 4, 5]) {
            let was_ever = past.iter().any(|point| point.contains(&fingerprint));
            let expected = match (now.contains(&fingerprint), then.contains(&fingerprint)) {
                (true, true) => Some(Fate::Persisting),
                (true, false) if was_ever => Some(Fate::Reopened),
                (true, false) => Some(Fate::New),
                (false, true) => Some(Fate::Fixed),
                (false, false) => None,
            };
            prop_assert_eq!(lifecycle.of(&fingerprint), expected);
        }
    }
}

/// A scan of one configuration that names these servers, of which each has a tool that runs commands.
fn scan(day: u32, servers: &[&str]) -> Vec<u8> {
    let mut nodes: Vec<Value> = vec![
        json!({ "id": "h", "kinds": ["Host"], "properties": { "hostname": "box" } }),
        json!({ "id": "a", "kinds": ["AgentInstance"], "properties": { "name": "alpha" } }),
    ];
    let mut edges: Vec<Value> = Vec::new();
    let mut edge = |source: &str, kind: EdgeKind, target: &str| {
        edges.push(json!({ "source": source, "target": target, "kind": kind.name(), "properties": {} }));
    };
    for server in servers {
        let tool = format!("{server}-shell");
        nodes.push(
            json!({ "id": server, "kinds": ["MCPServer"], "properties": { "name": server, "transport": "stdio" } }),
        );
        nodes.push(
            json!({ "id": tool, "kinds": ["MCPTool"], "properties": { "capability_surface": ["shell_access"] } }),
        );
        edge("a", EdgeKind::TrustsServer, server);
        edge(server, EdgeKind::ProvidesTool, &tool);
        edge(server, EdgeKind::RunsOn, "h");
    }
    json!({
        "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": format!("s{day}"),
                  "timestamp": format!("2026-01-0{day}T00:00:00Z") },
        "graph": { "nodes": nodes, "edges": edges },
    })
    .to_string()
    .into_bytes()
}

/// Estates of several scans: what a scan does not see any more is fixed, and what comes back is reopened.
#[test]
fn findings_come_and_go_with_the_scans_of_an_estate() {
    let folder = tempfile::tempdir().unwrap();
    let mut estate = Estate::open(folder.path(), "default", Access::Write, Limits::default()).unwrap();
    for (day, servers) in [(1, &["one", "two"][..]), (2, &["two"]), (3, &["two", "three"]), (4, &["one", "three"])] {
        estate.ingest(&scan(day, servers), Moment(i64::MAX)).unwrap();
    }
    let graphs: Vec<_> = (1..=4).map(|day| estate.graph(&Point::Scan(format!("s{day}"))).unwrap()).collect();
    let analyses: Vec<Analysis> = graphs.iter().map(|graph| Analysis::of(graph)).collect();
    let lists: Vec<List<'_>> =
        graphs.iter().zip(&analyses).map(|(graph, analysis)| List::new(Picture::new(graph, analysis), &[])).collect();
    let lifecycle = compare(&lists[3], &lists[2], &mut |asked| seen_in(asked, lists[..2].iter().rev()));
    let fate =
        |server: &str| lifecycle.of(&Fingerprint::of_ids(EdgeKind::CanExecute.name(), &format!("{server}-shell"), "h"));
    assert_eq!(fate("one"), Some(Fate::Reopened));
    assert_eq!(fate("two"), Some(Fate::Fixed));
    assert_eq!(fate("three"), Some(Fate::Persisting));
    let first = compare(&lists[2], &lists[1], &mut |asked| seen_in(asked, &lists[..1]));
    let came = Fingerprint::of_ids(EdgeKind::CanExecute.name(), "three-shell", "h");
    assert_eq!(first.of(&came), Some(Fate::New));
    let gone = lists[2].get(&Fingerprint::of_ids(EdgeKind::CanExecute.name(), "two-shell", "h")).unwrap();
    assert!(lists[2].render(gone).is_some(), "what is fixed can still be told by the list in which it stands");
}

/// One agent and one server whose tools read this resource.
fn reading(day: u32, tools: &[&str], sensitivity: &str) -> Vec<u8> {
    let mut nodes: Vec<Value> = vec![
        json!({ "id": "a", "kinds": ["AgentInstance"], "properties": {} }),
        json!({ "id": "s", "kinds": ["MCPServer"], "properties": {} }),
        json!({ "id": "r", "kinds": ["MCPResource"],
                "properties": { "uri": "file:///srv/x", "sensitivity": sensitivity } }),
    ];
    let edge = |source: &str, kind: EdgeKind, target: &str| json!({ "source": source, "target": target, "kind": kind.name(), "properties": {} });
    let mut edges = vec![edge("a", EdgeKind::TrustsServer, "s"), edge("s", EdgeKind::ProvidesResource, "r")];
    for tool in tools {
        nodes.push(json!({ "id": tool, "kinds": ["MCPTool"], "properties": { "capability_surface": ["file_read"] } }));
        edges.push(edge("s", EdgeKind::ProvidesTool, tool));
    }
    json!({
        "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": format!("s{day}"),
                  "timestamp": format!("2026-01-0{day}T00:00:00Z") },
        "graph": { "nodes": nodes, "edges": edges },
    })
    .to_string()
    .into_bytes()
}

#[test]
fn what_stays_and_differs_says_how() {
    let folder = tempfile::tempdir().unwrap();
    let mut estate = Estate::open(folder.path(), "default", Access::Write, Limits::default()).unwrap();
    let days = [(1, &["t", "u"][..], "low"), (2, &["t", "u"], "critical"), (3, &["u"], "critical"), (4, &["t"], "low")];
    for (day, tools, sensitivity) in days {
        estate.ingest(&reading(day, tools, sensitivity), Moment(i64::MAX)).unwrap();
    }
    let graphs: Vec<_> = (1..=4).map(|day| estate.graph(&Point::Scan(format!("s{day}"))).unwrap()).collect();
    let analyses: Vec<Analysis> = graphs.iter().map(|graph| Analysis::of(graph)).collect();
    let lists: Vec<List<'_>> =
        graphs.iter().zip(&analyses).map(|(graph, analysis)| List::new(Picture::new(graph, analysis), &[])).collect();
    let reach = Fingerprint::of_ids(EdgeKind::CanReach.name(), "a", "r");
    let severity = |day: usize| lists[day].get(&reach).unwrap().severity.name();
    let altered = |now: usize, then: usize| {
        let lifecycle = compare(&lists[now], &lists[then], &mut |_| BTreeSet::new());
        assert_eq!(lifecycle.of(&reach), Some(Fate::Persisting));
        lifecycle.altered(&reach).map(|altered| altered.to_string())
    };
    assert!(lists[1].get(&reach).unwrap().severity > lists[0].get(&reach).unwrap().severity);
    assert_eq!(altered(0, 0), None);
    assert_eq!(altered(1, 0), Some(format!("was {}", severity(0))));
    assert_eq!(altered(2, 1), Some("another path".to_owned()));
    assert_eq!(altered(3, 2), Some(format!("was {}, another path", severity(2))));
}

/// One agent and one server with these files, of which a hundred are written down.
fn crowded(day: u32, files: std::ops::Range<u32>) -> Vec<u8> {
    let edge = |source: &str, kind: EdgeKind, target: &str| json!({ "source": source, "target": target, "kind": kind.name(), "properties": {} });
    let mut nodes = vec![
        json!({ "id": "a", "kinds": ["AgentInstance"], "properties": {} }),
        json!({ "id": "s", "kinds": ["MCPServer"], "properties": {} }),
        json!({ "id": "t", "kinds": ["MCPTool"], "properties": { "capability_surface": ["file_read"] } }),
    ];
    let mut edges = vec![edge("a", EdgeKind::TrustsServer, "s"), edge("s", EdgeKind::ProvidesTool, "t")];
    for file in files {
        let id = format!("r{file:03}");
        nodes.push(json!({ "id": id, "kinds": ["MCPResource"], "properties": { "uri": format!("file:///{file}") } }));
        edges.push(edge("s", EdgeKind::ProvidesResource, &id));
    }
    json!({
        "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": format!("s{day}"),
                  "timestamp": format!("2026-01-0{day}T00:00:00Z") },
        "graph": { "nodes": nodes, "edges": edges },
    })
    .to_string()
    .into_bytes()
}

/// What becomes of the reach of these files when those of one day are followed by those of another.
fn fates(before: std::ops::Range<u32>, after: std::ops::Range<u32>, files: &[u32]) -> Vec<Option<Fate>> {
    let folder = tempfile::tempdir().unwrap();
    let mut estate = Estate::open(folder.path(), "default", Access::Write, Limits::default()).unwrap();
    estate.ingest(&crowded(1, before), Moment(i64::MAX)).unwrap();
    estate.ingest(&crowded(2, after), Moment(i64::MAX)).unwrap();
    let graphs = ["s1", "s2"].map(|scan| estate.graph(&Point::Scan(scan.to_owned())).unwrap());
    let analyses = graphs.each_ref().map(|graph| Analysis::of(graph));
    let list = |at: usize| List::new(Picture::new(&graphs[at], &analyses[at]), &[]);
    let lifecycle = compare(&list(1), &list(0), &mut |_| BTreeSet::new());
    let of = |file: &u32| lifecycle.of(&Fingerprint::of_ids(EdgeKind::CanReach.name(), "a", &format!("r{file:03}")));
    files.iter().map(of).collect()
}

#[test]
fn what_a_fix_elsewhere_lets_in_is_not_new_and_the_fix_is_told() {
    let expected = [Some(Fate::Fixed), Some(Fate::Persisting), Some(Fate::Persisting), None];
    assert_eq!(fates(0..150, 1..150, &[0, 1, 100, 101]), expected);
}

#[test]
fn what_something_easier_pushes_out_persists() {
    assert_eq!(fates(1..150, 0..150, &[0, 100]), [Some(Fate::New), Some(Fate::Persisting)]);
}
