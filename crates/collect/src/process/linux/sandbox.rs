//! A sandbox out of what the kernel has for everybody: Landlock for files, a filter of system calls for the network and
//! for what programs share without files.
//!
//! Within it a command sees all files that the user sees, writes only to a folder of its own, opens no sockets, signals
//! nobody outside, and sets nobody else's limits. What it can still change of others' files is when they were last used,
//! and of others' processes how urgent they are.

use std::io;
use std::net::UdpSocket;
use std::path::Path;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, LandlockStatus, PathBeneath, PathFd, RestrictionStatus, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
};

use super::super::warden::Sandboxing;

/// All that we ask of Landlock. Kernels that have less of it give less.
const WANTED: ABI = ABI::V6;
/// Devices that hold nothing.
const HARMLESS: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];

/// What the kernel can do, tried out in a thread that ends with it.
pub(in super::super) fn sandboxing() -> Sandboxing {
    let tried = std::thread::spawn(|| {
        let status = restricted(None).map_err(|error| error.to_string())?;
        filter::engage()?;
        let is_open = UdpSocket::bind("127.0.0.1:0").err().is_none_or(|error| !is_refusal(&error));
        if is_open { Err("the filter of system calls does not hold".to_owned()) } else { Ok(status) }
    });
    match tried.join() {
        Ok(Ok(status)) => offered(status.landlock, &status.ruleset),
        Ok(Err(why)) => Sandboxing::Unavailable { why },
        Err(_) => Sandboxing::Unavailable { why: "it could not be tried".to_owned() },
    }
}

fn is_refusal(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

/// What the kernel's Landlock comes to, in words.
fn offered(landlock: LandlockStatus, ruleset: &RulesetStatus) -> Sandboxing {
    let why = match landlock {
        LandlockStatus::NotEnabled => "the kernel was started without Landlock".to_owned(),
        LandlockStatus::NotImplemented => "the kernel has no Landlock (Linux 6.2 or newer is needed)".to_owned(),
        LandlockStatus::Available { effective_abi, .. } if effective_abi < ABI::V3 => {
            "the kernel's Landlock lets files be emptied (Linux 6.2 or newer is needed)".to_owned()
        }
        LandlockStatus::Available { .. } if *ruleset == RulesetStatus::NotEnforced => {
            "the kernel's Landlock does not hold".to_owned()
        }
        LandlockStatus::Available { effective_abi, .. } => return held(effective_abi),
    };
    Sandboxing::Unavailable { why }
}

/// What a Landlock that keeps the promise leaves open beyond it.
fn held(abi: ABI) -> Sandboxing {
    let open = [(ABI::V5, "give orders to devices"), (ABI::V6, "send signals to other processes of the user")];
    let missing: Vec<&str> = open.iter().filter(|(since, _)| abi < *since).map(|(_, what)| *what).collect();
    if missing.is_empty() {
        return Sandboxing::Full;
    }
    Sandboxing::Partial { missing: format!("a started command can still {}", missing.join(" and ")) }
}

/// Gives up in this thread, and in what it starts, everything that a command shall not have.
pub(super) fn enter(folder: &Path) -> Result<(), String> {
    drop_capabilities();
    let status = restricted(Some(folder)).map_err(|error| format!("the sandbox can't be had: {error}"))?;
    if let Sandboxing::Unavailable { why } = offered(status.landlock, &status.ruleset) {
        return Err(format!("the sandbox can't be had: {why}"));
    }
    filter::engage().map_err(|why| format!("the sandbox can't be had: {why}"))
}

/// What the user `root` could do beyond files and sockets: whoever is not `root` has nothing to drop.
fn drop_capabilities() {
    for number in 0..64 {
        let capability = rustix::thread::CapabilitySet::from_bits_retain(1 << number);
        let _ = rustix::thread::remove_capability_from_bounding_set(capability);
    }
}

/// Leaves this thread reading everywhere, and writing to harmless devices and the folder.
fn restricted(folder: Option<&Path>) -> Result<RestrictionStatus, RulesetError> {
    let ruleset = Ruleset::default().handle_access(AccessFs::from_all(WANTED))?;
    let ruleset = ruleset.handle_access(AccessNet::from_all(WANTED))?.scope(Scope::from_all(WANTED))?;
    let beneath = |path: &Path, access| PathFd::new(path).ok().map(|path| Ok(PathBeneath::new(path, access)));
    let devices = HARMLESS.iter().filter_map(|path| beneath(Path::new(path), AccessFs::from_file(WANTED)));
    let everywhere = beneath(Path::new("/"), AccessFs::from_read(WANTED));
    let own = folder.and_then(|folder| beneath(folder, AccessFs::from_all(WANTED)));
    ruleset
        .create()?
        .add_rules(devices.chain(everywhere).chain(own).collect::<Vec<Result<_, RulesetError>>>())?
        .restrict_self()
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))]
mod filter;

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
mod filter {
    /// Says that there is no filter.
    pub(super) fn engage() -> Result<(), String> {
        Err("there is no filter of system calls for this processor".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use landlock::{ABI, LandlockStatus, RulesetStatus};

    use super::super::super::warden::Sandboxing;
    use super::offered;

    fn words(landlock: LandlockStatus, ruleset: &RulesetStatus) -> String {
        match offered(landlock, ruleset) {
            Sandboxing::Off => "off".to_owned(),
            Sandboxing::Full => "full".to_owned(),
            Sandboxing::Partial { missing } => format!("partial: {missing}"),
            Sandboxing::Unavailable { why } => format!("unavailable: {why}"),
        }
    }

    fn version(effective_abi: ABI) -> LandlockStatus {
        LandlockStatus::Available { effective_abi, kernel_abi: None }
    }

    #[test]
    fn what_a_kernel_lacks_is_said_and_what_breaks_the_promise_is_refused() {
        let some = RulesetStatus::PartiallyEnforced;
        for (landlock, ruleset, said) in [
            (
                LandlockStatus::NotEnabled,
                RulesetStatus::NotEnforced,
                "unavailable: the kernel was started without Landlock",
            ),
            (
                LandlockStatus::NotImplemented,
                RulesetStatus::NotEnforced,
                "unavailable: the kernel has no Landlock (Linux 6.2 or newer is needed)",
            ),
            (
                version(ABI::V2),
                RulesetStatus::PartiallyEnforced,
                "unavailable: the kernel's Landlock lets files be emptied (Linux 6.2 or newer is needed)",
            ),
            (version(ABI::V6), RulesetStatus::NotEnforced, "unavailable: the kernel's Landlock does not hold"),
            (version(ABI::V6), RulesetStatus::FullyEnforced, "full"),
        ] {
            assert_eq!(words(landlock, &ruleset), said);
        }
        assert_eq!(
            words(version(ABI::V3), &some),
            "partial: a started command can still give orders to devices and send signals to other processes of the user"
        );
        assert_eq!(
            words(version(ABI::V5), &some),
            "partial: a started command can still send signals to other processes of the user"
        );
    }
}
