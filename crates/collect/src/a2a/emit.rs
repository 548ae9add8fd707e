//! From what agents answered to a document: nodes, edges and coverage.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};

use serde_json::{Value, json};
use tracehound_model::wire::{Node, Properties};
use tracehound_model::{Collector, EdgeKind, NodeId, NodeKind};

use super::auth::Auth;
use super::card::{Method, Skill};
use super::crawl::{Agent, Crawled, Why};
use super::fetch::{Found, Seen};
use super::{Collected, Looked, Request, Status, place, relations};
use crate::address::{Address, Reach};
use crate::builder::{Basis, Builder, properties};
use crate::detection::{Detection, DetectionError};
use crate::json::shown;
use crate::judge::Judge;
use crate::report::Problem;

/// Marks of what was cut that one node carries.
const MARKS: usize = 50;

/// Puts everything together.
pub(super) fn collected(
    request: &Request,
    crawled: &Crawled,
    addresses: &BTreeMap<String, IpAddr>,
    detection: &Detection,
) -> Result<Collected, DetectionError> {
    let mut writer = Writer {
        part: Builder::new(&request.stamp),
        judge: Judge::new(detection)?,
        covered: Vec::new(),
        problems: Vec::new(),
        looked: Vec::new(),
    };
    for agent in &crawled.agents {
        writer.agent(agent, addresses);
    }
    for base in &crawled.unasked {
        writer.problems.push(Problem::unread(base, "it was not asked: the scan was ended".to_owned()));
    }
    writer.relations(&crawled.agents);
    let Writer { part, covered, problems, looked, .. } = writer;
    Ok(Collected { document: part.document(Collector::A2a, covered), problems, looked })
}

struct Writer<'w> {
    part: Builder,
    judge: Judge<'w>,
    covered: Vec<NodeId>,
    problems: Vec<Problem>,
    looked: Vec<Looked>,
}

