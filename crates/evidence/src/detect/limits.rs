//! How much a detection rule, and everything that it remembers, may cost.

/// Size of a rule file.
pub const FILE_BYTES: usize = 64 << 10;

/// Mappings and lists within each other in a rule file; it bounds how deep `not` can be nested.
pub const YAML_DEPTH: usize = 24;

/// Mappings, lists and values in a rule file.
pub const YAML_NODES: usize = 10_000;

/// Length of a rule's key or of the kind of incident that it opens.
pub const KEY_BYTES: usize = 64;

/// Length of a rule's name, which stands in one line of a list.
pub const NAME_BYTES: usize = 200;

/// Length of a description or a summary.
pub const PROSE_BYTES: usize = 4 << 10;

/// Entries of one list in a condition: each is compared with every event.
pub const ENTRIES: usize = 100;

/// Length of one entry of a list in a condition.
pub const ENTRY_BYTES: usize = 256;

/// The most events that a counting rule may wait for: so many are kept for each agent.
pub const COUNT: usize = 1_000;

/// The longest window, and the longest time for which an alert may stay silent, in seconds: a day. After a restart the
/// events of twice as long are read again.
pub const WINDOW_SECONDS: u32 = 86_400;

/// The longest time for which an open incident may take in what follows, in seconds: 30 days.
pub const INCIDENT_SECONDS: u32 = 30 * 86_400;

/// Steps of one sequence.
pub const STEPS: usize = 8;

/// Days that the usual rate of an agent is taken from.
pub const RATE_DAYS: u32 = 7;

/// Tests of one rule.
pub const TESTS: usize = 50;

/// Events of one test, with repetitions.
pub const TEST_EVENTS: usize = 5_000;

/// Rules of one tenant, the built-in ones included: each looks at every event.
pub const RULES: usize = 500;

/// Agents of all tenants that are remembered at the same time.
pub const AGENTS: usize = 100_000;

/// What one agent did, each remembered once for a rule that looks for what is new. An agent that did more different things
/// is not reported for any further one.
pub const SEEN: usize = 512;

/// Half-seen sequences of one agent and rule that differ in what must be the same.
pub const KEYS: usize = 256;

/// Sources of one incident; further ones are counted and not listed.
pub const INCIDENT_SOURCES: u64 = 10_000;

/// Ids of decisions that a back-test lists; all are counted.
pub const BACKTEST_IDS: usize = 1_000;

/// Length of what one placeholder of a summary is replaced by, in characters.
pub const PLACEHOLDER_CHARACTERS: usize = 200;

/// By how much an event may be earlier than its predecessor, in seconds. More means that the clock was set back, and the
/// windows start again.
pub const LATE_SECONDS: i64 = 300;
