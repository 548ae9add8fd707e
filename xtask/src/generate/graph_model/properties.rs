//! The properties of edges, and the types that properties have.

use tracehound_model::{PROPERTIES, PropertyType};

use crate::generate::markdown::{code, table};

/// Two tables: what edges carry, then the types.
pub(super) fn section() -> String {
    let on_edges = PROPERTIES.iter().filter(|property| property.kinds.is_empty());
    let on_edges = on_edges.map(|property| [code(property.key), property.value.name().to_owned()]);
    let types = TYPES.iter().map(|value| [value.name().to_owned(), reading(*value).to_owned()]);
    format!(
        "{HEAD}{}\n{TYPES_HEAD}{}",
        table(["Property", "Type"], on_edges),
        table(["Type", "How a value is read"], types),
    )
}

const HEAD: &str = "\
## Properties of edges

Any edge may carry these, and none has to. `confidence` is how sure the observer was and `risk_weight` how hard the hop
is, both from 0 to 1; `evidence` says in words how it is known; `is_composite` is true of derived edges. `file`, `line`
and `column` are the place in a configuration that created the edge, `origin` is the machine that it was seen from.

";

const TYPES_HEAD: &str = "\
## Property types

";

const TYPES: [PropertyType; 6] = [
    PropertyType::Text,
    PropertyType::Boolean,
    PropertyType::Integer,
    PropertyType::Number,
    PropertyType::TextList,
    PropertyType::JsonText,
];

fn reading(value: PropertyType) -> &'static str {
    match value {
        PropertyType::Text => "as it stands",
        PropertyType::Boolean => "true or false; the texts \"true\" and \"false\" are read as such",
        PropertyType::Integer => "a whole number; its decimal text is read as such",
        PropertyType::Number => "any number; a whole one or its decimal text is read as such",
        PropertyType::TextList => "a list of texts",
        PropertyType::JsonText => "text that itself is JSON",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_in_use_is_explained() {
        assert!(PROPERTIES.iter().all(|property| TYPES.contains(&property.value)));
    }
}
