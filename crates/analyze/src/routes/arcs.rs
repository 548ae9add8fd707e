//! Arcs between numbered nodes, compressed, in both directions.
//!
//! Knows nothing of kinds: who builds the list decides what an arc is, which way it runs and what it counts as.

#![expect(clippy::indexing_slicing, reason = "columns that are numbered by the same constructor")]

/// A step from one node to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// What it costs to take it, from 0 to 1.
    pub weight: f64,
    /// What it counts as: 0 or 1.
    pub hops: u8,
}

/// What a weight of 1 costs. Costs are whole numbers, so that sums are exact and equal paths are equal.
pub const COST_OF_ONE: u64 = 1_000_000;

/// An arc as it is met at one of its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The number of the arc: its place in the list that was given.
    pub arc: u32,
    /// The node at the other end.
    pub node: u32,
    /// What it costs.
    pub cost: u32,
    /// What it counts as: 0 or 1.
    pub hops: u32,
}

/// The arcs of a graph, found from either end.
#[derive(Debug, Default)]
pub struct Arcs {
    forward: Half,
    backward: Half,
}

impl Arcs {
    /// Orders the arcs between nodes below `node_count` by counting, once by each end: linear. An arc's number is its
    /// place in the list. Arcs at nodes that do not exist are left out.
    pub fn new(node_count: u32, arcs: &[Arc]) -> Self {
        debug_assert!(arcs.iter().all(|arc| (0.0..=1.0).contains(&arc.weight) && arc.hops <= 1), "an arc is not valid");
        let exists = |arc: &Arc| arc.from < node_count && arc.to < node_count;
        let list = || (0..).zip(arcs).filter(move |(_, arc)| exists(arc));
        let forward = Half::new(node_count, list().map(|(number, arc)| (arc.from, arc.to, number, packed(arc))));
        let backward = Half::new(node_count, list().map(|(number, arc)| (arc.to, arc.from, number, packed(arc))));
        Self { forward, backward }
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.forward.starts.len().saturating_sub(1)
    }

    /// How many arcs there are.
    pub const fn arc_count(&self) -> usize {
        self.forward.ends.len()
    }

    /// The arcs that begin at a node, in order of their numbers.
    pub fn out(&self, node: u32) -> impl ExactSizeIterator<Item = Step> {
        self.steps(Direction::Forward, node)
    }

    /// The arcs that end at a node, in order of their numbers.
    pub fn into(&self, node: u32) -> impl ExactSizeIterator<Item = Step> {
        self.steps(Direction::Backward, node)
    }

    /// The arcs at a node that lead on in a direction.
    pub fn steps(&self, direction: Direction, node: u32) -> impl ExactSizeIterator<Item = Step> {
        let half = match direction {
            Direction::Forward => &self.forward,
            Direction::Backward => &self.backward,
        };
        let range = half.range(node);
        half.ends[range.clone()].iter().zip(&half.numbers[range]).map(|(end, arc)| Step {
            arc: *arc,
            node: end.node,
            cost: end.packed & !IS_HOP,
            hops: u32::from(end.packed & IS_HOP != 0),
        })
    }

    /// How many arcs lead on from a node in a direction.
    pub(super) fn degree(&self, direction: Direction, node: u32) -> usize {
        self.steps(direction, node).len()
    }
}

/// Along the arcs or against them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From where an arc begins to where it ends.
    Forward,
    /// From where an arc ends to where it begins.
    Backward,
}

/// Set in a packed arc that counts as a hop; the cost is below it.
const IS_HOP: u32 = 1 << 31;

fn packed(arc: &Arc) -> u32 {
    let cost = (arc.weight.clamp(0.0, 1.0) * COST_OF_ONE as f64).round() as u32;
    cost | if arc.hops > 0 { IS_HOP } else { 0 }
}

/// The far end of an arc, with what is needed at every look at it. The number is needed rarely and lies apart.
#[derive(Debug, Clone, Copy)]
struct End {
    node: u32,
    packed: u32,
}

#[derive(Debug, Default)]
struct Half {
    /// Where the arcs of each node begin, and at last the end of all.
    starts: Vec<u32>,
    ends: Vec<End>,
    numbers: Vec<u32>,
}

impl Half {
    /// From near end, far end, number and packed cost.
    fn new(node_count: u32, arcs: impl Iterator<Item = (u32, u32, u32, u32)> + Clone) -> Self {
        let mut starts = vec![0_u32; node_count as usize + 1];
        for (near, ..) in arcs.clone() {
            starts[near as usize + 1] += 1;
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut next = starts.clone();
        let count = starts[node_count as usize] as usize;
        let (mut ends, mut numbers) = (vec![End { node: 0, packed: 0 }; count], vec![0; count]);
        for (near, node, number, packed) in arcs {
            let place = &mut next[near as usize];
            ends[*place as usize] = End { node, packed };
            numbers[*place as usize] = number;
            *place += 1;
        }
        Self { starts, ends, numbers }
    }

    fn range(&self, node: u32) -> std::ops::Range<usize> {
        match (self.starts.get(node as usize), self.starts.get(node as usize + 1)) {
            (Some(start), Some(end)) => *start as usize..*end as usize,
            _ => 0..0,
        }
    }
}
