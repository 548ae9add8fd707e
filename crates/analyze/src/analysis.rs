//! Everything that follows from a graph, derived by the processors in their order.
//!
//! Growth: the sum of what the processors say of themselves. After a change only those run again whose inputs changed; see
//! [`Analysis::again`].

use std::cell::OnceCell;
use std::collections::BTreeMap;

use tracehound_graph::{NodeIx, View};
use tracehound_model::{EdgeKind, NodeKind};

use crate::basis::Basis;
use crate::changes::Changes;
use crate::derived::{Derived, Harvest, Most, Relation};
use crate::processors::{NodeProperties, PROCESSORS, Processor, Stage, Synthetic, Writes, in_order};

/// What was derived from a graph. A copy shares the edges.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    /// Composite edges.
    pub derived: Derived,
    /// Properties of nodes.
    pub properties: NodeProperties,
    /// Nodes that analysis made up, by kind and id.
    pub nodes: Vec<Synthetic>,
    /// The names of the processors that ran.
    pub ran: Vec<&'static str>,
    most: Most,
}

impl Analysis {
    /// Derives everything.
    #[must_use]
    pub fn of(view: &dyn View) -> Self {
        Self::told(view, &mut |_| {})
    }

    /// The same, and writes down less.
    #[must_use]
    pub fn at_most(view: &dyn View, most: Most) -> Self {
        Self::derive(view, Self { most, ..Self::default() }, &|_| true, &mut |_| {})
    }

    /// The same, and says which processor has run, so that whoever has a clock can time them.
    #[must_use]
    pub fn told(view: &dyn View, after: &mut dyn FnMut(&Processor)) -> Self {
        Self::derive(view, Self::default(), &|_| true, after)
    }

    /// Derives again what depends on something that changed, and keeps the rest of an earlier analysis. The result is what
    /// [`Analysis::of`] gives.
    #[must_use]
    pub fn again(view: &dyn View, before: &Self, changes: &Changes) -> Self {
        let affected = changes.affected(PROCESSORS);
        let kept = match changes.renumbering() {
            Some(number) => before.renumbered(&|node| number.get(node.0 as usize).copied().flatten()),
            None => before.clone(),
        };
        Self::derive(view, kept, &|processor| affected.contains(&processor.name), &mut |_| {})
    }

    fn derive(
        view: &dyn View,
        mut kept: Self,
        is_meant: &dyn Fn(&Processor) -> bool,
        after: &mut dyn FnMut(&Processor),
    ) -> Self {
        let basis = Basis::new(view).at_most(kept.most);
        let ways = OnceCell::new();
        let order = in_order(PROCESSORS);
        kept.ran = order.iter().filter(|processor| is_meant(processor)).map(|processor| processor.name).collect();
        let mut waiting: BTreeMap<EdgeKind, Vec<Harvest>> = BTreeMap::new();
        for (position, processor) in order.iter().enumerate() {
            if !is_meant(processor) {
                continue;
            }
            kept.clear(processor);
            let stage = Stage { basis: &basis, derived: &kept.derived, properties: &kept.properties, ways: &ways };
            let output = (processor.run)(&stage);
            for (kind, harvest) in output.edges {
                waiting.entry(kind).or_default().push(harvest);
            }
            kept.properties.extend(output.properties);
            kept.nodes.extend(output.nodes);
            // A kind is complete when nobody who writes it is left.
            let is_written_later = |kind: &EdgeKind| {
                order.iter().skip(position + 1).any(|later| later.writes.contains(&Writes::Edges(*kind)))
            };
            let complete: Vec<EdgeKind> = waiting.keys().copied().filter(|kind| !is_written_later(kind)).collect();
            for kind in complete {
                let harvests = waiting.remove(&kind).unwrap_or_default();
                kept.derived.insert(kind, Relation::new(harvests));
            }
            after(processor);
        }
        kept.nodes.sort_by(|a, b| (a.kind, &a.id).cmp(&(b.kind, &b.id)));
        kept
    }

    /// Forgets what a processor wrote.
    fn clear(&mut self, processor: &Processor) {
        for written in processor.writes {
            match written {
                Writes::Edges(kind) => self.derived.remove(*kind),
                Writes::Property(key) => self.properties.remove(key),
                Writes::Nodes(kind) => self.nodes.retain(|node| node.kind != *kind),
            }
        }
    }

    fn renumbered(&self, number: &dyn Fn(NodeIx) -> Option<NodeIx>) -> Self {
        let Self { derived, properties, nodes, most, .. } = self;
        let (derived, properties) = (derived.renumbered(number), properties.renumbered(number));
        Self { derived, properties, nodes: nodes.clone(), ran: Vec::new(), most: *most }
    }

    /// The nodes of a kind that analysis made up.
    pub fn nodes_of(&self, kind: NodeKind) -> impl Iterator<Item = &Synthetic> {
        self.nodes.iter().filter(move |node| node.kind == kind)
    }
}
