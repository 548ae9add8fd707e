//! Rules in words and as JSON.

use serde_json::{Map, Value, json};
use tracehound_model::Standard;
use tracehound_rules::library::Origin;
use tracehound_rules::rule::{Charset, MatchMode, Matcher, Operator, Rule, Signal, Window};

use crate::output::safe;

/// How wide prose is set.
const WIDTH: usize = 100;

/// Whose nodes the rule reads.
pub(super) fn collector(rule: &Rule) -> &'static str {
    rule.scope.collector.map_or("all", |collector| collector.name())
}

/// The targets as rule files write them.
pub(super) fn targets(rule: &Rule) -> Vec<String> {
    rule.scope.targets.iter().map(ToString::to_string).collect()
}

/// Words of a rule in one line.
pub(super) fn joined(words: &[String]) -> String {
    safe(&words.join(", "))
}

/// The word for programs.
pub(super) fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Builtin => "builtin",
        Origin::File => "file",
        Origin::Override => "override",
    }
}

/// Entries of public lists, with their names.
pub(super) fn standards(standards: &[Standard]) -> Vec<String> {
    standards.iter().map(|standard| format!("{} {}", standard.id, standard.name)).collect()
}

/// What a match sets on its node, in words.
pub(super) fn effects(rule: &Rule) -> Vec<String> {
    let value = rule.emit.property_value.as_ref();
    let property =
        rule.emit.property_key.as_ref().zip(value).map(|(key, value)| format!("{key} = {}", safe(&value.to_string())));
    let labels = (!rule.emit.labels.is_empty()).then(|| format!("labels {}", joined(&rule.emit.labels)));
    property.into_iter().chain(labels).collect()
}

/// Prose broken into lines, each escaped.
pub(super) fn wrapped(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(safe(&std::mem::take(&mut line)));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(safe(&line));
    }
    lines
}

/// A matcher as an indented tree of lines.
pub(super) fn tree(matcher: &Matcher) -> Vec<String> {
    let mut lines = Vec::new();
    add(&mut lines, 0, "", matcher);
    lines
}

fn add(lines: &mut Vec<String>, depth: usize, before: &str, matcher: &Matcher) {
    let own = match matcher {
        Matcher::Keyword { keywords, case_insensitive, whole_words, mode } => {
            let mode = if *mode == MatchMode::All { "all" } else { "any" };
            let words = if *whole_words { "whole words" } else { "words" };
            format!("{mode} of the {words} ({}): {}", read(*case_insensitive), terms(keywords))
        }
        Matcher::Prefix { prefixes, case_insensitive } => {
            format!("starts with ({}): {}", read(*case_insensitive), terms(prefixes))
        }
        Matcher::Regex { pattern, case_insensitive } => {
            format!("regex ({}): {}", read(*case_insensitive), safe(pattern))
        }
        Matcher::Entropy { charset, threshold, min_length } => {
            let charset = charset_name(*charset);
            format!("at least {min_length} characters of {charset} with more than {threshold} bits each")
        }
        Matcher::Compound { operator: Operator::And, .. } => "all of".to_owned(),
        Matcher::Compound { operator: Operator::Or, .. } => "any of".to_owned(),
        Matcher::Score { threshold, window, .. } => {
            let place = if *window == Window::Sentence { "a sentence and the next" } else { "the text" };
            format!("signals in {place} that add up to {threshold}")
        }
        Matcher::Model { model } => format!("the text model {} finds it suspicious", safe(model)),
    };
    lines.push(format!("{}{before}{own}", "  ".repeat(depth)));
    match matcher {
        Matcher::Compound { matchers, .. } => matchers.iter().for_each(|part| add(lines, depth + 1, "", part)),
        Matcher::Score { signals, .. } => {
            for Signal { name, weight, matcher } in signals {
                add(lines, depth + 1, &format!("{weight:+} {}: ", safe(name)), matcher);
            }
        }
        _ => {}
    }
}

fn read(case_insensitive: bool) -> &'static str {
    if case_insensitive { "folded" } else { "as written" }
}

fn terms(terms: &[String]) -> String {
    terms.iter().map(|term| format!("`{}`", safe(term))).collect::<Vec<_>>().join(", ")
}

fn charset_name(charset: Charset) -> &'static str {
    match charset {
        Charset::Base64 => "base64",
        Charset::Hex => "hex",
    }
}

/// A rule in the shape of its file, with the names of the standards.
pub(super) fn json(rule: &Rule) -> Map<String, Value> {
    let tests =
        rule.tests.iter().map(|test| json!({ "should_match": test.should_match, "description": test.description }));
    let fields = [
        ("id", json!(rule.id)),
        ("name", json!(rule.name)),
        ("description", json!(rule.description)),
        ("version", json!(rule.version)),
        ("enabled", json!(rule.enabled)),
        ("severity", json!(rule.severity.name())),
        ("owasp", json!(rule.owasp)),
        ("atlas", json!(rule.atlas)),
        ("tags", json!(rule.tags)),
        ("remediation", json!(rule.remediation)),
        ("scope", json!({ "collector": collector(rule), "targets": targets(rule) })),
        ("matcher", matcher_json(&rule.matcher)),
        ("emit", emit_json(rule)),
        ("tests", tests.collect()),
    ];
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// What a match does.
pub(super) fn emit_json(rule: &Rule) -> Value {
    let emit = &rule.emit;
    json!({
        "finding_type": emit.finding_type, "property_key": emit.property_key,
        "property_value": emit.property_value, "labels": emit.labels,
    })
}

fn matcher_json(matcher: &Matcher) -> Value {
    match matcher {
        Matcher::Keyword { keywords, case_insensitive, whole_words, mode } => json!({
            "type": "keyword", "keywords": keywords, "case_insensitive": case_insensitive,
            "whole_words": whole_words, "match_mode": if *mode == MatchMode::All { "all" } else { "any" },
        }),
        Matcher::Prefix { prefixes, case_insensitive } => {
            json!({ "type": "prefix", "prefixes": prefixes, "case_insensitive": case_insensitive })
        }
        Matcher::Regex { pattern, case_insensitive } => {
            json!({ "type": "regex", "pattern": pattern, "case_insensitive": case_insensitive })
        }
        Matcher::Entropy { charset, threshold, min_length } => json!({
            "type": "entropy", "charset": charset_name(*charset), "threshold": threshold, "min_length": min_length,
        }),
        Matcher::Compound { operator, matchers } => json!({
            "type": "compound", "operator": if *operator == Operator::And { "and" } else { "or" },
            "matchers": matchers.iter().map(matcher_json).collect::<Vec<_>>(),
        }),
        Matcher::Score { threshold, window, signals } => {
            let signal = |signal: &Signal| json!({ "name": signal.name, "weight": signal.weight, "matcher": matcher_json(&signal.matcher) });
            json!({
                "type": "score", "threshold": threshold,
                "window": if *window == Window::Sentence { "sentence" } else { "text" },
                "signals": signals.iter().map(signal).collect::<Vec<_>>(),
            })
        }
        Matcher::Model { model } => json!({ "type": "model", "model": model }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_broken_at_spaces_and_kept_by_lines() {
        let text = format!("{} end\nsecond\u{1b}", "word ".repeat(20));
        let lines = wrapped(&text);
        assert_eq!(lines.len(), 3);
        assert_eq!((lines[1].as_str(), lines[2].as_str()), ("end", "second\\u{1b}"));
        assert!(wrapped("").is_empty());
    }
}