impl Writer<'_> {
    fn agent(&mut self, agent: &Agent, addresses: &BTreeMap<String, IpAddr>) {
        if !agent.is_worth_a_word() {
            return;
        }
        match &agent.seen {
            Seen::Card(found) => self.card(agent, found),
            Seen::Protected { auth, status } => self.protected(agent, auth, *status),
            Seen::Failed(failure) => {
                self.failed(agent, &failure.message);
                return;
            }
        }
        self.host(agent, addresses);
    }

    fn card(&mut self, agent: &Agent, found: &Found) {
        let card = &found.card;
        let base = &agent.place.base;
        let id = NodeId::a2a_agent(base);
        let auth = Auth::declared(&card.schemes, &card.required);
        let cut_short = cut_short(agent, found);
        self.part.node(id.clone(), NodeKind::A2aAgent, agent_properties(agent, found, &auth, &cut_short));
        let (part, judge) = (&mut self.part, &mut self.judge);
        part.change(&id, |node| judge_agent(judge, node, &card.description));
        for skill in &card.skills {
            self.skill(&id, base, skill);
        }
        self.identities(&id, &auth, "the card declares it");
        if card.has_all_skills {
            self.covered.push(id);
        }
        let mut problems = card.problems.iter().cloned().chain(auth.undeclared.iter().map(|name| {
            let name = shown(name);
            format!("`security` demands `{name}`, which `securitySchemes` does not declare")
        }));
        if let Some(first) = problems.next() {
            let more = match problems.count() {
                0 => String::new(),
                more => format!(" (and {more} more like it)"),
            };
            let message = format!("the card is not quite as it should be: {first}{more}");
            self.problems.push(Problem { path: base.clone(), at: None, message, is_unread: false });
        }
        self.looked.push(Looked {
            name: Some(card.name.clone()),
            auth_method: Some(auth.method.name()),
            is_signed: found.verdict.is_signed,
            signature_valid: found.verdict.keys.is_some(),
            skills: card.skills.len(),
            cut_short,
            ..Looked::new(agent, Status::Reachable)
        });
    }

    fn protected(&mut self, agent: &Agent, auth: &Auth, status: u16) {
        let base = &agent.place.base;
        let id = NodeId::a2a_agent(base);
        let values = properties([
            ("url", json!(base)),
            ("is_https", json!(agent.place.url.scheme() == "https")),
            ("status", json!(Status::Protected.name())),
            ("auth_method", json!(auth.method.name())),
            ("auth_posture", json!(auth.method.posture())),
            ("error", json!(format!("the card is not shown to everybody: the answer is {status}"))),
        ]);
        self.part.node(id.clone(), NodeKind::A2aAgent, values);
        self.identities(&id, auth, "the server demands it before it shows its card");
        self.looked.push(Looked { auth_method: Some(auth.method.name()), ..Looked::new(agent, Status::Protected) });
    }

    fn failed(&mut self, agent: &Agent, message: &str) {
        let base = &agent.place.base;
        let words = match &agent.why {
            Why::Asked(_) => message.to_owned(),
            Why::Named { by, .. } => format!("{message} (the card of {by} names it)"),
        };
        self.problems.push(Problem::unread(base, words));
        if agent.is_a_fact() {
            let values = properties([
                ("url", json!(base)),
                ("is_https", json!(agent.place.url.scheme() == "https")),
                ("status", json!(Status::Unreachable.name())),
                ("error", json!(message)),
            ]);
            self.part.node(NodeId::a2a_agent(base), NodeKind::A2aAgent, values);
            self.looked.push(Looked::new(agent, Status::Unreachable));
        }
    }

    fn skill(&mut self, agent: &NodeId, base: &str, skill: &Skill) {
        let id = NodeId::a2a_skill(agent, &skill.id);
        let mut values = properties([
            ("id", json!(skill.id)),
            ("name", json!(skill.name)),
            ("description", json!(skill.description)),
            ("description_hash", json!(skill.description_hash)),
            ("input_modes", list(&skill.input_modes)),
            ("output_modes", list(&skill.output_modes)),
            ("cut_short", list(&skill.cut_short)),
        ]);
        values.insert("has_injection_patterns".into(), json!(false));
        self.part.node(id.clone(), NodeKind::A2aSkill, values);
        // Whoever chooses a skill reads all of this. The description comes first, so that places in it stay right.
        let parts = std::iter::once(&skill.description).chain(&skill.examples).chain(&skill.tags);
        let text = parts.chain([&skill.name, &skill.id]).map(String::as_str).collect::<Vec<_>>().join("\n");
        let (part, judge) = (&mut self.part, &mut self.judge);
        part.change(&id, |node| {
            let verdict = judge.look(Collector::A2a, node, &[("description", &text), ("name", &skill.name)]);
            node.properties.insert("has_injection_patterns".into(), json!(verdict.is_injected));
        });
        let evidence = format!("the card of {base} lists the skill `{}`", shown(&skill.id));
        let basis = Basis { evidence, weight: 0.1, confidence: 1.0, place: None };
        let (from, to) = ((agent, NodeKind::A2aAgent), (&id, NodeKind::A2aSkill));
        self.part.edge(EdgeKind::AdvertisesSkill, from, to, basis, Properties::new());
    }

    fn identities(&mut self, agent: &NodeId, auth: &Auth, evidence: &str) {
        for way in &auth.ways {
            let id = NodeId::identity(agent, way.name());
            let values = properties([("type", json!(way.name())), ("is_static", json!(way.is_static()))]);
            self.part.node(id.clone(), NodeKind::Identity, values);
            let basis = Basis { evidence: evidence.to_owned(), weight: 0.0, confidence: 1.0, place: None };
            let (from, to) = ((agent, NodeKind::A2aAgent), (&id, NodeKind::Identity));
            self.part.edge(EdgeKind::AuthenticatesWith, from, to, basis, Properties::new());
        }
    }

    fn host(&mut self, agent: &Agent, addresses: &BTreeMap<String, IpAddr>) {
        let base = &agent.place.base;
        let address = Address::of_url(base);
        let host = self.part.host(Some(&address));
        if let Some(ip) = addresses.get(&address.text) {
            self.part.change(&host, |node| node.properties.extend(resolved(*ip)));
        }
        let evidence = format!("{base} is at this host");
        let basis = Basis { evidence, weight: 0.0, confidence: 1.0, place: None };
        let (from, to) = ((&NodeId::a2a_agent(base), NodeKind::A2aAgent), (&host, NodeKind::Host));
        self.part.edge(EdgeKind::RunsOn, from, to, basis, Properties::new());
    }

    fn relations(&mut self, agents: &[Agent]) {
        let id = |number: usize| agents.get(number).map(|agent| NodeId::a2a_agent(&agent.place.base));
        let method = |number: usize| agents.get(number).map_or(Method::None, method);
        for delegation in relations::delegations(agents) {
            let (Some(from), Some(to)) = (id(delegation.from), id(delegation.to)) else { continue };
            let weight = EdgeKind::DelegatesTo.weight().value(Some(method(delegation.to).name()), None);
            let basis = Basis { evidence: delegation.evidence, weight, confidence: 0.7, place: None };
            let (from, to) = ((&from, NodeKind::A2aAgent), (&to, NodeKind::A2aAgent));
            self.part.edge(EdgeKind::DelegatesTo, from, to, basis, Properties::new());
        }
        for shared in relations::shared_issuers(agents) {
            let (Some(one), Some(other)) = (id(shared.one), id(shared.other)) else { continue };
            let evidence = format!("both accept tokens of {}", shown(&shared.issuer));
            let basis = Basis { evidence, weight: 0.0, confidence: 0.9, place: None };
            let (from, to) = ((&one, NodeKind::A2aAgent), (&other, NodeKind::A2aAgent));
            self.part.edge(EdgeKind::SameAuthDomain, from, to, basis, Properties::new());
        }
    }
}

