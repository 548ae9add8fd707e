//! The cookie that carries a session, and the pages that may use it.
//!
//! A browser sends a cookie whoever made the request. So a session counts only for requests of our own pages: strictly the
//! same origin, not merely the same site, and what changes something must carry a header that no foreign page can set.

use axum::http::{HeaderMap, HeaderValue, Method, header};

use crate::console::session::SESSION;

/// The header that our own pages send along with whatever changes something.
pub(crate) const HEADER: &str = "x-tracehound-console";

/// The value of the cookie, if the request is one of our own page's.
pub(crate) fn session<'h>(headers: &'h HeaderMap, name: &str, method: &Method) -> Option<&'h str> {
    is_own_page(headers, method).then(|| value(headers, name)).flatten()
}

/// The value of the cookie, whoever sent it.
pub(crate) fn value<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let pairs = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs = pairs.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value).filter(|value| !value.is_empty())
}

fn is_own_page(headers: &HeaderMap, method: &Method) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let is_own = |origin: &str| {
        let place = origin.split_once("://").map(|(_, place)| place);
        place.is_some() && place.zip(text("host")).is_some_and(|(place, host)| place.eq_ignore_ascii_case(host))
    };
    let is_from_here = text("sec-fetch-site").is_none_or(|site| matches!(site, "same-origin" | "none"));
    let origin = text("origin");
    let is_harmless = matches!(*method, Method::GET | Method::HEAD);
    // A socket is opened with GET and can do more than look: there the origin has to be said.
    let is_socket = text("upgrade").is_some();
    match origin {
        Some(origin) if !is_own(origin) => false,
        None if is_socket => false,
        _ => is_from_here && (is_harmless || text(HEADER) == Some("1")),
    }
}

/// Sets the cookie.
pub(crate) fn set(name: &str, session: &str, is_secure: bool) -> Option<HeaderValue> {
    let secure = if is_secure { "; Secure" } else { "" };
    let age = SESSION.as_secs();
    let text = format!("{name}={session}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}");
    HeaderValue::from_str(&text).ok()
}

/// Takes the cookie away.
pub(crate) fn clear(name: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(&format!("{name}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("host", HeaderValue::from_static("127.0.0.1:7319"));
        headers.insert("cookie", HeaderValue::from_static("other=1; th=abc"));
        for (name, value) in pairs {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn our_own_page_may_look_and_with_the_header_change() {
        assert_eq!(session(&headers(&[]), "th", &Method::GET), Some("abc"));
        assert_eq!(session(&headers(&[("origin", "http://127.0.0.1:7319")]), "th", &Method::GET), Some("abc"));
        assert_eq!(session(&headers(&[]), "th", &Method::POST), None);
        assert_eq!(session(&headers(&[("x-tracehound-console", "1")]), "th", &Method::POST), Some("abc"));
        assert_eq!(session(&headers(&[]), "someone", &Method::GET), None);
    }

    #[test]
    fn a_page_on_another_port_of_this_machine_is_a_stranger() {
        for strange in ["http://127.0.0.1:9000", "http://localhost:7319", "null", ""] {
            let headers = headers(&[("origin", strange), ("x-tracehound-console", "1")]);
            assert_eq!(session(&headers, "th", &Method::GET), None, "{strange}");
        }
        let same_site = headers(&[("sec-fetch-site", "same-site")]);
        assert_eq!(session(&same_site, "th", &Method::GET), None);
    }

    #[test]
    fn a_socket_says_where_it_comes_from() {
        assert_eq!(session(&headers(&[("upgrade", "websocket")]), "th", &Method::GET), None);
        let own = headers(&[("upgrade", "websocket"), ("origin", "http://127.0.0.1:7319")]);
        assert_eq!(session(&own, "th", &Method::GET), Some("abc"));
    }
}
