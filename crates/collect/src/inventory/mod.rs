//! Reads what services tell to those who administer them: models, keys, notebooks, experiments, collections, upstreams.
//!
//! Nothing is changed, by construction: a reader has only [`Reading`], which can GET and HEAD. What a service tells only in
//! answer to a POST is not read. Keys that services tell are hashed here and let go, and whatever else a service says is
//! searched for them.

mod asking;
mod jupyter;
mod keys;
mod limits;
mod litellm;
mod mlflow;
mod ollama;
mod open_webui;
mod qdrant;
mod work;

use std::time::Duration;

use tracehound_model::wire::Properties;
use tracehound_model::{NodeId, NodeKind};

use crate::builder::{Builder, Stamp};
use crate::detection::Detection;
use crate::net::Reading;
use asking::Asker;
pub use keys::{Key, Keys, KeysProblem};
use limits::TIME;
use work::Work;

/// What the readers ask for, for whoever wants to know before they do.
pub const PATHS: &[(NodeKind, &[&str])] = &[
    (NodeKind::OllamaInstance, &["/api/tags"]),
    (NodeKind::LitellmGateway, &["/model/info", "/key/list"]),
    (NodeKind::JupyterServer, &["/api/sessions", "/api/kernels", "/api/contents/…"]),
    (NodeKind::MlflowServer, &["/api/2.0/mlflow/experiments/search", "/api/2.0/mlflow/registered-models/search"]),
    (NodeKind::QdrantInstance, &["/collections", "/collections/…"]),
    (NodeKind::OpenWebuiInstance, &["/api/config", "/openai/config", "/ollama/config"]),
];

/// A service that is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'s> {
    pub(crate) kind: NodeKind,
    pub(crate) id: &'s NodeId,
    pub(crate) reading: &'s Reading,
    /// The operator's key for this very service.
    pub(crate) key: Option<&'s Key>,
    pub(crate) stamp: &'s Stamp,
    /// The rules that say how sensitive a file is.
    pub(crate) detection: &'s Detection,
}

/// What a service told.
#[derive(Debug)]
pub(crate) struct Inventory {
    /// Nodes and edges beside the service.
    pub(crate) builder: Builder,
    /// Properties of the service's own node.
    pub(crate) properties: Properties,
    /// What could not be read, and why.
    pub(crate) problems: Vec<String>,
    /// What was left out because of a limit.
    pub(crate) cut_short: Vec<String>,
    /// Whether everything was read, so that what is not here is gone.
    pub(crate) is_whole: bool,
    /// Other services that it passes requests on to.
    pub(crate) named: Vec<Named>,
    /// Whether it was read without a key.
    pub(crate) is_anonymous: bool,
}

/// A service that another one names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Named {
    /// What it is, if the one that names it says so.
    pub(crate) kind: Option<NodeKind>,
    /// Its base URL.
    pub(crate) base: String,
}

/// Reads a service. `None`: there is no reader for its kind.
pub(crate) async fn read(subject: &Subject<'_>) -> Option<Inventory> {
    read_within(subject, TIME).await
}

async fn read_within(subject: &Subject<'_>, time: Duration) -> Option<Inventory> {
    let mut work = Work::new(subject);
    let (asker, problem) = Asker::new(subject, time);
    if let Some(problem) = problem {
        work.problem(problem.to_owned());
    }
    match subject.kind {
        NodeKind::OllamaInstance => ollama::read(&asker, &mut work).await,
        NodeKind::LitellmGateway => litellm::read(&asker, &mut work).await,
        NodeKind::JupyterServer => jupyter::read(&asker, &mut work).await,
        NodeKind::MlflowServer => mlflow::read(&asker, &mut work).await,
        NodeKind::QdrantInstance => qdrant::read(&asker, &mut work).await,
        NodeKind::OpenWebuiInstance => open_webui::read(&asker, &mut work).await,
        _ => return None,
    }
    Some(work.finish())
}

#[cfg(test)]
mod tests;
