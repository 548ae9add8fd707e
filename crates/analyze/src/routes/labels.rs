//! Lengths of the few nodes that a search touches.
//!
//! A table of open addresses: a search between two nodes touches some thousands of millions, and a table of that size
//! stays in the processor's cache where a column over all nodes does not.

#![expect(clippy::indexing_slicing, reason = "positions are masked to the table's size")]

use super::length::Length;

/// The length found for each touched node.
#[derive(Debug)]
pub(super) struct Labels {
    slots: Vec<Slot>,
    count: usize,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    node: u32,
    length: Length,
}

/// No graph has so many nodes that the last number is one.
const EMPTY: Slot = Slot { node: u32::MAX, length: Length::INFINITE };
const SMALLEST: usize = 1 << 8;

impl Default for Labels {
    fn default() -> Self {
        Self { slots: vec![EMPTY; SMALLEST], count: 0 }
    }
}

impl Labels {
    /// Forgets everything. A table that was hardly used shrinks, so that one large search does not make all later ones
    /// clear a large table.
    pub(super) fn clear(&mut self) {
        let size = if self.count * 16 < self.slots.len() { self.slots.len() / 4 } else { self.slots.len() };
        self.slots.truncate(size.max(SMALLEST));
        self.slots.fill(EMPTY);
        self.count = 0;
    }

    /// The length of a node, infinite if it was not touched.
    #[inline]
    pub(super) fn get(&self, node: u32) -> Length {
        self.slots[self.place(node)].length
    }

    /// Sets the length of a node.
    #[inline]
    pub(super) fn set(&mut self, node: u32, length: Length) {
        let place = self.place(node);
        let is_added = self.slots[place].node != node;
        self.slots[place] = Slot { node, length };
        self.count += usize::from(is_added);
        if self.count * 2 > self.slots.len() {
            self.grow();
        }
    }

    /// The touched nodes, in no order.
    pub(super) fn nodes(&self) -> impl Iterator<Item = u32> {
        self.slots.iter().map(|slot| slot.node).filter(|node| *node != EMPTY.node)
    }

    /// Where the node is, or would be.
    #[inline]
    fn place(&self, node: u32) -> usize {
        let mask = self.slots.len() - 1;
        // The high bits of the product depend on all bits of the node.
        let spread = u64::from(node).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let mut place = spread as usize & mask;
        while self.slots[place].node != node && self.slots[place].node != EMPTY.node {
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        let larger = vec![EMPTY; self.slots.len() * 4];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.node != EMPTY.node {
                let place = self.place(slot.node);
                self.slots[place] = slot;
            }
        }
    }
}
