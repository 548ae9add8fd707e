//! One tenant's estate: the store, the facts that its documents add up to, and the graphs that can be made of them.
//! What people decided about findings and nodes is in `triage`.

pub(crate) mod triage;

use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;
use tracehound_model::hash;

use crate::facts::{Added, Facts, Moment, ScanRecord};
use crate::fold::{Fold, Point, Timeline};
use crate::graph::{Acknowledged, Change, Graph};
use crate::ingest::{self, Parsed, Problem, Warning, WarningCode};
use crate::keys::Keys;
use crate::store::open::Owner;
use crate::store::{Access, Store, StoredScan, TriageRow};
use crate::{Error, Limits, snapshot};

/// How hard documents are compressed: beyond this, time grows faster than size shrinks.
const LEVEL: i32 = 1;
/// Replaying less than this is not worth a snapshot.
const SMALL: u64 = 4 << 20;
/// How triage subjects about changed contents begin.
const CHANGE_SUBJECT: &str = "[\"change\",";
/// The status of a change that a person has looked at.
const ACKNOWLEDGED: &str = "acknowledged";

/// What became of a document.
#[derive(Debug, Clone, Serialize)]
pub struct Ingested {
    /// The scan.
    pub scan: ScanRecord,
    /// What it added; nothing when the same document was stored before.
    pub added: Option<Added>,
    /// What was put right or left out, by sort.
    pub warnings: Vec<Warning>,
}

/// That a person has looked at how a content changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acknowledgement {
    /// The id of the node.
    pub node: String,
    /// The property that changed.
    pub property: String,
    /// When the scan was that saw it changed.
    pub time: Moment,
    /// That scan.
    pub scan_id: String,
}

/// One tenant's estate.
#[derive(Debug)]
pub struct Estate {
    store: Store,
    limits: Limits,
    /// In order of arrival.
    scans: Vec<StoredScan>,
    /// Where each scan stands in that order.
    by_id: HashMap<String, usize>,
    /// Read from the store when first needed.
    facts: Option<Facts>,
    /// Size of the documents that the snapshot stands for.
    in_snapshot: u64,
    room: Room,
}

/// Memory that one document needs and the next can use again: asking the system for it each time costs more than a
/// tenth of the whole.
#[derive(Debug, Default)]
struct Room {
    buffer: Vec<u8>,
    compressed: Vec<u8>,
}

impl Estate {
    /// Opens the estate of a tenant in a data directory; with [`Access::Write`] it is made if need be.
    ///
    /// # Errors
    ///
    /// When the directory can't be used, another process writes, or the file is not ours, damaged or newer.
    pub fn open(directory: &Path, tenant: &str, access: Access, limits: Limits) -> Result<Self, Error> {
        Self::of_store(Store::open(directory, tenant, access)?, limits)
    }

    /// Opens the estate of a tenant for writing, by a right that is held already, and makes it if need be.
    ///
    /// # Errors
    ///
    /// When the directory can't be used, or the file is not ours, damaged or newer.
    pub fn open_owned(owner: &Owner, tenant: &str, limits: Limits) -> Result<Self, Error> {
        Self::of_store(Store::open_owned(owner, tenant)?, limits)
    }

    fn of_store(store: Store, limits: Limits) -> Result<Self, Error> {
        let scans = store.scans()?;
        let by_id = positions(&scans);
        Ok(Self { store, limits, scans, by_id, facts: None, in_snapshot: 0, room: Room::default() })
    }

    /// The scans in fold order.
    #[must_use]
    pub fn scans(&self) -> Vec<&ScanRecord> {
        let mut scans: Vec<&ScanRecord> = self.scans.iter().map(|scan| &scan.record).collect();
        scans.sort_unstable_by_key(|record| (record.time, record.scan_id.as_str()));
        scans
    }

