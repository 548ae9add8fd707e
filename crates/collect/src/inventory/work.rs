//! What is learnt of one service while it is read.

use serde_json::{Value, json};
use tracehound_model::wire::Properties;
use tracehound_model::{EdgeKind, NodeId, NodeKind, hash};

use super::asking::{Asker, Trouble};
use super::keys::normal_base;
use super::limits::{LISTED, NAME, TEXT};
use super::{Inventory, Named, Subject};
use crate::builder::{Basis, Builder, properties};
use crate::config::credential;
use crate::json::shown;
use crate::secrets::Secrets;

/// An inventory in the making.
pub(super) struct Work<'s> {
    pub(super) subject: &'s Subject<'s>,
    pub(super) properties: Properties,
    builder: Builder,
    problems: Vec<String>,
    cut_short: Vec<String>,
    named: Vec<Named>,
    /// Values that the service told and that must not be shown, wherever it tells them again.
    secrets: Vec<String>,
    is_whole: bool,
}

/// A credential that a service holds.
pub(super) struct Held {
    /// What it is called within the service.
    pub(super) name: String,
    pub(super) r#type: &'static str,
    pub(super) format: &'static str,
    pub(super) source: &'static str,
    pub(super) high_entropy: bool,
    /// The hash of its value, where the value is known.
    pub(super) value_hash: Option<String>,
    pub(super) more: Properties,
    pub(super) evidence: String,
}

impl<'s> Work<'s> {
    pub(super) fn new(subject: &'s Subject<'s>) -> Self {
        Self {
            subject,
            properties: Properties::new(),
            builder: Builder::new(subject.stamp),
            problems: Vec::new(),
            cut_short: Vec::new(),
            named: Vec::new(),
            secrets: subject.key.into_iter().flat_map(super::Key::secrets).collect(),
            is_whole: true,
        }
    }

    /// Asks for what stands at a path. If there is nothing, that is a problem.
    pub(super) async fn ask(&mut self, asker: &Asker<'_>, path: &str, bytes: usize) -> Option<Value> {
        match asker.json(path, bytes).await {
            Ok(value) => Some(value),
            Err(trouble) => {
                self.unread(path, &trouble);
                None
            }
        }
    }

    /// Something could not be read.
    pub(super) fn unread(&mut self, what: &str, trouble: &Trouble) {
        let what = what.split('?').next().unwrap_or_default();
        match trouble {
            Trouble::Late => self.cut(format!("`{}` and what comes after it: {trouble}", shown(what))),
            _ => self.problem(format!("`{}` was not read: {trouble}", shown(what))),
        }
    }

    /// Several like things could not be read; the first stands for all.
    pub(super) fn unread_all(&mut self, what: &str, troubles: &[(String, Trouble)]) {
        let Some((first, trouble)) = troubles.first() else { return };
        self.unread(first, trouble);
        if troubles.len() > 1 {
            self.problem(format!("{} more {what} were not read", troubles.len() - 1));
        }
    }

    pub(super) fn problem(&mut self, text: String) {
        self.is_whole = false;
        self.problems.push(text);
    }

    /// Something was left out because of a limit.
    pub(super) fn cut(&mut self, text: String) {
        self.is_whole = false;
        if !self.cut_short.contains(&text) {
            self.cut_short.push(text);
        }
    }

    /// A property of the service itself.
    pub(super) fn set(&mut self, key: &'static str, value: impl Into<Value>) {
        self.properties.insert(key.into(), value.into());
    }

    /// A list of names that is a property of the service itself, sorted and of bounded length.
    pub(super) fn list(&mut self, key: &'static str, mut names: Vec<String>) {
        names.sort_unstable();
        names.dedup();
        if names.len() > LISTED {
            self.cut(format!("names in `{key}` after the first {LISTED}"));
            names.truncate(LISTED);
        }
        self.set(key, names);
    }

    /// A value that must not be shown.
    pub(super) fn hide(&mut self, secret: &str) {
        self.secrets.push(secret.to_owned());
    }

    /// Another service that this one names by a URL.
    pub(super) fn name(&mut self, kind: Option<NodeKind>, url: &str) {
        if let Some(base) = normal_base(url) {
            self.named.push(Named { kind, base });
        }
    }

