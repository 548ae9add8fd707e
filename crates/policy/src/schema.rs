//! The Cedar schema, made from the registered tools: one action for each action of a tool, in one for the tool, in one
//! for all calls; `context.input` typed per action. Used to check policies, not to check calls.

use cedar_policy::Schema;
use serde_json::{Map, Value, json};

use crate::catalogue::RegisteredAction;
use crate::cedar::{ACTION, AGENT, MCP_SERVER, RESOURCE, TEAM, TOOL, TOOL_CALL, group_id};

/// The schema for these tools, in Cedar's JSON form. Linear in the tools and their input schemas.
pub(crate) fn document<'c>(actions: impl Iterator<Item = &'c RegisteredAction>) -> Value {
    let mut all = Map::new();
    all.insert(TOOL_CALL.to_owned(), json!({}));
    for action in actions {
        let group = group_id(&action.facts.tool);
        all.insert(action.policy_name(), concrete(action, &group));
        all.entry(group).or_insert_with(|| json!({"memberOf": [{"id": TOOL_CALL}]}));
    }
    let text = |required: bool| json!({"type": "String", "required": required});
    json!({"": {
        "entityTypes": {
            TEAM: {},
            TOOL: {},
            MCP_SERVER: {},
            AGENT: {"memberOfTypes": [TEAM], "shape": {"type": "Record", "attributes": {
                "key": text(true), "name": text(true), "environment": text(true), "risk_tier": text(true),
                "owner_team": text(false), "framework": text(false),
            }}},
            RESOURCE: {"memberOfTypes": [TOOL, MCP_SERVER], "shape": {"type": "Record", "attributes": {"name": text(true)}}},
        },
        "actions": all,
    }})
}

fn concrete(action: &RegisteredAction, group: &str) -> Value {
    json!({
        "memberOf": [{"id": group, "type": ACTION}],
        "appliesTo": {"principalTypes": [AGENT], "resourceTypes": [RESOURCE], "context": context(action)},
    })
}

/// The type of the context of an action's calls. [`crate::evaluate`] makes the values.
fn context(action: &RegisteredAction) -> Value {
    let of = |kind: &str| json!({"type": kind, "required": true});
    let text = || of("String");
    let optional = |attributes: Value| json!({"type": "Record", "attributes": attributes, "required": false});
    let attributes = json!({
        "tool": text(), "action": text(), "environment": text(), "agent_risk_tier": text(),
        "trust_level": text(), "root_trust_level": text(),
        "contains_sensitive_data": of("Boolean"), "mutates_state": of("Boolean"), "is_mcp": of("Boolean"),
        "risk": of("Long"),
        "run": optional(json!({"id": text(), "parent": {"type": "String", "required": false}})),
        "user": optional(json!({"id": text(), "role": text()})),
        "mcp": optional(json!({"server": text(), "trust_level": text()})),
    });
    let input = action.input.as_ref().map(|input| ("input".to_owned(), input.cedar_type(true)));
    let attributes: Map<String, Value> = attributes
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, of)| (name.clone(), of.clone()))
        .chain(input)
        .collect();
    json!({"type": "Record", "attributes": attributes})
}

/// The schema for these actions.
pub(crate) fn of_actions<'c>(actions: impl Iterator<Item = &'c RegisteredAction>) -> Result<Schema, String> {
    Schema::from_json_value(document(actions)).map_err(|error| error.to_string())
}
