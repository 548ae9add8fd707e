//! The edge kinds.

use tracehound_model::{Anchor, EdgeKind, EdgeRole, Movement, NodeKind, Weight};

use crate::generate::markdown::{code, table};

/// Three tables: what the edge kinds are, how an attacker uses them, how long the observed ones live.
pub(super) fn section() -> String {
    let kinds = EdgeKind::ALL
        .iter()
        .map(|kind| [code(kind.name()), role(kind.role()).to_owned(), ends(*kind), kind.description().to_owned()]);
    let hops = EdgeKind::ALL
        .iter()
        .map(|kind| [code(kind.name()), movement(kind.movement()).to_owned(), weight(kind.weight())]);
    let lifetimes = EdgeKind::observed().map(|kind| {
        let lists = if kind.is_listing() { "yes" } else { "no" };
        let anchor = anchor(kind.anchor()).to_owned();
        [code(kind.name()), code(kind.collector().name()), anchor, lists.to_owned()]
    });
    format!(
        "{HEAD}{}\n{HOPS_HEAD}{}\n{LIFETIMES_HEAD}{}\n",
        table(["Kind", "Origin", "From → to", "What it says"], kinds),
        table(["Kind", "An attacker moves", "Weight"], hops),
        table(["Kind", "Collector", "Anchor", "Listing"], lifetimes),
    )
}

const HEAD: &str = "\
## Edge kinds

An edge whose ends are not of the kinds below is refused. An end that accepts the umbrella label accepts every service.

";

const HOPS_HEAD: &str = "\
### Movement and weight

Movement says how somebody who holds one end gets to the other. The weight says how hard that hop is, from 0 (free) to
1; the cheapest path is the likeliest attack. Where this table gives a number or a rule, it wins over the
edge's own `risk_weight`.

";

const LIFETIMES_HEAD: &str = "\
### Lifetime of observed edges

*Anchor* and *listing* are explained under [How long facts live](#how-long-facts-live).

";

fn role(role: EdgeRole) -> &'static str {
    match role {
        EdgeRole::Observed => "observed",
        EdgeRole::Derived => "derived",
        EdgeRole::Shortcut => "derived, shortcut",
    }
}

fn ends(kind: EdgeKind) -> String {
    format!("{} → {}", either(kind.sources()), either(kind.targets()))
}

/// The kinds as a list, without those that the umbrella label among them stands for.
fn either(kinds: &[NodeKind]) -> String {
    let is_covered = |kind: &NodeKind| kind.umbrella().is_some_and(|umbrella| kinds.contains(&umbrella));
    let words: Vec<String> = kinds.iter().filter(|kind| !is_covered(kind)).map(|kind| code(kind.name())).collect();
    words.join(", ")
}

fn movement(movement: Movement) -> &'static str {
    match movement {
        Movement::Forward => "forward",
        Movement::Reverse => "in reverse",
        Movement::Both => "both ways",
        Movement::Never => "not at all",
    }
}

fn weight(weight: Weight) -> String {
    match weight {
        Weight::Fixed(weight) => weight.to_string(),
        Weight::TrustByAuth => by_auth(weight, &["none", "apiKey", "bearer", "oauth", "mtls"]),
        Weight::DelegationByAuth => by_auth(weight, &["none", "oauth"]).replace("`oauth`", "any other"),
        Weight::AsGiven => format!("its own {}, else 0.5", code("risk_weight")),
    }
}

/// The weights for some ways in which the far end authenticates its callers.
fn by_auth(weight: Weight, methods: &[&str]) -> String {
    let each = methods.iter().map(|method| format!("{} for {}", weight.value(Some(method), None), code(method)));
    format!("by the far end's {}: {}", code("auth_method"), each.collect::<Vec<_>>().join(", "))
}

fn anchor(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Source => "source",
        Anchor::Target => "target",
        Anchor::SourceHolds => "source, which holds the target",
        Anchor::TargetHolds => "target, which holds the source",
        Anchor::Both => "both ends: only a document that covers both can retire it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_umbrella_label_stands_for_every_service() {
        assert_eq!(either(EdgeKind::RunsOn.sources()), "`MCPServer`, `A2AAgent`, `AIService`");
    }

    #[test]
    fn a_service_without_the_umbrella_is_called_by_its_name() {
        assert_eq!(either(EdgeKind::ProvidesModel.sources()), "`OllamaInstance`");
    }
}
