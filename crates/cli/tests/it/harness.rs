//! Running the binary in a scrubbed environment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A directory of its own for each test, with a data directory in it.
pub(crate) struct Place {
    folder: TempDir,
}

/// What a run printed and how it ended.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    /// With the sample estate as its data.
    pub(crate) fn with_demo() -> Self {
        let place = Self::new();
        place.ok(&[Path::new("demo"), Path::new("--no-serve"), Path::new("--keep"), &place.data()]);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.path("data")
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// The binary, with this place's data directory and nothing of the tester's own settings.
    pub(crate) fn command<A: AsRef<std::ffi::OsStr>>(&self, arguments: &[A]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracehound"));
        command.env_clear().env("HOME", self.folder.path()).env("TRACEHOUND_DATA", self.data()).env("USER", "tester");
        command.args(arguments).stdin(Stdio::null());
        command
    }

    /// The binary, run by somebody whom permissions bind: they don't bind the superuser, who may run the tests.
    #[cfg(unix)]
    pub(crate) fn command_of_a_plain_user<A: AsRef<std::ffi::OsStr>>(&self, arguments: &[A]) -> Command {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        use std::os::unix::process::CommandExt as _;
        let mut command = self.command(arguments);
        if fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0) {
            // The build directory may be closed to others, so the binary is taken to where they can reach it.
            fs::set_permissions(self.folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
            let copy = self.path("tracehound");
            // A link where that works: a file that was just written may be busy while other tests start programs.
            if !copy.exists() && fs::hard_link(command.get_program(), &copy).is_err() {
                fs::copy(command.get_program(), &copy).unwrap();
            }
            let mut plain = Command::new(copy);
            plain.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
            plain.args(command.get_args()).stdin(Stdio::null()).uid(65_534);
            command = plain;
        }
        command
    }

    pub(crate) fn run<A: AsRef<std::ffi::OsStr>>(&self, arguments: &[A]) -> Ran {
        let Output { status, stdout, stderr } = self.command(arguments).output().unwrap();
        let code = status.code().unwrap_or_else(|| panic!("ended by {status}"));
        Ran { code, out: String::from_utf8(stdout).unwrap(), err: String::from_utf8(stderr).unwrap() }
    }

    /// Runs what has to work.
    pub(crate) fn ok<A: AsRef<std::ffi::OsStr>>(&self, arguments: &[A]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    }

    /// Runs what has to work and answers in JSON.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        all.extend(["--format", "json"]);
        serde_json::from_str(&self.ok(&all)).unwrap()
    }

    pub(crate) fn ingest(&self, document: &Value) {
        let name = format!("{}.json", document["meta"]["scan_id"].as_str().unwrap());
        let file = self.write(&name, document.to_string());
        self.ok(&[Path::new("ingest"), &file]);
    }
}

/// A document of one agent, one server and one tool with the given description hash.
pub(crate) fn document(scan_id: &str, time: &str, description_hash: &str) -> Value {
    json!({
        "meta": {
            "version": 1, "type": "agenthound-ingest", "collector": "scan", "collector_version": "0.1.0",
            "timestamp": time, "scan_id": scan_id
        },
        "graph": {
            "nodes": [
                { "id": "agent", "kinds": ["AgentInstance"], "properties": { "name": "cursor" } },
                { "id": "server", "kinds": ["MCPServer"], "properties": { "name": "files", "auth_method": "none" } },
                { "id": "tool", "kinds": ["MCPTool"],
                  "properties": { "name": "read_file", "description_hash": description_hash } }
            ],
            "edges": [
                { "source": "agent", "target": "server", "kind": "TRUSTS_SERVER", "properties": { "risk_weight": 0.1 } },
                { "source": "server", "target": "tool", "kind": "PROVIDES_TOOL", "properties": null }
            ]
        }
    })
}
