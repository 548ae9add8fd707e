//! The rules that collectors of files apply, compiled in two sets.
//!
//! Compiling takes longer than reading a usual machine's configurations, and most of it goes to the rules for
//! instructions. So that set is compiled beside the reading and waited for only if there is something to read with it.

use std::sync::{Mutex, OnceLock};
use std::thread::JoinHandle;

use tracehound_model::{Collector, NodeKind};
use tracehound_rules::engine::{CompileError, Engine, Judges};
use tracehound_rules::rule::{Rule, Target};
use tracehound_rules::{BrokenModel, builtin_judges, builtin_rules};

/// Rules can't be used.
#[derive(Debug, thiserror::Error)]
pub enum DetectionError {
    /// They don't compile together.
    #[error("the rules can't be compiled")]
    Compile(#[from] CompileError),
    /// A model that they name is broken.
    #[error("a built-in model is broken")]
    Model(#[from] BrokenModel),
    /// The thread that compiled them is gone.
    #[error("compiling the rules failed")]
    Gone,
}

/// The rules of a scan.
#[derive(Debug)]
pub struct Detection {
    settings: Engine,
    has_own_secrets: bool,
    texts: OnceLock<Engine>,
    coming: Mutex<Option<JoinHandle<Result<Engine, DetectionError>>>>,
}

impl Detection {
    /// Takes the rules in force; those that read nothing of a file are left out.
    ///
    /// # Errors
    ///
    /// When rules can't be compiled.
    pub fn start(rules: Vec<Rule>) -> Result<Self, DetectionError> {
        let rules = rules.into_iter().filter(|rule| rule.enabled && is_for_files(rule));
        let (texts, others): (Vec<Rule>, Vec<Rule>) = rules.partition(reads_instructions);
        let settings = others.iter().chain(&texts).filter(|rule| reads_settings(rule)).cloned().collect();
        let has_own_secrets = others.iter().chain(&texts).any(is_own_secret);
        let coming = std::thread::spawn(move || Ok(Engine::compile(texts, builtin_judges()?)?));
        let settings = Engine::compile(settings, judges_for(&others)?)?;
        Ok(Self { settings, has_own_secrets, texts: OnceLock::new(), coming: Mutex::new(Some(coming)) })
    }

    /// The rules for names, values and other settings.
    pub(crate) fn settings(&self) -> &Engine {
        &self.settings
    }

    /// Whether some rule for the values of credentials is the user's.
    pub(crate) fn has_own_secrets(&self) -> bool {
        self.has_own_secrets
    }

    /// The rules for instructions.
    pub(crate) fn texts(&self) -> Result<&Engine, DetectionError> {
        if let Some(ready) = self.texts.get() {
            return Ok(ready);
        }
        // Whoever comes second waits here until the first has put the set in its place.
        let mut coming = self.coming.lock().map_err(|_| DetectionError::Gone)?;
        if let Some(coming) = coming.take() {
            let engine = coming.join().map_err(|_| DetectionError::Gone)??;
            return Ok(self.texts.get_or_init(|| engine));
        }
        self.texts.get().ok_or(DetectionError::Gone)
    }
}

fn is_own_secret(rule: &Rule) -> bool {
    let is_builtin = builtin_rules().is_ok_and(|rules| rules.contains(rule));
    !is_builtin && rule.scope.targets.iter().any(|target| target.covers(NodeKind::Credential, "value"))
}

/// Models are read only if a rule needs one, which takes a while.
fn judges_for(rules: &[Rule]) -> Result<Judges, BrokenModel> {
    let is_model = |rule: &Rule| format!("{:?}", rule.matcher).contains("Model");
    if rules.iter().any(is_model) { builtin_judges() } else { Ok(Judges::default()) }
}

fn is_for_files(rule: &Rule) -> bool {
    matches!(rule.scope.collector, None | Some(Collector::Config | Collector::Scan))
}

fn reads_instructions(rule: &Rule) -> bool {
    rule.scope.targets.iter().any(|target| target.covers(NodeKind::InstructionFile, "content"))
}

/// What of a server rules may read, which built-in ones don't and a user's may.
pub(crate) const SERVER_PROPERTIES: &[&str] = &["name", "endpoint", "args", "package", "image"];

fn reads_settings(rule: &Rule) -> bool {
    let is_setting = |target: &Target| {
        ["name", "value"].iter().any(|property| target.covers(NodeKind::Credential, property))
            || SERVER_PROPERTIES.iter().any(|property| target.covers(NodeKind::McpServer, property))
    };
    rule.scope.targets.iter().any(is_setting)
}
