//! Compressed adjacency of the edges of one kind, in both directions.

use rustc_hash::FxHashMap;
use tracehound_model::EdgeKind;

use super::{EdgeIx, NodeIx};
use crate::facts::HistoryId;
use crate::fold::OriginsId;
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
    pub(super) origins: Option<OriginsId>,
}

/// Who is connected with whom by edges of one kind. Edges are numbered by source and then by target.
#[derive(Debug, Default)]
pub struct Adjacency {
    forward: Offsets,
    sources: Vec<u32>,
    targets: Vec<u32>,
    reverse: Offsets,
    /// Edge numbers, sorted by target and then by source.
    by_target: Vec<u32>,
}

impl Adjacency {
    /// Connects these ends, and says which of them each edge number stands for: in order of their sources and targets,
    /// equal ones as they were given.
    ///
    /// Ordered by counting, once by source and once by target, so that the time is linear but for the sorting of each
    /// node's own edges.
    #[must_use]
    pub fn new(ends: &[(NodeIx, NodeIx)]) -> (Self, Vec<u32>) {
        let forward = Offsets::new(ends.iter().map(|(source, _)| source.0));
        let mut order = vec![0_u32; ends.len()];
        for (edge, place) in (0..).zip(forward.places(ends.iter().map(|(source, _)| source.0))) {
            order[place as usize] = edge;
        }
        for node in forward.starts.windows(2) {
            order[node[0] as usize..node[1] as usize].sort_by_key(|edge| ends[*edge as usize].1);
        }
        let (mut sources, mut targets) = (Vec::with_capacity(ends.len()), Vec::with_capacity(ends.len()));
        for (source, target) in order.iter().map(|edge| ends[*edge as usize]) {
            sources.push(source.0);
            targets.push(target.0);
        }
        let reverse = Offsets::new(targets.iter().copied());
        // Taken in order of their sources, the edges of each target end up in that order.
        let mut by_target = vec![0_u32; targets.len()];
        for (edge, place) in (0..).zip(reverse.places(targets.iter().copied())) {
            by_target[place as usize] = edge;
        }
        (Self { forward, sources, targets, reverse, by_target }, order)
    }

    /// How many edges there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Both ends of an edge.
    #[must_use]
    pub fn ends(&self, number: u32) -> (NodeIx, NodeIx) {
        (NodeIx(self.sources[number as usize]), NodeIx(self.targets[number as usize]))
    }

    /// The edges that start at a node.
    #[must_use]
    pub fn outgoing(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_> {
        let range = self.forward.range(node);
        let first = range.start as u32;
        Neighbours { kind, ends: &self.targets, numbers: Numbers::Run(first, first + range.len() as u32) }
    }

    /// The edges that end at a node.
    #[must_use]
    pub fn incoming(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_> {
        let numbers = &self.by_target[self.reverse.range(node)];
        Neighbours { kind, ends: &self.sources, numbers: Numbers::List(numbers.iter()) }
    }
}

/// The edges of one kind, with what is known of each.
#[derive(Debug, Default)]
pub(super) struct EdgeSet {
    adjacency: Adjacency,
    bags: Vec<Spot>,
    histories: Vec<HistoryId>,
    /// The machines of edges that several know.
    origins: FxHashMap<u32, OriginsId>,
}

impl EdgeSet {
    pub(super) fn new(edges: &[NewEdge]) -> Self {
        let ends: Vec<_> = edges.iter().map(|edge| (NodeIx(edge.source), NodeIx(edge.target))).collect();
        let (adjacency, order) = Adjacency::new(&ends);
        let (mut bags, mut histories) = (Vec::with_capacity(edges.len()), Vec::with_capacity(edges.len()));
        // One walk for both columns: the edges lie anywhere, and each is fetched once.
        let mut origins = FxHashMap::default();
        for (number, edge) in (0..).zip(order.iter().map(|edge| edges[*edge as usize])) {
            bags.push(edge.bag);
            histories.push(edge.history);
            edge.origins.map(|machines| origins.insert(number, machines));
        }
        Self { adjacency, bags, histories, origins }
    }

    pub(super) const fn len(&self) -> usize {
        self.adjacency.len()
    }

    pub(super) const fn adjacency(&self) -> &Adjacency {
        &self.adjacency
    }

    pub(super) fn bag(&self, number: u32) -> Spot {
        self.bags[number as usize]
    }

    pub(super) fn history(&self, number: u32) -> HistoryId {
        self.histories[number as usize]
    }

    /// The edges that several machines know.
    pub(super) fn of_several(&self) -> impl Iterator<Item = u32> {
        self.origins.keys().copied()
    }

    pub(super) fn origins(&self, number: u32) -> Option<OriginsId> {
        self.origins.get(&number).copied()
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

impl Neighbours<'_> {
    /// The edge to one of the nodes at the other ends. Found by halving, since they are sorted.
    #[must_use]
    pub fn to(&self, node: NodeIx) -> Option<EdgeIx> {
        let kind = self.kind;
        match &self.numbers {
            Numbers::Run(first, end) => {
                let ends = &self.ends[*first as usize..*end as usize];
                let position = ends.binary_search(&node.0).ok()?;
                Some(EdgeIx { kind, number: first + position as u32 })
            }
            Numbers::List(numbers) => {
                let numbers = numbers.as_slice();
                let position = numbers.binary_search_by_key(&node.0, |number| self.ends[*number as usize]).ok()?;
                Some(EdgeIx { kind, number: numbers[position] })
            }
        }
    }
}
