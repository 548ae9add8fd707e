//! The store: one SQLite file, one thread that writes, any number that read. All SQL of this room is here.

pub(crate) mod chains;
pub(crate) mod ledger;
pub(crate) mod open;
pub(crate) mod read;
pub(crate) mod writer;
