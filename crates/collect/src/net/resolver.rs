//! Names become addresses here, once, and only those that may be contacted are handed on.

use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address::refusal;
use super::{Policy, Trust};

/// Resolves as the machine does, and leaves out what may not be contacted.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) trust: Trust,
    pub(super) policy: Policy,
}

/// A name that leads only to addresses that may not be contacted.
#[derive(Debug, thiserror::Error)]
#[error("`{name}` is {address}: {why}")]
pub(super) struct Forbidden {
    name: String,
    address: std::net::IpAddr,
    why: &'static str,
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let (trust, policy) = (self.trust, self.policy);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let mut refused = None;
            let mut kept: Vec<SocketAddr> = Vec::new();
            for address in found {
                match refusal(address.ip(), trust, policy) {
                    None => kept.push(address),
                    Some(why) => refused = refused.or(Some((address.ip(), why))),
                }
            }
            match refused {
                // One address that may not be contacted spoils the name: it is no accident that both stand there.
                Some((address, why)) => Err(Forbidden { name: name.as_str().to_owned(), address, why }.into()),
                None => Ok(Box::new(kept.into_iter()) as Addrs),
            }
        })
    }
}
