//! Jupyter: the tree of notebooks and files, and what is running. Only folders are asked for; no file is read.

use std::collections::HashMap;

use futures_util::StreamExt as _;
use futures_util::stream;
use serde_json::{Value, json};
use tracehound_model::wire::{Node, Properties};
use tracehound_model::{Collector, EdgeKind, NodeId, NodeKind, hash};

use super::asking::{Asker, Trouble, escaped};
use super::limits::{ANSWER, AT_ONCE, DEPTH, FILES, FOLDERS, NAME};
use super::work::{Work, name_of, text_of};
use crate::builder::properties;
use crate::judge::Judge;

pub(super) async fn read(asker: &Asker<'_>, work: &mut Work<'_>) {
    for (path, key) in [("/api/sessions", "active_sessions"), ("/api/kernels", "active_kernels")] {
        match work.ask(asker, path, ANSWER).await {
            Some(Value::Array(running)) => work.set(key, running.len()),
            Some(_) => work.problem(format!("`{path}` was not read: the answer is no list")),
            None => {}
        }
    }
    let files = tree(asker, work).await;
    add(work, files);
}

/// Something in a folder.
#[derive(Debug, PartialEq)]
struct Entry {
    /// Its path, without a slash before it.
    path: String,
    name: String,
    sort: Sort,
    mime_type: Value,
    size: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Folder,
    Notebook,
    File,
}

/// What is in a folder.
#[derive(Debug, Default)]
struct Content {
    entries: Vec<Entry>,
    /// How many things in it have no name that could be taken.
    nameless: usize,
    /// The same for the same folder, whichever path led there. None if nothing in it says when it was changed.
    mark: Option<String>,
}

