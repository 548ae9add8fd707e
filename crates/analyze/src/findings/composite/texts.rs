//! What is said about composite edges: a row for each kind, and for each way to reach something.
//!
//! Names in braces are filled in from the edge and its path, see [`super::parties`]: `{tool}` says what it is and whose,
//! `{tool_name}` only its name, for when it was said before.

use tracehound_model::EdgeKind;

use super::catalogue::{self as c, Entry};
use crate::derived::{Detail, Hop, Reach, Via};

/// The hop of a path at which it is cheapest to cut.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cut {
    /// The first of this kind.
    First(EdgeKind),
    /// The last of this kind.
    Last(EdgeKind),
}

/// What is said about the edges of one row.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) category: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) remediation: &'static str,
    pub(super) cut: Cut,
    pub(super) standards: &'static [Entry],
}

/// The row of an edge.
pub(super) const fn of(kind: EdgeKind, detail: Detail, path: &[Hop]) -> &'static Text {
    match (kind, detail) {
        (EdgeKind::CanReach, Detail::Reach(Reach::Credential { .. })) => match path {
            [_, _, Hop { via: Via::Reads(_), .. }, ..] => &READ_SECRET,
            _ => &SHARED_SECRET,
        },
        (EdgeKind::CanReach, Detail::Reach(Reach::Chain { .. })) => &CHAIN,
        (EdgeKind::CanReach, Detail::Reach(Reach::CrossProtocol { .. })) => &CROSS_PROTOCOL,
        (EdgeKind::CanExfiltrateVia, _) => &EXFILTRATION,
        (EdgeKind::PoisonedDescription, _) => &DESCRIPTION,
        (EdgeKind::PoisonedInstructions, _) => &INSTRUCTIONS,
        (EdgeKind::Shadows, _) => &SHADOW,
        (EdgeKind::ConfusedDeputy, _) => &DEPUTY,
        (EdgeKind::IfcViolation, _) => &FLOW,
        (EdgeKind::PoisonsContext, _) => &CONTEXT,
        (EdgeKind::CanImpersonate, _) => &LIKENESS,
        (EdgeKind::CanExecute, _) => &EXECUTION,
        (EdgeKind::HasAccessTo, _) => &ACCESS,
        (EdgeKind::Taints, _) => &TAINT,
        _ => &DIRECT,
    }
}

const DIRECT: Text = Text {
    category: "Transitive access",
    title: "{source} can reach {target} through {tool}",
    description: "Whatever steers the agent, a poisoned page as well as its user, gets at {target} with {tool_name}. No \
                  further step is needed: the agent trusts the server, and the tool has the access.",
    remediation: "If {source} does not need {target_name}, take {server} out of its configuration{where}, or turn \
                  {tool_name} off there. If it does, give {server} an account that sees no more than the task needs, and let the agent ask \
                  before it uses the tool.{open}",
    cut: Cut::First(EdgeKind::TrustsServer),
    standards: &[c::MCP02, c::ASI02, c::ASI03, c::TOOL_INVOCATION, c::DATA_FROM_SERVICES],
};

const READ_SECRET: Text = Text {
    category: "Transitive access",
    title: "{source} can reach {target} with {secret}, which {tool} can read",
    description: "The agent may use {tool}, which reads files where {secret} of {other} is kept. Whoever steers the agent \
                  reads the secret and uses {other_name} with it, although the agent was never given that server.",
    remediation: "Take {secret} out of the reach of {tool}: keep it in a secret store instead of a file{where}, and rotate \
                  it. Besides that, limit {tool_name} to the folders that it needs.",
    cut: Cut::First(EdgeKind::HasEnvVar),
    standards: &[c::MCP01, c::ASI03, c::UNSECURED_CREDENTIALS, c::CREDENTIAL_HARVESTING],
};

