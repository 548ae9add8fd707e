//! Which addresses belong together.

use url::{Host, Url};

/// Whether scheme, host and port are the same.
pub(crate) fn is_same_origin(one: &Url, other: &Url) -> bool {
    one.scheme() == other.scheme()
        && one.host() == other.host()
        && one.port_or_known_default() == other.port_or_known_default()
}

/// Whether both are of one site: the same machine by address, or names below the same registered domain.
pub(crate) fn is_same_site(one: &Url, other: &Url) -> bool {
    match (one.host(), other.host()) {
        (Some(Host::Domain(one)), Some(Host::Domain(other))) => {
            let (one, other) = (one.trim_end_matches('.'), other.trim_end_matches('.'));
            one == other || registered(one).is_some_and(|domain| Some(domain) == registered(other))
        }
        (one, other) => one.is_some() && one == other,
    }
}

/// The domain that somebody registered, by the public suffix list. A name of a single word has none.
fn registered(name: &str) -> Option<&str> {
    psl::domain_str(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_registered_domains() {
        let same = |one: &str, other: &str| is_same_site(&Url::parse(one).unwrap(), &Url::parse(other).unwrap());
        for (one, other, expected) in [
            ("https://a.example.com", "https://b.example.com:8443/x", true),
            ("https://example.com", "https://EXAMPLE.com.", true),
            ("https://example.com", "https://example.com.evil.org", false),
            ("https://a.co.uk", "https://b.co.uk", false),
            ("https://a.github.io", "https://b.github.io", false),
            ("http://127.0.0.1:1", "http://127.0.0.1:2", true),
            ("http://127.0.0.1:1", "http://localhost:1", false),
            ("http://build:1", "http://build:2", true),
            ("http://build", "http://other", false),
            ("http://10.0.0.1", "http://10.0.0.2", false),
        ] {
            assert_eq!(same(one, other), expected, "{one} {other}");
        }
    }
}
