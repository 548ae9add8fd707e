//! Names: how people say which node or which nodes they mean.
//!
//! Texts come from a person, names come from documents that anybody may have written. Nothing here is escaped for a
//! terminal; whoever prints an error does that.

mod kinds;
mod selection;
mod suggestions;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use tracehound_graph::{NodeIx, PropertyValue, View};
use tracehound_model::NodeKind;

pub use kinds::{UnknownKind, edge_kind, node_kind};
pub use selection::{Marks, SETS, Selection, Set};
pub use suggestions::Suggestions;

/// How many candidates an ambiguous name lists.
const LISTED: usize = 10;

/// How many hexadecimal digits of an id are enough to be taken for the beginning of one.
const FEWEST_DIGITS: usize = 8;

/// Properties by which a node is found when nothing is called what was asked for.
const ADDRESSES: &[&str] = &["uri", "endpoint", "url", "path", "hostname", "ip"];

/// Why no node was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfound {
    /// Nothing is called that.
    #[error("there is no node `{}`{}", flat(text), did_you_mean(suggestions))]
    Unknown {
        /// What was asked for.
        text: String,
        /// What may have been meant, the likeliest first.
        suggestions: Vec<String>,
    },
    /// Several are.
    #[error("{total} nodes are called `{}`; say which one by its id or as Kind:name{}", flat(text), listed(candidates, *total))]
    Ambiguous {
        /// What was asked for.
        text: String,
        /// The first of them, by kind and id.
        candidates: Vec<Candidate>,
        /// How many there are.
        total: usize,
    },
}

/// A node that may have been meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// What it is.
    pub kind: NodeKind,
    /// What people call it.
    pub name: String,
    /// As much of its id as is needed to name it.
    pub id: String,
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({})", self.kind, flat(&self.name), flat(&self.id))
    }
}

/// The node that a text means: by its id or the beginning of one, as `Kind:name`, by its name, or by its address.
///
/// What fits exactly comes before what fits but for the case of letters, and names come before addresses.
///
/// Growth: constant for an id, else one look at each node.
///
/// # Errors
/// When nothing fits, or several things fit equally well.
pub fn find(view: &dyn View, text: &str) -> Result<NodeIx, Unfound> {
    let text = text.trim();
    if let Some(node) = by_id(view, text) {
        return Ok(node);
    }
    let mut fitting = by_digits(view, text);
    if fitting.is_empty() {
        fitting = match of_kind(text) {
            Some((kind, rest)) => by_name(view, rest, &|node| is_called(view, node, kind)),
            None => Vec::new(),
        };
    }
    if fitting.is_empty() {
        fitting = by_name(view, text, &|_| true);
    }
    match fitting.as_slice() {
        [] => Err(Unfound::Unknown { text: text.to_owned(), suggestions: suggestions(view, text) }),
        [only] => Ok(*only),
        several => Err(Unfound::Ambiguous {
            text: text.to_owned(),
            candidates: several.iter().take(LISTED).map(|node| candidate(view, *node)).collect(),
            total: several.len(),
        }),
    }
}

/// All nodes of a view, by kind and id.
pub(crate) fn all(view: &dyn View) -> impl Iterator<Item = NodeIx> {
    (0..view.node_count() as u32).map(NodeIx).filter(|node| view.has(*node))
}

/// Whether a node is of a kind, be it only as an umbrella over its own.
fn is_called(view: &dyn View, node: NodeIx, kind: NodeKind) -> bool {
    view.labels(node) & kind.bit() != 0 || view.kind(node) == kind
}

fn by_id(view: &dyn View, text: &str) -> Option<NodeIx> {
    let node = view.find(text).or_else(|| view.find(&format!("sha256:{}", digits(text)?)))?;
    view.has(node).then_some(node)
}

/// The digits of an id or of the beginning of one, in lower case.
fn digits(text: &str) -> Option<String> {
    let digits = text.strip_prefix("sha256:").unwrap_or(text).trim_end_matches('…');
    let is_enough = digits.len() >= FEWEST_DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_enough.then(|| digits.to_ascii_lowercase())
}

