//! Firings that become incidents.

use super::*;

fn storms(count: i64, from: i64) -> Vec<Fired> {
    let mut detector = Detector::new([denials(3, 10)]);
    (0..count).flat_map(|it| detector.observe(&call(from + it * SECOND, "agent", "deny", "act")).fired).collect()
}

fn opened(fired: &Fired) -> OpenIncident {
    match correlate(fired, None) {
        Some(Change::Open(opening)) => OpenIncident::new("incident".into(), &opening),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_firing_opens_an_incident_that_carries_its_decisions() {
    let fired = storms(3, 0).remove(0);
    let Some(Change::Open(opening)) = correlate(&fired, None) else { panic!("nothing was opened") };
    assert_eq!(opening.opened_at, fired.at);
    assert_eq!(opening.summary, "denied 3 times");
    let decisions: Vec<_> = opening.sources.iter().flat_map(|source| source.decision_id.clone()).collect();
    assert_eq!(decisions, ["decision-agent-0", "decision-agent-1000000", "decision-agent-2000000"]);
}

#[test]
fn what_follows_extends_it_without_duplicates() {
    let mut fired = storms(4, 0);
    let open = opened(&fired[0]);
    fired[1].severity = Severity::Critical;
    let known = fired[0].sources[0].clone();
    fired[1].sources.push(known);
    let Some(Change::Extend(extension)) = correlate(&fired[1], Some(&open)) else { panic!("nothing was extended") };
    assert_eq!((extension.incident_id.as_str(), extension.severity), ("incident", Severity::Critical));
    assert_eq!((extension.added.len(), extension.source_count), (1, 4));
    assert_eq!(extension.summary, "denied 4 times");
    // The worse severity stays.
    let mut open = open;
    open.extend(&extension);
    let Some(Change::Extend(extension)) = correlate(&fired[0], Some(&open)) else { panic!("nothing was extended") };
    assert_eq!((extension.severity, extension.added.len()), (Severity::Critical, 0));
}

#[test]
fn another_agent_kind_or_hour_opens_another() {
    let fired = storms(3, 0).remove(0);
    let open = opened(&fired);
    let is_opening = |fired: &Fired| matches!(correlate(fired, Some(&open)), Some(Change::Open(_)));
    assert!(!is_opening(&fired));
    assert!(is_opening(&Fired { agent_id: Some("other".into()), ..fired.clone() }));
    assert!(is_opening(&Fired { tenant_id: "other".into(), ..fired.clone() }));
    assert!(is_opening(&Fired { incident: Some("other".into()), ..fired.clone() }));
    assert!(!is_opening(&Fired { at: fired.at.plus_seconds(3_600), ..fired.clone() }));
    assert!(is_opening(&Fired { at: fired.at.plus_seconds(3_601), ..fired.clone() }));
    assert_eq!(correlate(&Fired { incident: None, ..fired }, Some(&open)), None);
}

#[test]
fn a_closed_incident_takes_nothing_in() {
    let fired = storms(5, 0);
    let mut incidents = Incidents::default();
    let mut next = 0;
    let mut take = |incidents: &mut Incidents, fired: &Fired| {
        let name = || {
            next += 1;
            format!("incident-{next}")
        };
        incidents.take(fired, name).unwrap().0
    };
    assert_eq!(take(&mut incidents, &fired[0]), "incident-1");
    assert_eq!(take(&mut incidents, &fired[1]), "incident-1");
    incidents.close("incident-1");
    assert_eq!(take(&mut incidents, &fired[2]), "incident-2");
    let mut again = Incidents::default();
    again.restore(OpenIncident { id: "restored".into(), ..opened(&fired[0]) });
    assert_eq!(take(&mut again, &fired[2]), "restored");
}

#[test]
fn a_long_storm_lists_a_bounded_number_of_events() {
    let mut detector = Detector::new([denials(3, 10)]);
    let mut incidents = Incidents::default();
    let (mut listed, mut total) = (0, 0);
    for at in 0..10_500 {
        for fired in detector.observe(&call(at, "agent", "deny", "act")).fired {
            match incidents.take(&fired, || "incident".into()) {
                Some((_, Change::Open(opening))) => listed += opening.sources.len() as u64,
                Some((_, Change::Extend(extension))) => {
                    listed += extension.added.len() as u64;
                    total = extension.source_count;
                }
                None => panic!("a storm is an incident"),
            }
        }
    }
    assert_eq!((listed, total), (limits::INCIDENT_SOURCES, 10_500));
}
