//! One server as a configuration defines it, read from whatever keys its client uses.
//!
//! The members of all clients are read together. Their names don't contradict each other, and a file that was copied
//! from one client to another is still understood.

use std::borrow::Cow;

use super::shell;
use super::tree::{Member, Node, Position, Value};

/// A server that a configuration defines.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Server {
    /// What the configuration calls it.
    pub(crate) name: String,
    /// Where its definition begins.
    pub(crate) at: Position,
    /// The section that it stands in, such as a project's path, if it is not for the whole file.
    pub(crate) section: Option<String>,
    pub(crate) launch: Launch,
    pub(crate) env: Vec<Setting>,
    pub(crate) headers: Vec<Setting>,
    /// Everything else that has a name and a text.
    pub(crate) others: Vec<Setting>,
    /// A file of further environment variables.
    pub(crate) env_file: Option<Setting>,
    /// Where its command starts.
    pub(crate) directory: Option<String>,
    pub(crate) is_enabled: bool,
    /// The tools that are used without asking; `*` stands for all.
    pub(crate) approved: Vec<String>,
    pub(crate) demands: Demands,
}

impl Server {
    /// A server of which only the way to it is known.
    pub(crate) fn bare(launch: Launch) -> Self {
        Self {
            name: String::new(),
            at: Position::START,
            section: None,
            launch,
            env: Vec::new(),
            headers: Vec::new(),
            others: Vec::new(),
            env_file: None,
            directory: None,
            is_enabled: true,
            approved: Vec::new(),
            demands: Demands::default(),
        }
    }
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Launch {
    /// By starting a command.
    Stdio { command: String, args: Vec<Setting> },
    /// At a URL.
    Http { url: String, at: Position },
}

/// What the definition says of authentication besides secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Demands {
    pub(crate) oauth: bool,
    pub(crate) certificate: bool,
}

/// A name, a text and where the text stands. Arguments have no name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) at: Position,
}

/// Keys that hold a URL.
const URL: &[&str] = &["url", "serverUrl", "httpUrl", "server_url", "uri", "baseUrl", "endpoint"];
/// Keys that hold a command.
const COMMAND: &[&str] = &["command", "cmd", "executable"];
/// Keys that hold arguments.
const ARGS: &[&str] = &["args", "arguments"];
/// Keys that hold environment variables.
const ENV: &[&str] = &["env", "environment", "envs"];
/// Keys that list the names of environment variables that are passed on.
const ENV_NAMES: &[&str] = &["env_vars", "env_keys", "envVars"];
/// Keys that hold headers.
const HEADERS: &[&str] = &["headers", "http_headers", "httpHeaders", "customHeaders"];
/// Keys that hold headers whose values are names of environment variables.
const ENV_HEADERS: &[&str] = &["env_http_headers"];
/// Keys whose value is the name of an environment variable with a token.
const TOKEN_NAMES: &[&str] = &["bearer_token_env_var", "bearerTokenEnvVar", "bearerTokenEnv", "api_key_env"];
/// Keys that name a file of environment variables.
const ENV_FILES: &[&str] = &["envFile", "env_file", "dotenv"];
/// Keys that say where a command starts.
const DIRECTORY: &[&str] = &["cwd", "workingDirectory", "working_directory"];
/// Objects in which some clients put part of the definition.
const NESTED: &[&str] =
    &["transport", "stdio", "http", "sse", "remote", "config", "requestInit", "requestOptions", "command"];
/// Members that say nothing secret and may be long.
const SKIPPED: &[&str] =
    &["name", "description", "title", "type", "transport", "cwd", "timeout", "$schema", "icon", "version"];

/// How deep the rest of a definition is looked into.
const OTHERS_DEPTH: usize = 4;
/// Settings of one definition, so that one entry can't be the whole file many times over.
const SETTINGS: usize = 10_000;
/// Longest name of anything, in bytes. A longer one is cut.
pub(crate) const NAME: usize = 1024;
/// Longest command or URL. No system takes a longer one.
const LAUNCH: usize = 16 << 10;
/// Tools that one definition may approve.
const APPROVED: usize = 1_000;

