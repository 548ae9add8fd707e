//! No test here opens a socket: names are resolved by a table, and plans contact nobody.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use super::*;

/// Names and what they lead to; others do not exist.
const NAMES: &[(&str, &[&str])] = &[
    ("box.example", &["10.0.0.5"]),
    ("both.example", &["10.0.0.6", "fd00::6", "::ffff:10.0.0.6"]),
    ("world.example", &["93.184.216.34"]),
    ("mixed.example", &["10.0.0.7", "93.184.216.34"]),
    ("cloud.example", &["10.0.0.8", "169.254.169.254"]),
    ("nowhere.example", &[]),
    ("localhost", &["127.0.0.1", "::1"]),
];

/// What the test asks of a wish, in one line: words after `-` are left out.
fn wish(line: &str) -> Wish {
    let (left_out, targets): (Vec<&str>, Vec<&str>) = line.split_whitespace().partition(|word| word.starts_with('-'));
    let read = |words: Vec<&str>| Targets::read(words, |_| unreachable!("no test names a file")).unwrap();
    Wish {
        targets: read(targets),
        exclude: read(left_out.iter().map(|word| &word[1..]).collect()),
        default_ports: "80,443".parse().unwrap(),
        ..Wish::default()
    }
}

fn draft(wish: &Wish) -> Draft {
    let resolver = async |name: &str| {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        let (_, addresses) = found.ok_or_else(|| io::Error::other("no such name"))?;
        Ok(addresses.iter().map(|ip| ip.parse().unwrap()).collect())
    };
    block_on(Draft::make(wish, resolver))
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    // Time alone: the runtime of these tests has no way to a socket.
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

fn plan(wish: &Wish) -> Plan {
    draft(wish).into_plan().unwrap()
}

/// The hosts of a plan as lines.
fn hosts(plan: &Plan) -> Vec<String> {
    plan.hosts()
        .map(|host| {
            let schemes: Vec<String> =
                host.schemes.iter().map(|(port, scheme)| format!("{}:{port}", scheme.name())).collect();
            let line = format!("{} {} {} {}", host.address, host.ports, host.names.join(","), schemes.join(","));
            line.trim_end().to_owned()
        })
        .collect()
}

fn check(line: &str, expected: &[&str]) {
    assert_eq!(hosts(&plan(&wish(line))), expected, "{line}");
}

/// What of a wish is refused, as lines.
fn refused(wish: &Wish) -> Vec<String> {
    let refused = draft(wish).into_plan().unwrap_err();
    refused.to_string().lines().skip(1).map(|line| line.trim().to_owned()).collect()
}

fn check_refused(line: &str, expected: &[&str]) {
    let mut wish = wish(line);
    assert_eq!(refused(&wish), expected, "{line}");
    // None of it depends on what else is allowed, except what says so.
    (wish.allow_public, wish.is_authorized, wish.many) = (true, true, true);
    let never: Vec<&&str> =
        expected.iter().filter(|line| !line.contains("--allow-public") && !line.contains("--yes-many")).collect();
    match draft(&wish).into_plan() {
        Ok(_) => assert_eq!(never, [] as [&&str; 0], "{line}"),
        Err(_) => assert_eq!(refused(&wish), never.into_iter().copied().collect::<Vec<_>>(), "{line}"),
    }
}

#[test]
fn near_addresses_are_contacted() {
    check("10.0.0.0/30", &["10.0.0.0 80,443", "10.0.0.1 80,443", "10.0.0.2 80,443", "10.0.0.3 80,443"]);
    check("10.0.0.42/32", &["10.0.0.42 80,443"]);
    check("fc00::1", &["fc00::1 80,443"]);
    check("127.0.0.1 ::1", &["::1 80,443", "127.0.0.1 80,443"]);
    check("172.16.0.1 192.168.1.1 100.64.0.1", &["100.64.0.1 80,443", "172.16.0.1 80,443", "192.168.1.1 80,443"]);
    check("::ffff:10.0.0.1 10.0.0.1", &["10.0.0.1 80,443"]);
}

#[test]
fn what_overlaps_is_contacted_once() {
    let plan = plan(&wish("10.0.0.0/30 10.0.0.0/30 10.0.0.1 10.0.0.2-5 10.0.0.3:80 box.example"));
    assert_eq!((plan.addresses(), plan.connections()), (6, 12));
    let mut places: Vec<Place> = plan.places().collect();
    assert_eq!(places.len(), 12);
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 12);
}

