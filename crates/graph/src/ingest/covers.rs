//! What a document says it covers, from `meta.extra`.

use serde_json::Value;
use tracehound_model::NodeId;
use tracehound_model::wire::Covers;

use super::report::{WarningCode, Warnings};

/// The machine that a document speaks for; empty when it names none.
pub(super) fn origin(extra: &Value, limit: usize) -> String {
    extra.get("origin").and_then(Value::as_str).filter(|origin| origin.len() <= limit).unwrap_or_default().to_owned()
}

/// What a document covers. A member of that name in another form belongs to another producer's vocabulary: nothing
/// is taken as covered, which keeps facts rather than losing them.
pub(super) fn covers(extra: &Value, warnings: &mut Warnings) -> Option<Covers> {
    let given = extra.get("covers")?;
    let read = read(given);
    if read.is_none() {
        let message = || "must be an object with the lists `nodes` and `ports`; nothing is taken as covered".to_owned();
        warnings.add(WarningCode::CoversUnreadable, || "meta.extra.covers".to_owned(), message);
    }
    Some(read.unwrap_or_default())
}

fn read(given: &Value) -> Option<Covers> {
    let object = given.as_object()?;
    let list = |name| match object.get(name) {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(value) => value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
    };
    let nodes: Vec<String> = list("nodes")?;
    Some(Covers { nodes: nodes.into_iter().map(NodeId::from_wire).collect(), ports: list("ports")? })
}
