//! Who takes part: agents, the MCP servers of the sample estate, and two tools that are not MCP servers.

use anyhow::Context as _;
use serde_json::{Value, json};
use tracehound_evidence::identity::DEFAULT_TENANT;

use super::Stage;

/// Everybody, registered.
pub(super) struct Cast {
    pub(super) cursor: Player,
    pub(super) helpdesk: Player,
    pub(super) deployer: Player,
    pub(super) build: Player,
}

/// An agent that can act.
pub(super) struct Player {
    pub(super) id: String,
    pub(super) token: String,
}

/// An MCP server of the sample estate: what starts it leads to the same node as in the scans.
struct Server {
    key: &'static str,
    command: &'static str,
    args: &'static [&'static str],
    tool: (&'static str, &'static str),
    trust: &'static str,
}

const SERVERS: [Server; 4] = [
    Server {
        key: "customers",
        command: "npx",
        args: &["-y", "@example/postgres-server@2.1.0"],
        tool: ("query", "Run a read-only SQL query against the customer database."),
        trust: "internal",
    },
    Server {
        key: "files",
        command: "npx",
        args: &["-y", "@modelcontextprotocol/server-filesystem", "/home/lena"],
        tool: ("read_file", "Read the complete contents of a file within the allowed directories."),
        trust: "internal",
    },
    Server {
        key: "report",
        command: "uvx",
        args: &["report-tools"],
        tool: ("format_report", "Format a table as Markdown."),
        trust: "third_party",
    },
    Server {
        key: "shell",
        command: "uvx",
        args: &["shell-server==0.4.2"],
        tool: ("run", "Run a shell command in the build directory."),
        trust: "internal",
    },
];

impl Cast {
    /// Registers everybody and everything.
    pub(super) async fn arrive(stage: &Stage) -> anyhow::Result<Self> {
        if stage.tenant != DEFAULT_TENANT {
            stage.post("/v1/tenants", json!({ "tenant_id": stage.tenant, "name": stage.tenant })).await?;
        }
        for server in &SERVERS {
            server.register(stage).await?;
        }
        tools(stage).await?;
        Ok(Self {
            cursor: player(stage, "cursor-lena", "Lena's Cursor", "development", "medium").await?,
            helpdesk: player(stage, "helpdesk", "Helpdesk", "production", "medium").await?,
            deployer: player(stage, "deployer", "Deployer", "production", "high").await?,
            build: player(stage, "claude-code-build", "Build server's Claude Code", "ci", "low").await?,
        })
    }
}

impl Server {
    async fn register(&self, stage: &Stage) -> anyhow::Result<()> {
        let body = json!({
            "server_key": self.key, "name": self.key, "transport": "stdio", "command": self.command, "args": self.args,
            "trust_level": self.trust,
        });
        stage.post("/v1/mcp/servers", body).await?;
        let (tool, description) = self.tool;
        let shown = stage.post(&format!("/v1/mcp/servers/{}/tools", self.key), manifest(tool, description)).await?;
        let hash = shown.pointer("/tools/0/hash").cloned().context("the tool has no hash")?;
        let path = format!("/v1/mcp/servers/{}/tools/{tool}/approve", self.key);
        stage.post(&path, json!({ "hash": hash, "reason": "looked at when the server was set up" })).await?;
        Ok(())
    }
}

/// What a server with one tool shows.
pub(super) fn manifest(tool: &str, description: &str) -> Value {
    let is_changing = tool == "run";
    let risk = if is_changing { "high" } else { "low" };
    json!({ "tools": [{
        "tool_key": tool, "name": tool, "description": description, "risk": risk, "mutates_state": is_changing,
    }] })
}

async fn tools(stage: &Stage) -> anyhow::Result<()> {
    let action =
        |key: &str, risk: &str, mutates: bool| json!({ "action_key": key, "risk": risk, "mutates_state": mutates });
    let github = [action("get_pull_request", "low", false), action("merge_pull_request", "high", true)];
    stage
        .post("/v1/tools", json!({ "tool_key": "github", "name": "GitHub", "type": "http", "actions": github }))
        .await?;
    let shop =
        [action("get_order", "low", false), action("refund", "high", true), action("roll_out", "critical", true)];
    stage.post("/v1/tools", json!({ "tool_key": "shop", "name": "Shop", "type": "http", "actions": shop })).await?;
    Ok(())
}

async fn player(stage: &Stage, key: &str, name: &str, environment: &str, tier: &str) -> anyhow::Result<Player> {
    let body = json!({ "agent_key": key, "name": name, "environment": environment, "risk_tier": tier });
    let made = stage.post("/v1/agents", body).await?;
    let text = |name: &str| made.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
    let (id, token) = text("id").zip(text("agent_token")).context("an agent without id or token")?;
    Ok(Player { id, token })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tracehound_model::NodeId;

    use super::*;

    #[test]
    fn servers_are_those_of_the_sample_estate() {
        let documents = crate::demo::documents();
        let scanned: HashSet<String> =
            documents.iter().flat_map(|document| &document.graph.nodes).map(|node| node.id.to_string()).collect();
        for server in &SERVERS {
            let args: Vec<String> = server.args.iter().map(|&argument| argument.to_owned()).collect();
            let id = NodeId::stdio_server(server.command, &args);
            assert!(scanned.contains(&id.to_string()), "{}", server.key);
        }
    }
}
