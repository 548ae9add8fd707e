//! The cheapest cut between all agents and the critical resources of a generated estate, against a plain search over
//! the same arcs.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, bail};
use tracehound_analyze::flow::{Capacity, Certificate, Dominators, Ends, FlowNetwork, Pipe, SplitNodes, max_flow};

use crate::child::{Measured, measure};
use crate::figure::{Figures, say};

/// Agents, servers, tools and resources; arcs from each to the next; how many resources are critical.
const NODES: [u32; 4] = [4_000, 20_000, 40_000, 36_000];
const ARCS: [u32; 3] = [100_000, 150_000, 250_000];
const CRITICAL: u32 = 2_000;
const ROUNDS: usize = 5;
const MS: f64 = 1e-3;

/// What is asked, by the name of the task, and how the figure calls it.
const QUESTIONS: [(&str, &str); 6] = [
    ("build", "laying out the network"),
    ("cut", "cheapest cut of arcs, each of cost 1"),
    ("weighted", "cheapest cut of arcs, costs 1 to 9"),
    ("nodes", "cheapest cut of servers and tools"),
    ("certificate", "cut with its certificate, checked"),
    ("dominators", "dominators"),
];

/// Each question at 100,000 nodes and at ten times that, in units of a plain search.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let [small, large] = ["1", "10"].map(Path::new);
    let small_sweep = measure("flow", &[Path::new("sweep"), small])?;
    let large_sweep = measure("flow", &[Path::new("sweep"), large])?;
    say(&format!(
        "  {} nodes, {} arcs: a breadth-first search from all agents looks at {} arcs in {:.2} ms; at ten times the \
         size in {:.2} ms",
        small_sweep.nodes,
        ARCS.iter().sum::<u32>(),
        small_sweep.edges,
        small_sweep.seconds / MS,
        large_sweep.seconds / MS,
    ));
    for (task, name) in QUESTIONS {
        let asked = measure("flow", &[Path::new(task), small])?;
        let at_ten = measure("flow", &[Path::new(task), large])?;
        let searches = asked.seconds / small_sweep.seconds;
        let searches_at_ten = at_ten.seconds / large_sweep.seconds;
        say(&format!(
            "  {name}: {:.1} ms, {searches:.1} searches; at ten times the size {:.0} ms, {searches_at_ten:.1} searches; \
             the answer has {} and {} parts",
            asked.seconds / MS,
            at_ten.seconds / MS,
            asked.edges,
            at_ten.edges,
        ));
        if task == "cut" {
            figures.at_most("a cut against a plain search", searches, 60.0, "x");
            figures.at_most("searches at ten times the size", searches_at_ten / searches, 2.0, "x");
        }
    }
    Ok(())
}

/// Asks one question several times, and gives the quickest; the answer's size stands for the edges.
pub(crate) fn ask(question: &str, times: &str) -> anyhow::Result<Measured> {
    let estate = Estate::generate(times.parse()?);
    let mut measured = Measured { seconds: f64::MAX, nodes: estate.node_count as usize, ..Measured::default() };
    let plain = estate.plain();
    let cost = |arc: u32| if question == "weighted" { 1 + u64::from(arc % 9) } else { 1 };
    let network = FlowNetwork::new(estate.node_count, estate.pipes(cost))?;
    let split = estate.split()?;
    let (sources, targets) = (split.sources(&estate.sources)?, split.targets(&estate.targets)?);
    let split_ends = Ends { sources: &sources, targets: &targets };
    for _ in 0..ROUNDS {
        let pipes = estate.pipes(|_| 1);
        let begin = Instant::now();
        measured.edges = match question {
            "sweep" => plain.search(&estate.sources),
            "build" => FlowNetwork::new(estate.node_count, pipes)?.pipes().len(),
            "cut" | "weighted" => max_flow(&network, estate.ends())?.cut().pipes.len(),
            "nodes" => max_flow(split.network(), split_ends)?.cut().pipes.len(),
            "certificate" => {
                let certificate = Certificate::find(&network, estate.ends())?;
                certificate.check(&network, estate.ends())?;
                certificate.paths.len()
            }
            "dominators" => {
                let found = Dominators::new(estate.node_count, &estate.arcs, &estate.sources)?;
                estate.targets.iter().filter(|target| found.immediate(**target).is_some()).count()
            }
            _ => bail!("no question {question}"),
        };
        measured.seconds = measured.seconds.min(begin.elapsed().as_secs_f64());
    }
    Ok(measured)
}

