//! How packages are named with their version, in each registry's own notation.

/// Where packages come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Registry {
    Npm,
    Pypi,
    /// Container images.
    Oci,
    /// A repository.
    Git,
    Jsr,
    Go,
    Nuget,
    /// A script at a URL.
    Url,
}

impl Registry {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pypi => "pypi",
            Self::Oci => "oci",
            Self::Git => "git",
            Self::Jsr => "jsr",
            Self::Go => "go",
            Self::Nuget => "nuget",
            Self::Url => "url",
        }
    }
}

/// A package as a command names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) registry: Registry,
    pub(crate) name: String,
    /// The version, tag, range or digest, as written.
    pub(crate) version: Option<String>,
    /// Whether the same command always runs the same code.
    pub(crate) is_pinned: bool,
}

impl Package {
    fn new(registry: Registry, name: &str, version: Option<&str>, is_pinned: bool) -> Self {
        Self { registry, name: name.to_owned(), version: version.map(str::to_owned), is_pinned }
    }

    /// `name`, `@scope/name`, with `@version`; a place in a repository; `None` for a path on the machine.
    pub(super) fn npm(spec: &str) -> Option<Self> {
        let spec = spec.strip_prefix("npm:").unwrap_or(spec);
        if is_path(spec) || spec.starts_with("file:") || spec.starts_with("link:") {
            return None;
        }
        if spec.contains("://") || spec.starts_with("git@") {
            return Some(Self::git(spec));
        }
        if let Some(place) = ["github:", "gitlab:", "bitbucket:"].iter().find_map(|host| spec.strip_prefix(host)) {
            return Some(Self::git(place));
        }
        if !spec.starts_with('@') && spec.contains('/') {
            // `owner/repository` is short for a repository.
            return Some(Self::git(spec));
        }
        let name_start = if spec.starts_with('@') { spec.find('/')? } else { 0 };
        let at = spec.get(name_start..)?.find('@').map(|at| at + name_start);
        let (name, version) = match at {
            Some(at) => (spec.get(..at)?, spec.get(at + 1..)),
            None => (spec, None),
        };
        Some(Self::new(Registry::Npm, name, version, version.is_some_and(is_exact)))
    }

    /// `name`, `name[extra]`, with `==version`, `@version` or a range; a place in a repository; `None` for a path.
    pub(super) fn pypi(spec: &str) -> Option<Self> {
        let spec = spec.trim();
        if let Some((_, place)) = spec.split_once(" @ ") {
            return Self::pypi(place);
        }
        if spec.starts_with("git+") || spec.contains("://") || spec.starts_with("git@") {
            return Some(Self::git(spec));
        }
        if is_path(spec) {
            return None;
        }
        let end = spec.find(['=', '<', '>', '!', '~', '@', ';', ' ']).unwrap_or(spec.len());
        let (name, rest) = (spec.get(..end)?, spec.get(end..)?.trim());
        let name = name.split('[').next().unwrap_or(name);
        let version = rest.strip_prefix("==").or_else(|| rest.strip_prefix('@')).map(str::trim);
        // `==1.2` is that version and no other; only a star makes it a range.
        let is_number =
            |version: &str| version.starts_with(|first: char| first.is_ascii_digit()) && !version.contains('*');
        let is_pinned = version.is_some_and(|version| is_number(version.trim_start_matches('=')));
        let version = version.or(Some(rest)).filter(|version| !version.is_empty());
        Some(Self::new(Registry::Pypi, name, version, is_pinned))
    }

    /// `image`, with `:tag` and `@digest`. A tag can be moved to another image at any time; a digest can't.
    pub(super) fn oci(reference: &str) -> Self {
        let (rest, digest) = match reference.split_once('@') {
            Some((rest, digest)) => (rest, Some(digest)),
            None => (reference, None),
        };
        let name_start = rest.rfind('/').map_or(0, |slash| slash + 1);
        let colon = rest.get(name_start..).and_then(|name| name.find(':')).map(|colon| colon + name_start);
        let (name, tag) = match colon {
            Some(colon) => (rest.get(..colon).unwrap_or(rest), rest.get(colon + 1..)),
            None => (rest, None),
        };
        let is_pinned = digest.is_some_and(|digest| digest.starts_with("sha256:"));
        Self::new(Registry::Oci, name, digest.or(tag), is_pinned)
    }

    /// A repository with `@revision` or `#revision`; only a commit stays what it is.
    pub(super) fn git(spec: &str) -> Self {
        let spec = spec.strip_prefix("git+").unwrap_or(spec);
        let path_start = spec.find("://").map_or(0, |scheme| scheme + 3);
        let host_end =
            spec.get(path_start..).and_then(|rest| rest.find('/')).map_or(path_start, |end| end + path_start);
        let mark = spec.get(host_end..).and_then(|path| path.find(['#', '@'])).map(|mark| mark + host_end);
        let (name, revision) = match mark {
            Some(mark) => (spec.get(..mark).unwrap_or(spec), spec.get(mark + 1..)),
            None => (spec, None),
        };
        let revision = revision.map(|revision| revision.split('#').next().unwrap_or(revision));
        let is_commit = |revision: &str| {
            (7..=64).contains(&revision.len()) && revision.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        Self::new(Registry::Git, name, revision, revision.is_some_and(is_commit))
    }

    /// `name@version`, as several registries write it.
    pub(super) fn at_version(registry: Registry, spec: &str) -> Self {
        let start = usize::from(spec.starts_with('@'));
        let at = spec.get(start..).and_then(|rest| rest.find('@')).map(|at| at + start);
        let (name, version) = match at {
            Some(at) => (spec.get(..at).unwrap_or(spec), spec.get(at + 1..)),
            None => (spec, None),
        };
        Self::new(registry, name, version, version.is_some_and(is_exact))
    }

    /// A script that is fetched from a URL each time.
    pub(super) fn url(url: &str) -> Self {
        Self::new(Registry::Url, url, None, false)
    }
}

/// Whether a version is one version: numbers, and perhaps what follows them; no tag, no range, no wildcard.
fn is_exact(version: &str) -> bool {
    let version = version.strip_prefix(['v', '=']).unwrap_or(version);
    let numbers = version.split(['-', '+', 'a', 'b', 'r']).next().unwrap_or(version);
    let mut parts = numbers.trim_end_matches('.').split('.');
    let are_numbers = parts.clone().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-+_".contains(&byte);
    // `1` and `1.2` are ranges in most registries.
    are_numbers && parts.nth(2).is_some() && version.bytes().all(is_plain)
}

/// Whether a text is a place on the machine.
pub(super) fn is_path(text: &str) -> bool {
    let has_drive = matches!(text.as_bytes(), [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic());
    let starts = ["/", "./", "../", "~", ".\\", "..\\", "\\\\", "$", "%"].iter().any(|start| text.starts_with(start));
    text == "." || starts || has_drive
}