#[test]
fn a_service_is_contacted_at_its_port_only() {
    check("10.0.0.1:8080", &["10.0.0.1 8080"]);
    check("http://10.0.0.1 https://10.0.0.1", &["10.0.0.1 80,443  http:80,https:443"]);
    check("10.0.0.0/31 http://10.0.0.1:8080", &["10.0.0.0 80,443", "10.0.0.1 80,443,8080  http:8080"]);
    check("https://box.example:8443/", &["10.0.0.5 8443 box.example https:8443"]);
}

#[test]
fn ports_of_the_user_come_to_the_usual_ones() {
    let mut asked = wish("10.0.0.1");
    asked.ports = "8000-8002,80".parse().unwrap();
    assert_eq!(hosts(&plan(&asked)), ["10.0.0.1 80,443,8000-8002"]);
    asked.default_ports = Ports::default();
    assert_eq!(hosts(&plan(&asked)), ["10.0.0.1 80,8000-8002"]);
    asked.ports = Ports::default();
    assert_eq!(refused(&asked), ["the addresses: not contacted: nothing says which ports"]);
    // A service says itself which port it has.
    asked.targets = wish("10.0.0.1:8080").targets;
    assert_eq!(hosts(&plan(&asked)), ["10.0.0.1 8080"]);
}

#[test]
fn what_is_left_out_is_not_contacted() {
    check("10.0.0.0/30 -10.0.0.1-2", &["10.0.0.0 80,443", "10.0.0.3 80,443"]);
    check("10.0.0.4/31 -box.example", &["10.0.0.4 80,443"]);
    check("10.0.0.4/31 -box.example:80", &["10.0.0.4 80,443", "10.0.0.5 443"]);
    check("10.0.0.0/31 -https://10.0.0.1/", &["10.0.0.0 80,443", "10.0.0.1 80"]);
    check("10.0.0.1:80 10.0.0.2 -10.0.0.1:80", &["10.0.0.2 80,443"]);
    check("10.0.0.1:80 10.0.0.2 -10.0.0.1", &["10.0.0.2 80,443"]);
    check("both.example -fd00::/8", &["10.0.0.6 80,443 both.example"]);
    check("100.100.100.199-201 -100.100.100.200", &["100.100.100.199 80,443", "100.100.100.201 80,443"]);
    check("cloud.example -169.254.0.0/16", &["10.0.0.8 80,443 cloud.example"]);
    // The same machine, spelt otherwise.
    check("10.0.0.0/31 -::ffff:10.0.0.0", &["10.0.0.1 80,443"]);
    check_refused("10.0.0.1 -10.0.0.0/8", &["everything: not contacted: what is left out leaves nothing to scan"]);
    check_refused(
        "10.0.0.1 -gone.example",
        &[
            "gone.example: not contacted: it is to be left out and has no address, so nobody knows what to leave out: no such name",
        ],
    );
}

const PUBLIC: &str = "not contacted: it is public; --allow-public with --authorization FILE allows that";
const METADATA: &str =
    "not contacted: it is where clouds keep the secrets of a machine; --exclude takes it out of a range";

#[test]
fn public_addresses_need_to_be_allowed_and_authorised() {
    check_refused("8.8.8.8", &[&format!("8.8.8.8: {PUBLIC}")]);
    check_refused("2606:4700::1111", &[&format!("2606:4700::1111: {PUBLIC}")]);
    check_refused("192.168.255.254-192.169.0.1", &[&format!("192.169.0.0-192.169.0.1: {PUBLIC}")]);
    check_refused("world.example", &[&format!("world.example: not contacted: it is 93.184.216.34: {}", &PUBLIC[15..])]);
    check_refused("64:ff9b::808:808", &[&format!("64:ff9b::808:808: {PUBLIC}")]);
    for (allow_public, is_authorized, is_fine) in
        [(false, false, false), (true, false, false), (false, true, false), (true, true, true)]
    {
        let asked = Wish { allow_public, is_authorized, ..wish("8.8.8.8 world.example") };
        let draft = draft(&asked);
        assert_eq!(draft.admitted().admits("8.8.8.8".parse().unwrap()), is_fine);
        assert_eq!(draft.into_plan().is_ok(), is_fine);
    }
    let asked = Wish { allow_public: true, ..wish("8.8.8.8 world.example") };
    assert_eq!(
        refused(&asked),
        [
            "world.example: not contacted: it is 93.184.216.34: it is public, and --allow-public needs --authorization FILE",
            "8.8.8.8: not contacted: it is public, and --allow-public needs --authorization FILE",
        ]
    );
}

