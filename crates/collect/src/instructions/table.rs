//! Instruction files: one row for each place.
//!
//! These are the files of standing text that agent clients take into their context on their own: instructions, rules,
//! notes that a client keeps for itself, skills, commands and sub-agents. A new place is a new row and nothing else.
//!
//! A row names the clients that read the file without being told to. Of two rows that meet in one file, the narrower
//! stands first; what many clients share therefore stands last.
//!
//! Not here: `README.md`, which is written for people although Amazon Q loads it; a file called just `rules` in Markdown, a name that too many
//! other files have; hooks and plugin manifests, which hold commands; databases and binary memories; text within a
//! settings file, and files that are only read because a setting or another file names them.
//!
//! Sources, documentation: Amazon Q and Kiro CLI, Amp manual, Antigravity, Augment, Claude Code, Cline, Codex, Cursor,
//! Devin Desktop and Windsurf, Factory, Gemini CLI, GitHub Copilot, JetBrains AI Assistant, Junie, Kilo Code, Kiro,
//! OpenCode, Qwen Code, Roo Code, Trae, VS Code, Warp, Zed.
//!
//! Sources, code: `anomalyco/opencode` (instruction, skill), `aws/amazon-q-developer-cli`, `block/goose` (hints,
//! skills), `charmbracelet/crush` (config), `cline/cline` (disk, skills), `continuedev/continue` (system message,
//! skills), `microsoft/vscode` (prompt file locations, audit of Copilot's customizations), `openai/codex` (skills
//! loader), `RooCodeInc/Roo-Code` (custom instructions); `dyoshikawa/rulesync` and `vercel-labs/skills` for the places
//! that installers of rules and skills write to.

use super::row::{Row, row};

// Readers of a file, where more than one row needs them or one row has no room for them.

const AGENTS_MD: &[&str] = &[
    "amazon-q",
    "amp",
    "antigravity",
    "augment",
    "claude-code",
    "cline",
    "codex",
    "continue",
    "copilot-cli",
    "crush",
    "cursor",
    "factory-droid",
    "goose",
    "junie",
    "kilo-code",
    "kiro",
    "opencode",
    "qwen-code",
    "roo-code",
    "trae",
    "vscode",
    "warp",
    "windsurf",
    "zed",
];

const CLAUDE_MD: &[&str] = &[
    "amp",
    "augment",
    "claude-code",
    "continue",
    "copilot-cli",
    "crush",
    "cursor",
    "opencode",
    "trae",
    "vscode",
    "zed",
];

const COPILOT_INSTRUCTIONS: &[&str] = &["copilot-cli", "copilot-jetbrains", "crush", "vscode", "zed"];

/// Skills of the folder that clients agreed on, in a project.
const AGENTS_SKILLS: &[&str] = &[
    "amp",
    "antigravity",
    "augment",
    "cline",
    "codex",
    "copilot-cli",
    "crush",
    "cursor",
    "gemini-cli",
    "goose",
    "kilo-code",
    "opencode",
    "qwen-code",
    "roo-code",
    "vscode",
    "warp",
    "windsurf",
    "zed",
];

/// The same in the home folder, where fewer clients look.
const HOME_AGENTS_SKILLS: &[&str] = &[
    "augment",
    "cline",
    "codex",
    "copilot-cli",
    "crush",
    "cursor",
    "gemini-cli",
    "goose",
    "opencode",
    "roo-code",
    "vscode",
    "warp",
    "windsurf",
    "zed",
];

const CLAUDE_SKILLS: &[&str] = &[
    "amp",
    "claude-code",
    "cline",
    "continue",
    "copilot-cli",
    "crush",
    "cursor",
    "goose",
    "opencode",
    "vscode",
    "warp",
    "windsurf",
];

const HOME_CLAUDE_SKILLS: &[&str] =
    &["amp", "claude-code", "copilot-cli", "crush", "cursor", "goose", "opencode", "vscode", "warp", "windsurf"];

const AMAZON_Q: &[&str] = &["amazon-q", "kiro"];
const CLAUDE_COMMANDS: &[&str] = &["augment", "claude-code", "copilot-cli"];
const CLAUDE_RULES: &[&str] = &["claude-code", "vscode"];
const CLAUDE_TASKS: &[&str] = &["claude-code", "claude-desktop"];
const CODEX_SKILLS: &[&str] = &["codex", "cursor", "warp"];
const COPILOT: &[&str] = &["copilot-cli", "vscode"];
const COPILOT_SKILLS: &[&str] = &["copilot-cli", "vscode", "warp"];
const FACTORY_SKILLS: &[&str] = &["factory-droid", "warp"];

