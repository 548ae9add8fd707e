//! How a server is authenticated to, as far as its definition tells, and as what.

use super::credential::{Place, Sighting};
use super::server::Server;

/// The `auth_method` of a server. The first that applies wins.
pub(crate) fn method(server: &Server, credentials: &[Sighting]) -> &'static str {
    let is_client = |name: &str| name.contains("OAUTH") || name.contains("CLIENT_ID");
    let names = server.env.iter().map(|setting| setting.name.to_ascii_uppercase());
    if server.demands.certificate {
        return "mtls";
    }
    if server.demands.oauth || names.into_iter().any(|name| is_client(&name)) {
        return "oauth";
    }
    let is_authorization = |credential: &&Sighting| {
        matches!(credential.place, Place::Header | Place::Argument | Place::Member)
            && credential.name.eq_ignore_ascii_case("Authorization")
    };
    if credentials.iter().filter(is_authorization).any(|credential| credential.is_bearer) {
        return "bearer";
    }
    if credentials.is_empty() { "none" } else { "apiKey" }
}

/// The type of the identity that a credential proves.
pub(crate) fn identity(credential: &Sighting) -> &'static str {
    let name = credential.name.to_ascii_uppercase();
    if name.contains("OAUTH") || name.contains("CLIENT_ID") || name.contains("CLIENT_SECRET") {
        "oauth"
    } else if name.contains("BEARER") || credential.is_bearer || matches!(credential.format, "anthropic" | "openai") {
        "bearer"
    } else {
        "apiKey"
    }
}
