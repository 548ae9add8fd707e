use super::*;

fn install(below: &Path) -> Install<'_> {
    Install { below, folder: "cargo-example-1.2.3", proof: Path::new("bin/cargo-example") }
}

/// Fills a folder as an install would.
fn fill(root: &Path) -> Result<()> {
    let bin = root.join("bin");
    fs::create_dir_all(&bin)?;
    fs::write(bin.join("cargo-example"), "")?;
    Ok(())
}

fn names(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_tool_is_installed_once() {
    let tools = tempfile::tempdir().unwrap();
    let first = install(tools.path()).once(fill).unwrap();
    let second = install(tools.path()).once(|_| anyhow::bail!("installed twice")).unwrap();
    assert_eq!(first, second);
    assert_eq!(first, tools.path().join("cargo-example-1.2.3"));
    assert_eq!(names(tools.path()), ["cargo-example-1.2.3"]);
}

#[test]
fn a_failed_install_leaves_nothing() {
    let tools = tempfile::tempdir().unwrap();
    let result = install(tools.path()).once(|root| {
        fill(root)?;
        anyhow::bail!("the network is gone")
    });
    assert_eq!(result.unwrap_err().to_string(), "the network is gone");
    assert!(names(tools.path()).is_empty());
}

#[test]
fn what_an_interrupted_install_left_is_not_taken_for_the_tool() {
    let tools = tempfile::tempdir().unwrap();
    fill(&tools.path().join("partial-1-cargo-example-1.2.3")).unwrap();
    let mut installs = 0;
    install(tools.path())
        .once(|root| {
            installs += 1;
            fill(root)
        })
        .unwrap();
    assert_eq!(installs, 1);
}

#[test]
fn an_install_that_another_clone_finished_first_is_used() {
    let tools = tempfile::tempdir().unwrap();
    let folder = install(tools.path())
        .once(|root| {
            fill(&tools.path().join("cargo-example-1.2.3"))?;
            fill(root)
        })
        .unwrap();
    assert!(folder.join("bin/cargo-example").exists());
    assert_eq!(names(tools.path()), ["cargo-example-1.2.3"]);
}

#[test]
fn an_install_without_the_program_is_an_error() {
    let tools = tempfile::tempdir().unwrap();
    let error = install(tools.path()).once(|_| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "`cargo-example-1.2.3` was installed without `bin/cargo-example`");
}

/// Looks for the cache with variables given as `NAME=value`.
#[track_caller]
fn check_cache(platform: Platform, variables: &[&str], expected: &str) {
    let value = |name: &str| variables.iter().find_map(|variable| variable.strip_prefix(name)?.strip_prefix('='));
    assert_eq!(directory(platform, |name| value(name).map(OsString::from)).unwrap(), Path::new(expected));
}

#[test]
fn the_cache_is_where_the_platform_keeps_caches() {
    check_cache(Platform::Unix, &["HOME=/home/ada"], "/home/ada/.cache/tracehound");
    check_cache(Platform::Unix, &["HOME=/home/ada", "XDG_CACHE_HOME=/caches"], "/caches/tracehound");
    check_cache(Platform::Mac, &["HOME=/Users/ada"], "/Users/ada/Library/Caches/tracehound");
    check_cache(Platform::Windows, &["LOCALAPPDATA=/local"], "/local/tracehound/cache");
}

#[test]
fn the_products_own_variable_wins() {
    check_cache(Platform::Mac, &["HOME=/Users/ada", "TRACEHOUND_CACHE=/caches"], "/caches");
}

#[test]
fn a_cache_home_that_is_empty_or_relative_does_not_count() {
    check_cache(Platform::Unix, &["HOME=/home/ada", "XDG_CACHE_HOME="], "/home/ada/.cache/tracehound");
    check_cache(Platform::Unix, &["HOME=/home/ada", "XDG_CACHE_HOME=caches"], "/home/ada/.cache/tracehound");
}

#[test]
fn without_a_home_the_way_out_is_named() {
    let error = directory(Platform::Unix, |_| None).unwrap_err();
    assert_eq!(error.to_string(), "no cache directory is known; set `TRACEHOUND_CACHE`");
}
