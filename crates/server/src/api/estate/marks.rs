//! What people say about nodes: marks, and that they have looked at contents that changed.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tracehound_graph::{Change, MarkDecision, Moment};
use tracehound_model::{Mark, NodeId};

use super::author;
use crate::App;
use crate::api::estate_shape::{NodeRef, find_node};
use crate::body::{Body, Path};
use crate::caller::Caller;
use crate::estate::now;
use crate::problem::Problem;

/// Marks of a node. A node has one at most: another takes its place, and both at once are refused.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MarkAsked {
    /// Whether an attacker holds it.
    #[serde(default)]
    owned: Option<bool>,
    /// Whether losing it would hurt most.
    #[serde(default)]
    crown_jewel: Option<bool>,
    /// Why.
    #[serde(default)]
    reason: String,
    /// Who says so, if it is not the caller. Only for whoever holds the data directory.
    #[serde(default)]
    author: Option<String>,
}

/// The mark that a node has.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct MarkedNode {
    node: NodeRef,
    owned: bool,
    crown_jewel: bool,
}

/// What is asked for, read against what is there.
fn mark_of(asked: &MarkAsked, present: Option<Mark>) -> Option<Mark> {
    let is_said = |mark: Mark| match mark {
        Mark::Owned => asked.owned,
        Mark::CrownJewel => asked.crown_jewel,
    };
    let given = Mark::ALL.iter().copied().find(|mark| is_said(*mark) == Some(true));
    // To say that a node is not owned takes only that mark away.
    given.or_else(|| present.filter(|mark| is_said(*mark) != Some(false)))
}

pub(crate) async fn put(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(asked): Body<MarkAsked>,
) -> Result<Json<MarkedNode>, Problem> {
    match (asked.owned, asked.crown_jewel) {
        (None, None) => {
            return Err(Problem::invalid("nothing_said", "say whether the node is `owned` or a `crown_jewel`"));
        }
        (Some(true), Some(true)) => {
            let detail = "a node has one mark at most: it is `owned` or a `crown_jewel`, not both";
            return Err(Problem::invalid("two_marks", detail));
        }
        _ => {}
    }
    let author = author(&caller, asked.author.clone())?;
    let node = app.at(&caller.tenant, None, move |at, _| {
        let picture = at.picture();
        Ok(NodeRef::new(&picture, find_node(&picture, &id)?))
    });
    let node = node.await?;
    let id = NodeId::from_wire(node.id.clone());
    let mark = app.estate(&caller.tenant, move |estate| {
        let present = estate.marks_at(Moment(i64::MAX))?.get(&id).copied();
        let mark = mark_of(&asked, present);
        // The same mark with another reason is something that somebody said.
        if mark != present || (mark.is_some() && !asked.reason.is_empty()) {
            estate.mark(&[MarkDecision { node: id, mark, reason: asked.reason, author, at: now() }])?;
        }
        Ok(mark)
    });
    let mark = mark.await?;
    Ok(Json(MarkedNode { node, owned: mark == Some(Mark::Owned), crown_jewel: mark == Some(Mark::CrownJewel) }))
}

/// That somebody has looked at contents that changed.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AcknowledgeAsked {
    /// What they found.
    note: String,
    /// Who looked, if it is not the caller. Only for whoever holds the data directory.
    #[serde(default)]
    author: Option<String>,
}

/// How many changed contents were acknowledged.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct AcknowledgedChanges {
    acknowledged: usize,
}

pub(crate) async fn acknowledge(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(asked): Body<AcknowledgeAsked>,
) -> Result<Json<AcknowledgedChanges>, Problem> {
    let author = author(&caller, asked.author)?;
    let changes = app.at(&caller.tenant, None, move |at, _| {
        let picture = at.picture();
        let node = NodeRef::new(&picture, find_node(&picture, &id)?);
        let is_meant = |change: &&Change| change.id.as_str() == node.id;
        Ok(at.graph.changes().iter().filter(is_meant).cloned().collect::<Vec<Change>>())
    });
    let changes = changes.await?;
    let acknowledged = changes.len();
    if acknowledged > 0 {
        let note = asked.note;
        app.change_estate(&caller.tenant, move |estate| estate.acknowledge(&changes, &author, &note, now())).await?;
    }
    Ok(Json(AcknowledgedChanges { acknowledged }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_takes_the_place_of_another_and_only_what_is_denied_goes() {
        let asked = |owned, crown_jewel| MarkAsked { owned, crown_jewel, reason: String::new(), author: None };
        for (said, present, expected) in [
            (asked(Some(true), None), None, Some(Mark::Owned)),
            (asked(Some(true), None), Some(Mark::CrownJewel), Some(Mark::Owned)),
            (asked(Some(false), Some(true)), Some(Mark::Owned), Some(Mark::CrownJewel)),
            (asked(Some(false), None), Some(Mark::Owned), None),
            (asked(Some(false), None), Some(Mark::CrownJewel), Some(Mark::CrownJewel)),
            (asked(Some(false), Some(false)), Some(Mark::CrownJewel), None),
        ] {
            assert_eq!(mark_of(&said, present), expected, "{said:?} {present:?}");
        }
    }
}
