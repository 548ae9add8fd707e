//! From rules to leaves, literals and logic.

use std::collections::HashMap;

use regex_automata::nfa::thompson;
use regex_syntax::hir::Hir;
use thiserror::Error;

use super::always::Together;
use super::folded::{self, Words};
use super::judge::Judges;
use super::leaf::{Entropy, Leaf, Node, Pattern, Score, Side, Signal, TermPlace, Terms, Test};
use super::literals::{Literals, LiteralsBuilder, Repeats, Role, Sink};
use super::required;
use super::search::{Search, longest};
use crate::limits;
use crate::normalise::{Normaliser, PartKind, Vocabulary};
use crate::rule::{self, MatchMode, Matcher, Operator, Rule, Window};

/// Matchers within each other, as evaluation goes down once for each. Only rules that no reader checked get here.
const DEPTH: usize = 2 * limits::MATCHER_DEPTH;

/// A set of rules can not be compiled.
#[derive(Debug, Error)]
pub enum CompileError {
    /// Two rules have the same id.
    #[error("two rules have the id `{id}`")]
    DuplicateId {
        /// The id.
        id: String,
    },
    /// A pattern is not a regular expression.
    #[error("rule `{rule}`: `{pattern}` is not a regular expression")]
    Syntax {
        /// The rule.
        rule: String,
        /// Its pattern.
        pattern: String,
        /// What is wrong with it.
        source: Box<regex_syntax::Error>,
    },
    /// A pattern is too big.
    #[error("rule `{rule}`: `{pattern}` can not be compiled")]
    Pattern {
        /// The rule.
        rule: String,
        /// Its pattern.
        pattern: String,
        /// The reason.
        source: Box<thompson::BuildError>,
    },
    /// Nothing is left of a term once it is folded.
    #[error("rule `{rule}`: nothing is left of the term `{term}` when case is ignored")]
    BlankTerm {
        /// The rule.
        rule: String,
        /// Its term.
        term: String,
    },
    /// Matchers are nested too deeply.
    #[error("rule `{rule}`: its matchers are nested too deeply")]
    Depth {
        /// The rule.
        rule: String,
    },
    /// There is no model of this name.
    #[error("rule `{rule}` names the model `{model}`, which does not exist")]
    UnknownModel {
        /// The rule.
        rule: String,
        /// The name.
        model: String,
    },
    /// The literals of all rules together are too many.
    #[error("the rules have too many terms")]
    TooManyTerms {
        /// The reason.
        source: aho_corasick::BuildError,
    },
}

/// All enabled rules, compiled.
pub(super) struct Compiled {
    pub(super) leaves: Vec<Leaf>,
    /// The leaves of each rule, ascending.
    pub(super) leaves_of: Vec<Vec<u32>>,
    /// The logic of each rule; none for rules that take no part.
    pub(super) logic: Vec<Option<Node>>,
    pub(super) literals: [Literals; 2],
    pub(super) together: [Option<Together>; 2],
}

/// Compiles rules, which are sorted by id.
pub(super) fn compile(rules: &[Rule], judges: &Judges) -> Result<Compiled, CompileError> {
    let mut compiler = Compiler {
        judges,
        leaves: Vec::new(),
        known: HashMap::new(),
        literals: Default::default(),
        always: Default::default(),
        words: Vocabulary::empty(),
    };
    let mut logic = Vec::with_capacity(rules.len());
    for (number, rule) in (0_u32..).zip(rules) {
        let place = Place { rule: &rule.id, number, depth: 0, is_windowed: false };
        logic.push(if rule.enabled { Some(compiler.node(place, &rule.matcher)?) } else { None });
    }
    compiler.add_literals();
    let too_many = |source| CompileError::TooManyTerms { source };
    let [folded, raw] = compiler.literals;
    let literals = [folded.build().map_err(too_many)?, raw.build().map_err(too_many)?];
    let together = compiler.always.map(Together::new);
    let leaves = compiler.leaves.into_iter().map(|(leaf, _)| leaf).collect::<Vec<_>>();
    let mut leaves_of = vec![Vec::new(); rules.len()];
    for (number, leaf) in (0_u32..).zip(&leaves) {
        for &rule in &leaf.rules {
            if let Some(list) = leaves_of.get_mut(rule as usize) {
                list.push(number);
            }
        }
    }
    Ok(Compiled { leaves, leaves_of, logic, literals, together })
}

