//! May this action happen: one pure decision.
//!
//! [`decide`] takes a tool call, tightened by what is registered, and a tenant's compiled [`Policies`]. It reads no
//! clock, no file and no store, and every error denies. What the caller says can only make a call look worse than it is
//! registered, never better. Recording the decision is not done here.

mod agent;
mod call;
mod catalogue;
mod cedar;
mod code;
mod decide;
mod decision;
mod default;
mod evaluate;
mod hash;
mod index;
mod input;
pub mod name;
mod policies;
mod problem;
mod redact;
pub mod request;
mod risk;
mod rule;
mod schema;
mod trial;
mod validate;

#[cfg(test)]
mod tests;

pub use agent::{AgentFacts, AgentStatus, Principal};
pub use call::{Call, McpFacts, McpToolStatus, Run, User};
pub use catalogue::{ActionFacts, Catalogue, CatalogueError, DefaultDecision, Lookup, RegisteredAction};
pub use code::{Code, MARKERS};
pub use decide::decide;
pub use decision::{Clause, Decision, EvaluationProblem, Explanation, MatchedPolicy, PolicySource};
pub use hash::{action_hash, argument_hash, body_hash};
pub use input::Note;
pub use policies::{Check, Known, Policies, TenantPolicy};
pub use problem::{Problem, Warning};
pub use redact::{REDACTED, redacted};
pub use request::AuthorizeRequest;
pub use risk::{Composite, RiskWeights, composite_score, effective_trust};
pub use trial::{Case, CaseAgent, Changed, Expected, Summary, Trial, diff};
