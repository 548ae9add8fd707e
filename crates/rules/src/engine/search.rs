//! One regular expression, compiled to take little memory.
//!
//! Texts reach an expression only after its literals were found, so it carries no search for literals of its own.
//! Whether there is a match is mostly all that is asked. The way back from the end of a match to its start is found by
//! a slower simulation, and in long texts by an automaton that is built when it is first needed.

use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::nfa::thompson::pikevm::{self, PikeVM};
use regex_automata::nfa::thompson::{self, BuildError, WhichCaptures};
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::Hir;

use crate::limits;

/// What a search may remember. With less, large expressions forget their states as fast as they find them.
const CACHE_BYTES: usize = 4 << 20;
/// Longer matches are not bounded: looking back that far would cost more than it saves.
const LONGEST: usize = 4 << 10;

/// The slow way back is faster than building an automaton up to about this many bytes.
const FAR: usize = 128;

/// A compiled expression.
pub(super) struct Search {
    /// Finds where a match ends. It gives up on Unicode word boundaries beside characters beyond ASCII.
    ends: Option<DFA>,
    /// Finds matches whole, slowly.
    whole: PikeVM,
    /// The most bytes that a match can have, where that is known.
    longest: Option<usize>,
}

/// The most bytes that a match of an expression can have, where that is known and not too much.
pub(super) fn longest(hir: &Hir) -> Option<usize> {
    hir.properties().maximum_len().filter(|longest| *longest <= LONGEST)
}

/// What a search writes to.
pub(super) struct SearchCache {
    ends: Option<dfa::Cache>,
    whole: pikevm::Cache,
    starts: Starts,
}

/// Finds where a match starts whose end is known.
enum Starts {
    Unbuilt,
    Built(Box<(DFA, dfa::Cache)>),
    Impossible,
}

impl Search {
    /// Compiles an expression.
    pub(super) fn new(hir: &Hir) -> Result<Self, Box<BuildError>> {
        let config = thompson::Config::new()
            .which_captures(WhichCaptures::Implicit)
            .nfa_size_limit(Some(limits::PATTERN_COMPILED_BYTES));
        let nfa = thompson::Compiler::new().configure(config).build_from_hir(hir)?;
        let config = DFA::config()
            .match_kind(MatchKind::LeftmostFirst)
            .unicode_word_boundary(true)
            .cache_capacity(CACHE_BYTES)
            .skip_cache_capacity_check(true);
        let ends = DFA::builder().configure(config).build_from_nfa(nfa.clone()).ok();
        Ok(Self { ends, whole: PikeVM::new_from_nfa(nfa)?, longest: longest(hir) })
    }

    /// The most bytes that a match can have, where that is known.
    pub(super) const fn longest(&self) -> Option<usize> {
        self.longest
    }

    /// What a search needs.
    pub(super) fn cache(&self) -> SearchCache {
        let ends = self.ends.as_ref().map(DFA::create_cache);
        SearchCache { ends, whole: self.whole.create_cache(), starts: Starts::Unbuilt }
    }

    /// Whether there is a match within a stretch of the text.
    pub(super) fn is_in(&self, cache: &mut SearchCache, text: &str, (from, to): (usize, usize)) -> bool {
        let input = Input::new(text).span(from..to).earliest(true);
        let quick = self.ends.as_ref().zip(cache.ends.as_mut());
        match quick.map(|(ends, ends_cache)| ends.try_search_fwd(ends_cache, &input)) {
            Some(Ok(found)) => found.is_some(),
            // The slow search does without.
            Some(Err(_)) | None => self.whole.is_match(&mut cache.whole, input),
        }
    }

    /// The first match within a stretch of the text. `again` gives the expression once more.
    pub(super) fn find(
        &self,
        cache: &mut SearchCache,
        text: &str,
        (from, to): (usize, usize),
        again: impl FnOnce() -> Option<Hir>,
    ) -> Option<(usize, usize)> {
        let mut input = Input::new(text).span(from..to);
        if let (Some(ends), Some(ends_cache)) = (&self.ends, &mut cache.ends)
            && let Ok(found) = ends.try_search_fwd(ends_cache, &input)
        {
            let end = found?.offset();
            let earliest = self.longest.map_or(from, |longest| end.saturating_sub(longest).max(from));
            input.set_span(text.floor_char_boundary(earliest)..end);
            if end - earliest > FAR
                && let Some(start) = cache.starts.find(&input, again)
            {
                return Some((start, end));
            }
        }
        self.whole.find(&mut cache.whole, input).map(|found| (found.start(), found.end()))
    }

    /// Heap bytes.
    pub(super) fn memory(&self) -> usize {
        let ends = self.ends.as_ref().map_or(0, DFA::memory_usage);
        ends + self.whole.get_nfa().memory_usage()
    }
}

impl Starts {
    fn find(&mut self, input: &Input<'_>, again: impl FnOnce() -> Option<Hir>) -> Option<usize> {
        if matches!(self, Self::Unbuilt) {
            *self = again()
                .and_then(|hir| backwards(&hir))
                .map_or(Self::Impossible, |starts| Self::Built(Box::new(starts)));
        }
        let Self::Built(starts) = self else {
            return None;
        };
        let (starts, cache) = &mut **starts;
        let input = input.clone().anchored(Anchored::Yes);
        starts.try_search_rev(cache, &input).ok().flatten().map(|found| found.offset())
    }
}

fn backwards(hir: &Hir) -> Option<(DFA, dfa::Cache)> {
    let config = thompson::Config::new().reverse(true).which_captures(WhichCaptures::None);
    let nfa = thompson::Compiler::new().configure(config).build_from_hir(hir).ok()?;
    let config = DFA::config()
        .match_kind(MatchKind::All)
        .unicode_word_boundary(true)
        .cache_capacity(CACHE_BYTES)
        .skip_cache_capacity_check(true);
    let starts = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
    let cache = starts.create_cache();
    Some((starts, cache))
}
