//! Where the edges go that the nodes don't demand, so that an estate has exactly as many as asked.

use anyhow::{Context as _, Result, ensure};

use super::plan::{Plan, numbered};
use super::random::{Random, Stream};
use super::words;
use super::{services, skew};

/// The share of spare edges that go to tools with content from outside; the rest goes to trust.
const INGEST_SHARE: f64 = 0.4;
/// Of the remote servers, an agent trusts at most this share.
const TRUSTED_SHARE: f64 = 0.75;
/// Delegations per A2A agent, on average.
const DELEGATIONS: usize = 3;

/// Settles delegation, content from outside and trust so that the estate has this many edges.
pub(super) fn spend(plan: &mut Plan, edges: usize) -> Result<()> {
    let mut random = plan.random(Stream::Budget, 0);
    let delegations = plan.a2a_agents.len() * DELEGATIONS;
    let settled = settled(plan) + delegations;
    let spare = edges.checked_sub(settled).with_context(|| {
        format!("{edges} edges are too few, the nodes alone demand {settled}; ask for at least 3 edges a node")
    })?;

    let most_trust = skew::TRUST.at_most((plan.popular.len() as f64 * TRUSTED_SHARE) as usize);
    let trust_capacity = plan.agents.len() * most_trust.most;
    let wanted = ((spare as f64 * INGEST_SHARE) as usize).max(spare.saturating_sub(2 * trust_capacity));
    let trust = spare - ingest(plan, wanted, &mut random);
    let (pairs, odd) = (trust / 2, trust % 2);
    ensure!(
        (plan.agents.len()..=trust_capacity).contains(&pairs),
        "{edges} edges can't be reached: {} agents would trust {pairs} servers beyond their own, possible are {} to \
         {trust_capacity}; ask for 3 to 8 edges a node",
        plan.agents.len(),
        plan.agents.len()
    );

    let mut further = most_trust.split(pairs, plan.agents.len())?;
    random.shuffle(&mut further);
    for (agent, further) in plan.agents.iter_mut().zip(further) {
        agent.further = further;
    }
    let most_delegations = skew::DELEGATION.at_most(plan.a2a_agents.len() / 2);
    let mut delegations = most_delegations.split(delegations + odd, plan.a2a_agents.len())?;
    random.shuffle(&mut delegations);
    for (agent, delegations) in plan.a2a_agents.iter_mut().zip(delegations) {
        agent.delegations = delegations;
    }
    Ok(())
}

/// The edges that follow from the nodes: every node's tie to what holds it, and what each agent is home to.
fn settled(plan: &Plan) -> usize {
    let servers = plan.servers.iter().map(|server| {
        let offers = server.tools + server.resources + server.prompts;
        let identity = usize::from(!server.credentials.is_empty());
        let in_environment = numbered(&plan.credentials, &server.credentials);
        let in_environment = in_environment.filter(|(_, credential)| credential.is_in_environment()).count();
        // Trust, its place in the configuration, and the host.
        3 + offers + identity + server.credentials.len() + in_environment
    });
    let loads = plan.machines.iter().map(|machine| machine.agents.len() * machine.instruction_files);
    let a2a = plan.a2a_agents.iter().map(|agent| {
        let identity = usize::from(agent.auth_method != words::NO_AUTH);
        1 + agent.skills + identity
    });
    let domains = (0..plan.sites()).map(|site| {
        let members = numbered(&plan.a2a_agents, &plan.site(site)).filter(|(_, agent)| agent.has_auth_domain()).count();
        members * members.saturating_sub(1) / 2
    });
    let services = plan.services.iter().map(|service| {
        let backend = usize::from(services::backend_of(service.kind).is_some());
        1 + service.items + services::credentials_of(service.kind) + backend
    });
    servers.chain(loads).chain(a2a).chain(domains).chain(services).sum()
}

/// Marks tools as bringing in content from outside, which ties each of them to all resources of its server, until
/// `wanted` edges are reached or no server has few enough resources. Returns how many edges that makes.
fn ingest(plan: &mut Plan, wanted: usize, random: &mut Random) -> usize {
    let capacity: usize = plan.servers.iter().map(|server| server.tools * server.resources).sum();
    let share = wanted as f64 / capacity.max(1) as f64;
    let mut left = wanted;
    for server in plan.servers.iter_mut().filter(|server| server.resources > 0) {
        let tools = (server.tools as f64).mul_add(share, random.fraction()) as usize;
        server.untrusted = tools.min(server.tools).min(left / server.resources);
        left -= server.untrusted * server.resources;
    }
    // What chance left over is filled up from large servers to small ones.
    let mut by_size: Vec<_> = plan.servers.iter_mut().filter(|server| server.resources > 0).collect();
    by_size.sort_by_key(|server| std::cmp::Reverse(server.resources));
    for server in by_size {
        let more = (server.tools - server.untrusted).min(left / server.resources);
        server.untrusted += more;
        left -= more * server.resources;
    }
    wanted - left
}
