//! Agents that speak of other agents: who is followed, how far, and what is made of it.

use serde_json::json;
use tracehound_collect::net::Policy;
use tracehound_model::EdgeKind;

use super::{ask, ask_with, card, request};
use crate::peer::{CARD, Peer, json as answer, status};

const NEAR: Policy = Policy { allow_private: true };

/// Agents that each name the next one, the last the first.
async fn ring(count: usize) -> Vec<Peer> {
    let listeners: Vec<std::net::TcpListener> =
        (0..count).map(|_| std::net::TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let urls: Vec<String> = listeners.iter().map(|it| format!("http://{}", it.local_addr().unwrap())).collect();
    let mut peers = Vec::new();
    let nexts = urls.iter().cycle().skip(1);
    for (number, ((listener, own), next)) in listeners.into_iter().zip(&urls).zip(nexts).enumerate() {
        let card = card(&format!("Ring{number}"), json!({"url": own, "delegates": [{"url": next}]}));
        let answers = move |path: &str| Some(if path == CARD { answer(&card) } else { status("404 Not Found", "") });
        peers.push(Peer::at(listener, answers).await);
    }
    peers
}

#[tokio::test]
async fn agents_are_followed_in_a_ring_and_each_is_asked_once() {
    let peers = ring(3).await;
    let mut request = request(&[&peers[0].url]);
    request.follow = 10;
    let outcome = ask_with(&request, NEAR).await;
    assert_eq!(outcome.arrows(EdgeKind::DelegatesTo), ["Ring0 -> Ring1", "Ring1 -> Ring2", "Ring2 -> Ring0"]);
    assert!(peers.iter().all(|peer| peer.paths() == [CARD]));
    let named: Vec<bool> = outcome.looked.iter().map(|looked| looked.named_by.is_some()).collect();
    assert_eq!(named.iter().filter(|it| **it).count(), 2);
}

#[tokio::test]
async fn agents_are_followed_as_far_as_is_asked_and_no_more_of_them() {
    let peers = ring(6).await;
    for (follow, limit, asked) in [(0, 100, 1), (2, 100, 3), (5, 1, 2)] {
        let mut request = request(&[&peers[0].url]);
        (request.follow, request.limit) = (follow, limit);
        let outcome = ask_with(&request, NEAR).await;
        assert_eq!(outcome.looked.len(), asked, "{follow} {limit}");
    }
}

#[tokio::test]
async fn agents_on_this_machine_are_not_asked_because_a_card_says_so() {
    let peers = ring(2).await;
    let mut request = request(&[&peers[0].url]);
    request.follow = 3;
    let outcome = ask(&request).await;
    assert!(outcome.problem().contains("is not contacted: it is this machine"), "{}", outcome.problem());
    assert!(outcome.problem().contains(&format!("(the card of {} names it)", peers[0].url)));
    assert_eq!((peers[1].paths().len(), outcome.looked.len()), (0, 1));
}

#[tokio::test]
async fn a_card_with_a_thousand_delegates_leads_to_a_few_and_says_so() {
    let peer = Peer::knowing_itself(|url| {
        let delegates: Vec<String> = (0..1_000).map(|number| format!("{url}/agents/{number}")).collect();
        let card = card("Hub", json!({"delegates": delegates}));
        Box::new(move |path| Some(if path == CARD { answer(&card) } else { status("404 Not Found", "") }))
    })
    .await;
    let mut request = request(&[&peer.url]);
    request.follow = 3;
    let outcome = ask(&request).await;
    let agents: std::collections::BTreeSet<String> = peer
        .paths()
        .iter()
        .filter_map(|path| path.strip_prefix("/agents/")?.split('/').next().map(str::to_owned))
        .collect();
    assert_eq!(agents.len(), 20);
    assert_eq!(outcome.said(&peer.url, "cut_short"), r#"["of 1000 other agents that it names, 980 were not asked"]"#);
    assert_eq!(outcome.looked[0].cut_short.len(), 1);
}

#[tokio::test]
async fn what_a_text_names_in_passing_is_followed_and_not_complained_about() {
    let helper = Peer::with_card(card("Helper", json!({}))).await;
    let empty = Peer::start(|_| Some(status("404 Not Found", ""))).await;
    let description = format!("Asks {}, documented at {}/docs.", helper.url, empty.url);
    let first = Peer::with_card(card("First", json!({"description": description}))).await;
    let mut request = request(&[&first.url]);
    request.follow = 1;
    let outcome = ask_with(&request, NEAR).await;
    assert_eq!(outcome.arrows(EdgeKind::DelegatesTo), ["First -> Helper"]);
    assert_eq!((outcome.problems.as_slice(), outcome.looked.len()), (&[][..], 2));
}

#[tokio::test]
async fn delegation_says_what_it_rests_on_and_weighs_by_what_the_other_demands() {
    let schemes = json!({"securitySchemes": {"k": {"type": "apiKey"}}});
    let locked = Peer::with_card(card("Booking Desk", schemes)).await;
    let open = Peer::with_card(card("Weather Watch", json!({}))).await;
    let skills = json!([{"id": "s", "name": "S", "description": "Asks the booking desk, then Weather Watch."}]);
    let first = Peer::with_card(card("Planner", json!({"skills": skills}))).await;
    let outcome = ask(&request(&[&first.url, &locked.url, &open.url])).await;
    let edges = outcome.document.graph.edges.iter().filter(|edge| edge.kind == EdgeKind::DelegatesTo);
    let mut found: Vec<(String, String, String)> = edges
        .map(|edge| {
            let value = |key: &str| edge.properties[key].to_string();
            (value("evidence"), value("risk_weight"), value("confidence"))
        })
        .collect();
    found.sort();
    let expected = [
        (r#""a skill's description names `Booking Desk`""#, "0.5", "0.7"),
        (r#""a skill's description names `Weather Watch`""#, "0.1", "0.7"),
    ];
    assert_eq!(found, expected.map(|(one, two, three)| (one.to_owned(), two.to_owned(), three.to_owned())));
}

#[tokio::test]
async fn agents_that_accept_the_tokens_of_one_issuer_share_a_domain() {
    let schemes = |token: &str| json!({"securitySchemes": {"o": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": token}}}}});
    let one = Peer::with_card(card("One", schemes("https://login.example/t1/oauth2/v2.0/token"))).await;
    let two = Peer::with_card(card("Two", schemes("https://login.example/t1/oauth2/v2.0/token"))).await;
    let three = Peer::with_card(card("Three", schemes("https://login.example/t2/oauth2/v2.0/token"))).await;
    let outcome = ask(&request(&[&one.url, &two.url, &three.url])).await;
    let arrows = outcome.arrows(EdgeKind::SameAuthDomain);
    assert!(arrows == ["One -> Two"] || arrows == ["Two -> One"], "{arrows:?}");
}

#[tokio::test]
async fn who_claims_the_place_of_another_does_not_get_its_callers() {
    let real = Peer::with_card(card("Real", json!({}))).await;
    let fake = Peer::with_card(card("Fake", json!({"url": real.url}))).await;
    let first = Peer::with_card(card("First", json!({"peers": [real.url]}))).await;
    let outcome = ask(&request(&[&fake.url, &first.url, &real.url])).await;
    assert_eq!(outcome.arrows(EdgeKind::DelegatesTo), ["First -> Real"]);
    assert_eq!(outcome.said(&fake.url, "claimed_url"), format!("{}/", real.url));
}
