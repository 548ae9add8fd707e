//! All findings of a picture: counted, sorted and looked up as small records, put into words only when they are shown.
//!
//! Growth: linear in composite edges but for sorting them, with about 80 bytes and one hash for each; and what checks say of
//! themselves. Findings of checks are few beside composite edges (a few for each thing that is configured), so they are
//! kept in words.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

use serde::Serialize;
use tracehound_graph::{EdgeIx, NodeIx, View as _};
use tracehound_model::{EdgeKind, Finding, Fingerprint, FingerprintsFrom, Severity};
use tracehound_rules::rule::Rule;

use super::arranged::Arranged;
use super::composite::{self, severity};
use super::ground::Ground;
use super::{CHECKS, rule_matches};
use crate::derived::{Hop, Link, RawEdge, Via};
use crate::picture::Picture;

/// What a finding comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A check or a rule: the number in the list's own order.
    Direct(u32),
    /// A composite edge.
    Edge(EdgeIx),
}

/// A finding as a list holds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found<'a> {
    /// Its name from scan to scan.
    pub fingerprint: Fingerprint,
    /// The edge kind's name or the rule's id.
    pub kind: &'a str,
    /// How bad it is.
    pub severity: Severity,
    /// How sure we are, from 0 to 1.
    pub confidence: f64,
    /// The party that it is about.
    pub source: NodeIx,
    /// The other party.
    pub target: NodeIx,
    /// What it comes from.
    pub origin: Origin,
}

/// How many findings there are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// By severity. What is counted but not written down is among them where the kind alone says how bad it is.
    pub by_severity: BTreeMap<Severity, u64>,
    /// By kind, exactly.
    pub by_kind: BTreeMap<String, u64>,
    /// All, exactly.
    pub total: u64,
    /// Those that are written down and can be listed.
    pub written: u64,
    /// Those that are counted but neither written down nor rated.
    pub unrated: u64,
}

/// Why digits name no finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfound {
    /// They are no digits of a fingerprint, or too few or too many.
    Malformed,
    /// No finding begins with them.
    Unknown,
    /// Several findings begin with them: the first, and how many in all.
    Ambiguous(Vec<Fingerprint>, usize),
}

/// All findings of a picture, the worst first.
pub struct List<'a> {
    picture: Picture<'a>,
    ground: Ground<'a>,
    /// Findings of checks and rules.
    direct: Vec<Finding>,
    /// What rules say of texts that a composite edge already calls poisoned.
    matched: BTreeMap<NodeIx, Vec<Finding>>,
    found: Vec<Found<'a>>,
    /// Positions in `found` by fingerprint.
    by_fingerprint: Vec<u32>,
    tally: Tally,
}

/// Fewest digits that name a finding.
const FEWEST: usize = 4;
/// How many findings are named when digits fit several.
const NAMED: usize = 5;

impl<'a> List<'a> {
    /// Finds everything.
    #[must_use]
    pub fn new(picture: Picture<'a>, rules: &'a [Rule]) -> Self {
        let ground = Ground::new(picture.view, rules);
        let (direct, matched) = direct(&picture, &ground);
        let mut tally = Tally::default();
        let mut found = of_edges(&picture, &matched, &mut tally);
        let (kinds, direct): (Vec<&'a str>, Vec<Finding>) = direct.into_iter().unzip();
        found.extend(of_direct(&picture, &kinds, &direct));
        let Arranged { found, by_fingerprint, sorts } = Arranged::new(found);
        for ((severity, _, kind, ..), count) in sorts {
            tally.count(kind, Some(severity.0), count as u64);
        }
        tally.written = found.len() as u64;
        Self { picture, ground, direct, matched, found, by_fingerprint, tally }
    }

    pub(super) const fn ground(&self) -> &Ground<'a> {
        &self.ground
    }

    /// How many can be listed. [`Tally::total`] also counts those that are not written down.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many there are.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// All, the worst first; of equal ones those that stand in one place before those that follow from several, then by
    /// kind, the surest first, then by place (where it stands in one) and fingerprint.
    pub fn iter(&self) -> std::slice::Iter<'_, Found<'a>> {
        self.found.iter()
    }

