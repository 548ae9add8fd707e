//! The fingerprint rule format: requests that are answered in a certain way by one kind of AI service.
//!
//! Pure: a fingerprint says which request it wants answered next and, from the answers, whether it matched and what was
//! learnt. Who makes the requests, and to whom, is not known here. Reading a file is as strict as for detection rules.

mod change;
mod expression;
mod headers;
mod json;
mod kinds;
mod matching;
mod merge;
mod path;
mod read;
mod read_probe;
mod read_test;
mod response;
mod template;
#[cfg(test)]
mod tests;
mod trial;
mod types;
mod words;

pub use change::version_problem;
pub use expression::Expression;
pub use kinds::{service_kind, service_tag};
pub use matching::{Known, Miss, Recognised, Step};
pub use merge::merge;
pub use path::JsonPath;
pub use read::read_fingerprint;
pub(crate) use read::{is_fingerprint, read_proven_fingerprint};
pub use response::Response;
pub use template::{Part, Template};
pub use trial::{Trial, run_trials};
pub use types::{
    Capture, Fingerprint, FingerprintTest, Matcher, Method, Probe, Request, StatusRange, TestResponse, Wanted,
};
