//! What a document says it covers, from `meta.extra`.

use serde_json::Value;
use tracehound_model::NodeId;
use tracehound_model::wire::Covers;

use super::report::{WarningCode, Warnings};

/// The machine that a document speaks for (empty when it names none) and what it covers.
///
/// Members of these names in another form belong to another producer's vocabulary: nothing is taken as covered, which
/// keeps facts rather than losing them.
pub(super) fn origin_and_covers(extra: &Value, limit: usize, warnings: &mut Warnings) -> (String, Option<Covers>) {
    let origin = match extra.get("origin") {
        None | Some(Value::Null) => Some(""),
        Some(given) => given.as_str().filter(|origin| origin.len() <= limit),
    };
    let covers = match extra.get("covers") {
        None => Some(None),
        Some(given) => read(given).map(Some),
    };
    let mut unreadable = |member: &str, wanted: &str| {
        let message = || format!("must be {wanted}; nothing is taken as covered");
        warnings.add(WarningCode::CoversUnreadable, || format!("meta.extra.{member}"), message);
    };
    if origin.is_none() {
        unreadable("origin", "a short text");
    }
    if covers.is_none() {
        unreadable("covers", "an object with the lists `nodes` and `ports`");
    }
    match (origin, covers) {
        (Some(origin), Some(covers)) => (origin.to_owned(), covers),
        (origin, _) => (origin.unwrap_or_default().to_owned(), Some(Covers::default())),
    }
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
