//! Each matcher by itself, and how they join.

use super::*;

#[test]
fn keywords_are_found_whatever_their_case_or_disguise() {
    check(keyword(&["Delete All"]), "please DELETE\n  all of it", &["DELETE\n  all"]);
    check(keyword(&["secret"]), "a se\u{200b}cret", &["se\u{200b}cret"]);
    check(raw_keyword(&["Key"]), "key Key", &["Key"]);
}

#[test]
fn each_term_is_reported_where_it_first_occurs() {
    check(keyword(&["ab", "abc", "bc"]), "x abc abc", &["ab", "abc", "bc"]);
}

#[test]
fn a_space_at_the_end_of_a_term_belongs_to_it() {
    check(keyword(&["rm "]), "harm", &[]);
    check(keyword(&["rm "]), "rm  -r", &["rm  "]);
}

#[test]
fn whole_words_are_not_glued_to_anything() {
    let words = |terms: &[&str], mode| Matcher::Keyword {
        keywords: terms.iter().map(|term| (*term).to_owned()).collect(),
        case_insensitive: true,
        whole_words: true,
        mode,
    };
    check(words(&["key"], MatchMode::Any), "keys monkey my_key key2 é-key!", &["key"]);
    check(words(&["key"], MatchMode::Any), "keyé", &[]);
    check(words(&["key", "lock"], MatchMode::All), "key locks", &[]);
    check(words(&["key", "lock"], MatchMode::All), "locks lock key", &["lock", "key"]);
}

#[test]
fn prefixes_count_at_the_start_only() {
    let prefix = |case_insensitive| Matcher::Prefix { prefixes: vec!["SK-".to_owned()], case_insensitive };
    check(prefix(true), "sk-1", &["sk-"]);
    check(prefix(true), "a sk-1", &[]);
    check(prefix(false), "sk-1", &[]);
    check(prefix(false), "SK-1", &["SK-"]);
}

#[test]
fn expressions_match_folded_or_raw_text() {
    check(regex(r"send\s+(all|every)\s+file"), "Send  ALL\nfiles", &["Send  ALL\nfile"]);
    check(raw_regex("AKIA[0-9A-Z]{4}"), "AKIA1234 akia1234", &["AKIA1234"]);
    check(regex("^start"), "start start", &["start"]);
    check(regex("end$"), "end END", &["END"]);
    check(raw_regex("[\u{200b}-\u{200f}]+"), "a\u{200b}\u{200c}b", &["\u{200b}\u{200c}"]);
    check(regex(r"\bk\w+s\b"), "Kisses", &["Kisses"]);
}

#[test]
fn expressions_without_literals_are_found_together() {
    let rules = vec![
        rule("a", raw_regex("[0-9]{4}")),
        rule("b", raw_regex("[a-f]{3}")),
        rule("c", raw_regex(r"\b[x-z]{2}\b")),
        rule("d", raw_regex("[m-p]{3}")),
    ];
    let engine = engine(rules);
    let found = |text| evaluate(&engine, text).matches.iter().map(|found| found.rule).collect::<Vec<_>>();
    assert_eq!(found("1234 abc é xy"), [0, 1, 2]);
    assert_eq!(found("mnop"), [3]);
    assert_eq!(found("nothing at all"), [] as [usize; 0]);
}

#[test]
fn expressions_search_around_their_literals_and_nowhere_else() {
    let far = "x".repeat(3000);
    let text = format!("ignore rules {far} ignore these rules {far} ignore {far} rules");
    check(regex("ignore.{1,10}rules"), &text, &["ignore rules", "ignore these rules"]);
    check(regex("a{1,3}bcd|bcda{1,2}"), "aabcdaabcda", &["aabcd", "aabcd"]);
}

#[test]
fn random_runs_are_told_by_their_entropy() {
    let entropy = |charset, threshold, min_length| Matcher::Entropy { charset, threshold, min_length };
    check(entropy(Charset::Hex, 2.9, 8), "aaaaaaaa 01234567 0123", &["01234567"]);
    check(entropy(Charset::Base64, 3.0, 8), "id=abcdefghijkl== x", &["abcdefghijkl=="]);
    check(entropy(Charset::Hex, 3.0, 8), "01234567", &[]);
}

#[test]
fn and_reports_the_first_of_each_part_and_or_its_first_part() {
    check(and(vec![regex("[xy]+"), keyword(&["b"])]), "b xx b yy", &["b", "xx"]);
    check(and(vec![keyword(&["a"]), keyword(&["z"])]), "a b", &[]);
    check(or(vec![keyword(&["zz"]), regex("[xy]+"), keyword(&["b"])]), "b xx b yy", &["xx", "yy"]);
}

#[test]
fn a_score_needs_its_threshold() {
    let signals = || vec![(1.0, keyword(&["read"])), (1.5, keyword(&["send"])), (-2.0, keyword(&["example"]))];
    check(score(2.5, Window::Text, signals()), "read it. go. stop. send it", &["send"]);
    check(score(2.5, Window::Text, signals()), "send send send", &[]);
    check(score(2.5, Window::Text, signals()), "read, send, for example", &[]);
}