/// The literals of a leaf, each with the part that it plays.
type LeafLiterals = Vec<(Vec<u8>, Role)>;

struct Compiler<'a> {
    judges: &'a Judges,
    /// Each leaf with the literals that it looks for.
    leaves: Vec<(Leaf, LeafLiterals)>,
    /// Leaves by what they look for.
    known: HashMap<String, u32>,
    literals: [LiteralsBuilder; 2],
    always: [Vec<(u32, Hir)>; 2],
    words: Vocabulary,
}

/// Where in the rules a matcher stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    rule: &'a str,
    number: u32,
    depth: usize,
    is_windowed: bool,
}

impl Compiler<'_> {
    fn node(&mut self, mut place: Place<'_>, matcher: &Matcher) -> Result<Node, CompileError> {
        place.depth += 1;
        if place.depth > DEPTH {
            return Err(CompileError::Depth { rule: place.rule.to_owned() });
        }
        match matcher {
            Matcher::Compound { operator, matchers } => {
                let parts = matchers.iter().map(|part| self.node(place, part)).collect::<Result<_, _>>()?;
                Ok(match operator {
                    Operator::And => Node::All(parts),
                    Operator::Or => Node::Any(parts),
                })
            }
            Matcher::Score { threshold, window, signals } => {
                place.is_windowed |= *window == Window::Sentence;
                let part = |signal: &rule::Signal| {
                    let node = self.node(place, &signal.matcher)?;
                    Ok(Signal { name: signal.name.clone(), weight: signal.weight, node })
                };
                let signals = signals.iter().map(part).collect::<Result<Vec<_>, _>>()?;
                let mut leaves = Vec::new();
                signals.iter().for_each(|signal| collect_leaves(&signal.node, &mut leaves));
                leaves.sort_unstable();
                leaves.dedup();
                let by_sentence = *window == Window::Sentence;
                Ok(Node::Score(Score { threshold: *threshold, by_sentence, signals, leaves }))
            }
            leaf => Ok(Node::Leaf(self.leaf(place, leaf)?)),
        }
    }

    /// The number of the leaf for a matcher, which equal matchers of other rules share.
    fn leaf(&mut self, place: Place<'_>, matcher: &Matcher) -> Result<u32, CompileError> {
        let key = format!("{matcher:?}");
        let number = match self.known.get(&key) {
            Some(number) => *number,
            None => {
                let (test, literals) = self.test(place, matcher)?;
                let number = u32::try_from(self.leaves.len()).unwrap_or(u32::MAX);
                self.leaves.push((Leaf { test, rules: Vec::new(), is_windowed: false }, literals));
                self.known.insert(key, number);
                number
            }
        };
        if let Some((leaf, _)) = self.leaves.get_mut(number as usize) {
            leaf.is_windowed |= place.is_windowed;
            if leaf.rules.last() != Some(&place.number) {
                leaf.rules.push(place.number);
            }
        }
        Ok(number)
    }

    fn test(&mut self, place: Place<'_>, matcher: &Matcher) -> Result<(Test, LeafLiterals), CompileError> {
        match matcher {
            Matcher::Keyword { keywords, case_insensitive, whole_words, mode } => {
                let term_place = if *whole_words { TermPlace::WholeWord } else { TermPlace::Anywhere };
                let needs_all = *mode == MatchMode::All;
                let terms = keywords.clone();
                self.terms(place, Terms { terms, side: Side::of(*case_insensitive), place: term_place, needs_all })
            }
            Matcher::Prefix { prefixes, case_insensitive } => {
                let side = Side::of(*case_insensitive);
                let terms = prefixes.clone();
                self.terms(place, Terms { terms, side, place: TermPlace::Start, needs_all: false })
            }
            Matcher::Regex { pattern, case_insensitive } => self.pattern(place, pattern, Side::of(*case_insensitive)),
            Matcher::Entropy { charset, threshold, min_length } => {
                let entropy = Entropy { charset: *charset, threshold: *threshold, min_length: *min_length };
                Ok((Test::Entropy(entropy), Vec::new()))
            }
            Matcher::Model { model } if self.judges.contains_key(model) => Ok((Test::Model(model.clone()), Vec::new())),
            Matcher::Model { model } => {
                Err(CompileError::UnknownModel { rule: place.rule.to_owned(), model: model.clone() })
            }
            Matcher::Compound { .. } | Matcher::Score { .. } => {
                Err(CompileError::Depth { rule: place.rule.to_owned() })
            }
        }
    }

    fn terms(&self, place: Place<'_>, terms: Terms) -> Result<(Test, LeafLiterals), CompileError> {
        let mut literals = Vec::with_capacity(terms.terms.len());
        for (number, term) in (0_u32..).zip(&terms.terms) {
            let literal = if terms.side == Side::Folded { self.folded(term) } else { term.clone() };
            if literal.trim().is_empty() {
                return Err(CompileError::BlankTerm { rule: place.rule.to_owned(), term: term.clone() });
            }
            literals.push((literal.into_bytes(), Role::Term(number)));
        }
        Ok((Test::Terms(terms), literals))
    }

    /// A term as it stands in folded texts. A space at either end is part of the term.
    fn folded(&self, term: &str) -> String {
        let normalised = Normaliser::new(&self.words).normalise(term);
        let is_appended = |kind| matches!(kind, PartKind::Base64 | PartKind::Percent | PartKind::Tags);
        let end = normalised.parts().iter().find(|part| is_appended(part.kind)).map(|part| part.range.start);
        let own = end.and_then(|end| normalised.text().get(..end)).unwrap_or_else(|| normalised.text()).trim();
        let space = |has: bool| if has { " " } else { "" };
        let (before, after) = (term.starts_with(char::is_whitespace), term.ends_with(char::is_whitespace));
        if own.is_empty() { String::new() } else { format!("{}{own}{}", space(before), space(after)) }
    }

    fn pattern(&mut self, place: Place<'_>, pattern: &str, side: Side) -> Result<(Test, LeafLiterals), CompileError> {
        let owned = || (place.rule.to_owned(), pattern.to_owned());
        let hir = folded::parsed(pattern, side, Words::Ascii).map_err(|source| {
            let (rule, pattern) = owned();
            CompileError::Syntax { rule, pattern, source }
        })?;
        let search = Search::new(&folded::within_ascii(&hir)).map_err(|source| {
            let (rule, pattern) = owned();
            CompileError::Pattern { rule, pattern, source }
        })?;
        let groups = required::groups(&hir);
        let compiled = Pattern {
            pattern: pattern.to_owned(),
            side,
            search,
            longest: longest(&hir),
            groups: u8::try_from(groups.len()).unwrap_or(0),
            has_words: hir.properties().look_set().contains_word(),
            needs_beyond_ascii: required::needs_beyond_ascii(&hir),
        };
        if groups.is_empty() {
            let number = u32::try_from(self.leaves.len()).unwrap_or(u32::MAX);
            let [folded, raw] = &mut self.always;
            (if side == Side::Folded { folded } else { raw }).push((number, hir));
        }
        let gates = (0_u8..)
            .zip(groups)
            .flat_map(|(group, literals)| literals.into_iter().map(move |literal| (literal, Role::Gate(group))));
        Ok((Test::Pattern(Box::new(compiled)), gates.collect()))
    }

    /// Adds the literals of all leaves, once it is known which of them are asked about sentences.
    fn add_literals(&mut self) {
        let [folded, raw] = &mut self.literals;
        for (number, (leaf, literals)) in (0_u32..).zip(&self.leaves) {
            let side = if leaf.test.side() == Side::Folded { &mut *folded } else { &mut *raw };
            for (literal, role) in literals {
                let repeats = match &leaf.test {
                    Test::Terms(terms) => {
                        terms.place == TermPlace::WholeWord || terms.side == Side::Raw || leaf.is_windowed
                    }
                    Test::Pattern(pattern) => *role == Role::Gate(0) && pattern.longest.is_some(),
                    Test::Entropy(_) | Test::Model(_) => false,
                };
                let repeats = if repeats { Repeats::All } else { Repeats::First };
                side.add(literal, Sink { leaf: number, role: *role }, repeats);
            }
        }
    }
}

fn collect_leaves(node: &Node, leaves: &mut Vec<u32>) {
    match node {
        Node::Leaf(leaf) => leaves.push(*leaf),
        Node::All(parts) | Node::Any(parts) => parts.iter().for_each(|part| collect_leaves(part, leaves)),
        Node::Score(score) => leaves.extend(&score.leaves),
    }
}