    /// Those of some findings of another list that hold here as well, written down or not. What comes from one place is always
    /// written down, so only paths are looked at.
    pub fn holding<'f, 'o>(&self, other: &List<'_>, found: &[&'f Found<'o>]) -> impl Iterator<Item = &'f Found<'o>> {
        let node = |node: NodeIx| self.picture.view.find(&other.picture.id(node));
        let here = |found: &&'f Found<'o>| {
            let Origin::Edge(EdgeIx { kind, .. }) = found.origin else { return None };
            Some((*found, RawEdge { kind, source: node(found.source)?, target: node(found.target)? }))
        };
        let (found, edges): (Vec<&'f Found<'o>>, Vec<RawEdge>) = found.iter().filter_map(here).unzip();
        let answers = crate::holding(self.picture.view, &self.picture.analysis.derived, &edges);
        found.into_iter().zip(answers).filter(|(_, holds)| *holds).map(|(found, _)| found)
    }

    /// Whether a finding rests on the same path as one of another list: the same hops between nodes of the same ids.
    pub(super) fn rests_as(&self, found: &Found<'_>, other: &List<'_>, before: &Found<'_>) -> bool {
        let (path, former) = (self.path(found), other.path(before));
        let id = |list: &List<'_>, node: NodeIx| list.picture.id(node).into_owned();
        let place = |list: &List<'_>, via: Via| match via {
            Via::Reads(Link::Host(place) | Link::File(place)) => Some(id(list, place)),
            _ => None,
        };
        let is_same = |(hop, former): (&Hop, &Hop)| {
            std::mem::discriminant(&hop.via) == std::mem::discriminant(&former.via)
                && hop.edge().map(|edge| edge.kind) == former.edge().map(|edge| edge.kind)
                && place(self, hop.via) == place(other, former.via)
                && self.picture.id(hop.from) == other.picture.id(former.from)
                && self.picture.id(hop.to) == other.picture.id(former.to)
        };
        path.len() == former.len() && path.iter().zip(former).all(is_same)
    }

    /// The path that a finding rests on; empty where one fact is enough.
    fn path(&self, found: &Found<'_>) -> &[Hop] {
        let Origin::Edge(edge) = found.origin else { return &[] };
        let relation = self.picture.analysis.derived.of(edge.kind);
        relation.get(edge.number).map_or(&[], |composite| relation.path(composite))
    }

    /// How many findings of each kind are counted and not written down, with how bad they can be.
    #[must_use]
    pub fn unwritten(&self) -> Vec<(EdgeKind, u64, Severity)> {
        let unwritten = |(kind, relation): (EdgeKind, &crate::derived::Relation)| {
            let count = relation.total() - relation.len() as u64;
            (count > 0).then(|| (kind, count, severity::of_kind(kind).unwrap_or(Severity::Critical)))
        };
        self.picture.analysis.derived.iter().filter_map(unwritten).collect()
    }

    /// How many more findings of each kind are counted and not written down than in an earlier list, source by source, with how
    /// bad they can be. What became fewer at one source makes up for nothing at another.
    ///
    /// Growth: linear in the sources with more findings than are written down.
    #[must_use]
    pub fn unwritten_since(&self, earlier: &List<'_>) -> Vec<(EdgeKind, u64, Severity)> {
        let beyond = |list: &List<'_>, kind: EdgeKind, source: NodeIx| {
            let derived = &list.picture.analysis.derived;
            derived.of(kind).count(source).saturating_sub(derived.outgoing(kind, source).len() as u64)
        };
        let more = |(kind, relation): (EdgeKind, &crate::derived::Relation)| {
            let at_source = |(source, _): (NodeIx, u64)| {
                let former = earlier.picture.find(&self.picture.id(source));
                let before = former.map_or(0, |source| beyond(earlier, kind, source));
                beyond(self, kind, source).saturating_sub(before)
            };
            let count: u64 = relation.counts().map(at_source).sum();
            (count > 0).then(|| (kind, count, severity::of_kind(kind).unwrap_or(Severity::Critical)))
        };
        self.picture.analysis.derived.iter().filter_map(more).collect()
    }

    /// A part of them in the same order.
    #[must_use]
    pub fn page(&self, offset: usize, limit: usize) -> &[Found<'a>] {
        let rest = self.found.get(offset..).unwrap_or_default();
        rest.get(..limit).unwrap_or(rest)
    }

    /// The fingerprints of all.
    #[must_use]
    pub fn fingerprints(&self) -> BTreeSet<Fingerprint> {
        self.found.iter().map(|it| it.fingerprint).collect()
    }

    /// The one with this fingerprint.
    #[must_use]
    pub fn get(&self, fingerprint: &Fingerprint) -> Option<&Found<'a>> {
        let start = self.first_from(fingerprint.as_str());
        self.by_number(start).filter(|it| it.fingerprint == *fingerprint)
    }

    /// The one whose fingerprint begins with these digits, in either case.
    ///
    /// # Errors
    ///
    /// If there is none, or more than one.
    pub fn find(&self, digits: &str) -> Result<&Found<'a>, Unfound> {
        let digits = digits.trim().to_ascii_lowercase();
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex || !(FEWEST..=16).contains(&digits.len()) {
            return Err(Unfound::Malformed);
        }
        let start = self.first_from(&digits);
        let end = self.by_fingerprint.partition_point(|position| {
            self.fingerprint_at(*position).get(..digits.len()).is_some_and(|it| it <= digits.as_str())
        });
        match end.saturating_sub(start) {
            0 => Err(Unfound::Unknown),
            1 => self.by_number(start).ok_or(Unfound::Unknown),
            count => {
                let all = (start..end).filter_map(|number| self.by_number(number)).map(|it| it.fingerprint);
                Err(Unfound::Ambiguous(all.take(NAMED).collect(), count))
            }
        }
    }

    /// A finding in words.
    #[must_use]
    pub fn render(&self, found: &Found<'a>) -> Option<Finding> {
        match found.origin {
            Origin::Direct(number) => self.direct.get(number as usize).cloned(),
            Origin::Edge(_) => composite::render(self.picture, &self.ground, found, self.matched(found)),
        }
    }

    /// A finding in one line.
    #[must_use]
    pub fn title(&self, found: &Found<'a>) -> Cow<'_, str> {
        match found.origin {
            Origin::Direct(number) => self.direct.get(number as usize).map_or("", |finding| &finding.title).into(),
            Origin::Edge(edge) => composite::title(self.picture, &self.ground, edge).unwrap_or_default().into(),
        }
    }

    /// The ids of the catalogue entries that a finding falls under, each once.
    #[must_use]
    pub fn standards(&self, found: &Found<'a>) -> Vec<&str> {
        let (own, of_rules): (&[(&str, &str)], &[Finding]) = match found.origin {
            Origin::Direct(number) => (&[], self.direct.get(number as usize).map_or(&[], std::slice::from_ref)),
            Origin::Edge(edge) => (composite::entries(&self.picture, edge), self.matched(found)),
        };
        let mut ids: Vec<&str> = own.iter().map(|(id, _)| *id).collect();
        for standard in of_rules.iter().flat_map(|finding| &finding.standards) {
            if !ids.contains(&standard.id.as_str()) {
                ids.push(&standard.id);
            }
        }
        ids
    }

    /// What rules say of the text that a finding calls poisoned.
    fn matched(&self, found: &Found<'_>) -> &[Finding] {
        let matched = self.matched.get(&found.source).filter(|_| found.source == found.target);
        matched.map_or(&[], Vec::as_slice)
    }

    fn fingerprint_at(&self, position: u32) -> &str {
        self.found.get(position as usize).map_or("", |it| it.fingerprint.as_str())
    }

    /// The first in order of fingerprints that is not before these digits.
    fn first_from(&self, digits: &str) -> usize {
        self.by_fingerprint.partition_point(|position| self.fingerprint_at(*position) < digits)
    }

    fn by_number(&self, number: usize) -> Option<&Found<'a>> {
        self.found.get(*self.by_fingerprint.get(number)? as usize)
    }
}

