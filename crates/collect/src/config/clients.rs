//! The clients: one row each, which says where a client keeps its configuration and where in it the servers stand.
//! A new client is a new row.
//!
//! Each row says in `source` how its facts were established: `docs` are pages of the maker, `source` is code that
//! reads or writes the files, by repository and file, and `lists` are tables that other tools keep. Where a row has
//! better, brackets say what the lists are for. Places that only lists or memory name, or that people use by mistake,
//! stand in the rows too: looking for a file that is not there costs nothing, and one that is there holds the same
//! secrets whether or not it is read.
//!
//! Not here: servers that a client keeps in a database, the registry, a property list or the cloud, files that a
//! command line or an environment variable names one by one, and backups, which tell of servers that nobody runs.

use super::client::{Client, own, shared};

/// The container that most clients use.
const MCP_SERVERS: &[&str] = &["mcpServers"];
/// The container of VS Code and Visual Studio.
const SERVERS: &[&str] = &["servers"];
/// For clients that changed from one to the other, or take both.
const MCP_SERVERS_OR_SERVERS: &[&str] = &["mcpServers", "servers"];
/// For files that may leave the container out.
const MCP_SERVERS_OR_BARE: &[&str] = &["mcpServers", ""];
/// For clients that take both.
const MCP_SERVERS_OR_DOTTED: &[&str] = &["mcpServers", "mcp.servers"];
/// The container of OpenCode, of those who built on it, and of those with its taste.
const MCP: &[&str] = &["mcp.servers", "mcp"];
/// The container of VS Code in settings.
const MCP_DOT_SERVERS: &[&str] = &["mcp.servers"];
/// How those who write TOML spell it.
const MCP_UNDERSCORE: &[&str] = &["mcp_servers"];
/// How agents of Copilot spell it.
const MCP_HYPHEN: &[&str] = &["mcp-servers"];
/// The one server of an extension, which stands in it as `mcp_config`.
const DESKTOP_EXTENSION: &[&str] = &["server"];
/// Servers for all projects, and for each.
const CLAUDE_CODE: &[&str] = &["mcpServers", "projects.*.mcpServers"];
/// Servers that an administrator hands out.
const CLAUDE_MANAGED: &[&str] = &["managedMcpServers", "mcpServers"];
/// A workspace holds settings; older ones hold `mcp` beside them.
const CODE_WORKSPACE: &[&str] = &["settings.mcp.servers", "mcp.servers"];
/// What a container brings along for VS Code.
const DEV_CONTAINER: &[&str] = &["customizations.vscode.mcp.servers", "customizations.vscode.settings.mcp.servers"];
/// Lists, both.
const CONTINUE: &[&str] = &["mcpServers", "experimental.modelContextProtocolServers"];
/// Settings may be repeated below a channel, a system or a profile.
const ZED: &[&str] = &[
    "context_servers",
    "experimental.context_servers.servers",
    "experimental.context_servers",
    "*.context_servers",
    "profiles.*.context_servers",
    "profiles.*.settings.context_servers",
];
/// Powers bring servers of their own.
const KIRO: &[&str] = &["mcpServers", "powers.mcpServers"];
/// The member of the editor's settings.
const AUGMENT: &[&str] = &["augment.advanced.mcpServers"];
/// The command line takes what is pasted from the editor, too.
const AUGGIE: &[&str] = &["mcpServers", "augment.advanced.mcpServers", ""];
/// Profiles may stand in the same file.
const CODEX: &[&str] = &["mcp_servers", "profiles.*.mcp_servers"];
/// Servers are one kind of extension.
const GOOSE: &[&str] = &["extensions"];
/// Whatever other clients write.
const WARP: &[&str] = &["mcpServers", "servers", "mcp.servers", "mcp_servers"];
/// One key with a dot in it.
const AMP: &[&str] = &["amp.mcpServers"];
/// One key with a dot in it.
const CODY: &[&str] = &["cody.mcpServers"];
/// Every container that says what it is.
const ANY: &[&str] = &["mcpServers", "servers", "mcp.servers", "mcp_servers", "mcp"];

