//! How node ids are made.

use tracehound_model::{NodeId, NodeKind};

use crate::generate::markdown::{code, table};

/// The rule, a table of what goes into each kind's id, and an example that the code itself computes.
pub(super) fn section() -> String {
    let rows = NodeKind::ALL.iter().map(|kind| [code(kind.name()), parts(*kind)]);
    format!("{HEAD}{}\n{}", table(["Kind", "What follows the kind's name"], rows), example())
}

const HEAD: &str = "\
## Ids

The id of a node is a hash of what the thing is, never of when or by whom it was seen. Whoever sees the same thing
gives it the same id, and that is how facts of different collectors meet: the configuration file tells which agent
trusts a server, asking the server tells which tools it offers, and both speak of one node. When a node is seen again,
later facts refine earlier ones; it is never there twice.

An id is the text `sha256:` and the SHA-256, in hexadecimal digits, of the kind's name and the parts below, all joined
by single colons. Parts are taken byte for byte unless the table says otherwise; where a part is the id of another
node, it is the whole text with its `sha256:`. Other producers may use any text as an id; two texts that differ in a
single byte are two nodes.

";

fn parts(kind: NodeKind) -> String {
    let of_server = |part: &str| format!("id of its server, {part}");
    match kind {
        NodeKind::McpServer => format!(
            "{stdio}, the command, and its arguments trimmed, sorted and joined by commas (that part and its colon \
             are left out when there are no arguments); or {http} and the URL",
            stdio = code("stdio"),
            http = code("http"),
        ),
        NodeKind::McpTool | NodeKind::McpPrompt => of_server("its name"),
        NodeKind::McpResource => of_server("its URI"),
        NodeKind::A2aAgent => "its base URL: with a scheme, without the path of its card and slashes at the end".into(),
        NodeKind::A2aSkill => "id of its agent, the skill's own id".into(),
        NodeKind::AgentInstance => "id of its configuration file, name of the client".into(),
        NodeKind::Identity => "id of the server or agent, type of the identity".into(),
        NodeKind::Credential => "where it is kept, its name there. A secret in a configuration is kept in the file's \
                                 path, `#` and the server's name; one of a service at the service's base URL"
            .into(),
        NodeKind::Host => "host name or IP address".into(),
        NodeKind::ConfigFile | NodeKind::InstructionFile => "absolute path".into(),
        NodeKind::OllamaInstance
        | NodeKind::VllmInstance
        | NodeKind::QdrantInstance
        | NodeKind::MlflowServer
        | NodeKind::LitellmGateway
        | NodeKind::JupyterServer
        | NodeKind::LangserveApp
        | NodeKind::OpenWebuiInstance => "base URL: scheme, host and port".into(),
        NodeKind::AiService => "no id of its own: a service is identified by its kind".into(),
        NodeKind::AiModel => "id of the instance that serves it, its name".into(),
        NodeKind::ExtractedTrainingSignal => "whatever its producer chose".into(),
        NodeKind::ResourceGroup | NodeKind::TrustZone => "never in a document".into(),
    }
}

fn example() -> String {
    let server = NodeId::stdio_server("npx", &["-y", "@acme/files"]);
    let tool = NodeId::mcp_tool(&server, "read_file");
    format!(
        "\
For example, a server that is started as `npx -y @acme/files`, and its tool `read_file`:

```text
{server_kind}:stdio:npx:-y,@acme/files
-> {server}

{tool_kind}:{server}:read_file
-> {tool}
```

Credentials are the one place where equal things stay apart: the same secret kept in two places is two nodes, which
are joined by an equal `value_hash`. The value itself is hashed where it is found and never kept. Where nobody saw
the value (`value_known` is false) the hash stands for nothing, and such credentials are never joined.

",
        server_kind = NodeKind::McpServer,
        tool_kind = NodeKind::McpTool,
    )
}

#[cfg(test)]
mod tests {
    use tracehound_model::hash;

    use super::*;

    /// The page cannot show a formula that the code does not use: what stands before an arrow hashes to what follows.
    #[test]
    fn the_example_follows_the_rule_it_illustrates() {
        let text = example();
        let lines: Vec<&str> = text.lines().collect();
        let steps = lines.windows(2).filter_map(|pair| Some((pair[0], pair[1].strip_prefix("-> sha256:")?)));
        let steps: Vec<(&str, &str)> = steps.collect();
        assert_eq!(steps.len(), 2);
        for (formula, id) in steps {
            assert_eq!(hash::content(formula), id);
        }
    }
}
