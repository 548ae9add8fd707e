//! What routes do: translate, ask the rooms below, translate back. One file for each part of the API.

pub(crate) mod agents;
pub(crate) mod approvals;
pub(crate) mod authorize;
pub(crate) mod decisions;
pub(crate) mod estate;
pub(crate) mod estate_shape;
pub(crate) mod exploring;
pub(crate) mod graph;
pub(crate) mod health;
pub(crate) mod incidents;
pub(crate) mod live;
pub(crate) mod mcp;
pub(crate) mod people;
pub(crate) mod policies;
pub(crate) mod receipt_shape;
pub(crate) mod receipts;
pub(crate) mod soc;
pub(crate) mod tools;

use serde::Deserialize;
use tracehound_evidence::reading::Slice;

/// Which part of a list is asked for.
#[derive(Debug, Clone, Default, Deserialize, utoipa::IntoParams)]
pub(crate) struct Paging {
    /// Where the page before ended: its `next_cursor`.
    pub(crate) cursor: Option<String>,
    /// How many.
    pub(crate) limit: Option<usize>,
}

/// Why somebody does something.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Why {
    pub(crate) reason: String,
}

impl Paging {
    pub(crate) fn slice(self) -> Slice {
        Slice { cursor: self.cursor, limit: self.limit }
    }
}
