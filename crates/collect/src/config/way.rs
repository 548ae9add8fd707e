//! How a defined server would be reached by its client: variables filled in as clients do, secrets included.
//!
//! What is made here is used to ask the server and dropped; it is never shown and never part of a document.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use url::Url;

use super::env_file::Variables;
use super::server::{Launch, Server, Setting};
use crate::mcp::Way;
use crate::net::Trust;
use crate::process;

/// What references may stand for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Surroundings {
    pub(crate) home: Option<PathBuf>,
    pub(crate) project: Option<PathBuf>,
    /// The environment of whoever scans, which is what the client would have.
    pub(crate) variables: Arc<BTreeMap<String, String>>,
    /// Whether the user wrote or named the file, and it did not just lie in a project.
    pub(crate) is_trusted: bool,
}

/// How a server is reached, and the names of what could not be filled in and is left out.
#[derive(Debug, Clone)]
pub(crate) struct Reached {
    pub(crate) way: Way,
    pub(crate) left_out: Vec<String>,
    /// Values from the environment that were filled in.
    pub(crate) filled_in: Vec<String>,
}

/// The way to a server.
pub(crate) fn of(server: &Server, files: &Variables, around: &Surroundings) -> Reached {
    let mut left_out = Vec::new();
    let way = match &server.launch {
        Launch::Stdio { command, args } => start(server, command, args, files, around, &mut left_out),
        Launch::Http { url, .. } => call(server, url, around, &mut left_out),
    };
    let filled_in = around.filled_in(server);
    Reached { way, left_out, filled_in }
}

fn start(
    server: &Server,
    command: &str,
    args: &[Setting],
    files: &Variables,
    around: &Surroundings,
    left_out: &mut Vec<String>,
) -> Way {
    let words = std::iter::once(command.trim()).chain(args.iter().map(|arg| arg.value.as_str()));
    let mut words = match words.map(|word| around.expand(word)).collect::<Result<Vec<String>, Unknown>>() {
        Ok(words) => words.into_iter(),
        Err(unknown) => return Way::Not(format!("its command refers to {unknown}, which is not known here")),
    };
    let program = words.next().unwrap_or_default();
    let mut env: BTreeMap<String, String> =
        files.values().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    for setting in &server.env {
        match around.expand_value(&setting.value) {
            Ok(value) => drop(env.insert(setting.name.clone(), value)),
            Err(_) => left_out.push(setting.name.clone()),
        }
    }
    let directory = server.directory.as_deref().and_then(|folder| around.expand(folder).ok()).map(PathBuf::from);
    let directory = match (directory, &around.project) {
        (Some(folder), Some(project)) => Some(project.join(folder)),
        (Some(folder), None) => Some(folder).filter(|folder| folder.is_absolute()),
        (None, project) => project.clone(),
    };
    Way::Start(process::Launch { program, args: words.collect(), env: env.into_iter().collect(), directory })
}

/// Whoever can put a file into a project must not learn what is in the environment of those who scan it, nor make them
/// call what only they can reach. So nothing is filled in, and the address counts as named by another party.
fn call(server: &Server, url: &str, around: &Surroundings, left_out: &mut Vec<String>) -> Way {
    let strange = Surroundings { variables: Arc::default(), ..around.clone() };
    let (around, trust) = if around.is_trusted { (around, Trust::Asked) } else { (&strange, Trust::Told) };
    let expanded = match around.expand(url.trim()) {
        Ok(expanded) => expanded,
        Err(unknown) => return Way::Not(format!("its URL refers to {unknown}, which is not known here")),
    };
    let Ok(url) = Url::parse(&expanded) else { return Way::Not("its URL is none".to_owned()) };
    if !matches!(url.scheme(), "http" | "https") {
        return Way::Not(format!("it is reached over {}, which is not spoken here", url.scheme()));
    }
    let mut headers = HeaderMap::new();
    for setting in &server.headers {
        let header = around.expand_value(&setting.value).ok().and_then(|value| header(&setting.name, &value));
        match header {
            Some((name, value)) => drop(headers.append(name, value)),
            None => left_out.push(setting.name.clone()),
        }
    }
    Way::Call { url, trust, headers: Arc::new(headers) }
}

