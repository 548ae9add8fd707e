//! Cards that another implementation signed; see `make.py` beside them.

use serde_json::json;

use super::super::card;
use super::*;

fn file(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cards");
    std::fs::read(folder.join(name)).unwrap()
}

fn value(name: &str) -> Value {
    card::parse(&file(name)).unwrap().1
}

fn given(name: &str) -> GivenKeys {
    GivenKeys::read(&file(name)).unwrap()
}

/// Where the keys came from that a card was verified with, or why it was not.
fn words(verdict: &Verdict) -> String {
    assert!(verdict.is_signed);
    match (&verdict.keys, &verdict.problem) {
        (Some(source), None) => source.name().to_owned(),
        (None, Some(problem)) => problem.clone(),
        other => panic!("{other:?}"),
    }
}

fn check(name: &str, keys: Option<&str>, expected: &str) {
    let keys = keys.map(given);
    let found = words(&super::check(&value(name), keys.as_ref(), &Fetched::default()));
    let is_right = if expected.contains(' ') { found.contains(expected) } else { found == expected };
    assert!(is_right, "{name}: {found}");
}

#[test]
fn cards_that_were_signed_verify_with_the_keys_of_their_signer() {
    for name in ["es256", "rs256", "eddsa"] {
        check(&format!("library-{name}.json"), Some("keys.json"), "given");
        check(&format!("raw-{name}.json"), Some("keys.json"), "given");
    }
    for name in
        ["library-two-keys", "raw-kid-absent", "raw-kid-outside", "compact", "compact-detached", "compact-loose"]
    {
        check(&format!("{name}.json"), Some("keys.json"), "given");
    }
}

#[test]
fn cards_that_were_changed_do_not_verify() {
    for name in ["es256", "rs256", "eddsa"] {
        check(&format!("library-{name}-skill-changed.json"), Some("keys.json"), "it is not over this card");
    }
    for name in [
        "library-interface-changed",
        "library-flag-changed",
        "library-signature-swapped",
        "raw-changed",
        "raw-added",
        "compact-changed",
    ] {
        check(&format!("{name}.json"), Some("keys.json"), "it is not over this card");
    }
    check("library-one-wrong.json", Some("keys.json"), "signature 1 can't be trusted: it is not over this card");
}

#[test]
fn every_single_change_of_what_is_signed_is_noticed() {
    let good = value("library-es256.json");
    let keys = given("keys.json");
    let whole = forms::of(&good).pop().unwrap().part.signed;
    let mut changed = 0;
    for pointer in texts(&whole, "") {
        let mut card = good.clone();
        *card.pointer_mut(&pointer).unwrap() = json!("changed");
        let verdict = super::check(&card, Some(&keys), &Fetched::default());
        assert!(verdict.keys.is_none(), "{pointer}");
        changed += 1;
    }
    assert!(changed > 20, "{changed}");
}

