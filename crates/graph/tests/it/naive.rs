//! A second fold, written from the rules and for nothing but clarity: every question is answered by looking through
//! all documents again. It shares no code with the room.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use tracehound_model::{Anchor, EdgeKind, NodeKind};

use crate::random::{Link, Paper};

/// A collector on a machine.
type Owner = (String, String);
/// An edge: source, kind, target.
pub(crate) type Ends = (String, String, String);
/// Live nodes with their kinds and properties, live edges with their properties.
pub(crate) type Alive = (BTreeMap<String, (Vec<String>, Map<String, Value>)>, BTreeMap<Ends, Map<String, Value>>);

/// The documents in fold order (ranks count from one), and answers that were given already.
pub(crate) struct World<'a> {
    papers: Vec<&'a Paper>,
    live: RefCell<BTreeMap<String, bool>>,
    covered: RefCell<BTreeMap<(Owner, String), usize>>,
    covers: RefCell<BTreeMap<String, Vec<Cover>>>,
}

/// Something that a document covers: what, for whom, and whether the document says so itself.
type Cover = (String, Owner, bool);

fn kind(name: &str) -> EdgeKind {
    EdgeKind::from_name(name).unwrap()
}

fn is_service(kinds: &[String]) -> bool {
    kinds.iter().any(|kind| kind == "AIService")
}

/// The end that decides about an edge, and the one below it.
fn anchor_of(link: &Ends) -> (&str, &str) {
    match kind(&link.1).anchor() {
        Anchor::Source | Anchor::SourceHolds | Anchor::Both => (&link.0, &link.2),
        Anchor::Target | Anchor::TargetHolds => (&link.2, &link.0),
    }
}

fn ends(link: &Link) -> Ends {
    (link.source.clone(), link.kind.clone(), link.target.clone())
}

impl<'a> World<'a> {
    pub(crate) fn new(papers: &'a [Paper]) -> Self {
        let mut papers: Vec<&Paper> = papers.iter().collect();
        papers.sort_by_key(|paper| (paper.time, &paper.scan_id));
        Self { papers, live: RefCell::default(), covered: RefCell::default(), covers: RefCell::default() }
    }

    pub(crate) fn alive(&self) -> Alive {
        let mut names: BTreeSet<&str> = BTreeSet::new();
        let mut links: BTreeSet<Ends> = BTreeSet::new();
        for paper in &self.papers {
            names.extend(paper.nodes.iter().map(|node| node.name.as_str()));
            links.extend(self.links(paper).map(ends));
        }
        let nodes = names.iter().filter(|name| self.is_live(name));
        let nodes = nodes.map(|name| ((*name).to_owned(), (self.kinds(name), self.properties(name))));
        let edges = links.into_iter().filter(|link| self.is_edge_live(link)).map(|link| {
            let mut properties = Map::new();
            for shown in self.papers.iter().flat_map(|paper| self.links(paper)).filter(|shown| ends(shown) == link) {
                properties.extend(shown.properties.clone());
            }
            (link, properties)
        });
        (nodes.collect(), edges.collect())
    }

