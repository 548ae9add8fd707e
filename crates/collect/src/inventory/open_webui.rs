//! Open WebUI: who may come in, and what its administrator is told of the services behind it.

use serde_json::{Value, json};
use tracehound_model::{NodeKind, hash};

use super::asking::Asker;
use super::limits::{ANSWER, UPSTREAMS};
use super::work::{Held, Work, known, text_of};
use crate::builder::properties;

pub(super) async fn read(asker: &Asker<'_>, work: &mut Work<'_>) {
    if let Some(config) = work.ask(asker, "/api/config", ANSWER).await {
        settings(work, &config);
    }
    if !asker.has_key {
        return work.problem("the services behind it were not read: that needs the key of an administrator".to_owned());
    }
    if let Some(config) = work.ask(asker, "/openai/config", ANSWER).await {
        upstreams(work, &config, &OPENAI);
    }
    if let Some(config) = work.ask(asker, "/ollama/config", ANSWER).await {
        upstreams(work, &config, &OLLAMA);
    }
}

/// What everybody is told.
fn settings(work: &mut Work<'_>, config: &Value) {
    let feature = |key: &str| config.get("features").and_then(|features| features.get(key)).and_then(Value::as_bool);
    for (key, value) in [("webui_auth_enabled", feature("auth")), ("signup_enabled", feature("enable_signup"))] {
        if let Some(value) = value {
            work.set(key, value);
        }
    }
    for (key, value) in [("version", config.get("version")), ("default_user_role", config.get("default_user_role"))] {
        match text_of(value) {
            Value::Null => {}
            text => work.set(key, text),
        }
    }
    if let Some(url) = config.pointer("/ollama/base_url").and_then(Value::as_str) {
        work.name(Some(NodeKind::OllamaInstance), url);
    }
}

/// A list of services behind it.
struct Sort {
    path: &'static str,
    urls: &'static str,
    /// Where keys stand: in a list beside the URLs, or in what is set for each of them.
    keys: Option<&'static str>,
    configs: &'static str,
    name: &'static str,
    kind: Option<NodeKind>,
}

const OPENAI: Sort = Sort {
    path: "/openai/config",
    urls: "OPENAI_API_BASE_URLS",
    keys: Some("OPENAI_API_KEYS"),
    configs: "OPENAI_API_CONFIGS",
    name: "upstream-openai",
    kind: None,
};

const OLLAMA: Sort = Sort {
    path: "/ollama/config",
    urls: "OLLAMA_BASE_URLS",
    keys: None,
    configs: "OLLAMA_API_CONFIGS",
    name: "upstream-ollama",
    kind: Some(NodeKind::OllamaInstance),
};

/// What only its administrator is told.
fn upstreams(work: &mut Work<'_>, config: &Value, sort: &Sort) {
    let Some(urls) = config.get(sort.urls).and_then(Value::as_array) else {
        return work.problem(format!("`{}` was not read: it names no services", sort.path));
    };
    let keys = sort.keys.and_then(|keys| config.get(keys)).and_then(Value::as_array);
    let count = urls.len().max(keys.map_or(0, Vec::len));
    if count > UPSTREAMS {
        work.cut(format!("services behind it after the first {UPSTREAMS}"));
    }
    for index in 0..count.min(UPSTREAMS) {
        let url = urls.get(index).and_then(Value::as_str).unwrap_or_default();
        // What is set for a service stands under its number, and in older versions under its URL.
        let set = config.get(sort.configs).and_then(|all| all.get(index.to_string()).or_else(|| all.get(url)));
        let key = match keys {
            Some(keys) => keys.get(index),
            None => set.and_then(|set| set.get("key")),
        };
        let endpoint = work.url(url);
        if let Some(endpoint) = &endpoint {
            work.name(sort.kind, endpoint);
        }
        if let Some(key) = key.and_then(Value::as_str).filter(|key| !key.trim().is_empty()) {
            let name = format!("{}-{index}", sort.name);
            add(work, name, key, endpoint);
        }
    }
}

fn add(work: &mut Work<'_>, name: String, key: &str, endpoint: Option<String>) {
    let value = known(key);
    if let Some(value) = value {
        work.hide(value);
    }
    let to = endpoint.as_deref().unwrap_or("a service behind it");
    let evidence = format!("the settings of {} hold the key for {to}", work.subject.reading.base());
    work.credential(Held {
        name,
        r#type: "apiKey",
        format: "upstream-provider",
        source: "openwebui",
        high_entropy: true,
        value_hash: value.map(hash::credential_value),
        more: properties([("provider_endpoint", endpoint.map_or(Value::Null, |it| json!(it)))]),
        evidence,
    });
}
