//! Paths through large random graphs, against a plain search from one end over the same arrays.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use tracehound_analyze::routes::{Allowed, Arc, Arcs, By, Query, Workspace, best, k_best};

use crate::figure::{Figures, say};

const WEIGHTS: [f64; 6] = [0.1, 0.2, 0.3, 0.5, 0.7, 0.9];
/// Pairs of nodes between which paths are looked for.
const PAIRS: usize = 200;
/// Of these, pairs that the plain search looks at as well. It is slow.
const PLAIN_PAIRS: usize = 15;
const PLAIN_ROUNDS: usize = 2;
/// Rounds over all pairs; for each pair the quickest counts, as noise only ever slows. A round touches too much for the
/// next one to find its pair in the cache.
const ROUNDS: usize = 5;
/// Rounds where each takes less than a second.
const MANY_ROUNDS: usize = 15;
/// How many best paths are looked for.
const BEST: usize = 10;
const MILLISECOND: f64 = 1e-3;

/// One path in a graph of ten million arcs, ten paths in one of half a million.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    single(figures)?;
    several(figures)
}

fn single(figures: &mut Figures) -> anyhow::Result<()> {
    let arcs = random_graph(2_000_000, 10_000_000);
    let pairs = connected_pairs(&arcs);
    let mut space = Workspace::default();
    let mut one = |query: &Query<'_>| best(&arcs, query, &mut space).map(|route| route.cost);
    let by_hops = spread(&pairs, By::Hops, ROUNDS, &mut one)?;
    say(&format!("  one path by hops in 10,000,000 arcs: {by_hops}"));
    let ours = spread(&pairs, By::Weight, ROUNDS, &mut one)?;
    say(&format!("  one path by weight in 10,000,000 arcs: {ours}"));
    let mut plain = Plain { arcs: &arcs, lengths: vec![u64::MAX; arcs.node_count()] };
    let sample = pairs.get(..PLAIN_PAIRS).unwrap_or(&pairs);
    for pair in sample {
        let query = query(pair, By::Weight);
        ensure!(plain.search(&query) == one(&query), "the plain search finds another cost");
    }
    let slow = spread(sample, By::Weight, PLAIN_ROUNDS, |query| plain.search(query))?;
    say(&format!("  the same by a plain search from one end: {slow}"));
    figures.at_least("one path, median against a plain search", slow.median / ours.median, 100.0, "x");
    Ok(())
}

fn several(figures: &mut Figures) -> anyhow::Result<()> {
    let arcs = random_graph(100_000, 500_000);
    let pairs = connected_pairs(&arcs);
    let mut space = Workspace::default();
    let one = spread(&pairs, By::Weight, MANY_ROUNDS, |query| best(&arcs, query, &mut space).map(|route| route.cost))?;
    say(&format!("  one path by weight in 500,000 arcs: {one}"));
    let ten = spread(&pairs, By::Weight, MANY_ROUNDS, |query| {
        let routes = k_best(&arcs, query, BEST, &mut space);
        routes.get(BEST - 1).map(|route| route.cost)
    })?;
    say(&format!("  {BEST} best paths by weight in 500,000 arcs: {ten}"));
    figures.at_most("ten best paths, p95 against one path's median", ten.p95 / one.median, 50.0, "x");
    Ok(())
}

fn query(pair: &(u32, u32), by: By) -> Query<'_> {
    let (source, target) = (std::slice::from_ref(&pair.0), std::slice::from_ref(&pair.1));
    Query { sources: source, targets: target, by, allowed: Allowed::Every, max_hops: None }
}

/// Times of many searches, in seconds.
struct Spread {
    median: f64,
    p95: f64,
    p99: f64,
}

/// Searches between each two, in rounds over all of them.
fn spread(
    pairs: &[(u32, u32)],
    by: By,
    rounds: usize,
    mut search: impl FnMut(&Query<'_>) -> Option<u64>,
) -> anyhow::Result<Spread> {
    let mut times = vec![f64::INFINITY; pairs.len()];
    for _ in 0..rounds {
        for (pair, quickest) in pairs.iter().zip(&mut times) {
            let begin = Instant::now();
            search(&query(pair, by)).context("a path was not found")?;
            *quickest = quickest.min(begin.elapsed().as_secs_f64());
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| times.get(times.len() * percent / 100).copied();
    let [Some(median), Some(p95), Some(p99)] = [50, 95, 99].map(at) else { anyhow::bail!("nothing was measured") };
    Ok(Spread { median, p95, p99 })
}

impl std::fmt::Display for Spread {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [median, p95, p99] = [self.median, self.p95, self.p99].map(|seconds| seconds / MILLISECOND);
        write!(out, "median {median:.3} ms, p95 {p95:.3} ms, p99 {p99:.3} ms")
    }
}

/// The plain form: from the source outwards until the target's turn comes.
struct Plain<'a> {
    arcs: &'a Arcs,
    lengths: Vec<u64>,
}

impl Plain<'_> {
    fn search(&mut self, query: &Query<'_>) -> Option<u64> {
        let (source, target) = (*query.sources.first()?, *query.targets.first()?);
        self.lengths.fill(u64::MAX);
        let mut heap = BinaryHeap::from([Reverse((0_u64, source))]);
        *self.lengths.get_mut(source as usize)? = 0;
        while let Some(Reverse((length, node))) = heap.pop() {
            if node == target {
                return Some(length);
            }
            if length > *self.lengths.get(node as usize)? {
                continue;
            }
            for step in self.arcs.out(node) {
                let reached = length + u64::from(step.cost);
                let known = self.lengths.get_mut(step.node as usize)?;
                if reached < *known {
                    *known = reached;
                    heap.push(Reverse((reached, step.node)));
                }
            }
        }
        None
    }
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    /// A number below another.
    fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(end)) >> 32) as u32
    }
}

fn random_graph(nodes: u32, arcs: usize) -> Arcs {
    let mut dice = Dice(0x5DEE_CE66_D1CE_4E5B);
    let list: Vec<Arc> = std::iter::repeat_with(|| {
        let weight = WEIGHTS.get(dice.below(WEIGHTS.len() as u32) as usize).copied().unwrap_or(1.0);
        Arc { from: dice.below(nodes), to: dice.below(nodes), weight, hops: 1 }
    })
    .take(arcs)
    .collect();
    Arcs::new(nodes, &list)
}

/// Random pairs of nodes between which there is a path.
fn connected_pairs(arcs: &Arcs) -> Vec<(u32, u32)> {
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    let mut space = Workspace::default();
    let count = arcs.node_count() as u32;
    std::iter::repeat_with(|| (dice.below(count), dice.below(count)))
        .filter(|pair| best(arcs, &query(pair, By::Weight), &mut space).is_some())
        .take(PAIRS)
        .collect()
}
