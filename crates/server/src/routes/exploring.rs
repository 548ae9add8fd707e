//! Looking around in an estate. Everybody who may read may.

use crate::api::Paging;
use crate::api::exploring::{
    Point, cuts, edge, graph, neighbours, node, paths, questions, reach, rule_trial, rules, search, shape, what_if,
};
use crate::caller::Access::Read;
use crate::route::Route;

/// This part of the table.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/v1/estate/graph", Read, "The graph, the most important nodes first", graph::show)
            .asks::<graph::GraphAsked>()
            .gives::<shape::Subgraph>(),
        Route::get("/v1/estate/nodes/{id}", Read, "A node, by its id or name", node::show)
            .asks::<Point>()
            .gives::<node::NodeDetail>(),
        Route::get("/v1/estate/nodes/{id}/neighbours", Read, "What a node is connected to", neighbours::show)
            .asks::<neighbours::NeighboursAsked>()
            .gives::<shape::Subgraph>(),
        Route::get("/v1/estate/edge", Read, "An edge, by its ends and kind", edge::show)
            .asks::<edge::EdgeAsked>()
            .gives::<edge::EdgeDetail>(),
        Route::get("/v1/estate/search", Read, "Search everything, as you type", search::find)
            .asks::<search::SearchAsked>()
            .gives::<search::SearchAnswer>(),
        Route::post("/v1/estate/paths", Read, "The best paths from one selection to another", paths::find)
            .takes::<paths::PathsAsked>()
            .gives::<shape::PathsAnswer>(),
        Route::post("/v1/estate/reach", Read, "What is reached from a selection, or who reaches it", reach::find)
            .takes::<reach::ReachAsked>()
            .gives::<reach::ReachAnswer>(),
        Route::post("/v1/estate/cuts", Read, "The cheapest changes that separate two selections", cuts::find)
            .takes::<cuts::CutsAsked>()
            .gives::<cuts::CutsAnswer>(),
        Route::post("/v1/estate/what-if", Read, "What would be different without some things", what_if::find)
            .takes::<what_if::WhatIfAsked>()
            .gives::<what_if::WhatIfAnswer>(),
        Route::get("/v1/estate/questions", Read, "Questions that can be asked by name", questions::list)
            .gives::<questions::Questions>(),
        Route::post("/v1/estate/questions/{name}", Read, "Ask a question by name", questions::ask)
            .takes::<questions::QuestionAsked>()
            .gives::<questions::QuestionAnswer>(),
        Route::get("/v1/estate/rules", Read, "The rules in force, with how well they do", rules::list)
            .asks::<Paging>()
            .gives::<rules::RulePage>(),
        Route::post("/v1/estate/rules/try", Read, "What the rules say of a text", rule_trial::try_text)
            .takes::<rule_trial::TriedText>()
            .gives::<rule_trial::TextTrial>(),
        Route::get("/v1/estate/rules/{id}", Read, "A rule with all that it says", rules::show)
            .gives::<rules::RuleDetail>(),
    ]
}
