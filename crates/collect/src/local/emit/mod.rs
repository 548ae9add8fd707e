//! From what was read to a document: nodes, edges, origin and coverage.

pub(super) mod config;
mod loads;
mod texts;

use std::path::Path;

use tracehound_model::{Collector, NodeId};
use tracehound_rules::engine::effects::{self, FieldMatches};

use super::find::Search;
use super::work::Done;
use super::{Naming, Request};
use crate::builder::Builder;
use crate::detection::{Detection, DetectionError};
use crate::host::ReadError;
use crate::mcp::Target;
use crate::report::{LookedAt, Problem, Report, What};
use loads::{Agent, Agents};

/// Puts everything together, in the order of the paths.
pub(super) fn report(
    naming: &Naming<'_>,
    request: &Request,
    search: &Search<'_>,
    mut done: Vec<Done>,
    detection: &Detection,
) -> Result<Report, DetectionError> {
    let mut builder = Builder::new(&request.stamp);
    let mut agents = Agents::default();
    let mut files = Vec::new();
    let mut problems = search.problems.clone();
    let mut covered: Vec<NodeId> = Vec::new();
    let mut targets = Vec::new();
    for file in &mut done {
        match &mut file.config {
            Some(Ok(read)) => {
                problems.append(&mut read.problems);
                targets.append(&mut read.targets);
                if read.is_complete {
                    covered.push(NodeId::config_file(&file.shown));
                }
                let Some((part, what)) = read.part.take() else { continue };
                builder.absorb(part);
                let config = NodeId::config_file(&file.shown);
                for client in &read.clients {
                    let (whose, project) = (file.item.whose, file.item.project.clone());
                    agents.add(Agent { id: NodeId::agent_instance(&config, client), client, whose, project });
                }
                files.push(LookedAt { path: file.shown.clone(), what });
            }
            Some(Err(ReadError::Missing)) if !file.item.is_given => covered.push(NodeId::config_file(&file.shown)),
            Some(Err(error)) => problems.push(Problem::unread(&file.shown, error.to_string())),
            None => {}
        }
    }
    for file in &done {
        match (&file.instructions, file.item.row) {
            (Some(Ok(facts)), Some(row)) => {
                let what = What::Instructions { r#type: row.r#type, is_suspicious: facts.is_suspicious };
                files.push(LookedAt { path: file.shown.clone(), what });
                let node = texts::file(&mut builder, &file.shown, row.r#type, facts);
                if !facts.matches.is_empty() {
                    let rules = detection.texts()?.rules();
                    let field = FieldMatches { property: "content", source: &facts.text, matches: &facts.matches };
                    builder.change(&node, |node| effects::apply(node, rules, &[field]));
                }
                for agent in agents.of(naming, file, row) {
                    texts::loads(&mut builder, agent, &node, &file.shown, facts);
                }
                covered.push(node);
            }
            (Some(Err(ReadError::Missing)), _) if !file.item.is_given => {
                covered.push(NodeId::instruction_file(&file.shown));
            }
            (Some(Err(error)), _) => problems.push(Problem::unread(&file.shown, error.to_string())),
            // It is no text, so if it was one, that is gone.
            (None, Some(_)) => covered.push(NodeId::instruction_file(&file.shown)),
            (_, None) => {}
        }
    }
    let mut read: Vec<&Path> = done.iter().map(|file| file.item.path.as_path()).collect();
    read.sort_unstable();
    covered.extend(gone(naming, request, search, &read));
    problems.sort();
    problems.dedup();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    targets.sort_by(|a: &Target, b| (&a.id, &a.file, &a.name).cmp(&(&b.id, &b.file, &b.name)));
    let homes = search.layout().into_iter().flat_map(|layout| &layout.homes).map(|home| naming.root.text(&home.path));
    let document = builder.document(Collector::Config, covered);
    Ok(Report {
        document,
        targets,
        files,
        problems,
        homes: homes.collect(),
        places: search.places,
        walked: search.entries,
    })
}

/// The files that were looked for and are not there any more, as both things that they may have been.
fn gone(naming: &Naming<'_>, request: &Request, search: &Search<'_>, read: &[&Path]) -> Vec<NodeId> {
    let both = |text: &str| [NodeId::config_file(text), NodeId::instruction_file(text)];
    let Some(known) = &request.known else {
        return search.missing.iter().flat_map(|path| both(&naming.text(path))).collect();
    };
    let is_in_scope = |path: &Path| {
        request.layout.is_some()
            || search.walked.iter().any(|tree| path.starts_with(tree))
            || request.files.iter().any(|file| file == path)
    };
    let is_gone = |path: &Path| {
        read.binary_search(&path).is_err()
            && naming.root.host().kind(path).is_err_and(|error| matches!(ReadError::from(error), ReadError::Missing))
    };
    // The text of a path that is not UTF-8 does not lead back to it, so nothing is said of such a file.
    let is_exact = |text: &str| !text.contains("\\x") || text.contains(":\\");
    let texts = known
        .iter()
        .filter(|text| is_exact(text))
        .filter(|text| naming.path(text).is_some_and(|path| is_in_scope(&path) && is_gone(&path)));
    texts.flat_map(|text| both(text)).collect()
}
