//! The rules that collectors apply, compiled in three sets: for settings, for instruction files, and for what servers and
//! agents say of themselves.
//!
//! Compiling takes longer than reading a usual machine's configurations, and most of it goes to the rules for texts. So
//! those sets are compiled beside the reading and waited for only if there is something to read with them.

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
    texts: Coming,
    live: Coming,
}

/// An engine that is being compiled, or that is there.
#[derive(Debug)]
struct Coming {
    ready: OnceLock<Engine>,
    thread: Mutex<Option<JoinHandle<Result<Engine, DetectionError>>>>,
}

impl Coming {
    fn start(rules: Vec<Rule>) -> Self {
        let thread = std::thread::spawn(move || Ok(Engine::compile(rules, builtin_judges()?)?));
        Self { ready: OnceLock::new(), thread: Mutex::new(Some(thread)) }
    }

    fn get(&self) -> Result<&Engine, DetectionError> {
        if let Some(ready) = self.ready.get() {
            return Ok(ready);
        }
        // Whoever comes second waits here until the first has put the set in its place.
        let mut thread = self.thread.lock().map_err(|_| DetectionError::Gone)?;
        if let Some(thread) = thread.take() {
            let engine = thread.join().map_err(|_| DetectionError::Gone)??;
            return Ok(self.ready.get_or_init(|| engine));
        }
        self.ready.get().ok_or(DetectionError::Gone)
    }
}

impl Detection {
    /// Takes the rules in force for files; those that read nothing of a file are left out.
    ///
    /// # Errors
    ///
    /// When rules can't be compiled.
    pub fn start(rules: Vec<Rule>) -> Result<Self, DetectionError> {
        Self::compile(rules, Vec::new())
    }

    /// Takes the rules in force for files and for servers and agents that are asked.
    ///
    /// # Errors
    ///
    /// When rules can't be compiled.
    pub fn start_live(rules: Vec<Rule>) -> Result<Self, DetectionError> {
        let live = rules.iter().filter(|rule| rule.enabled && is_for_live(rule)).cloned().collect();
        Self::compile(rules, live)
    }

    fn compile(rules: Vec<Rule>, live: Vec<Rule>) -> Result<Self, DetectionError> {
        let rules = rules.into_iter().filter(|rule| rule.enabled && is_for_files(rule));
        let (texts, others): (Vec<Rule>, Vec<Rule>) = rules.partition(reads_instructions);
        let settings = others.iter().chain(&texts).filter(|rule| reads_settings(rule)).cloned().collect();
        let has_own_secrets = others.iter().chain(&texts).any(is_own_secret);
        let (texts, live) = (Coming::start(texts), Coming::start(live));
        let settings = Engine::compile(settings, judges_for(&others)?)?;
        Ok(Self { settings, has_own_secrets, texts, live })
    }

    /// The rules for names, values and other settings.
    pub(crate) fn settings(&self) -> &Engine {
        &self.settings
    }

    /// Whether some rule for the values of credentials is the user's.
    pub(crate) fn has_own_secrets(&self) -> bool {
        self.has_own_secrets
    }

    /// The rules for instruction files.
    pub(crate) fn texts(&self) -> Result<&Engine, DetectionError> {
        self.texts.get()
    }

    /// The rules for what servers, agents and services say of themselves.
    pub(crate) fn live(&self) -> Result<&Engine, DetectionError> {
        self.live.get()
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

fn is_for_live(rule: &Rule) -> bool {
    let is_asked = rule.scope.collector != Some(Collector::Config);
    let kinds = [
        NodeKind::McpServer,
        NodeKind::McpTool,
        NodeKind::McpResource,
        NodeKind::McpPrompt,
        NodeKind::A2aAgent,
        NodeKind::A2aSkill,
        NodeKind::AiService,
        NodeKind::AiModel,
    ];
    let is_any = |kind: NodeKind| kinds.contains(&kind) || kind.umbrella().is_some();
    is_asked && rule.scope.targets.iter().any(|target| target.kind.is_none_or(is_any))
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
