//! What an agent sends to ask whether it may act: strict types, limits, and errors that name the field.
//!
//! No error repeats a value that was sent: values can be secrets. How long a body may be is up to whoever reads it.

mod explain;
mod strict;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tracehound_model::TrustLevel;

use crate::{hash, risk};

/// The longest id, name or label, in bytes.
pub const LONGEST_ID: usize = 256;
/// The longest target of a call, in bytes.
pub const LONGEST_RESOURCE: usize = 4096;
/// The longest address to call back, in bytes.
pub const LONGEST_URL: usize = 2048;
/// How deep the arguments may be nested.
pub const DEEPEST: usize = 64;

/// The body of `POST /v1/authorize`. Fields that are not listed are ignored.
#[derive(Debug, Clone, PartialEq, Deserialize, utoipa::ToSchema)]
pub struct AuthorizeRequest {
    /// What the caller calls this request; a repeat gets the same answer.
    #[serde(default)]
    pub request_id: Option<String>,
    /// Who the caller says it is. Who it is, its token says.
    pub agent: DeclaredAgent,
    /// The person behind the run.
    #[serde(default)]
    pub user: Option<DeclaredUser>,
    /// What is to happen.
    pub tool_call: ToolCall,
    /// What caused it.
    pub context: Cause,
    /// Which run it belongs to.
    #[serde(default)]
    pub trace: Option<Trace>,
    /// Whom to tell about an approval.
    #[serde(default)]
    pub callback: Option<Callback>,
    /// Something that the caller uses once.
    #[serde(default)]
    pub nonce: Option<String>,
    /// When it was sent (RFC 3339); read by whoever has a clock.
    #[serde(default)]
    pub timestamp: Option<String>,
    /// Decide, but store nothing.
    #[serde(default)]
    pub dry_run: bool,
}

/// Who the caller says it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DeclaredAgent {
    /// Its id.
    pub id: String,
    /// Where it runs.
    pub environment: String,
}

/// The person behind a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DeclaredUser {
    /// Their id.
    pub id: String,
    /// Their role.
    pub role: String,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ToolCall {
    /// The tool; `mcp:` and a server's key for one of an MCP server.
    pub tool: String,
    /// The action; of an MCP server, the tool.
    pub action: String,
    /// What it is done to.
    #[serde(default)]
    pub resource: Option<String>,
    /// Whether the caller thinks that it changes something.
    pub mutates_state: bool,
    /// The arguments.
    #[serde(deserialize_with = "strict::arguments")]
    pub parameters: Value,
}

/// What caused a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Cause {
    /// How far the text that caused it is trusted.
    pub source_trust: TrustLevel,
    /// Whether the caller thinks that sensitive data is in it.
    pub contains_sensitive_data: bool,
}

/// Which run a call belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Trace {
    /// The run.
    pub run_id: String,
    /// The trace.
    pub trace_id: String,
    /// The run of the agent that started this one.
    #[serde(default)]
    pub parent_run_id: Option<String>,
    /// What was left of the trust when it was started.
    #[serde(default)]
    pub root_trust_level: Option<TrustLevel>,
}

/// Whom to tell about an approval.
#[derive(Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
pub struct Callback {
    /// Where to.
    #[serde(default)]
    pub url: Option<String>,
    /// What the message is signed with.
    #[serde(default)]
    pub secret: Option<String>,
}

impl std::fmt::Debug for Callback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let has_secret = self.secret.is_some();
        f.debug_struct("Callback").field("url", &self.url).field("has_secret", &has_secret).finish()
    }
}

/// Why a body is no request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// It is no JSON.
    #[error("the body is not JSON: line {line}, column {column}")]
    NotJson {
        /// Counts from one.
        line: usize,
        /// Counts from one.
        column: usize,
    },
    /// A field is not there.
    #[error("`{field}` is missing")]
    Missing {
        /// From the top, with dots.
        field: &'static str,
    },
    /// A field is of another type.
    #[error("`{field}` must be {expected}")]
    WrongType {
        /// From the top, with dots.
        field: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// A trust level that there is not.
    #[error("`{field}` is not a trust level; there are: {}", trust_names())]
    UnknownTrust {
        /// From the top, with dots.
        field: &'static str,
    },
    /// A field is empty that may not be.
    #[error("`{field}` is empty")]
    Empty {
        /// From the top, with dots.
        field: &'static str,
    },
    /// A field is too long.
    #[error("`{field}` is longer than {longest} bytes")]
    TooLong {
        /// From the top, with dots.
        field: &'static str,
        /// The limit.
        longest: usize,
    },
    /// The arguments are nested too deep.
    #[error("`tool_call.parameters` is nested deeper than {DEEPEST} levels")]
    TooDeep,
    /// The arguments say something twice.
    #[error(
        "`tool_call.parameters` has an object with a key that occurs twice: which of the two counts is anybody's guess"
    )]
    RepeatedKey,
    /// A whole number that the canonical form of JSON rounds, so that two different calls would have one hash.
    #[error("`tool_call.parameters` has a whole number beyond 2^53 that JSON can't hold exactly: send it as a string")]
    InexactNumber,
    /// Something else, like a field that occurs twice.
    #[error("the body is not a request: line {line}, column {column}")]
    Malformed {
        /// Counts from one.
        line: usize,
        /// Counts from one.
        column: usize,
    },
}

