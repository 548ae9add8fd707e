//! Scanning a machine: a usual workstation from a cold start, and a large source tree.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::Context as _;
use ignore::{WalkBuilder, WalkState};
use tracehound_analyze::{Analysis, Picture, findings};
use tracehound_collect::Detection;
use tracehound_collect::local::{Request, Root, scan};
use tracehound_graph::{Limits, Moment, graph_of};

use crate::child::{Measured, measure};
use crate::figure::{Figures, say};

/// Rounds of each measurement; the quickest counts, as noise only ever slows.
const ROUNDS: usize = 5;
const MB: f64 = 1e6;

/// A workstation, and trees of two sizes in turns with the plain form of the same work.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let machine = folder.path().join("machine");
    workstation(&machine)?;
    let best = |task: &str, place: &Path| -> anyhow::Result<Measured> {
        let measured = (0..ROUNDS).map(|_| measure(task, &[place])).collect::<anyhow::Result<Vec<_>>>()?;
        measured.into_iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).context("there are rounds")
    };
    let cold = best("scan-machine", &machine)?;
    figures.at_most("30 client files and 10 instruction files, cold", cold.seconds * 1e3, 300.0, " ms");

    let (small, large) = (folder.path().join("small"), folder.path().join("large"));
    tree(&small, 1_000, 20_000)?;
    tree(&large, 10_000, 200_000)?;
    let [mut plain, mut bare, mut named, mut ours, mut few] = [Measured::default(); 5];
    for round in 0..ROUNDS {
        let quickest = |kept: &mut Measured, new: Measured| {
            if round == 0 || new.seconds < kept.seconds {
                *kept = new;
            }
        };
        quickest(&mut plain, measure("walk", &[&large])?);
        quickest(&mut bare, measure("walk-and-parse", &[&large])?);
        quickest(&mut named, measure("scan-files", &[&large])?);
        quickest(&mut ours, measure("scan-tree", &[&large])?);
        quickest(&mut few, measure("scan-tree", &[&small])?);
    }
    say(&format!(
        "  10,000 configurations among 200,000 files: {:.2} s and {} nodes; given by name {:.2} s; the library's walk {:.2} s, \
         with reading and parsing and nothing else {:.2} s",
        ours.seconds, ours.nodes, named.seconds, plain.seconds, bare.seconds
    ));
    let floor = 2.0 * plain.seconds + named.seconds;
    figures.at_most(
        "tree against twice the library's walk and the same files given by name",
        ours.seconds / floor,
        1.0,
        "x",
    );
    figures.at_most("tree: ten times the files", ours.seconds / few.seconds, 12.0, "x");
    figures.at_most("tree: peak memory", ours.peak / MB, 1000.0, " MB");
    Ok(())
}

/// Everything that `tracehound scan` does, from reading the rules to the findings.
pub(crate) fn machine(folder: &Path) -> anyhow::Result<Measured> {
    let begin = Instant::now();
    let detection = Detection::start(tracehound_rules::builtin_rules()?.to_vec())?;
    let (root, layout) = Root::mounted(folder)?;
    let report = scan(&root, &Request { layout: Some(layout), ..request() }, &detection, &|_| {})?;
    let document = serde_json::to_vec_pretty(&report.document)?;
    let graph = graph_of(&document, &Limits::default(), Moment(i64::MAX))?;
    let analysis = Analysis::of(&graph);
    let found = findings::all(&Picture::new(&graph, &analysis), tracehound_rules::builtin_rules()?);
    let seconds = begin.elapsed().as_secs_f64();
    anyhow::ensure!(
        report.files.len() == 40 && !found.is_empty(),
        "{} files, {} findings",
        report.files.len(),
        found.len()
    );
    Ok(Measured { seconds, nodes: graph.node_count(), edges: graph.edge_count(), ..Measured::default() })
}

/// A source tree, with the rules compiled beforehand: their time does not depend on the tree.
pub(crate) fn walked(folder: &Path) -> anyhow::Result<Measured> {
    let detection = Detection::start(tracehound_rules::builtin_rules()?.to_vec())?;
    let begin = Instant::now();
    let report = scan(&Root::machine(), &Request { trees: vec![folder.to_owned()], ..request() }, &detection, &|_| {})?;
    let seconds = begin.elapsed().as_secs_f64();
    let graph = &report.document.graph;
    Ok(Measured { seconds, nodes: graph.nodes.len(), edges: graph.edges.len(), ..Measured::default() })
}

/// The configurations of the tree, given by name: what is left when nothing has to be found.
pub(crate) fn named(folder: &Path) -> anyhow::Result<Measured> {
    let files = configurations(folder);
    let detection = Detection::start(tracehound_rules::builtin_rules()?.to_vec())?;
    let begin = Instant::now();
    let report = scan(&Root::machine(), &Request { files, ..request() }, &detection, &|_| {})?;
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Measured { seconds, nodes: report.document.graph.nodes.len(), ..Measured::default() })
}