/// Reads an entry of a container. `None`: nothing there says how to reach a server.
pub(crate) fn read(name: &str, at: Position, entry: &Node) -> Option<Server> {
    let launch = launch(entry)?;
    let mut env = env(entry);
    let mut headers = Vec::new();
    for node in within(entry) {
        if let Some(member) = node.get_any(HEADERS) {
            headers.extend(pairs(&member.value, ':'));
        }
        if let Some(member) = node.get_any(ENV_HEADERS) {
            headers.extend(pairs(&member.value, ':').map(referring));
        }
        if let Some((member, variable)) = node.get_any(TOKEN_NAMES).and_then(|it| Some((it, it.value.text()?))) {
            let value = format!("Bearer ${{{variable}}}");
            headers.push(Setting { name: "Authorization".to_owned(), value, at: member.value.at });
        }
        for name in node.get_any(ENV_NAMES).into_iter().flat_map(|member| member.value.items()) {
            let text = name.text().or_else(|| name.get("name").and_then(|member| member.value.text()));
            let setting = |text: &str| Setting { name: text.to_owned(), value: text.to_owned(), at: name.at };
            env.extend(text.map(setting).map(referring));
        }
    }
    let mut others = Vec::new();
    rest(entry, &mut others);
    Some(Server {
        name: cut(name).into_owned(),
        at,
        section: None,
        launch,
        env,
        headers,
        others,
        env_file: env_file(entry),
        directory: find(entry, DIRECTORY).and_then(|member| member.value.text()).map(str::to_owned),
        is_enabled: is_enabled(entry),
        approved: approved(entry),
        demands: demands(entry),
    })
}

/// A name that is no longer than names are.
pub(crate) fn cut(name: &str) -> Cow<'_, str> {
    if name.len() <= NAME {
        return name.into();
    }
    let end = name.floor_char_boundary(NAME);
    format!("{}…", name.get(..end).unwrap_or_default()).into()
}

/// The entry and the objects in it that may hold part of the definition.
fn within(entry: &Node) -> impl Iterator<Item = &Node> {
    let nested = NESTED.iter().filter_map(|key| entry.get(key)).map(|member| &member.value);
    std::iter::once(entry).chain(nested)
}

fn find<'n>(entry: &'n Node, keys: &[&str]) -> Option<&'n Member> {
    within(entry).find_map(|node| node.get_any(keys))
}

fn launch(entry: &Node) -> Option<Launch> {
    let launch = any_launch(entry)?;
    let text = match &launch {
        Launch::Stdio { command, .. } => command,
        Launch::Http { url, .. } => url,
    };
    (text.len() <= LAUNCH).then_some(launch)
}

fn any_launch(entry: &Node) -> Option<Launch> {
    if let Some(url) = entry.text().filter(|text| text.contains("://")) {
        return Some(Launch::Http { url: url.to_owned(), at: entry.at });
    }
    let text = |member: &Member| member.value.text().map(|text| (text.to_owned(), member.value.at));
    let url = within(entry).find_map(|node| URL.iter().find_map(|key| node.get(key).and_then(text)));
    let command = stdio(entry);
    let kind = find(entry, &["type", "transport", "transportType"]).and_then(|member| member.value.text());
    let is_stdio = matches!(kind, Some("stdio" | "local"));
    match (url, command) {
        (_, Some(command)) if is_stdio => Some(command),
        (Some((url, at)), _) => Some(Launch::Http { url, at }),
        (None, command) => command,
    }
}

fn stdio(entry: &Node) -> Option<Launch> {
    // An object is looked into by `find`, so what is found here is a text or a list.
    let is_usable = |member: &&Member| matches!(member.value.value, Value::Text(_) | Value::List(_));
    let command = within(entry)
        .find_map(|node| COMMAND.iter().find_map(|key| node.get(key).filter(is_usable)))
        .or_else(|| entry.get("command").and_then(|command| command.value.get("path")))?;
    let mut words = command.value.items().iter().filter_map(word);
    let (command, mut args) = match command.value.text() {
        Some(text) => (text.to_owned(), Vec::new()),
        None => (words.next()?.value.trim().to_owned(), words.collect()),
    };
    if command.is_empty() {
        return None;
    }
    if let Some(given) = find(entry, ARGS) {
        match given.value.text() {
            Some(line) => {
                let at = given.value.at;
                args.extend(shell::words(line).into_iter().map(|value| Setting { name: String::new(), value, at }));
            }
            None => args.extend(given.value.items().iter().filter_map(word)),
        }
    }
    args.truncate(SETTINGS);
    Some(Launch::Stdio { command, args })
}

fn word(node: &Node) -> Option<Setting> {
    Some(Setting { name: String::new(), value: node.scalar()?.to_owned(), at: node.at })
}

fn env(entry: &Node) -> Vec<Setting> {
    let found = within(entry).filter_map(|node| node.get_any(ENV));
    found.flat_map(|member| pairs(&member.value, '=')).take(SETTINGS).collect()
}

