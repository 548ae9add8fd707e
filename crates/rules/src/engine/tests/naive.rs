//! The same semantics once more, as plainly as possible: every rule by itself, every matcher by a full search.

use std::ops::Range;

use regex_automata::meta;

use crate::engine::{Counted, Evaluation, Field, LISTED, Match, Reason, entropy};
use crate::normalise::{Normalised, PartKind};
use crate::rule::{MatchMode, Matcher, Operator, Rule, Window};

/// What the rules, sorted by id, say of a field.
pub(super) fn evaluate(rules: &[Rule], field: &Field<'_>, text: &Normalised) -> Evaluation {
    let mut matches = Vec::new();
    for (number, rule) in rules.iter().enumerate().filter(|(_, rule)| rule.enabled && reads(rule, field)) {
        let naive = Naive { source: field.source, text };
        let Some((mut found, mut has_more)) = naive.report(&rule.matcher, None) else { continue };
        found.sort_by_key(|(span, _)| (span.start, span.end));
        found.dedup();
        has_more |= found.len() > LISTED;
        found.truncate(LISTED);
        let last = found.len() - 1;
        matches.extend(found.into_iter().enumerate().map(|(index, (span, reason))| Match {
            rule: number,
            span,
            reason,
            has_more: has_more && index == last,
        }));
    }
    Evaluation { matches, truncated_at: None }
}

fn reads(rule: &Rule, field: &Field<'_>) -> bool {
    rule.scope.collector.is_none_or(|collector| collector == field.collector)
        && rule
            .scope
            .targets
            .iter()
            .any(|target| target.property == field.property && target.kind.is_none_or(|kind| kind == field.kind))
}

struct Naive<'a> {
    source: &'a str,
    text: &'a Normalised,
}

type Found = (Range<usize>, Reason);
type Sentences = Option<Range<usize>>;

