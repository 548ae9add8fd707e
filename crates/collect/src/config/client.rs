//! What is known of a client: where it keeps its configuration and where in it the servers stand.

/// A program that runs agents and can be given MCP servers.
#[derive(Debug)]
pub struct Client {
    /// Its name on the wire.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Where the facts of the row were found: documentation or source, by name.
    pub source: &'static str,
    /// The files, the current ones first.
    pub files: &'static [File],
}

/// A file of a client.
///
/// A place begins with one of these:
///
/// | beginning | means |
/// |---|---|
/// | `~/` | the home folder of each user |
/// | `{config}/` | the folder for configuration: `$XDG_CONFIG_HOME` or `~/.config` on Linux, `~/Library/Application Support` on macOS, `%APPDATA%` on Windows |
/// | `{xdg}/` | `$XDG_CONFIG_HOME` or `~/.config`, on every system |
/// | `{local}/` | `%LOCALAPPDATA%`, on Windows alone |
/// | `{editor}/` | the `User` folder of VS Code and of each editor made from it, also on remote hosts |
/// | `{NAME\|~/folder}/` | the folder, and where the environment variable `NAME` moves it |
/// | `./` | the root of a project, and any folder below it |
/// | `/` or `C:/` | a place on the machine |
///
/// `linux:`, `macos:` and `windows:` before it limit it to that system. `*` stands for any name within one folder.
#[derive(Debug)]
pub struct File {
    /// The place.
    pub at: &'static str,
    /// Where in the file servers may stand, as keys joined by dots; each may be one key with dots in it. `*` is any
    /// key. An empty text is the whole file.
    pub servers: &'static [&'static str],
    /// Whose file it is.
    pub belongs: Belongs,
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Belongs {
    /// The client's alone: that it is there means that the client is.
    Own,
    /// Also for other things: it says something of the client only if servers stand in it.
    Shared,
}

/// A file that is the client's alone.
pub(super) const fn own(at: &'static str, servers: &'static [&'static str]) -> File {
    File { at, servers, belongs: Belongs::Own }
}

/// A file that other programs or other settings live in, too.
pub(super) const fn shared(at: &'static str, servers: &'static [&'static str]) -> File {
    File { at, servers, belongs: Belongs::Shared }
}
