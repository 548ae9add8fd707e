//! Decisions and what proves them: approvals, receipts, the evidence graph.

use tracehound_evidence::decision::Page;
use tracehound_evidence::graph::EvidenceGraph;
use tracehound_evidence::reading::Inclusion;
use tracehound_policy::AuthorizeRequest;

use crate::api::receipt_shape::{DescribedCheckpoint, DescribedReceipt, DescribedReceipts};
use crate::api::{approvals, authorize, decisions, graph, receipts};
use crate::caller::Access::{Admin, Agent, Approver, Asker, Graph, Open, Operator, Read};
use crate::route::Route;

/// This part of the table.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post("/v1/authorize", Asker, "Decide whether an agent may make one tool call", authorize::authorize)
            .takes::<AuthorizeRequest>()
            .gives::<authorize::Answer>(),
        Route::get("/v1/decisions", Graph, "Decisions, newest first", decisions::list)
            .asks::<decisions::Filter>()
            .gives::<Page<decisions::ShownDecision>>(),
        Route::get("/v1/decisions/{id}", Graph, "A decision with its approval and receipt", decisions::show)
            .gives::<decisions::DecisionWithOutcome>(),
        Route::get("/v1/approvals", Read, "Approvals, newest first", approvals::list)
            .asks::<approvals::Filter>()
            .gives::<Page<approvals::ShownApproval>>(),
        Route::get("/v1/approvals/{id}", Graph, "An approval; agents see their own", approvals::show)
            .gives::<approvals::ShownApproval>(),
        Route::post("/v1/approvals/{id}/approve", Approver, "Agree to exactly this call", approvals::approve)
            .takes::<approvals::Said>()
            .gives::<approvals::ApprovalStep>(),
        Route::post("/v1/approvals/{id}/reject", Approver, "Refuse a call", approvals::reject)
            .takes::<approvals::Said>()
            .gives::<approvals::ApprovalStep>(),
        Route::post("/v1/approvals/{id}/edit", Approver, "Put another call in its place", approvals::edit)
            .takes::<approvals::Edited>()
            .gives::<approvals::ApprovalStep>(),
        Route::post("/v1/approvals/{id}/consume", Asker, "Use an approval, once", approvals::consume)
            .takes::<approvals::Claimed>()
            .gives::<approvals::ApprovalStep>(),
        Route::get("/v1/receipts", Read, "Receipts, exactly as they verify", receipts::list)
            .asks::<receipts::Part>()
            .gives::<DescribedReceipts>(),
        Route::get("/v1/receipts/chain-head", Read, "The end of the chain", receipts::head)
            .gives::<receipts::ChainEnd>(),
        Route::get("/v1/receipts/checkpoint", Read, "A signed statement of length and root", receipts::checkpoint)
            .gives::<DescribedCheckpoint>(),
        Route::get("/v1/receipts/consistency", Read, "Proof that a tree begins another", receipts::consistency)
            .asks::<receipts::Sizes>()
            .gives::<receipts::ConsistencyProof>(),
        Route::get("/v1/receipts/keys", Open, "The public keys that sign receipts", receipts::keys)
            .gives::<receipts::SigningKeys>(),
        Route::post("/v1/receipts/verify-chain", Read, "Verify receipts as they were listed", receipts::verify_chain)
            .takes::<DescribedReceipts>()
            .gives::<receipts::VerifiedChain>(),
        Route::post("/v1/receipts/rotate-key", Operator, "Let another key sign from here on", receipts::rotate_key)
            .gives::<receipts::SigningKey>(),
        Route::post("/v1/receipts/retain", Admin, "Drop the details of what is old; receipts stay", receipts::retain)
            .takes::<receipts::Keep>()
            .gives::<receipts::Retained>(),
        Route::get("/v1/receipts/{id}", Read, "A receipt", receipts::show).gives::<DescribedReceipt>(),
        Route::get("/v1/receipts/{id}/verify", Read, "Verify a stored receipt", receipts::verify)
            .gives::<receipts::VerifiedReceipt>(),
        Route::get("/v1/receipts/{id}/proof", Read, "Proof that a receipt is in the tree", receipts::proof)
            .asks::<receipts::Size>()
            .gives::<Inclusion>(),
        Route::post("/v1/receipts/{id}/outcome", Agent, "Report what really happened", receipts::outcome)
            .takes::<receipts::Happened>()
            .gives::<receipts::RecordedOutcome>(),
        Route::get("/v1/graph/run/{run_id}", Graph, "The evidence of a run", graph::run)
            .asks::<graph::Part>()
            .gives::<EvidenceGraph>(),
        Route::get("/v1/graph/incident/{incident_id}", Graph, "The evidence behind an incident", graph::incident)
            .asks::<graph::Part>()
            .gives::<EvidenceGraph>(),
        Route::get("/v1/graph/agent/{agent_id}", Graph, "The newest evidence about an agent", graph::agent)
            .asks::<graph::Part>()
            .gives::<EvidenceGraph>(),
        Route::get("/v1/graph/chain/{run_id}", Graph, "The runs around a run, across agents", graph::chain)
            .asks::<graph::Part>()
            .gives::<EvidenceGraph>(),
    ]
}
