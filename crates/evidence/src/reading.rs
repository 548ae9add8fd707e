//! What can be asked of the store. Each question is a tenant's own; what belongs to another is not there.

use tracehound_model::TrustLevel;

use crate::approval::Approval;
use crate::decision::{Decision, DecisionFilter, Page, Recorded};
use crate::event::Event;
use crate::incident::{Alert, Containment, Incident, Source};
use crate::receipt::merkle::{consistency_proof, inclusion_proof};
use crate::receipt::{Hash, Keys, PublicKey};
use crate::store::chains::StoredTree;
use crate::store::read::{approvals, decisions, happened, incidents, policies, receipts, summary};
use crate::{Error, Evidence, Moment, PolicyVersion};

pub use crate::store::read::incidents::{AgentHour, IncidentFilter};
pub use crate::store::read::policies::Manifest;
pub use crate::store::read::summary::Summary;
pub use crate::store::read::{MAX_PAGE, PAGE};

/// Where in a list to begin, and how much of it to give.
#[derive(Debug, Clone, Default)]
pub struct Slice {
    /// What the page before said.
    pub cursor: Option<String>,
    /// How many; the usual number if nothing is said, and never more than [`MAX_PAGE`].
    pub limit: Option<usize>,
}

impl Slice {
    /// How many entries are given.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(PAGE).clamp(1, MAX_PAGE)
    }
}

/// A place in what happened: the last decision and the last other event before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// The number of the decision.
    pub decisions: i64,
    /// The number of the event.
    pub events: i64,
}

impl Place {
    /// Behind everything, whatever is still to come.
    pub const END: Self = Self { decisions: i64::MAX, events: i64::MAX };
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// What it was.
    pub event: Event,
    /// The place behind it.
    pub place: Place,
    /// Whether it is a decision.
    pub is_decision: bool,
}

/// A receipt exactly as it is stored: the text that verifies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredReceipt {
    /// Its place in the chain.
    pub sequence: u64,
    /// The text.
    pub json: String,
}

/// That a receipt is in the tree of a size.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[schema(as = InclusionProof)]
pub struct Inclusion {
    /// The receipt's place.
    pub sequence: u64,
    /// How many receipts the tree has.
    pub size: u64,
    /// The leaf.
    #[schema(value_type = String)]
    pub leaf_hash: Hash,
    /// The hashes beside the way from the leaf to the root.
    #[schema(value_type = Vec<String>)]
    pub path: Vec<Hash>,
}

impl Evidence {
    /// A decision with its approval and receipt.
    pub fn decision(&self, tenant: &str, id: &str) -> Result<Option<Recorded>, Error> {
        let now = self.now();
        self.read(|connection| {
            let found = decisions::by_id(connection, tenant, id)?;
            found.map(|decision| decisions::with_outcome(connection, decision, now)).transpose()
        })
    }

    /// A page of decisions, newest first.
    pub fn decisions(&self, tenant: &str, filter: &DecisionFilter, slice: &Slice) -> Result<Page<Decision>, Error> {
        self.read(|connection| decisions::list(connection, tenant, filter, slice.cursor.as_deref(), slice.limit()))
    }

    /// The weakest trust that a run was decided with; nothing if there is no decision of it.
    pub fn trust_of_run(&self, tenant: &str, run: &str) -> Result<Option<TrustLevel>, Error> {
        self.read(|connection| decisions::trust_of_run(connection, tenant, run))
    }

    /// An approval.
    pub fn approval(&self, tenant: &str, id: &str) -> Result<Option<Approval>, Error> {
        let now = self.now();
        self.read(|connection| approvals::by_id(connection, tenant, id, now))
    }

    /// A page of approvals, newest first: those that wait, or all.
    pub fn approvals(&self, tenant: &str, is_pending: bool, slice: &Slice) -> Result<Page<Approval>, Error> {
        let now = self.now();
        let cursor = slice.cursor.as_deref();
        self.read(|connection| approvals::list(connection, tenant, is_pending, cursor, slice.limit(), now))
    }

    /// An incident.
    pub fn incident(&self, tenant: &str, id: &str) -> Result<Option<Incident>, Error> {
        self.read(|connection| incidents::by_id(connection, tenant, id))
    }

    /// The newest open incident of a kind about an agent.
    pub fn open_incident(&self, tenant: &str, agent: Option<&str>, kind: &str) -> Result<Option<Incident>, Error> {
        self.read(|connection| incidents::open(connection, tenant, agent, kind))
    }

