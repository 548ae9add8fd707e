//! Secrets of a configuration that belong to no server: keys of model providers, passwords of users, variables of the
//! client itself.

use std::collections::HashSet;

use super::credential::{Candidate, Place, Sight, Sighting};
use super::server::cut;
use super::tree::{Node, Position, Value};

/// Texts of one file that are looked at.
const TEXTS: usize = 50_000;
/// Longest text that is looked at: longer ones are prose.
const TEXT_BYTES: usize = 4096;
/// What is found in one file.
const FOUND: usize = 1_000;
/// Keys below which a client keeps what people typed, which is not configuration.
const PROSE: &[&str] = &[
    "history",
    "pastedContents",
    "display",
    "prompt",
    "description",
    "content",
    "instructions",
    "permissions",
    "projects",
];

/// The credentials outside the servers, which begin at these positions.
pub(crate) fn credentials(root: &Node, servers: &HashSet<Position>, sight: &mut Sight<'_>) -> Vec<Sighting> {
    let mut found = Vec::new();
    let mut open: Vec<(String, &Node)> = vec![(String::new(), root)];
    let mut texts = 0;
    while let Some((path, node)) = open.pop() {
        match &node.value {
            Value::Object(members) => {
                for member in members.iter().rev() {
                    if !servers.contains(&member.at) && !PROSE.contains(&member.key.as_str()) {
                        open.push((below(&path, &member.key), &member.value));
                    }
                }
            }
            Value::List(items) => {
                for (index, item) in items.iter().enumerate().rev() {
                    if !servers.contains(&item.at) {
                        open.push((below(&path, &index.to_string()), item));
                    }
                }
            }
            Value::Text(text) if text.len() <= TEXT_BYTES && texts < TEXTS => {
                texts += 1;
                found.extend(judge(&path, text, node.at, sight));
                if found.len() >= FOUND {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

/// Its name is the whole way to it, so that two of a kind are told apart; it is judged by the last key.
fn judge(path: &str, text: &str, at: Position, sight: &mut Sight<'_>) -> Vec<Sighting> {
    let path = &*cut(path);
    let Some(key) = path.rsplit('/').find(|key| key.parse::<usize>().is_err()) else { return Vec::new() };
    let candidate = Candidate { key: Some(key.into()), ..Candidate::new(Place::Outside, path, text, at) };
    let seen = sight.see(&candidate).into_iter().map(|seen| seen.sighting);
    // A part of a text without a name of its own would be called like the text.
    seen.map(|sighting| Sighting { name: within(path, &sighting.name), ..sighting }).collect()
}

fn within(path: &str, name: &str) -> String {
    if name.starts_with(path) { name.to_owned() } else { cut(&below(path, name)).into_owned() }
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}/{key}") }
}
