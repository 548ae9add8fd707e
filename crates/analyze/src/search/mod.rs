//! Search as you type, over everything that is written of the nodes of an estate: names, ids, addresses, commands, packages,
//! descriptions and whatever else documents say of them.
//!
//! The folded text of all nodes is made once; a question is one pass over it. What fits a name better comes first, then what
//! fits an address, then anything else, and descriptions at last. Equally good ones are ordered by the length of their names
//! and then by kind and id, so that the same question always has the same answer.
//!
//! Growth: making the index is linear in the text of the estate, and holds it once more. A question is linear in the text,
//! at the speed of a search for a literal, and in what it finds; the beginning of an id is looked up in the logarithm.

mod excerpt;
mod rank;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::ops::Range;

use memchr::memmem::Finder;
use tracehound_graph::{Graph, NodeIx, PropertyValue, View as _};
use tracehound_model::NodeKind;

use crate::Picture;
pub use excerpt::excerpt;
use rank::{Class, Fit};

/// Bytes of one property that are searched: more than anything that somebody looks for by its words.
const LONGEST: usize = 16 << 10;
/// The longest text to look for, in bytes.
pub const LONGEST_QUESTION: usize = 256;
/// What separates texts; none has it in it.
const BETWEEN: char = '\0';
/// The field that a node's id is told as.
const ID: &str = "id";
/// The field that a node's name is told as, whichever property it is made of.
const NAME: &str = "name";

/// What can be searched.
#[derive(Debug)]
pub struct Index {
    /// All texts, folded, with something between them that no question has.
    text: String,
    /// By where they start.
    entries: Vec<Entry>,
    /// The entry of each node's name.
    names: Vec<u32>,
    /// The keys of properties.
    fields: Vec<String>,
    /// All ids, without what they all begin with, sorted.
    ids: Vec<(String, NodeIx)>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    start: usize,
    node: NodeIx,
    field: u16,
    class: Class,
}

/// A node that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The node.
    pub node: NodeIx,
    /// How well, from 1 to 100.
    pub score: u8,
    /// The property that fits best; `name` for what people call it, `id` for its id.
    pub field: String,
}

/// The best that fits, and how much fits in all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hits {
    /// The best, in order.
    pub best: Vec<Hit>,
    /// How many nodes fit.
    pub total: usize,
}

/// The best fit of a node so far: how well, and in which entry; the id has none.
#[derive(Debug, Clone, Copy, Default)]
struct Best {
    fit: u8,
    entry: Option<u32>,
}

impl Index {
    /// Makes the folded text of a graph and of what was derived from it.
    #[must_use]
    pub fn new(graph: &Graph, picture: &Picture<'_>) -> Self {
        let mut index =
            Self { text: String::new(), entries: Vec::new(), names: Vec::new(), fields: Vec::new(), ids: Vec::new() };
        let name = index.field(NAME);
        for node in (0..picture.node_count() as u32).map(NodeIx) {
            index.names.push(index.entries.len() as u32);
            index.add(node, name, Class::Name, &picture.name(node));
            index.ids.push((bare(&picture.id(node)).to_lowercase(), node));
            if (node.0 as usize) < graph.node_count() {
                index.add_properties(graph, node);
            }
        }
        index.ids.sort_unstable();
        index
    }

    fn add_properties(&mut self, graph: &Graph, node: NodeIx) {
        for (key, value) in graph.node(node).properties() {
            let Some(class) = Class::of(key).filter(|class| *class != Class::Name) else { continue };
            let text = match &value {
                PropertyValue::Text(text) => text.clone(),
                PropertyValue::List(_) => value.texts().collect::<Vec<_>>().join(" ").into(),
                _ => continue,
            };
            if !text.is_empty() {
                let field = self.field(key);
                self.add(node, field, class, &text);
            }
        }
    }

    fn field(&mut self, key: &str) -> u16 {
        let known = self.fields.iter().position(|field| field == key);
        let number = known.unwrap_or_else(|| {
            self.fields.push(key.to_owned());
            self.fields.len() - 1
        });
        // Keys beyond what can be numbered are told as the last that can; there are some dozens.
        u16::try_from(number).unwrap_or(u16::MAX)
    }