const SHARED_SECRET: Text = Text {
    category: "Transitive access",
    title: "{source} can reach {target} with {secret}, which {server} shares with {other}",
    description: "{server} is given the same secret as {other}. Whoever steers the agent, or holds {server_name}, can use \
                  {other_name} with it and get at {target}.",
    remediation: "Rotate {secret}{where}, and give {server_name} and {other_name} a secret each, with only the rights that each \
                  needs.",
    cut: Cut::First(EdgeKind::HasEnvVar),
    standards: &[c::MCP01, c::ASI03, c::UNSECURED_CREDENTIALS],
};

const CHAIN: Text = Text {
    category: "Credential chain",
    title: "{source} can reach {target} behind {gateway} with {secret}",
    description: "{server} is given {secret}, and {gateway} answers to the same secret. Whoever steers the agent, or holds \
                  the server, can open {gateway_name} and use what it holds: {target}.",
    remediation: "Rotate {secret}{where}, and give {server} a key of its own for {gateway} that can't list or use other \
                  keys. Then rotate {target}, which has to be taken as known to whoever had the first.",
    cut: Cut::First(EdgeKind::HasEnvVar),
    standards: &[c::MCP01, c::ASI03, c::CONFIGURED_CREDENTIALS],
};

const CROSS_PROTOCOL: Text = Text {
    category: "Transitive access",
    title: "Anybody who calls {source} may get to {target} through {host}",
    description: "{source} takes tasks from anybody, and it, or an agent that it delegates to, runs on {host} beside \
                  {server}. Whoever breaks out of the agent on that machine gets at {target} with {tool}.",
    remediation: "Let {source} demand authentication of its callers. If it has to stay open, move {server} to another \
                  machine than {host_name}, or into a container that the agent can't reach{where}.",
    cut: Cut::First(EdgeKind::RunsOn),
    standards: &[c::MCP07, c::ASI07, c::ASI03],
};

const EXFILTRATION: Text = Text {
    category: "Data exfiltration",
    title: "{source} can send {resource} out with {target}",
    description: "The agent can read {resource}, which is guarded, and has {target}, which sends things out. One poisoned \
                  text that it reads is enough to make it do the one and then the other.",
    remediation: "Don't give one agent both. Turn {target_name} off for {source}, or take {server} out of its \
                  configuration{where}. If it needs both, let it ask before every use of {target_name}, and limit where \
                  that tool may send things.",
    cut: Cut::Last(EdgeKind::TrustsServer),
    standards: &[c::MCP10, c::ASI02, c::EXFILTRATION],
};

const DESCRIPTION: Text = Text {
    category: "Prompt injection",
    title: "The text of {source} carries instructions for the model",
    description: "Every agent that is given the tool reads its description as part of its task, and may do what it says \
                  without anybody having called the tool.",
    remediation: "Take {server} out of the configurations that name it{where}, or turn {source_name} off, until its maintainer has \
                  cleaned the text. Look at what agents did while they had it.",
    cut: Cut::First(EdgeKind::ProvidesTool),
    standards: &[c::MCP03, c::ASI01, c::PROMPT_INJECTION, c::TOOL_POISONING],
};

const INSTRUCTIONS: Text = Text {
    category: "Instruction poisoning",
    title: "{source} carries text that works against its readers",
    description: "Agents follow the file as if their user had written it, in every session and without showing it.",
    remediation: "Remove the passage from {source_name}, and find out who put it there. Look at what agents did while it \
                  stood there.",
    cut: Cut::First(EdgeKind::LoadsInstructions),
    standards: &[c::MCP06, c::ASI01, c::ASI06, c::PROMPT_INJECTION, c::AGENT_CONFIGURATION],
};

const SHADOW: Text = Text {
    category: "Tool shadowing",
    title: "The text of {source} speaks of {target}",
    description: "A tool has no reason to speak of another server's tool. Its text can make agents that have both call \
                  {source_name} in the place of {target_name}, or call {target_name} the way {source_name} wants.",
    remediation: "Take {server} out of the configurations that name it{where} until its maintainer can say why \
                  {source_name} speaks of {target_name}. If both are needed, give them to different agents.",
    cut: Cut::First(EdgeKind::ProvidesTool),
    standards: &[c::MCP03, c::ASI02, c::TOOL_POISONING],
};

