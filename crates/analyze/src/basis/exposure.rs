//! From where something can be reached.

use std::net::IpAddr;

use tracehound_graph::NodeIx;
use tracehound_model::EdgeKind;

use super::Basis;

/// From where something can be reached; the more exposed is the greater.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exposure {
    /// Nobody said.
    #[default]
    Unknown,
    /// From the machine itself.
    Local,
    /// From a private network.
    Private,
    /// From anywhere.
    Public,
}

impl Exposure {
    /// From 0 to 100.
    #[must_use]
    pub const fn score(self) -> u8 {
        match self {
            Self::Unknown => 0,
            Self::Local => 20,
            Self::Private => 50,
            Self::Public => 100,
        }
    }

    /// What the name or the address of a host, or a URL with one, says. A name without a dot, and one below a domain that
    /// exists only inside, is private; any other name can be asked for by everybody.
    #[must_use]
    pub fn of_address(address: &str) -> Self {
        let host = host_of(address).trim_end_matches('.').to_ascii_lowercase();
        let inside = [".local", ".internal", ".lan", ".intranet", ".home.arpa"];
        match host.parse::<IpAddr>() {
            Ok(ip) => Self::of_ip(ip),
            Err(_) if host.is_empty() => Self::Unknown,
            Err(_) if host == "localhost" || host.ends_with(".localhost") => Self::Local,
            Err(_) if !host.contains('.') || inside.iter().any(|domain| host.ends_with(domain)) => Self::Private,
            Err(_) => Self::Public,
        }
    }

    fn of_ip(ip: IpAddr) -> Self {
        let ip = ip.to_canonical();
        let is_private = match ip {
            IpAddr::V4(ip) => ip.is_private() || ip.is_link_local() || matches!(ip.octets(), [100, 64..128, ..]),
            IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local(),
        };
        match () {
            () if ip.is_loopback() || ip.is_unspecified() => Self::Local,
            () if is_private => Self::Private,
            () => Self::Public,
        }
    }
}

/// The host in a URL, or the text itself.
fn host_of(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    if rest.parse::<IpAddr>().is_ok() {
        return rest;
    }
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((inside, _)) => inside,
        None => host.split(':').next().unwrap_or_default(),
    }
}

impl Basis<'_> {
    /// From where a machine can be reached, as its scan said; of several statements the most exposed.
    #[must_use]
    pub fn exposure(&self, host: NodeIx) -> Exposure {
        match () {
            () if self.is(host, "is_public") => Exposure::Public,
            () if self.is(host, "is_private") => Exposure::Private,
            () if self.is(host, "is_local") => Exposure::Local,
            () => Exposure::Unknown,
        }
    }

    /// The most exposed machine that something runs on; of several the one with the smallest id.
    #[must_use]
    pub fn most_exposed_host(&self, node: NodeIx) -> Option<(Exposure, NodeIx)> {
        let hosts = self.targets(EdgeKind::RunsOn, node).map(|host| (self.exposure(host), host));
        hosts.max_by_key(|(exposure, host)| (*exposure, std::cmp::Reverse(*host)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_say_where_from() {
        for (address, expected) in [
            ("", Exposure::Unknown),
            ("localhost", Exposure::Local),
            ("http://127.0.0.1:8080/x", Exposure::Local),
            ("http://[::1]:80/", Exposure::Local),
            ("::ffff:10.0.0.1", Exposure::Private),
            ("http://user:p@10.1.2.3:80/", Exposure::Private),
            ("100.64.0.9", Exposure::Private),
            ("build-7", Exposure::Private),
            ("db.corp.internal.", Exposure::Private),
            ("https://mcp.example.com/api", Exposure::Public),
            ("8.8.8.8", Exposure::Public),
        ] {
            assert_eq!(Exposure::of_address(address), expected, "{address}");
        }
    }
}
