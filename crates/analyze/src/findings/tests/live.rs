//! Findings that rest on what servers and agents answered.

use serde_json::{Value, json};

use super::{check, edge, node};

fn server(id: &str, host: &str, auth: &str) -> (Value, Value) {
    let properties = json!({
        "name": id, "transport": "http", "endpoint": format!("https://{id}.example/mcp"), "auth_method": "none",
        "auth_observed": auth,
    });
    (node(id, "MCPServer", properties), edge(id, "RUNS_ON", host, 1))
}

fn tool(id: &str, powers: &[&str]) -> Value {
    node(id, "MCPTool", json!({ "name": id, "capability_surface": powers }))
}

fn hosts() -> [Value; 3] {
    [
        node("box", "Host", json!({ "hostname": "localhost", "is_local": true })),
        node("lan", "Host", json!({ "hostname": "lan", "is_local": false, "is_private": true, "is_public": false })),
        node("net", "Host", json!({ "hostname": "net", "is_local": false, "is_public": true })),
    ]
}

#[test]
fn a_server_that_answers_anyone_is_as_bad_as_who_can_reach_it_and_what_it_can_do() {
    let servers = [("a", "net"), ("b", "lan"), ("c", "lan"), ("d", "box"), ("e", "box")];
    let (mut nodes, mut edges) = (hosts().to_vec(), Vec::new());
    for (id, host) in servers {
        let (node, edge) = server(id, host, "none");
        nodes.push(node);
        edges.push(edge);
    }
    nodes.extend([tool("shell", &["file_read", "shell_access"]), tool("look", &["file_read"])]);
    edges.extend(["a", "b", "d"].map(|id| edge(id, "PROVIDES_TOOL", "shell", 1)));
    edges.extend(["c", "e"].map(|id| edge(id, "PROVIDES_TOOL", "look", 1)));
    check(
        json!(nodes),
        json!(edges),
        &[
            "critical server-answers-anyone `a` answers anyone who asks",
            "high server-answers-anyone `b` answers anyone who asks",
            "medium server-answers-anyone `c` answers anyone who asks",
            "medium server-answers-anyone `d` answers anyone who asks",
            "low server-answers-anyone `e` answers anyone who asks",
        ],
    );
}

#[test]
fn what_a_server_demands_counts_for_more_than_what_its_configuration_says() {
    let mut nodes = hosts().to_vec();
    let (asked, runs) = server("asked", "net", "oauth");
    nodes.push(asked);
    check(json!(nodes), json!([runs]), &[]);
}

#[test]
fn agents_that_take_tasks_from_anybody() {
    let agent = |id: &str, auth: &str| {
        node(id, "A2AAgent", json!({ "name": id, "url": format!("https://{id}.example"), "auth_method": auth }))
    };
    let mut nodes = hosts().to_vec();
    nodes.extend([agent("front", "none"), agent("plain", "none"), agent("near", "none"), agent("vault", "oauth")]);
    check(
        json!(nodes),
        json!([
            edge("front", "RUNS_ON", "net", 1),
            edge("plain", "RUNS_ON", "net", 1),
            edge("near", "RUNS_ON", "box", 1),
            edge("front", "DELEGATES_TO", "vault", 1),
            edge("plain", "DELEGATES_TO", "near", 1),
        ]),
        &[
            "high agent-answers-anyone `front` takes tasks from anybody",
            "medium agent-answers-anyone `plain` takes tasks from anybody",
        ],
    );
}

#[test]
fn cards_that_do_not_hold_what_they_say() {
    let agent = |id: &str, mut properties: Value| {
        properties["name"] = json!(id);
        properties["url"] = json!("https://a.example");
        properties["auth_method"] = json!("oauth");
        node(id, "A2AAgent", properties)
    };
    check(
        json!([
            agent("elsewhere", json!({ "claimed_url": "https://b.example" })),
            agent(
                "tampered",
                json!({ "is_signed": true, "signature_valid": false, "signature_problem": "it is not over this card" })
            ),
            agent("good", json!({ "is_signed": true, "signature_valid": true })),
            agent("unsigned", json!({ "is_signed": false, "signature_valid": false })),
        ]),
        json!([]),
        &[
            "high card-claims-another-address The card of `elsewhere` names another address than its own",
            "high card-signature-invalid The signature of the card of `tampered` can't be trusted",
        ],
    );
}

