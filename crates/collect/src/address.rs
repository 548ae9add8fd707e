//! Hosts of URLs: what they are called and whether they are this machine, a private network or the world.

use std::net::IpAddr;

/// The host that a URL names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// The host's name, or the canonical text of its address.
    pub(crate) text: String,
    pub(crate) ip: Option<IpAddr>,
    pub(crate) reach: Reach,
}

/// From where a host can be reached. Exactly one holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// It is the machine itself.
    Local,
    /// It is in a private network.
    Private,
    /// It is anywhere else, or nobody can tell.
    Public,
}

impl Address {
    /// The host part of a URL. What has none is `unknown`.
    pub(crate) fn of_url(url: &str) -> Self {
        let rest = url.split_once("://").map_or("", |(_, rest)| rest);
        let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let host = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((inner, _)) => inner,
            None => host.split(':').next().unwrap_or_default(),
        };
        Self::of_host(if host.is_empty() { "unknown" } else { host })
    }

    fn of_host(host: &str) -> Self {
        // A zone such as `%eth0` is this machine's own name for a network.
        let ip: Option<IpAddr> = host.split('%').next().and_then(|host| host.parse().ok());
        let is_named_local =
            host.eq_ignore_ascii_case("localhost") || host.to_ascii_lowercase().ends_with(".localhost");
        let reach = match ip {
            Some(ip) if is_loopback(ip) => Reach::Local,
            Some(ip) if is_private(ip) => Reach::Private,
            None if is_named_local => Reach::Local,
            _ => Reach::Public,
        };
        Self { text: ip.map_or_else(|| host.to_owned(), |ip| ip.to_string()), ip, reach }
    }
}

fn is_loopback(ip: IpAddr) -> bool {
    // An address that stands for any of the machine's own leads to the machine, too.
    ip.is_loopback()
        || ip.is_unspecified()
        || matches!(ip, IpAddr::V6(ip) if ip.to_ipv4_mapped().is_some_and(|ip| ip.is_loopback()))
}

fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_private() || ip.octets() == [169, 254, 169, 254],
        IpAddr::V6(ip) => ip.to_ipv4_mapped().map_or_else(|| ip.is_unique_local(), |ip| ip.is_private()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_apart() {
        for (url, text, reach) in [
            ("https://mcp.example.com/api", "mcp.example.com", Reach::Public),
            ("http://LOCALHOST:3000", "LOCALHOST", Reach::Local),
            ("http://app.localhost", "app.localhost", Reach::Local),
            ("http://127.8.9.1/", "127.8.9.1", Reach::Local),
            ("http://[::1]:80/x", "::1", Reach::Local),
            ("http://0.0.0.0:80", "0.0.0.0", Reach::Local),
            ("http://user:p@10.0.0.5:80/x", "10.0.0.5", Reach::Private),
            ("http://172.31.0.1", "172.31.0.1", Reach::Private),
            ("http://172.32.0.1", "172.32.0.1", Reach::Public),
            ("http://[FC00::1]/", "fc00::1", Reach::Private),
            ("http://169.254.169.254/", "169.254.169.254", Reach::Private),
            ("http://169.254.1.1/", "169.254.1.1", Reach::Public),
            ("https://example.com\\@127.0.0.1/", "example.com", Reach::Public),
            ("not a url", "unknown", Reach::Public),
            ("http://", "unknown", Reach::Public),
        ] {
            let address = Address::of_url(url);
            assert_eq!((address.text.as_str(), address.reach), (text, reach), "{url}");
        }
    }
}
