//! The files of the console: within the program in a release build, on disk in a debug build, so that tests need no Node.

use bytes::Bytes;

/// A file of the console.
#[derive(Debug, Clone)]
pub(super) struct Asset {
    /// What it is.
    pub(super) media: &'static str,
    /// The file.
    pub(super) content: Bytes,
    /// The same, compressed with gzip; none where that gains nothing.
    pub(super) compressed: Option<Bytes>,
}

/// A file by its path below `/console/`.
pub(super) fn find(path: &str) -> Option<Asset> {
    within::find(path)
}

/// What a file is, by the end of its name.
fn media(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map" | "webmanifest") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(embedded_console)]
mod within {
    use super::{Asset, Bytes, media};

    // `FILES`: path, content, compressed; in the order of the paths. Made by `build.rs`.
    include!(concat!(env!("OUT_DIR"), "/console.rs"));

    pub(super) fn find(path: &str) -> Option<Asset> {
        let at = FILES.binary_search_by_key(&path, |(path, _, _)| *path).ok()?;
        let (path, content, compressed) = FILES.get(at)?;
        let compressed = compressed.map(Bytes::from_static);
        Some(Asset { media: media(path), content: Bytes::from_static(content), compressed })
    }
}

#[cfg(not(embedded_console))]
mod within {
    use std::path::{Component, Path, PathBuf};

    use super::{Asset, media};

    /// Where the build of the console lies; only a debug build looks there.
    const PLACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/dist");
    /// Whoever works on the console in another place says so with this variable.
    const ELSEWHERE: &str = "TRACEHOUND_CONSOLE_DIST";

    pub(super) fn find(path: &str) -> Option<Asset> {
        let is_debug = cfg!(debug_assertions);
        let is_below = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if !is_debug || !is_below {
            return None;
        }
        let place = std::env::var_os(ELSEWHERE).map_or_else(|| PathBuf::from(PLACE), PathBuf::from);
        let content = std::fs::read(place.join(path)).ok()?;
        Some(Asset { media: media(path), content: content.into(), compressed: None })
    }
}
