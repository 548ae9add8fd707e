//! What is known of instruction files: where they are, what they are, and who loads them.

/// Files of standing instructions.
#[derive(Debug)]
pub struct Row {
    /// The place, as in [`crate::config::File::at`]; `**` stands for any number of folders, `{a,b}` for either.
    pub at: &'static str,
    /// The type on the wire.
    pub r#type: &'static str,
    /// The clients that load it, by the names of their rows.
    pub clients: &'static [&'static str],
}

/// A row.
pub(super) const fn row(at: &'static str, r#type: &'static str, clients: &'static [&'static str]) -> Row {
    Row { at, r#type, clients }
}
