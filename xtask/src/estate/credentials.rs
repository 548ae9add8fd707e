//! Identities and secrets. Secrets are made up from their number; documents hold only hashes of them.

use anyhow::{Context as _, Result};
use tracehound_model::{EdgeKind, NodeId, NodeKind, hash};

use super::document::{Document, Place, Relation};
use super::plan::{Credential, Holding, Plan, Server, numbered};
use super::records;
use super::servers::{Home, trust_weight};

/// Families of secrets: format, usual name, start of the value, and whether the rest looks random to a reader that
/// accepts only letters and digits.
const FAMILIES: &[(&str, &str, &str, bool)] = &[
    ("github", "GITHUB_TOKEN", "ghp_", false),
    ("openai", "OPENAI_API_KEY", "sk-", false),
    ("anthropic", "ANTHROPIC_API_KEY", "sk-ant-", false),
    ("slack", "SLACK_BOT_TOKEN", "xoxb-", false),
    ("aws", "AWS_SECRET_ACCESS_KEY", "AKIA", false),
    ("generic", "SERVICE_API_KEY", "", true),
];

/// The header that carries a bearer token.
const HEADER: &str = "Authorization";

/// A secret: what it looks like and the value itself.
pub(super) struct Secret {
    format: &'static str,
    usual_name: &'static str,
    high_entropy: bool,
    value: String,
}

impl Secret {
    /// The secret with this number; the same wherever it is used.
    pub(super) fn new(seed: u64, number: usize) -> Self {
        let (format, usual_name, start, high_entropy) =
            FAMILIES.get(number % FAMILIES.len()).copied().unwrap_or_default();
        let body = hash::content(format!("{seed}/{number}"));
        let value = format!("{start}{}", body.get(..32).unwrap_or_default());
        Self { format, usual_name, high_entropy, value }
    }

    /// The same secret as a request carries it.
    fn in_header(self) -> Self {
        Self { format: "generic", high_entropy: false, value: format!("Bearer {}", self.value), ..self }
    }

    /// The hash that joins credentials of one value.
    pub(super) fn value_hash(&self) -> String {
        hash::credential_value(&self.value)
    }
}

/// Writes a server's identity and the secrets behind it, if it asks who calls.
pub(super) fn of_server(plan: &Plan, home: &Home<'_>, document: &mut Document) -> Result<()> {
    let server = plan.servers.get(home.index).context("no such server")?;
    if server.credentials.is_empty() {
        return Ok(());
    }
    let held = || numbered(&plan.credentials, &server.credentials).map(|(_, credential)| credential).enumerate();
    let identity = NodeId::identity(&server.id, server.auth_method);
    let properties = records::Identity {
        is_static: held().any(|(_, credential)| credential.holding == Holding::Hardcoded),
        objectid: &identity,
        scope: Some(&server.name),
        r#type: server.auth_method,
    };
    document.node(&identity, NodeKind::Identity, &properties)?;
    let evidence = format!("server `{}` authenticates its callers by {}", server.name, server.auth_method);
    let ends = ((&server.id, NodeKind::McpServer), (&identity, NodeKind::Identity));
    let authenticates = Relation::new(EdgeKind::AuthenticatesWith, ends.0, ends.1, &evidence);
    document.edge(&authenticates.weighing(trust_weight(server.auth_method)).at(home.place))?;
    for (slot, credential) in held() {
        let place = Place { line: home.place.line + 4 + slot, column: 9, ..home.place };
        let secret = Secret::new(plan.seed, credential.secret);
        let name = entry_name(server, &secret, slot);
        let secret = if name == HEADER { secret.in_header() } else { secret };
        let entry = Entry { server, credential: *credential, name: &name, place };
        write_credential(&entry, &secret, &identity, document)?;
    }
    Ok(())
}

/// A secret's entry in a configuration file.
struct Entry<'a> {
    server: &'a Server,
    credential: Credential,
    name: &'a str,
    place: Place<'a>,
}

/// What an entry is called: the first one by how the server authenticates, further ones by what they look like.
fn entry_name(server: &Server, secret: &Secret, slot: usize) -> String {
    match (server.auth_method, slot) {
        ("bearer", 0) => HEADER.to_owned(),
        ("oauth", 0) => "OAUTH_CLIENT_SECRET".to_owned(),
        ("mtls", 0) => "MTLS_CLIENT_KEY".to_owned(),
        (_, 0) => secret.usual_name.to_owned(),
        _ => format!("{}_{slot}", secret.usual_name),
    }
}

fn write_credential(entry: &Entry<'_>, secret: &Secret, identity: &NodeId, document: &mut Document) -> Result<()> {
    let (server, name) = (entry.server, entry.name);
    let source = format!("{}#{}", entry.place.file, server.name);
    let id = NodeId::credential(&source, name);
    let is_known = entry.credential.holding == Holding::Hardcoded;
    let properties = records::Credential {
        format: if is_known { secret.format } else { "generic" },
        high_entropy: is_known && secret.high_entropy,
        is_exposed: is_known,
        name,
        objectid: &id,
        provider: None,
        source: &source,
        r#type: holding_name(entry.credential.holding),
        // A value that nobody saw must not join with others, so its hash is that of the node's own id.
        value_hash: &if is_known { secret.value_hash() } else { hash::content(id.as_str()) },
        value_known: is_known,
    };
    document.node(&id, NodeKind::Credential, &properties)?;
    let end = (&id, NodeKind::Credential);
    let evidence = format!("the identity of `{}` rests on {name}", server.name);
    let uses = Relation::new(EdgeKind::UsesCredential, (identity, NodeKind::Identity), end, &evidence);
    document.edge(&uses.at(entry.place))?;
    if entry.credential.is_in_environment() {
        let evidence = format!("server `{}` is given {name} at its start", server.name);
        let given = Relation::new(EdgeKind::HasEnvVar, (&server.id, NodeKind::McpServer), end, &evidence);
        document.edge(&given.at(entry.place))?;
    }
    Ok(())
}

fn holding_name(holding: Holding) -> &'static str {
    match holding {
        Holding::Hardcoded => "hardcoded",
        Holding::EnvVar => "envVar",
        Holding::VaultRef => "vaultRef",
        Holding::InputPrompt => "inputPrompt",
    }
}
