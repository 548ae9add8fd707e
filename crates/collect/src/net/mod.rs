//! The one way out: every request to another party passes this guard.
//!
//! It decides by the address that is really connected to, not by the name that was asked for, so a name that changes its
//! mind between the check and the connection gains nothing. Proxies of the environment are not used: behind one, nobody
//! here could tell where a request ends. Compressed answers are refused, so that nothing can grow after it was counted.

pub(crate) mod address;
mod answer;
mod bounds;
mod error;
mod reading;
mod resolver;
mod site;

use std::sync::{Arc, Once};
use std::time::Duration;

use reqwest::dns::Resolve;
use reqwest::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderValue, LOCATION};
use reqwest::redirect::Policy as Redirects;
use reqwest::{Client, Method, Response, StatusCode};
use url::Url;

pub use answer::Answer;
use answer::is_compressed;
pub(crate) use answer::read_bounded;
pub use bounds::Bounds;
pub use error::NetError;
pub use reading::{Certificate, Reader, Reading};
use resolver::Checked;
pub(crate) use site::{is_same_origin, is_same_site};

/// Redirects of one request that are followed.
const REDIRECTS: usize = 3;
/// Longest time for a connection to come about.
const CONNECT: Duration = Duration::from_secs(10);

/// Where requests may go.
#[derive(Debug, Clone, Copy, Default)]
pub struct Policy {
    /// Addresses of this machine and of private networks may be contacted even if only another party named them.
    pub allow_private: bool,
}

/// Who named the place that a request goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// The user, on the command line or in a configuration.
    Asked,
    /// Somebody that was contacted: a redirect, a document, a card.
    Told,
}

/// A request that reads.
#[derive(Debug)]
pub struct Ask<'a> {
    /// Where it goes.
    pub url: &'a Url,
    /// Who named that.
    pub trust: Trust,
    /// What is wanted, as in the header `Accept`.
    pub accept: &'static str,
    /// Further headers, which go to this very origin only.
    pub headers: &'a HeaderMap,
    /// Longest body.
    pub bytes: usize,
    /// Longest time for all of it.
    pub time: Duration,
}

/// A request of any sort, whose body is read by whoever sends it.
#[derive(Debug, Clone)]
pub(crate) struct Sending<'a> {
    pub(crate) method: Method,
    pub(crate) url: &'a Url,
    pub(crate) trust: Trust,
    /// Headers that hold for every hop.
    pub(crate) headers: HeaderMap,
    /// Headers that go to this very origin only.
    pub(crate) own_headers: &'a HeaderMap,
    pub(crate) body: Option<Vec<u8>>,
}

/// The guard.
#[derive(Debug, Clone)]
pub struct Guard {
    asked: Client,
    told: Client,
    policy: Policy,
    bounds: Option<Bounds>,
}

impl Guard {
    /// A guard that keeps to a policy.
    ///
    /// # Errors
    ///
    /// When the machine's certificates can't be read.
    pub fn new(policy: Policy) -> Result<Self, NetError> {
        Self::build(policy, None)
    }

    /// A guard that contacts nobody out of these bounds.
    ///
    /// # Errors
    ///
    /// When the machine's certificates can't be read.
    pub fn within(bounds: Bounds) -> Result<Self, NetError> {
        Self::build(Policy::default(), Some(bounds))
    }

    fn build(policy: Policy, bounds: Option<Bounds>) -> Result<Self, NetError> {
        use_one_provider();
        let client = |trust| {
            let resolver: Arc<dyn Resolve> = match &bounds {
                Some(bounds) => Arc::new(bounds.clone()),
                None => Arc::new(Checked { trust, policy }),
            };
            Client::builder()
                .user_agent(concat!("tracehound/", env!("CARGO_PKG_VERSION")))
                .redirect(Redirects::none())
                .referer(false)
                .no_proxy()
                .connect_timeout(CONNECT)
                .http1_max_headers(100)
                .dns_resolver(resolver)
                .build()
                .map_err(NetError::Client)
        };
        Ok(Self { asked: client(Trust::Asked)?, told: client(Trust::Told)?, policy, bounds })
    }

    /// Reads what is at an address.
    ///
    /// # Errors
    ///
    /// When the address may not be contacted, nobody answers there in time, or the answer is too long.
    pub async fn get(&self, ask: &Ask<'_>) -> Result<Answer, NetError> {
        let accept = HeaderMap::from_iter([(reqwest::header::ACCEPT, HeaderValue::from_static(ask.accept))]);
        let sending = Sending {
            method: Method::GET,
            url: ask.url,
            trust: ask.trust,
            headers: accept,
            own_headers: ask.headers,
            body: None,
        };
        let whole = async { Answer::read(self.send(sending).await?, ask.bytes).await };
        tokio::time::timeout(ask.time, whole).await.map_err(|_| NetError::timeout(ask.url, ask.time))?
    }

    /// Sends a request and follows its redirects. The body of the answer is yet to come.
    pub(crate) async fn send(&self, sending: Sending<'_>) -> Result<Response, NetError> {
        let (mut url, mut trust) = (sending.url.clone(), sending.trust);
        for _ in 0..=REDIRECTS {
            let response = self.hop(&sending, &url, trust).await?;
            let Some(next) = next_hop(&response, &url, &sending.method)? else {
                return if is_compressed(&response) { Err(NetError::Compressed { url }) } else { Ok(response) };
            };
            // Another place that only the answer named is held to stricter rules, unless it is the very same origin.
            if !is_same_origin(&url, &next) {
                trust = Trust::Told;
            }
            url = next;
        }
        Err(NetError::Redirects { url, limit: REDIRECTS })
    }

    async fn hop(&self, sending: &Sending<'_>, url: &Url, trust: Trust) -> Result<Response, NetError> {
        address::admit(url, trust, self.policy)?;
        self.bounds.as_ref().map_or(Ok(()), |bounds| bounds.admit(url))?;
        let client = if trust == Trust::Asked { &self.asked } else { &self.told };
        let mut headers = sending.headers.clone();
        if is_same_origin(url, sending.url) {
            headers.extend(sending.own_headers.clone());
        } else {
            headers.remove(AUTHORIZATION);
            headers.remove(COOKIE);
        }
        let mut request = client.request(sending.method.clone(), url.clone()).headers(headers);
        if let Some(body) = &sending.body {
            request = request.body(body.clone());
        }
        request.send().await.map_err(|error| NetError::sending(url, error))
    }
}

/// Chooses the crypto provider of TLS.
fn use_one_provider() {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        // Whoever was first has chosen; there is one provider in the binary.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

/// Where a redirect leads, if the answer is one and may be followed.
fn next_hop(response: &Response, url: &Url, method: &Method) -> Result<Option<Url>, NetError> {
    let status = response.status();
    // Others turn a request with a body into one without, which is not what was asked.
    let keeps_method = matches!(status, StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
    if !status.is_redirection() || status == StatusCode::NOT_MODIFIED {
        return Ok(None);
    }
    let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
    let Some(next) = location.and_then(|location| url.join(location).ok()) else {
        return Ok(None);
    };
    let refused = |why: &'static str| NetError::Redirect { url: url.clone(), to: Box::new(next.clone()), why };
    if url.scheme() == "https" && next.scheme() != "https" {
        return Err(refused("it is not encrypted, and this address is"));
    }
    if !is_same_site(url, &next) {
        return Err(refused("it is of another site; scan it itself if that is right"));
    }
    if *method != Method::GET && !keeps_method {
        return Err(refused("only status 307 and 308 keep a request as it is"));
    }
    Ok(Some(next))
}

#[cfg(test)]
mod tests;