#[test]
fn a_score_by_sentence_needs_its_signals_close_together() {
    let signals = || vec![(1.0, keyword(&["read"])), (1.5, raw_keyword(&["send"])), (-2.0, keyword(&["example"]))];
    let by_sentence = || score(2.5, Window::Sentence, signals());
    check(by_sentence(), "Now read it. Then send it. Done.", &["read it. Then send"]);
    check(by_sentence(), "Now read it. Wait here. Then send it.", &[]);
    check(by_sentence(), "An example. More words. Now read it and send it.", &["read it and send"]);
    check(by_sentence(), "Now read it and send it. An example.", &[]);
}

#[test]
fn a_score_by_sentence_takes_a_sentence_with_the_one_after_it() {
    let signals = vec![(1.0, keyword(&["read"])), (-2.0, keyword(&["example"]))];
    // The pair of the empty sentence and the one with `read` reaches the threshold, the next pair does not.
    check(score(1.0, Window::Sentence, signals), "First words. Now read it. An example.", &["read"]);
}

#[test]
fn a_score_explains_itself() {
    let signals = vec![(1.0, keyword(&["read"])), (2.0, keyword(&["send"])), (4.0, keyword(&["nowhere"]))];
    let engine = engine(vec![rule("one", score(3.0, Window::Text, signals))]);
    let evaluation = evaluate(&engine, "read, send");
    assert_eq!(evaluation.matches[0].reason.to_string(), "signals add up to 3.00 of 3.00: s0 +1.00, s1 +2.00");
}

struct Mark;

impl Judge for Mark {
    fn judge(&self, text: &Normalised, _name: &str) -> Option<Judgement> {
        let start = text.text().find("mark")?;
        Some(Judgement { span: start..start + 4, score: 0.9, phrases: vec![("mark".to_owned(), 0.7)] })
    }
}

#[test]
fn models_are_asked_by_name() {
    let matcher = Matcher::Model { model: "marks".to_owned() };
    let judges = || Judges::from([("marks".to_owned(), Box::new(Mark) as Box<dyn Judge>)]);
    let engine = Engine::compile(vec![rule("one", matcher.clone())], judges()).unwrap();
    let evaluation = evaluate(&engine, "A  MARK");
    assert_eq!(evaluation.matches[0].span, 3..7);
    assert_eq!(evaluation.matches[0].reason.to_string(), "model `marks` scores 0.90: mark +0.70");
    assert!(evaluate(&engine, "nothing").matches.is_empty());
    let error = Engine::compile(vec![rule("one", matcher)], Judges::new()).unwrap_err();
    assert_eq!(error.to_string(), "rule `one` names the model `marks`, which does not exist");
}

#[test]
fn equal_leaves_of_different_rules_are_one() {
    let engine = engine(vec![
        rule("a", regex("ab+c")),
        rule("b", and(vec![regex("ab+c"), keyword(&["x"])])),
        rule("c", raw_regex("ab+c")),
        rule("d", keyword(&["x"])),
    ]);
    assert_eq!(engine.compiled.leaves.len(), 3);
    let evaluation = evaluate(&engine, "abbc x");
    assert_eq!(evaluation.matches.iter().map(|found| found.rule).collect::<Vec<_>>(), [0, 1, 1, 2, 3]);
}

#[test]
fn only_the_rules_of_a_field_read_it() {
    let mut tools = rule("tools", keyword(&["x"]));
    tools.scope.targets = vec![Target { kind: Some(NodeKind::McpTool), property: "name".to_owned() }];
    let mut config = rule("config", raw_keyword(&["x"]));
    config.scope.collector = Some(Collector::Config);
    config.scope.targets = vec![Target { kind: None, property: "name".to_owned() }];
    let mut disabled = rule("disabled", keyword(&["x"]));
    disabled.enabled = false;
    let engine = engine(vec![tools, config, disabled]);
    let found = |collector, kind, property| {
        let field = Field { collector, kind, property, name: "", source: "x" };
        let evaluation = engine.evaluate(&mut Scratch::default(), &field, &normalised("x"));
        evaluation.matches.iter().map(|found| engine.rules()[found.rule].id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(found(Collector::Mcp, NodeKind::McpTool, "name"), ["tools"]);
    assert_eq!(found(Collector::Config, NodeKind::McpTool, "name"), ["config", "tools"]);
    assert_eq!(found(Collector::Config, NodeKind::McpServer, "name"), ["config"]);
    assert_eq!(found(Collector::Mcp, NodeKind::McpServer, "name"), [] as [&str; 0]);
    assert_eq!(found(Collector::Mcp, NodeKind::McpTool, "description"), [] as [&str; 0]);
    assert!(!engine.reads(Collector::Mcp, NodeKind::McpTool, "description"));
    assert_eq!(engine.rules().len(), 3);
}

#[test]
fn expressions_that_ignore_case_themselves_find_every_spelling_in_raw_text() {
    check(raw_regex("(?i:task)[0-9]{2}"), "TASK12 taſ\u{212a}34", &["TASK12", "taſ\u{212a}34"]);
    check(raw_regex("Task[0-9]{2}"), "TASK12 Task34", &["Task34"]);
}
