//! `tracehound serve`.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::Context as _;
use tokio::sync::watch;
use tracehound_evidence::{Evidence, Moment, Token};
use tracehound_server::listen::{Listening, TlsFiles, check_exposure};
use tracehound_server::{App, AppSettings, Doors, HandOver, detection, router};

use crate::args::Serve;
use crate::outcome::Outcome;
use crate::output::{Output, note};
use crate::settings::Settings;

pub(crate) fn run(arguments: &Serve, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let tls = match (&arguments.tls_cert, &arguments.tls_key) {
        (Some(certificate), Some(key)) => Some(TlsFiles { certificate: certificate.clone(), key: key.clone() }),
        _ => None,
    };
    // What can be refused is refused before anything is opened.
    check_exposure(arguments.listen, tls.is_some(), arguments.insecure_bind)?;
    let (evidence, first) = Evidence::open(&settings.data, Arc::new(Moment::now))?;
    if let Some(first) = &first {
        output.line(format!("administrator's token, shown once: {}", first.token.reveal()))?;
    }
    let operator = Token::of_operator()?;
    let app_settings = AppSettings {
        approval_seconds: arguments.approval_seconds,
        policy_file: arguments.policy_file.clone(),
        ..AppSettings::new(&settings.data)
    };
    let app = App::new(Arc::new(evidence), Some(operator.hash()), app_settings);
    // A server that does not know its policies does not start.
    app.load_policy_file()?;
    let detection = detection::start(&app);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no runtime")?;
    let result = runtime.block_on(serve(arguments, settings, output, &app, tls.as_ref(), &operator));
    HandOver::take_away(&settings.data);
    drop(detection);
    // Whoever still waits for an answer gets none; what was handed in is written when the store is closed.
    runtime.shutdown_timeout(std::time::Duration::from_secs(5));
    result.map(|()| Outcome::Clean)
}

async fn serve(
    arguments: &Serve,
    settings: &Settings,
    output: &mut Output,
    app: &App,
    tls: Option<&TlsFiles>,
    operator: &Token,
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
    output.line(format!("listening on {scheme}://{address}"))?;
    let (stop, stopped) = watch::channel(false);
    let mut tasks = vec![tokio::spawn(listening.serve(router.clone(), stopped.clone()))];
    if let Some(own) = own {
        tasks.push(tokio::spawn(own.serve(router, stopped)));
    }
    interrupted().await?;
    note("stopping");
    stop.send_replace(true);
    for task in tasks {
        let _ = task.await;
    }
    Ok(())
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
