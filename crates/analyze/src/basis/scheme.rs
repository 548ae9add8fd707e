//! What sort of thing a resource's address leads to.

/// Schemes of databases, by the part before a `+` that names a driver or a way to look up the server.
const DATABASES: &[&str] = &[
    "bigquery",
    "bolt",
    "cassandra",
    "clickhouse",
    "cockroachdb",
    "couchbase",
    "couchdb",
    "databricks",
    "db2",
    "duckdb",
    "elasticsearch",
    "mariadb",
    "memcached",
    "mongodb",
    "mssql",
    "mysql",
    "mysqlx",
    "neo4j",
    "opensearch",
    "oracle",
    "postgis",
    "postgres",
    "postgresql",
    "redis",
    "rediss",
    "redshift",
    "snowflake",
    "sqlite",
    "sqlite3",
    "sqlserver",
    "trino",
    "valkey",
    "valkeys",
];

/// A family of schemes that the same capability opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Databases.
    Database,
    /// Files.
    File,
    /// Everything else.
    Other,
}

impl Family {
    /// The family of a scheme, in whatever case, with or without a driver: `postgresql+asyncpg`, `mongodb+srv`.
    #[must_use]
    pub fn of(scheme: &str) -> Self {
        let scheme = scheme.to_ascii_lowercase();
        let (first, _) = scheme.split_once('+').unwrap_or((&scheme, ""));
        match first {
            "file" => Self::File,
            first if DATABASES.binary_search(&first).is_ok() => Self::Database,
            _ => Self::Other,
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::File => "file",
            Self::Other => "other",
        }
    }
}

/// The scheme at the beginning of an address.
pub(crate) fn scheme_of(uri: &str) -> &str {
    uri.split_once(':').map_or("", |(scheme, _)| scheme)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_database_are_one_family() {
        for scheme in ["postgres", "postgresql", "POSTGRESQL", "postgresql+asyncpg", "mysql", "mongodb+srv", "rediss"] {
            assert_eq!(Family::of(scheme), Family::Database, "{scheme}");
        }
        assert_eq!(
            [Family::of("file"), Family::of("https"), Family::of("")],
            [Family::File, Family::Other, Family::Other]
        );
        assert!(DATABASES.is_sorted());
    }
}
