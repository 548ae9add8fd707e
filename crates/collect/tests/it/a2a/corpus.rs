//! Real cards, against what a careful reader finds in them.
//!
//! The files are other people's and stay where they are: beside the repository. What is kept here is the reading.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tracehound_model::NodeKind;

use super::{ask, request};
use crate::peer::{Peer, json, status};

const EXPECTED: &str = include_str!("../../expected/agent_cards.jsonl");

fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/agent_cards");
    folder.canonicalize().ok()
}

#[tokio::test]
async fn every_card_gives_an_agent_or_one_precise_problem() {
    let Some(folder) = corpus() else { return };
    let rows: Vec<Value> = EXPECTED.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let cards = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(cards.filter(|name| name.ends_with(".json")).count(), rows.len());
    let peer = Peer::start(move |path| {
        let file = path.trim_start_matches('/').split('/').next().unwrap();
        Some(std::fs::read(folder.join(file)).map_or_else(|_| status("404 Not Found", ""), json))
    })
    .await;
    // The name of the file is the path of the agent; the slash keeps it from being taken for the card's own address.
    for row in &rows {
        let base = format!("{}/{}/a", peer.url, row["file"].as_str().unwrap());
        let outcome = ask(&request(&[&base])).await;
        let said = |key: &str| outcome.said(&base, key);
        if let Some(refused) = row["refused"].as_str() {
            assert!(outcome.problem().contains(refused), "{row}: {}", outcome.problem());
            assert_eq!((said("status").as_str(), said("name").as_str()), ("unreachable", ""), "{row}");
            continue;
        }
        let found =
            (said("status"), said("card_version"), said("auth_method"), outcome.nodes(NodeKind::A2aSkill).len());
        let text = |key: &str| row[key].as_str().unwrap().to_owned();
        let skills = usize::try_from(row["skills"].as_u64().unwrap()).unwrap();
        assert_eq!(found, ("reachable".to_owned(), text("form"), text("auth"), skills), "{row}");
        // None of them is from this machine, and none is signed.
        assert_eq!(!said("claimed_url").is_empty(), row["elsewhere"] == true, "{row}");
        assert_eq!(said("is_signed"), "false", "{row}");
        match row["problem"].as_str() {
            Some(problem) => assert!(outcome.problem().contains(problem), "{row}: {}", outcome.problem()),
            None => assert!(outcome.problems.is_empty(), "{row}: {:?}", outcome.problems),
        }
    }
}
