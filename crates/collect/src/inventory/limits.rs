//! How much of a service is read. Everything that it says is bounded, and what is left out is told.

use std::time::Duration;

/// Longest answer. A list of names is far below it, and every service here has pages or folders for more.
pub(super) const ANSWER: usize = 4 << 20;
/// Longest list of a gateway's models: each comes with some 7 KiB of prices and abilities.
pub(super) const MODEL_INFO: usize = 16 << 20;
/// Values in one answer. Each takes many times the memory of its text.
pub(super) const PARTS: usize = 1_000_000;
/// Longest name. A longer one is not taken: an id of a name that was cut would be another thing's.
pub(super) const NAME: usize = 1 << 10;
/// Longest text that only describes, such as the size of a model in words.
pub(super) const TEXT: usize = 256;
/// Models of one instance.
pub(super) const MODELS: usize = 10_000;
/// Upstreams of one gateway.
pub(super) const UPSTREAMS: usize = 2_000;
/// Virtual keys of one gateway.
pub(super) const VIRTUAL_KEYS: usize = 10_000;
/// Notebooks and files of one server.
pub(super) const FILES: usize = 10_000;
/// Folders of one server that are looked into.
pub(super) const FOLDERS: usize = 1_000;
/// Folders within folders. A link that leads back to a folder above it would go on for ever.
pub(super) const DEPTH: usize = 16;
/// Experiments, and registered models, that are counted.
pub(super) const COUNTED: usize = 20_000;
/// Collections of one database that are looked into.
pub(super) const COLLECTIONS: usize = 1_000;
/// Names in a list that is a property of a node.
pub(super) const LISTED: usize = 1_000;
/// Pages of one list, for a service that gives small ones or has no end of them.
pub(super) const PAGES: usize = 200;
/// Requests to one service at a time.
pub(super) const AT_ONCE: usize = 4;
/// All requests to one service.
pub(super) const TIME: Duration = Duration::from_secs(120);
/// Keys that an operator gives.
pub(super) const KEYS: usize = 10_000;
