//! `trainyard serve`: runs the service until a signal stops it.

use std::{task::Poll, time::Duration};

use indicatif::{ProgressBar, ProgressStyle};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
};

use super::{CommandError, ConfigError, ServeOptions, engines, options::EngineKind, service_manager};
use crate::{
    server::{Service, Settings, bind, bound_connections},
    stop::Stop,
};

/// Default size of each base model's key-value cache in MiB.
const CACHE_MIB: usize = 2048;

pub(super) async fn run(options: ServeOptions) -> Result<(), CommandError> {
    let options = options.with_file()?;
    let mut settings = settings(&options)?;
    // Sockets are bound first, so that an address in use is reported before minutes of loading.
    let listener = bind(options.listen()?)?;
    let inference = match options.inference_listen()? {
        Some(address) => Some(bind(address)?),
        None => None,
    };
    let mut progress = LoadProgress::default();
    let engines = match options.engine {
        Some(EngineKind::Managed) => Some(engines::start(&options, &mut settings, &mut progress).await?),
        Some(EngineKind::Embedded) | None => None,
    };
    settings.limits.connections = bound_connections(settings.limits.connections, 1 + inference.iter().len());
    let service = Service::open(&settings, &mut |stage, done, total| progress.show(stage, done, total)).await?;
    progress.finish();
    let address = listener.local_addr()?;
    if let Some(key) = service.first_key().await? {
        let link = service.sign_in_link(address, &key)?;
        let key = key.reveal();
        note!(
            "This is the first start, so here is an API key. It is shown this once:\n\n    {key}\n\nOpen the \
             dashboard; this link signs in once, within ten minutes:\n\n    {link}\n\nTry the API:\n\n    \
             curl http://{address}/v1/chat/completions -H 'Authorization: Bearer {key}' \\\n      \
             -H 'Content-Type: application/json' \\\n      -d '{{\"model\": \"trainyard/seedling\", \"messages\": \
             [{{\"role\": \"user\", \"content\": \"hello\"}}]}}'\n\nKeep it for other commands: trainyard login \
             --base-url http://{address}\nMore keys: trainyard keys create --entity NAME\n"
        );
    }
    match &inference {
        Some(inference) => note!("inference at http://{}/v1", inference.local_addr()?),
        None => note!("inference at http://{address}/inference/v1"),
    }
    note!("dashboard at http://{address}/dashboard/");
    let stopped = stop_on_signal("stopping: running requests may finish");
    // Scripts wait for this line.
    note!("listening on http://{address}");
    service_manager::ready();
    service.run(listener, inference, stopped).await;
    drop(engines);
    Ok(())
}

/// Converts the options to the settings of a process.
pub(super) fn settings(options: &ServeOptions) -> Result<Settings, ConfigError> {
    Ok(Settings {
        data_directory: options.data_directory()?,
        database: options.database.clone(),
        artifacts: options.artifacts.clone(),
        base_models: options.base_models()?.into_iter().map(|base| (base.name, base.directory)).collect(),
        allow_data: options.allow_data.clone(),
        wandb: options.wandb()?,
        threads: options.threads(),
        chat_share: options.chat_share.unwrap_or_default(),
        cache_bytes: options.cache_mib.unwrap_or(CACHE_MIB).saturating_mul(1 << 20),
        speculates: !options.no_speculation,
        weights: options.weights.unwrap_or_default(),
        trainers: options.trainers()?,
        worker: !options.no_worker,
        samplers: options.samplers()?,
        limits: options.limits(),
    })
}

/// Returns a switch that turns true at the first stop signal, which is logged as `words`; a second signal ends the
/// process at once. From the return of this function on, no signal ends the process by itself.
pub(super) fn stop_on_signal(words: &'static str) -> Stop {
    let (stop, stopped) = watch::channel(false);
    let mut signals = StopSignals::listen();
    tokio::spawn(async move {
        signals.next().await;
        tracing::info!("{words}");
        service_manager::stopping();
        let _ = stop.send(true);
        signals.next().await;
        note!("stopped at once; a running job is taken up again");
        std::process::exit(130);
    });
    stopped
}

/// Completes when the process receives a stop signal.
pub(super) async fn wait_for_signal() {
    StopSignals::listen().next().await;
}

/// SIGINT and SIGTERM.
struct StopSignals(Vec<Signal>);

impl StopSignals {
    /// Replaces the system's handling of both signals.
    fn listen() -> Self {
        let listen =
            |kind| signal(kind).inspect_err(|error| tracing::warn!(%error, ?kind, "cannot listen for a signal"));
        Self(
            [SignalKind::interrupt(), SignalKind::terminate()]
                .into_iter()
                .filter_map(|kind| listen(kind).ok())
                .collect(),
        )
    }

    /// Completes at the next signal; never without a listener.
    async fn next(&mut self) {
        std::future::poll_fn(|cx| {
            let received = self.0.iter_mut().any(|signal| signal.poll_recv(cx).is_ready());
            if received { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

/// A progress bar for each stage of loading; hidden if standard error is not a terminal.
#[derive(Default)]
pub(super) struct LoadProgress {
    bar: Option<(String, ProgressBar)>,
}

impl LoadProgress {
    pub(super) fn show(&mut self, stage: &str, done: u64, total: u64) {
        if self.bar.as_ref().is_none_or(|(name, _)| name != stage) {
            self.finish();
            let style = ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes} {eta}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(total).with_style(style).with_message(stage.to_owned());
            bar.enable_steady_tick(Duration::from_millis(200));
            self.bar = Some((stage.to_owned(), bar));
        }
        if let Some((_, bar)) = &self.bar {
            bar.set_length(total);
            bar.set_position(done);
        }
    }

    pub(super) fn finish(&mut self) {
        if let Some((_, bar)) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
