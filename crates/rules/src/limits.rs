//! How much a rule file may demand of us.
//!
//! Rule files come from other people. Each limit is far above what a sensible rule needs and low enough that a hostile
//! one costs next to nothing to refuse.

/// Size of a rule file. The largest sensible keyword lists take a few KiB.
pub const FILE_BYTES: usize = 256 << 10;

/// Mappings and sequences within each other. A rule nested as deeply as [`MATCHER_DEPTH`] allows stays below 30.
pub const YAML_DEPTH: usize = 64;

/// Mappings, sequences and scalars in a file. Bounds the memory of the tree, which costs far more than its text.
pub const YAML_NODES: usize = 20_000;

/// Fields of one mapping. None of a rule's has 20, and each further one is compared with all before it.
pub const FIELDS: usize = 100;

/// Problems that are reported for one file; nobody reads more, and a hostile file could have one in every line.
pub const PROBLEMS: usize = 100;

/// Length of a rule's name, which stands in one line of a list.
pub const NAME_BYTES: usize = 200;

/// Length of a description or a remediation: prose, shown with every finding.
pub const PROSE_BYTES: usize = 4 << 10;

/// Length of a tag, a label, the name of a signal or of a model, a finding type or a property key.
pub const WORD_BYTES: usize = 64;

/// Tags, labels, targets or standards of one rule: each is shown with every finding.
pub const WORDS: usize = 50;

/// Keywords of one matcher. More are a word list, which needs a model and not a rule.
pub const KEYWORDS: usize = 500;

/// Prefixes of one matcher.
pub const PREFIXES: usize = 200;

/// Length of one keyword or prefix. Longer ones match one known text only.
pub const TERM_BYTES: usize = 256;

/// Length of a pattern. Reading one takes time in proportion, and nobody can review a longer one.
pub const PATTERN_BYTES: usize = 4 << 10;

/// Groups within each other in a pattern: the regular expression parser goes down once for each.
pub const PATTERN_DEPTH: u32 = 50;

/// Size of a compiled pattern, which counted repetitions multiply: `(a{1000}){1000}` is 15 bytes and a million states.
pub const PATTERN_COMPILED_BYTES: usize = 1 << 20;

/// Matchers within each other. Deeper logic can be written flatter, and nobody can follow it.
pub const MATCHER_DEPTH: usize = 8;

/// Matchers of one rule, counted through all compounds and scores: each costs time on every text.
pub const MATCHERS: usize = 500;

/// Compiled patterns of one rule together, as their lists in the file may hold many of the largest.
pub const RULE_COMPILED_BYTES: usize = 4 << 20;

/// Parts of one compound.
pub const COMPOUND_PARTS: usize = 50;

/// Signals of one score.
pub const SIGNALS: usize = 50;

/// The longest run that an entropy matcher may ask for; texts are cut at 1 MiB.
pub const RUN_LENGTH: i64 = 1 << 20;

/// Tests of one rule.
pub const TESTS: usize = 100;

/// Length of the input of a test.
pub const TEST_INPUT_BYTES: usize = 64 << 10;

/// Size of an answer's body that a fingerprint looks at. What tells a service apart stands in far less.
pub const RESPONSE_BYTES: usize = 1 << 20;

/// Arrays and objects within each other in an answer.
pub const JSON_DEPTH: usize = 64;

/// Values of an answer's JSON. Bounds the memory of the tree: 1 MiB of text could have half a million.
pub const JSON_VALUES: usize = 200_000;

/// Fields of one path into JSON.
pub const JSON_PATH_FIELDS: usize = 16;

/// Probes of one fingerprint: each is a request to every service that was found.
pub const PROBES: usize = 10;

/// Matchers of one probe.
pub const PROBE_MATCHERS: usize = 50;

/// Captures of one probe.
pub const CAPTURES: usize = 50;

/// Headers of one probe, or of one answer in a test.
pub const HEADERS: usize = 20;

/// Length of a header's value.
pub const HEADER_BYTES: usize = 1 << 10;

/// Length of a probe's path with its query, or of a path into JSON.
pub const PATH_BYTES: usize = 1 << 10;

/// Length of the text that a matcher of answers compares with.
pub const VALUE_BYTES: usize = 4 << 10;

/// Ports of one fingerprint: each is tried on every address.
pub const PORTS: usize = 20;

/// Properties of one fingerprint.
pub const PROPERTIES: usize = 50;

/// Length of what is captured as one text; longer ones are cut and end in `…`.
pub const CAPTURE_BYTES: usize = 1 << 10;

/// Entries of what is captured as a list; the last entry of a longer one says how many are left out.
pub const CAPTURE_ENTRIES: usize = 200;

/// Answers of one test.
pub const TEST_RESPONSES: usize = 20;
