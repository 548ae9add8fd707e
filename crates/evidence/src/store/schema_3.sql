-- Version 3: what was asked of an MCP server is found by the server's key, and by its id in the trust graph.

ALTER TABLE decisions ADD COLUMN mcp_server_key TEXT;
ALTER TABLE decisions ADD COLUMN mcp_node_id TEXT;
UPDATE decisions SET
    mcp_server_key = json_extract(mcp_server, '$.server_key'),
    mcp_node_id = json_extract(mcp_server, '$.node_id')
    WHERE mcp_server IS NOT NULL;
CREATE INDEX decisions_by_mcp_server ON decisions (tenant, mcp_server_key, number) WHERE mcp_server_key IS NOT NULL;
CREATE INDEX decisions_by_mcp_node ON decisions (tenant, mcp_node_id, number) WHERE mcp_node_id IS NOT NULL;
