//! The tools that are registered: what is known of an action before anybody calls it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use cedar_policy::EntityUid;
use cedar_policy_core::entities::Entities;
use serde::{Deserialize, Serialize};
use tracehound_model::RiskLevel;

use crate::input::{Note, Object};
use crate::{cedar, name};

/// The most actions of one tenant.
const MOST_ACTIONS: usize = 100_000;

/// What is registered about an action of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionFacts {
    /// The tool; `mcp:` and the server's key for a tool of an MCP server.
    pub tool: String,
    /// The action; of an MCP server, the tool.
    pub action: String,
    /// How bad it can get.
    pub risk: RiskLevel,
    /// Whether it changes something.
    #[serde(default)]
    pub mutates_state: bool,
    /// Whether a person always has to agree.
    #[serde(default)]
    pub approval_required: bool,
    /// What holds whatever the policies say.
    #[serde(default)]
    pub default_decision: DefaultDecision,
    /// The JSON schema of its arguments.
    #[serde(default)]
    pub input_schema: Option<serde_json::Value>,
}

/// What holds for an action whatever the policies say. It can only tighten.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DefaultDecision {
    /// The policies decide.
    #[default]
    Policy,
    /// A person has to agree.
    RequireApproval,
    /// It may not happen.
    Deny,
}

/// A registered action, prepared once for all its calls.
#[derive(Debug, Clone)]
pub struct RegisteredAction {
    pub(crate) facts: ActionFacts,
    pub(crate) uid: EntityUid,
    pub(crate) group: EntityUid,
    pub(crate) holder: EntityUid,
    /// The action, what it is in, and what its resources are in.
    pub(crate) entities: Entities,
    pub(crate) input: Option<Object>,
    notes: Vec<Note>,
}

impl RegisteredAction {
    fn new(facts: ActionFacts, tool: String, action: String) -> Self {
        let every = cedar::action(cedar::TOOL_CALL);
        let group = cedar::action(&cedar::group_id(&tool));
        let uid = cedar::action(&cedar::action_id(&tool, &action));
        let holder = cedar::holder(&tool);
        let entities = [
            cedar::entity(&uid, [], [&group], [&every]),
            cedar::entity(&group, [], [&every], []),
            cedar::entity(&every, [], [], []),
            cedar::entity(&holder, [], [], []),
        ];
        // Four different entities can't contradict each other. Without them policies match less, and what nothing permits
        // is denied.
        let entities = cedar::with_entities(Entities::new(), entities).unwrap_or_default();
        let (input, notes) = facts.input_schema.as_ref().map_or((None, Vec::new()), Object::of_schema);
        Self { facts: ActionFacts { tool, action, ..facts }, uid, group, holder, entities, input, notes }
    }

    /// What is registered about it, with the names in their normal form.
    #[must_use]
    pub const fn facts(&self) -> &ActionFacts {
        &self.facts
    }

    /// The parts of its input schema that policies can't see.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Whether it is a tool of an MCP server.
    #[must_use]
    pub fn is_mcp(&self) -> bool {
        self.facts.tool.starts_with(cedar::MCP_PREFIX)
    }

    /// How policies name it: the id of its action.
    #[must_use]
    pub fn policy_name(&self) -> String {
        cedar::action_id(&self.facts.tool, &self.facts.action)
    }
}

/// Why an action can't be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CatalogueError {
    /// Its name has no normal form.
    #[error("the name `{0}` is empty, too long, encoded twice, or has characters that can't be seen or `*`")]
    NameRefused(String),
    /// Another action has the same name in policies.
    #[error(
        "policies would call it `{id}`, as they call the action `{action}` of the tool `{tool}`: rename one of them"
    )]
    SameName {
        /// The name in policies.
        id: String,
        /// The other's tool.
        tool: String,
        /// The other's action.
        action: String,
    },
    /// There are too many.
    #[error("there are {MOST_ACTIONS} registered actions already: remove some that are not used")]
    TooMany,
}

/// What a call's tool and action are.
#[derive(Debug, Clone, Copy)]
pub enum Lookup<'c> {
    /// They are registered.
    Known(&'c RegisteredAction),
    /// They are not.
    Unknown {
        /// Whether the tool is one of an MCP server.
        is_mcp: bool,
    },
    /// One of the names has no normal form.
    NameRefused,
}

