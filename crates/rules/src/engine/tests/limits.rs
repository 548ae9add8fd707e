//! Each limit, and what is refused.

use super::*;

#[test]
fn a_rule_reports_sixteen_matches_and_says_that_there_are_more() {
    let engine = engine(vec![rule("one", raw_regex("[0-9]{3}x"))]);
    let found = |times: usize| evaluate(&engine, &"123x ".repeat(times)).matches;
    assert_eq!(found(16).len(), 16);
    assert!(found(16).iter().all(|found| !found.has_more));
    assert_eq!(found(17).len(), 16);
    assert_eq!(found(17).iter().filter(|found| found.has_more).count(), 1);
    assert!(found(17)[15].has_more);
}

#[test]
fn many_terms_are_cut_like_many_matches() {
    let terms: Vec<String> = ('a'..='t').map(|c| format!("{c}{c}")).collect();
    let matcher = raw_keyword(&terms.iter().map(String::as_str).collect::<Vec<_>>());
    let found = evaluate(&engine(vec![rule("one", matcher)]), &terms.join(" ")).matches;
    assert_eq!(found.len(), LISTED);
    assert!(found[LISTED - 1].has_more);
}

#[test]
fn a_text_beyond_the_limit_is_evaluated_up_to_it_and_the_result_says_so() {
    let engine = engine(vec![rule("one", raw_keyword(&["needle"]))]);
    let text = format!("needle {}", "é".repeat(TEXT_BYTES / 2));
    // The folded form has its own length; an empty one keeps the test about the original.
    let evaluation = engine.evaluate(&mut Scratch::default(), &field(&text), &normalised(""));
    assert_eq!(evaluation.truncated_at, Some(TEXT_BYTES - 1));
    assert_eq!(evaluation.matches.len(), 1);
    let text = format!("{} needle", "é".repeat(TEXT_BYTES / 2));
    let evaluation = engine.evaluate(&mut Scratch::default(), &field(&text), &normalised(""));
    assert_eq!((evaluation.matches.len(), evaluation.truncated_at), (0, Some(TEXT_BYTES)));
}

#[test]
fn a_text_of_ten_megabytes_ends_soon() {
    let signals = vec![(1.0, keyword(&["read"])), (1.0, regex("[a-z]{4} it")), (-1.0, keyword(&["not"]))];
    let engine = engine(vec![
        rule("a", score(2.5, Window::Sentence, signals)),
        rule("b", regex(r"(\w+\s+){2,9}nowhere")),
        rule("c", regex(r"[a-z]{2,60}[0-9]")),
        rule("d", raw_regex(r"[A-Z][a-z]{2,60}[0-9]")),
        rule("e", Matcher::Entropy { charset: Charset::Base64, threshold: 5.0, min_length: 20 }),
        rule("f", keyword(&["never in here"])),
    ]);
    let text = "Now read it and do not wait. Send it on, then go. ".repeat(200_000);
    let evaluation = evaluate(&engine, &text);
    assert_eq!(evaluation, Evaluation::default());
}

#[test]
fn what_can_not_be_compiled_is_refused() {
    let refused = |matcher| Engine::compile(vec![rule("one", matcher)], Judges::new()).unwrap_err().to_string();
    assert_eq!(refused(regex("(")), "rule `one`: `(` is not a regular expression");
    assert_eq!(refused(regex("(a{1000}){1000}")), "rule `one`: `(a{1000}){1000}` can not be compiled");
    let blank = "rule `one`: nothing is left of the term `\u{200b}` when case is ignored";
    assert_eq!(refused(keyword(&["a", "\u{200b}"])), blank);
    let mut deep = keyword(&["a"]);
    for _ in 0..100 {
        deep = and(vec![deep]);
    }
    assert_eq!(refused(deep), "rule `one`: its matchers are nested too deeply");
    let twice = Engine::compile(vec![rule("one", keyword(&["a"])), rule("one", keyword(&["b"]))], Judges::new());
    assert_eq!(twice.unwrap_err().to_string(), "two rules have the id `one`");
}

#[test]
fn a_scratch_fits_itself_to_another_engine() {
    let one = engine(vec![rule("one", raw_keyword(&["x"]))]);
    let two = engine((0..50).map(|n| rule(&format!("r{n}"), regex(&format!("term{n}[0-9]")))).collect());
    let mut scratch = Scratch::default();
    for _ in 0..2 {
        let found = one.evaluate(&mut scratch, &field("x"), &normalised("x")).matches;
        assert_eq!(found.len(), 1);
        let found = two.evaluate(&mut scratch, &field("term491"), &normalised("term491")).matches;
        assert_eq!(found.len(), 2);
    }
}

#[test]
fn memory_is_that_of_the_automata() {
    let small = engine(vec![rule("one", raw_keyword(&["x"]))]).memory();
    let large = engine((0..50).map(|n| rule(&format!("r{n}"), regex(&format!("term{n}[0-9]")))).collect()).memory();
    assert!(small > 0 && large > 50 * 1024, "{small} {large}");
}

#[test]
fn engines_are_shared_between_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Engine>();
}

/// The engine takes out of expressions what can not occur in a folded text; the normaliser must keep to that.
#[test]
fn folded_texts_hold_only_stable_characters_and_single_spaces() {
    let words = Vocabulary::empty();
    let mut normaliser = Normaliser::new(&words);
    for c in ('\0'..=char::MAX).filter(|c| c.is_alphanumeric() || c.is_whitespace() || u32::from(*c) < 0x3000) {
        let source = format!("a {c} {c}\n {c}b");
        let folded = normaliser.normalise(&source);
        assert!(folded.text().chars().all(super::super::folded::is_stable), "{c:?}: {:?}", folded.text());
        assert!(!folded.text().contains("  "), "{c:?}: {:?}", folded.text());
    }
}