#[test]
fn some_addresses_are_never_contacted() {
    for (word, class) in [
        ("169.254.0.1", "link-local"),
        ("fe80::1", "link-local"),
        ("224.0.0.1", "multicast"),
        ("ff02::1", "multicast"),
        ("255.255.255.255", "broadcast"),
        ("0.0.0.0", "no address of a machine"),
        ("::", "no address of a machine"),
        ("0.1.2.3", "reserved"),
        ("240.0.0.1", "reserved"),
        ("100::1", "reserved"),
        ("64:ff9b::a00:1", "a near IPv4 address behind a translator; name it as IPv4"),
        ("2002:7f00:1::", "a near IPv4 address behind a translator; name it as IPv4"),
    ] {
        for line in [
            word.to_owned(),
            format!("http://{}:80", if word.contains(':') { format!("[{word}]") } else { word.to_owned() }),
        ] {
            check_refused(&line, &[&format!("{word}: not contacted: it is {class}")]);
        }
    }
    for word in [
        "169.254.169.254",
        "169.254.170.2",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd20:ce::254",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::",
    ] {
        check_refused(word, &[&format!("{word}: {METADATA}")]);
    }
    check_refused("::ffff:169.254.169.254", &[&format!("169.254.169.254: {METADATA}")]);
}

#[test]
fn a_range_is_refused_for_its_parts_and_each_is_told() {
    check_refused("100.100.100.0/24", &[&format!("100.100.100.200: {METADATA}")]);
    check_refused(
        "169.254.169.253-255",
        &[
            "169.254.169.253: not contacted: it is link-local",
            &format!("169.254.169.254: {METADATA}"),
            "169.254.169.255: not contacted: it is link-local",
        ],
    );
    check_refused("fd00:ec2::250-260", &[&format!("fd00:ec2::254: {METADATA}")]);
    check_refused(
        "10.255.255.255-11.0.0.0 223.255.255.255-224.0.0.0 11.0.0.0:99",
        &[
            &format!("11.0.0.0: {PUBLIC}"),
            &format!("223.255.255.255: {PUBLIC}"),
            "224.0.0.0: not contacted: it is multicast",
        ],
    );
    // What is told about a range stays one line, whatever ports its addresses have.
    check_refused("8.0.0.0/24 8.0.0.7:99", &[&format!("8.0.0.0-8.0.0.255: {PUBLIC}")]);
}

#[test]
fn refused_parts_stand_beside_admitted_ones_until_it_is_decided() {
    let draft = draft(&wish("10.0.0.1 8.8.8.8 mixed.example"));
    assert_eq!(hosts(draft.admitted()), ["10.0.0.1 80,443"]);
    assert_eq!(draft.refused().parts.len(), 2);
    let refusal = draft.into_plan().unwrap_err();
    assert_eq!(
        refusal.to_string(),
        format!(
            "nothing was contacted\n  mixed.example: not contacted: it is 93.184.216.34: {}\n  8.8.8.8: {PUBLIC}",
            &PUBLIC[15..]
        )
    );
}

#[test]
fn one_bad_address_spoils_a_name() {
    let metadata = &METADATA[15..];
    check_refused("cloud.example", &[&format!("cloud.example: not contacted: it is 169.254.169.254: {metadata}")]);
    check_refused(
        "cloud.example:80 cloud.example:81",
        &[&format!("cloud.example: not contacted: it is 169.254.169.254: {metadata}")],
    );
    let draft = draft(&wish("cloud.example 10.0.0.1"));
    assert!(!draft.admitted().admits("10.0.0.8".parse().unwrap()));
    assert!(draft.admitted().pins().is_empty());
    check_refused("gone.example", &["gone.example: not contacted: it has no address: no such name"]);
    check_refused("nowhere.example", &["nowhere.example: not contacted: it has no address: there is none"]);
}

