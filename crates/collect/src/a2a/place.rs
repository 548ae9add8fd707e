//! Where agents are: what identifies one, where its card is, and whether a card speaks of the place it came from.

use tracehound_model::a2a_base_url;
use url::{Host, Url};

use super::card::Interface;
use crate::address::{Address, Reach};

/// Where cards are found below an agent's base URL. The second was the first's name before 0.3.
const CARDS: [&str; 2] = ["/.well-known/agent-card.json", "/.well-known/agent.json"];

/// Longest URL that is asked.
const LENGTH: usize = 2_048;

/// An agent's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The base URL in the spelling that identifies the agent.
    pub(super) base: String,
    pub(super) url: Url,
    /// The address of the card itself, if that was given.
    card: Option<Url>,
}

impl Place {
    /// The place that a text means, or why it is none.
    pub(super) fn read(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.len() > LENGTH {
            return Err("the URL is too long");
        }
        if text.chars().any(|it| it.is_control() || it.is_whitespace()) {
            return Err("the URL has white space in it");
        }
        // What comes after the path is no part of who an agent is, and may be a secret.
        let text = text.split(['?', '#']).next().unwrap_or_default();
        let base = a2a_base_url(text);
        let url = Url::parse(&base).map_err(|_| "it is no URL")?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("the URL is neither http nor https");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("the URL has a user or password in it; give credentials as headers");
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err("the URL has no host");
        }
        let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
        let is_card = whole.trim_end_matches('/') != base || url.path().ends_with(".json");
        let card = if is_card { Url::parse(whole.trim_end_matches('/')).ok() } else { None };
        Ok(Self { base, url, card })
    }

    /// One text for all spellings of one place.
    pub(super) fn key(&self) -> String {
        key(&self.url)
    }

    /// Where the card may be, in the order in which it is looked for.
    pub(super) fn cards(&self) -> Vec<Url> {
        let known = CARDS.iter().filter_map(|path| Url::parse(&format!("{}{path}", key(&self.url))).ok());
        let mut urls: Vec<Url> = self.card.iter().cloned().collect();
        if !self.url.path().ends_with(".json") {
            urls.extend(known);
        }
        let mut seen = std::collections::BTreeSet::new();
        urls.retain(|url| seen.insert(url.clone()));
        urls
    }

    /// The place that somebody else's text means, in the one spelling that all such texts have in common.
    pub(super) fn named(text: &str) -> Option<Self> {
        Self::read(&Self::read(text).ok()?.key()).ok()
    }

    /// The place at the root of the same host, where the cards of agents with paths usually are.
    pub(super) fn root(&self) -> Option<Self> {
        let origin = self.url.origin().ascii_serialization();
        (self.url.path() != "/").then(|| Self::read(&origin).ok()).flatten()
    }
}

/// One text for all spellings of a URL: the host in small letters, no default port, no slash at the end.
pub(super) fn key(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    a2a_base_url(url.as_str())
}

/// A URL from outside without what may be secret in it.
pub(super) fn shown_url(text: &str) -> String {
    match Url::parse(text) {
        Ok(mut url) if url.has_host() => {
            // A URL that can't have a user has none to hide.
            let _ = url.set_username("").and_then(|()| url.set_password(None));
            url.set_query(None);
            url.set_fragment(None);
            url.to_string()
        }
        // What can't be taken apart is shown without whatever a secret could be part of.
        _ => {
            let text = text.split(['?', '#']).next().unwrap_or_default();
            let (scheme, rest) = text.split_once("://").map_or(("", text), |(scheme, rest)| (scheme, rest));
            let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
            if scheme.is_empty() { rest.to_owned() } else { format!("{scheme}://{rest}") }
        }
    }
}

/// The first URL of a card that speaks of another scheme, host or port than those it was fetched from.
pub(super) fn claimed<'i>(interfaces: &'i [Interface], fetched: &[&Url]) -> Option<&'i Interface> {
    let is_there = |interface: &Interface, fetched: &Url| {
        let text = interface.url.as_str();
        // A path alone is of the place it was fetched from, and a host alone is spoken to in the same way.
        let url = match text.contains("://") {
            _ if text.starts_with('/') => return true,
            true => Url::parse(text),
            false => Url::parse(&format!("{}://{text}", fetched.scheme())),
        };
        // What leads nowhere claims nothing.
        url.map_or(true, |url| is_here(&url, fetched, interface.binding.as_deref()))
    };
    interfaces.iter().find(|interface| !fetched.iter().any(|fetched| is_there(interface, fetched)))
}