/// Agents use servers, servers have tools, tools reach resources. A few servers and resources are in most hands.
struct Estate {
    node_count: u32,
    arcs: Vec<(u32, u32)>,
    sources: Vec<u32>,
    targets: Vec<u32>,
    /// Where servers begin, and where resources do.
    servers: u32,
    resources: u32,
}

impl Estate {
    fn generate(times: u32) -> Self {
        let mut random = Random(7);
        let [agents, servers, tools, resources] = NODES.map(|count| count * times);
        let starts = [0, agents, agents + servers, agents + servers + tools];
        let layers = [(0, agents), (starts[1], servers), (starts[2], tools), (starts[3], resources)];
        let mut arcs = Vec::new();
        for (layer, count) in layers.windows(2).zip(ARCS) {
            if let [(from, from_count), (to, to_count)] = *layer {
                let arc = |random: &mut Random| (from + random.below(from_count), to + random.skewed(to_count));
                arcs.extend((0..count * times).map(|_| arc(&mut random)));
            }
        }
        let mut targets: Vec<u32> = (0..CRITICAL * times).map(|_| starts[3] + random.below(resources)).collect();
        targets.sort_unstable();
        targets.dedup();
        Self {
            node_count: starts[3] + resources,
            arcs,
            sources: (0..agents).collect(),
            targets,
            servers: starts[1],
            resources: starts[3],
        }
    }

    fn ends(&self) -> Ends<'_> {
        Ends { sources: &self.sources, targets: &self.targets }
    }

    fn pipes(&self, cost: impl Fn(u32) -> u64) -> Vec<Pipe> {
        let pipe = |(arc, (from, to)): (u32, &(u32, u32))| Pipe {
            from: *from,
            to: *to,
            capacity: Capacity::Finite(cost(arc)),
        };
        (0..).zip(&self.arcs).map(pipe).collect()
    }

    /// Servers and tools can be cut, agents and resources cannot.
    fn split(&self) -> anyhow::Result<SplitNodes> {
        let is_between = |node: &u32| (self.servers..self.resources).contains(node);
        let capacity = |node| if is_between(&node) { Capacity::Finite(1) } else { Capacity::Infinite };
        let capacities: Vec<Capacity> = (0..self.node_count).map(capacity).collect();
        let arcs: Vec<Pipe> =
            self.pipes(|_| 1).into_iter().map(|pipe| Pipe { capacity: Capacity::Infinite, ..pipe }).collect();
        SplitNodes::new(&capacities, &arcs).context("nodes to split")
    }

    fn plain(&self) -> Plain {
        let mut lists = vec![Vec::new(); self.node_count as usize];
        for (from, to) in &self.arcs {
            if let Some(list) = lists.get_mut(*from as usize) {
                list.push(*to);
            }
        }
        let mut starts = vec![0];
        let mut heads = Vec::new();
        for list in lists {
            heads.extend(list);
            starts.push(heads.len());
        }
        Plain { starts, heads }
    }
}

/// Arcs in two arrays, as a search would like them best.
struct Plain {
    starts: Vec<usize>,
    heads: Vec<u32>,
}

impl Plain {
    /// A plain search, breadth first, which tells how many arcs it looked at.
    #[expect(clippy::indexing_slicing, reason = "the plain form does no more than it must")]
    fn search(&self, sources: &[u32]) -> usize {
        let mut is_seen = vec![false; self.starts.len()];
        let mut queue = sources.to_vec();
        for source in sources {
            is_seen[*source as usize] = true;
        }
        let (mut position, mut arcs) = (0, 0);
        while let Some(node) = queue.get(position).copied() {
            position += 1;
            let heads = &self.heads[self.starts[node as usize]..self.starts[node as usize + 1]];
            arcs += heads.len();
            for head in heads {
                if !std::mem::replace(&mut is_seen[*head as usize], true) {
                    queue.push(*head);
                }
            }
        }
        arcs
    }
}

/// Numbers that look random and are the same in each run.
struct Random(u64);

impl Random {
    fn fraction(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, count: u32) -> u32 {
        (self.fraction() * f64::from(count)) as u32
    }

    /// Small numbers far more often: the first ten-thousandth of them in one of ten cases.
    fn skewed(&mut self, count: u32) -> u32 {
        (self.fraction().powi(4) * f64::from(count)) as u32
    }
}
