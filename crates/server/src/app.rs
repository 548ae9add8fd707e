//! What all routes share: the evidence, the compiled policies, the live feed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::oneshot;
use tracehound_evidence::decision::{NewDecision, Outcome};
use tracehound_evidence::identity::Agent;
use tracehound_evidence::{Error, Evidence, Ledger, TokenHash};
use tracehound_policy::Principal;

use crate::console::session::Sessions;
use crate::estate::{EstateSettings, Estates};
use crate::policy_file::PolicyFile;
use crate::problem::Problem;
use crate::rulebook::{Compiled, compile, without_file};

/// What all routes share. Cheap to clone.
#[derive(Debug, Clone)]
pub struct App(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    evidence: Arc<Evidence>,
    operator: Option<TokenHash>,
    settings: AppSettings,
    compiled: RwLock<HashMap<String, Arc<Compiled>>>,
    /// Agents, prepared for decisions. An entry counts as long as the agent is the very same.
    principals: RwLock<HashMap<String, Prepared>>,
    live: Arc<crate::live::Live>,
    detection: crate::detection::Bell,
    policy_file: PolicyFile,
    sessions: Sessions,
    estates: Estates,
    /// The name of the cookie. Cookies know no ports, so each server on a machine has a name of its own.
    cookie: String,
    /// Held while policies are checked and changed, so that what was checked is what is changed.
    policy_changes: tokio::sync::Mutex<()>,
    runs: Arc<crate::runs::Runs>,
    pub(crate) counters: crate::counters::Counters,
}

/// An agent, and the same prepared for decisions.
type Prepared = (Arc<Agent>, Arc<Principal>);

/// What can be set about the server's behaviour.
#[derive(Debug, Clone)]
pub struct AppSettings {
    /// How long an approval can be answered and used, in seconds.
    pub approval_seconds: i64,
    /// The data directory.
    pub data: PathBuf,
    /// With less free space than this, in bytes, the server says that it is not ready.
    pub least_free_bytes: u64,
    /// Cedar policies that hold for all tenants. Nothing is allowed before [`App::load_policy_file`] has read it.
    pub policy_file: Option<PathBuf>,
    /// Whether browsers reach the server by TLS.
    pub is_secure: bool,
    /// What estates are judged by.
    pub estate: EstateSettings,
}

impl AppSettings {
    /// The usual settings for a data directory.
    #[must_use]
    pub fn new(data: &Path) -> Self {
        Self {
            approval_seconds: 1_800,
            data: data.to_owned(),
            least_free_bytes: 64 << 20,
            policy_file: None,
            is_secure: false,
            estate: EstateSettings::default(),
        }
    }
}

impl App {
    /// An application over an evidence store. `operator` is the token of whoever holds the data directory.
    #[must_use]
    pub fn new(evidence: Arc<Evidence>, operator: Option<TokenHash>, settings: AppSettings) -> Self {
        let estates = Estates::new(&settings.data, &settings.estate);
        Self(Arc::new(Inner {
            evidence,
            operator,
            settings,
            estates,
            compiled: RwLock::default(),
            principals: RwLock::default(),
            live: Arc::default(),
            detection: crate::detection::Bell::default(),
            policy_file: PolicyFile::default(),
            sessions: Sessions::default(),
            cookie: format!("tracehound_{}", uuid::Uuid::new_v4().simple()),
            policy_changes: tokio::sync::Mutex::default(),
            runs: Arc::default(),
            counters: crate::counters::Counters::default(),
        }))
    }

    /// The evidence.
    #[must_use]
    pub fn evidence(&self) -> &Arc<Evidence> {
        &self.0.evidence
    }

    pub(crate) fn settings(&self) -> &AppSettings {
        &self.0.settings
    }

    pub(crate) fn operator_token(&self) -> Option<TokenHash> {
        self.0.operator
    }

    pub(crate) fn sessions(&self) -> &Sessions {
        &self.0.sessions
    }

    pub(crate) fn estates(&self) -> &Estates {
        &self.0.estates
    }

    pub(crate) fn cookie(&self) -> &str {
        &self.0.cookie
    }

    /// The path of a link that logs the holder of the data directory in to the console, once.
    ///
    /// # Errors
    ///
    /// When the system has no randomness to give, or nobody holds the data directory.
    pub fn login_link(&self) -> Result<String, Error> {
        let operator = self.0.operator.ok_or(Error::Closed)?;
        let code = self.0.sessions.link(operator, std::time::Instant::now())?;
        Ok(format!("/console/login?code={}", code.reveal()))
    }

