//! Alterations that somebody asks for: what they name has to be there.

use serde_json::Value;
use tracehound_graph::{NodeIx, PropertyValue, View};
use tracehound_model::EdgeKind;

use crate::derived::RawEdge;

/// Why something can't be altered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unalterable {
    /// The edge is derived.
    #[error("`{0}` follows from other edges; change those")]
    Follows(EdgeKind),
    /// There is no such edge.
    #[error("there is no {kind} from `{source_name}` to `{target_name}`")]
    NoEdge {
        /// The kind.
        kind: EdgeKind,
        /// Where it would start.
        source_name: String,
        /// Where it would end.
        target_name: String,
    },
    /// The value is none that a property can have.
    #[error("a property is true, false, a number, text or a list of these")]
    NoValue,
}

/// An edge that was seen, by its kind and ends.
///
/// # Errors
/// When there is none, or edges of the kind are derived.
pub fn seen_edge(view: &dyn View, kind: EdgeKind, source: NodeIx, target: NodeIx) -> Result<RawEdge, Unalterable> {
    if !kind.is_input() {
        return Err(Unalterable::Follows(kind));
    }
    if view.outgoing(kind, source).to(target).is_none() {
        let name = |node| view.name(node).into_owned();
        return Err(Unalterable::NoEdge { kind, source_name: name(source), target_name: name(target) });
    }
    Ok(RawEdge { kind, source, target })
}

/// A value as JSON; nothing takes a property away.
///
/// # Errors
/// When a property can't have it.
pub fn property_value(json: &Value) -> Result<Option<PropertyValue<'static>>, Unalterable> {
    if json.is_null() { Ok(None) } else { property(json).map(Some) }
}

fn property(json: &Value) -> Result<PropertyValue<'static>, Unalterable> {
    Ok(match json {
        Value::Bool(flag) => PropertyValue::Boolean(*flag),
        Value::String(text) => PropertyValue::Text(text.clone().into()),
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(number), ..) => PropertyValue::Integer(number),
            (_, Some(number), _) => PropertyValue::Unsigned(number),
            (.., Some(number)) => PropertyValue::Float(number),
            _ => return Err(Unalterable::NoValue),
        },
        Value::Array(items) => PropertyValue::List(items.iter().map(property).collect::<Result<_, _>>()?),
        Value::Null | Value::Object(_) => return Err(Unalterable::NoValue),
    })
}
