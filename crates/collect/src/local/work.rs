//! Reads files in parallel. Each is read, judged and let go by one thread.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tracehound_rules::engine::Scratch;

use super::emit;
use super::find::Item;
use super::{Naming, Progress};
use crate::builder::Builder;
use crate::config::credential::Sight;
use crate::config::{ConfigFacts, Job, Reached, Surroundings, config};
use crate::detection::{Detection, DetectionError};
use crate::host::{ReadError, is_own};
use crate::instructions::{InstructionFacts, instructions};
use crate::mcp::{Secrets, Target, Way};
use crate::place::Whose;
use crate::report::{Problem, What};
use crate::secrets::in_headers;

/// A file that was read, or why not.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) item: Item,
    /// How its path is written.
    pub(super) shown: String,
    pub(super) config: Option<Result<Read, ReadError>>,
    pub(super) instructions: Option<Result<InstructionFacts, ReadError>>,
}

/// What is left of a configuration when it has been read.
#[derive(Debug)]
pub(super) struct Read {
    /// What it adds to the document and to the report, if it is a client's at all.
    pub(super) part: Option<(Builder, What)>,
    pub(super) clients: Vec<&'static str>,
    pub(super) problems: Vec<Problem>,
    /// Its servers, if they are to be asked.
    pub(super) targets: Vec<Target>,
    pub(super) is_complete: bool,
    projects: Vec<String>,
}

impl Done {
    /// The folders that a client was used in, by its own account.
    pub(super) fn projects(&self) -> impl Iterator<Item = &str> {
        let read = self.config.iter().filter_map(|result| result.as_ref().ok());
        read.flat_map(|read| read.projects.iter().map(String::as_str))
    }
}

/// Threads that read. More only wait for the same disk.
const THREADS: usize = 8;

/// Reads files; the result is in no particular order.
pub(super) fn run(
    naming: &Naming<'_>,
    items: Vec<Item>,
    detection: &Detection,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Vec<Done>, DetectionError> {
    let total = items.len();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS).min(total);
    let next = AtomicUsize::new(0);
    let items: Vec<Mutex<Option<Item>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let variables = Arc::new(if naming.request.asks { environment() } else { BTreeMap::new() });
    let worker = || {
        let variables = Arc::clone(&variables);
        let sight = Sight::new(detection);
        let mut reader = Reader { naming, detection, sight, scratch: Scratch::default(), variables };
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index).and_then(|item| item.lock().ok()?.take()) else { break };
            done.push(reader.read(item)?);
            progress(Progress::Read(index + 1, total));
        }
        Ok(done)
    };
    let results: Vec<Result<Vec<Done>, DetectionError>> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
        let own = worker();
        let others = others.into_iter().map(|thread| thread.join().unwrap_or(Err(DetectionError::Gone)));
        std::iter::once(own).chain(others).collect()
    });
    let lists: Vec<Vec<Done>> = results.into_iter().collect::<Result<_, _>>()?;
    Ok(lists.into_iter().flatten().collect())
}

/// One thread's means.
struct Reader<'a> {
    naming: &'a Naming<'a>,
    detection: &'a Detection,
    sight: Sight<'a>,
    scratch: Scratch,
    /// The environment, if servers are to be asked.
    variables: Arc<BTreeMap<String, String>>,
}

impl Reader<'_> {
    fn read(&mut self, item: Item) -> Result<Done, DetectionError> {
        let shown = self.naming.text(&item.path);
        let config = if item.hits.is_empty() { None } else { self.config(&item, &shown) };
        let instructions = match item.row {
            Some(_) => self.instructions(&item)?,
            None => None,
        };
        Ok(Done { item, shown, config, instructions })
    }

    fn config(&mut self, item: &Item, shown: &str) -> Option<Result<Read, ReadError>> {
        let home = match item.whose {
            Whose::User(number) => self.naming.home(number),
            _ => None,
        };
        let surroundings = self.naming.request.asks.then(|| Surroundings {
            home: home.clone(),
            project: item.project.clone().filter(|_| item.whose == Whose::Project),
            variables: Arc::clone(&self.variables),
            is_trusted: item.is_given || item.whose != Whose::Project,
        });
        let job = Job {
            path: item.path.clone(),
            shown: shown.to_owned(),
            hits: item.hits.clone(),
            home,
            project: item.project.clone(),
            prefix: self.naming.prefix.clone(),
            surroundings,
            is_given: item.is_given && item.row.is_none(),
        };
        let facts = config(self.naming.root.host(), &job, &mut self.sight).transpose()?;
        Some(facts.map(|facts| self.part(&item.path, shown, facts)))
    }

    /// Turns facts into their part of the document here, where other threads do the same with other files.
    fn part(&self, path: &Path, shown: &str, mut facts: ConfigFacts) -> Read {
        let targets = targets(path, shown, &mut facts);
        let part = facts.is_config.then(|| {
            let part = emit::config::part(self.naming.request, shown, &facts, self.detection);
            (part, what(&facts))
        });
        let clients = facts.agents.iter().map(|agent| agent.client).collect();
        let ConfigFacts { problems, is_complete, projects, .. } = facts;
        Read { part, clients, problems, targets, is_complete, projects }
    }

    fn instructions(&mut self, item: &Item) -> Result<Option<Result<InstructionFacts, ReadError>>, DetectionError> {
        let engine = self.detection.texts()?;
        let host = self.naming.root.host();
        Ok(instructions(host, &item.path, engine, &mut self.scratch).transpose())
    }
}

/// The environment of this process. What is not text can't be referred to.
fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// The servers of a configuration that are to be asked.
fn targets(path: &Path, shown: &str, facts: &mut ConfigFacts) -> Vec<Target> {
    let mut targets = Vec::new();
    for server in facts.agents.iter_mut().flat_map(|agent| &mut agent.servers) {
        let Some(Reached { way, left_out, filled_in }) = server.reached.take() else { continue };
        // Whoever scans for everybody must not run what somebody else wrote, nor call it from where the other is not.
        let is_foreign = !matches!(way, Way::Not(_)) && !is_own(path);
        let headers = match &way {
            Way::Call { headers, .. } => in_headers(headers),
            _ => Vec::new(),
        };
        let secrets = std::mem::take(&mut server.secrets).into_iter().chain(filled_in).chain(headers);
        let way = match is_foreign {
            true => Way::Not("its configuration belongs to another user, who can scan it".to_owned()),
            false => way,
        };
        targets.push(Target {
            id: server.id.clone(),
            name: Some(server.name.clone()),
            endpoint: server.endpoint.clone(),
            args: server.args.clone(),
            left_out,
            file: Some(shown.to_owned()),
            secrets: Secrets::new(secrets),
            way,
        });
    }
    targets
}

/// What a configuration is, for the report. One that was not understood says so by the client that it should be.
fn what(facts: &ConfigFacts) -> What {
    let servers = || facts.agents.iter().flat_map(|agent| &agent.servers);
    let named: Vec<&'static str> = facts.agents.iter().map(|agent| agent.client).collect();
    What::Config {
        clients: if named.is_empty() { vec![facts.client] } else { named },
        servers: servers().filter(|server| server.is_enabled).count(),
        disabled: servers().filter(|server| !server.is_enabled).count(),
        is_understood: facts.is_complete,
    }
}
