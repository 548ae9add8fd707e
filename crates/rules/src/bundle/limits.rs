//! How much a bundle may demand of us.
//!
//! Whoever may sign is trusted to write rules, not to exhaust memory; and an unsigned bundle is nobody's. A single file
//! is bound by [`crate::limits::FILE_BYTES`], like a rule file that lies in a directory.

/// Size of an archive. All built-in rules with their tests take 180 KiB, packed.
pub const ARCHIVE_BYTES: usize = 16 << 20;

/// Size of an archive when unpacked, headers and padding included: it is read up to here and then refused, however much
/// more there would be.
pub const UNPACKED_BYTES: u64 = 64 << 20;

/// Files and directories in an archive.
pub const ENTRIES: usize = 10_000;

/// Length of a path within a bundle; no more fits a header of the archive.
pub const PATH_BYTES: usize = 255;

/// Directories within each other.
pub const DEPTH: usize = 8;

/// Size of a manifest: a line of the greatest length for each entry would just fit.
pub const MANIFEST_BYTES: usize = 4 << 20;

/// Size of a file with a signature. Those of cosign take a few KiB, with the entry of a log.
pub const SIGNATURE_BYTES: usize = 256 << 10;

/// Size of a file with a public key.
pub const KEY_BYTES: usize = 16 << 10;
