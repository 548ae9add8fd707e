//! Reads one configuration file: what its clients are, their servers, and every secret as a hash.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::client::{Belongs, Client, File};
use super::containers;
use super::credential::{Sight, Sighting, starred};
use super::dialect;
use super::facts::{self, ServerFacts};
use super::server::{Launch, Server};
use super::tree::{Node, Position, Value};
use super::way::Surroundings;
use super::{env_file, outside, way};
use crate::host::{Host, ReadError, read};
use crate::place::path_text;
use crate::report::Problem;

/// Largest configuration that is read. Some clients keep whole conversations in theirs.
pub(crate) const CONFIG_BYTES: u64 = 64 << 20;
/// Largest environment file that is read.
const ENV_BYTES: u64 = 1 << 20;
/// Variables of environment files that the definitions of one file may bring in together: each is judged for each
/// server that is given it.
const ENV_LINES: usize = 10_000;
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
    /// What references stand for, if servers are to be asked.
    pub(crate) surroundings: Option<Surroundings>,
    /// The user named it, so that it counts even if it says nothing.
    pub(crate) is_given: bool,
}

impl Job {
    /// How the path of another file of the same machine is written.
    fn shown_beside(&self, path: &Path) -> String {
        let (text, prefix) = (path_text(path), &self.prefix);
        let text = if self.is_elsewhere_windows() { format!("C:{}", text.replace('/', "\\")) } else { text };
        if prefix.is_empty() { text } else { format!("{prefix}{}", text.trim_start_matches('/')) }
    }

    /// Whether the file is from a Windows that is mounted here, so that its paths are not those of this machine.
    fn is_elsewhere_windows(&self) -> bool {
        let shown = self.shown.strip_prefix(&self.prefix).unwrap_or(&self.shown);
        shown.starts_with("C:\\") && self.path.has_root() && !cfg!(windows)
    }

    /// A path as the file writes it, as this machine would.
    fn native<'n>(&self, path: &'n str) -> Cow<'n, str> {
        if !self.is_elsewhere_windows() {
            return path.into();
        }
        let drive = ["C:", "c:"].iter().find_map(|drive| path.strip_prefix(drive));
        drive.unwrap_or(path).replace('\\', "/").into()
    }
}

