//! The names and entities of the Cedar model, made from parts and never by gluing text together.
//!
//! Entities are made with Cedar's core instead of its outer interface, which works out anew for each call what every
//! entity is in, and checks what we know already.

use std::str::FromStr as _;
use std::sync::{Arc, LazyLock};

use cedar_policy::{EntityId, EntityTypeName, EntityUid};
use cedar_policy_core::ast::{Entity, EntityUID, Literal, PartialValue, Value};
use cedar_policy_core::entities::{Entities, NoEntitiesSchema, TCComputation};
use cedar_policy_core::extensions::Extensions;

/// The entity types, as schemas and policies name them.
pub(crate) const AGENT: &str = "Agent";
pub(crate) const TEAM: &str = "Team";
pub(crate) const TOOL: &str = "Tool";
pub(crate) const MCP_SERVER: &str = "McpServer";
pub(crate) const RESOURCE: &str = "Resource";
pub(crate) const ACTION: &str = "Action";

/// The action that every call is in.
pub(crate) const TOOL_CALL: &str = "tool_call";

/// What the name of a tool of an MCP server begins with.
pub(crate) const MCP_PREFIX: &str = "mcp:";

struct Types {
    agent: EntityTypeName,
    team: EntityTypeName,
    tool: EntityTypeName,
    mcp_server: EntityTypeName,
    resource: EntityTypeName,
    action: EntityTypeName,
}

static TYPES: LazyLock<Types> = LazyLock::new(|| Types {
    agent: type_name(AGENT),
    team: type_name(TEAM),
    tool: type_name(TOOL),
    mcp_server: type_name(MCP_SERVER),
    resource: type_name(RESOURCE),
    action: type_name(ACTION),
});

#[expect(clippy::expect_used, reason = "the names are fixed, and every test uses them")]
fn type_name(name: &str) -> EntityTypeName {
    EntityTypeName::from_str(name).expect("a plain word is the name of a type")
}

fn uid(of: &EntityTypeName, id: &str) -> EntityUid {
    EntityUid::from_type_name_and_id(of.clone(), EntityId::new(id))
}

pub(crate) fn agent(id: &str) -> EntityUid {
    uid(&TYPES.agent, id)
}

pub(crate) fn team(name: &str) -> EntityUid {
    uid(&TYPES.team, name)
}

pub(crate) fn resource(name: &str) -> EntityUid {
    uid(&TYPES.resource, name)
}

pub(crate) fn action(id: &str) -> EntityUid {
    uid(&TYPES.action, id)
}

/// What the resources of a tool are in: the tool, or the MCP server that it stands for.
pub(crate) fn holder(tool: &str) -> EntityUid {
    match tool.strip_prefix(MCP_PREFIX) {
        Some(server) => uid(&TYPES.mcp_server, server),
        None => uid(&TYPES.tool, tool),
    }
}

/// The id of the action for a tool's action.
pub(crate) fn action_id(tool: &str, action: &str) -> String {
    format!("{tool}.{action}")
}

/// The id of the action that all actions of a tool are in.
pub(crate) fn group_id(tool: &str) -> String {
    format!("{tool}.*")
}

/// A value that is a text.
pub(crate) fn text(value: &str) -> Value {
    Value::new(Literal::from(value), None)
}

/// An entity with texts as attributes, in these and, through them, in those. Both must be complete: what an entity is in
/// is not worked out again for each call.
pub(crate) fn entity<'a>(
    uid: &EntityUid,
    attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
    parents: impl IntoIterator<Item = &'a EntityUid>,
    through: impl IntoIterator<Item = &'a EntityUid>,
) -> Arc<Entity> {
    let bare = |uid: &EntityUid| -> EntityUID { uid.clone().into() };
    Arc::new(Entity::new_with_attr_partial_value(
        bare(uid),
        attributes.into_iter().map(|(name, value)| (name.into(), PartialValue::from(text(value)))),
        through.into_iter().map(bare).collect(),
        parents.into_iter().map(bare).collect(),
        [],
    ))
}

/// Entities together with others. What each is in must be complete, see [`entity`].
pub(crate) fn with_entities(
    entities: Entities,
    others: impl IntoIterator<Item = Arc<Entity>>,
) -> Result<Entities, &'static str> {
    let complete = TCComputation::AssumeAlreadyComputed;
    let together = entities.add_entities(others, None::<&NoEntitiesSchema>, complete, Extensions::all_available());
    together.map_err(|_| "the entities of the call contradict each other")
}
