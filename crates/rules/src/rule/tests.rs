//! Reading rules: what a good file becomes, and every refusal.

use std::fmt::Write;

use proptest::prelude::*;
use serde_json::json;
use tracehound_model::Collector;

use super::*;
use crate::limits;

const GOOD: &str = "\
id: sample-rule
name: A sample
description: Shows every field.
version: 3
enabled: false
severity: high
owasp: [MCP03, ASI01]
atlas: [AML.T0051.001]
tags: [sample]
remediation: Remove it.
scope:
  collector: mcp
  targets: [tool.description, name]
matcher:
  type: keyword
  keywords: [one thing, another]
  case_insensitive: true
  match_mode: all
emit:
  finding_type: sample_found
  property_key: is_sample
  property_value: true
  labels: [Sample]
tests:
  - input: one thing and another
    should_match: true
    description: both
  - { input: \"\", should_match: false }
";

/// The good rule with a part of its text replaced.
fn changed(from: &str, to: &str) -> String {
    assert_eq!(GOOD.matches(from).count(), 1, "{from}");
    GOOD.replace(from, to)
}

/// The good rule with another matcher, written in flow style.
fn matching(matcher: &str) -> String {
    let start = GOOD.find("matcher:").expect("a matcher");
    let end = GOOD.find("emit:").expect("an emit");
    format!("{}matcher: {matcher}\n{}", &GOOD[..start], &GOOD[end..])
}

fn check(text: &str, expected: &[&str]) {
    let found = match read_rule(text) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(Problem::to_string).collect(),
    };
    assert_eq!(found, expected, "{}", text.chars().take(2000).collect::<String>());
}

