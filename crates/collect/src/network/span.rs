//! Ranges of addresses, and sets of them.
//!
//! Both families live in one space of numbers: an IPv4 address stands where IPv6 maps it (`::ffff:0:0/96`), so the two
//! spellings of one machine are one address. Sets are kept as ranges and never listed out: a /8 costs what one address
//! costs.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where IPv6 maps IPv4.
pub(super) const MAPPED: u128 = 0xffff_0000_0000;

/// An address as a number.
pub(super) fn number(ip: IpAddr) -> u128 {
    match ip {
        IpAddr::V4(ip) => MAPPED | u128::from(ip.to_bits()),
        IpAddr::V6(ip) => ip.to_bits(),
    }
}

/// The address of a number; of a mapped one the IPv4 address.
pub(super) fn address(number: u128) -> IpAddr {
    match u32::try_from(number ^ MAPPED) {
        Ok(four) => IpAddr::V4(Ipv4Addr::from_bits(four)),
        Err(_) => IpAddr::V6(Ipv6Addr::from_bits(number)),
    }
}

/// A range of addresses, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    pub(super) first: u128,
    pub(super) last: u128,
}

impl Span {
    /// A single address.
    #[must_use]
    pub fn one(ip: IpAddr) -> Self {
        let number = number(ip);
        Self { first: number, last: number }
    }

    /// The addresses from one to another; none if they stand the wrong way round.
    #[must_use]
    pub fn between(first: IpAddr, last: IpAddr) -> Option<Self> {
        let (first, last) = (number(first), number(last));
        (first <= last).then_some(Self { first, last })
    }

    /// The first address.
    #[must_use]
    pub fn first(&self) -> IpAddr {
        address(self.first)
    }

    /// The last address.
    #[must_use]
    pub fn last(&self) -> IpAddr {
        address(self.last)
    }

    /// How many addresses there are. All of IPv6 is one more than can be told.
    #[must_use]
    pub fn count(&self) -> u128 {
        (self.last - self.first).saturating_add(1)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            return write!(f, "{}", self.first());
        }
        write!(f, "{}-{}", self.first(), self.last())
    }
}

/// A set of addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spans(
    // INVARIANT: in order, and neither touching nor overlapping.
    Vec<Span>,
);

impl FromIterator<Span> for Spans {
    fn from_iter<I: IntoIterator<Item = Span>>(spans: I) -> Self {
        let mut spans: Vec<Span> = spans.into_iter().collect();
        spans.sort_unstable();
        let mut merged: Vec<Span> = Vec::new();
        for span in spans {
            match merged.last_mut() {
                Some(before) if span.first <= before.last.saturating_add(1) => before.last = before.last.max(span.last),
                _ => merged.push(span),
            }
        }
        Self(merged)
    }
}

impl Spans {
    /// The ranges, in order.
    pub fn iter(&self) -> impl Iterator<Item = Span> + '_ {
        self.0.iter().copied()
    }

    /// Whether there are no addresses.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many addresses there are, at most as many as can be told.
    #[must_use]
    pub fn count(&self) -> u128 {
        self.iter().fold(0, |sum, span| sum.saturating_add(span.count()))
    }

    /// Whether an address is among them.
    #[must_use]
    pub fn contains(&self, ip: IpAddr) -> bool {
        let number = number(ip);
        let at = self.0.partition_point(|span| span.last < number);
        self.0.get(at).is_some_and(|span| span.first <= number)
    }

    /// These without others.
    #[must_use]
    pub fn without(&self, others: &Self) -> Self {
        let mut kept = Vec::new();
        let mut others = others.0.iter().peekable();
        for span in &self.0 {
            let mut first = Some(span.first);
            while let (Some(from), Some(other)) = (first, others.peek()) {
                if other.first > span.last {
                    break;
                }
                if other.last >= from {
                    if other.first > from {
                        kept.push(Span { first: from, last: other.first - 1 });
                    }
                    first = other.last.checked_add(1).filter(|next| *next <= span.last);
                }
                // One that reaches beyond this range may take something from the next.
                if other.last > span.last {
                    break;
                }
                others.next();
            }
            if let Some(first) = first {
                kept.push(Span { first, last: span.last });
            }
        }
        Self(kept)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spans(pairs: &[(u128, u128)]) -> Spans {
        pairs.iter().map(|(first, last)| Span { first: *first, last: *last }).collect()
    }

    fn shown(spans: &Spans) -> Vec<(u128, u128)> {
        spans.iter().map(|span| (span.first, span.last)).collect()
    }

    #[test]
    fn what_touches_becomes_one() {
        assert_eq!(shown(&spans(&[(5, 9), (1, 2), (3, 4), (20, 20), (7, 8)])), [(1, 9), (20, 20)]);
        assert_eq!(shown(&spans(&[(0, u128::MAX), (u128::MAX, u128::MAX)])), [(0, u128::MAX)]);
    }

    #[test]
    fn both_spellings_of_a_machine_are_one_address() {
        let four: IpAddr = "10.0.0.1".parse().unwrap();
        let six: IpAddr = "::ffff:10.0.0.1".parse().unwrap();
        assert_eq!(Span::one(four), Span::one(six));
        assert_eq!(Span::one(six).first(), four);
        assert_eq!(address(number("fd00::1".parse().unwrap())).to_string(), "fd00::1");
        assert_eq!(address(MAPPED + (1 << 32)).to_string(), "::1:0:0:0");
    }

    #[test]
    fn everything_is_counted_without_overflow() {
        let all = spans(&[(0, u128::MAX)]);
        assert_eq!(all.count(), u128::MAX);
        assert!(all.without(&all).is_empty());
        assert_eq!(shown(&all.without(&spans(&[(0, 4), (u128::MAX, u128::MAX)]))), [(5, u128::MAX - 1)]);
    }

    proptest! {
        #[test]
        fn sets_are_those_of_single_addresses(
            some in prop::collection::vec((0_u8..120, 0_u8..8), 0..12),
            others in prop::collection::vec((0_u8..120, 0_u8..8), 0..12),
        ) {
            let set = |pairs: &[(u8, u8)]| -> Spans {
                pairs.iter().map(|(first, more)| Span { first: (*first).into(), last: u128::from(first + more) }).collect()
            };
            let (some, others) = (set(&some), set(&others));
            let rest = some.without(&others);
            for number in 0..130 {
                let ip = address(number);
                prop_assert_eq!(rest.contains(ip), some.contains(ip) && !others.contains(ip));
            }
            prop_assert_eq!(rest.iter().collect::<Spans>(), rest);
        }
    }
}
