//! Compressed adjacency of the edges of one kind, in both directions.

use tracehound_model::EdgeKind;

use super::{EdgeIx, NodeIx};
use crate::facts::HistoryId;
use crate::pool::Spot;

/// Where the edges of each node begin, over the range of nodes that have any.
#[derive(Debug, Default)]
struct Offsets {
    first: u32,
    starts: Vec<u32>,
}

impl Offsets {
    /// Counts how many edges each node has.
    fn new(nodes: impl Iterator<Item = u32> + Clone) -> Self {
        let (Some(first), Some(last)) = (nodes.clone().min(), nodes.clone().max()) else { return Self::default() };
        let mut starts = vec![0_u32; (last - first) as usize + 2];
        for node in nodes {
            starts[(node - first) as usize + 1] += 1;
        }
        for position in 1..starts.len() {
            starts[position] += starts[position - 1];
        }
        Self { first, starts }
    }

    /// Where each edge goes when edges are put in order of their nodes, those of one node in the order given.
    fn places(&self, nodes: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
        let mut next = self.starts.clone();
        nodes.map(move |node| {
            let place = &mut next[(node - self.first) as usize];
            *place += 1;
            *place - 1
        })
    }

    fn range(&self, node: NodeIx) -> std::ops::Range<usize> {
        let Some(position) = node.0.checked_sub(self.first).map(|position| position as usize) else { return 0..0 };
        match (self.starts.get(position), self.starts.get(position + 1)) {
            (Some(start), Some(end)) => *start as usize..*end as usize,
            _ => 0..0,
        }
    }
}

/// An edge on its way into a set.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewEdge {
    pub(super) source: u32,
    pub(super) target: u32,
    pub(super) bag: Spot,
    pub(super) history: HistoryId,
}

/// The edges of one kind.
#[derive(Debug, Default)]
pub(super) struct EdgeSet {
    forward: Offsets,
    sources: Vec<u32>,
    targets: Vec<u32>,
    bags: Vec<Spot>,
    histories: Vec<HistoryId>,
    reverse: Offsets,
    /// Edge numbers, sorted by target and then by source.
    by_target: Vec<u32>,
}

impl EdgeSet {
    /// Orders edges by counting, once by source and once by target, so that the time is linear but for the sorting
    /// of each node's own edges.
    pub(super) fn new(edges: Vec<NewEdge>) -> Self {
        let forward = Offsets::new(edges.iter().map(|edge| edge.source));
        let mut order = vec![0_u32; edges.len()];
        for (edge, place) in (0..).zip(forward.places(edges.iter().map(|edge| edge.source))) {
            order[place as usize] = edge;
        }
        for node in forward.starts.windows(2) {
            order[node[0] as usize..node[1] as usize].sort_unstable_by_key(|edge| edges[*edge as usize].target);
        }
        let count = edges.len();
        let (mut sources, mut targets) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut bags, mut histories) = (Vec::with_capacity(count), Vec::with_capacity(count));
        // One walk for all columns: the edges lie anywhere, and each is fetched once.
        for edge in order.iter().map(|edge| edges[*edge as usize]) {
            sources.push(edge.source);
            targets.push(edge.target);
            bags.push(edge.bag);
            histories.push(edge.history);
        }
        drop((order, edges));
        let reverse = Offsets::new(targets.iter().copied());
        // Taken in order of their sources, the edges of each target end up in that order.
        let mut by_target = vec![0_u32; targets.len()];
        for (edge, place) in (0..).zip(reverse.places(targets.iter().copied())) {
            by_target[place as usize] = edge;
        }
        Self { forward, sources, targets, bags, histories, reverse, by_target }
    }

    pub(super) const fn len(&self) -> usize {
        self.sources.len()
    }

    pub(super) fn ends(&self, number: u32) -> (NodeIx, NodeIx) {
        (NodeIx(self.sources[number as usize]), NodeIx(self.targets[number as usize]))
    }

    pub(super) fn bag(&self, number: u32) -> Spot {
        self.bags[number as usize]
    }

    pub(super) fn history(&self, number: u32) -> HistoryId {
        self.histories[number as usize]
    }

    pub(super) fn outgoing(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_> {
        let range = self.forward.range(node);
        let first = range.start as u32;
        Neighbours { kind, ends: &self.targets, numbers: Numbers::Run(first, first + range.len() as u32) }
    }

    pub(super) fn incoming(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_> {
        let numbers = &self.by_target[self.reverse.range(node)];
        Neighbours { kind, ends: &self.sources, numbers: Numbers::List(numbers.iter()) }
    }
}

#[derive(Debug, Clone)]
enum Numbers<'a> {
    Run(u32, u32),
    List(std::slice::Iter<'a, u32>),
}

/// The edges of one kind at a node, with the node at the other end; sorted by that node.
#[derive(Debug, Clone)]
pub struct Neighbours<'a> {
    kind: EdgeKind,
    ends: &'a [u32],
    numbers: Numbers<'a>,
}

impl Iterator for Neighbours<'_> {
    type Item = (NodeIx, EdgeIx);

    fn next(&mut self) -> Option<Self::Item> {
        let number = match &mut self.numbers {
            Numbers::Run(next, end) => {
                if next == end {
                    return None;
                }
                *next += 1;
                *next - 1
            }
            Numbers::List(numbers) => *numbers.next()?,
        };
        Some((NodeIx(self.ends[number as usize]), EdgeIx { kind: self.kind, number }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let length = match &self.numbers {
            Numbers::Run(next, end) => (end - next) as usize,
            Numbers::List(numbers) => numbers.len(),
        };
        (length, Some(length))
    }
}

impl ExactSizeIterator for Neighbours<'_> {}