/// A header that is marked as secret, so that no log shows it.
#[must_use]
pub fn header(name: &str, value: &str) -> Option<(HeaderName, HeaderValue)> {
    let mut value = HeaderValue::from_str(value.trim()).ok()?;
    value.set_sensitive(true);
    Some((HeaderName::from_bytes(name.trim().as_bytes()).ok()?, value))
}

/// A reference that nobody here can fill in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}`")]
pub(crate) struct Unknown(String);

impl Surroundings {
    /// A value of a variable or header, which may also be the bare name of a variable.
    fn expand_value(&self, text: &str) -> Result<String, Unknown> {
        let name = text.trim().strip_prefix('$').filter(|name| is_name(name));
        match name {
            Some(name) => self.variable(name),
            None if is_stored_elsewhere(text) => Err(Unknown(scheme_of(text))),
            None => self.expand(text),
        }
    }

    /// The values of the variables that a definition refers to, but for those that are plain paths.
    fn filled_in(&self, server: &Server) -> Vec<String> {
        let launch: Vec<&str> = match &server.launch {
            Launch::Stdio { command, args } => {
                std::iter::once(command.as_str()).chain(args.iter().map(|arg| arg.value.as_str())).collect()
            }
            Launch::Http { url, .. } => vec![url],
        };
        let settings = server.env.iter().chain(&server.headers).map(|setting| setting.value.as_str());
        let mut names: Vec<&str> = Vec::new();
        for text in launch.into_iter().chain(settings) {
            names.extend(text.trim().strip_prefix('$').filter(|name| is_name(name)));
            let inner = text.split("${").skip(1).filter_map(|rest| rest.split('}').next());
            names.extend(
                inner.map(|inner| inner.strip_prefix("env:").unwrap_or(inner).split(":-").next().unwrap_or_default()),
            );
        }
        let values = names.iter().filter_map(|name| self.variables.get(*name));
        values.filter(|value| value.len() >= 8 && !value.starts_with(['/', '~', '.'])).cloned().collect()
    }

    /// A text with everything in `${...}` filled in, and a home at its start.
    fn expand(&self, text: &str) -> Result<String, Unknown> {
        let mut out = String::new();
        let mut rest = text;
        if let (Some(below), Some(home)) = (text.strip_prefix("~/"), &self.home) {
            out.push_str(&format!("{}/", home.display()));
            rest = below;
        }
        while let Some(start) = rest.find("${") {
            let (before, from) = rest.split_at(start);
            let Some(end) = from.find('}') else { break };
            out.push_str(before);
            out.push_str(&self.reference(from.get(2..end).unwrap_or_default())?);
            rest = from.get(end + 1..).unwrap_or_default();
        }
        out.push_str(rest);
        Ok(out)
    }

    fn reference(&self, inner: &str) -> Result<String, Unknown> {
        let folder =
            |folder: &Option<PathBuf>| folder.as_deref().map(text_of).ok_or_else(|| Unknown(format!("${{{inner}}}")));
        match inner {
            "workspaceFolder" | "workspaceRoot" | "workspacePath" | "cwd" | "CLAUDE_PROJECT_DIR" => {
                folder(&self.project)
            }
            "workspaceFolderBasename" => {
                let name = self.project.as_deref().and_then(Path::file_name);
                name.map(|name| name.to_string_lossy().into_owned()).ok_or_else(|| Unknown(format!("${{{inner}}}")))
            }
            "userHome" => folder(&self.home),
            "/" | "pathSeparator" => Ok(std::path::MAIN_SEPARATOR.to_string()),
            _ => self.named(inner),
        }
    }

