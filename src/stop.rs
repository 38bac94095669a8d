//! Signal for a graceful shutdown.

use tokio::sync::watch;

/// Receiver that turns true when the process should stop.
pub(crate) type Stop = watch::Receiver<bool>;

/// Waits until a stop is requested.
pub(crate) async fn requested(stop: &mut Stop) {
    // A dropped sender also requests a stop.
    let _ = stop.wait_for(|stop| *stop).await;
}
