//! Policies that hold for all tenants, from a file of whoever runs the server.
//!
//! The file is read at the start and when somebody asks for it. A file that can't be used changes nothing: at the start
//! the server does not start, later the policies that were read before stay in force, and both are said loudly. Nothing
//! watches the file, so a file that is half written is never read by chance.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use serde::Serialize;
use serde_json::json;
use tracehound_evidence::Error;
use tracehound_model::RiskLevel;
use tracehound_policy::{
    ActionFacts, Catalogue, Check, DefaultDecision, Known, Policies, Problem, TenantPolicy, Warning, body_hash,
};

use crate::App;
use crate::rulebook;

/// The key that the file's policies have, and the name of the setting that remembers the file's version.
pub(crate) const POLICY_FILE: &str = "policy-file";
/// Longest file.
const LONGEST: u64 = 1 << 20;
/// How often it is tried again because something changed meanwhile.
const ATTEMPTS: usize = 20;

/// The policies of the file that are in force.
#[derive(Debug, Default)]
pub(crate) struct PolicyFile(RwLock<Option<Arc<TenantPolicy>>>);

/// A file that was read and is in force.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct LoadedFile {
    /// Where it is.
    #[schema(value_type = String)]
    pub path: PathBuf,
    /// Counts the different texts that were in force.
    pub version: u32,
    /// The SHA-256 of the text.
    pub hash: String,
    /// The names of its policies.
    pub policies: Vec<String>,
    /// What is probably not meant, and what does not fit the tools of a tenant.
    pub warnings: Vec<Warning>,
}

/// Why a file was not taken. What was in force before still is.
#[derive(Debug, thiserror::Error)]
pub enum PolicyFileError {
    /// It can't be read.
    #[error("cannot read the policy file `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// It can't be used.
    #[error("the policy file `{}` can't be used: {}", path.display(), first(problems))]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, with places.
        problems: Vec<Problem>,
    },
    /// That it is in force could not be recorded.
    #[error("that the policy file is in force could not be recorded")]
    Unrecorded(#[from] Error),
}

fn first(problems: &[Problem]) -> String {
    let more = if problems.len() > 1 { format!(" (and {} more)", problems.len() - 1) } else { String::new() };
    problems.first().map(|problem| format!("{problem}{more}")).unwrap_or_default()
}

impl PolicyFile {
    /// What is in force.
    pub(crate) fn current(&self) -> Option<Arc<TenantPolicy>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn swap(&self, policy: TenantPolicy) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(policy));
    }
}

impl App {
    /// Reads the policy file of the settings, if there is one, and puts it in force. Until this was done once, nothing is
    /// allowed. Blocks until the change is on record.
    ///
    /// # Errors
    /// The file can't be read or used, or nothing can be recorded. What was in force before still is.
    pub fn load_policy_file(&self) -> Result<Option<LoadedFile>, PolicyFileError> {
        let Some(path) = &self.settings().policy_file else { return Ok(None) };
        let loaded = self.load(path);
        match &loaded {
            Ok(loaded) => {
                let LoadedFile { version, hash, policies, .. } = loaded;
                let count = policies.len();
                crate::log::note(&format!(
                    "policy file {}: version {version}, {hash}, {count} policies",
                    path.display()
                ));
                let warn = |warning: &Warning| crate::log::note(&format!("policy file: warning: {warning}"));
                loaded.warnings.iter().for_each(warn);
            }
            Err(error) => {
                crate::log::failure("the policy file was NOT taken, what was in force stays in force", error);
                if let PolicyFileError::Broken { problems, .. } = error {
                    problems.iter().for_each(|problem| crate::log::note(&format!("policy file: {problem}")));
                }
            }
        }
        loaded.map(Some)
    }

    fn load(&self, path: &Path) -> Result<LoadedFile, PolicyFileError> {
        let body = read(path)?;
        for _ in 0..ATTEMPTS {
            match self.put_in_force(path, &body) {
                Err(PolicyFileError::Unrecorded(Error::Stale)) => {}
                other => return other,
            }
        }
        Err(Error::Stale.into())
    }

