//! `tracehound serve`.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::Context as _;
use tokio::sync::watch;
use tracehound_evidence::{Evidence, Moment, Token};
use tracehound_server::listen::{Listening, TlsFiles, check_exposure};
use tracehound_server::{
    App, AppSettings, Doors, EstateSettings, HandOver, chain_check, console, detection, retention, router,
};

use crate::args::Serve;
use crate::outcome::Outcome;
use crate::output::{Output, note};
use crate::settings::Settings;

pub(crate) fn run(arguments: &Serve, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    run_beside(arguments, settings, output, |_| async {})
}

/// Runs the server, and something else as long as it does.
pub(crate) fn run_beside<F: Future<Output = ()> + Send + 'static>(
    arguments: &Serve,
    settings: &Settings,
    output: &mut Output,
    beside: impl FnOnce(HandOver) -> F,
) -> anyhow::Result<Outcome> {
    let tls = match (&arguments.tls_cert, &arguments.tls_key) {
        (Some(certificate), Some(key)) => Some(TlsFiles { certificate: certificate.clone(), key: key.clone() }),
        _ => None,
    };
    // What can be refused is refused before anything is opened.
    check_exposure(arguments.listen, tls.is_some(), arguments.insecure_bind)?;
    raise_open_files();
    let (evidence, first) = Evidence::open(&settings.data, Arc::new(Moment::now))?;
    if let Some(first) = &first {
        output.line(format!("administrator's token, shown once: {}", first.token.reveal()))?;
    }
    let operator = Token::of_operator()?;
    let app_settings = AppSettings {
        approval_seconds: arguments.approval_seconds,
        policy_file: arguments.policy_file.clone(),
        is_secure: tls.is_some(),
        estate: EstateSettings {
            limits: settings.limits,
            library: Some(Arc::new(crate::command::rules::in_force(settings)?)),
            ..EstateSettings::default()
        },
        ..AppSettings::new(&settings.data)
    };
    let app = App::new(Arc::new(evidence), Some(operator.hash()), app_settings);
    app.own_estates()?;
    // A server that does not know its policies does not start.
    app.load_policy_file()?;
    let behind = (
        detection::start(&app),
        chain_check::start(&app),
        arguments.keep_days.map(|days| retention::start(&app, days)),
    );
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no runtime")?;
    let result = runtime.block_on(serve(arguments, settings, output, &app, tls.as_ref(), &operator, beside));
    HandOver::take_away(&settings.data);
    drop(behind);
    // Whoever still waits for an answer gets none; what was handed in is written when the store is closed.
    runtime.shutdown_timeout(std::time::Duration::from_secs(5));
    result.map(|()| Outcome::Clean)
}

async fn serve<F: Future<Output = ()> + Send + 'static>(
    arguments: &Serve,
    settings: &Settings,
    output: &mut Output,
    app: &App,
    tls: Option<&TlsFiles>,
    operator: &Token,
    beside: impl FnOnce(HandOver) -> F,
) -> anyhow::Result<()> {
    let listening = Listening::on(arguments.listen, tls, arguments.insecure_bind).await?;
    let address = listening.address()?;
    let doors = Doors { hosts: arguments.hosts.clone(), origins: arguments.origins.clone() };
    let router = router(app, doors);
    // Commands on this machine use a loopback address without TLS; it is another one if the server's own is not that.
    let is_plain_loopback = address.ip().is_loopback() && !listening.is_tls();
    let own = match is_plain_loopback {
        true => None,
        false => Some(Listening::on(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), None, false).await?),
    };
    let handed = own.as_ref().map_or(Ok(address), Listening::address)?;
    let hand_over = HandOver { address: handed, token: operator.reveal().to_owned(), process: std::process::id() };
    hand_over.leave(&settings.data).context("cannot leave the server's address in the data directory")?;
    let scheme = if listening.is_tls() { "https" } else { "http" };
    let listening_on = format!("listening on {scheme}://{address}");
    // In one piece: whoever waits for the first line may not stay for the second.
    if console::is_there() {
        let (place, link) = (place(arguments, address), app.login_link()?);
        let console = format!("console (the link works once, for 15 minutes): {scheme}://{place}{link}");
        output.line(format!("{listening_on}\n{console}"))?;
    } else {
        output.line(listening_on)?;
        note("this program was built without the console");
    }
    let (stop, stopped) = watch::channel(false);
    let mut tasks = vec![tokio::spawn(listening.serve(router.clone(), stopped.clone()))];
    if let Some(own) = own {
        tasks.push(tokio::spawn(own.serve(router, stopped)));
    }
    let beside = tokio::spawn(beside(hand_over));
    interrupted().await?;
    note("stopping");
    beside.abort();
    stop.send_replace(true);
    for task in tasks {
        let _ = task.await;
    }
    Ok(())
}

/// Lets the process have as many open files as the system permits: each viewer of the live feed is one, and the usual
/// limit is for programs that serve nobody.
fn raise_open_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // What can't be had is done without; whoever finds no place waits.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// What a browser on this machine, or one that knows the server's name, finds it by.
fn place(arguments: &Serve, address: SocketAddr) -> String {
    match arguments.hosts.first() {
        Some(host) => format!("{host}:{}", address.port()),
        None if address.ip().is_unspecified() => format!("localhost:{}", address.port()),
        None => address.to_string(),
    }
}

/// Waits until somebody wants the server to end.
async fn interrupted() -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut end = signal(SignalKind::terminate())?;
        tokio::select! {
            _ = end.recv() => {}
            pressed = tokio::signal::ctrl_c() => pressed?,
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await?;
    Ok(())
}
