//! Commands that do as they should.

use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt as _;
use tracehound_collect::process::{Keeping, Sandboxing};

use crate::inner::own;
use crate::support::{assert_gone, launch, line, nap, output, script, until_asleep, warden};

crate::cases![
    one_that_ends_with_its_input_is_not_disturbed,
    only_what_is_promised_is_in_its_environment,
    it_has_no_terminal_and_a_session_and_group_of_its_own,
    it_starts_where_it_should_and_is_found_on_its_own_path,
    twenty_at_once_are_no_trouble,
    it_outlives_the_thread_that_started_it,
    given_values_are_in_no_command_line_and_not_in_what_is_kept,
];

async fn one_that_ends_with_its_input_is_not_disturbed() {
    let warden = warden(false);
    assert_eq!((warden.keeping(), warden.sandboxing()), (Keeping::Subreaper, &Sandboxing::Off));
    let mut started = warden.start(&launch("cat", &[])).unwrap();
    started.stdin.write_all(b"hello\n").await.unwrap();
    assert_eq!(line(&mut started.stdout).await, "hello");
    let clock = Instant::now();
    let ended = started.end(Duration::from_secs(10)).await;
    assert!(clock.elapsed() < Duration::from_secs(5), "{:?}", clock.elapsed());
    assert_eq!(ended.how.as_deref(), Some("exited with code 0"));
    assert_eq!((ended.failure, ended.stderr.as_str(), ended.survivors, ended.left), (None, "", 0, 0));
}

async fn only_what_is_promised_is_in_its_environment() {
    let mut scanner = own("environment", &[]);
    scanner.env_clear().envs([
        ("PATH", "/usr/bin:/bin"),
        ("HOME", "/"),
        ("LANG", "C"),
        ("LC_TIME", "C"),
        ("GITHUB_TOKEN", "ghp"),
        ("SSH_AUTH_SOCK", "/run/agent"),
        ("DISPLAY", ":0"),
        ("USER", "ann"),
    ]);
    let said = scanner.output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let mut lines: Vec<_> = str::from_utf8(&said.stdout).unwrap().lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["HOME=/", "KEY=from its configuration", "LANG=C", "LC_TIME=C", "PATH=/usr/bin:/bin"]);
}

async fn it_has_no_terminal_and_a_session_and_group_of_its_own() {
    let script = script(
        "for i in 0 1 2; do test -t $i && echo terminal $i; done
         (: </dev/tty) 2>/dev/null && echo /dev/tty
         read -r stat < /proc/self/stat; echo $$ $stat",
    );
    let (text, _) = output(warden(false).start(&script).unwrap()).await;
    let fields: Vec<&str> = text.split_whitespace().collect();
    // Its own number, then what the kernel says: number, name, state, parent, group, session, terminal.
    let [own, number, _, _, _, group, session, terminal] = fields.first_chunk().unwrap();
    assert_eq!((own, *terminal), (number, "0"), "{text}");
    assert_eq!(own, group, "{text}");
    let ours = std::fs::read_to_string("/proc/self/stat").unwrap();
    // Ours may begin outside the namespace that we are in, and is 0 then, which theirs is not.
    let ours = ours.rsplit_once(')').and_then(|(_, fields)| fields.split_whitespace().nth(3)).unwrap();
    assert!(*session != ours && *session != "0" && session != own, "{text}");
}

async fn it_starts_where_it_should_and_is_found_on_its_own_path() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().canonicalize().unwrap();
    std::os::unix::fs::symlink("/bin/sh", project.join("own-shell")).unwrap();
    let mut launch = launch("own-shell", &["-c", "pwd; exit 4"]);
    let warden = warden(false);
    assert_eq!(warden.start(&launch).unwrap_err().to_string(), "there is no program `own-shell` on its PATH");
    launch.env = vec![("PATH".to_owned(), format!("/usr/bin:/bin:{}", project.display()))];
    launch.directory = Some(project.clone());
    let (text, ended) = output(warden.start(&launch).unwrap()).await;
    assert_eq!((text.trim_end(), ended.how.as_deref()), (project.to_str().unwrap(), Some("exited with code 4")));
    launch.program = "./own-shell".to_owned();
    assert!(warden.start(&launch).is_ok());
    launch.directory = Some(project.join("gone"));
    let said = warden.start(&launch).unwrap_err().to_string();
    assert!(said.starts_with("the folder that it should start in is not there"), "{said}");
    // Without a folder it starts at home.
    launch.directory = None;
    launch.program = "own-shell".to_owned();
    launch.env.push(("HOME".to_owned(), project.display().to_string()));
    let (text, _) = output(warden.start(&launch).unwrap()).await;
    assert_eq!(text.trim_end(), project.to_str().unwrap());
}

async fn twenty_at_once_are_no_trouble() {
    let nap = nap();
    let warden = warden(false);
    let clock = Instant::now();
    let command = script(&format!("setsid sleep {nap} & cat"));
    let mut all = Vec::new();
    for _ in 0..20 {
        all.push(warden.start(&command).unwrap());
    }
    let ends = all.into_iter().map(async |mut started| {
        started.stdin.write_all(b"here\n").await.unwrap();
        assert_eq!(line(&mut started.stdout).await, "here");
        started.end(Duration::from_secs(5)).await
    });
    for ended in futures_util::future::join_all(ends).await {
        assert_eq!((ended.how.as_deref(), ended.survivors, ended.left), (Some("exited with code 0"), 1, 0));
    }
    assert!(clock.elapsed() < Duration::from_secs(15), "{:?}", clock.elapsed());
    assert_gone(&nap);
}

async fn it_outlives_the_thread_that_started_it() {
    let runtime = tokio::runtime::Handle::current();
    let thread = std::thread::spawn(move || {
        let _entered = runtime.enter();
        let started = warden(false).start(&launch("cat", &[])).unwrap();
        // Until the supervisor asked the kernel to be told.
        std::thread::sleep(Duration::from_millis(500));
        started
    });
    let mut started = tokio::task::spawn_blocking(|| thread.join().unwrap()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    started.stdin.write_all(b"still here\n").await.unwrap();
    assert_eq!(line(&mut started.stdout).await, "still here");
    started.end(Duration::from_secs(5)).await;
}

async fn given_values_are_in_no_command_line_and_not_in_what_is_kept() {
    let secret = format!("s3cret-{}", nap());
    let nap = nap();
    let mut command = script(&format!("echo \"bad key $KEY\" >&2; sleep {nap}; exit 0"));
    command.env = vec![("KEY".to_owned(), secret.clone())];
    let started = warden(false).start(&command).unwrap();
    until_asleep(&nap, 1).await;
    assert_gone(&secret);
    let ended = started.end(Duration::ZERO).await;
    assert_eq!(ended.stderr, r"bad key <KEY>\n");
}