    /// The events and decisions behind an incident, at most `limit` from a position on, and how many there are.
    pub fn incident_sources(&self, tenant: &str, id: &str, from: i64, limit: i64) -> Result<(Vec<Source>, u64), Error> {
        self.read(|connection| {
            let found = incidents::sources(connection, tenant, id, from, limit)?;
            let all = incidents::count_sources(connection, tenant, id)?;
            Ok((found.into_iter().map(|(_, source)| source).collect(), all))
        })
    }

    /// A page of incidents, newest first.
    pub fn incidents(&self, tenant: &str, filter: &IncidentFilter, slice: &Slice) -> Result<Page<Incident>, Error> {
        self.read(|connection| incidents::list(connection, tenant, filter, slice.cursor.as_deref(), slice.limit()))
    }

    /// A page of alerts, newest first. The filter's kind is the rule.
    pub fn alerts(&self, tenant: &str, filter: &IncidentFilter, slice: &Slice) -> Result<Page<Alert>, Error> {
        self.read(|connection| incidents::alerts(connection, tenant, filter, slice.cursor.as_deref(), slice.limit()))
    }

    /// A page of containments, newest first.
    pub fn containments(&self, tenant: &str, slice: &Slice) -> Result<Page<Containment>, Error> {
        self.read(|connection| incidents::containments(connection, tenant, slice.cursor.as_deref(), slice.limit()))
    }

    /// A tenant's own detection rules: key, text, author, time.
    pub fn detection_rules(&self, tenant: &str) -> Result<Vec<(String, String, String, Moment)>, Error> {
        self.read(|connection| incidents::detection_rules(connection, tenant))
    }

    /// The numbers that somebody wants to see first.
    pub fn summary(&self, tenant: &str) -> Result<Summary, Error> {
        let agents = self.registry().agent_count(tenant) as u64;
        let now = self.now();
        self.read(|connection| summary::of(connection, tenant, agents, now))
    }

    /// All versions of a policy, newest first.
    pub fn policy_history(&self, tenant: &str, key: &str) -> Result<Vec<PolicyVersion>, Error> {
        self.read(|connection| policies::history(connection, tenant, key))
    }

    /// The newest manifests of an MCP server.
    pub fn manifests(&self, tenant: &str, server: &str, limit: i64) -> Result<Vec<Manifest>, Error> {
        self.read(|connection| policies::manifests(connection, tenant, server, limit))
    }

    /// A receipt.
    pub fn receipt(&self, tenant: &str, id: &str) -> Result<Option<StoredReceipt>, Error> {
        let found = self.read(|connection| receipts::by_id(connection, tenant, id))?;
        Ok(found.map(|(sequence, json)| StoredReceipt { sequence, json }))
    }