const DEPUTY: Text = Text {
    category: "Authorization confusion",
    title: "{source} lends its callers the rights of {target}",
    description: "{source} asks less of its callers than {target} asks of its own, and passes their tasks on to it. Whoever \
                  may not call {target_name} calls {source_name} instead.",
    remediation: "Let {source} demand of its callers what {target} demands ({high}), and tell it on whose behalf it asks. \
                  Until then let {target_name} refuse tasks from {source_name}.",
    cut: Cut::First(EdgeKind::DelegatesTo),
    standards: &[c::MCP07, c::ASI03, c::ASI07],
};

const FLOW: Text = Text {
    category: "Information flow",
    title: "Content from outside that {source} brings in can steer {target}",
    description: "{source} brings in {resource}, which anybody may have written, and {target} acts on the same data. What is \
                  written there can decide what {target_name} does.",
    remediation: "Let agents ask before they use {target} on what came from {resource_name}, or give {source_name} and \
                  {target_name} to different agents.",
    cut: Cut::First(EdgeKind::TrustsServer),
    standards: &[c::MCP06, c::ASI01, c::ASI02, c::PROMPT_INJECTION, c::DATA_POISONING],
};

const CONTEXT: Text = Text {
    category: "Context poisoning",
    title: "The text of {source} can steer {target} in {agent}",
    description: "{agent} loads both tools into one conversation. The text of {source_name} instructs the model, and \
                  {target_name} is a tool that it can make the model use.",
    remediation: "Turn {source_name} off for {agent}, or take {server} out of its configuration{where}. That ends it for every \
                  other tool of the agent as well.",
    cut: Cut::First(EdgeKind::TrustsServer),
    standards: &[c::MCP03, c::ASI06, c::CONTEXT_POISONING, c::TOOL_POISONING],
};

const LIKENESS: Text = Text {
    category: "Agent impersonation",
    title: "{source} can pass for {target}",
    description: "The skills of both read alike, and nothing shows that one provider made them. Whoever picks an agent by \
                  its card may give {source_name} what was meant for {target_name}.",
    remediation: "Find out which of the two is meant to be there, and remove the other. Let agents check the signature and \
                  the address of the card of {target_name} before they give it tasks.",
    cut: Cut::First(EdgeKind::AdvertisesSkill),
    standards: &[c::ASI07, c::IMPERSONATION],
};

const EXECUTION: Text = Text {
    category: "Command execution",
    title: "{source} runs commands on {target}",
    description: "Whoever steers an agent that has the tool runs commands on {target_name}, with the rights of {server}.",
    remediation: "Turn {source_name} off where nobody needs it. Where somebody does, run {server} in a container or under an \
                  account of its own{where}, and let agents ask before every command.",
    cut: Cut::First(EdgeKind::ProvidesTool),
    standards: &[c::MCP05, c::ASI05, c::TOOL_INVOCATION],
};

const ACCESS: Text = Text {
    category: "Resource access",
    title: "{source} has access to {target}",
    description: "Every agent that is given the tool gets at {target} with it.",
    remediation: "If the tool is not meant to see {target_name}, give {server} an account or a folder without it{where}.",
    cut: Cut::First(EdgeKind::ProvidesTool),
    standards: &[c::MCP02, c::ASI02, c::DATA_FROM_SERVICES],
};

const TAINT: Text = Text {
    category: "Tainted arguments",
    title: "What {source} brings in can become arguments of {target}",
    description: "{source} brings in content that others wrote, and takes arguments of the same names as {target}. A model \
                  that passes results on hands that content to {target_name}.",
    remediation: "Let agents ask before they call {target_name} with what {source_name} brought in, and let {other} check \
                  the arguments as strictly as input from strangers.",
    cut: Cut::Last(EdgeKind::ProvidesTool),
    standards: &[c::MCP06, c::ASI02, c::DATA_POISONING],
};
