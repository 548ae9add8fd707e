//! Reads one configuration file: what its clients are, their servers, and every secret as a hash.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::client::{Belongs, Client, File};
use super::containers;
use super::credential::{Sight, Sighting};
use super::dialect;
use super::facts::{self, ServerFacts};
use super::server::{Launch, Server};
use super::tree::{Node, Position, Value};
use super::{env_file, outside};
use crate::host::{Host, ReadError, read};
use crate::place::path_text;
use crate::report::Problem;

/// Largest configuration that is read. Some clients keep whole conversations in theirs.
pub(crate) const CONFIG_BYTES: u64 = 64 << 20;
/// Largest environment file that is read.
const ENV_BYTES: u64 = 1 << 20;
/// Environment files that one definition may name.
const ENV_FILES: usize = 4;
/// Projects that one file may name.
const PROJECTS: usize = 1_000;

/// A row of the table that a file fits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit {
    pub(crate) client: &'static Client,
    pub(crate) file: &'static File,
}

/// A file to read, and what is known of it beforehand.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) path: PathBuf,
    /// How its path is written in the document.
    pub(crate) shown: String,
    /// The rows that it fits, in groups; the most particular group first.
    pub(crate) hits: Vec<Vec<Hit>>,
    /// The user's home and the project's root, for paths that are relative to them.
    pub(crate) home: Option<PathBuf>,
    pub(crate) project: Option<PathBuf>,
    /// What stands before commands.
    pub(crate) prefix: String,
    /// The user named it, so that it counts even if it says nothing.
    pub(crate) is_given: bool,
}

impl Job {
    /// How the path of another file of the same machine is written.
    fn shown_beside(&self, path: &Path) -> String {
        let (text, prefix) = (path_text(path), &self.prefix);
        if prefix.is_empty() { text } else { format!("{prefix}{}", text.trim_start_matches('/')) }
    }
}

/// What a configuration says.
#[derive(Debug, Default)]
pub(crate) struct ConfigFacts {
    /// The client that the file is counted as.
    pub(crate) client: &'static str,
    /// The clients that are set up by it, each with its servers.
    pub(crate) agents: Vec<Agent>,
    pub(crate) outside: Vec<Sighting>,
    pub(crate) problems: Vec<Problem>,
    /// Whether everything in it was understood.
    pub(crate) is_complete: bool,
    /// Folders that the client was used in.
    pub(crate) projects: Vec<String>,
}

/// A client as a file sets it up.
#[derive(Debug)]
pub(crate) struct Agent {
    pub(crate) client: &'static str,
    pub(crate) servers: Vec<ServerFacts>,
}

/// Reads a file. `None`: it says nothing of any client.
pub(crate) fn config(host: &dyn Host, job: &Job, sight: &mut Sight<'_>) -> Result<Option<ConfigFacts>, ReadError> {
    let decoded = dialect::decode(read(host, &job.path, CONFIG_BYTES)?);
    let reading = dialect::read(&job.path, &decoded.text);
    let problem = |slip: dialect::Slip| Problem::at(&job.shown, slip.at, slip.message);
    let mut slips: Vec<dialect::Slip> = decoded.slip.into_iter().chain(reading.slips).collect();
    let Some(root) = reading.root else {
        let is_own = job.hits.first().is_some_and(|group| group.iter().any(|hit| hit.file.belongs == Belongs::Own));
        if !is_own && !job.is_given {
            return Ok(None);
        }
        let client = job.hits.first().and_then(|group| group.first()).map_or("generic", |hit| hit.client.name);
        let is_complete = !slips.iter().any(|slip| slip.hides);
        let problems = slips.into_iter().map(problem).collect();
        let agents = if is_own && is_complete { vec![Agent { client, servers: Vec::new() }] } else { Vec::new() };
        return Ok(Some(ConfigFacts { client, agents, problems, is_complete, ..ConfigFacts::default() }));
    };
    let Some(mut taken) = take(&root, job) else { return Ok(None) };
    slips.append(&mut taken.slips);
    let is_complete = !slips.iter().any(|slip| slip.hides);
    let starts: HashSet<Position> =
        taken.agents.iter().flat_map(|(_, servers)| servers.iter().map(|it| it.at)).collect();
    let outside = outside::credentials(&root, &starts, sight);
    let projects = projects(&root);
    drop(root);
    let mut problems: Vec<Problem> = slips.into_iter().map(problem).collect();
    let mut agents = Vec::new();
    for (client, servers) in taken.agents {
        let servers = servers.into_iter().map(|server| {
            let variables = variables(host, job, &server, &mut problems);
            facts::of(server, &variables, sight, &job.prefix)
        });
        agents.push(Agent { client, servers: servers.collect() });
    }
    Ok(Some(ConfigFacts { client: taken.client, agents, outside, problems, is_complete, projects }))
}

