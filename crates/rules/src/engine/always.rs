//! Regular expressions that require no literal, joined in one automaton that tells which of them match.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::{Input, MatchKind, PatternSet};
use regex_syntax::hir::Hir;

/// The states that a search may remember. Enough for dozens of expressions over ordinary text.
const CACHE_BYTES: usize = 4 << 20;
/// The largest automaton; expressions beyond it run one by one.
const AUTOMATON_BYTES: usize = 4 << 20;

/// Expressions with longer matches search by themselves.
const SIMPLE_BYTES: usize = 32;

/// Expressions of one side, searched for together.
pub(super) struct Together {
    automaton: DFA,
    leaves: Vec<u32>,
}

/// What a search writes to.
pub(super) struct TogetherCache {
    cache: Cache,
    matched: PatternSet,
}

impl Together {
    /// Joins expressions with the leaves that they belong to; none if joining gains nothing or would be too big.
    pub(super) fn new(parts: Vec<(u32, Hir)>) -> Option<Self> {
        let (leaves, expressions): (Vec<u32>, Vec<Hir>) = parts.into_iter().filter(|(_, hir)| is_simple(hir)).unzip();
        if leaves.len() < 2 {
            return None;
        }
        let config = thompson::Config::new().which_captures(WhichCaptures::None).nfa_size_limit(Some(AUTOMATON_BYTES));
        let nfa = thompson::Compiler::new().configure(config).build_many_from_hir(&expressions).ok()?;
        let config = DFA::config()
            .match_kind(MatchKind::All)
            .unicode_word_boundary(true)
            .cache_capacity(CACHE_BYTES)
            .skip_cache_capacity_check(true);
        let automaton = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
        Some(Self { automaton, leaves })
    }

    /// What a search needs.
    pub(super) fn cache(&self) -> TogetherCache {
        TogetherCache { cache: self.automaton.create_cache(), matched: PatternSet::new(self.leaves.len()) }
    }

    /// Whether a leaf is among them.
    pub(super) fn has(&self, leaf: u32) -> bool {
        self.leaves.binary_search(&leaf).is_ok()
    }

    /// Calls `found` with each leaf whose expression matches, or may match if the search broke off.
    pub(super) fn search(&self, cache: &mut TogetherCache, text: &str, mut found: impl FnMut(u32)) {
        cache.matched.clear();
        let input = Input::new(text);
        let outcome = self.automaton.try_which_overlapping_matches(&mut cache.cache, &input, &mut cache.matched);
        for (number, &leaf) in self.leaves.iter().enumerate() {
            let matched = regex_automata::PatternID::new(number).is_ok_and(|id| cache.matched.contains(id));
            if matched || outcome.is_err() {
                found(leaf);
            }
        }
    }

    /// Heap bytes.
    pub(super) fn memory(&self) -> usize {
        self.automaton.memory_usage() + self.automaton.get_nfa().memory_usage() + self.leaves.capacity() * 4
    }
}

/// Whether an expression has few states, so that joined with others it does not multiply theirs.
fn is_simple(hir: &Hir) -> bool {
    // Word boundaries are not the same in all texts.
    let is_plain = !hir.properties().look_set().contains_word();
    is_plain && hir.properties().maximum_len().is_some_and(|longest| longest <= SIMPLE_BYTES)
}