fn folder(path: &str, answer: &Value) -> Result<Content, Trouble> {
    let is_folder = answer.get("type").and_then(Value::as_str) == Some("directory");
    let content = answer.get("content").and_then(Value::as_array).filter(|_| is_folder);
    let content = content.ok_or_else(|| Trouble::Words("the answer is no folder".to_owned()))?;
    let mut found = Content { mark: mark(content), ..Content::default() };
    for item in content {
        let sort = match item.get("type").and_then(Value::as_str) {
            Some("directory") => Sort::Folder,
            Some("notebook") => Sort::Notebook,
            Some("file") => Sort::File,
            _ => continue,
        };
        // The path is made of the name, so that nothing in a folder can claim to be elsewhere.
        let name = name_of(item, "name").filter(|name| !name.contains('/') && escaped(name).is_some());
        let path = name.map(|name| if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") });
        match (name, path.filter(|path| path.len() <= NAME)) {
            (Some(name), Some(path)) => found.entries.push(Entry {
                path,
                name: name.to_owned(),
                sort,
                mime_type: text_of(item.get("mimetype")),
                size: item.get("size").and_then(Value::as_u64),
            }),
            _ => found.nameless += 1,
        }
    }
    Ok(found)
}

/// Names, sizes and times of what is in a folder. Times are told to the microsecond, so that two folders on one path have
/// the same only if they are the same.
fn mark(content: &[Value]) -> Option<String> {
    let told = ["name", "type", "size", "created", "last_modified"];
    let mut items: Vec<String> = content
        .iter()
        .map(|item| told.map(|key| item.get(key).unwrap_or(&Value::Null).to_string()).join(" "))
        .collect();
    items.sort_unstable();
    let has_time = content.iter().any(|item| item.get("last_modified").is_some_and(Value::is_string));
    has_time.then(|| hash::content(items.join("\n")))
}

/// Folders that were read.
#[derive(Default)]
struct Seen(HashMap<String, String>);

impl Seen {
    /// Whether a folder is one of those above it, because of a link that leads back.
    fn is_above(&self, path: &str, mark: &str) -> bool {
        let cuts = path.match_indices('/').map(|(at, _)| at).chain((!path.is_empty()).then_some(0));
        let mut above = cuts.filter_map(|at| self.0.get(path.get(..at)?));
        above.any(|other| other == mark)
    }
}

/// All notebooks and files, level by level, so that what is deep is what a limit leaves out.
async fn tree(asker: &Asker<'_>, work: &mut Work<'_>) -> Vec<Entry> {
    let mut files: Vec<Entry> = Vec::new();
    let (mut troubles, mut nameless, mut folders) = (Vec::new(), 0_usize, 0_usize);
    let mut seen = Seen::default();
    let mut level = vec![String::new()];
    for depth in 0.. {
        if level.is_empty() || files.len() > FILES {
            break;
        }
        if depth > DEPTH {
            work.cut(format!("folders more than {DEPTH} deep"));
            break;
        }
        if level.len() > FOLDERS - folders {
            work.cut(format!("folders after the first {FOLDERS}"));
            level.truncate(FOLDERS - folders);
        }
        folders += level.len();
        let mut next = Vec::new();
        let asked = level.iter().map(|path| async move { (path, ask(asker, path).await) });
        let mut answers = stream::iter(asked).buffered(AT_ONCE);
        while let Some((path, answer)) = answers.next().await {
            match answer {
                Ok(content) => {
                    if let Some(mark) = content.mark {
                        if seen.is_above(path, &mark) {
                            continue;
                        }
                        seen.0.insert(path.clone(), mark);
                    }
                    nameless += content.nameless;
                    let (below, here): (Vec<Entry>, Vec<Entry>) =
                        content.entries.into_iter().partition(|entry| entry.sort == Sort::Folder);
                    // One more than may be, so that it is told.
                    let room = (FOLDERS + 1).saturating_sub(next.len());
                    next.extend(below.into_iter().map(|folder| folder.path).take(room));
                    files.extend(here);
                }
                Err(trouble) => troubles.push((format!("/api/contents/{path}"), trouble)),
            }
            if files.len() > FILES {
                break;
            }
        }
        drop(answers);
        next.sort_unstable();
        next.dedup();
        level = next;
    }
    if files.len() > FILES {
        work.cut(format!("notebooks and files after the first {FILES}"));
        files.truncate(FILES);
    }
    work.unread_all("folders", &troubles);
    if nameless > 0 {
        work.problem(format!("{nameless} notebooks and files have no name that could be taken"));
    }
    files
}

async fn ask(asker: &Asker<'_>, path: &str) -> Result<Content, Trouble> {
    let parts = path.split('/').filter_map(escaped);
    let asked = parts.fold("/api/contents".to_owned(), |asked, part| format!("{asked}/{part}"));
    folder(path, &asker.json(&format!("{asked}?type=directory&content=1"), ANSWER).await?)
}

/// Adds the resources, each as sensitive as the rules say, and at least highly so: whoever reads a notebook sees what its
/// author saw.
fn add(work: &mut Work<'_>, files: Vec<Entry>) {
    let mut judge = match Judge::new(work.subject.detection) {
        Ok(judge) => Some(judge),
        Err(error) => {
            work.problem(format!("how sensitive files are was not judged: {error}"));
            None
        }
    };
    let base = work.subject.reading.base().to_owned();
    let place = base.split_once("://").map_or(base.as_str(), |(_, place)| place);
    for file in files {
        let uri = format!("jupyter://{place}/{}", file.path);
        let id = NodeId::mcp_resource(work.subject.id, &uri);
        let notebook = || if file.sort == Sort::Notebook { json!("application/x-ipynb+json") } else { Value::Null };
        let values = properties([
            ("uri", json!(uri)),
            ("name", json!(file.name)),
            ("mime_type", if file.mime_type.is_null() { notebook() } else { file.mime_type.clone() }),
            ("uri_scheme", json!("jupyter")),
            ("size", file.size.map_or(Value::Null, Value::from)),
        ]);
        let values = judged(judge.as_mut(), &id, values, (&uri, &file.name));
        let evidence = format!("`/api/contents` of {base} lists `{}`", file.path);
        work.below(EdgeKind::ProvidesResource, (id, NodeKind::McpResource), values, evidence);
    }
}

fn judged(judge: Option<&mut Judge<'_>>, id: &NodeId, values: Properties, (uri, name): (&str, &str)) -> Properties {
    let mut node = Node { id: id.clone(), kinds: vec![NodeKind::McpResource], properties: values };
    if let Some(judge) = judge {
        let verdict = judge.look(Collector::Mcp, &mut node, &[("uri", uri), ("name", name)]);
        if verdict.is_injected {
            node.properties.insert("has_injection_patterns".into(), json!(true));
        }
    }
    if node.properties.get("sensitivity") != Some(&json!("critical")) {
        node.properties.insert("sensitivity".into(), json!("high"));
    }
    node.properties
}
