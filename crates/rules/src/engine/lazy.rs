//! Regular expressions, searched for only as far as the decision about a rule needs it.
//!
//! Most texts hold some literals of many rules, and most rules need several things to come together. So expressions
//! first count as possible; only where a rule could match if they did are they searched for, and only where it still
//! can are their matches listed.
#![expect(clippy::indexing_slicing, reason = "a kernel over tables whose numbers the compiler gave out")]

use super::folded::{self, Words, has_ascii_words};
use super::leaf::{Node, Pattern, Test};
use super::scan::Scan;
use super::scratch::{ForeignWords, SearchCaches, Status};
use super::search::{Search, SearchCache};

impl Scan<'_> {
    /// Finds out what the decision about a rule needs; says whether it can match at all.
    pub(super) fn prepare(&mut self, rule: u32) -> bool {
        let compiled = self.compiled;
        let Some(node) = &compiled.logic[rule as usize] else {
            return false;
        };
        if !self.can_hold(node) {
            return false;
        }
        let leaves = &compiled.leaves_of[rule as usize];
        for &leaf in leaves {
            if self.status(leaf) == Status::Possible {
                self.resolve(leaf);
                if self.status(leaf) == Status::Absent && !self.can_hold(node) {
                    return false;
                }
            }
        }
        for &leaf in leaves {
            if self.status(leaf) == Status::Present {
                self.complete(leaf);
            }
            if compiled.leaves[leaf as usize].is_windowed && self.status(leaf) == Status::Complete {
                self.scratch.leaves[leaf as usize].sort();
            }
        }
        true
    }

    fn status(&self, leaf: u32) -> Status {
        let state = &self.scratch.leaves[leaf as usize];
        if state.epoch == self.scratch.epoch { state.status } else { Status::Absent }
    }

    /// Whether a part would hold if everything possible matched, wherever in the text, and nothing spoke against it.
    fn can_hold(&self, node: &Node) -> bool {
        match node {
            Node::Leaf(leaf) => self.status(*leaf) != Status::Absent,
            Node::All(parts) => parts.iter().all(|part| self.can_hold(part)),
            Node::Any(parts) => parts.iter().any(|part| self.can_hold(part)),
            Node::Score(score) => {
                let can_count = score.signals.iter().filter(|signal| self.can_hold(&signal.node));
                // A sum of other order than the exact one may differ in its last digits.
                let most: f64 = can_count.map(|signal| signal.weight.max(0.0)).sum();
                most >= score.threshold - 1e-9
            }
        }
    }

    /// Finds out whether an expression matches at all.
    fn resolve(&mut self, leaf: u32) {
        let is_present =
            self.with_search(leaf, |_, lent, stretches| stretches.iter().any(|stretch| lent.is_in(*stretch)));
        let status = if is_present == Some(true) { Status::Present } else { Status::Absent };
        self.scratch.leaves[leaf as usize].at(self.scratch.epoch).status = status;
    }

    /// Lists the matches of an expression.
    fn complete(&mut self, leaf: u32) {
        self.scratch.leaves[leaf as usize].status = Status::Complete;
        self.with_search(leaf, |scan, lent, stretches| {
            for &(mut from, to) in stretches {
                while from < to {
                    let Some((start, end)) = lent.find((from, to)) else {
                        break;
                    };
                    if start == end {
                        from = lent.text.ceil_char_boundary(end + 1);
                    } else if scan.record(leaf, lent.pattern.side, (start, end)) {
                        from = end;
                    } else {
                        return;
                    }
                }
            }
        });
    }

    /// Lends an expression with its working memory and the stretches of the text to search.
    fn with_search<T>(
        &mut self,
        leaf: u32,
        run: impl FnOnce(&mut Self, &mut Lent<'_>, &[(usize, usize)]) -> T,
    ) -> Option<T> {
        let compiled = self.compiled;
        let Test::Pattern(pattern) = &compiled.leaves[leaf as usize].test else {
            return None;
        };
        let caches = self.scratch.searches[leaf as usize].take();
        let mut caches = caches.unwrap_or_else(|| {
            let cache = pattern.search.cache();
            Box::new(SearchCaches { cache, wide: None, foreign_words: None, stretches: Vec::new() })
        });
        self.find_stretches(leaf, pattern, &mut caches.stretches);
        let has_ascii_words = self.words(pattern) == Words::Ascii;
        if !has_ascii_words && caches.foreign_words.is_none() {
            caches.foreign_words = foreign_words(pattern).map(Box::new);
        }
        let text = self.texts[pattern.side.index()];
        let SearchCaches { cache, wide, foreign_words, stretches } = &mut *caches;
        let foreign_words = foreign_words.as_deref_mut().filter(|_| !has_ascii_words);
        let mut lent = Lent { pattern, text, cache, wide, foreign_words };
        let result = run(self, &mut lent, stretches);
        self.scratch.searches[leaf as usize] = Some(caches);
        Some(result)
    }

    /// The word boundaries that an expression needs in this text.
    fn words(&mut self, pattern: &Pattern) -> Words {
        let text = self.texts[pattern.side.index()];
        let known = &mut self.scratch.has_ascii_words[pattern.side.index()];
        if !pattern.has_words || *known.get_or_insert_with(|| has_ascii_words(text)) {
            Words::Ascii
        } else {
            Words::Unicode
        }
    }

    /// The stretches of the text that hold every match: around the required literals where a match has a longest
    /// length, and otherwise the whole text. Stretches that touch are one, so a match never depends on where one ends.
    fn find_stretches(&mut self, leaf: u32, pattern: &Pattern, stretches: &mut Vec<(usize, usize)>) {
        let text = self.texts[pattern.side.index()];
        stretches.clear();
        let state = self.scratch.leaves[leaf as usize].at(self.scratch.epoch);
        let Some(longest) = pattern.longest.filter(|_| !state.is_near_full && !state.near.is_empty()) else {
            stretches.push((0, text.len()));
            return;
        };
        // Between ASCII characters alone a match is shorter than where each may have four bytes.
        let shorter = pattern.search.longest().unwrap_or(longest);
        for &(start, end) in &state.near {
            let around = |longest: usize| {
                let from = text.floor_char_boundary((end as usize).saturating_sub(longest));
                (from, text.ceil_char_boundary(start as usize + longest))
            };
            let stretch = around(longest);
            stretches.push(if is_ascii_around(text, stretch) { around(shorter) } else { stretch });
        }
        stretches.sort_unstable();
        stretches.dedup_by(|next, kept| {
            let touches = next.0 <= kept.1;
            if touches {
                kept.1 = kept.1.max(next.1);
            }
            touches
        });
    }
}

