//! The pages as they are sent: compressed where that is understood, kept by browsers where the name changes with the
//! content, and allowed to load nothing from anywhere else.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::console::assets::{self, Asset};
use crate::problem::Problem;

/// What a page may do: run our own script, ask our own server, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The page that every address of the console begins with.
pub(super) async fn start() -> Response {
    match assets::find("index.html") {
        Some(asset) => sent(&asset, false, false),
        None => missing(),
    }
}

/// A file of the console, or the page, which knows what its address means.
pub(super) async fn show(Path(path): Path<String>, headers: HeaderMap) -> Response {
    let accepts = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let takes_gzip =
        accepts.split(',').any(|coding| coding.split(';').next().is_some_and(|name| name.trim() == "gzip"));
    match assets::find(&path) {
        Some(asset) => sent(&asset, takes_gzip, path.starts_with("assets/")),
        // A file that is not there is not the page: a script that gets a page instead fails in puzzling ways.
        None if is_file(&path) => Problem::unknown("File").into_response(),
        None => start().await,
    }
}

/// Whether an address means a file. Pages begin with a plain word; what follows may be anybody's name, with dots in it.
fn is_file(path: &str) -> bool {
    path.split('/').next().is_some_and(|first| first == "assets" || first.contains('.'))
}

fn sent(asset: &Asset, takes_gzip: bool, is_lasting: bool) -> Response {
    let body = if takes_gzip { asset.compressed.clone() } else { None };
    let is_compressed = body.is_some();
    let mut response = body.unwrap_or_else(|| asset.content.clone()).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.media));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_compressed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    let keeping = if is_lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keeping));
    response
}

fn missing() -> Response {
    let detail =
        "this program was built without the console; build it with npm at hand, or use the API and the commands";
    Problem::new(StatusCode::NOT_FOUND, "no_console", detail).into_response()
}
