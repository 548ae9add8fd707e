//! The search from both ends.
//!
//! Two searches of Dijkstra's, along the arcs from the sources and against them from the targets. Each knows the true
//! length of every node that is nearer than its frontier. A path that is no longer than both frontiers together runs
//! through nodes that are nearer than the first, then through a node that both have a length for, then through nodes
//! that are nearer than the second. So what the two have met in covers every such path, and neither has to come near
//! the other end. In a graph that widens quickly that is the square root of the work.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::arcs::{Arcs, Direction};
use super::labels::Labels;
use super::length::{By, Length};
use super::route::{Allowed, Query};

/// Memory of searches, to be kept from one to the next so that a search costs what it touches.
#[derive(Debug, Default)]
pub struct Workspace {
    forward: Side,
    backward: Side,
    /// Nodes that both sides have a length for, some more than once.
    met: Vec<u32>,
}

/// A search in one direction.
#[derive(Debug, Default)]
struct Side {
    labels: Labels,
    heap: BinaryHeap<Reverse<(Length, u32)>>,
    /// Arcs that were looked at.
    work: usize,
}

impl Side {
    fn begin(&mut self, nodes: impl Iterator<Item = u32>) {
        self.labels.clear();
        self.heap.clear();
        self.work = 0;
        for node in nodes {
            self.labels.set(node, Length::ZERO);
            self.heap.push(Reverse((Length::ZERO, node)));
        }
    }

    /// Every node that is nearer has its true length.
    fn frontier(&self) -> Length {
        self.heap.peek().map_or(Length::INFINITE, |Reverse((length, _))| *length)
    }

    /// What there will have been to look at after the next node.
    fn work_after_next(&self, arcs: &Arcs, direction: Direction) -> usize {
        self.work + self.heap.peek().map_or(0, |Reverse((_, node))| arcs.degree(direction, *node))
    }
}

/// When a search may rest.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rest {
    /// A shortest path is covered.
    Met,
    /// So many arcs were looked at, in all.
    Work(usize),
}

/// A search from both ends, under way.
#[derive(Debug)]
pub(super) struct Between<'a> {
    arcs: &'a Arcs,
    by: By,
    allowed: Allowed<'a>,
    space: &'a mut Workspace,
    /// The shortest length found.
    shortest: Length,
    /// Longer paths are not of interest.
    limit: Length,
    /// Whether only shortest paths are of interest.
    is_narrow: bool,
}

impl<'a> Between<'a> {
    /// A search for all paths within a limit.
    pub(super) fn within(arcs: &'a Arcs, query: &Query<'a>, limit: Length, space: &'a mut Workspace) -> Self {
        debug_assert!(limit < Length::INFINITE, "what has no length must not pass for covered");
        let exists = |node: &u32| (*node as usize) < arcs.node_count();
        space.forward.begin(query.sources.iter().copied().filter(exists));
        space.backward.begin(query.targets.iter().copied().filter(exists));
        space.met.clear();
        let mut shortest = Length::INFINITE;
        for target in query.targets {
            if space.forward.labels.get(*target) == Length::ZERO {
                space.met.push(*target);
                shortest = Length::ZERO;
            }
        }
        Self { arcs, by: query.by, allowed: query.allowed, space, shortest, limit, is_narrow: false }
    }

    /// A search for the shortest paths, if they are within a limit.
    pub(super) fn shortest(arcs: &'a Arcs, query: &Query<'a>, limit: Length, space: &'a mut Workspace) -> Self {
        Self { is_narrow: true, ..Self::within(arcs, query, limit, space) }
    }

    /// Every path that is no longer is covered.
    pub(super) fn covered(&self) -> Length {
        let Workspace { forward, backward, .. } = &*self.space;
        forward.frontier().plus(backward.frontier()).min(self.limit())
    }

    /// How many arcs were looked at.
    pub(super) const fn work(&self) -> usize {
        self.space.forward.work + self.space.backward.work
    }

    /// Whether everything that is of interest is covered.
    pub(super) fn is_done(&self) -> bool {
        self.covered() >= self.limit()
    }

    /// Goes on until everything is covered, or as far as is said. Gives whether everything is covered.
    ///
    /// The side that has seen fewer arcs goes first, so that a node with very many waits until the other side has come
    /// as far.
    pub(super) fn run(&mut self, rest: Rest) -> bool {
        while !self.is_done() {
            let may_rest = match rest {
                Rest::Met => self.covered() >= self.shortest,
                Rest::Work(most) => self.work() >= most,
            };
            if may_rest {
                return false;
            }
            let ahead = self.space.forward.work_after_next(self.arcs, Direction::Forward);
            let behind = self.space.backward.work_after_next(self.arcs, Direction::Backward);
            self.settle(if ahead <= behind { Direction::Forward } else { Direction::Backward });
        }
        true
    }

    /// What is known of a node: an upper bound of its length from the sources. True if the node is near enough.
    pub(super) fn length_before(&self, node: u32) -> Length {
        self.space.forward.labels.get(node)
    }

    /// What is known of a node: an upper bound of its length to the targets. True if the node is near enough.
    pub(super) fn length_after(&self, node: u32) -> Length {
        self.space.backward.labels.get(node)
    }

    /// Nodes that both sides have a length for, some more than once: at least one of each covered path.
    pub(super) fn met(&self) -> &[u32] {
        &self.space.met
    }

    fn limit(&self) -> Length {
        if self.is_narrow { self.shortest.min(self.limit) } else { self.limit }
    }

    /// Takes the nearest node of a side and looks at its arcs.
    fn settle(&mut self, direction: Direction) {
        let mut limit = self.limit();
        let Workspace { forward, backward, met } = &mut *self.space;
        let (near, far) = match direction {
            Direction::Forward => (forward, &*backward),
            Direction::Backward => (backward, &*forward),
        };
        let Some(Reverse((length, node))) = near.heap.pop() else { return };
        if near.labels.get(node) < length {
            return;
        }
        let frontier = far.frontier();
        for step in self.arcs.steps(direction, node) {
            near.work += 1;
            let reached = length.plus(Length::of(self.by, step));
            if reached > limit || reached >= near.labels.get(step.node) || !self.allowed.permits(step.arc) {
                continue;
            }
            let whole = reached.plus(far.labels.get(step.node));
            if whole <= limit {
                met.push(step.node);
                self.shortest = self.shortest.min(whole);
                if self.is_narrow {
                    limit = limit.min(whole);
                }
            } else if reached.plus(frontier) > limit {
                // The far side has no length for the node, or too long a one, and the true one is beyond its frontier.
                continue;
            }
            near.labels.set(step.node, reached);
            near.heap.push(Reverse((reached, step.node)));
        }
    }
}