/// What the address of a host says of it, whose name says nothing.
fn resolved(ip: IpAddr) -> Properties {
    let address = Address::of_url(&format!("http://{}", SocketAddr::new(ip, 80)));
    properties([
        ("ip", json!(ip.to_string())),
        ("is_local", json!(address.reach == Reach::Local)),
        ("is_private", json!(address.reach == Reach::Private)),
        ("is_public", json!(address.reach == Reach::Public)),
    ])
}

fn method(agent: &Agent) -> Method {
    match &agent.seen {
        Seen::Card(found) => Auth::declared(&found.card.schemes, &found.card.required).method,
        Seen::Protected { auth, .. } => auth.method,
        Seen::Failed(_) => Method::None,
    }
}

/// Lets the rules look at an agent's own description: those for agents if any match, else those for skills, because
/// whoever chooses an agent reads the one as it reads the other.
fn judge_agent(judge: &mut Judge<'_>, node: &mut Node, description: &str) {
    let texts = [("description", description)];
    let mut verdict = judge.look(Collector::A2a, node, &texts);
    if !node.properties.contains_key("rule_matches") {
        let own = std::mem::replace(&mut node.kinds, vec![NodeKind::A2aSkill]);
        verdict = judge.look(Collector::A2a, node, &texts);
        node.kinds = own;
    }
    node.properties.insert("has_injection_patterns".into(), json!(verdict.is_injected));
}

fn agent_properties(agent: &Agent, found: &Found, auth: &Auth, cut_short: &[String]) -> Properties {
    let Found { card, verdict, .. } = found;
    let schemes: Vec<Value> =
        card.schemes.iter().map(|scheme| json!({"name": shown(&scheme.name), "type": shown(&scheme.r#type)})).collect();
    let mut issuers: Vec<&str> = card.schemes.iter().flat_map(|scheme| &scheme.issuers).map(String::as_str).collect();
    issuers.sort_unstable();
    issuers.dedup();
    let interfaces: Vec<Value> = card.interfaces.iter().map(super::card::Interface::written).collect();
    let claimed = place::claimed(&card.interfaces, &[&agent.place.url, &found.from]);
    let mut values = properties([
        ("name", json!(card.name)),
        ("description", json!(card.description)),
        ("url", json!(agent.place.base)),
        ("provider", text(&card.provider)),
        ("version", text(&card.version)),
        ("card_version", json!(card.form)),
        ("protocol_versions", list(&card.protocol_versions)),
        ("capabilities", list(&card.capabilities)),
        ("interfaces", json!(Value::Array(interfaces).to_string())),
        ("claimed_url", claimed.map_or(Value::Null, |claimed| json!(place::shown_url(&claimed.url)))),
        ("status", json!(Status::Reachable.name())),
        ("is_https", json!(found.from.scheme() == "https" && agent.place.url.scheme() == "https")),
        ("card_hash", json!(found.card_hash)),
        ("cut_short", list(cut_short)),
    ]);
    values.extend(properties([
        ("auth_method", json!(auth.method.name())),
        ("auth_posture", json!(auth.method.posture())),
        ("security_schemes", json!(Value::Array(schemes).to_string())),
        ("oauth_issuers", list(&issuers)),
        ("is_signed", json!(verdict.is_signed)),
        ("signature_valid", json!(verdict.keys.is_some())),
        ("signature_keys", verdict.keys.map_or(Value::Null, |keys| json!(keys.name()))),
        ("signature_problem", verdict.problem.as_ref().map_or(Value::Null, |problem| json!(problem))),
    ]));
    values
}

fn cut_short(agent: &Agent, found: &Found) -> Vec<String> {
    let mut marks: Vec<String> = found.card.cut_short.iter().chain(&agent.cut_short).cloned().collect();
    if marks.len() > MARKS {
        let more = marks.len() - MARKS;
        marks.truncate(MARKS);
        marks.push(format!("and {more} more"));
    }
    marks
}

/// A list, or nothing if it is empty.
fn list<T: serde::Serialize>(items: &[T]) -> Value {
    if items.is_empty() { Value::Null } else { json!(items) }
}

/// A text, or nothing if it is empty.
fn text(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { json!(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_tells_what_a_name_does_not() {
        for (ip, key) in
            [("10.0.0.5", "is_private"), ("1.1.1.1", "is_public"), ("::1", "is_local"), ("fc00::1", "is_private")]
        {
            let values = resolved(ip.parse().unwrap());
            let flags: Vec<&str> =
                values.iter().filter(|(_, value)| **value == json!(true)).map(|(key, _)| &**key).collect();
            assert_eq!((flags.as_slice(), &values["ip"]), (&[key][..], &json!(ip)));
        }
    }
}
