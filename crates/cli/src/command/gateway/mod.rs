//! Commands of the gateway: the server, and who and what is registered with it.

mod agents;
mod approvals;
mod backup;
mod incidents;
mod mcp;
mod people;
mod policy;
mod serve;
mod tools;

pub(super) use agents::run as agents;
pub(super) use approvals::run as approvals;
pub(super) use backup::{back_up, restore};
pub(super) use incidents::run as incidents;
pub(super) use mcp::run as mcp;
pub(super) use people::{run as people, tenants};
pub(super) use policy::run as policy;
pub(super) use serve::{run as serve, run_beside as serve_beside};
pub(super) use tools::run as tools;

use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use crate::args::Format;
use crate::output::{Output, safe};
use crate::settings::Settings;

/// Longest file that is read.
const LONGEST_FILE: u64 = 1 << 20;

/// Everything of a list that comes in pages.
fn whole_list(gateway: &crate::gateway_client::Gateway, path: &str) -> anyhow::Result<Vec<Value>> {
    let mut items = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let sign = if path.contains('?') { '&' } else { '?' };
        let place =
            cursor.map(|cursor| format!("&cursor={}", crate::gateway_client::part(&cursor))).unwrap_or_default();
        let page = gateway.get(&format!("{path}{sign}limit=200{place}"))?;
        items.extend(page.get("items").and_then(Value::as_array).cloned().unwrap_or_default());
        cursor = page.get("next_cursor").and_then(Value::as_str).map(ToOwned::to_owned);
        if cursor.is_none() {
            return Ok(items);
        }
    }
}

/// A path with what is asked for behind it.
fn asked(path: &str, parts: &[(&str, Option<&str>)]) -> String {
    let said =
        parts.iter().filter_map(|(name, value)| Some(format!("{name}={}", crate::gateway_client::part((*value)?))));
    let said: Vec<String> = said.collect();
    if said.is_empty() { path.to_owned() } else { format!("{path}?{}", said.join("&")) }
}

/// Reads a JSON file; `-` is standard input.
fn read_json(file: &Path) -> anyhow::Result<Value> {
    let mut text = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().take(LONGEST_FILE).read_to_end(&mut text).context("cannot read standard input")?;
    } else {
        let opened = std::fs::File::open(file).with_context(|| format!("cannot read `{}`", file.display()))?;
        opened
            .take(LONGEST_FILE)
            .read_to_end(&mut text)
            .with_context(|| format!("cannot read `{}`", file.display()))?;
    }
    serde_json::from_slice(&text).with_context(|| format!("`{}` is not JSON", file.display()))
}

/// A member of an object as a cell.
fn cell(value: &Value, name: &str) -> String {
    match value.get(name) {
        None | Some(Value::Null) => "-".to_owned(),
        Some(Value::String(text)) => safe(text),
        Some(other) => safe(&other.to_string()),
    }
}

/// A list as a table, or as JSON.
fn show<const N: usize>(
    settings: &Settings,
    output: &mut Output,
    items: &[Value],
    heading: [&str; N],
    names: [&str; N],
) -> anyhow::Result<()> {
    if settings.format == Format::Json {
        return output.json(&items);
    }
    output.table(heading, items.iter().map(|item| names.map(|name| cell(item, name))))
}

/// An object, one member a line, or as JSON.
fn show_one(settings: &Settings, output: &mut Output, value: &Value) -> anyhow::Result<()> {
    if settings.format == Format::Json {
        return output.json(value);
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        let text = match member {
            Value::Null => continue,
            Value::String(text) => safe(text),
            Value::Array(items) if items.is_empty() => continue,
            other => safe(&other.to_string()),
        };
        output.line(format!("{}: {text}", safe(name)))?;
    }
    Ok(())
}
