//! Tools: what they can do, whether their texts steer the model, what they have access to, and what they accept.

use tracehound_graph::{NodeIx, PropertyValue};
use tracehound_model::EdgeKind;

use super::Component;
use super::ground::Ground;
use super::points::Points;
use crate::basis::Sensitivity;
use crate::processors::ACCESS_SENSITIVITY;

/// 0.30 · capability_class + 0.25 · poisoning + 0.25 · access_sensitivity + 0.20 · input_validation.
pub(super) const FORMULA: &[Component] = &[
    Component { name: "capability_class", percent: 30, points: capability_class, why: why_capability_class },
    Component { name: "poisoning", percent: 25, points: poisoning, why: why_poisoning },
    Component { name: "access_sensitivity", percent: 25, points: access_sensitivity, why: why_access_sensitivity },
    Component { name: "input_validation", percent: 20, points: input_validation, why: why_input_validation },
];

fn capability_class(ground: &Ground<'_>, tool: NodeIx) -> Points {
    Points::whole(ground.basis.capabilities(tool).risk())
}

fn why_capability_class(ground: &Ground<'_>, tool: NodeIx) -> String {
    let names: Vec<&str> = ground.basis.capabilities(tool).iter().map(|capability| capability.name()).collect();
    if names.is_empty() { "nobody knows what it can do".to_owned() } else { format!("it has {}", names.join(", ")) }
}

fn poisoning(ground: &Ground<'_>, tool: NodeIx) -> Points {
    match () {
        () if ground.basis.is(tool, "has_injection_patterns") => Points::ALL,
        () if ground.basis.is(tool, "has_cross_references") => Points::whole(50),
        () => Points::NONE,
    }
}

fn why_poisoning(ground: &Ground<'_>, tool: NodeIx) -> String {
    let words = match () {
        () if ground.basis.is(tool, "has_injection_patterns") => "its texts carry instructions for the model",
        () if ground.basis.is(tool, "has_cross_references") => "its texts speak of other tools",
        () => "its texts neither instruct the model nor speak of other tools",
    };
    words.to_owned()
}

/// The highest sensitivity of what the tool has access to, which was found for all of it before.
fn sensitivity(ground: &Ground<'_>, tool: NodeIx) -> Sensitivity {
    Sensitivity::of(ground.properties.get(tool, ACCESS_SENSITIVITY).and_then(PropertyValue::as_text))
}

fn access_sensitivity(ground: &Ground<'_>, tool: NodeIx) -> Points {
    Points::whole(sensitivity(ground, tool).score())
}

fn why_access_sensitivity(ground: &Ground<'_>, tool: NodeIx) -> String {
    let highest = sensitivity(ground, tool);
    let mut resources = ground.derived.outgoing(EdgeKind::HasAccessTo, tool).map(|(resource, _)| resource);
    if highest == Sensitivity::Unknown {
        let is_any = resources.next().is_some();
        let words = if is_any {
            "nobody knows how sensitive it is what it has access to"
        } else {
            "it has access to no resource"
        };
        return words.to_owned();
    }
    match resources.find(|resource| ground.basis.sensitivity(*resource) == highest) {
        Some(resource) => format!("it has access to {}, which is {}", ground.quoted(resource), highest.name()),
        // Not everything that a tool has access to is written down.
        None => format!("the most sensitive resource that it has access to is {}", highest.name()),
    }
}

/// Whether the tool says what it accepts.
fn has_schema(ground: &Ground<'_>, tool: NodeIx) -> bool {
    let is_empty = |value: &PropertyValue<'_>| value.as_text().is_some_and(str::is_empty);
    ground.basis.view.property(tool, "input_schema").is_some_and(|value| !is_empty(&value))
}

fn input_validation(ground: &Ground<'_>, tool: NodeIx) -> Points {
    if has_schema(ground, tool) { Points::NONE } else { Points::ALL }
}

fn why_input_validation(ground: &Ground<'_>, tool: NodeIx) -> String {
    let words = if has_schema(ground, tool) { "it has an input schema" } else { "it has no input schema" };
    words.to_owned()
}
