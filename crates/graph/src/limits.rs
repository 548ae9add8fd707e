//! How much a document may demand of us.

/// Limits on what comes from outside. Each is checked before memory is spent on what exceeds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Size of a document, after decompression.
    pub document_bytes: u64,
    /// Nodes and edges in a document, counted together.
    pub items: usize,
    /// Properties of one node or edge.
    pub properties: usize,
    /// Length of one text or JSON value among the properties.
    pub value_bytes: usize,
    /// Length of an id, a key or a scan id.
    pub name_bytes: usize,
    /// Different property keys that a document may bring.
    pub keys: usize,
}

impl Limits {
    /// The largest document size that can be configured: positions within a document are 32-bit numbers.
    pub const MAX_DOCUMENT_BYTES: u64 = 2 << 30;

    /// For documents that were accepted before: limits may have been lowered since, and bind only what is new.
    pub(crate) const NONE: Self = Self {
        document_bytes: Self::MAX_DOCUMENT_BYTES,
        items: usize::MAX,
        properties: usize::MAX,
        value_bytes: usize::MAX,
        name_bytes: usize::MAX,
        keys: usize::MAX >> 1,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            document_bytes: 100 << 20,
            items: 2_000_000,
            properties: 1_000,
            value_bytes: 4 << 20,
            name_bytes: 4 << 10,
            keys: 10_000,
        }
    }
}
