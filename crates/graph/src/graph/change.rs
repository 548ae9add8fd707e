//! Rug pulls: contents that rewrote themselves between scans.

use rustc_hash::FxHashSet;
use serde::Serialize;
use tracehound_model::{NodeId, WATCHED_HASHES};

use crate::Moment;
use crate::bag::Bag;
use crate::fold::Rank;
use crate::keys::Keys;

/// That a watched hash of a node is not what it was, and nobody has acknowledged what it is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The node.
    pub id: NodeId,
    /// What people call it.
    pub name: String,
    /// The property that changed.
    pub property: &'static str,
    /// What it was.
    pub from: String,
    /// What it is.
    pub to: String,
    /// The scan that saw it changed first.
    pub scan_id: String,
    /// When that scan was.
    pub time: Moment,
}

/// Contents that a person has looked at and accepted: of this node, this property with this hash.
#[derive(Debug, Clone, Default)]
pub struct Acknowledged(FxHashSet<(String, String, String)>);

impl Acknowledged {
    /// Adds one.
    pub fn insert(&mut self, node: String, property: String, hash: String) {
        self.0.insert((node, property, hash));
    }

    fn contains(&self, node: &str, property: &str, hash: &str) -> bool {
        self.0.contains(&(node.to_owned(), property.to_owned(), hash.to_owned()))
    }
}

/// One watched hash that changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) property: &'static str,
    pub(super) previous: &'static str,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) since: Rank,
}

/// The watched hashes of a node that changed over its looks and are not acknowledged.
///
/// A look without the hash (another collector's view of the same node) says nothing about it. The latest change
/// counts, so a content that changed and changed back is still reported.
pub(super) fn turns(looks: &[(Rank, Bag<'_>)], keys: &Keys, node: &str, acknowledged: &Acknowledged) -> Vec<Turn> {
    let turn = |(property, previous): &(&'static str, &'static str)| {
        let key = keys.find(property)?;
        let mut values = looks.iter().filter_map(|(rank, bag)| Some((*rank, bag.get(key)?.as_text()?.to_owned())));
        let (_, mut current) = values.next()?;
        let mut latest = None;
        for (rank, value) in values {
            if value != current {
                latest = Some((rank, std::mem::replace(&mut current, value)));
            }
        }
        let (since, from) = latest?;
        let is_seen = acknowledged.contains(node, property, &current);
        (!is_seen).then_some(Turn { property, previous, from, to: current, since })
    };
    WATCHED_HASHES.iter().filter_map(turn).collect()
}
