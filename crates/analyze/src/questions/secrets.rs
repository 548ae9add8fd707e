//! Secrets.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::{NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind, Severity};

use super::answer::{Cell, Rows, node, number, text, texts};
use super::context::Context;
use super::{Arguments, Category, Question, standards};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        id: "secrets-behind-services",
        name: "Secrets behind Services",
        asks: "Which secrets do AI services hold, and what do the services demand of callers?",
        category: Category::Secrets,
        severity: Severity::High,
        standards: &[standards::SECRETS, standards::UNSECURED],
        parameters: &[],
        columns: &[
            text("service_name"),
            text("service_kind"),
            text("endpoint"),
            text("auth_method"),
            text("credential_name"),
            text("credential_type"),
            text("provider"),
            node("service_id"),
            node("credential_id"),
        ],
        ask: secrets_behind_services,
    },
    Question {
        id: "secrets-shared",
        name: "Shared Secrets",
        asks: "Which secrets are in use in several places, so that losing one copy loses all?",
        category: Category::Secrets,
        severity: Severity::High,
        standards: &[standards::SECRETS, standards::PRIVILEGE],
        parameters: &[],
        columns: &[
            texts("credential_names"),
            number("copies"),
            texts("sources"),
            texts("holders"),
            number("agent_count"),
            texts("credential_ids"),
        ],
        ask: secrets_shared,
    },
];

fn secrets_behind_services(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let credentials = context.basis.nodes(NodeKind::Credential);
    let mut all: Vec<[NodeIx; 2]> = credentials
        .flat_map(|credential| {
            let services = context.basis.sources(EdgeKind::ExposesCredential, credential);
            services.map(move |service| [service, credential])
        })
        .collect();
    context.sort_by_names(&mut all, |pair| *pair);
    arguments.page.of(&all, |[service, credential]| {
        vec![
            context.name_cell(*service),
            context.kind_cell(*service),
            context.text_cell(*service, "endpoint"),
            context.auth_cell(*service),
            context.name_cell(*credential),
            context.text_cell(*credential, "type"),
            context.text_cell(*credential, "provider"),
            context.id_cell(*service),
            context.id_cell(*credential),
        ]
    })
}

/// Growth: linear in secrets, the servers that are given them, and the agents that trust those.
fn secrets_shared(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let mut by_value: BTreeMap<String, Vec<NodeIx>> = BTreeMap::new();
    for credential in context.basis.nodes(NodeKind::Credential) {
        if let Some(value) = context.basis.known_secret(credential) {
            by_value.entry(value.into_owned()).or_default().push(credential);
        }
    }
    let mut all: Vec<Vec<NodeIx>> = by_value.into_values().filter(|copies| copies.len() > 1).collect();
    all.sort_by_cached_key(|copies| {
        (Reverse(copies.len()), copies.iter().map(|copy| context.name(*copy)).min(), copies.first().copied())
    });
    arguments.page.of(&all, |copies| shared(context, copies))
}

fn shared(context: &Context<'_>, copies: &[NodeIx]) -> Vec<Cell> {
    let basis = &context.basis;
    let names: BTreeSet<String> = copies.iter().map(|copy| context.name(*copy).into_owned()).collect();
    let sources: BTreeSet<String> =
        copies.iter().filter_map(|copy| basis.text(*copy, "source")).map(|source| source.into_owned()).collect();
    let given = copies.iter().flat_map(|copy| basis.sources(EdgeKind::HasEnvVar, *copy));
    let servers: BTreeSet<NodeIx> = given.collect();
    let services = copies.iter().flat_map(|copy| basis.sources(EdgeKind::ExposesCredential, *copy));
    let holders: BTreeSet<NodeIx> = servers.iter().copied().chain(services).collect();
    let agents: BTreeSet<NodeIx> = servers
        .iter()
        .flat_map(|server| context.picture.incoming(EdgeKind::TrustsServer, *server))
        .map(|(agent, _)| agent)
        .collect();
    vec![
        Cell::Texts(names.into_iter().collect()),
        Cell::Count(copies.len() as u64),
        Cell::Texts(sources.into_iter().collect()),
        context.names_cell(holders),
        Cell::Count(agents.len() as u64),
        context.ids_cell(copies.iter().copied()),
    ]
}
