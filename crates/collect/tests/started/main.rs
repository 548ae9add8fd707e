//! Started commands, from a good one to those that want to stay.
//!
//! Without the usual harness, because the program that runs the cases is also the supervisor of what they start, the
//! scanner that is killed, and the command that tries what its sandbox lets it.
#![cfg_attr(
    target_os = "linux",
    expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test stops at the first surprise, and says so")
)]

#[cfg(target_os = "linux")]
mod bad;
#[cfg(target_os = "linux")]
mod good;
#[cfg(target_os = "linux")]
mod inner;
#[cfg(target_os = "linux")]
mod left;
#[cfg(target_os = "linux")]
mod sandboxed;
#[cfg(target_os = "linux")]
mod support;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next() {
        Some(word) if word == tracehound_collect::process::SUPERVISE => {
            tracehound_collect::process::supervise(arguments)
        }
        Some(word) if word == inner::WORD => inner::run(arguments),
        _ => support::run(&[good::CASES, bad::CASES, left::CASES, sandboxed::CASES]),
    }
}

/// What is tried here only Linux can promise.
#[cfg(not(target_os = "linux"))]
fn main() {}
