//! Any text: folding ends, and every place in the folded text leads back to characters of the original.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tracehound_rules::normalise::{Normaliser, Vocabulary};

fuzz_target!(|bytes: &[u8]| {
    let source = String::from_utf8_lossy(bytes);
    let words = ["in", "to", "into", "ignore", "all", "instructions", "a", "i"];
    let words = Vocabulary::from_counts(words.into_iter().map(|word| (word, 10)));
    let mut normaliser = Normaliser::new(&words);
    let normalised = normaliser.normalise(&source);
    let text = normalised.text();
    let mut end = 0;
    for part in normalised.parts() {
        assert!(part.range.start == end && part.range.end > end);
        assert!(source.get(part.source.clone()).is_some() && text.get(part.range.clone()).is_some());
        end = part.range.end;
    }
    assert_eq!(end, text.len());
    let mut end = 0;
    for sentence in normalised.sentences() {
        assert!(sentence.start >= end);
        let inside = text.get(sentence.clone()).unwrap();
        assert!(!inside.is_empty() && inside.trim() == inside);
        end = sentence.end;
    }
    for mark in normalised.marks() {
        assert!(source.get(mark.source.clone()).is_some_and(|marked| !marked.is_empty()));
    }
    for at in 0..text.len() {
        assert!(source.get(normalised.source_span(at..at + 1)).is_some_and(|span| !span.is_empty()));
        assert!(source.get(normalised.source_span(at..text.len())).is_some());
    }
    assert_eq!(normaliser.normalise(&source), normalised);
});
