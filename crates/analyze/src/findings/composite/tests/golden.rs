//! What is said of each kind, whole.

use super::*;

/// A world in which every way to reach something is there once.
fn world() -> Graph {
    let nodes = [
        node("a1", "AgentInstance", json!({ "name": "alpha" })),
        node("s1", "MCPServer", json!({ "name": "files", "auth_method": "none", "transport": "http" })),
        node("s2", "MCPServer", json!({ "name": "db", "auth_method": "apiKey" })),
        node("s3", "MCPServer", json!({ "name": "mail", "auth_method": "oauth" })),
        node("s4", "MCPServer", json!({ "name": "vault", "auth_method": "oauth" })),
        node("t1", "MCPTool", json!({ "name": "read_file", "capability_surface": ["file_read", "shell_access"] })),
        node("t2", "MCPTool", json!({ "name": "query_db", "capability_surface": ["database_access"] })),
        node("t3", "MCPTool", json!({ "name": "send_mail", "capability_surface": ["email_send"] })),
        node("t4", "MCPTool", json!({ "name": "query_vault", "capability_surface": ["database_access"] })),
        node("r1", "MCPResource", json!({ "name": "notes", "uri": "file:///srv/notes", "sensitivity": "high" })),
        node("r2", "MCPResource", json!({ "name": "customers", "uri": "postgres://db/c", "sensitivity": "critical" })),
        node("r4", "MCPResource", json!({ "name": "keys", "uri": "postgres://vault/k", "sensitivity": "critical" })),
        node("r5", "MCPResource", json!({ "name": "inbox", "uri": "imap://in" })),
        node("c2", "Credential", json!({ "name": "DB_URL", "value_hash": "v1", "value_known": true })),
        node("c3", "Credential", json!({ "name": "MAIL_KEY", "value_hash": "v2", "value_known": true })),
        node("c4", "Credential", json!({ "name": "VAULT_KEY", "value_hash": "v2", "value_known": true })),
        node("c5", "Credential", json!({ "name": "GATEWAY_KEY", "value_hash": "v3", "value_known": true })),
        node("c6", "Credential", json!({ "name": "master", "value_hash": "v3", "value_known": true })),
        node("c7", "Credential", json!({ "name": "upstream", "value_hash": "v4", "value_known": true })),
        node("i2", "Identity", json!({ "name": "db-user" })),
        node("h1", "Host", json!({ "hostname": "box", "is_local": true })),
        node("g1", "LiteLLMGateway", json!({ "name": "gate" })),
        node("x1", "A2AAgent", json!({ "name": "front", "auth_method": "none" })),
        node("x2", "A2AAgent", json!({ "name": "back", "auth_method": "oauth" })),
        node("k1", "ConfigFile", json!({ "path": "/home/u/mcp.json" })),
        node("f1", "InstructionFile", json!({ "path": "/p/AGENTS.md", "line": 4, "column": 1 })),
    ];
    let edges = [
        edge_at("a1", EdgeKind::TrustsServer, "s1", 3),
        edge_at("a1", EdgeKind::TrustsServer, "s3", 8),
        edge_at("s1", EdgeKind::ConfiguredIn, "k1", 4),
        edge("s1", EdgeKind::ProvidesTool, "t1"),
        edge("s2", EdgeKind::ProvidesTool, "t2"),
        edge("s3", EdgeKind::ProvidesTool, "t3"),
        edge("s4", EdgeKind::ProvidesTool, "t4"),
        edge("s1", EdgeKind::ProvidesResource, "r1"),
        edge("s2", EdgeKind::ProvidesResource, "r2"),
        edge("s4", EdgeKind::ProvidesResource, "r4"),
        edge("s1", EdgeKind::RunsOn, "h1"),
        edge("s2", EdgeKind::RunsOn, "h1"),
        edge("x2", EdgeKind::RunsOn, "h1"),
        edge("x1", EdgeKind::DelegatesTo, "x2"),
        edge_at("s2", EdgeKind::HasEnvVar, "c2", 20),
        edge_at("s3", EdgeKind::HasEnvVar, "c3", 21),
        edge_at("s4", EdgeKind::HasEnvVar, "c4", 22),
        edge_at("s3", EdgeKind::HasEnvVar, "c5", 23),
        edge("s2", EdgeKind::AuthenticatesWith, "i2"),
        edge("i2", EdgeKind::UsesCredential, "c2"),
        edge("g1", EdgeKind::ExposesCredential, "c6"),
        edge("g1", EdgeKind::ExposesCredential, "c7"),
        edge_at("a1", EdgeKind::LoadsInstructions, "f1", 1),
    ];
    graph(&nodes, &edges)
}