/// What a configuration says.
#[derive(Debug, Default)]
pub(crate) struct ConfigFacts {
    /// Whether it is a client's configuration at all. Many files are looked into that may be one.
    pub(crate) is_config: bool,
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

/// Reads a file. `None`: it is somebody else's and can't be understood.
pub(crate) fn config(host: &dyn Host, job: &Job, sight: &mut Sight<'_>) -> Result<Option<ConfigFacts>, ReadError> {
    let decoded = dialect::decode(read(host, &job.path, CONFIG_BYTES)?);
    let reading = dialect::read(&job.path, &decoded.text);
    let slips: Vec<dialect::Slip> = decoded.slip.into_iter().chain(reading.slips).collect();
    match reading.root {
        Some(root) => Ok(Some(understood(host, job, &root, slips, sight))),
        None => Ok(not_understood(job, &decoded.text, slips)),
    }
}

/// What there is to say of a file that is empty or not what its name promises.
fn not_understood(job: &Job, text: &str, slips: Vec<dialect::Slip>) -> Option<ConfigFacts> {
    let is_own = job.hits.first().is_some_and(|group| group.iter().any(|hit| hit.file.belongs == Belongs::Own));
    let is_complete = !slips.iter().any(|slip| slip.hides);
    let is_config = is_own || job.is_given;
    // Settings that also hold other things are told of only if servers may be in them.
    if !is_config && !is_complete && !mentions_servers(job, text) {
        return None;
    }
    let client = job.hits.first().and_then(|group| group.first()).map_or("generic", |hit| hit.client.name);
    let agents = if is_own && is_complete { vec![Agent { client, servers: Vec::new() }] } else { Vec::new() };
    let problems = problems(job, slips);
    Some(ConfigFacts { is_config, client, agents, problems, is_complete, ..ConfigFacts::default() })
}

/// Whether a text has the name of a container in it.
fn mentions_servers(job: &Job, text: &str) -> bool {
    let places = job.hits.iter().flatten().flat_map(|hit| hit.file.servers);
    let mut names = places.filter_map(|place| place.split('.').find(|key| !key.is_empty() && *key != "*"));
    names.any(|name| text.contains(name))
}

fn problems(job: &Job, slips: Vec<dialect::Slip>) -> Vec<Problem> {
    // A parser may quote what it stumbled over.
    slips.into_iter().map(|slip| Problem::at(&job.shown, slip.at, starred(&slip.message))).collect()
}

fn understood(
    host: &dyn Host,
    job: &Job,
    root: &Node,
    mut slips: Vec<dialect::Slip>,
    sight: &mut Sight<'_>,
) -> ConfigFacts {
    let Some(mut taken) = take(root, job) else {
        // Nothing of a client is in it, which is also something to know: it may have been.
        let is_complete = !slips.iter().any(|slip| slip.hides);
        return ConfigFacts { is_complete, ..ConfigFacts::default() };
    };
    slips.append(&mut taken.slips);
    let is_complete = !slips.iter().any(|slip| slip.hides);
    let starts: HashSet<Position> =
        taken.agents.iter().flat_map(|(_, servers)| servers.iter().map(|it| it.at)).collect();
    let outside = outside::credentials(root, &starts, sight);
    let projects = projects(root, job);
    let mut problems = problems(job, slips);
    let mut agents = Vec::new();
    let mut left = ENV_LINES;
    for (client, servers) in taken.agents {
        let servers = servers.into_iter().map(|server| {
            let variables = variables(host, job, &server, left, &mut problems);
            left = left.saturating_sub(variables.len());
            let reached = job.surroundings.as_ref().filter(|_| server.is_enabled);
            let reached = reached.map(|around| way::of(&server, &variables, around));
            let mut facts = ServerFacts { reached, ..facts::of(server, &variables, sight, &job.prefix) };
            if facts.reached.is_none() {
                facts.secrets = Vec::new();
            }
            facts
        });
        agents.push(Agent { client, servers: servers.collect() });
    }
    ConfigFacts { is_config: true, client: taken.client, agents, outside, problems, is_complete, projects }
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
            let is_empty = found.servers.is_empty() && found.slips.is_empty();
            let is_told = !(is_empty && hit.file.belongs == Belongs::Shared);
            if !found.has_container || !is_told || (found.servers.is_empty() && !taken.agents.is_empty()) {
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
fn variables(
    host: &dyn Host,
    job: &Job,
    server: &Server,
    left: usize,
    problems: &mut Vec<Problem>,
) -> env_file::Variables {
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
        if variables.len() >= left {
            let message = format!("environment files bring in more than {ENV_LINES} variables; `{name}` is left out");
            problems.push(Problem::at(&job.shown, at, message));
            break;
        }
        match read(host, &path, ENV_BYTES) {
            Ok(bytes) => {
                if !variables.add(&job.shown_beside(&path), &dialect::decode(bytes).text) {
                    let most = env_file::LINES;
                    let message = format!("only the first {most} lines of the environment file `{name}` were read");
                    problems.push(Problem::at(&job.shown, at, message));
                }
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
    let name = job.native(name);
    let folders = [
        ("${workspaceFolder}", &job.project),
        ("${workspaceRoot}", &job.project),
        ("${userHome}", &job.home),
        ("${env:HOME}", &job.home),
        ("${HOME}", &job.home),
        ("$HOME", &job.home),
        ("%USERPROFILE%", &job.home),
        ("~", &job.home),
    ];
    for (variable, folder) in folders {
        let rest = name.strip_prefix(variable).filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\']));
        if let Some(rest) = rest {
            return folder.as_ref().map(|folder| folder.join(rest.trim_start_matches(['/', '\\'])));
        }
    }
    if name.contains(['$', '%']) {
        return None;
    }
    let path = Path::new(&*name);
    if path.is_absolute() {
        return Some(path.to_owned());
    }
    let folder = job.project.as_deref().or_else(|| job.path.parent())?;
    Some(folder.join(path))
}

/// The folders that a client was used in, which are the keys of its per-project sections.
fn projects(root: &Node, job: &Job) -> Vec<String> {
    let sections = root.get("projects").map(|member| &member.value);
    let is_section = |node: &Node| matches!(node.value, Value::Object(_));
    let members = sections.into_iter().flat_map(Node::members).filter(|member| is_section(&member.value));
    let keys = members.map(|member| member.key.clone());
    keys.filter(|key| Path::new(&*job.native(key)).is_absolute()).take(PROJECTS).collect()
}
