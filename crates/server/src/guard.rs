//! Where a request comes from: the host that it names, and the page that made it.
//!
//! A token is no excuse: a page of a stranger must not be able to use a browser that has one, and a name that leads here
//! must be one of ours, or a stranger's name server could make it lead here.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;

/// Which hosts and pages are let in.
#[derive(Debug, Clone, Default)]
pub struct Doors {
    /// Names that the server goes by, besides loopback ones. Without port.
    pub hosts: Vec<String>,
    /// Pages that may ask, as `scheme://host:port`, besides our own.
    pub origins: Vec<String>,
}

/// Routes behind the check of where requests come from.
pub fn guarded(router: Router, doors: Doors) -> Router {
    router.layer(from_fn_with_state(Arc::new(doors), check))
}

async fn check(State(doors): State<Arc<Doors>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok());
    let host = host.or_else(|| request.uri().authority().map(axum::http::uri::Authority::as_str));
    let Some(host) = host.filter(|host| doors.is_ours(host)).map(ToOwned::to_owned) else {
        let detail = "the server does not go by this name; start it with `--host` to add one";
        return Problem::new(StatusCode::MISDIRECTED_REQUEST, "wrong_host", detail).into_response();
    };
    let origin = match origin(headers) {
        Ok(origin) => origin,
        Err(problem) => return problem.into_response(),
    };
    let Some(origin) = origin else { return plain(next.run(request).await) };
    if !doors.is_let_in(&origin, &host) {
        let detail = "this page may not ask; start the server with `--allow-origin` to let it";
        return Problem::new(StatusCode::FORBIDDEN, "wrong_origin", detail).into_response();
    }
    if request.method() == Method::OPTIONS && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
        return shared(StatusCode::NO_CONTENT.into_response(), &origin, true);
    }
    shared(plain(next.run(request).await), &origin, false)
}

fn origin(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut all = headers.get_all(header::ORIGIN).iter();
    let Some(first) = all.next() else { return Ok(None) };
    let text = first.to_str().ok().filter(|_| all.next().is_none());
    let wrong = || Problem::new(StatusCode::FORBIDDEN, "wrong_origin", "the origin can't be read");
    text.map(|text| Some(text.to_owned())).ok_or_else(wrong)
}

impl Doors {
    fn is_ours(&self, host: &str) -> bool {
        let name = without_port(host);
        let is_loopback = matches!(name, "localhost" | "127.0.0.1" | "[::1]");
        is_loopback || self.hosts.iter().any(|ours| ours.eq_ignore_ascii_case(name))
    }

    /// Our own page, or one that was let in by name.
    fn is_let_in(&self, origin: &str, host: &str) -> bool {
        let is_own = origin.split_once("://").is_some_and(|(_, place)| place.eq_ignore_ascii_case(host));
        is_own || self.origins.iter().any(|let_in| let_in.eq_ignore_ascii_case(origin))
    }
}

fn without_port(host: &str) -> &str {
    if host.starts_with('[') {
        return host.find(']').and_then(|end| host.get(..=end)).unwrap_or(host);
    }
    host.split(':').next().unwrap_or(host)
}

/// Answers are for the one who asked, and are what they say they are.
fn plain(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn shared(mut response: Response, origin: &str, is_question: bool) -> Response {
    let headers = response.headers_mut();
    if let Ok(origin) = HeaderValue::from_str(origin) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::VARY, HeaderValue::from_static("origin"));
    }
    if is_question {
        let methods = HeaderValue::from_static("GET, POST, PUT, DELETE");
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
        let allowed = HeaderValue::from_static("authorization, content-type, x-tracehound-tenant");
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_ours_are_answered() {
        let doors = Doors { hosts: vec!["gate.example".to_owned()], origins: Vec::new() };
        for ours in ["localhost", "localhost:7319", "127.0.0.1:1", "[::1]:7319", "gate.example", "GATE.example:443"] {
            assert!(doors.is_ours(ours), "{ours}");
        }
        for other in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "", "127.0.0.2", "[::2]"] {
            assert!(!doors.is_ours(other), "{other}");
        }
    }

    #[test]
    fn only_our_own_page_and_those_let_in_may_ask() {
        let doors = Doors { hosts: Vec::new(), origins: vec!["http://127.0.0.1:9000".to_owned()] };
        assert!(doors.is_let_in("http://127.0.0.1:9000", "127.0.0.1:7319"));
        assert!(doors.is_let_in("http://127.0.0.1:7319", "127.0.0.1:7319"));
        for other in ["http://127.0.0.1:9001", "https://evil.example", "null", ""] {
            assert!(!doors.is_let_in(other, "127.0.0.1:7319"), "{other}");
        }
    }
}
