//! What is noticed and what is done about it: incidents, alerts, containment, detection rules, live events.

use tracehound_evidence::decision::Page;
use tracehound_evidence::incident::{Alert, Containment, Incident};
use tracehound_evidence::reading::Summary;
use tracehound_policy::RiskWeights;

use crate::api::{Paging, Why, incidents, live, soc};
use crate::caller::Access::{Admin, Analyst, Graph, Read};
use crate::caller::LIVE;
use crate::detection::{EscalationSetting, ResponseSetting};
use crate::route::Route;

/// This part of the table.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/v1/incidents", Graph, "Incidents, newest first", incidents::list)
            .asks::<incidents::Filter>()
            .gives::<Page<Incident>>(),
        Route::get("/v1/incidents/{id}", Graph, "An incident with the decisions behind it", incidents::show)
            .gives::<incidents::IncidentWithSources>(),
        Route::post("/v1/incidents/{id}/close", Analyst, "Close an incident", incidents::close)
            .takes::<Why>()
            .gives::<incidents::ClosedIncident>(),
        Route::get("/v1/alerts", Read, "Alerts, newest first", incidents::alerts)
            .asks::<incidents::AlertFilter>()
            .gives::<Page<Alert>>(),
        Route::get("/v1/containments", Read, "What was done to stop agents, newest first", incidents::containments)
            .asks::<Paging>()
            .gives::<Page<Containment>>(),
        Route::post("/v1/agents/{id}/contain", Analyst, "Stop an agent so that it can be undone", incidents::contain)
            .takes::<incidents::Contain>()
            .makes::<Containment>(),
        Route::post("/v1/containments/{id}/undo", Analyst, "Make an agent as it was before", incidents::undo)
            .takes::<Why>()
            .gives::<Containment>(),
        Route::get("/v1/soc/summary", Read, "The numbers to see first", soc::summary).gives::<Summary>(),
        Route::get("/v1/soc/rules", Read, "Detection rules, built in and of the tenant", soc::rules)
            .gives::<Page<soc::ListedRule>>(),
        Route::post("/v1/soc/rules", Analyst, "Add a detection rule, or replace one", soc::add_rule)
            .takes::<soc::NewRule>()
            .makes::<soc::AddedRule>(),
        Route::post("/v1/soc/rules/backtest", Analyst, "Try a rule on the past before adding it", soc::try_rule)
            .takes::<soc::Trial>()
            .gives::<soc::Backtested>(),
        Route::delete("/v1/soc/rules/{key}", Analyst, "Take a detection rule out", soc::remove_rule).gives_nothing(),
        Route::post("/v1/soc/rules/{key}/backtest", Analyst, "Try a rule on the past", soc::backtest)
            .takes::<soc::Past>()
            .gives::<soc::Backtested>(),
        Route::get("/v1/tenants/risk-escalation", Read, "When risk tiers are raised", soc::escalation)
            .gives::<EscalationSetting>(),
        Route::put("/v1/tenants/risk-escalation", Admin, "Say when risk tiers are raised", soc::set_escalation)
            .takes::<EscalationSetting>()
            .gives::<EscalationSetting>(),
        Route::get("/v1/tenants/response", Read, "Whether responses are carried out", soc::response)
            .gives::<ResponseSetting>(),
        Route::put("/v1/tenants/response", Admin, "Say whether responses are carried out", soc::set_response)
            .takes::<ResponseSetting>()
            .gives::<ResponseSetting>(),
        Route::get("/v1/tenants/risk-weights", Read, "What the composite score is made from", soc::weights)
            .gives::<RiskWeights>(),
        Route::put("/v1/tenants/risk-weights", Admin, "Say what the composite score is made from", soc::set_weights)
            .takes::<RiskWeights>()
            .gives::<RiskWeights>(),
        Route::get(LIVE, Graph, "What happens, as it happens, over a WebSocket", live::watch).upgrades(),
    ]
}