    /// Hides the password of a URL and gives the rest of it.
    pub(super) fn url(&mut self, url: &str) -> Option<String> {
        let mut parsed = url::Url::parse(url.trim()).ok().filter(|url| url.has_host() && url.as_str().len() <= NAME)?;
        let is_long = |text: &String| text.len() >= 12;
        let query = parsed.query_pairs().map(|(_, value)| value.into_owned());
        let user = std::iter::once(parsed.username().to_owned());
        let password = parsed.password().unwrap_or_default();
        let decoded = form_urlencoded::parse(password.as_bytes()).map(|(text, _)| text.into_owned());
        let password = std::iter::once(password.to_owned()).chain(decoded);
        // A user or a setting may be a token, but a short one is a word.
        let hidden: Vec<String> = user.chain(query).filter(is_long).chain(password).collect();
        self.secrets.extend(hidden);
        // A URL that can't have a user has none to hide.
        let _ = parsed.set_username("").and_then(|()| parsed.set_password(None));
        parsed.set_query(None);
        parsed.set_fragment(None);
        Some(parsed.to_string())
    }

    /// Adds a credential that the service holds.
    pub(super) fn credential(&mut self, held: Held) {
        let id = NodeId::credential(self.subject.reading.base(), &held.name);
        let is_known = held.value_hash.is_some();
        // One whose value nobody saw gets a hash that no other has, so that it joins with nothing.
        let value_hash = held.value_hash.unwrap_or_else(|| hash::content(id.as_str()));
        let mut values = properties([
            ("type", json!(held.r#type)),
            ("name", json!(held.name)),
            ("source", json!(held.source)),
            ("is_exposed", json!(true)),
            ("high_entropy", json!(held.high_entropy)),
            ("format", json!(held.format)),
            ("value_hash", json!(value_hash)),
            ("value_known", json!(is_known)),
        ]);
        values.extend(held.more);
        self.below(EdgeKind::ExposesCredential, (id, NodeKind::Credential), values, held.evidence);
    }

    /// Adds a thing of the service, and the edge that leads there.
    pub(super) fn below(
        &mut self,
        edge: EdgeKind,
        (id, kind): (NodeId, NodeKind),
        values: Properties,
        evidence: String,
    ) {
        let id = self.builder.node(id, kind, values);
        let weight = if edge == EdgeKind::ProvidesResource { 0.2 } else { 0.1 };
        let basis = Basis { evidence, weight, confidence: 1.0, place: None };
        let from = (self.subject.id, self.subject.kind);
        self.builder.edge(edge, from, (&id, kind), basis, Properties::new());
    }

    /// The whole, without what must not be shown.
    pub(super) fn finish(mut self) -> Inventory {
        let secrets = Secrets::new(self.secrets);
        self.builder.clean(&secrets);
        for value in self.properties.values_mut() {
            secrets.clean(value);
        }
        for text in self.problems.iter_mut().chain(&mut self.cut_short) {
            *text = secrets.text(text);
        }
        for named in &mut self.named {
            named.base = secrets.text(&named.base);
        }
        self.named.sort_unstable();
        self.named.dedup();
        Inventory {
            builder: self.builder,
            properties: self.properties,
            problems: self.problems,
            cut_short: self.cut_short,
            is_whole: self.is_whole,
            named: self.named,
            is_anonymous: self.subject.key.is_none(),
        }
    }
}

/// A name that can be taken: there is one, and it is no longer than a name is.
pub(super) fn name_of<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str).filter(|name| !name.is_empty() && name.len() <= NAME)
}

/// A text that only describes, cut if need be. Null if there is none.
pub(super) fn text_of(value: Option<&Value>) -> Value {
    let text = value.and_then(Value::as_str).unwrap_or_default();
    let kept = text.get(..text.floor_char_boundary(TEXT)).unwrap_or_default();
    if kept.is_empty() { Value::Null } else { json!(kept) }
}

/// A value that stands there: neither starred out nor a reference to where it is kept.
pub(super) fn known(text: &str) -> Option<&str> {
    let value = credential::bare(text);
    let is_masked = value.contains("***") || value.contains("...") || value.contains('…');
    let is_reference = value.starts_with("os.environ/") || credential::reference::of(value).is_some();
    let is_blank = value.is_empty() || credential::placeholder::is_placeholder("api_key", value);
    (!is_masked && !is_reference && !is_blank).then_some(value)
}
