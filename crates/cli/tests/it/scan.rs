//! `tracehound scan`, on trees that stand for machines.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::harness::{Place, Ran};

const CURSOR: &str = r#"{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "files-server@1.2.3", "/srv"] },
    "notes": { "command": "npx", "args": ["-y", "notes-server"], "env": { "NOTES_API_KEY": "pQ7xLm2RvK9sWd4TzB6n" } }
  }
}"#;

fn write(place: &Place, path: &str, content: &str) {
    let path = place.path("root").join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn scan(place: &Place, more: &[&str]) -> Ran {
    let root = place.path("root");
    let mut arguments = vec!["scan", "--root", root.to_str().unwrap(), "--origin", "box"];
    arguments.extend(more);
    place.run(&arguments)
}

fn json(place: &Place, more: &[&str]) -> Value {
    let mut all = more.to_vec();
    all.extend(["--format", "json"]);
    let ran = scan(place, &all);
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err))
}

/// The output without the number of places, which grows with the tables.
fn without_extent(out: &str) -> String {
    let (before, rest) = out.split_once("Looked at ").unwrap();
    let (_, after) = rest.split_once(" places").unwrap();
    format!("{before}Looked at N places{after}")
}

#[test]
fn a_scan_tells_what_it_saw_what_is_wrong_and_what_to_do() {
    let place = Place::new();
    write(&place, "home/ann/.cursor/mcp.json", CURSOR);
    write(&place, "home/ann/.claude/CLAUDE.md", "Write short sentences.\n");
    write(&place, "home/ann/.codex/config.toml", "[mcp_servers.x\n");
    let ran = scan(&place, &["--no-store"]);
    insta::assert_snapshot!(without_extent(&ran.out), @r"
     CLIENT  SERVERS  CONFIGURATION
     codex   0 ?      /home/ann/.codex/config.toml
     cursor  2        /home/ann/.cursor/mcp.json

     TYPE          INSTRUCTIONS
     claude.md     /home/ann/.claude/CLAUDE.md

    Not read, or not understood:
      /home/ann/.codex/config.toml:1:15: not TOML: unclosed table, expected `]`

    high      The secret of `notes` stands in the configuration, as the environment variable `NOTES_API_KEY`  [487fa837]
              at   /home/ann/.cursor/mcp.json:4:92
              fix  Revoke the secret where it was issued, since it has to be taken as known.
    medium    `notes` runs whatever version of `notes-server` is there  [e7e1f92b]
              at   /home/ann/.cursor/mcp.json:4:5
              fix  Name one version: `package@1.2.3` for npm, `package==1.2.3` for PyPI, `image@sha256:...` for images, a commit for repositories.
    `tracehound scan --explain ID` tells everything about one of them.

    1 client, 2 servers, 1 instruction file; findings: 1 high, 1 medium
    Looked at N places in 1 home and in projects, 3 files that were read.
    Nothing was started and nobody was contacted (the kernel was asked to see to it); nothing was stored.
    ");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn findings_as_bad_as_named_are_an_exit_code() {
    let place = Place::new();
    write(&place, "home/ann/.cursor/mcp.json", CURSOR);
    assert_eq!(scan(&place, &["--no-store", "--fail-on", "critical"]).code, 0);
    assert_eq!(scan(&place, &["--no-store", "--fail-on", "high"]).code, 10);
    let ran = scan(&place, &["--fail-on", "terrible"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("it is one of low, medium, high, critical"), "{}", ran.err);
}

#[test]
fn a_machine_without_clients_is_nothing_to_scan() {
    let place = Place::new();
    write(&place, "home/ann/notes.txt", "nothing");
    let ran = scan(&place, &[]);
    assert_eq!(ran.code, 3);
    assert!(ran.out.contains("No agent client was found.") && ran.out.contains("/home/ann"), "{}", ran.out);
    assert!(!place.json(&["scans", "list"]).to_string().contains("scan_id"));
}

#[test]
fn a_given_file_that_cannot_be_read_fails_and_hides_nothing() {
    let place = Place::new();
    write(&place, "good.json", CURSOR);
    let ran = scan(&place, &["--no-store", "--path", "/good.json", "/missing.json"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("/missing.json: there is no such file"), "{}", ran.out);
    assert!(ran.out.contains("2 servers"), "{}", ran.out);
    write(&place, "broken.json", "{\"mcpServers\": oops");
    let ran = scan(&place, &["--no-store", "--path", "/broken.json"]);
    assert!(ran.out.contains("/broken.json:1:16: not JSON"), "{}", ran.out);
    assert_eq!(ran.code, 1, "a gate that can't see does not let pass");
    for arguments in [["--dir", "/no/such"], ["--home", "/no/such"]] {
        let ran = scan(&place, &["--no-store", arguments[0], arguments[1]]);
        assert_eq!(ran.code, 1, "{}", ran.out);
        assert!(ran.out.contains("/no/such: "), "{}", ran.out);
    }
    assert_eq!(scan(&place, &["--no-store", "--path", "/good.json"]).code, 0);
    let nowhere = place.run(&["scan", "--root", "/no/such/root"]);
    assert_eq!(nowhere.code, 1);
    assert!(nowhere.err.contains("cannot read the root `/no/such/root`"), "{}", nowhere.err);
}

#[test]
fn what_went_away_is_retired_by_the_next_scan() {
    let place = Place::new();
    write(&place, "home/ann/.cursor/mcp.json", CURSOR);
    write(
        &place,
        "home/ann/.codeium/windsurf/mcp_config.json",
        r#"{"mcpServers": {"w": {"serverUrl": "https://w.example"}}}"#,
    );
    let first = json(&place, &["--scan-id", "first"]);
    assert_eq!(first["stored"], true);
    fs::remove_file(place.path("root/home/ann/.codeium/windsurf/mcp_config.json")).unwrap();
    json(&place, &["--scan-id", "second"]);
    let diff = place.ok(&["scans", "diff", "first", "second"]);
    assert!(diff.contains("windsurf") && !diff.contains("cursor"), "{diff}");
    let left = place.json(&["graph", "stats"]).to_string();
    assert!(left.contains("ConfigFile"), "{left}");
}

#[test]
fn a_scan_of_one_file_retires_nothing_else() {
    let place = Place::new();
    write(&place, "home/ann/.cursor/mcp.json", CURSOR);
    write(&place, "home/ann/.gemini/settings.json", CURSOR);
    json(&place, &["--scan-id", "first"]);
    fs::remove_file(place.path("root/home/ann/.gemini/settings.json")).unwrap();
    json(&place, &["--scan-id", "second", "--path", "/home/ann/.cursor/mcp.json"]);
    let diff = place.json(&["scans", "diff", "first", "second"]);
    assert!(!diff.to_string().contains("gemini"), "{diff}");
}

#[test]
fn the_document_is_written_whole_and_the_same_each_time() {
    let place = Place::new();
    write(&place, "home/ann/.cursor/mcp.json", CURSOR);
    let out = place.path("scan.json");
    let write_to = |target: &Path| {
        let root = place.path("root");
        let arguments = [
            "scan",
            "--no-store",
            "--origin",
            "box",
            "--scan-id",
            "s",
            "--root",
            root.to_str().unwrap(),
            "--output",
            target.to_str().unwrap(),
        ];
        let ran = place.command(&arguments).env("SOURCE_DATE_EPOCH", "1700000000").output().unwrap();
        assert!(ran.status.success());
        ran.stdout
    };
    write_to(&out);
    let first = fs::read(&out).unwrap();
    let piped = write_to(Path::new("-"));
    assert_eq!(piped.strip_suffix(b"\n").unwrap(), first);
    let document: Value = serde_json::from_slice(&first).unwrap();
    assert_eq!(document["meta"]["timestamp"], "2023-11-14T22:13:20Z");
    assert_eq!(document["meta"]["extra"]["origin"], "box");
    assert_eq!(document["meta"]["extra"]["allowed"], serde_json::json!({ "network": false, "start": false }));
    assert!(!String::from_utf8(first).unwrap().contains("pQ7xLm2RvK9sWd4TzB6n"));
    let checked = place.run(&[Path::new("ingest"), Path::new("--check"), &out]);
    assert_eq!((checked.code, checked.out.lines().count()), (0, 1), "{}", checked.out);
}

#[test]
fn one_finding_is_told_whole() {
    let place = Place::new();
    write(&place, "home/ann/.cursor/mcp.json", CURSOR);
    let found = json(&place, &["--no-store"]);
    let finding = found["findings"].as_array().unwrap().iter().find(|it| it["kind"] == "hardcoded-credential").unwrap();
    let id = finding["fingerprint"].as_str().unwrap();
    let ran = scan(&place, &["--explain", &id[..8]]);
    insta::assert_snapshot!(ran.out, @r"
    high: The secret of `notes` stands in the configuration, as the environment variable `NOTES_API_KEY`

    where      /home/ann/.cursor/mcp.json:4:92
    why        the environment variable `NOTES_API_KEY` of `notes` holds the secret itself (recognised as: Secret announced by its name, Password beside its name)
    means      Whoever reads the file has the secret: other programs of the user, backups, and everybody who is sent the file or sees it in a repository.
    fix        Revoke the secret where it was issued, since it has to be taken as known. Issue another, keep it in a secret store or the environment, and let the configuration refer to it by name.
    about      MCPServer `notes` (sha256:f0bdcf6af743a6a5d424f6ac0130ba090f5cfd2be0b9456e90497bfe7da15f11)
    and        Credential `NOTES_API_KEY` (sha256:8d7d9908a40e9b791e65197b06c55eaa045c1650c247057ec8bc279b7931f7cc)
    kind       hardcoded-credential
    standards  MCP01:2025 Token Mismanagement & Secret Exposure; AML.T0055 Unsecured Credentials
    id         487fa8379476ee47
    ");
    let ran = scan(&place, &["--explain", "ffffffffffff"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("this scan has no finding with the id `ffffffffffff`"), "{}", ran.err);
    assert!(!place.data().exists(), "explaining stores nothing");
}

#[test]
fn names_cannot_play_tricks_on_the_terminal() {
    let place = Place::new();
    write(
        &place,
        "home/ann/.cursor/mcp.json",
        "{\"mcpServers\": {\"\\u001b[2Jx\\u202e\": {\"command\": \"npx\", \"args\": [\"p\"]}, \"y\\n\": {\"host\": 1}}}",
    );
    let ran = scan(&place, &["--no-store"]);
    assert!(!ran.out.contains('\u{1b}') && !ran.out.contains('\u{202e}'), "{:?}", ran.out);
    assert!(ran.out.contains("\\u{1b}[2Jx\\u{202e}"), "{}", ran.out);
    assert!(ran.out.contains("the server `y\\u{a}` has neither a command nor a URL"), "{}", ran.out);
}

#[test]
fn machines_of_a_fleet_stay_apart() {
    let place = Place::new();
    write(&place, "home/ann/.cursor/mcp.json", CURSOR);
    let ids = |origin: &str| {
        let root = place.path("root");
        let out = place.ok(&[
            "scan",
            "--no-store",
            "--fleet",
            "--origin",
            origin,
            "--root",
            root.to_str().unwrap(),
            "--output",
            "-",
        ]);
        let document: Value = serde_json::from_str(&out).unwrap();
        let nodes = document["graph"]["nodes"].as_array().unwrap();
        nodes.iter().map(|node| node["id"].as_str().unwrap().to_owned()).collect::<std::collections::BTreeSet<_>>()
    };
    assert!(ids("one").is_disjoint(&ids("two")));
}

#[cfg(target_os = "linux")]
#[test]
fn the_kernel_holds_a_scan_to_its_promise() {
    let place = Place::new();
    write(&place, "home/ann/.cursor/mcp.json", CURSOR);
    assert_eq!(json(&place, &["--no-store"])["lockdown"], "enforced");
}

#[test]
fn a_source_tree_is_walked() {
    let place = Place::new();
    write(&place, "src/app/.gitignore", ".cursor/\nbuild/\n");
    write(&place, "src/app/.cursor/mcp.json", CURSOR);
    write(&place, "src/app/build/.mcp.json", CURSOR);
    write(&place, "src/app/sub/AGENTS.md", "Run the tests.\n");
    let found = json(&place, &["--no-store", "--dir", "/src"]);
    let files: Vec<&str> =
        found["looked_at"]["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(files, ["/src/app/.cursor/mcp.json", "/src/app/sub/AGENTS.md"]);
}
