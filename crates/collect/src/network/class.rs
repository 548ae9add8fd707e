//! What an address is, for the question whether a scan may contact it, and the same for ranges.
//!
//! One function decides about single addresses. Ranges are cut where its answer can change and each piece is judged by
//! one of its addresses, so a /8 takes a few steps and no second table can disagree with the first.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use super::span::{MAPPED, Span, address, number};
use crate::net::address::{METADATA_V4, METADATA_V6, Sort, is_metadata, plain, sort};

/// What an address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// This machine.
    Loopback,
    /// A private network, or one shared by the customers of a provider.
    Private,
    /// Anywhere.
    Public,
    /// Where clouds answer questions about the machine that asks, secrets among them.
    Metadata,
    /// The same wire.
    LinkLocal,
    /// A group of machines.
    Multicast,
    /// Every machine of a network.
    Broadcast,
    /// No address at all.
    Unspecified,
    /// A range that nobody has been given.
    Reserved,
    /// A near IPv4 address, written so that a translator elsewhere would be sent to it.
    Translated,
}

impl Class {
    /// What an address is.
    #[must_use]
    pub fn of(ip: IpAddr) -> Self {
        let ip = ip.to_canonical();
        let inner = plain(ip);
        let sort = sort(ip);
        match sort {
            _ if is_metadata(ip) => Self::Metadata,
            _ if inner.is_unspecified() => Self::Unspecified,
            Sort::Loopback | Sort::Private if inner != ip => Self::Translated,
            Sort::Loopback => Self::Loopback,
            Sort::Private => Self::Private,
            Sort::LinkLocal => Self::LinkLocal,
            Sort::Unusable if inner.is_multicast() => Self::Multicast,
            Sort::Unusable if inner == IpAddr::V4(Ipv4Addr::BROADCAST) => Self::Broadcast,
            Sort::Unusable => Self::Reserved,
            Sort::Public => match inner {
                // All of IPv6 that anybody was given as public.
                IpAddr::V6(inner) if inner.segments()[0] & 0xe000 != 0x2000 => Self::Reserved,
                _ => Self::Public,
            },
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loopback => "loopback",
            Self::Private => "private",
            Self::Public => "public",
            Self::Metadata => "where clouds keep the secrets of a machine",
            Self::LinkLocal => "link-local",
            Self::Multicast => "multicast",
            Self::Broadcast => "broadcast",
            Self::Unspecified => "no address of a machine",
            Self::Reserved => "reserved",
            Self::Translated => "a near IPv4 address behind a translator; name it as IPv4",
        })
    }
}

/// A range cut into pieces of one class each.
pub(super) fn pieces(span: Span) -> impl Iterator<Item = (Span, Class)> {
    let mut next = Some(span.first);
    std::iter::from_fn(move || {
        let first = next?;
        let class = Class::of(address(first));
        let mut last = end_of_run(first);
        while last < span.last && Class::of(address(last + 1)) == class {
            last = end_of_run(last + 1);
        }
        let last = last.min(span.last);
        next = last.checked_add(1).filter(|next| *next <= span.last);
        Some((Span { first, last }, class))
    })
}

/// The last address up to which nothing can change.
fn end_of_run(number: u128) -> u128 {
    let (top, low) = (number >> 96, u128::from(number as u32));
    let in_low = |low: u128| end_before_break(MAPPED | low) ^ MAPPED;
    match () {
        // Translators' addresses have the IPv4 address at their end, as has the old compatible form.
        () if top == 0x64_ff9b => (number ^ low) | in_low(low),
        () if (COMPATIBLE..1 << 32).contains(&number) => in_low(number),
        // 6to4 has it behind its prefix, and a network of its own behind each.
        () if number >> 112 == 0x2002 => {
            let four = u128::from((number >> 80) as u32);
            (0x2002 << 112) | (in_low(four) << 80) | ((1 << 80) - 1)
        }
        () => end_before_break(number),
    }
}

/// Compatible addresses begin above the few that mean something else.
const COMPATIBLE: u128 = 0x1_0000;

fn end_before_break(number: u128) -> u128 {
    let at = BREAKS.partition_point(|at| *at <= number);
    BREAKS.get(at).map_or(u128::MAX, |at| at - 1)
}

/// Networks at whose ends the class of an address may change.
const NETWORKS_V4: &[(Ipv4Addr, u8)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 0),
    (Ipv4Addr::new(0, 0, 0, 0), 32),
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    (Ipv4Addr::BROADCAST, 32),
];
const NETWORKS_V6: &[(Ipv6Addr, u8)] = &[
    (Ipv6Addr::UNSPECIFIED, 128),
    (Ipv6Addr::LOCALHOST, 128),
    (Ipv6Addr::UNSPECIFIED, 112),
    (Ipv6Addr::UNSPECIFIED, 96),
    (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8),
];

