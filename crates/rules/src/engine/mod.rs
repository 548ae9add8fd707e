//! Compiles all rules once and evaluates texts against all of them together.
//!
//! Everything that looks at a text is a leaf, and equal leaves of different rules are one. All literals are found in
//! one pass over the folded text and one over the text as written; a regular expression runs only where the literals
//! that it requires occurred, and a rule is decided only when one of its leaves matched. So the time for a text depends
//! on what it holds and hardly on the number of rules.

mod always;
mod compile;
mod decide;
pub mod effects;
mod entropy;
mod folded;
mod judge;
mod lazy;
mod leaf;
mod literals;
mod plan;
mod reason;
mod required;
mod scan;
mod scratch;
mod search;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use tracehound_model::{Collector, NodeKind};

pub use compile::CompileError;
pub use judge::{Judge, Judgement, Judges};
pub use reason::{Counted, Reason, excerpt};
pub use scratch::Scratch;

use crate::normalise::Normalised;
use crate::rule::Rule;
use compile::Compiled;
use decide::Decider;
use leaf::{Leaf, Test};
use plan::Plans;
use scan::Scan;
use scratch::Sizes;

/// Bytes of a text that are evaluated. Far more than anything that a person or a model reads at once.
pub const TEXT_BYTES: usize = 16 << 20;

/// Matches of one rule that are reported for one text.
pub const LISTED: usize = 16;

/// A set of rules, compiled. Shared between threads; each brings its own [`Scratch`].
pub struct Engine {
    /// Sorted by id.
    rules: Vec<Rule>,
    compiled: Compiled,
    plans: Plans,
    judges: Judges,
    /// What a scratch knows the engine by.
    identity: Arc<()>,
}

/// What a text is a property of, and the text.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// Whose observation it is.
    pub collector: Collector,
    /// The kind of the node.
    pub kind: NodeKind,
    /// The key of the property.
    pub property: &'a str,
    /// What the node is called; models tell it from other names. Empty if it has no name.
    pub name: &'a str,
    /// The text as written.
    pub source: &'a str,
}

/// One match of a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// Which rule, as a position in [`Engine::rules`].
    pub rule: usize,
    /// Where, in the text as written.
    pub span: Range<usize>,
    /// Why.
    pub reason: Reason,
    /// This is the last of the rule's matches that are listed, and there are more.
    pub has_more: bool,
}

/// What the rules say of a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evaluation {
    /// By rule, then by where they stand.
    pub matches: Vec<Match>,
    /// The text is longer than [`TEXT_BYTES`] and was evaluated up to this byte of the original only.
    pub truncated_at: Option<usize>,
}

impl Engine {
    /// Compiles rules. Disabled ones are listed but take no part. `judges` are the models that rules may name.
    pub fn compile(mut rules: Vec<Rule>, judges: Judges) -> Result<Self, CompileError> {
        rules.sort_by(|a, b| a.id.cmp(&b.id));
        if let Some((rule, _)) = rules.iter().zip(rules.iter().skip(1)).find(|(a, b)| a.id == b.id) {
            return Err(CompileError::DuplicateId { id: rule.id.clone() });
        }
        let compiled = compile::compile(&rules, &judges)?;
        let plans = Plans::new(&rules, &compiled);
        Ok(Self { rules, compiled, plans, judges, identity: Arc::new(()) })
    }

    /// All rules, sorted by id.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether some rule reads this property. Texts of other fields need not be normalised at all.
    #[must_use]
    pub fn reads(&self, collector: Collector, kind: NodeKind, property: &str) -> bool {
        self.plans.find(collector, kind, property).is_some()
    }

    /// What the rules say of a field. `text` is the folded form of its source.
    pub fn evaluate(&self, scratch: &mut Scratch, field: &Field<'_>, text: &Normalised) -> Evaluation {
        let Some(plan) = self.plans.find(field.collector, field.kind, field.property) else {
            return Evaluation::default();
        };
        scratch.start(&self.identity, || self.sizes());
        let folded = cut(text.text());
        let source = cut(field.source);
        let mut scan = Scan { compiled: &self.compiled, plan, scratch, texts: [folded, source], normalised: text };
        scan.run(&self.judges, field.name);
        let mut matches = Vec::new();
        // By number, because deciding a rule writes to the scratch beside the list.
        for index in 0..scan.scratch.candidates.len() {
            let Some(&rule) = scan.scratch.candidates.get(index) else {
                break;
            };
            if scan.prepare(rule) {
                let scratch = &*scan.scratch;
                Decider { compiled: &self.compiled, scratch, source, normalised: text }.decide(rule, &mut matches);
            }
        }
        let folded_cut =
            (folded.len() < text.text().len()).then(|| text.source_span(folded.len()..text.text().len()).start);
        let source_cut = (source.len() < field.source.len()).then_some(source.len());
        Evaluation { matches, truncated_at: folded_cut.into_iter().chain(source_cut).min() }
    }

    /// Every literal that is searched for in folded texts: terms, and what expressions require.
    #[must_use]
    pub fn literals(&self) -> Vec<Vec<u8>> {
        self.compiled.literals.first().map(literals::Literals::patterns).unwrap_or_default()
    }

    /// Heap bytes of the compiled set: automata and tables.
    #[must_use]
    pub fn memory(&self) -> usize {
        let compiled = &self.compiled;
        let literals: usize = compiled.literals.iter().map(literals::Literals::memory).sum();
        let together: usize = compiled.together.iter().flatten().map(always::Together::memory).sum();
        let leaves: usize = compiled.leaves.iter().map(leaf_memory).sum();
        literals + together + leaves + self.plans.memory()
    }

    fn sizes(&self) -> Sizes {
        let [folded, raw] = &self.compiled.literals;
        Sizes {
            literals: [folded.rows.len(), raw.rows.len()],
            sinks: [folded.sinks.len(), raw.sinks.len()],
            leaves: self.compiled.leaves.len(),
            rules: self.rules.len(),
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("rules", &self.rules.len()).finish_non_exhaustive()
    }
}

fn leaf_memory(leaf: &Leaf) -> usize {
    let test = match &leaf.test {
        Test::Terms(terms) => terms.terms.iter().map(|term| term.capacity() + size_of::<String>()).sum(),
        Test::Pattern(pattern) => pattern.pattern.capacity() + pattern.search.memory(),
        Test::Entropy(_) => 0,
        Test::Model(name) => name.capacity(),
    };
    test + leaf.rules.capacity() * size_of::<u32>() + size_of::<Leaf>()
}

/// The part of a text that is evaluated.
fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(TEXT_BYTES)).unwrap_or(text)
}
