//! What a caller is told when something is not done: RFC 9457, with a code that does not change.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tracehound_evidence::Error;

/// Why a request was not done.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// What is wrong here and what to do.
    pub detail: String,
    /// A code that does not change.
    pub code: String,
    /// The record of the refusal, if there is one.
    pub decision_id: Option<String>,
    /// Single things that are wrong.
    pub problems: Vec<serde_json::Value>,
    /// How many there are, where only the first are listed.
    pub problems_total: Option<usize>,
}

/// A problem as it is sent.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ProblemDocument<'a> {
    /// What sort of problem, as a URN.
    #[serde(rename = "type")]
    sort: String,
    /// What sort of problem, in words.
    title: &'a str,
    /// The HTTP status.
    status: u16,
    /// What is wrong here and what to do.
    detail: &'a str,
    /// A code that does not change.
    code: &'a str,
    /// The record of the refusal, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision_id: Option<&'a str>,
    /// Single things that are wrong.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(value_type = Vec<Object>)]
    problems: &'a [serde_json::Value],
    /// How many there are in all; the first are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    problems_total: Option<usize>,
}

impl Problem {
    /// A problem with a code and what to tell.
    pub fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Self {
        Self {
            status: status.as_u16(),
            detail: detail.into(),
            code: code.to_owned(),
            decision_id: None,
            problems: Vec::new(),
            problems_total: None,
        }
    }

    /// There is no such thing, as far as the caller is concerned.
    pub fn unknown(what: &str) -> Self {
        let code = format!("{}_not_found", what.replace(' ', "_").to_lowercase());
        Self::new(StatusCode::NOT_FOUND, &code, format!("{what} not found"))
    }

    /// What was sent can't be right.
    pub fn invalid(code: &str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, detail)
    }

    /// Who they are is not known.
    pub fn unauthorized() -> Self {
        let detail = "send a token that is valid here: `Authorization: Bearer …`";
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", detail)
    }

    /// They may not.
    pub fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", detail)
    }

    /// With single things that are wrong.
    #[must_use]
    pub fn with(mut self, problems: Vec<serde_json::Value>) -> Self {
        self.problems = problems;
        self
    }

    /// Of so many in all.
    #[must_use]
    pub const fn of_total(mut self, total: usize) -> Self {
        self.problems_total = Some(total);
        self
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match &error {
            Error::Unknown { what, .. } => Self::unknown(&capitalised(what)),
            Error::Conflict { code, message } => Self::new(StatusCode::CONFLICT, code, message.as_str()),
            Error::Invalid { code, message } => Self::invalid(code, message.as_str()),
            Error::Unavailable { .. } | Error::Closed | Error::Stale => {
                let detail = "nothing can be recorded at the moment, so nothing is allowed; try again later";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "evidence_unavailable", detail)
            }
            // What is wrong with the store is for the log, not for callers.
            _ => {
                crate::log::failure("request", &error);
                let detail = "something went wrong here; the log of the server says what";
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
            }
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let document = ProblemDocument {
            sort: format!("urn:tracehound:problem:{}", self.code),
            title: status.canonical_reason().unwrap_or("Error"),
            status: self.status,
            detail: &self.detail,
            code: &self.code,
            decision_id: self.decision_id.as_deref(),
            problems: &self.problems,
            problems_total: self.problems_total,
        };
        let mut response = (status, Json(document)).into_response();
        let sort = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, sort);
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