    /// A scan by its id.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn scan(&self, scan_id: &str) -> Result<&ScanRecord, Error> {
        self.stored(scan_id).map(|scan| &scan.record)
    }

    /// The document of a scan, byte for byte.
    ///
    /// # Errors
    ///
    /// When there is no such scan or its document is damaged.
    pub fn document(&self, scan_id: &str) -> Result<Vec<u8>, Error> {
        self.read_document(self.stored(scan_id)?)
    }

    /// Takes in a document: all of it, durably, or nothing. `now` stands for a time that the document does not give.
    ///
    /// # Errors
    ///
    /// When the document is refused or can't be stored; the estate is as it was.
    pub fn ingest(&mut self, bytes: &[u8], now: Moment) -> Result<Ingested, Error> {
        let limits = self.limits;
        let keys = self.facts()?.keys.clone();
        let Room { buffer, mut compressed } = std::mem::take(&mut self.room);
        // Hashing and compressing need no knowledge of the content, so they go on beside the reading.
        let (parsed, sha256) = std::thread::scope(|scope| {
            let packing = scope.spawn(|| pack(bytes, &mut compressed));
            (ingest::read(bytes, &limits, keys, buffer), packing.join())
        });
        let parsed = parsed?;
        let sha256 = match sha256 {
            Ok(Ok(sha256)) => sha256,
            Ok(Err(source)) => return Err(Error::Read { source }),
            Err(_) => return Err(self.store.damaged("compressing the document failed".to_owned())),
        };
        if let Ok(stored) = self.scan(&parsed.head.scan_id) {
            if stored.sha256 == sha256 {
                return Ok(Ingested { scan: stored.clone(), added: None, warnings: parsed.warnings.into_list() });
            }
            let (scan_id, stored) = (parsed.head.scan_id, stored.sha256.clone());
            return Err(Error::ScanIdTaken { scan_id, stored, given: sha256 });
        }
        let (record, warnings) = describe(&parsed, sha256, bytes.len() as u64, now);
        let stored = self.store.add_scan(record, &compressed)?;
        let (scan, seq) = (stored.record.clone(), stored.seq);
        self.by_id.insert(scan.scan_id.clone(), self.scans.len());
        self.scans.push(stored);
        let (added, buffer) = self.facts()?.add(parsed, scan.clone(), seq);
        self.room = Room { buffer, compressed };
        Ok(Ingested { scan, added: Some(added), warnings })
    }

    /// Takes scans out as if they had never been ingested: all of them or none. The rest is read again from the
    /// documents.
    ///
    /// # Errors
    ///
    /// When one of the scans is not there or the store can't be written.
    pub fn delete_scans<S: AsRef<str>>(&mut self, scan_ids: &[S]) -> Result<Vec<ScanRecord>, Error> {
        let mut scans = scan_ids
            .iter()
            .map(|scan_id| self.stored(scan_id.as_ref()).cloned())
            .collect::<Result<Vec<StoredScan>, Error>>()?;
        scans.sort_unstable_by_key(|scan| scan.seq);
        scans.dedup_by_key(|scan| scan.seq);
        self.store.delete_scans(&scans)?;
        self.scans.retain(|other| scans.binary_search_by_key(&other.seq, |scan| scan.seq).is_err());
        self.by_id = positions(&self.scans);
        self.facts = None;
        self.in_snapshot = 0;
        Ok(scans.into_iter().map(|scan| scan.record).collect())
    }

    /// The graph at a point.
    ///
    /// # Errors
    ///
    /// When the point names a scan that is not there, or the store can't be read.
    pub fn graph(&mut self, point: &Point) -> Result<Graph, Error> {
        if let Point::Scan(scan_id) = point {
            self.stored(scan_id)?;
        }
        let acknowledged = self.acknowledged(point)?;
        let facts = self.facts()?;
        let timeline = Timeline::new(&facts.scans, point)
            .ok_or_else(|| Error::NoSuchScan { scan_id: format!("{point:?}"), hint: String::new() })?;
        let fold = Fold::new(facts, timeline);
        Ok(Graph::new(facts, &fold, &acknowledged))
    }

    /// The point that a text names: `now`, a scan id, an RFC 3339 time, or a date (to its end, in UTC).
    ///
    /// # Errors
    ///
    /// When it names none.
    pub fn point(&self, text: &str) -> Result<Point, Error> {
        if text == "now" {
            return Ok(Point::Now);
        }
        if self.by_id.contains_key(text) {
            return Ok(Point::Scan(text.to_owned()));
        }
        let moment = Moment::parse(text).or_else(|| Moment::end_of_day(text));
        moment.map(Point::At).ok_or_else(|| Error::NoSuchPoint { text: text.to_owned(), hint: self.hint(text) })
    }

    /// The moment up to which people's decisions count at a point.
    ///
    /// # Errors
    ///
    /// When the point names a scan that is not there.
    pub fn moment_of(&self, point: &Point) -> Result<Moment, Error> {
        Ok(match point {
            Point::Now => Moment(i64::MAX),
            Point::At(moment) => *moment,
            Point::Scan(scan_id) => self.scan(scan_id)?.time,
        })
    }

    /// Records that a person has looked at these changes.
    ///
    /// # Errors
    ///
    /// When the note or the author is too long, or the store can't be written.
    pub fn acknowledge(&mut self, changes: &[Change], author: &str, note: &str, at: Moment) -> Result<(), Error> {
        changes.iter().try_for_each(|change| triage::check_words(change.id.as_str(), note, author))?;
        let row = |change| TriageRow {
            subject: change_subject(change).into(),
            status: ACKNOWLEDGED.into(),
            note: note.into(),
            author: author.into(),
            at,
            expires: None,
            severity: None,
        };
        self.store.add_triage(changes.iter().map(row))
    }

    /// Reads the facts, if that has not been done: the snapshot, then the documents that came after it. `progress` is
    /// told how many of them are read, and of how many.
    ///
    /// # Errors
    ///
    /// When the store can't be read or a document in it is damaged.
    pub fn load(&mut self, mut progress: impl FnMut(usize, usize)) -> Result<(), Error> {
        if self.facts.is_some() {
            return Ok(());
        }
        let mut facts = self.read_snapshot()?.unwrap_or_default();
        let known = facts.scans.len();
        let missing = self.scans.get(known..).unwrap_or_default();
        let mut buffer = Vec::new();
        for (read, scan) in missing.iter().enumerate() {
            progress(read, missing.len());
            let bytes = self.read_document(scan)?;
            let parsed = self.parse_again(scan, &bytes, std::mem::take(&mut facts.keys), buffer)?;
            drop(bytes);
            (_, buffer) = facts.add(parsed, scan.record.clone(), scan.seq);
        }
        self.facts = Some(facts);
        Ok(())
    }

    /// Writes a snapshot if enough has come since the last; says whether it did.
    ///
    /// # Errors
    ///
    /// When the store can't be written.
    pub fn snapshot_if_due(&mut self) -> Result<bool, Error> {
        let Some(facts) = &mut self.facts else { return Ok(false) };
        let total: u64 = self.scans.iter().map(|scan| scan.record.bytes).sum();
        let since = total.saturating_sub(self.in_snapshot);
        // By parts of what is there, not by a fixed size: so all snapshots of an estate's life together cost no more
        // than a constant times the last.
        if since < SMALL.max(self.in_snapshot / 4) {
            return Ok(false);
        }
        facts.shrink();
        self.store.replace_snapshot(total, |out| snapshot::write(facts, out))?;
        self.in_snapshot = total;
        Ok(true)
    }

    fn facts(&mut self) -> Result<&mut Facts, Error> {
        self.load(|_, _| {})?;
        Ok(self.facts.get_or_insert_default())
    }

    fn stored(&self, scan_id: &str) -> Result<&StoredScan, Error> {
        let position = self.by_id.get(scan_id);
        let known = position.and_then(|position| self.scans.get(*position));
        known.ok_or_else(|| Error::NoSuchScan { scan_id: scan_id.to_owned(), hint: self.hint(scan_id) })
    }

    /// The scan that may have been meant, as a question.
    fn hint(&self, scan_id: &str) -> String {
        let starts_so = self.scans.iter().map(|scan| scan.record.scan_id.as_str());
        let close = starts_so.filter(|other| !scan_id.is_empty() && other.starts_with(scan_id)).min();
        close.map_or_else(String::new, |close| format!("; did you mean `{close}`?"))
    }

    /// A document as it was stored, checked against its hash.
    fn read_document(&self, scan: &StoredScan) -> Result<Vec<u8>, Error> {
        let scan_id = &scan.record.scan_id;
        let damaged = |what: String| self.store.damaged(format!("the document of scan `{scan_id}` {what}"));
        let bytes = zstd::decode_all(self.store.stream(scan.document))
            .map_err(|bad| damaged(format!("does not decompress ({bad})")))?;
        if hash::content(&bytes) == scan.record.sha256 {
            Ok(bytes)
        } else {
            Err(damaged("is not what was stored: its hash differs".to_owned()))
        }
    }

    /// Reads a document that was accepted before. Limits may have been lowered since; they bind only what is new.
    fn parse_again(&self, scan: &StoredScan, bytes: &[u8], keys: Keys, buffer: Vec<u8>) -> Result<Parsed, Error> {
        ingest::read(bytes, &Limits::NONE, keys, buffer).map_err(|bad| {
            self.store.damaged(format!("the document of scan `{}` can't be read again: {bad}", scan.record.scan_id))
        })
    }

    /// The facts of the snapshot, if it is whole and its scans are the first of those that are stored.
    fn read_snapshot(&mut self) -> Result<Option<Facts>, Error> {
        let Some(head) = self.store.snapshot()? else { return Ok(None) };
        let Ok(facts) = snapshot::read(self.store.stream(head.stream)) else { return Ok(None) };
        let first = self.scans.get(..facts.scans.len()).unwrap_or_default();
        if !facts.scans.iter().map(|scan| scan.seq).eq(first.iter().map(|scan| scan.seq)) {
            return Ok(None);
        }
        self.in_snapshot = head.document_bytes;
        Ok(Some(facts))
    }

    /// The changes that people had looked at by a moment, by node.
    ///
    /// # Errors
    ///
    /// When the store can't be read.
    pub fn acknowledgements(&self, until: Moment) -> Result<Vec<Acknowledgement>, Error> {
        let rows = self.store.latest_triage(CHANGE_SUBJECT, until)?;
        let parts = |row: &TriageRow<'_>| {
            let parts = serde_json::from_str::<(String, String, String, Moment, String)>(&row.subject);
            let (_, node, property, time, scan_id) = parts.ok()?;
            Some(Acknowledgement { node, property, time, scan_id })
        };
        Ok(rows.iter().filter(|row| row.status == ACKNOWLEDGED).filter_map(parts).collect())
    }

    /// What people had acknowledged at a point: a look back shows what was open then.
    fn acknowledged(&self, point: &Point) -> Result<Acknowledged, Error> {
        let mut acknowledged = Acknowledged::default();
        for Acknowledgement { node, property, time, scan_id } in self.acknowledgements(self.moment_of(point)?)? {
            acknowledged.insert(node, property, time, scan_id);
        }
        Ok(acknowledged)
    }
}

