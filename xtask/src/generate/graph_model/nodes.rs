//! The node kinds.

use tracehound_model::{NodeKind, NodeRole, PROPERTIES};

use crate::generate::markdown::{code, table};

/// Two tables: what the kinds are, then what they carry.
pub(super) fn section() -> String {
    let kinds = NodeKind::ALL
        .iter()
        .map(|kind| [code(kind.name()), role(*kind), collector(*kind), kind.description().to_owned()]);
    let carried = NodeKind::ALL.iter().map(|kind| [code(kind.name()), properties(*kind)]);
    format!(
        "{HEAD}{}\n{PROPERTIES_HEAD}{}\n",
        table(["Kind", "Role", "Collector", "What it is"], kinds),
        table(["Kind", "Properties"], carried),
    )
}

const HEAD: &str = "\
## Node kinds

A node has one kind that says what it is. A service also carries the umbrella label, so that an edge or a question
which fits every AI service can say so once.

";

const PROPERTIES_HEAD: &str = "\
### Properties of nodes

Properties are free: a document may give a node any property, and keys are brought to snake_case. The ones below are
known, with their types.

";

fn role(kind: NodeKind) -> String {
    match (kind.role(), kind.umbrella()) {
        (NodeRole::Observed, _) => "observed".to_owned(),
        (NodeRole::Service, Some(umbrella)) => format!("observed; also carries {}", code(umbrella.name())),
        (NodeRole::Service, None) => "observed service".to_owned(),
        (NodeRole::Umbrella, _) => "umbrella: a second label, never alone".to_owned(),
        (NodeRole::Synthetic, _) => "synthetic".to_owned(),
    }
}

/// Who sees nodes of this kind.
fn collector(kind: NodeKind) -> String {
    if kind.is_input() { code(kind.collector().name()) } else { "none, made by analysis".to_owned() }
}

fn properties(kind: NodeKind) -> String {
    let of_kind = PROPERTIES.iter().filter(|property| property.kinds.contains(&kind));
    let words: Vec<String> =
        of_kind.map(|property| format!("{} ({})", code(property.key), property.value.name())).collect();
    if words.is_empty() { "none of its own".to_owned() } else { words.join(", ") }
}
