-- Everything carries its tenant, and every index begins with it, so that what a tenant asks for costs what it has.
-- Times are microseconds since 1970. Lists are JSON text. Nothing here holds a secret: tokens are hashes, arguments are
-- hashed and redacted before they arrive.

CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- People and machines that use the API.
CREATE TABLE people (
    id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
CREATE UNIQUE INDEX people_by_name ON people (tenant, name) WHERE revoked_at IS NULL;

CREATE TABLE agents (
    id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL REFERENCES tenants (id),
    agent_key TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    -- What is said about the agent, as one JSON object.
    profile TEXT NOT NULL,
    UNIQUE (tenant, agent_key)
) STRICT;

-- Registered tools with their actions, and MCP servers with their tools, each as one JSON object.
CREATE TABLE tools (
    tenant TEXT NOT NULL REFERENCES tenants (id),
    tool_key TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    definition TEXT NOT NULL,
    PRIMARY KEY (tenant, tool_key)
) STRICT;

CREATE TABLE mcp_servers (
    tenant TEXT NOT NULL REFERENCES tenants (id),
    server_key TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    definition TEXT NOT NULL,
    PRIMARY KEY (tenant, server_key)
) STRICT;

CREATE TABLE mcp_manifests (
    tenant TEXT NOT NULL REFERENCES tenants (id),
    server_key TEXT NOT NULL,
    number INTEGER NOT NULL,
    manifest_hash TEXT NOT NULL,
    seen_at INTEGER NOT NULL,
    manifest TEXT NOT NULL,
    drift TEXT NOT NULL,
    PRIMARY KEY (tenant, server_key, number)
) STRICT;

-- Every version of every policy. The one in force is the newest; `is_active` says whether it counts.
CREATE TABLE policies (
    tenant TEXT NOT NULL REFERENCES tenants (id),
    policy_key TEXT NOT NULL,
    version INTEGER NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    author TEXT NOT NULL,
    reason TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, policy_key, version)
) STRICT;

CREATE TABLE decisions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    tenant TEXT NOT NULL REFERENCES tenants (id),
    agent_id TEXT NOT NULL,
    run_id TEXT,
    parent_run_id TEXT,
    trace_id TEXT,
    user_id TEXT,
    tool TEXT NOT NULL,
    action TEXT NOT NULL,
    resource TEXT,
    mcp_server TEXT,
    source_trust TEXT NOT NULL,
    root_trust_level TEXT NOT NULL,
    mutates_state INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    code TEXT NOT NULL,
    reason TEXT NOT NULL,
    explanation TEXT NOT NULL,
    risk_score INTEGER NOT NULL,
    composite_risk_score INTEGER NOT NULL,
    policies TEXT NOT NULL,
    redacted_fields TEXT NOT NULL,
    action_hash TEXT NOT NULL,
    argument_hash TEXT NOT NULL,
    request_id TEXT,
    request_hash TEXT NOT NULL,
    latency_us INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX decisions_by_id ON decisions (tenant, id);
CREATE INDEX decisions_by_tenant ON decisions (tenant, number);
CREATE INDEX decisions_by_time ON decisions (tenant, created_at);
CREATE INDEX decisions_by_agent ON decisions (tenant, agent_id, number);
CREATE INDEX decisions_by_run ON decisions (tenant, run_id, number) WHERE run_id IS NOT NULL;
CREATE INDEX decisions_by_parent_run ON decisions (tenant, parent_run_id, number) WHERE parent_run_id IS NOT NULL;
CREATE UNIQUE INDEX decisions_by_request ON decisions (tenant, agent_id, request_id) WHERE request_id IS NOT NULL;

CREATE TABLE nonces (
    tenant TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    nonce TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, agent_id, nonce)
) STRICT, WITHOUT ROWID;
CREATE INDEX nonces_by_expiry ON nonces (expires_at);

CREATE TABLE approvals (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    tenant TEXT NOT NULL REFERENCES tenants (id),
    decision_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    status TEXT NOT NULL,
    approver_group TEXT,
    original_hash TEXT NOT NULL,
    effective_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    decided_at INTEGER,
    consumed_at INTEGER,
    -- The call as a person sees it, the edited one, and who did what, as one JSON object.
    content TEXT NOT NULL
) STRICT;
CREATE INDEX approvals_by_decision ON approvals (tenant, decision_id);
CREATE UNIQUE INDEX approvals_by_id ON approvals (tenant, id);
CREATE INDEX approvals_by_tenant ON approvals (tenant, number);
CREATE INDEX approvals_pending ON approvals (tenant, number) WHERE status = 'created';

