//! The page of agent clients: where each keeps its configuration, and which instruction files it loads.

use tracehound_collect::config::{CLIENTS, Client};
use tracehound_collect::instructions::INSTRUCTIONS;

use super::markdown::{code, table};

const HEAD: &str = "# Agent clients

The clients that `tracehound scan` knows, and the files that agents take instructions from. This page is made from the
tables in `crates/collect/src/config/clients.rs` and `crates/collect/src/instructions/table.rs` by `cargo xtask generate`.

A place begins with what it is relative to: `~/` is the home of each user, `./` a project and every folder below it,
`{config}` the system's folder for configuration (`~/.config`, `~/Library/Application Support`, `%APPDATA%`), `{xdg}` the
folder `~/.config` on every system, `{local}` `%LOCALAPPDATA%`, `{editor}` the `User` folder of VS Code and of each editor made
from it, `{NAME|~/folder}` a folder that an environment variable moves. `linux:`, `macos:` and `windows:` limit a place to
one system.
";

pub(super) fn page() -> String {
    let clients: Vec<String> = CLIENTS.iter().map(client).collect();
    let rows = INSTRUCTIONS.iter().map(|row| [code(row.at), row.r#type.to_owned(), row.clients.join(", ")]);
    format!(
        "{HEAD}\n## Configurations\n\n{}\n## Instruction files\n\n{}",
        clients.concat(),
        table(["Place", "Type", "Loaded by"], rows)
    )
}

fn client(client: &Client) -> String {
    let rows = client.files.iter().map(|file| {
        let servers: Vec<String> = file
            .servers
            .iter()
            .map(|place| if place.is_empty() { "the whole file".to_owned() } else { code(place) })
            .collect();
        [code(file.at), servers.join(", ")]
    });
    let title = format!("### {} (`{}`)\n\n", client.title, client.name);
    format!("{title}Known from: {}.\n\n{}\n", client.source, table(["Place", "Servers at"], rows))
}
