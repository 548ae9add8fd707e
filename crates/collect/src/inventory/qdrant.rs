//! Qdrant: the collections of a database, and how much is in them.

use futures_util::StreamExt as _;
use futures_util::stream;
use serde_json::Value;

use super::asking::{Asker, Trouble, escaped};
use super::limits::{ANSWER, AT_ONCE, COLLECTIONS};
use super::work::{Work, name_of};

pub(super) async fn read(asker: &Asker<'_>, work: &mut Work<'_>) {
    let Some(answer) = work.ask(asker, "/collections", ANSWER).await else { return };
    let Some(list) = answer.pointer("/result/collections").and_then(Value::as_array) else {
        return work.problem("`/collections` was not read: the answer is no list of collections".to_owned());
    };
    work.set("collection_count", list.len());
    if !asker.has_key {
        work.set("anonymous_listing", true);
    }
    let mut names: Vec<String> = list.iter().filter_map(|it| name_of(it, "name")).map(str::to_owned).collect();
    if names.len() < list.len() {
        work.problem(format!("{} collections have no name that could be taken", list.len() - names.len()));
    }
    names.sort_unstable();
    names.dedup();
    work.list("collections", names.clone());
    if names.len() > COLLECTIONS {
        work.cut(format!("what is in collections after the first {COLLECTIONS}"));
        names.truncate(COLLECTIONS);
        return;
    }
    if let Some(total) = points(asker, work, &names).await {
        work.set("total_points", total);
    }
}

/// The points of all collections; none if one was not read, because a part is not the sum.
async fn points(asker: &Asker<'_>, work: &mut Work<'_>, names: &[String]) -> Option<u64> {
    let ask = async |name: &String| match escaped(name) {
        Some(part) => asker.json(&format!("/collections/{part}"), ANSWER).await,
        None => Err(Trouble::Words("its name is no part of a path".to_owned())),
    };
    let mut answers = stream::iter(names).map(|name| async move { (name, ask(name).await) }).buffered(AT_ONCE);
    let (mut total, mut troubles) = (0_u64, Vec::new());
    while let Some((name, answer)) = answers.next().await {
        match answer {
            // A collection that is being made has no number yet.
            Ok(answer) => {
                let count = answer.pointer("/result/points_count").and_then(Value::as_u64).unwrap_or(0);
                total = total.saturating_add(count);
            }
            Err(trouble) => troubles.push((format!("/collections/{name}"), trouble)),
        }
    }
    drop(answers);
    work.unread_all("collections", &troubles);
    troubles.is_empty().then_some(total)
}