/// An expression that is searched for in one text, by the automaton that fits each stretch of it.
struct Lent<'l> {
    pattern: &'l Pattern,
    text: &'l str,
    cache: &'l mut SearchCache,
    wide: &'l mut Option<Box<(Search, SearchCache)>>,
    /// There only where the words of the text go beyond ASCII.
    foreign_words: Option<&'l mut ForeignWords>,
}

impl Lent<'_> {
    fn is_in(&mut self, stretch: (usize, usize)) -> bool {
        let text = self.text;
        if is_ascii_around(text, stretch) {
            return self.pattern.search.is_in(self.cache, text, stretch);
        }
        match &mut self.foreign_words {
            Some(ForeignWords { exact, loose }) => {
                loose.0.is_in(&mut loose.1, text, stretch) && exact.0.is_in(&mut exact.1, text, stretch)
            }
            None => self.wide().is_some_and(|wide| wide.0.is_in(&mut wide.1, text, stretch)),
        }
    }

    fn find(&mut self, stretch: (usize, usize)) -> Option<(usize, usize)> {
        let (text, pattern) = (self.text, self.pattern);
        let again = |words| folded::parsed(&pattern.pattern, pattern.side, words).ok();
        if is_ascii_around(text, stretch) {
            let again = || again(Words::Ascii).map(|hir| folded::within_ascii(&hir));
            return pattern.search.find(self.cache, text, stretch, again);
        }
        match &mut self.foreign_words {
            Some(ForeignWords { exact, loose }) => {
                let is_near = loose.0.is_in(&mut loose.1, text, stretch);
                is_near.then(|| exact.0.find(&mut exact.1, text, stretch, || again(Words::Unicode))).flatten()
            }
            None => {
                let (search, cache) = self.wide()?;
                search.find(cache, text, stretch, || again(Words::Ascii))
            }
        }
    }

    fn wide(&mut self) -> Option<&mut (Search, SearchCache)> {
        if self.wide.is_none() {
            *self.wide = searching(self.pattern, Words::Ascii).map(Box::new);
        }
        self.wide.as_deref_mut()
    }
}

/// Whether a stretch and the characters on either side of it, which word boundaries look at, are ASCII.
fn is_ascii_around(text: &str, (from, to): (usize, usize)) -> bool {
    text.as_bytes()[from.saturating_sub(1)..text.len().min(to + 1)].is_ascii()
}

fn searching(pattern: &Pattern, words: Words) -> Option<(Search, SearchCache)> {
    let hir = folded::parsed(&pattern.pattern, pattern.side, words).ok()?;
    let search = Search::new(&hir).ok()?;
    let cache = search.cache();
    Some((search, cache))
}

fn foreign_words(pattern: &Pattern) -> Option<ForeignWords> {
    Some(ForeignWords { exact: searching(pattern, Words::Unicode)?, loose: searching(pattern, Words::Ignored)? })
}
