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
    /// Slots of another round are empty, so that nothing has to be cleared.
    round: u32,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    node: u32,
    round: u32,
    length: Length,
}

const EMPTY: Slot = Slot { node: 0, round: 0, length: Length::INFINITE };
const SMALLEST: usize = 1 << 8;

impl Default for Labels {
    fn default() -> Self {
        Self { slots: vec![EMPTY; SMALLEST], count: 0, round: 1 }
    }
}

impl Labels {
    /// Forgets everything. A table that was hardly used shrinks, so that after one large search the later ones find
    /// their labels close together again.
    pub(super) fn clear(&mut self) {
        if self.count * 16 < self.slots.len() {
            self.slots.truncate((self.slots.len() / 4).max(SMALLEST));
        }
        self.count = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == EMPTY.round {
            self.slots.fill(EMPTY);
            self.round += 1;
        }
    }

    /// The length of a node, infinite if it was not touched.
    #[inline]
    pub(super) fn get(&self, node: u32) -> Length {
        let slot = &self.slots[self.place(node)];
        if slot.round == self.round { slot.length } else { Length::INFINITE }
    }

    /// Sets the length of a node.
    #[inline]
    pub(super) fn set(&mut self, node: u32, length: Length) {
        let place = self.place(node);
        self.count += usize::from(self.slots[place].round != self.round);
        self.slots[place] = Slot { node, round: self.round, length };
        if self.count * 2 > self.slots.len() {
            self.grow();
        }
    }

    /// The touched nodes, in no order.
    pub(super) fn nodes(&self) -> impl Iterator<Item = u32> {
        self.slots.iter().filter(|slot| slot.round == self.round).map(|slot| slot.node)
    }

    /// Where the node is, or would be.
    #[inline]
    fn place(&self, node: u32) -> usize {
        let mask = self.slots.len() - 1;
        // The high bits of the product depend on all bits of the node.
        let spread = u64::from(node).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let mut place = spread as usize & mask;
        while self.slots[place].round == self.round && self.slots[place].node != node {
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        let larger = vec![EMPTY; self.slots.len() * 4];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.round == self.round {
                let place = self.place(slot.node);
                self.slots[place] = slot;
            }
        }
    }
}
