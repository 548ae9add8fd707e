//! Which addresses may be contacted.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use super::{NetError, Policy, Trust};

/// What an address is, for the question whether it may be contacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Anywhere.
    Public,
    /// This machine.
    Loopback,
    /// A private network, or one shared by the customers of a provider.
    Private,
    /// The same wire, which is also where clouds keep their metadata.
    LinkLocal,
    /// No single machine, or nothing that can be contacted.
    Unusable,
}

/// Checks a URL before a request is made of it. Names are checked when they are resolved.
pub(super) fn admit(url: &Url, trust: Trust, policy: Policy) -> Result<(), NetError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(NetError::Scheme { url: url.clone() });
    }
    let ip = match url.host() {
        Some(Host::Ipv4(ip)) => IpAddr::V4(ip),
        Some(Host::Ipv6(ip)) => IpAddr::V6(ip),
        Some(Host::Domain(name)) if !name.is_empty() => return Ok(()),
        _ => return Err(NetError::NoHost { url: url.clone() }),
    };
    // Who types a link-local address as such asks for it.
    let is_typed = trust == Trust::Asked && sort(ip) == Sort::LinkLocal && !is_metadata(ip);
    if is_typed {
        return Ok(());
    }
    refusal(ip, trust, policy).map_or(Ok(()), |why| Err(NetError::Address { url: url.clone(), ip, why }))
}

/// Why an address may not be contacted.
pub(super) fn refusal(ip: IpAddr, trust: Trust, policy: Policy) -> Option<&'static str> {
    let is_near = trust == Trust::Asked || policy.allow_private;
    match sort(ip) {
        Sort::Public => None,
        Sort::Loopback | Sort::Private if is_near => None,
        Sort::Loopback => Some("it is this machine, and only another party named it; --allow-private allows that"),
        Sort::Private => {
            Some("it is in a private network, and only another party named it; --allow-private allows that")
        }
        Sort::LinkLocal if is_metadata(ip) => Some("it is where clouds keep the secrets of a machine"),
        Sort::LinkLocal => Some("it is a link-local address"),
        Sort::Unusable => Some("it is no address of a single machine"),
    }
}

/// Addresses at which clouds answer questions about the machine that asks, or about the container.
pub(crate) const METADATA_V4: &[Ipv4Addr] = &[
    // Most clouds, then containers and pods of Amazon's.
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(169, 254, 170, 23),
    // Alibaba, Azure and Oracle, in ranges that are not link-local.
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(192, 0, 0, 192),
];
pub(crate) const METADATA_V6: &[Ipv6Addr] = &[
    // Amazon's machines and pods, and Google's machines.
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23),
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
];

pub(crate) fn is_metadata(ip: IpAddr) -> bool {
    match plain(ip) {
        IpAddr::V4(ip) => METADATA_V4.contains(&ip),
        IpAddr::V6(ip) => METADATA_V6.contains(&ip),
    }
}

pub(crate) fn sort(ip: IpAddr) -> Sort {
    match plain(ip) {
        _ if is_metadata(ip) => Sort::LinkLocal,
        IpAddr::V4(ip) => sort_v4(ip),
        IpAddr::V6(ip) if ip.is_loopback() || ip.is_unspecified() => Sort::Loopback,
        IpAddr::V6(ip) if ip.is_multicast() => Sort::Unusable,
        IpAddr::V6(ip) if ip.is_unicast_link_local() => Sort::LinkLocal,
        IpAddr::V6(ip) if ip.is_unique_local() || ip.segments()[0] & 0xffc0 == 0xfec0 => Sort::Private,
        IpAddr::V6(_) => Sort::Public,
    }
}

fn sort_v4(ip: Ipv4Addr) -> Sort {
    let [first, second, ..] = ip.octets();
    match () {
        () if ip.is_loopback() || ip.is_unspecified() => Sort::Loopback,
        () if ip.is_link_local() => Sort::LinkLocal,
        () if ip.is_private() || (first == 100 && (64..128).contains(&second)) => Sort::Private,
        () if ip.is_multicast() || ip.is_broadcast() || first == 0 || first >= 240 => Sort::Unusable,
        () => Sort::Public,
    }
}

