//! How each client writes its servers, at the place where it keeps them.

use tracehound_collect::Report;
use tracehound_collect::local::{Request, Root, scan};
use tracehound_model::{EdgeKind, NodeKind};

use crate::support::{detection, edges, node, request, text, tree};

/// The folder of a project, on the machines of these tests.
const PROJECT: &str = "/srv/app";

/// Scans a machine whose files are these, with one project.
fn look(files: &[(&str, &str)]) -> Report {
    let folder = tree(files);
    let (root, layout) = Root::mounted(folder.path()).unwrap();
    let request = Request { layout: Some(layout), projects: vec![PROJECT.into()], ..request() };
    scan(&root, &request, detection(), &|_| {}).unwrap()
}

/// What is said of servers: `client line name transport endpoint args`, then `| name=type` of each credential.
fn said(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for edge in edges(report, EdgeKind::ConfiguredIn) {
        let server = node(report, &edge.source);
        let own = |key: &str| text(&server.properties, key);
        let on_edge = |key: &str| text(&edge.properties, key);
        let trusted = edges(report, EdgeKind::TrustsServer).find(|trust| trust.target == edge.source);
        let client = trusted.map(|trust| text(&node(report, &trust.source).properties, "name"));
        let client = client.unwrap_or_else(|| "(off)".to_owned());
        let mut words = vec![client, on_edge("line"), on_edge("server_name"), own("transport"), own("endpoint")];
        let args = server.properties.get("args").and_then(|args| args.as_array()).into_iter().flatten();
        words.extend(args.map(|arg| arg.as_str().unwrap().to_owned()));
        let section = Some(on_edge("section")).filter(|section| !section.is_empty());
        words.extend(section.map(|section| format!("@{section}")));
        let mut credentials: Vec<String> = edges(report, EdgeKind::UsesCredential)
            .map(|edge| node(report, &edge.target))
            .filter(|credential| {
                text(&credential.properties, "source").ends_with(&format!("#{}", on_edge("server_name")))
            })
            .map(|it| format!("| {}={}", text(&it.properties, "name"), text(&it.properties, "type")))
            .collect();
        credentials.sort();
        words.extend(credentials);
        lines.push(words.join(" "));
    }
    lines.sort();
    lines
}

#[track_caller]
fn check(at: &str, content: &str, expected: &[&str]) {
    let report = look(&[(at, content)]);
    assert_eq!(said(&report), expected, "{at}");
    assert_eq!(report.problems, [], "{at}");
    let files: Vec<_> = report.document.graph.nodes.iter().filter(|it| it.kinds == [NodeKind::ConfigFile]).collect();
    let paths: Vec<String> = files.iter().map(|file| text(&file.properties, "path")).collect();
    assert_eq!(paths, [format!("/{at}")]);
}

#[test]
fn claude_desktop() {
    let content = r#"{
  "globalShortcut": "Alt+Space",
  "mcpServers": {
    "notes": {
      "command": "npx",
      "args": ["-y", "notes-server", "/home/ann/notes"],
      "env": {"NOTES_TOKEN": "${NOTES_TOKEN}"}
    },
    "weather": {"type": "http", "url": "https://weather.example/mcp"}
  }
}"#;
    let expected = [
        "claude-desktop 4 notes stdio npx -y notes-server /home/ann/notes | NOTES_TOKEN=envVar",
        "claude-desktop 9 weather http https://weather.example/mcp",
    ];
    check("home/ann/.config/Claude/claude_desktop_config.json", content, &expected);
    check("home/ann/.config/claude/claude_desktop_config.json", content, &expected);
}

#[test]
fn claude_code_keeps_servers_for_everywhere_and_for_each_project() {
    check(
        "home/ann/.claude.json",
        r#"{
  "numStartups": 12,
  "mcpServers": {"everywhere": {"type": "sse", "url": "https://a.example/sse"}},
  "projects": {
    "/srv/one": {"history": [{"display": "token: abc"}], "mcpServers": {
      "here": {"type": "stdio", "command": "node", "args": ["one.js"], "env": {}}
    }},
    "/srv/two": {"mcpServers": {}}
  }
}"#,
        &["claude-code 3 everywhere http https://a.example/sse", "claude-code 6 here stdio node one.js @/srv/one"],
    );
    check(
        "srv/app/.mcp.json",
        r#"{"mcpServers": {"p": {"type": "http", "url": "${BASE:-https://p.example}/mcp", "headers": {"X-Api-Key": "${KEY}"}}}}"#,
        &["claude-code 1 p http ${BASE:-https://p.example}/mcp | X-Api-Key=envVar"],
    );
}

