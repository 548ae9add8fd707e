//! Instruction files: what agents are told by the files around them.

mod read;
mod row;
mod table;

pub(crate) use read::{InstructionFacts, instructions};
pub use row::Row;
pub use table::INSTRUCTIONS;