/// Every client, in the order in which a file that several read is given to one. A file is listed once for all who read
/// it in the same container: `.mcp.json` is Claude Code's, though half of the others read it.
pub const CLIENTS: &[Client] = &[
    Client {
        name: "claude-desktop",
        title: "Claude Desktop",
        source: "source: microsoft/vscode nativeMcpDiscoveryAdapters.ts; docs: code.claude.com managed-mcp; \
                 lists (Store package, Claude-3p, extensions)",
        files: &[
            own("{config}/Claude/claude_desktop_config.json", MCP_SERVERS),
            own("{local}/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json", MCP_SERVERS),
            own("{local}/Packages/Anthropic*/LocalCache/Roaming/Claude/claude_desktop_config.json", MCP_SERVERS),
            own("{config}/Claude-3p/claude_desktop_config.json", MCP_SERVERS),
            own("{local}/Claude-3p/claude_desktop_config.json", MCP_SERVERS),
            // Elsewhere the name is the same as `Claude`.
            own("linux:{config}/claude/claude_desktop_config.json", MCP_SERVERS),
            shared("{config}/Claude-3p/configLibrary/*.json", CLAUDE_MANAGED),
            shared("{local}/Claude-3p/configLibrary/*.json", CLAUDE_MANAGED),
            shared("{config}/Claude/Claude Extensions/*/manifest.json", DESKTOP_EXTENSION),
            shared(
                "{local}/Packages/Claude_*/LocalCache/Roaming/Claude/Claude Extensions/*/manifest.json",
                DESKTOP_EXTENSION,
            ),
            shared("{config}/Claude-3p/Claude Extensions/*/manifest.json", DESKTOP_EXTENSION),
            shared("{local}/Claude-3p/Claude Extensions/*/manifest.json", DESKTOP_EXTENSION),
        ],
    },
    Client {
        name: "claude-code",
        title: "Claude Code",
        source: "docs: code.claude.com mcp, managed-mcp, settings, plugins; lists (moved folder, agents, misplaced)",
        files: &[
            own("~/.claude.json", CLAUDE_CODE),
            own("./.mcp.json", MCP_SERVERS),
            own("{CLAUDE_CONFIG_DIR|~/.claude}/.claude.json", CLAUDE_CODE),
            own("{CLAUDE_CONFIG_DIR|~/.claude}/.config.json", CLAUDE_CODE),
            own("{CLAUDE_CONFIG_DIR|~/.claude}/settings.json", MCP_SERVERS),
            own("{CLAUDE_CONFIG_DIR|~/.claude}/settings.local.json", MCP_SERVERS),
            own("{CLAUDE_CONFIG_DIR|~/.claude}/remote-settings.json", CLAUDE_MANAGED),
            own("{CLAUDE_CONFIG_DIR|~/.claude}/remote-managed-settings.json", CLAUDE_MANAGED),
            own("./.claude/settings.json", MCP_SERVERS),
            own("./.claude/settings.local.json", MCP_SERVERS),
            own("/etc/claude-code/managed-mcp.json", MCP_SERVERS),
            own("/etc/claude-code/managed-settings.json", CLAUDE_MANAGED),
            own("/etc/claude-code/managed-settings.d/*.json", CLAUDE_MANAGED),
            own("/Library/Application Support/ClaudeCode/managed-mcp.json", MCP_SERVERS),
            own("/Library/Application Support/ClaudeCode/managed-settings.json", CLAUDE_MANAGED),
            own("/Library/Application Support/ClaudeCode/managed-settings.d/*.json", CLAUDE_MANAGED),
            own("C:/Program Files/ClaudeCode/managed-mcp.json", MCP_SERVERS),
            own("C:/Program Files/ClaudeCode/managed-settings.json", CLAUDE_MANAGED),
            own("C:/Program Files/ClaudeCode/managed-settings.d/*.json", CLAUDE_MANAGED),
            own("C:/ProgramData/ClaudeCode/managed-mcp.json", MCP_SERVERS),
            own("C:/ProgramData/ClaudeCode/managed-settings.json", CLAUDE_MANAGED),
            own("C:/ProgramData/ClaudeCode/managed-settings.d/*.json", CLAUDE_MANAGED),
            shared("{CLAUDE_CONFIG_DIR|~/.claude}/plugins/**/.mcp.json", MCP_SERVERS_OR_BARE),
            shared("{CLAUDE_CONFIG_DIR|~/.claude}/plugins/**/plugin.json", MCP_SERVERS),
            shared("./.claude-plugin/plugin.json", MCP_SERVERS),
            shared("{CLAUDE_CONFIG_DIR|~/.claude}/agents/**/*.md", MCP_SERVERS),
            shared("./.claude/agents/**/*.md", MCP_SERVERS),
            own("{CLAUDE_CONFIG_DIR|~/.claude}/mcp.json", MCP_SERVERS),
            own("{CLAUDE_CONFIG_DIR|~/.claude}/.mcp.json", MCP_SERVERS),
            own("{CLAUDE_CONFIG_DIR|~/.claude}/claude_desktop_config.json", MCP_SERVERS),
            own("{config}/Claude/claude_code_config.json", MCP_SERVERS),
            own("./.claude/mcp.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "cursor",
        title: "Cursor",
        source: "source: microsoft/vscode nativeMcpDiscoveryAdapters.ts; lists (CURSOR_CONFIG_DIR, plugins)",
        files: &[
            own("{CURSOR_CONFIG_DIR|~/.cursor}/mcp.json", MCP_SERVERS),
            own("./.cursor/mcp.json", MCP_SERVERS),
            own("{xdg}/cursor/mcp.json", MCP_SERVERS),
            own("{config}/Cursor/User/globalStorage/cursor.mcp/mcp.json", MCP_SERVERS),
            shared("~/.cursor/plugins/**/mcp.json", MCP_SERVERS_OR_BARE),
            shared("~/.cursor/plugins/**/.mcp.json", MCP_SERVERS_OR_BARE),
            shared("~/.cursor/plugins/**/plugin.json", MCP_SERVERS),
            shared("./.cursor-plugin/plugin.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "vscode",
        title: "Visual Studio Code",
        source: "docs: code.visualstudio.com mcp-configuration; source: microsoft/vscode mcpPlatformTypes.ts, \
                 devContainer.vscode.schema.json; lists (profiles, remote hosts)",
        files: &[
            // Editors that are made from it but use another container have a row that lists the same file.
            own("{editor}/mcp.json", SERVERS),
            own("{editor}/profiles/*/mcp.json", SERVERS),
            own("./.vscode/mcp.json", MCP_SERVERS_OR_SERVERS),
            shared("{editor}/settings.json", MCP_DOT_SERVERS),
            shared("{editor}/profiles/*/settings.json", MCP_DOT_SERVERS),
            shared("~/.vscode-server/data/Machine/settings.json", MCP_DOT_SERVERS),
            shared("~/.vscode-server-insiders/data/Machine/settings.json", MCP_DOT_SERVERS),
            shared("./.vscode/settings.json", MCP_DOT_SERVERS),
            shared("./*.code-workspace", CODE_WORKSPACE),
            shared("./.devcontainer.json", DEV_CONTAINER),
            shared("./.devcontainer/devcontainer.json", DEV_CONTAINER),
            shared("./.devcontainer/*/devcontainer.json", DEV_CONTAINER),
        ],
    },
    Client {
        name: "windsurf",
        title: "Windsurf",
        source: "docs: docs.windsurf.com cascade mcp; source: microsoft/vscode nativeMcpDiscoveryAdapters.ts; \
                 lists (windsurf-next, project)",
        files: &[
            own("~/.codeium/windsurf/mcp_config.json", MCP_SERVERS),
            own("~/.codeium/windsurf-next/mcp_config.json", MCP_SERVERS),
            own("~/.codeium/mcp_config.json", MCP_SERVERS),
            own("./.windsurf/mcp_config.json", MCP_SERVERS),
            own("./.windsurf/mcp.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "continue",
        title: "Continue",
        source: "source: continuedev/continue schemas/mcp, loadJsonMcpConfigs.ts; lists (config.json, agents, configs)",
        files: &[
            own("{CONTINUE_GLOBAL_DIR|~/.continue}/config.yaml", CONTINUE),
            own("{CONTINUE_GLOBAL_DIR|~/.continue}/config.json", CONTINUE),
            own("{CONTINUE_GLOBAL_DIR|~/.continue}/mcpServers/**/*.yaml", CONTINUE),
            own("{CONTINUE_GLOBAL_DIR|~/.continue}/mcpServers/**/*.yml", CONTINUE),
            // Files of Claude Code are taken as they are.
            own("{CONTINUE_GLOBAL_DIR|~/.continue}/mcpServers/**/*.json", CLAUDE_CODE),
            own("{CONTINUE_GLOBAL_DIR|~/.continue}/assistants/**/*.yaml", CONTINUE),
            own("{CONTINUE_GLOBAL_DIR|~/.continue}/assistants/**/*.yml", CONTINUE),
            own("{CONTINUE_GLOBAL_DIR|~/.continue}/agents/**/*.yaml", CONTINUE),
            own("{CONTINUE_GLOBAL_DIR|~/.continue}/agents/**/*.yml", CONTINUE),
            own("{CONTINUE_GLOBAL_DIR|~/.continue}/configs/**/*.yaml", CONTINUE),
            own("{CONTINUE_GLOBAL_DIR|~/.continue}/configs/**/*.yml", CONTINUE),
            own("./.continue/mcpServers/**/*.yaml", CONTINUE),
            own("./.continue/mcpServers/**/*.yml", CONTINUE),
            own("./.continue/mcpServers/**/*.json", CLAUDE_CODE),
            own("./.continue/assistants/**/*.yaml", CONTINUE),
            own("./.continue/assistants/**/*.yml", CONTINUE),
            own("./.continue/agents/**/*.yaml", CONTINUE),
            own("./.continue/agents/**/*.yml", CONTINUE),
            own("./.continue/configs/**/*.yaml", CONTINUE),
            own("./.continue/configs/**/*.yml", CONTINUE),
            own("./.continuerc.json", CONTINUE),
        ],
    },
    Client {
        name: "zed",
        title: "Zed",
        source: "source: zed-industries/zed paths.rs, settings_content project.rs, migrator",
        files: &[
            shared("{xdg}/zed/settings.json", ZED),
            shared("windows:{config}/Zed/settings.json", ZED),
            shared("./.zed/settings.json", ZED),
            shared("{xdg}/zed/global_settings.json", ZED),
            shared("windows:{config}/Zed/global_settings.json", ZED),
            shared("linux:~/.var/app/dev.zed.Zed/config/zed/settings.json", ZED),
            shared("linux:~/.var/app/dev.zed.Zed-Preview/config/zed/settings.json", ZED),
        ],
    },
    Client {
        name: "cline",
        title: "Cline",
        source: "docs: docs.cline.bot config; source: cline/cline config-loader.ts, schemas.ts; lists (misplaced)",
        files: &[
            own("{CLINE_DATA_DIR|~/.cline/data}/settings/cline_mcp_settings.json", MCP_SERVERS),
            own("{CLINE_DIR|~/.cline}/data/settings/cline_mcp_settings.json", MCP_SERVERS),
            own("{editor}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", MCP_SERVERS),
            own("{editor}/globalStorage/saoudrizwan.cline-nightly/settings/cline_mcp_settings.json", MCP_SERVERS),
            own("~/.cline/mcp_settings.json", MCP_SERVERS),
            own("~/.cline/mcp.json", MCP_SERVERS),
            own("~/Documents/Cline/MCP/cline_mcp_settings.json", MCP_SERVERS),
            own("./.cline/mcp.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "jetbrains",
        title: "JetBrains AI Assistant",
        source: "lists, and files that people keep in public",
        files: &[
            own("~/.ai/mcp/mcp.json", MCP_SERVERS_OR_BARE),
            own("./.ai/mcp/mcp.json", MCP_SERVERS_OR_BARE),
            own("{config}/JetBrains/*/options/llm.mcpServers.xml", MCP_SERVERS),
            // Synchronised settings, and projects on a remote host.
            own("{config}/JetBrains/*/*/options/llm.mcpServers.xml", MCP_SERVERS),
            own("{config}/Google/AndroidStudio*/options/llm.mcpServers.xml", MCP_SERVERS),
            own("{config}/JetBrains/Air/mcp.json", MCP_SERVERS),
            shared("./.idea/workspace.xml", MCP_SERVERS),
            shared("./.idea/.idea.*/.idea/workspace.xml", MCP_SERVERS),
            shared("./.idea/mcp.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "kiro",
        title: "Kiro",
        source: "docs: kiro.dev mcp configuration, custom-agents; lists (KIRO_HOME, powers)",
        files: &[
            own("./.kiro/settings/mcp.json", KIRO),
            own("{KIRO_HOME|~/.kiro}/settings/mcp.json", KIRO),
            own("./.kiro/agents/**/*.json", MCP_SERVERS),
            own("{KIRO_HOME|~/.kiro}/agents/**/*.json", MCP_SERVERS),
            shared("./.kiro/agents/**/*.md", MCP_SERVERS),
            shared("{KIRO_HOME|~/.kiro}/agents/**/*.md", MCP_SERVERS),
            shared("./.kiro/powers/**/mcp.json", MCP_SERVERS_OR_BARE),
            shared("./.kiro/powers/**/plugin.json", MCP_SERVERS),
            shared("{KIRO_HOME|~/.kiro}/powers/**/mcp.json", MCP_SERVERS_OR_BARE),
            shared("{KIRO_HOME|~/.kiro}/powers/**/plugin.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "amazon-q",
        title: "Amazon Q Developer",
        source: "source: aws/amazon-q-developer-cli directories.rs, agent-format.md; aws/language-servers mcpUtils.ts",
        files: &[
            own("~/.aws/amazonq/mcp.json", MCP_SERVERS),
            own("./.amazonq/mcp.json", MCP_SERVERS),
            own("~/.aws/amazonq/agents/*.json", MCP_SERVERS),
            own("./.amazonq/agents/*.json", MCP_SERVERS),
            own("~/.aws/amazonq/cli-agents/*.json", MCP_SERVERS),
            own("./.amazonq/cli-agents/*.json", MCP_SERVERS),
            own("~/.aws/amazonq/default.json", MCP_SERVERS),
            own("./.amazonq/default.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "augment",
        title: "Augment Code",
        source: "docs: docs.augmentcode.com cli integrations; lists (editor extension, machine-wide)",
        files: &[
            own("{AUGMENT_CACHE_DIR|~/.augment}/settings.json", AUGGIE),
            own("./.augment/settings.json", AUGGIE),
            own("./.augment/settings.local.json", AUGGIE),
            own("/etc/augment/settings.json", AUGGIE),
            own("C:/ProgramData/Augment/settings.json", AUGGIE),
            // The whole file is a list.
            own(
                "{editor}/globalStorage/augment.vscode-augment/augment-global-state/mcpServers.json",
                MCP_SERVERS_OR_BARE,
            ),
            shared("{editor}/settings.json", AUGMENT),
            shared("{editor}/profiles/*/settings.json", AUGMENT),
            shared("./.vscode/settings.json", AUGMENT),
        ],
    },
    Client {
        name: "roo-code",
        title: "Roo Code",
        source: "source: RooCodeInc/Roo-Code McpHub.ts; docs: docs.roocode.com mcp; lists (Zoo Code, older names)",
        files: &[
            own("{editor}/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json", MCP_SERVERS),
            own("{editor}/globalStorage/rooveterinaryinc.roo-cline/settings/cline_mcp_settings.json", MCP_SERVERS),
            // Elsewhere the name is the same as the one in small letters.
            own("linux:{editor}/globalStorage/RooVeterinaryInc.roo-cline/settings/mcp_settings.json", MCP_SERVERS),
            own("{editor}/globalStorage/zoocodeorganization.zoo-code/settings/mcp_settings.json", MCP_SERVERS),
            own("./.roo/mcp.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "gemini-cli",
        title: "Gemini CLI",
        source: "source: google-gemini/gemini-cli settings.ts, storage.ts; docs: its mcp-server, extensions reference; \
                 lists (GEMINI_CLI_HOME)",
        files: &[
            own("~/.gemini/settings.json", MCP_SERVERS),
            // The variable stands for the home folder, so its value is followed by `.gemini` again.
            own("{GEMINI_CLI_HOME|~/.gemini}/.gemini/settings.json", MCP_SERVERS),
            own("./.gemini/settings.json", MCP_SERVERS),
            own("/etc/gemini-cli/settings.json", MCP_SERVERS),
            own("/etc/gemini-cli/system-defaults.json", MCP_SERVERS),
            own("/Library/Application Support/GeminiCli/settings.json", MCP_SERVERS),
            own("/Library/Application Support/GeminiCli/system-defaults.json", MCP_SERVERS),
            own("C:/ProgramData/gemini-cli/settings.json", MCP_SERVERS),
            own("C:/ProgramData/gemini-cli/system-defaults.json", MCP_SERVERS),
            shared("~/.gemini/extensions/*/gemini-extension.json", MCP_SERVERS),
            shared("./.gemini/extensions/*/gemini-extension.json", MCP_SERVERS),
            shared("./gemini-extension.json", MCP_SERVERS),
            shared("~/.gemini/agents/*.md", MCP_SERVERS),
            shared("~/.gemini/extensions/*/agents/*.md", MCP_SERVERS),
            shared("./.gemini/agents/*.md", MCP_SERVERS),
        ],
    },
    Client {
        name: "codex",
        title: "Codex",
        source: "source: openai/codex config loader, mcp_types.rs, core-plugins store.rs and manifest.rs",
        files: &[
            own("{CODEX_HOME|~/.codex}/config.toml", CODEX),
            own("{CODEX_HOME|~/.codex}/*.config.toml", CODEX),
            own("{CODEX_HOME|~/.codex}/config_override.toml", CODEX),
            own("{CODEX_HOME|~/.codex}/managed_config.toml", CODEX),
            own("{CODEX_HOME|~/.codex}/agents/*.toml", CODEX),
            own("./.codex/config.toml", CODEX),
            own("./.codex/agents/*.toml", CODEX),
            own("/etc/codex/config.toml", CODEX),
            own("/etc/codex/managed_config.toml", CODEX),
            own("C:/ProgramData/OpenAI/Codex/config.toml", CODEX),
            shared("{CODEX_HOME|~/.codex}/plugins/**/.mcp.json", MCP_SERVERS_OR_BARE),
            shared("{CODEX_HOME|~/.codex}/plugins/**/plugin.json", MCP_SERVERS),
            shared("./.codex-plugin/plugin.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "opencode",
        title: "OpenCode",
        source: "docs: opencode.ai mcp-servers; source: its config/paths.ts, config/mcp.ts; lists (older names)",
        files: &[
            own("{xdg}/opencode/opencode.json", MCP),
            own("{xdg}/opencode/opencode.jsonc", MCP),
            own("{xdg}/opencode/config.json", MCP),
            own("windows:{config}/opencode/opencode.json", MCP),
            own("windows:{config}/opencode/opencode.jsonc", MCP),
            own("{OPENCODE_CONFIG_DIR|~/.opencode}/opencode.json", MCP),
            own("{OPENCODE_CONFIG_DIR|~/.opencode}/opencode.jsonc", MCP),
            own("./opencode.json", MCP),
            own("./opencode.jsonc", MCP),
            own("./.opencode/opencode.json", MCP),
            own("./.opencode/opencode.jsonc", MCP),
            own("/etc/opencode/opencode.json", MCP),
            own("/etc/opencode/opencode.jsonc", MCP),
            own("/Library/Application Support/opencode/opencode.json", MCP),
            own("/Library/Application Support/opencode/opencode.jsonc", MCP),
            own("C:/ProgramData/opencode/opencode.json", MCP),
            own("C:/ProgramData/opencode/opencode.jsonc", MCP),
            own("~/.opencode.json", MCP_SERVERS),
            own("{xdg}/opencode/.opencode.json", MCP_SERVERS),
            own("./.opencode.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "copilot-cli",
        title: "GitHub Copilot CLI",
        source: "docs: docs.github.com add-mcp-servers, cli-config-dir-reference, custom-agents-configuration",
        files: &[
            own("{COPILOT_HOME|~/.copilot}/mcp-config.json", MCP_SERVERS),
            own("./.github/mcp.json", MCP_SERVERS),
            own("{xdg}/.copilot/mcp-config.json", MCP_SERVERS),
            own("{xdg}/copilot/mcp-config.json", MCP_SERVERS),
            shared("{xdg}/mcp-config.json", MCP_SERVERS),
            shared("{COPILOT_HOME|~/.copilot}/installed-plugins/**/.mcp.json", MCP_SERVERS_OR_BARE),
            shared("{COPILOT_HOME|~/.copilot}/installed-plugins/**/plugin.json", MCP_SERVERS),
            shared("{COPILOT_HOME|~/.copilot}/installed-plugins/**/agents/*.md", MCP_HYPHEN),
            shared("{COPILOT_HOME|~/.copilot}/agents/*.md", MCP_HYPHEN),
            shared("./.github/agents/*.md", MCP_HYPHEN),
            shared("./.claude/agents/*.md", MCP_HYPHEN),
            shared("./.github/plugin/plugin.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "goose",
        title: "Goose",
        source: "docs: goose-docs.ai; source: block/goose config/paths.rs, agents/extension.rs; lists (recipes)",
        files: &[
            own("{xdg}/goose/config.yaml", GOOSE),
            own("{config}/Block/goose/config/config.yaml", GOOSE),
            // The variable stands for a folder that has no usual place: what is `config` in it is elsewhere without it.
            own("{GOOSE_PATH_ROOT|~/.config/goose}/config/config.yaml", GOOSE),
            own("/etc/goose/config.yaml", GOOSE),
            shared("{xdg}/goose/recipes/*.yaml", GOOSE),
            shared("{xdg}/goose/recipes/*.json", GOOSE),
            shared("./.goose/recipes/*.yaml", GOOSE),
            shared("./.goose/recipes/*.json", GOOSE),
            shared("./recipe.yaml", GOOSE),
        ],
    },
    Client {
        name: "lm-studio",
        title: "LM Studio",
        source: "docs: lmstudio.ai app mcp; issues of lmstudio-ai/lmstudio-bug-tracker",
        files: &[own("~/.lmstudio/mcp.json", MCP_SERVERS), own("~/.cache/lm-studio/mcp.json", MCP_SERVERS)],
    },
    Client {
        name: "warp",
        title: "Warp",
        source: "source: warpdotdev/warp ai/mcp mod.rs, parsing.rs; lists (command line, preview, misplaced)",
        files: &[
            own("~/.warp/.mcp.json", WARP),
            own("./.warp/.mcp.json", WARP),
            shared("~/.agents/.mcp.json", WARP),
            shared("./.agents/.mcp.json", WARP),
            own("~/.warp_cli/.mcp.json", WARP),
            own("~/.warp-preview/.mcp.json", WARP),
            own("~/.warp_preview/.mcp.json", WARP),
            own("~/.warp/mcp.json", WARP),
            own("{xdg}/warp/mcp.json", WARP),
        ],
    },
    Client {
        name: "trae",
        title: "Trae",
        source: "docs: volcengine trae mcp (project); lists (user)",
        files: &[
            own("{config}/Trae/User/mcp.json", MCP_SERVERS),
            own("{config}/Trae CN/User/mcp.json", MCP_SERVERS),
            own("{config}/TRAE SOLO/User/mcp.json", MCP_SERVERS),
            own("{config}/TRAE SOLO CN/User/mcp.json", MCP_SERVERS),
            own("~/.trae-server/data/User/mcp.json", MCP_SERVERS),
            own("~/.trae-cn-server/data/User/mcp.json", MCP_SERVERS),
            own("./.trae/mcp.json", MCP_SERVERS),
            own("{config}/Trae/mcp.json", MCP_SERVERS),
            own("{config}/Trae CN/mcp.json", MCP_SERVERS),
            own("~/.trae/mcp.json", MCP_SERVERS),
            own("~/.trae-cn/mcp.json", MCP_SERVERS),
            shared("./trae_config.yaml", MCP_UNDERSCORE),
            shared("./trae_config.json", MCP_UNDERSCORE),
            shared("~/.trae/agents/*.md", MCP_SERVERS),
            shared("~/.trae-cn/agents/*.md", MCP_SERVERS),
            shared("./.trae/agents/*.md", MCP_SERVERS),
        ],
    },
    Client {
        name: "qwen-code",
        title: "Qwen Code",
        source: "docs: qwen-code settings; source: QwenLM/qwen-code mcpJson.ts; lists (QWEN_HOME, extensions)",
        files: &[
            own("{QWEN_HOME|~/.qwen}/settings.json", MCP_SERVERS),
            own("./.qwen/settings.json", MCP_SERVERS),
            own("/etc/qwen-code/settings.json", MCP_SERVERS),
            own("/etc/qwen-code/system-defaults.json", MCP_SERVERS),
            own("/Library/Application Support/QwenCode/settings.json", MCP_SERVERS),
            own("/Library/Application Support/QwenCode/system-defaults.json", MCP_SERVERS),
            own("C:/ProgramData/qwen-code/settings.json", MCP_SERVERS),
            own("C:/ProgramData/qwen-code/system-defaults.json", MCP_SERVERS),
            shared("{QWEN_HOME|~/.qwen}/extensions/*/qwen-extension.json", MCP_SERVERS),
            shared("{QWEN_HOME|~/.qwen}/extensions/*/gemini-extension.json", MCP_SERVERS),
            shared("./qwen-extension.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "junie",
        title: "Junie",
        source: "docs: jetbrains.com junie mcp settings; lists (JUNIE_HOME, other names)",
        files: &[
            own("./.junie/mcp/*.json", MCP_SERVERS),
            own("{JUNIE_HOME|~/.junie}/mcp/*.json", MCP_SERVERS),
            own("{JUNIE_HOME|~/.junie}/mcp.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "amp",
        title: "Amp",
        source: "lists, after ampcode.com manual",
        files: &[
            own("{xdg}/amp/settings.json", AMP),
            own("{xdg}/amp/settings.jsonc", AMP),
            own("./.amp/settings.json", AMP),
            own("./.amp/settings.jsonc", AMP),
            own("/etc/ampcode/managed-settings.json", AMP),
            own("/Library/Application Support/ampcode/managed-settings.json", AMP),
            own("C:/ProgramData/ampcode/managed-settings.json", AMP),
            shared("{editor}/settings.json", AMP),
            shared("{editor}/profiles/*/settings.json", AMP),
            shared("./.vscode/settings.json", AMP),
            shared("{xdg}/amp/skills/*/mcp.json", MCP_SERVERS_OR_BARE),
            shared("{xdg}/agents/skills/*/mcp.json", MCP_SERVERS_OR_BARE),
            shared("./.agents/skills/*/mcp.json", MCP_SERVERS_OR_BARE),
        ],
    },
    Client {
        name: "antigravity",
        title: "Antigravity",
        source: "lists, after antigravity.google mcp",
        files: &[
            // `config` for all its programs; before that, one folder for each.
            own("~/.gemini/*/mcp_config.json", MCP_SERVERS),
            own("./.agents/mcp_config.json", MCP_SERVERS),
            shared("~/.gemini/config/plugins/*/mcp_config.json", MCP_SERVERS),
            shared("./.agents/plugins/*/mcp_config.json", MCP_SERVERS),
            shared("./_agents/plugins/*/mcp_config.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "kilo-code",
        title: "Kilo Code",
        source: "docs: Kilo-Org/kilocode using-in-kilo-code; source: its config paths.ts, managed.ts",
        files: &[
            own("{xdg}/kilo/kilo.json", MCP),
            own("{xdg}/kilo/kilo.jsonc", MCP),
            own("{xdg}/kilo/opencode.json", MCP),
            own("{xdg}/kilo/opencode.jsonc", MCP),
            own("{xdg}/kilo/config.json", MCP),
            own("{KILO_CONFIG_DIR|~/.kilo}/kilo.json", MCP),
            own("{KILO_CONFIG_DIR|~/.kilo}/kilo.jsonc", MCP),
            own("{KILO_CONFIG_DIR|~/.kilo}/opencode.json", MCP),
            own("{KILO_CONFIG_DIR|~/.kilo}/opencode.jsonc", MCP),
            own("~/.kilocode/kilo.json", MCP),
            own("~/.kilocode/kilo.jsonc", MCP),
            own("~/.kilocode/opencode.json", MCP),
            own("~/.kilocode/opencode.jsonc", MCP),
            own("./kilo.json", MCP),
            own("./kilo.jsonc", MCP),
            own("./.kilo/kilo.json", MCP),
            own("./.kilo/kilo.jsonc", MCP),
            own("./.kilo/opencode.json", MCP),
            own("./.kilo/opencode.jsonc", MCP),
            own("./.kilocode/kilo.json", MCP),
            own("./.kilocode/kilo.jsonc", MCP),
            own("./.kilocode/opencode.json", MCP),
            own("./.kilocode/opencode.jsonc", MCP),
            own("{editor}/globalStorage/kilocode.kilo-code/settings/mcp_settings.json", MCP_SERVERS),
            own("~/.kilocode/cli/global/settings/mcp_settings.json", MCP_SERVERS),
            own("./.kilocode/mcp.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "visual-studio",
        title: "Visual Studio",
        source: "docs: MicrosoftDocs/visualstudio-docs ide mcp-servers",
        files: &[
            own("./.vs/mcp.json", SERVERS),
            shared("windows:~/.mcp.json", SERVERS),
            // Claude Code's name, with another container.
            shared("./.mcp.json", SERVERS),
        ],
    },
    Client {
        name: "copilot-jetbrains",
        title: "GitHub Copilot for JetBrains, Eclipse and Xcode",
        source: "docs: github/github-mcp-server (container), docs.github.com (folder); lists (file)",
        files: &[
            own("{xdg}/github-copilot/*/mcp.json", MCP_SERVERS_OR_SERVERS),
            own("{local}/github-copilot/*/mcp.json", MCP_SERVERS_OR_SERVERS),
            own("windows:{config}/github-copilot/*/mcp.json", MCP_SERVERS_OR_SERVERS),
        ],
    },
    Client {
        name: "devin",
        title: "Devin",
        source: "docs: docs.devin.ai cli; docs of Vaadin and Sevalla (desktop); lists (plugins)",
        files: &[
            own("{xdg}/devin/mcp_config.json", MCP_SERVERS),
            own("{xdg}/devin/config.json", MCP_SERVERS),
            own("windows:{config}/devin/mcp_config.json", MCP_SERVERS),
            own("windows:{config}/devin/config.json", MCP_SERVERS),
            own("./.devin/mcp_config.json", MCP_SERVERS),
            own("./.devin/config.json", MCP_SERVERS),
            own("./.devin/config.local.json", MCP_SERVERS),
            shared("./.devin-plugin/plugin.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "factory-droid",
        title: "Factory Droid",
        source: "docs: docs.factory.ai (Bridge); lists",
        files: &[
            own("~/.factory/mcp.json", MCP_SERVERS),
            own("./.factory/mcp.json", MCP_SERVERS),
            own("{config}/Factory Bridge/mcp.json", MCP_SERVERS),
            shared("~/.factory/plugins/**/mcp.json", MCP_SERVERS_OR_BARE),
            shared("~/.factory/plugins/**/.mcp.json", MCP_SERVERS_OR_BARE),
        ],
    },
    Client {
        name: "crush",
        title: "Crush",
        source: "docs: charmbracelet/crush docs/config; lists (variables)",
        files: &[
            own("{xdg}/crush/crush.json", MCP),
            own("{CRUSH_GLOBAL_CONFIG|~/.config/crush}/crush.json", MCP),
            own("{CRUSH_GLOBAL_DATA|~/.local/share/crush}/crush.json", MCP),
            own("{local}/crush/crush.json", MCP),
            own("./crush.json", MCP),
            own("./.crush.json", MCP),
        ],
    },
    Client {
        name: "rovo-dev",
        title: "Rovo Dev",
        source: "docs: support.atlassian.com rovo dev cli",
        files: &[own("~/.rovodev/mcp.json", MCP_SERVERS), own("./.rovodev/mcp.json", MCP_SERVERS)],
    },
    Client {
        name: "librechat",
        title: "LibreChat",
        source: "docs: librechat.ai librechat.yaml",
        files: &[own("./librechat.yaml", MCP_SERVERS)],
    },
    Client { name: "boltai", title: "BoltAI", source: "lists", files: &[own("~/.boltai/mcp.json", MCP_SERVERS)] },
    Client {
        name: "5ire",
        title: "5ire",
        source: "lists",
        files: &[own("{config}/5ire/mcp.json", MCP_SERVERS_OR_SERVERS)],
    },
    Client {
        name: "jan",
        title: "Jan",
        source: "lists",
        files: &[
            own("{config}/Jan/data/mcp_config.json", MCP_SERVERS),
            own("linux:~/.local/share/Jan/data/mcp_config.json", MCP_SERVERS),
            own("~/jan/mcp_config.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "kimi-code",
        title: "Kimi Code",
        source: "lists",
        files: &[
            own("{KIMI_CODE_HOME|~/.kimi-code}/mcp.json", MCP_SERVERS),
            own("./.kimi-code/mcp.json", MCP_SERVERS),
            own("~/.kimi/mcp.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "openhands",
        title: "OpenHands",
        source: "lists",
        files: &[own("~/.openhands/mcp.json", MCP_SERVERS)],
    },
    Client {
        name: "mcphost",
        title: "MCPHost",
        source: "lists",
        files: &[
            own("~/.mcphost.yml", MCP_SERVERS),
            own("~/.mcphost.json", MCP_SERVERS),
            own("./.mcphost.yml", MCP_SERVERS),
            own("./.mcphost.json", MCP_SERVERS),
            shared("~/.mcp.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "mcphub-nvim",
        title: "mcphub.nvim",
        source: "lists",
        files: &[own("{xdg}/mcphub/servers.json", MCP_SERVERS_OR_SERVERS)],
    },
    Client { name: "void", title: "Void", source: "lists", files: &[own("~/.void-editor/mcp.json", MCP_SERVERS)] },
    Client {
        name: "cody",
        title: "Cody",
        source: "lists",
        files: &[
            shared("{editor}/settings.json", CODY),
            shared("{editor}/profiles/*/settings.json", CODY),
            shared("./.vscode/settings.json", CODY),
        ],
    },
    Client {
        name: "sourcecraft",
        title: "SourceCraft Code Assistant",
        source: "docs: sourcecraft.dev code assistant",
        files: &[own("./.codeassistant/mcp.json", MCP_SERVERS)],
    },
    Client {
        name: "codearts",
        title: "Huawei CodeArts",
        source: "docs: Huawei Cloud CodeArts command line",
        files: &[
            own("~/.codeartsdoer/codearts_cli.json", MCP),
            own("~/.codeartsdoer/codearts_cli.jsonc", MCP),
            own("./.codeartsdoer/codearts_cli.json", MCP),
            own("./.codeartsdoer/codearts_cli.jsonc", MCP),
        ],
    },
    Client {
        name: "abacus",
        title: "Abacus AI",
        source: "docs: Abacus AI command line",
        files: &[own("~/.abacusai/mcp.json", MCP_SERVERS), own("./.abacusai/mcp.json", MCP_SERVERS)],
    },
    Client {
        name: "llxprt",
        title: "LLxprt Code",
        source: "lists",
        files: &[own("~/.llxprt/settings.json", MCP_SERVERS)],
    },
    Client {
        name: "grok-cli",
        title: "Grok CLI",
        source: "lists",
        files: &[own("{GROK_HOME|~/.grok}/config.toml", CODEX), own("./.grok/config.toml", CODEX)],
    },
    Client {
        name: "mistral-vibe",
        title: "Mistral Vibe",
        source: "lists",
        files: &[own("~/.vibe/config.toml", MCP_UNDERSCORE), own("./.vibe/config.toml", MCP_UNDERSCORE)],
    },
    Client {
        name: "qoder",
        title: "Qoder",
        source: "lists",
        files: &[
            own("~/.qoder/settings.json", MCP_SERVERS),
            own("{config}/Qoder/SharedClientCache/mcp.json", MCP_SERVERS),
            own("~/.qoder.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "lingma",
        title: "Lingma",
        source: "lists",
        files: &[own("~/.lingma/mcp-settings.json", MCP_SERVERS), own("./.lingma/mcp-settings.json", MCP_SERVERS)],
    },
    Client {
        name: "codebuddy",
        title: "CodeBuddy",
        source: "lists",
        files: &[
            own("~/.codebuddy/.mcp.json", MCP_SERVERS),
            own("~/.codebuddy/mcp.json", MCP_SERVERS),
            own("~/.codebuddy.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "workbuddy",
        title: "WorkBuddy",
        source: "lists",
        files: &[own("~/.workbuddy/mcp.json", MCP_SERVERS), own("./.workbuddy/mcp.json", MCP_SERVERS)],
    },
    Client {
        name: "zcode",
        title: "ZCode",
        source: "lists",
        files: &[
            own("~/.zcode/cli/config.json", MCP_SERVERS_OR_DOTTED),
            own("./.zcode/config.json", MCP_SERVERS_OR_DOTTED),
            shared("./.agents/mcp.json", MCP_SERVERS_OR_DOTTED),
        ],
    },
    Client {
        name: "comate",
        title: "Comate",
        source: "lists",
        files: &[
            own("~/.comate/mcp.json", MCP_SERVERS),
            own("./.comate/mcp.json", MCP_SERVERS),
            own("./.comate/mcp.local.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "openclaw",
        title: "OpenClaw",
        source: "lists",
        files: &[own("~/.openclaw/openclaw.json", MCP_DOT_SERVERS)],
    },
    Client {
        name: "hermes",
        title: "Hermes",
        source: "lists",
        files: &[own("~/.hermes/config.yaml", MCP_UNDERSCORE), own("~/.hermes/profiles/*/config.yaml", MCP_UNDERSCORE)],
    },
    Client {
        name: "pi",
        title: "Pi",
        source: "lists",
        files: &[
            own("~/.pi/agent/mcp.json", MCP_SERVERS),
            own("~/.omp/agent/mcp.json", MCP_SERVERS),
            own("./.pi/mcp.json", MCP_SERVERS),
        ],
    },
    Client { name: "forge", title: "Forge", source: "lists", files: &[own("~/.forge/.mcp.json", MCP_SERVERS)] },
    Client {
        name: "tabnine",
        title: "Tabnine",
        source: "lists",
        files: &[own("~/.tabnine/mcp_servers.json", MCP_SERVERS), own("./.tabnine/mcp_servers.json", MCP_SERVERS)],
    },
    Client {
        name: "witsy",
        title: "Witsy",
        source: "lists",
        files: &[own("{config}/Witsy/settings.json", MCP_SERVERS_OR_DOTTED)],
    },
    Client {
        name: "anythingllm",
        title: "AnythingLLM",
        source: "lists",
        files: &[
            own("{config}/anythingllm-desktop/storage/plugins/anythingllm_mcp_servers.json", MCP_SERVERS),
            own("./anythingllm_mcp_servers.json", MCP_SERVERS),
        ],
    },
    Client {
        name: "generic",
        title: "Any MCP configuration",
        source: "names that gateways (MCPHub, MCPX), forks and examples use; docs: agent-plugins.org",
        files: &[
            shared("./mcp.json", ANY),
            shared("./mcp_config.json", ANY),
            shared("./mcp-config.json", ANY),
            shared("./mcp_settings.json", ANY),
            shared("./mcp-settings.json", ANY),
            shared("./mcp_servers.json", ANY),
            shared("./mcp-servers.json", ANY),
            shared("./mcpServers.json", ANY),
            shared("./servers.json", ANY),
            shared("./claude_desktop_config.json", MCP_SERVERS),
            shared("./plugin.json", MCP_SERVERS),
            shared("./.plugin/plugin.json", MCP_SERVERS),
            // Extensions that descend from Cline.
            shared("{editor}/globalStorage/*/settings/*mcp_settings.json", MCP_SERVERS),
        ],
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::CLIENTS;

    const SYSTEMS: &[&str] = &["linux:", "macos:", "windows:"];
    const BEGINNINGS: &[&str] = &["~/", "{config}/", "{xdg}/", "{local}/", "{editor}/", "./", "/", "C:/"];

    #[test]
    fn no_two_clients_share_a_name() {
        let mut seen = BTreeSet::new();
        for client in CLIENTS {
            assert!(seen.insert(client.name), "`{}` is there twice", client.name);
        }
    }

    #[test]
    fn every_place_begins_with_a_known_beginning() {
        for (client, place) in places() {
            let rest = SYSTEMS.iter().find_map(|system| place.strip_prefix(system)).unwrap_or(place);
            let is_known = BEGINNINGS.iter().any(|beginning| rest.starts_with(beginning)) || is_moved(rest);
            assert!(is_known, "`{place}` of {client}");
        }
    }

    #[test]
    fn no_client_lists_a_place_twice() {
        let mut seen = BTreeSet::new();
        for row in places() {
            assert!(seen.insert(row), "`{}` of {} is there twice", row.1, row.0);
        }
    }

    fn places() -> impl Iterator<Item = (&'static str, &'static str)> {
        CLIENTS.iter().flat_map(|client| client.files.iter().map(|file| (client.name, file.at)))
    }

    /// Whether it begins with a folder that a variable moves.
    fn is_moved(place: &str) -> bool {
        let inside = place.strip_prefix('{').and_then(|rest| rest.split_once("}/"));
        inside.and_then(|(inside, _)| inside.split_once('|')).is_some_and(|(name, folder)| {
            name.chars().all(|c| c.is_ascii_uppercase() || c == '_') && folder.starts_with("~/")
        })
    }
}