/// Every number at which a run begins.
static BREAKS: LazyLock<Vec<u128>> = LazyLock::new(|| {
    let four = NETWORKS_V4.iter().map(|(ip, bits)| (number(IpAddr::V4(*ip)), 96 + u32::from(*bits)));
    let six = NETWORKS_V6.iter().map(|(ip, bits)| (number(IpAddr::V6(*ip)), u32::from(*bits)));
    let metadata = METADATA_V4.iter().map(|ip| (number(IpAddr::V4(*ip)), 128));
    let metadata = metadata.chain(METADATA_V6.iter().map(|ip| (number(IpAddr::V6(*ip)), 128)));
    let mut breaks: Vec<u128> = four
        .chain(six)
        .chain(metadata)
        .flat_map(|(first, bits)| {
            let after =
                first.checked_add(u128::MAX.checked_shr(bits).unwrap_or(0)).and_then(|last| last.checked_add(1));
            [Some(first), after]
        })
        .flatten()
        .collect();
    breaks.sort_unstable();
    breaks.dedup();
    breaks
});

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(ips: &[&str], expected: Class) {
        for ip in ips {
            assert_eq!(Class::of(ip.parse().unwrap()), expected, "{ip}");
        }
    }

    #[test]
    fn every_sort_of_address_is_told_apart() {
        check(&["127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1"], Class::Loopback);
        check(
            &["10.0.0.0", "172.31.255.255", "192.168.255.255", "100.64.0.1", "fc00::1", "fdff::1", "fec0::1"],
            Class::Private,
        );
        check(
            &[
                "8.8.8.8",
                "172.32.0.0",
                "192.169.0.0",
                "11.0.0.0",
                "2606:4700::1",
                "64:ff9b::808:808",
                "2002:808:808::1",
            ],
            Class::Public,
        );
        check(
            &[
                "169.254.169.254",
                "169.254.170.2",
                "100.100.100.200",
                "168.63.129.16",
                "192.0.0.192",
                "fd00:ec2::254",
                "fd20:ce::254",
                "::ffff:169.254.169.254",
                "64:ff9b::a9fe:a9fe",
                "2002:a9fe:a9fe::1",
                "::169.254.169.254",
            ],
            Class::Metadata,
        );
        check(&["169.254.0.0", "169.254.255.255", "fe80::1", "febf::1", "64:ff9b::a9fe:1"], Class::LinkLocal);
        check(&["224.0.0.1", "239.255.255.255", "ff02::1", "ff00::", "64:ff9b::e000:1"], Class::Multicast);
        check(&["255.255.255.255", "::ffff:255.255.255.255", "64:ff9b::ffff:ffff"], Class::Broadcast);
        check(&["0.0.0.0", "::", "::ffff:0.0.0.0", "64:ff9b::"], Class::Unspecified);
        check(&["0.0.0.1", "0.255.255.255", "240.0.0.1", "::2", "100::1", "4000::1", "fe00::1"], Class::Reserved);
        check(
            &["64:ff9b::a00:1", "64:ff9b:1::7f00:1", "2002:7f00:1::", "2002:c0a8:101::5", "::10.0.0.1"],
            Class::Translated,
        );
    }

    /// The ends of every run, and what stands beside them.
    fn edges() -> Vec<u128> {
        let four = BREAKS.iter().filter_map(|at| u32::try_from(at ^ MAPPED).ok()).map(u128::from);
        let wrapped = four.flat_map(|four| {
            [(0x64_ff9b << 96) | four, (0x64_ff9b_0001 << 80) | four, four, (0x2002 << 112) | (four << 80)]
        });
        let all: Vec<u128> = BREAKS.iter().copied().chain(wrapped).collect();
        all.iter().flat_map(|at| [at.wrapping_sub(1), *at, at.wrapping_add(1)]).collect()
    }

    #[test]
    fn the_pieces_of_a_range_are_what_their_addresses_are() {
        let edges = edges();
        for edge in &edges {
            // Wide enough to meet several runs, narrow enough to look at each address.
            let span = Span { first: edge.saturating_sub(40), last: edge.saturating_add(40) };
            let mut next = span.first;
            for (piece, class) in pieces(span) {
                assert_eq!(piece.first, next);
                for number in piece.first..=piece.last {
                    assert_eq!(Class::of(address(number)), class, "{}", address(number));
                }
                next = piece.last.wrapping_add(1);
            }
            assert_eq!(next, span.last.wrapping_add(1));
        }
    }

    #[test]
    fn all_of_ipv4_takes_a_few_pieces() {
        let all = Span::between("0.0.0.0".parse().unwrap(), "255.255.255.255".parse().unwrap()).unwrap();
        let found: Vec<String> = pieces(all).map(|(span, class)| format!("{span} {class:?}")).collect();
        assert_eq!(found.len(), 30, "{found:#?}");
        assert_eq!(found.first().unwrap(), "0.0.0.0 Unspecified");
        assert_eq!(found.last().unwrap(), "255.255.255.255 Broadcast");
        assert!(found.contains(&"10.0.0.0-10.255.255.255 Private".to_owned()));
        assert!(found.contains(&"100.100.100.200 Metadata".to_owned()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_range_and_its_addresses_agree(four: u32, six: u128, length in 0_u128..1 << 33, at: u128) {
            for first in [
                MAPPED | u128::from(four),
                six,
                (0x64_ff9b << 96) | (six >> 32),
                (0x2002 << 112) | (six >> 16),
                six >> 96,
                (0xfd << 120) | (six >> 8),
            ] {
                let span = Span { first, last: first.saturating_add(length) };
                let number = first + at % span.count();
                let piece = pieces(span).find(|(piece, _)| (piece.first..=piece.last).contains(&number));
                prop_assert_eq!(piece.map(|(_, class)| class), Some(Class::of(address(number))));
            }
        }
    }
}
