//! Who takes part: tenants, agents, people and machines, and the tools and servers that are registered.
//!
//! Only what they are. Where they are kept is the store's business, what they may do the policies'.

mod agent;
mod mcp;
mod person;
mod tool;

pub use agent::{Agent, AgentProfile, AgentStatus, RiskTier};
pub use mcp::{McpServer, McpServerStatus, McpTool, McpToolStatus};
pub use person::{Person, Role};
pub use tool::{DefaultDecision, Tool, ToolAction};

/// The tenant of somebody who does not care about tenants.
pub const DEFAULT_TENANT: &str = "default";

/// Implements `Display`, serde and reading for an enum whose names are listed once, and describes it for the API: by its
/// own name, or by another where that name is taken.
macro_rules! words {
    ($type:ident $(as $shown:literal)?, $what:literal, $($variant:ident => $name:literal),+ $(,)?) => {
        impl $type {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// The one with exactly this name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|entry| entry.name() == name)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <String as serde::Deserialize>::deserialize(deserializer)?;
                Self::from_name(&name).ok_or_else(|| {
                    let all = Self::ALL.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
                    serde::de::Error::custom(format_args!("`{name}` is not {}: it is one of {all}", $what))
                })
            }
        }

        impl utoipa::PartialSchema for $type {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some([$($name),+]))
                    .into()
            }
        }

        impl utoipa::ToSchema for $type {
            fn name() -> std::borrow::Cow<'static, str> {
                let names: &[&'static str] = &[$($shown,)? stringify!($type)];
                names.first().copied().unwrap_or_default().into()
            }
        }
    };
}
pub(crate) use words;