fn by_digits(view: &dyn View, text: &str) -> Vec<NodeIx> {
    let Some(digits) = digits(text) else { return Vec::new() };
    let begins = |node: &NodeIx| view.id(*node).strip_prefix("sha256:").is_some_and(|id| id.starts_with(&digits));
    all(view).filter(begins).collect()
}

/// A text of the form `Kind:name`.
fn of_kind(text: &str) -> Option<(NodeKind, &str)> {
    let (kind, rest) = text.split_once(':')?;
    Some((node_kind(kind).ok()?, rest.trim()))
}

/// The nodes that a name fits best.
fn by_name(view: &dyn View, wanted: &str, is_meant: &dyn Fn(NodeIx) -> bool) -> Vec<NodeIx> {
    let mut fitting: [Vec<NodeIx>; 4] = Default::default();
    if wanted.is_empty() {
        return Vec::new();
    }
    let folded = wanted.to_lowercase();
    for node in all(view).filter(|node| is_meant(*node)) {
        let best = how_well(view, node, wanted, &folded);
        if let Some(place) = best.and_then(|best| fitting.get_mut(best)) {
            place.push(node);
        }
    }
    fitting.into_iter().find(|nodes| !nodes.is_empty()).unwrap_or_default()
}

/// How well a text fits a node: 0 its name, 1 its address, 2 and 3 the same whatever the case of letters.
fn how_well(view: &dyn View, node: NodeIx, wanted: &str, folded: &str) -> Option<usize> {
    let mut best = None;
    for (rank, key) in std::iter::once((0, &"name")).chain(ADDRESSES.iter().map(|key| (1, key))) {
        let Some(PropertyValue::Text(text)) = view.property(node, key) else { continue };
        if text == wanted {
            return Some(best.map_or(rank, |best: usize| best.min(rank)));
        }
        if is_same_folded(&text, folded) {
            best = Some(best.map_or(rank + 2, |best| best.min(rank + 2)));
        }
    }
    best
}

fn is_same_folded(text: &str, folded: &str) -> bool {
    text.chars().flat_map(char::to_lowercase).eq(folded.chars())
}

fn candidate(view: &dyn View, node: NodeIx) -> Candidate {
    Candidate { kind: view.kind(node), name: view.name(node).into_owned(), id: short_id(&view.id(node)).into_owned() }
}

/// As much of an id as people need; an id that is not of our making is shown whole.
#[must_use]
pub fn short_id(id: &str) -> Cow<'_, str> {
    match id.strip_prefix("sha256:") {
        Some(digits) if digits.len() == 64 => Cow::Owned(digits.chars().take(12).collect()),
        _ => Cow::Borrowed(id),
    }
}

fn suggestions(view: &dyn View, text: &str) -> Vec<String> {
    let kind = of_kind(text);
    let wanted = kind.map_or(text, |(_, rest)| rest);
    let mut near = Suggestions::new(wanted);
    for node in all(view).filter(|node| kind.is_none_or(|(kind, _)| is_called(view, *node, kind))) {
        near.offer(&view.name(node));
    }
    let prefix = kind.map_or_else(String::new, |(kind, _)| format!("{kind}:"));
    near.into_vec().into_iter().map(|name| format!("{prefix}{name}")).collect()
}

/// A text that can't pass for several lines.
fn flat(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r")
}

fn listed(candidates: &[Candidate], total: usize) -> String {
    let mut lines: String = candidates.iter().map(|candidate| format!("\n  {candidate}")).collect();
    if let Some(rest) = total.checked_sub(candidates.len()).filter(|rest| *rest > 0) {
        lines += &format!("\n  … and {rest} more");
    }
    lines
}

/// A question after an error: what may have been meant.
#[must_use]
pub fn did_you_mean(suggestions: &[String]) -> String {
    let quoted: Vec<String> = suggestions.iter().map(|suggestion| format!("`{}`", flat(suggestion))).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((only, [])) => format!("; did you mean {only}?"),
        Some((last, others)) => format!("; did you mean {} or {last}?", others.join(", ")),
    }
}
