//! Signals that stop a process.

use std::task::Poll;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use super::service_manager;
use crate::stop::Stop;

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