/// What the processors that derive nothing here would add.
fn added(graph: &Graph) -> Vec<Added<'static>> {
    let n = |id: &str| at(graph, id);
    let provided = |server: &str, tool: &str| Hop::along(EdgeKind::ProvidesTool, n(server), n(tool));
    let trusted = |server: &str| Hop::along(EdgeKind::TrustsServer, n("a1"), n(server));
    let add = |kind, ends, confidence, detail, path| Added { kind, ends, confidence, detail, path };
    vec![
        add(
            EdgeKind::Shadows,
            ("t1", "t2"),
            0.9,
            Detail::Shadow { is_injected: true },
            vec![provided("s1", "t1"), provided("s2", "t2")],
        ),
        add(EdgeKind::PoisonedDescription, ("t1", "t1"), 1.0, Detail::Poison, vec![provided("s1", "t1")]),
        add(
            EdgeKind::PoisonedInstructions,
            ("f1", "f1"),
            1.0,
            Detail::Poison,
            vec![Hop::along(EdgeKind::LoadsInstructions, n("a1"), n("f1"))],
        ),
        add(
            EdgeKind::PoisonsContext,
            ("t1", "t3"),
            0.6,
            Detail::Context { agent: n("a1") },
            vec![trusted("s1"), provided("s1", "t1"), trusted("s3"), provided("s3", "t3")],
        ),
        add(
            EdgeKind::Taints,
            ("t1", "t2"),
            0.7,
            Detail::Taint { keys: 2 },
            vec![provided("s1", "t1"), provided("s2", "t2")],
        ),
        add(
            EdgeKind::IfcViolation,
            ("t3", "t1"),
            0.6,
            Detail::Flow { resource: n("r5") },
            vec![
                Hop::along(EdgeKind::IngestsUntrusted, n("t3"), n("r5")),
                Hop::against(EdgeKind::HasAccessTo, n("r5"), n("t1")),
            ],
        ),
        add(EdgeKind::CanImpersonate, ("x1", "x2"), 0.93, Detail::Likeness, vec![]),
        add(
            EdgeKind::ConfusedDeputy,
            ("x1", "x2"),
            0.8,
            Detail::Deputy { low: Auth::None, high: Auth::Oauth },
            vec![Hop::along(EdgeKind::DelegatesTo, n("x1"), n("x2"))],
        ),
    ]
}

/// Everything that is said of every composite edge of the world. Read it when it changes: people act on these sentences.
#[test]
fn each_kind_says_what_is_wrong_for_whom_and_what_to_do() {
    let graph = world();
    let analysis = analysis_with(&graph, &added(&graph));
    let mut told = String::new();
    for finding in all(&Picture::new(&graph, &analysis), &[]) {
        if EdgeKind::from_name(&finding.kind).is_none() {
            continue;
        }
        let place = finding.place.map_or_else(|| "-".to_owned(), |it| format!("{}:{}", it.file, it.line));
        let standards: Vec<String> = finding.standards.iter().map(|it| it.id.clone()).collect();
        let path: Vec<String> = finding.path.iter().map(|it| format!("{} ({})", it.words, it.weight)).collect();
        told.push_str(&format!(
            "{} {} {} | {}\n  {}\n  means: {}\n  since: {}\n  do: {}\n  at: {place}\n  under: {}\n  path {:?}: {}\n",
            finding.severity,
            finding.kind,
            finding.confidence,
            finding.category,
            finding.title,
            finding.description,
            finding.evidence,
            finding.remediation,
            standards.join(" "),
            finding.total_weight,
            path.join("; "),
        ));
    }
    assert_eq!(told, include_str!("golden.txt"));
    assert!(!told.contains(['{', '}']), "a name was not filled in");
}

/// Every derived kind, and every way to reach something, is in the world.
#[test]
fn the_world_leaves_out_no_kind() {
    let graph = world();
    let analysis = analysis_with(&graph, &added(&graph));
    for kind in EdgeKind::ALL.iter().filter(|kind| !kind.is_input()) {
        assert!(!analysis.derived.of(*kind).is_empty(), "{kind}");
    }
    assert!(analysis.derived.of(EdgeKind::CanReach).len() >= 5);
}

/// Names and numbers of standards are the published ones.
#[test]
fn standards_have_their_published_names() {
    let graph = world();
    let analysis = analysis_with(&graph, &added(&graph));
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for standard in all(&Picture::new(&graph, &analysis), &[]).into_iter().flat_map(|it| it.standards) {
        let name = names.entry(standard.id).or_insert_with(|| standard.name.clone());
        assert_eq!(*name, standard.name);
    }
    let published = [
        ("MCP01:2025", "Token Mismanagement & Secret Exposure"),
        ("MCP02:2025", "Privilege Escalation via Scope Creep"),
        ("MCP03:2025", "Tool Poisoning"),
        ("MCP05:2025", "Command Injection & Execution"),
        ("MCP06:2025", "Intent Flow Subversion"),
        ("MCP07:2025", "Insufficient Authentication & Authorization"),
        ("MCP10:2025", "Context Injection & Over-Sharing"),
        ("ASI01", "Agent Goal Hijack"),
        ("ASI02", "Tool Misuse and Exploitation"),
        ("ASI03", "Identity and Privilege Abuse"),
        ("ASI05", "Unexpected Code Execution (RCE)"),
        ("ASI06", "Memory & Context Poisoning"),
        ("ASI07", "Insecure Inter-Agent Communication"),
    ];
    for (id, name) in published {
        assert_eq!(names.get(id).map(String::as_str), Some(name), "{id}");
    }
}