/// The clients of a file and their servers.
struct Taken {
    client: &'static str,
    agents: Vec<(&'static str, Vec<Server>)>,
    slips: Vec<dialect::Slip>,
}

/// Gives the file to the clients of the first group that finds servers in it or that the file belongs to.
fn take(root: &Node, job: &Job) -> Option<Taken> {
    for group in &job.hits {
        let mut taken = Taken { client: "", agents: Vec::new(), slips: Vec::new() };
        let mut seen: HashSet<Position> = HashSet::new();
        for hit in group {
            let mut found = containers::servers(root, hit.file.servers);
            found.servers.retain(|server| seen.insert(server.at));
            if !found.has_container || (found.servers.is_empty() && !taken.agents.is_empty()) {
                continue;
            }
            taken.slips.append(&mut found.slips);
            taken.agents.push((hit.client.name, found.servers));
        }
        if taken.agents.is_empty() {
            let owner = group.iter().find(|hit| hit.file.belongs == Belongs::Own);
            let Some(owner) = owner else { continue };
            // Of several rows for one place, a file without servers tells at most one client.
            taken.agents.push((owner.client.name, Vec::new()));
        }
        taken.client = taken.agents.first().map_or("", |(client, _)| client);
        return Some(taken);
    }
    job.is_given.then(|| Taken { client: "generic", agents: Vec::new(), slips: Vec::new() })
}

/// The variables of the environment files that a definition names.
fn variables(host: &dyn Host, job: &Job, server: &Server, problems: &mut Vec<Problem>) -> env_file::Variables {
    let mut named: Vec<(&str, Position)> = Vec::new();
    named.extend(server.env_file.as_ref().map(|setting| (setting.value.as_str(), setting.at)));
    if let Launch::Stdio { args, .. } = &server.launch {
        let pairs = args.iter().zip(args.iter().skip(1));
        named.extend(
            pairs.filter(|(option, _)| option.value == "--env-file").map(|(_, file)| (file.value.as_str(), file.at)),
        );
        named.extend(args.iter().filter_map(|arg| Some((arg.value.strip_prefix("--env-file=")?, arg.at))));
    }
    let mut variables = env_file::Variables::default();
    for (name, at) in named.into_iter().take(ENV_FILES) {
        let Some(path) = located(name, job) else {
            let message = format!("the environment file `{name}` can't be located from here");
            problems.push(Problem::at(&job.shown, at, message));
            continue;
        };
        match read(host, &path, ENV_BYTES) {
            Ok(bytes) => {
                variables.add(&job.shown_beside(&path), &dialect::decode(bytes).text);
            }
            // A file that each user makes is often not there.
            Err(ReadError::Missing) => {}
            Err(error) => {
                problems.push(Problem::at(
                    &job.shown,
                    at,
                    format!("the environment file `{name}` can't be read: {error}"),
                ));
            }
        }
    }
    variables
}

/// Where an environment file is: absolute, in the home, or relative to the project.
fn located(name: &str, job: &Job) -> Option<PathBuf> {
    let folders = [
        ("${workspaceFolder}", &job.project),
        ("${workspaceRoot}", &job.project),
        ("${userHome}", &job.home),
        ("~", &job.home),
    ];
    for (variable, folder) in folders {
        if let Some(rest) = name.strip_prefix(variable) {
            return folder.as_ref().map(|folder| folder.join(rest.trim_start_matches(['/', '\\'])));
        }
    }
    if name.contains("${") || name.contains('%') {
        return None;
    }
    let path = Path::new(name);
    if path.is_absolute() {
        return Some(path.to_owned());
    }
    let folder = job.project.as_deref().or_else(|| job.path.parent())?;
    Some(folder.join(path))
}

/// The folders that a client was used in, which are the keys of its per-project sections.
fn projects(root: &Node) -> Vec<String> {
    let sections = root.get("projects").map(|member| &member.value);
    let is_section = |node: &Node| matches!(node.value, Value::Object(_));
    let members = sections.into_iter().flat_map(Node::members).filter(|member| is_section(&member.value));
    members.map(|member| member.key.clone()).filter(|key| Path::new(key).is_absolute()).take(PROJECTS).collect()
}