/// An address without the wrappings in which IPv6 carries IPv4.
pub(crate) fn plain(ip: IpAddr) -> IpAddr {
    let IpAddr::V6(six) = ip else { return ip };
    let [a, b, c, .., y, z] = six.segments();
    let last = || {
        let ([one, two], [three, four]) = (y.to_be_bytes(), z.to_be_bytes());
        IpAddr::V4(Ipv4Addr::new(one, two, three, four))
    };
    if let Some(four) = six.to_ipv4_mapped() {
        return IpAddr::V4(four);
    }
    match (a, b, c) {
        // The well-known prefix of translators, and the old compatible form.
        (0x64, 0xff9b, _) => last(),
        (0, 0, 0) if six.segments()[3..6] == [0, 0, 0] && y != 0 => last(),
        // 6to4 has the address behind its prefix.
        (0x2002, one, two) => {
            let ([one, two], [three, four]) = (one.to_be_bytes(), two.to_be_bytes());
            IpAddr::V4(Ipv4Addr::new(one, two, three, four))
        }
        _ => ip,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ip: &str, expected: Sort) {
        assert_eq!(sort(ip.parse().unwrap()), expected, "{ip}");
    }

    #[test]
    fn addresses_are_told_apart() {
        for ip in ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "100.63.0.1", "64:ff9b::101:101"] {
            check(ip, Sort::Public);
        }
        for ip in
            ["127.0.0.1", "127.9.9.9", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"]
        {
            check(ip, Sort::Loopback);
        }
        for ip in ["10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "fc00::1", "::ffff:10.1.1.1", "fec0::1"] {
            check(ip, Sort::Private);
        }
        for ip in ["169.254.1.1", "169.254.169.254", "fe80::1", "fd00:ec2::254", "::ffff:169.254.169.254"] {
            check(ip, Sort::LinkLocal);
        }
        for ip in ["224.0.0.1", "255.255.255.255", "0.1.2.3", "240.0.0.1", "ff02::1"] {
            check(ip, Sort::Unusable);
        }
    }

    #[test]
    fn where_clouds_keep_secrets_nobody_is_sent() {
        for ip in [
            "169.254.169.254",
            "169.254.170.2",
            "169.254.170.23",
            "100.100.100.200",
            "168.63.129.16",
            "192.0.0.192",
            "fd00:ec2::254",
            "fd00:ec2::23",
            "fd20:ce::254",
            "::ffff:100.100.100.200",
            "::ffff:168.63.129.16",
            "64:ff9b::c000:c0",
            "2002:a83f:8110::",
        ] {
            check(ip, Sort::LinkLocal);
            let ip: IpAddr = ip.parse().unwrap();
            let mut url = Url::parse("http://x/").unwrap();
            url.set_ip_host(ip).unwrap();
            for (trust, allow_private) in
                [(Trust::Asked, false), (Trust::Asked, true), (Trust::Told, false), (Trust::Told, true)]
            {
                let words = "it is where clouds keep the secrets of a machine";
                assert_eq!(refusal(ip, trust, Policy { allow_private }), Some(words), "{ip}");
                let refused = admit(&url, trust, Policy { allow_private });
                assert!(matches!(refused, Err(NetError::Address { why, .. }) if why == words), "{ip}");
            }
        }
        // Their neighbours are what they would be without them.
        for (ip, expected) in [
            ("100.100.100.201", Sort::Private),
            ("168.63.129.17", Sort::Public),
            ("192.0.0.193", Sort::Public),
            ("fd20:ce::255", Sort::Private),
        ] {
            check(ip, expected);
        }
    }

    #[test]
    fn what_is_near_may_be_contacted_by_whoever_asks_for_it() {
        let told = |url: &str, allow_private| {
            admit(&Url::parse(url).unwrap(), Trust::Told, Policy { allow_private }).map_err(|error| error.to_string())
        };
        let asked = |url: &str| admit(&Url::parse(url).unwrap(), Trust::Asked, Policy::default()).is_ok();
        for near in ["http://127.0.0.1:1/", "http://10.0.0.1/", "http://[::1]/", "http://2130706433/"] {
            assert_eq!(
                (asked(near), told(near, false).is_ok(), told(near, true).is_ok()),
                (true, false, true),
                "{near}"
            );
        }
        assert_eq!((asked("http://169.254.1.1/"), told("http://169.254.1.1/", true).is_ok()), (true, false));
        for never in ["http://169.254.169.254/", "http://[fd00:ec2::254]/", "http://224.0.0.1/", "file:///etc/passwd"] {
            assert_eq!((asked(never), told(never, true).is_ok()), (false, false), "{never}");
        }
        assert!(told("https://example.com/", false).is_ok());
    }
}
