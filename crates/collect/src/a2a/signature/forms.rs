//! The texts that a signature of a card may be over.
//!
//! The protocol says: the card without its signatures, by the presence rules of its Protocol Buffers schema, as RFC 8785
//! writes JSON. Signers differ in how far they go, and servers add members of earlier versions to what was signed. So
//! three forms are tried: the card as served, the same without what is empty, and what the schema of 1.0 knows of it
//! without defaults, which is what the protocol's own libraries sign.

use serde_json::{Map, Value};

/// A text that may have been signed.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) text: Vec<u8>,
    pub(super) part: Part,
}

/// What of a card a text speaks of.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::a2a) struct Part {
    /// The members that it knows.
    pub(in crate::a2a) known: Value,
    /// What of them is in the text, which leaves out what is empty. An empty object may mean something, so neither is
    /// the whole truth.
    pub(in crate::a2a) signed: Value,
}

/// The texts that may have been signed, the one that covers most first.
pub(super) fn of(card: &Value) -> Vec<Form> {
    let Value::Object(members) = card else { return Vec::new() };
    let mut whole = members.clone();
    whole.remove("signatures");
    let whole = Value::Object(whole);
    let known = project(&whole, &CARD);
    let parts = [
        Some(Part { known: whole.clone(), signed: whole.clone() }),
        pruned(&whole).map(|signed| Part { known: whole.clone(), signed }),
        known.and_then(|known| pruned(&known).map(|signed| Part { known, signed })),
    ];
    let mut forms: Vec<Form> = Vec::new();
    for part in parts.into_iter().flatten() {
        let Ok(text) = serde_json_canonicalizer::to_vec(&part.signed) else { continue };
        if forms.iter().all(|form| form.text != text) {
            forms.push(Form { text, part });
        }
    }
    forms
}

/// A value without empty texts, lists and objects, and without nulls. The parser limits how deep it is.
fn pruned(value: &Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::Array(items) => {
            let items: Vec<Value> = items.iter().filter_map(pruned).collect();
            (!items.is_empty()).then_some(Value::Array(items))
        }
        Value::Object(members) => {
            let kept = members.iter().filter_map(|(key, value)| Some((key.clone(), pruned(value)?)));
            let kept: Map<String, Value> = kept.collect();
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        other => Some(other.clone()),
    }
}

/// What the schema of 1.0 says of a member.
enum Shape {
    /// Text, which is left out when it is empty; that much is pruned.
    Text,
    /// A truth value that is left out when it is false.
    Flag,
    /// A truth value that is written whenever it was set.
    SetFlag,
    /// Anything.
    Any,
    /// An object with these members.
    Object(&'static [(&'static str, Shape)]),
    /// A list of such.
    List(&'static Shape),
    /// An object whose members all are such.
    Map(&'static Shape),
}

use Shape::{Any, Flag, List, Object, SetFlag, Text};

const TEXTS: Shape = List(&Text);
const SCOPES: Shape = Shape::Map(&Text);
const REQUIREMENTS: Shape = List(&Object(&[("schemes", Shape::Map(&Object(&[("list", TEXTS)])))]));

const FLOWS: Shape = Object(&[
    (
        "authorizationCode",
        Object(&[
            ("authorizationUrl", Text),
            ("tokenUrl", Text),
            ("refreshUrl", Text),
            ("scopes", SCOPES),
            ("pkceRequired", Flag),
        ]),
    ),
    ("clientCredentials", Object(&[("tokenUrl", Text), ("refreshUrl", Text), ("scopes", SCOPES)])),
    ("implicit", Object(&[("authorizationUrl", Text), ("refreshUrl", Text), ("scopes", SCOPES)])),
    ("password", Object(&[("tokenUrl", Text), ("refreshUrl", Text), ("scopes", SCOPES)])),
    (
        "deviceCode",
        Object(&[("deviceAuthorizationUrl", Text), ("tokenUrl", Text), ("refreshUrl", Text), ("scopes", SCOPES)]),
    ),
]);

const SCHEME: Shape = Object(&[
    ("apiKeySecurityScheme", Object(&[("description", Text), ("location", Text), ("name", Text)])),
    ("httpAuthSecurityScheme", Object(&[("description", Text), ("scheme", Text), ("bearerFormat", Text)])),
    ("oauth2SecurityScheme", Object(&[("description", Text), ("flows", FLOWS), ("oauth2MetadataUrl", Text)])),
    ("openIdConnectSecurityScheme", Object(&[("description", Text), ("openIdConnectUrl", Text)])),
    ("mtlsSecurityScheme", Object(&[("description", Text)])),
]);

const SKILL: Shape = Object(&[
    ("id", Text),
    ("name", Text),
    ("description", Text),
    ("tags", TEXTS),
    ("examples", TEXTS),
    ("inputModes", TEXTS),
    ("outputModes", TEXTS),
    ("securityRequirements", REQUIREMENTS),
]);

const INTERFACE: Shape =
    Object(&[("url", Text), ("protocolBinding", Text), ("tenant", Text), ("protocolVersion", Text)]);

const EXTENSION: Shape = Object(&[("uri", Text), ("description", Text), ("required", Flag), ("params", Any)]);

/// The `AgentCard` of 1.0.
const CARD: Shape = Object(&[
    ("name", Text),
    ("description", Text),
    ("supportedInterfaces", List(&INTERFACE)),
    ("provider", Object(&[("url", Text), ("organization", Text)])),
    ("version", Text),
    ("documentationUrl", Text),
    (
        "capabilities",
        Object(&[
            ("streaming", SetFlag),
            ("pushNotifications", SetFlag),
            ("extensions", List(&EXTENSION)),
            ("extendedAgentCard", SetFlag),
        ]),
    ),
    ("securitySchemes", Shape::Map(&SCHEME)),
    ("securityRequirements", REQUIREMENTS),
    ("defaultInputModes", TEXTS),
    ("defaultOutputModes", TEXTS),
    ("skills", List(&SKILL)),
    ("iconUrl", Text),
]);

/// What a shape knows of a value. `None` for what is left out; also when a value has not the shape at all, because such
/// a card was never in that schema, and some text other than its own must not pass for it.
fn project(value: &Value, shape: &Shape) -> Option<Value> {
    match (shape, value) {
        (Text, Value::String(_)) | (SetFlag, Value::Bool(_)) | (Flag, Value::Bool(true)) | (Any, _) => {
            Some(value.clone())
        }
        (List(shape), Value::Array(items)) => {
            Some(Value::Array(items.iter().filter_map(|item| project(item, shape)).collect()))
        }
        (Shape::Map(shape), Value::Object(members)) => {
            let kept = members.iter().filter_map(|(key, value)| Some((key.clone(), project(value, shape)?)));
            Some(Value::Object(kept.collect()))
        }
        (Object(known), Value::Object(members)) => {
            let kept =
                known.iter().filter_map(|(key, shape)| Some(((*key).to_owned(), project(members.get(*key)?, shape)?)));
            Some(Value::Object(kept.collect()))
        }
        _ => None,
    }
}
