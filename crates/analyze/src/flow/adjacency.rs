//! Arcs in order of the node they leave, for plain searches.
#![expect(
    clippy::indexing_slicing,
    reason = "a kernel over numbered columns, whose numbers were checked on the way in"
)]

/// Arcs grouped by one of their ends, those of one node in the order given.
#[derive(Debug)]
pub(super) struct Adjacency {
    starts: Vec<u32>,
    /// The node at the other end, and the number of the arc.
    arcs: Vec<(u32, u32)>,
}

impl Adjacency {
    /// Groups arcs by counting, in linear time. The nodes of each arc must be below `node_count`.
    pub(super) fn new(node_count: u32, arcs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0_u32; node_count as usize + 1];
        for (node, _) in arcs.clone() {
            starts[node as usize + 1] += 1;
        }
        for node in 0..node_count as usize {
            starts[node + 1] += starts[node];
        }
        let mut places = starts.clone();
        let mut grouped = vec![(0, 0); starts[node_count as usize] as usize];
        for (number, (node, other)) in (0..).zip(arcs) {
            let place = &mut places[node as usize];
            grouped[*place as usize] = (other, number);
            *place += 1;
        }
        Self { starts, arcs: grouped }
    }

    /// The arcs of a node: the other end and the number.
    pub(super) fn of(&self, node: u32) -> &[(u32, u32)] {
        &self.arcs[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}
