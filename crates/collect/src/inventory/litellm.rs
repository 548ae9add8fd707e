//! LiteLLM: the master key, the providers behind the gateway, and the keys that it gave out.
//!
//! The gateway never tells the keys of its providers (`/model/info` leaves them out), so these are credentials whose value
//! is not known. Of the keys that it gave out it keeps and tells the SHA-256, which is the hash that we would take, so these
//! join with the same key in a client's configuration.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tracehound_model::{NodeKind, hash};

use super::asking::{Asker, Trouble};
use super::limits::{ANSWER, LISTED, MODEL_INFO, NAME, PAGES, UPSTREAMS, VIRTUAL_KEYS};
use super::work::{Held, Work, known, name_of, text_of};
use crate::builder::properties;

const SOURCE: &str = "litellm";
/// What stands where a part of an answer is missing.
static NULL: Value = Value::Null;

pub(super) async fn read(asker: &Asker<'_>, work: &mut Work<'_>) {
    if !asker.has_key {
        return work.problem("nothing was read: that needs the gateway's master key".to_owned());
    }
    let models = match asker.json("/model/info", MODEL_INFO).await {
        Ok(answer) => Some(answer),
        // Without a database the gateway knows no key but its master key, and says that it can't look it up.
        Err(Trouble::Status(status @ (400 | 401 | 403))) => {
            return work.problem(format!("nothing was read: the key was not accepted (the answer is {status})"));
        }
        Err(trouble) => {
            work.unread("/model/info", &trouble);
            None
        }
    };
    let keys = virtual_keys(asker, work).await;
    // A key that no answer proved is not said to be the gateway's.
    if models.is_some() || keys.is_some() {
        own_key(work, keys.as_deref().unwrap_or_default());
    }
    if let Some(models) = models {
        add_upstreams(work, &models);
    }
    for key in keys.unwrap_or_default() {
        add_virtual_key(work, key);
    }
}

/// The operator's key is the master key, unless it is among those that the gateway gave out.
fn own_key(work: &mut Work<'_>, given_out: &[VirtualKey]) {
    let Some(value_hash) = work.subject.key.map(|key| hash::credential_value(key.value())) else { return };
    if given_out.iter().any(|key| key.hash.as_ref() == Some(&value_hash)) {
        return work.problem("the key is one that the gateway gave out, and may see only a part".to_owned());
    }
    let evidence = format!("{} took the key as its master key", work.subject.reading.base());
    work.credential(Held {
        name: "litellm-master".to_owned(),
        r#type: "master_key",
        format: SOURCE,
        source: SOURCE,
        high_entropy: true,
        value_hash: Some(value_hash),
        more: properties([]),
        evidence,
    });
}

/// A model that the gateway passes requests on to.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Upstream<'v> {
    slug: String,
    /// The gateway's own id of it.
    id: &'v str,
    model: &'v str,
    provider: &'v str,
    api_base: Option<&'v str>,
    api_key: Option<&'v str>,
}

impl<'v> Upstream<'v> {
    fn read(entry: &'v Value) -> Option<Self> {
        let slug = name_of(entry, "model_name")?.to_lowercase().replace([' ', '/'], "-");
        let params = entry.get("litellm_params").unwrap_or(&NULL);
        let info = entry.get("model_info").unwrap_or(&NULL);
        let model = name_of(params, "model").unwrap_or_default();
        let before = model.split_once('/').map(|(provider, _)| provider);
        let provider = name_of(info, "litellm_provider").or(before).unwrap_or("unknown");
        let text = |key| params.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        let id = name_of(info, "id").unwrap_or_default();
        Some(Self { slug, id, model, provider, api_base: text("api_base"), api_key: text("api_key") })
    }

    /// What sort of service it is, where that is one of ours.
    fn service(&self) -> Option<NodeKind> {
        match self.provider {
            "ollama" | "ollama_chat" => Some(NodeKind::OllamaInstance),
            "hosted_vllm" | "vllm" => Some(NodeKind::VllmInstance),
            "litellm_proxy" => Some(NodeKind::LitellmGateway),
            _ => None,
        }
    }
}

