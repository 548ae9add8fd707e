//! Other agents that a card names by their URLs: in its texts, and in members that speak of agents.
//!
//! Cards are full of URLs that lead to documents, pictures and token endpoints. Only those count that stand in a text
//! about what the agent does, below a member whose name speaks of agents, or that are the address of a card.

use std::collections::BTreeSet;

use serde_json::Value;
use url::Url;

use super::card::Card;
use super::place::{Place, key};
use crate::json::{by_name, shown};

/// Agents that one card may name.
const NAMED: usize = 1_000;

/// Members that speak of the agent itself, or that are read as texts.
const OWN: [&str; 22] = [
    "$schema",
    "additionalInterfaces",
    "authentication",
    "defaultInputModes",
    "defaultOutputModes",
    "description",
    "documentationUrl",
    "iconUrl",
    "jwks",
    "name",
    "preferredTransport",
    "protocolVersion",
    "provider",
    "security",
    "securityRequirements",
    "securitySchemes",
    "signatures",
    "supportedInterfaces",
    "tags",
    "uri",
    "url",
    "version",
];

/// Words in the names of members that speak of other agents.
const WORDS: [&str; 9] =
    ["agent", "delegat", "peer", "handoff", "collaborator", "downstream", "upstream", "a2a", "remote"];

/// An agent that a card names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) place: Place,
    /// Where in the card it stands, in words.
    pub(super) at: String,
    /// Whether it is named as an agent, and not just in passing.
    pub(super) is_explicit: bool,
}

/// The agents that a card names, in the order in which they stand there, and whether there were too many.
pub(super) fn of(card: &Card, value: &Value) -> (Vec<Named>, Option<String>) {
    let own = card.interfaces.iter().filter_map(|interface| Some(key(&Url::parse(&interface.url).ok()?)));
    let mut found = Finder { seen: own.collect(), named: Vec::new(), count: 0 };
    for (at, text) in card.texts() {
        for url in urls(text) {
            found.add(url, at.to_owned(), is_card(url));
        }
    }
    found.walk(value, &mut Vec::new(), false);
    let cut = (found.count > NAMED).then(|| format!("of {} other agents that it names, {NAMED} are kept", found.count));
    (found.named, cut)
}

/// What was found so far.
struct Finder {
    seen: BTreeSet<String>,
    named: Vec<Named>,
    count: usize,
}

impl Finder {
    fn add(&mut self, text: &str, at: String, is_explicit: bool) {
        let Some(place) = Place::named(text) else { return };
        if !self.seen.insert(place.key()) {
            return;
        }
        self.count += 1;
        if self.named.len() < NAMED {
            self.named.push(Named { place, at, is_explicit });
        }
    }

    /// Looks at members that no version of the protocol reads as the agent's own. The parser limits how deep they go.
    fn walk<'v>(&mut self, value: &'v Value, path: &mut Vec<&'v str>, is_about_agents: bool) {
        match value {
            Value::Object(members) => {
                for (key, value) in by_name(members) {
                    // Below a member that speaks of agents, a URL is another's.
                    if !is_about_agents && OWN.contains(&key.as_str()) {
                        continue;
                    }
                    path.push(key);
                    self.walk(value, path, is_about_agents || speaks_of_agents(key));
                    path.pop();
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.walk(item, path, is_about_agents)),
            Value::String(text) if is_url(text) && (is_about_agents || is_card(text)) => {
                let path: Vec<String> = path.iter().map(|part| shown(part)).collect();
                self.add(text, format!("`{}`", path.join(".")), true);
            }
            _ => {}
        }
    }
}

fn speaks_of_agents(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    // A capability of the protocol, and the agent's own account of itself.
    key != "extendedagentcard" && key != "agentcard" && WORDS.iter().any(|word| key.contains(word))
}

fn is_url(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

fn is_card(url: &str) -> bool {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    url.ends_with("/.well-known/agent-card.json") || url.ends_with("/.well-known/agent.json")
}

/// URLs in prose. What ends a sentence or closes a bracket is no part of one.
pub(super) fn urls(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices("http").filter(|(start, _)| {
        let before = text.get(..*start).and_then(|before| before.chars().next_back());
        !before.is_some_and(char::is_alphanumeric)
    });
    starts.filter_map(|(start, _)| {
        let rest = text.get(start..).filter(|rest| is_url(rest))?;
        let ends = |it: char| it.is_whitespace() || it.is_control() || "<>\"'`|\\^{}()[]".contains(it);
        let url = rest.split(ends).next().unwrap_or_default();
        Some(url.trim_end_matches(['.', ',', ';', ':', '!', '?']))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(value: Value, expected: &[(&str, bool)]) {
        let card = Card::read(&value).unwrap();
        let named = of(&card, &value).0;
        let named: Vec<_> = named.iter().map(|named| (named.place.base.as_str(), named.is_explicit)).collect();
        assert_eq!(named, expected, "{value}");
    }

    #[test]
    fn urls_in_texts_are_taken_without_what_is_around_them() {
        let found: Vec<&str> = urls(
            "See (https://a.example/x), https://b.example. Not xhttps://c.example or http: //d; <http://e.example>",
        )
        .collect();
        assert_eq!(found, ["https://a.example/x", "https://b.example", "http://e.example"]);
    }

    #[test]
    fn agents_are_named_in_texts_and_in_members_that_speak_of_them() {
        check(
            json!({
                "name": "a", "url": "https://a.example", "skills": [{"id": "s", "description": "asks https://c.example/x."}],
                "description": "hands work to https://b.example/.well-known/agent-card.json",
                "provider": {"url": "https://provider.example"},
                "documentationUrl": "https://docs.example",
                "capabilities": {"extensions": [
                    {"uri": "https://ext.example/v1", "params": {"delegates": [{"url": "https://d.example"}], "logo": "https://l.example"}}
                ]},
                "metadata": {"subAgents": ["http://e.example:1/"], "self": "https://f.example/.well-known/agent.json"},
            }),
            &[
                ("https://b.example", true),
                ("https://c.example/x", false),
                ("https://d.example", true),
                ("https://f.example", true),
                ("http://e.example:1", true),
            ],
        );
    }

    #[test]
    fn an_agent_does_not_name_itself() {
        check(
            json!({"name": "a", "url": "https://a.example/", "description": "at https://A.example", "skills": []}),
            &[],
        );
    }

    #[test]
    fn a_card_that_names_everybody_is_cut() {
        let delegates: Vec<String> = (0..1_500).map(|number| format!("https://n{number}.example")).collect();
        let value = json!({"name": "a", "skills": [], "delegates": delegates});
        let (named, cut) = of(&Card::read(&value).unwrap(), &value);
        assert_eq!((named.len(), cut.is_some_and(|cut| cut.contains("1500"))), (1_000, true));
    }
}
