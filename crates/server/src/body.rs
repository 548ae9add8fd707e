//! Bodies: JSON only, of limited size, and refused in words.

use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Path as AxumPath, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::App;
use crate::problem::Problem;

/// The longest body.
pub const MAX_BODY: usize = 1 << 20;

/// A JSON body as it came in.
#[derive(Debug, Clone)]
pub struct Raw(pub Bytes);

/// A JSON body, read.
#[derive(Debug, Clone)]
pub struct Body<T>(pub T);

/// The part of the address behind the question mark, read.
#[derive(Debug, Clone)]
pub struct Asked<T>(pub T);

/// The parts of the address that a route leaves open, read.
#[derive(Debug, Clone)]
pub struct Path<T>(pub T);

impl FromRequest<App> for Raw {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &App) -> Result<Self, Problem> {
        check_sort(&request)?;
        let read = to_bytes(request.into_body(), MAX_BODY).await;
        read.map(Self).map_err(|_| {
            let detail = format!("the body is longer than {MAX_BODY} bytes or was cut off");
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail)
        })
    }
}

fn check_sort(request: &Request) -> Result<(), Problem> {
    let sort = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let name = sort.split(';').next().unwrap_or_default().trim();
    if name.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let detail = "send JSON and say so: `Content-Type: application/json`";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", detail))
}

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let Raw(bytes) = Raw::from_request(request, app).await?;
        let read = serde_json::from_slice(&bytes);
        read.map(Self).map_err(|error| Problem::invalid("bad_body", format!("the body can't be used: {error}")))
    }
}

impl<T: DeserializeOwned> FromRequestParts<App> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let read = Query::<T>::from_request_parts(parts, app).await;
        read.map(|Query(asked)| Self(asked)).map_err(|error| Problem::invalid("bad_query", error.body_text()))
    }
}

impl<T: DeserializeOwned + Send> FromRequestParts<App> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let read = AxumPath::<T>::from_request_parts(parts, app).await;
        read.map(|AxumPath(named)| Self(named)).map_err(|error| Problem::invalid("bad_path", error.body_text()))
    }
}
