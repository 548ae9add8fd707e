//! How much of a server is listened to. Everything that it says is bounded, and what is cut is told.

use std::time::Duration;

/// Longest message. Real servers stay below a hundredth of it.
pub(super) const MESSAGE: usize = 16 << 20;
/// Longest message that anybody may send at any time. Longer ones take turns, so that many at once stay bounded.
pub(super) const SMALL_MESSAGE: usize = 1 << 20;
/// How many long messages are held at a time.
pub(super) const LONG_MESSAGES: usize = 2;
/// Values in one message. Each takes many times the memory of its text.
pub(super) const PARTS: usize = 1_000_000;
/// Everything that one server may send.
pub(super) const TOTAL: u64 = 32 << 20;
/// How long a server may take to say that it does not know the newest revision; it may have to start first.
pub(super) const DISCOVER: Duration = Duration::from_secs(8);
/// Things in one list of one server.
pub(super) const ITEMS: usize = 10_000;
/// Pages of one list.
pub(super) const PAGES: usize = 1_000;
/// Messages in one batch.
pub(super) const BATCH: usize = 100;
/// Longest text of a thing that is kept; its hash is that of the whole.
pub(super) const TEXT: usize = 64 << 10;
/// Longest name or address of a thing. A longer one is not taken: an id that was cut would be another thing's.
pub(super) const NAME: usize = 8 << 10;
/// Texts of all things of one server that rules look at.
pub(super) const JUDGED_IN_ALL: usize = 4 << 20;
/// Texts of all things of one server that are kept, so that no server can fill the document.
pub(super) const KEPT: usize = 8 << 20;
/// Edges from tools to the resources of one server that they may bring foreign texts to.
pub(super) const INGESTS: usize = 10_000;
/// Body of an answer that says no.
pub(super) const REFUSAL: usize = 64 << 10;
/// Longest header that asks for authentication.
pub(super) const CHALLENGE: usize = 4 << 10;
/// How long a server has to go when it is asked to.
pub(super) const GRACE: Duration = Duration::from_secs(2);
/// How long the end of a conversation may take.
pub(super) const GOODBYE: Duration = Duration::from_secs(2);
