//! Reading the examples of a fingerprint.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use super::read_probe::METHODS;
use super::response::Response;
use super::types::{FingerprintTest, Method, TestResponse};
use crate::limits;
use crate::reading::fields::{Fields, List, Reader};
use crate::reading::problem::Complaint;
use crate::reading::tree::{Node, Value};

/// Reads one test.
pub(super) fn read(reader: &mut Reader, node: &Node) -> Option<FingerprintTest> {
    let fields = reader.mapping(node, "a test")?;
    reader.only(&fields, &["description", "responses", "should_match", "properties"]);
    let description = reader.prose(&fields, "description");
    let responses = reader.required(&fields, "responses").and_then(|node| reader.responses(node));
    let should_match = reader.required(&fields, "should_match");
    let should_match = should_match.and_then(|node| reader.boolean(node, "should_match"));
    let properties =
        fields.get("properties").map_or_else(|| Some(BTreeMap::new()), |node| reader.expected_properties(node));
    if should_match == Some(false) && fields.get("properties").is_some() {
        let message = "a test that must not match can't expect `properties`";
        reader.complain(fields.place_of("properties"), Complaint::new(message));
    }
    Some(FingerprintTest {
        description: description?.unwrap_or_default(),
        responses: responses?,
        should_match: should_match?,
        properties: properties?,
    })
}

impl Reader {
    fn responses(&mut self, node: &Node) -> Option<Vec<TestResponse>> {
        let items = self.any_list(node, List { field: "responses", most: limits::TEST_RESPONSES })?;
        let mut responses: Vec<TestResponse> = Vec::new();
        let mut is_whole = true;
        for item in items {
            let Some(response) = self.test_response(item) else {
                is_whole = false;
                continue;
            };
            let is_same = |other: &TestResponse| (other.method, &other.path) == (response.method, &response.path);
            if responses.iter().any(is_same) {
                let message = format!("{} `{}` is answered twice", response.method, response.path);
                self.complain(item.at, Complaint::new(message));
            }
            responses.push(response);
        }
        is_whole.then_some(responses)
    }

    fn test_response(&mut self, node: &Node) -> Option<TestResponse> {
        let fields = self.mapping(node, "a response")?;
        self.only(&fields, &["method", "path", "status", "headers", "body", "json"]);
        let method = fields.get("method").map_or(Some(Method::Get), |node| self.word(node, "method", METHODS));
        let path = self.required(&fields, "path").and_then(|node| self.request_path(node));
        let status = self.required(&fields, "status").and_then(|node| self.integer(node, "status", 100..=599));
        let status = status.and_then(|status| u16::try_from(status).ok());
        let headers = fields.get("headers").map_or_else(|| Some(Vec::new()), |node| self.headers(node));
        let body = self.body(&fields);
        let response = Response::new(status?, headers?, body?);
        Some(TestResponse { method: method?, path: path?, response })
    }

    /// Text as it is, or a value that is written as JSON.
    fn body(&mut self, fields: &Fields<'_>) -> Option<Vec<u8>> {
        match (fields.get("body"), fields.get("json")) {
            (Some(_), Some(_)) => {
                let message = "a response has either `body` or `json`";
                self.complain(fields.place_of("json"), Complaint::new(message));
                None
            }
            (Some(node), None) => {
                self.any_text(node, "body", limits::TEST_INPUT_BYTES).map(|text| text.as_bytes().to_vec())
            }
            (None, Some(node)) => {
                let text = self.json(node)?.to_string();
                if text.len() > limits::TEST_INPUT_BYTES {
                    let message = format!("`json` is longer than {} bytes", limits::TEST_INPUT_BYTES);
                    self.complain(node.at, Complaint::new(message));
                    return None;
                }
                Some(text.into_bytes())
            }
            (None, None) => Some(Vec::new()),
        }
    }

    fn expected_properties(&mut self, node: &Node) -> Option<BTreeMap<String, Json>> {
        let fields = self.mapping(node, "`properties`")?;
        let entries = self.entries(&fields, "properties", limits::PROPERTIES)?;
        let pairs: Vec<Option<(String, Json)>> =
            entries.iter().map(|entry| Some((entry.key.clone(), self.json(&entry.value)?))).collect();
        pairs.into_iter().collect()
    }

    /// Any value, as JSON. Goes down as far as the file does, which has a limit.
    fn json(&mut self, node: &Node) -> Option<Json> {
        match &node.value {
            Value::Null => Some(Json::Null),
            Value::Boolean(value) => Some(Json::from(*value)),
            Value::Integer(value) => Some(Json::from(*value)),
            Value::Number(value) => {
                let number = serde_json::Number::from_f64(*value).map(Json::Number);
                if number.is_none() {
                    self.complain(node.at, Complaint::new("JSON has finite numbers only"));
                }
                number
            }
            Value::Text(text) => Some(Json::from(text.as_str())),
            Value::Sequence(items) => {
                let items: Vec<Option<Json>> = items.iter().map(|item| self.json(item)).collect();
                items.into_iter().collect::<Option<Vec<Json>>>().map(Json::Array)
            }
            Value::Mapping(entries) => {
                let pairs: Vec<Option<(String, Json)>> =
                    entries.iter().map(|entry| Some((entry.key.clone(), self.json(&entry.value)?))).collect();
                pairs.into_iter().collect::<Option<Map<String, Json>>>().map(Json::Object)
            }
        }
    }
}