impl Tally {
    fn count(&mut self, kind: &str, severity: Option<Severity>, number: u64) {
        if number == 0 {
            return;
        }
        self.total += number;
        match self.by_kind.get_mut(kind) {
            Some(count) => *count += number,
            None => drop(self.by_kind.insert(kind.to_owned(), number)),
        }
        match severity {
            Some(severity) => *self.by_severity.entry(severity).or_default() += number,
            None => self.unrated += number,
        }
    }
}

impl fmt::Display for Unfound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => write!(f, "a finding is named by {FEWEST} to 16 hex digits"),
            Self::Unknown => f.write_str("no finding begins with these digits"),
            Self::Ambiguous(first, count) => {
                let names: Vec<&str> = first.iter().map(Fingerprint::as_str).collect();
                let more = if *count > first.len() { ", …" } else { "" };
                write!(f, "{count} findings begin with these digits: {}{more}", names.join(", "))
            }
        }
    }
}

impl std::error::Error for Unfound {}

/// The findings of checks and rules by kind and place, each with its kind; and those of rules that say of a text what a
/// composite edge says of it.
type Direct<'a> = (Vec<(&'a str, Finding)>, BTreeMap<NodeIx, Vec<Finding>>);

fn direct<'a>(picture: &Picture<'a>, ground: &Ground<'a>) -> Direct<'a> {
    let mut all: Vec<(&'a str, Finding)> = Vec::new();
    for check in CHECKS {
        all.extend((check.find)(ground, check).into_iter().map(|finding| (check.id, finding)));
    }
    let mut matched: BTreeMap<NodeIx, Vec<Finding>> = BTreeMap::new();
    for (node, rule, finding) in rule_matches::find(ground) {
        let is_told = || {
            let kinds = [EdgeKind::PoisonedDescription, EdgeKind::PoisonedInstructions];
            kinds.into_iter().any(|kind| picture.analysis.derived.outgoing(kind, node).to(node).is_some())
        };
        if rule_matches::calls_poisoned(rule) && is_told() {
            matched.entry(node).or_default().push(finding);
        } else {
            all.push((&rule.id, finding));
        }
    }
    all.sort_by(|(_, a), (_, b)| super::order(a).cmp(&super::order(b)));
    (all, matched)
}

/// One record for each. What two of them say of the same parties is told once, by the worse.
fn of_direct<'a>(picture: &Picture<'a>, kinds: &[&'a str], direct: &[Finding]) -> Vec<Found<'a>> {
    let of = |((number, kind), finding): ((u32, &&'a str), &Finding)| {
        Some(Found {
            fingerprint: finding.fingerprint,
            kind,
            severity: finding.severity,
            confidence: finding.confidence,
            source: picture.view.find(finding.source.id.as_str())?,
            target: picture.view.find(finding.target.id.as_str())?,
            origin: Origin::Direct(number),
        })
    };
    let mut seen = HashSet::new();
    let all = (0..).zip(kinds).zip(direct).filter_map(of);
    all.filter(|it| seen.insert((it.kind, it.source, it.target))).collect()
}

/// One record for each composite edge that is written down. The others are counted.
fn of_edges(picture: &Picture<'_>, matched: &BTreeMap<NodeIx, Vec<Finding>>, tally: &mut Tally) -> Vec<Found<'static>> {
    let ratings = severity::Ratings::new(picture.view);
    let mut found = Vec::with_capacity(picture.analysis.derived.iter().map(|(_, relation)| relation.len()).sum());
    // Many edges end at one node.
    let mut ids: Vec<Option<Cow<'_, str>>> = vec![None; picture.node_count()];
    for (kind, relation) in picture.analysis.derived.iter() {
        let mut last = None;
        for (number, source, target, composite) in relation.iter() {
            // Edges come by source.
            let (_, from) = match last.take_if(|(node, _)| *node == source) {
                Some(same) => last.insert(same),
                None => last.insert((source, FingerprintsFrom::new(kind.name(), &picture.id(source)))),
            };
            let id = ids.get_mut(target.0 as usize).map(|id| &**id.get_or_insert_with(|| picture.id(target)));
            let of_rules = matched.get(&source).filter(|_| source == target).into_iter().flatten();
            let worst = of_rules.map(|finding| finding.severity).max();
            let severity = ratings.of(kind, target, composite);
            found.push(Found {
                fingerprint: from.to(id.unwrap_or_default()),
                kind: kind.name(),
                severity: worst.map_or(severity, |worst| worst.max(severity)),
                confidence: composite.confidence,
                source,
                target,
                origin: Origin::Edge(EdgeIx { kind, number }),
            });
        }
        tally.count(kind.name(), severity::of_kind(kind), relation.total() - relation.len() as u64);
    }
    found
}
