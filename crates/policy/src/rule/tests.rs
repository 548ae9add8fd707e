//! Names, annotations, clauses, and texts that are refused with their place.

use super::*;

fn origin(body: &str) -> Origin<'_> {
    Origin { key: "mine", version: 3, hash: "h", body, source: PolicySource::Tenant }
}

fn names(body: &str) -> Vec<String> {
    Rule::read(&origin(body)).unwrap().iter().map(|rule| rule.name().to_owned()).collect()
}

#[track_caller]
fn check_refused(body: &str, line: usize, column: usize, part: &str) {
    let problems = Rule::read(&origin(body)).unwrap_err();
    let problem = problems.first().unwrap();
    assert_eq!((problem.line, problem.column), (line, column), "{problem}");
    assert!(problem.message.contains(part), "{problem}");
}

#[test]
fn every_policy_has_a_stable_name() {
    const BARE: &str = "permit(principal, action, resource);";
    assert_eq!(names(BARE), ["mine"]);
    assert_eq!(names(&format!("{BARE}\n@id(\"other\") {BARE} {BARE}")), ["mine#1", "other", "mine#3"]);
    let twelve = names(&BARE.repeat(12));
    assert_eq!((twelve.len(), twelve.last().unwrap().as_str()), (12, "mine#12"));
}

#[test]
fn syntax_errors_have_a_place() {
    check_refused("permit(principal, action, resource)\nwhen { context.x === 1 };", 2, 20, "unexpected");
    check_refused("", 1, 1, "no policy");
    check_refused("// nothing\n", 1, 1, "no policy");
}

#[test]
fn templates_are_refused() {
    check_refused("\n  permit(principal == ?principal, action, resource);", 2, 3, "template");
}

#[test]
fn names_that_could_be_mistaken_are_refused() {
    let named = |name: &str| format!("@id(\"{name}\")\npermit(principal, action, resource);");
    for bad in ["a,b", "", " a", "mine#1", "-a", "ä"] {
        check_refused(&named(bad), 1, 1, "the name in `@id`");
    }
    for reserved in ["agent_frozen", "Agent_Frozen", "mcp_tool_status", "audit_writer_unavailable", "policy_error"] {
        check_refused(&named(reserved), 1, 1, "built in");
    }
}

#[test]
fn annotations_that_can_t_be_meant_are_refused() {
    let refused = |annotation: &str, part: &str| {
        check_refused(&format!("@note(\"n\")\n{annotation}\npermit(principal, action, resource);"), 2, 1, part);
    };
    refused("@decison(\"require_approval\")", "means nothing here");
    refused("@decision(\"ask\")", "`ask` is not a decision; there are: allow, redact");
    refused("@decision(\"deny\")", "a permit can't deny");
    refused("@decision(\"redact\")", "names no field");
    check_refused("@decision(\"quarantine\")\nforbid(principal, action, resource);", 1, 1, "a forbid always denies");
}

#[test]
fn annotations_are_read() {
    let body = "@decision(\"redact\") @redact_fields(\"b, a,b,\") @reason(\"r\") @ticket(\"x\") permit(principal, action, resource);";
    let rules = Rule::read(&origin(body)).unwrap();
    let rule = rules.first().unwrap();
    assert_eq!((rule.verdict, rule.redact_fields.as_slice()), (Verdict::Redact, &["a".to_owned(), "b".to_owned()][..]));
    assert_eq!((rule.reason.as_deref(), rule.warnings.len()), (Some("r"), 1));
}

#[test]
fn the_clause_is_found_behind_strings_and_comments() {
    let body = "// when {}\n@reason(\"when \\\" it\")\npermit(principal, action, resource) // unless\n\nwhen { \"when\" == context.x }\nunless { true };\nforbid(principal,\n action, resource);";
    let rules = Rule::read(&origin(body)).unwrap();
    let clauses: Vec<(usize, &str)> = rules.iter().map(|rule| (rule.clause.line, rule.clause.text.as_str())).collect();
    let expected =
        [(5, "when { \"when\" == context.x }\nunless { true }"), (7, "forbid(principal,\n action, resource)")];
    assert_eq!(clauses, expected);
}

#[test]
fn texts_that_would_take_the_parser_down_are_refused() {
    let with = |condition: &str| format!("permit(principal, action, resource)\nwhen {{ {condition} }};");
    for (before, after) in
        [("(", ")"), ("[", "]"), ("!", ""), ("-", ""), ("true && ", ""), ("1 + ", ""), ("if true then true else ", "")]
    {
        let refused = Rule::read(&origin(&with(&format!("{}true{}", before.repeat(2_000), after.repeat(2_000)))));
        assert!(refused.unwrap_err().first().unwrap().message.contains("nested too deep"), "{before}");
    }
    check_refused(&with(&format!("context{}", ".a".repeat(400))), 2, 349, "nested too deep");
    check_refused(&" ".repeat(65 * 1024), 1, 1, "64 KiB");
}

#[test]
fn long_policies_that_are_not_deep_are_read() {
    let list = "1, ".repeat(2_000);
    let terms = "&& context.user.role == \"if\" ".repeat(100);
    for condition in
        [format!("[{list}1].contains(1)"), format!("true {terms}"), "[\"((((\"].contains(\"&&\")".to_owned()]
    {
        let body = format!("permit(principal, action, resource) when {{ {condition} }};").repeat(3);
        assert_eq!(Rule::read(&origin(&body)).unwrap().len(), 3);
    }
}

#[test]
fn the_deepest_policy_that_is_read_is_evaluated() {
    let depth = 150;
    for condition in [
        format!("true{}", " && context.risk == 10".repeat(depth)),
        format!("{}true{}", "(true && ".repeat(depth / 2), ")".repeat(depth / 2)),
        format!("{}true", "if context.is_mcp then false else ".repeat(depth)),
        format!("1{} > 0", " + 1".repeat(depth)),
    ] {
        let body = format!("forbid(principal, action, resource) when {{ {condition} }};");
        let decision = crate::tests::Asked::of("github", "read_issue").decided(&[&body]);
        assert_eq!(decision.code.name(), "forbidden_by_policy", "{condition}");
    }
}
