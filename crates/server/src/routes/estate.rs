//! Estates: documents in, scans, what differs between points, findings and what people think of them.

use crate::api::Paging;
use crate::api::estate::documents::IngestedDocument;
use crate::api::estate::{diff, documents, finding, findings, marks, scans, summary, triage};
use crate::api::estate_shape::ScanRow;
use crate::caller::Access::{Admin, Analyst, Read};
use crate::route::Route;

/// This part of the table.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post("/v1/estate/documents", Analyst, "Take in a scan document", documents::add)
            .takes_content(documents::MEDIA)
            .gives::<IngestedDocument>()
            .makes::<IngestedDocument>(),
        Route::post("/api/v1/ingest", Analyst, "Take in a scan document", documents::add)
            .takes_content(documents::MEDIA)
            .gives::<IngestedDocument>()
            .makes::<IngestedDocument>(),
        Route::get("/v1/estate/scans", Read, "Scans, the newest first", scans::list)
            .asks::<Paging>()
            .gives::<scans::ScanPage>(),
        Route::get("/v1/estate/scans/{id}", Read, "A scan", scans::show).gives::<ScanRow>(),
        Route::delete("/v1/estate/scans/{id}", Admin, "Take a scan out as if it had never come in", scans::delete)
            .gives::<ScanRow>(),
        Route::get("/v1/estate/diff", Read, "What differs between two points", diff::show)
            .asks::<diff::DiffAsked>()
            .gives::<diff::EstateDiff>(),
        Route::get("/v1/estate/findings", Read, "Findings, the worst first, with how many there are", findings::list)
            .asks::<findings::FindingFilter>()
            .gives::<findings::FindingPage>(),
        Route::post("/v1/estate/findings/triage", Analyst, "Decide about findings, all or nothing", triage::post)
            .takes::<triage::TriageAsked>()
            .gives::<triage::TriagedFindings>(),
        Route::get("/v1/estate/findings/{fingerprint}", Read, "A finding with everything about it", finding::show)
            .asks::<finding::FindingAsked>()
            .gives::<finding::FindingDetail>(),
        Route::get("/v1/estate/summary", Read, "The estate at a glance", summary::show)
            .asks::<summary::SummaryAsked>()
            .gives::<summary::EstateSummary>(),
        Route::put("/v1/estate/nodes/{id}/marks", Analyst, "Mark a node, or take its mark away", marks::put)
            .takes::<marks::MarkAsked>()
            .gives::<marks::MarkedNode>(),
        Route::post(
            "/v1/estate/nodes/{id}/acknowledge",
            Analyst,
            "Say that somebody has looked at how a node's contents changed",
            marks::acknowledge,
        )
        .takes::<marks::AcknowledgeAsked>()
        .gives::<marks::AcknowledgedChanges>(),
    ]
}
