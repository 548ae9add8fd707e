//! Commands that want to stay, or leave somebody behind.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt as _;

use crate::inner::own;
use crate::support::{assert_gone, launch, line, naming, nap, script, until_asleep, until_gone, warden};

crate::cases![
    those_who_left_group_and_session_are_ended_too,
    those_who_ignore_the_asking_are_forced,
    a_deep_line_of_processes_is_ended,
    a_line_of_processes_that_never_stand_still_is_ended,
    one_that_kills_its_supervisor_leaves_nothing,
    one_that_stops_its_supervisor_leaves_nothing,
    when_we_are_killed_nothing_is_left,
    what_is_dropped_ends_by_itself,
    a_sweep_ends_ours_and_nobody_else,
];

/// Leaves the shell, its group and its session, twice.
fn runaways(nap: &str) -> String {
    format!("setsid sleep {nap} & (setsid sh -c 'sleep {nap} & sleep 0.2' &)")
}

async fn those_who_left_group_and_session_are_ended_too() {
    let nap = nap();
    let command = script(&format!("{}; sleep 0.4; exit 5", runaways(&nap)));
    let ended = warden(false).start(&command).unwrap().end(Duration::from_secs(5)).await;
    assert_gone(&nap);
    assert_eq!((ended.how.as_deref(), ended.survivors, ended.left), (Some("exited with code 5"), 2, 0));
}

async fn those_who_ignore_the_asking_are_forced() {
    let nap = nap();
    let deaf = format!("trap '' TERM HUP INT; while :; do sleep {nap}; done");
    let command = script(&format!("(setsid sh -c \"{deaf}\" &); {deaf}"));
    let started = warden(false).start(&command).unwrap();
    until_asleep(&nap, 2).await;
    let clock = Instant::now();
    let ended = started.end(Duration::from_millis(200)).await;
    assert_gone(&nap);
    assert!(clock.elapsed() < Duration::from_secs(8), "{:?}", clock.elapsed());
    assert_eq!((ended.how.as_deref(), ended.left), (Some("ended by signal 9 (SIGKILL)"), 0));
    // The other shell and its child. The shell may have got another child when the first was asked to end.
    assert!((2..=4).contains(&ended.survivors), "{ended:?}");
}

async fn a_deep_line_of_processes_is_ended() {
    let nap = nap();
    let line = r#"if [ $1 -gt 0 ]; then setsid sh -c "$0" "$0" $(($1 - 1)) $2; else sleep $2; fi; :"#;
    let command = launch("sh", &["-c", line, line, "40", &nap]);
    let started = warden(false).start(&command).unwrap();
    until_asleep(&nap, 1).await;
    let ended = started.end(Duration::ZERO).await;
    assert_gone(&nap);
    assert_eq!(ended.left, 0);
    assert!(ended.survivors >= 40, "{ended:?}");
}

async fn a_line_of_processes_that_never_stand_still_is_ended() {
    let nap = nap();
    // Each starts the next and is gone. It would end by itself after some minutes.
    let folder = tempfile::tempdir().unwrap();
    let runner = folder.path().join("runner");
    fs::write(&runner, "#!/bin/sh\n[ $1 -gt 0 ] && setsid \"$0\" $(($1 - 1)) $2 &\nexit 0\n").unwrap();
    fs::set_permissions(&runner, fs::Permissions::from_mode(0o755)).unwrap();
    let started = warden(false).start(&launch(runner.to_str().unwrap(), &["90000", &nap])).unwrap();
    let ended = started.end(Duration::from_millis(200)).await;
    assert!(ended.survivors > 0 && ended.left == 0, "{ended:?}");
    assert_gone(&nap);
}

async fn one_that_kills_its_supervisor_leaves_nothing() {
    let nap = nap();
    let command = script(&format!("{}; kill -9 $PPID; sleep {nap}", runaways(&nap)));
    let ended = warden(false).start(&command).unwrap().end(Duration::from_millis(500)).await;
    assert_gone(&nap);
    assert_eq!(ended.how.as_deref(), Some("lost its supervisor: ended by signal 9 (SIGKILL)"));
    assert!(ended.survivors >= 3 && ended.left == 0, "{ended:?}");
}

async fn one_that_stops_its_supervisor_leaves_nothing() {
    let nap = nap();
    let command = script(&format!("{}; kill -STOP $PPID; sleep {nap}", runaways(&nap)));
    let ended = warden(false).start(&command).unwrap().end(Duration::from_millis(600)).await;
    assert_gone(&nap);
    assert_eq!((ended.how.as_deref(), ended.left), (Some("ended by signal 15 (SIGTERM)"), 0));
}

async fn when_we_are_killed_nothing_is_left() {
    let nap = nap();
    let command = format!("{}; trap '' TERM; sleep {nap}; sleep {nap}", runaways(&nap));
    let mut scanner = own("scanner", &[&command]).spawn().unwrap();
    until_asleep(&nap, 3).await;
    scanner.kill().unwrap();
    scanner.wait().unwrap();
    until_gone(&nap).await;
}

async fn what_is_dropped_ends_by_itself() {
    let nap = nap();
    let started = warden(false).start(&script(&format!("{}; sleep {nap}", runaways(&nap)))).unwrap();
    until_asleep(&nap, 3).await;
    drop(started);
    until_gone(&nap).await;
}

async fn a_sweep_ends_ours_and_nobody_else() {
    let (nap, other_nap) = (nap(), nap());
    let mut neighbour = Command::new("sleep").arg(&other_nap).spawn().unwrap();
    let other = warden(false);
    let mut other_command = other.start(&launch("cat", &[])).unwrap();
    let ours = warden(false);
    let kept = ours.start(&script(&format!("{}; trap '' TERM; sleep {nap}; sleep {nap}", runaways(&nap)))).unwrap();
    let lost = ours.start(&script(&format!("{}; kill -9 $PPID; sleep {nap}", runaways(&nap)))).unwrap();
    until_asleep(&nap, 6).await;

    let clock = Instant::now();
    tokio::task::spawn_blocking(move || ours.sweep()).await.unwrap();
    assert!(clock.elapsed() < Duration::from_secs(9), "{:?}", clock.elapsed());

    assert_gone(&nap);
    assert_eq!(naming(&other_nap).len(), 1);
    neighbour.kill().unwrap();
    neighbour.wait().unwrap();
    other_command.stdin.write_all(b"still here\n").await.unwrap();
    assert_eq!(line(&mut other_command.stdout).await, "still here");
    assert_eq!(other_command.end(Duration::from_secs(5)).await.how.as_deref(), Some("exited with code 0"));
    drop((kept, lost));
}
