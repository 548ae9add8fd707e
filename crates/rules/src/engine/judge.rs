//! Trained text models, as the engine sees them.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::normalise::Normalised;

/// A trained text model.
pub trait Judge: Send + Sync {
    /// Its judgement of a text that describes the thing called `name`, or none if the text is unsuspicious.
    fn judge(&self, text: &Normalised, name: &str) -> Option<Judgement>;
}

/// What a model found.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Where, in the folded text.
    pub span: Range<usize>,
    /// How sure it is.
    pub score: f64,
    /// The phrases that decided, each with its weight.
    pub phrases: Vec<(String, f64)>,
}

/// Models by the name that rules call them.
pub type Judges = BTreeMap<String, Box<dyn Judge>>;
