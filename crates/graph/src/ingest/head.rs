//! The head of a document: who wrote it, when, and what it covers.

use serde::de::MapAccess;
use serde_json::Value;
use tracehound_model::{Collector, wire};

use super::document::{Reader, Seen};
use super::field::{Field, Members, Skipped};
use super::report::excerpt;
use super::value::{Budget, StrictSeed};

/// The most that `meta.extra` may hold: what a document of the largest usual size covers, several times over.
const EXTRA_BYTES: usize = 32 << 20;

/// The head as far as it was read.
#[derive(Debug, Default)]
pub(super) struct DraftHead {
    pub(super) version: Option<u64>,
    pub(super) r#type: Option<String>,
    pub(super) collector: Option<Collector>,
    pub(super) collector_version: String,
    pub(super) timestamp: String,
    pub(super) scan_id: String,
    pub(super) extra: Value,
    collector_given: Option<String>,
}

impl Reader<'_> {
    /// Reports what is wrong with the head.
    pub(super) fn check_head(&mut self) {
        let mut demand = |member: &'static str, holds: bool, message: String| {
            if !holds {
                self.problems.add(|| format!("meta.{member}"), message);
            }
        };
        let head = &self.head;
        demand("version", head.version == Some(wire::VERSION), format!("must be {}", wire::VERSION));
        demand("type", head.r#type.as_deref() == Some(wire::TYPE), format!("must be `{}`", wire::TYPE));
        let known: Vec<&str> = Collector::ON_WIRE.iter().map(|collector| collector.name()).collect();
        let found = head.collector_given.as_deref().map(|given| format!(", found {}", excerpt(given)));
        let message = format!("must be one of {}{}", known.join(", "), found.unwrap_or_default());
        demand("collector", head.collector.is_some(), message);
        demand("scan_id", !head.scan_id.is_empty(), "must not be empty".to_owned());
        let limit = self.limits.name_bytes;
        demand("scan_id", head.scan_id.len() <= limit, format!("must be at most {limit} bytes long"));
    }
}

/// Reads the members of `meta`.
pub(super) struct MetaMembers<'r, 'l> {
    pub(super) reader: &'r mut Reader<'l>,
    pub(super) seen: Seen,
}

impl MetaMembers<'_, '_> {
    /// The text of a member that may be left out.
    fn free_text(&mut self, field: Field<'_>) -> String {
        match field {
            Field::Text(text) if text.len() <= self.reader.limits.name_bytes => text.into_owned(),
            // Neither is checked by the format, so neither can refuse a document.
            _ => String::new(),
        }
    }
}

impl<'de> Members<'de> for MetaMembers<'_, '_> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        const KNOWN: [&str; 7] = ["version", "type", "collector", "collector_version", "timestamp", "scan_id", "extra"];
        let Some(position) = KNOWN.iter().position(|known| *known == name) else {
            return map.next_value::<Skipped>().map(drop);
        };
        self.seen.once(position as u16, name)?;
        self.reader.place.member = KNOWN.get(position).copied().unwrap_or_default();
        if name == "extra" {
            let mut budget = Budget::new(EXTRA_BYTES);
            self.reader.head.extra = map.next_value_seed(StrictSeed(&mut budget))?;
            if budget.is_spent() {
                self.reader.problem(format!("is larger than {EXTRA_BYTES} bytes"));
            }
            return Ok(());
        }
        let field: Field<'de> = map.next_value()?;
        match name {
            "version" => self.reader.head.version = if let Field::Number(number) = field { number } else { None },
            "type" => {
                self.reader.head.r#type = if let Field::Text(text) = field { Some(text.into_owned()) } else { None }
            }
            "collector" => {
                if let Field::Text(text) = field {
                    let known = Collector::from_name(&text).filter(|known| Collector::ON_WIRE.contains(known));
                    self.reader.head.collector = known;
                    self.reader.head.collector_given = Some(text.into_owned());
                }
            }
            "collector_version" => self.reader.head.collector_version = self.free_text(field),
            "timestamp" => self.reader.head.timestamp = self.free_text(field),
            _ => {
                if let Field::Text(text) = field {
                    self.reader.head.scan_id = text.into_owned();
                }
            }
        }
        Ok(())
    }
    fn finish(self) -> Result<(), String> {
        Ok(())
    }
    fn not_an_object(self, found: &'static str) {
        self.reader.problem(format!("must be an object, found {found}"));
    }
}