/// Whether a URL in a card is of the place that the card was fetched from. What speaks another protocol than HTTP may
/// do so at another port.
fn is_here(url: &Url, fetched: &Url, binding: Option<&str>) -> bool {
    let is_http =
        matches!(url.scheme(), "http" | "https") && !binding.is_some_and(|it| it.eq_ignore_ascii_case("GRPC"));
    let is_same_port =
        url.scheme() == fetched.scheme() && url.port_or_known_default() == fetched.port_or_known_default();
    is_same_host(url, fetched) && (is_same_port || !is_http)
}

fn is_same_host(one: &Url, other: &Url) -> bool {
    // Names of a machine for itself are as good as each other.
    let is_local = |url: &Url| Address::of_url(url.as_str()).reach == Reach::Local;
    let domain = |url: &Url| match url.host() {
        Some(Host::Domain(name)) => Some(name.trim_end_matches('.').to_ascii_lowercase()),
        _ => None,
    };
    one.host() == other.host()
        || (domain(one).is_some() && domain(one) == domain(other))
        || (is_local(one) && is_local(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_are_those_that_identify_agents() {
        for (text, base, cards) in [
            ("example.com", "https://example.com", 2),
            ("  https://example.com/ ", "https://example.com", 2),
            ("https://example.com/.well-known/agent-card.json", "https://example.com", 2),
            ("https://example.com/.well-known/agent.json", "https://example.com", 2),
            ("http://localhost:8080", "http://localhost:8080", 2),
            ("https://agent.example.com:443/.well-known/agent.json", "https://agent.example.com:443", 2),
            ("https://Example.com/A2A?key=abc#x", "https://Example.com/A2A", 2),
            ("https://example.com/cards/one.json", "https://example.com/cards/one.json", 1),
        ] {
            let place = Place::read(text).unwrap();
            assert_eq!((place.base.as_str(), place.cards().len()), (base, cards), "{text}");
        }
    }

    #[test]
    fn a_card_that_is_named_is_asked_first() {
        let first = |text: &str| Place::read(text).unwrap().cards()[0].to_string();
        assert_eq!(first("https://h/.well-known/agent.json"), "https://h/.well-known/agent.json");
        assert_eq!(first("https://h/a/"), "https://h/a/.well-known/agent-card.json");
        assert_eq!(first("https://h/a/card.json"), "https://h/a/card.json");
    }

    #[test]
    fn what_is_no_place_is_said_without_its_secrets() {
        for (text, words) in [
            ("ftp://example.com", "neither http nor https"),
            ("https://bob:secret@example.com", "give credentials as headers"),
            ("https://", "no URL"),
            ("https://exa mple.com", "white space"),
            ("", "no URL"),
        ] {
            let error = Place::read(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn spellings_of_one_place_have_one_key() {
        let key = |text: &str| Place::read(text).unwrap().key();
        for text in ["https://EXAMPLE.com", "https://example.com:443/", "example.com/.well-known/agent-card.json"] {
            assert_eq!(key(text), "https://example.com", "{text}");
        }
    }

    #[test]
    fn a_card_speaks_of_its_own_place_or_of_another() {
        let check = |url: &str, binding: Option<&str>, fetched: &str, is_other: bool| {
            let binding = binding.map(str::to_owned);
            let interface =
                Interface { path: "url".to_owned(), url: url.to_owned(), binding, version: None, tenant: None };
            let fetched = Url::parse(fetched).unwrap();
            assert_eq!(claimed(&[interface], &[&fetched]).is_some(), is_other, "{url} {fetched}");
        };
        for (url, is_other) in [
            ("https://example.com/a2a", false),
            ("https://EXAMPLE.com.:443/", false),
            ("/a2a", false),
            ("http://example.com/a2a", true),
            ("https://example.com:8443/a2a", true),
            ("https://example.org/a2a", true),
            ("https://www.example.com/a2a", true),
            ("http://localhost:3000", true),
            ("example.org/a2a", true),
        ] {
            check(url, None, "https://example.com/.well-known/agent-card.json", is_other);
        }
        check("http://0.0.0.0:9999/", None, "http://127.0.0.1:9999/", false);
        check("http://localhost:9998/", None, "http://127.0.0.1:9999/", true);
        check("https://example.com:50051", Some("GRPC"), "https://example.com/", false);
        check("https://example.org:50051", Some("GRPC"), "https://example.com/", true);
        check("example.com:50051", Some("GRPC"), "https://example.com/", false);
        check("example.com:8443", None, "https://example.com/", true);
    }

    #[test]
    fn urls_are_shown_without_secrets() {
        for (text, shown) in [
            ("https://bob:pw@h/x?token=1#f", "https://h/x"),
            ("${HOST}/x?token=1", "${HOST}/x"),
            ("bob:pw@h", "h"),
            ("https://bob:p/w@h/x", "https://h/x"),
            ("https://bob:pw@", "https://"),
            ("localhost:8080", "localhost:8080"),
        ] {
            assert_eq!(shown_url(text), shown, "{text}");
        }
    }
}