/// Every place of an instruction file that we know.
pub const INSTRUCTIONS: &[Row] = &[
    // Amazon Q
    row("./.amazonq/rules/**/*.md", "rule", AMAZON_Q),
    row("./AmazonQ.md", "instructions", AMAZON_Q),
    row("./.amazonq/prompts/*.md", "command", &["amazon-q"]),
    row("./.amazonq/{agents,cli-agents}/*.json", "agent", &["amazon-q"]),
    row("~/.aws/amazonq/prompts/*.md", "command", &["amazon-q"]),
    row("~/.aws/amazonq/{agents,cli-agents}/*.json", "agent", &["amazon-q"]),
    // Amp
    row("{xdg}/amp/AGENTS.md", "agents.md", &["amp"]),
    row("{xdg}/amp/commands/*.md", "command", &["amp"]),
    row("{xdg}/amp/checks/*.md", "agent", &["amp"]),
    row("{xdg}/amp/skills/**/SKILL.md", "skill", &["amp"]),
    row("linux:/etc/ampcode/AGENTS.md", "agents.md", &["amp"]),
    row("macos:/Library/Application Support/ampcode/AGENTS.md", "agents.md", &["amp"]),
    row("windows:C:/ProgramData/ampcode/AGENTS.md", "agents.md", &["amp"]),
    // Antigravity
    row("./{.agent,.agents}/rules/**/*.md", "rule", &["antigravity"]),
    row("./{.agent,.agents}/workflows/**/*.md", "command", &["antigravity"]),
    row("./.agent/skills/**/SKILL.md", "skill", &["antigravity", "factory-droid"]),
    row("~/.gemini/AGENTS.md", "agents.md", &["antigravity"]),
    row("~/.gemini/config/rules/**/*.md", "rule", &["antigravity"]),
    row("~/.gemini/{antigravity,antigravity-cli,config}/skills/**/SKILL.md", "skill", &["antigravity"]),
    row("~/.gemini/antigravity/global_workflows/*.md", "command", &["antigravity"]),
    row("~/.gemini/{antigravity,antigravity-cli}/knowledge/**/*.md", "memory.md", &["antigravity"]),
    // Augment
    row("./.augment-guidelines", "instructions", &["augment"]),
    row("./.augment/guidelines.md", "instructions", &["augment"]),
    row("./.augment/rules/**/*.md", "rule", &["augment"]),
    row("./.augment/commands/**/*.md", "command", &["augment"]),
    row("./.augment/agents/*.md", "agent", &["augment"]),
    row("./.augment/skills/**/SKILL.md", "skill", &["augment"]),
    row("~/.augment/user-guidelines.md", "instructions", &["augment"]),
    row("~/.augment/rules/**/*.md", "rule", &["augment"]),
    row("~/.augment/commands/**/*.md", "command", &["augment"]),
    row("~/.augment/agents/*.md", "agent", &["augment"]),
    row("~/.augment/skills/**/SKILL.md", "skill", &["augment"]),
    // Claude Code and Claude Desktop
    row("./.claude/CLAUDE.md", "claude.md", &["claude-code", "copilot-cli", "vscode"]),
    row("./CLAUDE.local.md", "claude.md", &["claude-code", "crush", "trae", "vscode"]),
    row("./CLAUDE.md", "claude.md", CLAUDE_MD),
    row("./.claude/rules/**/*.md", "rule", CLAUDE_RULES),
    row("./.claude/{agent-memory,agent-memory-local}/**/*.md", "memory.md", &["claude-code"]),
    row("./.claude/skills/**/SKILL.md", "skill", CLAUDE_SKILLS),
    row("./.claude/commands/**/*.md", "command", CLAUDE_COMMANDS),
    row("./.claude/agents/**/*.md", "agent", &["claude-code", "copilot-cli", "cursor", "vscode"]),
    row("./.claude/output-styles/*.md", "instructions", &["claude-code"]),
    row("{CLAUDE_CONFIG_DIR|~/.claude}/CLAUDE.md", "claude.md", &["claude-code", "opencode", "vscode"]),
    row("{CLAUDE_CONFIG_DIR|~/.claude}/rules/**/*.md", "rule", CLAUDE_RULES),
    row("{CLAUDE_CONFIG_DIR|~/.claude}/projects/*/memory/**/*.md", "memory.md", &["claude-code"]),
    row("{CLAUDE_CONFIG_DIR|~/.claude}/agent-memory/**/*.md", "memory.md", &["claude-code"]),
    row("{CLAUDE_CONFIG_DIR|~/.claude}/skills/**/SKILL.md", "skill", HOME_CLAUDE_SKILLS),
    row("{CLAUDE_CONFIG_DIR|~/.claude}/commands/**/*.md", "command", CLAUDE_COMMANDS),
    row("{CLAUDE_CONFIG_DIR|~/.claude}/agents/**/*.md", "agent", &["claude-code", "copilot-cli", "cursor"]),
    row("{CLAUDE_CONFIG_DIR|~/.claude}/output-styles/*.md", "instructions", &["claude-code"]),
    row("{CLAUDE_CONFIG_DIR|~/.claude}/scheduled-tasks/**/SKILL.md", "command", CLAUDE_TASKS),
    row("{CLAUDE_CONFIG_DIR|~/.claude}/plugins/**/SKILL.md", "skill", &["claude-code"]),
    row("{CLAUDE_CONFIG_DIR|~/.claude}/plugins/**/commands/**/*.md", "command", &["claude-code"]),
    row("{CLAUDE_CONFIG_DIR|~/.claude}/plugins/**/agents/**/*.md", "agent", &["claude-code"]),
    row("{CLAUDE_CONFIG_DIR|~/.claude}/plugins/**/output-styles/*.md", "instructions", &["claude-code"]),
    row("~/Documents/Claude/Scheduled/*/SKILL.md", "command", &["claude-desktop"]),
    row("linux:/etc/claude-code/CLAUDE.md", "claude.md", &["claude-code"]),
    row("linux:/etc/claude-code/.claude/rules/**/*.md", "rule", &["claude-code"]),
    row("linux:/etc/claude-code/.claude/skills/**/SKILL.md", "skill", &["claude-code"]),
    row("linux:/etc/claude-code/.claude/commands/**/*.md", "command", &["claude-code"]),
    row("linux:/etc/claude-code/.claude/agents/**/*.md", "agent", &["claude-code"]),
    row("macos:/Library/Application Support/ClaudeCode/CLAUDE.md", "claude.md", &["claude-code"]),
    row("macos:/Library/Application Support/ClaudeCode/.claude/rules/**/*.md", "rule", &["claude-code"]),
    row("macos:/Library/Application Support/ClaudeCode/.claude/skills/**/SKILL.md", "skill", &["claude-code"]),
    row("macos:/Library/Application Support/ClaudeCode/.claude/commands/**/*.md", "command", &["claude-code"]),
    row("macos:/Library/Application Support/ClaudeCode/.claude/agents/**/*.md", "agent", &["claude-code"]),
    row("windows:C:/{Program Files,ProgramData}/ClaudeCode/CLAUDE.md", "claude.md", &["claude-code"]),
    row("windows:C:/Program Files/ClaudeCode/.claude/rules/**/*.md", "rule", &["claude-code"]),
    row("windows:C:/Program Files/ClaudeCode/.claude/skills/**/SKILL.md", "skill", &["claude-code"]),
    row("windows:C:/Program Files/ClaudeCode/.claude/commands/**/*.md", "command", &["claude-code"]),
    row("windows:C:/Program Files/ClaudeCode/.claude/agents/**/*.md", "agent", &["claude-code"]),
    // Cline
    row("./.clinerules", "clinerules", &["cline", "kilo-code", "roo-code", "zed"]),
    row("./.clinerules/workflows/*.md", "command", &["cline"]),
    row("./.clinerules/skills/**/SKILL.md", "skill", &["cline"]),
    row("./.clinerules/**/*.{md,txt}", "rule", &["cline"]),
    row("./.cline/skills/**/SKILL.md", "skill", &["cline"]),
    row("./.cline/agents/**/*", "agent", &["cline"]),
    row("~/.cline/skills/**/SKILL.md", "skill", &["cline"]),
    row("~/Documents/Cline/Rules/**/*.{md,txt}", "rule", &["cline"]),
    row("~/Documents/Cline/Workflows/*.md", "command", &["cline"]),
    row("~/Cline/Rules/**/*.{md,txt}", "rule", &["cline"]),
    // Codex
    row("./AGENTS.override.md", "agents.md", &["codex"]),
    row("./.codex/skills/**/SKILL.md", "skill", CODEX_SKILLS),
    row("./{.agents,.codex}/skills/**/agents/openai.yaml", "skill", &["codex"]),
    row("./.codex/agents/*.toml", "agent", &["codex"]),
    row("./.codex/agents/*.md", "agent", &["cursor"]),
    row("{CODEX_HOME|~/.codex}/{AGENTS.md,AGENTS.override.md}", "agents.md", &["codex"]),
    row("{CODEX_HOME|~/.codex}/instructions.md", "instructions", &["codex"]),
    row("{CODEX_HOME|~/.codex}/memories/**/*.md", "memory.md", &["codex"]),
    row("{CODEX_HOME|~/.codex}/prompts/*.md", "command", &["codex"]),
    row("{CODEX_HOME|~/.codex}/agents/*.toml", "agent", &["codex"]),
    row("{CODEX_HOME|~/.codex}/skills/**/SKILL.md", "skill", CODEX_SKILLS),
    row("{CODEX_HOME|~/.codex}/skills/**/agents/openai.yaml", "skill", &["codex"]),
    row("{CODEX_HOME|~/.codex}/plugins/**/SKILL.md", "skill", &["codex"]),
    row("~/.agents/skills/**/agents/openai.yaml", "skill", &["codex"]),
    row("linux:/etc/codex/skills/**/SKILL.md", "skill", &["codex"]),
    // Continue
    row("./CODEX.md", "instructions", &["continue"]),
    row("./.continuerules", "instructions", &["continue"]),
    row("./.continue/rules/**/*.md", "rule", &["continue"]),
    row("./.continue/prompts/**/*.{md,prompt}", "command", &["continue"]),
    row("./.continue/{agents,assistants}/*.{md,yaml}", "agent", &["continue"]),
    row("./.continue/skills/**/SKILL.md", "skill", &["continue"]),
    row("{CONTINUE_GLOBAL_DIR|~/.continue}/rules/**/*.md", "rule", &["continue"]),
    row("{CONTINUE_GLOBAL_DIR|~/.continue}/prompts/**/*.{md,prompt}", "command", &["continue"]),
    row("{CONTINUE_GLOBAL_DIR|~/.continue}/skills/**/SKILL.md", "skill", &["continue"]),
    // Copilot: VS Code, the command line, JetBrains IDEs
    row("./.copilot-instructions.md", "copilot-instructions", &["vscode"]),
    row("./.github/copilot-instructions.md", "copilot-instructions", COPILOT_INSTRUCTIONS),
    row("./.github/instructions/**/*.instructions.md", "rule", &["copilot-cli", "copilot-jetbrains", "vscode"]),
    row("./.github/prompts/**/*.prompt.md", "command", &["copilot-jetbrains", "vscode"]),
    row("./.github/agents/*.md", "agent", COPILOT),
    row("./.github/chatmodes/*.chatmode.md", "agent", &["vscode"]),
    row("./.github/skills/**/SKILL.md", "skill", COPILOT_SKILLS),
    row("{COPILOT_HOME|~/.copilot}/copilot-instructions.md", "copilot-instructions", &["copilot-cli"]),
    row("{COPILOT_HOME|~/.copilot}/instructions/**/*.instructions.md", "rule", COPILOT),
    row("{COPILOT_HOME|~/.copilot}/agents/*.md", "agent", COPILOT),
    row("{COPILOT_HOME|~/.copilot}/skills/**/SKILL.md", "skill", COPILOT_SKILLS),
    row("{COPILOT_HOME|~/.copilot}/installed-plugins/**/SKILL.md", "skill", &["copilot-cli"]),
    row("{xdg}/.copilot/copilot-instructions.md", "copilot-instructions", &["copilot-cli"]),
    row("{xdg}/.copilot/instructions/**/*.instructions.md", "rule", &["copilot-cli"]),
    row("{xdg}/.copilot/agents/*.md", "agent", &["copilot-cli"]),
    row("{xdg}/.copilot/skills/**/SKILL.md", "skill", &["copilot-cli"]),
    row("~/.github/agents/*.md", "agent", &["copilot-cli"]),
    row("{editor}/{instructions,prompts}/*.instructions.md", "rule", &["vscode"]),
    row("{editor}/prompts/*.prompt.md", "command", &["vscode"]),
    row("{editor}/{agents,prompts}/*.{agent,chatmode}.md", "agent", &["vscode"]),
    row("{editor}/profiles/*/prompts/*.instructions.md", "rule", &["vscode"]),
    row("{editor}/profiles/*/prompts/*.prompt.md", "command", &["vscode"]),
    row("{editor}/profiles/*/prompts/*.{agent,chatmode}.md", "agent", &["vscode"]),
    row("{editor}/globalStorage/github.copilot-chat/memory-tool/memories/**/*.md", "memory.md", &["vscode"]),
    row("{editor}/workspaceStorage/*/GitHub.copilot-chat/memory-tool/memories/**/*.md", "memory.md", &["vscode"]),
    row(
        "{xdg}/github-copilot/intellij/global-{agents,copilot,git-commit}-instructions.md",
        "copilot-instructions",
        &["copilot-jetbrains"],
    ),
    row(
        "{local}/github-copilot/intellij/global-{agents,copilot,git-commit}-instructions.md",
        "copilot-instructions",
        &["copilot-jetbrains"],
    ),
    // Crush
    row("./{CRUSH,CRUSH.local,Crush,Crush.local,crush,crush.local}.md", "instructions", &["crush"]),
    row("./.crush/commands/**/*.md", "command", &["crush"]),
    row("./.crush/skills/**/SKILL.md", "skill", &["crush"]),
    row("~/.crush/commands/**/*.md", "command", &["crush"]),
    row("{xdg}/crush/CRUSH.md", "instructions", &["crush"]),
    row("{xdg}/crush/commands/**/*.md", "command", &["crush"]),
    row("{xdg}/crush/skills/**/SKILL.md", "skill", &["crush"]),
    // Cursor
    row("./.cursorrules", "cursorrules", &["cline", "crush", "cursor", "zed"]),
    row("./.cursor/rules/**/*.mdc", "rule", &["cline", "crush", "cursor"]),
    row("./.cursor/rules/**/*.md", "rule", &["crush", "cursor"]),
    row("./.cursor/BUGBOT.md", "instructions", &["cursor"]),
    row("./.cursor/commands/**/*.md", "command", &["cursor"]),
    row("./.cursor/agents/**/*.md", "agent", &["cursor"]),
    row("./.cursor/skills/**/SKILL.md", "skill", &["crush", "cursor", "warp"]),
    row("~/.cursor/commands/**/*.md", "command", &["cursor"]),
    row("~/.cursor/agents/**/*.md", "agent", &["cursor"]),
    row("~/.cursor/skills/**/SKILL.md", "skill", &["cursor", "warp"]),
    row("~/.cursor/skills-cursor/**/SKILL.md", "skill", &["cursor"]),
    row("~/.cursor/plugins/**/SKILL.md", "skill", &["cursor"]),
    row("~/.cursor/plugins/**/rules/**/*.mdc", "rule", &["cursor"]),
    // Factory Droid
    row("./.factory/commands/**/*.md", "command", &["factory-droid"]),
    row("./.factory/droids/*.md", "agent", &["factory-droid"]),
    row("./.factory/skills/**/SKILL.md", "skill", FACTORY_SKILLS),
    row("~/.factory/AGENTS.md", "agents.md", &["factory-droid"]),
    row("~/.factory/commands/**/*.md", "command", &["factory-droid"]),
    row("~/.factory/droids/*.md", "agent", &["factory-droid"]),
    row("~/.factory/skills/**/SKILL.md", "skill", FACTORY_SKILLS),
    // Gemini CLI
    row("./.gemini/GEMINI.md", "gemini.md", &["gemini-cli"]),
    row("./GEMINI.md", "gemini.md", &["antigravity", "copilot-cli", "crush", "gemini-cli", "zed"]),
    row("./gemini.md", "gemini.md", &["crush"]),
    row("./.gemini/system.md", "instructions", &["gemini-cli"]),
    row("./.gemini/commands/**/*.toml", "command", &["gemini-cli"]),
    row("./.gemini/agents/*.md", "agent", &["gemini-cli"]),
    row("./.gemini/skills/**/SKILL.md", "skill", &["gemini-cli", "warp"]),
    row("~/.gemini/GEMINI.md", "gemini.md", &["antigravity", "gemini-cli"]),
    row("~/.gemini/tmp/*/memory/*.md", "memory.md", &["gemini-cli"]),
    row("~/.gemini/commands/**/*.toml", "command", &["gemini-cli"]),
    row("~/.gemini/agents/*.md", "agent", &["gemini-cli"]),
    row("~/.gemini/skills/**/SKILL.md", "skill", &["antigravity", "gemini-cli", "warp"]),
    row("~/.gemini/extensions/*/GEMINI.md", "gemini.md", &["gemini-cli"]),
    row("~/.gemini/extensions/*/commands/**/*.toml", "command", &["gemini-cli"]),
    row("~/.gemini/extensions/*/agents/*.md", "agent", &["gemini-cli"]),
    row("~/.gemini/extensions/*/skills/**/SKILL.md", "skill", &["gemini-cli"]),
    // Goose
    row("./.goosehints", "goosehints", &["goose"]),
    row("./.goose/memory/*.txt", "memory.md", &["goose"]),
    row("./.goose/recipes/**/*.{json,yaml,yml}", "command", &["goose"]),
    row("./.goose/skills/**/SKILL.md", "skill", &["goose"]),
    row("./.agents/plugins/**/SKILL.md", "skill", &["goose"]),
    row("{xdg}/goose/.goosehints", "goosehints", &["goose"]),
    row("{xdg}/goose/AGENTS.md", "agents.md", &["goose"]),
    row("{xdg}/goose/memory/*.txt", "memory.md", &["goose"]),
    row("{xdg}/goose/prompts/*.md", "instructions", &["goose"]),
    row("{xdg}/goose/recipes/**/*.{json,yaml,yml}", "command", &["goose"]),
    row("{xdg}/goose/skills/**/SKILL.md", "skill", &["goose"]),
    row("{config}/Block/goose/config/.goosehints", "goosehints", &["goose"]),
    row("{config}/Block/goose/config/AGENTS.md", "agents.md", &["goose"]),
    row("{config}/Block/goose/config/memory/*.txt", "memory.md", &["goose"]),
    row("{config}/Block/goose/config/prompts/*.md", "instructions", &["goose"]),
    row("{config}/Block/goose/config/recipes/**/*.{json,yaml,yml}", "command", &["goose"]),
    row("{config}/Block/goose/config/skills/**/SKILL.md", "skill", &["goose"]),
    // JetBrains AI Assistant
    row("./.aiassistant/rules/**/*.md", "rule", &["jetbrains"]),
    // Junie
    row("./.junie/AGENTS.md", "agents.md", &["junie"]),
    row("./.junie/guidelines.md", "instructions", &["junie"]),
    row("./.junie/memories/*.md", "memory.md", &["junie"]),
    row("./.junie/commands/*.md", "command", &["junie"]),
    row("./.junie/agents/*.md", "agent", &["junie"]),
    row("./.junie/skills/**/SKILL.md", "skill", &["junie"]),
    row("~/.junie/AGENTS.md", "agents.md", &["junie"]),
    row("~/.junie/commands/*.md", "command", &["junie"]),
    row("~/.junie/agents/*.md", "agent", &["junie"]),
    row("~/.junie/skills/**/SKILL.md", "skill", &["junie"]),
    // Kilo Code
    row("./.kilocoderules", "instructions", &["kilo-code"]),
    row("./{.kilo,.kilocode}/rules/memory-bank/*.md", "memory.md", &["kilo-code"]),
    row("./.kilocode/{rules,rules-*}/**/*", "rule", &["kilo-code"]),
    row("./.kilocode/workflows/*.md", "command", &["kilo-code"]),
    row("./.kilocode/{skills,skills-*}/**/SKILL.md", "skill", &["kilo-code"]),
    row("./.kilocodemodes", "agent", &["kilo-code"]),
    row("./.kilo/rules/**/*", "rule", &["kilo-code"]),
    row("./.kilo/{command,commands}/**/*.md", "command", &["kilo-code"]),
    row("./.kilo/{agent,agents}/**/*.md", "agent", &["kilo-code"]),
    row("./.kilo/{skill,skills}/**/SKILL.md", "skill", &["kilo-code"]),
    row("~/{.kilo,.kilocode}/rules/**/*", "rule", &["kilo-code"]),
    row("~/.kilocode/workflows/*.md", "command", &["kilo-code"]),
    row("~/.kilocode/{skills,skills-*}/**/SKILL.md", "skill", &["kilo-code"]),
    row("~/.kilo/skills/**/SKILL.md", "skill", &["kilo-code"]),
    row("{xdg}/kilo/AGENTS.md", "agents.md", &["kilo-code"]),
    row("{xdg}/kilo/rules/**/*", "rule", &["kilo-code"]),
    row("{xdg}/kilo/{command,commands}/**/*.md", "command", &["kilo-code"]),
    row("{xdg}/kilo/{agent,agents}/**/*.md", "agent", &["kilo-code"]),
    row("{xdg}/kilo/{skill,skills}/**/SKILL.md", "skill", &["kilo-code"]),
    row("{XDG_DATA_HOME|~/.local/share}/kilo/memory/**/*.md", "memory.md", &["kilo-code"]),
    // Kiro
    row("./.kiro/steering/**/*.md", "rule", &["kiro"]),
    row("./.kiro/prompts/*.md", "command", &["kiro"]),
    row("./.kiro/agents/*.{json,md}", "agent", &["kiro"]),
    row("./.kiro/skills/**/SKILL.md", "skill", &["kiro"]),
    row("~/.kiro/steering/**/*.md", "rule", &["kiro"]),
    row("~/.kiro/prompts/*.md", "command", &["kiro"]),
    row("~/.kiro/agents/*.{json,md}", "agent", &["kiro"]),
    row("~/.kiro/skills/**/SKILL.md", "skill", &["kiro"]),
    row("~/.kiro/powers/**/POWER.md", "skill", &["kiro"]),
    row("~/.kiro/powers/**/steering/*.md", "rule", &["kiro"]),
    // OpenCode
    row("./.opencode/{command,commands}/**/*.md", "command", &["opencode"]),
    row("./.opencode/{agent,agents,mode,modes}/**/*.md", "agent", &["opencode"]),
    row("./.opencode/{skill,skills}/**/SKILL.md", "skill", &["opencode", "warp"]),
    row("{xdg}/opencode/AGENTS.md", "agents.md", &["opencode"]),
    row("{xdg}/opencode/{command,commands}/**/*.md", "command", &["opencode"]),
    row("{xdg}/opencode/{agent,agents,mode,modes}/**/*.md", "agent", &["opencode"]),
    row("{xdg}/opencode/{skill,skills}/**/SKILL.md", "skill", &["opencode"]),
    row("{OPENCODE_CONFIG_DIR|~/.opencode}/AGENTS.md", "agents.md", &["opencode"]),
    row("{OPENCODE_CONFIG_DIR|~/.opencode}/{command,commands}/**/*.md", "command", &["opencode"]),
    row("{OPENCODE_CONFIG_DIR|~/.opencode}/{agent,agents,mode,modes}/**/*.md", "agent", &["opencode"]),
    row("{OPENCODE_CONFIG_DIR|~/.opencode}/{skill,skills}/**/SKILL.md", "skill", &["opencode"]),
    // Qwen Code
    row("./.qwen/QWEN.local.md", "qwen.md", &["qwen-code"]),
    row("./QWEN.md", "qwen.md", &["qwen-code"]),
    row("./.qwen/rules/**/*.md", "rule", &["qwen-code"]),
    row("./.qwen/team-memory/**/*.md", "memory.md", &["qwen-code"]),
    row("./.qwen/output-styles/*.md", "instructions", &["qwen-code"]),
    row("./.qwen/commands/**/*.{md,toml}", "command", &["qwen-code"]),
    row("./.qwen/agents/*.md", "agent", &["qwen-code"]),
    row("./.qwen/skills/**/SKILL.md", "skill", &["qwen-code"]),
    row("~/.qwen/QWEN.md", "qwen.md", &["qwen-code"]),
    row("~/.qwen/rules/**/*.md", "rule", &["qwen-code"]),
    row("~/.qwen/memories/**/*.md", "memory.md", &["qwen-code"]),
    row("~/.qwen/projects/*/memory/**/*.md", "memory.md", &["qwen-code"]),
    row("~/.qwen/output-styles/*.md", "instructions", &["qwen-code"]),
    row("~/.qwen/commands/**/*.{md,toml}", "command", &["qwen-code"]),
    row("~/.qwen/agents/*.md", "agent", &["qwen-code"]),
    row("~/.qwen/skills/**/SKILL.md", "skill", &["qwen-code"]),
    row("~/.qwen/extensions/*/QWEN.md", "qwen.md", &["qwen-code"]),
    row("~/.qwen/extensions/*/rules/**/*.md", "rule", &["qwen-code"]),
    row("~/.qwen/extensions/*/commands/**/*.{md,toml}", "command", &["qwen-code"]),
    row("~/.qwen/extensions/*/agents/*.md", "agent", &["qwen-code"]),
    row("~/.qwen/extensions/*/skills/**/SKILL.md", "skill", &["qwen-code"]),
    // Roo Code
    row("./.roorules", "roorules", &["kilo-code", "roo-code"]),
    row("./.roorules-*", "roorules", &["roo-code"]),
    row("./.clinerules-*", "clinerules", &["roo-code"]),
    row("./.roomodes", "agent", &["roo-code"]),
    row("./.roo/system-prompt-*", "instructions", &["roo-code"]),
    row("./.roo/{rules,rules-*}/**/*", "rule", &["roo-code"]),
    row("./.roo/commands/*.md", "command", &["roo-code"]),
    row("./.roo/{skills,skills-*}/**/SKILL.md", "skill", &["roo-code"]),
    row("~/.roo/{rules,rules-*}/**/*", "rule", &["roo-code"]),
    row("~/.roo/commands/*.md", "command", &["roo-code"]),
    row("~/.roo/{skills,skills-*}/**/SKILL.md", "skill", &["roo-code"]),
    row("{editor}/globalStorage/rooveterinaryinc.roo-cline/settings/custom_modes.yaml", "agent", &["roo-code"]),
    // Trae
    row("./.trae/rules/**/*.md", "rule", &["trae"]),
    row("./.trae/{project_rules,user_rules}.md", "rule", &["trae"]),
    row("./.trae/agents/*.md", "agent", &["trae"]),
    row("./.trae/skills/**/SKILL.md", "skill", &["trae"]),
    row("~/{.trae,.trae-cn}/user_rules.md", "rule", &["trae"]),
    row("~/{.trae,.trae-cn}/skills/**/SKILL.md", "skill", &["trae"]),
    // Warp
    row("./WARP.md", "warp.md", &["warp"]),
    row("./.warp/skills/**/SKILL.md", "skill", &["warp"]),
    row("~/.warp/skills/**/SKILL.md", "skill", &["warp"]),
    // Windsurf, which is Devin Desktop
    row("./.windsurfrules", "windsurfrules", &["cline", "windsurf", "zed"]),
    row("./.windsurf/rules/**/*.md", "rule", &["cline", "windsurf"]),
    row("./.devin/rules/**/*.md", "rule", &["windsurf"]),
    row("./.devin/global_rules.md", "instructions", &["windsurf"]),
    row("./{.devin,.windsurf}/workflows/**/*.md", "command", &["windsurf"]),
    row("./{.devin,.windsurf}/skills/**/SKILL.md", "skill", &["windsurf"]),
    row("~/.codeium/memories/global_rules.md", "instructions", &["windsurf"]),
    row("~/.codeium/{windsurf,windsurf-next}/memories/global_rules.md", "instructions", &["windsurf"]),
    row("~/.codeium/{windsurf,windsurf-next}/global_workflows/*.md", "command", &["windsurf"]),
    row("~/.codeium/{windsurf,windsurf-next}/skills/**/SKILL.md", "skill", &["windsurf"]),
    row("~/.devin/global_rules.md", "instructions", &["windsurf"]),
    row("~/.devin/rules/**/*.md", "rule", &["windsurf"]),
    row("{xdg}/devin/AGENTS.md", "agents.md", &["windsurf"]),
    row("{xdg}/devin/skills/**/SKILL.md", "skill", &["windsurf"]),
    row("windows:{config}/devin/AGENTS.md", "agents.md", &["windsurf"]),
    row("linux:/etc/{devin,windsurf}/rules/*.md", "rule", &["windsurf"]),
    row("linux:/etc/{devin,windsurf}/workflows/*.md", "command", &["windsurf"]),
    row("linux:/etc/windsurf/skills/**/SKILL.md", "skill", &["windsurf"]),
    row("macos:/Library/Application Support/{Devin,Windsurf}/rules/*.md", "rule", &["windsurf"]),
    row("macos:/Library/Application Support/{Devin,Windsurf}/workflows/*.md", "command", &["windsurf"]),
    row("macos:/Library/Application Support/Windsurf/skills/**/SKILL.md", "skill", &["windsurf"]),
    row("windows:C:/ProgramData/{Devin,Windsurf}/rules/*.md", "rule", &["windsurf"]),
    row("windows:C:/ProgramData/{Devin,Windsurf}/workflows/*.md", "command", &["windsurf"]),
    row("windows:C:/ProgramData/Windsurf/skills/**/SKILL.md", "skill", &["windsurf"]),
    // Zed
    row("./.rules", "instructions", &["zed"]),
    row("{xdg}/zed/AGENTS.md", "agents.md", &["zed"]),
    row("windows:{config}/Zed/AGENTS.md", "agents.md", &["zed"]),
    row("linux:~/.var/app/dev.zed.Zed/config/zed/AGENTS.md", "agents.md", &["zed"]),
    // Shared by clients of different makers
    row("./.agents/skills/**/SKILL.md", "skill", AGENTS_SKILLS),
    row("./.agents/commands/**/*.md", "command", &["amp", "augment"]),
    row("./.agents/checks/**/*.md", "agent", &["amp"]),
    row("./.agents/*.md", "agent", &["augment"]),
    row("~/.agents/AGENTS.md", "agents.md", &["warp"]),
    row("~/.agents/skills/**/SKILL.md", "skill", HOME_AGENTS_SKILLS),
    row("~/.agents/commands/**/*.md", "command", &["augment"]),
    row("~/.agents/*.md", "agent", &["augment"]),
    row("{xdg}/AGENTS.md", "agents.md", &["amp", "crush"]),
    row("{xdg}/agents/skills/**/SKILL.md", "skill", &["amp", "crush", "goose"]),
    row("./memory-bank/*.md", "memory.md", &["cline", "kilo-code", "roo-code"]),
    row("./CONTEXT.md", "instructions", &["antigravity", "opencode"]),
    row("./AGENTS.md", "agents.md", AGENTS_MD),
    row("./AGENTS.local.md", "agents.md", &["roo-code", "windsurf"]),
    row("./{Agents,agents}.md", "agents.md", &["amp", "crush"]),
    row("./AGENT.md", "agents.md", &["amp", "continue", "roo-code", "windsurf", "zed"]),
    row("./{Agent,agent}.md", "agents.md", &["amp"]),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The types on the wire.
    const TYPES: &[&str] = &[
        "agent",
        "agents.md",
        "claude.md",
        "clinerules",
        "command",
        "copilot-instructions",
        "cursorrules",
        "gemini.md",
        "goosehints",
        "instructions",
        "memory.md",
        "qwen.md",
        "roorules",
        "rule",
        "skill",
        "warp.md",
        "windsurfrules",
    ];

    /// What a place may begin with, besides a folder that a variable moves.
    const BEGINNINGS: &[&str] = &["./", "~/", "{config}/", "{xdg}/", "{local}/", "{editor}/", "/", "C:/"];

    /// The place without the system that it is limited to.
    fn on_any_system(at: &str) -> &str {
        ["linux:", "macos:", "windows:"].iter().find_map(|system| at.strip_prefix(system)).unwrap_or(at)
    }

    fn is_moved_by_a_variable(at: &str) -> bool {
        at.strip_prefix('{')
            .and_then(|rest| rest.split_once("|~/"))
            .is_some_and(|(name, rest)| name.chars().all(|c| c.is_ascii_uppercase() || c == '_') && rest.contains("}/"))
    }

    #[test]
    fn every_place_has_a_known_beginning() {
        for row in INSTRUCTIONS {
            let at = on_any_system(row.at);
            let is_known = BEGINNINGS.iter().any(|beginning| at.starts_with(beginning));
            assert!(is_known || is_moved_by_a_variable(at), "{}", row.at);
        }
    }

    #[test]
    fn no_place_searches_a_whole_home_or_project() {
        for row in INSTRUCTIONS {
            let rest = on_any_system(row.at).split_once('/').map(|(_, rest)| rest);
            assert!(rest.is_some_and(|rest| !rest.starts_with('*')), "{}", row.at);
        }
    }

    #[test]
    fn no_place_stands_twice() {
        let mut seen = BTreeSet::new();
        for row in INSTRUCTIONS {
            assert!(seen.insert(row.at), "{}", row.at);
        }
    }

    #[test]
    fn every_type_is_on_the_wire() {
        for row in INSTRUCTIONS {
            assert!(TYPES.contains(&row.r#type), "{}: {}", row.at, row.r#type);
        }
    }

    #[test]
    fn clients_are_sorted_and_unique() {
        for row in INSTRUCTIONS {
            assert!(!row.clients.is_empty(), "{}", row.at);
            assert!(row.clients.is_sorted_by(|a, b| a < b), "{}: {:?}", row.at, row.clients);
        }
    }
}
