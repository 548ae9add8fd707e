//! Cuts and dominators against plain forms of the same questions, and input that is bad on purpose.

mod cuts;
mod dominators;
mod naive;
mod nodes;

use proptest::prelude::*;

use super::{Capacity, Ends, FlowNetwork, Pipe};

/// A network and between which nodes it is asked about.
#[derive(Debug, Clone)]
struct Question {
    node_count: u32,
    pipes: Vec<Pipe>,
    sources: Vec<u32>,
    targets: Vec<u32>,
}

impl Question {
    fn network(&self) -> FlowNetwork {
        FlowNetwork::new(self.node_count, self.pipes.clone()).unwrap()
    }

    fn ends(&self) -> Ends<'_> {
        Ends { sources: &self.sources, targets: &self.targets }
    }
}

fn finite(from: u32, to: u32, amount: u64) -> Pipe {
    Pipe { from, to, capacity: Capacity::Finite(amount) }
}

fn infinite(from: u32, to: u32) -> Pipe {
    Pipe { from, to, capacity: Capacity::Infinite }
}

/// Small costs, so that several cuts cost the same; some free, some infinite.
fn capacity() -> impl Strategy<Value = Capacity> {
    prop_oneof![
        1 => Just(Capacity::Infinite),
        8 => (0_u64..4).prop_map(Capacity::Finite),
        1 => (0_u64..1 << 40).prop_map(Capacity::Finite),
    ]
}

/// Few nodes, so that there are cycles, loops and parallel pipes; the ends may repeat and touch.
fn question(nodes: u32, most_pipes: usize) -> impl Strategy<Value = Question> {
    (2..=nodes).prop_flat_map(move |node_count| {
        let pipe = (0..node_count, 0..node_count, capacity());
        let pipes =
            prop::collection::vec(pipe.prop_map(|(from, to, capacity)| Pipe { from, to, capacity }), 0..=most_pipes);
        let some = || prop::collection::vec(0..node_count, 0..3);
        (pipes, some(), some()).prop_map(move |(pipes, sources, targets)| Question {
            node_count,
            pipes,
            sources,
            targets,
        })
    })
}
