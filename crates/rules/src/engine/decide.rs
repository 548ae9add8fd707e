//! The logic of rules over the leaves that matched.

use std::cmp::Ordering;
use std::ops::Range;

use super::compile::Compiled;
use super::leaf::{Node, Score, Side, TermPlace, Test};
use super::reason::{Counted, Reason};
use super::scratch::{Hit, LeafState, Scratch};
use super::{LISTED, Match, entropy};
use crate::normalise::Normalised;

/// What a text's leaves say, ready to be asked.
pub(super) struct Decider<'a> {
    pub(super) compiled: &'a Compiled,
    pub(super) scratch: &'a Scratch,
    pub(super) source: &'a str,
    pub(super) normalised: &'a Normalised,
}

/// Sentences that a question is about, the second not included; none for the whole text.
type Sentences = Option<(u32, u32)>;

struct Found {
    span: Range<usize>,
    reason: Reason,
}

impl Found {
    fn order(&self, other: &Self) -> Ordering {
        (self.span.start, self.span.end).cmp(&(other.span.start, other.span.end))
    }
}

impl Decider<'_> {
    /// Adds the matches of a rule, by where they stand.
    pub(super) fn decide(&self, rule: u32, matches: &mut Vec<Match>) {
        let Some(Some(node)) = self.compiled.logic.get(rule as usize) else {
            return;
        };
        if !self.holds(node, None) {
            return;
        }
        let mut found = Vec::new();
        let mut has_more = self.collect(node, &mut found);
        found.sort_by(Found::order);
        found.dedup_by(|next, kept| next.span == kept.span && next.reason == kept.reason);
        has_more |= found.len() > LISTED;
        found.truncate(LISTED);
        let last = found.len().saturating_sub(1);
        matches.extend(found.into_iter().enumerate().map(|(index, found)| Match {
            rule: rule as usize,
            span: found.span,
            reason: found.reason,
            has_more: has_more && index == last,
        }));
    }

    fn holds(&self, node: &Node, sentences: Sentences) -> bool {
        match node {
            Node::Leaf(leaf) => self.leaf_holds(*leaf, sentences),
            Node::All(parts) => parts.iter().all(|part| self.holds(part, sentences)),
            Node::Any(parts) => parts.iter().any(|part| self.holds(part, sentences)),
            Node::Score(score) if score.by_sentence => {
                let (from, end) = self.bounds(sentences);
                self.reaching(score, from, end).is_some()
            }
            Node::Score(score) => self.reaches(score, sentences),
        }
    }

    fn leaf_holds(&self, leaf: u32, sentences: Sentences) -> bool {
        let Some((state, test)) = self.leaf(leaf) else {
            return false;
        };
        let wanted = match test {
            Test::Terms(terms) if terms.needs_all => terms.terms.len(),
            _ => 1,
        };
        if state.count < wanted {
            return false;
        }
        let Some(sentences) = sentences else {
            return true;
        };
        let hits = within(state, sentences);
        match wanted {
            1 => !hits.is_empty(),
            _ => (0_u32..).take(wanted).all(|term| hits.iter().any(|hit| hit.term == term)),
        }
    }

    /// A leaf's state for this text, if it matched anything at all.
    fn leaf(&self, leaf: u32) -> Option<(&LeafState, &Test)> {
        let state = self.scratch.leaves.get(leaf as usize).filter(|state| state.epoch == self.scratch.epoch)?;
        Some((state, &self.compiled.leaves.get(leaf as usize)?.test))
    }

    fn bounds(&self, sentences: Sentences) -> (u32, u32) {
        let all = u32::try_from(self.normalised.sentences().len()).unwrap_or(u32::MAX);
        sentences.unwrap_or((0, all.max(1)))
    }

    /// The first pair of sentences that reaches the score. Sentences far from any match are passed over: the number of
    /// steps depends on the matches, not on the length of the text.
    fn reaching(&self, score: &Score, mut from: u32, end: u32) -> Option<(u32, u32)> {
        loop {
            let next = score.leaves.iter().filter_map(|leaf| self.next_sentence(*leaf, from)).min()?;
            let start = next.saturating_sub(1).max(from);
            if next >= end {
                return None;
            }
            let pair = (start, start.saturating_add(2).min(end));
            if self.reaches(score, Some(pair)) {
                return Some(pair);
            }
            from = start + 1;
        }
    }

    fn next_sentence(&self, leaf: u32, from: u32) -> Option<u32> {
        let (state, _) = self.leaf(leaf)?;
        state.hits.get(state.hits.partition_point(|hit| hit.sentence < from)).map(|hit| hit.sentence)
    }

    fn reaches(&self, score: &Score, sentences: Sentences) -> bool {
        let mut sum = 0.0;
        let mut is_any = false;
        for signal in score.signals.iter().filter(|signal| self.holds(&signal.node, sentences)) {
            sum += signal.weight;
            is_any = true;
        }
        is_any && sum >= score.threshold
    }

    /// All that is to be reported for a part that holds; says whether there is more.
    fn collect(&self, node: &Node, found: &mut Vec<Found>) -> bool {
        match node {
            Node::Leaf(leaf) => self.collect_leaf(*leaf, found),
            Node::All(parts) => {
                found.extend(parts.iter().filter_map(|part| self.first(part, None)));
                false
            }
            Node::Any(parts) => {
                parts.iter().find(|part| self.holds(part, None)).is_some_and(|part| self.collect(part, found))
            }
            Node::Score(score) if score.by_sentence => self.collect_pairs(score, found),
            Node::Score(score) => {
                found.extend(self.explain(score, None));
                false
            }
        }
    }

    fn collect_leaf(&self, leaf: u32, found: &mut Vec<Found>) -> bool {
        let Some((state, test)) = self.leaf(leaf) else {
            return false;
        };
        found.extend(state.hits.iter().filter(|hit| hit.is_listed).map(|hit| self.found(leaf, test, *hit)));
        state.has_more
    }

    fn collect_pairs(&self, score: &Score, found: &mut Vec<Found>) -> bool {
        let (mut from, end) = self.bounds(None);
        let mut listed = 0;
        while let Some(pair) = self.reaching(score, from, end) {
            if listed == LISTED {
                return true;
            }
            listed += 1;
            found.extend(self.explain(score, Some(pair)));
            from = pair.1.max(pair.0 + 1);
        }
        false
    }

    /// The first match of a part that holds.
    fn first(&self, node: &Node, sentences: Sentences) -> Option<Found> {
        match node {
            Node::Leaf(leaf) => {
                let (state, test) = self.leaf(*leaf)?;
                let hits = sentences.map_or(state.hits.as_slice(), |sentences| within(state, sentences));
                let hit = hits.iter().min_by_key(|hit| (hit.start, hit.end, hit.term))?;
                Some(self.found(*leaf, test, *hit))
            }
            Node::All(parts) => parts.iter().filter_map(|part| self.first(part, sentences)).min_by(Found::order),
            Node::Any(parts) => self.first(parts.iter().find(|part| self.holds(part, sentences))?, sentences),
            Node::Score(score) if score.by_sentence => {
                let (from, end) = self.bounds(sentences);
                let pair = self.reaching(score, from, end)?;
                self.explain(score, Some(pair))
            }
            Node::Score(score) => self.explain(score, sentences),
        }
    }

    /// A score that was reached, with all that counted. Within sentences it covers what spoke for it; in a whole text,
    /// where that could be everything, it stands at the weightiest.
    fn explain(&self, score: &Score, sentences: Sentences) -> Option<Found> {
        let counted = score.signals.iter().filter(|signal| self.holds(&signal.node, sentences)).filter_map(|signal| {
            let span = self.first(&signal.node, sentences)?.span;
            Some(Counted { name: signal.name.clone(), weight: signal.weight, span })
        });
        let signals: Vec<Counted> = counted.collect();
        let sum = signals.iter().map(|signal| signal.weight).sum();
        let heaviest = signals.iter().rev().max_by(|a, b| a.weight.total_cmp(&b.weight))?.span.clone();
        let span = if score.by_sentence {
            let pros = signals.iter().filter(|signal| signal.weight > 0.0);
            pros.fold(heaviest, |all, signal| all.start.min(signal.span.start)..all.end.max(signal.span.end))
        } else {
            heaviest
        };
        Some(Found { span, reason: Reason::Score { sum, threshold: score.threshold, signals } })
    }

    fn found(&self, leaf: u32, test: &Test, hit: Hit) -> Found {
        let own = hit.start as usize..hit.end as usize;
        let span = match test.side() {
            Side::Folded => self.normalised.source_span(own.clone()),
            Side::Raw => own.clone(),
        };
        let reason = match test {
            Test::Terms(terms) => {
                let term = terms.terms.get(hit.term as usize).cloned().unwrap_or_default();
                if terms.place == TermPlace::Start { Reason::Prefix { term } } else { Reason::Keyword { term } }
            }
            Test::Pattern(pattern) => Reason::Regex { pattern: pattern.pattern.clone() },
            Test::Entropy(_) => {
                let run = self.source.as_bytes().get(own).unwrap_or_default();
                Reason::Entropy { bits: entropy::bits(run), length: run.len() }
            }
            Test::Model(model) => {
                let judgement = self.scratch.judgements.get(leaf as usize).and_then(Option::as_ref);
                let (score, phrases) = judgement.map_or((0.0, Vec::new()), |it| (it.score, it.phrases.clone()));
                Reason::Model { model: model.clone(), score, phrases }
            }
        };
        Found { span, reason }
    }
}

/// The hits in some sentences. Hits of leaves that are asked about sentences stand in their order.
fn within(state: &LeafState, (from, end): (u32, u32)) -> &[Hit] {
    let first = state.hits.partition_point(|hit| hit.sentence < from);
    let last = state.hits.partition_point(|hit| hit.sentence < end);
    state.hits.get(first..last).unwrap_or_default()
}
