//! What tools can do.

use tracehound_graph::PropertyValue;

macro_rules! capabilities {
    ($( $(#[doc = $doc:literal])+ $variant:ident $name:literal $risk:literal; )+) => {
        /// Something that a tool can do, with its risk from 0 to 100.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Capability { $( $(#[doc = $doc])+ $variant, )+ }

        impl Capability {
            /// All that the table knows.
            pub const ALL: &'static [Self] = &[$( Self::$variant, )+];

            /// The name in `capability_surface`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// How dangerous it is.
            #[must_use]
            pub const fn risk(self) -> u8 {
                match self { $( Self::$variant => $risk, )+ }
            }
        }
    };
}

capabilities! {
    /// Runs shell commands.
    ShellAccess "shell_access" 100;
    /// Runs code.
    CodeExecution "code_execution" 100;
    /// Reads secrets.
    CredentialAccess "credential_access" 90;
    /// Asks databases.
    DatabaseAccess "database_access" 80;
    /// Writes files.
    FileWrite "file_write" 70;
    /// Talks to the network.
    NetworkOutbound "network_outbound" 60;
    /// Sends mail.
    EmailSend "email_send" 50;
    /// Reads files.
    FileRead "file_read" 40;
    /// Fetches what its output names, as pictures in a page are fetched.
    AutoFetchRender "auto_fetch_render" 20;
    /// Reaches the network through a proxy with a list of allowed places.
    AllowlistedProxy "allowlisted_proxy" 20;
    /// Anything that the table does not know.
    Other "other" 20;
}

/// A set of capabilities.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Capabilities(u16);

impl Capabilities {
    /// Running commands or code.
    pub const EXECUTION: Self = Self::set(&[Capability::ShellAccess, Capability::CodeExecution]);
    /// Reading what lies on a machine, secrets included.
    pub const READING: Self = Self::set(&[Capability::FileRead, Capability::CredentialAccess]);
    /// Reading or writing files.
    pub const FILES: Self = Self::set(&[Capability::FileRead, Capability::FileWrite]);
    /// Asking databases.
    pub const DATABASES: Self = Self::set(&[Capability::DatabaseAccess]);
    /// Sending something out.
    pub const OUTBOUND: Self = Self::set(&[
        Capability::EmailSend,
        Capability::NetworkOutbound,
        Capability::FileWrite,
        Capability::AutoFetchRender,
        Capability::AllowlistedProxy,
    ]);
    /// Acting in ways that somebody else's words must not bring about.
    pub const STEERABLE: Self = Self::set(&[
        Capability::ShellAccess,
        Capability::CodeExecution,
        Capability::CredentialAccess,
        Capability::EmailSend,
    ]);
    /// Letting untrusted content have consequences.
    pub const CONSEQUENTIAL: Self =
        Self::set(&[Capability::CredentialAccess, Capability::FileWrite, Capability::EmailSend]);

    const fn set(all: &[Capability]) -> Self {
        let mut bits = 0;
        let mut rest = all;
        while let [first, others @ ..] = rest {
            bits |= 1 << *first as u16;
            rest = others;
        }
        Self(bits)
    }

    /// Reads the property `capability_surface`.
    #[must_use]
    pub fn of(surface: Option<&PropertyValue<'_>>) -> Self {
        let Some(surface) = surface else { return Self::default() };
        let one = |name: &str| {
            let known = Capability::ALL.iter().find(|capability| capability.name() == name);
            Self::set(&[known.copied().unwrap_or(Capability::Other)])
        };
        surface.texts().map(one).fold(Self::default(), |all, one| Self(all.0 | one.0))
    }

    /// Whether the two have something in common.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The capabilities, the most dangerous first.
    pub fn iter(self) -> impl Iterator<Item = Capability> {
        Capability::ALL.iter().copied().filter(move |capability| self.meets(Self::set(&[*capability])))
    }

    /// Those that both have.
    #[must_use]
    pub const fn shared(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The highest risk among them.
    #[must_use]
    pub fn risk(self) -> u8 {
        self.iter().map(Capability::risk).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_risk_counts_and_what_is_unknown_counts_a_little() {
        let text = |name: &'static str| PropertyValue::Text(name.into());
        let of = |names: &[&'static str]| {
            Capabilities::of(Some(&PropertyValue::List(names.iter().map(|name| text(name)).collect())))
        };
        assert_eq!(of(&[]).risk(), 0);
        assert_eq!(of(&["teleport"]).risk(), 20);
        assert_eq!(of(&["file_read", "database_access"]).risk(), 80);
        assert!(of(&["file_read"]).meets(Capabilities::READING) && !of(&["file_read"]).meets(Capabilities::OUTBOUND));
        assert_eq!(Capabilities::of(None), Capabilities::default());
    }
}
