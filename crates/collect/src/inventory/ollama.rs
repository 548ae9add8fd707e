//! Ollama: the models that an instance has.
//!
//! What a model's own file says (`/api/show`) is told only in answer to a POST, and is not read.

use serde_json::{Value, json};
use tracehound_model::{EdgeKind, NodeId, NodeKind};

use super::asking::Asker;
use super::limits::{ANSWER, MODELS};
use super::work::{Work, name_of, text_of};
use crate::builder::properties;

pub(super) async fn read(asker: &Asker<'_>, work: &mut Work<'_>) {
    let Some(answer) = work.ask(asker, "/api/tags", ANSWER).await else { return };
    // An instance without models says null.
    let models = match answer.get("models") {
        Some(Value::Array(models)) => models.as_slice(),
        Some(Value::Null) => &[],
        _ => return work.problem("`/api/tags` was not read: the answer is no list of models".to_owned()),
    };
    if models.len() > MODELS {
        work.cut(format!("models after the first {MODELS}"));
    }
    work.set("model_count", models.len());
    let mut nameless = 0_usize;
    for model in models.iter().take(MODELS) {
        match name_of(model, "model").or_else(|| name_of(model, "name")) {
            Some(name) => add(work, name, model),
            None => nameless += 1,
        }
    }
    if nameless > 0 {
        work.problem(format!("{nameless} models have no name that could be taken"));
    }
}

fn add(work: &mut Work<'_>, name: &str, model: &Value) {
    let detail = |key: &str| text_of(model.get("details").and_then(|details| details.get(key)));
    let values = properties([
        ("name", json!(name)),
        ("size", model.get("size").and_then(Value::as_u64).map_or(Value::Null, Value::from)),
        ("digest", text_of(model.get("digest"))),
        ("family", detail("family")),
        ("parameter_size", detail("parameter_size")),
        ("quantization", detail("quantization_level")),
        ("modified_at", text_of(model.get("modified_at"))),
    ]);
    let id = NodeId::ai_model(work.subject.id, name);
    let evidence = format!("`/api/tags` of {} lists the model `{name}`", work.subject.reading.base());
    work.below(EdgeKind::ProvidesModel, (id, NodeKind::AiModel), values, evidence);
}
