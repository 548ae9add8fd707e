//! Names of agents in texts about other agents, word for word.

use std::collections::{BTreeMap, BTreeSet};

/// Letters that a name must have more of. Shorter ones are in every other text by chance.
const LETTERS: usize = 3;

/// Words that are about agents in general. A name made of nothing else names nobody.
const COMMON: [&str; 24] = [
    "a",
    "agent",
    "agents",
    "ai",
    "an",
    "api",
    "assistant",
    "bot",
    "chat",
    "demo",
    "example",
    "hello",
    "helper",
    "my",
    "search",
    "server",
    "service",
    "simple",
    "test",
    "the",
    "tool",
    "tools",
    "world",
    "your",
];

/// Names, by their first words.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeMap<String, Vec<Name>>);

#[derive(Debug)]
struct Name {
    rest: Vec<String>,
    owner: usize,
}

impl Names {
    /// Takes the names of agents by their numbers.
    pub(super) fn new<'n>(names: impl Iterator<Item = (usize, &'n str)>) -> Self {
        let mut all: BTreeMap<String, Vec<Name>> = BTreeMap::new();
        for (owner, name) in names {
            let words: Vec<String> = words(name).collect();
            let letters = name.chars().filter(|it| it.is_alphanumeric()).count();
            if letters <= LETTERS || words.iter().all(|word| COMMON.contains(&word.as_str())) {
                continue;
            }
            let mut words = words.into_iter();
            if let Some(first) = words.next() {
                all.entry(first).or_default().push(Name { rest: words.collect(), owner });
            }
        }
        Self(all)
    }

    /// The agents that a text names.
    pub(super) fn within(&self, text: &str) -> BTreeSet<usize> {
        let words: Vec<String> = words(text).collect();
        let mut found = BTreeSet::new();
        for (position, word) in words.iter().enumerate() {
            for name in self.0.get(word).into_iter().flatten() {
                if words.get(position + 1..).is_some_and(|rest| rest.starts_with(&name.rest)) {
                    found.insert(name.owner);
                }
            }
        }
        found
    }
}

/// The words of a text in small letters. Hyphens and underscores join words into one.
fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|it: char| !it.is_alphanumeric() && it != '-' && it != '_');
    parts.map(|part| part.trim_matches(['-', '_'])).filter(|part| !part.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str, expected: bool) {
        let names = Names::new(std::iter::once((7, name)));
        assert_eq!(names.within(text).contains(&7), expected, "{name:?} in {text:?}");
    }

    #[test]
    fn names_are_found_as_whole_words() {
        for (name, text) in [
            ("Weather Agent", "Hands over to the weather agent."),
            ("Weather Agent", "WEATHER\nAGENT"),
            ("planner", "asks `planner`, then waits"),
            ("trip-planner", "uses trip-planner"),
            ("Überbringer", "fragt den überbringer"),
        ] {
            check(name, text, true);
        }
        for (name, text) in [
            ("Weather Agent", "the weather is an agent of change"),
            ("Weather Agent", "the weather agents"),
            ("planner", "uses trip-planner and planners"),
            ("author", "authorises payments"),
            ("Ada", "asks Ada"),
            ("Search Agent", "a search agent"),
            ("", "anything"),
            ("...", "..."),
        ] {
            check(name, text, false);
        }
    }
}