fn read(text: &str) -> Rule {
    read_rule(text).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

#[test]
fn every_field_is_read() {
    let rule = read(GOOD);
    assert_eq!((rule.id.as_str(), rule.name.as_str(), rule.version), ("sample-rule", "A sample", 3));
    assert_eq!((rule.enabled, rule.severity), (false, RuleSeverity::High));
    let ids: Vec<&str> = rule.owasp.iter().chain(&rule.atlas).map(|standard| standard.id.as_str()).collect();
    assert_eq!(ids, ["MCP03:2025", "ASI01", "AML.T0051.001"]);
    assert_eq!((rule.tags, rule.remediation.as_deref()), (vec!["sample".to_owned()], Some("Remove it.")));
    assert_eq!(rule.scope.collector, Some(Collector::Mcp));
    assert_eq!(rule.scope.targets.iter().map(Target::to_string).collect::<Vec<_>>(), ["tool.description", "name"]);
    let keywords = vec!["one thing".to_owned(), "another".to_owned()];
    let expected = Matcher::Keyword { keywords, case_insensitive: true, whole_words: false, mode: MatchMode::All };
    assert_eq!(rule.matcher, expected);
    assert_eq!(rule.emit.property_value, Some(json!(true)));
    assert_eq!(rule.tests.len(), 2);
}

#[test]
fn what_is_left_out_has_a_default() {
    let rule = read(
        "id: abc\nname: n\nseverity: info\nscope: {collector: all, targets: [description]}\n\
         matcher: {type: prefix, prefixes: [x]}\nemit: {finding_type: f}\n",
    );
    assert_eq!((rule.version, rule.enabled, rule.scope.collector), (1, true, None));
    assert!(rule.description.is_empty() && rule.owasp.is_empty() && rule.tests.is_empty());
}

#[test]
fn every_matcher_is_read() {
    for (text, expected) in [
        ("{type: regex, pattern: 'a+'}", Matcher::Regex { pattern: "a+".into(), case_insensitive: false }),
        (
            "{type: entropy, charset: hex, threshold: 3, min_length: 32}",
            Matcher::Entropy { charset: Charset::Hex, threshold: 3.0, min_length: 32 },
        ),
        (
            "{type: compound, matchers: [{type: model, model: m}]}",
            Matcher::Compound { operator: Operator::Or, matchers: vec![Matcher::Model { model: "m".into() }] },
        ),
        (
            "{type: score, threshold: 0.5, window: sentence, signals: [{weight: 1, matcher: {type: prefix, prefixes: [p]}}]}",
            Matcher::Score {
                threshold: 0.5,
                window: Window::Sentence,
                signals: vec![Signal {
                    name: "p".into(),
                    weight: 1.0,
                    matcher: Matcher::Prefix { prefixes: vec!["p".into()], case_insensitive: false },
                }],
            },
        ),
    ] {
        assert_eq!(read(&matching(text)).matcher, expected);
    }
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_change_nothing() {
    let windows = format!("\u{feff}{}", GOOD.replace('\n', "\r\n"));
    assert_eq!(read(&windows), read(GOOD));
    let broken = format!("\u{feff}{}", changed("severity: high", "severity: hihg").replace('\n', "\r\n"));
    check(&broken, &["6:11: `severity` cannot be `hihg` (did you mean `high`?)"]);
}

#[test]
fn fields_are_refused_one_by_one() {
    for (from, to, expected) in [
        (
            "id: sample-rule",
            "id: Sample",
            "1:5: `Sample` is not an id (3 to 64 letters a-z, digits and dashes, without a dash at either end)",
        ),
        (
            "id: sample-rule",
            "id: ab",
            "1:5: `ab` is not an id (3 to 64 letters a-z, digits and dashes, without a dash at either end)",
        ),
        (
            "id: sample-rule",
            "id: -abc",
            "1:5: `-abc` is not an id (3 to 64 letters a-z, digits and dashes, without a dash at either end)",
        ),
        ("id: sample-rule\n", "", "1:1: a rule needs the field `id`"),
        ("name: A sample", "name: ' '", "2:7: `name` is blank"),
        ("name: A sample", "name:", "2:5: `name` must be text, not nothing"),
        ("name: A sample", "name: 12", "2:7: `name` must be text, not a number (put it in quotes)"),
        ("name: A sample", "name: \"a\\nb\"", "2:7: `name` must be one line without control characters"),
        ("version: 3", "version: \"1\"", "4:10: `version` must be a whole number, not text (leave the quotes out)"),
        ("version: 3", "version: 0", "4:10: `version` must be from 1 to 4294967295, not 0"),
        ("version: 3", "version: 1.5", "4:10: `version` must be a whole number, not a number"),
        ("enabled: false", "enabled: yes", "5:10: `enabled` must be true or false, not text"),
        (
            "severity: high",
            "severity: urgent",
            "6:11: `severity` cannot be `urgent` (it is one of critical, high, medium, low, info)",
        ),
        ("owasp: [MCP03, ASI01]", "owasp: MCP03", "7:8: `owasp` must be a list, not text (write [MCP03])"),
        ("ASI01", "ASI11", "7:16: `ASI11` is not an OWASP entry (did you mean `ASI01`?)"),
        (
            "ASI01",
            "LLM01",
            "7:16: `LLM01` is not an OWASP entry (they are MCP01 to MCP10, ASI01 to ASI10 and AST01 to AST10)",
        ),
        ("ASI01", "MCP03:2025", "7:16: `MCP03:2025` stands twice in `owasp`"),
        ("AML.T0051.001", "AML.T9999", "8:9: `AML.T9999` is not an ATLAS technique that this version knows"),
        (
            "AML.T0051.001",
            "T0051",
            "8:9: `T0051` is not the id of an ATLAS technique (such as AML.T0051 or AML.T0051.001)",
        ),
        ("tags: [sample]", "tags: [sample, 7, '']", ""),
        (
            "remediation: Remove",
            "remediaton: Remove",
            "10:1: a rule has no field `remediaton` (did you mean `remediation`?)",
        ),
        (
            "collector: mcp",
            "collector: scan",
            "12:14: `collector` cannot be `scan` (it is one of mcp, a2a, config, network, all)",
        ),
        ("  collector: mcp\n", "", "12:3: `scope` needs the field `collector`"),
        ("[tool.description, name]", "[]", "13:12: `targets` is empty"),
        (
            "[tool.description, name]",
            "[tool.desc]",
            "13:13: `tool.desc` is not a known target (a target is a property such as description, tool.name or instruction.content)",
        ),
        ("[tool.description, name]", "[name, name]", "13:19: `name` stands twice in `targets`"),
        (
            "finding_type: sample_found",
            "finding_type: Sample-Found",
            "20:17: `finding_type` must be in snake_case, not `Sample-Found` (did you mean `sample_found`?)",
        ),
        ("  property_key: is_sample\n", "", "21:3: `property_value` needs `property_key` beside it"),
        ("  property_value: true\n", "", "21:3: `property_key` needs `property_value` beside it"),
        (
            "property_value: true",
            "property_value: [1]",
            "22:19: `property_value` must be true, false, a finite number or text of at most 200 bytes",
        ),
        (
            "property_value: true",
            "property_value: .inf",
            "22:19: `property_value` must be true, false, a finite number or text of at most 200 bytes",
        ),
        ("    should_match: true\n", "", "25:5: a test needs the field `should_match`"),
        ("    should_match: true\n", "    should_mach: true\n", ""),
    ] {
        match expected {
            "" => assert!(read_rule(&changed(from, to)).expect_err(to).len() == 2, "{to}"),
            expected => check(&changed(from, to), &[expected]),
        }
    }
}

#[test]
fn matchers_are_refused_one_by_one() {
    for (matcher, expected) in [
        ("keyword", "14:10: a matcher must be a mapping of fields, not text"),
        ("{keywords: [a]}", "14:10: a matcher needs the field `type`"),
        ("{type: keywords}", "14:17: `type` cannot be `keywords` (did you mean `keyword`?)"),
        ("{type: keyword}", "14:10: a keyword matcher needs the field `keywords`"),
        ("{type: keyword, keywords: []}", "14:36: `keywords` is empty"),
        ("{type: keyword, keywords: [a, ' ']}", "14:40: `keywords[1]` is blank"),
        ("{type: keyword, keywords: [a, true]}", "14:40: `keywords[1]` must be text, not a boolean (put it in quotes)"),
        ("{type: keyword, keywords: a}", "14:36: `keywords` must be a list, not text (write [a])"),
        (
            "{type: keyword, keywords: [a], match_mode: some}",
            "14:53: `match_mode` cannot be `some` (it is one of any, all)",
        ),
        (
            "{type: keyword, keywords: [a], whole_word: true}",
            "14:41: a keyword matcher has no field `whole_word` (did you mean `whole_words`?)",
        ),
        (
            "{type: prefix, prefixes: [a], match_mode: all}",
            "14:40: a prefix matcher has no field `match_mode` (it has type, prefixes, case_insensitive)",
        ),
        ("{type: prefix, prefixes: {}}", "14:35: `prefixes` must be a list, not a mapping"),
        ("{type: regex}", "14:10: a regex matcher needs the field `pattern`"),
        ("{type: regex, pattern: '(a'}", "14:33: `pattern` does not compile at character 1: unclosed group"),
        (
            "{type: regex, pattern: 'a(?!b)'}",
            "14:33: `pattern` uses look-around at character 2 (not supported: patterns take linear time)",
        ),
        (
            "{type: regex, pattern: '(a{1000}){1000}'}",
            "14:33: `pattern` takes more than 1024 KiB when compiled (repeat less, or use [a-z0-9_] in place of \\w)",
        ),
        (
            "{type: entropy, charset: base32, threshold: 4, min_length: 1}",
            "14:35: `charset` cannot be `base32` (did you mean `base64`?)",
        ),
        ("{type: entropy, charset: hex, threshold: 8.5, min_length: 1}", "14:51: `threshold` must be from 0 to 8 bits"),
        (
            "{type: entropy, charset: hex, threshold: .nan, min_length: 1}",
            "14:51: `threshold` must be from 0 to 8 bits",
        ),
        (
            "{type: entropy, charset: hex, threshold: 4, min_length: 0}",
            "14:66: `min_length` must be from 1 to 1048576, not 0",
        ),
        ("{type: compound, matchers: []}", "14:37: `matchers` is empty"),
        (
            "{type: compound, operator: not, matchers: [{type: model, model: m}]}",
            "14:37: `operator` cannot be `not` (it is one of and, or)",
        ),
        (
            "{type: score, threshold: 0, signals: [{weight: 1, matcher: {type: model, model: m}}]}",
            "14:35: `threshold` must be above 0",
        ),
        (
            "{type: score, threshold: 2, signals: [{weight: 1, matcher: {type: model, model: m}}]}",
            "14:24: the threshold 2 is out of reach: all weights above 0 add up to 1",
        ),
        (
            "{type: score, threshold: 1, signals: [{weight: 0, matcher: {type: model, model: m}}]}",
            "14:57: `weight` must be from -1000 to 1000 and not 0",
        ),
        ("{type: score, threshold: 1, signals: [{weight: 1}]}", "14:48: a signal needs the field `matcher`"),
        ("{type: score, threshold: 1, signals: []}", "14:47: `signals` is empty"),
        (
            "{type: score, threshold: 1, window: page, signals: [{weight: 1, matcher: {type: model, model: m}}]}",
            "14:46: `window` cannot be `page` (it is one of text, sentence)",
        ),
        ("{type: model, model: ''}", "14:31: `model` is blank"),
    ] {
        check(&matching(matcher), &[expected]);
    }
}

#[test]
fn a_comma_that_cuts_a_text_in_two_is_explained() {
    check(
        &changed("{ input: \"\", should_match: false }", "{ input: one, and two, should_match: false }"),
        &["28:19: a test has no field `and two` (quote text that holds a comma)"],
    );
}

#[test]
fn all_problems_are_found_at_once_in_the_order_of_the_file() {
    let text = changed("severity: high", "severity: bad")
        .replace("collector: mcp", "collektor: mcp")
        .replace("name: A sample\n", "");
    check(
        &text,
        &[
            "1:1: a rule needs the field `name`",
            "5:11: `severity` cannot be `bad` (it is one of critical, high, medium, low, info)",
            "11:3: `scope` has no field `collektor` (did you mean `collector`?)",
            "11:3: `scope` needs the field `collector`",
        ],
    );
}

#[test]
fn what_is_not_one_plain_mapping_is_refused() {
    for (text, expected) in [
        ("", "1:1: the file is empty"),
        ("# only a comment\n", "1:1: the file is empty"),
        ("- a\n", "1:1: a rule must be a mapping of fields, not a list"),
        ("just text", "1:1: a rule must be a mapping of fields, not text"),
        ("a: [1", "1:4: not YAML: unclosed bracket '['"),
        ("a: b: c", "1:5: not YAML: mapping values are not allowed in this context"),
        ("%YAML 1.2\n---\na: 1", "1:1: directives (`%`) are not allowed in a rule file"),
        ("id: &a x\n", "1:8: anchors (`&`) and aliases (`*`) are not allowed in a rule file"),
        ("id: *a\n", "1:5: anchors (`&`) and aliases (`*`) are not allowed in a rule file"),
        ("id: !!str x\n", "1:11: tags (`!`) are not allowed in a rule file (quote text that starts so)"),
        ("[a]: 1\n", "1:1: a key must be text"),
        ("1: 1\n", "1:1: a key must be text"),
    ] {
        check(text, &[expected]);
    }
    let again = format!("{GOOD}---\n{GOOD}");
    check(&again, &["29:1: a rule file holds one rule, but here starts another document"]);
}

#[test]
fn a_key_that_stands_twice_is_refused_wherever_it_is() {
    let text = changed("  collector: mcp\n", "  collector: mcp\n  collector: all\n")
        .replace("tests:", "id: other-rule\ntests:");
    check(&text, &["13:3: `collector` stands twice", "25:1: `id` stands twice"]);
}

#[test]
fn bombs_are_refused_cheaply() {
    let mut aliases = String::from("a: &a [x, x]\n");
    for (from, to) in ('a'..'y').zip('b'..='z') {
        writeln!(aliases, "{to}: &{to} [*{from}, *{from}, *{from}, *{from}]").expect("strings take everything");
    }
    check(&aliases, &["1:7: anchors (`&`) and aliases (`*`) are not allowed in a rule file"]);
    check(&" ".repeat(limits::FILE_BYTES + 1), &["1:1: a rule file may be at most 256 KiB"]);
    let many = format!("a: [{}]", "1,".repeat(limits::YAML_NODES + 1));
    check(&many, &["1:40003: the file has more than 20000 values"]);
    let keys: String = (0..=limits::FIELDS).map(|number| format!("k{number}: 1\n")).collect();
    check(&keys, &["101:7: a mapping has more than 100 fields"]);
    let unknown: String = (0..limits::FIELDS).map(|number| format!("k{number}: 1\n")).collect();
    let problems = read_rule(&unknown).expect_err("unknown fields");
    assert_eq!(problems.len(), limits::PROBLEMS + 1);
    assert_eq!(problems.last().map(|last| last.message.as_str()), Some("6 more problems are left out"));
}

/// Compounds within each other.
fn nested(levels: usize) -> String {
    let (open, close) = ("{type: compound, matchers: [", "]}");
    matching(&format!("{}{{type: model, model: m}}{}", open.repeat(levels), close.repeat(levels)))
}

#[test]
fn nesting_has_an_end() {
    check(&nested(7), &[]);
    check(&nested(8), &["14:234: matchers are nested deeper than 8 levels"]);
    check(&nested(1000), &["14:905: the file is nested deeper than 64 levels"]);
    let mut block = String::from("matcher:\n");
    for level in 0..1000 {
        let indent = " ".repeat(level / 4);
        writeln!(block, "{indent} - {indent}").expect("strings take everything");
    }
    assert!(read_rule(&block).is_err());
    assert!(read_rule(&format!("a: {}", "[".repeat(100_000))).is_err());
    assert!(read_rule(&format!("a: {}", "- ".repeat(100_000))).is_err());
    assert!(read_rule(&"? ".repeat(100_000)).is_err());
}

#[test]
fn every_count_and_length_has_its_limit() {
    let list = |count: usize| vec!["a"; count].join(",");
    let part = "{type: model, model: m},";
    let signal = "{weight: 1, matcher: {type: model, model: m}},";
    let big = "{type: regex, pattern: '[ab]{9000}'},";
    let tree = format!("{{type: compound, matchers: [{}]}},", part.repeat(50));
    for (matcher, expected) in [
        (
            format!("{{type: keyword, keywords: [{}]}}", list(501)),
            "`keywords` has 501 entries; at most 500 are allowed",
        ),
        (format!("{{type: prefix, prefixes: [{}]}}", list(201)), "`prefixes` has 201 entries; at most 200 are allowed"),
        (format!("{{type: prefix, prefixes: [{}]}}", "a".repeat(257)), "`prefixes[0]` is longer than 256 bytes"),
        (format!("{{type: regex, pattern: {}}}", "a".repeat(4097)), "`pattern` is longer than 4096 bytes"),
        (
            format!("{{type: compound, matchers: [{}]}}", part.repeat(51)),
            "`matchers` has 51 entries; at most 50 are allowed",
        ),
        (format!("{{type: compound, matchers: [{}]}}", tree.repeat(10)), "the rule has more than 500 matchers"),
        (
            format!("{{type: compound, matchers: [{}]}}", big.repeat(50)),
            "the patterns of the rule take more than 4096 KiB together when compiled",
        ),
        (
            format!("{{type: score, threshold: 1, signals: [{}]}}", signal.repeat(51)),
            "`signals` has 51 entries; at most 50 are allowed",
        ),
    ] {
        let problems = read_rule(&matching(&matcher)).expect_err(expected);
        assert_eq!(problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>(), [expected]);
    }
    let tests = format!("{{ input: {}, should_match: false }}", "a".repeat(limits::TEST_INPUT_BYTES + 1));
    check(&changed("{ input: \"\", should_match: false }", &tests), &["28:14: `input` is longer than 65536 bytes"]);
    let many = format!("tests: [{}]\n", "{input: a, should_match: true},".repeat(101));
    let start = GOOD.find("tests:").expect("tests");
    check(&format!("{}{many}", &GOOD[..start]), &["24:8: `tests` has 101 entries; at most 100 are allowed"]);
}

#[test]
fn hostile_text_in_a_file_is_shown_escaped_and_short() {
    let problems = read_rule(&changed("severity: high", "severity: \"\\e[2J\\u202Ex\"")).expect_err("no severity");
    assert_eq!(
        problems.first().map(|problem| problem.message.as_str()),
        Some("`severity` cannot be `\\u{1b}[2J\\u{202e}x`")
    );
    let long = "x".repeat(10_000);
    assert!(read_rule(&changed("id: sample-rule", &format!("id: {long}"))).expect_err("no id")[0].message.len() < 100);
}

#[test]
fn plain_words_have_the_types_of_the_core_schema() {
    let value =
        |text: &str| read(&changed("property_value: true", &format!("property_value: {text}"))).emit.property_value;
    for (text, expected) in [
        ("yes", json!("yes")),
        ("True", json!(true)),
        ("0x10", json!(16)),
        ("0o17", json!(15)),
        ("-3", json!(-3)),
        ("1e3", json!(1000.0)),
        ("1.2.3", json!("1.2.3")),
        ("0x-1", json!("0x-1")),
        ("infinity", json!("infinity")),
        ("'5'", json!("5")),
        ("99999999999999999999", json!(1e20)),
    ] {
        assert_eq!(value(text), Some(expected), "{text}");
    }
}

#[test]
fn a_rule_that_does_something_else_needs_a_higher_version() {
    let old = read(GOOD);
    let check = |new: &Rule, expected: Option<&str>| assert_eq!(version_problem(&old, new).as_deref(), expected);
    check(&Rule { name: "Other words".into(), severity: RuleSeverity::Low, ..old.clone() }, None);
    let matcher = Matcher::Model { model: "m".into() };
    check(
        &Rule { matcher: matcher.clone(), ..old.clone() },
        Some("`sample-rule` changes the matcher of version 3, so its version must be higher, not 3"),
    );
    let scope = Scope { collector: None, ..old.scope.clone() };
    check(
        &Rule { matcher: matcher.clone(), scope, version: 2, ..old.clone() },
        Some("`sample-rule` changes the matcher, scope of version 3, so its version must be higher, not 2"),
    );
    check(&Rule { matcher: matcher.clone(), version: 4, ..old.clone() }, None);
    check(&Rule { matcher, id: "another".into(), ..old.clone() }, None);
}

proptest! {
    #[test]
    fn no_text_makes_reading_fail_otherwise_than_with_problems(
        at in 0..GOOD.len(),
        length in 0..40_usize,
        put in "[-&*!|>'\"%@`?:,\\[\\]{}#~ \\n\\r\\ta-c0\u{feff}\u{2028}\\\\]{0,12}",
    ) {
        let end = (at + length).min(GOOD.len());
        let text = format!("{}{put}{}", &GOOD[..at], &GOOD[end..]);
        let lines = text.split(['\n', '\r', '\u{2028}']).count() + 1;
        if let Err(problems) = read_rule(&text) {
            prop_assert!(!problems.is_empty());
            prop_assert!(problems.is_sorted());
            for problem in problems {
                prop_assert!(problem.line >= 1 && problem.column >= 1 && problem.line as usize <= lines, "{problem}");
            }
        }
    }
}
