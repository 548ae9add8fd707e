//! Takes from the process what reading files does not need: sockets, and starting programs.
//!
//! A scan of files is promised to contact nobody and start nothing. Here the kernel is asked to hold us to it, so that
//! the promise does not rest on our code alone. It can't be undone until the process ends.

/// Whether the kernel holds us to the promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lockdown {
    /// It does.
    Enforced,
    /// This system has no means for it that we know.
    Unavailable,
}

/// Gives up sockets and starting programs, in this thread and those that it starts from now on.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
#[must_use]
pub fn engage() -> Lockdown {
    let programs = linux::programs();
    let is_applied = |program: &seccompiler::BpfProgram| seccompiler::apply_filter(program).is_ok();
    if programs.is_some_and(|programs| programs.iter().all(is_applied)) {
        Lockdown::Enforced
    } else {
        Lockdown::Unavailable
    }
}

/// Says that nothing is held back here.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))))]
#[must_use]
pub fn engage() -> Lockdown {
    Lockdown::Unavailable
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
mod linux {
    use std::collections::BTreeMap;

    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    };

    /// `EPERM`.
    const NOT_PERMITTED: u32 = 1;
    /// `ENOSYS`.
    const NOT_THERE: u32 = 38;
    /// The call that makes threads and processes alike, the same on all architectures.
    const CLONE3: i64 = 435;
    /// The bit of `clone` that makes a thread and not a process.
    const THREAD: u64 = 0x0001_0000;

    /// System calls that start programs or open sockets, by the numbers of each architecture.
    #[cfg(target_arch = "x86_64")]
    mod calls {
        pub(super) const REFUSED: &[i64] = &[41, 42, 43, 49, 50, 53, 57, 58, 59, 288, 322, 425];
        pub(super) const CLONE: i64 = 56;
    }
    /// The table that newer architectures share.
    #[cfg(not(target_arch = "x86_64"))]
    mod calls {
        pub(super) const REFUSED: &[i64] = &[198, 199, 200, 201, 202, 203, 221, 242, 281, 425];
        pub(super) const CLONE: i64 = 220;
    }

    /// The filters: everything else is allowed.
    pub(super) fn programs() -> Option<[BpfProgram; 2]> {
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
            calls::REFUSED.iter().map(|call| (*call, Vec::new())).collect();
        // A process is a clone that is not a thread.
        let is_process = SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(THREAD), 0).ok()?;
        rules.insert(calls::CLONE, vec![SeccompRule::new(vec![is_process]).ok()?]);
        // `clone3` hides its flags from filters. The C library makes its threads without it where the kernel says that
        // there is none.
        let hidden = BTreeMap::from([(CLONE3, Vec::new())]);
        Some([program(rules, NOT_PERMITTED)?, program(hidden, NOT_THERE)?])
    }

    fn program(rules: BTreeMap<i64, Vec<SeccompRule>>, error: u32) -> Option<BpfProgram> {
        let refuse = SeccompAction::Errno(error);
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, std::env::consts::ARCH.try_into().ok()?);
        filter.ok()?.try_into().ok()
    }
}
