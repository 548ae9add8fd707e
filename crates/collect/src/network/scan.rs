//! The whole of it: places that are open, services there, what they hold, and whom they name.
//!
//! Growth: one connection for each place of the plan, a fixed number of questions for each that is open, and memory for
//! what is open only.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream;
use reqwest::header::HeaderMap;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tracehound_model::wire::Document;
use tracehound_model::{NodeId, NodeKind};
use tracehound_rules::fingerprint::Fingerprint;

use super::look::{Looked, Looking, Open};
use super::report::{Collected, Counts, OpenPlace, Service};
use super::sweep::{Progress, Settings, Sweep};
use super::watched::Watched;
use super::write::Writer;
use super::{Place, Plan};
use crate::builder::Stamp;
use crate::detection::{Detection, DetectionError};
use crate::inventory::{self, Inventory, Keys, Subject};
use crate::net::{Bounds, Guard, NetError, Reader};
use crate::process::Warden;
use crate::{a2a, mcp};

/// Questions to one machine that may be under way at a time.
const TURNS: usize = 2;
/// Open places that wait to be looked at; the sweep waits when there are more.
const WAITING: usize = 256;
/// Where MCP servers usually are, likeliest first.
pub const MCP_PATHS: [&str; 3] = ["/mcp", "", "/sse"];

/// What to look for, and where.
#[derive(Debug)]
pub struct Request {
    /// The scan, its time and its machine.
    pub stamp: Stamp,
    /// Where.
    pub plan: Arc<Plan>,
    /// The rules that services are recognised by.
    pub fingerprints: Vec<Fingerprint>,
    /// How places are tried.
    pub sweep: Settings,
    /// How many places are looked at at a time.
    pub concurrency: usize,
    /// How long one service may take in all.
    pub allowed: Duration,
    /// MCP servers are looked for, too: the only question that is more than reading.
    pub finds_mcp: bool,
    /// What services hold is read, with these keys.
    pub inventory: Option<Keys>,
    /// Services that are known already, by kind and base URL.
    pub known: Vec<(NodeKind, String)>,
}

/// Why a network can't be scanned at all.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// There is no way out.
    #[error(transparent)]
    Net(#[from] NetError),
    /// The rules can't be used.
    #[error(transparent)]
    Detection(#[from] DetectionError),
}

/// What else a scan works with.
#[derive(Debug, Clone, Copy)]
pub struct Means<'m> {
    /// Keeps commands; the conversation with MCP servers asks for one, though none is started here.
    pub warden: &'m Arc<Warden>,
    /// The rules that look at texts.
    pub detection: &'m Detection,
    /// Ends the scan; what was found until then is kept.
    pub cancel: &'m CancellationToken,
}

/// Scans. `progress` says meanwhile how far it has come.
///
/// # Errors
///
/// When nothing can be contacted or judged on this machine. Whatever is wrong with services is in the result.
pub async fn collect(request: Request, means: Means<'_>, progress: &Arc<Progress>) -> Result<Collected, ScanError> {
    let plan = Arc::clone(&request.plan);
    let bounds = Bounds::new(plan.pins().clone(), move |ip| plan.admits(ip));
    let scan = Scan { reader: Reader::new(bounds.clone())?, guard: Guard::within(bounds)?, request: &request, means };
    let watched = Arc::new(Watched::new(&request.plan, &request.known));
    let mut found = scan.look_everywhere(progress, &watched).await;
    if let Some(keys) = &request.inventory {
        let secrets = keys.secrets();
        found.iter_mut().for_each(|found| found.looked.hide(&secrets));
    }
    found.sort_by(|a, b| a.looked.open.cmp(&b.looked.open));
    let servers = scan.servers(&found).await?;
    let agents = scan.agents(&found).await?;
    let mut writer = Writer::new(&request.stamp, means.detection)?;
    let services: Vec<Service> = found.iter_mut().flat_map(|found| writer.services(found)).collect();
    writer.connect(&services);
    writer.forget(&watched, &found);
    let mut documents = vec![writer.document()];
    let (servers, builders): (Vec<_>, Vec<_>) = servers.into_iter().unzip();
    documents.extend(super::write::servers(&request.stamp, builders));
    let (agents, document) = agents.unzip();
    documents.extend(document.map(super::write::agents));
    let open = found.into_iter().map(|found| OpenPlace::of(found.looked)).collect();
    let counts = Counts::of(&request.plan, progress);
    Ok(Collected { documents, services, agents: agents.unwrap_or_default(), servers, open, counts })
}

/// An open place with everything that was read there.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) looked: Looked,
    /// What each of its services holds, in their order.
    pub(super) inventories: Vec<Option<Inventory>>,
}

struct Scan<'s> {
    reader: Reader,
    guard: Guard,
    request: &'s Request,
    means: Means<'s>,
}

