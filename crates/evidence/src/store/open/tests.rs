use super::*;
use crate::decision::DecisionFilter;
use crate::reading::Slice;
use crate::receipt::{Chain, Event, EventKind, Seed, SigningKey};
use crate::{Evidence, Moment, signing_key};

const SEED: [u8; 32] = [9; 32];

/// A store as the first version left it, with one decision and two receipts.
fn first_version(directory: &Path) {
    let connection = Connection::open(directory.join(FILE)).unwrap();
    connection.execute_batch(MIGRATIONS[0]).unwrap();
    connection.pragma_update(None, "application_id", APPLICATION).unwrap();
    connection.pragma_update(None, "user_version", 1).unwrap();
    let signer = std::sync::Arc::new(SigningKey::from_seed(&Seed::from_bytes(SEED)).unwrap());
    let hex: String = SEED.iter().map(|byte| format!("{byte:02x}")).collect();
    fs::write(directory.join(signing_key::FILE), hex).unwrap();
    let (id, key) = (signer.public().id().to_owned(), signer.public().hex());
    connection
        .execute("INSERT INTO signing_keys (key_id, public_key, created_at) VALUES (?1, ?2, 1)", [id, key])
        .unwrap();
    connection.execute("INSERT INTO tenants VALUES ('default', 'Default', 1)", []).unwrap();
    let mut chain = Chain::new("default", None, Some(signer));
    for number in 0..2 {
        let event = Event::new(EventKind::Policy).of_decision("d-1");
        let sealed = chain.seal(&event.into(), uuid::Uuid::from_u128(number), jiff::Timestamp::UNIX_EPOCH);
        let sql = "INSERT INTO receipts (tenant, sequence, id, kind, decision_id, hash, receipt) \
                   VALUES ('default', ?1, ?2, ?3, 'd-1', ?4, ?5)";
        let kind = if number == 1 { "decision" } else { "policy" };
        let id = sealed.receipt_id.hyphenated().to_string();
        connection.execute(sql, rusqlite::params![sealed.sequence, id, kind, sealed.hash.hex(), sealed.json]).unwrap();
    }
    let sql = "INSERT INTO decisions (id, tenant, agent_id, tool, action, source_trust, root_trust_level, mutates_state, \
               verdict, code, reason, explanation, risk_score, composite_risk_score, policies, redacted_fields, \
               action_hash, argument_hash, request_hash, latency_us, created_at) VALUES ('d-1', 'default', 'a-1', 't', 'a', \
               'trusted_internal_signed', 'trusted_internal_signed', 0, 'allow', 'c', 'r', '{}', 1, 1, '[]', '[]', 'h', \
               'h', 'h', 5, 7)";
    connection.execute(sql, []).unwrap();
}

#[test]
fn a_store_of_the_first_version_opens_with_everything_in_it() {
    let directory = tempfile::tempdir().unwrap();
    first_version(directory.path());
    let (evidence, first) = Evidence::open(directory.path(), std::sync::Arc::new(Moment::now)).unwrap();
    assert!(first.is_none(), "it was there before");
    let listed = evidence.decisions("default", &DecisionFilter::default(), &Slice::default()).unwrap();
    assert_eq!(listed.items.len(), 1);
    let recorded = evidence.decision("default", "d-1").unwrap().unwrap();
    assert_eq!((recorded.receipt.sequence, recorded.decision.dropped_at), (1, None));
    let mut watch = crate::Watch::default();
    assert_eq!(evidence.check_chain("default", &mut watch, 10).unwrap(), crate::Checked::Sound(2));
    // The chain goes on where it ended.
    let admin = evidence.write(|ledger| ledger.add_person("default", "kim", crate::identity::Role::Admin, "test"));
    assert!(admin.is_ok(), "{admin:?}");
    assert_eq!(evidence.check_chain("default", &mut watch, 10).unwrap(), crate::Checked::Sound(1));
    let version: i64 = reader(&directory.path().join(FILE))
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert_eq!(version, KNOWN);
}