/// Pointers to all texts in a value.
fn texts(value: &Value, at: &str) -> Vec<String> {
    match value {
        Value::String(_) => vec![at.to_owned()],
        // Lists lose what is empty when they are signed, so only those that keep their places are looked into.
        Value::Array(items) if !at.contains("params") && !at.contains("examples") => {
            items.iter().enumerate().flat_map(|(position, item)| texts(item, &format!("{at}/{position}"))).collect()
        }
        Value::Object(members) => {
            members.iter().flat_map(|(key, value)| texts(value, &format!("{at}/{key}"))).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn what_proves_nothing_is_refused_in_words() {
    for (name, keys, expected) in [
        ("raw-none.json", "keys.json", "`none`, which proves nothing"),
        ("raw-hs256.json", "keys.json", "`HS256`, whose key is a secret"),
        ("raw-crit.json", "keys.json", "`crit` demands an extension"),
        ("raw-kid-unknown.json", "keys.json", "no key with the id `another`"),
        ("raw-kid-twice.json", "keys.json", "in both its headers"),
        ("raw-es256.json", "other-keys.json", "it is not over this card"),
        ("raw-rs256.json", "other-keys.json", "no key with the id `rs256` for its algorithm"),
    ] {
        check(name, Some(keys), expected);
    }
    let weak = GivenKeys::read(&file("weak-keys.json")).unwrap_err().to_string();
    assert!(weak.contains("weak RSA key of 1024 bits"), "{weak}");
}

#[test]
fn keys_within_the_card_prove_integrity_only_and_only_if_none_are_given() {
    check("raw-inline-header.json", None, "inline");
    check("raw-inline-card.json", None, "inline");
    check("raw-inline-private.json", None, "is a private key");
    check("raw-inline-header.json", Some("keys.json"), "it is not over this card");
    check("raw-inline-card.json", Some("keys.json"), "no key with the id `x`");
    check("raw-es256.json", None, "no keys are given, and it names none");
}

/// Checks a card against keys that are found at the place that it names.
fn check_fetched(name: &str, from: &str, answer: Result<Vec<u8>, String>, expected: &str) {
    let (card, from) = (value(name), Url::parse(from).unwrap());
    let wanted = Wanted::of(&card, None, &Site { card: &from, allowed: &[] });
    let answers = wanted.urls().map(|(jku, _)| (jku.to_owned(), answer.clone())).collect();
    let found = words(&super::check(&card, None, &wanted.fetched(answers)));
    assert!(found.contains(expected), "{name}: {found}");
}

#[test]
fn keys_at_a_place_count_if_the_place_is_of_the_cards_site() {
    let own = "https://reise.example/.well-known/agent-card.json";
    check_fetched("library-jku.json", own, Ok(file("keys.json")), "jku");
    check_fetched("library-jku.json", own, Ok(file("other-keys.json")), "it is not over this card");
    check_fetched("library-jku.json", own, Err("the answer is 404".to_owned()), "can't be used: the answer is 404");
    check_fetched("library-jku.json", own, Ok(b"<html>".to_vec()), "the key set is not JSON");
    check_fetched("library-jku.json", "https://other.example/", Ok(file("keys.json")), "of another site than the card");
    check_fetched("raw-jku-loopback.json", own, Ok(file("keys.json")), "of another site than the card");
}

#[test]
fn the_place_that_a_signature_names_is_not_made_up_for_by_keys_within_the_card() {
    let mut card = value("library-jku.json");
    card["jwks"] = json!({"keys": serde_json::from_slice::<Value>(&file("keys.json")).unwrap()["keys"]});
    let verdict = super::check(&card, None, &Wanted::default().fetched(BTreeMap::new()));
    assert_eq!(verdict.keys, None);
}

#[test]
fn members_that_a_signature_does_not_cover_are_told_apart() {
    let keys = given("keys.json");
    let signed = |name: &str| super::check(&value(name), Some(&keys), &Fetched::default()).signed;
    assert_eq!(signed("raw-es256.json"), None);
    // What the library serves has members of earlier versions beside those that it signs.
    let part = signed("library-scheme-added.json").unwrap().signed;
    assert_eq!((part.get("url"), part["securitySchemes"].get("extra")), (None, None));
}

#[test]
fn cards_without_signatures_are_not_signed() {
    for (signatures, problem) in [(json!(null), None), (json!([]), None), (json!("x"), Some("is text, not a list"))] {
        let verdict = super::check(&json!({"name": "a", "signatures": signatures}), None, &Fetched::default());
        assert!(!verdict.is_signed && verdict.keys.is_none());
        assert_eq!(verdict.problem.is_some(), problem.is_some());
        assert!(verdict.problem.unwrap_or_default().contains(problem.unwrap_or_default()));
    }
}

#[test]
fn what_can_not_be_taken_apart_is_said() {
    for (entry, expected) in [
        (json!(1), "it is a number"),
        (json!({}), "it has no `protected`"),
        (json!({"protected": 1, "signature": "AA"}), "`protected` is a number"),
        (json!({"protected": "!", "signature": "AA"}), "its header is not base64url"),
        (json!({"protected": "e30", "signature": "AA"}), "no `alg`"),
        (json!({"protected": "W10", "signature": "AA"}), "not a JSON object"),
        (json!({"protected": "e30", "signature": "AA", "header": 1}), "`header` is a number"),
        (json!("a.b"), "three parts"),
        (json!({"protected": "A".repeat(20_000), "signature": "AA"}), "longer than 16384 bytes"),
    ] {
        let verdict = super::check(&json!({"name": "a", "signatures": [entry]}), None, &Fetched::default());
        let problem = verdict.problem.unwrap();
        assert!(problem.contains(expected), "{problem}");
    }
}

#[test]
fn only_so_many_signatures_places_and_keys_are_looked_at() {
    let entry = value("raw-es256.json")["signatures"][0].clone();
    let many = json!({"signatures": vec![entry; 1_000]});
    assert_eq!(
        (entries(&many).len(), beyond_limit(&many).unwrap()),
        (16, "`signatures` is cut at 16 of 1000".to_owned())
    );
    let key = serde_json::from_slice::<Value>(&file("keys.json")).unwrap()["keys"][0].clone();
    let set = KeySet::read(&json!({"keys": vec![key; 1_000]})).unwrap();
    assert_eq!((set.keys.len(), set.problems.len()), (64, 1));
}

#[test]
fn keys_that_are_not_for_this_are_not_used() {
    let key = serde_json::from_slice::<Value>(&file("keys.json")).unwrap()["keys"][0].clone();
    for (member, content, expected) in [
        ("use", json!("enc"), "not for signatures"),
        ("key_ops", json!(["sign"]), "not for verifying"),
        ("alg", json!("RS256"), "its type can't do"),
        ("crv", json!("P-521"), "not read"),
        ("kty", json!("oct"), "shared secret"),
        ("x", json!("AA"), "1 bytes, not 32"),
        ("y", json!("!"), "not base64url"),
        ("d", json!("AA"), "private key"),
    ] {
        let mut key = key.clone();
        key[member] = content;
        let set = KeySet::read(&key).unwrap();
        assert!(set.keys.is_empty() && set.problems[0].contains(expected), "{:?}", set.problems);
    }
}
