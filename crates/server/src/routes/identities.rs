//! Who takes part: tenants, people, agents, and the tools that agents may call.

use tracehound_evidence::decision::Page;
use tracehound_evidence::identity::{Agent, AgentProfile, Person, Tool};

use crate::api::{Paging, Why, agents, people, tools};
use crate::caller::Access::{Admin, Analyst, Operator, Read};
use crate::route::Route;

/// This part of the table.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/v1/tenants", Operator, "All tenants", people::tenants).gives::<Page<people::Tenant>>(),
        Route::post("/v1/tenants", Operator, "Add a tenant and its first administrator", people::add_tenant)
            .takes::<people::NewTenant>()
            .makes::<people::AddedTenant>(),
        Route::get("/v1/people", Admin, "People and machines with a token", people::list).gives::<Page<Person>>(),
        Route::post("/v1/people", Admin, "Add a person or machine; the token is shown once", people::add)
            .takes::<people::NewPerson>()
            .makes::<people::AddedPerson>(),
        Route::post("/v1/people/{id}/rotate-token", Admin, "Give somebody another token", people::rotate)
            .gives::<people::PersonToken>(),
        Route::delete("/v1/people/{id}", Admin, "Take somebody's token away", people::remove).gives_nothing(),
        Route::get("/v1/agents", Read, "Agents, by key", agents::list).asks::<Paging>().gives::<Page<Agent>>(),
        Route::post("/v1/agents", Admin, "Register an agent; the token is shown once", agents::add)
            .takes::<agents::NewAgent>()
            .makes::<agents::AddedAgent>(),
        Route::get("/v1/agents/{id}", Read, "An agent, by id or key", agents::show).gives::<Agent>(),
        Route::put("/v1/agents/{id}", Admin, "Change what is said about an agent", agents::describe)
            .takes::<AgentProfile>()
            .gives::<Agent>(),
        Route::post("/v1/agents/{id}/rotate-token", Admin, "Give an agent another token", agents::rotate)
            .gives::<agents::AgentToken>(),
        Route::post("/v1/agents/{id}/freeze", Analyst, "Stop an agent until somebody lets it go", agents::freeze)
            .takes::<Why>()
            .gives::<Agent>(),
        Route::post("/v1/agents/{id}/unfreeze", Analyst, "Let a stopped agent go", agents::restore)
            .takes::<Why>()
            .gives::<Agent>(),
        Route::post("/v1/agents/{id}/restore", Analyst, "Let a stopped agent go", agents::restore)
            .takes::<Why>()
            .gives::<Agent>(),
        Route::post("/v1/agents/{id}/quarantine", Analyst, "Stop an agent for what it did", agents::quarantine)
            .takes::<Why>()
            .gives::<Agent>(),
        Route::post("/v1/agents/{id}/revoke", Admin, "Stop an agent for good", agents::revoke)
            .takes::<Why>()
            .gives::<Agent>(),
        Route::get("/v1/tools", Read, "Registered tools and their actions", tools::list).gives::<Page<Tool>>(),
        Route::post("/v1/tools", Admin, "Register a tool, or replace what is registered", tools::add)
            .takes::<Tool>()
            .makes::<tools::AddedTool>(),
        Route::delete("/v1/tools/{key}", Admin, "Take a tool out", tools::remove).gives_nothing(),
    ]
}
