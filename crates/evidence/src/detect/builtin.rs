//! The rules that come with the product. They are data, and each proves itself with its own tests.

use std::sync::{Arc, LazyLock};

use super::rule::{Problem, Rule, read_rule};

/// Names of files and their texts.
type Sources = &'static [(&'static str, &'static str)];

macro_rules! sources {
    ($($name:literal),+ $(,)?) => {
        &[$((concat!($name, ".yaml"), include_str!(concat!("../../detection/", $name, ".yaml")))),+]
    };
}

static SOURCES: Sources = sources![
    "approval_required_surface",
    "behavioral_anomaly_new_tool",
    "behavioral_anomaly_rate",
    "confused_deputy_block",
    "critical_deny",
    "data_exfil_pattern",
    "mcp_manifest_drift",
    "receipt_chain_integrity_failure",
    "repeated_approval",
    "replay_attempt",
    "rule_deny_storm",
    "runaway",
    "trust_escalation",
];

static RULES: LazyLock<Result<Vec<Arc<Rule>>, BrokenBuiltin>> = LazyLock::new(|| {
    let read = |(file, text): &(&'static str, &'static str)| {
        read_rule(text).map(Arc::new).map_err(|problem| BrokenBuiltin { file, problem })
    };
    SOURCES.iter().map(read).collect()
});

/// A built-in rule can't be read. A test holds that no build of the product has one.
#[derive(Debug, thiserror::Error)]
#[error("the built-in detection rule `{file}` is broken: {problem}")]
pub struct BrokenBuiltin {
    /// The file.
    pub file: &'static str,
    /// What is wrong with it.
    pub problem: Problem,
}

/// The files of the built-in rules: name and text.
#[must_use]
pub fn builtin_sources() -> &'static [(&'static str, &'static str)] {
    SOURCES
}

/// The built-in rules, in the order of their files.
///
/// # Errors
///
/// When a file is not a rule; a test keeps that from happening.
pub fn builtin_rules() -> Result<&'static [Arc<Rule>], &'static BrokenBuiltin> {
    RULES.as_deref()
}