#[test]
fn cursor() {
    let content = r#"{"mcpServers": {
  "local": {"command": "uvx", "args": ["cursor-tool"], "envFile": "${userHome}/.none"},
  "remote": {"url": "https://c.example/mcp", "headers": {"Authorization": "Bearer ${env:C_TOKEN}"}}
}}"#;
    let expected =
        ["cursor 2 local stdio uvx cursor-tool", "cursor 3 remote http https://c.example/mcp | Authorization=envVar"];
    check("home/ann/.cursor/mcp.json", content, &expected);
    check("home/ann/.config/Cursor/User/globalStorage/cursor.mcp/mcp.json", content, &expected);
    // In a project the home is not known, so that the environment file is told as one that can't be located.
    let report = look(&[("srv/app/.cursor/mcp.json", content)]);
    assert_eq!(said(&report), expected);
    assert_eq!(report.problems.len(), 1);
}

#[test]
fn vs_code_has_a_file_of_its_own_with_inputs() {
    let content = r#"{
  // asked for once
  "inputs": [
    {"type": "promptString", "id": "key", "description": "The key", "password": true},
  ],
  "servers": {
    "typed": {"type": "stdio", "command": "npx", "args": ["tool"], "env": {"TOOL_API_KEY": "${input:key}"}},
    "untyped": {"url": "https://u.example/mcp"},
    "events": {"type": "sse", "url": "https://e.example/sse"},
  },
}"#;
    let expected = [
        "vscode 7 typed stdio npx tool | TOOL_API_KEY=inputPrompt",
        "vscode 8 untyped http https://u.example/mcp",
        "vscode 9 events http https://e.example/sse",
    ];
    check("home/ann/.config/Code/User/mcp.json", content, &expected);
    check("home/ann/.config/Code - Insiders/User/profiles/5f2a/mcp.json", content, &expected);
    check("srv/app/.vscode/mcp.json", content, &expected);
}

#[test]
fn vs_code_takes_servers_from_its_settings_in_both_spellings() {
    let expected = ["vscode 3 s stdio node s.js"];
    check(
        "home/ann/.config/Code/User/settings.json",
        "{\n  \"editor.tabSize\": 2,\n  \"mcp\": {\"inputs\": [], \"servers\": {\"s\": {\"command\": \"node\", \"args\": [\"s.js\"]}}}\n}",
        &expected,
    );
    check(
        "srv/app/.vscode/settings.json",
        "{\n  // mine\n  \"mcp.servers\": {\"s\": {\"command\": \"node\", \"args\": [\"s.js\"]}}\n}",
        &expected,
    );
    check(
        "srv/app/all.code-workspace",
        "{\"folders\": [],\n \"settings\": {\n \"mcp\": {\"servers\": {\"s\": {\"command\": \"node\", \"args\": [\"s.js\"]}}}}}",
        &expected,
    );
}

#[test]
fn windsurf_calls_a_url_server_url() {
    check(
        "home/ann/.codeium/windsurf/mcp_config.json",
        r#"{"mcpServers": {
  "remote": {"serverUrl": "https://w.example/sse"},
  "local": {"command": "npx", "args": ["w"]}
}}"#,
        &["windsurf 2 remote http https://w.example/sse", "windsurf 3 local stdio npx w"],
    );
}

#[test]
fn cline_writes_servers_flat_or_with_a_transport() {
    check(
        "home/ann/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        r#"{"mcpServers": {
  "flat": {"command": "node", "args": ["f.js"], "disabled": false, "autoApprove": []},
  "web": {"type": "streamableHttp", "url": "https://c.example/mcp"},
  "nested": {"transport": {"type": "stdio", "command": "node", "args": ["n.js"], "env": {"N_TOKEN": "$N"}}},
  "nestedWeb": {"transport": {"type": "sse", "url": "https://n.example/sse", "headers": {"Authorization": "$A"}}},
  "off": {"command": "node", "args": ["o.js"], "disabled": true}
}}"#,
        &[
            "(off) 6 off stdio node o.js",
            "cline 2 flat stdio node f.js",
            "cline 3 web http https://c.example/mcp",
            "cline 4 nested stdio node n.js | N_TOKEN=envVar",
            "cline 5 nestedWeb http https://n.example/sse | Authorization=envVar",
        ],
    );
}

