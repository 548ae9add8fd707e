//! Reading probes: requests, matchers and captures.

use super::expression::Expression;
use super::headers;
use super::path::JsonPath;
use super::types::{Capture, Matcher, Method, Probe, Request, StatusRange, Wanted};
use crate::limits;
use crate::reading::fields::{Fields, List, Reader};
use crate::reading::pattern::Pattern;
use crate::reading::problem::{Complaint, shown};
use crate::reading::tree::{Entry, Node, Value};

/// The words for methods. Nothing else can be asked.
pub(super) const METHODS: &[(&str, Method)] = &[("GET", Method::Get), ("HEAD", Method::Head)];

/// Reads one probe.
pub(super) fn read(reader: &mut Reader, node: &Node) -> Option<Probe> {
    let fields = reader.mapping(node, "a probe")?;
    reader.only(&fields, &["method", "path", "headers", "matchers", "captures"]);
    let method = reader.required(&fields, "method").and_then(|node| reader.word(node, "method", METHODS));
    let path = reader.required(&fields, "path").and_then(|node| reader.request_path(node));
    let headers = fields.get("headers").map_or_else(|| Some(Vec::new()), |node| reader.probe_headers(node));
    let matchers = reader.required(&fields, "matchers").and_then(|node| reader.matchers(node));
    let captures = fields.get("captures").map_or_else(|| Some(Vec::new()), |node| reader.captures(node));
    let request = Request { method: method?, path: path?, headers: headers? };
    Some(Probe { request, matchers: matchers?, captures: captures? })
}

/// The types of matchers.
#[derive(Debug, Clone, Copy)]
enum Type {
    Status,
    Header,
    BodyEquals,
    BodyContains,
    BodyRegex,
    JsonPath,
}

impl Type {
    /// What it is, for messages, and its fields.
    const fn shape(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Status => ("an http_status matcher", &["type", "status_code", "status_range"]),
            Self::Header => ("an http_header matcher", &["type", "name", "value", "pattern", "case_insensitive"]),
            Self::BodyEquals => ("a body_equals matcher", &["type", "value"]),
            Self::BodyContains => ("a body_contains matcher", &["type", "value", "case_insensitive"]),
            Self::BodyRegex => ("a body_regex matcher", &["type", "pattern", "case_insensitive"]),
            Self::JsonPath => ("a json_path matcher", &["type", "path", "exists", "equals", "regex"]),
        }
    }
}

const TYPES: &[(&str, Type)] = &[
    ("http_status", Type::Status),
    ("http_header", Type::Header),
    ("body_equals", Type::BodyEquals),
    ("body_contains", Type::BodyContains),
    ("body_regex", Type::BodyRegex),
    ("json_path", Type::JsonPath),
];

impl Reader {
    /// The path of a request, with its query.
    pub(super) fn request_path(&mut self, node: &Node) -> Option<String> {
        let path = self.text(node, "path", limits::PATH_BYTES)?;
        let is_printable = path.bytes().all(|byte| matches!(byte, b'!'..=b'~') && !b"#\\\"<>^`{|}".contains(&byte));
        let help = if !path.starts_with('/') || path.starts_with("//") {
            "it starts with one `/`"
        } else if !is_printable {
            "it is printable ASCII without spaces; write other characters as %20"
        } else {
            return Some(path.to_owned());
        };
        self.complain(node.at, Complaint::with_help(format!("{} is not the path of a request", shown(path)), help));
        None
    }

    fn probe_headers(&mut self, node: &Node) -> Option<Vec<(String, String)>> {
        let mut is_whole = true;
        if let Value::Mapping(entries) = &node.value {
            for entry in entries {
                if let Some(complaint) = headers::refusal(&entry.key) {
                    self.complain(entry.at, complaint);
                    is_whole = false;
                }
            }
        }
        self.headers(node).filter(|_| is_whole)
    }

    /// Headers by their names.
    pub(super) fn headers(&mut self, node: &Node) -> Option<Vec<(String, String)>> {
        let fields = self.mapping(node, "`headers`")?;
        let entries = self.entries(&fields, "headers", limits::HEADERS)?;
        let headers: Vec<Option<(String, String)>> = entries.iter().map(|entry| self.header(entry)).collect();
        headers.into_iter().collect()
    }

