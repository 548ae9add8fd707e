//! MLflow: experiments and registered models.
//!
//! Runs can be searched only with a POST, and are not read.

use serde_json::Value;

use super::asking::Asker;
use super::limits::{ANSWER, COUNTED, PAGES};
use super::work::{Work, name_of};

pub(super) async fn read(asker: &Asker<'_>, work: &mut Work<'_>) {
    let experiments = List { path: "/api/2.0/mlflow/experiments/search", key: "experiments", what: "experiments" };
    if let Some(names) = experiments.names(asker, work).await {
        work.set("experiment_count", names.len());
        work.list("experiments", names);
    }
    let models =
        List { path: "/api/2.0/mlflow/registered-models/search", key: "registered_models", what: "registered models" };
    if let Some(names) = models.names(asker, work).await {
        work.set("registered_model_count", names.len());
    }
}

/// A list that comes in pages.
struct List {
    path: &'static str,
    key: &'static str,
    what: &'static str,
}

impl List {
    /// The names in it, from as many pages as there are and may be. None if not even the first was read.
    async fn names(&self, asker: &Asker<'_>, work: &mut Work<'_>) -> Option<Vec<String>> {
        let Self { path, key, what } = self;
        let mut names = Vec::new();
        let mut token = String::new();
        for page in 0..PAGES {
            // Without a number the service takes none, and refuses.
            let mut asked = format!("{path}?max_results=1000");
            if !token.is_empty() {
                asked.push_str("&page_token=");
                asked.extend(form_urlencoded::byte_serialize(token.as_bytes()));
            }
            let Some(answer) = work.ask(asker, &asked, ANSWER).await else { return (page > 0).then_some(names) };
            let list = match answer.get(key) {
                Some(Value::Array(list)) => list.as_slice(),
                // An empty list is left out.
                None if answer.is_object() => &[],
                _ => {
                    work.problem(format!("`{path}` was not read: the answer is no list of {what}"));
                    return (page > 0).then_some(names);
                }
            };
            names.extend(list.iter().map(|item| name_of(item, "name").unwrap_or_default().to_owned()));
            if names.len() > COUNTED {
                names.truncate(COUNTED);
                work.cut(format!("{what} after the first {COUNTED}"));
                return Some(names);
            }
            match answer.get("next_page_token").and_then(Value::as_str).filter(|next| !next.is_empty()) {
                None => return Some(names),
                Some(next) if next == token => {
                    work.problem(format!("`{path}` leads from a page to the same page"));
                    return Some(names);
                }
                Some(next) => token = next.to_owned(),
            }
        }
        work.cut(format!("{what} after the first {PAGES} pages"));
        Some(names)
    }
}
