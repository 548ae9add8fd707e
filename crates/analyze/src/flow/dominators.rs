//! What no path avoids: the nodes, and the arcs, that every path from any of the sources to a node passes.
//!
//! By the method of Lengauer and Tarjan with path compression: `O(arcs · log nodes)` time in the worst case, close to
//! linear on real graphs, linear memory. Only single nodes and arcs; what two of them could separate together is a
//! question for a cut.
#![expect(
    clippy::indexing_slicing,
    reason = "a kernel over numbered columns, whose numbers were checked on the way in"
)]

use super::FlowError;
use super::adjacency::Adjacency;

/// No number.
const NONE: u32 = u32::MAX;

/// The nodes and arcs that cannot be avoided on the way from the sources.
///
/// Nodes are kept by the order in which a depth-first search met them; 0 is a root before all sources, and each node's
/// number is larger than that of its dominator.
#[derive(Debug)]
pub struct Dominators {
    /// The number of each node.
    number: Vec<u32>,
    /// The node of each number; of the root none.
    node: Vec<u32>,
    /// The nearest number that every path to this one passes.
    immediate: Vec<u32>,
    /// The only arc by which this number is entered, if there is just one.
    entered_by: Vec<u32>,
}

impl Dominators {
    /// Computes what cannot be avoided from the sources, over the arcs `(from, to)` between the nodes `0..node_count`.
    pub fn new(node_count: u32, arcs: &[(u32, u32)], sources: &[u32]) -> Result<Self, FlowError> {
        let named = arcs.iter().flat_map(|(from, to)| [*from, *to]).chain(sources.iter().copied());
        if let Some(node) = named.into_iter().find(|node| *node >= node_count) {
            return Err(FlowError::NoSuchNode { node, node_count });
        }
        if let Some(count) = [node_count as usize, arcs.len()].into_iter().find(|count| *count > i32::MAX as usize) {
            return Err(FlowError::TooMany { count });
        }
        let outgoing = Adjacency::new(node_count, arcs.iter().copied());
        let tree = Tree::new(node_count, &outgoing, sources);
        drop(outgoing);
        let incoming = Adjacency::new(node_count, arcs.iter().map(|(from, to)| (*to, *from)));
        let mut is_source = vec![false; tree.node.len()];
        for source in sources {
            is_source[tree.number[*source as usize] as usize] = true;
        }
        let immediate = Forest::new(&tree).dominate(&tree, &incoming, &is_source);
        let entered_by = only_entries(&tree, &incoming, &is_source, &immediate);
        Ok(Self { number: tree.number, node: tree.node, immediate, entered_by })
    }

    /// Whether any path leads to a node.
    pub fn is_reached(&self, node: u32) -> bool {
        self.reached(node).is_some()
    }

    /// The nearest other node that every path to this one passes. None when there is no such node, or no path.
    pub fn immediate(&self, node: u32) -> Option<u32> {
        let dominator = self.immediate[self.reached(node)? as usize];
        (dominator != 0).then(|| self.node[dominator as usize])
    }

    /// The nodes that every path to a node passes, from the sources on, the node itself last. Nothing when no path
    /// leads there. Takes time linear in the answer.
    pub fn dominators_of(&self, node: u32) -> Vec<u32> {
        self.chain(self.reached(node)).into_iter().map(|number| self.node[number as usize]).collect()
    }

    /// The nodes that every path to any of the targets passes, from the sources on. Targets that no path leads to do
    /// not count. Linear in the nodes.
    pub fn shared_by(&self, targets: &[u32]) -> Vec<u32> {
        self.chain(self.nearest_shared(targets)).into_iter().map(|number| self.node[number as usize]).collect()
    }

    /// The arcs that every path to a node passes, by their place in the list, from the sources on. Parallel arcs
    /// stand in for each other, so neither is needed. Takes time linear in the answer of
    /// [`dominators_of`](Self::dominators_of).
    pub fn arcs_to(&self, node: u32) -> Vec<u32> {
        self.entries(self.reached(node))
    }

    /// The arcs that every path to any of the targets passes, from the sources on. Targets that no path leads to do
    /// not count. Linear in the nodes.
    pub fn arcs_shared_by(&self, targets: &[u32]) -> Vec<u32> {
        self.entries(self.nearest_shared(targets))
    }

    fn reached(&self, node: u32) -> Option<u32> {
        self.number.get(node as usize).copied().filter(|number| *number != NONE)
    }

    /// The dominators of a number in order, itself last.
    fn chain(&self, number: Option<u32>) -> Vec<u32> {
        let up = |number: &u32| Some(self.immediate[*number as usize]);
        let mut chain: Vec<u32> = std::iter::successors(number, up).take_while(|number| *number != 0).collect();
        chain.reverse();
        chain
    }

    fn entries(&self, number: Option<u32>) -> Vec<u32> {
        let entries = self.chain(number).into_iter().map(|number| self.entered_by[number as usize]);
        entries.filter(|arc| *arc != NONE).collect()
    }

    /// The nearest number that dominates all targets: the last that has all of them below it.
    fn nearest_shared(&self, targets: &[u32]) -> Option<u32> {
        let mut below = vec![0_u32; self.node.len()];
        for number in targets.iter().filter_map(|target| self.reached(*target)) {
            below[number as usize] = 1;
        }
        let all: u32 = below.iter().sum();
        if all == 0 {
            return None;
        }
        for number in (1..below.len()).rev() {
            if below[number] == all {
                return Some(number as u32);
            }
            below[self.immediate[number] as usize] += below[number];
        }
        None
    }
}

/// The nodes in the order of a depth-first search.
struct Tree {
    number: Vec<u32>,
    node: Vec<u32>,
    /// The number from which each number was met.
    parent: Vec<u32>,
}

