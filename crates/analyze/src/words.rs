//! Composite edges in words and as properties.

use tracehound_graph::{EdgeIx, NodeIx, PropertyValue, View};
use tracehound_model::EdgeKind;

use crate::derived::{Composite, Detail, Link, Reach, Via};
use crate::picture::Picture;

/// The keys of a composite edge's properties, in order.
pub const KEYS: &[&str] = &[
    "confidence",
    "cross_protocol",
    "evidence",
    "high_auth_method",
    "hops",
    "is_composite",
    "low_auth_method",
    "match_type",
    "merge_value_hash",
    "resource_sensitivity",
    "risk_weight",
    "sensitive_resource",
    "source_collector",
    "upstream_provider",
    "via_agent",
    "via_credential",
    "via_gateway",
    "via_host",
    "via_mcp_server",
    "via_mcp_tool",
    "via_resource",
    "via_server",
    "via_tool",
];

/// The file and line that an edge says it stands in.
#[must_use]
pub fn place(view: &dyn View, edge: EdgeIx) -> Option<(String, Option<u64>)> {
    let file = view.edge_property(edge, "file")?.as_text().filter(|file| !file.is_empty())?.to_owned();
    let line = view.edge_property(edge, "line").and_then(|line| line.as_number()).map(|line| line as u64);
    Some((file, line))
}

/// A property of a composite edge.
#[must_use]
pub fn property<'p>(picture: &Picture<'p>, edge: EdgeIx, key: &str) -> Option<PropertyValue<'p>> {
    let composite = picture.analysis.derived.get(edge)?;
    match key {
        "confidence" => Some(PropertyValue::Float(composite.confidence)),
        "risk_weight" => Some(PropertyValue::Float(composite.weight)),
        "is_composite" => Some(PropertyValue::Boolean(true)),
        "source_collector" => Some(PropertyValue::Text(composite.collector.into())),
        "evidence" => Some(PropertyValue::Text(evidence(picture, edge, composite).into())),
        "hops" => matches!(composite.detail, Detail::Reach(_))
            .then(|| PropertyValue::Integer(picture.analysis.derived.of(edge.kind).path(composite).len() as i64)),
        key => of_detail(picture, edge, composite, key),
    }
}

fn of_detail<'p>(picture: &Picture<'p>, edge: EdgeIx, composite: &Composite, key: &str) -> Option<PropertyValue<'p>> {
    let called = |node: NodeIx| Some(PropertyValue::Text(picture.view.name(node)));
    let words = |text: &'static str| Some(PropertyValue::Text(text.into()));
    match (composite.detail, key) {
        (Detail::Access(why), "match_type") => words(why.name()),
        (Detail::Context { agent }, "via_agent") => called(agent),
        (Detail::Flow { resource }, "via_resource") => called(resource),
        (Detail::Exfiltration { resource, .. }, "sensitive_resource") => {
            picture.view.property(resource, "uri").or_else(|| called(resource))
        }
        (Detail::Exfiltration { sensitivity, .. }, "resource_sensitivity") => words(sensitivity.name()),
        (Detail::Deputy { low, .. }, "low_auth_method") => words(low.name()),
        (Detail::Deputy { high, .. }, "high_auth_method") => words(high.name()),
        (Detail::Reach(reach), key) => of_reach(picture, edge, reach, key),
        _ => None,
    }
}

fn of_reach<'p>(picture: &Picture<'p>, edge: EdgeIx, reach: Reach, key: &str) -> Option<PropertyValue<'p>> {
    let called = |node: NodeIx| Some(PropertyValue::Text(picture.view.name(node)));
    match (reach, key) {
        (
            Reach::Direct { server, .. } | Reach::Chain { server, .. } | Reach::Credential { server, .. },
            "via_server",
        ) => called(server),
        (Reach::Direct { tool, .. } | Reach::Credential { tool, .. }, "via_tool") => called(tool),
        (Reach::Credential { credential, .. } | Reach::Chain { credential, .. }, "via_credential") => {
            called(credential)
        }
        (Reach::Chain { gateway, .. }, "via_gateway") => called(gateway),
        (Reach::Chain { copy, .. }, "merge_value_hash") => picture.view.property(copy, "value_hash"),
        (Reach::Chain { .. }, "upstream_provider") => {
            let target = picture.ends(edge).1;
            picture.view.property(target, "provider").or(Some(PropertyValue::Text("unknown".into())))
        }
        (Reach::CrossProtocol { .. }, "cross_protocol") => Some(PropertyValue::Boolean(true)),
        (Reach::CrossProtocol { server, .. }, "via_mcp_server") => called(server),
        (Reach::CrossProtocol { tool, .. }, "via_mcp_tool") => called(tool),
        (Reach::CrossProtocol { host, .. }, "via_host") => called(host),
        _ => None,
    }
}