    fn add(&mut self, node: NodeIx, field: u16, class: Class, text: &str) {
        let text = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text);
        self.entries.push(Entry { start: self.text.len(), node, field, class });
        fold_into(&mut self.text, text);
        self.text.push(BETWEEN);
    }

    /// The nodes that fit best, of the kinds that are asked for; of all kinds if none is.
    #[must_use]
    pub fn find(&self, picture: &Picture<'_>, question: &str, kinds: &[NodeKind], limit: usize) -> Hits {
        let mut folded = String::new();
        fold_into(&mut folded, question);
        let folded = folded.trim();
        if folded.is_empty() || folded.len() > LONGEST_QUESTION {
            return Hits { best: Vec::new(), total: 0 };
        }
        let mut best = vec![Best::default(); self.names.len()];
        self.find_ids(folded, &mut best);
        self.find_texts(folded, &mut best);
        let wanted = kinds.iter().fold(0, |bits, kind| bits | kind.bit());
        let is_wanted = |node: NodeIx| {
            picture.has(node) && (wanted == 0 || (picture.labels(node) | picture.kind(node).bit()) & wanted != 0)
        };
        let found = (0..).map(NodeIx).zip(best).filter(|(node, best)| best.fit > 0 && is_wanted(*node));
        let order = |(node, best): &(NodeIx, Best)| (Reverse(best.fit), self.name_length(*node), *node);
        let mut found: Vec<(NodeIx, Best)> = found.collect();
        let total = found.len();
        if limit < total {
            found.select_nth_unstable_by_key(limit, order);
            found.truncate(limit);
        }
        found.sort_unstable_by_key(order);
        Hits { best: found.into_iter().map(|(node, best)| self.hit(node, best)).collect(), total }
    }

    fn hit(&self, node: NodeIx, best: Best) -> Hit {
        let entry = best.entry.and_then(|entry| self.entries.get(entry as usize));
        let field = entry.and_then(|entry| self.fields.get(entry.field as usize)).map_or(ID, String::as_str);
        Hit { node, score: best.fit, field: field.to_owned() }
    }

    /// Ids are looked up by how they begin: digits in the middle of one say nothing.
    fn find_ids(&self, folded: &str, best: &mut [Best]) {
        let wanted = bare(folded);
        let start = self.ids.partition_point(|(id, _)| id.as_str() < wanted);
        for (id, node) in self.ids.iter().skip(start).take_while(|(id, _)| id.starts_with(wanted)) {
            let fit = if id.len() == wanted.len() { Fit::ID } else { Fit::ID_BEGINS };
            raise(best, *node, fit, None);
        }
    }

    fn find_texts(&self, folded: &str, best: &mut [Best]) {
        let finder = Finder::new(folded.as_bytes());
        let (mut from, mut at) = (0, 0);
        while let Some(found) = self.text.as_bytes().get(from..).and_then(|rest| finder.find(rest)) {
            let found = from + found;
            at = self.entry_at(found, at);
            let Some(entry) = self.entries.get(at) else { break };
            let span = self.span(at);
            let whole = self.text.get(span.clone()).unwrap_or_default();
            let begins = found - span.start;
            raise(best, entry.node, entry.class.fit(whole, begins, folded.len()), Some(at as u32));
            // Names are short, and a later place may fit better. Of other texts the first place counts.
            from = if entry.class == Class::Name { found + 1 } else { span.end + 1 };
        }
    }

    /// The entry that a place of the text belongs to, not before another. Steps widen, so that entries that are near are
    /// found at once and those that are far in the logarithm of how far.
    fn entry_at(&self, place: usize, from: usize) -> usize {
        let mut step = 1;
        while self.entries.get(from + step).is_some_and(|entry| entry.start <= place) {
            step *= 2;
        }
        let rest = self.entries.get(from..).unwrap_or_default();
        let near = rest.get(..=step).unwrap_or(rest);
        (from + near.partition_point(|entry| entry.start <= place)).saturating_sub(1)
    }

    fn span(&self, entry: usize) -> Range<usize> {
        let start = self.entries.get(entry).map_or(0, |entry| entry.start);
        let end = self.entries.get(entry + 1).map_or(self.text.len(), |next| next.start);
        start..end - 1
    }

    fn name_length(&self, node: NodeIx) -> usize {
        self.names.get(node.0 as usize).map_or(0, |entry| self.span(*entry as usize).len())
    }
}

fn raise(best: &mut [Best], node: NodeIx, fit: u8, entry: Option<u32>) {
    if let Some(known) = best.get_mut(node.0 as usize).filter(|known| known.fit < fit) {
        *known = Best { fit, entry };
    }
}

/// An id without what all ids of our making begin with.
fn bare(id: &str) -> &str {
    id.strip_prefix("sha256:").unwrap_or(id)
}

/// Adds a text, folded: in small letters, and without what separates texts. Letter by letter, so that a place in the folded
/// text belongs to a place in the text.
fn fold_into(folded: &mut String, text: &str) {
    folded.extend(text.chars().flat_map(char::to_lowercase).map(|letter| if letter == BETWEEN { ' ' } else { letter }));
}
