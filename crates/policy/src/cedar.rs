//! The names of the Cedar model: entity types and ids, made from parts and never by gluing text together.

use std::collections::{HashMap, HashSet};
use std::str::FromStr as _;
use std::sync::LazyLock;

use cedar_policy::{Entity, EntityId, EntityTypeName, EntityUid, RestrictedExpression};

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

/// An entity whose attributes are plain texts.
pub(crate) fn entity(
    uid: EntityUid,
    attributes: HashMap<String, RestrictedExpression>,
    parents: HashSet<EntityUid>,
) -> Entity {
    let bare = Entity::new_no_attrs(uid.clone(), parents.clone());
    // Only extension functions can fail here, and plain texts call none. Without its attributes, policies that read
    // them err, which denies.
    Entity::new(uid, attributes, parents).unwrap_or(bare)
}
