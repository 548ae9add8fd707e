//! Snapshots: the facts as a stream of bytes, so that starting up does not read every document again.
//!
//! A snapshot holds nothing that the documents don't. Its layout is that of the columns, little-endian, compressed
//! with a checksum; one that can't be read is thrown away and made again from the documents.

use std::io::{self, Read, Write};

use tracehound_model::{Collector, EdgeKind};

use crate::facts::{Column, CoveredFor, EdgeTable, Facts, Histories, Look, Scan};
use crate::pool::Spot;

/// The version of the layout. A snapshot of another version is not read.
pub(crate) const FORMAT: i64 = 1;
/// Speed matters more than size: the documents are the archive.
const LEVEL: i32 = 1;
/// The end, to tell a whole snapshot from one that happens to decompress.
const END: u32 = 0x00e4_d0e4;
/// Where the codes of edge kinds begin, behind those of collectors.
const LISTED: u32 = 100;
/// The most room that is made on the word of a snapshot whose checksum is still to come.
const TRUSTED: usize = 32 << 20;
/// How many numbers are converted at once.
const BLOCK: usize = 16 << 10;

/// Writes the facts.
pub(crate) fn write(facts: &Facts, out: impl Write) -> io::Result<()> {
    let mut encoder = zstd::Encoder::new(out, LEVEL)?;
    encoder.include_checksum(true)?;
    let mut writer = Writer(encoder);
    writer.texts(facts.keys.names())?;
    writer.number(facts.pool.chunks().len())?;
    for chunk in facts.pool.chunks() {
        writer.bytes(chunk)?;
    }
    let histories = facts.histories.rows();
    writer.number(histories.len())?;
    writer.words(histories.iter().flat_map(|row| [row.before, row.scan]))?;
    writer.number(facts.scans.len())?;
    for scan in &facts.scans {
        writer.scan(scan)?;
    }
    writer.number(facts.ids.len())?;
    writer.longs((0..facts.ids.len() as u32).map(|node| facts.ids.spot(node).0))?;
    writer.column(&facts.nodes)?;
    for table in &facts.edges {
        writer.number(table.ends().len())?;
        writer.words(table.ends().iter().flat_map(|(source, target)| [*source, *target]))?;
        writer.column(&table.seen)?;
    }
    writer.words([END])?;
    writer.0.finish()?.flush()
}

struct Writer<W: Write>(W);

impl<W: Write> Writer<W> {
    fn number(&mut self, number: usize) -> io::Result<()> {
        self.0.write_all(&(number as u64).to_le_bytes())
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.number(bytes.len())?;
        self.0.write_all(bytes)
    }

    fn texts<'a>(&mut self, texts: impl ExactSizeIterator<Item = &'a str>) -> io::Result<()> {
        self.number(texts.len())?;
        for text in texts {
            self.bytes(text.as_bytes())?;
        }
        Ok(())
    }

    fn words(&mut self, words: impl IntoIterator<Item = u32>) -> io::Result<()> {
        self.blocks(words.into_iter().map(u32::to_le_bytes))
    }

    fn longs(&mut self, longs: impl IntoIterator<Item = u64>) -> io::Result<()> {
        self.blocks(longs.into_iter().map(u64::to_le_bytes))
    }

    fn blocks<const N: usize>(&mut self, items: impl Iterator<Item = [u8; N]>) -> io::Result<()> {
        let mut block = Vec::with_capacity(BLOCK * N);
        for item in items {
            block.extend_from_slice(&item);
            if block.len() >= BLOCK * N {
                self.0.write_all(&block)?;
                block.clear();
            }
        }
        self.0.write_all(&block)
    }

    fn scan(&mut self, scan: &Scan) -> io::Result<()> {
        self.longs([scan.seq.cast_unsigned()])?;
        self.bytes(&serde_json::to_vec(&scan.record)?)?;
        self.number(scan.nodes.len())?;
        self.words(scan.nodes.iter().map(|(node, _)| *node))?;
        let code = |covered_for: &CoveredFor| match covered_for {
            CoveredFor::ItsKind => u32::MAX,
            CoveredFor::Listed(kind) => LISTED + *kind as u32,
            CoveredFor::Collector(collector) => *collector as u32,
        };
        self.words(scan.nodes.iter().map(|(_, covered_for)| code(covered_for)))?;
        self.texts(scan.ports.iter().map(String::as_str))?;
        self.words([u32::from(scan.says_covered)])
    }

    fn column(&mut self, column: &Column) -> io::Result<()> {
        let facts = || 0..column.len() as u32;
        self.number(column.len())?;
        self.words(facts().map(|fact| column.history(fact)))?;
        self.longs(facts().map(|fact| column.blob(fact).0))?;
        let changed = column.changed();
        self.number(changed.len())?;
        for (fact, looks) in changed {
            self.words([fact, looks.len() as u32])?;
            self.words(looks.iter().map(|look| look.since))?;
            self.longs(looks.iter().map(|look| look.blob.0))?;
        }
        Ok(())
    }
}