fn trust_names() -> String {
    TrustLevel::ALL.iter().map(|level| level.name()).collect::<Vec<_>>().join(", ")
}

impl AuthorizeRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// It is no JSON, a field is missing, of another type or too long, or the arguments are ambiguous.
    pub fn parse(body: &[u8]) -> Result<Self, RequestError> {
        let request: Self = serde_json::from_slice(body).map_err(|error| explain::explain(body, &error))?;
        request.check()?;
        Ok(request)
    }

    /// Finds what is too long or empty.
    ///
    /// # Errors
    /// The first such field.
    pub fn check(&self) -> Result<(), RequestError> {
        let (user, trace, callback) = (self.user.as_ref(), self.trace.as_ref(), self.callback.as_ref());
        let named: [(&str, &str); 4] = [
            ("agent.id", &self.agent.id),
            ("agent.environment", &self.agent.environment),
            ("tool_call.tool", &self.tool_call.tool),
            ("tool_call.action", &self.tool_call.action),
        ];
        if let Some((field, _)) = named.iter().find(|(_, text)| text.is_empty()) {
            return Err(RequestError::Empty { field });
        }
        let optional: [(&str, Option<&str>, usize); 11] = [
            ("request_id", self.request_id.as_deref(), LONGEST_ID),
            ("user.id", user.map(|user| user.id.as_str()), LONGEST_ID),
            ("user.role", user.map(|user| user.role.as_str()), LONGEST_ID),
            ("tool_call.resource", self.tool_call.resource.as_deref(), LONGEST_RESOURCE),
            ("trace.run_id", trace.map(|trace| trace.run_id.as_str()), LONGEST_ID),
            ("trace.trace_id", trace.map(|trace| trace.trace_id.as_str()), LONGEST_ID),
            ("trace.parent_run_id", trace.and_then(|trace| trace.parent_run_id.as_deref()), LONGEST_ID),
            ("callback.url", callback.and_then(|callback| callback.url.as_deref()), LONGEST_URL),
            ("callback.secret", callback.and_then(|callback| callback.secret.as_deref()), LONGEST_ID),
            ("nonce", self.nonce.as_deref(), LONGEST_ID),
            ("timestamp", self.timestamp.as_deref(), LONGEST_ID),
        ];
        let required = named.iter().map(|(field, text)| (*field, Some(*text), LONGEST_ID));
        let too_long = |(_, text, longest): &(&str, Option<&str>, usize)| text.is_some_and(|it| it.len() > *longest);
        match required.chain(optional).find(too_long) {
            Some((field, _, longest)) => Err(RequestError::TooLong { field, longest }),
            None => Ok(()),
        }
    }

    /// What is left of the trust in this call, as far as the request itself says.
    #[must_use]
    pub fn effective_trust(&self) -> TrustLevel {
        risk::effective_trust(self.context.source_trust, self.trace.as_ref().and_then(|trace| trace.root_trust_level))
    }

    /// A hash over everything that makes two requests the same: all but the nonce, the time and the callback's secret.
    /// A repeat of a request id with another fingerprint is another request.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        #[derive(Serialize)]
        struct Compared<'a> {
            request_id: Option<&'a str>,
            agent: &'a DeclaredAgent,
            user: Option<&'a DeclaredUser>,
            tool_call: &'a ToolCall,
            context: &'a Cause,
            trace: Option<&'a Trace>,
            callback_url: Option<&'a str>,
            dry_run: bool,
        }
        hash::canonical_hash(&Compared {
            request_id: self.request_id.as_deref(),
            agent: &self.agent,
            user: self.user.as_ref(),
            tool_call: &self.tool_call,
            context: &self.context,
            trace: self.trace.as_ref(),
            callback_url: self.callback.as_ref().and_then(|callback| callback.url.as_deref()),
            dry_run: self.dry_run,
        })
    }

    /// The hash of the call and that of its arguments, as [`Self::action_hash`] and [`crate::argument_hash`] give them.
    #[must_use]
    pub fn hashes(&self) -> (String, String) {
        hash::call_hashes(&self.tool_call)
    }

    /// The hash that an approval and a receipt are bound to. Made from the call alone, whatever its request id.
    #[must_use]
    pub fn action_hash(&self) -> String {
        let call = &self.tool_call;
        hash::action_hash(&call.tool, &call.action, call.resource.as_deref(), call.mutates_state, &call.parameters)
    }
}

#[cfg(test)]
mod tests;