/// The walk of a library that is made for it, with its usual settings.
pub(crate) fn walk(folder: &Path) -> anyhow::Result<Measured> {
    let begin = Instant::now();
    let nodes = configurations(folder).len();
    Ok(Measured { seconds: begin.elapsed().as_secs_f64(), nodes, ..Measured::default() })
}

/// The same, and every configuration read and parsed.
pub(crate) fn plain(folder: &Path) -> anyhow::Result<Measured> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    let begin = Instant::now();
    let found = configurations(folder);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(path) = found.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let text = fs::read_to_string(path).unwrap_or_default();
                    let parsed = jsonc_parser::parse_to_ast(&text, &Default::default(), &Default::default());
                    black_box(parsed.is_ok());
                }
            });
        }
    });
    Ok(Measured { seconds: begin.elapsed().as_secs_f64(), nodes: found.len(), ..Measured::default() })
}

fn configurations(folder: &Path) -> Vec<PathBuf> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    let found: Mutex<Vec<PathBuf>> = Mutex::default();
    let walker = WalkBuilder::new(folder).hidden(false).require_git(false).threads(threads).build_parallel();
    walker.run(|| {
        Box::new(|entry| {
            if let Ok(entry) = entry
                && entry.file_name() == ".mcp.json"
                && let Ok(mut found) = found.lock()
            {
                found.push(entry.into_path());
            }
            WalkState::Continue
        })
    });
    found.into_inner().unwrap_or_default()
}

fn request() -> Request {
    let text = str::to_owned;
    Request {
        stamp: tracehound_collect::Stamp {
            origin: text("box"),
            scan_id: text("bench"),
            timestamp: text("2026-01-01T00:00:00Z"),
        },
        ..Request::default()
    }
}

/// One user's machine: thirty clients with a few servers each, and ten instruction files.
fn workstation(root: &Path) -> anyhow::Result<()> {
    let homes = [
        ".config/Claude/claude_desktop_config.json",
        ".claude.json",
        ".cursor/mcp.json",
        ".codeium/windsurf/mcp_config.json",
        ".kiro/settings/mcp.json",
        ".aws/amazonq/mcp.json",
        ".gemini/settings.json",
        ".copilot/mcp-config.json",
        ".lmstudio/mcp.json",
        ".qwen/settings.json",
        ".junie/mcp/mcp.json",
        ".augment/settings.json",
        ".factory/mcp.json",
        ".rovodev/mcp.json",
        ".cline/data/settings/cline_mcp_settings.json",
    ];
    for (user, home) in ["ann", "bob"].iter().flat_map(|user| homes.iter().map(move |home| (user, home))) {
        write(&root.join("home").join(user).join(home), &config(home.len(), 4))?;
    }
    let prose =
        "Write short sentences. Run the tests before you commit. Prefer small functions with plain names.\n".repeat(40);
    for name in ["CLAUDE.md", "rules/a.md", "rules/b.md", "skills/x/SKILL.md", "commands/c.md"] {
        for user in ["ann", "bob"] {
            write(&root.join("home").join(user).join(".claude").join(name), &prose)?;
        }
    }
    Ok(())
}

/// A source tree: so many projects with a configuration each, among so many other files.
fn tree(root: &Path, configs: usize, files: usize) -> anyhow::Result<()> {
    let others = files / configs;
    for project in 0..configs {
        let folder = root.join(format!("team-{}/project-{project}", project / 100));
        write(&folder.join(".mcp.json"), &config(project, 3))?;
        for number in 0..others {
            write(&folder.join(format!("src/module_{}/file_{number}.rs", number / 10)), "fn main() {}\n")?;
        }
    }
    Ok(())
}

/// A configuration with servers that differ by a number.
fn config(number: usize, servers: usize) -> String {
    let server = |index: usize| {
        format!(
            "    \"server-{index}\": {{ \"command\": \"npx\", \"args\": [\"-y\", \"@tools/server-{number}-{index}@1.{index}.0\", \"/srv/{number}\"],\n      \"env\": {{ \"SERVICE_API_KEY\": \"${{SERVICE_{number}}}\", \"LOG_LEVEL\": \"info\" }} }}"
        )
    };
    let entries: Vec<String> = (0..servers).map(server).collect();
    let secret = format!(
        "    \"local\": {{ \"url\": \"http://localhost:{}/mcp\", \"headers\": {{ \"Authorization\": \"Bearer q7Zk2Lx9Wm4Tv{number:07}Rb\" }} }}",
        3000 + number % 1000
    );
    format!("{{\n  \"mcpServers\": {{\n{},\n{secret}\n  }}\n}}\n", entries.join(",\n"))
}

fn write(path: &Path, content: &str) -> anyhow::Result<()> {
    fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
    Ok(fs::write(path, content)?)
}