fn positions(scans: &[StoredScan]) -> HashMap<String, usize> {
    scans.iter().enumerate().map(|(position, scan)| (scan.record.scan_id.clone(), position)).collect()
}

fn change_subject(change: &Change) -> String {
    serde_json::json!(["change", change.id, change.property, change.time, change.scan_id]).to_string()
}

/// Compresses a document and gives its hash.
fn pack(bytes: &[u8], compressed: &mut Vec<u8>) -> std::io::Result<String> {
    compressed.clear();
    // Reserved is not used: only the pages that are written to become memory.
    compressed.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
    zstd::bulk::Compressor::new(LEVEL)?.compress_to_buffer(bytes, compressed)?;
    Ok(hash::content(bytes))
}

/// What is recorded of a document, and the warnings that go with it.
pub(crate) fn describe(parsed: &Parsed, sha256: String, bytes: u64, now: Moment) -> (ScanRecord, Vec<Warning>) {
    let head = &parsed.head;
    let mut warnings = parsed.warnings.clone().into_list();
    let given = Moment::parse(&head.timestamp);
    let time = given.filter(|time| *time <= now).unwrap_or(now);
    if given != Some(time) {
        let reason = if given.is_some() { "lies in the future" } else { "is not an RFC 3339 time" };
        let message = format!("`{}` {reason}; the time of ingest stands for it", head.timestamp.escape_debug());
        let places = vec![Problem { path: "meta.timestamp".to_owned(), message }];
        warnings.insert(0, Warning { code: WarningCode::TimestampReplaced, total: 1, places });
    }
    let record = ScanRecord {
        scan_id: head.scan_id.clone(),
        collector: head.collector,
        collector_version: head.collector_version.clone(),
        origin: head.origin.clone(),
        time,
        timestamp: head.timestamp.clone(),
        ingested: now,
        nodes: parsed.nodes.len() as u64,
        edges: parsed.edges.len() as u64,
        warnings: warnings.iter().map(|warning| warning.total as u64).sum(),
        sha256,
        bytes,
    };
    (record, warnings)
}
