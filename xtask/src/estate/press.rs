//! Cuts an estate into documents below a size.

use anyhow::{Result, ensure};

use super::document::Document;
use super::{Shape, Summary};

/// Collects machines into documents and hands out each as soon as the next machine doesn't fit.
pub(super) struct Press<S> {
    seed: u64,
    limit: usize,
    sink: S,
    document: Document,
}

impl<S: FnMut(Vec<u8>) -> Result<()>> Press<S> {
    /// Documents of this shape go to this sink.
    pub(super) fn new(shape: &Shape, sink: S) -> Self {
        let document = Document::new(shape.seed, 0, Summary::default());
        Self { seed: shape.seed, limit: shape.max_document_bytes, sink, document }
    }

    /// Adds what `write` writes to the document at hand or, when it doesn't fit, to the next one.
    pub(super) fn add(&mut self, write: impl Fn(&mut Document) -> Result<()>) -> Result<()> {
        let mark = self.document.mark();
        write(&mut self.document)?;
        if self.fits() {
            return Ok(());
        }
        // Edges name their document's scan, so they are written again and not moved.
        self.document.take_back(mark);
        if !self.document.is_empty() {
            self.hand_out()?;
        }
        write(&mut self.document)?;
        ensure!(
            self.fits(),
            "a single machine takes {} bytes, which is more than a document of {} may have",
            self.document.size(),
            self.limit
        );
        Ok(())
    }

    /// Hands out what is left.
    pub(super) fn finish(mut self) -> Result<Summary> {
        self.hand_out()
    }

    fn fits(&self) -> bool {
        self.document.size() < self.limit
    }

    fn hand_out(&mut self) -> Result<Summary> {
        let empty = Document::new(self.seed, 0, Summary::default());
        let (bytes, made) = std::mem::replace(&mut self.document, empty).finish()?;
        (self.sink)(bytes)?;
        self.document = Document::new(self.seed, made.documents, made.clone());
        Ok(made)
    }
}
