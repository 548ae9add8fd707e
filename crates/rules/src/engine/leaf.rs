//! Leaf matchers: everything that looks at the text itself. Rules share equal ones.

use super::search::Search;
use crate::rule::Charset;

/// Which text a matcher reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Side {
    /// The folded text.
    Folded = 0,
    /// The text as written.
    Raw = 1,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::Folded, Self::Raw];

    pub(super) const fn of(case_insensitive: bool) -> Self {
        if case_insensitive { Self::Folded } else { Self::Raw }
    }

    pub(super) const fn index(self) -> usize {
        self as usize
    }
}

/// One leaf and who depends on it.
pub(super) struct Leaf {
    pub(super) test: Test,
    /// The rules that it is a part of, ascending.
    pub(super) rules: Vec<u32>,
    /// Whether some rule asks in which sentence it matched.
    pub(super) is_windowed: bool,
}

/// What a leaf looks for.
pub(super) enum Test {
    Terms(Terms),
    Pattern(Box<Pattern>),
    Entropy(Entropy),
    Model(String),
}

impl Test {
    /// Which text it reads.
    pub(super) const fn side(&self) -> Side {
        match self {
            Self::Terms(terms) => terms.side,
            Self::Pattern(pattern) => pattern.side,
            Self::Entropy(_) => Side::Raw,
            Self::Model(_) => Side::Folded,
        }
    }
}

/// Keywords or prefixes.
pub(super) struct Terms {
    /// As their rule writes them.
    pub(super) terms: Vec<String>,
    pub(super) side: Side,
    pub(super) place: TermPlace,
    /// Whether every term must occur.
    pub(super) needs_all: bool,
}

/// Where a term counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TermPlace {
    /// Anywhere.
    Anywhere,
    /// Between word boundaries.
    WholeWord,
    /// Where the text starts.
    Start,
}

/// A regular expression.
pub(super) struct Pattern {
    /// As its rule writes it.
    pub(super) pattern: String,
    pub(super) side: Side,
    /// For stretches of ASCII text, which most are.
    pub(super) search: Search,
    /// The most bytes that a match can have in any text, where that is known.
    pub(super) longest: Option<usize>,
    /// How many groups of literals must occur before it is worth running; with none it runs on every text.
    pub(super) groups: u8,
    /// It asks for word boundaries.
    pub(super) has_words: bool,
    /// No text of ASCII alone matches.
    pub(super) needs_beyond_ascii: bool,
}

/// A run of characters that looks random.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Entropy {
    pub(super) charset: Charset,
    pub(super) threshold: f64,
    pub(super) min_length: usize,
}

/// A rule's logic over leaves.
#[derive(Debug)]
pub(super) enum Node {
    Leaf(u32),
    All(Vec<Node>),
    Any(Vec<Node>),
    Score(Score),
}

/// Weighted parts whose sum must reach a threshold.
#[derive(Debug)]
pub(super) struct Score {
    pub(super) threshold: f64,
    pub(super) by_sentence: bool,
    pub(super) signals: Vec<Signal>,
    /// All leaves below, to find the sentences worth looking at.
    pub(super) leaves: Vec<u32>,
}

/// One weighted part.
#[derive(Debug)]
pub(super) struct Signal {
    pub(super) name: String,
    pub(super) weight: f64,
    pub(super) node: Node,
}
