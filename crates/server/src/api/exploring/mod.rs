//! Looking around in an estate: its graph, its nodes and edges, search, paths, what is reached, cuts, what if, questions and
//! rules. Nothing here changes anything.

pub(crate) mod cursor;
pub(crate) mod cuts;
pub(crate) mod edge;
pub(crate) mod graph;
pub(crate) mod neighbours;
pub(crate) mod node;
pub(crate) mod paths;
pub(crate) mod questions;
pub(crate) mod reach;
pub(crate) mod rule_trial;
pub(crate) mod rules;
pub(crate) mod search;
pub(crate) mod shape;
pub(crate) mod told;
pub(crate) mod walking;
pub(crate) mod what_if;

use serde::Deserialize;
use tracehound_analyze::naming::{Selection, edge_kind, node_kind};
use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use crate::api::estate_shape::not_found;
use crate::estate::{At, Said};
use crate::problem::Problem;

/// The longest text that names nodes, in bytes.
pub(crate) const LONGEST_SELECTION: usize = 4_096;
/// Names and sets in one selection. Each is looked for among all nodes.
pub(crate) const MOST_PARTS: usize = 50;
/// Words in one list.
pub(crate) const MOST_WORDS: usize = 100;

/// A point in the life of the estate.
#[derive(Debug, Clone, Default, Deserialize, utoipa::IntoParams)]
pub(crate) struct Point {
    /// A scan id, a time, a date or `now`; the present if nothing is said.
    pub(crate) at: Option<String>,
}

/// The nodes that a text means.
pub(crate) fn choose(at: &At<'_>, said: &Said, text: &str) -> Result<Vec<NodeIx>, Problem> {
    check_selection(text)?;
    Selection::parse(text).nodes(&at.picture(), &said.marks).map_err(|unfound| not_found(&unfound))
}

fn check_selection(text: &str) -> Result<(), Problem> {
    if text.len() > LONGEST_SELECTION || text.split(',').count() > MOST_PARTS {
        let detail = format!(
            "nodes are named by at most {LONGEST_SELECTION} bytes and {MOST_PARTS} parts with commas between them"
        );
        return Err(Problem::invalid("selection_too_long", detail));
    }
    Ok(())
}

/// The words of a list with commas between them.
pub(crate) fn words(text: Option<&str>) -> Result<Vec<&str>, Problem> {
    let words: Vec<&str> = text.unwrap_or_default().split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
    check_count(words.len(), MOST_WORDS, "words in a list")?;
    Ok(words)
}

/// That nobody hands in more than can be looked at.
pub(crate) fn check_count(count: usize, most: usize, what: &str) -> Result<(), Problem> {
    if count > most {
        return Err(Problem::invalid("too_many", format!("at most {most} {what} are taken, not {count}")));
    }
    Ok(())
}

/// A number that has to be within a range.
pub(crate) fn within(given: Option<usize>, usual: usize, most: usize, what: &str) -> Result<usize, Problem> {
    match given.unwrap_or(usual) {
        number if (1..=most).contains(&number) => Ok(number),
        number => {
            Err(Problem::invalid("out_of_range", format!("`{what}` is a number from 1 to {most}, and is {number}")))
        }
    }
}

/// Kinds of nodes.
pub(crate) fn node_kinds<'k>(names: impl IntoIterator<Item = &'k str>) -> Result<Vec<NodeKind>, Problem> {
    let kind = |name| node_kind(name).map_err(|unknown| Problem::invalid("bad_kind", unknown.to_string()));
    names.into_iter().map(kind).collect()
}

/// Kinds of edges.
pub(crate) fn edge_kinds<'k>(names: impl IntoIterator<Item = &'k str>) -> Result<Vec<EdgeKind>, Problem> {
    names.into_iter().map(one_edge_kind).collect()
}

/// A kind of edge.
pub(crate) fn one_edge_kind(name: &str) -> Result<EdgeKind, Problem> {
    edge_kind(name).map_err(|unknown| Problem::invalid("bad_kind", unknown.to_string()))
}
