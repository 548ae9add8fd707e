//! Alterations, as people write them on the command line.

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;
use tracehound_analyze::derived::RawEdge;
use tracehound_analyze::naming;
use tracehound_analyze::what_if::{Alteration, Unalterable, property_value, seen_edge};
use tracehound_graph::PropertyValue;
use tracehound_model::EdgeKind;

use crate::args::WhatIf;
use crate::command::estate_view::EstateView;

/// Everything that is to be different. Whatever names nothing of the estate is refused.
pub(super) fn read(estate: &EstateView, arguments: &WhatIf) -> anyhow::Result<Vec<Alteration>> {
    let mut all = Vec::new();
    for text in &arguments.remove_node {
        all.push(Alteration::RemoveNode(naming::find(&estate.graph, text)?));
    }
    for text in &arguments.remove_edge {
        all.push(Alteration::RemoveEdge(edge(estate, text)?));
    }
    for text in &arguments.set {
        let Setting { of, key, value } = setting(text)?;
        all.push(Alteration::SetNode(naming::find(&estate.graph, of)?, key.to_owned(), value));
    }
    for text in &arguments.set_edge {
        let Setting { of, key, value } = setting(text)?;
        all.push(Alteration::SetEdge(edge(estate, of)?, key.to_owned(), value));
    }
    Ok(all)
}

/// An edge that is there, from `FROM KIND TO`. Names may contain blanks; the kind is the word that is one.
fn edge(estate: &EstateView, text: &str) -> anyhow::Result<RawEdge> {
    let (from, kind, to) = split_edge(text)?;
    if !kind.is_input() {
        bail!(Unalterable::Follows(kind));
    }
    let (source, target) = (naming::find(&estate.graph, from)?, naming::find(&estate.graph, to)?);
    seen_edge(&estate.graph, kind, source, target).map_err(|unalterable| match unalterable {
        // As it was typed, so that it is found again in what was typed.
        Unalterable::NoEdge { .. } => anyhow::anyhow!("there is no {kind} from `{from}` to `{to}`"),
        other => other.into(),
    })
}

fn split_edge(text: &str) -> anyhow::Result<(&str, EdgeKind, &str)> {
    for (start, word) in words(text) {
        if let Some(kind) = EdgeKind::from_name(word) {
            let (from, to) = (text.get(..start).unwrap_or(""), text.get(start + word.len()..).unwrap_or(""));
            let (from, to) = (from.trim(), to.trim());
            ensure!(!from.is_empty() && !to.is_empty(), "`{text}` lacks an end; an edge is `FROM KIND TO`");
            return Ok((from, kind, to));
        }
    }
    // A misspelt kind is most likely the word in capitals.
    let meant = words(text).map(|(_, word)| word).find(|word| {
        let is_capital = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
        word.len() > 3 && word.bytes().all(is_capital)
    });
    match meant.map(naming::edge_kind) {
        Some(Err(unknown)) => Err(unknown.into()),
        _ => bail!("`{text}` names no kind of edge; an edge is `FROM KIND TO`"),
    }
}

/// The words of a text, each with where it begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    let pieces = text.split_inclusive(char::is_whitespace).map(move |piece| {
        start += piece.len();
        (start - piece.len(), piece.trim_end())
    });
    pieces.filter(|(_, word)| !word.is_empty())
}

/// What is set of what.
#[derive(Debug)]
struct Setting<'t> {
    of: &'t str,
    key: &'t str,
    value: Option<PropertyValue<'static>>,
}

/// Reads `SOMETHING KEY=VALUE`. Names and values may contain blanks; the key is the first word after a name that is a key and
/// an equals sign.
fn setting(text: &str) -> anyhow::Result<Setting<'_>> {
    for (start, word) in words(text).skip(1) {
        let Some((key, _)) = word.split_once('=') else { continue };
        let is_key = !key.is_empty()
            && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte.is_ascii_digit());
        if is_key {
            let of = text.get(..start).unwrap_or("").trim();
            let value = text.get(start + key.len() + 1..).unwrap_or("");
            return Ok(Setting { of, key, value: value_of(value).with_context(|| format!("the value of `{key}`"))? });
        }
    }
    bail!("`{text}` sets nothing; write what is changed, a blank, and KEY=VALUE")
}

/// A value: JSON, or else text; nothing is none.
fn value_of(text: &str) -> anyhow::Result<Option<PropertyValue<'static>>> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    match serde_json::from_str::<Value>(text) {
        Ok(json) => Ok(property_value(&json)?),
        Err(_) => Ok(Some(PropertyValue::Text(text.to_owned().into()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_two_names_around_a_kind() {
        let (from, kind, to) = split_edge("my agent  TRUSTS_SERVER the server").unwrap();
        assert_eq!((from, kind, to), ("my agent", EdgeKind::TrustsServer, "the server"));
        for (text, word) in [
            ("cursor TRUST_SERVER files", "did you mean `TRUSTS_SERVER`"),
            ("cursor files", "names no kind of edge"),
            ("TRUSTS_SERVER files", "lacks an end"),
            ("cursor TRUSTS_SERVER ", "lacks an end"),
        ] {
            let refused = split_edge(text).unwrap_err().to_string();
            assert!(refused.contains(word), "{text}: {refused}");
        }
    }

    #[test]
    fn a_setting_is_a_name_a_key_and_a_value() {
        let check = |text: &str, of: &str, key: &str, value: Option<PropertyValue<'static>>| {
            let read = setting(text).unwrap();
            assert_eq!((read.of, read.key, read.value), (of, key, value), "{text}");
        };
        let text = |text: &str| Some(PropertyValue::Text(text.to_owned().into()));
        check("files auth_method=oauth", "files", "auth_method", text("oauth"));
        check("my files name=a b=c", "my files", "name", text("a b=c"));
        check("https://a.example/?Q=1 name=x", "https://a.example/?Q=1", "name", text("x"));
        check("files is_pinned=true", "files", "is_pinned", Some(PropertyValue::Boolean(true)));
        check("files name=\"7\"", "files", "name", text("7"));
        check("files risk=7", "files", "risk", Some(PropertyValue::Integer(7)));
        check("files name=", "files", "name", None);
        check(
            "t surface=[\"shell\"]",
            "t",
            "surface",
            Some(PropertyValue::List(vec![PropertyValue::Text("shell".into())])),
        );
    }

    #[test]
    fn what_sets_nothing_is_refused() {
        assert!(setting("files").unwrap_err().to_string().contains("sets nothing"));
        assert!(setting("name=x").unwrap_err().to_string().contains("sets nothing"));
        let object = setting("files name={\"a\":1}").unwrap_err();
        assert!(object.root_cause().to_string().contains("a property is"), "{object}");
    }
}
