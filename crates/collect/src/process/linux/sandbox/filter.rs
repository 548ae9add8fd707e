//! The filter of system calls: what Landlock does not know of, and what reaches others without files.

use std::collections::BTreeMap;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

/// `EPERM`.
const NOT_PERMITTED: u32 = 1;
/// `ENOSYS`.
const NOT_KNOWN: u32 = 38;

/// System calls by the numbers of x86-64.
#[cfg(target_arch = "x86_64")]
mod numbers {
    #[rustfmt::skip]
    pub(super) const REFUSED: &[i64] = &[
        // socket, and io_uring_setup, which can open sockets too.
        41, 425,
        // Modes, owners and attributes of files.
        90, 91, 92, 93, 94, 188, 189, 190, 197, 198, 199, 260, 268, 452, 463, 466, 469,
        // Memory (shm*), semaphores (sem*) and queues (msg*, mq_open, mq_unlink) that all programs of a user share.
        29, 30, 31, 64, 65, 66, 220, 68, 69, 70, 71, 240, 241,
        // Keys of the user that the kernel keeps: add_key, request_key, keyctl.
        248, 249, 250,
        // unshare, setns.
        272, 308,
        // settimeofday, clock_settime.
        164, 227,
        // perf_event_open, bpf, userfaultfd.
        298, 321, 323,
    ];
    pub(super) const PRLIMIT: i64 = 302;
    pub(super) const CLONE: i64 = 56;
    /// What is added to the numbers of the calls. Kernels may know them by others too; a few of those don't exist.
    pub(super) const ADDED: &[i64] = &[0, 0x4000_0000];
}

/// The same by the table that newer architectures share.
#[cfg(not(target_arch = "x86_64"))]
mod numbers {
    #[rustfmt::skip]
    pub(super) const REFUSED: &[i64] = &[
        198, 425,
        5, 6, 7, 14, 15, 16, 52, 53, 54, 55, 452, 463, 466, 469,
        194, 196, 195, 190, 193, 191, 192, 186, 189, 188, 187, 180, 181,
        217, 218, 219,
        97, 268,
        170, 112,
        241, 280, 282,
    ];
    pub(super) const PRLIMIT: i64 = 261;
    pub(super) const CLONE: i64 = 220;
    pub(super) const ADDED: &[i64] = &[0];
}

/// The same number everywhere. What it makes stands in memory that a filter can't see; whoever is told that it does not
/// exist uses `clone`.
const CLONE3: i64 = 435;
/// What makes `clone` do what `unshare` does: mount, cgroup, host name, IPC, user, process and network name spaces.
const NAME_SPACES: &[u64] =
    &[0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Refuses the calls in this thread and in what it starts.
pub(super) fn engage() -> Result<(), String> {
    let words = |error: &dyn std::fmt::Display| format!("the kernel does not filter system calls: {error}");
    for program in programs().map_err(|error| words(&error))? {
        seccompiler::apply_filter(&program).map_err(|error| words(&error))?;
    }
    Ok(())
}

/// One filter for each answer.
fn programs() -> Result<[BpfProgram; 2], BackendError> {
    Ok([program(&refused()?, NOT_PERMITTED)?, program(&Rules::from([(CLONE3, Vec::new())]), NOT_KNOWN)?])
}

/// What is refused, always or by an argument.
fn refused() -> Result<Rules, BackendError> {
    let first = |is: SeccompCmpOp, value: u64| {
        // Both of the arguments are looked at by the kernel as 32 bits.
        SeccompRule::new(vec![SeccompCondition::new(0, SeccompCmpArgLen::Dword, is, value)?])
    };
    let mut rules: Rules = numbers::REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    // Limits of others: a limit of no time at all ends a process. Zero is whoever calls.
    rules.insert(numbers::PRLIMIT, vec![first(SeccompCmpOp::Ne, 0)?]);
    let spaces = NAME_SPACES.iter().map(|space| first(SeccompCmpOp::MaskedEq(*space), *space));
    rules.insert(numbers::CLONE, spaces.collect::<Result<_, _>>()?);
    Ok(rules)
}

fn program(rules: &Rules, answer: u32) -> Result<BpfProgram, BackendError> {
    let renumbered = |added: i64| rules.iter().map(move |(call, rules)| (call | added, rules.clone()));
    let rules = numbers::ADDED.iter().copied().flat_map(renumbered).collect();
    let arch = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(answer), arch)?.try_into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `SECCOMP_RET_ALLOW` is.
    const ALLOW: u32 = 0x7fff_0000;
    /// What `SECCOMP_RET_ERRNO` is.
    const ERRNO: u32 = 0x0005_0000;

    #[cfg(target_arch = "x86_64")]
    const ARCH: u32 = 0xc000_003e;
    #[cfg(target_arch = "aarch64")]
    const ARCH: u32 = 0xc000_00b7;
    #[cfg(target_arch = "riscv64")]
    const ARCH: u32 = 0xc000_00f3;

    /// What a kernel makes of a call with this first argument: runs a filter as far as filters use the machine.
    fn run(program: &BpfProgram, call: i64, argument: u64) -> u32 {
        let call = u32::try_from(call).unwrap();
        let (low, high) = (argument as u32, (argument >> 32) as u32);
        let (mut at, mut held) = (0, 0);
        loop {
            let step = &program[at];
            at += 1;
            let jump = |is_so: bool| usize::from(if is_so { step.jt } else { step.jf });
            match step.code {
                0x20 => held = [call, ARCH, 0, 0, low, high].get(step.k as usize / 4).copied().unwrap_or(0),
                0x54 => held &= step.k,
                0x05 => at += step.k as usize,
                0x15 => at += jump(held == step.k),
                0x25 => at += jump(held > step.k),
                0x35 => at += jump(held >= step.k),
                0x06 => return step.k,
                code => panic!("{code:#x}"),
            }
        }
    }

    #[track_caller]
    fn check(call: i64, argument: u64, expected: u32) {
        let [refusing, denying] = programs().unwrap();
        let answers = [run(&refusing, call, argument), run(&denying, call, argument)];
        // Kernels take the strictest answer, which has the lowest number.
        assert_eq!(answers.into_iter().min(), Some(expected), "{call} {argument:#x}");
    }

    #[test]
    fn calls_are_refused_by_number_and_by_argument() {
        for call in numbers::REFUSED {
            check(*call, 0, ERRNO | NOT_PERMITTED);
        }
        check(numbers::PRLIMIT, 0, ALLOW);
        // The kernel does not look at the upper half.
        check(numbers::PRLIMIT, 1 << 32, ALLOW);
        for process in [1, 4711, u64::from(u32::MAX), u64::MAX] {
            check(numbers::PRLIMIT, process, ERRNO | NOT_PERMITTED);
        }
        // A process, and a thread as libraries make them.
        for flags in [17, 0x003d_0f00] {
            check(numbers::CLONE, flags, ALLOW);
        }
        for space in NAME_SPACES {
            check(numbers::CLONE, space | 17, ERRNO | NOT_PERMITTED);
        }
        check(CLONE3, 0, ERRNO | NOT_KNOWN);
        check(0, 0, ALLOW);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_other_numbers_of_a_call_do_not_help() {
        let other = |call: i64| call | 0x4000_0000;
        check(other(numbers::PRLIMIT), 1, ERRNO | NOT_PERMITTED);
        check(other(CLONE3), 0, ERRNO | NOT_KNOWN);
        for call in numbers::REFUSED {
            check(other(*call), 0, ERRNO | NOT_PERMITTED);
        }
    }
}
