//! Logging in, by a link that works once or with a token, and out again.

use std::time::Instant;

use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;
use tracehound_evidence::TokenHash;

use crate::App;
use crate::body::Body;
use crate::caller::Caller;
use crate::console::cookie;
use crate::problem::Problem;

/// What a link carries.
#[derive(Deserialize)]
pub(super) struct Link {
    #[serde(default)]
    code: String,
}

/// What somebody logs in with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WithToken {
    token: String,
}

/// Follows a link.
pub(super) async fn follow(State(app): State<App>, Query(link): Query<Link>) -> Result<Response, Problem> {
    // Without a code this is where the page for logging in with a token is.
    if link.code.is_empty() {
        return Ok(super::page::start().await);
    }
    match app.sessions().follow(&link.code, Instant::now())? {
        Some(session) => Ok(with_cookie(&app, Redirect::to("/console/").into_response(), session.reveal())),
        None => Ok(Redirect::to("/console/login?used=1").into_response()),
    }
}

/// Logs in with a person's token.
pub(super) async fn with_token(State(app): State<App>, Body(sent): Body<WithToken>) -> Result<Response, Problem> {
    let token = sent.token.trim();
    let caller = Caller::of_hash(&app, TokenHash::of(token), None)?;
    if caller.agent().is_ok() {
        return Err(Problem::forbidden("the console is for people; this is an agent's token"));
    }
    let session = app.sessions().begin(TokenHash::of(token), Instant::now())?;
    Ok(with_cookie(&app, StatusCode::NO_CONTENT.into_response(), session.reveal()))
}

/// Logs out.
pub(super) async fn leave(State(app): State<App>, headers: HeaderMap) -> Result<Response, Problem> {
    let method = axum::http::Method::POST;
    let session = cookie::session(&headers, app.cookie(), &method).ok_or_else(Problem::unauthorized)?;
    app.sessions().end(session);
    let mut response = StatusCode::NO_CONTENT.into_response();
    if let Some(value) = cookie::clear(app.cookie()) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    Ok(response)
}

fn with_cookie(app: &App, mut response: Response, session: &str) -> Response {
    if let Some(value) = cookie::set(app.cookie(), session, app.settings().is_secure) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    response
}
