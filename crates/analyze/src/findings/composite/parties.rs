//! Who takes part in a composite edge, by the names that texts give them.

use tracehound_graph::{NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind, Place};

use crate::basis::Auth;
use crate::derived::{Composite, Detail, Hop, Reach, Via};
use crate::findings::ground::Ground;
use crate::picture::Picture;

/// A composite edge with its path.
pub(super) struct Parties<'l, 'a> {
    pub(super) picture: Picture<'a>,
    pub(super) ground: &'l Ground<'a>,
    pub(super) source: NodeIx,
    pub(super) target: NodeIx,
    pub(super) composite: &'a Composite,
    pub(super) path: &'a [Hop],
}

impl Parties<'_, '_> {
    /// A text with its names filled in, beginning with a capital.
    pub(super) fn fill(&self, text: &str, place: Option<&Place>) -> String {
        let mut filled = String::with_capacity(2 * text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, onwards) = after.split_once('}').unwrap_or((after, ""));
            filled.push_str(before);
            filled.push_str(&self.word(name, place));
            rest = onwards;
        }
        filled.push_str(rest);
        let mut letters = filled.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    }

    fn word(&self, name: &str, place: Option<&Place>) -> String {
        match name {
            "where" => place.map_or_else(String::new, |place| format!(" (`{}`, line {})", place.file, place.line)),
            "open" => self.open(),
            "high" => match self.composite.detail {
                Detail::Deputy { high, .. } => crate::words::demand(high),
                _ => String::new(),
            },
            name => match name.strip_suffix("_name") {
                Some(name) => self.node(name).map(|node| format!("`{}`", self.ground.name(node))),
                None => self.node(name).map(|node| self.ground.called(node)),
            }
            .unwrap_or_else(|| unknown(name).to_owned()),
        }
    }

    /// Of a server on the network that demands nothing, that it should.
    fn open(&self) -> String {
        let Some(server) = self.node("server") else { return String::new() };
        let method = self.picture.view.property(server, "auth_method");
        let is_open = Auth::of(method.as_ref().and_then(|method| method.as_text())).is_open();
        if !is_open || self.ground.text(server, "transport") != "http" {
            return String::new();
        }
        format!(" Let {} demand authentication: it answers whoever asks.", self.ground.called(server))
    }

    fn node(&self, name: &str) -> Option<NodeIx> {
        match name {
            "source" => Some(self.source),
            "target" => Some(self.target),
            "server" => self.server(),
            "other" => self.other(),
            "tool" => self.tool(),
            "secret" => self.secret(),
            "resource" => match self.composite.detail {
                Detail::Flow { resource } | Detail::Exfiltration { resource, .. } => Some(resource),
                _ => None,
            },
            "agent" => match self.composite.detail {
                Detail::Context { agent } => Some(agent),
                _ => None,
            },
            "gateway" => match self.composite.detail {
                Detail::Reach(Reach::Chain { gateway, .. }) => Some(gateway),
                _ => None,
            },
            "host" => match self.composite.detail {
                Detail::Reach(Reach::CrossProtocol { host, .. }) => Some(host),
                _ => None,
            },
            _ => None,
        }
    }

    /// The server that the edge starts with; for data that goes out, the one that it goes out through.
    fn server(&self) -> Option<NodeIx> {
        let trusted = |hop: &Hop| (hop.via == Via::Along(EdgeKind::TrustsServer)).then_some(hop.to);
        match self.composite.detail {
            Detail::Reach(Reach::CrossProtocol { server, .. }) => Some(server),
            Detail::Exfiltration { .. } => self.path.iter().rev().find_map(trusted),
            Detail::Reach(_) => self.path.iter().find_map(trusted),
            _ => self.provider(self.source),
        }
    }

    /// The server at the other end.
    fn other(&self) -> Option<NodeIx> {
        match self.composite.detail {
            Detail::Reach(Reach::Credential { server, .. }) => Some(server),
            _ => self.provider(self.target),
        }
    }

    /// The server that provides a tool on the path, or else the first that does.
    fn provider(&self, tool: NodeIx) -> Option<NodeIx> {
        let provides =
            |hop: &Hop| (hop.via == Via::Along(EdgeKind::ProvidesTool) && hop.to == tool).then_some(hop.from);
        let on_path = self.path.iter().find_map(provides);
        on_path.or_else(|| self.ground.provider(tool).filter(|it| self.picture.kind(*it) == NodeKind::McpServer))
    }

    /// The tool that is used first.
    fn tool(&self) -> Option<NodeIx> {
        let reads = |hop: &Hop| matches!(hop.via, Via::Reads(_)).then_some(hop.from);
        match self.composite.detail {
            Detail::Reach(Reach::Direct { tool, .. } | Reach::CrossProtocol { tool, .. }) => Some(tool),
            Detail::Reach(Reach::Credential { tool, .. }) => self.path.iter().find_map(reads).or(Some(tool)),
            _ => None,
        }
    }

    /// The secret as whoever is to change it has it.
    fn secret(&self) -> Option<NodeIx> {
        let given = |hop: &Hop| match hop.edge() {
            Some(edge) if edge.kind == EdgeKind::HasEnvVar => Some(edge.target),
            _ => None,
        };
        match self.composite.detail {
            Detail::Reach(Reach::Chain { credential, .. }) => Some(credential),
            _ => self.path.iter().find_map(given),
        }
    }
}

/// What to call somebody whom the path does not name.
fn unknown(name: &str) -> &'static str {
    match name {
        "server" | "server_name" | "other" | "other_name" => "its server",
        "tool" | "tool_name" => "the tool",
        "agent" => "the agent",
        _ => "something",
    }
}
