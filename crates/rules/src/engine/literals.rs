//! All literals of one side in one automaton, and what each of them means to which leaf.

use std::collections::HashMap;

use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::contiguous;
use aho_corasick::{Anchored, MatchKind, StartKind, dfa};

/// What an occurrence of a literal means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sink {
    pub(super) leaf: u32,
    pub(super) role: Role,
}

/// The part that a literal plays for a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It is this term of the leaf.
    Term(u32),
    /// It is in this group of literals that the leaf's regular expression requires.
    Gate(u8),
}

/// Collects literals before the automaton is built.
#[derive(Debug, Default)]
pub(super) struct LiteralsBuilder {
    index: HashMap<Vec<u8>, usize>,
    /// Each literal with the sinks that want every occurrence, and those that want the first.
    rows: Vec<(Vec<u8>, Vec<Sink>, Vec<Sink>)>,
}

impl LiteralsBuilder {
    /// Adds a literal; `repeats` says that the leaf wants to hear of later occurrences too.
    pub(super) fn add(&mut self, literal: &[u8], sink: Sink, repeats: Repeats) {
        let next = self.rows.len();
        let row = *self.index.entry(literal.to_vec()).or_insert(next);
        if row == next {
            self.rows.push((literal.to_vec(), Vec::new(), Vec::new()));
        }
        if let Some((_, all, first)) = self.rows.get_mut(row) {
            let sinks = if repeats == Repeats::All { all } else { first };
            if !sinks.contains(&sink) {
                sinks.push(sink);
            }
        }
    }

    /// Builds the automaton, which takes ASCII letters in either case. In folded texts there is only one; in a text
    /// as written terms have to be compared once more, and what expressions require is known without their case.
    pub(super) fn build(self) -> Result<Literals, aho_corasick::BuildError> {
        let automaton = AnyAutomaton::build(self.rows.iter().map(|row| row.0.as_slice()))?;
        let rows = Vec::with_capacity(self.rows.len());
        let mut literals = Literals { automaton, rows, sinks: Vec::new(), texts: Vec::with_capacity(self.rows.len()) };
        for (text, all, first) in self.rows {
            let start = literals.sinks.len();
            literals.sinks.extend(all);
            let repeat_end = literals.sinks.len();
            literals.sinks.extend(first);
            literals.rows.push(Row { length: text.len(), first: start, repeat_end, end: literals.sinks.len() });
            literals.texts.push(text);
        }
        literals.sinks.shrink_to_fit();
        Ok(literals)
    }
}

/// Which occurrences of a literal matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeats {
    /// The first is enough.
    First,
    /// All.
    All,
}

/// All literals of one side.
pub(super) struct Literals {
    automaton: Option<AnyAutomaton>,
    pub(super) rows: Vec<Row>,
    pub(super) sinks: Vec<Sink>,
    texts: Vec<Vec<u8>>,
}

/// One literal.
pub(super) struct Row {
    pub(super) length: usize,
    /// Where its sinks start.
    pub(super) first: usize,
    /// Where those end that want to hear of every occurrence.
    pub(super) repeat_end: usize,
    /// Where those end that want to hear of the first.
    pub(super) end: usize,
}

impl Literals {
    /// Calls `found` with the number of the literal and the end of each occurrence, overlapping ones included.
    pub(super) fn scan(&self, text: &[u8], found: impl FnMut(usize, usize)) {
        match &self.automaton {
            None => {}
            Some(AnyAutomaton::Dfa(automaton)) => scan(automaton, text, found),
            Some(AnyAutomaton::Nfa(automaton)) => scan(automaton, text, found),
        }
    }

    /// The literals themselves.
    pub(super) fn patterns(&self) -> Vec<Vec<u8>> {
        self.texts.clone()
    }