    fn header(&mut self, entry: &Entry) -> Option<(String, String)> {
        let value = self.any_text(&entry.value, "headers", usize::MAX)?;
        if let Some(complaint) = headers::problem(&entry.key, value) {
            self.complain(entry.at, complaint);
            return None;
        }
        Some((entry.key.clone(), value.to_owned()))
    }

    fn matchers(&mut self, node: &Node) -> Option<Vec<Matcher>> {
        let items = self.list(node, List { field: "matchers", most: limits::PROBE_MATCHERS })?;
        let matchers: Vec<Option<Matcher>> = items.iter().map(|item| self.response_matcher(item)).collect();
        matchers.into_iter().collect()
    }

    fn response_matcher(&mut self, node: &Node) -> Option<Matcher> {
        let fields = self.mapping(node, "a matcher")?;
        let of_type = self.required(&fields, "type").and_then(|node| self.word(node, "type", TYPES))?;
        let (what, known) = of_type.shape();
        let fields = self.mapping(node, what)?;
        self.only(&fields, known);
        match of_type {
            Type::Status => self.status(&fields),
            Type::Header => self.header_matcher(&fields),
            Type::BodyEquals => {
                let node = self.required(&fields, "value")?;
                self.any_text(node, "value", limits::VALUE_BYTES).map(|value| Matcher::BodyEquals(value.to_owned()))
            }
            Type::BodyContains => {
                let case_insensitive = self.flag(&fields, "case_insensitive", false);
                let value = self.required(&fields, "value").and_then(|node| self.part(node));
                Some(Matcher::BodyContains { value: value?, case_insensitive: case_insensitive? })
            }
            Type::BodyRegex => {
                let case_insensitive = self.flag(&fields, "case_insensitive", false);
                let node = self.required(&fields, "pattern")?;
                self.expression(node, "pattern", case_insensitive?).map(Matcher::BodyMatches)
            }
            Type::JsonPath => self.json_matcher(&fields),
        }
    }

    /// A text that is looked for: an empty one would be found everywhere.
    fn part(&mut self, node: &Node) -> Option<String> {
        self.text(node, "value", limits::VALUE_BYTES).map(str::to_owned)
    }

    /// Which of several fields, of which one is needed, is there.
    fn one_of<'t>(&mut self, fields: &Fields<'t>, keys: &[&'static str]) -> Option<(&'static str, &'t Node)> {
        let mut given = keys.iter().filter_map(|key| fields.get(key).map(|node| (*key, node)));
        let (first, second) = (given.next(), given.next());
        let names: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        match (first, second) {
            (None, _) => {
                let message = format!("the matcher needs one of {}", names.join(", "));
                self.complain(fields.at, Complaint::new(message));
                None
            }
            (Some(_), Some((second, _))) => {
                let message = format!("the matcher has more than one of {}", names.join(", "));
                self.complain(fields.place_of(second), Complaint::with_help(message, "write a matcher for each"));
                None
            }
            (first, None) => first,
        }
    }

    fn status(&mut self, fields: &Fields<'_>) -> Option<Matcher> {
        let (key, node) = self.one_of(fields, &["status_code", "status_range"])?;
        if key == "status_code" {
            let code = self.integer(node, key, 100..=599)?;
            let code = u16::try_from(code).ok()?;
            return Some(Matcher::Status(StatusRange { first: code, last: code }));
        }
        let text = self.text(node, key, usize::MAX)?;
        let range = StatusRange::read(text);
        if range.is_none() {
            let message = format!("{} is not a range of statuses", shown(text));
            self.complain(node.at, Complaint::with_help(message, "write 2xx, 200-299 or 200, from 100 to 599"));
        }
        range.map(Matcher::Status)
    }

    fn header_matcher(&mut self, fields: &Fields<'_>) -> Option<Matcher> {
        let name = self.required(fields, "name").and_then(|node| self.header_name(node));
        let case_insensitive = self.flag(fields, "case_insensitive", false);
        // The pattern wins over the value, which is still checked.
        let value = fields.get("value").map(|node| self.part(node));
        if let Some(node) = fields.get("pattern") {
            let pattern = self.expression(node, "pattern", case_insensitive?);
            value.is_none_or(|value| value.is_some()).then_some(())?;
            return Some(Matcher::HeaderMatches { name: name?, pattern: pattern? });
        }
        if value.is_none() {
            self.one_of(fields, &["value", "pattern"])?;
        }
        Some(Matcher::HeaderContains { name: name?, value: value??, case_insensitive: case_insensitive? })
    }

