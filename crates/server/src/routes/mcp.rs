//! MCP servers and their tools.

use tracehound_evidence::decision::Page;
use tracehound_evidence::identity::McpServer;
use tracehound_evidence::reading::Manifest;

use crate::api::{Paging, Why, mcp};
use crate::caller::Access::{Admin, Analyst, Read};
use crate::route::Route;

/// This part of the table.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/v1/mcp/servers", Read, "Registered MCP servers and their tools, by key", mcp::list)
            .asks::<Paging>()
            .gives::<Page<McpServer>>(),
        Route::post("/v1/mcp/servers", Admin, "Register an MCP server, or change what is said about it", mcp::add)
            .takes::<mcp::Registration>()
            .gives::<McpServer>()
            .makes::<McpServer>(),
        Route::get("/v1/mcp/servers/{key}", Read, "An MCP server with its tools", mcp::show).gives::<McpServer>(),
        Route::delete("/v1/mcp/servers/{key}", Admin, "Take an MCP server out; its key stays taken", mcp::remove)
            .gives::<McpServer>(),
        Route::post("/v1/mcp/servers/{key}/quarantine", Analyst, "Stop all calls of an MCP server", mcp::quarantine)
            .takes::<Why>()
            .gives::<McpServer>(),
        Route::post("/v1/mcp/servers/{key}/restore", Admin, "Let an MCP server be called again", mcp::restore)
            .takes::<Why>()
            .gives::<McpServer>(),
        Route::post("/v1/mcp/servers/{key}/tools", Admin, "Hand in what an MCP server shows", mcp::submit)
            .takes::<mcp::Manifest>()
            .gives::<mcp::ManifestOutcome>(),
        Route::get("/v1/mcp/servers/{key}/manifest-history", Read, "What an MCP server showed before", mcp::manifests)
            .gives::<Page<Manifest>>(),
        Route::post("/v1/mcp/servers/{key}/tools/{tool}/approve", Admin, "Approve a tool as it is", mcp::approve)
            .takes::<mcp::Agreed>()
            .gives::<McpServer>(),
        Route::post("/v1/mcp/servers/{key}/tools/{tool}/disable", Admin, "Turn a tool off", mcp::disable)
            .takes::<mcp::Agreed>()
            .gives::<McpServer>(),
    ]
}
