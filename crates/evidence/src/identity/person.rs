//! People and machines that use the API.

use serde::Serialize;

use super::words;
use crate::Moment;

/// Somebody with a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Person {
    /// Given by us.
    pub id: String,
    /// The tenant that they belong to.
    #[serde(rename = "tenant_id")]
    pub tenant: String,
    /// What others call them; unique within the tenant.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// When they were added.
    pub created_at: Moment,
}

/// What somebody may do. Everybody may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Everything within the tenant.
    Admin,
    /// Handle incidents, rules and containment.
    Analyst,
    /// Decide about approvals.
    Approver,
    /// Read and verify.
    Auditor,
}

words!(Role, "a role", Admin => "admin", Analyst => "analyst", Approver => "approver", Auditor => "auditor");
