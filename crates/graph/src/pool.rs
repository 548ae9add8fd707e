//! A pool of byte strings that only grows, kept in chunks so that a view can share it while ingest goes on.

use std::sync::Arc;

use crate::varint;

/// Large enough that a graph of a gigabyte has a thousand chunks, small enough that an unfinished one costs little.
const CHUNK: usize = 1 << 20;

/// Where a byte string stands: the chunk in the upper half, the offset in the lower.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Spot(pub(crate) u64);

impl Spot {
    /// The empty byte string, which takes no room.
    pub(crate) const EMPTY: Self = Self(u64::MAX);

    /// The mark of a spot in the second of two pools that are read as one. No pool has so many chunks.
    const SECOND: u64 = 1 << 63;

    /// The same spot, in the second of two pools.
    pub(crate) const fn in_second(self) -> Self {
        Self(self.0 | Self::SECOND)
    }

    /// Whether it is in the second of two pools. The empty string is in both.
    pub(crate) const fn is_in_second(self) -> bool {
        self.0 & Self::SECOND != 0 && self.0 != Self::EMPTY.0
    }
}

/// The pool as it is being filled.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    closed: Vec<Arc<Vec<u8>>>,
    open: Vec<u8>,
}

impl Pool {
    /// Stores a byte string.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Spot {
        if bytes.is_empty() {
            return Spot::EMPTY;
        }
        // A varint of a length takes at most ten bytes.
        if !self.open.is_empty() && self.open.len() + bytes.len() + 10 > CHUNK {
            self.close();
        }
        let spot = Spot((self.closed.len() as u64) << 32 | self.open.len() as u64);
        if self.open.capacity() == 0 {
            self.open.reserve_exact(CHUNK.max(bytes.len() + 10));
        }
        varint::write(&mut self.open, bytes.len() as u64);
        self.open.extend_from_slice(bytes);
        spot
    }

    /// The byte string at a spot.
    pub(crate) fn get(&self, spot: Spot) -> &[u8] {
        let chunk = match self.closed.get((spot.0 >> 32) as usize) {
            Some(chunk) => chunk.as_slice(),
            None => self.open.as_slice(),
        };
        read_at(chunk, spot)
    }

    /// A view of everything stored so far. What is stored later does not disturb it.
    pub(crate) fn share(&mut self) -> PoolView {
        self.close();
        PoolView { chunks: self.closed.clone() }
    }

    /// Adopts a chunk that another pool closed; spots in it stay valid if chunks are adopted in their order.
    pub(crate) fn adopt(&mut self, chunk: Vec<u8>) {
        self.close();
        self.closed.push(Arc::new(chunk));
    }

    /// All chunks, in order.
    pub(crate) fn chunks(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let open: &[u8] = &self.open;
        let open = if open.is_empty() { None } else { Some(open) };
        let all: Vec<&[u8]> = self.closed.iter().map(|chunk| chunk.as_slice()).chain(open).collect();
        all.into_iter()
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            let mut chunk = std::mem::take(&mut self.open);
            chunk.shrink_to_fit();
            self.closed.push(Arc::new(chunk));
        }
    }
}

/// Two pools that are read as one.
#[derive(Debug, Default)]
pub(crate) struct PoolPair {
    pub(crate) first: PoolView,
    pub(crate) second: PoolView,
}

impl PoolPair {
    /// The byte string at a spot of either pool.
    pub(crate) fn get(&self, spot: Spot) -> &[u8] {
        if spot.0 & Spot::SECOND == 0 { self.first.get(spot) } else { self.second.get(Spot(spot.0 & !Spot::SECOND)) }
    }
}

/// A pool as it was at one moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct PoolView {
    chunks: Vec<Arc<Vec<u8>>>,
}

impl PoolView {
    /// The byte string at a spot.
    pub(crate) fn get(&self, spot: Spot) -> &[u8] {
        self.chunks.get((spot.0 >> 32) as usize).map_or(&[], |chunk| read_at(chunk, spot))
    }
}

fn read_at(chunk: &[u8], spot: Spot) -> &[u8] {
    let Some(mut rest) = chunk.get((spot.0 & u64::from(u32::MAX)) as usize..) else { return &[] };
    varint::read_slice(&mut rest).unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_read_back_across_chunks_and_from_a_shared_view() {
        let mut pool = Pool::default();
        let strings: Vec<Vec<u8>> = (0..40_u8).map(|n| vec![n; 100_000]).collect();
        let spots: Vec<Spot> = strings.iter().map(|bytes| pool.push(bytes)).collect();
        let huge = pool.push(&vec![7; 3 * CHUNK]);
        let view = pool.share();
        let later = pool.push(b"later");
        for (spot, bytes) in spots.iter().zip(&strings) {
            assert_eq!(pool.get(*spot), bytes);
            assert_eq!(view.get(*spot), bytes);
        }
        assert_eq!(view.get(huge).len(), 3 * CHUNK);
        assert_eq!(pool.get(later), b"later");
        assert_eq!(view.get(later), b"");
        assert_eq!(pool.get(pool_empty(&mut Pool::default())), b"");
    }

    fn pool_empty(pool: &mut Pool) -> Spot {
        pool.push(b"")
    }
}
