//! What scores are read from, and the facts that several kinds of nodes share.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::NodeIx;
use tracehound_model::EdgeKind;

use crate::basis::{Basis, Capabilities};
use crate::derived::Derived;
use crate::processors::{NodeProperties, Stage};

/// A graph with what was derived from it before scores.
pub(crate) struct Ground<'a> {
    pub(super) basis: &'a Basis<'a>,
    pub(super) derived: &'a Derived,
    pub(super) properties: &'a NodeProperties,
    /// Facts about servers that many others ask for, each found once.
    keeping: RefCell<BTreeMap<NodeIx, Keeping>>,
    runners: RefCell<BTreeMap<NodeIx, Option<NodeIx>>>,
}

/// How the secrets of a server are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeping {
    /// It is given none.
    Nothing,
    /// It is given some, and none of them lies open.
    Hidden,
    /// This one is hardcoded, or looks like a real key.
    Open(NodeIx),
}

impl Keeping {
    /// The worse is the greater.
    pub(super) const fn rank(self) -> u8 {
        match self {
            Self::Nothing => 0,
            Self::Hidden => 1,
            Self::Open(_) => 2,
        }
    }
}

impl<'a> Ground<'a> {
    pub(crate) const fn new(basis: &'a Basis<'a>, derived: &'a Derived, properties: &'a NodeProperties) -> Self {
        let keeping = RefCell::new(BTreeMap::new());
        let runners = RefCell::new(BTreeMap::new());
        Self { basis, derived, properties, keeping, runners }
    }

    pub(crate) const fn of_stage(stage: &Stage<'a>) -> Self {
        Self::new(stage.basis, stage.derived, stage.properties)
    }

    /// A node's name in quotes.
    pub(super) fn quoted(&self, node: NodeIx) -> String {
        format!("`{}`", self.basis.name(node))
    }

    /// A whole number that a processor wrote.
    pub(super) fn written(&self, node: NodeIx, key: &str) -> usize {
        let number = self.properties.get(node, key).and_then(|value| value.as_number());
        number.map_or(0, |number| number as usize)
    }

    /// Whether a secret is hardcoded or looks like a real key.
    pub(super) fn is_open(&self, credential: NodeIx) -> bool {
        let is_hardcoded =
            || self.basis.text(credential, "type").is_some_and(|of| of.eq_ignore_ascii_case("hardcoded"));
        self.basis.is(credential, "high_entropy") || is_hardcoded()
    }

    /// The same in words; the secret was named before.
    pub(super) fn why_open(&self, credential: NodeIx) -> &'static str {
        if self.basis.is(credential, "high_entropy") { "which looks like a real key" } else { "which is hardcoded" }
    }

    /// How the secrets of a server are kept.
    pub(super) fn keeping(&self, server: NodeIx) -> Keeping {
        let find = || {
            let mut secrets = self.basis.targets(EdgeKind::HasEnvVar, server).peekable();
            let is_given = secrets.peek().is_some();
            match secrets.find(|credential| self.is_open(*credential)) {
                Some(credential) => Keeping::Open(credential),
                None if is_given => Keeping::Hidden,
                None => Keeping::Nothing,
            }
        };
        *self.keeping.borrow_mut().entry(server).or_insert_with(find)
    }

    /// The first tool of a server that runs commands or code.
    pub(super) fn runner(&self, server: NodeIx) -> Option<NodeIx> {
        let runs = |tool: &NodeIx| self.basis.capabilities(*tool).meets(Capabilities::EXECUTION);
        let find = || self.basis.targets(EdgeKind::ProvidesTool, server).find(runs);
        *self.runners.borrow_mut().entry(server).or_insert_with(find)
    }

    /// How many different nodes lists have in common, looked at until there are enough. Each list alone has every node
    /// once, so that no list is read further than that.
    pub(super) fn distinct(lists: impl Iterator<Item = impl Iterator<Item = NodeIx>>, enough: usize) -> usize {
        let mut seen = BTreeSet::new();
        for list in lists {
            seen.extend(list.take(enough));
            if seen.len() >= enough {
                break;
            }
        }
        seen.len()
    }
}

/// A number with its noun.
pub(super) fn counted(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}
