//! When the ground shakes: locks, full disks, read-only directories, damaged files.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::{Place, document};

const TIME: &str = "2026-01-05T09:00:00Z";

#[test]
fn a_second_writer_is_told_who_is_first() {
    let place = Place::new();
    place.ingest(&document("one", TIME, "one"));
    // A writer that waits for its document holds the lock meanwhile.
    let mut first = place.command(&["ingest", "-"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let lock = place.data().join("estate.lock");
    let holder = first.id().to_string();
    for _ in 0..500 {
        if fs::read_to_string(&lock).is_ok_and(|pid| pid == holder) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let file = place.write("two.json", document("two", TIME, "one").to_string());
    let second = place.run(&[Path::new("ingest"), &file]);
    assert_eq!(second.code, 1);
    assert!(second.err.contains("in use by another tracehound process"), "{}", second.err);
    assert!(second.err.contains(&holder), "{}", second.err);
    assert_eq!(place.json(&["scans", "list"]).as_array().unwrap().len(), 1, "reading goes on");
    first.stdin.take().unwrap().write_all(document("three", TIME, "one").to_string().as_bytes()).unwrap();
    assert!(first.wait().unwrap().success());
    place.ok(&[Path::new("ingest"), &file]);
}

/// A file-size limit makes writes fail as a full disk does, without needing one.
#[test]
fn a_disk_that_takes_no_more_changes_nothing() {
    let place = Place::new();
    place.ingest(&document("before", TIME, "one"));
    let before = place.ok(&["graph", "export"]);
    let mut large = document("large", TIME, "one");
    // Text that does not compress, so that it really has to be written.
    let mut state = 1_u64;
    let noise: String = (0..3_000_000)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(b'0' + (state >> 58) as u8)
        })
        .collect();
    large["graph"]["nodes"][0]["properties"]["name"] = noise.into();
    let file = place.write("large.json", large.to_string());
    // The limit counts in units of 512 bytes; the signal that goes with it is ignored, so the write itself fails.
    let script = "trap '' XFSZ; ulimit -f 600; exec \"$0\" ingest \"$1\"";
    let inner = place.command::<&str>(&[]);
    let output = Command::new("sh")
        .args(["-c", script])
        .arg(inner.get_program())
        .arg(&file)
        .env("TRACEHOUND_DATA", place.data())
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("estate.db") && err.contains("nothing was changed"), "{err}");
    assert_eq!(place.ok(&["graph", "export"]), before);
    place.ok(&[Path::new("ingest"), &file]);
}

#[cfg(unix)]
#[test]
fn a_directory_that_cannot_be_written_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    let closed = place.path("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    let file = place.write("one.json", document("one", TIME, "one").to_string());
    for data in [closed.clone(), closed.join("below")] {
        let mut command = place.command_of_a_plain_user(&[Path::new("ingest"), &file]);
        let output = command.env("TRACEHOUND_DATA", &data).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{err}");
        assert!(err.contains("cannot use the data directory") && err.contains("closed"), "{err}");
    }
    assert_eq!(fs::read_dir(&closed).unwrap().count(), 0);
}

/// A copy on a medium that can't be written is still an estate.
#[cfg(unix)]
#[test]
fn a_store_that_cannot_be_written_can_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    place.ingest(&document("one", TIME, "one"));
    let copy = place.path("a copy? 100%");
    fs::create_dir(&copy).unwrap();
    fs::copy(place.data().join("estate.db"), copy.join("estate.db")).unwrap();
    fs::set_permissions(copy.join("estate.db"), fs::Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o555)).unwrap();
    let mut command = place.command_of_a_plain_user(&["graph", "stats", "--format", "json"]);
    let output = command.env("TRACEHOUND_DATA", &copy).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"nodes\": 3"));
}

#[test]
fn a_damaged_file_is_named_and_left_alone() {
    let place = Place::new();
    place.ingest(&document("one", TIME, "one"));
    let database = place.data().join("estate.db");
    let garbage = b"this is no database, and never was one, whatever its name says";
    fs::write(&database, garbage).unwrap();
    let file = place.write("two.json", document("two", TIME, "one").to_string());
    for arguments in [&[Path::new("ingest"), &file][..], &[Path::new("scans"), Path::new("list")]] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("estate.db") && ran.err.contains("damaged or no estate"), "{}", ran.err);
    }
    assert_eq!(fs::read(&database).unwrap(), garbage);
}
