//! Sockets: where to listen, with or without TLS, and how long a slow client is waited for.

mod taken;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt as _;

use taken::Taken;

/// How long open requests are waited for when the server stops.
const FAREWELL: Duration = Duration::from_secs(10);
/// The paths that documents are sent to.
const UPLOADS: [&str; 2] = ["/v1/estate/documents", "/api/v1/ingest"];
/// Most connections at one time.
const CONNECTIONS: usize = 16_384;

/// Why the server can't listen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListenError {
    /// Everybody could listen to tokens.
    #[error(
        "`{address}` is not a loopback address, and tokens would travel in the clear; give `--tls-cert` and `--tls-key`, or `--insecure-bind` if something in front of it does TLS"
    )]
    Exposed {
        /// Where it was to listen.
        address: SocketAddr,
    },
    /// The address can't be had.
    #[error("cannot listen on `{address}`")]
    Bind {
        /// Where it was to listen.
        address: SocketAddr,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// The certificate or key can't be used.
    #[error("cannot use `{path}` for TLS: {why}")]
    Tls {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
}

/// A certificate and its key, as files.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The certificate chain, PEM.
    pub certificate: std::path::PathBuf,
    /// The key, PEM.
    pub key: std::path::PathBuf,
}

/// How long clients are waited for.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For the head of a request, and for the first one.
    pub head: Duration,
    /// For a TLS handshake.
    pub handshake: Duration,
    /// For a whole request, its body included.
    pub request: Duration,
    /// For a request that brings a document, which may be large. That something comes all the time is seen to elsewhere.
    pub upload: Duration,
    /// For a client to take some of what it is sent, before it is taken to have gone.
    pub answer: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            handshake: Duration::from_secs(10),
            request: Duration::from_secs(30),
            upload: Duration::from_secs(600),
            answer: Duration::from_secs(60),
        }
    }
}

/// A socket that listens.
pub struct Listening {
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    patience: Patience,
}

impl std::fmt::Debug for Listening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Listening").field("is_tls", &self.tls.is_some()).finish_non_exhaustive()
    }
}

/// Whether an address may be listened on.
pub fn check_exposure(address: SocketAddr, has_tls: bool, is_insecure_wanted: bool) -> Result<(), ListenError> {
    if address.ip().is_loopback() || has_tls || is_insecure_wanted {
        return Ok(());
    }
    Err(ListenError::Exposed { address })
}

impl Listening {
    /// Listens.
    pub async fn on(
        address: SocketAddr,
        tls: Option<&TlsFiles>,
        is_insecure_wanted: bool,
    ) -> Result<Self, ListenError> {
        check_exposure(address, tls.is_some(), is_insecure_wanted)?;
        let tls = tls.map(acceptor).transpose()?;
        let bound = TcpListener::bind(address).await;
        let listener = bound.map_err(|source| ListenError::Bind { address, source })?;
        Ok(Self { listener, tls, patience: Patience::default() })
    }

    /// Waits for clients as long as this.
    #[must_use]
    pub const fn with_patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    /// Where it listens, the port included.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Whether it speaks TLS.
    #[must_use]
    pub const fn is_tls(&self) -> bool {
        self.tls.is_some()
    }

    /// Answers until told to stop, then finishes what is open.
    pub async fn serve(self, router: Router, mut stop: watch::Receiver<bool>) {
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        let patience = self.patience;
        let router = router.layer(axum::middleware::from_fn_with_state(patience, in_time));
        loop {
            let Ok(place) = places.clone().acquire_owned().await else { break };
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                _ = stop.wait_for(|is_over| *is_over) => break,
            };
            let Ok((stream, _)) = accepted else {
                // Out of file descriptors, most likely: somebody has to go first.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let (router, tls, stop) = (router.clone(), self.tls.clone(), stop.clone());
            tokio::spawn(async move {
                connection(stream, tls, patience, router, stop).await;
                drop(place);
            });
        }
        let all = u32::try_from(CONNECTIONS).unwrap_or(u32::MAX);
        let _ = tokio::time::timeout(FAREWELL, places.acquire_many(all)).await;
    }
}

async fn connection(
    stream: TcpStream,
    tls: Option<TlsAcceptor>,
    patience: Patience,
    router: Router,
    stop: watch::Receiver<bool>,
) {
    // Answers are small and complete; waiting for more to send along only delays them.
    let _ = stream.set_nodelay(true);
    match tls {
        None => speak(stream, patience, router, stop).await,
        Some(tls) => {
            if let Ok(Ok(stream)) = tokio::time::timeout(patience.handshake, tls.accept(stream)).await {
                speak(stream, patience, router, stop).await;
            }
        }
    }
}

async fn speak(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    patience: Patience,
    router: Router,
    mut stop: watch::Receiver<bool>,
) {
    let service = hyper::service::service_fn(move |request: Request<Incoming>| router.clone().oneshot(request));
    // One version, not a guess from the first bytes: whoever guesses waits for them, however long they take to come.
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience.head).max_buf_size(64 << 10);
    let stream = Taken::new(stream, patience.answer);
    let serving = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        _ = serving.as_mut() => return,
        _ = stop.wait_for(|is_over| *is_over) => serving.as_mut().graceful_shutdown(),
    }
    let _ = serving.await;
}

/// A request that takes too long is given up, whoever is slow.
async fn in_time(
    axum::extract::State(patience): axum::extract::State<Patience>,
    request: Request,
    next: axum::middleware::Next,
) -> axum::response::Response {
    use axum::response::IntoResponse as _;
    let is_upload = UPLOADS.contains(&request.uri().path());
    let patience = if is_upload { patience.upload } else { patience.request };
    match tokio::time::timeout(patience, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let detail = format!("the request took longer than {} seconds", patience.as_secs_f32());
            let status = axum::http::StatusCode::REQUEST_TIMEOUT;
            crate::problem::Problem::new(status, "timeout", detail).into_response()
        }
    }
}

fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor, ListenError> {
    use rustls::pki_types::pem::PemObject as _;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    let wrong = |path: &Path, why: String| ListenError::Tls { path: path.display().to_string(), why };
    let chain = CertificateDer::pem_file_iter(&files.certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| wrong(&files.certificate, error.to_string()))?;
    let key = PrivateKeyDer::from_pem_file(&files.key).map_err(|error| wrong(&files.key, error.to_string()))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(&files.certificate, error.to_string()))?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(|error| wrong(&files.certificate, error.to_string()))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_do_not_travel_in_the_clear_unless_somebody_says_so() {
        let check =
            |address: &str, has_tls, is_wanted| check_exposure(address.parse().unwrap(), has_tls, is_wanted).is_ok();
        assert!(check("127.0.0.1:7319", false, false) && check("[::1]:7319", false, false));
        assert!(
            !check("0.0.0.0:7319", false, false)
                && !check("192.0.2.1:80", false, false)
                && !check("[::]:80", false, false)
        );
        assert!(check("0.0.0.0:7319", true, false) && check("0.0.0.0:7319", false, true));
    }
}
