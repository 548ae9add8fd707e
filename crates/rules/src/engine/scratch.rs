//! What evaluation writes to, kept from text to text so that it allocates nothing for a rule.

use std::sync::Arc;

use super::always::TogetherCache;
use super::judge::Judgement;
use super::search::{Search, SearchCache};

/// Working memory of an evaluation. Reusable: give the same one to every evaluation of a thread.
///
/// It fits itself to the engine that it is used with; changing engines costs a rebuild.
#[derive(Default)]
pub struct Scratch {
    /// The engine that the rest is sized for.
    pub(super) engine: Option<Arc<()>>,
    /// The number of the text. What was written for an earlier text counts as not written.
    pub(super) epoch: u32,
    /// For each side and literal, the last text that it was found in.
    pub(super) literals: [Vec<u32>; 2],
    /// For each side and sink, the last text and sentence that it was heard from.
    pub(super) sinks: [Vec<Heard>; 2],
    pub(super) leaves: Vec<LeafState>,
    pub(super) searches: Vec<Option<Box<SearchCaches>>>,
    pub(super) together: [Option<TogetherCache>; 2],
    pub(super) judgements: Vec<Option<Judgement>>,
    /// Leaves that match or may match.
    pub(super) possible: Vec<u32>,
    /// For each rule, the last text in which one of its leaves may have matched.
    pub(super) rules: Vec<u32>,
    /// The rules of this text to decide.
    pub(super) candidates: Vec<u32>,
    /// For each side, whether all words consist of ASCII; none until somebody asks.
    pub(super) has_ascii_words: [Option<bool>; 2],
    /// Where the sentences start in the original, with their numbers.
    pub(super) sentences: Vec<(usize, u32)>,
}

/// What the search for an expression writes to.
pub(super) struct SearchCaches {
    pub(super) cache: SearchCache,
    /// For stretches that go beyond ASCII, built for the first that does.
    pub(super) wide: Option<Box<(Search, SearchCache)>>,
    /// For texts whose words go beyond ASCII, built for the first that needs it.
    pub(super) foreign_words: Option<Box<ForeignWords>>,
    /// The stretches of the text to search.
    pub(super) stretches: Vec<(usize, usize)>,
}

/// An expression with word boundaries of Unicode. Its search is slow, so that without the boundaries goes first.
pub(super) struct ForeignWords {
    pub(super) exact: (Search, SearchCache),
    pub(super) loose: (Search, SearchCache),
}

/// When a sink was last heard from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Heard {
    pub(super) epoch: u32,
    pub(super) sentence: u32,
}

/// What is known of a leaf for the text at hand.
#[derive(Debug, Default)]
pub(super) struct LeafState {
    pub(super) epoch: u32,
    pub(super) status: Status,
    /// Which groups of required literals occurred, as bits.
    pub(super) gates: u8,
    /// Where literals of the first group occurred.
    pub(super) near: Vec<(u32, u32)>,
    /// They occurred too often to be listed.
    pub(super) is_near_full: bool,
    /// How many different terms occurred, or how many matches are listed.
    pub(super) count: usize,
    /// There are more matches than are listed.
    pub(super) has_more: bool,
    pub(super) hits: Vec<Hit>,
}

/// How much is known of a leaf. Expressions are searched for only as far as a rule's decision needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Status {
    /// It does not match, as far as is known.
    #[default]
    Absent,
    /// Its expression may match.
    Possible,
    /// It matches somewhere.
    Present,
    /// All its matches are noted.
    Complete,
}

/// One match of a leaf, in the text that it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    /// The sentence that it starts in.
    pub(super) sentence: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Which term it is.
    pub(super) term: u32,
    /// Whether it is reported where sentences do not matter; the others only tell that their sentence has one.
    pub(super) is_listed: bool,
}

/// The sizes that the tables of an engine need.
pub(super) struct Sizes {
    pub(super) literals: [usize; 2],
    pub(super) sinks: [usize; 2],
    pub(super) leaves: usize,
    pub(super) rules: usize,
}

impl Scratch {
    /// Starts a text.
    pub(super) fn start(&mut self, engine: &Arc<()>, sizes: impl FnOnce() -> Sizes) {
        let fits = self.engine.as_ref().is_some_and(|known| Arc::ptr_eq(known, engine));
        if !fits || self.epoch == u32::MAX {
            let sizes = sizes();
            *self = Self {
                engine: Some(Arc::clone(engine)),
                literals: sizes.literals.map(|length| vec![0; length]),
                sinks: sizes.sinks.map(|length| vec![Heard::default(); length]),
                leaves: std::iter::repeat_with(LeafState::default).take(sizes.leaves).collect(),
                searches: std::iter::repeat_with(|| None).take(sizes.leaves).collect(),
                judgements: vec![None; sizes.leaves],
                rules: vec![0; sizes.rules],
                ..Self::default()
            };
        }
        self.epoch += 1;
        self.has_ascii_words = [None; 2];
        self.possible.clear();
        self.candidates.clear();
        self.sentences.clear();
    }
}

impl Scratch {
    /// Notes that a leaf may match.
    pub(super) fn may_match(&mut self, leaf: u32) {
        if let Some(state) = self.leaves.get_mut(leaf as usize) {
            state.at(self.epoch).status = Status::Possible;
            self.possible.push(leaf);
        }
    }
}

impl LeafState {
    /// Puts matches in the order of their sentences.
    pub(super) fn sort(&mut self) {
        if !self.hits.is_sorted() {
            self.hits.sort_unstable();
        }
    }

    /// The state for this text.
    pub(super) fn at(&mut self, epoch: u32) -> &mut Self {
        if self.epoch != epoch {
            self.epoch = epoch;
            self.status = Status::Absent;
            self.gates = 0;
            self.near.clear();
            self.is_near_full = false;
            self.count = 0;
            self.has_more = false;
            self.hits.clear();
        }
        self
    }
}
