//! Asking a server that runs on this machine, as the holder of its data directory.
//!
//! While a server runs it owns the store. It leaves its address and a token in the data directory, readable by its owner
//! alone, and commands go through it.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, header};
use hyper_util::rt::TokioIo;
use serde::{Deserialize, Serialize};
use tokio::net::TcpStream;

use crate::local::LocalAnswer;

/// The name of the file within the data directory.
const FILE: &str = "serve.json";
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long an answer to a document may take.
const UPLOAD: Duration = Duration::from_secs(600);
/// Longest answer that is taken.
const MOST: usize = 256 << 20;

/// Where a running server can be asked.
#[derive(Clone, Serialize, Deserialize)]
pub struct HandOver {
    /// Where it listens for its owner: a loopback address without TLS.
    pub address: SocketAddr,
    /// The operator's token.
    pub token: String,
    /// The server's process.
    pub process: u32,
}

impl std::fmt::Debug for HandOver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HandOver({})", self.address)
    }
}

impl HandOver {
    /// Leaves it in a data directory, for its owner alone.
    pub fn leave(&self, directory: &Path) -> io::Result<()> {
        use std::io::Write as _;
        let beside = directory.join("serve.json.new");
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&beside)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.sync_all()?;
        fs::rename(beside, directory.join(FILE))
    }

    /// Takes it away again. Nobody minds if it is gone.
    pub fn take_away(directory: &Path) {
        let _ = fs::remove_file(directory.join(FILE));
    }

    /// What a server left.
    pub fn find(directory: &Path) -> io::Result<Self> {
        Ok(serde_json::from_slice(&fs::read(directory.join(FILE))?)?)
    }

    /// Hands the server a document for a tenant.
    pub async fn hand_in(&self, tenant: &str, document: Vec<u8>) -> io::Result<LocalAnswer> {
        let asking = self.send(tenant, Method::POST, "/v1/estate/documents", Some(document));
        tokio::time::timeout(UPLOAD, asking).await.unwrap_or_else(|_| Err(late()))
    }

    /// Asks the server something for a tenant.
    pub async fn ask(
        &self,
        tenant: &str,
        method: Method,
        path: &str,
        body: Option<Vec<u8>>,
    ) -> io::Result<LocalAnswer> {
        let asking = self.send(tenant, method, path, body);
        tokio::time::timeout(PATIENCE, asking).await.unwrap_or_else(|_| Err(late()))
    }

    async fn send(&self, tenant: &str, method: Method, path: &str, body: Option<Vec<u8>>) -> io::Result<LocalAnswer> {
        let stream = TcpStream::connect(self.address).await?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
        tokio::spawn(connection);
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, "localhost");
        request = request.header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        request = request.header("x-tracehound-tenant", tenant);
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let request = request.body(body.map_or_else(Body::empty, Body::from)).map_err(io::Error::other)?;
        let response = sender.send_request(request).await.map_err(io::Error::other)?;
        let status = response.status().as_u16();
        let body = to_bytes(Body::new(response.into_body()), MOST).await.map_err(io::Error::other)?;
        Ok(LocalAnswer { status, body: body.to_vec() })
    }
}

fn late() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the server did not answer in time")
}
