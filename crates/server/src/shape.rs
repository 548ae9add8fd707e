//! What a route takes and gives, as types: the description of the API is made from them.

use std::borrow::Cow;

use axum::http::StatusCode;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use crate::route::Route;

/// JSON, as everything is that does not say otherwise.
pub(crate) const JSON: &str = "application/json";

/// What a route takes and gives.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// What may stand behind the question mark.
    pub query: Option<fn() -> Vec<Parameter>>,
    /// What is sent, in one form or another.
    pub body: Vec<Part>,
    /// What comes back when it was done: the status, and the body if there is one. Never empty: a test sees to that.
    pub answers: Vec<(StatusCode, Option<Part>)>,
}

/// A body: one type, and those that it is made of.
#[derive(Debug, Clone)]
pub struct Part {
    /// What sort of content it is.
    pub media: &'static str,
    /// The type; none for content whose parts are not told, such as plain text or a schema.
    pub named: Option<Named>,
}

/// A type of the API.
#[derive(Debug, Clone, Copy)]
pub struct Named {
    /// What it is called.
    pub name: fn() -> Cow<'static, str>,
    /// What it looks like.
    pub schema: fn() -> RefOr<Schema>,
    /// The types that it is made of.
    pub parts: fn(&mut Vec<(String, RefOr<Schema>)>),
}

impl Part {
    fn json<T: ToSchema>() -> Self {
        Self { media: JSON, named: Some(Named::of::<T>()) }
    }
}

impl Named {
    /// The type as the API knows it.
    #[must_use]
    pub fn of<T: ToSchema>() -> Self {
        Self { name: T::name, schema: <T as PartialSchema>::schema, parts: T::schemas }
    }
}

impl Route {
    /// What may stand behind the question mark.
    pub(crate) fn asks<Q: IntoParams>(mut self) -> Self {
        self.shape.query = Some(|| Q::into_params(|| Some(ParameterIn::Query)));
        self
    }

    /// The JSON that is sent.
    pub(crate) fn takes<T: ToSchema>(mut self) -> Self {
        self.shape.body = vec![Part::json::<T>()];
        self
    }

    /// Content of one of these sorts is sent.
    pub(crate) fn takes_content(mut self, media: &'static [&'static str]) -> Self {
        self.shape.body = media.iter().map(|media| Part { media, named: None }).collect();
        self
    }

    /// The JSON that comes back.
    pub(crate) fn gives<T: ToSchema>(self) -> Self {
        self.answers(StatusCode::OK, Some(Part::json::<T>()))
    }

    /// The JSON that comes back after something was made.
    pub(crate) fn makes<T: ToSchema>(self) -> Self {
        self.answers(StatusCode::CREATED, Some(Part::json::<T>()))
    }

    /// Nothing comes back.
    pub(crate) fn gives_nothing(self) -> Self {
        self.answers(StatusCode::NO_CONTENT, None)
    }

    /// Content of another sort comes back.
    pub(crate) fn gives_content(self, media: &'static str) -> Self {
        self.answers(StatusCode::OK, Some(Part { media, named: None }))
    }

    /// The connection becomes one of another protocol.
    pub(crate) fn upgrades(self) -> Self {
        self.answers(StatusCode::SWITCHING_PROTOCOLS, None)
    }

    fn answers(mut self, status: StatusCode, part: Option<Part>) -> Self {
        self.shape.answers.push((status, part));
        self
    }
}