fn add_upstreams(work: &mut Work<'_>, answer: &Value) {
    let Some(list) = answer.get("data").and_then(Value::as_array) else {
        return work.problem("`/model/info` was not read: the answer is no list of models".to_owned());
    };
    work.set("model_count", list.len());
    let mut upstreams: Vec<Upstream<'_>> = list.iter().take(UPSTREAMS).filter_map(Upstream::read).collect();
    if list.len() > UPSTREAMS {
        work.cut(format!("models after the first {UPSTREAMS}"));
    }
    let nameless = list.len().min(UPSTREAMS) - upstreams.len();
    if nameless > 0 {
        work.problem(format!("{nameless} models have no name that could be taken"));
    }
    // Several may have one name. Which of them has it alone must not depend on the order of the answer.
    upstreams.sort_unstable();
    let mut taken = BTreeMap::new();
    for upstream in &upstreams {
        let name = free_name(upstream, &mut taken);
        add_upstream(work, name, upstream);
    }
}

/// `upstream-<model>`; for a second one of a name with the beginning of its id, or a number. `taken` has the names that are
/// taken, and how many wanted each.
fn free_name(upstream: &Upstream<'_>, taken: &mut BTreeMap<String, usize>) -> String {
    let plain = format!("upstream-{}", upstream.slug);
    // Ids are hashes or UUIDs. Whatever else stands there is not repeated, not even in part.
    let is_plain = upstream.id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-'));
    let id = if is_plain { upstream.id.to_owned() } else { hash::content(upstream.id) };
    let by_id = id.get(..12).map(|start| format!("{plain}-{start}"));
    let count = taken.get(&plain).copied().unwrap_or_default() + 1;
    let numbered = (count..).map(|number| format!("{plain}-{number}"));
    let mut names = std::iter::once(plain.clone()).chain(by_id).chain(numbered);
    // Numbers do not end before one is free.
    let name = names.find(|name| !taken.contains_key(name)).unwrap_or_default();
    taken.insert(plain, count);
    taken.entry(name.clone()).or_insert(1);
    name
}

fn add_upstream(work: &mut Work<'_>, name: String, upstream: &Upstream<'_>) {
    let endpoint = upstream.api_base.and_then(|url| work.url(url));
    if let Some(endpoint) = &endpoint {
        work.name(upstream.service(), endpoint);
    }
    let value = upstream.api_key.and_then(known);
    if let Some(value) = value {
        work.hide(value);
    }
    // Ollama asks for no key, and so there is none unless one is shown.
    if upstream.service() == Some(NodeKind::OllamaInstance) && upstream.api_key.is_none() {
        return;
    }
    let to = endpoint.as_deref().map_or(String::new(), |endpoint| format!(" at {endpoint}"));
    let evidence = format!(
        "{} passes requests for `{}` on to {}{to}",
        work.subject.reading.base(),
        upstream.slug,
        upstream.provider
    );
    work.credential(Held {
        name,
        r#type: "apiKey",
        format: "upstream-provider",
        source: SOURCE,
        high_entropy: true,
        value_hash: value.map(hash::credential_value),
        more: properties([
            ("provider", text_of(Some(&json!(upstream.provider)))),
            ("provider_endpoint", endpoint.map_or(Value::Null, |it| json!(it))),
        ]),
        evidence,
    });
}

/// A key that the gateway gave out.
#[derive(Debug, PartialEq)]
struct VirtualKey {
    id: String,
    /// The hash of its value, where that is told.
    hash: Option<String>,
    /// The value, where the gateway tells even that.
    raw: Option<String>,
    alias: Value,
    spend: Value,
    models: Vec<String>,
}

