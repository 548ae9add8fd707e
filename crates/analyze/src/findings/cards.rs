//! Cards of agents that don't hold what they say. A card without a signature makes no finding: the protocol leaves it open,
//! and few agents sign.

use tracehound_graph::NodeIx;
use tracehound_model::{Finding, NodeKind, Severity};

use super::Check;
use super::ground::{Case, Ground};

/// A card names another address than its own.
pub(super) const OTHER_ADDRESS: Check = Check {
    id: "card-claims-another-address",
    category: "Agent identity",
    title: "A card names another address than the one that it was fetched from",
    description: "Whoever follows the card sends tasks to another place than the one that was asked. That may be a mistake \
                  in the card, or one agent that stands in front of another's users.",
    remediation: "Find out who runs the address that the card names. Correct the card, or fetch it from the address that it \
                  names.",
    standards: &[("ASI07", "Insecure Inter-Agent Communication"), ("ASI03", "Identity and Privilege Abuse")],
    find: other_address,
};

/// The signature of a card can't be trusted.
pub(super) const SIGNATURE: Check = Check {
    id: "card-signature-invalid",
    category: "Agent identity",
    title: "The signature of a card can't be trusted",
    description: "The card is signed, but the signature does not show that the card is what its signer signed. The card may \
                  have been changed on the way, or the key is not one that can be believed.",
    remediation: "Do not give the agent tasks until whoever runs it has explained or mended the signature. Give the signer's \
                  keys to the scan if they are known.",
    standards: &[("ASI07", "Insecure Inter-Agent Communication"), ("ASI04", "Agentic Supply Chain Vulnerabilities")],
    find: signature,
};

fn other_address(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    each_agent(ground, check, |agent| {
        let claimed = ground.text(agent, "claimed_url");
        let name = ground.name(agent);
        let evidence = format!("the card at {} says that the agent is at {claimed}", ground.text(agent, "url"));
        (!claimed.is_empty()).then(|| (format!("The card of `{name}` names another address than its own"), evidence))
    })
}

fn signature(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    each_agent(ground, check, |agent| {
        let problem = ground.text(agent, "signature_problem");
        let is_bad =
            ground.flag(agent, "is_signed") == Some(true) && ground.flag(agent, "signature_valid") != Some(true);
        let title = format!("The signature of the card of `{}` can't be trusted", ground.name(agent));
        (is_bad && !problem.is_empty()).then_some((title, problem))
    })
}

/// Asks about each agent; the answer is a title and the evidence.
fn each_agent(ground: &Ground<'_>, check: &Check, what: impl Fn(NodeIx) -> Option<(String, String)>) -> Vec<Finding> {
    let ask = |agent: NodeIx| {
        let (title, evidence) = what(agent)?;
        let case = Case { severity: Severity::High, source: agent, target: agent, title, evidence, place: None };
        Some(ground.finding(check, case))
    };
    ground.nodes(NodeKind::A2aAgent).filter_map(ask).collect()
}
