//! Lists: order, pages, counts and lookup.

use super::*;

/// The list and the findings in words tell the same, in the same order.
#[test]
fn what_is_listed_is_what_is_rendered() {
    let graph = example();
    let analysis = analysis_with(&graph, &example_edges(&graph));
    let picture = Picture::new(&graph, &analysis);
    let list = List::new(picture, &[]);
    let rendered = all(&picture, &[]);
    assert_eq!(list.len(), rendered.len());
    assert!(!list.is_empty());
    for (found, finding) in list.iter().zip(&rendered) {
        assert_eq!((found.kind, found.severity), (finding.kind.as_str(), finding.severity));
        assert_eq!(found.fingerprint, Fingerprint::new(&finding.kind, &finding.source.id, &finding.target.id));
        assert_eq!(list.get(&found.fingerprint), Some(found));
    }
    assert!(list.iter().map(|found| found.severity).is_sorted_by(|a, b| a >= b));
    assert_eq!(list.page(1, 2), [*list.iter().nth(1).unwrap(), *list.iter().nth(2).unwrap()]);
    assert_eq!(list.page(list.len() - 1, 10).len(), 1);
    assert!(list.page(list.len() + 1, 10).is_empty());
}

#[test]
fn digits_name_a_finding_or_say_why_not() {
    let graph = example();
    let analysis = Analysis::of(&graph);
    let list = List::new(Picture::new(&graph, &analysis), &[]);
    assert_eq!(list.find("4412decc").unwrap().kind, EdgeKind::CanReach.name());
    assert_eq!(list.find(" 4412DECC5485DF86").unwrap().kind, EdgeKind::CanReach.name());
    assert_eq!(list.find("4412deccffff"), Err(Unfound::Unknown));
    for malformed in ["", "441", "4412decg", "4412decc5485df860", "ü412"] {
        assert_eq!(list.find(malformed), Err(Unfound::Malformed), "{malformed}");
    }
    assert!(list.get(&Fingerprint::parse("0000000000000000").unwrap()).is_none());
}

/// Enough tools that some fingerprints begin alike.
#[test]
fn digits_that_fit_several_findings_name_them() {
    let nodes: Vec<Value> = (0..600)
        .map(|number| node(&format!("t{number}"), "MCPTool", json!({ "capability_surface": ["shell_access"] })))
        .chain([node("s", "MCPServer", json!({ "name": "s" })), node("h", "Host", json!({ "hostname": "h" }))])
        .collect();
    let edges: Vec<Value> = (0..600)
        .map(|number| edge("s", EdgeKind::ProvidesTool, &format!("t{number}")))
        .chain([edge("s", EdgeKind::RunsOn, "h")])
        .collect();
    let graph = graph(&nodes, &edges);
    let analysis = Analysis::of(&graph);
    let list = List::new(Picture::new(&graph, &analysis), &[]);
    let mut digits: Vec<String> = list.iter().map(|it| it.fingerprint.as_str()[..4].to_owned()).collect();
    digits.sort();
    let twice = digits.windows(2).find(|pair| pair[0] == pair[1]).unwrap()[0].clone();
    let count = digits.iter().filter(|it| **it == twice).count();
    let Err(Unfound::Ambiguous(named, all)) = list.find(&twice) else { panic!("{twice} is not ambiguous") };
    assert_eq!((named.len(), all), (count, count));
    assert!(named.iter().all(|it| it.as_str().starts_with(&twice)));
    let message = list.find(&twice).unwrap_err().to_string();
    assert!(message.contains(named[0].as_str()), "{message}");
}

