//! The places that requests may go to at all, decided before the first of them is sent.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use super::NetError;

/// Names with the addresses that they had when somebody looked at them, and which addresses may be contacted.
///
/// Nothing is resolved again: a name that changes its mind between the check and the connection gains nothing.
#[derive(Clone)]
pub struct Bounds {
    names: Arc<BTreeMap<String, Vec<IpAddr>>>,
    admits: Arc<dyn Fn(IpAddr) -> bool + Send + Sync>,
}

impl Bounds {
    /// Bounds with these names, in lower case, and this word on addresses.
    pub fn new(names: BTreeMap<String, Vec<IpAddr>>, admits: impl Fn(IpAddr) -> bool + Send + Sync + 'static) -> Self {
        Self { names: Arc::new(names), admits: Arc::new(admits) }
    }

    /// Checks a URL before a request is made of it. Names are looked up when it is sent.
    pub(super) fn admit(&self, url: &Url) -> Result<(), NetError> {
        let ip = match url.host() {
            Some(Host::Ipv4(ip)) => IpAddr::V4(ip),
            Some(Host::Ipv6(ip)) => IpAddr::V6(ip),
            _ => return Ok(()),
        };
        if (self.admits)(ip) { Ok(()) } else { Err(NetError::Address { url: url.clone(), ip, why: OUTSIDE }) }
    }

    /// The addresses of a name, or that it has none here.
    fn addresses(&self, name: &str) -> Result<Vec<SocketAddr>, Outside> {
        let plain = name.trim_end_matches('.').to_ascii_lowercase();
        let known = self.names.get(&plain).map_or(&[][..], Vec::as_slice);
        let kept: Vec<SocketAddr> =
            known.iter().filter(|ip| (self.admits)(**ip)).map(|ip| SocketAddr::new(*ip, 0)).collect();
        if kept.is_empty() { Err(Outside { name: name.to_owned() }) } else { Ok(kept) }
    }
}

const OUTSIDE: &str = "it is not among the targets";

/// A name that is not among the targets.
#[derive(Debug, thiserror::Error)]
#[error("`{name}` is not among the targets")]
pub(super) struct Outside {
    name: String,
}

impl Resolve for Bounds {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.addresses(name.as_str());
        Box::pin(async move { Ok(Box::new(found?.into_iter()) as Addrs) })
    }
}

impl fmt::Debug for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bounds").field("names", &self.names).finish_non_exhaustive()
    }
}
