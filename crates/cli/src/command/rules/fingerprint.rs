//! Fingerprints in words and as JSON.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use tracehound_rules::fingerprint::{Capture, Fingerprint, Matcher, Probe, Template, Wanted, service_tag};

use crate::output::safe;

/// A line of the list.
pub(super) fn row(rule: &Fingerprint, source: &str) -> [String; 5] {
    let probes = requests(rule).join(", ");
    [rule.id.clone(), rule.kind.name().to_owned(), ports(rule), safe(&probes), safe(source)]
}

/// What is asked, in order.
pub(super) fn requests(rule: &Fingerprint) -> Vec<String> {
    rule.probes.iter().map(|probe| probe.request.to_string()).collect()
}

/// The kind of service by both of its names.
pub(super) fn service(rule: &Fingerprint) -> String {
    let tag = service_tag(rule.kind).map(|tag| format!(" ({tag})")).unwrap_or_default();
    format!("{}{tag}", rule.kind.name())
}

/// The ports in one line.
pub(super) fn ports(rule: &Fingerprint) -> String {
    rule.ports.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What the node of a recognised service is given, in words.
pub(super) fn effects(rule: &Fingerprint) -> Vec<String> {
    let used: BTreeSet<&str> = rule.properties.values().flat_map(Template::captures).collect();
    let captures: BTreeSet<&str> =
        rule.probes.iter().flat_map(|probe| &probe.captures).map(|(name, _)| name.as_str()).collect();
    let given = rule.properties.iter().map(|(key, template)| format!("{key} = {}", safe(&template.to_string())));
    let unused = captures.iter().filter(|name| !used.contains(*name) && !rule.properties.contains_key(**name));
    given.chain(unused.map(|name| format!("{name}, as captured"))).collect()
}

/// The probes as indented lines.
pub(super) fn tree(rule: &Fingerprint) -> Vec<String> {
    let mut lines = Vec::new();
    for probe in &rule.probes {
        lines.push(safe(&probe.request.to_string()));
        let headers = probe.request.headers.iter().map(|(name, value)| format!("sent with {name}: {value}"));
        let matchers = probe.matchers.iter().map(ToString::to_string);
        let captures = probe.captures.iter().map(|(name, capture)| format!("captures {name}: {capture}"));
        lines.extend(headers.chain(matchers).chain(captures).map(|line| format!("  {}", safe(&line))));
    }
    lines
}

/// A fingerprint in the shape of its file.
pub(super) fn json(rule: &Fingerprint) -> Map<String, Value> {
    let properties: Map<String, Value> =
        rule.properties.iter().map(|(key, template)| (key.clone(), template_json(template))).collect();
    let kinds: Vec<&str> = std::iter::once(rule.kind).chain(rule.kind.umbrella()).map(|kind| kind.name()).collect();
    let tests =
        rule.tests.iter().map(|test| json!({ "should_match": test.should_match, "description": test.description }));
    let fields = [
        ("id", json!(rule.id)),
        ("name", json!(rule.name)),
        ("description", json!(rule.description)),
        ("version", json!(rule.version)),
        ("enabled", json!(rule.enabled)),
        ("service_kind", json!(rule.kind.name())),
        ("ports", json!(rule.ports)),
        ("probes", rule.probes.iter().map(probe_json).collect()),
        ("emit", json!({ "node_kinds": kinds, "properties": properties })),
        ("tests", tests.collect()),
    ];
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn template_json(template: &Template) -> Value {
    match template {
        Template::Fixed(value) => value.clone(),
        Template::Text(_) => json!(template.to_string()),
    }
}

fn probe_json(probe: &Probe) -> Value {
    let headers: Map<String, Value> =
        probe.request.headers.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let captures: Map<String, Value> =
        probe.captures.iter().map(|(name, capture)| (name.clone(), capture_json(capture))).collect();
    json!({
        "method": probe.request.method.name(), "path": probe.request.path, "headers": headers,
        "matchers": probe.matchers.iter().map(matcher_json).collect::<Vec<_>>(), "captures": captures,
    })
}

fn matcher_json(matcher: &Matcher) -> Value {
    match matcher {
        Matcher::Status(range) if range.first == range.last => {
            json!({ "type": "http_status", "status_code": range.first })
        }
        Matcher::Status(range) => {
            json!({ "type": "http_status", "status_range": format!("{}-{}", range.first, range.last) })
        }
        Matcher::HeaderContains { name, value, case_insensitive } => {
            json!({ "type": "http_header", "name": name, "value": value, "case_insensitive": case_insensitive })
        }
        Matcher::HeaderMatches { name, pattern } => json!({
            "type": "http_header", "name": name, "pattern": pattern.pattern(),
            "case_insensitive": pattern.is_case_insensitive(),
        }),
        Matcher::BodyEquals(value) => json!({ "type": "body_equals", "value": value }),
        Matcher::BodyContains { value, case_insensitive } => {
            json!({ "type": "body_contains", "value": value, "case_insensitive": case_insensitive })
        }
        Matcher::BodyMatches(pattern) => json!({
            "type": "body_regex", "pattern": pattern.pattern(), "case_insensitive": pattern.is_case_insensitive(),
        }),
        Matcher::Json { path, wanted } => {
            let (key, value) = match wanted {
                Wanted::There => ("exists", json!(true)),
                Wanted::Absent => ("exists", json!(false)),
                Wanted::Equal(text) => ("equals", json!(text)),
                Wanted::Matching(pattern) => ("regex", json!(pattern.pattern())),
            };
            json!({ "type": "json_path", "path": path.to_string(), key: value })
        }
    }
}

fn capture_json(capture: &Capture) -> Value {
    match capture {
        Capture::Value(path) => json!(path.to_string()),
        Capture::Keys { path, pattern } => json!({ "path": path.to_string(), "keys": pattern.pattern() }),
        Capture::Header { name, pattern } => json!({ "header": name, "pattern": pattern.pattern() }),
        Capture::Body(pattern) => json!({ "body": pattern.pattern() }),
    }
}
