//! Random small rule sets over a small alphabet: the engine finds what a naive implementation finds.

use proptest::prelude::*;

use super::*;

/// Terms that overlap, contain each other and start alike.
fn term() -> impl Strategy<Value = String> {
    prop_oneof!["[abc]{1,4}", "[abc]{1,3} [abc]{1,2}", "A[abc]{1,2}", "[abc]{2}\\."]
}

/// Expressions that do not match the empty text.
fn pattern() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        4 => "[abc]{1,4}",
        1 => Just(r"\s+".to_owned()),
        1 => Just(r"\w+".to_owned()),
        1 => Just("[ab]".to_owned()),
        1 => Just("[bA]{2}".to_owned()),
        1 => Just(".".to_owned()),
        1 => Just(r"\b".to_owned()),
        1 => Just(r"\.?".to_owned()),
        1 => Just("^".to_owned()),
        1 => Just("$".to_owned()),
    ];
    let tree = atom.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            4 => proptest::collection::vec(inner.clone(), 2..4).prop_map(|parts| parts.concat()),
            2 => proptest::collection::vec(inner.clone(), 2..4).prop_map(|parts| format!("({})", parts.join("|"))),
            1 => (inner.clone(), 0..3_u32, 0..3_u32).prop_map(|(part, min, more)| format!("(?:{part}){{{min},{}}}", min + more)),
            1 => (inner.clone(), "[?*+]\\??").prop_map(|(part, operator)| format!("(?:{part}){operator}")),
            1 => (inner.clone(), inner).prop_map(|(a, b)| format!("{a}.{{0,6}}{b}")),
        ]
    });
    tree.prop_map(|pattern| format!("(?:{pattern})[abc]"))
}

fn leaf() -> impl Strategy<Value = Matcher> {
    let terms = || proptest::collection::vec(term(), 1..4);
    let mode = prop_oneof![Just(MatchMode::Any), Just(MatchMode::All)];
    prop_oneof![
        3 => (terms(), any::<bool>(), any::<bool>(), mode).prop_map(|(keywords, case_insensitive, whole_words, mode)| {
            Matcher::Keyword { keywords, case_insensitive, whole_words, mode }
        }),
        1 => (terms(), any::<bool>()).prop_map(|(prefixes, case_insensitive)| {
            Matcher::Prefix { prefixes, case_insensitive }
        }),
        4 => (pattern(), any::<bool>()).prop_map(|(pattern, case_insensitive)| {
            Matcher::Regex { pattern, case_insensitive }
        }),
        1 => (0.0..2.0_f64, 1..8_usize).prop_map(|(threshold, min_length)| {
            Matcher::Entropy { charset: Charset::Hex, threshold, min_length }
        }),
    ]
}

fn matcher() -> impl Strategy<Value = Matcher> {
    leaf().prop_recursive(3, 16, 3, |inner| {
        let parts = || proptest::collection::vec(inner.clone(), 1..4);
        let weighted = proptest::collection::vec((prop_oneof![Just(-1.0), Just(0.5), Just(1.0)], inner.clone()), 1..5);
        let window = prop_oneof![Just(Window::Text), Just(Window::Sentence)];
        prop_oneof![
            parts().prop_map(and),
            parts().prop_map(or),
            (prop_oneof![Just(0.5), Just(1.0), Just(-0.5)], window, weighted)
                .prop_map(|(threshold, window, signals)| score(threshold, window, signals)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_finds_what_a_naive_implementation_finds(
        matchers in proptest::collection::vec(matcher(), 1..8),
        texts in proptest::collection::vec("([abcABC]{1,4}|[ .\n]|\\. [AB]|\u{200b}|é|_){0,40}", 1..4),
    ) {
        let rules = matchers.into_iter().enumerate().map(|(n, matcher)| rule(&format!("r{n}"), matcher)).collect();
        let engine = engine(rules);
        let mut scratch = Scratch::default();
        for text in &texts {
            let normalised = normalised(text);
            let found = engine.evaluate(&mut scratch, &field(text), &normalised);
            let expected = naive::evaluate(engine.rules(), &field(text), &normalised);
            prop_assert_eq!(found, expected, "{:?} folded {:?}", text, normalised.text());
        }
    }
}
