//! What a card says of how its callers prove who they are.

use serde_json::Value;

use super::reader::{Members, Reader};
use crate::a2a::issuer;
use crate::json::{by_name, shown, sort};

/// Schemes of one card.
const SCHEMES: usize = 100;
/// Alternatives that a card lets callers choose from.
const ALTERNATIVES: usize = 100;

/// A way to prove who one is. Ordered from the strongest to none at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::a2a) enum Method {
    Mtls,
    Oidc,
    Oauth,
    Bearer,
    ApiKey,
    Basic,
    /// Something that the card names and nobody here knows.
    Unknown,
    None,
}

/// A scheme that a card declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::a2a) struct Scheme {
    pub(in crate::a2a) name: String,
    /// The type's name in OpenAPI, which cards borrow.
    pub(in crate::a2a) r#type: String,
    pub(in crate::a2a) method: Method,
    /// Who issues the tokens, as [`issuer::key`] writes it.
    pub(in crate::a2a) issuers: Vec<String>,
}

/// Which schemes a caller has to satisfy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::a2a) enum Required {
    /// The card does not say.
    Unsaid,
    /// All the schemes of any one of these. One without schemes lets everybody in, as does an empty list.
    AnyOf(Vec<Vec<String>>),
}

/// Schemes of the 1.0 form, which names the type by the member that holds the rest, and their names elsewhere.
const NESTED: [(&str, &str); 5] = [
    ("apiKeySecurityScheme", "apiKey"),
    ("httpAuthSecurityScheme", "http"),
    ("oauth2SecurityScheme", "oauth2"),
    ("openIdConnectSecurityScheme", "openIdConnect"),
    ("mtlsSecurityScheme", "mutualTLS"),
];

/// The schemes that a card declares, by name.
pub(super) fn schemes(reader: &mut Reader, card: &Members) -> Vec<Scheme> {
    let mut schemes = Vec::new();
    if let Some(declared) = reader.object(card, "securitySchemes", "securitySchemes") {
        if declared.len() > SCHEMES {
            reader.cut.insert(format!("`securitySchemes` is cut at {SCHEMES} of {}", declared.len()));
        }
        for (name, value) in by_name(declared).into_iter().take(SCHEMES) {
            let path = format!("securitySchemes.{}", shown(name));
            match value {
                Value::Object(members) => schemes.extend(scheme(reader, name, members, &path)),
                other => reader.problem(format!("`{path}` is {}, not an object", sort(other))),
            }
        }
    }
    if schemes.is_empty() {
        schemes = named_only(card);
    }
    schemes
}

fn scheme(reader: &mut Reader, name: &str, members: &Members, path: &str) -> Option<Scheme> {
    let nested = NESTED.iter().find_map(|(key, r#type)| Some((*r#type, members.get(*key)?.as_object()?)));
    let flat = reader.short(members, "type", &format!("{path}.type"));
    let (r#type, inner) = match (nested, flat) {
        (Some((r#type, inner)), flat) => {
            if flat.is_some_and(|flat| flat != r#type) {
                reader.problem(format!("`{path}` is of two types"));
            }
            (r#type.to_owned(), inner)
        }
        (None, Some(flat)) => (flat, members),
        (None, None) => {
            reader.problem(format!("`{path}.type` is missing"));
            return None;
        }
    };
    let method = match r#type.as_str() {
        "mutualTLS" => Method::Mtls,
        "openIdConnect" => Method::Oidc,
        "oauth2" => Method::Oauth,
        "apiKey" => Method::ApiKey,
        "http" => match reader.short(inner, "scheme", &format!("{path}.scheme")) {
            Some(scheme) => http(&scheme),
            None => {
                reader.problem(format!("`{path}.scheme` is missing"));
                Method::Unknown
            }
        },
        _ => Method::Unknown,
    };
    Some(Scheme { name: name.to_owned(), r#type, method, issuers: issuers(inner) })
}

/// The method behind a scheme of HTTP's `Authorization`.
pub(in crate::a2a) fn http(scheme: &str) -> Method {
    match scheme.to_ascii_lowercase().as_str() {
        "bearer" | "dpop" => Method::Bearer,
        "basic" | "digest" => Method::Basic,
        _ => Method::Unknown,
    }
}

/// Who issues the tokens of a scheme. One that has a URL for discovery needs no guess from endpoints.
fn issuers(scheme: &Members) -> Vec<String> {
    let text = |members: &Members, key: &str| members.get(key).and_then(Value::as_str).and_then(issuer::key);
    let mut found: Vec<String> =
        ["openIdConnectUrl", "oauth2MetadataUrl"].iter().filter_map(|key| text(scheme, key)).collect();
    if found.is_empty()
        && let Some(Value::Object(flows)) = scheme.get("flows")
    {
        let flow = |flow: &Value| {
            let flow = flow.as_object()?;
            text(flow, "tokenUrl").or_else(|| text(flow, "authorizationUrl"))
        };
        found.extend(flows.values().filter_map(flow));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Cards of early drafts have only the names of schemes. A card that speaks of authentication in words of its own demands
/// something, even if nobody here can tell what.
fn named_only(card: &Members) -> Vec<Scheme> {
    let unknown = || named("authentication").into_iter().collect();
    match card.get("authentication") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::String(name)) => named(name).into_iter().collect(),
        Some(Value::Object(members)) => match members.get("schemes") {
            Some(Value::Array(names)) => {
                names.iter().take(SCHEMES).filter_map(|name| named(name.as_str().unwrap_or_default())).collect()
            }
            _ if members.is_empty() => Vec::new(),
            _ => unknown(),
        },
        Some(_) => unknown(),
    }
}

fn named(name: &str) -> Option<Scheme> {
    let (r#type, method) = match name.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
        "none" | "public" => return None,
        "bearer" | "jwt" => ("http", Method::Bearer),
        "basic" => ("http", Method::Basic),
        "apikey" => ("apiKey", Method::ApiKey),
        "oauth" | "oauth2" => ("oauth2", Method::Oauth),
        "oidc" | "openidconnect" => ("openIdConnect", Method::Oidc),
        "mtls" | "mutualtls" => ("mutualTLS", Method::Mtls),
        _ => ("unknown", Method::Unknown),
    };
    Some(Scheme { name: shown(name), r#type: r#type.to_owned(), method, issuers: Vec::new() })
}

/// What a card demands of callers: as 1.0 writes it, else as earlier versions do.
pub(super) fn required(reader: &mut Reader, card: &Members) -> Required {
    let key =
        ["securityRequirements", "security"].into_iter().find(|key| card.get(*key).is_some_and(|it| !it.is_null()));
    let Some(key) = key else { return Required::Unsaid };
    if !card.get(key).is_some_and(Value::is_array) {
        reader.problem(format!("`{key}` is {}, not a list", card.get(key).map_or("null", sort)));
        return Required::Unsaid;
    }
    let mut alternatives = Vec::new();
    for (position, item) in reader.list(card, key, key, ALTERNATIVES).iter().enumerate() {
        match item {
            Value::Object(members) => {
                let within = if key == "security" { None } else { members.get("schemes") };
                let names = match within {
                    Some(Value::Object(schemes)) => schemes.keys(),
                    _ => members.keys(),
                };
                alternatives.push(names.take(SCHEMES).cloned().collect());
            }
            Value::String(name) => alternatives.push(vec![name.clone()]),
            other => reader.problem(format!("`{key}[{position}]` is {}, not an object", sort(other))),
        }
    }
    Required::AnyOf(alternatives)
}