/// Reads facts back. Any failure means that the snapshot is of no use.
pub(crate) fn read(input: impl Read) -> io::Result<Facts> {
    let mut reader = Reader(zstd::Decoder::new(input)?);
    let mut facts = Facts::default();
    for name in reader.texts()? {
        facts.keys.intern(&name);
    }
    for _ in 0..reader.number()? {
        let chunk = reader.bytes()?;
        facts.pool.adopt(chunk);
    }
    facts.histories = reader.histories()?;
    for _ in 0..reader.number()? {
        let scan = reader.scan()?;
        facts.scans.push(scan);
    }
    let ids = reader.number()?;
    facts.ids.reserve(ids.min(TRUSTED));
    reader.longs(ids, |spot| {
        facts.ids.restore(&facts.pool, Spot(spot));
    })?;
    facts.nodes = reader.column()?;
    for table in &mut facts.edges {
        reader.edges(table)?;
    }
    let mut end = 0;
    reader.words(1, |word| end = word)?;
    // The checksum is looked at only when the stream is read to its end.
    if end != END || reader.0.read(&mut [0])? != 0 {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(facts)
}

struct Reader<R: Read>(R);

impl<R: Read> Reader<R> {
    fn number(&mut self) -> io::Result<usize> {
        let mut bytes = [0; 8];
        self.0.read_exact(&mut bytes)?;
        usize::try_from(u64::from_le_bytes(bytes)).map_err(|_| io::ErrorKind::InvalidData.into())
    }

    fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let length = self.number()?;
        let mut bytes = Vec::new();
        // Reading in bounded steps, a length that lies costs nothing.
        self.0.by_ref().take(length as u64).read_to_end(&mut bytes)?;
        if bytes.len() == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    fn text(&mut self) -> io::Result<String> {
        String::from_utf8(self.bytes()?).map_err(|_| io::ErrorKind::InvalidData.into())
    }

    fn texts(&mut self) -> io::Result<Vec<String>> {
        (0..self.number()?).map(|_| self.text()).collect()
    }

    fn words(&mut self, count: usize, take: impl FnMut(u32)) -> io::Result<()> {
        self.blocks(count, u32::from_le_bytes, take)
    }

    fn longs(&mut self, count: usize, take: impl FnMut(u64)) -> io::Result<()> {
        self.blocks(count, u64::from_le_bytes, take)
    }

    fn blocks<const N: usize, T>(
        &mut self,
        mut count: usize,
        convert: impl Fn([u8; N]) -> T,
        mut take: impl FnMut(T),
    ) -> io::Result<()> {
        let mut block = vec![0; BLOCK.min(count) * N];
        while count > 0 {
            let now = count.min(BLOCK);
            block.truncate(now * N);
            self.0.read_exact(&mut block)?;
            let (items, _) = block.as_chunks::<N>();
            items.iter().for_each(|item| take(convert(*item)));
            count -= now;
        }
        Ok(())
    }

    fn histories(&mut self) -> io::Result<Histories> {
        let mut histories = Histories::default();
        let count = self.number()?;
        let mut before = None;
        self.words(count.saturating_mul(2), |word| match before.take() {
            None => before = Some(word),
            Some(before) => drop(histories.then(before, word)),
        })?;
        Ok(histories)
    }

    fn scan(&mut self) -> io::Result<Scan> {
        let mut seq = 0;
        self.longs(1, |long| seq = long.cast_signed())?;
        let record = serde_json::from_slice(&self.bytes()?)?;
        let covered = self.number()?;
        let mut nodes = Vec::new();
        self.words(covered, |node| nodes.push(node))?;
        let mut whose = Vec::new();
        self.words(covered, |code| {
            let collector = Collector::ALL.get(code as usize).map(|collector| CoveredFor::Collector(*collector));
            let kind = code.checked_sub(LISTED).and_then(|kind| EdgeKind::ALL.get(kind as usize));
            whose.push(collector.or(kind.map(|kind| CoveredFor::Listed(*kind))).unwrap_or(CoveredFor::ItsKind));
        })?;
        let ports = self.texts()?;
        let mut says_covered = false;
        self.words(1, |word| says_covered = word != 0)?;
        Ok(Scan { seq, record, nodes: nodes.into_iter().zip(whose).collect(), ports, says_covered })
    }

    fn column(&mut self) -> io::Result<Column> {
        let count = self.number()?;
        let mut histories = Vec::new();
        self.words(count, |history| histories.push(history))?;
        let mut column = Column::default();
        let mut next = histories.iter();
        self.longs(count, |spot| column.restore(next.next().copied().unwrap_or(0), Spot(spot)))?;
        for _ in 0..self.number()? {
            let mut head = Vec::new();
            self.words(2, |word| head.push(word))?;
            let [fact, count] = head[..] else { return Err(io::ErrorKind::InvalidData.into()) };
            let mut since = Vec::new();
            self.words(count as usize, |scan| since.push(scan))?;
            let mut looks = Vec::new();
            let mut next = since.iter();
            self.longs(count as usize, |spot| {
                looks.push(Look { since: next.next().copied().unwrap_or(0), blob: Spot(spot) });
            })?;
            column.restore_looks(fact, looks);
        }
        Ok(column)
    }

    fn edges(&mut self, table: &mut EdgeTable) -> io::Result<()> {
        let count = self.number()?;
        table.reserve(count.min(TRUSTED));
        let mut source = None;
        self.words(count.saturating_mul(2), |word| match source.take() {
            None => source = Some(word),
            Some(source) => table.restore((source, word)),
        })?;
        table.seen = self.column()?;
        Ok(())
    }
}
