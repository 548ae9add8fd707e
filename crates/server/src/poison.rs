//! Texts of tools that try to steer whoever reads them, found with the built-in rules.
//!
//! What is found informs the person who approves a tool. It decides nothing: a tool that nobody approved can't be called.

use std::sync::LazyLock;

use serde::Serialize;
use tracehound_evidence::mcp::SeenTool;
use tracehound_model::{Collector, NodeKind};
use tracehound_rules::engine::{Engine, Field, Scratch, excerpt};
use tracehound_rules::normalise::Normaliser;
use tracehound_rules::{builtin_judges, builtin_rules, builtin_vocabulary};

/// What rules about such texts say of them.
const INJECTION: &str = "has_injection_patterns";
/// The property that they read.
const DESCRIPTION: &str = "description";
/// Most matches that are told.
const MOST: usize = 100;

/// A text that tries to steer whoever reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct Poison {
    /// Which tool.
    pub(crate) tool_key: String,
    /// Which rule matched.
    pub(crate) rule: String,
    /// What the rule is called.
    pub(crate) name: String,
    /// How bad that is.
    pub(crate) severity: &'static str,
    /// The place, without what looks like a secret.
    pub(crate) excerpt: String,
}

/// Compiled when the first manifest comes in, which takes a while.
static ENGINE: LazyLock<Option<Engine>> = LazyLock::new(|| {
    let is_about_tools = |rule: &&tracehound_rules::rule::Rule| {
        let covers = rule.scope.targets.iter().any(|target| target.covers(NodeKind::McpTool, DESCRIPTION));
        rule.enabled && rule.emit.finding_type == INJECTION && covers
    };
    let rules = builtin_rules().ok()?.iter().filter(is_about_tools).cloned().collect();
    let engine = Engine::compile(rules, builtin_judges().ok()?);
    engine.inspect_err(|error| crate::log::failure("descriptions of tools are not looked at", error)).ok()
});

/// What is wrong with the descriptions of tools. Linear in their length.
pub(crate) fn find(tools: &[SeenTool]) -> Vec<Poison> {
    let Some(engine) = &*ENGINE else { return Vec::new() };
    let mut scratch = Scratch::default();
    let mut found = Vec::new();
    for tool in tools {
        let source = tool.description.as_deref().unwrap_or_default();
        if source.is_empty() || found.len() >= MOST {
            continue;
        }
        let (collector, kind) = (Collector::Mcp, NodeKind::McpTool);
        let field = Field { collector, kind, property: DESCRIPTION, name: &tool.name, source };
        let normalised = Normaliser::new(builtin_vocabulary()).normalise(source);
        let mut matches = engine.evaluate(&mut scratch, &field, &normalised).matches;
        matches.dedup_by_key(|it| it.rule);
        found.extend(matches.into_iter().filter_map(|it| {
            let rule = engine.rules().get(it.rule)?;
            Some(Poison {
                tool_key: tool.tool_key.clone(),
                rule: rule.id.clone(),
                name: rule.name.clone(),
                severity: rule.severity.name(),
                excerpt: crate::shown::text(&excerpt(source, it.span)),
            })
        }));
    }
    found.truncate(MOST);
    found
}