/// The registered actions of one tenant.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    tools: BTreeMap<String, HashMap<String, Arc<RegisteredAction>>>,
    /// Which tool and action a name in policies stands for.
    ids: HashMap<String, (String, String)>,
}

impl Catalogue {
    /// Adds an action, or replaces it.
    ///
    /// # Errors
    /// A name is refused, or policies couldn't tell it from another action.
    pub fn add(&mut self, facts: ActionFacts) -> Result<&RegisteredAction, CatalogueError> {
        let normal = |text: &str| match name::normal(text) {
            Some(normal) if !normal.contains('*') => Ok(normal),
            _ => Err(CatalogueError::NameRefused(text.chars().take(64).collect())),
        };
        let (tool, action) = (normal(&facts.tool)?, normal(&facts.action)?);
        let id = cedar::action_id(&tool, &action);
        match self.ids.get(&id) {
            Some((other_tool, other_action)) if (other_tool, other_action) != (&tool, &action) => {
                let (tool, action) = (other_tool.clone(), other_action.clone());
                return Err(CatalogueError::SameName { id, tool, action });
            }
            None if self.ids.len() >= MOST_ACTIONS => return Err(CatalogueError::TooMany),
            _ => {}
        }
        self.ids.insert(id, (tool.clone(), action.clone()));
        let registered = Arc::new(RegisteredAction::new(facts, tool.clone(), action.clone()));
        Ok(self.tools.entry(tool).or_default().entry(action).insert_entry(registered).into_mut())
    }

    /// The action that is meant, whatever way its names are written.
    #[must_use]
    pub fn find(&self, tool: &str, action: &str) -> Lookup<'_> {
        let (Some(tool), Some(action)) = (name::normal(tool), name::normal(action)) else { return Lookup::NameRefused };
        match self.tools.get(&tool).and_then(|actions| actions.get(&action)) {
            Some(registered) => Lookup::Known(registered),
            None => Lookup::Unknown { is_mcp: tool.starts_with(cedar::MCP_PREFIX) },
        }
    }

    /// All actions, by tool.
    pub fn actions(&self) -> impl Iterator<Item = &RegisteredAction> {
        self.tools.values().flat_map(|actions| actions.values().map(AsRef::as_ref))
    }

    /// Whether a tool or MCP server with this normal name is registered.
    pub(crate) fn has_tool(&self, tool: &str) -> bool {
        self.tools.contains_key(tool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(tool: &str, action: &str) -> ActionFacts {
        ActionFacts {
            tool: tool.to_owned(),
            action: action.to_owned(),
            risk: RiskLevel::Low,
            mutates_state: false,
            approval_required: false,
            default_decision: DefaultDecision::Policy,
            input_schema: None,
        }
    }

    #[test]
    fn a_tool_is_found_however_its_name_is_written() {
        let mut catalogue = Catalogue::default();
        catalogue.add(facts("GitHub", "Merge")).unwrap();
        for (tool, action) in [("github", "merge"), ("GITHUB", " merge "), ("%67ithub", "ｍｅｒｇｅ")] {
            assert!(matches!(catalogue.find(tool, action), Lookup::Known(_)), "{tool} {action}");
        }
        assert!(matches!(catalogue.find("github", "close"), Lookup::Unknown { is_mcp: false }));
        assert!(matches!(catalogue.find("MCP:files", "read"), Lookup::Unknown { is_mcp: true }));
        assert!(matches!(catalogue.find("git%2568ub", "merge"), Lookup::NameRefused));
    }

    #[test]
    fn two_actions_never_share_a_name_in_policies() {
        let mut catalogue = Catalogue::default();
        catalogue.add(facts("a", "b.c")).unwrap();
        assert!(matches!(catalogue.add(facts("a.b", "c")), Err(CatalogueError::SameName { .. })));
        catalogue.add(facts("A", "b.c")).unwrap();
        assert!(matches!(catalogue.add(facts("a", "*")), Err(CatalogueError::NameRefused(_))));
        assert_eq!(catalogue.actions().count(), 1);
    }
}
