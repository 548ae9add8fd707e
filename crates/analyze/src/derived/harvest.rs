//! What a processor brings home.

use tracehound_graph::NodeIx;

use super::{Composite, Detail, Hop};

/// How many edges of a sort are written down for one source at most, besides the bound that each processor has. Where more are
/// true, they are counted. With a small one it shows on small estates which are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most(pub usize);

impl Default for Most {
    fn default() -> Self {
        Self(usize::MAX)
    }
}

/// A composite edge on its way.
#[derive(Debug, Clone)]
pub struct Made {
    pub(super) source: NodeIx,
    pub(super) target: NodeIx,
    pub(super) composite: Composite,
}

/// The edges that a processor derived, and how many more it counted.
#[derive(Debug, Clone, Default)]
pub struct Harvest {
    pub(super) made: Vec<Made>,
    pub(super) hops: Vec<Hop>,
    pub(super) beyond: Vec<(NodeIx, u64)>,
}

impl Harvest {
    /// Adds an edge with its witness. `weight` and `confidence` are those of the edge, not of the witness.
    pub fn add(&mut self, (source, target): (NodeIx, NodeIx), edge: NewComposite, path: &[Hop]) {
        let start = self.hops.len() as u32;
        self.hops.extend_from_slice(path);
        let NewComposite { confidence, weight, collector, detail } = edge;
        let path = (start, self.hops.len() as u32);
        let composite = Composite { confidence, weight, collector, detail, path };
        self.made.push(Made { source, target, composite });
    }

    /// Says that so many more edges start at a node than were added.
    pub fn beyond(&mut self, source: NodeIx, count: u64) {
        if count > 0 {
            self.beyond.push((source, count));
        }
    }

    /// How many edges were added.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.made.len()
    }

    /// Whether none was.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.made.is_empty()
    }
}

/// What is said of an edge when it is added.
#[derive(Debug, Clone, Copy)]
pub struct NewComposite {
    /// How sure we are, from 0 to 1.
    pub confidence: f64,
    /// How hard it is to make use of.
    pub weight: f64,
    /// The collector on whose facts it rests.
    pub collector: &'static str,
    /// What it goes through.
    pub detail: Detail,
}
