//! The chain of one tenant: gives each draft its place, hashes and signs it.
//!
//! It knows nothing of the store. Who seals within a transaction takes a [`Mark`] before it and goes back to it when the
//! transaction fails.

use std::sync::Arc;

use jiff::Timestamp;
use uuid::Uuid;

use super::body::{Draft, Event, Place};
use super::hash::Hash;
use super::keys::SigningKey;

/// The growing end of a tenant's chain.
#[derive(Debug)]
pub struct Chain {
    tenant: String,
    last: Option<Last>,
    signer: Option<Arc<SigningKey>>,
}

/// The last receipt of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Last {
    /// Its place, from 0.
    pub sequence: u64,
    /// Its hash.
    pub hash: Hash,
}

/// Where a chain stood.
#[derive(Debug, Clone)]
pub struct Mark {
    last: Option<Last>,
    signer: Option<Arc<SigningKey>>,
}

/// A receipt that has its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Its id.
    pub receipt_id: Uuid,
    /// Its place, from 0.
    pub sequence: u64,
    /// Its hash.
    pub hash: Hash,
    /// The whole object in RFC 8785 form, as it is stored, listed and verified.
    pub json: String,
}

impl Chain {
    /// A chain after its last receipt, or an empty one. Without a signer receipts are unsigned, which is the caller's
    /// decision and never what becomes of a key that can't be read.
    #[must_use]
    pub fn new(tenant: impl Into<String>, last: Option<Last>, signer: Option<Arc<SigningKey>>) -> Self {
        Self { tenant: tenant.into(), last, signer }
    }

    /// Whose chain it is.
    #[must_use]
    pub fn tenant(&self) -> &str {
        &self.tenant
    }

    /// Its last receipt.
    #[must_use]
    pub const fn last(&self) -> Option<Last> {
        self.last
    }

