//! The simple paths of a region, best first.
//!
//! Yen's way in Lawler's form: all paths not yet given are split into parts, each of which has a beginning in common and
//! some nodes that may not come next. Each path that is given splits its part further. A part is kept by a lower bound
//! of its best path and searched only when its turn comes, so that most parts are never searched. Lengths to the targets
//! are known, so that a search walks nearly straight to its end.
//!
//! For each path that is given, there are at most as many searches as it has nodes, and each takes at most the time of
//! one search of Dijkstra's in the region (times the number of hops where those are bounded apart).

#![expect(clippy::indexing_slicing, reason = "nodes are numbered by the region, states by the search")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::length::Length;
use super::region::Region;
use super::spur::{End, Seed, Spur};

/// A path within a region.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path {
    pub(super) length: Length,
    pub(super) nodes: Vec<u32>,
}

/// Paths with a beginning in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    /// The given path whose beginning it is.
    path: usize,
    /// How many nodes of it; none for the part of all paths.
    shared: usize,
    /// What does not come next.
    banned: Vec<u32>,
    /// Whether no path ends where the beginning ends.
    is_end_banned: bool,
    /// Ways to come to the last of the shared nodes.
    seeds: Vec<Seed>,
}

/// Ordered by length; a part that was not searched comes before a path of the same length, because its best path may
/// be before that one in the order of nodes.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Entry {
    Part(Part),
    Path(Vec<u32>, Part),
}

/// All simple paths, in the order of length and then of nodes.
#[derive(Debug)]
pub(super) struct Ordered<'a> {
    region: &'a Region,
    spur: Spur<'a>,
    given: Vec<Path>,
    /// The part of the path given last, to be split when another path is asked for.
    unsplit: Option<Part>,
    heap: BinaryHeap<Reverse<(Length, Entry)>>,
}

impl<'a> Ordered<'a> {
    /// Paths of at most so many hops. Without a bound, lengths alone decide.
    pub(super) fn new(region: &'a Region, max_hops: Option<u32>) -> Self {
        let all = Part { path: 0, shared: 0, banned: Vec::new(), is_end_banned: true, seeds: Vec::new() };
        let heap = BinaryHeap::from([Reverse((Length::ZERO, Entry::Part(all)))]);
        Self { region, spur: Spur::new(region, max_hops), given: Vec::new(), unsplit: None, heap }
    }

    /// The next path, unless there is none, or none that is found before the work exceeds what may be spent.
    pub(super) fn next_within(&mut self, budget: usize) -> Next {
        if let Some(part) = self.unsplit.take() {
            self.split(part);
        }
        while let Some(Reverse((length, entry))) = self.heap.pop() {
            match entry {
                Entry::Part(part) => {
                    if self.spur.work > budget {
                        return Next::Spent;
                    }
                    if let Some(path) = self.search(&part) {
                        self.heap.push(Reverse((path.length, Entry::Path(path.nodes, part))));
                    }
                }
                Entry::Path(nodes, part) => {
                    let path = Path { length, nodes };
                    self.given.push(path.clone());
                    self.unsplit = Some(part);
                    return Next::Path(path);
                }
            }
        }
        Next::None
    }

    fn search(&mut self, part: &Part) -> Option<Path> {
        let shared = self.given.get(part.path).map_or(&[][..], |path| &path.nodes[..part.shared]);
        let end = if part.is_end_banned { End::Further } else { End::Anywhere };
        self.spur.begin(shared, &part.banned);
        let (length, rest) = self.spur.best(&part.seeds, end)?;
        Some(Path { length, nodes: shared.iter().copied().chain(rest).collect() })
    }

    /// The part of the path given last, without that path: one part for each of its nodes from which others may leave.
    fn split(&mut self, mut part: Part) {
        let path = self.given.len() - 1;
        let nodes = &self.given[path].nodes;
        let first = part.shared;
        part.path = path;
        self.spur.begin(&nodes[..first], &part.banned);
        for shared in first..=nodes.len() {
            if shared > first {
                let seeds = self.spur.seeds_after(&part.seeds, &nodes[..shared]);
                part = Part { path, shared, banned: Vec::new(), is_end_banned: false, seeds };
                self.spur.go_on(nodes[shared - 1]);
            }
            match nodes.get(shared) {
                Some(next) => {
                    part.banned.push(*next);
                    self.spur.ban(*next);
                }
                None => part.is_end_banned = true,
            }
            let end = if part.is_end_banned { End::Further } else { End::Anywhere };
            let bound = self.spur.bound(&part.seeds, end);
            if bound <= self.region.limit {
                self.heap.push(Reverse((bound, Entry::Part(part.clone()))));
            }
        }
    }
}

/// What comes of looking for the next path.
#[derive(Debug)]
pub(super) enum Next {
    Path(Path),
    None,
    /// There may be more.
    Spent,
}