impl Naive<'_> {
    /// All occurrences of a leaf: its span in the original, its place in its own text, its sentence, its term.
    fn occurrences(&self, leaf: &Matcher) -> Vec<(Found, (usize, usize), usize, usize)> {
        let (folded, spans) = self.spans(leaf);
        let mut all: Vec<_> = spans
            .into_iter()
            .map(|(span, term)| {
                let reason = match leaf {
                    Matcher::Keyword { keywords, .. } => Reason::Keyword { term: keywords[term].clone() },
                    Matcher::Prefix { prefixes, .. } => Reason::Prefix { term: prefixes[term].clone() },
                    Matcher::Regex { pattern, .. } => Reason::Regex { pattern: pattern.clone() },
                    _ => {
                        let bits = entropy::bits(&self.source.as_bytes()[span.clone()]);
                        Reason::Entropy { bits, length: span.len() }
                    }
                };
                let origin = if folded { self.text.source_span(span.clone()) } else { span.clone() };
                let sentence = if folded { self.folded_sentence(span.start) } else { self.raw_sentence(span.start) };
                ((origin, reason), (span.start, span.end), sentence, term)
            })
            .collect();
        all.sort_by_key(|(_, place, _, term)| (*place, *term));
        all
    }

    fn spans(&self, leaf: &Matcher) -> (bool, Vec<(Range<usize>, usize)>) {
        let side = |folded: bool| if folded { self.text.text() } else { self.source };
        let fold = |term: &String, folded: bool| if folded { term.to_lowercase() } else { term.clone() };
        match leaf {
            Matcher::Keyword { keywords, case_insensitive, whole_words, .. } => {
                let text = side(*case_insensitive);
                let glued = |c: char| c.is_alphanumeric() || c == '_';
                let mut spans = Vec::new();
                for (number, term) in keywords.iter().enumerate() {
                    let term = fold(term, *case_insensitive);
                    for (start, _) in text.char_indices().filter(|(start, _)| text[*start..].starts_with(&term)) {
                        let end = start + term.len();
                        let is_glued = text[..start].ends_with(glued) || text[end..].starts_with(glued);
                        if !(*whole_words && is_glued) {
                            spans.push((start..end, number));
                        }
                    }
                }
                (*case_insensitive, spans)
            }
            Matcher::Prefix { prefixes, case_insensitive } => {
                let terms = prefixes.iter().map(|term| fold(term, *case_insensitive)).enumerate();
                let text = side(*case_insensitive);
                let spans = terms.filter(|(_, term)| text.starts_with(term)).map(|(n, term)| (0..term.len(), n));
                (*case_insensitive, spans.collect())
            }
            Matcher::Regex { pattern, case_insensitive } => {
                let flags = if *case_insensitive { "(?i)" } else { "" };
                let regex = meta::Regex::new(&format!("{flags}(?:{pattern})")).unwrap();
                let found = regex.find_iter(side(*case_insensitive)).filter(|found| !found.is_empty());
                (*case_insensitive, found.map(|found| (found.range(), 0)).collect())
            }
            Matcher::Entropy { charset, threshold, min_length } => {
                let runs = entropy::runs(self.source.as_bytes(), *charset);
                let is_random = |run: &Range<usize>| {
                    run.len() >= *min_length && entropy::bits(&self.source.as_bytes()[run.clone()]) > *threshold
                };
                (false, runs.filter(is_random).map(|run| (run, 0)).collect())
            }
            other => panic!("not a leaf: {other:?}"),
        }
    }

    fn folded_sentence(&self, at: usize) -> usize {
        self.text.sentences().iter().filter(|sentence| sentence.start <= at).count().saturating_sub(1)
    }

    fn raw_sentence(&self, at: usize) -> usize {
        let mut sentence = 0;
        let mut last = None;
        for (number, range) in self.text.sentences().iter().enumerate() {
            let part = self.text.parts().iter().find(|part| part.range.end > range.start).unwrap();
            let start = self.text.source_span(range.clone()).start;
            let is_in_place = matches!(part.kind, PartKind::Visible | PartKind::Comment);
            if is_in_place && last.is_none_or(|last| last < start) {
                last = Some(start);
                if start <= at || sentence == 0 && number == 0 {
                    sentence = number;
                }
            }
        }
        sentence
    }

    /// What is reported for a matcher, with whether there is more; none if it does not match.
    fn report(&self, matcher: &Matcher, sentences: Sentences) -> Option<(Vec<Found>, bool)> {
        match matcher {
            Matcher::Compound { operator: Operator::And, matchers } => {
                let first = |part| self.first(part, sentences.clone());
                Some((matchers.iter().map(first).collect::<Option<Vec<_>>>()?, false))
            }
            Matcher::Compound { operator: Operator::Or, matchers } => {
                matchers.iter().find_map(|part| self.report(part, sentences.clone()))
            }
            Matcher::Score { threshold, window, signals } => {
                let all = self.text.sentences().len().max(1);
                let range = sentences.clone().unwrap_or(0..all);
                if *window == Window::Text {
                    return Some((vec![self.score(*threshold, signals, sentences, false)?], false));
                }
                let mut found = Vec::new();
                let mut at = range.start;
                while at < range.end {
                    let pair = at..(at + 2).min(range.end);
                    let score = self.score(*threshold, signals, Some(pair), true);
                    at += if score.is_some() { 2 } else { 1 };
                    found.extend(score);
                }
                let has_more = found.len() > LISTED;
                found.truncate(LISTED);
                (!found.is_empty()).then_some((found, has_more))
            }
            leaf => self.report_leaf(leaf, sentences),
        }
    }

    fn report_leaf(&self, leaf: &Matcher, sentences: Sentences) -> Option<(Vec<Found>, bool)> {
        let mut all = self.occurrences(leaf);
        all.retain(|(_, _, sentence, _)| sentences.as_ref().is_none_or(|range| range.contains(sentence)));
        if let Matcher::Keyword { keywords, mode: MatchMode::All, .. } = leaf
            && !(0..keywords.len()).all(|term| all.iter().any(|found| found.3 == term))
        {
            return None;
        }
        if matches!(leaf, Matcher::Keyword { .. } | Matcher::Prefix { .. }) {
            let mut terms = std::collections::BTreeSet::new();
            all.retain(|found| terms.insert(found.3));
            return (!all.is_empty()).then(|| (all.into_iter().map(|found| found.0).collect(), false));
        }
        let has_more = all.len() > LISTED;
        all.truncate(LISTED);
        (!all.is_empty()).then(|| (all.into_iter().map(|found| found.0).collect(), has_more))
    }

    fn first(&self, matcher: &Matcher, sentences: Sentences) -> Option<Found> {
        match matcher {
            Matcher::Compound { operator: Operator::Or, matchers } => {
                matchers.iter().find_map(|part| self.first(part, sentences.clone()))
            }
            Matcher::Compound { .. } => {
                self.report(matcher, sentences)?.0.into_iter().min_by_key(|(span, _)| (span.start, span.end))
            }
            // What comes first in the text that it is matched against, and the first pair of sentences.
            _ => self.report(matcher, sentences)?.0.into_iter().next(),
        }
    }

    fn score(
        &self,
        threshold: f64,
        signals: &[crate::rule::Signal],
        sentences: Sentences,
        covers: bool,
    ) -> Option<Found> {
        let counted: Vec<Counted> = signals
            .iter()
            .filter_map(|signal| {
                let (span, _) = self.first(&signal.matcher, sentences.clone())?;
                Some(Counted { name: signal.name.clone(), weight: signal.weight, span })
            })
            .collect();
        let sum: f64 = counted.iter().map(|signal| signal.weight).sum();
        if counted.is_empty() || sum < threshold {
            return None;
        }
        let most = counted.iter().map(|signal| signal.weight).fold(f64::MIN, f64::max);
        let mut span = counted.iter().find(|signal| signal.weight == most)?.span.clone();
        if covers {
            for signal in counted.iter().filter(|signal| signal.weight > 0.0) {
                span = span.start.min(signal.span.start)..span.end.max(signal.span.end);
            }
        }
        Some((span, Reason::Score { sum, threshold, signals: counted }))
    }
}
