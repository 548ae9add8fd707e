//! Patterns of fingerprints, compiled when the rule is read.

use std::fmt;
use std::sync::Arc;

use regex_automata::meta::{BuildError, Regex};
use regex_automata::util::syntax;

use crate::limits;
use crate::reading::pattern::Pattern;

/// A regular expression without look-around or back-references, so that it takes linear time.
#[derive(Clone)]
pub struct Expression {
    pattern: String,
    case_insensitive: bool,
    regex: Arc<Regex>,
}

impl Expression {
    /// Compiles a pattern that was found good.
    pub(super) fn compile(pattern: &Pattern<'_>) -> Result<Self, Box<BuildError>> {
        // Groups and the expression that is searched backwards come on top of what was measured.
        let config = Regex::config().nfa_size_limit(Some(2 * limits::PATTERN_COMPILED_BYTES));
        let syntax =
            syntax::Config::new().case_insensitive(pattern.is_case_insensitive).nest_limit(limits::PATTERN_DEPTH);
        let regex = Regex::builder().configure(config).syntax(syntax).build(pattern.text)?;
        Ok(Self {
            pattern: pattern.text.to_owned(),
            case_insensitive: pattern.is_case_insensitive,
            regex: Arc::new(regex),
        })
    }

    /// The pattern as the file has it.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Whether case does not matter.
    #[must_use]
    pub const fn is_case_insensitive(&self) -> bool {
        self.case_insensitive
    }

    /// Whether it matches somewhere.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// What its first group matches; all that it matches if it has no group.
    pub(super) fn first<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut found = self.regex.create_captures();
        self.regex.captures(text, &mut found);
        let group = usize::from(self.regex.captures_len() > 1);
        text.get(found.get_group(group)?.range())
    }
}

/// Two are equal when their files say the same.
impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        (&self.pattern, self.case_insensitive) == (&other.pattern, other.case_insensitive)
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = if self.case_insensitive { "(?i)" } else { "" };
        write!(f, "/{flags}{}/", self.pattern)
    }
}
