//! Policies: looked at, tried out, changed.

use tracehound_evidence::PolicyVersion;
use tracehound_evidence::decision::Page;

use crate::api::{Paging, policies};
use crate::caller::Access::{Admin, Operator, Read};
use crate::policy_file::LoadedFile;
use crate::route::Route;
use crate::shape::JSON;

/// This part of the table.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/v1/policies", Read, "Policies in force, with those that hold for everybody", policies::list)
            .asks::<Paging>()
            .gives::<policies::PolicyList>(),
        Route::post("/v1/policies", Admin, "Add a policy", policies::add)
            .takes::<policies::Added>()
            .makes::<policies::ChangedPolicy>(),
        Route::get("/v1/policies/default", Read, "The policies that come with the product", policies::default)
            .gives::<policies::ShownPolicy>(),
        Route::get("/v1/policies/schema", Read, "The Cedar schema that policies are checked against", policies::schema)
            .gives_content(JSON),
        Route::post("/v1/policies/validate", Read, "Check a policy; nothing is stored", policies::validate)
            .takes::<policies::Proposed>()
            .gives::<policies::ValidPolicy>(),
        Route::post("/v1/policies/test", Read, "Try described calls; nothing is stored", policies::test)
            .takes::<policies::TestAsked>()
            .gives::<policies::TestedPolicies>(),
        Route::post("/v1/policies/diff", Read, "Which calls a change would decide differently", policies::diff)
            .takes::<policies::DiffAsked>()
            .gives::<policies::PolicyDiff>(),
        Route::post("/v1/policies/reload", Operator, "Read the policy file again", policies::reload)
            .gives::<LoadedFile>(),
        Route::get("/v1/policies/{key}", Read, "A policy", policies::show).gives::<policies::ShownPolicy>(),
        Route::put("/v1/policies/{key}", Admin, "Change a policy: another version", policies::put)
            .takes::<policies::Changed>()
            .gives::<policies::ChangedPolicy>(),
        Route::delete("/v1/policies/{key}", Admin, "Take a policy out of force; its versions stay", policies::remove)
            .gives::<policies::ChangedPolicy>(),
        Route::get("/v1/policies/{key}/history", Read, "All versions of a policy", policies::history)
            .gives::<Page<PolicyVersion>>(),
        Route::post("/v1/policies/{key}/rollback", Admin, "Put an older version in force again", policies::rollback)
            .takes::<policies::Rollback>()
            .gives::<policies::ChangedPolicy>(),
    ]
}
