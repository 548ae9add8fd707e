//! What MCP servers show of themselves: manifests, their hashes, and how one differs from the one before.
//!
//! A tool is agreed to in one exact form. Whatever of it an agent or a model reads is part of that form, so a changed
//! description is as grave as a changed schema.

use serde::{Deserialize, Serialize};
use serde_json::json;
use tracehound_model::{RiskLevel, Severity};

use crate::Error;
use crate::identity::{McpServer, McpTool, McpToolStatus, words};

/// Most tools in one manifest.
pub const MAX_TOOLS: usize = 5_000;

/// A tool as a manifest has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenTool {
    /// The name in a call.
    pub tool_key: String,
    /// What people call it.
    pub name: String,
    /// What it says about itself.
    #[serde(default)]
    pub description: Option<String>,
    /// The JSON schema of its arguments.
    #[serde(default)]
    pub input_schema: Option<serde_json::Value>,
    /// How bad it can get.
    pub risk: RiskLevel,
    /// Whether it changes anything.
    pub mutates_state: bool,
    /// Whether a person has to agree to each call.
    #[serde(default)]
    pub approval_required: bool,
}

impl SeenTool {
    /// The hash of everything that it says.
    pub fn hash(&self) -> Result<String, Error> {
        prefixed(&json!(self))
    }
}

/// The hash of a manifest: all tools, by key.
pub fn manifest_hash(tools: &[SeenTool]) -> Result<String, Error> {
    let mut sorted: Vec<&SeenTool> = tools.iter().collect();
    sorted.sort_by(|a, b| a.tool_key.cmp(&b.tool_key));
    prefixed(&json!(sorted))
}

fn prefixed(value: &serde_json::Value) -> Result<String, Error> {
    let canonical = serde_json_canonicalizer::to_vec(value)
        .map_err(|error| Error::Invalid { code: "bad_manifest", message: error.to_string() })?;
    Ok(format!("sha256:{}", crate::receipt::sha256(&canonical)))
}

/// One thing that is different.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Drift {
    /// Which tool.
    pub tool_key: String,
    /// What about it.
    pub kind: DriftKind,
    /// How grave that is.
    pub severity: Severity,
    /// The parts that changed.
    pub changed: Vec<String>,
}

/// What about a tool is different.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DriftKind {
    /// It was not there.
    ToolAdded,
    /// It is gone.
    ToolRemoved,
    /// What models read of it is different.
    DescriptionChanged,
    /// What it takes or does is different.
    ToolModified,
    /// What people call it is different.
    NameChanged,
}

words!(DriftKind, "a kind of drift",
    ToolAdded => "tool_added", ToolRemoved => "tool_removed", DescriptionChanged => "description_changed",
    ToolModified => "tool_modified", NameChanged => "name_changed");

impl DriftKind {
    /// How grave it is. Descriptions are instructions to a model; they are never harmless.
    const fn severity(self) -> Severity {
        match self {
            Self::ToolAdded | Self::DescriptionChanged | Self::ToolModified => Severity::High,
            Self::ToolRemoved | Self::NameChanged => Severity::Medium,
        }
    }
}

/// What is different between the tools that a server has and those that it shows. Linear in both.
pub fn drift(before: &[McpTool], seen: &[SeenTool]) -> Result<Vec<Drift>, Error> {
    let mut all = Vec::new();
    let old: std::collections::BTreeMap<&str, &McpTool> =
        before.iter().map(|tool| (tool.tool_key.as_str(), tool)).collect();
    let mut found = |tool_key: &str, kind: DriftKind, changed: Vec<String>| {
        all.push(Drift { tool_key: tool_key.to_owned(), kind, severity: kind.severity(), changed });
    };
    let new: std::collections::BTreeMap<&str, &SeenTool> =
        seen.iter().map(|tool| (tool.tool_key.as_str(), tool)).collect();
    for (key, tool) in &new {
        let Some(old) = old.get(key) else {
            found(key, DriftKind::ToolAdded, Vec::new());
            continue;
        };
        if old.hash == tool.hash()? {
            continue;
        }
        let changed = changed_parts(old, tool);
        let is = |part: &str| changed.iter().any(|it| it == part);
        let kind = if is("description") {
            DriftKind::DescriptionChanged
        } else if changed == ["name"] {
            DriftKind::NameChanged
        } else {
            DriftKind::ToolModified
        };
        found(key, kind, changed);
    }
    for key in old.keys().filter(|key| !new.contains_key(**key)) {
        found(key, DriftKind::ToolRemoved, Vec::new());
    }
    all.sort_by(|a, b| a.tool_key.cmp(&b.tool_key));
    Ok(all)
}

fn changed_parts(old: &McpTool, new: &SeenTool) -> Vec<String> {
    let parts = [
        ("name", old.name != new.name),
        ("description", old.description != new.description),
        ("input_schema", old.input_schema != new.input_schema),
        ("risk", old.risk != new.risk),
        ("mutates_state", old.mutates_state != new.mutates_state),
        ("approval_required", old.approval_required != new.approval_required),
    ];
    parts.into_iter().filter(|(_, is_changed)| *is_changed).map(|(name, _)| name.to_owned()).collect()
}

/// The tools of a server after it showed others. What somebody agreed to stays agreed to as long as it is the same.
pub fn merged(server: &McpServer, seen: Vec<SeenTool>) -> Result<Vec<McpTool>, Error> {
    let old: std::collections::BTreeMap<&str, &McpTool> =
        server.tools.iter().map(|tool| (tool.tool_key.as_str(), tool)).collect();
    let mut tools = Vec::with_capacity(seen.len());
    for tool in seen {
        let hash = tool.hash()?;
        let known = old.get(tool.tool_key.as_str());
        let approved_hash = known.and_then(|known| known.approved_hash.clone());
        let is_disabled = known.is_some_and(|known| known.status == McpToolStatus::Disabled);
        let status = match () {
            () if is_disabled => McpToolStatus::Disabled,
            () if approved_hash.as_ref() == Some(&hash) => McpToolStatus::Approved,
            () => McpToolStatus::Pending,
        };
        tools.push(McpTool {
            approved_by: known.and_then(|known| known.approved_by.clone()),
            tool_key: tool.tool_key,
            name: tool.name,
            description: tool.description,
            input_schema: tool.input_schema,
            risk: tool.risk,
            mutates_state: tool.mutates_state,
            approval_required: tool.approval_required,
            hash,
            status,
            approved_hash,
        });
    }
    tools.sort_by(|a, b| a.tool_key.cmp(&b.tool_key));
    Ok(tools)
}
