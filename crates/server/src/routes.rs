//! All routes. A new one is a line here and its handler.

use crate::api::{agents, approvals, authorize, decisions, graph, health, people, receipts, tools};
use crate::caller::Access::{Admin, Agent, Analyst, Approver, Graph, Open, Operator, Read};
use crate::route::Route;

/// The table.
#[must_use]
pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/livez", Open, "Whether the process runs", health::live),
        Route::get("/readyz", Open, "Whether decisions can be recorded", health::ready),
        Route::get("/health", Open, "Whether decisions can be recorded", health::ready),
        Route::get("/metrics", Read, "Counters in Prometheus' text form", health::metrics),
        Route::get("/v1/version", Open, "The version", health::version),
        Route::get("/v1/openapi.json", Open, "This description", health::openapi),
        Route::get("/v1/whoami", Graph, "Whose token was sent", people::whoami),
        Route::post("/v1/authorize", Agent, "Decide whether an agent may make one tool call", authorize::authorize),
        Route::get("/v1/tenants", Operator, "All tenants", people::tenants),
        Route::post("/v1/tenants", Operator, "Add a tenant and its first administrator", people::add_tenant),
        Route::get("/v1/people", Admin, "People and machines with a token", people::list),
        Route::post("/v1/people", Admin, "Add a person or machine; the token is shown once", people::add),
        Route::post("/v1/people/{id}/rotate-token", Admin, "Give somebody another token", people::rotate),
        Route::delete("/v1/people/{id}", Admin, "Take somebody's token away", people::remove),
        Route::get("/v1/agents", Read, "Agents, by key", agents::list),
        Route::post("/v1/agents", Admin, "Register an agent; the token is shown once", agents::add),
        Route::get("/v1/agents/{id}", Read, "An agent, by id or key", agents::show),
        Route::put("/v1/agents/{id}", Admin, "Change what is said about an agent", agents::describe),
        Route::post("/v1/agents/{id}/rotate-token", Admin, "Give an agent another token", agents::rotate),
        Route::post("/v1/agents/{id}/freeze", Analyst, "Stop an agent until somebody lets it go", agents::freeze),
        Route::post("/v1/agents/{id}/unfreeze", Analyst, "Let a stopped agent go", agents::restore),
        Route::post("/v1/agents/{id}/restore", Analyst, "Let a stopped agent go", agents::restore),
        Route::post("/v1/agents/{id}/quarantine", Analyst, "Stop an agent for what it did", agents::quarantine),
        Route::post("/v1/agents/{id}/revoke", Admin, "Stop an agent for good", agents::revoke),
        Route::get("/v1/tools", Read, "Registered tools and their actions", tools::list),
        Route::post("/v1/tools", Admin, "Register a tool, or replace what is registered", tools::add),
        Route::delete("/v1/tools/{key}", Admin, "Take a tool out", tools::remove),
        Route::get("/v1/decisions", Graph, "Decisions, newest first", decisions::list),
        Route::get("/v1/decisions/{id}", Graph, "A decision with its approval and receipt", decisions::show),
        Route::get("/v1/approvals", Read, "Approvals, newest first", approvals::list),
        Route::get("/v1/approvals/{id}", Graph, "An approval; agents see their own", approvals::show),
        Route::post("/v1/approvals/{id}/approve", Approver, "Agree to exactly this call", approvals::approve),
        Route::post("/v1/approvals/{id}/reject", Approver, "Refuse a call", approvals::reject),
        Route::post("/v1/approvals/{id}/edit", Approver, "Put another call in its place", approvals::edit),
        Route::post("/v1/approvals/{id}/consume", Agent, "Use an approval, once", approvals::consume),
        Route::get("/v1/receipts", Read, "Receipts, exactly as they verify", receipts::list),
        Route::get("/v1/receipts/chain-head", Read, "The end of the chain", receipts::head),
        Route::get("/v1/receipts/checkpoint", Read, "A signed statement of length and root", receipts::checkpoint),
        Route::get("/v1/receipts/consistency", Read, "Proof that a tree begins another", receipts::consistency),
        Route::get("/v1/receipts/keys", Open, "The public keys that sign receipts", receipts::keys),
        Route::post("/v1/receipts/verify-chain", Read, "Verify receipts as they were listed", receipts::verify_chain),
        Route::get("/v1/receipts/{id}", Read, "A receipt", receipts::show),
        Route::get("/v1/receipts/{id}/verify", Read, "Verify a stored receipt", receipts::verify),
        Route::get("/v1/receipts/{id}/proof", Read, "Proof that a receipt is in the tree", receipts::proof),
        Route::post("/v1/receipts/{id}/outcome", Agent, "Report what really happened", receipts::outcome),
        Route::get("/v1/graph/run/{run_id}", Graph, "The evidence of a run", graph::run),
        Route::get("/v1/graph/incident/{incident_id}", Graph, "The evidence behind an incident", graph::incident),
        Route::get("/v1/graph/agent/{agent_id}", Graph, "The newest evidence about an agent", graph::agent),
        Route::get("/v1/graph/chain/{run_id}", Graph, "The runs around a run, across agents", graph::chain),
    ]
}