impl VirtualKey {
    /// A key as it is listed: an object, or just its token.
    fn read(entry: &Value) -> Option<Self> {
        let (token, object) = match entry {
            Value::String(token) => (Some(token.as_str()), &NULL),
            object => (object.get("token").and_then(Value::as_str), object),
        };
        let token = token.map(str::trim).filter(|token| !token.is_empty() && token.len() <= NAME);
        let raw = token.filter(|token| !is_hash(token)).and_then(known);
        let hash = token.filter(|token| is_hash(token)).map(str::to_owned).or_else(|| raw.map(hash::credential_value));
        // Some put the key itself where its id belongs.
        let id = name_of(object, "key_id").filter(|id| Some(*id) != token && !id.starts_with("sk-"));
        let id = id.map(str::to_owned).or_else(|| hash.clone())?;
        let models = object.get("models").and_then(Value::as_array).into_iter().flatten();
        let models = models.filter_map(Value::as_str).filter(|name| name.len() <= NAME).take(LISTED);
        let spend = object.get("spend").filter(|spend| spend.is_number()).cloned().unwrap_or_default();
        let (alias, models) = (text_of(object.get("key_alias")), models.map(str::to_owned).collect());
        Some(Self { id, hash, raw: raw.map(str::to_owned), alias, spend, models })
    }
}

/// Whether a token is the SHA-256 of the key, which is how the gateway keeps keys; keys themselves begin with `sk-`.
fn is_hash(token: &str) -> bool {
    token.len() == 64 && token.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The keys that the gateway gave out, from all pages. None if not even the first was read.
async fn virtual_keys(asker: &Asker<'_>, work: &mut Work<'_>) -> Option<Vec<VirtualKey>> {
    let mut found = Vec::new();
    let mut nameless = 0_usize;
    for page in 1..=PAGES {
        let path = format!("/key/list?page={page}&size=100&return_full_object=true");
        let answer = match asker.json(&path, ANSWER).await {
            Ok(answer) => answer,
            Err(Trouble::Status(status)) if page == 1 => {
                let why = format!("the answer is {status}; a gateway without a database has no such keys");
                work.unread("/key/list", &Trouble::Words(why));
                return None;
            }
            Err(trouble) => {
                work.unread("/key/list", &trouble);
                return (page > 1).then_some(found);
            }
        };
        let Some(list) = answer.as_array().or_else(|| answer.get("keys").and_then(Value::as_array)) else {
            work.problem("`/key/list` was not read: the answer is no list of keys".to_owned());
            return (page > 1).then_some(found);
        };
        let read: Vec<VirtualKey> = list.iter().filter_map(VirtualKey::read).collect();
        nameless += list.len() - read.len();
        found.extend(read);
        let pages = answer.get("total_pages").and_then(Value::as_u64).unwrap_or(1);
        if found.len() > VIRTUAL_KEYS {
            found.truncate(VIRTUAL_KEYS);
            work.cut(format!("virtual keys after the first {VIRTUAL_KEYS}"));
            break;
        }
        if list.is_empty() || page as u64 >= pages {
            break;
        }
        if page == PAGES {
            work.cut(format!("virtual keys after the first {PAGES} pages"));
        }
    }
    if nameless > 0 {
        work.problem(format!("{nameless} virtual keys have neither an id nor a token that could be taken"));
    }
    Some(found)
}

fn add_virtual_key(work: &mut Work<'_>, key: VirtualKey) {
    if let Some(raw) = &key.raw {
        work.hide(raw);
    }
    let models = if key.models.is_empty() { Value::Null } else { json!(key.models) };
    let evidence = format!("{} lists a key that it gave out", work.subject.reading.base());
    work.credential(Held {
        name: format!("virtual-{}", key.id),
        r#type: "virtual_key",
        format: "litellm-virtual",
        source: SOURCE,
        high_entropy: false,
        value_hash: key.hash,
        more: properties([("alias", key.alias), ("spend_usd", key.spend), ("models", models)]),
        evidence,
    });
}
