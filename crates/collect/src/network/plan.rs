//! The places that a scan contacts, decided before it contacts the first.
//!
//! A plan can only be made through a [`Draft`], which judges every address and refuses all of a scan if it refuses part
//! of it. Names are resolved there, once, and what they led to then is what is contacted. Addresses stay ranges; places
//! are made one block at a time as they are visited.

mod draft;
mod refusal;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use super::class::Class;
use super::ports::Ports;
use super::span::{Span, address, number};
use super::targets::{Scheme, Targets};
pub use draft::Draft;
pub use refusal::{Refusal, Refused, Why};

/// How many addresses are visited together, port by port: enough that one machine is not asked for all its ports in a
/// row.
const BLOCK: usize = 256;

/// What a user wants scanned, and how much of it is allowed.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// What is to be scanned.
    pub targets: Targets,
    /// What of it is not.
    pub exclude: Targets,
    /// Ports of the user, besides the usual ones.
    pub ports: Ports,
    /// The usual ports.
    pub default_ports: Ports,
    /// Public addresses may be contacted.
    pub allow_public: bool,
    /// There is an authorisation for that.
    pub is_authorized: bool,
    /// So may more addresses than anybody names by accident.
    pub many: bool,
}

/// What a connection is made to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The address.
    pub address: IpAddr,
    /// The port.
    pub port: u16,
}

/// How a user named a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Called<'p> {
    /// The name of its host, unless it was named by its address.
    pub name: Option<&'p str>,
    /// How it is spoken to, if a URL said so.
    pub scheme: Option<Scheme>,
}

/// An address and what of it is contacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host<'p> {
    /// The address.
    pub address: IpAddr,
    /// What it is.
    pub class: Class,
    /// The names that led to it.
    pub names: Vec<&'p str>,
    /// Its ports.
    pub ports: &'p Ports,
    /// What URLs said about its ports.
    pub schemes: Vec<(u16, Scheme)>,
}

/// Addresses with the same ports.
#[derive(Debug, Clone)]
struct Segment {
    span: Span,
    ports: Arc<Ports>,
}

/// How an address was named other than by being in a range.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Naming {
    /// The only port that it holds for.
    port: Option<u16>,
    name: Option<Arc<str>>,
    scheme: Option<Scheme>,
}

/// Everything that a scan contacts.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    // INVARIANT: in the order of their addresses, which they do not share.
    segments: Vec<Segment>,
    namings: BTreeMap<u128, BTreeSet<Naming>>,
    pins: BTreeMap<String, Vec<IpAddr>>,
    allows_public: bool,
}

impl Plan {
    /// How many addresses are contacted.
    #[must_use]
    pub fn addresses(&self) -> u64 {
        let count = |segment: &Segment| u64::try_from(segment.span.count()).unwrap_or(u64::MAX);
        self.segments.iter().fold(0, |sum, segment| sum.saturating_add(count(segment)))
    }

    /// How many connections are tried.
    #[must_use]
    pub fn connections(&self) -> u64 {
        let count = |segment: &Segment| u64::try_from(segment.span.count()).unwrap_or(u64::MAX);
        let of = |segment: &Segment| count(segment).saturating_mul(segment.ports.count());
        self.segments.iter().fold(0, |sum, segment| sum.saturating_add(of(segment)))
    }

