//! The estates of the tenants, with what follows from them, kept in memory while the server runs.
//!
//! The server owns the estate file of its data directory. Each tenant has a [`Room`]: the estate itself, which one change
//! or look at the scan log uses at a time, and the points that somebody asked about, each as a [`Standing`] that many can
//! look at together.

mod compared;
mod glance;
mod listing;
mod past;
mod room;
mod standing;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::{Semaphore, SemaphorePermit};
use tracehound_evidence::identity::DEFAULT_TENANT;
use tracehound_graph::{Error, Estate, Limits, Owner};
use tracehound_rules::builtin_judges;
use tracehound_rules::engine::Engine;
use tracehound_rules::library::Library;
use tracehound_rules::rule::Rule;

use crate::App;
use crate::problem::Problem;
pub(crate) use compared::Compared;
pub(crate) use past::PastPoint;
use room::Room;
pub(crate) use room::{Said, now};
pub(crate) use standing::At;

/// Documents that may come in at one time: each is in memory until it is stored.
const UPLOADS: usize = 2;

/// What estates are judged by, and how large their documents may be.
#[derive(Debug, Clone)]
pub struct EstateSettings {
    /// The limits of documents.
    pub limits: Limits,
    /// The rules in force; without them, the built-in ones.
    pub library: Option<Arc<Library>>,
    /// How long the next part of a document is waited for while it comes in.
    pub stalled: Duration,
}

impl Default for EstateSettings {
    fn default() -> Self {
        Self { limits: Limits::default(), library: None, stalled: Duration::from_secs(10) }
    }
}

/// The estates of all tenants.
#[derive(Debug)]
pub(crate) struct Estates {
    directory: PathBuf,
    settings: EstateSettings,
    rulebook: OnceLock<Rulebook>,
    /// The rules, compiled when somebody tries a text.
    engine: OnceLock<Engine>,
    open: Mutex<Open>,
    /// Documents that may be in memory at one time while they come in.
    uploads: Semaphore,
}

/// The rules in force.
#[derive(Debug, Clone)]
struct Rulebook {
    library: Arc<Library>,
    rules: Arc<[Rule]>,
}

#[derive(Debug, Default)]
struct Open {
    /// Taken when the first estate is opened.
    owner: Option<Owner>,
    rooms: HashMap<String, Arc<Room>>,
}

impl Estates {
    pub(crate) fn new(directory: &Path, settings: &EstateSettings) -> Self {
        Self {
            directory: directory.to_owned(),
            settings: settings.clone(),
            rulebook: OnceLock::new(),
            engine: OnceLock::new(),
            open: Mutex::default(),
            uploads: Semaphore::new(UPLOADS),
        }
    }

    /// The rules in force.
    pub(crate) fn library(&self) -> Result<&Arc<Library>, Problem> {
        Ok(&self.rulebook()?.library)
    }

    /// The rules in force, compiled.
    pub(crate) fn engine(&self) -> Result<&Engine, Problem> {
        if let Some(known) = self.engine.get() {
            return Ok(known);
        }
        let broken = |error: &dyn std::error::Error| {
            crate::log::failure("rules", error);
            gone_wrong()
        };
        let judges = builtin_judges().map_err(|error| broken(&error))?;
        let engine = Engine::compile(self.library()?.rules(), judges).map_err(|error| broken(&error))?;
        Ok(self.engine.get_or_init(|| engine))
    }

    /// The largest document that is taken in.
    pub(crate) const fn limits(&self) -> Limits {
        self.settings.limits
    }

    /// How long the next part of a document is waited for.
    pub(crate) const fn stalled(&self) -> Duration {
        self.settings.stalled
    }

    /// Waits until one more document may come in.
    pub(crate) async fn upload(&self) -> Result<SemaphorePermit<'_>, Problem> {
        self.uploads.acquire().await.map_err(|_| gone_wrong())
    }

    fn rulebook(&self) -> Result<&Rulebook, Problem> {
        if let Some(known) = self.rulebook.get() {
            return Ok(known);
        }
        let library = match &self.settings.library {
            Some(library) => library.clone(),
            None => Arc::new(Library::builtin().map_err(|broken| {
                crate::log::failure("rules", broken);
                gone_wrong()
            })?),
        };
        let rules = library.rules().into();
        Ok(self.rulebook.get_or_init(|| Rulebook { library, rules }))
    }

    /// Takes the right to write the estates, so that nobody else does.
    pub(crate) fn own(&self) -> Result<Owner, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        self.own_in(&mut open)
    }

    fn own_in(&self, open: &mut Open) -> Result<Owner, Error> {
        if let Some(owner) = &open.owner {
            return Ok(owner.clone());
        }
        let owner = Owner::of(&self.directory)?;
        open.owner = Some(owner.clone());
        Ok(owner)
    }

    fn room(&self, tenant: &str) -> Result<Arc<Room>, Problem> {
        let rules = self.rulebook()?.rules.clone();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(room) = open.rooms.get(tenant) {
            return Ok(room.clone());
        }
        let owner = self.own_in(&mut open)?;
        let room = Arc::new(Room::new(Estate::open_owned(&owner, tenant, self.settings.limits)?, rules));
        open.rooms.insert(tenant.to_owned(), room.clone());
        Ok(room)
    }
}

