//! Services that were known before the scan, and what has become of them.
//!
//! One that is there no more is said to be gone only if its place was refused, or answers as something else. A place that
//! is silent may be back tomorrow.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

use tracehound_model::NodeKind;
use url::Url;

use super::scan::Found;
use super::sweep::Outcome;
use super::{Place, Plan};
use crate::address::{Address, Reach};
use crate::net::Reading;

/// The known services at the places of a plan.
#[derive(Debug)]
pub(super) struct Watched {
    /// The `host:port` of endpoints, by where they are.
    places: HashMap<Place, BTreeSet<String>>,
    kinds: BTreeMap<String, BTreeSet<NodeKind>>,
    refused: Mutex<BTreeSet<String>>,
}

impl Watched {
    pub(super) fn new(plan: &Plan, known: &[(NodeKind, String)]) -> Self {
        let mut watched = Self { places: HashMap::new(), kinds: BTreeMap::new(), refused: Mutex::default() };
        for (kind, endpoint) in known {
            let Ok(url) = Url::parse(endpoint) else { continue };
            let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else { continue };
            let own = host.trim_matches(['[', ']']).parse::<IpAddr>().ok();
            // A machine's names for itself need no looking up.
            let is_near = own.is_none() && Address::of_url(endpoint).reach == Reach::Local;
            let near = is_near.then_some([IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)]);
            let pinned = plan.pins().get(&host.to_ascii_lowercase()).map_or(&[][..], Vec::as_slice);
            let text = format!("{host}:{port}");
            for address in own
                .into_iter()
                .chain(near.into_iter().flatten())
                .chain(pinned.iter().copied())
                .filter(|address| plan.admits(*address))
            {
                watched.places.entry(Place { address, port }).or_default().insert(text.clone());
                watched.kinds.entry(text.clone()).or_default().insert(*kind);
            }
        }
        watched
    }

    /// Takes note of how a place was found.
    pub(super) fn note(&self, place: Place, outcome: Outcome) {
        let Some(texts) = self.places.get(&place).filter(|_| outcome == Outcome::Closed) else { return };
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).extend(texts.iter().cloned());
    }

    /// The `host:port` of known services that are there no more.
    pub(super) fn gone(&self, found: &[Found]) -> Vec<String> {
        let mut gone = self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for Found { looked, .. } in found {
            let Some(base) = looked.reading.as_ref().map(Reading::base) else { continue };
            // A question that was not answered may be the one that would have told.
            if !looked.problems.is_empty() {
                continue;
            }
            let text = base.split_once("://").map_or(base, |(_, place)| place);
            let there: BTreeSet<NodeKind> = looked.services.iter().map(|(kind, ..)| *kind).collect();
            if self.kinds.get(text).is_some_and(|known| !known.is_subset(&there)) {
                gone.insert(text.to_owned());
            }
        }
        gone.into_iter().collect()
    }
}