    /// Everything that is contacted, in the order in which it is: some addresses at a time, port by port.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.blocks().flat_map(Block::into_places)
    }

    fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        let mut cursor = Cursor::default();
        std::iter::from_fn(move || self.next_block(&mut cursor))
    }

    /// The next addresses that are visited together. Each address is in one block only.
    pub(super) fn next_block(&self, cursor: &mut Cursor) -> Option<Block> {
        let mut hosts = Vec::new();
        while let Some(segment) = self.segments.get(cursor.segment) {
            let room = (BLOCK - hosts.len()) as u128;
            let first = segment.span.first + cursor.offset;
            let last = segment.span.last.min(first.saturating_add(room - 1));
            hosts.extend((first..=last).map(|number| (address(number), Arc::clone(&segment.ports))));
            cursor.offset = last - segment.span.first + 1;
            if last == segment.span.last {
                *cursor = Cursor { segment: cursor.segment + 1, offset: 0 };
            }
            if hosts.len() == BLOCK {
                break;
            }
        }
        (!hosts.is_empty()).then_some(Block { hosts })
    }

    /// Every address that is contacted, in order.
    pub fn hosts(&self) -> impl Iterator<Item = Host<'_>> + '_ {
        self.segments.iter().flat_map(|segment| {
            (segment.span.first..=segment.span.last).map(|number| self.host(number, &segment.ports))
        })
    }

    fn host<'p>(&'p self, number: u128, ports: &'p Ports) -> Host<'p> {
        let namings = || self.namings.get(&number).into_iter().flatten();
        let names: BTreeSet<&str> = namings().filter_map(|naming| naming.name.as_deref()).collect();
        let schemes: BTreeSet<(u16, Scheme)> = namings()
            .filter_map(|naming| naming.port.zip(naming.scheme))
            .filter(|(port, _)| ports.contains(*port))
            .collect();
        let address = address(number);
        Host {
            address,
            class: Class::of(address),
            names: names.into_iter().collect(),
            ports,
            schemes: schemes.into_iter().collect(),
        }
    }

    /// Whether an address is contacted: the last question before each connection. It looks at the address anew and not
    /// only at what was decided about its range.
    #[must_use]
    pub fn admits(&self, ip: IpAddr) -> bool {
        let number = number(ip);
        let at = self.segments.partition_point(|segment| segment.span.last < number);
        let is_listed = self.segments.get(at).is_some_and(|segment| segment.span.first <= number);
        is_listed && refusal::of_class(Class::of(ip), self.allows_public).is_none()
    }

    /// The names that were resolved, and the addresses that they stand for from then on.
    #[must_use]
    pub fn pins(&self) -> &BTreeMap<String, Vec<IpAddr>> {
        &self.pins
    }

    /// How the user named a place, if by more than a range or an address.
    #[must_use]
    pub fn names_of(&self, place: Place) -> Vec<Called<'_>> {
        let namings = self.namings.get(&number(place.address)).into_iter().flatten();
        let found: BTreeSet<Called<'_>> = namings
            .filter(|naming| naming.port.is_none_or(|port| port == place.port))
            .map(|naming| Called { name: naming.name.as_deref(), scheme: naming.scheme })
            .collect();
        // A URL says more than the same host without a scheme, and anything says more than an address alone.
        let is_said_better = |called: &Called<'_>| {
            let says_more = |other: &Called<'_>| match called.name {
                Some(_) => other.name == called.name && other.scheme.is_some(),
                None => other.name.is_some() || other.scheme.is_some(),
            };
            called.scheme.is_none() && found.iter().any(says_more)
        };
        found.iter().filter(|called| !is_said_better(called)).copied().collect()
    }
}

/// How far a plan was visited.
#[derive(Debug, Default)]
pub(super) struct Cursor {
    segment: usize,
    /// Within the segment.
    offset: u128,
}

/// Some addresses and their ports.
#[derive(Debug)]
pub(super) struct Block {
    hosts: Vec<(IpAddr, Arc<Ports>)>,
}

impl Block {
    /// The places of these addresses: each one's first port, then each one's second, and so on.
    pub(super) fn into_places(self) -> impl Iterator<Item = Place> {
        let most = self.hosts.iter().map(|(_, ports)| ports.count()).max().unwrap_or(0);
        (0..most).flat_map(move |at| {
            let nth =
                |(address, ports): &(IpAddr, Arc<Ports>)| ports.nth(at).map(|port| Place { address: *address, port });
            self.hosts.iter().filter_map(nth).collect::<Vec<_>>()
        })
    }
}

/// The addresses of a name, as the machine resolves it.
///
/// # Errors
///
/// When the machine can't tell.
pub async fn resolve(name: &str) -> io::Result<Vec<IpAddr>> {
    Ok(tokio::net::lookup_host((name, 0)).await?.map(|found| found.ip()).collect())
}

#[cfg(test)]
mod tests;
