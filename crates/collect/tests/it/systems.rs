//! Machines of every system, as trees below a folder. Only the layout of their files is tried here: the builds for macOS
//! and Windows are not run.

use tracehound_model::EdgeKind;

use crate::support::{arrows, looked_at, scan_root, text, tree};

const ONE: &str = r#"{"mcpServers": {"files": {"command": "npx", "args": ["-y", "files-server@1.2.3", "/srv"]}}}"#;
const SERVERS: &str = r#"{"servers": {"files": {"command": "npx", "args": ["-y", "files-server@1.2.3", "/srv"]}}}"#;

#[test]
fn linux() {
    let root = tree(&[
        (
            "etc/passwd",
            "root:x:0:0::/root:/bin/sh\nsvc:x:999:999::/var/svc:/bin/sh\ndee:x:1002:1002::/srv/dee:/bin/sh\n",
        ),
        ("home/ann/.cursor/mcp.json", ONE),
        ("home/ann/.config/Claude/claude_desktop_config.json", ONE),
        ("home/ann/.config/claude/claude_desktop_config.json", ONE),
        ("home/ann/.config/Code/User/mcp.json", SERVERS),
        ("home/ann/.config/Code/User/settings.json", r#"{"editor.fontSize": 12}"#),
        (
            "home/ann/.config/VSCodium/User/settings.json",
            r#"{"mcp": {"servers": {"a": {"command": "x"}}}, "amp.mcpServers": {"b": {"url": "https://b.example"}}}"#,
        ),
        ("home/ann/.codex/config.toml", "[mcp_servers.docs]\nurl = \"https://docs.example/mcp\"\n"),
        ("home/ann/.claude/CLAUDE.md", "Write short sentences.\n"),
        (
            "home/bob/.claude.json",
            r#"{"mcpServers": {}, "projects": {"/srv/app": {"mcpServers": {"p": {"command": "p"}}}}}"#,
        ),
        ("srv/app/.mcp.json", ONE),
        ("srv/app/AGENTS.md", "Run the tests.\n"),
        ("srv/dee/.gemini/settings.json", r#"{"mcpServers": {"g": {"httpUrl": "https://g.example/mcp"}}}"#),
        (
            "root/.config/goose/config.yaml",
            "extensions:\n  dev:\n    type: builtin\n  web:\n    type: stdio\n    cmd: uvx\n    args: [web-server]\n",
        ),
        ("var/svc/.cursor/mcp.json", ONE),
        ("etc/claude-code/managed-mcp.json", ONE),
    ]);
    let report = scan_root(root.path());
    assert_eq!(
        looked_at(&report),
        [
            "/etc/claude-code/managed-mcp.json claude-code 1",
            "/home/ann/.claude/CLAUDE.md claude.md",
            "/home/ann/.codex/config.toml codex 1",
            "/home/ann/.config/Claude/claude_desktop_config.json claude-desktop 1",
            "/home/ann/.config/Code/User/mcp.json vscode 1",
            "/home/ann/.config/VSCodium/User/settings.json vscode+amp 2",
            "/home/ann/.config/claude/claude_desktop_config.json claude-desktop 1",
            "/home/ann/.cursor/mcp.json cursor 1",
            "/home/bob/.claude.json claude-code 1",
            "/root/.config/goose/config.yaml goose 1",
            "/srv/app/.mcp.json claude-code 1",
            "/srv/app/AGENTS.md agents.md",
            "/srv/dee/.gemini/settings.json gemini-cli 1",
        ]
    );
    assert_eq!(report.problems, []);
    // Ann's own instructions are hers alone; a project that is in nobody's home is everybody's.
    assert_eq!(
        arrows(&report, EdgeKind::LoadsInstructions),
        [
            "amp -> /srv/app/AGENTS.md",
            "claude-code -> /home/ann/.claude/CLAUDE.md",
            "claude-code -> /srv/app/AGENTS.md",
            "claude-code -> /srv/app/AGENTS.md",
            "claude-code -> /srv/app/AGENTS.md",
            "codex -> /srv/app/AGENTS.md",
            "cursor -> /srv/app/AGENTS.md",
            "goose -> /srv/app/AGENTS.md",
            "vscode -> /home/ann/.claude/CLAUDE.md",
            "vscode -> /home/ann/.claude/CLAUDE.md",
            "vscode -> /srv/app/AGENTS.md",
            "vscode -> /srv/app/AGENTS.md",
        ]
    );
}

#[test]
fn macos() {
    let root = tree(&[
        ("Users/ann/Library/Application Support/Claude/claude_desktop_config.json", ONE),
        ("Users/ann/Library/Application Support/Cursor/User/globalStorage/cursor.mcp/mcp.json", ONE),
        ("Users/ann/Library/Application Support/Code/User/profiles/1a2b/mcp.json", SERVERS),
        (
            "Users/ann/Library/Application Support/JetBrains/PyCharm2026.1/options/llm.mcpServers.xml",
            "<application><component name=\"McpApplicationServerCommands\"><commands><McpServerCommand><option name=\"name\" value=\"x\"/><option name=\"programPath\" value=\"uvx\"/><option name=\"arguments\" value=\"tool==1.0.0\"/></McpServerCommand></commands></component></application>",
        ),
        (
            "Users/ann/.config/zed/settings.json",
            "{ // mine\n \"context_servers\": {\"z\": {\"command\": {\"path\": \"zd\", \"args\": [\"-x\"]}}}, }",
        ),
        ("Users/Shared/.cursor/mcp.json", ONE),
        ("Library/Application Support/ClaudeCode/managed-mcp.json", ONE),
    ]);
    let report = scan_root(root.path());
    let base = "/Users/ann/Library/Application Support";
    assert_eq!(
        looked_at(&report),
        [
            "/Library/Application Support/ClaudeCode/managed-mcp.json claude-code 1".to_owned(),
            "/Users/ann/.config/zed/settings.json zed 1".to_owned(),
            format!("{base}/Claude/claude_desktop_config.json claude-desktop 1"),
            format!("{base}/Code/User/profiles/1a2b/mcp.json vscode 1"),
            format!("{base}/Cursor/User/globalStorage/cursor.mcp/mcp.json cursor 1"),
            format!("{base}/JetBrains/PyCharm2026.1/options/llm.mcpServers.xml jetbrains 1"),
        ]
    );
    assert_eq!(report.problems, []);
}

#[test]
fn windows() {
    let root = tree(&[
        (
            "Users/ann/AppData/Roaming/Claude/claude_desktop_config.json",
            r#"{"mcpServers": {"files": {"command": "cmd", "args": ["/c", "npx", "-y", "files-server"]}}}"#,
        ),
        ("Users/ann/AppData/Local/github-copilot/intellij/mcp.json", SERVERS),
        (
            "Users/ann/.codeium/windsurf/mcp_config.json",
            r#"{"mcpServers": {"w": {"serverUrl": "https://w.example/sse", "disabled": true}}}"#,
        ),
        ("Users/Default/.cursor/mcp.json", ONE),
        ("ProgramData/gemini-cli/settings.json", ONE),
    ]);
    let report = scan_root(root.path());
    assert_eq!(
        looked_at(&report),
        [
            "C:\\ProgramData\\gemini-cli\\settings.json gemini-cli 1",
            "C:\\Users\\ann\\.codeium\\windsurf\\mcp_config.json windsurf 0 (1 off)",
            "C:\\Users\\ann\\AppData\\Local\\github-copilot\\intellij\\mcp.json copilot-jetbrains 1",
            "C:\\Users\\ann\\AppData\\Roaming\\Claude\\claude_desktop_config.json claude-desktop 1",
        ]
    );
    let wrapped = report.document.graph.nodes.iter().find(|node| text(&node.properties, "endpoint") == "cmd").unwrap();
    assert_eq!(text(&wrapped.properties, "package"), "files-server");
    assert_eq!(text(&wrapped.properties, "is_pinned"), "false");
}
