// Generated from the description of the API with `npm run generate`. Do not edit.

export interface paths {
    "/api/v1/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take in a scan document
         * @description For analysts and administrators.
         */
        post: operations["post_api_v1_ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether decisions can be recorded
         * @description For anybody.
         */
        get: operations["get_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process runs
         * @description For anybody.
         */
        get: operations["get_livez"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counters in Prometheus' text form
         * @description For people with any role.
         */
        get: operations["get_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether decisions can be recorded
         * @description For anybody.
         */
        get: operations["get_readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Agents, by key
         * @description For people with any role.
         */
        get: operations["get_v1_agents"];
        put?: never;
        /**
         * Register an agent; the token is shown once
         * @description For administrators.
         */
        post: operations["post_v1_agents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An agent, by id or key
         * @description For people with any role.
         */
        get: operations["get_v1_agents_id"];
        /**
         * Change what is said about an agent
         * @description For administrators.
         */
        put: operations["put_v1_agents_id"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/contain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop an agent so that it can be undone
         * @description For analysts and administrators.
         */
        post: operations["post_v1_agents_id_contain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop an agent until somebody lets it go
         * @description For analysts and administrators.
         */
        post: operations["post_v1_agents_id_freeze"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop an agent for what it did
         * @description For analysts and administrators.
         */
        post: operations["post_v1_agents_id_quarantine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a stopped agent go
         * @description For analysts and administrators.
         */
        post: operations["post_v1_agents_id_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop an agent for good
         * @description For administrators.
         */
        post: operations["post_v1_agents_id_revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/rotate-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an agent another token
         * @description For administrators.
         */
        post: operations["post_v1_agents_id_rotate_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/unfreeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a stopped agent go
         * @description For analysts and administrators.
         */
        post: operations["post_v1_agents_id_unfreeze"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Alerts, newest first
         * @description For people with any role.
         */
        get: operations["get_v1_alerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Approvals, newest first
         * @description For people with any role.
         */
        get: operations["get_v1_approvals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An approval; agents see their own
         * @description For agents, and people with any role.
         */
        get: operations["get_v1_approvals_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Agree to exactly this call
         * @description For approvers and administrators.
         */
        post: operations["post_v1_approvals_id_approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/consume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use an approval, once
         * @description For agents, stopped ones included.
         */
        post: operations["post_v1_approvals_id_consume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/edit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put another call in its place
         * @description For approvers and administrators.
         */
        post: operations["post_v1_approvals_id_edit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a call
         * @description For approvers and administrators.
         */
        post: operations["post_v1_approvals_id_reject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide whether an agent may make one tool call
         * @description For agents, stopped ones included.
         */
        post: operations["post_v1_authorize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/containments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was done to stop agents, newest first
         * @description For people with any role.
         */
        get: operations["get_v1_containments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/containments/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an agent as it was before
         * @description For analysts and administrators.
         */
        post: operations["post_v1_containments_id_undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Decisions, newest first
         * @description For agents, and people with any role.
         */
        get: operations["get_v1_decisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A decision with its approval and receipt
         * @description For agents, and people with any role.
         */
        get: operations["get_v1_decisions_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/cuts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The cheapest changes that separate two selections
         * @description For people with any role.
         */
        post: operations["post_v1_estate_cuts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What differs between two points
         * @description For people with any role.
         */
        get: operations["get_v1_estate_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take in a scan document
         * @description For analysts and administrators.
         */
        post: operations["post_v1_estate_documents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/edge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An edge, by its ends and kind
         * @description For people with any role.
         */
        get: operations["get_v1_estate_edge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Findings, the worst first, with how many there are
         * @description For people with any role.
         */
        get: operations["get_v1_estate_findings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/findings/{fingerprint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A finding with everything about it
         * @description For people with any role.
         */
        get: operations["get_v1_estate_findings_fingerprint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/findings/triage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide about findings, all or nothing
         * @description For analysts and administrators.
         */
        post: operations["post_v1_estate_findings_triage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The graph, the most important nodes first
         * @description For people with any role.
         */
        get: operations["get_v1_estate_graph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/nodes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A node, by its id or name
         * @description For people with any role.
         */
        get: operations["get_v1_estate_nodes_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/nodes/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that somebody has looked at how a node's contents changed
         * @description For analysts and administrators.
         */
        post: operations["post_v1_estate_nodes_id_acknowledge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/nodes/{id}/marks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Mark a node, or take its mark away
         * @description For analysts and administrators.
         */
        put: operations["put_v1_estate_nodes_id_marks"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/nodes/{id}/neighbours": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a node is connected to
         * @description For people with any role.
         */
        get: operations["get_v1_estate_nodes_id_neighbours"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/paths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The best paths from one selection to another
         * @description For people with any role.
         */
        post: operations["post_v1_estate_paths"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Questions that can be asked by name
         * @description For people with any role.
         */
        get: operations["get_v1_estate_questions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/questions/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a question by name
         * @description For people with any role.
         */
        post: operations["post_v1_estate_questions_name"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/reach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What is reached from a selection, or who reaches it
         * @description For people with any role.
         */
        post: operations["post_v1_estate_reach"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The rules in force, with how well they do
         * @description For people with any role.
         */
        get: operations["get_v1_estate_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A rule with all that it says
         * @description For people with any role.
         */
        get: operations["get_v1_estate_rules_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/rules/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the rules say of a text
         * @description For people with any role.
         */
        post: operations["post_v1_estate_rules_try"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Scans, the newest first
         * @description For people with any role.
         */
        get: operations["get_v1_estate_scans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/scans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A scan
         * @description For people with any role.
         */
        get: operations["get_v1_estate_scans_id"];
        put?: never;
        post?: never;
        /**
         * Take a scan out as if it had never come in
         * @description For administrators.
         */
        delete: operations["delete_v1_estate_scans_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search everything, as you type
         * @description For people with any role.
         */
        get: operations["get_v1_estate_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The estate at a glance
         * @description For people with any role.
         */
        get: operations["get_v1_estate_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estate/what-if": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What would be different without some things
         * @description For people with any role.
         */
        post: operations["post_v1_estate_what_if"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/agent/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest evidence about an agent
         * @description For agents, and people with any role.
         */
        get: operations["get_v1_graph_agent_agent_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/chain/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The runs around a run, across agents
         * @description For agents, and people with any role.
         */
        get: operations["get_v1_graph_chain_run_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/incident/{incident_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The evidence behind an incident
         * @description For agents, and people with any role.
         */
        get: operations["get_v1_graph_incident_incident_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/run/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The evidence of a run
         * @description For agents, and people with any role.
         */
        get: operations["get_v1_graph_run_run_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Incidents, newest first
         * @description For agents, and people with any role.
         */
        get: operations["get_v1_incidents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/incidents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An incident with the decisions behind it
         * @description For agents, and people with any role.
         */
        get: operations["get_v1_incidents_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/incidents/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close an incident
         * @description For analysts and administrators.
         */
        post: operations["post_v1_incidents_id_close"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Registered MCP servers and their tools, by key
         * @description For people with any role.
         */
        get: operations["get_v1_mcp_servers"];
        put?: never;
        /**
         * Register an MCP server, or change what is said about it
         * @description For administrators.
         */
        post: operations["post_v1_mcp_servers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An MCP server with its tools
         * @description For people with any role.
         */
        get: operations["get_v1_mcp_servers_key"];
        put?: never;
        post?: never;
        /**
         * Take an MCP server out; its key stays taken
         * @description For administrators.
         */
        delete: operations["delete_v1_mcp_servers_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{key}/manifest-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an MCP server showed before
         * @description For people with any role.
         */
        get: operations["get_v1_mcp_servers_key_manifest_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{key}/quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop all calls of an MCP server
         * @description For analysts and administrators.
         */
        post: operations["post_v1_mcp_servers_key_quarantine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{key}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let an MCP server be called again
         * @description For administrators.
         */
        post: operations["post_v1_mcp_servers_key_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{key}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand in what an MCP server shows
         * @description For administrators.
         */
        post: operations["post_v1_mcp_servers_key_tools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{key}/tools/{tool}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a tool as it is
         * @description For administrators.
         */
        post: operations["post_v1_mcp_servers_key_tools_tool_approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/servers/{key}/tools/{tool}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn a tool off
         * @description For administrators.
         */
        post: operations["post_v1_mcp_servers_key_tools_tool_disable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This description
         * @description For anybody.
         */
        get: operations["get_v1_openapi_json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * People and machines with a token
         * @description For administrators.
         */
        get: operations["get_v1_people"];
        put?: never;
        /**
         * Add a person or machine; the token is shown once
         * @description For administrators.
         */
        post: operations["post_v1_people"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take somebody's token away
         * @description For administrators.
         */
        delete: operations["delete_v1_people_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{id}/rotate-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give somebody another token
         * @description For administrators.
         */
        post: operations["post_v1_people_id_rotate_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Policies in force, with those that hold for everybody
         * @description For people with any role.
         */
        get: operations["get_v1_policies"];
        put?: never;
        /**
         * Add a policy
         * @description For administrators.
         */
        post: operations["post_v1_policies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A policy
         * @description For people with any role.
         */
        get: operations["get_v1_policies_key"];
        /**
         * Change a policy: another version
         * @description For administrators.
         */
        put: operations["put_v1_policies_key"];
        post?: never;
        /**
         * Take a policy out of force; its versions stay
         * @description For administrators.
         */
        delete: operations["delete_v1_policies_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{key}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All versions of a policy
         * @description For people with any role.
         */
        get: operations["get_v1_policies_key_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{key}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put an older version in force again
         * @description For administrators.
         */
        post: operations["post_v1_policies_key_rollback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The policies that come with the product
         * @description For people with any role.
         */
        get: operations["get_v1_policies_default"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which calls a change would decide differently
         * @description For people with any role.
         */
        post: operations["post_v1_policies_diff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the policy file again
         * @description For whoever holds the data directory.
         */
        post: operations["post_v1_policies_reload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The Cedar schema that policies are checked against
         * @description For people with any role.
         */
        get: operations["get_v1_policies_schema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try described calls; nothing is stored
         * @description For people with any role.
         */
        post: operations["post_v1_policies_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a policy; nothing is stored
         * @description For people with any role.
         */
        post: operations["post_v1_policies_validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receipts, exactly as they verify
         * @description For people with any role.
         */
        get: operations["get_v1_receipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A receipt
         * @description For people with any role.
         */
        get: operations["get_v1_receipts_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{id}/outcome": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report what really happened
         * @description For agents.
         */
        post: operations["post_v1_receipts_id_outcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Proof that a receipt is in the tree
         * @description For people with any role.
         */
        get: operations["get_v1_receipts_id_proof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify a stored receipt
         * @description For people with any role.
         */
        get: operations["get_v1_receipts_id_verify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/chain-head": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The end of the chain
         * @description For people with any role.
         */
        get: operations["get_v1_receipts_chain_head"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A signed statement of length and root
         * @description For people with any role.
         */
        get: operations["get_v1_receipts_checkpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Proof that a tree begins another
         * @description For people with any role.
         */
        get: operations["get_v1_receipts_consistency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public keys that sign receipts
         * @description For anybody.
         */
        get: operations["get_v1_receipts_keys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/retain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drop the details of what is old; receipts stay
         * @description For administrators.
         */
        post: operations["post_v1_receipts_retain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/rotate-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let another key sign from here on
         * @description For whoever holds the data directory.
         */
        post: operations["post_v1_receipts_rotate_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/verify-chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify receipts as they were listed
         * @description For people with any role.
         */
        post: operations["post_v1_receipts_verify_chain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/soc/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Detection rules, built in and of the tenant
         * @description For people with any role.
         */
        get: operations["get_v1_soc_rules"];
        put?: never;
        /**
         * Add a detection rule, or replace one
         * @description For analysts and administrators.
         */
        post: operations["post_v1_soc_rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/soc/rules/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a detection rule out
         * @description For analysts and administrators.
         */
        delete: operations["delete_v1_soc_rules_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/soc/rules/{key}/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a rule on the past
         * @description For analysts and administrators.
         */
        post: operations["post_v1_soc_rules_key_backtest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/soc/rules/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a rule on the past before adding it
         * @description For analysts and administrators.
         */
        post: operations["post_v1_soc_rules_backtest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/soc/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The numbers to see first
         * @description For people with any role.
         */
        get: operations["get_v1_soc_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All tenants
         * @description For whoever holds the data directory.
         */
        get: operations["get_v1_tenants"];
        put?: never;
        /**
         * Add a tenant and its first administrator
         * @description For whoever holds the data directory.
         */
        post: operations["post_v1_tenants"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants/response": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether responses are carried out
         * @description For people with any role.
         */
        get: operations["get_v1_tenants_response"];
        /**
         * Say whether responses are carried out
         * @description For administrators.
         */
        put: operations["put_v1_tenants_response"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants/risk-escalation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * When risk tiers are raised
         * @description For people with any role.
         */
        get: operations["get_v1_tenants_risk_escalation"];
        /**
         * Say when risk tiers are raised
         * @description For administrators.
         */
        put: operations["put_v1_tenants_risk_escalation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants/risk-weights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the composite score is made from
         * @description For people with any role.
         */
        get: operations["get_v1_tenants_risk_weights"];
        /**
         * Say what the composite score is made from
         * @description For administrators.
         */
        put: operations["put_v1_tenants_risk_weights"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Registered tools and their actions
         * @description For people with any role.
         */
        get: operations["get_v1_tools"];
        put?: never;
        /**
         * Register a tool, or replace what is registered
         * @description For administrators.
         */
        post: operations["post_v1_tools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a tool out
         * @description For administrators.
         */
        delete: operations["delete_v1_tools_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The version
         * @description For anybody.
         */
        get: operations["get_v1_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whose token was sent
         * @description For agents, and people with any role.
         */
        get: operations["get_v1_whoami"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ws/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happens, as it happens, over a WebSocket
         * @description For agents, and people with any role.
         */
        get: operations["get_v1_ws_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description That somebody has looked at contents that changed. */
        AcknowledgeAsked: {
            /** @description Who looked, if it is not the caller. Only for whoever holds the data directory. */
            author?: string | null;
            /** @description What they found. */
            note: string;
        };
        /** @description How many changed contents were acknowledged. */
        AcknowledgedChanges: {
            acknowledged: number;
        };
        /** @description An agent that was registered. */
        AddedAgent: {
            agent: components["schemas"]["Agent"];
            agent_key: string;
            /** @description Shown this once. */
            agent_token: string;
            id: string;
        };
        /** @description What a document added. */
        AddedFacts: {
            /** Format: int64 */
            changed_edges: number;
            /** Format: int64 */
            changed_nodes: number;
            /** Format: int64 */
            new_edges: number;
            /** Format: int64 */
            new_nodes: number;
            /** Format: int64 */
            same_edges: number;
            /** Format: int64 */
            same_nodes: number;
        };
        /** @description Somebody who was added. */
        AddedPerson: {
            person: components["schemas"]["Person"];
            /** @description Shown this once. */
            token: string;
        };
        /** @description A rule that was taken. */
        AddedRule: {
            /** @description Whether a built-in rule had this key. */
            replaces_builtin: boolean;
            rule_key: string;
            source: string;
        };
        /** @description A tenant that was added, and who may do everything in it. */
        AddedTenant: {
            admin: components["schemas"]["AddedPerson"];
            tenant_id: string;
        };
        /** @description A tool that was registered. */
        AddedTool: {
            /** @description How many actions it has. */
            actions: number;
            tool_key: string;
            /** @description What policies in force have to say about it. */
            warnings: string[];
        };
        /** @description A registered agent. */
        Agent: {
            /** @description Given by whoever registered it; unique within the tenant. */
            agent_key: string;
            /** @description The environments that it may say it runs in; any if there are none. */
            allowed_environments?: string[];
            /** @description The tools that it may call; any if there are none. */
            allowed_tools?: string[];
            /** @description When it was registered. */
            created_at: components["schemas"]["Moment"];
            /** @description Where it runs. */
            environment: string;
            /** @description Whether a person has to agree to everything that would be allowed. */
            force_approval?: boolean;
            /** @description What it is written with. */
            framework?: string | null;
            /** @description Given by us. */
            id: string;
            /** @description Which model it uses. */
            model_name?: string | null;
            /** @description Whose model it uses. */
            model_provider?: string | null;
            /** @description What people call it. */
            name: string;
            /** @description Who answers for it. */
            owner_team?: string | null;
            /** @description What it is for. */
            purpose?: string | null;
            /** @description How much damage it could do. */
            risk_tier: components["schemas"]["RiskTier"];
            /** @description Whether it may act. */
            status: components["schemas"]["AgentStatus"];
            /** @description Why its status is what it is. */
            status_reason?: string | null;
            /** @description The tenant that it belongs to. */
            tenant_id: string;
            /** @description When anything about it changed last. */
            updated_at: components["schemas"]["Moment"];
        };
        AgentPage: {
            items: components["schemas"]["Agent"][];
            next_cursor: string | null;
        };
        /** @description What is said about an agent. */
        AgentProfile: {
            /** @description The environments that it may say it runs in; any if there are none. */
            allowed_environments?: string[];
            /** @description The tools that it may call; any if there are none. */
            allowed_tools?: string[];
            /** @description Where it runs. */
            environment: string;
            /** @description Whether a person has to agree to everything that would be allowed. */
            force_approval?: boolean;
            /** @description What it is written with. */
            framework?: string | null;
            /** @description Which model it uses. */
            model_name?: string | null;
            /** @description Whose model it uses. */
            model_provider?: string | null;
            /** @description What people call it. */
            name: string;
            /** @description Who answers for it. */
            owner_team?: string | null;
            /** @description What it is for. */
            purpose?: string | null;
            /** @description How much damage it could do. */
            risk_tier: components["schemas"]["RiskTier"];
            /** @description Why its status is what it is. */
            status_reason?: string | null;
        };
        /** @enum {string} */
        AgentStatus: "active" | "frozen" | "revoked" | "quarantined";
        /** @description An agent's other token. */
        AgentToken: {
            /** @description Shown this once. */
            agent_token: string;
            id: string;
        };
        /** @description A rule matched, on record. */
        Alert: {
            agent_id?: string | null;
            alert_id: string;
            created_at: components["schemas"]["Moment"];
            decision_id?: string | null;
            event_id: string;
            rule: string;
            severity: components["schemas"]["AlertSeverity"];
            summary: string;
            tenant_id: string;
        };
        AlertPage: {
            items: components["schemas"]["Alert"][];
            next_cursor: string | null;
        };
        /** @enum {string} */
        AlertSeverity: "info" | "low" | "medium" | "high" | "critical";
        /** @description A question to a person, and what became of it. */
        Approval: {
            /** @description The hash of the call that may be made: the edited one, if it was edited. */
            action_hash: string;
            /** @description The agent that wants to act. */
            agent_id: string;
            /** @description Its id. */
            approval_id: string;
            /** @description Who should answer. */
            approver_group?: string | null;
            /** @description Who answered. */
            approver_user_id?: string | null;
            circumstances?: components["schemas"]["Circumstances"] | null;
            consumed_at?: components["schemas"]["Moment"] | null;
            /** @description When it was asked. */
            created_at: components["schemas"]["Moment"];
            decided_at?: components["schemas"]["Moment"] | null;
            /** @description The decision that asks. */
            decision_id: string;
            details_dropped_at?: components["schemas"]["Moment"] | null;
            /** @description Who edited it. */
            edited_by?: string | null;
            /** @description What it was edited to, without anything secret. */
            edited_tool_call?: unknown;
            /** @description Until when it can be answered and used. */
            expires_at: components["schemas"]["Moment"];
            /** @description The hash of the call that was asked about. */
            original_action_hash: string;
            /** @description Why they answered so. */
            reason?: string | null;
            /** @description The person behind the run, who may not agree to it. */
            requested_for?: string | null;
            /** @description How far it is. What is past its time and was not decided is `EXPIRED`. */
            status: components["schemas"]["ApprovalStatus"];
            /** @description Whose it is. */
            tenant_id: string;
            /** @description The call that was asked about, without anything secret. */
            tool_call: unknown;
        };
        /** @description What a person says. */
        ApprovalAnswer: {
            /** @description The hash of the call that they looked at. */
            action_hash?: string | null;
            /** @description Older clients name themselves; who they are, their token says. */
            approver_user_id?: string | null;
            reason?: string | null;
        };
        /** @enum {string} */
        ApprovalStatus: "created" | "APPROVED" | "REJECTED" | "EXPIRED";
        /** @description What became of an approval. */
        ApprovalStep: {
            action_hash: string;
            approval_id: string;
            approval_status: components["schemas"]["ApprovalStatus"];
            effective_action_hash: string;
            /** @description Whether somebody has still to answer. */
            is_open: boolean;
            original_action_hash: string;
            receipt: components["schemas"]["ReceiptRef"];
            /** @description `success` or `consumed`. */
            status: string;
        };
        /** @description What a person has to agree to. */
        AskedApproval: {
            action_hash: string;
            approval_id: string;
            approver_group?: string | null;
            expires_at: string;
            status: string;
        };
        /** @description The answer. */
        AuthorizeAnswer: {
            approval?: components["schemas"]["AskedApproval"] | null;
            /** @description Why, as a code that does not change. */
            code: string;
            /** Format: int32 */
            composite_risk_score: number;
            decision: components["schemas"]["Verdict"];
            decision_id: string;
            dry_run: boolean;
            matched_policies: string[];
            /** @description Why, in words. */
            reason: string;
            receipt?: components["schemas"]["ReceiptRef"] | null;
            redacted_fields?: string[];
            risk_level: components["schemas"]["RiskLevel"];
            /** Format: int32 */
            risk_score: number;
            /** @description What to hand on to the runs that this one starts. */
            root_trust_level: string;
        };
        /** @description The body of `POST /v1/authorize`. Fields that are not listed are ignored. */
        AuthorizeRequest: {
            /** @description Who the caller says it is. Who it is, its token says. */
            agent: components["schemas"]["DeclaredAgent"];
            callback?: components["schemas"]["Callback"] | null;
            /** @description What caused it. */
            context: components["schemas"]["Cause"];
            /** @description Decide, but store nothing. */
            dry_run?: boolean;
            /** @description Something that the caller uses once. */
            nonce?: string | null;
            /** @description What the caller calls this request; a repeat gets the same answer. */
            request_id?: string | null;
            /** @description When it was sent (RFC 3339); read by whoever has a clock. */
            timestamp?: string | null;
            /** @description What is to happen. */
            tool_call: components["schemas"]["ToolCall"];
            trace?: components["schemas"]["Trace"] | null;
            user?: components["schemas"]["DeclaredUser"] | null;
        };
        /** @description What a rule would have said. */
        Backtested: {
            /** Format: double */
            estimated_daily_alert_volume: number;
            from: components["schemas"]["Moment"];
            /** @description Whether there was more than could be looked at. */
            is_cut: boolean;
            /** Format: int64 */
            match_count: number;
            /** Format: int64 */
            matched_decision_count: number;
            matched_decision_ids: string[];
            per_day: {
                [key: string]: number;
            };
            rule_key: string;
            /** Format: int64 */
            scanned: number;
            /** @description `builtin`, `tenant` or `unsaved`. */
            source: string;
            to: components["schemas"]["Moment"];
        };
        /** @description Which part of the past a rule is tried on. */
        BacktestRange: {
            from?: components["schemas"]["Moment"] | null;
            to?: components["schemas"]["Moment"] | null;
        };
        /** @description The few changes with which most critical paths are gone. */
        BestCuts: {
            changes: components["schemas"]["ProposedCut"][];
            /** @description How many there are. */
            of: number;
            /** Format: double */
            percent: number;
            /** @description How many critical paths are gone with all of them. */
            removes: number;
        };
        /** @description Whom to tell about an approval. */
        Callback: {
            /** @description What the message is signed with. */
            secret?: string | null;
            /** @description Where to. */
            url?: string | null;
        };
        /** @description The agent of a described call. */
        CaseAgent: {
            /** @description Where it is registered to run. */
            environment?: string;
            /** @description What it is written with. */
            framework?: string | null;
            /** @description Its id. */
            id: string;
            /** @description Its key; its id if there is none. */
            key?: string | null;
            /** @description Who answers for it. */
            owner_team?: string | null;
            /** @description How much damage it could do; `medium` if nobody says. */
            risk_tier?: string | null;
            /** @description Whether it may act. */
            status?: string;
        };
        /** @description What caused a call. */
        Cause: {
            /** @description Whether the caller thinks that sensitive data is in it. */
            contains_sensitive_data: boolean;
            /** @description How far the text that caused it is trusted. */
            source_trust: components["schemas"]["TrustLevel"];
        };
        /**
         * @description What cells hold.
         * @enum {string}
         */
        CellKind: "text" | "number" | "flag" | "texts" | "objects" | "node";
        /** @description A way that has to be closed. */
        CertificatePath: {
            /**
             * Format: int64
             * @description How much of the cost it accounts for.
             */
            amount: number;
            /** @description The nodes that it goes through. */
            nodes: components["schemas"]["NodeRef"][];
            /** @description What leads from each node to the next. */
            steps: components["schemas"]["Step"][];
        };
        /** @description The end of a chain, if it has begun. */
        ChainEnd: {
            head?: components["schemas"]["ChainHead"] | null;
        };
        /** @description The last receipt of a chain. */
        ChainHead: {
            receipt_hash: string;
            /** Format: int64 */
            sequence: number;
        };
        /** @description A policy after a change. */
        ChangedPolicy: {
            author?: string | null;
            /** @description Cedar. */
            body: string;
            /** @description The SHA-256 of the body. */
            body_hash: string;
            created_at?: components["schemas"]["Moment"] | null;
            is_active: boolean;
            name: string;
            /** @description The names of its parts. */
            policies: string[];
            policy_key: string;
            reason?: string | null;
            source: components["schemas"]["PolicySource"];
            /** Format: int32 */
            version: number;
            /** @description What is probably not meant. */
            warnings: components["schemas"]["PolicyProblem"][];
        };
        /** @description A signed statement of how long a chain is and what it holds. */
        Checkpoint: {
            /** @description `tracehound-checkpoint-1`. */
            canon_version: string;
            checkpoint_hash: string;
            last_receipt_hash: string;
            /** @description The root of the Merkle tree over them. */
            root_hash: string;
            signature?: string | null;
            signer_key_id?: string | null;
            /**
             * Format: int64
             * @description How many receipts there are.
             */
            size: number;
            tenant_id: string;
            ts: components["schemas"]["Moment"];
        };
        /** @description What a call is decided with besides what a decision keeps, so that it can be decided again. */
        Circumstances: {
            /** @description Whether the agent thought that sensitive data is in it. */
            contains_sensitive_data: boolean;
            /** @description Where the agent said it runs. */
            environment: string;
            /** @description What the person behind the run is. */
            user_role?: string | null;
        };
        /** @description What an agent says it will do. */
        ClaimedCall: {
            claimed_action_hash?: string | null;
        };
        /** @description What became of an incident. */
        ClosedIncident: {
            already_closed: boolean;
            closed_at?: components["schemas"]["Moment"] | null;
            incident_id: string;
            status: components["schemas"]["IncidentStatus"];
        };
        /** @enum {string} */
        Collector: "config" | "mcp" | "a2a" | "network" | "scan";
        /** @description How many edges of a kind a node has. */
        Connection: {
            /**
             * Format: int64
             * @description Also those that are true but not written down.
             */
            count: number;
            /** @description Whether they start or end here. */
            direction: components["schemas"]["EdgeEnd"];
            kind: components["schemas"]["EdgeKind"];
        };
        /** @description That a tree begins another. */
        ConsistencyProof: {
            /** Format: int64 */
            from: number;
            path: string[];
            /** Format: int64 */
            to: number;
        };
        /** @description How an agent is to be stopped. */
        Contain: {
            incident_id?: string | null;
            kind: components["schemas"]["ContainmentKind"];
            reason: string;
        };
        /** @description What was done to stop an agent. */
        Containment: {
            /** @description To whom. */
            agent_id: string;
            /** @description By whom; `automatic` if by a rule. */
            author: string;
            /** @description Its id. */
            containment_id: string;
            /** @description When. */
            created_at: components["schemas"]["Moment"];
            /** @description Because of which incident. */
            incident_id?: string | null;
            /** @description What was done. */
            kind: components["schemas"]["ContainmentKind"];
            /** @description How the agent was before. */
            previous: unknown;
            /** @description Why. */
            reason: string;
            /** @description Whose it is. */
            tenant_id: string;
            /** @description Why it was undone. */
            undo_reason?: string | null;
            undone_at?: components["schemas"]["Moment"] | null;
            /** @description By whom. */
            undone_by?: string | null;
        };
        /** @enum {string} */
        ContainmentKind: "freeze" | "quarantine" | "force_approval";
        ContainmentPage: {
            items: components["schemas"]["Containment"][];
            next_cursor: string | null;
        };
        /** @enum {string} */
        CountedPer: "agent" | "tenant";
        /** @description An edge to be removed. */
        Cut: {
            /** @description What to do, as a sentence. */
            change: string;
            /** Format: int64 */
            cost: number;
            edge: components["schemas"]["Step"];
            /** @description How many findings about derived edges are gone with it alone; null if nobody tried. */
            findings?: number | null;
            /** @description The machine on which, where the same server is started on several. */
            machine?: string | null;
        };
        /** @description The cheapest changes. */
        CutsAnswer: {
            /** @description Nodes of `from` from which something of `to` is reached. */
            connected_sources: number;
            /** @description Nodes of `to` that are reached. */
            connected_targets: number;
            /** @description The edges to be removed. */
            cuts: components["schemas"]["Cut"][];
            from: components["schemas"]["Ends"];
            /** @description The nodes to be removed, if nodes were asked for. */
            nodes: components["schemas"]["NodeCut"][];
            /** @description What else has to be known of the answer. */
            notes: string[];
            /** @description Ways that no single change closes two of: they alone cost as much to close as the cut. */
            paths: components["schemas"]["CertificatePath"][];
            /** @description How many such ways there are. */
            paths_total: number;
            to: components["schemas"]["Ends"];
            /** @description Nodes through which every way goes. */
            unavoidable: components["schemas"]["NodeRef"][];
            /**
             * Format: int64
             * @description What all changes cost together. Nothing is cheaper.
             */
            value: number;
        };
        /** @description What is to be separated from what. */
        CutsAsked: {
            /** @description A scan id, a time, a date or `now`; the present if nothing is said. */
            at?: string | null;
            /** @description What removing an edge (or a node) of a kind costs, from 1 to 1,000,000; null if it is never done. Otherwise 1. */
            costs?: {
                [key: string]: number | null;
            };
            /** @description Where attackers start: names, ids, sets such as `agents` or `owned`, with commas between them. */
            from: string;
            /** @description Whether nodes between the two are removed instead of edges. */
            nodes?: boolean;
            /** @description What they must not get to. */
            to: string;
        };
        /** @description A decision with what came out of it. */
        DecisionWithOutcome: {
            /** @description The action, as the caller wrote it. */
            action: string;
            /** @description The hash of tool, action, target, arguments. */
            action_hash: string;
            agent_id: string;
            approval?: components["schemas"]["Approval"] | null;
            /** @description The hash of the arguments. */
            argument_hash: string;
            /** @description Why, as a code that does not change. */
            code: string;
            /** Format: int32 */
            composite_risk_score: number;
            created_at: components["schemas"]["Moment"];
            decision: components["schemas"]["Verdict"];
            decision_id: string;
            details_dropped_at?: components["schemas"]["Moment"] | null;
            explanation?: components["schemas"]["Explanation"] | null;
            /** Format: int64 */
            latency_us: number;
            mcp_server?: components["schemas"]["ServerRef"] | null;
            /** @description Whether it changes anything. */
            mutates_state: boolean;
            /** @description The run that started this run. */
            parent_run_id?: string | null;
            policies: components["schemas"]["MatchedPolicy"][];
            /** @description Why, in words. */
            reason: string;
            receipt: components["schemas"]["ReceiptRef"];
            redacted_fields: string[];
            /** @description What the caller called the request. */
            request_id?: string | null;
            /** @description The target. */
            resource?: string | null;
            /** Format: int32 */
            risk_score: number;
            /** @description How far the cause is trusted when everything before it is counted. */
            root_trust_level: components["schemas"]["TrustLevel"];
            /** @description The run. */
            run_id?: string | null;
            /** @description How far the cause is trusted, as the caller said. */
            source_trust: components["schemas"]["TrustLevel"];
            tenant_id: string;
            /** @description The tool, as the caller wrote it. */
            tool: string;
            /** @description The trace. */
            trace_id?: string | null;
            /** @description The person behind the run. */
            user_id?: string | null;
        };
        /** @description Who the caller says it is. */
        DeclaredAgent: {
            /** @description Where it runs. */
            environment: string;
            /** @description Its id. */
            id: string;
        };
        /** @description The person behind a run. */
        DeclaredUser: {
            /** @description Their id. */
            id: string;
            /** @description Their role. */
            role: string;
        };
        /** @enum {string} */
        DefaultDecision: "policy" | "deny" | "require_approval";
        /** @description A detection rule that was read and found right. */
        DetectionRule: {
            /** @description Which events it looks at. */
            condition: Record<string, never>;
            count?: components["schemas"]["EventCount"] | null;
            /**
             * Format: int32
             * @description For so long after it was opened an open incident takes in what follows. Without an incident: so long after an alert
             *     the rule is silent about the same agent.
             */
            dedup_seconds: number;
            /** @description Why that matters. */
            description: string;
            /** @description Whether it takes part. */
            enabled: boolean;
            /** @description What must not have been seen before. */
            first_seen?: components["schemas"]["EventField"][] | null;
            /** @description The kind of incident that it opens; without one it only alerts. */
            incident?: string | null;
            /** @description What it finds, in one line. */
            name: string;
            rate?: components["schemas"]["EventRate"] | null;
            respond?: components["schemas"]["RuleResponse"] | null;
            /** @description Names the rule; a tenant's rule with the key of a built-in one takes its place. */
            rule_key: string;
            /** @description Which events, one after the other, make it fire. */
            sequence?: Record<string, never> | null;
            /** @description How bad it is. */
            severity: components["schemas"]["AlertSeverity"];
            /** @description How bad it is from certain risk scores on, lowest score first. */
            severity_by_score?: components["schemas"]["ScoreStep"][];
            /** @description What to tell people. */
            summary: string;
        };
        /** @description How many things differ. */
        DiffCounts: {
            edges_added: number;
            edges_changed: number;
            edges_removed: number;
            findings_changed: number;
            findings_fixed: number;
            findings_new: number;
            findings_persisting: number;
            findings_reopened: number;
            nodes_added: number;
            nodes_changed: number;
            nodes_removed: number;
            rug_pulls: number;
        };
        /** @description A call that would be decided differently: one on record, or one that was described. */
        DiffedCall: {
            action?: string;
            after: components["schemas"]["RulingSummary"];
            agent_id?: string;
            before: components["schemas"]["RulingSummary"];
            /** @description Which of those that were sent, from 0. */
            case?: number;
            decided_at?: components["schemas"]["Moment"];
            decision_id?: string;
            name?: string;
            recorded?: components["schemas"]["RecordedRuling"];
            resource?: string | null;
            tool?: string;
        };
        /** @description A point in the life of an estate. */
        DiffPoint: {
            /** @description As it was asked for. */
            point: string;
            /** @description The last scan before it, if there is one. */
            scan_id?: string | null;
            /**
             * Format: date-time
             * @description When that scan was.
             */
            time?: string | null;
        };
        /** @description Something in a document. */
        DocumentPlace: {
            message: string;
            /** @description Where, such as `graph.nodes[3].kinds[0]`. */
            path: string;
        };
        /** @description What was put right or left out, of one sort. */
        DocumentWarning: {
            code: string;
            /** @description The first thousand of them. */
            places: components["schemas"]["DocumentPlace"][];
            /** @description How many there are. */
            total: number;
        };
        /** @description One thing that is different. */
        Drift: {
            /** @description The parts that changed. */
            changed: string[];
            /** @description What about it. */
            kind: components["schemas"]["DriftKind"];
            /** @description How grave that is. */
            severity: components["schemas"]["Severity"];
            /** @description Which tool. */
            tool_key: string;
        };
        /** @enum {string} */
        DriftKind: "tool_added" | "tool_removed" | "description_changed" | "tool_modified" | "name_changed";
        /** @description Of how much the readable parts were taken out. */
        Dropped: {
            /** Format: int64 */
            alerts: number;
            /** Format: int64 */
            approvals: number;
            /** Format: int64 */
            decisions: number;
            /** Format: int64 */
            events: number;
            /** Format: int64 */
            incidents: number;
        };
        /** @description Everything about an edge. */
        EdgeDetail: {
            /** @description Whether it was derived, not seen. */
            composite: boolean;
            /**
             * Format: double
             * @description How sure we are, from 0 to 1.
             */
            confidence: number;
            /** @description Why it is there, in words. */
            evidence?: string | null;
            /** @description The findings between its ends. */
            findings: components["schemas"]["FindingRow"][];
            /** @description How many there are. */
            findings_total: number;
            /**
             * Format: date-time
             * @description When it was seen first; of derived ones nothing is said.
             */
            first_seen?: string | null;
            kind: components["schemas"]["EdgeKind"];
            /**
             * Format: date-time
             * @description When it was seen last.
             */
            last_seen?: string | null;
            /** @description The machines on which it is seen; derived ones name none. */
            origins: string[];
            place?: components["schemas"]["FilePlace"] | null;
            properties: {
                [key: string]: unknown;
            };
            source: components["schemas"]["NodeRef"];
            target: components["schemas"]["NodeRef"];
            /**
             * Format: double
             * @description How hard it is to walk, from 0 (free) to 1.
             */
            weight: number;
            /** @description The hops that a derived edge rests on. */
            witness: components["schemas"]["Step"][];
        };
        /** @description An edge that differs. */
        EdgeDiff: {
            /**
             * @description How something differs.
             * @enum {string}
             */
            change: "added" | "removed" | "changed";
            kind: components["schemas"]["EdgeKind"];
            properties: components["schemas"]["PropertyDiff"][];
            source: components["schemas"]["NodeRef"];
            target: components["schemas"]["NodeRef"];
        };
        /**
         * @description At which end of an edge a node stands.
         * @enum {string}
         */
        EdgeEnd: "in" | "out";
        /** @enum {string} */
        EdgeKind: "TRUSTS_SERVER" | "PROVIDES_TOOL" | "PROVIDES_RESOURCE" | "PROVIDES_PROMPT" | "ADVERTISES_SKILL" | "DELEGATES_TO" | "AUTHENTICATES_WITH" | "USES_CREDENTIAL" | "RUNS_ON" | "CONFIGURED_IN" | "HAS_ENV_VAR" | "LOADS_INSTRUCTIONS" | "SAME_AUTH_DOMAIN" | "EXPOSES" | "EXPOSES_CREDENTIAL" | "PROVIDES_MODEL" | "EXTRACTED_FROM" | "INGESTS_UNTRUSTED" | "HAS_ACCESS_TO" | "CAN_EXECUTE" | "SHADOWS" | "POISONED_DESCRIPTION" | "POISONED_INSTRUCTIONS" | "CAN_REACH" | "CAN_EXFILTRATE_VIA" | "CAN_IMPERSONATE" | "CONFUSED_DEPUTY" | "TAINTS" | "IFC_VIOLATION" | "POISONS_CONTEXT";
        /** @description Another value of an edge's property. */
        EdgeSetting: {
            edge: components["schemas"]["NamedEdge"];
            property: string;
            /** @description True, false, a number, a text or a list of these; null takes the property away. */
            value: unknown;
        };
        /** @description Another call. */
        EditedCall: {
            action_hash?: string | null;
            approver_user_id?: string | null;
            edited_tool_call: components["schemas"]["ToolCall"];
            reason?: string | null;
        };
        /** @description What a selection means. */
        Ends: {
            /** @description How many nodes it names. */
            nodes: number;
            /** @description As it was said. */
            selection: string;
        };
        /** @description When risk tiers are raised. */
        EscalationSetting: {
            /**
             * Format: int32
             * @description So many denials are not too many.
             * @default 5
             */
            denies?: number;
            /**
             * @description Whether they are.
             * @default true
             */
            enabled?: boolean;
            /**
             * Format: int32
             * @description Within so many minutes.
             * @default 60
             */
            minutes?: number;
        };
        /** @description What differs between two points. Lists hold as many entries as were asked for; counts are exact. */
        EstateDiff: {
            counts: components["schemas"]["DiffCounts"];
            edges: components["schemas"]["EdgeDiff"][];
            findings: components["schemas"]["FindingDiff"][];
            from: components["schemas"]["DiffPoint"];
            nodes: components["schemas"]["NodeDiff"][];
            rug_pulls: components["schemas"]["RugPull"][];
            to: components["schemas"]["DiffPoint"];
            /** @description Whether a list is shorter than its count. */
            truncated: boolean;
        };
        /** @description The estate at a glance. */
        EstateSummary: {
            best_cuts?: components["schemas"]["BestCuts"] | null;
            changes?: components["schemas"]["LastChanges"] | null;
            /**
             * Format: int64
             * @description Edges that were derived, also those that are counted and not written down.
             */
            composite_edges: number;
            /** @description Edges that were seen. */
            edges: number;
            edges_by_kind: {
                [key: string]: number;
            };
            exposure: components["schemas"]["ExposureCounts"];
            findings: components["schemas"]["FindingCounts"];
            last_scan?: components["schemas"]["LastScan"] | null;
            nodes: number;
            nodes_by_kind: {
                [key: string]: number;
            };
            /** @description How many scans there are up to the point. */
            scans: number;
            /** @description What stood after the last scans, in their order. */
            trend: components["schemas"]["TrendPoint"][];
            /** @description Whether all of it could be counted in time; who asks again gets more. */
            trend_complete: boolean;
            /** @description Tool servers that demand nothing of their callers. */
            unauthenticated_servers: number;
            /** @description The easiest paths from agents and what is marked as owned to critical resources and crown jewels, one for each end. */
            worst_paths: components["schemas"]["FoundPath"][];
        };
        /** @description A policy that could not be evaluated. */
        EvaluationProblem: {
            /** @description Why, without any value of the call. */
            message: string;
            /** @description Its stable name. */
            policy: string;
        };
        /** @description So many events within a time. */
        EventCount: {
            /** @description How many. */
            at_least: number;
            /** @description Whose. */
            per?: components["schemas"]["CountedPer"];
            /**
             * Format: int32
             * @description Within how many seconds.
             */
            within_seconds: number;
        };
        /** @enum {string} */
        EventField: "agent" | "tool" | "action" | "resource" | "run";
        /** @description More events in this hour than is usual for the agent. */
        EventRate: {
            /**
             * Format: int32
             * @description From how many days the mean is taken.
             * @default 7
             */
            days?: number;
            /**
             * Format: double
             * @description By how many standard deviations it must be above the mean.
             * @default 3
             */
            deviations?: number;
            /**
             * Format: int32
             * @description From how many hours, at least. Hours in which nothing happened don't count.
             * @default 24
             */
            hours?: number;
        };
        /** @description An edge. */
        EvidenceEdge: {
            /** @description Where it starts. */
            from: string;
            /** @description What it says. */
            label: components["schemas"]["EvidenceLabel"];
            /** @description When that came to be. */
            timestamp: components["schemas"]["Moment"];
            /** @description Where it leads. */
            to: string;
        };
        /** @description A graph, and whether it is all there is. */
        EvidenceGraph: {
            /**
             * Format: int64
             * @description Of how many of these decisions or events retention took the readable parts out.
             */
            details_dropped?: number;
            /** @description The edges. */
            edges: components["schemas"]["EvidenceEdge"][];
            /** @description What to ask with for the next part. */
            next_cursor?: string | null;
            /** @description The nodes. */
            nodes: components["schemas"]["EvidenceNode"][];
            /**
             * Format: int64
             * @description How many decisions there are in all.
             */
            total_decisions: number;
            /** @description Whether there is more than this. */
            truncated: boolean;
        };
        /** @enum {string} */
        EvidenceGroup: "agent" | "run" | "tool_call" | "decision" | "approval" | "receipt" | "incident" | "mcp_server" | "policy";
        /** @enum {string} */
        EvidenceLabel: "triggered_by" | "executed" | "decided" | "approved" | "produced" | "linked_to";
        /** @description A node. */
        EvidenceNode: {
            /** @description What it is. */
            group: components["schemas"]["EvidenceGroup"];
            /** @description The group, a colon, and the id of what it stands for. */
            id: string;
            /** @description What it is called. */
            label: string;
            /** @description Risk and reason of a decision; nothing for all others. */
            metadata?: unknown;
            /** @description When it came to be. */
            timestamp: components["schemas"]["Moment"];
        };
        /** @description What is expected of a described call. */
        ExpectedRuling: {
            /** @description The code, if it matters. */
            code?: string | null;
            /** @description The verdict. */
            decision: components["schemas"]["Verdict"];
            /** @description The name of a policy that must be among those that determined it, if it matters. */
            policy?: string | null;
        };
        /** @description Why it was decided so, for operators. */
        Explanation: {
            /** @description The clauses that matched, by policy. */
            clauses: components["schemas"]["PolicyClause"][];
            /** @description The policies that could not be evaluated, by name. */
            errors: components["schemas"]["EvaluationProblem"][];
            /** @description In words. It names fields of the arguments, never their values. */
            text: string;
        };
        /** @description How many agents get to critical resources. */
        ExposureCounts: {
            agents: number;
            agents_reaching: number;
            resources: number;
            resources_reached: number;
        };
        /** @description A place in a file. */
        FilePlace: {
            /**
             * Format: int64
             * @description Counted from one.
             */
            column?: number | null;
            file: string;
            /**
             * Format: int64
             * @description Counted from one.
             */
            line?: number | null;
        };
        /** @description How many findings there are. */
        FindingCounts: {
            by_kind: {
                [key: string]: number;
            };
            by_severity: {
                [key: string]: number;
            };
            by_status: {
                [key: string]: number;
            };
            /**
             * Format: int64
             * @description Those that are written down and that nobody lets stay.
             */
            open: number;
            open_by_severity: {
                [key: string]: number;
            };
            owasp_asi: {
                [key: string]: number;
            };
            owasp_mcp: {
                [key: string]: number;
            };
            /**
             * Format: int64
             * @description All, also those that are counted and not written down.
             */
            total: number;
            /**
             * Format: int64
             * @description Those that are counted and not written down.
             */
            unwritten: number;
        };
        /** @description A finding, with everything about it. */
        FindingDetail: {
            /** @description What is gone without each edge that it rests on, if that was asked for. */
            carried_alone_by?: components["schemas"]["SoleCarrier"][] | null;
            /** @description What sort of trouble it is. */
            category: string;
            /**
             * Format: double
             * @description How sure we are, from 0 to 1.
             */
            confidence?: number | null;
            description: string;
            /** @description The fact that it rests on, in words. */
            evidence: string;
            /** @description Its name from scan to scan. */
            fingerprint: string;
            fixed_since?: components["schemas"]["ScanRef"] | null;
            /** @description The kind of an edge, or the id of a check or rule. */
            kind: string;
            last_seen?: components["schemas"]["ScanRef"] | null;
            /** @description What became of it since another point, if one was named. */
            lifecycle?: ("new" | "reopened" | "persisting" | "fixed") | null;
            /** @description The texts in which rules matched. */
            matched: components["schemas"]["MatchedPart"][];
            object?: components["schemas"]["NodeRef"] | null;
            /** @description Whether it is worse than when somebody let it stay. */
            outgrown: boolean;
            /** @description The entries of OWASP's lists that it falls under. */
            owasp: string[];
            /** @description The path that it rests on, as it is walked; empty where one fact is enough. */
            path: components["schemas"]["Step"][];
            place?: components["schemas"]["FilePlace"] | null;
            /** @description What to do. */
            remediation: string;
            /** @enum {string} */
            severity: "low" | "medium" | "high" | "critical";
            /** @description The entries of public catalogues that it falls under. */
            standards: components["schemas"]["StandardRef"][];
            /** @description What people think of it. */
            status: components["schemas"]["TriageState"];
            /** @description Who it is about. */
            subject: components["schemas"]["NodeRef"];
            title: string;
            /** Format: double */
            total_weight?: number | null;
            /** @description What people decided about it, the newest first. */
            triage: components["schemas"]["TriageNote"][];
        };
        /** @description A finding that differs. */
        FindingDiff: {
            /** @description How bad it was, if that differs. */
            before_severity?: ("low" | "medium" | "high" | "critical") | null;
            /**
             * @description How a finding differs.
             * @enum {string}
             */
            change: "new" | "reopened" | "changed" | "fixed";
            finding: components["schemas"]["FindingRow"];
            /** @description Whether it rests on another path. */
            other_path: boolean;
        };
        /** @description How many findings there are of each sort, among those that fit everything else that was asked for. */
        FindingFacets: {
            category: {
                [key: string]: number;
            };
            kind: {
                [key: string]: number;
            };
            lifecycle: {
                [key: string]: number;
            };
            severity: {
                [key: string]: number;
            };
            status: {
                [key: string]: number;
            };
        };
        /** @description A part of the findings, the worst first. */
        FindingPage: {
            facets: components["schemas"]["FindingFacets"];
            items: components["schemas"]["FindingRow"][];
            /** @description What to ask for to get the next page; nothing if this is the last. */
            next_cursor?: string | null;
            /** @description How many fit. */
            total: number;
            /**
             * Format: int64
             * @description How many findings are counted and not written down, whatever was asked for.
             */
            unwritten: number;
        };
        /** @description A finding in a list. */
        FindingRow: {
            /**
             * Format: double
             * @description How sure we are, from 0 to 1.
             */
            confidence?: number | null;
            /** @description Its name from scan to scan. */
            fingerprint: string;
            /** @description The kind of an edge, or the id of a check or rule. */
            kind: string;
            /** @description What became of it since another point, if one was named. */
            lifecycle?: ("new" | "reopened" | "persisting" | "fixed") | null;
            object?: components["schemas"]["NodeRef"] | null;
            /** @description The entries of OWASP's lists that it falls under. */
            owasp: string[];
            place?: components["schemas"]["FilePlace"] | null;
            /** @enum {string} */
            severity: "low" | "medium" | "high" | "critical";
            /** @description What people think of it. */
            status: components["schemas"]["TriageState"];
            /** @description Who it is about. */
            subject: components["schemas"]["NodeRef"];
            title: string;
        };
        /** @description A path from one node to another. */
        FoundPath: {
            hops: number;
            steps: components["schemas"]["Step"][];
            /**
             * Format: double
             * @description The sum of the steps' weights.
             */
            weight: number;
        };
        /** @description How many nodes and edges differ. */
        GraphChanges: {
            edges_added: number;
            edges_changed: number;
            edges_removed: number;
            nodes_added: number;
            nodes_changed: number;
            nodes_removed: number;
        };
        /** @description An edge in a graph. */
        GraphEdge: {
            /** @description Whether it was derived, not seen. */
            composite: boolean;
            /**
             * Format: double
             * @description How sure we are, from 0 to 1.
             */
            confidence: number;
            kind: components["schemas"]["EdgeKind"];
            /** @description The machines on which it is seen; derived ones name none. */
            origins: string[];
            /** @description The id of the node that it starts at. */
            source: string;
            /** @description The id of the node that it ends at. */
            target: string;
            /**
             * Format: double
             * @description How hard it is to walk, from 0 (free) to 1.
             */
            weight: number;
        };
        /** @description A node in a graph. */
        GraphNode: {
            /** @description Marked as what matters most. */
            crown_jewel: boolean;
            /** @description How many edges it has in the whole estate. */
            degree: number;
            /**
             * Format: date-time
             * @description When it was seen first; of what analysis made up nothing is said.
             */
            first_seen?: string | null;
            id: string;
            kind: components["schemas"]["NodeKind"];
            /**
             * Format: date-time
             * @description When it was seen last.
             */
            last_seen?: string | null;
            /** @description What people call it. */
            name: string;
            /** @description The machines whose scans saw it. */
            origins: string[];
            /** @description Marked as held by an attacker. */
            owned: boolean;
            /**
             * Format: double
             * @description From 0 to 100; kinds that are no danger have none.
             */
            risk_score?: number | null;
            /** @description How bad the worst finding about it is that nobody let stand. */
            severity?: ("low" | "medium" | "high" | "critical") | null;
        };
        /** @description That all is well. */
        Health: {
            /** @description `ok`. */
            status: string;
        };
        /** @description Somebody with a token. */
        Identity: {
            id?: string | null;
            name: string;
            role?: components["schemas"]["Role"] | null;
            /** @description `agent`, `person` or `operator`. */
            sort: string;
        };
        /** @description An incident on record. */
        Incident: {
            agent_id?: string | null;
            closed_at?: components["schemas"]["Moment"] | null;
            closed_by?: string | null;
            closing_reason?: string | null;
            details_dropped_at?: components["schemas"]["Moment"] | null;
            /** Format: int64 */
            event_count: number;
            incident_id: string;
            kind: string;
            opened_at: components["schemas"]["Moment"];
            severity: components["schemas"]["AlertSeverity"];
            status: components["schemas"]["IncidentStatus"];
            summary: string;
            tenant_id: string;
            updated_at: components["schemas"]["Moment"];
        };
        IncidentPage: {
            items: components["schemas"]["Incident"][];
            next_cursor: string | null;
        };
        /** @enum {string} */
        IncidentStatus: "open" | "closed";
        /** @description An incident with the decisions behind it. */
        IncidentWithSources: {
            agent_id?: string | null;
            closed_at?: components["schemas"]["Moment"] | null;
            closed_by?: string | null;
            closing_reason?: string | null;
            decision_ids: string[];
            details_dropped_at?: components["schemas"]["Moment"] | null;
            /** Format: int64 */
            event_count: number;
            incident_id: string;
            kind: string;
            /**
             * Format: int64
             * @description How many events are on record for it.
             */
            listed_event_count: number;
            opened_at: components["schemas"]["Moment"];
            severity: components["schemas"]["AlertSeverity"];
            source_event_ids: string[];
            status: components["schemas"]["IncidentStatus"];
            summary: string;
            tenant_id: string;
            /** @description Whether there are more events than are listed here. */
            truncated: boolean;
            updated_at: components["schemas"]["Moment"];
        };
        /** @description That a receipt is in the tree of a size. */
        InclusionProof: {
            /** @description The leaf. */
            leaf_hash: string;
            /** @description The hashes beside the way from the leaf to the root. */
            path: string[];
            /**
             * Format: int64
             * @description The receipt's place.
             */
            sequence: number;
            /**
             * Format: int64
             * @description How many receipts the tree has.
             */
            size: number;
        };
        /** @description A call of which something is not recorded. */
        Inexact: {
            /** @description What is not recorded, as policies name it. */
            because: string[];
            decision_id: string;
        };
        /** @description What became of a document. */
        IngestedDocument: {
            added?: components["schemas"]["AddedFacts"] | null;
            scan: components["schemas"]["ScanRow"];
            /** @description What was put right or left out, by sort. */
            warnings: components["schemas"]["DocumentWarning"][];
        };
        /** @description For how long details are kept. */
        Keep: {
            /**
             * Format: int32
             * @description In days; at least one, at most a hundred years.
             */
            keep_days: number;
        };
        /** @description A key that signed. */
        KeyUse: {
            /** @description Its id. */
            key_id: string;
            /**
             * Format: int64
             * @description How many receipts it signed.
             */
            receipts: number;
        };
        /** @description What the last scan changed. */
        LastChanges: {
            findings_fixed: number;
            findings_new: number;
            graph: components["schemas"]["GraphChanges"];
            rug_pulls: number;
            /** @description The scan before. */
            since_scan_id: string;
        };
        /** @description The last scan. */
        LastScan: {
            origin: string;
            scan_id: string;
            /** Format: date-time */
            time: string;
        };
        /** @description A question. */
        ListedQuestion: {
            /** @description What it asks, in a sentence. */
            asks: string;
            category: string;
            columns: components["schemas"]["QuestionColumn"][];
            name: string;
            parameters: components["schemas"]["QuestionParameter"][];
            /** @description What to ask it by. */
            question: string;
            /** @enum {string} */
            severity: "low" | "medium" | "high" | "critical";
            standards: components["schemas"]["StandardRef"][];
        };
        /** @description A detection rule as it was handed in, and as it was read. */
        ListedRule: {
            author?: string | null;
            /** @description YAML. */
            body: string;
            /** @description Whether a rule of the tenant has taken its place. */
            is_replaced: boolean;
            rule?: components["schemas"]["DetectionRule"] | null;
            rule_key: string;
            /** @description `builtin` or `tenant`. */
            source: string;
            updated_at?: components["schemas"]["Moment"] | null;
        };
        ListedRulePage: {
            items: components["schemas"]["ListedRule"][];
            next_cursor: string | null;
        };
        /** @description A file that was read and is in force. */
        LoadedFile: {
            /** @description The SHA-256 of the text. */
            hash: string;
            /** @description Where it is. */
            path: string;
            /** @description The names of its policies. */
            policies: string[];
            /**
             * Format: int32
             * @description Counts the different texts that were in force.
             */
            version: number;
            /** @description What is probably not meant, and what does not fit the tools of a tenant. */
            warnings: components["schemas"]["PolicyProblem"][];
        };
        /** @description What came of a manifest, as it is told. */
        ManifestOutcome: {
            drift: components["schemas"]["Drift"][];
            is_changed: boolean;
            is_quarantined: boolean;
            manifest_hash?: string | null;
            /** @description Texts that try to steer whoever reads them. */
            rule_matches: components["schemas"]["Poison"][];
            server_key: string;
            status: components["schemas"]["McpServerStatus"];
            status_reason?: string | null;
            tools: components["schemas"]["McpTool"][];
        };
        /** @description Marks of a node. A node has one at most: another takes its place, and both at once are refused. */
        MarkAsked: {
            /** @description Who says so, if it is not the caller. Only for whoever holds the data directory. */
            author?: string | null;
            /** @description Whether losing it would hurt most. */
            crown_jewel?: boolean | null;
            /** @description Whether an attacker holds it. */
            owned?: boolean | null;
            /** @description Why. */
            reason?: string;
        };
        /** @description The mark that a node has. */
        MarkedNode: {
            crown_jewel: boolean;
            node: components["schemas"]["NodeRef"];
            owned: boolean;
        };
        /** @description A text in which rules matched. */
        MatchedPart: {
            /** @description The property that holds it. */
            field: string;
            spans: components["schemas"]["MatchedSpan"][];
            text: string;
        };
        /** @description A policy that decided, exactly as it was. */
        MatchedPolicy: {
            /** @description The hash of its text; empty for checks that are no policy. */
            hash: string;
            /** @description Its stable name. */
            name: string;
            /**
             * Format: int32
             * @description Its version; 0 for what is built in.
             */
            version: number;
        };
        /** @description Where a rule matched, in UTF-16 units. */
        MatchedSpan: {
            end: number;
            rule: string;
            start: number;
        };
        /** @description What a server shows. */
        McpManifest: {
            tools: components["schemas"]["SeenTool"][];
        };
        /** @description A server that is to be registered. */
        McpRegistration: {
            args?: string[];
            command?: string | null;
            endpoint?: string | null;
            name: string;
            owner_team?: string | null;
            server_key: string;
            transport: components["schemas"]["McpTransport"];
            trust_level: string;
        };
        /** @description A registered MCP server. */
        McpServer: {
            /** @description The arguments of the command. */
            args: string[];
            /** @description What starts it, if it is started. */
            command?: string | null;
            /** @description When it was registered. */
            created_at: components["schemas"]["Moment"];
            /** @description Where it is, if it is called over the network. */
            endpoint?: string | null;
            /** @description The hash of the last manifest, once there was one. */
            manifest_hash?: string | null;
            /** @description What people call it. */
            name: string;
            /** @description Its id in the trust graph. */
            node_id: string;
            /** @description Who answers for it. */
            owner_team?: string | null;
            /** @description The name in a call, behind `mcp:`. */
            server_key: string;
            /** @description Whether it may be called. */
            status: components["schemas"]["McpServerStatus"];
            /** @description Why its status is what it is. */
            status_reason?: string | null;
            /** @description The tools of the last manifest. */
            tools: components["schemas"]["McpTool"][];
            /** @description `stdio`, `http` or `sse`. */
            transport: string;
            /** @description How far it is trusted, in the words of whoever registered it. */
            trust_level: string;
            /** @description When anything about it changed last. */
            updated_at: components["schemas"]["Moment"];
        };
        McpServerPage: {
            items: components["schemas"]["McpServer"][];
            next_cursor: string | null;
        };
        /** @enum {string} */
        McpServerStatus: "active" | "quarantined" | "removed";
        /** @description A tool of an MCP server, as its manifest has it. */
        McpTool: {
            /** @description Whether a person has to agree to each call. */
            approval_required: boolean;
            /** @description Who agreed. */
            approved_by?: string | null;
            /** @description The hash that somebody agreed to. */
            approved_hash?: string | null;
            /** @description What it says about itself. */
            description?: string | null;
            /** @description The hash of all of the above. */
            hash: string;
            /** @description The JSON schema of its arguments. */
            input_schema?: unknown;
            /** @description Whether it changes anything. */
            mutates_state: boolean;
            /** @description What people call it. */
            name: string;
            /** @description How bad it can get. */
            risk: components["schemas"]["RiskLevel"];
            /** @description Whether it may be called. */
            status: components["schemas"]["McpToolStatus"];
            /** @description The name in a call. */
            tool_key: string;
        };
        /** @enum {string} */
        McpToolStatus: "pending" | "approved" | "disabled";
        /**
         * @description How a server is spoken to.
         * @enum {string}
         */
        McpTransport: "stdio" | "http" | "sse";
        /** Format: date-time */
        Moment: string;
        /** @description An edge, by names or ids. */
        NamedEdge: {
            kind: string;
            source: string;
            target: string;
        };
        /** @description An agent that is to be registered. */
        NewAgent: {
            /** @description What it is called; unique within the tenant. */
            agent_key: string;
            /** @description The environments that it may say it runs in; any if there are none. */
            allowed_environments?: string[];
            /** @description The tools that it may call; any if there are none. */
            allowed_tools?: string[];
            /** @description Where it runs. */
            environment: string;
            /** @description Whether a person has to agree to everything that would be allowed. */
            force_approval?: boolean;
            /** @description What it is written with. */
            framework?: string | null;
            /** @description Which model it uses. */
            model_name?: string | null;
            /** @description Whose model it uses. */
            model_provider?: string | null;
            /** @description What people call it. */
            name: string;
            /** @description Who answers for it. */
            owner_team?: string | null;
            /** @description What it is for. */
            purpose?: string | null;
            /** @description How much damage it could do. */
            risk_tier: components["schemas"]["RiskTier"];
            /** @description Why its status is what it is. */
            status_reason?: string | null;
        };
        /** @description A rule as somebody hands it in. */
        NewDetectionRule: {
            /** @description YAML. */
            body: string;
        };
        /** @description Somebody who is to be added. */
        NewPerson: {
            name: string;
            role: components["schemas"]["Role"];
        };
        /** @description A policy that is to be added. */
        NewPolicy: {
            body: string;
            name?: string | null;
            policy_key: string;
            reason?: string;
        };
        /** @description A tenant that is to be added. */
        NewTenant: {
            name: string;
            tenant_id: string;
        };
        /** @description A node to be removed. */
        NodeCut: {
            /** @description How many findings about derived edges are gone with it alone; null if nobody tried. */
            findings?: number | null;
            /** @description The machine on which, where the node is on several. */
            machine?: string | null;
            node: components["schemas"]["NodeRef"];
        };
        /** @description Everything about a node. */
        NodeDetail: {
            /** @description How many edges of each kind it has. */
            connections: components["schemas"]["Connection"][];
            /** @description Marked as what matters most. */
            crown_jewel: boolean;
            /** @description The worst findings in which it is a party. */
            findings: components["schemas"]["FindingRow"][];
            /** @description How many there are. */
            findings_total: number;
            history: components["schemas"]["NodeHistory"];
            id: string;
            kind: components["schemas"]["NodeKind"];
            /** @description Everything that it is called, its own kind first. */
            kinds: components["schemas"]["NodeKind"][];
            /** @description What people call it. */
            name: string;
            /** @description The machines whose scans saw it. */
            origins: string[];
            /** @description Marked as held by an attacker. */
            owned: boolean;
            place?: components["schemas"]["FilePlace"] | null;
            /** @description What was seen of it, and what analysis wrote on it. */
            properties: {
                [key: string]: unknown;
            };
            score?: components["schemas"]["NodeScore"] | null;
        };
        /** @description A node that differs. */
        NodeDiff: {
            /**
             * @description How something differs.
             * @enum {string}
             */
            change: "added" | "removed" | "changed";
            node: components["schemas"]["NodeRef"];
            properties: components["schemas"]["PropertyDiff"][];
        };
        /** @description When scans saw a node, and how its contents changed. */
        NodeHistory: {
            /** @description Contents that rewrote themselves and that nobody has acknowledged. */
            changes: components["schemas"]["NodeRewrite"][];
            first?: components["schemas"]["ScanRef"] | null;
            last?: components["schemas"]["ScanRef"] | null;
            /** @description How many scans saw it. */
            scans: number;
            /** @description The latest first, and not more than 200. */
            seen: components["schemas"]["Seen"][];
        };
        /** @enum {string} */
        NodeKind: "MCPServer" | "MCPTool" | "MCPResource" | "MCPPrompt" | "A2AAgent" | "A2ASkill" | "AgentInstance" | "Identity" | "Credential" | "Host" | "ConfigFile" | "InstructionFile" | "OllamaInstance" | "VLLMInstance" | "QdrantInstance" | "MLflowServer" | "LiteLLMGateway" | "JupyterServer" | "LangServeApp" | "OpenWebUIInstance" | "AIService" | "AIModel" | "ExtractedTrainingSignal" | "ResourceGroup" | "TrustZone";
        /** @description A node as it is named in answers. */
        NodeRef: {
            id: string;
            kind: components["schemas"]["NodeKind"];
            /** @description What people call it. */
            name: string;
        };
        /** @description A content that is not what it was. */
        NodeRewrite: {
            /** @description The text after. */
            after?: string | null;
            /** @description The text before, as far as it was seen. */
            before?: string | null;
            /** @description The property whose text changed. */
            content: string;
            /** @description The node. */
            id: string;
            name: string;
            /** @description The scan that saw it changed first. */
            scan_id: string;
            /** Format: date-time */
            since: string;
            /** @description The last scan that saw what somebody has looked at, or what was there at first. */
            since_scan_id: string;
            /** Format: date-time */
            time: string;
        };
        /** @description How dangerous a node is, and why. */
        NodeScore: {
            /** @description The weightiest first. */
            components: components["schemas"]["ScoreComponent"][];
            /**
             * Format: double
             * @description From 0 to 100.
             */
            value: number;
        };
        /** @description Another value of a node's property. */
        NodeSetting: {
            node: string;
            property: string;
            /** @description True, false, a number, a text or a list of these; null takes the property away. */
            value: unknown;
        };
        /**
         * @description How it ended.
         * @enum {string}
         */
        OutcomeStatus: "succeeded" | "failed" | "not_executed";
        /** @description The value of a parameter. */
        ParameterValue: number | string;
        /**
         * @description What makes a path good.
         * @enum {string}
         */
        PathOrder: "weight" | "hops";
        /** @description Paths from one selection to another. */
        PathsAnswer: {
            /** @description Whether there are no others; null if nobody looked. */
            complete?: boolean | null;
            from: components["schemas"]["Ends"];
            /** @description What else has to be known of the answer. */
            notes: string[];
            /** @description The best first. */
            paths: components["schemas"]["FoundPath"][];
            to: components["schemas"]["Ends"];
        };
        /** @description From where to where, and which paths. */
        PathsAsked: {
            /** @description A scan id, a time, a date or `now`; the present if nothing is said. */
            at?: string | null;
            /** @description Not through these nodes, named as the ends are. */
            avoid?: string | null;
            /** @description What makes a path good. */
            by?: components["schemas"]["PathOrder"];
            /** @description Where paths begin: names, ids, sets such as `agents` or `owned`, with commas between them. */
            from: string;
            /** @description How many of the best, up to 100. */
            k?: number | null;
            /** @description Only hops of these kinds: kinds of edges, `same-secret`, `reads`. */
            kinds?: string[];
            /** @description Only paths of at most so many hops, up to 1,000. */
            max_hops?: number | null;
            /** @description Whether edges that stand for whole paths are walked as well. */
            shortcuts?: boolean;
            /** @description Where they end. */
            to: string;
            /** @description No hops of these kinds. */
            without?: string[];
        };
        /** @description Somebody with a token. */
        Person: {
            /** @description When they were added. */
            created_at: components["schemas"]["Moment"];
            /** @description Given by us. */
            id: string;
            /** @description What others call them; unique within the tenant. */
            name: string;
            /** @description What they may do. */
            role: components["schemas"]["Role"];
            /** @description The tenant that they belong to. */
            tenant_id: string;
        };
        PersonPage: {
            items: components["schemas"]["Person"][];
            next_cursor: string | null;
        };
        /** @description Somebody's other token. */
        PersonToken: {
            id: string;
            /** @description Shown this once. */
            token: string;
        };
        /** @description A text that tries to steer whoever reads it. */
        Poison: {
            /** @description The place, without what looks like a secret. */
            excerpt: string;
            /** @description What the rule is called. */
            name: string;
            /** @description Which rule matched. */
            rule: string;
            /** @description How bad that is. */
            severity: string;
            /** @description Which tool. */
            tool_key: string;
        };
        /** @description A call that somebody describes. */
        PolicyCase: {
            /** @description The action. */
            action: string;
            /** @description Who calls. */
            agent: components["schemas"]["CaseAgent"];
            /** @description Whether the caller says that sensitive data is in it. */
            contains_sensitive_data?: boolean;
            /** @description Where the caller says it runs; where it is registered to run, if it doesn't say. */
            environment?: string | null;
            /** @description What is expected. */
            expect: components["schemas"]["ExpectedRuling"];
            /** @description Whether the caller says that it changes something. */
            mutates_state?: boolean;
            /** @description What it shows. */
            name?: string;
            /** @description The arguments. */
            parameters?: unknown;
            /** @description What it is done to. */
            resource?: string | null;
            root_trust_level?: components["schemas"]["TrustLevel"] | null;
            /** @description How far the caller says that the cause is trusted. */
            source_trust: components["schemas"]["TrustLevel"];
            /** @description The tool. */
            tool: string;
            /** @description The id and role of the person behind the run. */
            user?: string[] | null;
        };
        /** @description What would be different, and for which calls. */
        PolicyChange: {
            /** @description Its text; nothing if it is taken out. */
            body?: string | null;
            /** @description Described calls; the newest on record if there are none. */
            cases?: Record<string, never>[];
            /** @description How many calls on record. */
            limit?: number | null;
            /** @description The policy that is changed; another one if nothing is said. */
            policy_key?: string | null;
        };
        /** @description The condition of a policy, as it is written. */
        PolicyClause: {
            /** @description The line in the policy's text, counted from one. */
            line: number;
            /** @description The policy's stable name. */
            policy: string;
            /** @description The condition, or the head of a policy without one. */
            text: string;
            /**
             * Format: int32
             * @description Its version.
             */
            version: number;
        };
        /** @description Which calls a change would decide differently. */
        PolicyDiff: {
            changed: components["schemas"]["DiffedCall"][];
            /** @description How many calls were decided both ways. */
            compared: number;
            /** @description Calls of which something is not recorded that a policy asks for. */
            inexact: components["schemas"]["Inexact"][];
            /** @description Calls of agents that are not there any more. */
            not_compared?: number | null;
            /** @description `recorded` or `cases`. */
            over: string;
            warnings: components["schemas"]["PolicyProblem"][];
        };
        /** @description What is to be different. */
        PolicyEdit: {
            body?: string | null;
            is_active?: boolean | null;
            name?: string | null;
            reason?: string;
        };
        /** @description Policies, and what is wrong with them. */
        PolicyList: {
            items: components["schemas"]["ShownPolicy"][];
            next_cursor?: string | null;
            /** @description Why nothing is allowed, if nothing is. */
            problems: components["schemas"]["PolicyProblem"][];
            /** @description What is probably not meant. */
            warnings: components["schemas"]["PolicyProblem"][];
        };
        /** @description Something wrong with a policy, so that it can't be used. */
        PolicyProblem: {
            /** @description The column in characters, counted from one. */
            column: number;
            /** @description What to do. */
            help?: string | null;
            /** @description The line in its text, counted from one. */
            line: number;
            /** @description What is wrong. */
            message: string;
            /** @description The key of the policy. */
            policy: string;
        };
        /** @description Which version is to be in force again. */
        PolicyRollback: {
            reason?: string;
            /** Format: int32 */
            version: number;
        };
        /**
         * @description Where a policy comes from.
         * @enum {string}
         */
        PolicySource: "default" | "tenant" | "file" | "builtin";
        /** @description Calls that somebody describes, with what is expected of them. */
        PolicyTest: {
            cases: components["schemas"]["PolicyCase"][];
            policies?: components["schemas"]["ProposedPolicy"][];
        };
        /** @description What came of a described call. */
        PolicyTrial: {
            /** @description The clauses that matched. */
            clauses: components["schemas"]["PolicyClause"][];
            /** @description Why, for operators. */
            explanation: string;
            /** @description What came. */
            got: components["schemas"]["RulingSummary"];
            /** @description Whether it came as expected. */
            is_met: boolean;
            /** @description What the case shows. */
            name: string;
        };
        /** @description A policy version in force. */
        PolicyVersion: {
            /** @description Who wrote this version. */
            author: string;
            /** @description Cedar. */
            body: string;
            /** @description The SHA-256 of the body. */
            body_hash: string;
            /** @description When. */
            created_at: components["schemas"]["Moment"];
            /** @description Whether it counts. */
            is_active: boolean;
            /** @description What people call it. */
            name: string;
            /** @description The name that stays. */
            policy_key: string;
            /** @description Why. */
            reason: string;
            /**
             * Format: int32
             * @description Counts from one.
             */
            version: number;
        };
        PolicyVersionPage: {
            items: components["schemas"]["PolicyVersion"][];
            next_cursor: string | null;
        };
        /** @description A problem as it is sent. */
        ProblemDocument: {
            /** @description A code that does not change. */
            code: string;
            /** @description The record of the refusal, if there is one. */
            decision_id?: string | null;
            /** @description What is wrong here and what to do. */
            detail: string;
            /** @description Single things that are wrong. */
            problems?: Record<string, never>[];
            /** @description How many there are in all; the first are listed. */
            problems_total?: number | null;
            /**
             * Format: int32
             * @description The HTTP status.
             */
            status: number;
            /** @description What sort of problem, in words. */
            title: string;
            /** @description What sort of problem, as a URN. */
            type: string;
        };
        /** @description A property that differs. */
        PropertyDiff: {
            /** @description What it is; nothing when it is gone. */
            after?: unknown;
            /** @description What it was; nothing when it is new. */
            before?: unknown;
            name: string;
        };
        /** @description An edge to be removed. */
        ProposedCut: {
            /** @description What to do, as a sentence. */
            change: string;
            file?: string | null;
            kind: components["schemas"]["EdgeKind"];
            /** Format: int64 */
            line?: number | null;
            source: components["schemas"]["NodeRef"];
            target: components["schemas"]["NodeRef"];
        };
        /** @description A policy that is not in force. */
        ProposedPolicy: {
            body: string;
            name?: string | null;
            policy_key?: string | null;
        };
        /** @description The answer to a question. */
        QuestionAnswer: {
            /** @description What was asked, in a sentence. */
            asks: string;
            columns: components["schemas"]["QuestionColumn"][];
            /** @description Where the next page begins. */
            next_cursor?: string | null;
            /**
             * Format: int64
             * @description Connections of the sort that was asked about that are true and counted but not written down.
             */
            not_written_down: number;
            question: string;
            /** @description The rows of this page: cells by the names of their columns. */
            rows: {
                [key: string]: unknown;
            }[];
            /**
             * Format: int64
             * @description Rows on all pages.
             */
            total: number;
        };
        /** @description How a question is asked. */
        QuestionAsked: {
            /** @description A scan id, a time, a date or `now`; the present if nothing is said. */
            at?: string | null;
            /** @description Where the page before ended: its `next_cursor`. */
            cursor?: string | null;
            /** @description How many rows, up to 5,000. */
            limit?: number | null;
            /** @description Values by the names of parameters: texts or whole numbers. */
            parameters?: {
                [key: string]: components["schemas"]["ParameterValue"];
            };
        };
        /** @description A column of an answer. */
        QuestionColumn: {
            /**
             * @description What its cells hold: a text, a number, a truth value, several texts, several things with a few texts each, or the
             *     id of a node. Any may be null.
             */
            kind: components["schemas"]["CellKind"];
            name: string;
        };
        /** @description What may be said besides a question's name. */
        QuestionParameter: {
            default?: string | null;
            /** @description A value that makes sense. */
            example: string;
            /** @description What it is for. */
            help: string;
            name: string;
            required: boolean;
        };
        /** @description All questions. */
        Questions: {
            /** @description By category and name. */
            items: components["schemas"]["ListedQuestion"][];
        };
        /** @description What is reached. */
        ReachAnswer: {
            /** @description How many there are so many hops away. */
            by_distance: {
                [key: string]: number;
            };
            /** @description How many of each kind there are on all pages. */
            by_kind: {
                [key: string]: number;
            };
            from: components["schemas"]["Ends"];
            /** @description Where the next page begins. */
            next_cursor?: string | null;
            /** @description By distance, then by kind and id. */
            nodes: components["schemas"]["Reached"][];
            /** @description What else has to be known of the answer. */
            notes: string[];
            /** @description On all pages. */
            total: number;
        };
        /** @description From where, which way and how far. */
        ReachAsked: {
            /** @description A scan id, a time, a date or `now`; the present if nothing is said. */
            at?: string | null;
            /** @description Not through these nodes, named as the ends are. */
            avoid?: string | null;
            /** @description Where the page before ended: its `next_cursor`. */
            cursor?: string | null;
            /** @description Where one gets from there, or who gets there. */
            direction?: components["schemas"]["ReachDirection"];
            /** @description Where it begins: names, ids, sets such as `agents` or `owned`, with commas between them. */
            from: string;
            /** @description Only hops of these kinds: kinds of edges, `same-secret`, `reads`. */
            hop_kinds?: string[];
            /** @description Only nodes of these kinds are told; all are walked through. */
            kinds?: string[];
            /** @description How many nodes, up to 10,000. */
            limit?: number | null;
            /** @description Only what is within so many hops, up to 1,000. */
            max_hops?: number | null;
            /** @description Whether edges that stand for whole paths are walked as well. */
            shortcuts?: boolean;
            /** @description No hops of these kinds. */
            without?: string[];
        };
        /**
         * @description Which way hops are followed.
         * @enum {string}
         */
        ReachDirection: "forward" | "reverse";
        /** @description A node that is reached. */
        Reached: {
            /**
             * Format: int32
             * @description The fewest hops to it.
             */
            distance: number;
            node: components["schemas"]["NodeRef"];
            /**
             * Format: double
             * @description How hard the easiest way to it is, however many hops it has.
             */
            weight: number;
        };
        /** @description A receipt. What belongs to decisions only, or to everything else only, is absent in the others. */
        Receipt: {
            action?: string | null;
            action_hash?: string | null;
            agent_id?: string | null;
            approval_id?: string | null;
            approver?: string | null;
            argument_hash?: string | null;
            /** @description `tracehound-receipt-1`. */
            canon_version: string;
            code?: string | null;
            /** Format: int32 */
            composite_risk_score?: number | null;
            decision?: components["schemas"]["Verdict"] | null;
            decision_id?: string | null;
            /** @description What everything but decisions has to say. */
            detail?: Record<string, never> | null;
            /** @description Its id. */
            event_id: string;
            /** @description `decision`, `approval`, `outcome`, `containment`, `policy`, `identity`, `mcp`, `key` or `retention`. */
            kind: string;
            mcp_server?: string | null;
            mutates_state?: boolean | null;
            parent_run_id?: string | null;
            policies?: components["schemas"]["MatchedPolicy"][] | null;
            /** @description Empty for the first. */
            prev_receipt_hash: string;
            reason?: string | null;
            /** @description SHA-256 over the canonical form without this, `signature` and `signer_key_id`. */
            receipt_hash: string;
            resource?: string | null;
            /** Format: int32 */
            risk_score?: number | null;
            root_trust_level?: components["schemas"]["TrustLevel"] | null;
            run_id?: string | null;
            /**
             * Format: int64
             * @description Its place in the chain, from 0.
             */
            sequence: number;
            /** @description Ed25519 over the hex digits of the hash. */
            signature?: string | null;
            signer_key_id?: string | null;
            source_trust?: components["schemas"]["TrustLevel"] | null;
            tenant_id: string;
            tool?: string | null;
            trace_id?: string | null;
            ts: components["schemas"]["Moment"];
            user_id?: string | null;
        };
        /** @description Receipts, newest or oldest first. */
        ReceiptList: components["schemas"]["Receipt"][];
        /** @description Something that is wrong. */
        ReceiptProblem: {
            /** @description In a word. */
            fault: string;
            /**
             * Format: int64
             * @description The receipt's place in the list as it was given, from 0; none if it is about the list.
             */
            index?: number | null;
            /** @description In a sentence. Holds text from the receipt. */
            message: string;
            /** @description The receipt's id. */
            receipt_id?: string | null;
            /**
             * Format: int64
             * @description The receipt's place in the chain.
             */
            sequence?: number | null;
        };
        /** @description A receipt by name. */
        ReceiptRef: {
            /** @description The form that is hashed. */
            canon_version: string;
            /** @description The hash of the one before it. */
            prev_receipt_hash: string;
            /** @description Its hash. */
            receipt_hash: string;
            /** @description Its id. */
            receipt_id: string;
            /**
             * Format: int64
             * @description Its place in the chain.
             */
            sequence: number;
        };
        /** @description That a report is on record. */
        RecordedOutcome: {
            receipt: components["schemas"]["ReceiptRef"];
        };
        /** @description What was decided about it. */
        RecordedRuling: {
            code: string;
            decision: components["schemas"]["Verdict"];
        };
        /** @description What an agent says happened. */
        ReportedOutcome: {
            executed_action_hash?: string | null;
            result_hash?: string | null;
            status: components["schemas"]["OutcomeStatus"];
        };
        /** @description Whether what rules respond is carried out. */
        ResponseSetting: {
            /** @description Whether it is, without anybody agreeing. */
            automatic: boolean;
        };
        /** @description What was taken out. */
        Retained: {
            /** @description What happened before this. */
            before: components["schemas"]["Moment"];
            dropped: components["schemas"]["Dropped"];
        };
        /** @enum {string} */
        RiskLevel: "low" | "medium" | "high" | "critical";
        /** @enum {string} */
        RiskTier: "low" | "medium" | "high";
        /** @description How much each circumstance adds to the composite score. */
        RiskWeights: {
            /**
             * Format: int32
             * @description Its cause is thought to be an attack.
             */
            context_trust_penalty_malicious_suspected: number;
            /**
             * Format: int32
             * @description Its cause is a known customer's.
             */
            context_trust_penalty_semi_trusted_customer: number;
            /**
             * Format: int32
             * @description Its cause is signed and ours.
             */
            context_trust_penalty_trusted_internal_signed: number;
            /**
             * Format: int32
             * @description Its cause is ours.
             */
            context_trust_penalty_trusted_internal_unsigned: number;
            /**
             * Format: int32
             * @description Nobody knows its cause.
             */
            context_trust_penalty_unknown: number;
            /**
             * Format: int32
             * @description Its cause is anybody's.
             */
            context_trust_penalty_untrusted_external: number;
            /**
             * Format: int32
             * @description The call changes something.
             */
            environment_weight_mutating: number;
            /**
             * Format: int32
             * @description It goes to an MCP server.
             */
            mcp_trust_penalty: number;
        };
        /** @enum {string} */
        Role: "admin" | "analyst" | "approver" | "auditor";
        /** @description A content that rewrote itself. */
        RugPull: {
            /** @description Whether somebody has looked at it. */
            acknowledged: boolean;
            after?: string | null;
            before?: string | null;
            node: components["schemas"]["NodeRef"];
            /** @description The property whose content changed. */
            property: string;
            scan_id: string;
            /** @description The scan that it is compared with. */
            since_scan_id?: string | null;
            /**
             * Format: date-time
             * @description When the scan was that saw it first.
             */
            time: string;
        };
        /** @description A rule with all that it says. */
        RuleDetail: {
            /** @description The techniques of MITRE ATLAS that a match falls under, by their ids. */
            atlas: string[];
            description: string;
            enabled: boolean;
            /** @description The file: its name and, as YAML, what is in it. Built-in rules ship without their tests. */
            file: string;
            id: string;
            kind: components["schemas"]["RuleKind"];
            ledger?: components["schemas"]["RuleLedger"] | null;
            /** @description What sort of matcher decides: `keyword`, `regex`, `score`, `model` and so on; `probe` for services. */
            matcher: string;
            name: string;
            /** @description Whose it is. */
            origin: components["schemas"]["RuleOrigin"];
            /** @description The entries of OWASP's lists that a match falls under, by their ids. */
            owasp: string[];
            /** @description What to do about a match. */
            remediation?: string | null;
            /** @description How bad a match is; to recognise a service is worth knowing, no more. */
            severity: components["schemas"]["RuleSeverityName"];
            source: string;
            tags: string[];
            /** @description Which texts of which nodes are read; the kind of service for what recognises one. */
            targets: string[];
            /** @description The figures task by task. */
            tasks: components["schemas"]["TaskFigures"][];
            /** @description The examples in the file. Those of built-in rules look like attacks and are left out of the product. */
            tests: components["schemas"]["RuleExample"][];
            /** Format: int32 */
            version: number;
        };
        /** @description An example of a rule. */
        RuleExample: {
            description: string;
            /** @description The text; none for what recognises a service by its answers. */
            input?: string | null;
            should_match: boolean;
        };
        /**
         * @description What a rule is for.
         * @enum {string}
         */
        RuleKind: "detection" | "fingerprint";
        /**
         * @description How a rule did on labelled records. Rules share the work: one that finds a single sort of attack is not meant to find all,
         *     so its recall alone says little.
         */
        RuleLedger: {
            /** @description Harmless records. */
            benign: number;
            /** @description Records to be found. */
            hostile: number;
            /** @description Records to be found that it matches and no other rule does. */
            matched_alone: number;
            /** @description Harmless records that it matches. */
            matched_benign: number;
            /** @description Records to be found that it matches. */
            matched_hostile: number;
            /**
             * Format: double
             * @description The share of its matches that were right.
             */
            precision?: number | null;
            /**
             * Format: double
             * @description The share of the records to be found that it matches.
             */
            recall?: number | null;
        };
        /** @description A rule that matches. */
        RuleMatch: {
            /** @description Whether it matches in more places than are told. */
            has_more: boolean;
            name: string;
            /** @description Why, in words. */
            reason: string;
            /** @description Its id. */
            rule: string;
            severity: string;
            /** @description Where, each place once. */
            spans: components["schemas"]["TextSpan"][];
            /** @description What the text would have to be for it to match. */
            targets: string[];
        };
        /**
         * @description Whose a rule is.
         * @enum {string}
         */
        RuleOrigin: "builtin" | "file" | "override";
        /** @description Some of the rules. */
        RulePage: {
            /** @description By id. */
            items: components["schemas"]["RuleRow"][];
            /** @description Where the next page begins. */
            next_cursor?: string | null;
            /** @description On all pages. */
            total: number;
        };
        /** @enum {string} */
        RuleResponse: "freeze" | "quarantine" | "force_approval";
        /** @description A rule in a list. */
        RuleRow: {
            /** @description The techniques of MITRE ATLAS that a match falls under, by their ids. */
            atlas: string[];
            enabled: boolean;
            id: string;
            kind: components["schemas"]["RuleKind"];
            ledger?: components["schemas"]["RuleLedger"] | null;
            /** @description What sort of matcher decides: `keyword`, `regex`, `score`, `model` and so on; `probe` for services. */
            matcher: string;
            name: string;
            /** @description Whose it is. */
            origin: components["schemas"]["RuleOrigin"];
            /** @description The entries of OWASP's lists that a match falls under, by their ids. */
            owasp: string[];
            /** @description How bad a match is; to recognise a service is worth knowing, no more. */
            severity: components["schemas"]["RuleSeverityName"];
            tags: string[];
            /** @description Which texts of which nodes are read; the kind of service for what recognises one. */
            targets: string[];
            /** Format: int32 */
            version: number;
        };
        /**
         * @description How bad a match is.
         * @enum {string}
         */
        RuleSeverityName: "info" | "low" | "medium" | "high" | "critical";
        /** @description A rule that is tried before it is handed in. */
        RuleTrial: {
            body: string;
            from?: components["schemas"]["Moment"] | null;
            to?: components["schemas"]["Moment"] | null;
        };
        /** @description A decision in short. */
        RulingSummary: {
            /** @description Who would have to agree. */
            approver_group?: string | null;
            /** @description The code. */
            code: string;
            /** @description The verdict. */
            decision: components["schemas"]["Verdict"];
            /** @description What determined it, by name. */
            policies: string[];
            /** @description The reason that an agent would get. */
            reason: string;
            /** @description The fields whose values would not be passed on. */
            redacted_fields: string[];
        };
        /** @description A part of the scan log. */
        ScanPage: {
            /** @description The newest first. */
            items: components["schemas"]["ScanRow"][];
            /** @description What to ask for to get the next page; nothing if this is the last. */
            next_cursor?: string | null;
            /** @description How many scans there are. */
            total: number;
        };
        /** @description A scan as others speak of it. */
        ScanRef: {
            scan_id: string;
            /** Format: date-time */
            time: string;
        };
        /** @description A scan in a list. */
        ScanRow: {
            /** @description Who observed. */
            collector: components["schemas"]["Collector"];
            collector_version: string;
            /**
             * Format: int64
             * @description Edges in the document.
             */
            edges: number;
            /**
             * Format: int64
             * @description Nodes in the document.
             */
            nodes: number;
            /** @description The machine that it speaks for, if it names one. */
            origin?: string | null;
            /**
             * Format: date-time
             * @description When it came in.
             */
            received: string;
            scan_id: string;
            /** @description Hex SHA-256 of the document. */
            sha256: string;
            /**
             * Format: int64
             * @description The document's size in bytes.
             */
            size: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            time: string;
            /** @description When it was made, as the document says. */
            timestamp: string;
            /**
             * Format: int64
             * @description What was put right or left out when it was read.
             */
            warnings: number;
        };
        /** @description A node whose score would differ. */
        ScoreChange: {
            /**
             * Format: double
             * @description Null if it would be gone.
             */
            after?: number | null;
            /** Format: double */
            before?: number | null;
            node: components["schemas"]["NodeRef"];
        };
        /** @description Part of a score. */
        ScoreComponent: {
            name: string;
            /** @description Why it has this value. */
            reason: string;
            /**
             * Format: double
             * @description From 0 to 100.
             */
            value: number;
            /**
             * Format: double
             * @description What it is worth; the weights of all components add up to 1.
             */
            weight: number;
        };
        /** @description From this score on it is as bad as this. */
        ScoreStep: {
            /**
             * Format: int32
             * @description The score.
             */
            at_least: number;
            /** @description How bad it is from there on. */
            severity: components["schemas"]["AlertSeverity"];
        };
        /** @description What fits. */
        SearchAnswer: {
            /** @description Findings whose kind or fingerprint fits, the worst first; not more than 5. */
            findings: components["schemas"]["FindingRow"][];
            /** @description What fits best first. */
            items: components["schemas"]["SearchHit"][];
            /** @description How many nodes fit. */
            total: number;
        };
        /** @description A node that fits. */
        SearchHit: {
            matched: components["schemas"]["SearchMatch"];
            node: components["schemas"]["NodeRef"];
            /**
             * Format: int32
             * @description How well, from 1 to 100.
             */
            score: number;
        };
        /** @description What of a node fits. */
        SearchMatch: {
            /** @description The part of it around what fits. */
            excerpt: string;
            /** @description The property; `name` for what people call it, `id` for its id. */
            field: string;
        };
        /** @description That a scan saw a node. */
        Seen: {
            /** @description Whether it was the first to see a change that nobody has acknowledged. */
            changed: boolean;
            /** @description The machine that the scan spoke for, if it named one. */
            origin?: string | null;
            scan_id: string;
            /** Format: date-time */
            time: string;
        };
        /** @description A manifest that a server was seen with. */
        SeenManifest: {
            /** @description What was different from the one before. */
            drift: components["schemas"]["Drift"][];
            /** @description The tools. */
            manifest: components["schemas"]["SeenTool"][];
            /** @description Its hash. */
            manifest_hash: string;
            /**
             * Format: int64
             * @description Counts from one.
             */
            number: number;
            /** @description When it was seen. */
            seen_at: components["schemas"]["Moment"];
        };
        SeenManifestPage: {
            items: components["schemas"]["SeenManifest"][];
            next_cursor: string | null;
        };
        /** @description A tool as a manifest has it. */
        SeenTool: {
            /** @description Whether a person has to agree to each call. */
            approval_required?: boolean;
            /** @description What it says about itself. */
            description?: string | null;
            /** @description The JSON schema of its arguments. */
            input_schema?: unknown;
            /** @description Whether it changes anything. */
            mutates_state: boolean;
            /** @description What people call it. */
            name: string;
            /** @description How bad it can get. */
            risk: components["schemas"]["RiskLevel"];
            /** @description The name in a call. */
            tool_key: string;
        };
        /** @description An MCP server that a decision names. */
        ServerRef: {
            /** @description What people call it. */
            name: string;
            /** @description Its id in the trust graph. */
            node_id: string;
            /** @description Its key. */
            server_key: string;
        };
        /** @enum {string} */
        Severity: "low" | "medium" | "high" | "critical";
        /** @description An approval with the names that clients know. */
        ShownApproval: {
            /** @description The hash of the call that may be made: the edited one, if it was edited. */
            action_hash: string;
            /** @description The agent that wants to act. */
            agent_id: string;
            /** @description Its id. */
            approval_id: string;
            /** @description Who should answer. */
            approver_group?: string | null;
            /** @description Who answered. */
            approver_user_id?: string | null;
            circumstances?: components["schemas"]["Circumstances"] | null;
            consumed_at?: components["schemas"]["Moment"] | null;
            /** @description When it was asked. */
            created_at: components["schemas"]["Moment"];
            decided_at?: components["schemas"]["Moment"] | null;
            /** @description The decision that asks. */
            decision_id: string;
            details_dropped_at?: components["schemas"]["Moment"] | null;
            /** @description The same, if it was edited. */
            edited_action_hash?: string | null;
            /** @description Who edited it. */
            edited_by?: string | null;
            /** @description What it was edited to, without anything secret. */
            edited_tool_call?: unknown;
            /** @description The hash of the call that may be made. */
            effective_action_hash: string;
            /** @description Until when it can be answered and used. */
            expires_at: components["schemas"]["Moment"];
            is_edited: boolean;
            /** @description The hash of the call that was asked about. */
            original_action_hash: string;
            /** @description Why they answered so. */
            reason?: string | null;
            /** @description The person behind the run, who may not agree to it. */
            requested_for?: string | null;
            /** @description How far it is. What is past its time and was not decided is `EXPIRED`. */
            status: components["schemas"]["ApprovalStatus"];
            /** @description Whose it is. */
            tenant_id: string;
            /** @description The call that was asked about, without anything secret. */
            tool_call: unknown;
        };
        ShownApprovalPage: {
            items: components["schemas"]["ShownApproval"][];
            next_cursor: string | null;
        };
        /** @description A decision as the caller may see it. */
        ShownDecision: {
            /** @description The action, as the caller wrote it. */
            action: string;
            /** @description The hash of tool, action, target, arguments. */
            action_hash: string;
            agent_id: string;
            /** @description The hash of the arguments. */
            argument_hash: string;
            /** @description Why, as a code that does not change. */
            code: string;
            /** Format: int32 */
            composite_risk_score: number;
            created_at: components["schemas"]["Moment"];
            decision: components["schemas"]["Verdict"];
            decision_id: string;
            details_dropped_at?: components["schemas"]["Moment"] | null;
            explanation?: components["schemas"]["Explanation"] | null;
            /** Format: int64 */
            latency_us: number;
            mcp_server?: components["schemas"]["ServerRef"] | null;
            /** @description Whether it changes anything. */
            mutates_state: boolean;
            /** @description The run that started this run. */
            parent_run_id?: string | null;
            policies: components["schemas"]["MatchedPolicy"][];
            /** @description Why, in words. */
            reason: string;
            redacted_fields: string[];
            /** @description What the caller called the request. */
            request_id?: string | null;
            /** @description The target. */
            resource?: string | null;
            /** Format: int32 */
            risk_score: number;
            /** @description How far the cause is trusted when everything before it is counted. */
            root_trust_level: components["schemas"]["TrustLevel"];
            /** @description The run. */
            run_id?: string | null;
            /** @description How far the cause is trusted, as the caller said. */
            source_trust: components["schemas"]["TrustLevel"];
            tenant_id: string;
            /** @description The tool, as the caller wrote it. */
            tool: string;
            /** @description The trace. */
            trace_id?: string | null;
            /** @description The person behind the run. */
            user_id?: string | null;
        };
        ShownDecisionPage: {
            items: components["schemas"]["ShownDecision"][];
            next_cursor: string | null;
        };
        /** @description A policy, with the names that its parts have in decisions and graphs. */
        ShownPolicy: {
            author?: string | null;
            /** @description Cedar. */
            body: string;
            /** @description The SHA-256 of the body. */
            body_hash: string;
            created_at?: components["schemas"]["Moment"] | null;
            is_active: boolean;
            name: string;
            /** @description The names of its parts. */
            policies: string[];
            policy_key: string;
            reason?: string | null;
            source: components["schemas"]["PolicySource"];
            /** Format: int32 */
            version: number;
        };
        /** @description A key that signs receipts. */
        SigningKey: {
            /** @description `ed25519`. */
            algorithm: string;
            key_id: string;
            /** @description 64 hex digits. */
            public_key: string;
        };
        /** @description All keys that have signed receipts. */
        SigningKeys: {
            keys: components["schemas"]["SigningKey"][];
        };
        /** @description The numbers that somebody wants to see first. "Today" is the last 24 hours. */
        SocSummary: {
            /** Format: int64 */
            agents_total: number;
            /** Format: int64 */
            alerts_high: number;
            /** Format: int64 */
            alerts_total: number;
            /** Format: int64 */
            approvals_pending: number;
            /** Format: int64 */
            decisions_today: number;
            /** Format: int64 */
            denies_today: number;
            /** Format: double */
            deny_rate_today: number;
            hourly_decisions_24h: number[];
            /** Format: int64 */
            incidents_closed: number;
            /** Format: int64 */
            incidents_open: number;
            /** Format: int64 */
            incidents_total: number;
            risk_posture: string;
        };
        /** @description An edge, and what is gone without it. */
        SoleCarrier: {
            /** @description How many findings are. */
            findings: number;
            kind: components["schemas"]["EdgeKind"];
            /** @description Whether the finding itself is gone without it. */
            removes_this: boolean;
            source: components["schemas"]["NodeRef"];
            target: components["schemas"]["NodeRef"];
        };
        /** @description An entry of a public catalogue. */
        StandardRef: {
            id: string;
            name: string;
        };
        /** @description One hop of a path, as it is walked. */
        Step: {
            /** @description Whether it was derived, not seen. */
            composite: boolean;
            /**
             * Format: double
             * @description How sure we are, from 0 to 1; of hops that are no edges nothing is said.
             */
            confidence?: number | null;
            /** @description Why it is there, in words. */
            evidence?: string | null;
            /** @description The kind of the edge; `same-secret` between two copies of a secret, `reads` where a tool can read a secret. */
            kind: string;
            place?: components["schemas"]["FilePlace"] | null;
            /** @description Whether the edge points the other way. */
            reversed: boolean;
            /** @description From where it is walked. */
            source: components["schemas"]["NodeRef"];
            /** @description To where it is walked. */
            target: components["schemas"]["NodeRef"];
            /**
             * Format: double
             * @description How hard it is, from 0 (free) to 1.
             */
            weight: number;
        };
        /** @description Part of a graph. */
        Subgraph: {
            /** @description Each edge is told with the later of its ends, so that all pages together are the whole. */
            edges: components["schemas"]["GraphEdge"][];
            /** @description Where the next page begins. */
            next_cursor?: string | null;
            nodes: components["schemas"]["GraphNode"][];
            /** @description Edges on all pages. */
            total_edges: number;
            /** @description Nodes on all pages. */
            total_nodes: number;
            /** @description Whether there is more than this page tells. */
            truncated: boolean;
            /**
             * Format: int64
             * @description Derived edges that are true and counted but not written down, because their node has very many.
             */
            unwritten_edges: number;
        };
        /** @description How a rule did in a task. */
        TaskFigures: {
            figures: components["schemas"]["RuleLedger"];
            /** @description What was to be found where. */
            task: string;
        };
        /** @description A tenant. */
        Tenant: {
            created_at: components["schemas"]["Moment"];
            name: string;
            tenant_id: string;
        };
        TenantPage: {
            items: components["schemas"]["Tenant"][];
            next_cursor: string | null;
        };
        /** @description What became of calls that somebody described. */
        TestedPolicies: {
            failed: number;
            /** @description How many were decided as expected. */
            met: number;
            results: components["schemas"]["PolicyTrial"][];
            warnings: components["schemas"]["PolicyProblem"][];
        };
        /** @description A place in the text, counted in UTF-16 code units as browsers do. */
        TextSpan: {
            end: number;
            /** @description What stands there. */
            excerpt: string;
            start: number;
        };
        /** @description What the rules say. */
        TextTrial: {
            /** @description The text as rules read it, with what was hidden or encoded in it, if that differs from what was given. */
            folded?: string | null;
            /** @description The rules that match, by id. */
            matches: components["schemas"]["RuleMatch"][];
            /** @description Which texts of which nodes it was taken for. */
            targets: string[];
        };
        /** @description A tool that agents may ask for. */
        Tool: {
            /** @description What it can do. */
            actions: components["schemas"]["ToolAction"][];
            /** @description How it authenticates. */
            auth_type?: string | null;
            /** @description What people call it. */
            name: string;
            /** @description Who answers for it. */
            owner_team?: string | null;
            /** @description The name in a call, in the form in which names are looked up. */
            tool_key: string;
            /** @description What sort of thing it is, in the words of whoever registered it. */
            type?: string | null;
        };
        /** @description One action of a tool. */
        ToolAction: {
            /** @description The name in a call, in the form in which names are looked up. */
            action_key: string;
            /** @description Whether a person has to agree to each call. */
            approval_required?: boolean;
            /** @description What data it touches, in the words of whoever registered it. */
            data_access?: string | null;
            /** @description What happens when policies allow it. */
            default_decision?: components["schemas"]["DefaultDecision"];
            /** @description What it does. */
            description?: string | null;
            /** @description The JSON schema of its arguments. */
            input_schema?: unknown;
            /** @description Whether it changes anything. */
            mutates_state: boolean;
            /** @description How bad it can get. */
            risk: components["schemas"]["RiskLevel"];
        };
        /** @description What somebody agrees to. */
        ToolAgreement: {
            /** @description The hash of the tool that they looked at. */
            hash?: string | null;
            reason?: string | null;
        };
        /** @description A call of a tool. */
        ToolCall: {
            /** @description The action; of an MCP server, the tool. */
            action: string;
            /** @description Whether the caller thinks that it changes something. */
            mutates_state: boolean;
            /** @description The arguments. */
            parameters: unknown;
            /** @description What it is done to. */
            resource?: string | null;
            /** @description The tool; `mcp:` and a server's key for one of an MCP server. */
            tool: string;
        };
        ToolPage: {
            items: components["schemas"]["Tool"][];
            next_cursor: string | null;
        };
        /** @description Which run a call belongs to. */
        Trace: {
            /** @description The run of the agent that started this one. */
            parent_run_id?: string | null;
            root_trust_level?: components["schemas"]["TrustLevel"] | null;
            /** @description The run. */
            run_id: string;
            /** @description The trace. */
            trace_id: string;
        };
        /** @description What stood after a scan. */
        TrendPoint: {
            edges: number;
            exposure: components["schemas"]["ExposureCounts"];
            findings_by_severity: {
                [key: string]: number;
            };
            nodes: number;
            scan_id: string;
            /** Format: date-time */
            time: string;
        };
        /** @description A decision about findings. */
        TriageAsked: {
            /** @description Who says so, if it is not the caller. Only for whoever holds the data directory. */
            author?: string | null;
            /** @description Which ones; 10,000 at most. */
            fingerprints: string[];
            /** @description Why; at most 4096 bytes. */
            reason: string;
            /** @description What they are. */
            status: components["schemas"]["TriageState"];
            /** @description From when on it does not hold any more: an RFC 3339 time, or a date for its end. */
            until?: string | null;
        };
        /** @description What became of a decision. */
        TriagedFindings: {
            /** @description How many findings were decided about. */
            changed: number;
            /** @description Which are not there at present; nothing was decided about them. */
            unknown: string[];
        };
        /** @description A decision about a finding. */
        TriageNote: {
            /** Format: date-time */
            at: string;
            author: string;
            reason: string;
            /** @description How bad the finding was then. */
            severity?: ("low" | "medium" | "high" | "critical") | null;
            status: components["schemas"]["TriageState"];
            /**
             * Format: date-time
             * @description From when on it does not hold.
             */
            until?: string | null;
        };
        /** @enum {string} */
        TriageState: "new" | "triaging" | "confirmed" | "accepted-risk" | "false-positive";
        /** @description A text to be tried. */
        TriedText: {
            /** @description The property that it would be, such as `description`; any that a rule reads if nothing is said. */
            field?: string | null;
            /** @description The kind of node that it would stand on, by its name or as rules say it (`tool`); any if nothing is said. */
            kind?: string | null;
            /** @description The text, of at most 64 KiB. */
            text: string;
        };
        /** @enum {string} */
        TrustLevel: "trusted_internal_signed" | "trusted_internal_unsigned" | "semi_trusted_customer" | "untrusted_external" | "malicious_suspected" | "unknown";
        /** @description A policy that can be put in force. */
        ValidPolicy: {
            body_hash: string;
            is_valid: boolean;
            policy_key: string;
            warnings: components["schemas"]["PolicyProblem"][];
        };
        /** @enum {string} */
        Verdict: "allow" | "redact" | "require_approval" | "quarantine" | "deny";
        /** @description What is known of a list of receipts. */
        VerificationReport: {
            /** @description What the checkpoint showed. */
            checkpoint: string;
            /** @description How often each thing is wrong. */
            counts: {
                [key: string]: number;
            };
            /**
             * Format: int64
             * @description Of how many decisions retention took the details out, as the receipts say. The receipts themselves stay.
             */
            details_dropped: number;
            /**
             * Format: int64
             * @description The least place in the chain.
             */
            first?: number | null;
            /** @description The hash of the receipt at the greatest place. */
            head?: string | null;
            /**
             * Format: int64
             * @description The greatest place in the chain.
             */
            last?: number | null;
            /** @description Whether the list had its newest receipt first. */
            newest_first: boolean;
            /** @description What to know that is not wrong. */
            notes: string[];
            /** @description What is wrong, in the order of the list: the first [`PROBLEMS_KEPT`]. */
            problems: components["schemas"]["ReceiptProblem"][];
            /**
             * Format: int64
             * @description How many lines the list has.
             */
            receipts: number;
            /** @description The root of the Merkle tree, if every receipt from the first on is there. */
            root?: string | null;
            /** @description The keys that signed, in the order in which they were met. */
            signed_by: components["schemas"]["KeyUse"][];
            /** @description The answer in a word. */
            status: string;
            /** @description Whose receipts they are. */
            tenant?: string | null;
        };
        /** @description What is known of receipts that somebody sent. */
        VerifiedChain: {
            /** @description The first thing that is wrong. */
            error?: string | null;
            report: components["schemas"]["VerificationReport"];
            verified: boolean;
        };
        /** @description What is known of a stored receipt. */
        VerifiedReceipt: {
            /** @description The members of the receipt that the decision on record contradicts. */
            differences: string[];
            receipt_id: string;
            report: components["schemas"]["VerificationReport"];
            /** @description Whether the receipt verifies, and the decision on record is what it says. */
            verified: boolean;
        };
        /** @description What runs here. */
        Version: {
            name: string;
            version: string;
        };
        /** @description What would be different. */
        WhatIfAnswer: {
            /** @description Findings that would be new, the worst first; not more than 500. */
            appeared: components["schemas"]["FindingRow"][];
            appeared_total: number;
            /** @description Findings that would be there but differ, the worst first; not more than 500. */
            changed: components["schemas"]["FindingRow"][];
            changed_total: number;
            /** @description Derived edges that would follow besides. */
            edges_appeared: number;
            /** @description Derived edges that would not follow any more. */
            edges_gone: number;
            /**
             * Format: int64
             * @description All findings as it would be.
             */
            findings_after: number;
            /**
             * Format: int64
             * @description All findings as it is, also those that are counted but not written down.
             */
            findings_before: number;
            /** @description Findings that would be gone, the worst first; not more than 500. */
            gone: components["schemas"]["FindingRow"][];
            gone_total: number;
            paths_after?: components["schemas"]["PathsAnswer"] | null;
            paths_before?: components["schemas"]["PathsAnswer"] | null;
            /** @description Scores that would differ, those that change most first; not more than 500. */
            scores: components["schemas"]["ScoreChange"][];
            scores_total: number;
        };
        /** @description What is to be different. */
        WhatIfAsked: {
            /** @description A scan id, a time, a date or `now`; the present if nothing is said. */
            at?: string | null;
            /** @description What makes a path good. */
            by?: components["schemas"]["PathOrder"];
            /** @description Where the paths that are compared begin. */
            from?: string | null;
            /** @description How many paths are compared, up to 100. */
            k?: number | null;
            /** @description Only paths of at most so many hops, up to 1,000. */
            max_hops?: number | null;
            /** @description Without these edges; only edges that were seen can be taken out. */
            remove_edges?: components["schemas"]["NamedEdge"][];
            /** @description Without these nodes and all their edges. */
            remove_nodes?: string[];
            /** @description With other values of nodes' properties. */
            set?: components["schemas"]["NodeSetting"][];
            /** @description With other values of edges' properties. */
            set_edges?: components["schemas"]["EdgeSetting"][];
            /** @description Where they end. */
            to?: string | null;
        };
        /** @description Whose token was sent. */
        WhoAmI: {
            tenant_id: string;
            who: components["schemas"]["Identity"];
        };
        /** @description Why somebody does something. */
        Why: {
            reason: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    post_api_v1_ingest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/gzip": string;
                "application/json": Record<string, never>;
                "application/octet-stream": string;
                "application/x-gzip": string;
                "application/zstd": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestedDocument"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestedDocument"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_livez: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_agents: {
        parameters: {
            query?: {
                /** @description Where the page before ended: its `next_cursor`. */
                cursor?: string;
                /** @description How many. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_agents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAgent"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedAgent"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_agents_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    put_v1_agents_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentProfile"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_agents_id_contain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Contain"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Containment"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_agents_id_freeze: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_agents_id_quarantine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_agents_id_restore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_agents_id_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_agents_id_rotate_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentToken"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_agents_id_unfreeze: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_alerts: {
        parameters: {
            query?: {
                /** @description About this agent, by id or key. */
                agent_id?: string;
                /** @description Where the page before ended: its `next_cursor`. */
                cursor?: string;
                /** @description How many. */
                limit?: number;
                /** @description By this rule. */
                rule?: string;
                severity?: "info" | "low" | "medium" | "high" | "critical";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_approvals: {
        parameters: {
            query?: {
                /** @description Where the page before ended: its `next_cursor`. */
                cursor?: string;
                /** @description How many. */
                limit?: number;
                /** @description `pending`, which it is if nothing is said, or `all`. */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownApprovalPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_approvals_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownApproval"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_approvals_id_approve: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalAnswer"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalStep"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_approvals_id_consume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimedCall"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalStep"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_approvals_id_edit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditedCall"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalStep"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_approvals_id_reject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalAnswer"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalStep"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_authorize: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthorizeRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizeAnswer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_containments: {
        parameters: {
            query?: {
                /** @description Where the page before ended: its `next_cursor`. */
                cursor?: string;
                /** @description How many. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainmentPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_containments_id_undo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Containment"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_decisions: {
        parameters: {
            query?: {
                /** @description Of this agent. */
                agent_id?: string;
                /** @description Where the page before ended: its `next_cursor`. */
                cursor?: string;
                /** @description With this verdict. */
                decision?: "allow" | "redact" | "require_approval" | "quarantine" | "deny";
                /** @description Not older than this. */
                from?: string;
                /** @description How many. */
                limit?: number;
                /** @description About calls of this MCP server: its key, or its id in the trust graph. */
                mcp_server?: string;
                /** @description Of this run. */
                run_id?: string;
                /** @description Older than this. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownDecisionPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_decisions_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionWithOutcome"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_estate_cuts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CutsAsked"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CutsAnswer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_diff: {
        parameters: {
            query: {
                /** @description The point that is compared with: a scan id, a date, a time, or `now`. */
                from: string;
                /** @description How many entries of each list; 1,000 at most. */
                limit?: number;
                /** @description The point that is looked at; `now` if nothing is said. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EstateDiff"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_estate_documents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/gzip": string;
                "application/json": Record<string, never>;
                "application/octet-stream": string;
                "application/x-gzip": string;
                "application/zstd": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestedDocument"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestedDocument"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_edge: {
        parameters: {
            query: {
                /** @description A scan id, a time, a date or `now`; the present if nothing is said. */
                at?: string;
                /** @description What it means. */
                kind: string;
                /** @description Where it starts: an id or a name. */
                source: string;
                /** @description Where it ends: an id or a name. */
                target: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EdgeDetail"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_findings: {
        parameters: {
            query?: {
                /** @description The point that is looked at: a scan id, a date, a time, or `now`. */
                at?: string;
                /** @description Entries of OWASP's lists, with or without the year, separated by commas. */
                category?: string;
                /** @description Where the page before ended: its `next_cursor`. */
                cursor?: string;
                /** @description Kinds of edges, checks or rules, separated by commas. */
                kind?: string;
                /** @description What became of them since the other point, separated by commas. */
                lifecycle?: string;
                /** @description How many; 1,000 at most. */
                limit?: number;
                /** @description The node that they are about. */
                node?: string;
                /** @description What their title says, whatever the case of its letters. */
                q?: string;
                /** @description Severities, separated by commas. */
                severity?: string;
                /** @description The point that they are compared with; what is fixed since then is listed, too. */
                since?: string;
                /** @description What people think of them, separated by commas. */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindingPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_findings_fingerprint: {
        parameters: {
            query?: {
                /** @description Whether to try what is gone without each edge that it rests on. */
                alone?: boolean;
                /** @description The point that is looked at: a scan id, a date, a time, or `now`. */
                at?: string;
            };
            header?: never;
            path: {
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindingDetail"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_estate_findings_triage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriageAsked"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriagedFindings"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_graph: {
        parameters: {
            query?: {
                /** @description A scan id, a time, a date or `now`; the present if nothing is said. */
                at?: string;
                /** @description Whether derived edges are told besides those that were seen, or alone. */
                composite?: "yes" | "no" | "only";
                /** @description Where the page before ended: its `next_cursor`. */
                cursor?: string;
                /** @description Only edges of these kinds, with commas between them. */
                edge_kinds?: string;
                /** @description Only nodes of these kinds, with commas between them. */
                kinds?: string;
                /** @description How many nodes, up to 50,000. */
                limit?: number;
                /** @description Only nodes that scans of this machine saw. */
                origin?: string;
                /** @description Only nodes whose worst finding is one of these: `low`, `medium`, `high`, `critical`. */
                severity?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subgraph"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_nodes_id: {
        parameters: {
            query?: {
                /** @description A scan id, a time, a date or `now`; the present if nothing is said. */
                at?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDetail"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_estate_nodes_id_acknowledge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcknowledgeAsked"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcknowledgedChanges"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    put_v1_estate_nodes_id_marks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarkAsked"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarkedNode"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_nodes_id_neighbours: {
        parameters: {
            query?: {
                /** @description A scan id, a time, a date or `now`; the present if nothing is said. */
                at?: string;
                /** @description Where the page before ended: its `next_cursor`. */
                cursor?: string;
                /** @description Only edges that start here, or end here. */
                direction?: "in" | "out" | "both";
                /** @description Only edges of these kinds, with commas between them. */
                edge_kinds?: string;
                /** @description Only neighbours of these kinds, with commas between them. */
                kinds?: string;
                /** @description How many edges, up to 5,000. */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subgraph"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_estate_paths: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PathsAsked"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PathsAnswer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_questions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Questions"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_estate_questions_name: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuestionAsked"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuestionAnswer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_estate_reach: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReachAsked"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReachAnswer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_rules: {
        parameters: {
            query?: {
                /** @description Where the page before ended: its `next_cursor`. */
                cursor?: string;
                /** @description How many. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulePage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_rules_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleDetail"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_estate_rules_try: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriedText"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextTrial"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_scans: {
        parameters: {
            query?: {
                /** @description Where the page before ended: its `next_cursor`. */
                cursor?: string;
                /** @description How many. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_scans_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanRow"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    delete_v1_estate_scans_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanRow"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_search: {
        parameters: {
            query: {
                /** @description A scan id, a time, a date or `now`; the present if nothing is said. */
                at?: string;
                /** @description Only nodes of these kinds, with commas between them. */
                kinds?: string;
                /** @description How many hits, up to 200. */
                limit?: number;
                /** @description Part of a name, an id, an address, a command, a description or anything else, whatever the case of its letters. */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchAnswer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_estate_summary: {
        parameters: {
            query?: {
                /** @description The point that is looked at: a scan id, a date, a time, or `now`. */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EstateSummary"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_estate_what_if: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WhatIfAsked"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhatIfAnswer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_graph_agent_agent_id: {
        parameters: {
            query?: {
                /** @description Where the part before ended: its `next_cursor`. */
                cursor?: string;
                /** @description How far to look around an agent, from 1 to 5. */
                depth?: number;
            };
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceGraph"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_graph_chain_run_id: {
        parameters: {
            query?: {
                /** @description Where the part before ended: its `next_cursor`. */
                cursor?: string;
                /** @description How far to look around an agent, from 1 to 5. */
                depth?: number;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceGraph"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_graph_incident_incident_id: {
        parameters: {
            query?: {
                /** @description Where the part before ended: its `next_cursor`. */
                cursor?: string;
                /** @description How far to look around an agent, from 1 to 5. */
                depth?: number;
            };
            header?: never;
            path: {
                incident_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceGraph"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_graph_run_run_id: {
        parameters: {
            query?: {
                /** @description Where the part before ended: its `next_cursor`. */
                cursor?: string;
                /** @description How far to look around an agent, from 1 to 5. */
                depth?: number;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceGraph"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_incidents: {
        parameters: {
            query?: {
                /** @description About this agent, by id or key. */
                agent_id?: string;
                /** @description Where the page before ended: its `next_cursor`. */
                cursor?: string;
                /** @description Of this kind. */
                kind?: string;
                /** @description How many. */
                limit?: number;
                severity?: "info" | "low" | "medium" | "high" | "critical";
                status?: "open" | "closed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_incidents_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentWithSources"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_incidents_id_close: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosedIncident"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_mcp_servers: {
        parameters: {
            query?: {
                /** @description Where the page before ended: its `next_cursor`. */
                cursor?: string;
                /** @description How many. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServerPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_mcp_servers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpRegistration"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_mcp_servers_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    delete_v1_mcp_servers_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_mcp_servers_key_manifest_history: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeenManifestPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_mcp_servers_key_quarantine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_mcp_servers_key_restore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_mcp_servers_key_tools: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpManifest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManifestOutcome"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_mcp_servers_key_tools_tool_approve: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
                tool: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolAgreement"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_mcp_servers_key_tools_tool_disable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
                tool: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolAgreement"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_openapi_json: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_people: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_people: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPerson"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedPerson"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    delete_v1_people_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_people_id_rotate_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonToken"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_policies: {
        parameters: {
            query?: {
                /** @description Where the page before ended: its `next_cursor`. */
                cursor?: string;
                /** @description How many. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyList"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_policies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPolicy"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedPolicy"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_policies_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownPolicy"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    put_v1_policies_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyEdit"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedPolicy"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    delete_v1_policies_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedPolicy"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_policies_key_history: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyVersionPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_policies_key_rollback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyRollback"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedPolicy"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_policies_default: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownPolicy"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_policies_diff: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyChange"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyDiff"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_policies_reload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoadedFile"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_policies_schema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_policies_test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyTest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestedPolicies"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_policies_validate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProposedPolicy"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidPolicy"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_receipts: {
        parameters: {
            query?: {
                /** @description Newest first, before this sequence: what the header `x-next-cursor` of the page before said. */
                cursor?: number;
                /** @description Oldest first, from this sequence on. */
                from?: number;
                /** @description How many. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptList"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_receipts_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_receipts_id_outcome: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportedOutcome"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedOutcome"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_receipts_id_proof: {
        parameters: {
            query?: {
                /** @description How many receipts the tree has; all that there are if nothing is said. */
                size?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InclusionProof"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_receipts_id_verify: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedReceipt"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_receipts_chain_head: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainEnd"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_receipts_checkpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkpoint"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_receipts_consistency: {
        parameters: {
            query: {
                /** @description The smaller tree. */
                from: number;
                /** @description The larger tree. */
                to: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsistencyProof"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_receipts_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningKeys"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_receipts_retain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Keep"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retained"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_receipts_rotate_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningKey"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_receipts_verify_chain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReceiptList"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedChain"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_soc_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedRulePage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_soc_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDetectionRule"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedRule"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    delete_v1_soc_rules_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_soc_rules_key_backtest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BacktestRange"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backtested"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_soc_rules_backtest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleTrial"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backtested"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_soc_summary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SocSummary"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_tenants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_tenants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTenant"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedTenant"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_tenants_response: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponseSetting"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    put_v1_tenants_response: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResponseSetting"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponseSetting"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_tenants_risk_escalation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscalationSetting"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    put_v1_tenants_risk_escalation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscalationSetting"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscalationSetting"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_tenants_risk_weights: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RiskWeights"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    put_v1_tenants_risk_weights: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RiskWeights"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RiskWeights"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_tools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolPage"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    post_v1_tools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Tool"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedTool"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    delete_v1_tools_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_version: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Version"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_whoami: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoAmI"];
                };
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_v1_ws_events: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Switching Protocols */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was not done. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
}