impl Scan<'_> {
    /// Tries all places and looks at those that are open.
    async fn look_everywhere(&self, progress: &Arc<Progress>, watched: &Arc<Watched>) -> Vec<Found> {
        let (sender, receiver) = mpsc::channel(WAITING);
        let watched = Arc::clone(watched);
        let sweep = Sweep {
            plan: Arc::clone(&self.request.plan),
            settings: self.request.sweep.clone(),
            progress: Arc::clone(progress),
            watch: Some(Box::new(move |place, outcome| watched.note(place, outcome))),
        };
        let (_, found) = tokio::join!(sweep.run(sender, self.means.cancel), self.look_at(receiver));
        found
    }

    async fn look_at(&self, receiver: mpsc::Receiver<Place>) -> Vec<Found> {
        let turns: std::sync::Mutex<HashMap<IpAddr, Arc<Semaphore>>> = Default::default();
        let turns_of = |address: IpAddr| {
            let mut turns = turns.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            Arc::clone(turns.entry(address).or_insert_with(|| Arc::new(Semaphore::new(TURNS))))
        };
        let places = stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
        let opens = places.flat_map(|place| stream::iter(self.names(place)));
        let looks = opens.map(|open| {
            let turns = turns_of(open.address);
            async move { self.look(open, &turns).await }
        });
        let mut looks = std::pin::pin!(looks.buffer_unordered(self.request.concurrency.max(1)));
        let mut found = Vec::new();
        while let Some(next) = looks.next().await {
            found.extend(next);
        }
        found
    }

    /// A place under each name that the user called it by.
    fn names(&self, place: Place) -> Vec<Open> {
        let address = match place.address {
            IpAddr::V4(four) => four.to_string(),
            IpAddr::V6(six) => format!("[{six}]"),
        };
        let called = self.request.plan.names_of(place);
        let open = |name: Option<&str>, scheme| Open {
            address: place.address,
            port: place.port,
            host: name.map_or_else(|| address.clone(), str::to_owned),
            scheme,
        };
        match called.as_slice() {
            [] => vec![open(None, None)],
            called => called.iter().map(|it| open(it.name, it.scheme.map(super::Scheme::name))).collect(),
        }
    }

    /// Looks at a place, unless the scan ends before it is clear what is there. What is recognised by then is kept.
    async fn look(&self, open: Open, turns: &Arc<Semaphore>) -> Option<Found> {
        let Request { fingerprints, allowed, .. } = self.request;
        let looking = Looking { reader: &self.reader, fingerprints, allowed: *allowed };
        let cancel = self.means.cancel;
        let mut looked = cancel.run_until_cancelled(looking.look(open, turns)).await?;
        let mut inventories = Vec::new();
        for (kind, ..) in &looked.services {
            inventories.push(cancel.run_until_cancelled(self.inventory(*kind, &looked)).await.flatten());
        }
        if self.request.inventory.is_some() && cancel.is_cancelled() {
            looked.problems.push("what it holds was not read to the end: the scan was interrupted".to_owned());
        }
        Some(Found { looked, inventories })
    }

    async fn inventory(&self, kind: NodeKind, looked: &Looked) -> Option<Inventory> {
        let (keys, reading) = (self.request.inventory.as_ref()?, looked.reading.as_ref()?);
        let id = NodeId::service(kind, reading.base());
        let (key, stamp, detection) = (keys.for_base(reading.base()), &self.request.stamp, self.means.detection);
        inventory::read(&Subject { kind, id: &id, reading, key, stamp, detection }).await
    }

    /// The MCP servers at the open places, if they are looked for.
    async fn servers(&self, found: &[Found]) -> Result<Vec<(mcp::Server, crate::builder::Builder)>, DetectionError> {
        let mut servers = Vec::new();
        if !self.request.finds_mcp {
            return Ok(servers);
        }
        // A service may be a server as well, as gateways are.
        let mut left: Vec<&str> = speaking(found).filter_map(base).collect();
        for path in MCP_PATHS {
            let headers = Arc::new(HeaderMap::new());
            let target = |base: &&str| mcp::Target::given_url(&format!("{base}{path}"), &headers, self.means.detection);
            let targets = left.iter().filter_map(|base| target(base).ok()).collect();
            let (stamp, concurrency) = (self.request.stamp.clone(), self.request.concurrency);
            let request = mcp::Request { stamp, targets, concurrency, allowed: self.request.allowed };
            let Means { warden, detection, cancel } = self.means;
            let recognised = mcp::recognise(request, &self.guard, warden, detection, cancel).await?;
            left.retain(|base| !recognised.iter().any(|(server, _)| server.shown == format!("{base}{path}")));
            servers.extend(recognised);
        }
        Ok(servers)
    }

    /// The A2A agents whose cards are at open places.
    async fn agents(&self, found: &[Found]) -> Result<Option<(Vec<a2a::Looked>, Document)>, DetectionError> {
        let targets: Vec<String> =
            speaking(found).filter(|looked| looked.has_card).filter_map(base).map(str::to_owned).collect();
        if targets.is_empty() {
            return Ok(None);
        }
        let (stamp, concurrency) = (self.request.stamp.clone(), self.request.concurrency);
        let request = a2a::Request { stamp, targets, follow: 0, concurrency, ..a2a::Request::default() };
        let collected = a2a::collect(&request, &self.guard, self.means.detection, &|_| (), self.means.cancel).await?;
        Ok(Some((collected.looked, collected.document)))
    }
}

fn speaking(found: &[Found]) -> impl Iterator<Item = &Looked> {
    found.iter().map(|found| &found.looked).filter(|looked| looked.reading.is_some())
}

fn base(looked: &Looked) -> Option<&str> {
    looked.reading.as_ref().map(crate::net::Reading::base)
}
