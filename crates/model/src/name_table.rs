//! What every table of named things offers: parsing, printing and serde by the one name in the table.

/// Implements lookup by name, `Display` and serde for an enum that has `ALL` and `name()`.
macro_rules! named {
    ($type:ident, $what:literal) => {
        impl $type {
            /// The entry with exactly this name; names are case-sensitive on the wire.
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
                let name = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                Self::from_name(&name)
                    .ok_or_else(|| serde::de::Error::custom(format_args!(concat!("`{}` is not ", $what), name)))
            }
        }
    };
}
pub(crate) use named;
