//! How callers prove who they are, from what a card declares or from what a server demands.

use super::card::{Method, Required, Scheme, http};

/// What callers have to prove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Auth {
    /// The weakest way in, which is the one an attacker takes.
    pub(super) method: Method,
    /// All ways in but that of no proof at all, the strongest first.
    pub(super) ways: Vec<Method>,
    /// What a card demands and does not declare.
    pub(super) undeclared: Option<String>,
}

impl Method {
    /// Its name in documents.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Mtls => "mtls",
            Self::Oidc => "oidc",
            Self::Oauth => "oauth",
            Self::Bearer => "bearer",
            Self::ApiKey => "apiKey",
            Self::Basic => "basic",
            Self::Unknown => "unknown",
            Self::None => "none",
        }
    }

    /// How bad it is, from 0 to 100. What nobody knows must not look better than nothing.
    pub(super) fn posture(self) -> u8 {
        match self {
            Self::Mtls => 10,
            Self::Oidc => 20,
            Self::Oauth => 25,
            Self::Bearer => 50,
            Self::ApiKey | Self::Basic => 70,
            Self::Unknown | Self::None => 100,
        }
    }

    /// Whether what is proven is a secret that does not change.
    pub(super) fn is_static(self) -> bool {
        matches!(self, Self::ApiKey | Self::Basic)
    }
}

impl Auth {
    /// What a card declares. Of alternatives the weakest counts; within one, where all must be satisfied, the strongest.
    pub(super) fn declared(schemes: &[Scheme], required: &Required) -> Self {
        let mut undeclared = None;
        let alternatives: Vec<Method> = match required {
            // Schemes that nobody is said to need are there to be used, each by itself.
            Required::Unsaid => schemes.iter().map(|scheme| scheme.method).collect(),
            Required::AnyOf(alternatives) => {
                let method = |name: &String| match schemes.iter().find(|scheme| scheme.name == *name) {
                    Some(scheme) => scheme.method,
                    None => {
                        undeclared.get_or_insert_with(|| name.clone());
                        Method::Unknown
                    }
                };
                let mut method = method;
                let strongest = |names: &Vec<String>| names.iter().map(&mut method).min().unwrap_or(Method::None);
                alternatives.iter().map(strongest).collect()
            }
        };
        let weakest = alternatives.iter().copied().max().unwrap_or(Method::None);
        Self { method: weakest, ways: ways(alternatives), undeclared }
    }

    /// What a server demands in `WWW-Authenticate` when it refuses. Of several challenges any one may be met.
    pub(super) fn demanded<'h>(challenges: impl Iterator<Item = &'h str>) -> Self {
        let methods: Vec<Method> = challenges.filter_map(|it| it.split([' ', ',']).next()).map(http).collect();
        let weakest = methods.iter().copied().max().unwrap_or(Method::Unknown);
        Self { method: weakest, ways: ways(methods), undeclared: None }
    }
}

fn ways(mut methods: Vec<Method>) -> Vec<Method> {
    methods.retain(|method| !matches!(method, Method::None | Method::Unknown));
    methods.sort_unstable();
    methods.dedup();
    methods
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::card::Card;
    use super::*;

    fn check(mut card: Value, method: &str, ways: &[&str]) {
        card["name"] = json!("a");
        card["skills"] = json!([]);
        let read = Card::read(&card).unwrap();
        let auth = Auth::declared(&read.schemes, &read.required);
        let named: Vec<&str> = auth.ways.iter().map(|way| way.name()).collect();
        assert_eq!((auth.method.name(), named.as_slice()), (method, ways), "{card}");
    }

    #[test]
    fn the_weakest_way_in_counts() {
        let schemes = json!({
            "key": {"type": "apiKey", "in": "header", "name": "X"},
            "oauth": {"type": "oauth2", "flows": {}},
            "mtls": {"type": "mutualTLS"},
            "bearer": {"type": "http", "scheme": "Bearer"},
            "basic": {"type": "http", "scheme": "basic"},
            "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://i/.well-known/openid-configuration"},
            "odd": {"type": "x402"},
        });
        let with = |security: Value| json!({"securitySchemes": schemes, "security": security});
        check(with(json!([{"oauth": []}])), "oauth", &["oauth"]);
        check(with(json!([{"oauth": []}, {"key": []}])), "apiKey", &["oauth", "apiKey"]);
        check(with(json!([{"oauth": [], "key": []}])), "oauth", &["oauth"]);
        check(with(json!([{"mtls": [], "bearer": []}, {"bearer": []}])), "bearer", &["mtls", "bearer"]);
        check(with(json!([{"basic": []}, {"bearer": []}])), "basic", &["bearer", "basic"]);
        check(with(json!(["oidc"])), "oidc", &["oidc"]);
        check(with(json!([{"odd": []}])), "unknown", &[]);
        check(with(json!([{"absent": []}])), "unknown", &[]);
    }

    #[test]
    fn nothing_demanded_is_no_proof_at_all() {
        let schemes = json!({"key": {"type": "apiKey"}});
        check(json!({"securitySchemes": schemes, "security": []}), "none", &[]);
        check(json!({"securitySchemes": schemes, "security": [{}]}), "none", &[]);
        check(json!({"securitySchemes": schemes, "security": [{"key": []}, {}]}), "none", &["apiKey"]);
        check(json!({"securitySchemes": schemes, "securityRequirements": [{"schemes": {}}]}), "none", &[]);
        check(json!({}), "none", &[]);
    }

    #[test]
    fn schemes_that_are_only_declared_are_ways_in() {
        check(json!({"securitySchemes": {"key": {"type": "apiKey"}}}), "apiKey", &["apiKey"]);
        check(json!({"authentication": {"schemes": ["bearer"]}}), "bearer", &["bearer"]);
        check(json!({"authentication": {"schemes": ["x402"]}}), "unknown", &[]);
        check(json!({"authentication": {"schemes": []}}), "none", &[]);
        check(json!({"authentication": "none"}), "none", &[]);
        check(json!({"authentication": {"type": "api_key", "header": "X"}}), "unknown", &[]);
        check(json!({"authentication": ["bearer"]}), "unknown", &[]);
    }

    #[test]
    fn schemes_of_the_nested_form_are_read() {
        let schemes = json!({
            "b": {"httpAuthSecurityScheme": {"scheme": "bearer"}},
            "k": {"apiKeySecurityScheme": {"location": "header", "name": "X"}},
            "m": {"mtlsSecurityScheme": {"description": "client certificates"}},
            "o": {"oauth2SecurityScheme": {"flows": {"clientCredentials": {"tokenUrl": "https://i/token"}}}},
            "c": {"openIdConnectSecurityScheme": {"openIdConnectUrl": "https://i/"}},
        });
        for (name, method) in [("b", "bearer"), ("k", "apiKey"), ("m", "mtls"), ("o", "oauth"), ("c", "oidc")] {
            let required = json!([{"schemes": {name: {"list": []}}}]);
            check(json!({"securitySchemes": schemes, "securityRequirements": required}), method, &[method]);
        }
    }

    #[test]
    fn what_a_server_demands_is_in_its_refusal() {
        for (challenges, method) in [
            (&["Bearer realm=\"x\""][..], "bearer"),
            (&["bearer", "Basic realm=\"x\""], "basic"),
            (&["Negotiate"], "unknown"),
            (&[], "unknown"),
        ] {
            assert_eq!(Auth::demanded(challenges.iter().copied()).method.name(), method, "{challenges:?}");
        }
    }
}
