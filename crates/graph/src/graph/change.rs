//! Rug pulls: contents that rewrote themselves between scans.

use rustc_hash::FxHashMap;
use serde::Serialize;
use tracehound_model::{NodeId, WATCHED_HASHES, WatchedHash};

use super::Graph;
use crate::bag::{Bag, PropertyValue};
use crate::keys::Keys;
use crate::labels::Labels;
use crate::pool::Spot;
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
    /// The last scan that saw what a person has looked at, or what was there at first: changes since then add up.
    pub since_scan_id: String,
    /// When that scan was.
    pub since: Moment,
}

/// A change with the node as it looked before and after it.
#[derive(Debug, Clone, Copy)]
pub struct Rewrite<'g> {
    /// What changed, and when.
    pub change: &'g Change,
    before: Bag<'g>,
    after: Bag<'g>,
    keys: &'g Keys,
}

impl<'g> Rewrite<'g> {
    /// A property of the node in the scan that [`Change::since_scan_id`] names.
    #[must_use]
    pub fn before(&self, key: &str) -> Option<PropertyValue<'g>> {
        self.before.get(self.keys.find(key)?)
    }

    /// A property of the node in the scan that saw it changed.
    #[must_use]
    pub fn after(&self, key: &str) -> Option<PropertyValue<'g>> {
        self.after.get(self.keys.find(key)?)
    }
}

/// Where the looks before and after a change are stored: contents are read when somebody asks for them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Looks {
    before: Spot,
    after: Spot,
}

impl Graph {
    /// The changes with the contents before and after each, in the same order as [`Graph::changes`].
    pub fn rewrites(&self) -> impl Iterator<Item = Rewrite<'_>> {
        let bag = |spot| Labels::split(self.pool.get(spot)).map_or(Bag(&[]), |(_, bag)| bag);
        let keys = &self.keys;
        self.changes.iter().zip(&self.looks).map(move |(change, looks)| Rewrite {
            change,
            before: bag(looks.before),
            after: bag(looks.after),
            keys,
        })
    }
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

/// What one scan saw of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) scan: &'a ScanRecord,
    pub(super) bag: Bag<'a>,
    pub(super) spot: Spot,
}

/// One watched hash that changed.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    pub(super) watched: &'static WatchedHash,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) scan: &'a ScanRecord,
    /// The last scan before the first change that nobody has looked at.
    pub(super) since: &'a ScanRecord,
    pub(super) looks: Looks,
}

/// A hash in one look.
#[derive(Debug, Clone)]
struct Sight<'l, 'a> {
    hash: String,
    look: &'l Look<'a>,
}

/// The watched hashes of a node that changed and whose latest change nobody has looked at. `looks` are what each scan
/// saw, in fold order.
///
/// A look without the hash (another collector's view of the same node) says nothing about it. Each machine is compared
/// with what it saw itself: two machines with two versions of a server are no rug pull. What a content was before is
/// what it was before the first change that nobody has looked at, so that a harmless second change can't push a harmful
/// first one out of sight.
pub(super) fn turns<'a>(looks: &[Look<'a>], keys: &Keys, node: &str, acknowledged: &Acknowledged) -> Vec<Turn<'a>> {
    let turn = |watched: &'static WatchedHash| {
        latest_turn(watched, looks, keys, |scan| acknowledged.contains(node, watched.hash, scan))
    };
    WATCHED_HASHES.iter().filter_map(turn).collect()
}

fn latest_turn<'a>(
    watched: &'static WatchedHash,
    looks: &[Look<'a>],
    keys: &Keys,
    is_seen: impl Fn(&ScanRecord) -> bool,
) -> Option<Turn<'a>> {
    let key = keys.find(watched.hash)?;
    // By machine: the last sight, and the one to compare with if something changed since.
    let mut machines: FxHashMap<&str, (Sight<'_, 'a>, Option<Sight<'_, 'a>>)> = FxHashMap::default();
    let mut latest = None;
    for look in looks {
        let Some(hash) = look.bag.get(key).and_then(|value| value.as_text().map(str::to_owned)) else { continue };
        let now = Sight { hash, look };
        let origin = look.scan.origin.as_str();
        let Some((before, mut trusted)) = machines.remove(origin) else {
            machines.insert(origin, (now, None));
            continue;
        };
        if before.hash != now.hash {
            trusted = (!is_seen(look.scan)).then(|| trusted.unwrap_or_else(|| before.clone()));
            latest = trusted.as_ref().map(|trusted| turn(watched, trusted, &before, &now));
        }
        machines.insert(origin, (now, trusted));
    }
    latest
}

/// The change from one sight to the next. A content that is back to what is trusted was away: then what was there
/// meanwhile is what came before.
fn turn<'a>(
    watched: &'static WatchedHash,
    trusted: &Sight<'_, 'a>,
    before: &Sight<'_, 'a>,
    now: &Sight<'_, 'a>,
) -> Turn<'a> {
    let base = if trusted.hash == now.hash { before } else { trusted };
    Turn {
        watched,
        from: before.hash.clone(),
        to: now.hash.clone(),
        scan: now.look.scan,
        since: base.look.scan,
        looks: Looks { before: base.look.spot, after: now.look.spot },
    }
}
