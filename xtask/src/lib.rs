//! Chores of the repository, as a library: what the `xtask` binary and the benchmarks share.

pub mod corpora;
pub mod estate;
pub mod repository;
