//! Ways to authenticate.

/// What somebody demands of callers. What is absent counts as no authentication, and so does what nobody knows: a guess
/// must not make anything look safer than it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Auth {
    /// Nothing, or nothing is known.
    None,
    /// A way that the table does not know.
    Unknown,
    /// A fixed key.
    ApiKey,
    /// A bearer token.
    Bearer,
    /// OAuth.
    Oauth,
    /// Certificates on both sides.
    Mtls,
}

impl Auth {
    /// Reads the property `auth_method`, in whatever case it is written.
    #[must_use]
    pub fn of(method: Option<&str>) -> Self {
        let Some(method) = method.map(str::trim).filter(|method| !method.is_empty()) else { return Self::None };
        let is = |name: &str| method.eq_ignore_ascii_case(name);
        match () {
            () if is("none") => Self::None,
            () if is("apiKey") || is("static_key") || is("api_key") => Self::ApiKey,
            () if is("bearer") => Self::Bearer,
            () if is("oauth") || is("oauth2") => Self::Oauth,
            () if is("mtls") => Self::Mtls,
            () => Self::Unknown,
        }
    }

    /// The name in the kinds table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Unknown => "unknown",
            Self::ApiKey => "apiKey",
            Self::Bearer => "bearer",
            Self::Oauth => "oauth",
            Self::Mtls => "mtls",
        }
    }

    /// How weak it is, from 10 to 100.
    #[must_use]
    pub const fn weakness(self) -> u8 {
        match self {
            Self::None | Self::Unknown => 100,
            Self::ApiKey => 70,
            Self::Bearer => 50,
            Self::Oauth => 25,
            Self::Mtls => 10,
        }
    }

    /// Whether anybody may call.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::None)
    }
}

#[cfg(test)]
mod tests {
    use super::Auth;

    #[test]
    fn what_is_absent_is_as_weak_as_none() {
        assert_eq!([None, Some(""), Some(" "), Some("none"), Some("None")].map(Auth::of), [Auth::None; 5]);
        assert_eq!([Some("telepathy")].map(Auth::of).map(Auth::weakness), [100]);
    }

    #[test]
    fn names_are_read_in_any_case() {
        assert_eq!([Some("apiKey"), Some("static_key"), Some("APIKEY")].map(Auth::of), [Auth::ApiKey; 3]);
        assert_eq!([Some("mTLS"), Some("mtls")].map(Auth::of), [Auth::Mtls; 2]);
        assert_eq!([Some("bearer"), Some("oauth")].map(Auth::of).map(Auth::weakness), [50, 25]);
    }
}