/// The settings of an object, of a list of `name=value`, or of a list of objects with a name and a value.
fn pairs(node: &Node, between: char) -> impl Iterator<Item = Setting> {
    let members = node.members().iter().filter_map(|member| {
        let value = member.value.scalar()?.to_owned();
        Some(Setting { name: member.key.clone(), value, at: member.value.at })
    });
    let items = node.items().iter().filter_map(move |item| {
        let (name, value) = match item.scalar() {
            Some(text) => text.split_once(between).map(|(name, value)| (name.trim(), value.trim()))?,
            None => (item.get_any(&["name", "key"])?.value.text()?, item.get("value")?.value.scalar()?),
        };
        Some(Setting { name: name.to_owned(), value: value.to_owned(), at: item.at })
    });
    members.chain(items)
}

/// A setting whose value is the name of an environment variable.
fn referring(setting: Setting) -> Setting {
    Setting { value: format!("${{{}}}", setting.value.trim()), ..setting }
}

fn env_file(entry: &Node) -> Option<Setting> {
    let member = find(entry, ENV_FILES)?;
    let value = member.value.text()?.to_owned();
    Some(Setting { name: member.key.clone(), value, at: member.value.at })
}

fn is_enabled(entry: &Node) -> bool {
    let says = |keys: &[&str], value: bool| {
        let options = entry.get("options").map(|member| &member.value);
        let found = std::iter::once(entry).chain(options).find_map(|node| node.get_any(keys));
        found.and_then(|member| member.value.boolean()) == Some(value)
    };
    !says(&["disabled"], true) && !says(&["enabled", "isActive", "active", "is_enabled"], false)
}

fn approved(entry: &Node) -> Vec<String> {
    let mut tools: Vec<String> = ["autoApprove", "alwaysAllow", "auto_approve", "always_allow"]
        .iter()
        .filter_map(|key| entry.get(key))
        .flat_map(|member| {
            let all = (member.value.boolean() == Some(true)).then(|| "*".to_owned());
            let named = member.value.items().iter().filter_map(|item| Some(cut(item.text()?).into_owned()));
            all.into_iter().chain(named)
        })
        .take(APPROVED)
        .collect();
    let mode = entry.get("default_tools_approval_mode").and_then(|member| member.value.text());
    let trusts = entry.get("trust").and_then(|member| member.value.boolean());
    if trusts == Some(true) || mode == Some("approve") {
        tools.push("*".to_owned());
    }
    tools.sort_unstable();
    tools.dedup();
    tools
}

fn demands(entry: &Node) -> Demands {
    let is_set = |node: &Node| !matches!(node.value, Value::Null | Value::Boolean(false));
    let has = |keys: &[&str]| find(entry, keys).is_some_and(|member| is_set(&member.value));
    let is_oauth = |member: &Member| member.value.text().is_some_and(|text| text.eq_ignore_ascii_case("oauth"));
    let oauth = has(&["oauth", "oauthClientId", "oauthScopes", "authProviderType", "requiresOAuth", "useOAuth"])
        || entry.get_any(&["auth", "authType", "auth_type"]).is_some_and(is_oauth);
    let certificate = has(&["clientCert", "client_cert", "clientCertificate", "mtls", "tlsClientCert"]);
    Demands { oauth, certificate }
}

/// Everything in the entry that has a name and a text and was not read as something else.
fn rest(entry: &Node, out: &mut Vec<Setting>) {
    others(entry, Some(NESTED), 0, out);
}

/// The texts below a node. Where the definition itself is read, which is the entry and the objects that may hold part
/// of it, the keys that are read are left out; deeper down the same keys mean something that nobody read.
fn others(node: &Node, nested: Option<&[&str]>, depth: usize, out: &mut Vec<Setting>) {
    let is_read = |key: &str| {
        let lists = [URL, COMMAND, ARGS, ENV, ENV_NAMES, HEADERS, ENV_HEADERS, TOKEN_NAMES, ENV_FILES, SKIPPED];
        nested.is_some() && lists.iter().any(|list| list.contains(&key))
    };
    for member in node.members() {
        let key = member.key.as_str();
        let is_nested = nested.is_some_and(|nested| nested.contains(&key));
        let is_object = matches!(member.value.value, Value::Object(_));
        if is_read(key) && !(is_nested && is_object) {
            continue;
        }
        let items = match &member.value.value {
            Value::List(items) => items.as_slice(),
            _ => std::slice::from_ref(&member.value),
        };
        for item in items {
            match &item.value {
                Value::Text(value) if out.len() < SETTINGS => {
                    out.push(Setting { name: member.key.clone(), value: value.clone(), at: item.at });
                }
                Value::Object(_) if depth < OTHERS_DEPTH => {
                    others(item, is_nested.then_some(&[]), depth + 1, out);
                }
                _ => {}
            }
        }
    }
}
