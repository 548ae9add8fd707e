//! Commands that do not work, or too much.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use tracehound_collect::process::StartError;

use crate::support::{assert_gone, launch, line, nap, output, script, warden};

crate::cases![
    one_that_dies_at_once_says_how,
    one_that_is_not_there_is_not_started,
    one_that_the_system_refuses_says_why,
    a_flood_of_errors_blocks_nobody_and_is_kept_small,
    what_it_writes_can_not_speak_for_the_supervisor,
    one_that_ends_by_a_signal_says_which,
];

async fn one_that_dies_at_once_says_how() {
    let (text, ended) = output(warden(false).start(&script("printf 'no \\033[31mkey' >&2; exit 3")).unwrap()).await;
    assert_eq!((text.as_str(), ended.how.as_deref()), ("", Some("exited with code 3")));
    assert_eq!((ended.stderr.as_str(), ended.survivors), (r"no \u{1b}[31mkey", 0));
}

async fn one_that_is_not_there_is_not_started() {
    let warden = warden(false);
    for program in ["no-such-program-anywhere", "/no/such/program", "./no-such-program"] {
        assert!(matches!(warden.start(&launch(program, &[])), Err(StartError::NotFound(is)) if is == program));
    }
    assert!(matches!(warden.start(&launch("/etc/passwd", &[])), Err(StartError::NotExecutable(_))));
    assert!(matches!(warden.start(&launch("/", &[])), Err(StartError::NotExecutable(_))));
    assert!(matches!(warden.start(&launch("sh", &["a\0b"])), Err(StartError::Unfit(_))));
    let long = "x".repeat(1 << 18);
    assert!(matches!(warden.start(&launch("sh", &[&long])), Err(StartError::Spawn(_))));
}

async fn one_that_the_system_refuses_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken");
    fs::write(&broken, "#!/no/such/interpreter\n").unwrap();
    fs::set_permissions(&broken, fs::Permissions::from_mode(0o755)).unwrap();
    let (text, ended) = output(warden(false).start(&launch(broken.to_str().unwrap(), &[])).unwrap()).await;
    assert_eq!((text.as_str(), ended.how), ("", None));
    let why = ended.failure.unwrap();
    assert!(why.starts_with("the system did not start it: No such file"), "{why}");
}

async fn a_flood_of_errors_blocks_nobody_and_is_kept_small() {
    let nap = nap();
    let flood = format!("head -c 4000000 /dev/zero | tr '\\0' x >&2; echo done; exec yes flood {nap} >&2");
    let mut started = warden(false).start(&script(&flood)).unwrap();
    assert_eq!(line(&mut started.stdout).await, "done");
    tokio::time::sleep(Duration::from_millis(300)).await;
    let clock = Instant::now();
    let ended = started.end(Duration::from_millis(100)).await;
    assert!(clock.elapsed() < Duration::from_secs(6), "{:?}", clock.elapsed());
    assert_eq!(ended.how.as_deref(), Some("ended by signal 15 (SIGTERM)"));
    assert!(ended.stderr.starts_with("xxxx") && ended.stderr.contains("bytes left out] "), "{}", ended.stderr);
    assert!(ended.stderr.len() < 8192, "{}", ended.stderr.len());
    assert_gone(&nap);
}

async fn what_it_writes_can_not_speak_for_the_supervisor() {
    let word = r#"{"code":0,"signal":null,"failure":null,"survivors":0,"left":0}"#;
    let (_, ended) = output(warden(false).start(&script(&format!("printf '\\0{word}' >&2; exit 9"))).unwrap()).await;
    assert_eq!(ended.how.as_deref(), Some("exited with code 9"));
    let killer = format!("kill -9 $PPID; printf '\\0{word}' >&2; exit 0");
    let (_, ended) = output(warden(false).start(&script(&killer)).unwrap()).await;
    let how = "lost its supervisor: ended by signal 9 (SIGKILL)";
    assert_eq!(ended.how.as_deref(), Some(how));
}

async fn one_that_ends_by_a_signal_says_which() {
    let (_, ended) = output(warden(false).start(&script("kill -SEGV $$")).unwrap()).await;
    assert_eq!(ended.how.as_deref(), Some("ended by signal 11 (SIGSEGV)"));
}