#[test]
fn continue_has_lists_and_blocks() {
    check(
        "home/ann/.continue/config.yaml",
        "name: mine\nversion: 1.0.0\nmcpServers:\n  - name: files\n    command: npx\n    args:\n      - -y\n      - files\n    env:\n      FILES_TOKEN: ${{ secrets.FILES_TOKEN }}\n      PORT: 8080\n  - name: web\n    type: streamable-http\n    url: https://k.example/mcp\n    requestOptions:\n      headers:\n        X-Api-Key: ${{ inputs.KEY }}\n",
        &[
            "continue 12 web http https://k.example/mcp | X-Api-Key=inputPrompt",
            "continue 4 files stdio npx -y files | FILES_TOKEN=vaultRef",
        ],
    );
    check(
        "srv/app/.continue/mcpServers/one.yaml",
        "name: block\nschema: v1\nmcpServers:\n  - name: b\n    command: uvx\n    args: [b]\n",
        &["continue 4 b stdio uvx b"],
    );
    check(
        "home/ann/.continue/config.json",
        r#"{"experimental": {"modelContextProtocolServers": [
  {"transport": {"type": "stdio", "command": "node", "args": ["old.js"]}}
]}}"#,
        &["continue 2 #1 stdio node old.js"],
    );
    check(
        "srv/app/.continue/mcpServers/copied.json",
        r#"{"mcpServers": {"c": {"command": "node", "args": ["c.js"]}}}"#,
        &["continue 1 c stdio node c.js"],
    );
}

#[test]
fn zed_has_had_many_forms() {
    check(
        "home/ann/.config/zed/settings.json",
        r#"{
  "theme": "One Dark", // dark
  "context_servers": {
    "flat": {"source": "custom", "command": "npx", "args": ["flat"], "env": {"FLAT_TOKEN": "$FLAT"}},
    "object": {"command": {"path": "npx", "args": ["object"], "env": {"OBJECT_TOKEN": "$OBJECT"}}},
    "remote": {"url": "https://z.example/mcp", "headers": {"Authorization": "Bearer $Z"}},
    "stopped": {"enabled": false, "command": "npx", "args": ["stopped"]},
    "extension": {"source": "extension", "settings": {}},
  },
}"#,
        &[
            "(off) 7 stopped stdio npx stopped",
            "zed 4 flat stdio npx flat | FLAT_TOKEN=envVar",
            "zed 5 object stdio npx object | OBJECT_TOKEN=envVar",
            "zed 6 remote http https://z.example/mcp | Authorization=envVar",
        ],
    );
    check(
        "srv/app/.zed/settings.json",
        r#"{"experimental.context_servers": {"servers": [{"id": "first", "executable": "node", "args": ["first.js"]}]}}"#,
        &["zed 1 first stdio node first.js"],
    );
}

#[test]
fn jetbrains_writes_xml() {
    check(
        "home/ann/.config/JetBrains/PyCharm2026.1/options/llm.mcpServers.xml",
        r#"<application>
  <component name="McpApplicationServerCommands" modifiable="true">
    <commands>
      <McpServerCommand>
        <option name="enabled" value="true" />
        <option name="name" value="ide" />
        <option name="programPath" value="npx" />
        <option name="arguments" value="-y ide-server --root &quot;/home/ann/my work&quot;" />
        <envs><env name="IDE_TOKEN" value="$IDE" /></envs>
      </McpServerCommand>
    </commands>
  </component>
</application>"#,
        &["jetbrains 4 ide stdio npx -y ide-server --root /home/ann/my work | IDE_TOKEN=envVar"],
    );
}

#[test]
fn augment_keeps_a_list_in_settings_and_a_list_in_a_file() {
    check(
        "home/ann/.config/Code/User/settings.json",
        r#"{"augment.advanced": {"mcpServers": [
  {"name": "a", "command": "npx", "args": ["a"]}
]}}"#,
        &["augment 2 a stdio npx a"],
    );
    check(
        "home/ann/.config/Code/User/globalStorage/augment.vscode-augment/augment-global-state/mcpServers.json",
        "[\n {\"type\": \"http\", \"name\": \"b\", \"url\": \"https://b.example/mcp\"},\n {\"type\": \"stdio\", \"name\": \"c\", \"command\": \"node c.js\"}\n]",
        &["augment 2 b http https://b.example/mcp", "augment 3 c stdio node c.js"],
    );
    check(
        "home/ann/.augment/settings.json",
        r#"{"mcpServers": {"d": {"command": "node", "args": ["d.js"]}}}"#,
        &["augment 1 d stdio node d.js"],
    );
}

