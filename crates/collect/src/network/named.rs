//! Services that other services name.

use url::Url;

use crate::address::{Address, Reach};

/// Where an Ollama listens if nobody says otherwise; it is the one that others name without a port.
const OLLAMA_PORT: u16 = 11_434;

/// The base URL of a service that another one names: scheme, host and port, as its own id has them.
///
/// What a service calls its own machine is the machine that it runs on, and not ours.
pub(super) fn base_url(named: &str, by: &str) -> Option<String> {
    let named = named.trim();
    let with_scheme = if named.contains("://") { named.to_owned() } else { format!("http://{named}") };
    let url = Url::parse(&with_scheme).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let host = url.host_str().filter(|host| !host.is_empty())?;
    // The parser drops a port that is the scheme's own, but one that is written is meant.
    let port = url.port().or_else(|| written_port(&with_scheme)).unwrap_or(OLLAMA_PORT);
    let is_own = Address::of_url(url.as_str()).reach == Reach::Local;
    let own = Url::parse(by).ok();
    let host = own.as_ref().filter(|_| is_own).and_then(Url::host_str).unwrap_or(host);
    Some(format!("{}://{host}:{port}", url.scheme()))
}

fn written_port(url: &str) -> Option<u16> {
    let authority = url.split_once("://")?.1.split(['/', '?', '#']).next()?;
    authority.rsplit_once(':')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_service_names_becomes_a_base_url() {
        for (named, by, expected) in [
            ("http://10.0.0.9:11434/api", "http://10.0.0.5:3000", Some("http://10.0.0.9:11434")),
            ("http://ollama", "http://10.0.0.5:3000", Some("http://ollama:11434")),
            ("ollama:80", "http://10.0.0.5:3000", Some("http://ollama:80")),
            ("https://models.example:443", "http://10.0.0.5:3000", Some("https://models.example:443")),
            ("http://localhost:11434", "http://10.0.0.5:3000", Some("http://10.0.0.5:11434")),
            ("http://host.docker.internal:11434", "http://[fc00::1]:3000", Some("http://[fc00::1]:11434")),
            ("http://127.0.0.1:11434", "http://127.0.0.1:3000", Some("http://127.0.0.1:11434")),
            ("http://user:pass@[fc00::2]/x", "http://10.0.0.5:3000", Some("http://[fc00::2]:11434")),
            ("ftp://x", "http://10.0.0.5:3000", None),
            ("http://", "http://10.0.0.5:3000", None),
            ("", "http://10.0.0.5:3000", None),
        ] {
            assert_eq!(base_url(named, by).as_deref(), expected, "{named}");
        }
    }
}
