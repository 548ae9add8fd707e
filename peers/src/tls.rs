//! TLS with certificates that are wrong in one way each. `peers/certificates/make.sh` makes them.

use std::io::{self, Write as _};
use std::net::TcpStream;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// Which certificate a service shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certificate {
    /// Right, for who trusts the authority of these tests.
    Good,
    Expired,
    WrongHost,
    SelfSigned,
}

impl Certificate {
    const fn pem(self) -> &'static [u8] {
        match self {
            Self::Good => include_bytes!("../certificates/good.pem"),
            Self::Expired => include_bytes!("../certificates/expired.pem"),
            Self::WrongHost => include_bytes!("../certificates/wrong-host.pem"),
            Self::SelfSigned => include_bytes!("../certificates/self-signed.pem"),
        }
    }
}

/// Speaks TLS on a connection from here on.
pub(crate) fn accept(
    connection: TcpStream,
    certificate: Certificate,
) -> io::Result<StreamOwned<ServerConnection, TcpStream>> {
    let chain = vec![CertificateDer::from_pem_slice(certificate.pem()).map_err(io::Error::other)?];
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("../certificates/leaf.key")).map_err(io::Error::other)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
        .map_err(io::Error::other)?;
    let tls = ServerConnection::new(Arc::new(config)).map_err(io::Error::other)?;
    Ok(StreamOwned::new(tls, connection))
}

/// Says that nothing more comes, without which the end of an answer could be anybody's doing.
pub(crate) fn close(mut connection: StreamOwned<ServerConnection, TcpStream>) -> io::Result<()> {
    connection.conn.send_close_notify();
    connection.flush()
}
