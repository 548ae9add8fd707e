//! The rows of the tables that a path fits, by how particular they are.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::config::{Belongs, CLIENTS, Client, File, Hit};
use crate::instructions::{INSTRUCTIONS, Row};
use crate::place::Template;

/// A row of either table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Entry {
    Config(Hit),
    Instructions(&'static Row),
}

/// Every row with its template.
pub(super) fn all() -> impl Iterator<Item = (Template<'static>, Entry)> {
    let files = CLIENTS.iter().flat_map(|client| client.files.iter().map(move |file| (client, file)));
    let configs =
        files.filter_map(|(client, file)| Some((Template::parse(file.at)?, Entry::Config(Hit { client, file }))));
    let rows = INSTRUCTIONS.iter().filter_map(|row| Some((Template::parse(row.at)?, Entry::Instructions(row))));
    configs.chain(rows)
}

/// How particular a pattern is: the one with more parts, then with more letters, says more about a file.
pub(super) fn particularity(pattern: &str) -> (usize, usize) {
    let parts = pattern.split('/').filter(|part| *part != "**").count();
    (parts, pattern.bytes().filter(|byte| !b"*?{},".contains(byte)).count())
}

/// Rows by the ends of paths, for files whose place says nothing of whose they are.
pub(super) struct ByEnd {
    set: GlobSet,
    rows: Vec<(&'static str, Entry)>,
}

/// What the end of a path says.
#[derive(Debug, Default)]
pub(super) struct Ending {
    pub(super) hits: Vec<((usize, usize), Hit)>,
    pub(super) row: Option<&'static Row>,
    /// The folder that the most particular pattern is relative to.
    pub(super) project: Option<PathBuf>,
}

impl ByEnd {
    /// The rows of the tables. To compile their patterns takes longer than most scans, so it is done once.
    pub(super) fn rows() -> &'static Self {
        static ROWS: LazyLock<ByEnd> = LazyLock::new(ByEnd::new);
        &ROWS
    }

    fn new() -> Self {
        let mut builder = GlobSetBuilder::new();
        let mut rows = Vec::new();
        for (template, entry) in all() {
            let Some(pattern) = end(&template) else { continue };
            if let Ok(glob) = GlobBuilder::new(&pattern).literal_separator(true).build() {
                builder.add(glob);
                rows.push((template.rest, entry));
            }
        }
        // INVARIANT: a test holds that all patterns compile; without them nothing is found, which it also notices.
        Self { set: builder.build().unwrap_or_default(), rows }
    }

    pub(super) fn patterns() -> Vec<&'static str> {
        let wanted = all().filter(|(template, _)| end(template).is_some());
        wanted.map(|(template, _)| template.rest).collect()
    }

    pub(super) fn of(&self, path: &Path) -> Ending {
        let mut ending = Ending::default();
        let mut best = (0, 0);
        for (rest, entry) in self.set.matches(path).into_iter().filter_map(|index| self.rows.get(index)) {
            let weight = particularity(rest);
            if weight > best {
                best = weight;
                ending.project = project(path, rest);
            }
            match entry {
                Entry::Config(hit) => ending.hits.push((weight, *hit)),
                // Of the rows for one file the first is the narrowest.
                Entry::Instructions(row) => ending.row = ending.row.or(Some(row)),
            }
        }
        ending
    }
}

/// The pattern that the end of a path must fit. A place in a home that is a plain name says too little.
fn end(template: &Template<'_>) -> Option<String> {
    let rest = template.rest;
    let is_telling = template.is_project() || rest.contains('/') || rest.starts_with('.');
    is_telling.then(|| format!("**/{rest}"))
}

/// The folder that a pattern is relative to, going up from the file by its parts.
fn project(path: &Path, rest: &str) -> Option<PathBuf> {
    if rest.contains("**") {
        let first = rest.split('/').next()?;
        let folder = path.ancestors().filter(|folder| folder.file_name().is_some_and(|name| name == first)).last()?;
        return folder.parent().map(Path::to_owned);
    }
    path.ancestors().nth(rest.split('/').count()).map(Path::to_owned)
}

/// Where servers may stand in a file of which nothing is known.
const ANYWHERE: &[&str] = &[
    "mcpServers",
    "servers",
    "mcp.servers",
    "mcp_servers",
    "mcp-servers",
    "context_servers",
    "mcp",
    "projects.*.mcpServers",
    "amp.mcpServers",
    "augment.advanced.mcpServers",
    "experimental.modelContextProtocolServers",
    "managedMcpServers",
    "powers.mcpServers",
    "settings.mcp.servers",
    "customizations.vscode.mcp.servers",
    "extensions",
    "",
];

/// The row for a file that was given and that no other row fits.
pub(super) static GIVEN: Client = Client {
    name: "generic",
    title: "Any MCP configuration",
    source: "all containers of the other rows",
    files: &[File { at: "./*", servers: ANYWHERE, belongs: Belongs::Shared }],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_telling_pattern_is_compiled() {
        let rows = ByEnd::rows();
        assert_eq!(rows.rows.len(), ByEnd::patterns().len());
        assert_eq!(rows.set.len(), rows.rows.len());
    }

    #[test]
    fn the_end_of_a_path_tells_whose_it_is() {
        for (path, clients, row, project) in [
            ("/a/b/.cursor/mcp.json", "cursor generic", "", "/a/b"),
            ("/a/.cursor/rules/b/c.mdc", "", "rule", "/a"),
            ("/a/.clinerules-x", "", "clinerules", "/a"),
            // A star is a name, not a way.
            ("/a/.clinerules-x/b.txt", "", "", ""),
            ("/a/b.txt", "", "", ""),
        ] {
            let ending = ByEnd::rows().of(Path::new(path));
            let mut names: Vec<&str> = ending.hits.iter().map(|(_, hit)| hit.client.name).collect();
            names.dedup();
            let project_found = ending.project.unwrap_or_default();
            let found = (names.join(" "), ending.row.map_or("", |row| row.r#type), project_found.to_str().unwrap());
            assert_eq!(found, (clients.to_owned(), row, project), "{path}");
        }
    }
}
