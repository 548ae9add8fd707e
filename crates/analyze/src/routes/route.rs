//! What is asked for and what comes back.

use super::length::By;

/// From where to where, and what is a good way.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// A path begins at one of these.
    pub sources: &'a [u32],
    /// A path ends at one of these. What is a source as well is reached by a path of no arcs.
    pub targets: &'a [u32],
    /// What is to be small.
    pub by: By,
    /// Which arcs may be taken.
    pub allowed: Allowed<'a>,
    /// How many hops a path may have.
    pub max_hops: Option<u32>,
}

/// Which arcs may be taken, by their numbers.
#[derive(Clone, Copy, Default)]
pub enum Allowed<'a> {
    /// All of them.
    #[default]
    Every,
    /// Those for which this holds.
    Where(&'a (dyn Fn(u32) -> bool + Sync)),
}

impl Allowed<'_> {
    /// Whether an arc may be taken.
    #[inline]
    pub fn permits(&self, arc: u32) -> bool {
        match self {
            Self::Every => true,
            Self::Where(holds) => holds(arc),
        }
    }
}

impl std::fmt::Debug for Allowed<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Every => "Every",
            Self::Where(_) => "Where",
        })
    }
}

/// A path that visits no node twice. Paths are told apart by their nodes; between two nodes a path takes the arc that
/// makes it best, and of equal ones the one with the least number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The nodes, from a source to a target.
    pub nodes: Vec<u32>,
    /// The numbers of the arcs between them.
    pub arcs: Vec<u32>,
    /// What the arcs cost together.
    pub cost: u64,
    /// What the arcs count together.
    pub hops: u32,
}

/// Paths, and whether they are all there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Within {
    /// The paths, in order.
    pub routes: Vec<Route>,
    /// Whether there are no more.
    pub is_complete: bool,
}
