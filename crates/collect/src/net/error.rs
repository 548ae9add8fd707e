//! Why a request was not made, or came to nothing.

use std::error::Error;
use std::net::IpAddr;
use std::time::Duration;

use url::Url;

/// A request that was refused or that failed.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The machinery itself.
    #[error("HTTP can't be used on this machine")]
    Client(#[source] reqwest::Error),
    /// Not something that is asked over HTTP.
    #[error("`{}` is neither http nor https", shown(.url))]
    Scheme {
        /// The address.
        url: Url,
    },
    /// Nowhere.
    #[error("`{}` names no host", shown(.url))]
    NoHost {
        /// The address.
        url: Url,
    },
    /// Neither the address of a service nor a path of one.
    #[error("`{text}` is no address of a service")]
    NoBase {
        /// What it is.
        text: String,
    },
    /// An address that may not be contacted.
    #[error("{ip} is not contacted: {why}")]
    Address {
        /// The address as it was written.
        url: Url,
        /// The address itself.
        ip: IpAddr,
        /// Why not.
        why: &'static str,
    },
    /// A name that leads to an address that may not be contacted.
    #[error("not contacted: {why}")]
    Name {
        /// The address as it was written.
        url: Url,
        /// Why not.
        why: String,
    },
    /// A redirect that is not followed.
    #[error("the redirect to `{}` is not followed: {why}", shown(.to))]
    Redirect {
        /// Where it came from.
        url: Url,
        /// Where it leads.
        to: Box<Url>,
        /// Why not.
        why: &'static str,
    },
    /// One redirect after the other.
    #[error("more than {limit} redirects, the last to `{}`", shown(.url))]
    Redirects {
        /// The last.
        url: Url,
        /// How many are followed.
        limit: usize,
    },
    /// It took too long.
    #[error("no answer within {} s", .after.as_secs_f32())]
    Timeout {
        /// Where it went.
        url: Url,
        /// How long was waited.
        after: Duration,
    },
    /// The answer is too long.
    #[error("the answer is longer than {limit} bytes")]
    TooLarge {
        /// Where it came from.
        url: Url,
        /// The limit.
        limit: usize,
    },
    /// The answer is compressed, and nobody asked for that.
    #[error("the answer is compressed, which was not asked for")]
    Compressed {
        /// Where it came from.
        url: Url,
    },
    /// The connection failed.
    #[error("{}", words(.source.as_ref()))]
    Failed {
        /// Where it went.
        url: Url,
        /// Why.
        source: Box<reqwest::Error>,
    },
}

impl NetError {
    pub(crate) fn timeout(url: &Url, after: Duration) -> Self {
        Self::Timeout { url: url.clone(), after }
    }

    pub(crate) fn sending(url: &Url, error: reqwest::Error) -> Self {
        let url = url.clone();
        if let Some(forbidden) = causes(&error).find_map(|cause| cause.downcast_ref::<super::resolver::Forbidden>()) {
            return Self::Name { url, why: forbidden.to_string() };
        }
        if let Some(outside) = causes(&error).find_map(|cause| cause.downcast_ref::<super::bounds::Outside>()) {
            return Self::Name { url, why: outside.to_string() };
        }
        // The URL may hold a secret, and whoever prints the error has said where it went.
        Self::Failed { url, source: Box::new(error.without_url()) }
    }

    /// What is wrong with the certificate of the other side, if that is why the connection failed.
    #[must_use]
    pub fn certificate_problem(&self) -> Option<String> {
        let Self::Failed { source, .. } = self else { return None };
        causes(source.as_ref()).find_map(|cause| match rustls_error(cause)? {
            rustls::Error::InvalidCertificate(problem) => Some(certificate_words(problem)),
            _ => None,
        })
    }

    /// Whether the guard refused, and not the other side.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        !matches!(self, Self::Client(_) | Self::Timeout { .. } | Self::Failed { .. })
    }
}

/// An error of TLS, which connections wrap into one of input and output, or into several.
fn rustls_error<'e>(cause: &'e (dyn Error + 'static)) -> Option<&'e rustls::Error> {
    let mut cause = cause;
    loop {
        if let Some(found) = cause.downcast_ref() {
            return Some(found);
        }
        cause = cause.downcast_ref::<std::io::Error>()?.get_ref()?;
    }
}

fn certificate_words(problem: &rustls::CertificateError) -> String {
    use rustls::CertificateError as Problem;
    let words = match problem {
        Problem::Expired | Problem::ExpiredContext { .. } => "it has expired",
        Problem::NotValidYet | Problem::NotValidYetContext { .. } => "it is not valid yet",
        Problem::UnknownIssuer => "nobody that this machine trusts has issued it",
        Problem::NotValidForName | Problem::NotValidForNameContext { .. } => "it is for another name",
        Problem::Revoked => "it was revoked",
        Problem::BadSignature => "its signature is wrong",
        other if format!("{other:?}").contains("CaUsedAsEndEntity") => {
            "it is self-signed: an authority's own certificate"
        }
        other => return format!("it is not valid ({other})"),
    };
    words.to_owned()
}

/// A URL without what may be secret in it.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // A URL that can't have a user has none to hide.
    let _ = url.set_username("").and_then(|()| url.set_password(None));
    url.set_query(None);
    url.set_fragment(None);
    url.to_string()
}

/// An error and what is behind it.
fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let current = next?;
        next = current.source();
        Some(current)
    })
}

/// The innermost cause, which is what a person can act on.
fn words(error: &reqwest::Error) -> String {
    let innermost = causes(error).last().map(ToString::to_string).unwrap_or_default();
    let what = if error.is_timeout() {
        "no connection in time"
    } else if error.is_connect() {
        "can't connect"
    } else {
        "the connection failed"
    };
    format!("{what}: {innermost}")
}
