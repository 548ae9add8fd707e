//! A plan in the making: what of a wish is admitted, and what is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};

use super::refusal::{self, Refusal, Why};
use super::{Naming, Plan, Segment, Wish};
use crate::network::class::{Class, pieces};
use crate::network::ports::Ports;
use crate::network::span::{Span, Spans, address, number};
use crate::network::targets::Named;

/// The most addresses that nobody has to confirm.
const ADDRESSES_UNASKED: u64 = 1 << 16;
/// The most addresses of one scan.
const ADDRESSES: u64 = 1 << 24;
/// The most connections of one scan.
const CONNECTIONS: u64 = 1 << 30;
/// The most names of one scan.
const NAMES: usize = 4096;
/// The most addresses of one name.
const ADDRESSES_OF_NAME: usize = 64;
/// How many names are resolved at a time.
const RESOLVING: usize = 32;
/// How long a name may take.
const RESOLVE: Duration = Duration::from_secs(10);

/// What of a wish is admitted, and what is refused.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    plan: Plan,
    refused: Refusal,
    /// Public addresses are allowed, but by nobody in particular.
    is_unauthorized: bool,
}

impl Draft {
    /// Judges a wish. Each name in it is resolved once; nothing else is looked up and nothing is contacted.
    pub async fn make(wish: &Wish, resolve: impl AsyncFn(&str) -> io::Result<Vec<IpAddr>>) -> Self {
        let mut draft = Self::default();
        draft.plan.allows_public = wish.allow_public && wish.is_authorized;
        draft.is_unauthorized = wish.allow_public && !wish.is_authorized;
        let names: BTreeSet<&str> = [&wish.targets, &wish.exclude]
            .into_iter()
            .flat_map(|targets| targets.names.iter().map(|named| named.name.as_str()))
            .collect();
        if names.len() > NAMES {
            draft.refused.add(format_args!("{} names", names.len()), Why::ManyNames { limit: NAMES });
            return draft;
        }
        let found = look_up(names, resolve, RESOLVE).await;
        draft.lay_out(wish, &found);
        draft
    }

    /// The part that may be contacted.
    #[must_use]
    pub fn admitted(&self) -> &Plan {
        &self.plan
    }

    /// The part that may not.
    #[must_use]
    pub fn refused(&self) -> &Refusal {
        &self.refused
    }

    /// The plan, if nothing of the wish is refused.
    ///
    /// # Errors
    ///
    /// When any part is refused: then nothing is contacted at all.
    pub fn into_plan(self) -> Result<Plan, Refusal> {
        if self.refused.is_empty() { Ok(self.plan) } else { Err(self.refused) }
    }

    fn lay_out(&mut self, wish: &Wish, found: &Found<'_>) {
        let excluded = self.excluded(wish, found);
        let general = Arc::new(wish.ports.and(&wish.default_ports));
        let mut wide: Vec<Span> = wish.targets.spans.iter().collect();
        let mut own_ports: BTreeMap<u128, BTreeSet<u16>> = BTreeMap::new();
        let sites = wish.targets.sites.iter().filter(|site| !excluded.spans.contains(site.ip));
        for site in sites {
            own_ports.entry(number(site.ip)).or_default().insert(site.port);
            let naming = Naming { port: Some(site.port), name: None, scheme: site.scheme };
            self.plan.namings.entry(number(site.ip)).or_default().insert(naming);
        }
        for named in &wish.targets.names {
            for ip in self.admitted_addresses(named, found, &excluded.spans) {
                match named.port {
                    Some(port) => {
                        own_ports.entry(number(ip)).or_default().insert(port);
                    }
                    None => wide.push(Span::one(ip)),
                }
                let naming = Naming { port: named.port, name: Some(named.name.as_str().into()), scheme: named.scheme };
                self.plan.namings.entry(number(ip)).or_default().insert(naming);
            }
        }
        let wide = wide.into_iter().collect::<Spans>().without(&excluded.spans);
        if !wide.is_empty() && general.is_empty() {
            self.refused.add("the addresses", Why::NoPorts);
            return;
        }
        self.judge(segments(&wide, &general, &own_ports, &excluded.ports), wish);
    }

    /// What is to be left out. A name that can't be resolved might be anything, so it refuses the scan.
    fn excluded(&mut self, wish: &Wish, found: &Found<'_>) -> Excluded {
        let mut spans: Vec<Span> = wish.exclude.spans.iter().collect();
        let mut ports: BTreeMap<u128, BTreeSet<u16>> = BTreeMap::new();
        for site in &wish.exclude.sites {
            ports.entry(number(site.ip)).or_default().insert(site.port);
        }
        for named in &wish.exclude.names {
            let addresses = match found.get(named.name.as_str()) {
                Some(Ok(addresses)) => addresses.as_slice(),
                Some(Err(why)) => {
                    self.refused.add(&named.name, why.clone().of_exclusion());
                    &[]
                }
                None => &[],
            };
            for ip in addresses {
                match named.port {
                    Some(port) => {
                        ports.entry(number(*ip)).or_default().insert(port);
                    }
                    None => spans.push(Span::one(*ip)),
                }
            }
        }
        Excluded { spans: spans.into_iter().collect(), ports }
    }

