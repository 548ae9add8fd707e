//! Which agents load which instruction files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tracehound_model::NodeId;

use super::super::Naming;
use super::super::work::Done;
use crate::instructions::Row;
use crate::place::Whose;

/// A client as one configuration sets it up.
#[derive(Debug)]
pub(super) struct Agent {
    pub(super) id: NodeId,
    pub(super) client: &'static str,
    pub(super) whose: Whose,
    pub(super) project: Option<PathBuf>,
}

/// The agents of a scan, by client: those of users and of the machine, and those of projects by their root.
#[derive(Debug, Default)]
pub(super) struct Agents {
    at_large: BTreeMap<&'static str, Vec<Agent>>,
    of_projects: BTreeMap<&'static str, BTreeMap<PathBuf, Vec<Agent>>>,
}

impl Agents {
    pub(super) fn add(&mut self, agent: Agent) {
        match (agent.whose, &agent.project) {
            (Whose::Project, Some(project)) => {
                let by_root = self.of_projects.entry(agent.client).or_default();
                by_root.entry(project.clone()).or_default().push(agent);
            }
            _ => self.at_large.entry(agent.client).or_default().push(agent),
        }
    }

    /// The agents that load a file: those of its clients whose user's, machine's or project's file it is.
    ///
    /// Takes time by the depth of the path and the number of agents found, not by the number of all.
    pub(super) fn of<'a>(&'a self, naming: &'a Naming<'_>, file: &'a Done, row: &'static Row) -> Vec<&'a Agent> {
        let mut found = Vec::new();
        for client in row.clients {
            let at_large = self.at_large.get(client).into_iter().flatten();
            found.extend(at_large.filter(|agent| is_for(naming, agent.whose, file)));
            let Some(by_root) = self.of_projects.get(client) else { continue };
            match (file.item.whose, &file.item.project) {
                (Whose::Project, Some(project)) => {
                    // Projects around the file, and projects within the file's own.
                    let folder = file.item.path.parent().unwrap_or(project);
                    let around = folder.ancestors().filter_map(|root| by_root.get(root));
                    let within = by_root.range(project.clone()..).take_while(|(root, _)| root.starts_with(project));
                    let within = within.filter(|(root, _)| !folder.starts_with(root)).map(|(_, agents)| agents);
                    found.extend(around.chain(within).flatten());
                }
                (whose, _) => {
                    let home = match whose {
                        Whose::User(number) => naming.home(number),
                        _ => None,
                    };
                    let is_inside = |root: &Path| home.as_ref().is_none_or(|home| root.starts_with(home));
                    found.extend(by_root.iter().filter(|(root, _)| is_inside(root)).flat_map(|(_, agents)| agents));
                }
            }
        }
        found
    }
}

/// Whether an agent of a user or of the machine works where a file is.
fn is_for(naming: &Naming<'_>, whose: Whose, file: &Done) -> bool {
    match (whose, file.item.whose) {
        (Whose::User(agent), Whose::User(file)) => agent == file,
        (Whose::User(agent), Whose::Project) => {
            let is_in = |number: usize| naming.home(number).is_some_and(|home| file.item.path.starts_with(home));
            let homes = naming.layout.map_or(0, |layout| layout.homes.len());
            // A project in somebody's home is theirs; one in nobody's may be opened by anybody.
            is_in(agent) || !(0..homes).any(is_in)
        }
        _ => true,
    }
}