    /// What of a decision on record is not what its receipt says: the names of the members that differ.
    pub fn differences(&self, tenant: &str, receipt: &StoredReceipt) -> Result<Vec<&'static str>, Error> {
        let Ok(said) = serde_json::from_str::<serde_json::Value>(&receipt.json) else { return Ok(Vec::new()) };
        let Some(id) = said.get("decision_id").and_then(serde_json::Value::as_str) else { return Ok(Vec::new()) };
        let rows = match self.read(|connection| decisions::with_places(connection, tenant, &[id.to_owned()])) {
            Err(error) if crate::record::is_nonsense(&error) => return Ok(vec!["decision_id"]),
            rows => rows?,
        };
        Ok(crate::record::differences(&said, receipt.sequence, rows.first()))
    }

    /// Receipts from a place of the chain on, oldest first.
    pub fn receipts_from(&self, tenant: &str, sequence: u64, limit: usize) -> Result<Vec<StoredReceipt>, Error> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let found = self.read(|connection| receipts::from(connection, tenant, sequence, limit))?;
        Ok(found.into_iter().map(|(sequence, json)| StoredReceipt { sequence, json }).collect())
    }

    /// Receipts before a place of the chain, newest first.
    pub fn receipts_before(&self, tenant: &str, sequence: u64, limit: usize) -> Result<Vec<StoredReceipt>, Error> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let found = self.read(|connection| receipts::before(connection, tenant, sequence, limit))?;
        Ok(found.into_iter().map(|(sequence, json)| StoredReceipt { sequence, json }).collect())
    }

    /// The end of a chain: the last place and its hash.
    pub fn chain_head(&self, tenant: &str) -> Result<Option<(u64, String)>, Error> {
        self.read(|connection| receipts::head(connection, tenant))
    }

    /// The public keys that have signed receipts here.
    pub fn public_keys(&self) -> Result<Vec<PublicKey>, Error> {
        let texts = self.read(receipts::keys)?;
        let wrong = |_| Error::Damaged { what: "a stored public key is not a key".to_owned() };
        texts.iter().map(|text| text.parse().map_err(wrong)).collect()
    }

    /// The same, as what is trusted when we verify for ourselves.
    pub fn trusted_keys(&self) -> Result<Keys, Error> {
        Ok(self.public_keys()?.into_iter().collect())
    }

    /// A checkpoint of everything up to now. One is made if the chain has grown since the last.
    pub fn checkpoint(&self, tenant: &str) -> Result<String, Error> {
        let newest = self.read(|connection| {
            let size = receipts::head(connection, tenant)?.map_or(0, |(sequence, _)| sequence + 1);
            let newest = receipts::checkpoint(connection, tenant)?;
            Ok(newest.filter(|(covered, _)| *covered == size))
        })?;
        match newest {
            Some((_, checkpoint)) => Ok(checkpoint),
            None => {
                let tenant = tenant.to_owned();
                self.write(move |ledger| ledger.checkpoint(&tenant))
            }
        }
    }

    /// The proof that a receipt is in the tree of the first `size` receipts.
    pub fn inclusion(&self, tenant: &str, id: &str, size: Option<u64>) -> Result<Option<Inclusion>, Error> {
        self.read(|connection| {
            let Some((sequence, _)) = receipts::by_id(connection, tenant, id)? else { return Ok(None) };
            let head = receipts::head(connection, tenant)?.map_or(0, |(sequence, _)| sequence + 1);
            let size = size.unwrap_or(head);
            if size > head {
                return Ok(None);
            }
            let tree = StoredTree { connection, tenant };
            let Some(path) = inclusion_proof(&tree, sequence, size)? else { return Ok(None) };
            let leaf_hash = crate::receipt::merkle::Subtrees::hash(&tree, 0, sequence)?;
            Ok(Some(Inclusion { sequence, size, leaf_hash, path }))
        })
    }

    /// The proof that the tree of the first `old` receipts is the beginning of that of the first `new`.
    pub fn consistency(&self, tenant: &str, old: u64, new: u64) -> Result<Option<Vec<Hash>>, Error> {
        self.read(|connection| {
            let head = receipts::head(connection, tenant)?.map_or(0, |(sequence, _)| sequence + 1);
            if new > head {
                return Ok(None);
            }
            consistency_proof(&StoredTree { connection, tenant }, old, new)
        })
    }

    /// How far detection has got.
    pub fn detected(&self) -> Result<Place, Error> {
        self.read(happened::detected)
    }

    /// The place behind everything.
    pub fn end(&self) -> Result<Place, Error> {
        self.read(happened::end)
    }

    /// The place behind everything that happened before a moment.
    pub fn place_at(&self, moment: Moment) -> Result<Place, Error> {
        self.read(|connection| happened::place_at(connection, moment))
    }

    /// What happened behind a place and up to another, in its order, to one tenant or to all. At most `limit` decisions
    /// and as many other events; nothing means that there is nothing more.
    pub fn happened(
        &self,
        tenant: Option<&str>,
        after: Place,
        up_to: Place,
        limit: i64,
    ) -> Result<Vec<Happened>, Error> {
        self.read(|connection| happened::between(connection, tenant, after, up_to, limit))
    }

    /// Incidents of all tenants that are open and not older than a moment, with what they rest on, oldest first.
    pub fn open_incidents(&self, since: Moment, limit: i64) -> Result<Vec<(Incident, Vec<Source>)>, Error> {
        self.read(|connection| {
            let found = incidents::open_since(connection, since, limit)?;
            let with_sources = |incident: Incident| {
                let sources = incidents::sources(connection, &incident.tenant, &incident.id, 0, i64::MAX)?;
                Ok((incident, sources.into_iter().map(|(_, source)| source).collect()))
            };
            found.into_iter().map(with_sources).collect()
        })
    }

    /// What the hours of agents had, from an hour on, by hour.
    pub fn agent_hours(&self, from: i64) -> Result<Vec<AgentHour>, Error> {
        self.read(|connection| incidents::hours(connection, from))
    }
}
