//! One text against all leaves that its field's rules need: what literals, runs of characters and models tell.
//!
//! What it finds stands in the scratch afterwards, with the rules that are worth deciding.
#![expect(clippy::indexing_slicing, reason = "a kernel over tables whose numbers the compiler gave out")]

use super::compile::Compiled;
use super::entropy::{bits, runs};
use super::judge::Judges;
use super::leaf::{Side, TermPlace, Test};
use super::literals::Role;
use super::plan::Plan;
use super::scratch::{Heard, Hit, Scratch, Status};
use super::{LISTED, TEXT_BYTES, required};
use crate::normalise::{Normalised, PartKind};
use crate::rule::Charset;

/// Places around which an expression searches; with more it searches the whole text once.
const NEAR_PLACES: usize = 512;

// A place in a text is kept in 32 bits.
const _: () = assert!(TEXT_BYTES < u32::MAX as usize);

/// One text on its way through the leaves.
pub(super) struct Scan<'a> {
    pub(super) compiled: &'a Compiled,
    pub(super) plan: &'a Plan,
    pub(super) scratch: &'a mut Scratch,
    /// The folded text and the text as written, no longer than the limit.
    pub(super) texts: [&'a str; 2],
    pub(super) normalised: &'a Normalised,
}

impl Scan<'_> {
    /// Finds the leaves that match or may match, and the rules that are worth deciding, in order.
    pub(super) fn run(&mut self, judges: &Judges, own_name: &str) {
        self.place_sentences();
        for side in Side::BOTH {
            self.find_literals(side);
            self.find_always(side);
        }
        for charset in [Charset::Base64, Charset::Hex] {
            self.find_random(charset);
        }
        self.ask_models(judges, own_name);
        self.finish();
    }

    /// Where sentences start in the original. Decoded parts are left out: they stand at the end of the folded text but
    /// come from its middle.
    fn place_sentences(&mut self) {
        if !self.plan.is_windowed[Side::Raw.index()] {
            return;
        }
        let mut parts = self.normalised.parts().iter().peekable();
        for (number, sentence) in (0..).zip(self.normalised.sentences()) {
            while parts.next_if(|part| part.range.end <= sentence.start).is_some() {}
            let is_in_place = |kind| matches!(kind, PartKind::Visible | PartKind::Comment);
            if parts.peek().is_some_and(|part| !is_in_place(part.kind)) {
                continue;
            }
            let start = self.normalised.source_span(sentence.clone()).start;
            if self.scratch.sentences.last().is_none_or(|(last, _)| *last < start) {
                self.scratch.sentences.push((start, number));
            }
        }
    }

    fn sentence_of(&self, side: Side, at: usize) -> u32 {
        match side {
            Side::Folded => {
                let after = self.normalised.sentences().partition_point(|sentence| sentence.start <= at);
                after.saturating_sub(1) as u32
            }
            Side::Raw => {
                let after = self.scratch.sentences.partition_point(|(start, _)| *start <= at);
                self.scratch.sentences.get(after.saturating_sub(1)).map_or(0, |(_, number)| *number)
            }
        }
    }

    fn find_literals(&mut self, side: Side) {
        if self.plan.literals[side.index()] {
            let compiled = self.compiled;
            let text = self.texts[side.index()];
            if side == Side::Raw
                && !text.is_ascii()
                && text.contains(required::DISGUISED.map(|(disguised, _)| disguised))
            {
                self.open_gates();
            }
            compiled.literals[side.index()].scan(text.as_bytes(), |row, end| self.take_literal(side, row, end));
        }
    }

    /// Lets all expressions run that require literals, for a text in which these may be disguised.
    fn open_gates(&mut self) {
        let plan = self.plan;
        for &leaf in &plan.gated_raw {
            let state = self.scratch.leaves[leaf as usize].at(self.scratch.epoch);
            state.gates = u8::MAX;
            state.is_near_full = true;
            state.status = Status::Possible;
            self.scratch.possible.push(leaf);
        }
    }

    fn take_literal(&mut self, side: Side, number: usize, end: usize) {
        if !self.plan.rows[side.index()].has(number as u32) {
            return;
        }
        let literals = &self.compiled.literals[side.index()];
        let row = &literals.rows[number];
        let seen = &mut self.scratch.literals[side.index()][number];
        let sinks = if *seen == self.scratch.epoch { row.first..row.repeat_end } else { row.first..row.end };
        *seen = self.scratch.epoch;
        let start = end - row.length;
        for (index, sink) in sinks.clone().zip(&literals.sinks[sinks]) {
            if self.plan.leaves.has(sink.leaf) {
                match sink.role {
                    Role::Term(term) => self.take_term(index, sink.leaf, term, (start, end)),
                    Role::Gate(group) => self.take_gate(sink.leaf, group, (start, end)),
                }
            }
        }
    }

    fn take_term(&mut self, sink: usize, leaf: u32, term: u32, (start, end): (usize, usize)) {
        let entry = &self.compiled.leaves[leaf as usize];
        let Test::Terms(terms) = &entry.test else {
            return;
        };
        let epoch = self.scratch.epoch;
        let side = terms.side.index();
        let is_first = self.scratch.sinks[side][sink].epoch != epoch;
        if !(is_first || entry.is_windowed) {
            return;
        }
        let is_case_right = || terms.terms[term as usize].as_bytes() == &self.texts[side].as_bytes()[start..end];
        let is_in_place = match terms.place {
            TermPlace::Anywhere => true,
            TermPlace::Start => start == 0,
            TermPlace::WholeWord => is_whole_word(self.texts[side], start, end),
        };
        if !is_in_place || (terms.side == Side::Raw && !is_case_right()) {
            return;
        }
        let sentence = if entry.is_windowed { self.sentence_of(terms.side, start) } else { 0 };
        let heard = &mut self.scratch.sinks[side][sink];
        if !is_first && heard.sentence == sentence {
            return;
        }
        *heard = Heard { epoch, sentence };
        let state = self.scratch.leaves[leaf as usize].at(epoch);
        state.hits.push(Hit { sentence, start: start as u32, end: end as u32, term, is_listed: is_first });
        if is_first {
            state.count += 1;
            if state.count == if terms.needs_all { terms.terms.len() } else { 1 } {
                state.status = Status::Complete;
                self.scratch.possible.push(leaf);
            }
        }
    }

    fn take_gate(&mut self, leaf: u32, group: u8, (start, end): (usize, usize)) {
        let Test::Pattern(pattern) = &self.compiled.leaves[leaf as usize].test else {
            return;
        };
        let state = self.scratch.leaves[leaf as usize].at(self.scratch.epoch);
        if group == 0 && !state.is_near_full {
            if state.near.len() < NEAR_PLACES && pattern.longest.is_some() {
                state.near.push((start as u32, end as u32));
            } else {
                state.is_near_full = true;
            }
        }
        let gate = 1 << group;
        if state.gates & gate == 0 {
            state.gates |= gate;
            if state.gates.count_ones() == u32::from(pattern.groups) {
                state.status = Status::Possible;
                self.scratch.possible.push(leaf);
            }
        }
    }

    /// Finds the expressions that require no literal and may match.
    fn find_always(&mut self, side: Side) {
        let leaves = &self.plan.always[side.index()];
        if leaves.is_empty() {
            return;
        }
        let text = self.texts[side.index()];
        let is_ascii = text.is_ascii();
        let together = self.compiled.together[side.index()].as_ref();
        let mut joined = 0_usize;
        for &leaf in leaves {
            if !(is_ascii && self.needs_beyond_ascii(leaf)) {
                match together {
                    Some(together) if together.has(leaf) => joined += 1,
                    _ => self.scratch.may_match(leaf),
                }
            }
        }
        if let Some(together) = together.filter(|_| joined > 0) {
            let mut cache = self.scratch.together[side.index()].take().unwrap_or_else(|| together.cache());
            together.search(&mut cache, text, |leaf| {
                if self.plan.leaves.has(leaf) {
                    self.scratch.may_match(leaf);
                }
            });
            self.scratch.together[side.index()] = Some(cache);
        }
    }

    fn needs_beyond_ascii(&self, leaf: u32) -> bool {
        matches!(&self.compiled.leaves[leaf as usize].test, Test::Pattern(pattern) if pattern.needs_beyond_ascii)
    }

    /// Notes a match of a leaf; matches come in order. Says whether further ones matter.
    pub(super) fn record(&mut self, leaf: u32, side: Side, (start, end): (usize, usize)) -> bool {
        let is_windowed = self.compiled.leaves[leaf as usize].is_windowed;
        let sentence = if is_windowed { self.sentence_of(side, start) } else { 0 };
        let state = self.scratch.leaves[leaf as usize].at(self.scratch.epoch);
        let is_listed = state.count < LISTED;
        if is_listed || (is_windowed && state.hits.last().is_none_or(|last| last.sentence != sentence)) {
            state.hits.push(Hit { sentence, start: start as u32, end: end as u32, term: 0, is_listed });
        }
        if is_listed {
            state.count += 1;
            if state.status == Status::Absent {
                state.status = Status::Complete;
                self.scratch.possible.push(leaf);
            }
            return true;
        }
        state.has_more = true;
        is_windowed
    }

    fn find_random(&mut self, charset: Charset) {
        let (compiled, plan) = (self.compiled, self.plan);
        let tests = || {
            plan.entropy.iter().filter_map(|&leaf| match &compiled.leaves[leaf as usize].test {
                Test::Entropy(entropy) if entropy.charset == charset => Some((leaf, entropy)),
                _ => None,
            })
        };
        let Some(shortest) = tests().map(|(_, entropy)| entropy.min_length).min() else {
            return;
        };
        let text = self.texts[Side::Raw.index()];
        for run in runs(text.as_bytes(), charset).filter(|run| run.len() >= shortest) {
            let bits = bits(&text.as_bytes()[run.clone()]);
            for (leaf, entropy) in tests() {
                if run.len() >= entropy.min_length && bits > entropy.threshold {
                    self.record(leaf, Side::Raw, (run.start, run.end));
                }
            }
        }
    }

    fn ask_models(&mut self, judges: &Judges, own_name: &str) {
        let plan = self.plan;
        for &leaf in &plan.models {
            let Test::Model(name) = &self.compiled.leaves[leaf as usize].test else {
                continue;
            };
            let judgement = judges.get(name).and_then(|judge| judge.judge(self.normalised, own_name));
            if let Some(judgement) = &judgement {
                let text = self.texts[Side::Folded.index()];
                let start = text.floor_char_boundary(judgement.span.start);
                let end = text.ceil_char_boundary(judgement.span.end.max(start));
                self.record(leaf, Side::Folded, (start, end));
            }
            self.scratch.judgements[leaf as usize] = judgement;
        }
    }

    /// Lists the rules to decide.
    fn finish(&mut self) {
        let scratch = &mut *self.scratch;
        for &leaf in &scratch.possible {
            for &rule in &self.compiled.leaves[leaf as usize].rules {
                if self.plan.rules.has(rule) && scratch.rules[rule as usize] != scratch.epoch {
                    scratch.rules[rule as usize] = scratch.epoch;
                    scratch.candidates.push(rule);
                }
            }
        }
        scratch.candidates.sort_unstable();
    }
}

fn is_whole_word(text: &str, start: usize, end: usize) -> bool {
    let glues = |c: char| c.is_alphanumeric() || c == '_';
    !text[..start].chars().next_back().is_some_and(glues) && !text[end..].chars().next().is_some_and(glues)
}