    /// The addresses of a name, unless one of them is refused: it is no accident that both stand there.
    fn admitted_addresses(&mut self, named: &Named, found: &Found<'_>, excluded: &Spans) -> Vec<IpAddr> {
        let addresses = match found.get(named.name.as_str()) {
            Some(Ok(addresses)) => addresses,
            Some(Err(why)) => {
                self.refused.add(&named.name, why.clone());
                return Vec::new();
            }
            None => return Vec::new(),
        };
        let kept: Vec<IpAddr> = addresses.iter().copied().filter(|ip| !excluded.contains(*ip)).collect();
        for ip in &kept {
            if let Some(why) = self.refusal(Class::of(*ip)) {
                let why = Why::Leads { to: *ip, why: Box::new(why) };
                self.refused.add(&named.name, why);
                return Vec::new();
            }
        }
        self.plan.pins.insert(named.name.clone(), kept.clone());
        kept
    }

    /// Admits and refuses ranges.
    fn judge(&mut self, wanted: Vec<Segment>, wish: &Wish) {
        let whole = Plan { segments: wanted, ..Plan::default() };
        let (addresses, connections) = (whole.addresses(), whole.connections());
        if addresses == 0 && self.refused.is_empty() {
            self.refused.add("everything", Why::Nothing);
        }
        if addresses > ADDRESSES {
            self.refused.add(format_args!("{addresses} addresses"), Why::TooMany { limit: ADDRESSES });
            // Nobody reads what is wrong with parts of something so large, and IPv6 has a great many parts.
            return;
        }
        if addresses > ADDRESSES_UNASKED && !wish.many {
            self.refused.add(format_args!("{addresses} addresses"), Why::Many { limit: ADDRESSES_UNASKED });
        }
        if connections > CONNECTIONS {
            let why = Why::TooManyConnections { limit: CONNECTIONS };
            self.refused.add(format_args!("{connections} connections"), why);
        }
        let mut refused: Vec<(Span, Class)> = Vec::new();
        for segment in whole.segments {
            for (span, class) in pieces(segment.span) {
                match (self.refusal(class), refused.last_mut()) {
                    (None, _) => self.plan.segments.push(Segment { span, ports: Arc::clone(&segment.ports) }),
                    // A range is told as one even if single addresses of it have ports of their own.
                    (Some(_), Some((before, same)))
                        if *same == class && before.last.checked_add(1) == Some(span.first) =>
                    {
                        before.last = span.last;
                    }
                    (Some(_), _) => refused.push((span, class)),
                }
            }
        }
        for (span, class) in refused {
            if let Some(why) = self.refusal(class) {
                self.refused.add(span, why);
            }
        }
    }

    fn refusal(&self, class: Class) -> Option<Why> {
        match refusal::of_class(class, self.plan.allows_public) {
            Some(Why::Class(Class::Public)) if self.is_unauthorized => Some(Why::Unauthorized),
            why => why,
        }
    }
}

/// Places that are left out.
struct Excluded {
    spans: Spans,
    /// Of some addresses only ports.
    ports: BTreeMap<u128, BTreeSet<u16>>,
}

/// What each name led to.
pub(super) type Found<'n> = BTreeMap<&'n str, Result<Vec<IpAddr>, Why>>;

/// Resolves names, each once and within some time.
pub(super) async fn look_up<'n>(
    names: BTreeSet<&'n str>,
    resolve: impl AsyncFn(&str) -> io::Result<Vec<IpAddr>>,
    time: Duration,
) -> Found<'n> {
    let resolve = &resolve;
    let one = |name: &'n str| async move {
        let found = match tokio::time::timeout(time, resolve(name)).await {
            Err(_) => Err(Why::Unresolved(format!("no answer within {} s", time.as_secs_f32()))),
            Ok(Err(error)) => Err(Why::Unresolved(error.to_string())),
            Ok(Ok(found)) if found.is_empty() => Err(Why::Unresolved("there is none".to_owned())),
            Ok(Ok(found)) if found.len() > ADDRESSES_OF_NAME => Err(Why::ManyAddresses(ADDRESSES_OF_NAME)),
            Ok(Ok(found)) => {
                let unique: BTreeSet<IpAddr> = found.iter().map(IpAddr::to_canonical).collect();
                Ok(unique.into_iter().collect())
            }
        };
        (name, found)
    };
    stream::iter(names).map(one).buffer_unordered(RESOLVING).collect().await
}

/// Ranges with their ports: addresses with ports of their own, or less than the others have, stand alone.
fn segments(
    wide: &Spans,
    general: &Arc<Ports>,
    own: &BTreeMap<u128, BTreeSet<u16>>,
    excluded: &BTreeMap<u128, BTreeSet<u16>>,
) -> Vec<Segment> {
    let is_wide = |at: u128| wide.contains(address(at));
    let special: BTreeSet<u128> =
        own.keys().copied().chain(excluded.keys().copied().filter(|at| is_wide(*at))).collect();
    let alone = special.iter().filter_map(|at| {
        let set = |map: &BTreeMap<u128, BTreeSet<u16>>| map.get(at).into_iter().flatten().copied().collect::<Ports>();
        let all = if is_wide(*at) { general.and(&set(own)) } else { set(own) };
        let ports = all.without(&set(excluded));
        (!ports.is_empty()).then(|| Segment { span: Span { first: *at, last: *at }, ports: Arc::new(ports) })
    });
    let alone: Vec<Segment> = alone.collect();
    let special: Spans = special.iter().map(|at| Span { first: *at, last: *at }).collect();
    let together = wide.without(&special);
    let together = together.iter().map(|span| Segment { span, ports: Arc::clone(general) });
    let mut segments: Vec<Segment> = together.chain(alone).collect();
    segments.sort_unstable_by_key(|segment| segment.span);
    segments
}

impl Why {
    /// The same for a name that is to be left out.
    fn of_exclusion(self) -> Self {
        match self {
            Self::Unresolved(error) => Self::UnknownExclusion(error),
            other => other,
        }
    }
}