#[test]
fn codex_writes_toml_and_names_variables() {
    check(
        "home/ann/.codex/config.toml",
        r#"model = "some-model"

[mcp_servers.docs]
url = "https://docs.example/mcp"
bearer_token_env_var = "DOCS_TOKEN"

[mcp_servers.docs.env_http_headers]
X-Api-Key = "DOCS_KEY"

[mcp_servers.shell]
command = "uvx"
args = ["shell-server"]
env_vars = ["SHELL_TOKEN"]
enabled = false

[mcp_servers."with dots.and spaces"]
command = "node"
[mcp_servers."with dots.and spaces".env]
API_KEY = "$K"
"#,
        &[
            "(off) 10 shell stdio uvx shell-server | SHELL_TOKEN=envVar",
            "codex 16 with dots.and spaces stdio node | API_KEY=envVar",
            "codex 3 docs http https://docs.example/mcp | Authorization=envVar | X-Api-Key=envVar",
        ],
    );
}

#[test]
fn opencode_puts_the_whole_command_in_one_list() {
    check(
        "home/ann/.config/opencode/opencode.jsonc",
        r#"{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "local": {"type": "local", "command": ["bun", "x", "tool"], "environment": {"TOOL_TOKEN": "{env:TOOL}"}},
    "remote": {"type": "remote", "url": "https://o.example/mcp", "headers": {"Authorization": "Bearer {file:~/.o}"}},
    "stopped": {"type": "local", "command": ["node", "s.js"], "enabled": false},
  },
}"#,
        &[
            "(off) 6 stopped stdio node s.js",
            "opencode 4 local stdio bun x tool | TOOL_TOKEN=envVar",
            "opencode 5 remote http https://o.example/mcp | Authorization=vaultRef",
        ],
    );
    check(
        "srv/app/opencode.json",
        r#"{"mcp": {"servers": {"second": {"type": "local", "command": ["node", "t.js"]}}, "timeout": 5}}"#,
        &["opencode 1 second stdio node t.js"],
    );
}

#[test]
fn goose_calls_servers_extensions() {
    check(
        "home/ann/.config/goose/config.yaml",
        "GOOSE_MODEL: some-model\nextensions:\n  developer:\n    type: builtin\n    enabled: true\n  web:\n    type: stdio\n    cmd: uvx\n    args: [web]\n    envs:\n      WEB_TOKEN: $W\n    env_keys: [WEB_KEY]\n    enabled: true\n  far:\n    type: streamable_http\n    uri: https://g.example/mcp\n    enabled: false\n",
        &["(off) 14 far http https://g.example/mcp", "goose 6 web stdio uvx web | WEB_KEY=envVar | WEB_TOKEN=envVar"],
    );
}

#[test]
fn gemini_calls_a_url_http_url() {
    let content = r#"{"theme": "Default", "mcpServers": {
  "stream": {"httpUrl": "https://g.example/mcp", "headers": {"X-Goog-Api-Key": "$G"}},
  "events": {"url": "https://g.example/sse", "authProviderType": "google_credentials"},
  "local": {"command": "node", "args": ["g.js"], "cwd": "./x", "trust": true}
}}"#;
    let of = |client: &str| {
        [
            format!("{client} 2 stream http https://g.example/mcp | X-Goog-Api-Key=envVar"),
            format!("{client} 3 events http https://g.example/sse"),
            format!("{client} 4 local stdio node g.js"),
        ]
    };
    for (at, client) in [
        ("home/ann/.gemini/settings.json", "gemini-cli"),
        ("srv/app/.gemini/settings.json", "gemini-cli"),
        ("home/ann/.qwen/settings.json", "qwen-code"),
    ] {
        let expected = of(client);
        check(at, content, &expected.each_ref().map(String::as_str));
    }
}