#[test]
fn a_name_is_resolved_once_and_means_that_ever_after() {
    let asked = RefCell::new(Vec::new());
    // A name that changes its mind at each question.
    let rebinding = async |name: &str| {
        asked.borrow_mut().push(name.to_owned());
        let count = asked.borrow().len();
        Ok(vec![if count == 1 { "10.0.0.5" } else { "169.254.169.254" }.parse().unwrap()])
    };
    let wish = wish("box.example Box.Example:81 http://box.example:82 10.0.0.4/31 -box.example:443");
    let plan = block_on(Draft::make(&wish, rebinding)).into_plan().unwrap();
    assert_eq!(*asked.borrow(), ["box.example"]);
    let address: IpAddr = "10.0.0.5".parse().unwrap();
    assert_eq!(plan.pins().iter().collect::<Vec<_>>(), [(&"box.example".to_owned(), &vec![address])]);
    assert_eq!(hosts(&plan), ["10.0.0.4 80,443", "10.0.0.5 80-82 box.example http:82"]);
}

#[test]
fn a_name_that_takes_too_long_or_has_too_many_addresses_is_refused() {
    let never = async |_: &str| std::future::pending::<io::Result<Vec<IpAddr>>>().await;
    let found = block_on(draft::look_up(["box.example"].into(), never, Duration::from_millis(20)));
    let why = found["box.example"].clone().unwrap_err();
    assert_eq!(why.to_string(), "it has no address: no answer within 0.02 s");
    for (count, is_fine) in [(64, true), (65, false)] {
        let many = async |_: &str| Ok((0..count).map(|last| IpAddr::from([10, 0, 0, last])).collect());
        let made = block_on(Draft::make(&wish("box.example"), many)).into_plan();
        assert_eq!(made.is_ok(), is_fine);
        if let Err(refusal) = made {
            assert_eq!(refusal.parts[0].to_string(), "box.example: not contacted: it has more than 64 addresses");
        }
    }
    let names: Vec<String> = (0..4097).map(|at| format!("n{at}")).collect();
    let wish = wish(&names.join(" "));
    let unasked = async |_: &str| -> io::Result<Vec<IpAddr>> { unreachable!("so many names are not asked for") };
    let refusal = block_on(Draft::make(&wish, unasked)).into_plan().unwrap_err();
    assert_eq!(
        refusal.parts[0].to_string(),
        "4097 names: not contacted: no more than 4096 names are resolved for one scan"
    );
}

#[test]
fn many_addresses_need_to_be_asked_for_and_some_are_too_many() {
    let many = |line: &str| Wish { many: true, ..wish(line) };
    assert_eq!(plan(&wish("10.0.0.0/16")).addresses(), 65_536);
    assert_eq!(
        refused(&wish("10.0.0.0/16 10.1.0.0")),
        ["65537 addresses: not contacted: more than 65536 need --yes-many"]
    );
    assert_eq!(plan(&wish("10.0.0.0/16 10.1.0.0 -10.0.0.9")).addresses(), 65_536);
    assert_eq!(plan(&many("10.0.0.0/16 10.1.0.0")).addresses(), 65_537);
    assert_eq!(plan(&many("10.0.0.0/12")).addresses(), 1 << 20);
    assert_eq!(plan(&many("10.0.0.0/8")).addresses(), 1 << 24);
    let limit = "no more than 16777216 are ever scanned at once";
    assert_eq!(refused(&many("10.0.0.0/8 192.168.0.0")), [format!("16777217 addresses: not contacted: {limit}")]);
    assert_eq!(refused(&many("0.0.0.0/0")), [format!("4294967296 addresses: not contacted: {limit}")]);
    // So many that nobody counts them.
    for line in ["fc00::/64", "::/0", "64:ff9b::/32"] {
        assert_eq!(refused(&many(line)), [format!("18446744073709551615 addresses: not contacted: {limit}")], "{line}");
    }
    let ports = |ports: &str| Wish { default_ports: ports.parse().unwrap(), ..many("10.0.0.0/8") };
    assert_eq!(plan(&ports("1-64")).connections(), 1 << 30);
    assert_eq!(
        refused(&ports("1-65")),
        ["1090519040 connections: not contacted: no more than 1073741824 are ever made at once"]
    );
}