    fn named(&self, inner: &str) -> Result<String, Unknown> {
        let name = inner.strip_prefix("env:").unwrap_or(inner);
        let (name, default) = match name.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (name, None),
        };
        if !is_name(name) {
            return Err(Unknown(format!("${{{inner}}}")));
        }
        self.variable(name).or_else(|unknown| default.map(str::to_owned).ok_or(unknown))
    }

    fn variable(&self, name: &str) -> Result<String, Unknown> {
        self.variables.get(name).cloned().ok_or_else(|| Unknown(format!("${name}")))
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a value stands for one in a secret store, which only the client's own tools can open.
fn is_stored_elsewhere(text: &str) -> bool {
    ["op://", "vault:", "keychain:", "{{", "$(", "{file:", "aws-sm://", "gcp-sm://"]
        .iter()
        .any(|start| text.trim().starts_with(start))
}

fn scheme_of(text: &str) -> String {
    text.split(':').next().unwrap_or_default().to_owned()
}

fn text_of(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around() -> Surroundings {
        let variables = [("TOKEN", "s3cret"), ("HOME", "/home/ann")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        Surroundings {
            home: Some("/home/ann".into()),
            project: Some("/srv/app".into()),
            variables: Arc::new(variables.into()),
            is_trusted: true,
        }
    }

    #[test]
    fn references_are_filled_in_as_clients_do() {
        for (text, expected) in [
            ("plain", Ok("plain")),
            ("Bearer ${TOKEN}", Ok("Bearer s3cret")),
            ("${env:TOKEN}/x", Ok("s3cret/x")),
            ("${NONE:-d}-${TOKEN}", Ok("d-s3cret")),
            ("${workspaceFolder}/server.py", Ok("/srv/app/server.py")),
            ("~/bin/x", Ok("/home/ann/bin/x")),
            ("${NONE}", Err("`$NONE`")),
            ("${input:token}", Err("`${input:token}`")),
            ("price is 5$ {x}", Ok("price is 5$ {x}")),
            ("${unclosed", Ok("${unclosed")),
        ] {
            let found = around().expand(text).map_err(|unknown| unknown.to_string());
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{text}");
        }
    }

    #[test]
    fn a_value_may_be_the_bare_name_of_a_variable() {
        assert_eq!(around().expand_value("$TOKEN").unwrap(), "s3cret");
        assert!(around().expand_value("$NONE").is_err());
        assert!(around().expand_value("op://vault/item").is_err());
        assert_eq!(around().expand_value("$ is money").unwrap(), "$ is money");
    }

    #[test]
    fn a_file_that_just_lies_there_gets_nothing_filled_in() {
        let header =
            |value: &str| Setting { name: "X".to_owned(), value: value.to_owned(), at: crate::config::Position::START };
        let url = |url: &str| Launch::Http { url: url.to_owned(), at: crate::config::Position::START };
        let reach = |launch: Launch, is_trusted| {
            let mut server = Server::bare(launch);
            server.headers = vec![header("Bearer ${TOKEN}"), header("$TOKEN"), header("plain")];
            of(&server, &Variables::default(), &Surroundings { is_trusted, ..around() })
        };
        let strange = reach(url("https://x.example/mcp"), false);
        assert_eq!(strange.left_out, ["X", "X"]);
        let Way::Call { headers, trust, .. } = strange.way else { panic!("not called") };
        assert_eq!((headers.len(), headers["x"].to_str().unwrap(), trust), (1, "plain", Trust::Told));
        let own = reach(url("https://x.example/mcp"), true);
        let Way::Call { headers, trust, .. } = own.way else { panic!("not called") };
        assert_eq!((headers.len(), trust), (3, Trust::Asked));
        assert_eq!(own.filled_in, ["s3cret"; 0], "too short to be taken out of texts");
        assert!(matches!(reach(url("https://x.example/${TOKEN}"), false).way, Way::Not(_)));
    }
}
