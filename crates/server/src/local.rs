//! The API without a socket, for whoever holds the data directory: commands use it when no server runs.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, header};
use tower::ServiceExt as _;

use crate::App;
use crate::caller::{Caller, Who};

/// Longest answer that is taken.
const MOST: usize = 256 << 20;

/// The API within this process.
#[derive(Debug, Clone)]
pub struct Local {
    router: Router,
    tenant: String,
}

/// What the API answered.
#[derive(Debug, Clone)]
pub struct LocalAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

impl Local {
    /// The API as the holder of the data directory uses it for a tenant.
    #[must_use]
    pub fn new(app: &App, tenant: &str) -> Self {
        Self { router: crate::route::router(app, crate::routes()), tenant: tenant.to_owned() }
    }

    /// Asks something.
    pub async fn ask(&self, method: Method, path: &str, body: Option<Vec<u8>>) -> Option<LocalAnswer> {
        let mut request = Request::builder().method(method).uri(path);
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let mut request = request.body(body.map_or_else(Body::empty, Body::from)).ok()?;
        request.extensions_mut().insert(Caller { tenant: self.tenant.clone(), who: Who::Operator });
        let response = self.router.clone().oneshot(request).await.ok()?;
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), MOST).await.ok()?.to_vec();
        Some(LocalAnswer { status, body })
    }
}