#[test]
fn a_large_plan_costs_nothing_before_it_is_walked() {
    let wish = Wish { many: true, default_ports: "1-64".parse().unwrap(), ..wish("10.0.0.0/8 -10.3.0.0/16") };
    let plan = plan(&wish);
    assert_eq!((plan.segments.len(), plan.namings.len()), (2, 0));
    let first: Vec<String> = plan.places().take(3).map(|place| format!("{}:{}", place.address, place.port)).collect();
    assert_eq!(first, ["10.0.0.0:1", "10.0.0.1:1", "10.0.0.2:1"]);
}

#[test]
fn refusals_are_told_up_to_a_limit_and_counted_beyond() {
    let words: Vec<String> = (0..60).map(|at| format!("8.8.{at}.8")).collect();
    let told = refused(&wish(&words.join(" ")));
    assert_eq!((told.len(), told.last().unwrap().as_str()), (51, "and 10 more"));
}

#[test]
fn places_go_port_by_port_over_some_addresses_at_a_time() {
    let plan = plan(&wish("10.0.0.0/23 10.0.1.255:22 -10.0.0.3:80"));
    let places: Vec<Place> = plan.places().collect();
    assert_eq!(places.len() as u64, plan.connections());
    let (block, rest) = places.split_at(256 * 2 - 1);
    assert_eq!(block[..256].iter().filter(|place| place.port == 80).count(), 255);
    assert!(block.iter().all(|place| place.address < IpAddr::from([10, 0, 1, 0])));
    assert_eq!(rest.first().map(|place| place.port), Some(80));
    assert_eq!(rest.last().unwrap(), &Place { address: IpAddr::from([10, 0, 1, 255]), port: 443 });
    let mut all = places.clone();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), places.len());
}

#[test]
fn only_what_is_planned_is_admitted_whatever_the_ranges_say() {
    let mut plan = plan(&wish("10.0.0.0/30 -10.0.0.2 https://[fd00::1]:1/"));
    for (ip, expected) in [
        ("10.0.0.0", true),
        ("10.0.0.3", true),
        ("::ffff:10.0.0.3", true),
        ("10.0.0.2", false),
        ("10.0.0.4", false),
        ("9.255.255.255", false),
        ("fd00::1", true),
        ("fd00::2", false),
    ] {
        assert_eq!(plan.admits(ip.parse().unwrap()), expected, "{ip}");
    }
    // A range that should never have come this far is still not contacted.
    let span = Span::between("8.8.8.8".parse().unwrap(), "8.8.8.9".parse().unwrap()).unwrap();
    plan.segments = vec![Segment { span, ports: Arc::new("80".parse().unwrap()) }];
    assert!(!plan.admits("8.8.8.8".parse().unwrap()));
}

#[test]
fn a_place_is_called_as_the_user_called_it() {
    let plan = plan(&wish(
        "10.0.0.5 box.example https://box.example:8443 10.0.0.5:81 http://10.0.0.5:82 10.0.0.6:80 localhost",
    ));
    let called = |ip: &str, port: u16| -> Vec<String> {
        let names = plan.names_of(Place { address: ip.parse().unwrap(), port });
        names
            .iter()
            .map(|called| format!("{} {}", called.name.unwrap_or("-"), called.scheme.map_or("-", Scheme::name)))
            .collect()
    };
    assert_eq!(called("10.0.0.5", 80), ["box.example -"]);
    assert_eq!(called("10.0.0.5", 8443), ["box.example https"]);
    assert_eq!(called("10.0.0.5", 81), ["box.example -"]);
    assert_eq!(called("10.0.0.5", 82), ["- http", "box.example -"]);
    assert_eq!(called("10.0.0.6", 80), ["- -"]);
    assert_eq!(called("127.0.0.1", 80), ["localhost -"]);
    assert_eq!(called("::1", 80), ["localhost -"]);
    assert_eq!(called("10.0.0.7", 80), [] as [&str; 0]);
}
