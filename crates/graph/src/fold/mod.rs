//! The fold: what is true at a point, from everything that was observed.
//!
//! A fact is live as long as somebody still claims it. Each collector on each machine (an *owner*) makes its own
//! claims; a claim ends when a later document of the same owner covers the thing that the fact stands below and does
//! not show the fact again. What stands only below retired things is retired with them. All of this is a pure
//! function of the set of documents up to the point: the order of arrival does not matter, and a document that is
//! taken out leaves no trace.
//!
//! Growth: linear in facts, in what documents cover and in the machines that know each thing; sorting scans adds `s log s`.
#![expect(
    clippy::indexing_slicing,
    reason = "a kernel over columns whose lengths are equal by construction; bounds are those of the columns themselves"
)]

mod claims;
mod coverage;
mod lifetimes;
mod origins;
mod timeline;

pub(crate) use lifetimes::{Fold, State};
pub(crate) use origins::OriginsId;
pub use timeline::Point;
pub(crate) use timeline::{Rank, Timeline};