impl App {
    /// Looks at a tenant's estate as it stands at a point, with everything that follows from it.
    pub(crate) async fn at<T: Send + 'static>(
        &self,
        tenant: &str,
        point: Option<&str>,
        look: impl FnOnce(&At<'_>, &Said) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let point = point.unwrap_or("now").to_owned();
        self.in_room(tenant, move |room| {
            let (standing, said) = room.at(&point)?;
            standing.ask(move |at| look(at, &said)).unwrap_or_else(|| Err(gone_wrong()))
        })
        .await
    }

    /// Looks at the scan log or at what people decided, or records what they say about findings and nodes; nothing else
    /// follows from it.
    pub(crate) async fn estate<T: Send + 'static>(
        &self,
        tenant: &str,
        look: impl FnOnce(&mut Estate) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Problem> {
        self.in_room(tenant, move |room| Ok(room.look(look)?)).await
    }

    /// Changes an estate; what was derived from it before is derived anew when somebody asks.
    pub(crate) async fn change_estate<T: Send + 'static>(
        &self,
        tenant: &str,
        change: impl FnOnce(&mut Estate) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Problem> {
        self.in_room(tenant, move |room| Ok(room.change(change)?)).await
    }

    /// Takes the right to write the estates of the data directory, so that other programs leave them alone.
    ///
    /// # Errors
    ///
    /// When another process has it.
    pub fn own_estates(&self) -> Result<(), Error> {
        let estates = self.estates();
        let owner = estates.own()?;
        // Makes the file, so that commands that read beside the server find it.
        Estate::open_owned(&owner, DEFAULT_TENANT, estates.limits()).map(drop)
    }

    async fn in_room<T: Send + 'static>(
        &self,
        tenant: &str,
        work: impl FnOnce(&Arc<Room>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let (app, tenant) = (self.clone(), tenant.to_owned());
        let worked = tokio::task::spawn_blocking(move || work(&app.estates().room(&tenant)?)).await;
        worked.unwrap_or_else(|_| Err(gone_wrong()))
    }
}

/// Whoever looked into an estate did not come back.
fn gone_wrong() -> Problem {
    let detail = "something went wrong here; the log of the server says what";
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let detail = error.to_string();
        match &error {
            Error::NoSuchScan { .. } => Self::new(StatusCode::NOT_FOUND, "scan_not_found", detail),
            Error::NoSuchPoint { .. } => Self::invalid("bad_point", detail),
            Error::ScanIdTaken { .. } => Self::new(StatusCode::CONFLICT, "scan_id_taken", detail),
            Error::TooLarge { .. } => Self::new(StatusCode::PAYLOAD_TOO_LARGE, "document_too_large", detail),
            Error::Invalid(problems) => {
                let listed = problems.problems.iter().map(|problem| serde_json::json!(problem)).collect();
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_document", detail)
                    .with(listed)
                    .of_total(problems.total)
            }
            Error::Read { source } | Error::Compressed { source, .. } => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "unreadable_document", format!("{detail}: {source}"))
            }
            Error::Json { source, place } => {
                let problem = serde_json::json!({ "path": place, "message": source.to_string() });
                let refused = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "not_json", format!("{detail}: {source}"));
                refused.with(vec![problem]).of_total(1)
            }
            Error::NotUtf8 { .. } => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "not_utf8", detail),
            Error::TooLong { .. } | Error::EndsBeforeItBegins { .. } => Self::invalid("bad_decision", detail),
            Error::InUse { .. } | Error::DiskFull { .. } => {
                crate::log::failure("estate", &error);
                let detail = "the estate can't be used at the moment; the log of the server says why";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "estate_unavailable", detail)
            }
            // What is wrong with the store is for the log, not for callers.
            _ => {
                crate::log::failure("estate", &error);
                gone_wrong()
            }
        }
    }
}
