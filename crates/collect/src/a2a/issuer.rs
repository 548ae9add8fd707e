//! Who issues tokens, as far as a URL tells.
//!
//! A host alone is too little: one host serves the tenants of many. So the path is kept where it is known which part
//! of it is the endpoint's.

use url::Url;

/// Where metadata is found: after the issuer, or between its host and its path.
const METADATA: [&str; 2] = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];

/// How the paths of endpoints end. Longer ones first.
const ENDPOINTS: [&str; 16] = [
    "/protocol/openid-connect/token",
    "/protocol/openid-connect/auth",
    "/oauth2/v2.0/authorize",
    "/oauth2/v2.0/token",
    "/oauth2/v1/authorize",
    "/oauth2/v1/token",
    "/v1/authorize",
    "/v1/token",
    "/oauth2/authorize",
    "/oauth2/token",
    "/oauth/authorize",
    "/oauth/token",
    "/connect/token",
    "/connect/authorize",
    "/authorize",
    "/token",
];

/// One text for one issuer, from the URL of its metadata or of one of its endpoints.
pub(super) fn key(text: &str) -> Option<String> {
    let url = Url::parse(text.trim()).ok()?;
    let origin = url.origin();
    if !matches!(url.scheme(), "http" | "https") || !origin.is_tuple() {
        return None;
    }
    let path = url.path().trim_end_matches('/');
    let rest = METADATA.iter().find_map(|known| match path.split_once(known) {
        Some((before, "")) => Some(before),
        Some(("", after)) => Some(after),
        _ => None,
    });
    let rest = rest.or_else(|| ENDPOINTS.iter().find_map(|known| path.strip_suffix(known))).unwrap_or_default();
    Some(format!("{}{}", origin.ascii_serialization(), rest.trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_and_endpoints_of_one_issuer_give_one_key() {
        for (url, expected) in [
            ("https://kc.example/realms/a/protocol/openid-connect/token", "https://kc.example/realms/a"),
            ("https://kc.example/realms/a/.well-known/openid-configuration", "https://kc.example/realms/a"),
            ("https://kc.example/.well-known/oauth-authorization-server/realms/a", "https://kc.example/realms/a"),
            ("https://login.example/tenant-1/oauth2/v2.0/token", "https://login.example/tenant-1"),
            ("https://LOGIN.example:443/tenant-2/oauth2/v2.0/authorize", "https://login.example/tenant-2"),
            ("https://auth.example/oauth/token?x=1", "https://auth.example"),
            ("https://auth.example/something/else", "https://auth.example"),
        ] {
            assert_eq!(key(url).as_deref(), Some(expected), "{url}");
        }
        for url in ["", "token", "data:text/plain,x", "file:///token"] {
            assert_eq!(key(url), None, "{url}");
        }
    }
}
