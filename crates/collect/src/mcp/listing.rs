//! One list of a server, page by page, to a limit.

use std::collections::HashSet;

use rmcp::model::{
    ClientRequest, ErrorCode, ListPromptsRequest, ListResourceTemplatesRequest, ListResourcesRequest, ListToolsRequest,
    PaginatedRequestParams,
};
use rmcp::service::ServiceError;
use rmcp::{Peer, RoleClient};
use serde_json::{Map, Value};

use super::limits::{ITEMS, PAGES};
use super::patience::Patience;
use super::tap::members;
use super::words::{self, ENDED, brief};

/// A list that servers have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Tools,
    Resources,
    Templates,
    Prompts,
}

impl Sort {
    /// The member of the answer that holds it.
    fn key(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
            Self::Prompts => "prompts",
        }
    }

    /// What people call the things in it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Templates => "resource templates",
            Self::Prompts => "prompts",
        }
    }

    fn request(self, cursor: Option<String>) -> ClientRequest {
        let params = Some(PaginatedRequestParams::default().with_cursor(cursor));
        match self {
            Self::Tools => ClientRequest::ListToolsRequest(ListToolsRequest { params, ..ListToolsRequest::default() }),
            Self::Resources => {
                ClientRequest::ListResourcesRequest(ListResourcesRequest { params, ..ListResourcesRequest::default() })
            }
            Self::Templates => ClientRequest::ListResourceTemplatesRequest(ListResourceTemplatesRequest {
                params,
                ..ListResourceTemplatesRequest::default()
            }),
            Self::Prompts => {
                ClientRequest::ListPromptsRequest(ListPromptsRequest { params, ..ListPromptsRequest::default() })
            }
        }
    }
}

/// A list as far as it was read.
#[derive(Debug)]
pub(super) struct List<T> {
    pub(super) items: Vec<T>,
    /// Why there may be more, in words.
    pub(super) cut: Option<String>,
    /// What was wrong with single things.
    pub(super) slips: Vec<String>,
    /// Some entries could not be read, so that what is not in it may still be there.
    pub(super) has_gaps: bool,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { items: Vec::new(), cut: None, slips: Vec::new(), has_gaps: false }
    }
}

/// Slips of one list that are told; a hostile server could make one of each thing.
const SLIPS: usize = 10;

impl<T> List<T> {
    /// Reads a list. `read` makes a thing of what the server sent, or says what is wrong with it.
    pub(super) async fn fetch(
        peer: &Peer<RoleClient>,
        sort: Sort,
        is_announced: bool,
        patience: &Patience,
        read: fn(&Value) -> Result<T, String>,
    ) -> Self {
        let mut list = Self::default();
        let mut cursors: HashSet<String> = HashSet::new();
        let mut cursor = None;
        for page in 0.. {
            if page == PAGES {
                list.cut = Some(format!("{} after {PAGES} pages", sort.words()));
                break;
            }
            let mut answer = match ask(peer, sort, cursor.take(), patience).await {
                Ok(Some(answer)) => answer,
                // A server may have resources and no patterns of them. What it announces and does not have is odd.
                Ok(None) if page == 0 && (sort == Sort::Templates || !is_announced) => break,
                Ok(None) => {
                    list.cut = Some(format!("{}: the server says that it has no such list", sort.words()));
                    break;
                }
                Err(problem) => {
                    list.cut = Some(format!("{}: {problem}", sort.words()));
                    break;
                }
            };
            if !list.take(sort, &mut answer, read) {
                break;
            }
            match answer.remove("nextCursor") {
                Some(Value::String(next)) if !next.is_empty() => {
                    if !cursors.insert(next.clone()) {
                        list.cut = Some(format!("{}: the same page was named twice", sort.words()));
                        break;
                    }
                    cursor = Some(next);
                }
                None | Some(Value::Null | Value::String(_)) => break,
                Some(_) => {
                    list.cut = Some(format!("{}: the mark of the next page is no text", sort.words()));
                    break;
                }
            }
        }
        list
    }

    /// Adds a page. `false`: no more is taken.
    fn take(&mut self, sort: Sort, answer: &mut Map<String, Value>, read: fn(&Value) -> Result<T, String>) -> bool {
        let Some(Value::Array(items)) = answer.remove(sort.key()) else {
            self.cut = Some(format!("{}: the answer holds no list of them", sort.words()));
            return false;
        };
        for item in items {
            if self.items.len() == ITEMS {
                self.cut = Some(format!("{} after the first {ITEMS}", sort.words()));
                return false;
            }
            match read(&item) {
                Ok(item) => self.items.push(item),
                Err(_) if self.slips.len() == SLIPS => self.has_gaps = true,
                Err(problem) => {
                    self.has_gaps = true;
                    self.slips.push(format!("sent an entry of its {} that {problem}", sort.words()));
                }
            }
        }
        true
    }
}

/// One page. `None`: the server has no such list.
async fn ask(
    peer: &Peer<RoleClient>,
    sort: Sort,
    cursor: Option<String>,
    patience: &Patience,
) -> Result<Option<Map<String, Value>>, String> {
    let answer = patience.wait(peer.send_request(sort.request(cursor))).await;
    match answer {
        Err(late) => Err(late.to_string()),
        Ok(Ok(result)) => members(result).map(Some).ok_or_else(|| "the answer is of another sort".to_owned()),
        Ok(Err(ServiceError::McpError(error))) if error.code == ErrorCode::METHOD_NOT_FOUND => Ok(None),
        Ok(Err(ServiceError::McpError(error))) => {
            Err(format!("the server says {}: {}", error.code.0, brief(&error.message)))
        }
        Ok(Err(ServiceError::TransportClosed)) => Err(ENDED.to_owned()),
        Ok(Err(ServiceError::TransportSend(error))) => Err(words::of_transport(&error)),
        Ok(Err(error)) => Err(brief(&error.to_string())),
    }
}