impl Tree {
    fn new(node_count: u32, outgoing: &Adjacency, sources: &[u32]) -> Self {
        let mut tree = Self { number: vec![NONE; node_count as usize], node: vec![NONE], parent: vec![0] };
        // The numbers on the way to where the search is, each with its arcs that are still to be tried.
        let mut stack: Vec<(u32, std::slice::Iter<'_, (u32, u32)>)> = Vec::new();
        for source in sources {
            if let Some(number) = tree.meet(*source, 0) {
                stack.push((number, outgoing.of(*source).iter()));
            }
            while let Some((from, arcs)) = stack.last_mut() {
                match arcs.next() {
                    Some((head, _)) => {
                        if let Some(number) = tree.meet(*head, *from) {
                            stack.push((number, outgoing.of(*head).iter()));
                        }
                    }
                    None => _ = stack.pop(),
                }
            }
        }
        tree
    }

    /// Numbers a node that was not met before.
    fn meet(&mut self, node: u32, parent: u32) -> Option<u32> {
        if self.number[node as usize] != NONE {
            return None;
        }
        let number = self.node.len() as u32;
        self.number[node as usize] = number;
        self.node.push(node);
        self.parent.push(parent);
        Some(number)
    }

    /// The numbers from which arcs lead to a number, and those arcs.
    fn entering<'a>(&'a self, incoming: &'a Adjacency, number: usize) -> impl Iterator<Item = (u32, u32)> {
        let arcs = incoming.of(self.node[number]).iter();
        arcs.map(|(from, arc)| (self.number[*from as usize], *arc)).filter(|(from, _)| *from != NONE)
    }
}

/// Trees that grow together from the last number to the first.
struct Forest {
    /// The smallest number from which a path leads to this one over larger numbers alone.
    semi: Vec<u32>,
    /// Something above in the same tree; paths are shortened as they are walked.
    ancestor: Vec<u32>,
    /// Of the numbers between this one and its ancestor, the one whose `semi` is the smallest.
    label: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn new(tree: &Tree) -> Self {
        let numbers: Vec<u32> = (0..tree.node.len() as u32).collect();
        Self { semi: numbers.clone(), ancestor: vec![NONE; numbers.len()], label: numbers, path: Vec::new() }
    }

    fn dominate(mut self, tree: &Tree, incoming: &Adjacency, is_source: &[bool]) -> Vec<u32> {
        let count = tree.node.len();
        let mut immediate = vec![0_u32; count];
        // Numbers by their `semi`, as linked lists.
        let (mut first, mut following) = (vec![NONE; count], vec![NONE; count]);
        for number in (1..count).rev() {
            let mut semi = if is_source[number] { 0 } else { tree.parent[number] };
            for (from, _) in tree.entering(incoming, number) {
                let best = self.best_above(from);
                semi = semi.min(self.semi[best as usize]);
            }
            self.semi[number] = semi;
            following[number] = std::mem::replace(&mut first[semi as usize], number as u32);
            let parent = tree.parent[number];
            self.ancestor[number] = parent;
            let mut waiting = std::mem::replace(&mut first[parent as usize], NONE);
            while waiting != NONE {
                let best = self.best_above(waiting);
                let is_nearer = self.semi[best as usize] < self.semi[waiting as usize];
                immediate[waiting as usize] = if is_nearer { best } else { parent };
                waiting = following[waiting as usize];
            }
        }
        for number in 1..count {
            if immediate[number] != self.semi[number] {
                immediate[number] = immediate[immediate[number] as usize];
            }
        }
        immediate
    }

    /// Of a number and those above it in its tree, without the tree's root, the one whose `semi` is the smallest.
    fn best_above(&mut self, number: u32) -> u32 {
        if self.ancestor[number as usize] == NONE {
            return self.label[number as usize];
        }
        let mut at = number;
        while self.ancestor[self.ancestor[at as usize] as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        // From the top down, so that each takes over what the one above it has found.
        while let Some(below) = self.path.pop() {
            let above = self.ancestor[below as usize] as usize;
            if self.semi[self.label[above] as usize] < self.semi[self.label[below as usize] as usize] {
                self.label[below as usize] = self.label[above];
            }
            self.ancestor[below as usize] = self.ancestor[above];
        }
        self.label[number as usize]
    }
}

/// The arcs by which alone a number is entered. A path comes to a node first over an arc whose other end the node does
/// not dominate; where there is just one such arc, every path takes it. Linear.
fn only_entries(tree: &Tree, incoming: &Adjacency, is_source: &[bool], immediate: &[u32]) -> Vec<u32> {
    let spans = spans(immediate);
    let is_below = |below: u32, above: usize| {
        let (first, last) = spans[above];
        (first..last).contains(&spans[below as usize].0)
    };
    let only = |number: usize| {
        let mut entries = tree.entering(incoming, number).filter(|(from, _)| !is_below(*from, number));
        let (_, arc) = entries.next()?;
        (!is_source[number] && entries.next().is_none()).then_some(arc)
    };
    (0..tree.node.len()).map(|number| if number == 0 { NONE } else { only(number).unwrap_or(NONE) }).collect()
}

/// For each number the stretch that it and everything it dominates take, when each stands before what it dominates.
fn spans(immediate: &[u32]) -> Vec<(u32, u32)> {
    let mut size = vec![1_u32; immediate.len()];
    for number in (1..immediate.len()).rev() {
        size[immediate[number] as usize] += size[number];
    }
    let mut spans = vec![(0, size[0]); immediate.len()];
    let mut free = vec![1_u32; immediate.len()];
    for number in 1..immediate.len() {
        let above = immediate[number] as usize;
        let first = free[above];
        free[above] += size[number];
        free[number] = first + 1;
        spans[number] = (first, first + size[number]);
    }
    spans
}
