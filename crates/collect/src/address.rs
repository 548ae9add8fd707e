//! Hosts of URLs: what they are called and whether they are this machine, a private network or the world.

use std::net::{IpAddr, Ipv4Addr};

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
        let host = Authority::of_url(url).host;
        let host = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((inner, _)) => inner,
            None => host.split(':').next().unwrap_or_default(),
        };
        Self::of_host(if host.is_empty() { "unknown" } else { host })
    }

    /// A host with the address that its name led to.
    pub(crate) fn resolved(host: &str, ip: IpAddr) -> Self {
        Self { text: Self::of_host(host).text, ip: Some(ip), reach: Self::of_host(&ip.to_string()).reach }
    }

    fn of_host(host: &str) -> Self {
        // A zone such as `%eth0` is this machine's own name for a network.
        let ip: Option<IpAddr> =
            host.split('%').next().and_then(|host| host.parse().ok().or_else(|| short_ip(host).map(IpAddr::V4)));
        let is_named_local = is_loopback_name(host);
        let reach = match ip {
            Some(ip) if is_loopback(ip) => Reach::Local,
            Some(ip) if is_private(ip) => Reach::Private,
            None if is_named_local => Reach::Local,
            _ => Reach::Public,
        };
        Self { text: ip.map_or_else(|| host.to_owned(), |ip| ip.to_string()), ip, reach }
    }
}

/// The two parts of a URL between its scheme and its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Authority<'u> {
    /// A user, and perhaps a password after a colon.
    pub(crate) user: Option<&'u str>,
    /// A host, and perhaps a port.
    pub(crate) host: &'u str,
    /// Where in the URL the path begins.
    pub(crate) end: usize,
}

impl<'u> Authority<'u> {
    /// The parts of a URL; all empty if it has no scheme.
    pub(crate) fn of_url(url: &'u str) -> Self {
        let start = url.find("://").map_or(url.len(), |scheme| scheme + 3);
        let rest = url.get(start..).unwrap_or_default();
        let mut end = end_of(rest, 0);
        let port = rest.get(..end).and_then(|authority| authority.rsplit_once(':')).map(|(_, port)| port);
        // `user:pass/word@host`: what should have been encoded is cut off at its slash, and no number is left as port.
        let is_cut = !rest.get(..end).is_some_and(|authority| authority.contains(['@', '[']))
            && port.is_some_and(|port| !port.is_empty() && !port.bytes().all(|byte| byte.is_ascii_digit()))
            && !port.is_some_and(|port| port.starts_with(['$', '{', '<', '%']));
        if is_cut && let Some(at) = rest.rfind('@') {
            end = end_of(rest, at);
        }
        let authority = rest.get(..end).unwrap_or_default();
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority),
        };
        Self { user, host, end: start + end }
    }
}

/// Where the authority ends that begins a text, looked for from an offset on.
fn end_of(rest: &str, from: usize) -> usize {
    let end = rest.get(from..).and_then(|rest| rest.find(['/', '?', '#', '\\']));
    end.map_or(rest.len(), |end| from + end)
}

/// Addresses as programs also take them: `127.1`, `0x7f000001`, `2130706433`.
fn short_ip(host: &str) -> Option<Ipv4Addr> {
    let number = |part: &str| match part.strip_prefix("0x").or_else(|| part.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None if part.len() > 1 && part.starts_with('0') => u32::from_str_radix(part, 8).ok(),
        None => part.parse::<u32>().ok(),
    };
    let mut parts = host.split('.').map(number).collect::<Option<Vec<u32>>>()?;
    let last = parts.pop()?;
    let room = 4_usize.checked_sub(parts.len()).filter(|room| *room > 0)?;
    let mut value = 0_u32;
    for part in &parts {
        value = value.checked_mul(256)?.checked_add(u8::try_from(*part).ok()?.into())?;
    }
    let shift = u32::try_from(8 * room).ok()?;
    let fits = shift == 32 || last.checked_shr(shift) == Some(0);
    fits.then(|| Ipv4Addr::from(value.checked_shl(shift).unwrap_or(0) | last))
}

/// Names that every machine has for itself. The container engines' name for the machine is one of them.
fn is_loopback_name(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let names = ["localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"];
    let outside = ["host.docker.internal", "host.containers.internal", "host.lima.internal"];
    names.contains(&host.as_str()) || outside.contains(&host.as_str()) || host.ends_with(".localhost")
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
            ("https://bob:pa/ss@10.0.0.5/x", "10.0.0.5", Reach::Private),
            ("https://unpkg.com/@scope/package@1", "unpkg.com", Reach::Public),
            ("http://127.1:80/", "127.0.0.1", Reach::Local),
            ("http://2130706433/", "127.0.0.1", Reach::Local),
            ("http://0x7f.0.0.1/", "127.0.0.1", Reach::Local),
            ("http://1.2.3.4.0/", "1.2.3.4.0", Reach::Public),
            ("http://localhost./", "localhost.", Reach::Local),
            ("http://host.docker.internal:80/", "host.docker.internal", Reach::Local),
            ("https://${HOST}:${PORT}/mcp", "${HOST}", Reach::Public),
            ("not a url", "unknown", Reach::Public),
            ("http://", "unknown", Reach::Public),
        ] {
            let address = Address::of_url(url);
            assert_eq!((address.text.as_str(), address.reach), (text, reach), "{url}");
        }
    }
}