#[test]
fn what_was_not_looked_at_is_said() {
    check(
        json!([
            node("many", "MCPServer", json!({ "name": "many", "cut_short": ["tools after the first 1000"] })),
            node("long", "MCPServer", json!({ "name": "long" })),
            node("all", "MCPServer", json!({ "name": "all", "cut_short": [] })),
            node("T", "MCPTool", json!({ "name": "t", "cut_short": ["description"] })),
            node("agent", "A2AAgent", json!({ "name": "agent", "auth_method": "oauth", "cut_short": ["skills"] })),
        ]),
        json!([edge("long", "PROVIDES_TOOL", "T", 1)]),
        &[
            "low card-cut-short Not all of what `agent` says was looked at",
            "low server-list-cut-short Not all of what `long` says was looked at",
            "low server-list-cut-short Not all of what `many` says was looked at",
        ],
    );
}

#[test]
fn what_to_do_about_it_fits_limits_and_failures() {
    let remediation = super::super::cut_short::SERVER.remediation;
    let (again, ask) = (remediation.find("Scan it again"), remediation.find("ask whoever runs the server"));
    assert!(again == Some(0) && ask > again && remediation.contains("--timeout"), "{remediation}");
}

#[test]
fn a_server_that_repeats_a_secret() {
    let server = |id: &str, repeats: Value| node(id, "MCPServer", json!({ "name": id, "repeats_secret": repeats }));
    check(
        json!([
            server("tells", json!(true)),
            server("templated", json!("true")),
            server("silent", json!(false)),
            node("unasked", "MCPServer", json!({ "name": "unasked" })),
            node("config", "ConfigFile", json!({ "path": "/c.json" })),
        ]),
        json!([edge("tells", "CONFIGURED_IN", "config", 4)]),
        &[
            "high server-repeats-secret `templated` repeats a secret that it was given",
            "high server-repeats-secret `tells` repeats a secret that it was given @/c.json:4",
        ],
    );
}

#[test]
fn matches_of_rules_on_what_servers_and_agents_say() {
    let matches = |rules: &[(&str, &str)]| {
        let one = |(rule, field): &(&str, &str)| json!({ "rule": rule, "version": 1, "field": field, "span": [0, 3], "excerpt": "abc" });
        rules.iter().map(one).collect::<Value>().to_string()
    };
    let all = [("injection-concealment", "description"), ("injection-concealment", "description")];
    let classified = [("capability-shell-access", "combined"), ("sensitivity-critical", "uri")];
    check(
        json!([
            node(
                "S",
                "MCPServer",
                json!({ "name": "files", "rule_matches": matches(&[("injection-threat", "instructions")]) })
            ),
            node("T", "MCPTool", json!({ "name": "read", "rule_matches": matches(&all) })),
            node("U", "MCPTool", json!({ "name": "shell", "rule_matches": matches(&classified) })),
            node(
                "V",
                "MCPTool",
                json!({ "name": "grab", "rule_matches": matches(&[("overt-credential-theft", "description")]) })
            ),
            node("R", "MCPResource", json!({ "uri": "db://x", "rule_matches": matches(&classified) })),
            node(
                "P",
                "MCPPrompt",
                json!({ "name": "ask", "rule_matches": matches(&[("injection-hidden-bidi", "description")]) })
            ),
            node("A", "A2AAgent", json!({ "name": "helper", "auth_method": "oauth" })),
            node(
                "K",
                "A2ASkill",
                json!({ "name": "sum", "rule_matches": matches(&[("injection-override", "description")]) })
            ),
            node("config", "ConfigFile", json!({ "path": "/c.json" })),
        ]),
        json!([
            edge("S", "CONFIGURED_IN", "config", 4),
            edge("S", "PROVIDES_TOOL", "T", 1),
            edge("S", "PROVIDES_TOOL", "U", 1),
            edge("S", "PROVIDES_TOOL", "V", 1),
            edge("S", "PROVIDES_PROMPT", "P", 1),
            edge("S", "PROVIDES_RESOURCE", "R", 1),
            edge("A", "ADVERTISES_SKILL", "K", 1),
        ]),
        &[
            "critical injection-concealment The description of tool `read` of `files` tells the agent to hide something from the user @/c.json:4",
            "critical injection-override The description of skill `sum` of `helper` tells the agent to drop its instructions",
            "critical overt-credential-theft The tool `grab` of `files` openly steals credentials @/c.json:4",
            "high injection-hidden-bidi Characters that turn the reading direction: the description of prompt `ask` of `files` @/c.json:4",
            "medium injection-threat The instruction text of server `files` threatens the agent @/c.json:4",
        ],
    );
}
