//! What a sandbox keeps a command from.

use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

use tracehound_collect::process::{Launch, Sandboxing, StartError, Warden};

use crate::inner::{WORD, own};
use crate::support::{assert_gone, launch, nap, output, until_asleep, until_gone, warden};

crate::cases![
    in_a_sandbox_files_are_read_only_and_there_is_no_network,
    in_a_sandbox_nobody_meddles_with_others,
    its_folder_is_removed_also_when_we_are_killed,
    twice_in_a_sandbox_is_no_trouble,
    nobody_gains_rights_and_in_a_sandbox_nobody_has_any,
];

/// What it may do in a sandbox too.
const HARMLESS: &[&str] = &["read", "list", "pair", "null", "program", "own folder"];

/// A warden with a sandbox, where there is one. What it says must be what it does.
fn sandbox() -> Option<Warden> {
    let warden = warden(true);
    if let Sandboxing::Unavailable { why } = warden.sandboxing() {
        let refused = warden.start(&launch("true", &[]));
        assert!(matches!(refused, Err(StartError::NoSandbox(is)) if is == *why));
        println!("only the refusal is tried: {why}");
        return None;
    }
    Some(warden)
}

async fn in_a_sandbox_files_are_read_only_and_there_is_no_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let _socket = UnixListener::bind(folder.path().join("socket")).unwrap();
    fs::write(folder.path().join("existing"), "text").unwrap();
    fs::write(folder.path().join("other"), "text").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let us = std::env::current_exe().unwrap();
    let args = [WORD, "trier", &address, folder.path().to_str().unwrap()];
    let trier: Launch = launch(us.to_str().unwrap(), &args);

    if let Some(sandbox) = sandbox() {
        let (text, ended) = output(sandbox.start(&trier).unwrap()).await;
        assert_eq!((ended.how.as_deref(), ended.failure), (Some("exited with code 0"), None), "{}", ended.stderr);
        let is_full = *sandbox.sandboxing() == Sandboxing::Full;
        let mut lines: Vec<&str> = text.lines().collect();
        let own_folder = PathBuf::from(lines.pop().unwrap());
        assert_eq!(lines.len(), 18);
        for line in lines.iter().filter(|line| is_full || !line.starts_with("signal")) {
            let (what, outcome) = line.split_once(": ").unwrap();
            let wanted = if HARMLESS.contains(&what) { "done" } else { "refused" };
            assert_eq!(outcome, wanted, "{what}");
        }
        assert!(own_folder.is_absolute() && !own_folder.exists(), "{own_folder:?}");
        assert_eq!(fs::read_to_string(folder.path().join("existing")).unwrap(), "text");
    }

    // All of it works outside, so that what was refused was refused by the sandbox.
    let (text, _) = output(warden(false).start(&trier).unwrap()).await;
    assert_eq!(text.lines().filter(|line| line.ends_with(": done")).count(), 18, "{text}");
}

async fn in_a_sandbox_nobody_meddles_with_others() {
    let us = std::env::current_exe().unwrap();
    let meddler: Launch = launch(us.to_str().unwrap(), &[WORD, "meddler"]);
    let (outside, _) = output(warden(false).start(&meddler).unwrap()).await;
    for needed in ["thread", "own limits", "limits of another", "name space"] {
        assert!(outside.lines().any(|line| line == format!("{needed}: done")), "{needed}: {outside}");
    }
    let Some(sandbox) = sandbox() else { return };
    let (inside, ended) = output(sandbox.start(&meddler).unwrap()).await;
    assert_eq!((ended.how.as_deref(), ended.failure), (Some("exited with code 0"), None), "{}", ended.stderr);
    assert_eq!(inside.lines().count(), outside.lines().count(), "{inside}");
    for (outside, inside) in outside.lines().zip(inside.lines()) {
        let (what, outcome) = outside.split_once(": ").unwrap();
        if outcome != "done" {
            println!("not tried, since it does not work here anyway: {outside}");
            continue;
        }
        let wanted = if ["thread", "own limits"].contains(&what) { "done" } else { "refused" };
        assert_eq!(inside, format!("{what}: {wanted}"));
    }
}

async fn its_folder_is_removed_also_when_we_are_killed() {
    if sandbox().is_none() {
        return;
    }
    let nap = nap();
    let command = format!("mkdir -p $TMPDIR/a/b; echo x > $TMPDIR/a/b/c; sleep {nap}; :");
    let mut scanner = own("scanner", &[&command]).spawn().unwrap();
    until_asleep(&nap, 1).await;
    let folder = std::env::temp_dir().join(format!("tracehound-{}-0", scanner.id()));
    assert!(folder.join("a/b/c").exists());
    scanner.kill().unwrap();
    scanner.wait().unwrap();
    until_gone(&nap).await;
    assert!(!folder.exists());
}

async fn twice_in_a_sandbox_is_no_trouble() {
    let Some(sandbox) = sandbox() else { return };
    let nap = nap();
    for _ in 0..2 {
        let command = launch("sh", &["-c", &format!("setsid sleep {nap} & echo $TMPDIR > $TMPDIR/x; cat $TMPDIR/x")]);
        let mut started = sandbox.start(&command).unwrap();
        let folder = crate::support::line(&mut started.stdout).await;
        let ended = started.end(std::time::Duration::from_secs(5)).await;
        assert_eq!((ended.survivors, ended.left), (1, 0), "{ended:?}");
        assert!(!PathBuf::from(folder).exists());
        assert_gone(&nap);
    }
}

async fn nobody_gains_rights_and_in_a_sandbox_nobody_has_any() {
    let command = launch("grep", &["-E", "^(NoNewPrivs|CapEff)", "/proc/self/status"]);
    let (text, _) = output(warden(false).start(&command).unwrap()).await;
    assert!(text.contains("NoNewPrivs:\t1"), "{text}");
    let Some(sandbox) = sandbox() else { return };
    let (text, _) = output(sandbox.start(&command).unwrap()).await;
    assert!(text.contains("CapEff:\t0000000000000000") && text.contains("NoNewPrivs:\t1"), "{text}");
}
