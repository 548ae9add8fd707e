//! Which places of keys are believed for a card: those of the site that it came from, and those that the user allows.

use url::Url;

use crate::net::is_same_site;

/// Where a card came from, and which hosts may have keys besides.
#[derive(Debug)]
pub(in crate::a2a) struct Site<'s> {
    pub(in crate::a2a) card: &'s Url,
    pub(in crate::a2a) allowed: &'s [String],
}

impl Site<'_> {
    /// Whether keys may be fetched from a URL that a signature names, or why not.
    pub(super) fn allows(&self, jku: &str) -> Result<Url, String> {
        let url = Url::parse(jku).map_err(|_| "it is no URL".to_owned())?;
        if url.scheme() != "https" {
            return Err("it is not under https".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("it has a user in it".to_owned());
        }
        let host = url.host_str().unwrap_or_default();
        if self.allowed.iter().any(|allowed| is_same_name(allowed, host)) || is_same_site(self.card, &url) {
            return Ok(url);
        }
        Err("it is of another site than the card, and its host is not allowed".to_owned())
    }
}

fn is_same_name(a: &str, b: &str) -> bool {
    a.trim().trim_end_matches('.').eq_ignore_ascii_case(b.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_of_the_cards_site_or_allowed() {
        let card = Url::parse("https://agent.example.co.uk/.well-known/agent-card.json").unwrap();
        let site = Site { card: &card, allowed: &["keys.example.org".to_owned()] };
        for (jku, words) in [
            ("https://keys.example.co.uk/jwks.json", None),
            ("https://agent.example.co.uk:8443/jwks.json", None),
            ("https://KEYS.example.org/jwks.json", None),
            ("http://agent.example.co.uk/jwks.json", Some("not under https")),
            ("https://other.co.uk/jwks.json", Some("another site")),
            ("https://co.uk/jwks.json", Some("another site")),
            ("https://sub.keys.example.org/jwks.json", Some("another site")),
            ("https://127.0.0.1/jwks.json", Some("another site")),
            ("https://bob@agent.example.co.uk/jwks.json", Some("a user")),
            ("file:///etc/passwd", Some("not under https")),
            ("jwks.json", Some("no URL")),
        ] {
            match (site.allows(jku), words) {
                (Ok(url), None) => assert!(url.as_str().eq_ignore_ascii_case(jku)),
                (Err(error), Some(words)) => assert!(error.contains(words), "{jku}: {error}"),
                (result, _) => panic!("{jku}: {result:?}"),
            }
        }
    }
}
