//! Asking everything that runs to come to an orderly end.

use tokio::sync::watch;

/// Turns true when the process is to stop.
pub type Stop = watch::Receiver<bool>;

/// Completes when a stop was asked for.
pub async fn requested(stop: &mut Stop) {
    // The sender being gone is a stop too.
    let _ = stop.wait_for(|stop| *stop).await;
}