#[test]
fn most_clients_write_the_same_at_different_places() {
    let content = r#"{"mcpServers": {
  "one": {"command": "npx", "args": ["-y", "one"], "env": {"ONE_TOKEN": "${ONE_TOKEN}"}},
  "two": {"url": "https://two.example/mcp"},
  "three": {"serverUrl": "https://three.example/mcp"}
}}"#;
    for (at, client) in [
        ("home/ann/.aws/amazonq/mcp.json", "amazon-q"),
        ("srv/app/.amazonq/mcp.json", "amazon-q"),
        ("home/ann/.kiro/settings/mcp.json", "kiro"),
        ("srv/app/.kiro/settings/mcp.json", "kiro"),
        ("home/ann/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json", "roo-code"),
        ("srv/app/.roo/mcp.json", "roo-code"),
        ("home/ann/.copilot/mcp-config.json", "copilot-cli"),
        ("home/ann/.lmstudio/mcp.json", "lm-studio"),
        ("home/ann/.warp/.mcp.json", "warp"),
        ("home/ann/.config/Trae/User/mcp.json", "trae"),
        ("srv/app/.trae/mcp.json", "trae"),
        ("home/ann/.junie/mcp/mcp.json", "junie"),
        ("srv/app/.junie/mcp/mcp.json", "junie"),
        ("home/ann/.gemini/antigravity/mcp_config.json", "antigravity"),
        ("home/ann/.gemini/config/mcp_config.json", "antigravity"),
        ("home/ann/.factory/mcp.json", "factory-droid"),
        ("srv/app/mcp.json", "generic"),
        ("srv/app/mcp_servers.json", "generic"),
    ] {
        let expected = [
            format!("{client} 2 one stdio npx -y one | ONE_TOKEN=envVar"),
            format!("{client} 3 two http https://two.example/mcp"),
            format!("{client} 4 three http https://three.example/mcp"),
        ];
        check(at, content, &expected.each_ref().map(String::as_str));
    }
}

#[test]
fn amp_has_a_key_with_a_dot_in_it() {
    let content = r#"{"amp.url": "https://amp.example", "amp.mcpServers": {
  "a": {"command": "npx", "args": ["a"]}
}}"#;
    check("home/ann/.config/amp/settings.json", content, &["amp 2 a stdio npx a"]);
    check("home/ann/.config/Code/User/settings.json", content, &["amp 2 a stdio npx a"]);
}

#[test]
fn agents_bring_servers_along_in_their_front_matter() {
    check(
        "srv/app/.github/agents/helper.md",
        "---\nname: helper\nmcp-servers:\n  h:\n    type: local\n    command: npx\n    args: [h]\n    env:\n      H_TOKEN: ${{ secrets.H }}\n---\nHelp.\n",
        &["copilot-cli 4 h stdio npx h | H_TOKEN=vaultRef"],
    );
}

#[test]
fn settings_without_servers_say_nothing_of_any_client() {
    for content in [r#"{"editor.tabSize": 2}"#, r#"{"mcp": {"servers": {}}}"#, r#"{"augment.advanced": {}}"#] {
        let report = look(&[("home/ann/.config/Code/User/settings.json", content)]);
        assert_eq!(report.document.graph.nodes, [], "{content}");
        assert_eq!(report.problems, [], "{content}");
    }
}

#[test]
fn one_file_may_set_up_two_clients() {
    let report = look(&[(
        "home/ann/.config/Code/User/settings.json",
        r#"{"mcp": {"servers": {"v": {"command": "v"}}}, "augment": {"advanced": {"mcpServers": [{"name": "a", "command": "a"}]}}}"#,
    )]);
    assert_eq!(said(&report), ["augment 1 a stdio a", "vscode 1 v stdio v"]);
}

#[test]
fn wherever_a_file_came_from_it_is_understood() {
    // Each line has an odd spelling of some client; a file that was given may mix them.
    let folder = tree(&[(
        "some.json5",
        r#"{mcpServers: {
  a: {serverUrl: 'https://a.example/mcp'},
  b: {httpUrl: "https://b.example/mcp"},
  c: {command: ["npx", "-y", "c"], environment: {C_TOKEN: "%C%"}},
  d: {type: "stdio", command: "node d.js", args: "--port 1 --name 'two words'"},
  e: "https://e.example/sse",
  f: {transport: {type: 'http', url: 'https://f.example/mcp'}, disabled: true},
}}"#,
    )]);
    let file = folder.path().join("some.json5");
    let report = crate::support::scan_files(vec![file]);
    assert_eq!(
        said(&report),
        [
            "(off) 7 f http https://f.example/mcp",
            "generic 2 a http https://a.example/mcp",
            "generic 3 b http https://b.example/mcp",
            "generic 4 c stdio npx -y c | C_TOKEN=envVar",
            "generic 5 d stdio node d.js --port 1 --name two words",
            "generic 6 e http https://e.example/sse",
        ]
    );
    assert_eq!(report.problems, []);
}