/// Why an edge is there, in plain words that name everybody.
#[must_use]
pub fn evidence(picture: &Picture<'_>, edge: EdgeIx, composite: &Composite) -> String {
    let (source, target) = picture.ends(edge);
    let quoted = |node: NodeIx| format!("`{}`", picture.view.name(node));
    let (from, to) = (quoted(source), quoted(target));
    match composite.detail {
        Detail::Access(why) => access(why, &from, &to),
        Detail::Execution => format!("tool {from} runs commands, and its server runs on {to}"),
        Detail::Shadow { is_injected } => {
            let and = if is_injected { ", and carries instructions for the model" } else { "" };
            format!("the description of tool {from} names tool {to} of another server{and}")
        }
        Detail::Poison => format!("{from} carries text that instructs whoever reads it"),
        Detail::Context { agent } => {
            format!("agent {} loads tool {from}, whose text instructs the model, beside tool {to}", quoted(agent))
        }
        Detail::Taint { keys } => {
            format!(
                "tool {from} brings in content from outside, and {keys} of its arguments are also those of tool {to}"
            )
        }
        Detail::Flow { resource } => {
            format!("tool {from} brings in content from {}, which tool {to} has access to", quoted(resource))
        }
        Detail::Exfiltration { resource, sensitivity } => format!(
            "agent {from} reaches {}, which is {}, and can send things out with tool {to}",
            quoted(resource),
            sensitivity.name()
        ),
        Detail::Likeness => format!(
            "the skills of agent {from} and agent {to} read alike ({:.0} %), and their providers differ or are unknown",
            composite.confidence * 100.0
        ),
        Detail::Deputy { low, high } => format!(
            "agent {from} asks its callers for {} and delegates to agent {to}, which asks for {}",
            demand(low),
            demand(high)
        ),
        Detail::Reach(_) => walked(picture, edge.kind, composite),
    }
}

fn access(why: crate::basis::MatchType, tool: &str, resource: &str) -> String {
    use crate::basis::MatchType;
    match why {
        MatchType::Database => format!("tool {tool} asks databases, and its server provides the database {resource}"),
        MatchType::File => format!("tool {tool} reads or writes files, and its server provides the file {resource}"),
        MatchType::Description => format!("the description of tool {tool} names {resource}, which its server provides"),
    }
}

/// What callers have to show.
pub(crate) fn demand(auth: crate::basis::Auth) -> String {
    use crate::basis::Auth;
    match auth {
        Auth::None => "nothing".to_owned(),
        Auth::Unknown => "something unknown".to_owned(),
        Auth::ApiKey => "a fixed key".to_owned(),
        Auth::Bearer => "a bearer token".to_owned(),
        Auth::Oauth => "OAuth".to_owned(),
        Auth::Mtls => "a certificate".to_owned(),
    }
}

/// A path as one sentence.
fn walked(picture: &Picture<'_>, kind: EdgeKind, composite: &Composite) -> String {
    let path = picture.analysis.derived.of(kind).path(composite);
    let mut sentence = path.first().map_or_else(String::new, |hop| format!("`{}`", picture.view.name(hop.from)));
    for (number, hop) in path.iter().enumerate() {
        let joint = if number == 0 { "" } else { ", which" };
        sentence.push_str(&format!("{joint} {} `{}`", verb(picture, hop.via), picture.view.name(hop.to)));
    }
    sentence
}

/// What a hop does, between the names of its ends.
#[must_use]
pub fn verb(picture: &Picture<'_>, via: Via) -> String {
    let text = match via {
        Via::Along(EdgeKind::TrustsServer) => "trusts",
        Via::Along(EdgeKind::ProvidesTool) => "offers",
        Via::Along(EdgeKind::ProvidesResource) => "provides",
        Via::Along(EdgeKind::HasAccessTo) => "has access to",
        Via::Against(EdgeKind::HasAccessTo) => "is in reach of",
        Via::Along(EdgeKind::IngestsUntrusted) => "brings in",
        Via::Along(EdgeKind::LoadsInstructions) => "follows",
        Via::Along(EdgeKind::AdvertisesSkill) => "advertises",
        Via::Along(EdgeKind::CanExecute) => "runs commands on",
        Via::Along(EdgeKind::HasEnvVar) => "is given the secret",
        Via::Against(EdgeKind::HasEnvVar) => "is what is given to",
        Via::Along(EdgeKind::DelegatesTo) => "delegates to",
        Via::Along(EdgeKind::RunsOn) => "runs on",
        Via::Against(EdgeKind::RunsOn) => "is the machine of",
        Via::Along(EdgeKind::ExposesCredential) => "holds the secret",
        Via::Against(EdgeKind::ExposesCredential) => "opens",
        Via::SameSecret => "is the same secret as",
        Via::Reads(Link::Host(host)) => {
            return format!("reads files on `{}`, where there is", picture.view.name(host));
        }
        Via::Reads(Link::File(file)) => return format!("reads `{}`, in which there is", picture.view.name(file)),
        Via::Along(kind) => return format!("—{}→", kind.name()),
        Via::Against(kind) => return format!("←{}—", kind.name()),
    };
    text.to_owned()
}
