//! The cheapest cut, read off a largest flow.
//!
//! Of all cheapest cuts it is the one nearest to the sources: the side of the sources is the smallest that any of them
//! has. That choice depends on nothing but the network and the ends, not on which largest flow was found.
#![expect(
    clippy::indexing_slicing,
    reason = "a kernel over numbered columns, whose numbers were checked on the way in"
)]

use super::max_flow::{Flow, numbers};

/// Pipes without which no path leads from a source to a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The pipes, in order of their numbers. None is superfluous: with any one of them back there is a path.
    pub pipes: Vec<u32>,
    /// What their removal costs together.
    pub cost: u64,
}

impl Flow<'_> {
    /// The cheapest cut nearest to the sources; it costs what flows. Takes linear time: two searches and a look at
    /// each pipe.
    pub fn cut(&self) -> Cut {
        let near = self.source_side();
        let far = self.target_side(&near);
        let mut cut = Cut { pipes: Vec::new(), cost: 0 };
        // A pipe that leads out of the near side but on to no target is there only if it is free, and cuts nothing.
        let crosses = |from: u32, to: u32| near[from as usize] && far[to as usize];
        for (number, pipe) in (0..).zip(self.network.pipes()).filter(|(_, pipe)| crosses(pipe.from, pipe.to)) {
            cut.pipes.push(number);
            cut.cost += pipe.capacity.amount();
        }
        cut
    }

    /// The nodes to which more could flow from the sources.
    fn source_side(&self) -> Vec<bool> {
        let mut is_near = self.is_source.clone();
        let mut stack: Vec<u32> = numbers(&is_near).collect();
        while let Some(node) = stack.pop() {
            for slot in self.network.slots_of(node) {
                let flowing = self.on_pipe[slot.pipe() as usize];
                let most = if slot.is_leaving() { self.network.capacity(slot.pipe()).amount() } else { 0 };
                if flowing != most && !is_near[slot.head as usize] {
                    is_near[slot.head as usize] = true;
                    stack.push(slot.head);
                }
            }
        }
        is_near
    }

    /// The nodes beyond the near side from which a target can be reached without coming back to it.
    fn target_side(&self, is_near: &[bool]) -> Vec<bool> {
        let mut is_far = self.is_target.clone();
        let mut stack: Vec<u32> = numbers(&is_far).collect();
        while let Some(node) = stack.pop() {
            for slot in self.network.slots_of(node) {
                let head = slot.head as usize;
                if !slot.is_leaving() && !is_near[head] && !is_far[head] {
                    is_far[head] = true;
                    stack.push(slot.head);
                }
            }
        }
        is_far
    }
}
