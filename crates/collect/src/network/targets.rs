//! What a user names to be scanned, or to be left out: addresses, ranges, names, URLs and files of these.
//!
//! Words become ranges and names here and nothing is looked up. Every word that can't be read is told, with the file and
//! line it stands in, so that a list of a thousand is mended once.

mod word;

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::net::IpAddr;

use super::span::{Span, Spans};
use word::{Word, shown};

/// Longest file of targets, in bytes.
const FILE: usize = 16 << 20;
/// Longest line of such a file, in bytes.
const LINE: usize = 4096;
/// Most targets, from files and words together.
const TARGETS: usize = 1 << 18;
/// Most problems and notes that are told; the rest is counted.
const TOLD: usize = 50;

/// What a URL says about how to speak to a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scheme {
    /// Plain HTTP.
    Http,
    /// HTTP over TLS.
    Https,
}

impl Scheme {
    /// As it stands in a URL.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

/// One port of one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Site {
    pub(super) ip: IpAddr,
    pub(super) port: u16,
    pub(super) scheme: Option<Scheme>,
}

/// A name, whose addresses are yet to be found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Named {
    /// In lower case, as names are compared.
    pub(super) name: String,
    /// The only port that is meant.
    pub(super) port: Option<u16>,
    pub(super) scheme: Option<Scheme>,
}

/// Targets, read and merged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Targets {
    /// Addresses without a port of their own.
    pub(super) spans: Spans,
    pub(super) sites: BTreeSet<Site>,
    pub(super) names: BTreeSet<Named>,
    notes: Vec<String>,
}

/// A word that names no target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadTarget {
    /// The file and the line in which it stands, if it stands in a file.
    pub place: Option<(String, usize)>,
    /// The word, without what may be secret in it; empty if there is none.
    pub word: String,
    /// What is wrong with it.
    pub what: String,
}

/// Words that name no targets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BadTargets {
    /// The first of them.
    pub problems: Vec<BadTarget>,
    /// How many there are besides.
    pub more: usize,
}

impl Targets {
    /// Reads words; `open` gives the content of a file that one of them names.
    ///
    /// # Errors
    ///
    /// When a word, or a line of a file, is no target.
    pub fn read<'w>(
        words: impl IntoIterator<Item = &'w str>,
        open: impl FnMut(&str) -> io::Result<Vec<u8>>,
    ) -> Result<Self, BadTargets> {
        let mut reader =
            Reader { open, spans: Vec::new(), targets: Self::default(), bad: BadTargets::default(), count: 0 };
        for word in words {
            reader.argument(word);
        }
        if !reader.bad.problems.is_empty() {
            return Err(reader.bad);
        }
        reader.targets.spans = reader.spans.into_iter().collect();
        Ok(reader.targets)
    }

    /// What was left out of what was named, for people.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether nothing was named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty() && self.sites.is_empty() && self.names.is_empty()
    }
}

/// The content of a file of targets, no more of it than is ever accepted.
///
/// # Errors
///
/// When the file can't be read or is too long.
pub fn read_list(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

struct Reader<F> {
    open: F,
    spans: Vec<Span>,
    targets: Targets,
    bad: BadTargets,
    count: usize,
}

/// A line of a file, for problems.
type Line<'l> = Option<(&'l str, usize)>;

impl<F: FnMut(&str) -> io::Result<Vec<u8>>> Reader<F> {
    /// One argument: a file as a whole, or a list.
    fn argument(&mut self, argument: &str) {
        match argument.strip_prefix('@') {
            Some(path) => self.file(path),
            None => self.list(argument, None),
        }
    }

    fn file(&mut self, path: &str) {
        let whole = |what: String| BadTarget { place: None, word: shown(&format!("@{path}")), what };
        let bytes = match (self.open)(path) {
            Ok(bytes) if bytes.len() > FILE => return self.bad.add(whole(format!("is longer than {FILE} bytes"))),
            Ok(bytes) => bytes,
            Err(error) => return self.bad.add(whole(format!("can't be read: {error}"))),
        };
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let before = self.count;
        for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let place = Some((path, at + 1));
            let problem =
                |what: String| BadTarget { place: Some((path.to_owned(), at + 1)), word: String::new(), what };
            if line.len() > LINE {
                self.bad.add(problem(format!("the line is longer than {LINE} bytes")));
                continue;
            }
            let Ok(line) = str::from_utf8(line).map(str::trim) else {
                self.bad.add(problem("the line is not UTF-8".to_owned()));
                continue;
            };
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            self.list(line, place);
            if self.count > TARGETS {
                return;
            }
        }
        if self.count == before {
            self.bad.add(whole("holds no targets".to_owned()));
        }
    }

    /// Words between commas.
    fn list(&mut self, list: &str, place: Line<'_>) {
        let is_alone = !list.contains(',');
        for word in list.split(',').map(str::trim) {
            self.count += 1;
            let what = match word.strip_prefix('@') {
                _ if self.count > TARGETS => Err(format!("comes after {TARGETS} others, and there may be no more")),
                Some(_) if place.is_some() => Err("names a file, and files name no further files".to_owned()),
                Some(path) => {
                    self.file(path);
                    continue;
                }
                None => self.word(word, is_alone),
            };
            if let Err(what) = what {
                let place = place.map(|(file, line)| (file.to_owned(), line));
                self.bad.add(BadTarget { place, word: shown(word), what });
            }
            if self.count > TARGETS {
                return;
            }
        }
    }

    fn word(&mut self, word: &str, is_alone: bool) -> Result<(), String> {
        let Word { host, port, scheme, dropped } = word::read(word)?;
        if dropped && !is_alone {
            // What follows a comma in a path would be taken for the next target.
            return Err("has a path, which a list with commas can't hold".to_owned());
        }
        match (host, port) {
            (word::Host::Span(span), None) => self.spans.push(span),
            (word::Host::Span(span), Some(port)) => {
                self.targets.sites.insert(Site { ip: span.first(), port, scheme });
            }
            (word::Host::Name(name), port) => {
                self.targets.names.insert(Named { name, port, scheme });
            }
        }
        if dropped && self.targets.notes.len() < TOLD {
            let note = format!("`{}`: services are scanned, so what follows the host is left out", shown(word));
            self.targets.notes.push(note);
        }
        Ok(())
    }
}

impl BadTargets {
    fn add(&mut self, problem: BadTarget) {
        match self.problems.len() < TOLD {
            true => self.problems.push(problem),
            false => self.more += 1,
        }
    }
}

impl fmt::Display for BadTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line)) = &self.place {
            write!(f, "{file}:{line}: ")?;
        }
        match self.word.is_empty() && self.place.is_some() {
            true => f.write_str(&self.what),
            false => write!(f, "`{}` {}", self.word, self.what),
        }
    }
}

impl fmt::Display for BadTargets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            let newline = if at == 0 { "" } else { "\n" };
            write!(f, "{newline}{problem}")?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for BadTargets {}

#[cfg(test)]
mod tests;