    /// The edges of a document, without those that its own nodes show to be impossible.
    fn links(&self, paper: &'a Paper) -> impl Iterator<Item = &'a Link> {
        paper.edges.iter().filter(|link| {
            let kinds = |name: &str| paper.nodes.iter().find(|node| node.name == name).map(|node| node.kinds.clone());
            let may_be = |end: Option<Vec<String>>, allowed: &[NodeKind]| end.is_none_or(|end| fits(&end, allowed));
            may_be(kinds(&link.source), kind(&link.kind).sources())
                && may_be(kinds(&link.target), kind(&link.kind).targets())
        })
    }

    /// What a thing is called: the first name that says more than "some service", then all others in table order.
    fn kinds(&self, name: &str) -> Vec<String> {
        let shown = self.papers.iter().flat_map(|paper| &paper.nodes).filter(|node| node.name == name);
        let mut all: Vec<String> = shown.flat_map(|node| with_umbrella(&node.kinds)).collect();
        let Some(first) = all.iter().find(|kind| *kind != "AIService").or(all.first()).cloned() else { return all };
        all.sort_by_key(|kind| (*kind != first, NodeKind::from_name(kind)));
        all.dedup();
        all
    }

    fn properties(&self, name: &str) -> Map<String, Value> {
        let shown = self.papers.iter().flat_map(|paper| &paper.nodes).filter(|node| node.name == name);
        shown.flat_map(|node| node.properties.clone()).collect()
    }

    fn owner(paper: &Paper, collector: &str) -> Owner {
        let collector = if paper.collector == "scan" { collector } else { &paper.collector };
        (paper.origin.clone(), collector.to_owned())
    }

    /// Whose an edge of this kind is, in a document of several collectors.
    fn collector(&self, link: &Ends) -> String {
        let anchor = self.kinds(anchor_of(link).0);
        match anchor.first().map(String::as_str) {
            Some("A2AAgent") => "a2a".to_owned(),
            _ if is_service(&anchor) => "network".to_owned(),
            _ => kind(&link.1).collector().name().to_owned(),
        }
    }

    /// For each owner, the rank of the last document that showed an edge.
    fn edge_claims(&self, link: &Ends) -> BTreeMap<Owner, usize> {
        let collector = self.collector(link);
        let shows = |paper: &&&'a Paper| self.links(paper).any(|shown| ends(shown) == *link);
        let ranked = (1..).zip(&self.papers).filter(|(_, paper)| shows(paper));
        ranked.map(|(rank, paper)| (Self::owner(paper, &collector), rank)).collect()
    }

    fn node_claims(&self, name: &str, collector: &str) -> BTreeMap<Owner, usize> {
        let ranked = (1..).zip(&self.papers).filter(|(_, paper)| paper.nodes.iter().any(|node| node.name == name));
        ranked.map(|(rank, paper)| (Self::owner(paper, collector), rank)).collect()
    }

    /// The names that a document covers, each with whom it covers it for, and whether it says so itself.
    fn covered_by(&self, paper: &'a Paper) -> Vec<Cover> {
        let Some((names, ports)) = &paper.covers else {
            let listed = self.links(paper).map(ends).filter(|link| kind(&link.1).is_listing());
            return listed
                .map(|link| (anchor_of(&link).0.to_owned(), Self::owner(paper, &self.collector(&link)), false))
                .collect();
        };
        let at_port = |name: &&str| {
            let place = self.properties(name).get("endpoint").and_then(Value::as_str).map(str::to_owned);
            place.is_some_and(|place| ports.iter().any(|port| place == format!("http://{port}")))
        };
        let services = ["O", "J", "S"].into_iter().filter(|name| is_service(&self.kinds(name))).filter(at_port);
        let by_port = services.map(|name| (name.to_owned(), Self::owner(paper, "network"), true));
        let by_name = names.iter().filter_map(|name| {
            let collector = match self.kinds(name).first()?.as_str() {
                "MCPServer" => "mcp",
                other => NodeKind::from_name(other)?.collector().name(),
            };
            Some((name.clone(), Self::owner(paper, collector), true))
        });
        by_name.chain(by_port).collect()
    }

    fn covers(&self, paper: &'a Paper) -> Vec<Cover> {
        let known = self.covers.borrow().get(&paper.scan_id).cloned();
        known.unwrap_or_else(|| {
            let covers = self.covered_by(paper);
            self.covers.borrow_mut().insert(paper.scan_id.clone(), covers.clone());
            covers
        })
    }

    /// The rank of the last document for which this holds of what it covers; zero for none.
    fn last(&self, holds: impl Fn(&[Cover]) -> bool) -> usize {
        (1..).zip(&self.papers).filter(|(_, paper)| holds(&self.covers(paper))).map(|(rank, _)| rank).max().unwrap_or(0)
    }

    /// When an owner last covered a thing: itself, or all that still hold it.
    fn covered(&self, owner: &Owner, name: &str) -> usize {
        let question = (owner.clone(), name.to_owned());
        let known = self.covered.borrow().get(&question).copied();
        known.unwrap_or_else(|| {
            let rank = self.find_covered(owner, name);
            self.covered.borrow_mut().insert(question, rank);
            rank
        })
    }

    fn find_covered(&self, owner: &Owner, name: &str) -> usize {
        let itself = self.last(|all| all.iter().any(|(covered, whose, _)| covered == name && whose == owner));
        let holders = self.holders(name).into_iter().filter(|(whose, holder, seen)| {
            whose == owner && self.stands(whose, holder, *seen) && self.is_live(holder)
        });
        itself.max(holders.map(|(_, holder, _)| self.covered(owner, &holder)).min().unwrap_or(0))
    }

    fn stands(&self, owner: &Owner, anchor: &str, seen: usize) -> bool {
        self.covered(owner, anchor) <= seen
    }

    /// Everything that was ever seen to hold a thing: by whom, what, and when last.
    fn holders(&self, name: &str) -> Vec<(Owner, String, usize)> {
        let all: BTreeSet<Ends> = self.papers.iter().flat_map(|paper| self.links(paper)).map(ends).collect();
        let holds = |link: &Ends| matches!(kind(&link.1).anchor(), Anchor::SourceHolds | Anchor::TargetHolds);
        let mut holders = Vec::new();
        for link in all.iter().filter(|link| holds(link) && self.fits(link) && anchor_of(link).1 == name) {
            let claims = self.edge_claims(link);
            holders.extend(claims.into_iter().map(|(owner, seen)| (owner, anchor_of(link).0.to_owned(), seen)));
        }
        if self.kinds(name).first().is_some_and(|kind| kind == "AgentInstance" || kind == "Credential") {
            let properties = self.properties(name);
            let file = properties.get("config_path").and_then(Value::as_str);
            if let Some(file) = file.filter(|file| !self.kinds(file).is_empty()) {
                let claims = self.node_claims(name, "config");
                holders.extend(claims.into_iter().map(|(owner, seen)| (owner, file.to_owned(), seen)));
            }
        }
        holders
    }

    fn is_live(&self, name: &str) -> bool {
        let known = self.live.borrow().get(name).copied();
        known.unwrap_or_else(|| {
            let is_live = self.find_live(name);
            self.live.borrow_mut().insert(name.to_owned(), is_live);
            is_live
        })
    }

    fn find_live(&self, name: &str) -> bool {
        let holders = self.holders(name);
        self.node_claims(name, "scan").into_iter().any(|(owner, seen)| {
            let is_mine = |whose: &Owner| *whose == owner || (owner.1 == "scan" && whose.0 == owner.0);
            let looked = self.last(|all| all.iter().any(|(what, whose, says)| *says && what == name && is_mine(whose)));
            let mut mine = holders.iter().filter(|(whose, _, _)| is_mine(whose)).peekable();
            let hangs_on_nothing = mine.peek().is_none();
            let is_held = mine.any(|(whose, holder, seen)| self.stands(whose, holder, *seen) && self.is_live(holder));
            looked <= seen && (hangs_on_nothing || is_held)
        })
    }

    fn fits(&self, (source, name, target): &Ends) -> bool {
        fits(&self.kinds(source), kind(name).sources()) && fits(&self.kinds(target), kind(name).targets())
    }

    fn is_edge_live(&self, link: &Ends) -> bool {
        self.fits(link) && self.is_live(&link.0) && self.is_live(&link.2) && !self.origins(link).is_empty()
    }

    /// The machines whose claims on an edge stand.
    pub(crate) fn origins(&self, link: &Ends) -> BTreeSet<String> {
        let (anchor, _) = anchor_of(link);
        let stands = |(owner, seen): &(Owner, usize)| match kind(&link.1).anchor() {
            Anchor::Both => {
                let covers = |all: &[Cover], end: &String| {
                    all.iter().any(|(covered, whose, _)| covered == end && whose == owner)
                };
                self.last(|all| covers(all, &link.0) && covers(all, &link.2)) <= *seen
            }
            _ => self.stands(owner, anchor, *seen),
        };
        self.edge_claims(link).into_iter().filter(stands).map(|((machine, _), _)| machine).collect()
    }
}

fn with_umbrella(kinds: &[String]) -> Vec<String> {
    let mut all = kinds.to_vec();
    if kinds.iter().any(|kind| matches!(kind.as_str(), "OllamaInstance" | "JupyterServer" | "LiteLLMGateway")) {
        all.push("AIService".to_owned());
    }
    all
}

fn fits(kinds: &[String], allowed: &[NodeKind]) -> bool {
    with_umbrella(kinds).iter().any(|kind| allowed.iter().any(|other| other.name() == kind))
}
