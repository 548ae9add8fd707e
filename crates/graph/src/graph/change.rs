//! Rug pulls: contents that rewrote themselves between scans.

use rustc_hash::FxHashMap;
use serde::Serialize;
use tracehound_model::{NodeId, WATCHED_HASHES};

use crate::bag::Bag;
use crate::keys::Keys;
use crate::{Moment, ScanRecord};

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

/// Changes that a person has looked at: of this node and property, everything up to this scan.
///
/// Not the content is accepted but the change: a content that is replaced and comes back was away, and somebody should
/// know.
#[derive(Debug, Clone, Default)]
pub struct Acknowledged(FxHashMap<(String, String), (Moment, String)>);

impl Acknowledged {
    /// Adds that changes up to the scan with this time and id were looked at.
    pub fn insert(&mut self, node: String, property: String, time: Moment, scan_id: String) {
        let upto = self.0.entry((node, property)).or_insert_with(|| (time, scan_id.clone()));
        if *upto < (time, scan_id.clone()) {
            *upto = (time, scan_id);
        }
    }

    fn contains(&self, node: &str, property: &str, scan: &ScanRecord) -> bool {
        let upto = self.0.get(&(node.to_owned(), property.to_owned()));
        upto.is_some_and(|(time, scan_id)| (scan.time, scan.scan_id.as_str()) <= (*time, scan_id.as_str()))
    }
}

/// One watched hash that changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Turn<'a> {
    pub(super) property: &'static str,
    pub(super) previous: &'static str,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) scan: &'a ScanRecord,
}

/// The watched hashes of a node that changed and whose latest change nobody has looked at. `looks` are what each scan
/// saw, in fold order.
///
/// A look without the hash (another collector's view of the same node) says nothing about it. Each machine is compared
/// with what it saw itself: two machines with two versions of a server are no rug pull.
pub(super) fn turns<'a>(
    looks: &[(&'a ScanRecord, Bag<'_>)],
    keys: &Keys,
    node: &str,
    acknowledged: &Acknowledged,
) -> Vec<Turn<'a>> {
    let turn = |(property, previous): &(&'static str, &'static str)| {
        let key = keys.find(property)?;
        let mut current: FxHashMap<&str, String> = FxHashMap::default();
        let mut latest = None;
        for (scan, bag) in looks {
            let Some(value) = bag.get(key).and_then(|value| value.as_text().map(str::to_owned)) else { continue };
            let before = current.insert(&scan.origin, value.clone());
            if let Some(from) = before.filter(|before| *before != value) {
                latest = Some(Turn { property, previous, from, to: value, scan });
            }
        }
        latest.filter(|turn| !acknowledged.contains(node, property, turn.scan))
    };
    WATCHED_HASHES.iter().filter_map(turn).collect()
}
