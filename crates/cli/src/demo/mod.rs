//! The sample estate behind `tracehound demo`: two weeks in the life of two machines.
//!
//! All of it is made up, but each part has the shape of what collectors really find: a laptop with two clients, a
//! build server, a database key that a gateway also holds, a tool whose description changes within days.

mod build;
pub(crate) mod live;
mod story;

use tracehound_model::wire::Document;

/// The scan before the re-scan that finds what changed.
pub(crate) const BEFORE_RESCAN: &str = "monday-agents";

/// The documents of the sample, in order of time.
pub(crate) fn documents() -> Vec<Document> {
    vec![
        story::first_laptop(),
        story::second_laptop(),
        story::third_laptop(),
        story::monday_laptop(),
        story::monday_build_server(),
        story::monday_network(),
        story::monday_agents(),
        story::friday_laptop(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_the_same_each_time_and_names_its_scans_once() {
        assert_eq!(documents(), documents());
        let mut ids: Vec<String> = documents().into_iter().map(|document| document.meta.scan_id).collect();
        assert!(ids.iter().any(|id| id == BEFORE_RESCAN));
        let all = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), all);
    }
}
