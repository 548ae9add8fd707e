//! A2A agents: cards, skills, identities, delegation and shared authorities.

use anyhow::Result;
use tracehound_model::{EdgeKind, NodeId, NodeKind, hash};

use super::document::{Document, Relation};
use super::plan::{A2aAgent, Plan, numbered};
use super::random::{Random, Stream};
use super::{names, prose, records, skew, words};

/// How often a card is signed, and how often a signature holds.
const SIGNED: f64 = 0.2;
const VALID: f64 = 0.8;

/// A way to authenticate: its name, the scheme in the card, and the posture score.
const SCHEMES: &[(&str, &str, u8)] = &[
    ("mtls", "mutualTLS", 10),
    ("oidc", "openIdConnect", 20),
    ("oauth", "oauth2", 25),
    ("bearer", "http", 50),
    ("apiKey", "apiKey", 70),
];

/// Writes a host and the agents on it.
pub(super) fn site(plan: &Plan, site: usize, document: &mut Document) -> Result<()> {
    let name = names::a2a_host(site);
    let host = NodeId::host(&name);
    let properties =
        records::Host { hostname: &name, ip: "", is_local: false, is_private: false, is_public: true, objectid: &host };
    document.node(&host, NodeKind::Host, &properties)?;
    let members = plan.site(site);
    for (at, agent) in numbered(&plan.a2a_agents, &members) {
        let mut random = plan.random(Stream::A2a, at);
        write_agent(agent, &names::a2a_url(site, &agent.name), &mut random, document)?;
        document.covers(&agent.id);
        let evidence = format!("the card of `{}` points to {name}", agent.name);
        let ends = ((&agent.id, NodeKind::A2aAgent), (&host, NodeKind::Host));
        document.edge(&Relation::new(EdgeKind::RunsOn, ends.0, ends.1, &evidence))?;
        write_identity(agent, document)?;
        write_skills(agent, &mut random, document)?;
        write_delegations(plan, (at, agent), document)?;
    }
    let mut in_domain: Vec<&A2aAgent> = numbered(&plan.a2a_agents, &members).map(|(_, agent)| agent).collect();
    in_domain.retain(|agent| agent.has_auth_domain());
    for (position, agent) in in_domain.iter().enumerate() {
        for other in in_domain.iter().skip(position + 1) {
            let evidence = format!("`{}` and `{}` sign in at one host", agent.name, other.name);
            let ends = ((&agent.id, NodeKind::A2aAgent), (&other.id, NodeKind::A2aAgent));
            document.edge(&Relation::new(EdgeKind::SameAuthDomain, ends.0, ends.1, &evidence))?;
        }
    }
    Ok(())
}

fn write_agent(agent: &A2aAgent, url: &str, random: &mut Random, document: &mut Document) -> Result<()> {
    let scheme = SCHEMES.iter().find(|(method, _, _)| *method == agent.auth_method);
    let security_schemes = match scheme {
        Some((name, kind, _)) => format!(r#"[{{"name":"{name}","type":"{kind}"}}]"#),
        None => "[]".to_owned(),
    };
    let team = random.pick(words::TEAMS);
    let description = prose::describe(format!("Works through requests of the {team} team on its own."), random);
    let is_signed = random.chance(SIGNED);
    let card = format!(r#"{{"name":"{}","url":"{url}","description":"{description}"}}"#, agent.name);
    let properties = records::A2aAgent {
        auth_method: agent.auth_method,
        auth_posture: scheme.map_or(100, |(_, _, posture)| *posture),
        capabilities: &["streaming", "pushNotifications"],
        card_hash: &hash::content(card),
        description: &description,
        is_https: true,
        is_signed,
        name: &agent.name,
        objectid: &agent.id,
        protocol_versions: &["0.3.0"],
        provider: random.pick(words::VENDORS),
        security_schemes: &security_schemes,
        signature_valid: is_signed && random.chance(VALID),
        url,
        version: &format!("{}.{}.0", 1 + random.below(3), random.below(12)),
    };
    document.node(&agent.id, NodeKind::A2aAgent, &properties)
}

fn write_identity(agent: &A2aAgent, document: &mut Document) -> Result<()> {
    if agent.auth_method == words::NO_AUTH {
        return Ok(());
    }
    let id = NodeId::identity(&agent.id, agent.auth_method);
    let is_static = agent.auth_method == "apiKey";
    let properties = records::Identity { is_static, objectid: &id, scope: None, r#type: agent.auth_method };
    document.node(&id, NodeKind::Identity, &properties)?;
    let evidence = format!("the card of `{}` asks callers for {}", agent.name, agent.auth_method);
    let ends = ((&agent.id, NodeKind::A2aAgent), (&id, NodeKind::Identity));
    document.edge(&Relation::new(EdgeKind::AuthenticatesWith, ends.0, ends.1, &evidence))
}

fn write_skills(agent: &A2aAgent, random: &mut Random, document: &mut Document) -> Result<()> {
    let start = random.below(1 << 16);
    for place in 0..agent.skills {
        let (verb, noun, _) = names::paired(start, place, (words::VERBS.len(), words::NOUNS.len()));
        let (verb, says, _) = words::VERBS.get(verb).copied().unwrap_or_default();
        let noun = words::NOUNS.get(noun).copied().unwrap_or_default();
        let (skill, name) = (format!("{verb}-{noun}"), format!("{verb} {noun}"));
        let id = NodeId::a2a_skill(&agent.id, &skill);
        let team = random.pick(words::TEAMS);
        let description = prose::describe(format!("{says} the {noun} on behalf of the {team} team."), random);
        let properties = records::A2aSkill {
            description: &description,
            description_hash: &hash::skill_description(&name, &description),
            has_injection_patterns: false,
            id: &skill,
            input_modes: &["text/plain", "application/json"],
            name: &name,
            objectid: &id,
            output_modes: &["application/json"],
        };
        document.node(&id, NodeKind::A2aSkill, &properties)?;
        let evidence = format!("the card of `{}` lists the skill `{skill}`", agent.name);
        let ends = ((&agent.id, NodeKind::A2aAgent), (&id, NodeKind::A2aSkill));
        document.edge(&Relation::new(EdgeKind::AdvertisesSkill, ends.0, ends.1, &evidence))?;
    }
    Ok(())
}

fn write_delegations(plan: &Plan, (at, agent): (usize, &A2aAgent), document: &mut Document) -> Result<()> {
    let mut random = plan.random(Stream::Delegation, at);
    let ranks = (plan.a2a_agents.len(), skew::POPULARITY);
    let chosen = random.distinct_ranks(agent.delegations, ranks, |other| other != at);
    for other in chosen.iter().filter_map(|other| plan.a2a_agents.get(*other)) {
        let evidence = format!("the card of `{}` speaks of `{}`", agent.name, other.name);
        let weight = if other.auth_method == words::NO_AUTH { 0.1 } else { 0.5 };
        let ends = ((&agent.id, NodeKind::A2aAgent), (&other.id, NodeKind::A2aAgent));
        let delegates = Relation::new(EdgeKind::DelegatesTo, ends.0, ends.1, &evidence);
        document.edge(&delegates.weighing(weight))?;
    }
    Ok(())
}
