//! How bad a call can get, as numbers. The composite score informs; it decides nothing.

use serde::{Deserialize, Serialize};
use tracehound_model::TrustLevel;

/// What is left of the trust in a call: a chain is trusted as far as its weakest part.
#[must_use]
pub fn effective_trust(source: TrustLevel, root: Option<TrustLevel>) -> TrustLevel {
    root.map_or(source, |root| root.weakest(source))
}

/// How much each circumstance adds to the composite score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RiskWeights {
    /// The call changes something.
    pub environment_weight_mutating: u16,
    /// Its cause is signed and ours.
    pub context_trust_penalty_trusted_internal_signed: u16,
    /// Its cause is ours.
    pub context_trust_penalty_trusted_internal_unsigned: u16,
    /// Its cause is a known customer's.
    pub context_trust_penalty_semi_trusted_customer: u16,
    /// Its cause is anybody's.
    pub context_trust_penalty_untrusted_external: u16,
    /// Its cause is thought to be an attack.
    pub context_trust_penalty_malicious_suspected: u16,
    /// Nobody knows its cause.
    pub context_trust_penalty_unknown: u16,
    /// It goes to an MCP server.
    pub mcp_trust_penalty: u16,
    // Other gateways have weights for how unusual a call is and for an earlier approval. What is written for them is taken, and
    // counts nothing: no part of a decision says either.
    #[serde(default, rename = "anomaly_weight_pct", skip_serializing)]
    #[schema(ignore)]
    _anomaly_weight_pct: Option<u16>,
    #[serde(default, rename = "approval_credit", skip_serializing)]
    #[schema(ignore)]
    _approval_credit: Option<u16>,
}

impl Default for RiskWeights {
    fn default() -> Self {
        Self {
            environment_weight_mutating: 15,
            context_trust_penalty_trusted_internal_signed: 0,
            context_trust_penalty_trusted_internal_unsigned: 5,
            context_trust_penalty_semi_trusted_customer: 15,
            context_trust_penalty_untrusted_external: 30,
            context_trust_penalty_malicious_suspected: 50,
            context_trust_penalty_unknown: 20,
            mcp_trust_penalty: 10,
            _anomaly_weight_pct: None,
            _approval_credit: None,
        }
    }
}

impl RiskWeights {
    /// What a trust level adds.
    #[must_use]
    pub const fn penalty(&self, trust: TrustLevel) -> u16 {
        match trust {
            TrustLevel::TrustedInternalSigned => self.context_trust_penalty_trusted_internal_signed,
            TrustLevel::TrustedInternalUnsigned => self.context_trust_penalty_trusted_internal_unsigned,
            TrustLevel::SemiTrustedCustomer => self.context_trust_penalty_semi_trusted_customer,
            TrustLevel::UntrustedExternal => self.context_trust_penalty_untrusted_external,
            TrustLevel::MaliciousSuspected => self.context_trust_penalty_malicious_suspected,
            TrustLevel::Unknown => self.context_trust_penalty_unknown,
        }
    }
}

/// What the composite score is made from.
#[derive(Debug, Clone, Copy)]
pub struct Composite {
    /// The score of the registered action.
    pub risk_score: u8,
    /// Whether the call changes something.
    pub mutates_state: bool,
    /// What the caller said of the cause.
    pub declared_trust: TrustLevel,
    /// What is left of it along the chain.
    pub effective_trust: TrustLevel,
    /// Whether it goes to an MCP server.
    pub is_mcp: bool,
}

/// The composite score, 0 to 100. Of the declared and the effective trust, the one that costs more counts.
#[must_use]
pub fn composite_score(weights: &RiskWeights, of: &Composite) -> u8 {
    let when = |holds: bool, weight: u16| if holds { i64::from(weight) } else { 0 };
    let trust = weights.penalty(of.declared_trust).max(weights.penalty(of.effective_trust));
    let sum = i64::from(of.risk_score)
        + when(of.mutates_state, weights.environment_weight_mutating)
        + i64::from(trust)
        + when(of.is_mcp, weights.mcp_trust_penalty);
    u8::try_from(sum.clamp(0, 100)).unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use TrustLevel::{MaliciousSuspected, SemiTrustedCustomer, TrustedInternalSigned, Unknown};

    const CALM: Composite = Composite {
        risk_score: 10,
        mutates_state: false,
        declared_trust: TrustedInternalSigned,
        effective_trust: TrustedInternalSigned,
        is_mcp: false,
    };

    #[track_caller]
    fn check(of: Composite, expected: u8) {
        assert_eq!(composite_score(&RiskWeights::default(), &of), expected, "{of:?}");
    }

    #[test]
    fn each_circumstance_counts_with_its_weight() {
        check(CALM, 10);
        check(Composite { mutates_state: true, ..CALM }, 25);
        check(Composite { is_mcp: true, ..CALM }, 20);
        check(Composite { effective_trust: SemiTrustedCustomer, ..CALM }, 25);
        check(Composite { risk_score: 95, mutates_state: true, is_mcp: true, ..CALM }, 100);
    }

    #[test]
    fn weights_of_other_gateways_are_taken_and_not_told_back() {
        let mut given = serde_json::to_value(RiskWeights::default()).unwrap();
        let told = given.clone();
        given["anomaly_weight_pct"] = 100.into();
        given["approval_credit"] = 10.into();
        let weights: RiskWeights = serde_json::from_value(given).unwrap();
        assert_eq!(serde_json::to_value(weights).unwrap(), told);
    }

    #[test]
    fn weaker_trust_never_lowers_the_score() {
        let suspected = Composite { declared_trust: MaliciousSuspected, effective_trust: Unknown, ..CALM };
        check(suspected, 60);
    }

    #[test]
    fn trust_is_inherited_and_never_regained() {
        assert_eq!(effective_trust(SemiTrustedCustomer, None), SemiTrustedCustomer);
        assert_eq!(effective_trust(TrustedInternalSigned, Some(Unknown)), Unknown);
        assert_eq!(effective_trust(Unknown, Some(TrustedInternalSigned)), Unknown);
    }
}