    pub(crate) fn policy_file(&self) -> &PolicyFile {
        &self.0.policy_file
    }

    pub(crate) fn policy_changes(&self) -> &tokio::sync::Mutex<()> {
        &self.0.policy_changes
    }

    pub(crate) fn runs(&self) -> &crate::runs::Runs {
        &self.0.runs
    }

    pub(crate) fn counters(&self) -> &crate::counters::Counters {
        &self.0.counters
    }

    pub(crate) fn live(&self) -> &Arc<crate::live::Live> {
        &self.0.live
    }

    pub(crate) fn detection(&self) -> &crate::detection::Bell {
        &self.0.detection
    }

    /// The application, unless everybody else has let it go.
    pub(crate) fn weak(&self) -> impl Fn() -> Option<Self> + Send + Sync + 'static {
        let weak = Arc::downgrade(&self.0);
        move || weak.upgrade().map(Self)
    }

    /// The compiled rules of a tenant, as they are registered at this moment.
    pub(crate) fn rules(&self, tenant: &str) -> Arc<Compiled> {
        let file = self.0.policy_file.current();
        let version = file.as_ref().map_or(0, |file| file.version);
        let book = self.0.evidence.registry().rulebook(tenant);
        if file.is_none() && self.0.settings.policy_file.is_some() {
            return Arc::new(without_file(&book));
        }
        let known = self.0.compiled.read().unwrap_or_else(PoisonError::into_inner).get(tenant).cloned();
        if let Some(compiled) = known.filter(|it| (it.epoch, it.file_version) == (book.epoch, version)) {
            return compiled;
        }
        let mut all = self.0.compiled.write().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have been faster.
        let is_as_new = |it: &&Arc<Compiled>| it.epoch >= book.epoch && it.file_version >= version;
        if let Some(compiled) = all.get(tenant).filter(is_as_new) {
            return compiled.clone();
        }
        let compiled = Arc::new(compile(tenant, &book, file.as_deref()));
        all.insert(tenant.to_owned(), compiled.clone());
        compiled
    }

    /// An agent, prepared for decisions.
    pub(crate) fn principal(&self, agent: &Arc<Agent>) -> Arc<Principal> {
        let known = self.0.principals.read().unwrap_or_else(PoisonError::into_inner).get(&agent.id).cloned();
        if let Some((_, principal)) = known.filter(|(known, _)| Arc::ptr_eq(known, agent)) {
            return principal;
        }
        let principal = Arc::new(Principal::new(crate::rulebook::facts_of(agent)));
        let mut all = self.0.principals.write().unwrap_or_else(PoisonError::into_inner);
        all.insert(agent.id.clone(), (agent.clone(), principal.clone()));
        principal
    }

    /// Makes a change and waits until it is durable.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Ledger<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (sender, receiver) = oneshot::channel();
        self.0.evidence.hand_in(change, move |result| {
            // Whoever asked may have gone; what was written stays written.
            let _ = sender.send(result);
        });
        receiver.await.unwrap_or(Err(Error::Closed))
    }

    /// Records a decision and waits until it is durable.
    pub(crate) async fn decide(&self, new: NewDecision) -> Result<Outcome, Error> {
        let (sender, receiver) = oneshot::channel();
        let runs = self.0.runs.clone();
        self.0.evidence.decide(new, move |result| {
            // Here and not where it is awaited: whoever hangs up must not keep the trust that they have lost.
            runs.recorded(&result);
            let _ = sender.send(result);
        });
        receiver.await.unwrap_or(Err(Error::Closed))
    }

    /// Records that nothing could be decided, and waits until that is durable.
    pub(crate) async fn deny_stale(&self, new: NewDecision) -> Result<Outcome, Error> {
        let (sender, receiver) = oneshot::channel();
        let runs = self.0.runs.clone();
        self.0.evidence.hand_in(
            |ledger| ledger.deny_stale(new),
            move |result| {
                runs.recorded(&result);
                let _ = sender.send(result);
            },
        );
        receiver.await.unwrap_or(Err(Error::Closed))
    }

    /// Looks at the store without holding up other requests.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Evidence) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Problem> {
        let evidence = self.0.evidence.clone();
        let looked = tokio::task::spawn_blocking(move || look(&evidence)).await;
        Ok(looked.unwrap_or(Err(Error::Closed))?)
    }
}
