//! Agents and their cards.

use crate::met::{IMPATIENT, asked, asked_with, serve, shown};

#[test]
fn an_honest_agent_is_known_at_either_path() {
    for scenario in ["card", "old-card"] {
        let (met, _) = asked(&[scenario]);
        assert_eq!(met.agent()["status"], "reachable", "{:#}", met.agent());
        assert_eq!(met.count("A2ASkill"), 1);
        assert_eq!(met.code, 0);
    }
}

#[test]
fn an_agent_that_names_a_thousand_is_not_followed_everywhere() {
    let (met, log) = asked(&["delegates"]);
    assert!(log.len() < 200, "{} requests", log.len());
    assert!(met.report().contains("of 1000 other agents that it names, 980 were not asked"), "{}", met.report());
    assert!(met.findings().contains(&"card-cut-short"), "{:?}", met.findings());
}

#[test]
fn a_card_does_not_decide_who_the_agent_is() {
    let (met, _) = asked(&["other-url"]);
    assert_eq!(met.agent()["claimed_url"], "https://agents.example.com/");
    assert!(met.agent()["url"].as_str().is_some_and(|url| url.starts_with("http://127.0.0.1:")));
    assert!(!met.findings().is_empty());
}

#[test]
fn keys_on_loopback_are_not_fetched() {
    let (met, log) = asked(&["jku-loopback"]);
    assert_eq!((&met.agent()["is_signed"], &met.agent()["signature_valid"]), (&true.into(), &false.into()));
    assert!(met.agent()["signature_problem"].is_string());
    assert!(!log.iter().any(|line| line.contains("keys.json")), "{log:?}");
}

/// An agent of which nothing can be had is named, with the reason.
#[track_caller]
fn check_unreachable(scenario: &str, why: &str) {
    let (met, log) = asked_with(&[scenario], IMPATIENT);
    assert_eq!(met.count("A2ASkill"), 0);
    assert!(met.report().contains(why), "`{why}` is not in {}", met.report());
    assert!(log.len() < 50 && !log.iter().any(|line| line.contains("localhost")), "{log:?}");
}

#[test]
fn cards_that_cannot_be_read_are_named() {
    check_unreachable("huge-card", "longer than");
    check_unreachable("deep-card", "recursion limit");
    check_unreachable("not-a-card", "JSON");
    check_unreachable("gzip-bomb", "compressed");
}

#[test]
fn agents_that_do_not_answer_in_time_are_given_up() {
    for scenario in ["no-answer", "drip-card", "slow-headers"] {
        check_unreachable(scenario, "no answer within 3 s");
    }
}

#[test]
fn no_redirect_leads_away() {
    check_unreachable("redirect-metadata", "169.254.169.254");
    check_unreachable("redirect-loop", "redirect");
    check_unreachable("redirect-other-site", "redirect");
}

#[test]
fn protected_agents_are_facts() {
    for scenario in ["protected-plain", "basic", "forbidden"] {
        let (met, _) = asked(&[scenario]);
        assert_eq!(met.agent()["status"], "protected", "{:#}", met.agent());
    }
}

#[test]
fn very_many_skills_are_bounded() {
    let (met, _) = asked(&["many-skills"]);
    assert_eq!(met.count("A2ASkill"), 0);
    assert!(met.report().contains("longer than"), "{}", met.report());
    let (met, _) = asked(&["many-skills", "--tools", "20000"]);
    assert!((1..20_000).contains(&met.count("A2ASkill")), "{}", met.count("A2ASkill"));
    assert!(met.agent()["cut_short"].is_array(), "{:#}", met.agent());
}

#[test]
fn names_do_nothing_to_terminals() {
    let server = serve("a2a", &["escapes-card"]);
    shown(&["--a2a", &server.url("")]);
}
