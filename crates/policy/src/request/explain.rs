//! Which field of a refused body is to blame. Runs for refused bodies only.

use serde_json::Value;
use serde_json::error::{Category, Error};
use tracehound_model::TrustLevel;

use super::{RequestError, strict};

/// What a field must be.
#[derive(Clone, Copy)]
enum Form {
    Text,
    Flag,
    Trust,
    Object,
    Any,
}

impl Form {
    const fn text(self) -> &'static str {
        match self {
            Self::Text | Self::Trust => "a string",
            Self::Flag => "true or false",
            Self::Object => "an object",
            Self::Any => "JSON",
        }
    }

    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text | Self::Trust => value.is_string(),
            Self::Flag => value.is_boolean(),
            Self::Object => value.is_object(),
            Self::Any => true,
        }
    }
}

struct Field {
    path: &'static str,
    form: Form,
    is_required: bool,
}

const fn required(path: &'static str, form: Form) -> Field {
    Field { path, form, is_required: true }
}

const fn optional(path: &'static str, form: Form) -> Field {
    Field { path, form, is_required: false }
}

/// All fields, parents before children. A field of an object that is absent is not asked for.
const FIELDS: &[Field] = &[
    optional("request_id", Form::Text),
    required("agent", Form::Object),
    required("agent.id", Form::Text),
    required("agent.environment", Form::Text),
    optional("user", Form::Object),
    required("user.id", Form::Text),
    required("user.role", Form::Text),
    required("tool_call", Form::Object),
    required("tool_call.tool", Form::Text),
    required("tool_call.action", Form::Text),
    optional("tool_call.resource", Form::Text),
    required("tool_call.mutates_state", Form::Flag),
    required("tool_call.parameters", Form::Any),
    required("context", Form::Object),
    required("context.source_trust", Form::Trust),
    required("context.contains_sensitive_data", Form::Flag),
    optional("trace", Form::Object),
    required("trace.run_id", Form::Text),
    required("trace.trace_id", Form::Text),
    optional("trace.parent_run_id", Form::Text),
    optional("trace.root_trust_level", Form::Trust),
    optional("callback", Form::Object),
    optional("callback.url", Form::Text),
    optional("callback.secret", Form::Text),
    optional("nonce", Form::Text),
    optional("timestamp", Form::Text),
    optional("dry_run", Form::Flag),
];

/// Why the body was refused.
pub(super) fn explain(body: &[u8], error: &Error) -> RequestError {
    let (line, column) = (error.line(), error.column());
    if error.classify() != Category::Data {
        return RequestError::NotJson { line, column };
    }
    // The text of the error can hold what was sent, so it is looked at but never passed on.
    let text = error.to_string();
    for (mark, cause) in [
        (strict::TOO_DEEP, RequestError::TooDeep),
        (strict::REPEATED, RequestError::RepeatedKey),
        (strict::INEXACT, RequestError::InexactNumber),
    ] {
        if text.starts_with(mark) {
            return cause;
        }
    }
    let Ok(document) = serde_json::from_slice::<Value>(body) else { return RequestError::NotJson { line, column } };
    let to_blame = FIELDS.iter().find_map(|field| blame(&document, field));
    to_blame.unwrap_or(RequestError::Malformed { line, column })
}

fn blame(document: &Value, field: &Field) -> Option<RequestError> {
    let Field { path, form, is_required } = *field;
    let (parent, name) = match path.split_once('.') {
        Some((parent, name)) => (document.get(parent)?.as_object()?, name),
        None => (document.as_object()?, path),
    };
    match parent.get(name) {
        None if is_required => Some(RequestError::Missing { field: path }),
        None => None,
        // Only flags have a value that stands for nothing.
        Some(Value::Null) if !is_required && !matches!(form, Form::Flag) => None,
        Some(value) if !form.fits(value) => Some(RequestError::WrongType { field: path, expected: form.text() }),
        Some(Value::String(label)) if matches!(form, Form::Trust) && TrustLevel::from_name(label).is_none() => {
            Some(RequestError::UnknownTrust { field: path })
        }
        Some(_) => None,
    }
}