    /// How many receipts it has.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.last.map_or(0, |last| last.sequence + 1)
    }

    /// The key that signs.
    #[must_use]
    pub fn signer(&self) -> Option<&SigningKey> {
        self.signer.as_deref()
    }

    /// Where it stands.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark { last: self.last, signer: self.signer.clone() }
    }

    /// Goes back to where it stood, as if nothing had been sealed since.
    pub fn rewind(&mut self, mark: Mark) {
        (self.last, self.signer) = (mark.last, mark.signer);
    }

    /// Gives a draft the next place. Linear in the length of the draft; the signature takes most of the time.
    pub fn seal(&mut self, draft: &Draft, receipt_id: Uuid, ts: Timestamp) -> Sealed {
        let sequence = self.size();
        let mut buffer = Uuid::encode_buffer();
        let place = Place {
            event_id: receipt_id.as_hyphenated().encode_lower(&mut buffer),
            tenant: &self.tenant,
            sequence,
            prev: self.last.map(|last| last.hash),
            ts: &format!("{ts:.6}"),
        };
        let members = draft.write(&place);
        let hash = members.hash();
        let signed = self.signer.as_ref().map(|signer| (signer.sign(&hash), signer.public().id()));
        let json = members.whole(&hash, signed.as_ref().map(|(signature, id)| (signature.as_str(), *id)));
        self.last = Some(Last { sequence, hash });
        Sealed { receipt_id, sequence, hash, json }
    }

    /// Hands over to another key: a receipt that names it, signed by the old one. From the next receipt on it signs.
    pub fn rotate(&mut self, next: Arc<SigningKey>, receipt_id: Uuid, ts: Timestamp) -> Sealed {
        let sealed = self.seal(&Event::next_key(next.public()).into(), receipt_id, ts);
        self.signer = Some(next);
        sealed
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;
    use serde_json::{Value, json};
    use tracehound_model::{TrustLevel, Verdict};

    use super::*;
    use crate::receipt::{Decision, EventKind, PolicyUsed, Seed, sha256};

    fn signer() -> Arc<SigningKey> {
        Arc::new(SigningKey::from_seed(&Seed::from_bytes([7; 32])).unwrap())
    }

    fn chain() -> Chain {
        let last = Last { sequence: 41, hash: sha256("before") };
        Chain::new("tenant \"a\"", Some(last), Some(signer()))
    }

    fn moment() -> Timestamp {
        "2026-01-02T03:04:05Z".parse().unwrap()
    }

    /// Seals a draft and takes the result apart: the members, those that the hash does not cover apart.
    fn sealed(draft: &Draft) -> (Sealed, Value, [Value; 3]) {
        let sealed = chain().seal(draft, Uuid::from_u128(5), moment());
        let mut object: Value = serde_json::from_str(&sealed.json).unwrap();
        assert_eq!(serde_json_canonicalizer::to_string(&object).unwrap(), sealed.json);
        let members = object.as_object_mut().unwrap();
        let unhashed = crate::receipt::UNHASHED.map(|key| members.remove(key).unwrap());
        assert_eq!(sha256(serde_json_canonicalizer::to_string(&object).unwrap()), sealed.hash);
        (sealed, object, unhashed)
    }

    #[test]
    fn an_event_says_what_it_was_told() {
        let event =
            Event::approval(super::super::ApprovalStep::Approved, "ap-1").by("kim").of_decision("d-1").of_agent("a-1");
        let draft = event.with("note", Some("fine".to_owned())).into();
        let (sealed, body, [hash, signature, key]) = sealed(&draft);
        assert_eq!(
            body,
            json!({
                "agent_id": "a-1", "approval_id": "ap-1", "approver": "kim", "canon_version": "tracehound-receipt-1",
                "decision_id": "d-1", "detail": { "note": "fine", "step": "approved" },
                "event_id": "00000000-0000-0000-0000-000000000005", "kind": "approval",
                "prev_receipt_hash": sha256("before").hex(), "sequence": 42, "tenant_id": "tenant \"a\"",
                "ts": "2026-01-02T03:04:05.000000Z",
            })
        );
        assert_eq!(hash, sealed.hash.hex());
        assert_eq!((signature, key), (signer().sign(&sealed.hash).into(), signer().public().id().into()));
    }

    #[test]
    fn every_kind_of_event_can_be_sealed() {
        for kind in EventKind::ALL {
            let draft = Draft::from(Event::new(*kind));
            assert_eq!(sealed(&draft).1["kind"], draft.kind());
        }
    }

    #[test]
    fn an_empty_chain_begins_with_sequence_0_and_an_unsigned_one_says_so() {
        let mut chain = Chain::new("default", None, None);
        let first = chain.seal(&Event::new(EventKind::Identity).into(), Uuid::nil(), moment());
        let object: Value = serde_json::from_str(&first.json).unwrap();
        assert_eq!((&object["sequence"], &object["prev_receipt_hash"]), (&json!(0), &json!("")));
        assert_eq!((&object["signature"], &object["signer_key_id"]), (&Value::Null, &Value::Null));
        let second = chain.seal(&Event::new(EventKind::Identity).into(), Uuid::nil(), moment());
        let object: Value = serde_json::from_str(&second.json).unwrap();
        assert_eq!((&object["sequence"], &object["prev_receipt_hash"]), (&json!(1), &json!(first.hash.hex())));
    }

    #[test]
    fn a_transaction_that_failed_leaves_no_trace() {
        let mut chain = chain();
        let mark = chain.mark();
        let draft = Draft::from(Event::new(EventKind::Mcp));
        let first = chain.seal(&draft, Uuid::nil(), moment());
        let next = Arc::new(SigningKey::from_seed(&Seed::from_bytes([8; 32])).unwrap());
        let key = chain.rotate(next.clone(), Uuid::nil(), moment());
        assert!(
            key.json.contains(signer().public().id()) && key.json.contains(&next.public().hex()),
            "signed by the old key"
        );
        assert_eq!((chain.signer().map(SigningKey::public), chain.size()), (Some(next.public()), 44));
        chain.rewind(mark);
        assert_eq!(chain.size(), 42);
        assert_eq!(chain.seal(&draft, Uuid::nil(), moment()), first);
    }

    fn text() -> impl Strategy<Value = String> {
        prop_oneof![any::<String>(), "[a-z\"\\\\\n\u{1}é😀]{0,8}"]
    }

    prop_compose! {
        fn decision()(
            texts in prop::collection::vec(text(), 8),
            optional in prop::collection::vec(prop::option::of(text()), 9),
            policies in prop::collection::vec((text(), any::<u32>(), text()), 0..3),
            numbers in any::<(u8, u8, bool)>(),
            verdict in prop::sample::select(Verdict::ALL),
            trust in prop::sample::select(TrustLevel::ALL),
        ) -> Decision {
            let text = |index: usize| texts[index].clone();
            let maybe = |index: usize| optional[index].clone();
            Decision {
                action: text(0), action_hash: text(1), agent_id: text(2), approval_id: maybe(0), approver: maybe(1),
                argument_hash: maybe(2), code: Cow::Owned(text(3)), composite_risk_score: numbers.0, decision: verdict,
                decision_id: text(4), mcp_server: maybe(3), mutates_state: numbers.2, parent_run_id: maybe(4),
                policies: policies.into_iter().map(|(name, version, hash)| PolicyUsed { name, version, hash }).collect(),
                reason: text(5), resource: maybe(5), risk_score: numbers.1, root_trust_level: trust, run_id: maybe(6),
                source_trust: trust, tool: text(6), trace_id: maybe(7), user_id: maybe(8),
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_written_directly_is_the_canonical_form(decision in decision()) {
            let (sealed, body, _) = sealed(&decision.clone().into());
            prop_assert_eq!(sealed.sequence, 42);
            let policies: Vec<Value> = decision.policies.iter()
                .map(|it| json!({ "name": it.name, "version": it.version, "hash": it.hash })).collect();
            let expected = json!({
                "action": decision.action, "action_hash": decision.action_hash, "agent_id": decision.agent_id,
                "approval_id": decision.approval_id, "approver": decision.approver, "argument_hash": decision.argument_hash,
                "canon_version": "tracehound-receipt-1", "code": decision.code,
                "composite_risk_score": decision.composite_risk_score, "decision": decision.decision.name(),
                "decision_id": decision.decision_id, "event_id": "00000000-0000-0000-0000-000000000005", "kind": "decision",
                "mcp_server": decision.mcp_server, "mutates_state": decision.mutates_state,
                "parent_run_id": decision.parent_run_id, "policies": policies, "prev_receipt_hash": sha256("before").hex(),
                "reason": decision.reason, "resource": decision.resource, "risk_score": decision.risk_score,
                "root_trust_level": decision.root_trust_level.name(), "run_id": decision.run_id, "sequence": 42,
                "source_trust": decision.source_trust.name(), "tenant_id": "tenant \"a\"", "tool": decision.tool,
                "trace_id": decision.trace_id, "ts": "2026-01-02T03:04:05.000000Z", "user_id": decision.user_id,
            });
            prop_assert_eq!(body, expected);
        }
    }
}
