//! Why something is not contacted.

use std::fmt;

use crate::network::class::Class;

/// Most parts that are told one by one; the rest is counted.
const TOLD: usize = 50;

/// Something that was asked for and is not contacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// An address, a range or a name.
    pub what: String,
    /// Why not.
    pub why: Why,
}

/// Why something is not contacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// What kind of address it is.
    Class(Class),
    /// It is public, and that was allowed, but by nobody in particular.
    Unauthorized,
    /// A name leads to an address that is not contacted.
    Leads {
        /// The address.
        to: std::net::IpAddr,
        /// Why that is not contacted.
        why: Box<Why>,
    },
    /// A name has no address, or none can be found.
    Unresolved(String),
    /// A name has more addresses than anything ordinary.
    ManyAddresses(usize),
    /// A name that is to be left out can't be resolved, so nobody knows what to leave out.
    UnknownExclusion(String),
    /// More names than are resolved for one scan.
    ManyNames {
        /// The most that are.
        limit: usize,
    },
    /// More addresses than anybody names by accident.
    Many {
        /// The most without being asked for.
        limit: u64,
    },
    /// More addresses than are ever scanned.
    TooMany {
        /// The most that ever are.
        limit: u64,
    },
    /// More connections than are ever made.
    TooManyConnections {
        /// The most that ever are.
        limit: u64,
    },
    /// Nothing says which ports.
    NoPorts,
    /// What is to be left out leaves nothing.
    Nothing,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class(Class::Public) => {
                f.write_str("it is public; --allow-public with --authorization FILE allows that")
            }
            Self::Class(Class::Metadata) => {
                f.write_str("it is where clouds keep the secrets of a machine; --exclude takes it out of a range")
            }
            Self::Class(class) => write!(f, "it is {class}"),
            Self::Unauthorized => f.write_str("it is public, and --allow-public needs --authorization FILE"),
            Self::Leads { to, why } => write!(f, "it is {to}: {why}"),
            Self::Unresolved(error) => write!(f, "it has no address: {error}"),
            Self::ManyAddresses(limit) => write!(f, "it has more than {limit} addresses"),
            Self::UnknownExclusion(error) => {
                write!(f, "it is to be left out and has no address, so nobody knows what to leave out: {error}")
            }
            Self::ManyNames { limit } => write!(f, "no more than {limit} names are resolved for one scan"),
            Self::Many { limit } => write!(f, "more than {limit} need --yes-many"),
            Self::TooMany { limit } => write!(f, "no more than {limit} are ever scanned at once"),
            Self::TooManyConnections { limit } => write!(f, "no more than {limit} are ever made at once"),
            Self::NoPorts => f.write_str("nothing says which ports"),
            Self::Nothing => f.write_str("what is left out leaves nothing to scan"),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: not contacted: {}", self.what, self.why)
    }
}

/// Why a scan does not take place: every part of it that is refused.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Refusal {
    /// The first of them.
    pub parts: Vec<Refused>,
    /// How many there are besides.
    pub more: u64,
}

impl Refusal {
    pub(super) fn add(&mut self, what: impl fmt::Display, why: Why) {
        let refused = Refused { what: what.to_string(), why };
        // A name with several ports is refused for each of them, and told once.
        if self.parts.contains(&refused) {
            return;
        }
        match self.parts.len() < TOLD {
            true => self.parts.push(refused),
            false => self.more += 1,
        }
    }

    /// Whether nothing is refused.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing was contacted")?;
        for part in &self.parts {
            write!(f, "\n  {part}")?;
        }
        if self.more > 0 {
            write!(f, "\n  and {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

/// Why addresses of a class are not contacted, if they are not.
pub(super) fn of_class(class: Class, allows_public: bool) -> Option<Why> {
    match class {
        Class::Loopback | Class::Private => None,
        Class::Public if allows_public => None,
        class => Some(Why::Class(class)),
    }
}
