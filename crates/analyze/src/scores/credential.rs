//! Secrets: how they are kept, who gets at them, and what they open.

use tracehound_graph::NodeIx;
use tracehound_model::EdgeKind;

use super::Component;
use super::ground::{Ground, counted};
use super::points::Points;
use crate::processors::BLAST_RADIUS;

/// 0.40 · keeping + 0.30 · holders + 0.30 · opens.
pub(super) const FORMULA: &[Component] = &[
    Component { name: "keeping", percent: 40, points: keeping, why: why_keeping },
    Component { name: "holders", percent: 30, points: holders, why: why_holders },
    Component { name: "opens", percent: 30, points: opens, why: why_opens },
];

/// Whether nobody saw the value: it is only referred to.
fn is_reference(ground: &Ground<'_>, credential: NodeIx) -> bool {
    ground.basis.view.property(credential, "value_known").and_then(|value| value.as_bool()) == Some(false)
}

/// Hardcoded, or like a real key: 100. Only referred to: 20. Anything else: 50.
fn keeping(ground: &Ground<'_>, credential: NodeIx) -> Points {
    match () {
        () if ground.is_open(credential) => Points::ALL,
        () if is_reference(ground, credential) => Points::whole(20),
        () => Points::whole(50),
    }
}

fn why_keeping(ground: &Ground<'_>, credential: NodeIx) -> String {
    let words = match () {
        () if ground.basis.is(credential, "high_entropy") => "its value looks like a real key",
        () if ground.is_open(credential) => "its value is hardcoded",
        () if is_reference(ground, credential) => "it is only referred to; nobody saw its value",
        () => "it is neither hardcoded nor does it look like a real key",
    };
    words.to_owned()
}

/// Agents that trust a server which is given the secret. Of one that opens a service all copies count.
fn agents(ground: &Ground<'_>, credential: NodeIx, enough: usize) -> usize {
    let servers = ground.basis.sources(EdgeKind::HasEnvVar, credential);
    let own = Ground::distinct(servers.map(|server| ground.basis.sources(EdgeKind::TrustsServer, server)), enough);
    own.max(ground.written(credential, BLAST_RADIUS))
}

/// 10 points for each agent, 100 at most.
fn holders(ground: &Ground<'_>, credential: NodeIx) -> Points {
    Points::each(agents(ground, credential, 10), 10)
}

fn why_holders(ground: &Ground<'_>, credential: NodeIx) -> String {
    match agents(ground, credential, usize::MAX) {
        0 => "no agent trusts a server that is given it".to_owned(),
        number => format!("through servers that are given it, {} can get at it", counted(number, "agent")),
    }
}

/// What a secret is good for.
enum Opens {
    Nothing,
    /// Somebody takes it: an identity rests on it, or a service holds it.
    Somebody(NodeIx),
    /// A service that holds further secrets.
    Secrets,
}

fn what_opens(ground: &Ground<'_>, credential: NodeIx) -> Opens {
    if ground.written(credential, BLAST_RADIUS) > 0 {
        return Opens::Secrets;
    }
    let first = |kind: EdgeKind| ground.basis.sources(kind, credential).next();
    let taker = first(EdgeKind::ExposesCredential).or_else(|| first(EdgeKind::UsesCredential));
    taker.map_or(Opens::Nothing, Opens::Somebody)
}

/// A service with further secrets, which an agent gets at: 100. A service or an identity: 50.
fn opens(ground: &Ground<'_>, credential: NodeIx) -> Points {
    match what_opens(ground, credential) {
        Opens::Nothing => Points::NONE,
        Opens::Somebody(_) => Points::whole(50),
        Opens::Secrets => Points::ALL,
    }
}

fn why_opens(ground: &Ground<'_>, credential: NodeIx) -> String {
    match what_opens(ground, credential) {
        Opens::Nothing => "nobody knows what it opens".to_owned(),
        Opens::Somebody(taker) => format!("it is valid for {}", ground.quoted(taker)),
        Opens::Secrets => "it opens a service that holds further secrets, and agents get at it".to_owned(),
    }
}