    fn header_name(&mut self, node: &Node) -> Option<String> {
        let name = self.text(node, "name", usize::MAX)?;
        if !headers::is_name(name) {
            self.complain(node.at, Complaint::new(format!("{} is not the name of a header", shown(name))));
            return None;
        }
        Some(name.to_owned())
    }

    fn json_matcher(&mut self, fields: &Fields<'_>) -> Option<Matcher> {
        let path = self.required(fields, "path").and_then(|node| self.json_path(node));
        let (key, node) = self.one_of(fields, &["exists", "equals", "regex"])?;
        let wanted = match key {
            "exists" if self.boolean(node, key)? => Wanted::There,
            "exists" => Wanted::Absent,
            "equals" => Wanted::Equal(super::path::text(&self.scalar(node, key, limits::VALUE_BYTES)?)),
            _ => Wanted::Matching(self.expression(node, "regex", false)?),
        };
        Some(Matcher::Json { path: path?, wanted })
    }

    fn json_path(&mut self, node: &Node) -> Option<JsonPath> {
        let text = self.text(node, "path", limits::PATH_BYTES)?;
        JsonPath::read(text).map_err(|complaint| self.complain(node.at, complaint)).ok()
    }

    fn expression(&mut self, node: &Node, field: &'static str, is_case_insensitive: bool) -> Option<Expression> {
        let text = self.any_text(node, field, limits::PATTERN_BYTES)?;
        let pattern = Pattern { field, text, is_case_insensitive };
        self.pattern(node, &pattern)?;
        let compiled = Expression::compile(&pattern);
        compiled
            .map_err(|error| self.complain(node.at, Complaint::new(format!("`{field}` does not compile: {error}"))))
            .ok()
    }

    fn captures(&mut self, node: &Node) -> Option<Vec<(String, Capture)>> {
        let fields = self.mapping(node, "`captures`")?;
        let entries = self.entries(&fields, "captures", limits::CAPTURES)?;
        let captures: Vec<Option<(String, Capture)>> = entries
            .iter()
            .map(|entry| {
                let name = self.property_key(entry, "captures");
                let capture = self.capture(&entry.value);
                Some((name?.to_owned(), capture?))
            })
            .collect();
        captures.into_iter().collect()
    }

    /// A path, or a mapping that says where else to look.
    fn capture(&mut self, node: &Node) -> Option<Capture> {
        if !matches!(node.value, Value::Mapping(_)) {
            return self.json_path(node).map(Capture::Value);
        }
        let fields = self.mapping(node, "a capture")?;
        let known: &[&str] = match (fields.get("header"), fields.get("body")) {
            (Some(_), _) => &["header", "pattern"],
            (None, Some(_)) => &["body"],
            (None, None) => &["path", "keys"],
        };
        self.only(&fields, known);
        if let Some(node) = fields.get("header") {
            let name = self.header_name(node);
            let pattern = self.required(&fields, "pattern").and_then(|node| self.expression(node, "pattern", false));
            return Some(Capture::Header { name: name?, pattern: pattern? });
        }
        if let Some(node) = fields.get("body") {
            return self.expression(node, "body", false).map(Capture::Body);
        }
        let path = self.required(&fields, "path").and_then(|node| self.json_path(node));
        match fields.get("keys") {
            None => path.map(Capture::Value),
            Some(node) => {
                let pattern = self.expression(node, "keys", false);
                Some(Capture::Keys { path: path?, pattern: pattern? })
            }
        }
    }
}

impl StatusRange {
    /// Reads `2xx`, `200-299` or `200`.
    fn read(text: &str) -> Option<Self> {
        let code = |text: &str| {
            let code: u16 = text.parse().ok()?;
            (text.len() == 3 && (100..600).contains(&code)).then_some(code)
        };
        if let Some(class) = text.strip_suffix("xx").or_else(|| text.strip_suffix("XX")) {
            let first = code(&format!("{class}00"))?;
            return Some(Self { first, last: first + 99 });
        }
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let range = Self { first: code(first.trim())?, last: code(last.trim())? };
        (range.first <= range.last).then_some(range)
    }
}