/// What is true but not written down is counted, and rated where the kind alone says how bad it is.
#[test]
fn counts_are_exact_beyond_what_is_written_down() {
    let graph = example();
    let mut analysis = Analysis::of(&graph);
    for (kind, detail) in [
        (EdgeKind::Shadows, Detail::Shadow { is_injected: false }),
        (
            EdgeKind::CanReach,
            Detail::Reach(crate::derived::Reach::Direct { server: at(&graph, "s2"), tool: at(&graph, "t2") }),
        ),
    ] {
        let mut harvest = Harvest::default();
        let (source, target) = if kind == EdgeKind::Shadows { ("t1", "t2") } else { ("a1", "r1") };
        let edge = NewComposite { confidence: 0.6, weight: 0.4, collector: "mcp", detail };
        harvest.add((at(&graph, source), at(&graph, target)), edge, &[]);
        harvest.beyond(at(&graph, source), 41);
        analysis.derived.insert(kind, Relation::new(vec![harvest]));
    }
    let list = List::new(Picture::new(&graph, &analysis), &[]);
    let tally = list.tally();
    assert_eq!(tally.by_kind[EdgeKind::Shadows.name()], 42);
    assert_eq!(tally.by_kind[EdgeKind::CanReach.name()], 42);
    assert_eq!((tally.written, tally.unrated), (list.len() as u64, 41));
    assert_eq!(tally.total, tally.written + 82);
    assert_eq!(tally.by_severity.values().sum::<u64>() + tally.unrated, tally.total);
    assert_eq!(tally.by_kind.values().sum::<u64>(), tally.total);
    // Less sure than 0.8, a critical resource is a high finding, and not a medium one.
    assert_eq!(list.find("4412decc").unwrap().severity, Severity::High);
    let json = serde_json::to_value(tally).unwrap();
    assert_eq!(json["by_severity"]["high"], tally.by_severity[&Severity::High]);
}

/// A rule that matched the text of a poisoned tool is told with the edge, and nowhere else.
#[test]
fn a_poisoned_text_is_told_once() {
    let rules = tracehound_rules::builtin_rules().unwrap();
    let of = |finding_type: &str, severity: &str| {
        let is_it = |rule: &&tracehound_rules::rule::Rule| {
            rule.emit.finding_type == finding_type && rule.severity.name() == severity && !rule.owasp.is_empty()
        };
        rules.iter().find(is_it).unwrap()
    };
    let (injection, other) = (of("has_injection_patterns", "critical"), of("overt_malicious_capability", "high"));
    let matches = json!([
        { "rule": injection.id, "version": 1, "field": "description", "span": [0, 3], "excerpt": "ignore all" },
        { "rule": other.id, "version": 1, "field": "description", "span": [0, 3], "excerpt": "keylogger" },
    ]);
    let tool = |id: &str| node(id, "MCPTool", json!({ "name": id, "rule_matches": matches.to_string() }));
    let nodes = [tool("t1"), tool("t2"), node("s", "MCPServer", json!({ "name": "srv", "transport": "stdio" }))];
    let graph = graph(&nodes, &[edge("s", EdgeKind::ProvidesTool, "t1"), edge("s", EdgeKind::ProvidesTool, "t2")]);
    let poison = Added {
        kind: EdgeKind::PoisonedDescription,
        ends: ("t1", "t1"),
        confidence: 1.0,
        detail: Detail::Poison,
        path: vec![],
    };
    let analysis = analysis_with(&graph, &[poison]);
    let found = all(&Picture::new(&graph, &analysis), rules);
    let told: Vec<(&str, &str)> = found.iter().map(|it| (it.kind.as_str(), it.source.id.as_str())).collect();
    let mut expected = vec![
        (EdgeKind::PoisonedDescription.name(), "t1"),
        (injection.id.as_str(), "t2"),
        (other.id.as_str(), "t1"),
        (other.id.as_str(), "t2"),
    ];
    let mut told = told;
    told.sort_unstable();
    expected.sort_unstable();
    assert_eq!(told, expected);
    let poisoned = found.iter().find(|it| it.kind == EdgeKind::PoisonedDescription.name()).unwrap();
    assert_eq!(poisoned.severity, Severity::Critical, "the rule knows worse");
    assert!(poisoned.evidence.contains("ignore all") && poisoned.evidence.contains(&injection.id));
    assert!(injection.owasp.iter().all(|standard| poisoned.standards.iter().any(|it| it.id == standard.id)));
}