    fn put_in_force(&self, path: &Path, body: &str) -> Result<LoadedFile, PolicyFileError> {
        let hash = body_hash(body);
        let before = self.recorded_file();
        let is_known = before.as_ref().is_some_and(|(_, known)| *known == hash);
        let version = before.map_or(1, |(version, _)| if is_known { version } else { version + 1 });
        let policy = TenantPolicy::new(POLICY_FILE, "Policy file", version, body).of_file();
        let broken = |problems| PolicyFileError::Broken { path: path.to_owned(), problems };
        let checked = check(self, &policy).map_err(broken)?;
        if !is_known {
            self.record(checked.epochs, json!({ "version": version, "hash": hash, "policies": checked.names }))?;
        }
        self.policy_file().swap(policy);
        Ok(LoadedFile { path: path.to_owned(), version, hash, policies: checked.names, warnings: checked.warnings })
    }

    /// The version and hash of the file that was in force last, maybe before this process began.
    fn recorded_file(&self) -> Option<(u32, String)> {
        let registry = self.evidence().registry();
        let of = |tenant: &str| {
            let book = registry.rulebook(tenant);
            let setting = book.settings.get(POLICY_FILE)?;
            let version = u32::try_from(setting.get("version")?.as_u64()?).ok()?;
            Some((version, setting.get("hash")?.as_str()?.to_owned()))
        };
        registry.tenants().iter().filter_map(|(tenant, _, _)| of(tenant)).max()
    }

    /// Puts it on record for every tenant, unless one of them changed what it was checked against.
    fn record(&self, epochs: Vec<(String, u64)>, value: serde_json::Value) -> Result<(), Error> {
        self.evidence().write(move |ledger| {
            let is_stale = |(tenant, epoch): &(String, u64)| ledger.registry().rulebook(tenant).epoch != *epoch;
            if epochs.iter().any(is_stale) || ledger.registry().tenants().len() != epochs.len() {
                return Err(Error::Stale);
            }
            epochs.iter().try_for_each(|(tenant, _)| ledger.put_setting(tenant, POLICY_FILE, value.clone(), "operator"))
        })
    }
}

fn read(path: &Path) -> Result<String, PolicyFileError> {
    let unreadable = |source| PolicyFileError::Unreadable { path: path.to_owned(), source };
    let mut text = String::new();
    File::open(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text)).map_err(unreadable)?;
    Ok(text)
}

struct Checked {
    names: Vec<String>,
    warnings: Vec<Warning>,
    /// What each tenant's rulebook was when it was checked.
    epochs: Vec<(String, u64)>,
}

/// Checks the file by itself, then beside the policies of every tenant. Linear in the tenants.
fn check(app: &App, policy: &TenantPolicy) -> Result<Checked, Vec<Problem>> {
    check_types(policy)?;
    let mut checked = Checked { names: names(policy)?, warnings: Vec::new(), epochs: Vec::new() };
    for (tenant, _, _) in app.evidence().registry().tenants() {
        let book = app.evidence().registry().rulebook(&tenant);
        let catalogue = rulebook::catalogue(&book);
        let all = rulebook::policies_with(&book, Some(policy));
        let (_, warnings) = Policies::compile(&all, &Known::tools(&catalogue), Check::Report)?;
        let own = warnings.into_iter().filter(|warning| warning.policy == POLICY_FILE);
        checked.warnings.extend(own);
        checked.epochs.push((tenant, book.epoch));
    }
    checked.warnings.sort_unstable();
    checked.warnings.dedup();
    Ok(checked)
}

/// Tenants have different tools, so a policy may name one that is not registered here or not yet; all else that does
/// not fit what every call has is an error.
fn check_types(policy: &TenantPolicy) -> Result<(), Vec<Problem>> {
    let mut catalogue = Catalogue::default();
    let example = ActionFacts {
        tool: "example".to_owned(),
        action: "call".to_owned(),
        risk: RiskLevel::Low,
        mutates_state: false,
        approval_required: false,
        default_decision: DefaultDecision::Policy,
        input_schema: None,
    };
    if catalogue.add(example).is_err() {
        return Ok(());
    }
    let made = Policies::compile(std::slice::from_ref(policy), &Known::tools(&catalogue), Check::Refuse);
    let is_about_tools = |problem: &Problem| problem.message.contains("unrecognized action");
    let problems = made.err().unwrap_or_default();
    let problems: Vec<Problem> = problems.into_iter().filter(|problem| !is_about_tools(problem)).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn names(policy: &TenantPolicy) -> Result<Vec<String>, Vec<Problem>> {
    let nothing = Catalogue::default();
    let (policies, _) = Policies::compile(std::slice::from_ref(policy), &Known::tools(&nothing), Check::Report)?;
    let own = policies.list().into_iter().filter(|matched| matched.source == tracehound_policy::PolicySource::File);
    Ok(own.map(|matched| matched.name.to_string()).collect())
}
