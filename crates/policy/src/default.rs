//! The policies that come with the product.

use std::sync::{Arc, LazyLock};

use crate::decision::PolicySource;
use crate::hash::body_hash;
use crate::rule::{Origin, Rule};

/// The version of the policies in the text; goes up when one of them changes.
const VERSION: u32 = 1;

/// Their text.
pub(crate) const TEXT: &str = include_str!("default.cedar");

/// The policies that come with the product, in the order of the text.
pub(crate) static RULES: LazyLock<Vec<Arc<Rule>>> = LazyLock::new(|| {
    let origin =
        Origin { key: "default", version: VERSION, hash: &body_hash(TEXT), body: TEXT, source: PolicySource::Default };
    #[expect(clippy::expect_used, reason = "the text is compiled in, and every test uses it")]
    let rules = Rule::read(&origin).expect("the default policies are sound");
    rules.into_iter().map(Arc::new).collect()
});