    /// Heap bytes.
    pub(super) fn memory(&self) -> usize {
        let texts: usize = self.texts.iter().map(|text| text.capacity() + size_of::<Vec<u8>>()).sum();
        let automaton = match &self.automaton {
            None => 0,
            Some(AnyAutomaton::Dfa(automaton)) => automaton.memory_usage(),
            Some(AnyAutomaton::Nfa(automaton)) => automaton.memory_usage(),
        };
        texts + automaton + self.rows.capacity() * size_of::<Row>() + self.sinks.capacity() * size_of::<Sink>()
    }
}

/// A table of all transitions where it fits, otherwise a slower form of a tenth of the size.
enum AnyAutomaton {
    Dfa(dfa::DFA),
    Nfa(contiguous::NFA),
}

/// Bytes of literals up to which the full table is tried; it takes up to a KiB for each.
const DFA_LITERAL_BYTES: usize = 64 << 10;
/// The largest full table that is kept.
const DFA_BYTES: usize = 10 << 20;

impl AnyAutomaton {
    fn build<'a>(literals: impl Iterator<Item = &'a [u8]> + Clone) -> Result<Option<Self>, aho_corasick::BuildError> {
        let total: usize = literals.clone().map(<[u8]>::len).sum();
        if total == 0 {
            return Ok(None);
        }
        if total <= DFA_LITERAL_BYTES {
            let table = dfa::Builder::new()
                .match_kind(MatchKind::Standard)
                .start_kind(StartKind::Unanchored)
                .ascii_case_insensitive(true)
                .prefilter(false)
                .build(literals.clone())?;
            if table.memory_usage() <= DFA_BYTES {
                return Ok(Some(Self::Dfa(table)));
            }
        }
        let mut builder = contiguous::Builder::new();
        let builder = builder.match_kind(MatchKind::Standard).ascii_case_insensitive(true).prefilter(false);
        Ok(Some(Self::Nfa(builder.build(literals)?)))
    }
}

fn scan<A: Automaton>(automaton: &A, text: &[u8], mut found: impl FnMut(usize, usize)) {
    let Ok(mut state) = automaton.start_state(Anchored::No) else {
        return;
    };
    for (at, &byte) in text.iter().enumerate() {
        state = automaton.next_state(Anchored::No, state, byte);
        if automaton.is_special(state) && automaton.is_match(state) {
            for index in 0..automaton.match_len(state) {
                found(automaton.match_pattern(state, index).as_usize(), at + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_literals_and_prefixes_of_others_are_all_found() {
        let mut builder = LiteralsBuilder::default();
        for (leaf, literal) in (0..).zip(["ab", "abc", "bc", "b"]) {
            builder.add(literal.as_bytes(), Sink { leaf, role: Role::Term(0) }, Repeats::First);
        }
        let literals = builder.build().unwrap();
        let mut found = Vec::new();
        literals.scan(b"xabcab", |row, end| found.push((literals.sinks[literals.rows[row].first].leaf, end)));
        found.sort_unstable();
        assert_eq!(found, [(0, 3), (0, 6), (1, 4), (2, 4), (3, 3), (3, 6)]);
    }

    #[test]
    fn a_literal_of_two_leaves_stands_in_the_automaton_once() {
        let mut builder = LiteralsBuilder::default();
        for leaf in 0..2 {
            builder.add(b"same", Sink { leaf, role: Role::Gate(0) }, Repeats::First);
        }
        let literals = builder.build().unwrap();
        assert_eq!((literals.rows.len(), literals.sinks.len()), (1, 2));
    }

    #[test]
    fn very_many_literals_take_the_smaller_form_and_are_found_alike() {
        let mut builder = LiteralsBuilder::default();
        for leaf in 0..9_000_u32 {
            builder.add(format!("term{leaf}x").as_bytes(), Sink { leaf, role: Role::Term(0) }, Repeats::First);
        }
        let literals = builder.build().unwrap();
        assert!(matches!(literals.automaton, Some(AnyAutomaton::Nfa(_))));
        let mut found = Vec::new();
        literals.scan(b"a term4711x b", |row, end| found.push((row, end)));
        assert_eq!(found, [(4711, 11)]);
    }
}