-- The chain. `receipt` is the object as it is listed, hashed and signed.
CREATE TABLE receipts (
    tenant TEXT NOT NULL REFERENCES tenants (id),
    sequence INTEGER NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    decision_id TEXT,
    hash TEXT NOT NULL,
    receipt TEXT NOT NULL,
    PRIMARY KEY (tenant, sequence)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX receipts_by_id ON receipts (tenant, id);
CREATE INDEX receipts_by_decision ON receipts (tenant, decision_id, sequence) WHERE decision_id IS NOT NULL;

-- Complete subtrees of the Merkle tree over a chain, from 256 leaves upwards.
CREATE TABLE tree (
    tenant TEXT NOT NULL,
    level INTEGER NOT NULL,
    position INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (tenant, level, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoints (
    tenant TEXT NOT NULL REFERENCES tenants (id),
    size INTEGER NOT NULL,
    checkpoint TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, size)
) STRICT;

CREATE TABLE signing_keys (
    key_id TEXT PRIMARY KEY,
    public_key TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    retired_at INTEGER
) STRICT;

-- What detection rules look at, kept so that a rule can be tried on the past.
CREATE TABLE events (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    tenant TEXT NOT NULL REFERENCES tenants (id),
    kind TEXT NOT NULL,
    agent_id TEXT,
    decision_id TEXT,
    occurred_at INTEGER NOT NULL,
    event TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_tenant ON events (tenant, number);
CREATE INDEX events_by_time ON events (tenant, occurred_at);

-- How far detection has got, so that nothing is missed and nothing is told twice after a stop.
CREATE TABLE detection (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    decisions INTEGER NOT NULL,
    events INTEGER NOT NULL
) STRICT;
INSERT INTO detection VALUES (1, 0, 0);

-- What a rule has told and must not tell again: that something was seen for the first time, that an hour is unusual.
CREATE TABLE told (
    tenant TEXT NOT NULL,
    rule_key TEXT NOT NULL,
    subject TEXT NOT NULL,
    PRIMARY KEY (tenant, rule_key, subject)
) STRICT, WITHOUT ROWID;

-- How many events each hour of an agent had that concern a rule about what is usual. Old hours are forgotten.
CREATE TABLE agent_hours (
    hour INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    rule_key TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    events INTEGER NOT NULL,
    PRIMARY KEY (hour, tenant, rule_key, agent_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE detection_rules (
    tenant TEXT NOT NULL REFERENCES tenants (id),
    rule_key TEXT NOT NULL,
    body TEXT NOT NULL,
    author TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, rule_key)
) STRICT;

CREATE TABLE alerts (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    tenant TEXT NOT NULL REFERENCES tenants (id),
    rule TEXT NOT NULL,
    severity TEXT NOT NULL,
    agent_id TEXT,
    decision_id TEXT,
    event_id TEXT NOT NULL,
    summary TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX alerts_by_id ON alerts (tenant, id);
CREATE INDEX alerts_by_tenant ON alerts (tenant, number);
CREATE INDEX alerts_by_time ON alerts (tenant, created_at);

CREATE TABLE incidents (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    tenant TEXT NOT NULL REFERENCES tenants (id),
    kind TEXT NOT NULL,
    severity TEXT NOT NULL,
    agent_id TEXT,
    summary TEXT NOT NULL,
    -- More than are listed below, if there are very many.
    event_count INTEGER NOT NULL,
    status TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    closed_at INTEGER,
    closed_by TEXT,
    closing_reason TEXT
) STRICT;
CREATE UNIQUE INDEX incidents_by_id ON incidents (tenant, id);
CREATE INDEX incidents_by_tenant ON incidents (tenant, number);
CREATE INDEX incidents_by_agent ON incidents (tenant, agent_id, number);
CREATE INDEX incidents_open ON incidents (tenant, severity) WHERE status = 'open';

-- The decisions and events behind an incident.
CREATE TABLE incident_sources (
    tenant TEXT NOT NULL,
    incident_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    decision_id TEXT,
    PRIMARY KEY (tenant, incident_id, position)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX incident_sources_by_event ON incident_sources (tenant, incident_id, event_id);

-- What was done to stop something, and whether it was undone.
CREATE TABLE containments (
    id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL REFERENCES tenants (id),
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    incident_id TEXT,
    author TEXT NOT NULL,
    reason TEXT NOT NULL,
    previous TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    undone_at INTEGER,
    undone_by TEXT,
    undo_reason TEXT
) STRICT;
CREATE INDEX containments_by_tenant ON containments (tenant, created_at, id);
CREATE INDEX containments_by_agent ON containments (tenant, subject, created_at);

-- Settings of a tenant: risk weights, thresholds of escalation, automatic containment. One JSON object each.
CREATE TABLE settings (
    tenant TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, name)
) STRICT;
